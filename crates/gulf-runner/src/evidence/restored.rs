//! The base's own tests on the candidate's code: what a change of tests could hide, they say (SPEC B3).
//!
//! Where they pass, a test that was moved, rewritten or got another name hides nothing; where they fail, whatever the
//! candidate's tests say, the work is not what the base asks for.

use std::collections::BTreeSet;

use gulf_agents::sources::{
    ChangeKind, Edit, file_of, is_grown_script, is_runner_configuration, is_test_path, names_file,
    reaches_old_tests, restored,
};
use gulf_engine::{Baseline, Finding, Integrity};
use gulf_host::git::CommitId;
use gulf_spec::environment::Selection;

use super::compared::lost_tests;
use super::{AskedTree, CandidateEvidence, changed_tests, finding_at, finding_of, short};
use crate::agreement::SealedCheck;
use crate::checks::{RunPurpose, RunRecord};
use crate::error::Result;

/// Words in the names of what checks.
pub(super) const CHECKING: [&str; 6] = ["check", "test", "verify", "expect", "spec", "assert"];

impl CandidateEvidence<'_> {
    /// Of these changes of tests, those that hide nothing, and those that stand with what the base's tests say against
    /// the candidate. What a person lets change is nobody's finding.
    pub(super) fn base_tests(
        &self,
        (of_tests, is_any_lost, decided): (Vec<Finding>, bool, &[Finding]),
    ) -> Result<Integrity> {
        let is_setting = |path: &str| is_runner_configuration(path) && !is_test_path(path);
        let may_change = |path: &str| self.may_change(path);
        let strays = self.strays();
        let mut edits = self.edits_without(&strays);
        edits.retain(|edit| !self.difference.same_makefiles.contains(&edit.path));
        let changed = edits.len();
        edits.retain(|edit| !may_change(&edit.path));
        // What a person lets change may take tests with it.
        let is_all_the_bases = edits.len() == changed;
        let paths: BTreeSet<String> = edits.iter().map(|edit| edit.path.clone()).collect();
        let reaches =
            |path: &String| strays.contains(path) || reaches_old_tests(path, &self.difference.files[path]);
        // What is gone or skipped may stand somewhere else; whether it would pass, only the base's own can say.
        let mut gone = changed_tests(&self.difference).filter(|(kind, _)| *kind != ChangeKind::Changed);
        let is_open = |edit: &Edit| !paths.contains(&edit.path) && !may_change(&edit.path);
        edits.extend(self.scripts_of_base(decided).filter(is_open));
        let is_of_use = is_any_lost
            || edits.len() > paths.len()
            || !of_tests.iter().all(|finding| may_change(&finding.path))
            || paths.iter().any(reaches)
            || gone.any(|(_, finding)| !may_change(&finding.path));
        // With the very tests and settings of the base, only the product can have made a test skip or go.
        let base_tests_fail = is_any_lost && changed == 0;
        let (mut word, mut runs) = (Integrity { base_tests_fail, ..Integrity::default() }, false);
        if !edits.is_empty() && is_of_use {
            let commit = self.with_base_tests(&edits)?;
            for check in self.checkout_checks() {
                runs = true;
                let (fails, against) = self.against(check, &commit)?;
                word.base_tests_fail |= fails || (is_all_the_bases && !against.is_empty());
                word.findings.extend(against);
            }
        }
        // What could not be read is not what the base has.
        let is_old = |edit: &&Edit| edit.bytes.is_some() || paths.contains(&edit.path);
        let tried: BTreeSet<&str> = edits.iter().filter(is_old).map(|edit| edit.path.as_str()).collect();
        let is_tried = |path: &str| tried.contains(path) && (self.is_grown(path) || !is_setting(path));
        let stays = |path: &str| {
            (self.difference.files.contains_key(path) && !is_tried(path))
                || self.difference.unread.iter().any(|unread| unread == path)
        };
        let passes = runs && word.findings.is_empty();
        for Finding { path, what } in of_tests.into_iter().chain(decided.iter().cloned()) {
            if may_change(&path) {
                word.cleared.push(Finding { path, what: format!("{what}, as was agreed") });
            } else if passes && !stays(&path) {
                word.cleared.push(Finding { path, what: format!("{what}, and the base's own pass") });
            } else {
                // Of a manifest that says which libraries the code needs, the base's own cannot be tried.
                word.person_only |= is_setting(&path) && !paths.contains(&path);
                word.findings.push(Finding { path, what });
            }
        }
        Ok(word)
    }

    /// Does a person let it change? A setting decides what later work is checked by: that is let change by no name of a test.
    pub(super) fn may_change(&self, path: &str) -> bool {
        let patterns = self.resources.agreement.verification.tests_may_change.iter().map(String::as_str);
        let is_setting = is_runner_configuration(path) && !is_test_path(path);
        // What is no pattern was refused before the start.
        !is_setting && Selection::new(patterns).is_ok_and(|agreed| agreed.selects(path))
    }

    /// Does this script of a check ask all that the base's asks?
    pub(super) fn is_grown(&self, path: &str) -> bool {
        let files = &self.difference.files;
        let name_of = |path: &str| file_of(path).split('.').next().unwrap_or_default().to_owned();
        let is_old = |name: &str| self.texts.paths().any(|path| name_of(path) == name);
        let new = files.iter().filter(|(_, file)| file.base.is_none()).map(|(path, _)| path);
        let is_new = |word: &str| match files.get(word) {
            Some(file) => file.base.is_none(),
            None => new.clone().any(|path| name_of(path) == word) && !is_old(word),
        };
        files.get(path).is_some_and(|file| is_grown_script(file, &is_new, &is_old))
    }

    /// What decides what a check does, as the base has it; not what the goal names as the work.
    pub(super) fn scripts_of_base(&self, decided: &[Finding]) -> impl Iterator<Item = Edit> {
        let is_work = |path: &str| {
            let name = file_of(path);
            names_file(&self.resources.agreement.goal, path)
                && !CHECKING.iter().any(|word| name.contains(word))
        };
        decided.iter().filter(move |finding| !is_work(&finding.path)).filter_map(move |finding| {
            let file = self.difference.files.get(&finding.path)?;
            Some(Edit { path: finding.path.clone(), bytes: file.base.clone() })
        })
    }

    /// What gives the candidate the base's tests back, and takes the strays from it.
    pub(super) fn edits_without(&self, strays: &BTreeSet<String>) -> Vec<Edit> {
        let files = &self.difference.files;
        let mut edits = restored(files, &self.difference.support.union(strays).cloned().collect());
        let base = |path: &str| Edit { path: path.to_owned(), bytes: files[path].base.clone() };
        edits.extend(self.difference.programs_no_more().map(base));
        edits
    }

    pub(super) fn with_base_tests(&self, edits: &[Edit]) -> Result<CommitId> {
        let message = "gulf: the base's tests on the candidate's code\n";
        self.commit_with(&self.taken(edits, AskedTree::Base)?, AskedTree::Candidate, message)
    }

    /// Whether the base's tests fail, and what one check says against the candidate with them in place of its own.
    pub(super) fn against(&self, check: &SealedCheck, commit: &CommitId) -> Result<(bool, Vec<Finding>)> {
        let Some(before) = self.resources.record(check, self.base.tree.as_str())? else {
            let what = "the record of its run on the base is missing, so the base's tests clear nothing";
            return Ok((false, vec![finding_of(check, what)]));
        };
        let now = self.run(check, RunPurpose::BaseTests, commit)?.record;
        // A baseline forgives what fails by the candidate's own tests, too, and not what they make pass or leave out.
        let own = self.resources.record(check, self.candidate.tree.as_str())?;
        let forgiven = check.baseline == Baseline::Accepted
            && now.is_forgiven(Some(&before))
            && now.is_forgiven(own.as_ref());
        if !now.is_green() && !forgiven {
            return Ok((true, vec![finding_of(check, describe_failure(&now, check))]));
        }
        let mut lost = lost_tests(check, self.lost(&before, &now));
        let what = format!("the check {} rewrites this file while the base's tests run", check.name);
        let rewritten = self.newly_rewritten(&before, &now)?.into_iter();
        lost.extend(rewritten.map(|path| finding_at(path, what.as_str())));
        Ok((false, lost))
    }
}

/// The tests by name, where they have one.
fn describe_failure(now: &RunRecord, check: &SealedCheck) -> String {
    match now.failed().filter(|_| check.held_out.is_none()).collect::<Vec<_>>().join(", ").as_str() {
        "" => "fails on the candidate's code with the base's own tests".to_owned(),
        names => format!("the base's own tests fail on the candidate's code: {}", short(names)),
    }
}
