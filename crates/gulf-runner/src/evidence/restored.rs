//! The base's own tests on the candidate's code: what a change of tests could hide, they say (SPEC B3).
//!
//! Where they pass, a test that was moved, rewritten or got another name hides nothing; where they fail, whatever the
//! candidate's tests say, the work is not what the base asks for.

use std::collections::BTreeSet;

use gulf_agents::sources::{Edit, reaches_old_tests, restored};
use gulf_engine::{Baseline, EffectKey, Finding};
use gulf_host::git::{CommitId, TreeId};

use super::reruns::taken;
use super::{Difference, in_hand};
use crate::agreement::{Place, SealedCheck};
use crate::book::Fold;
use crate::checks::{Purpose, RunRecord};
use crate::comparison;
use crate::error::Failure;
use crate::stop::Stop;
use crate::workshop::Workshop;

/// So many tests are named.
const NAMED_MAX: usize = 5;

impl Workshop {
    /// Of these changes of tests, those that hide nothing, and those that stand with what the base's tests say against
    /// the candidate.
    pub(super) fn cleared(
        &self,
        key: &EffectKey,
        fold: &Fold,
        difference: &Difference,
        of_tests: Vec<Finding>,
        stop: &Stop,
    ) -> Result<(Vec<Finding>, Vec<Finding>), Failure> {
        let edits = restored(&difference.files);
        let paths: BTreeSet<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
        let reaches = |path: &&str| reaches_old_tests(path, &difference.files[*path]);
        let checks = self.agreement.checks.iter().filter(|check| check.place == Place::Checkout);
        let checks: Vec<&SealedCheck> = checks.collect();
        let is_of_use = !of_tests.is_empty() || paths.iter().any(reaches);
        if edits.is_empty() || checks.is_empty() || !is_of_use {
            return Ok((Vec::new(), of_tests));
        }
        let candidate = in_hand(fold)?;
        let message = "gulf: the base's tests on the candidate's code\n";
        let source = TreeId::parse(self.base(fold).tree.as_str())?;
        let is_whole = |edit: &Edit| difference.files[&edit.path].base == edit.bytes;
        let changes = taken(&edits, &source, is_whole)?;
        let commit = self.commit_with(&changes, (&candidate.tree, &candidate.commit), message, fold)?;
        let mut against = Vec::new();
        for check in checks {
            against.extend(self.against(key, check, &commit, fold, stop)?);
        }
        if !against.is_empty() {
            return Ok((Vec::new(), of_tests.into_iter().chain(against).collect()));
        }
        // A setting that stays, and a file that could not be read, are not what the base has.
        let stays = |finding: &Finding| {
            difference.files.contains_key(&finding.path) && !paths.contains(finding.path.as_str())
                || difference.unread.contains(&finding.path)
        };
        Ok(of_tests.into_iter().partition(|finding| !stays(finding)))
    }

    /// What one check says against the candidate, with the base's tests in place of its own.
    fn against(
        &self,
        key: &EffectKey,
        check: &SealedCheck,
        commit: &CommitId,
        fold: &Fold,
        stop: &Stop,
    ) -> Result<Vec<Finding>, Failure> {
        let base = self.base(fold);
        let before = RunRecord::read(&self.folder.run(base.tree.as_str(), check.name.as_str()));
        let Some(before) = before else { return Ok(Vec::new()) };
        let now = self.run_check(key, check, Purpose::BaseTests, commit, stop)?.record;
        let path = format!("the check {}", check.name);
        let forgiven = check.baseline == Baseline::Accepted && comparison::is_forgiven(&now, Some(&before));
        if !comparison::is_green(&now) && !forgiven {
            return Ok(vec![Finding { path, what: said(&now) }]);
        }
        let mut lost = self.lost_tests(check, base, &before, &now)?;
        lost.extend(comparison::newly_rewritten(&before, &now).into_iter().map(|path| {
            let what = format!("the check {} rewrites this file while the base's tests run", check.name);
            Finding { path, what }
        }));
        Ok(lost)
    }
}

/// The tests by name, where they have one.
fn said(now: &RunRecord) -> String {
    let names: Vec<&str> = now.failed().take(NAMED_MAX).collect();
    let more = if now.failed().count() > NAMED_MAX { ", …" } else { "" };
    if names.is_empty() {
        return "fails on the candidate's code with the base's own tests".to_owned();
    }
    format!("the base's own tests fail on the candidate's code: {}{more}", names.join(", "))
}
