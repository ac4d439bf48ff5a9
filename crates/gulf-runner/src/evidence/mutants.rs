//! A refactoring is proven by checks that see it: for errors put into the lines that it changed they turn red (SPEC B3).

use std::time::{Duration, Instant};

use gulf_agents::reports::TestOutcome;
use gulf_agents::sources::{Mutant, mutants};
use gulf_engine::Overlay;

use super::reruns::{BUILD_MS, hurried};
use super::{AskedTree, CandidateEvidence};
use crate::checks::{RunEnd, RunPurpose, RunRecord};
use crate::error::Result;

/// So many errors are tried, spread over the change.
const MUTANTS_MAX: usize = 8;
/// After so long no further one is tried, if some were.
const TIME_MAX: Duration = Duration::from_mins(10);
/// So few say nothing of a change that has more to say.
const MUTANTS_MIN: usize = 3;

/// What the checks say of an error.
enum ErrorSeen {
    Noticed,
    Unnoticed,
    /// It does not build, which no test had to notice.
    Broken,
}

impl CandidateEvidence<'_> {
    /// Do the checks see what was changed?
    pub(super) fn mutants(&self) -> Result<Overlay> {
        let not_shown = |why: String| Ok(Overlay::NotShown { why });
        let unread =
            |path: &str, why: &str| not_shown(format!("{path} {why}, so no error can be put into it"));
        if let Some(path) = self.difference.unread.first() {
            return unread(path, "cannot be read");
        }
        let found = match mutants(&self.difference.files, MUTANTS_MAX) {
            Ok(found) => found,
            Err(path) => return unread(path, "is no source that gulf reads"),
        };
        // Whatever fails here without an error says nothing of one: a port in use, a missing tool, a test that fails now and then.
        if let Some(check) = self.failing_untouched()? {
            return not_shown(format!("the check {check} fails where no error was put in"));
        }
        let (began, wanted) = (Instant::now(), found.len().min(MUTANTS_MIN));
        let (mut errors, mut unnoticed, mut tried) = (0_u32, Vec::new(), 0);
        for mutant in &found {
            if tried >= wanted && began.elapsed() > TIME_MAX {
                break;
            }
            tried += 1;
            match self.seen(mutant)? {
                ErrorSeen::Noticed => errors += 1,
                ErrorSeen::Unnoticed => {
                    errors += 1;
                    unnoticed.push(describe(mutant));
                }
                ErrorSeen::Broken => {}
            }
        }
        Ok(match (errors, unnoticed.is_empty()) {
            (0, _) => Overlay::NotShown { why: "no changed line could be given an error".to_owned() },
            (_, true) => Overlay::Noticed { errors },
            (_, false) => Overlay::Unnoticed { errors, places: unnoticed },
        })
    }

    /// A check that says something else of the candidate in the place where errors are put into it.
    fn failing_untouched(&self) -> Result<Option<String>> {
        for check in self.checkout_checks() {
            let Some(before) = self.resources.record(check, self.candidate.tree.as_str())? else {
                return Ok(Some(check.name.to_string()));
            };
            let now = self.run(check, RunPurpose::Mutant, &self.candidate.commit)?.record;
            let fails = now.failed().any(|id| before.tests.get(id) != Some(&TestOutcome::Failed));
            if fails || before.is_green() != now.is_green() {
                return Ok(Some(check.name.to_string()));
            }
        }
        Ok(None)
    }

    fn seen(&self, mutant: &Mutant) -> Result<ErrorSeen> {
        let edit = [self.put(&mutant.path, mutant.bytes.clone())?];
        let message = "gulf: one changed line says something else\n";
        let commit = self.commit_with(&edit, AskedTree::Candidate, message)?;
        let mut builds = !mutant.is_compiled;
        for check in self.checkout_checks() {
            let Some(before) = self.resources.record(check, self.candidate.tree.as_str())? else { continue };
            // Whoever waits for what was left out hangs.
            let check = hurried(check, before.duration_ms, BUILD_MS);
            let ran = self.run(&check, RunPurpose::Mutant, &commit)?.record;
            if is_noticed(&before, &ran, mutant) {
                return Ok(ErrorSeen::Noticed);
            }
            builds |= ran.is_green();
        }
        Ok(if builds { ErrorSeen::Unnoticed } else { ErrorSeen::Broken })
    }
}

/// Does this check say no to the error? Where a language is compiled, only a test by name says it.
fn is_noticed(before: &RunRecord, now: &RunRecord, mutant: &Mutant) -> bool {
    let fails = |id: &str| before.tests.get(id) != Some(&TestOutcome::Failed);
    let by_name = now.failed().any(fails);
    // What never began, or was cut short, says nothing.
    let ended = matches!(now.end, RunEnd::Exited { .. } | RunEnd::TimedOut { .. });
    let says_no = ended && before.is_green() && !now.is_green();
    by_name || (says_no && !mutant.is_compiled)
}

fn describe(Mutant { path, line, texts: [was, is], .. }: &Mutant) -> String {
    let is = if is.is_empty() { "nothing" } else { is };
    format!("{path}:{line}: `{is}` for `{was}`")
}
