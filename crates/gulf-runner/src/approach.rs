//! Is a candidate close to one that was rejected (SPEC G10)? Found by the lines that both change.
//!
//! Nothing is decided here: the likeness becomes part of the snapshot's fact, and the engine refuses by it after a
//! reset.

use gulf_agents::approach::Fingerprint;
use gulf_engine::Resemblance;
use gulf_host::git::{DiffForm, TreeId};

use crate::book::RejectedCandidate;
use crate::error::Result;
use crate::resources::AgentEffect;

/// As much in common is the same approach, in basis points.
const ALIKE_BP_MIN: u32 = 8_000;
/// Only the newest rejections are looked at.
const REJECTIONS_LOOKED_AT_MAX: usize = 32;

impl AgentEffect<'_> {
    /// The rejected candidate that this tree has most in common with, if that is much.
    pub(crate) fn resembles(&self, tree: &TreeId) -> Result<Option<Resemblance>> {
        let Some(base) = self.fold.state.base().filter(|_| !self.fold.rejected.is_empty()) else {
            return Ok(None);
        };
        let own = self.fingerprint(&base.tree, tree)?;
        let mut closest: Option<Resemblance> = None;
        for rejected in self.fold.rejected.iter().rev().take(REJECTIONS_LOOKED_AT_MAX) {
            let RejectedCandidate { iteration, base, tree } = rejected;
            let other = self.fingerprint(base, tree)?;
            let common_bp = own.common_bp(&other);
            if common_bp >= ALIKE_BP_MIN && closest.is_none_or(|one| one.common_bp < common_bp) {
                closest = Some(Resemblance { iteration: *iteration, common_bp });
            }
        }
        Ok(closest)
    }

    fn fingerprint(&self, base: &TreeId, tree: &TreeId) -> Result<Fingerprint> {
        Ok(Fingerprint::from_diff(&self.resources.repository.diff_text(base, tree, DiffForm::Patch)?))
    }
}
