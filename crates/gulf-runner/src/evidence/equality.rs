//! What the work calls equal itself may be what its tests pass by (SPEC B3).
//!
//! Two things are asked, and only both together tell: do these tests pass where only the same parts are equal, and do
//! they fail where they expect something else?

use gulf_agents::reports::{TestId, TestOutcome};
use gulf_agents::sources::{compared_values_of, is_test_path, others, plain_equality};
use gulf_engine::Finding;
use gulf_host::git::{TreeEdit, TreePath};

use super::proving::Proving;
use super::reruns::{BUILD_MS, hurried};
use super::{AskedTree, CandidateEvidence, finding_of};
use crate::checks::{RunPurpose, RunRecord};
use crate::error::{Failure, Result};

/// So many values are tried.
const VALUES_MAX: usize = 12;
/// A goal with one of these is about what is equal.
const ABOUT_IT: [&str; 4] = ["equal", "compar", "==", "ignor"];

impl CandidateEvidence<'_> {
    /// Do the tests that prove the work accept what is not what they expect, by an equality that the work brought?
    pub(super) fn own_equality(&self) -> Result<Option<Finding>> {
        let goal = self.resources.agreement.goal.to_lowercase();
        let plain = plain_equality(&self.difference.files);
        if plain.is_empty() || ABOUT_IT.iter().any(|word| goal.contains(word)) {
            return Ok(None);
        }
        for (check, before, now) in self.open_runs()? {
            let proving = Proving::between(&before, &now, &self.difference.graft);
            if proving.tests.is_empty() || !now.is_green() {
                continue;
            }
            let check = &hurried(check, now.duration_ms, BUILD_MS);
            let (mut places, mut names) = (Vec::new(), Vec::new());
            for (path, source) in self.sources(|path| is_test_path(path) || path.ends_with(".rs"))? {
                let found = compared_values_of(&path, &source, &proving.tests);
                let text = String::from_utf8_lossy(&source).into_owned();
                names.extend(found.names);
                places.extend(found.at.into_iter().map(|at| (path.clone(), text.clone(), at)));
            }
            let few = self.selected(check, &names);
            let check = few.as_ref().unwrap_or(check);
            let says = |edits: &[(TreePath, TreeEdit)]| {
                let message = "gulf: what the work calls equal is asked\n";
                let commit = self.commit_with(edits, AskedTree::Candidate, message)?;
                Ok::<_, Failure>(self.run(check, RunPurpose::Canary, &commit)?.record)
            };
            let edits = self.taken(&plain, AskedTree::Candidate)?;
            if !places.is_empty() && fails_in(&proving.tests, &says(&edits)?) {
                for (path, text, at) in places.iter().take(VALUES_MAX) {
                    let was = &text[at.clone()];
                    let Some(other) = others(was).into_iter().next() else { continue };
                    let bytes = format!("{}{other}{}", &text[..at.start], &text[at.end..]).into_bytes();
                    if says(&[self.put(path, bytes)?])?.is_green() {
                        let what = format!(
                            "passes by what the change calls equal: the same tests pass where they expect {other} for {was}"
                        );
                        return Ok(Some(finding_of(check, what)));
                    }
                }
            }
        }
        Ok(None)
    }
}

fn fails_in(tests: &[TestId], record: &RunRecord) -> bool {
    tests.iter().any(|id| record.tests.get(id.as_str()) == Some(&TestOutcome::Failed))
}
