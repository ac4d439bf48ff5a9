//! Tests that run once more: new ones on the base's code, and with the change in the same place; those that were red on
//! the base, alone.
//!
//! These runs only ask about some tests. Where the runner can be told which, it runs those, and the whole check only
//! where that does not settle the question: a claim is to cost little more than its checks.

use gulf_agents::reports::{Completeness, Counts, TestId, TestOutcome, TestReport};
use gulf_agents::selection::{self, select};
use gulf_agents::sources::{
    Edit, Graft, Location, NewTest, ProbeRun, ProbeVerdict, Proof, Unclear, judge_probe, stubs,
};
use gulf_engine::{Expectation, Finding, Overlay};
use gulf_host::git::{CommitId, TreeEdit, TreePath};
use gulf_spec::text::listed;

use super::{AskedTree, CandidateEvidence, finding_of, is_of_tests, short};
use crate::agreement::SealedCheck;
use crate::checks::{Ran, RunEnd, RunPurpose, RunRecord};
use crate::comparison;
use crate::error::{Failure, Result};
use crate::snapshot::stamp;

/// What may have to be built first is waited for so much longer.
pub(super) const BUILD_MS: u64 = 30_000;
/// A program that is not there, or is none, says nothing of the work.
const NOT_RUN: [i32; 2] = [126, 127];
/// What ran in that place before.
pub(super) const ONCE_MORE_MS: u64 = 8_000;

/// The candidate's tests on the base's code, as a commit, and what is compared with it.
struct Grafted {
    commit: CommitId,
    report: TestReport,
    /// So long it took with the work.
    duration_ms: u64,
    /// Of the base with its own tests.
    base_report: Option<TestReport>,
    baseline: Option<RunRecord>,
}

/// What the new tests of one check say of the base's code.
enum Shown {
    /// By which tests.
    Red(Vec<String>),
    /// Why not.
    Not(String),
    /// Where the runner was asked for some tests, this settles nothing: the whole check may.
    Unsettled(String),
}

/// How much of a check runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Selected,
    Whole,
}

impl CandidateEvidence<'_> {
    /// What could still show that the checks tell the work from no work: a new test on the base's code, or, where everything
    /// is to stay green, errors in the changed lines.
    pub(crate) fn overlay(&self) -> Result<Overlay> {
        let shown = self.new_tests()?;
        let is_open = matches!(shown, Overlay::NotShown { .. });
        let stays_green = self.resources.agreement.policy.expectation == Expectation::StayGreen;
        if is_open && stays_green { self.mutants() } else { Ok(shown) }
    }

    /// Runs the candidate's tests on the base's code: a new test that can tell the work from no work is red there.
    fn new_tests(&self) -> Result<Overlay> {
        if !self.difference.graft.has_new_text() {
            return Ok(Overlay::NotShown { why: "the change has no new test".to_owned() });
        }
        let message = "gulf: the candidate's tests on the base's code\n";
        let commit = self.commit_with(&self.grafted()?, AskedTree::Base, message)?;
        let mut unclear = Vec::new();
        // A check in place runs on the worktree, whatever commit is meant; one that is held out runs tests of its own.
        for check in self.open_checks() {
            let Some((report, duration_ms)) = self.report_of(check, self.candidate.tree.as_str())? else {
                continue;
            };
            let base_report = self.report_of(check, self.base.tree.as_str())?.map(|(report, _)| report);
            let baseline = self.resources.baseline(check, self.base)?;
            let grafted = Grafted { commit: commit.clone(), report, duration_ms, base_report, baseline };
            match self.shown(check, &grafted)? {
                Shown::Red(by) => return Ok(Overlay::Red { by }),
                Shown::Not(why) | Shown::Unsettled(why) => unclear.push(why),
            }
        }
        unclear.dedup();
        if unclear.is_empty() {
            return self.nameless(&commit);
        }
        Ok(Overlay::NotShown { why: unclear.join("; ") })
    }

    /// What gives the base the candidate's tests, and what runs them beside the old ones.
    pub(super) fn grafted(&self) -> Result<Vec<(TreePath, TreeEdit)>> {
        let grown = self.difference.files.iter().filter(|(path, _)| self.is_grown(path));
        let grown = grown.map(|(path, file)| Edit { path: path.clone(), bytes: file.candidate.clone() });
        let edits: Vec<_> = grown.chain(self.difference.graft.edits.iter().cloned()).collect();
        self.taken(&edits, AskedTree::Candidate)
    }

    /// Where no check names its tests: one that passes on the base fails there with the new tests, and passes with the work,
    /// which said something of its own where these tests asked something else. Nobody can tell which of them proves it.
    fn nameless(&self, commit: &CommitId) -> Result<Overlay> {
        let words = self.fold.state.unit.words.get(&self.candidate.tree);
        let compared = words.and_then(|words| words.integrity.as_ref());
        let says_more = compared.and_then(|one| one.elsewhere.as_ref()).is_some_and(|runs| runs.is_new);
        if !says_more {
            return Ok(Overlay::NotShown {
                why: "no check names its tests, and other inputs get no new answer".to_owned(),
            });
        }
        let mut why = "no check names its tests";
        for (check, before, now) in self.open_runs()? {
            if !before.is_green() || !now.is_green() {
                continue;
            }
            let hurried = hurried(check, now.duration_ms, BUILD_MS);
            let end = |purpose, commit| Ok::<_, Failure>(self.run(&hurried, purpose, commit)?.record.end);
            why = match end(RunPurpose::NewTests, commit)? {
                RunEnd::Exited { code: 0 } => "the checks pass on the code as it was, too",
                RunEnd::Exited { code } if !NOT_RUN.contains(&code) => {
                    let passes = |ran: &Ran| ran.record.is_green();
                    if end(RunPurpose::CounterTest, &self.candidate.commit)? != (RunEnd::Exited { code: 0 }) {
                        "the checks fail there with the change, too"
                    } else if self.passes_on_stubs(&hurried, now.duration_ms, &passes)? {
                        "the checks also pass on a stub of the work"
                    } else {
                        let edits = self.difference.graft.edits.iter().filter(|edit| edit.bytes.is_some());
                        let paths = edits.map(|edit| edit.path.clone());
                        return Ok(Overlay::Red { by: paths.filter(|path| is_of_tests(path)).collect() });
                    }
                }
                RunEnd::Exited { .. } | RunEnd::Signalled { .. } | RunEnd::NotStarted { .. } => continue,
                RunEnd::TimedOut { .. } | RunEnd::TooMuchOutput => continue,
            };
        }
        Ok(Overlay::NotShown { why: why.to_owned() })
    }

    /// The new tests alone, and the whole check where they alone settle nothing: because they can't be read, or because
    /// others have no name in the source.
    fn shown(&self, check: &SealedCheck, grafted: &Grafted) -> Result<Shown> {
        if let Some(check) = self.selected(check, &selection::names_of_new(&self.difference.graft.new_tests))
        {
            let shown = self.shown_by(&check, grafted, Scope::Selected)?;
            let is_settled = match &shown {
                Shown::Red(_) => true,
                Shown::Not(_) => !self.difference.graft.has_unnamed_text(),
                Shown::Unsettled(_) => false,
            };
            if is_settled {
                return Ok(shown);
            }
        }
        self.shown_by(check, grafted, Scope::Whole)
    }

    fn shown_by(&self, check: &SealedCheck, grafted: &Grafted, scope: Scope) -> Result<Shown> {
        let check = &hurried(check, grafted.duration_ms, BUILD_MS);
        let ran = self.run(check, RunPurpose::NewTests, &grafted.commit)?;
        if let (RunEnd::TimedOut { .. }, Some(_)) = (&ran.record.end, &grafted.base_report) {
            return self.without_end(check, grafted, scope);
        }
        let probe = ProbeRun {
            directory: check.directory.as_str(),
            output: &ran.output,
            report: &ran.report,
            candidate: &grafted.report,
            base: grafted.base_report.as_ref(),
        };
        match judge_probe(&self.difference.graft, &probe) {
            // Whatever was printed: what passes is no failure.
            ProbeVerdict::Red { .. } if ran.record.is_green() => {
                Ok(Shown::Unsettled("the check passes there all the same".to_owned()))
            }
            ProbeVerdict::Red { by } => {
                let names: Vec<String> = by.iter().map(proof).collect();
                let counter = self.run(check, RunPurpose::CounterTest, &self.candidate.commit)?;
                let is_due = self.is_due_to_change(&by, &counter, grafted, scope);
                let passes = |ran: &Ran| {
                    self.is_due_to_change(&by, ran, grafted, scope) && saw(&by, ran, &self.difference.graft)
                };
                if is_due && self.passes_on_stubs(check, grafted.duration_ms, &passes)? {
                    let tests: Vec<String> = by.iter().map(place).collect();
                    let why =
                        format!("the new tests ({}) also pass on a stub of the work", listed(&tests, 3));
                    return Ok(Shown::Not(why));
                }
                if is_due {
                    return Ok(Shown::Red(names));
                }
                Ok(Shown::Unsettled(format!("{} fail there with the change, too", listed(&names, 3))))
            }
            ProbeVerdict::Passes { tests } => {
                let names: Vec<&str> = tests.iter().map(TestId::as_str).collect();
                Ok(Shown::Not(format!("{} pass on the code as it was, too", listed(&names, 3))))
            }
            ProbeVerdict::Inconclusive { why } => {
                let is_unread = matches!(why, Unclear::NotSeen | Unclear::NotPassedOnCandidate);
                let shown = if is_unread { Shown::Unsettled } else { Shown::Not };
                Ok(shown(describe(&why)))
            }
        }
    }

    /// The counter-test: in the same room, at a later time, with the change. A test that looks at where it runs, that
    /// fails now and then, or that was right only once, fails here too. Of a selection every test must have been seen.
    fn is_due_to_change(&self, by: &[Proof], counter: &Ran, grafted: &Grafted, scope: Scope) -> bool {
        let passes = comparison::is_due_to_change(by, &counter.record, grafted.baseline.as_ref());
        passes && (scope == Scope::Whole || saw(by, counter, &self.difference.graft))
    }

    /// Do these tests pass where every function that the work added or changed is a stub? Then they see a name, a mock or a
    /// text, and not the work.
    fn passes_on_stubs(
        &self,
        check: &SealedCheck,
        duration_ms: u64,
        passes: &dyn Fn(&Ran) -> bool,
    ) -> Result<bool> {
        /// One that fails and one that does nothing: more ask the same.
        const STUBS_MAX: usize = 2;
        /// A check that takes longer is not run for each of them, once it has noticed one.
        const DURATION_MS_MAX: u64 = 60_000;
        let is_short = duration_ms <= DURATION_MS_MAX;
        let (mut passed, mut is_open) = (0, true);
        let mut stubs = stubs(&self.difference.files, &self.difference.new_test_text());
        // Tests that notice a function which does nothing notice one that fails.
        stubs.sort_by_key(|stub| is_short && !stub.tells_alone);
        for stub in stubs {
            let is_asked = is_open || stub.tells_alone && is_short;
            if !is_asked {
                continue;
            }
            let changes = self.taken(&stub.edits, AskedTree::Candidate)?;
            let message = "gulf: the candidate's tests on stubs of its work\n";
            let commit = self.commit_with(&changes, AskedTree::Candidate, message)?;
            let ran = self.run(check, RunPurpose::Mutant, &commit)?;
            if passes(&ran) {
                passed += 1;
                if stub.tells_alone || passed == STUBS_MAX {
                    return Ok(true);
                }
            } else if !stub.may_not_build || !ran.record.tests.is_empty() {
                is_open = false;
            }
        }
        Ok(is_open && passed > 0)
    }

    /// What the work mends may hang: its new tests then have no end without it.
    fn without_end(&self, check: &SealedCheck, grafted: &Grafted, scope: Scope) -> Result<Shown> {
        let run = |purpose, commit| self.run(check, purpose, commit);
        let place = |test: &NewTest| Location { path: test.path.clone(), line: None, missing: None };
        let by: Vec<Proof> = self.difference.graft.new_tests.iter().map(place).map(Proof::Place).collect();
        let counter = run(RunPurpose::CounterTest, &self.candidate.commit)?;
        // A build that was still under way is done by now; what hangs hangs again.
        let is_due = !by.is_empty()
            && self.is_due_to_change(&by, &counter, grafted, scope)
            && matches!(run(RunPurpose::NewTests, &grafted.commit)?.record.end, RunEnd::TimedOut { .. });
        let names = listed(&selection::names_of_new(&self.difference.graft.new_tests), 3);
        Ok(match is_due {
            true => Shown::Red(vec![format!("{names}: no end without the change")]),
            false => Shown::Unsettled("the new tests come to no end there".to_owned()),
        })
    }

    /// The check with a command that runs these tests, where its runner can be told which.
    pub(super) fn selected(&self, check: &SealedCheck, names: &[String]) -> Option<SealedCheck> {
        let selection = select(&check.command, &self.texts.commands(check), names)?;
        let mut check = SealedCheck { command: selection.command, ..check.clone() };
        for (name, words) in selection.environment {
            let before = check.environment.get(name).map(String::as_str);
            let before = before.or_else(|| self.resources.environment.value(name));
            let value = before.map_or_else(|| words.clone(), |before| format!("{before} {words}"));
            check.environment.insert(name.to_owned(), value);
        }
        Some(check)
    }

    /// Whole files as they stand in a tree of their own, executable or not; the rest by its bytes.
    pub(super) fn taken(&self, edits: &[Edit], from: AskedTree) -> Result<Vec<(TreePath, TreeEdit)>> {
        let change = |Edit { path, bytes }: &Edit| {
            let whole = self.difference.files.get(path).and_then(|file| from.side(file));
            let edit = match bytes {
                None => TreeEdit::Remove,
                Some(bytes) if whole == Some(bytes) => TreeEdit::Take(self.tree_and_commit(from).0.clone()),
                Some(bytes) => return self.put(path, bytes.clone()),
            };
            Ok((TreePath::try_from(path.as_str())?, edit))
        };
        edits.iter().map(change).collect()
    }

    /// A tree and its commit with these files in place of its own; that very commit where they are its own.
    pub(super) fn commit_with(
        &self,
        changes: &[(TreePath, TreeEdit)],
        on: AskedTree,
        message: &str,
    ) -> Result<CommitId> {
        let (before, parent) = self.tree_and_commit(on);
        let tree = self.resources.repository.write_tree_with(before, changes)?;
        if tree == *before {
            return Ok(parent.clone());
        }
        Ok(self.resources.repository.commit(&tree, &[parent], message, stamp(self.fold.started_at_ms))?)
    }

    /// What the check said of this tree, if it names its tests, and how long that took.
    fn report_of(&self, check: &SealedCheck, tree: &str) -> Result<Option<(TestReport, u64)>> {
        let Some(record) = self.resources.record(check, tree)? else { return Ok(None) };
        let complete = record.readable;
        if complete == Completeness::None {
            return Ok(None);
        }
        let tests = record.tests.iter().map(|(id, word)| (TestId::new(id.as_str()), *word)).collect();
        let failed = u64::try_from(record.failed().count()).unwrap_or(u64::MAX);
        let passed = record.ran.unwrap_or(failed).saturating_sub(failed);
        // Of a record of an earlier gulf nobody knows how many were skipped.
        let counts = Counts { passed, failed, skipped: record.skipped.unwrap_or(u64::MAX) };
        Ok(Some((TestReport { tests, complete, counts, ..TestReport::default() }, record.duration_ms)))
    }

    /// A check that was red on the base while the worker worked beside it, and is not when it runs alone: something
    /// else than the missing work made it red, be it a port in use or a signal of the worker's.
    ///
    /// Its red tests alone can only clear it: whether they fail for want of the others, the whole check tells.
    pub(super) fn passing_red(&self, check: &SealedCheck) -> Result<Option<Finding>> {
        if check.held_out.is_some() {
            // That never ran beside a worker.
            return Ok(None);
        }
        let record = self.resources.record(check, self.base.tree.as_str())?;
        let Some(first) = record.filter(|record| !record.is_green()) else { return Ok(None) };
        let commit = &self.base.commit;
        let failed: Vec<String> = first.failed().map(str::to_owned).collect();
        if let Some(few) = self.selected(check, &failed) {
            let alone = self.run(&few, RunPurpose::BaseAgain, commit)?.record;
            if failed.iter().all(|id| alone.tests.get(id) == Some(&TestOutcome::Failed)) {
                return Ok(None);
            }
        }
        let alone = self.run(check, RunPurpose::BaseAgain, commit)?.record;
        let what =
            "was red on the base at first and passes there when it runs alone, so its red proves nothing";
        Ok(comparison::is_passing_red(&first, &alone, check.baseline).then(|| finding_of(check, what)))
    }
}

/// What takes so much longer than with the work hangs: nobody waits for that as long as for the check itself.
pub(super) fn hurried(check: &SealedCheck, duration_ms: u64, start_ms: u64) -> SealedCheck {
    const TIMES: u64 = 4;
    let wall_ms = duration_ms.saturating_mul(TIMES).saturating_add(start_ms);
    let timeout_ms = if duration_ms == 0 { check.timeout_ms } else { check.timeout_ms.min(wall_ms) };
    SealedCheck { timeout_ms, ..check.clone() }
}

/// Did these tests run? A runner that names failures only says how many did.
fn saw(by: &[Proof], ran: &Ran, graft: &Graft) -> bool {
    let counted = ran.record.ran.is_some_and(|count| {
        ran.record.readable == Completeness::FailuresOnly
            && count >= u64::try_from(by.len()).unwrap_or(u64::MAX)
    });
    counted
        || by.iter().all(|proof| match proof {
            Proof::Test(id) => ran.record.tests.contains_key(id.as_str()),
            Proof::Place(_) => {
                let mut tests = ran.report.tests.iter();
                tests.any(|(id, outcome)| *outcome == TestOutcome::Passed && graft.has_result(id))
            }
        })
}

fn proof(proof: &Proof) -> String {
    match proof {
        Proof::Test(id) => id.to_string(),
        Proof::Place(place) if is_built(place) => format!("{} does not build without the change", at(place)),
        Proof::Place(place) => format!("{} does not run without the change", at(place)),
    }
}

/// Which test, or where.
fn place(proof: &Proof) -> String {
    match proof {
        Proof::Test(id) => id.to_string(),
        Proof::Place(place) => at(place),
    }
}

fn describe(why: &Unclear) -> String {
    match why {
        Unclear::NoNewTest => "the change has no new test".to_owned(),
        Unclear::NotSeen => "no new test was seen to fail on the code as it was".to_owned(),
        Unclear::NotPassedOnCandidate => "the new test is not seen to pass with the change".to_owned(),
        Unclear::ErrorElsewhere { at } => {
            format!("the code as it was does not build with the new tests, at {}", self::at(at))
        }
        Unclear::ErrorWithoutPlace { said } => {
            format!("the code as it was does not build with the new tests: {}", short(said))
        }
    }
}

fn is_built(place: &Location) -> bool {
    [".rs", ".go", ".java"].iter().any(|end| place.path.ends_with(end))
}

fn at(place: &Location) -> String {
    place.line.map_or_else(|| place.path.clone(), |line| format!("{}:{line}", place.path))
}
