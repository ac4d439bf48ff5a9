//! What the work calls equal itself may be what its tests pass by (SPEC B3).
//!
//! It stands apart because two things are asked, and only both together tell: do these tests pass where only the same parts are
//! equal, and do they fail where they expect something else?

use gulf_agents::reports::{TestId, TestOutcome};
use gulf_agents::sources::{compared_values_of, is_test_path, others, plain_equality};
use gulf_engine::{EffectKey, Finding};
use gulf_host::git::{FileMode, TreeEdit, TreePath};

use super::proving::Proving;
use super::reruns::{BUILD_MS, Rerun, hurried, taken};
use super::texts::Texts;
use super::{Difference, in_hand};
use crate::book::Fold;
use crate::checks::{RunPurpose, RunRecord};
use crate::comparison;
use crate::error::Failure;
use crate::resources::Resources;
use crate::stop::Stop;

/// So many values are tried.
const VALUES_MAX: usize = 12;
/// A goal with one of these is about what is equal.
const ABOUT_IT: [&str; 4] = ["equal", "compar", "==", "ignor"];

impl Resources {
    /// Do the tests that prove the work accept what is not what they expect, by an equality that the work brought?
    pub(super) fn own_equality(
        &self,
        (key, stop): (&EffectKey, &Stop),
        fold: &Fold,
        (difference, texts): (&Difference, &Texts<'_>),
    ) -> Result<Option<Finding>, Failure> {
        let goal = self.agreement.goal.to_lowercase();
        let plain = plain_equality(&difference.files);
        if plain.is_empty() || ABOUT_IT.iter().any(|word| goal.contains(word)) {
            return Ok(None);
        }
        let candidate = in_hand(fold)?;
        let on = (&candidate.tree, &candidate.commit);
        for (check, before, now) in self.open_runs(fold)? {
            let proving = Proving::between(&before, &now, &difference.graft);
            if proving.is_empty() || !comparison::is_green(&now) {
                continue;
            }
            let rerun = Rerun { key, check: &hurried(check, now.duration_ms, BUILD_MS), stop, texts };
            let (mut places, mut names) = (Vec::new(), Vec::new());
            for (path, source) in
                self.sources(candidate, |path| is_test_path(path) || path.ends_with(".rs"))?
            {
                let found = compared_values_of(&path.to_string(), &source, &proving.tests);
                let text = String::from_utf8_lossy(&source).into_owned();
                names.extend(found.names);
                places.extend(found.at.into_iter().map(|at| (path.clone(), text.clone(), at)));
            }
            let few = self.selected(&rerun, &names);
            let check = few.as_ref().unwrap_or(rerun.check);
            let says = |edits: &[(TreePath, TreeEdit)]| {
                let commit =
                    self.commit_with(edits, on, "gulf: what the work calls equal is asked\n", fold)?;
                Ok::<_, Failure>(self.run_check(key, check, RunPurpose::Canary, &commit, stop)?.record)
            };
            let edits = taken(&plain, &candidate.tree, |_| false)?;
            if !places.is_empty() && fails_in(&proving.tests, &says(&edits)?) {
                for (path, text, at) in places.iter().take(VALUES_MAX) {
                    let was = &text[at.clone()];
                    let Some(other) = others(was).into_iter().next() else { continue };
                    let bytes = format!("{}{other}{}", &text[..at.start], &text[at.end..]).into_bytes();
                    let edit = (path.clone(), TreeEdit::Put(bytes, FileMode::File));
                    if comparison::is_green(&says(&[edit])?) {
                        let what = format!(
                            "passes by what the change calls equal: the same tests pass where they expect {other} for {was}"
                        );
                        return Ok(Some(Finding { path: format!("the check {}", check.name), what }));
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
