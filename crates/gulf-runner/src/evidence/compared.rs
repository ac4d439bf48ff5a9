//! A check's runs on the base and on the candidate, side by side: what is gone, and what others took up.

use std::collections::BTreeSet;

use gulf_agents::reports::{Completeness, TestId, TestOutcome};
use gulf_agents::sources::{NewTest, is_test_path, new_tests};
use gulf_engine::Finding;
use gulf_host::git::TreePath;

use super::{CandidateEvidence, finding_of, short};
use crate::agreement::{Place, SealedCheck};
use crate::checks::RunRecord;
use crate::comparison;
use crate::error::Result;

/// A test that is gone, where it has a name, and what happened.
type LostTest = (Option<String>, String);

/// A check's runs on the base and on the candidate.
#[derive(Default)]
pub(super) struct Compared {
    /// No fewer tests ran, where they are counted.
    pub(super) as_many: Option<bool>,
    /// Tests that are gone.
    pub(super) lost: Vec<Finding>,
    /// Others have taken their place: as many ran, or they ask all that those asked.
    pub(super) is_made_up: bool,
    /// What nothing excuses.
    pub(super) untrue: Vec<Finding>,
    /// It passes over tests that fail, or writes to tests while it runs: no judge clears that.
    pub(super) person_only: bool,
}

impl CandidateEvidence<'_> {
    /// What the records of a check's runs say together. A record that should be there and is not is no good news: nobody
    /// can tell any more what was lost.
    pub(super) fn compared_runs(&self, check: &SealedCheck) -> Result<Compared> {
        let mut compared = Compared::default();
        if check.place == Place::Project {
            // It has no word about the base, and what it ran on is no commit.
            return Ok(compared);
        }
        let Some((before, now)) = self.both_runs(check)? else {
            let what = "the record of its run is missing, so its tests cannot be compared";
            compared.untrue.push(finding_of(check, what));
            return Ok(compared);
        };
        let passed_over = comparison::passed_over(&before, &now);
        if !passed_over.is_empty() {
            compared.person_only = true;
            let names = if check.held_out.is_some() { String::new() } else { passed_over.join(", ") };
            let what = format!("exits with 0, and its tests fail: {}", short(&names));
            compared.untrue.push(finding_of(check, what));
        }
        compared.as_many = comparison::are_as_many(&before, &now);
        let lost = self.lost(&before, &now);
        compared.is_made_up = compared.as_many == Some(true) || self.are_merged(&lost, &before, &now);
        compared.lost = lost_tests(check, lost);
        compared.untrue.extend(self.unseen(check, &before, &now));
        let what = format!("the check {} rewrites this file while it runs", check.name);
        let rewritten = self.newly_rewritten(&before, &now)?;
        compared.person_only |= rewritten.iter().any(|path| is_test_path(path));
        compared.untrue.extend(rewritten.into_iter().map(|path| Finding { path, what: what.clone() }));
        compared.untrue.extend(self.unheard(&before, &now)?);
        Ok(compared)
    }

    /// What a build left before the loop, in no commit and not ignored, the next build makes anew.
    pub(super) fn newly_rewritten(&self, before: &RunRecord, now: &RunRecord) -> Result<Vec<String>> {
        const LOOKED_AT_BYTES_MAX: u64 = 64 << 20;
        let (agreement, repository) = (&self.resources.agreement, &self.resources.repository);
        let mut rewritten = comparison::newly_rewritten(before, now);
        let is_named = |path: &str| agreement.checks.iter().any(|check| check.command.contains(path));
        let may_be_built =
            |path: &String| agreement.dirty_paths.contains(path) && !is_test_path(path) && !is_named(path);
        if !rewritten.iter().any(may_be_built) {
            return Ok(rewritten);
        }
        let committed = repository.list(&agreement.start_tree(repository)?)?;
        let is_program = |path: &TreePath| {
            let bytes = repository.read_file(&self.base.tree, path, LOOKED_AT_BYTES_MAX);
            bytes.is_ok_and(|bytes| bytes.is_some_and(|bytes| bytes.contains(&0)))
        };
        rewritten.retain(|path| {
            let at = TreePath::try_from(path.as_str());
            let is_new = |at: &TreePath| committed.iter().all(|entry| entry.path != *at);
            !(may_be_built(path) && at.is_ok_and(|at| is_new(&at) && is_program(&at)))
        });
        Ok(rewritten)
    }

    /// The inventory of tests may only grow.
    pub(super) fn lost(&self, before: &RunRecord, now: &RunRecord) -> Vec<LostTest> {
        let is_file = |id: &str| self.texts.paths().any(|path| comparison::is_name_of_file(id, path));
        let mut lost = comparison::lost_tests(before, now, is_file);
        lost.retain(|(id, _)| !id.as_ref().is_some_and(|id| self.may_go(id, before)));
        lost
    }

    /// Did this test pass on the base, in a file that a person lets change? What failed there is what is asked for.
    fn may_go(&self, id: &str, before: &RunRecord) -> bool {
        let has_passed = before.tests.get(id) == Some(&TestOutcome::Passed);
        let id = &TestId::new(id);
        let has =
            |path: &str, base: &[u8]| new_tests(path, None, base).iter().any(|test| test.has_result(id));
        let mut files = self.difference.files.iter().filter(|(path, _)| self.may_change(path));
        has_passed && files.any(|(path, file)| file.base.as_ref().is_some_and(|base| has(path, base)))
    }

    /// New tests that are skipped, unless they say that they are for another machine.
    fn unseen(&self, check: &SealedCheck, before: &RunRecord, now: &RunRecord) -> Vec<Finding> {
        let says_so = |test: &NewTest| {
            let Some(file) = self.difference.files.get(&test.path) else { return false };
            let [_, text] = file.texts();
            (1..).zip(text.lines()).any(|(at, line)| test.lines.contains(at) && asks_for_machine(line))
        };
        let is_doubted = |id: &&str| {
            let id = TestId::new(*id);
            let mut tests =
                self.difference.graft.new_tests.iter().filter(|test| test.has_result(&id)).peekable();
            check.held_out.is_none() && tests.peek().is_some() && !tests.any(says_so)
        };
        let mut skipped = comparison::newly_skipped(before, now);
        skipped.retain(is_doubted);
        let what = "is new, and is skipped or expected to fail here: nobody saw it pass".to_owned();
        lost_tests(check, skipped.into_iter().map(|id| (Some(id.to_owned()), what.clone())).collect())
    }

    /// Files whose tests did not run on the base, because they did not load or the check ended before, and none of whose tests
    /// runs now although nothing in them skips any. A file that now stands for itself alone runs none.
    fn unheard(&self, before: &RunRecord, now: &RunRecord) -> Result<Vec<Finding>> {
        if now.readable != Completeness::Every {
            return Ok(Vec::new());
        }
        let files_in = |run: &RunRecord| -> Vec<String> {
            run.tests.keys().filter(|id| is_test_path(id)).cloned().collect()
        };
        let (then_alone, now_alone) = (files_in(before), files_in(now));
        let is_in =
            |files: &[String], path: &str| files.iter().any(|id| comparison::is_name_of_file(id, path));
        let stands_alone = |path: &str| is_in(&now_alone, path) && !is_in(&then_alone, path);
        let ended_early = before.tests.is_empty() && !now.tests.is_empty();
        let is_asked = |path: &str| {
            !self.difference.files.contains_key(path)
                && (before.fails_as_whole(path) || stands_alone(path) || (ended_early && is_test_path(path)))
        };
        let mut heard_in = BTreeSet::new();
        let mut unheard = Vec::new();
        for (path, source) in self.sources(is_asked)? {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            let tests = new_tests(&path, None, &source);
            let says_skip = String::from_utf8_lossy(&source).to_lowercase().contains("skip");
            let has_run = |(id, word): (&String, &TestOutcome)| {
                *word != TestOutcome::Skipped && tests.iter().any(|test| test.has_result(&TestId::new(id)))
            };
            if now.tests.iter().any(has_run) && !stands_alone(&path) {
                heard_in.insert(folder);
            } else if !tests.is_empty() && !says_skip {
                unheard.push((path, folder));
            }
        }
        // Where the check ended before its tests, it runs those of a folder of which it runs some.
        let counts = |(path, folder): &(String, String)| {
            before.fails_as_whole(path) || stands_alone(path) || heard_in.contains(folder)
        };
        let what = "did not run on the base, and none of its tests runs now".to_owned();
        let findings = unheard.into_iter().filter(counts);
        Ok(findings.map(|(path, _)| Finding { path, what: what.clone() }).collect())
    }

    /// Are these among the tests whose questions others ask now?
    fn are_merged(&self, lost: &[LostTest], before: &RunRecord, now: &RunRecord) -> bool {
        let is_merged = |id: &str| {
            let id = TestId::new(id);
            !now.tests.contains_key(id.as_str()) && self.merged.iter().any(|test| test.has_result(&id))
        };
        // Where they have no names, there are no more of them.
        let fewer =
            before.ran.zip(now.ran).and_then(|(before, now)| usize::try_from(before - now.min(before)).ok());
        !self.merged.is_empty()
            && lost.iter().all(|(id, _)| match id {
                Some(id) => is_merged(id),
                None => fewer.is_some_and(|fewer| fewer <= self.merged.len()),
            })
    }
}

/// Does this line look at the system, or for a program: `skipif(sys.platform != "win32")`?
fn asks_for_machine(line: &str) -> bool {
    const ASKED: [&str; 9] =
        ["platform", "GOOS", "GOARCH", "os.name", "target_", "(windows", "(unix", "LookPath(", "which("];
    ASKED.iter().any(|word| line.contains(word))
}

/// Each as a finding. What is held out has no names.
pub(super) fn lost_tests(check: &SealedCheck, lost: Vec<LostTest>) -> Vec<Finding> {
    if check.held_out.is_some() && !lost.is_empty() {
        return vec![finding_of(check, "not every test that ran on the base ran again")];
    }
    let path =
        |id: Option<String>| id.map_or_else(|| check.name.to_string(), |id| format!("{id} ({})", check.name));
    lost.into_iter().map(|(id, what)| Finding { path: path(id), what }).collect()
}
