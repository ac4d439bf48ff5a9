//! The receipt of an end (DESIGN "The receipt"): what a stranger needs to believe it, or to repeat it.
//!
//! A receipt that was written today is read by every later gulf.

use gulf_engine::{
    Base, Candidate, Cause, CheckName, CheckRun, CheckTerms, Digest, ENGINE_VERSION, End, Feedback, Finding,
    Gate, JudgeWord, LoopId, Overlay, Stage, State, TaskTally,
};
use serde::{Deserialize, Serialize};

use crate::cost::Cost;
use crate::facts::Facts;
use crate::failing::FailureReport;
use crate::history::{History, Iteration};
use crate::json::{VERSION, timestamp};
use crate::landing::LandingReport;
use crate::look::Look;
use crate::loop_status::LoopStatus;
use crate::numbers;
use crate::phrase::{failed, say, secondary, verified};
use crate::screen::item;
use crate::summary::{CheckReport, check_reports};
use crate::tasks::{TaskReport, tasks};
use crate::unproven::undecided;

/// `receipt.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    pub version: u32,
    pub gulf_version: String,
    pub engine_version: u32,
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    pub end: End,
    pub exit_code: u8,
    /// Left out unless the loop ended because its agent was out of reach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureReport>,
    /// RFC 3339.
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
    pub active_ms: u64,
    /// Of the last unit.
    pub iteration: u32,
    /// What the candidate was compared with last.
    pub base: Base,
    /// What became of it on its way onto the base branch; left out where it was not to land.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landing: Option<LandingReport>,
    /// What the gates spoke about; null if the loop ended before there was one.
    pub candidate: Option<Candidate>,
    pub contract: Digest,
    pub goal: Digest,
    /// In the contract's order.
    pub gates: Vec<GateReceipt>,
    pub findings: Vec<Finding>,
    /// Files that are not in the candidate, each with the reason.
    pub left_out: Vec<String>,
    /// Sealed texts that differed in the worktree, without effect.
    pub drifted: Vec<String>,
    /// Criteria, as far as no judge approved them.
    pub criteria_not_proven: Vec<String>,
    pub isolation: Vec<String>,
    /// Questions of gulf-align.md that `--ignore-questions` passed over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions_passed_over: Vec<String>,
    /// Files that were changed while no turn ran, so not by the worker.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edited_between_turns: Vec<String>,
    pub waivers: Vec<Waiver>,
    /// Of a list, in the order in which they are done; left out where the goal is the only unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tasks: Vec<TaskReport>,
    /// Worker and judge together; null where nothing was spent.
    #[serde(default)]
    pub cost: Option<Cost>,
    pub journal: JournalHead,
}

/// One gate's word; null where it was not asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "gate", rename_all = "kebab-case")]
pub enum GateReceipt {
    Check(Box<CheckReceipt>),
    Integrity {
        findings: Option<Vec<Finding>>,
        /// Changes of tests that hide nothing: the base's own tests pass on the candidate's code.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        cleared: Vec<Finding>,
        /// The candidate's tests on the base's code.
        overlay: Option<Overlay>,
    },
    Judge {
        word: Option<JudgeWord>,
    },
    /// What was counted in the list of tasks; that the worker gave its word stands in the journal.
    Tasks {
        tally: Option<TaskTally>,
    },
    /// What was measured of the candidate.
    Feedback {
        measured: Option<Feedback>,
    },
}

/// A check's word, and what is needed to ask it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReceipt {
    pub name: CheckName,
    /// Empty if the runner no longer knows it.
    pub command: String,
    /// Over command, directory, environment and time-out, as sealed.
    pub terms: Digest,
    /// Of the surroundings in which it ran.
    pub environment: Option<Digest>,
    pub candidate: Option<CheckRun>,
    pub base: Option<CheckRun>,
}

/// A person's journalled decision to overrule a gate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiver {
    pub gate: Gate,
    pub reason: String,
}

/// The journal up to the end, so that a later change of it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHead {
    pub sequence: u64,
    /// Over its bytes up to and with that event.
    pub digest: Digest,
}

impl Receipt {
    /// None as long as the loop has not ended.
    pub fn new(
        facts: &Facts,
        gulf_version: &str,
        journal: JournalHead,
        history: &History,
        state: &State,
    ) -> Option<Receipt> {
        let (Some(contract), Stage::Ended(end)) = (state.contract(), &state.stage) else { return None };
        let evaluated = history.last_evaluated();
        let judged = evaluated.and_then(|iteration| iteration.judge.as_ref());
        let gate = |gate: &Gate| match gate {
            Gate::Tasks => vec![GateReceipt::Tasks { tally: state.unit.tally }],
            Gate::Checks => {
                let reports = contract.checks.iter().zip(check_reports(facts, history, state));
                reports.map(|(terms, report)| check(terms, report, history)).collect()
            }
            Gate::Integrity => vec![integrity(evaluated)],
            Gate::Judge => vec![GateReceipt::Judge { word: judged.cloned() }],
            // Not among those that are required before the end.
            Gate::Approach | Gate::Landing => Vec::new(),
            Gate::Feedback => vec![GateReceipt::Feedback {
                measured: evaluated.map(|iteration| numbers::measured(iteration, state)),
            }],
        };
        Some(Receipt {
            version: VERSION,
            gulf_version: gulf_version.to_owned(),
            engine_version: ENGINE_VERSION,
            loop_id: facts.loop_id.clone(),
            exit_code: end.exit_code(),
            failure: FailureReport::new(&LoopStatus::Ended(end.clone()), history.failing.as_ref(), facts),
            end: end.clone(),
            started_at: timestamp(history.started_at_ms),
            ended_at: timestamp(history.updated_at_ms),
            active_ms: state.active_ms,
            iteration: state.unit.iteration,
            base: state.base().unwrap_or(&contract.base).clone(),
            landing: LandingReport::new(facts, history, state),
            candidate: evaluated.and_then(Iteration::candidate).cloned(),
            contract: contract.digest.clone(),
            goal: contract.goal.clone(),
            gates: contract.policy.gates.iter().flat_map(gate).collect::<Vec<GateReceipt>>(),
            findings: evaluated.map_or(&[][..], Iteration::findings).to_vec(),
            left_out: evaluated.map_or(&[][..], Iteration::left_out).to_vec(),
            drifted: evaluated.map_or(&[][..], Iteration::drifted).to_vec(),
            criteria_not_proven: not_proven(end, judged, facts),
            isolation: facts.surroundings.iter().chain(&facts.isolation).cloned().collect(),
            questions_passed_over: facts.passed_over.clone(),
            edited_between_turns: history.edited(),
            waivers: waivers(evaluated),
            tasks: tasks(history, state),
            cost: Cost::from_spending(&state.spending),
            journal,
        })
    }
}

fn check(terms: &CheckTerms, report: CheckReport, history: &History) -> GateReceipt {
    let CheckReport { name, command, candidate, base } = report;
    let (terms, environment) = (terms.digest.clone(), history.environment.clone());
    GateReceipt::Check(Box::new(CheckReceipt { name, command, terms, environment, candidate, base }))
}

/// The rubric's and those of tasks.
fn not_proven(end: &End, judged: Option<&JudgeWord>, facts: &Facts) -> Vec<String> {
    let of_task = |cause: &Cause| {
        let Cause::TaskNotJudged { task, .. } = cause else { return None };
        facts.task_criteria.get(task).cloned()
    };
    let of_rubric = undecided(judged, facts).map(|open| open.each).unwrap_or_default();
    of_rubric.into_iter().chain(end.causes().iter().filter_map(of_task).flatten()).collect()
}

/// The judge is the only gate that a person can overrule.
fn waivers(evaluated: Option<&Iteration>) -> Vec<Waiver> {
    let reason = evaluated.and_then(|iteration| iteration.waived.clone());
    reason.map(|reason| Waiver { gate: Gate::Judge, reason }).into_iter().collect()
}

fn integrity(evaluated: Option<&Iteration>) -> GateReceipt {
    let compared = evaluated.filter(|iteration| iteration.integrity.is_some());
    let findings = compared.map(|iteration| iteration.findings().to_vec());
    let cleared = compared.map_or(&[][..], Iteration::cleared).to_vec();
    let overlay = evaluated.and_then(|iteration| iteration.overlay.clone());
    GateReceipt::Integrity { findings, cleared, overlay }
}

// What agrees and what differs between a commit's receipt and what was found here.

/// Every point of a receipt that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ReceiptComparison {
    pub commit: String,
    pub agrees: Vec<String>,
    pub differs: Vec<String>,
    /// What cannot be told here, and what is no difference.
    pub told: Vec<String>,
}

impl ReceiptComparison {
    /// Does anything speak against the receipt?
    pub fn holds(&self) -> bool {
        self.differs.is_empty()
    }
}

/// The comparison as lines, each with its line end.
pub fn receipt_comparison(found: &ReceiptComparison, look: Look) -> String {
    let word = if found.holds() {
        verified("receipt holds").say(": what can be repeated here says the same, of commit ")
    } else {
        failed("receipt differs").say(": do not rely on it, of commit ")
    };
    let mut screen = word.literal(&found.commit).paragraph(look, 2);
    let differs = |line: &String| failed("differs").say(format!("  {line}"));
    screen.extend(found.differs.iter().map(|line| item(differs(line), look)));
    screen.extend(found.agrees.iter().map(|line| item(say(format!("agrees   {line}")), look)));
    screen.extend(found.told.iter().map(|line| item(secondary(format!("note     {line}")), look)));
    screen
}
