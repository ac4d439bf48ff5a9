//! Where the work stands on its base branch: a worker that merges the branch stands on a newer commit of it.
//!
//! What is asked of a candidate is asked in comparison with this commit. Only what gulf landed since counts as
//! others' work, and was tested when it landed; nothing in a commit tells who made it, so whatever else the branch
//! holds by now counts as the loop's own change.

use gulf_engine::{Base, CommitId};
use gulf_queue::EntryEnding;

use super::base::BaseBranch;
use super::place::QueuePlace;
use crate::agreement::{LandingTerms, short};
use crate::error::Result;
use crate::evidence::changed_tests_between;
use crate::references;
use crate::resources::AgentEffect;

impl AgentEffect<'_> {
    /// The newest commit of the base branch that this commit holds and gulf accounts for, where that is newer than what
    /// was known; what else reached the branch is told in `drifted`.
    pub(crate) fn newer_base(&self, head: &CommitId, drifted: &mut Vec<String>) -> Result<Option<Base>> {
        let Some(terms) = &self.resources.agreement.landing else { return Ok(None) };
        let known = &self.resources.base(self.fold).commit;
        let mut tips = self.tips(terms)?;
        tips.retain(|tip| tip != known);
        if tips.is_empty() {
            return Ok(None);
        }
        let accounted = self.accounted_for(known, terms)?;
        let mut base = known.clone();
        for commit in accounted.iter().rev() {
            if self.resources.repository.descends(head, commit)? {
                base = commit.clone();
                break;
            }
        }
        let newest = accounted.last().unwrap_or(known);
        for tip in &tips {
            drifted.extend(self.unaccounted(head, &base, newest, tip)?.map(|what| {
                format!("{} ({what}; the work stays compared with {:.7})", short(&terms.base), base.as_str())
            }));
        }
        drifted.dedup();
        if base == *known {
            return Ok(None);
        }
        Ok(Some(Base { tree: self.resources.repository.tree_of(&base)?, commit: base }))
    }

    /// Where the base branch is seen to stand: here; a remote's where gulf saw it last, and where git did.
    fn tips(&self, terms: &LandingTerms) -> Result<Vec<CommitId>> {
        let base = BaseBranch::from_terms(terms)?;
        let seen = base.tip(&self.resources.repository)?;
        let told = match base {
            BaseBranch::Local(_) => None,
            BaseBranch::Remote(_) => self.resources.repository.find_commit(&terms.base)?,
        };
        Ok(seen.into_iter().chain(told).collect())
    }

    /// Commits of the base branch that nobody but gulf brought there since the known one, the newest last: where it stood
    /// when the loop began, and what was landed from one of these.
    fn accounted_for(&self, known: &CommitId, terms: &LandingTerms) -> Result<Vec<CommitId>> {
        let mut reached = vec![known.clone()];
        if let Some(start) = references::at_start(&self.resources.folder, &terms.base)?
            && let Some(commit) = self.resources.repository.find_commit(&start)?
            && self.resources.repository.descends(&commit, known)?
        {
            reached.push(commit);
        }
        // Of a queue that cannot be read nobody knows what it landed.
        if let Ok(state) = QueuePlace::for_loop(&self.resources.folder, terms).state() {
            for settled in state.settled() {
                let EntryEnding::Landed { from, to, .. } = &settled.ending else { continue };
                if reached.contains(from) && !reached.contains(to) {
                    reached.push(to.clone());
                }
            }
        }
        Ok(reached.split_off(1))
    }

    /// What the branch holds by this tip that gulf accounts for nothing of, where it matters: the work holds it, too, or
    /// tests of the base are not the same in it.
    fn unaccounted(
        &self,
        head: &CommitId,
        base: &CommitId,
        newest: &CommitId,
        tip: &CommitId,
    ) -> Result<Option<String>> {
        let common = self.resources.repository.common_ancestor(head, tip)?;
        if let Some(common) = common.filter(|common| common != base)
            && self.resources.repository.descends(&common, base)?
        {
            return Ok(Some(format!(
                "the work holds {:.7} of it, which reached it by no landing of gulf's and counts as the work's own change",
                common.as_str()
            )));
        }
        if tip == newest || !self.resources.repository.descends(tip, newest)? {
            return Ok(None);
        }
        let (before, after) =
            (self.resources.repository.tree_of(newest)?, self.resources.repository.tree_of(tip)?);
        let changed = changed_tests_between(&self.resources.repository, &before, &after)?;
        let named: Vec<String> = changed.iter().map(|one| format!("{}: {}", one.path, one.what)).collect();
        let first = super::first_of(&named);
        Ok((!named.is_empty()).then(|| format!("tests were changed on it by no landing of gulf's: {first}")))
    }
}
