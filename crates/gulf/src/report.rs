//! The report of a loop: what was asked, done, proven and not proven (SPEC B11); kept in the project when it ends.
//!
//! What it says is a view. Here stands only where its parts lie: the journal, the judges' records, the worker's notes,
//! and the change itself.

pub mod change;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::judge::{CriterionWord, JudgeRecord, Word};
use gulf_engine::{Cause, CheckName, CommitId, End, Stage, State, TreeId};
use gulf_host::files::{self, Durability};
use gulf_host::git::Head;
use gulf_runner::agreement::{Agreement, RepositoryKind};
use gulf_runner::book;
use gulf_runner::folder::LoopPaths;
use gulf_runner::judge::{JUDGE, last_of};
use gulf_runner::keeping::from_here;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::TEXT_BYTES_MAX;
use gulf_runner::start::KnownLoop;
use gulf_runner::uncommitted::{self, UncommittedChange};
use gulf_spec::progress::{self, Progress};
use gulf_views::{
    CheckWords, CheckoutChange, CriterionLine, CriterionVerdict, DriverPresence, Facts, History, Report,
    ReportTexts, Risk, Summary,
};

use crate::out::masked;
use crate::{excerpts, projections, verdicts};

/// The report's name, in the project's folder of projections and in the loop's own.
const FILE: &str = "report.md";
/// Of the new tests' output on the base's code; a longer one is not shown.
const LOG_BYTES_MAX: u64 = 1 << 20;

/// Everything that is known about a loop.
pub struct ReportedLoop<'told> {
    pub lies: &'told CheckoutChange,
    pub agreement: &'told Agreement,
    pub folder: &'told LoopPaths,
    pub facts: &'told Facts,
    pub history: &'told History,
    pub state: &'told State,
}

/// Does the loop's change lie in the person's checkout, to be kept or thrown away?
pub fn worktree(agreement: &Agreement, home: &LoopPaths, history: &History, state: &State) -> CheckoutChange {
    // What a list's task left out of its commit was uncommitted before.
    let is_own = agreement.landing.is_none() && agreement.list.is_none();
    if !is_own || !matches!(&state.stage, Stage::Ended(_)) {
        return CheckoutChange::Clean;
    }
    let Some(candidate) = history.last_evaluated().and_then(|iteration| iteration.candidate()) else {
        let left = uncommitted::left_by_turn(agreement, home);
        return left.map_or(CheckoutChange::Clean, |changed| CheckoutChange::Unfinished { changed });
    };
    let Some(found) = uncommitted::find(agreement, home, candidate, state.landed_as()) else {
        return CheckoutChange::Clean;
    };
    let UncommittedChange { deleted, entangled, committed, before_landing, before_discarding } = found;
    let entangled = entangled.iter().map(|path| from_here(&agreement.project, path)).collect();
    match agreement.repository {
        RepositoryKind::Own => match committed {
            Some(Head::Branch { name, commit }) => {
                CheckoutChange::Committed { commit, branch: Some(name.short().to_owned()) }
            }
            Some(Head::Detached { commit }) => CheckoutChange::Committed { commit, branch: None },
            Some(Head::Unborn { .. }) | None => {
                CheckoutChange::Uncommitted { deleted, entangled, before_landing, before_discarding }
            }
        },
        RepositoryKind::Shadow => CheckoutChange::WithoutGit { deleted },
    }
}

/// Finished work that waits to land behind a later loop which only found that nothing is left to do.
pub fn unlanded_behind(later: &KnownLoop, here: &[KnownLoop]) -> Option<KnownLoop> {
    let is_meant = |one: &&KnownLoop| changed_nothing(later) && one.fold.state.finished_work().is_some();
    let mut finished: Vec<&KnownLoop> = here.iter().filter(is_meant).collect();
    finished.sort_by_key(|one| one.fold.ended_at_ms);
    finished.into_iter().rev().find(|one| waits_to_land(one)).cloned()
}

/// Does its work wait for a person to land it, on its branch or uncommitted in the checkout?
pub fn waits_to_land(known: &KnownLoop) -> bool {
    let state = &known.fold.state;
    if state.is_discarded || state.finished_work().is_none() || changed_nothing(known) {
        return false;
    }
    let has_own = known.agreement().is_ok_and(|agreement| agreement.landing.is_some());
    (has_own && landed(known).is_none()) || is_uncommitted(known)
}

/// The folder that is gone, in which finished work lay that never landed: nobody can look there whether it was committed.
pub fn gone_with_work(known: &KnownLoop) -> Option<Utf8PathBuf> {
    let state = &known.fold.state;
    let is_over = state.is_discarded || state.landed_as().is_some() || changed_nothing(known);
    state.finished_work().filter(|_| !is_over)?;
    let agreement = known.agreement().ok()?;
    (agreement.landing.is_none() && !agreement.project.exists()).then_some(agreement.project)
}

/// The commit as which it has landed, unless no branch holds that any more.
pub fn landed(known: &KnownLoop) -> Option<&CommitId> {
    known.fold.state.landed_as().filter(|_| !is_uncommitted(known))
}

fn is_uncommitted(known: &KnownLoop) -> bool {
    let (Ok(events), Ok(agreement)) = (book::read(known.home.root()), known.agreement()) else {
        return false;
    };
    let lies = worktree(&agreement, &known.home, &History::fold(&events), &known.fold.state);
    matches!(lies, CheckoutChange::Uncommitted { .. })
}

pub fn changed_nothing(known: &KnownLoop) -> bool {
    matches!(&known.fold.state.stage, Stage::Ended(End::Attested { causes }) if causes.contains(&Cause::NothingChanged))
}

/// Leaves the report of a loop that is over in the project and beside its journal. It is a projection: nothing depends
/// on its being written.
pub fn keep(place: &PlaceOfWork, told: &ReportedLoop<'_>) {
    if !matches!(&told.state.stage, Stage::Ended(_)) {
        return;
    }
    let text = gulf_views::report(&gathered(place, told, DriverPresence::Absent, ReportDepth::Words));
    let text = masked(&text);
    let own = Some(told.folder.root().to_owned());
    for folder in [own, projections::folder(&place.project)].into_iter().flatten() {
        let _ = files::replace(&folder.join(FILE), text.as_bytes(), Durability::Buffered);
    }
}

/// How much is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportDepth {
    /// What the Markdown says.
    Words,
    /// And how much each iteration changed.
    Strips,
    /// And what checks printed, what the worker said, and where it changed a file.
    Full,
}

pub fn gathered(
    place: &PlaceOfWork,
    told: &ReportedLoop<'_>,
    driver: DriverPresence,
    depth: ReportDepth,
) -> Report {
    let ReportedLoop { lies, agreement, folder, facts, history, state } = told;
    let summary = verdicts::explained(Summary::new(facts, history, state, driver, lies), folder);
    let notes = notes(&agreement.project, folder);
    let progress = progress::parse(&notes);
    let record = record(folder, history);
    let changed_files = change::files(place, told);
    let untested = change::untested(place, told, &changed_files);
    let mut texts = ReportTexts {
        criteria: criteria(agreement, record.as_ref()),
        decisions: Progress::decisions(&progress),
        doubts: progress.uncertainties(),
        lines_changed: match depth {
            ReportDepth::Words => BTreeMap::new(),
            ReportDepth::Strips | ReportDepth::Full => change::sizes(place, told, &changed_files),
        },
        changed_files,
        reproduce: change::reproduce(told),
        risk: record.as_ref().map(|JudgeRecord { trial, .. }| Risk {
            tries: trial.tries,
            per_try_bp: trial.per_judge_bp,
            false_approval_bp: trial.false_approval_bp,
        }),
        check_words: verdicts::check_words(folder, history),
        untested,
        ..ReportTexts::default()
    };
    if depth == ReportDepth::Full {
        look_up(&mut texts, place, told);
    }
    Report::new(summary, facts, history, state, texts)
}

/// What the worker wrote down last; a handed-on loop leaves its notes there, too. They outlive its worktree.
fn notes(project: &Utf8Path, folder: &LoopPaths) -> String {
    let read = |root: &Utf8Path| files::read_text(&root.join("progress.txt"), TEXT_BYTES_MAX);
    read(project).or_else(|_| read(&folder.left_texts())).map(|text| text.content).unwrap_or_default()
}

/// The last verdict of the loop.
pub fn record(folder: &LoopPaths, history: &History) -> Option<JudgeRecord> {
    history.iterations.iter().rev().find_map(|iteration| last_of(folder, iteration.number, JUDGE))
}

fn criteria(agreement: &Agreement, record: Option<&JudgeRecord>) -> Vec<CriterionLine> {
    let lines = (1..).zip(&agreement.criteria).map(|(number, text)| {
        let said = record.and_then(|record| word_on(record, text));
        let word = said.map_or(CriterionVerdict::NotJudged, |said| match said.word {
            Word::Met => CriterionVerdict::Met,
            Word::Unmet => CriterionVerdict::Unmet,
            Word::Unsure | Word::NotHere => CriterionVerdict::Unsure,
        });
        let evidence = said.map(verdicts::evidence).unwrap_or_default();
        let reason = said.map(|said| said.reason.clone()).filter(|reason| !reason.is_empty());
        CriterionLine { number, text: text.clone(), word, evidence, reason }
    });
    lines.collect()
}

/// The word about a criterion by its text: an amended rubric numbers them anew.
fn word_on<'record>(record: &'record JudgeRecord, text: &str) -> Option<&'record CriterionWord> {
    let number = (1..).zip(&record.criteria).find(|(_, one)| *one == text)?.0;
    record.judgements.iter().rev().flat_map(|judgement| &judgement.criteria).find(|one| one.number == number)
}

// What only a page has room for: how outputs end, what the worker said, and where it changed a file.

fn look_up(texts: &mut ReportTexts, place: &PlaceOfWork, told: &ReportedLoop<'_>) {
    texts.outputs = outputs(told);
    texts.messages = messages(told);
    texts.places = change::read_places(&plain_text(&change::patch(place, told)));
    texts.new_tests_on_base = told.history.last_evaluated().and_then(|last| {
        let logs = told.folder.iteration(last.number);
        told.agreement.checks.iter().find_map(|check| new_tests(&logs, check.name.as_str()))
    });
}

/// Of every check on the base and on the last candidate, and of those that said no in between.
fn outputs(told: &ReportedLoop<'_>) -> CheckWords {
    let mut outputs = CheckWords::new();
    let mut look_up = |tree: &TreeId, name: &CheckName| {
        if let Some(printed) = verdicts::printed(told.folder, tree, name) {
            outputs.insert((tree.clone(), name.clone()), plain_text(&printed));
        }
    };
    if let Some(base) = told.state.base() {
        told.state.probes.keys().for_each(|name| look_up(&base.tree, name));
    }
    let last = told.history.last_evaluated().map(|last| last.number);
    for iteration in &told.history.iterations {
        let Some(candidate) = iteration.candidate() else { continue };
        let is_last = Some(iteration.number) == last;
        let shown = iteration.checks.iter().filter(|(_, run)| is_last || !run.is_green());
        shown.for_each(|(name, _)| look_up(&candidate.tree, name));
    }
    outputs
}

fn messages(told: &ReportedLoop<'_>) -> BTreeMap<u32, String> {
    let numbers = told.history.iterations.iter().map(|iteration| iteration.number);
    let said = |number| Some((number, plain_text(&excerpts::final_message(&told.folder.iteration(number))?)));
    numbers.filter_map(said).collect()
}

fn new_tests(logs: &Utf8Path, check: &str) -> Option<String> {
    let stem = format!("new-tests-on-base-{}", gulf_runner::folder::file_name(check));
    let path = excerpts::last_attempt(logs, &stem, "log")?;
    Some(plain_text(&files::read_text(&path, LOG_BYTES_MAX).ok()?.content))
}

/// Without colours, and without what is secret: markup may hide a secret from whoever masks the whole page.
fn plain_text(text: &str) -> String {
    masked(&anstream::adapter::strip_str(text).to_string()).into_owned()
}
