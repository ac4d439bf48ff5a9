//! What the candidate did to the base's tests, and what its own tests say of the base's code (SPEC B3).
//!
//! Here, and only here, something red is good news.

mod answers;
mod canary;
mod check_texts;
mod checkers;
mod commands;
mod compared;
mod equality;
mod expected;
mod hidden;
mod idle;
mod libraries;
mod looking;
mod mutants;
mod patterns;
mod proving;
mod recipes;
mod reruns;
mod restored;
mod settings;
mod steady;
mod strays;
mod texts;
mod varied;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use gulf_agents::sources::{
    ChangeKind, Changed, Graft, NewTest, SourceTexts, graft, is_product, is_runner_configuration, is_source,
    is_test_path, is_test_support_path, merged, names_file, only_for_tests, test_changes,
};
use gulf_engine::{Base, Canary, Candidate, Finding, Integrity};
use gulf_host::git::{
    BlobId, Change, CommitId, FileMode, Repository, TreeChangeKind, TreeEdit, TreeId, TreePath,
};
use gulf_spec::environment::Selection;

use canary::SuiteTrial;
use looking::Looking;
use settings::changed_field;
use texts::Texts;
use varied::ReadableSuite;

use crate::agreement::{Place, SealedCheck};
use crate::book::Fold;
use crate::checks::{Checks, Ran, RunPurpose, RunRecord};
use crate::error::{Failure, Result};
use crate::resources::Resources;
use crate::texts::{AUTOCHECKS, RUBRIC};

/// A larger file is no source of tests.
const SOURCE_BYTES_MAX: u64 = 8 << 20;
/// So much of all changed files together is compared.
const DIFFERENCE_BYTES_MAX: usize = 256 << 20;
/// More findings than this are counted, not listed.
const FINDINGS_MAX: usize = 200;

impl Difference {
    /// The files of the product that the change has, with their text on one side.
    fn products(&self, tree: AskedTree) -> impl Iterator<Item = (&str, String)> {
        let files = self.files.iter().filter(|(path, _)| is_product(path));
        files.filter_map(move |(path, file)| {
            Some((path.as_str(), String::from_utf8_lossy(tree.side(file)?).into_owned()))
        })
    }

    /// The text of its new tests.
    fn new_test_text(&self) -> String {
        self.graft.grafted.iter().map(|file| file.new_text.as_str()).collect::<Vec<_>>().join("\n")
    }
}

/// What differs between two trees, with the bytes that matter.
#[derive(Default)]
struct Difference {
    changes: Vec<Change>,
    files: BTreeMap<String, Changed>,
    /// Changed files that could not be compared.
    unread: Vec<String>,
    /// Changed files of the base that only tests use, although their path does not say so.
    support: BTreeSet<String>,
    /// Makefiles that were changed, but not in what they do for the checks.
    same_makefiles: BTreeSet<String>,
    /// Its tests apart from its products; empty until somebody asks.
    graft: Graft,
}

/// A candidate beside its base, and what it takes to ask both of them.
pub(crate) struct CandidateEvidence<'effect> {
    resources: &'effect Resources,
    fold: &'effect Fold,
    checks: Checks<'effect>,
    candidate: &'effect Candidate,
    base: &'effect Base,
    /// The base's files, some of which stand behind the checks' commands.
    texts: Texts<'effect>,
    /// The candidate's, once somebody asks.
    now: OnceCell<Texts<'effect>>,
    difference: Difference,
    /// Tests of the base that are gone, and whose questions others ask now.
    merged: Vec<NewTest>,
    /// What was said once more of the candidate, or of the base.
    once_more: RefCell<BTreeMap<Question, Ran>>,
}

impl<'effect> CandidateEvidence<'effect> {
    /// About the candidate in hand.
    pub(crate) fn gather(checks: Checks<'effect>, fold: &'effect Fold) -> Result<Self> {
        let resources = checks.resources;
        let candidate = fold.state.candidate();
        let candidate = candidate.ok_or_else(|| Failure::Refused("no candidate is in hand".to_owned()))?;
        let base = resources.base(fold);
        let texts = Texts::load(&resources.repository, &base.tree)?;
        let mut difference = difference(&resources.repository, &base.tree, &candidate.tree)?;
        difference.support = only_tests_use(&texts, &difference.files)?;
        // The goal may name what it is judged by.
        let is_work = |path: &str| {
            names_file(&resources.agreement.goal, path) && settings::holds_as_much(&difference.files[path])
        };
        difference.support.retain(|path| !is_work(path));
        let counted = resources.agreement.verification.count_as_tests.iter();
        let counted = Selection::of_words(counted.map(String::as_str));
        let of_person =
            difference.files.iter().filter(|(path, file)| counted.selects(path) && file.is_of_base());
        difference.support.extend(of_person.map(|(path, _)| path.clone()));
        difference.graft = graft(&difference.files);
        let merged = merged(&difference.files);
        let (now, once_more) = (OnceCell::new(), RefCell::default());
        Ok(Self { resources, fold, checks, candidate, base, texts, now, difference, merged, once_more })
    }

    /// Compares the candidate's tests and runner configuration with the base's.
    pub(crate) fn integrity(mut self) -> Result<Integrity> {
        let of_checkers = self.of_checkers()?;
        self.difference.support.extend(of_checkers);
        self.difference.same_makefiles = self.same_makefiles();
        self.resources.repository.verify_trees(&[&self.base.tree, &self.candidate.tree])?;
        let (gone, changed): (Vec<_>, Vec<_>) =
            changed_tests(&self.difference).partition(|(kind, _)| *kind != ChangeKind::Changed);
        let mut of_tests: Vec<Finding> = changed.into_iter().map(|(_, finding)| finding).collect();
        of_tests.extend(unread_tests(&self.difference));
        let looking = self.looking();
        let mut of_linters = self.linter_settings(&looking);
        let mut of_runners = self.changed_settings(&looking)?;
        let idle = self.idle_settings([&mut of_runners, &mut of_linters])?;
        of_tests.extend(of_runners);
        // A product that knows of its tests, or stands in their way: what a judge makes of it is no proof.
        let mut findings: Vec<Finding> = hidden::aware(&self.difference).collect();
        findings.extend(hidden::heedless(&self.difference));
        findings.extend(self.shadows(&looking));
        findings.extend(self.built_in_answers()?);
        let mut person_only = !findings.is_empty();
        findings.extend(of_linters);
        findings.extend(self.hidden(&looking)?);
        findings.extend(changed_contract(&self.difference));
        let (mut as_many, mut is_any_lost, mut of_scripts, mut of_questions) =
            (None, false, Vec::new(), Vec::new());
        for check in &self.resources.agreement.checks {
            let (decided, asked) = self.decided_and_asked(check)?;
            of_scripts.extend(decided);
            of_questions.extend(asked);
            let compared = self.compared_runs(check)?;
            as_many = as_many.into_iter().chain(compared.as_many).reduce(|one, other| one && other);
            is_any_lost |= !compared.lost.is_empty();
            if compared.is_made_up { &mut of_tests } else { &mut findings }.extend(compared.lost);
            findings.extend(compared.untrue);
            person_only |= compared.person_only;
            findings.extend(self.passing_red(check)?);
        }
        // What is gone may stand somewhere else, where as many tests ran or others ask the same.
        let is_made_up = as_many == Some(true) || !self.merged.is_empty();
        let gone = gone.into_iter().map(|(_, finding)| finding);
        let (excused, gone): (Vec<_>, Vec<_>) =
            gone.partition(|one| is_made_up || self.may_change(&one.path));
        of_tests.extend(excused);
        findings.extend(gone);
        let word = self.base_tests((of_tests, is_any_lost, &of_scripts))?;
        let (mut trial, readable) = self.canary()?;
        findings.extend(trial.finding.take());
        let (again, unsteady) = self.again()?;
        findings.extend(unsteady);
        // What is doubted already is not asked about.
        let is_open = findings.is_empty() && word.findings.is_empty() && !self.is_proven_unseen()?;
        if is_open {
            trial = self.other_words(trial.canary, readable)?;
        }
        let SuiteTrial { canary, elsewhere, finding, new_in } = trial;
        person_only |= finding.is_some();
        findings.extend(finding);
        // A program that says something new where it is asked otherwise is the work, and no check.
        of_questions.retain(|asked| !new_in.as_ref().is_some_and(|line| asked.is_in(line)));
        person_only |= !of_questions.is_empty();
        findings.extend(of_questions.into_iter().map(|asked| asked.finding));
        person_only |= word.person_only;
        let findings = listed(word.findings.into_iter().chain(findings).collect());
        let expectations = self.expectations(&findings);
        let cleared = listed(word.cleared.into_iter().chain(idle).collect());
        Ok(Integrity { findings, cleared, canary, again, elsewhere, person_only, expectations, ..word })
    }

    /// The candidate's files.
    fn now(&self) -> Result<&Texts<'_>> {
        if let Some(known) = self.now.get() {
            return Ok(known);
        }
        let loaded = Texts::load(&self.resources.repository, &self.candidate.tree)?;
        Ok(self.now.get_or_init(|| loaded))
    }

    /// What a check says of a commit, for this purpose.
    fn run(&self, check: &SealedCheck, purpose: RunPurpose, commit: &CommitId) -> Result<Ran> {
        self.resources.activity.set(purpose.description_and_log().0.to_owned());
        let ran = self.checks.run(check, purpose, commit);
        self.resources.activity.set(String::new());
        if let (RunPurpose::Again | RunPurpose::BaseAgain, Ok(ran)) = (purpose, &ran) {
            self.once_more.borrow_mut().insert(question(check, commit), ran.clone());
        }
        ran
    }

    /// What the work says where its tests ask something else: assertions where they can be read, else any text of a check.
    fn other_words(&self, canary: Option<Canary>, readable: Option<ReadableSuite>) -> Result<SuiteTrial> {
        if let finding @ Some(_) = self.own_equality()? {
            return Ok(SuiteTrial { canary, finding, ..SuiteTrial::default() });
        }
        let is_shown = readable.is_some();
        let (mut trial, is_table) = match readable {
            Some(readable) => (self.elsewhere(&readable)?, readable.has_rows),
            None => (SuiteTrial::default(), matches!(canary, None | Some(Canary::Nothing))),
        };
        if trial.elsewhere.is_none() && is_table {
            trial = self.in_check_texts()?;
        }
        trial.canary = trial.canary.or(canary);
        // Where all inputs are others, exceptions to a rule are none any more; where one is, they may be.
        let is_open = trial.elsewhere.as_ref().is_none_or(|runs| runs.is_cut);
        if is_open || trial.finding.is_some() {
            let each = self.in_each_value(is_shown)?;
            if trial.finding.is_none() || each.elsewhere.as_ref().is_some_and(|runs| runs.is_new) {
                (trial.finding, trial.new_in) = (each.finding, each.new_in);
                trial.elsewhere = each.elsewhere.or(trial.elsewhere);
            }
        }
        Ok(trial)
    }

    fn tree_and_commit(&self, tree: AskedTree) -> (&TreeId, &CommitId) {
        match tree {
            AskedTree::Candidate => (&self.candidate.tree, &self.candidate.commit),
            AskedTree::Base => (&self.base.tree, &self.base.commit),
        }
    }

    /// Who looks at more than tests: where a number steers the loop anybody, else whom the checks run.
    fn looking(&self) -> Looking {
        if self.resources.agreement.policy.feedback.is_some() {
            return Looking::ANYBODY;
        }
        let follow = |check: &SealedCheck| {
            Looking::follow(&check.command, &|name| self.texts.read(&check.directory, name))
        };
        Looking::of_all(self.resources.agreement.checks.iter().map(follow))
    }

    /// The checks that have a word about any commit.
    fn checkout_checks(&self) -> impl Iterator<Item = &SealedCheck> {
        self.resources.agreement.checks.iter().filter(|check| check.place == Place::Checkout)
    }

    /// Those of them that the worker knows.
    fn open_checks(&self) -> impl Iterator<Item = &SealedCheck> {
        self.checkout_checks().filter(|check| check.held_out.is_none())
    }

    /// That these bytes stand there, in a file that can be executed where the candidate's can.
    fn put(&self, path: &str, bytes: Vec<u8>) -> Result<(TreePath, TreeEdit)> {
        let mode = self.now()?.mode(path).filter(|mode| *mode == FileMode::Executable);
        Ok((TreePath::try_from(path)?, TreeEdit::Put(bytes, mode.unwrap_or(FileMode::File))))
    }

    /// The checks that the worker knows, each with its records of the base and of the candidate, where both are there.
    fn open_runs(&self) -> Result<Vec<(&SealedCheck, RunRecord, RunRecord)>> {
        let runs = self.open_checks().map(|check| {
            let runs = self.both_runs(check)?;
            Ok(runs.map(|(before, now)| (check, before, now)))
        });
        runs.filter_map(Result::transpose).collect()
    }

    /// A check's records of the base and of the candidate, where both are there.
    fn both_runs(&self, check: &SealedCheck) -> Result<Option<(RunRecord, RunRecord)>> {
        let before = self.resources.record(check, self.base.tree.as_str())?;
        Ok(before.zip(self.resources.record(check, self.candidate.tree.as_str())?))
    }
}

/// Which of the two is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AskedTree {
    Candidate,
    Base,
}

impl AskedTree {
    /// What stands there of a changed file.
    fn side(self, file: &Changed) -> Option<&Vec<u8>> {
        match self {
            Self::Candidate => file.candidate.as_ref(),
            Self::Base => file.base.as_ref(),
        }
    }
}

/// A check's name, its command with what that is given, and of what it was asked.
type Question = (String, String, BTreeMap<String, String>, CommitId);

fn question(check: &SealedCheck, commit: &CommitId) -> Question {
    (check.name.to_string(), check.command.clone(), check.environment.clone(), commit.clone())
}

/// What one tree did to the tests and runner settings of another.
pub(crate) fn changed_tests_between(
    repository: &Repository,
    old: &TreeId,
    new: &TreeId,
) -> Result<BTreeSet<Finding>> {
    let mut difference = difference(repository, old, new)?;
    difference.support = only_tests_use(&Texts::load(repository, old)?, &difference.files)?;
    let changed = changed_tests(&difference).map(|(_, finding)| finding);
    Ok(changed.chain(unread_tests(&difference)).collect())
}

/// The paths two trees disagree about, with the bytes of files small enough to be sources.
fn difference(repository: &Repository, base: &TreeId, tree: &TreeId) -> Result<Difference> {
    let changes = repository.diff(base, tree)?;
    let blobs: Vec<BlobId> =
        changes.iter().flat_map(|change| change.old_blob.iter().chain(&change.new_blob)).cloned().collect();
    let bytes = repository.read_small_blobs(&blobs, SOURCE_BYTES_MAX)?;
    let (mut files, mut unread, mut total) = (BTreeMap::new(), Vec::new(), 0);
    let mut read = |change: &Change| {
        let side = |blob: &Option<BlobId>| match blob {
            Some(blob) => bytes.get(blob).map(Some),
            None => Some(None),
        };
        change.path.as_utf8()?;
        let (base, candidate) = (side(&change.old_blob)?, side(&change.new_blob)?);
        total += base.map_or(0, Vec::len) + candidate.map_or(0, Vec::len);
        let is_short = total <= DIFFERENCE_BYTES_MAX;
        is_short.then(|| Changed { base: base.cloned(), candidate: candidate.cloned() })
    };
    for change in &changes {
        let path = change.path.as_utf8().map_or_else(|| change.path.to_string(), |path| path.to_string());
        match read(change) {
            Some(file) => drop(files.insert(path, file)),
            None => unread.push(path),
        }
    }
    Ok(Difference { changes, files, unread, ..Difference::default() })
}

/// Of the changed files of the base, those that only tests use.
fn only_tests_use(texts: &Texts<'_>, files: &BTreeMap<String, Changed>) -> Result<BTreeSet<String>> {
    // With more, nobody reads them all to find who names a file.
    const FILES_MAX: usize = 5_000;
    let changed = files.iter().filter(|(_, file)| file.is_of_base());
    let changed: Vec<&str> = changed.map(|(path, _)| path.as_str()).collect();
    let lost = files.iter().filter(|(_, file)| file.base.is_some() && !settings::holds_as_much(file));
    let lost: BTreeSet<&str> = lost.map(|(path, _)| path.as_str()).collect();
    only_for_tests(&changed, &lost, |is_wanted| {
        let wanted = texts.wanted(is_wanted);
        if wanted.len() > FILES_MAX {
            return Ok(SourceTexts::new());
        }
        let held = texts.bytes(&wanted, SOURCE_BYTES_MAX)?.into_iter();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ok(held.map(|(path, bytes)| (path, text(bytes))).collect())
    })
}

/// Is it a test, or what lies beside tests?
fn is_of_tests(path: &str) -> bool {
    is_test_path(path) || is_test_support_path(path)
}

fn finding_of(check: &SealedCheck, what: impl Into<String>) -> Finding {
    finding_at(format!("the check {}", check.name), what)
}

fn finding_at(path: impl Into<String>, what: impl Into<String>) -> Finding {
    Finding { path: path.into(), what: what.into() }
}

/// Each once, and no more than anybody reads.
fn listed(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort();
    findings.dedup();
    if findings.len() > FINDINGS_MAX {
        let more = findings.len() - FINDINGS_MAX;
        findings.truncate(FINDINGS_MAX);
        findings.push(Finding { path: "…".to_owned(), what: format!("and {more} more") });
    }
    findings
}

/// What could not be compared counts as changed, where it could be a test, or code that says what tests want to hear.
fn unread_tests(difference: &Difference) -> Vec<Finding> {
    let counts = |path: &String| is_source(path) || is_of_tests(path) || is_runner_configuration(path);
    let unread = difference.unread.iter().filter(|path| counts(path));
    let unread = unread.map(|path| (path.clone(), "was changed, and cannot be compared"));
    let is_new = |change: &&Change| change.is_submodule && change.kind != TreeChangeKind::Modified;
    let within = difference.changes.iter().filter(is_new);
    let within =
        within.map(|change| (change.path.to_string(), "is a repository of its own, and cannot be compared"));
    unread.chain(within).map(|(path, what)| finding_at(path, what)).collect()
}

fn changed_tests(difference: &Difference) -> impl Iterator<Item = (ChangeKind, Finding)> {
    let files = difference.files.iter();
    let changes =
        files.flat_map(|(path, file)| test_changes(path, file.base.as_deref(), file.candidate.as_deref()));
    let changes = changes.map(|change| {
        let name = change.name.map_or_else(|| "test code".to_owned(), |name| format!("the test {name}"));
        (change.kind, finding_at(change.path, format!("{name} was {}", change.kind)))
    });
    let what = "only tests and checks use this file, and it was changed";
    let support = difference.support.iter().map(move |path| finding_at(path, what));
    let programs = difference.programs_no_more();
    let programs = programs.map(|path| finding_at(path, "could be run as a program, and cannot any more"));
    changes.chain(support.chain(programs).map(|finding| (ChangeKind::Changed, finding)))
}

/// Texts that say what is checked. A loop's candidate has them as its base has; what `gulf verify` looks at may not.
fn changed_contract(difference: &Difference) -> impl Iterator<Item = Finding> {
    const TEXTS: [&str; 3] = [RUBRIC, "gulf.toml", AUTOCHECKS];
    let changes = difference.changes.iter();
    let paths =
        changes.filter_map(|change| change.path.as_utf8()).filter(|path| TEXTS.contains(&path.as_str()));
    paths.map(|path| finding_at(path.as_str(), "says what is checked, and is not as it was on the base"))
}

/// So much of a value is shown.
const SHOWN_CHARS_MAX: usize = 120;

/// A value in one line.
fn short(value: &str) -> String {
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SHOWN_CHARS_MAX {
        return format!("`{line}`");
    }
    format!("`{}…`", line.chars().take(SHOWN_CHARS_MAX).collect::<String>())
}
