//! What a result says, before anyone decided how it looks: the last screen and its JSON are two forms of this.

use gulf_engine::{
    Candidate, CheckName, CheckRun, CheckTerms, CommitId, Denial, End, Finding, JudgeWord, LoopId,
    PauseReason, Proof, Stall, State,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

use crate::acts::{self, ActKind};
use crate::advice::{advice, next};
use crate::cost::Cost;
use crate::facts::{BranchFacts, ChannelFacts, CheckoutChange, DriverPresence, Facts};
use crate::failing::FailureReport;
use crate::gates::FlakyCheck;
use crate::history::{History, Iteration};
use crate::json::document;
use crate::landing::{LandingReport, is_taken_back};
use crate::loop_status::{LoopStatus, how_it_ended};
use crate::numbers::{FeedbackRow, shown_rows};
use crate::parts::PartReport;
use crate::question::QuestionReport;
use crate::refused::{self, RefusalReport};
use crate::review::ReviewFacts;
use crate::screen::NextStep;
use crate::tasks::{self, TaskReport};
use crate::unproven::{Statement, unproven};
use crate::wording::{self, reviewing};
use crate::{text, turns};

/// Where a loop stands, what was checked, what is not proven, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    /// What people call it.
    pub handle: String,
    /// The goal's title.
    pub goal: String,
    pub standing: LoopStatus,
    /// What its standing means, in one sentence.
    pub meaning: String,
    /// Where the loop has a branch of its own.
    pub branch: Option<BranchFacts>,
    #[serde(skip)]
    pub fork: Option<[String; 2]>,
    /// What became of it on its way onto its base branch, where it has one.
    pub landing: Option<LandingReport>,
    /// What the worker last said of its progress.
    #[serde(skip)]
    pub note: Option<String>,
    /// Where the agent was unreachable, what it came to last.
    pub failure: Option<FailureReport>,
    /// Who refused the last candidate, where the loop did not get there.
    pub refusal: Option<RefusalReport>,
    /// What a person should know besides, in sentences.
    pub advice: Vec<String>,
    /// What a person may ask for now.
    pub acts: Vec<ActKind>,
    /// What the worker asks and nobody has answered.
    #[serde(rename = "open_questions")]
    pub questions: Vec<QuestionReport>,
    /// At the human gate, what led to it (SPEC G9).
    pub rejected: Vec<Rejected>,
    /// What the agent was not allowed to do since a person last looked.
    pub denials: Vec<Denial>,
    /// The newest one; what `checks` speaks about.
    pub candidate: Option<Candidate>,
    /// Every sealed check, also one that did not run.
    pub checks: Vec<CheckReport>,
    /// What the judge said of that candidate, and whoever is asked beside it.
    #[serde(skip)]
    pub verdicts: Vec<VerdictReport>,
    /// What was measured, by iteration; nothing where numbers do not steer the loop and nobody told any.
    #[serde(skip)]
    pub feedback: Vec<FeedbackRow>,
    /// What was seen to fail without the change.
    #[serde(rename = "seen_to_fail")]
    pub proofs: Vec<Proof>,
    /// Changes of tests that hide nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<Finding>,
    #[serde(rename = "not_proven")]
    pub unproven: Vec<Statement>,
    /// Checks that said yes and no about the same files.
    pub flaky: Vec<FlakyCheck>,
    pub iteration: u32,
    #[serde(rename = "max_iterations")]
    pub iterations_max: u32,
    /// Tasks finished, and how many there are.
    #[serde(skip)]
    pub units: (u32, u32),
    /// Empty where no list is worked off.
    pub tasks: Vec<TaskReport>,
    /// Of the plan, where several workers did them.
    #[serde(skip)]
    pub parts: Vec<PartReport>,
    /// Why one worker does what several could have done.
    #[serde(skip)]
    pub undivided: Option<String>,
    pub active_ms: u64,
    /// Worker and judge together; none where nothing was spent.
    pub cost: Option<Cost>,
    /// What may be spent, in millionths of a US dollar.
    #[serde(skip)]
    pub microdollars_max: Option<u64>,
    /// How often the worker claimed to be done.
    pub claims: u32,
    /// The ways by which a person is reached.
    #[serde(skip)]
    pub channels: Vec<ChannelFacts>,
    /// The folder of the iterations' logs.
    pub logs: String,
    /// The same as a person types it here.
    #[serde(skip)]
    pub logs_shown: String,
    /// What changed since the last review, where it rests for one.
    pub review: Option<ReviewFacts>,
    /// The most likely one first.
    pub next: Vec<NextStep>,
}

/// One check, on the candidate and on the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    pub name: CheckName,
    pub command: String,
    /// None if it has not run on the candidate.
    pub candidate: Option<CheckRun>,
    /// None if it has not run on the base.
    pub base: Option<CheckRun>,
}

/// Somebody's verdict about the candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictReport {
    /// For people, such as `the QA review`.
    pub by: &'static str,
    pub word: JudgeWord,
}

/// A candidate that the judge refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rejected {
    pub iteration: u32,
    pub commit: CommitId,
    /// Why, one line per criterion; the journal does not know it, see [`Summary::explain`].
    pub reasons: Vec<String>,
}

impl Summary {
    pub fn new(
        facts: &Facts,
        history: &History,
        state: &State,
        driver: DriverPresence,
        worktree: &CheckoutChange,
    ) -> Summary {
        let standing = LoopStatus::new(state, driver);
        let evaluated = history.last_evaluated();
        let tasks = tasks::tasks(history, state);
        let ends = tasks.iter().filter_map(|task| task.end.as_ref()).chain(standing.end());
        let unproven = unproven(&standing, history, facts, state).into_iter();
        Summary {
            loop_id: facts.loop_id.clone(),
            handle: facts.handle.clone(),
            goal: facts.title.clone(),
            meaning: meaning(&standing, history, state),
            branch: facts.branch.clone(),
            fork: facts.fork.clone(),
            landing: LandingReport::new(facts, history, state)
                .filter(|_| !is_taken_back(facts, state, worktree)),
            note: facts.note.as_ref().map(|note| text::one_line(&note.text)),
            failure: FailureReport::new(&standing, history.failing.as_ref(), facts),
            refusal: RefusalReport::new(&standing, history, state),
            advice: all_advice(&standing, facts, history, state),
            acts: acts::possible(&standing, facts, state, worktree),
            candidate: evaluated.and_then(|iteration| iteration.candidate()).cloned(),
            questions: QuestionReport::open(state),
            rejected: rejected(&standing, history, state),
            denials: denials(&state.denials),
            checks: check_reports(facts, history, state),
            verdicts: verdicts(evaluated, state),
            feedback: shown_rows(history, state),
            proofs: ends.flat_map(End::proofs).cloned().collect::<BTreeSet<_>>().into_iter().collect(),
            cleared: evaluated.map_or(&[][..], Iteration::cleared).to_vec(),
            unproven: unproven.chain(tasks::unseen(&tasks)).collect(),
            flaky: FlakyCheck::all(state),
            iteration: state.unit.iteration,
            iterations_max: state.iterations_max(),
            units: tasks::counted(state),
            tasks,
            parts: history.parts.clone(),
            undivided: history.undivided.clone(),
            active_ms: state.active_ms,
            cost: Cost::from_spending(&state.spending),
            microdollars_max: state.contract().and_then(|contract| contract.policy.limits.microdollars_max),
            claims: history.claims(),
            channels: facts.channels.clone(),
            logs: facts.logs.clone(),
            logs_shown: facts.logs_shown.clone(),
            review: facts.review.clone(),
            next: next(&standing, facts, state, worktree),
            standing,
        }
    }

    /// The limit is a task's own where there is a list.
    pub(crate) fn iterations_begun(&self) -> String {
        if self.tasks.is_empty() {
            format!("iteration {} of {}", self.iteration, self.iterations_max)
        } else {
            text::iterations(self.iteration)
        }
    }

    /// Adds the judge's reasons, which lie in the iteration's folder.
    pub fn explain(&mut self, iteration: u32, reasons: Vec<String>) {
        if let Some(rejected) = self.rejected.iter_mut().find(|one| one.iteration == iteration) {
            rejected.reasons = reasons;
        }
    }
}

/// The last screen for programs: the end, or why there is none yet, and the next command.
pub fn end_json(summary: &Summary) -> Value {
    let standing = &summary.standing;
    let computed = json!({
        "exit_code": standing.exit_code(),
        "end": standing.end(),
        "pause": standing.pause(),
        "anomaly": standing.anomaly(),
    });
    document(summary, computed)
}

fn meaning(standing: &LoopStatus, history: &History, state: &State) -> String {
    match (standing, history.marker_edit) {
        (LoopStatus::Paused(PauseReason::Asked), Some(edit)) => edit.to_owned(),
        (LoopStatus::Ended(end), _) => how_it_ended(end, state),
        (standing, _) => standing.meaning(),
    }
}

fn all_advice(standing: &LoopStatus, facts: &Facts, history: &History, state: &State) -> Vec<String> {
    let file = refused::feedback_file(standing, facts, history);
    let undone = text::first_of(&facts.undone)
        .map(|named| format!("The worker undid or overwrote your own uncommitted work: {named}."));
    let all = undone.into_iter().chain(advice(standing, facts, state)).chain(file);
    all.chain(unclaimed(facts, history, state)).chain(turns::cold_starts(state)).collect()
}

/// A worker that only says that it is done may not know what counts as a claim.
fn unclaimed(facts: &Facts, history: &History, state: &State) -> Option<String> {
    let claim = format!("`gulf claim done`, or `<promise>{}</promise>` alone on a line", facts.promise);
    let is_unclaimed = state.stall() == Some(Stall::Idle) && history.claims() == 0;
    is_unclaimed.then(|| format!("The worker never claimed to be done: that takes {claim}."))
}

/// In the order in which they are asked.
pub(crate) fn verdicts(evaluated: Option<&Iteration>, state: &State) -> Vec<VerdictReport> {
    let candidate = evaluated.and_then(Iteration::candidate);
    let words = candidate.and_then(|candidate| state.unit.words.get(&candidate.tree));
    let judge = evaluated.and_then(|iteration| iteration.judge.as_ref()).map(|word| ("the judge", word));
    let reviews = words.into_iter().flat_map(|words| &words.reviews).map(|(by, word)| (reviewing(*by), word));
    let all = judge.into_iter().chain(reviews);
    all.map(|(by, word)| VerdictReport { by, word: word.clone() }).collect()
}

/// As many rejections as counted towards the pause.
fn rejected(standing: &LoopStatus, history: &History, state: &State) -> Vec<Rejected> {
    if *standing != LoopStatus::Paused(PauseReason::HumanGate) {
        return Vec::new();
    }
    let count = usize::try_from(state.unit.streaks.rejections).unwrap_or(usize::MAX);
    let all: Vec<&Iteration> = history.rejected().collect();
    let newest = all[all.len().saturating_sub(count)..].iter().filter_map(|iteration| {
        let commit = iteration.candidate()?.commit.clone();
        Some(Rejected { iteration: iteration.number, commit, reasons: Vec::new() })
    });
    newest.collect()
}

pub(crate) fn denials(all: &BTreeMap<String, u32>) -> Vec<Denial> {
    all.iter().map(|(what, times)| Denial { what: what.clone(), times: *times }).collect()
}

/// In the contract's order, and with the command where the runner gave one.
pub(crate) fn check_reports(facts: &Facts, history: &History, state: &State) -> Vec<CheckReport> {
    let runs = history.last_evaluated().map(|iteration| &iteration.checks);
    let report = |CheckTerms { name, .. }: &CheckTerms| CheckReport {
        name: name.clone(),
        command: facts.check_command(name),
        candidate: runs.and_then(|runs| runs.get(name)).cloned(),
        base: state.probes.get(name).cloned(),
    };
    wording::checks(state).map(report).collect()
}
