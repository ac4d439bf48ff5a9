//! The sealed checks: one command, one tree, one word.

mod reading;
mod variables;

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use camino::Utf8Path;
use gulf_agents::coverage::UnrunLines;
use gulf_agents::measure::Measured;
use gulf_agents::reports::{Completeness, TestOutcome, TestReport};
use gulf_engine::{
    Base, Baseline, CheckName, CheckRun, CheckVerdict, Digest, EffectKey, Hindrance, TestCounts,
};
use gulf_host::files::{self, Durability};
use gulf_host::git::{CommitId, TreePath};
use gulf_host::isolation::Bubblewrap;
use gulf_host::process::{Ending, ProcessOutcome, Program};
use gulf_spec::quantity::print_duration;
use gulf_spec::text::listed;
use serde::{Deserialize, Serialize};

use crate::agreement::{Place, SealedCheck, SetupBy, engine_digest};
use crate::book::Fold;
use crate::error::{Failure, Result, RunError};
use crate::measuring::EarlierReports;
use crate::readiness::named_error;
use crate::resources::Resources;
use crate::room::CheckCheckout;
use crate::stop::Stop;
use crate::texts::AUTOCHECKS;
use crate::{held_out, isolation, program, records};

const WHAT: &str = "a check's record";
/// So many failing tests are named in a line.
const FAILED_NAMED_MAX: usize = 3;
/// So many are listed in the journal, each cut to so many characters.
const FAILED_LISTED: (usize, usize) = (20, 200);
/// The shell's codes for a command that is not executable, or not there.
const NOT_RUNNABLE: [i32; 2] = [126, 127];

/// What a run of a check said, kept by tree and check: for the worker, for baselines, for the inventory of tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRecord {
    pub version: u32,
    pub end: RunEnd,
    /// Zero in a record of an earlier gulf.
    #[serde(default)]
    pub duration_ms: u64,
    /// The end of the output.
    pub tail: String,
    /// Every test whose result could be read.
    pub tests: BTreeMap<String, TestOutcome>,
    /// How many of them could be named.
    pub readable: Completeness,
    /// How many tests ran and were not skipped, where a runner says so and came to its end.
    pub ran: Option<u64>,
    /// How many were skipped, in the same cases.
    pub skipped: Option<u64>,
    /// Files of the commit that the run changed or removed: its word is about something else than the commit.
    pub rewritten: Vec<String>,
    /// Of each source whose coverage the run measured, the lines that it did not reach.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unrun: BTreeMap<String, Vec<UnrunLines>>,
}

/// How the command ended; where it failed, in words for the worker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RunEnd {
    #[error("failed with exit code {code}")]
    Exited { code: i32 },
    #[error("was ended by signal {signal}")]
    Signalled { signal: i32 },
    #[error("did not end within {}", print_duration(Duration::from_millis(*after_ms)))]
    TimedOut { after_ms: u64 },
    #[error("could not be run: stopped: it printed too much")]
    TooMuchOutput,
    #[error("could not be run: {why}")]
    NotStarted { why: String },
}

/// What a run of a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunPurpose {
    /// The word about the candidate.
    Candidate,
    /// The word about the base.
    Base,
    /// The candidate's tests on the base's code.
    NewTests,
    /// The base's tests on the candidate's code.
    BaseTests,
    /// The candidate, one expectation of whose tests is another one.
    Canary,
    /// The candidate, one changed line of which says something else.
    Mutant,
    /// The candidate once more, where it was green.
    Again,
    /// The candidate where the base was.
    CounterTest,
    /// The base once more, alone.
    BaseAgain,
    /// A reviewer's command, on the candidate.
    Scenario,
}

/// Which command is run, on what, and for what.
#[derive(Clone, Copy)]
pub(crate) struct AskedRun<'a> {
    pub(crate) check: &'a SealedCheck,
    pub(crate) purpose: RunPurpose,
    pub(crate) commit: &'a CommitId,
}

/// One run: the command's own word, before a baseline is looked at.
#[derive(Clone)]
pub(crate) struct Ran {
    pub(crate) record: RunRecord,
    pub(crate) report: TestReport,
    pub(crate) measured: Measured,
    /// What is wrong with the reports that the check names.
    pub(crate) lacking: Vec<String>,
    /// What says that there was nothing to run, in the shell's words or the program's.
    pub(crate) missing: Option<String>,
    pub(crate) output: Vec<u8>,
    pub(crate) log: Digest,
    pub(crate) fingerprint: Digest,
}

impl RunRecord {
    /// The tests that failed.
    pub fn failed(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().filter(|(_, word)| **word == TestOutcome::Failed).map(|(id, _)| id.as_str())
    }

    /// The record of a check's run on a tree, to be shown; none where it cannot be read.
    pub fn find(path: &Utf8Path) -> Option<Self> {
        records::find(path)
    }
}

impl RunPurpose {
    /// What it is for who waits meanwhile, and how its logs begin: an iteration may run one check for several purposes, and
    /// none overwrites another's.
    pub(crate) fn description_and_log(self) -> (&'static str, &'static str) {
        match self {
            Self::Candidate => ("the work", "check"),
            Self::Base => ("the base", "check"),
            Self::NewTests => ("its tests on the base's code", "new-tests-on-base"),
            Self::BaseTests => ("the base's tests on the work", "base-tests-on-candidate"),
            Self::Canary => ("tests that expect or ask something else", "canary"),
            Self::Mutant => ("an error put into the work", "mutant"),
            Self::Again => ("the work once more", "again"),
            Self::CounterTest => ("the work where the base was", "counter-test"),
            Self::BaseAgain => ("the base once more", "base-again"),
            Self::Scenario => ("a reviewer's command", "scenario"),
        }
    }

    /// What the candidate built is believed in the word about it alone.
    fn room(self) -> CheckCheckout {
        let is_believed = matches!(self, Self::Candidate | Self::Scenario);
        if is_believed { CheckCheckout::Candidate } else { CheckCheckout::Base }
    }
}

impl Resources {
    /// What the base said, where its failures are accepted.
    pub(crate) fn baseline(&self, check: &SealedCheck, base: &Base) -> Result<Option<RunRecord>, RunError> {
        match check.baseline {
            Baseline::Accepted => self.record(check, base.tree.as_str()),
            Baseline::Refused => Ok(None),
        }
    }

    /// What the check said of this tree, where something is decided on it.
    pub(crate) fn record(&self, check: &SealedCheck, tree: &str) -> Result<Option<RunRecord>, RunError> {
        records::read(&self.folder.run(tree, check.name.as_str()), WHAT)
    }
}

/// How checks are run in one effect.
#[derive(Clone, Copy)]
pub(crate) struct Checks<'effect> {
    pub(crate) resources: &'effect Resources,
    pub(crate) key: &'effect EffectKey,
    pub(crate) stop: &'effect Stop,
}

impl Checks<'_> {
    /// Runs a check on the candidate.
    pub(crate) fn check(&self, name: &CheckName, fold: &Fold) -> Result<CheckRun> {
        let check = self.sealed(name)?;
        let candidate =
            fold.state.candidate().ok_or_else(|| Failure::Refused("no candidate is in hand".to_owned()))?;
        let ran = self.run(check, RunPurpose::Candidate, &candidate.commit)?;
        self.keep(&ran, candidate.tree.as_str(), check)?;
        let word = self.word_on(&ran, check, self.resources.base(fold))?;
        let word = self.unless_unmeasured(&ran, word);
        Ok(if check.held_out.is_some() { held_out::unsaid(word) } else { word })
    }

    /// Where numbers steer the loop, a check has failed whose runner ran no test, or whose reports are not all there.
    fn unless_unmeasured(&self, ran: &Ran, run: CheckRun) -> CheckRun {
        let (report, mut lacking) = (&ran.report, ran.lacking.clone());
        let is_cut = report.complete == Completeness::None && report.counts.total() == 0;
        if !report.runners.is_empty() && is_cut {
            lacking.push("what it says of its tests does not come to an end".to_owned());
        }
        let is_unmeasured = report.ran_no_tests() || !lacking.is_empty();
        if self.resources.agreement.policy.feedback.is_none() || !is_unmeasured || !run.is_green() {
            return run;
        }
        let said = Some(run.summary).filter(|summary| !summary.is_empty());
        let summary = said.into_iter().chain(lacking).collect::<Vec<_>>().join("; ");
        let verdict = CheckVerdict::Red { fingerprint: ran.fingerprint.clone() };
        CheckRun { verdict, summary, ..run }
    }

    /// Runs a check on the base.
    pub(crate) fn probe(&self, name: &CheckName, fold: &Fold) -> Result<CheckRun> {
        let check = self.sealed(name)?;
        if check.place == Place::Project {
            return Ok(no_word_about_the_base(check));
        }
        let base = self.resources.base(fold);
        let ran = self.run(check, RunPurpose::Base, &base.commit)?;
        self.keep(&ran, base.tree.as_str(), check)?;
        let mut run = self.masked(word(&ran, None));
        if check.baseline == Baseline::Accepted && !run.is_green() && !ran.record.can_forgive() {
            let sentence =
                "it names no test that passed, so no baseline is possible: it has to run, and to pass";
            let separator = if run.summary.is_empty() { "" } else { "; " };
            run.summary = format!("{}{separator}{sentence}", run.summary);
        }
        Ok(if check.held_out.is_some() { held_out::unsaid(run) } else { run })
    }

    /// The check's word about what it ran on, as this loop agreed on it.
    pub(crate) fn word_on(&self, ran: &Ran, check: &SealedCheck, base: &Base) -> Result<CheckRun, RunError> {
        Ok(self.masked(word(ran, self.resources.baseline(check, base)?.as_ref())))
    }

    /// Its summary is read by everybody; names of tests, and why something could not be started, are a check's own words.
    fn masked(&self, run: CheckRun) -> CheckRun {
        CheckRun { summary: self.resources.mask.owned(run.summary), ..run }
    }

    fn sealed(&self, name: &CheckName) -> Result<&SealedCheck> {
        let check = self.resources.agreement.check(name);
        check.ok_or_else(|| Failure::Refused(format!("the contract has no check {name}")))
    }

    fn keep(&self, ran: &Ran, tree: &str, check: &SealedCheck) -> Result<()> {
        let path = self.resources.folder.run(tree, check.name.as_str());
        let mut record = ran.record.clone();
        if check.held_out.is_some() {
            // From here it gets into prompts and reports.
            record.tail.clear();
        }
        Ok(records::keep(&path, WHAT, &record, Durability::Buffered)?)
    }

    /// Runs one command at one commit, behind walls or without.
    pub(crate) fn run_within(&self, asked: AskedRun<'_>, walls: Option<&Bubblewrap>) -> Result<Ran> {
        let AskedRun { check, purpose, commit } = asked;
        let room = purpose.room();
        let (directory, unprepared) = match check.place {
            Place::Checkout => {
                let unprepared = self.bring(room, commit)?;
                (self.resources.folder.room(room.into()), unprepared)
            }
            Place::Project => (self.resources.project().to_owned(), None),
        };
        let reports = self.resources.beside(room, "reports");
        files::remove_directory(&reports)?;
        files::create_private_directories(&reports, Durability::Buffered)?;
        let left =
            EarlierReports::before(check, &directory, self.resources.agreement.verification.report_bytes_max);
        let is_of_person = self.resources.terms().setup_by == SetupBy::Person;
        if let Some(failed) = unprepared.as_ref().filter(|_| is_of_person) {
            let ending = Ending::NotStarted(failed.error().to_string());
            let outcome = ProcessOutcome { ending, ..failed.outcome.clone() };
            // Nothing was measured by a check that never ran.
            let ran = self.read_run(&outcome, &failed.log, &directory, &reports, (check, &left))?;
            return Ok(Ran { measured: Measured::default(), ..ran });
        }
        let own_folder = self.bring_held_out(check)?;
        let name = crate::folder::file_name(check.name.as_str());
        let (_, log) = purpose.description_and_log();
        let log = self.log_of(check, &format!("{log}-{name}.log"))?;
        let within = directory.join(&check.directory);
        let mut environment = self.check_environment(check, &directory, &reports)?;
        let mut command = Program::Shell(check.command.clone());
        if let Some(walls) = walls {
            command = walls.around(command, &self.walls_of_room(room, &directory, check)?);
            environment = isolation::room::variables(environment);
        }
        let begun = SystemTime::now();
        environment.extend(own_folder);
        let mark = self.resources.mark(self.key, &format!("check-{}", check.name));
        let request = program::request(command, &within, environment, (log.clone(), mark), check.timeout());
        let outcome = program::run(&self.resources.shim, request, self.stop)?;
        let outcome = if walls.is_some() { isolation::unless_not_begun(outcome, &log)? } else { outcome };
        let mut ran = self.read_run(&outcome, &log, &directory, &reports, (check, &left))?;
        if check.place == Place::Checkout {
            let touched = |path: &TreePath| reading::is_touched_test(&directory, path, begun);
            let rewritten = self.resources.repository.rewritten(
                &directory,
                &self.resources.beside(room, "index"),
                &touched,
            )?;
            // The sealed script was put there by gulf, whatever the commit has in its place.
            let own = rewritten.iter().map(ToString::to_string).filter(|path| path != AUTOCHECKS);
            ran.record.rewritten = own.collect();
        }
        match &unprepared {
            Some(failed) => self.in_spite_of(failed, ran, room),
            None => Ok(ran),
        }
    }
}

/// A check in place would run on what the worker is changing just then.
fn no_word_about_the_base(check: &SealedCheck) -> CheckRun {
    let fingerprint = engine_digest(check.command.as_bytes());
    let summary = "it runs in the project itself, so it has no result for the base".to_owned();
    CheckRun {
        verdict: CheckVerdict::Unrunnable { fingerprint, hindrance: Hindrance::CutShort },
        exit: None,
        duration_ms: 0,
        tests: None,
        lint_errors: None,
        coverage_bp: None,
        summary,
        failed: Vec::new(),
        log: None,
    }
}

/// The check's word, with the failures of a baseline forgiven.
fn word(ran: &Ran, baseline: Option<&RunRecord>) -> CheckRun {
    let fingerprint = ran.fingerprint.clone();
    let unrunnable = |hindrance| CheckVerdict::Unrunnable { fingerprint: fingerprint.clone(), hindrance };
    let (verdict, exit) = match &ran.record.end {
        RunEnd::Exited { code } if ran.missing.is_some() => (unrunnable(Hindrance::NeverBegan), Some(*code)),
        RunEnd::Exited { code } if *code == 0 || ran.record.is_forgiven(baseline) => {
            (CheckVerdict::Green { repaired: repaired(ran, baseline) }, Some(*code))
        }
        RunEnd::Exited { code } => (CheckVerdict::Red { fingerprint }, Some(*code)),
        RunEnd::Signalled { .. } => (CheckVerdict::Red { fingerprint }, None),
        RunEnd::TimedOut { .. } | RunEnd::TooMuchOutput => (unrunnable(Hindrance::CutShort), None),
        RunEnd::NotStarted { .. } => (unrunnable(Hindrance::NeverBegan), None),
    };
    CheckRun {
        summary: summary(ran, &verdict),
        verdict,
        exit,
        duration_ms: ran.record.duration_ms,
        tests: counts(&ran.report),
        lint_errors: ran.measured.lint_errors,
        coverage_bp: ran.measured.coverage_bp,
        failed: failed(&ran.report),
        log: Some(ran.log.clone()),
    }
}

fn failed(report: &TestReport) -> Vec<String> {
    let (names_max, chars_max) = FAILED_LISTED;
    report.failed().take(names_max).map(|id| id.as_str().chars().take(chars_max).collect()).collect()
}

/// Tests that failed on the base and pass here.
fn repaired(ran: &Ran, baseline: Option<&RunRecord>) -> u32 {
    let Some(baseline) = baseline else { return 0 };
    let repaired =
        baseline.failed().filter(|id| ran.record.tests.get(*id) == Some(&TestOutcome::Passed)).count();
    u32::try_from(repaired).unwrap_or(u32::MAX)
}

/// None where no runner said how many: "0 tests" is what a runner says that ran none.
fn counts(report: &TestReport) -> Option<TestCounts> {
    let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let is_counted = report.counts.total() > 0 || report.ran_no_tests();
    is_counted.then(|| TestCounts {
        passed: number(report.counts.passed),
        failed: number(report.counts.failed),
        skipped: number(report.counts.skipped),
    })
}

/// What a person wants to know besides exit code and duration.
fn summary(ran: &Ran, verdict: &CheckVerdict) -> String {
    let report = &ran.report;
    let mut parts = Vec::new();
    match &ran.record.end {
        RunEnd::Exited { .. } => parts.extend(ran.missing.clone()),
        RunEnd::Signalled { signal } => parts.push(format!("ended by signal {signal}")),
        RunEnd::TimedOut { after_ms } => {
            parts.push(format!("timed out after {} s, its `timeout`", after_ms / 1000));
        }
        RunEnd::TooMuchOutput => parts.push("stopped: it printed too much".to_owned()),
        RunEnd::NotStarted { why } => parts.push(format!("could not be started: {why}")),
    }
    if let Some(tests) = counts(report) {
        // The numbers stand beside it; which ones failed does not.
        let failed: Vec<&str> = report.failed().map(|id| id.as_str()).collect();
        if !failed.is_empty() {
            parts.push(listed(&failed, FAILED_NAMED_MAX));
        }
        // pytest's own word, where a file does not load.
        let is_stopped = tests.passed == 0 && ran.record.tail.contains("! Interrupted: ");
        if report.ran_no_tests() || is_stopped {
            let error = named_error(&ran.record.tail).map(|error| format!(": {error}"));
            parts.push(format!("no test ran{}", error.unwrap_or_default()));
        }
        if matches!(verdict, CheckVerdict::Green { .. }) && tests.failed > 0 {
            parts.push("these fail on the base too, and are accepted".to_owned());
        }
    }
    parts.join("; ")
}
