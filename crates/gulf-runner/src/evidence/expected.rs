//! What tests of the base expected and what they expect now, side by side: what a person is asked about (SPEC B3).
//!
//! Nothing is decided on it: who reads it decides.

use std::collections::BTreeSet;
use std::ops::Range;

use gulf_agents::differing::hunks;
use gulf_agents::masking::Mask;
use gulf_engine::{ChangedPlace, Finding, FindingsPolicy};

use super::CandidateEvidence;

/// So many places are shown, of each so many lines of so many characters.
const PLACES_MAX: usize = 20;
const LINES_MAX: usize = 6;
const CHARS_MAX: usize = 160;

impl CandidateEvidence<'_> {
    /// Each place that these findings are about, as far as it is text; none where nobody is asked.
    pub(super) fn expectations(&self, findings: &[Finding]) -> Vec<ChangedPlace> {
        if self.resources.agreement.policy.findings != FindingsPolicy::Ask {
            return Vec::new();
        }
        let paths: BTreeSet<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
        let files = paths.into_iter().filter_map(|path| {
            let file = self.difference.files.get(path)?;
            file.base.as_ref().map(|_| (path, file.texts()))
        });
        let places = files.flat_map(|(path, [old, new])| places(path, &old, &new, &self.resources.mask));
        places.take(PLACES_MAX).collect()
    }
}

fn places(path: &str, old: &str, new: &str, mask: &Mask) -> Vec<ChangedPlace> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let shown = |lines: &[&str]| {
        let line = |line: &&str| mask.text(line.trim_end()).chars().take(CHARS_MAX).collect();
        lines.iter().filter(|line| !line.trim().is_empty()).take(LINES_MAX).map(line).collect()
    };
    let changed = |[was, is]: [Range<usize>; 2]| {
        let (was, is) = (&old[was], &new[is]);
        // What only came to it expects nothing else than before.
        (!was.is_empty()).then(|| ChangedPlace { path: path.to_owned(), old: shown(was), new: shown(is) })
    };
    hunks(&old, &new).into_iter().filter_map(changed).collect()
}
