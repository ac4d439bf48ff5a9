//! Why the last candidate was refused: the first thing that a person wants to know of a loop that did not get there.
//!
//! The journal says who refused it. What they said lies in the loop's folder: whoever shows it looks the words up.

use gulf_engine::{
    Baseline, CheckName, CheckRun, End, Gate, JudgeWord, PauseReason, Reviewer, Settlement, State, TreeId,
};
use serde::Serialize;

use crate::facts::Facts;
use crate::gates::{self, refusal};
use crate::history::{History, Iteration, PersonAct};
use crate::look::{Look, Tone};
use crate::loop_status::LoopStatus;
use crate::phrase::{failed, say, secondary};
use crate::screen::heading;
use crate::text;
use crate::wording::{self, reviewing};

/// So many of a program's last lines; more is in its log.
const LINES_MAX: usize = 10;
/// How far what was said stands in.
const INDENT: usize = 4;

/// What was said no to, and by whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusalReport {
    pub of: Objected,
    pub iteration: u32,
    pub reasons: Vec<RefusalReason>,
}

/// What was said no to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Objected {
    /// The last candidate that was looked at; its iteration is settled.
    Candidate,
    /// It rests before its iteration is settled.
    InHand,
    /// Nothing was said of a candidate, and checks failed before the loop began.
    Base,
}

/// One no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusalReason {
    #[serde(skip)]
    pub by: Refuser,
    /// In one line: `check cargo test: FAILED exit 101`.
    pub what: String,
    /// What was printed or answered, a line each; the journal does not know it, see [`RefusalReport::reasons`].
    pub words: Vec<String>,
}

/// Where the words of a no are to be looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refuser {
    Check {
        name: CheckName,
        tree: TreeId,
    },
    Judge,
    Reviewer {
        by: Reviewer,
    },
    /// A rule or a person: the line says it all.
    Rule,
}

impl RefusalReport {
    /// None where nothing was refused, and where the end or the pause says why by itself.
    pub(crate) fn new(standing: &LoopStatus, history: &History, state: &State) -> Option<Self> {
        if !leaves_open(standing) {
            return None;
        }
        let evaluated = history.last_evaluated();
        let said = evaluated.map(|iteration| (iteration, reasons(iteration, history, state)));
        if let Some((iteration, reasons)) = said
            && !reasons.is_empty()
        {
            let is_settled = iteration.settlement.is_some() || iteration.end.is_some();
            let of = if is_settled { Objected::Candidate } else { Objected::InHand };
            return Some(Self { of, iteration: iteration.number, reasons });
        }
        let reasons = on_base(evaluated, state);
        let iteration = state.unit.iteration;
        (!reasons.is_empty()).then_some(Self { of: Objected::Base, iteration, reasons })
    }

    pub(crate) fn heading(&self) -> String {
        match self.of {
            Objected::Candidate => format!("refused in iteration {}", self.iteration),
            Objected::InHand => format!("iteration {} does not pass yet", self.iteration),
            Objected::Base => "failed before the loop began, and did not run since".to_owned(),
        }
    }
}

impl RefusalReason {
    /// With the last of these words.
    pub fn say(&mut self, words: &str) {
        let lines = text::spoken_lines(words);
        let unseen = lines.len().saturating_sub(LINES_MAX);
        self.words = lines[unseen..].iter().map(|line| text::quoted_line(line)).collect();
    }
}

/// Does the decisive sentence not say what is wrong with the work?
fn leaves_open(standing: &LoopStatus) -> bool {
    let is_end = matches!(standing, LoopStatus::Ended(End::Exhausted { .. } | End::Stalled { .. }));
    is_end || standing.pause().is_some_and(rest_leaves_open)
}

fn rest_leaves_open(reason: PauseReason) -> bool {
    // The others show every rejection, the question, or what a person has to put right.
    matches!(reason, PauseReason::Asked | PauseReason::Milestone | PauseReason::Review)
        || matches!(reason, PauseReason::NoVerdict | PauseReason::Stuck | PauseReason::Limit)
        || matches!(reason, PauseReason::TaskLimit | PauseReason::Idle | PauseReason::HostLimit)
}

fn reasons(iteration: &Iteration, history: &History, state: &State) -> Vec<RefusalReason> {
    let by_check = |(name, run): (&CheckName, &CheckRun)| {
        let by = Refuser::Check { name: name.clone(), tree: iteration.candidate()?.tree.clone() };
        let word = wording::check_word(run).to_plain_text();
        Some(reason(by, format!("check {name}: {word}") + gates::beside(name, state)))
    };
    let red = iteration.checks.iter().filter(|(_, run)| !run.is_green());
    let mut reasons: Vec<RefusalReason> = red.filter_map(by_check).collect();
    let said_no = |who: &str, word: &JudgeWord| match word {
        JudgeWord::Rejected { .. } => Some(format!("rejected by {who}")),
        JudgeWord::NoVerdict => Some(format!("no verdict from {who}")),
        JudgeWord::Approved { .. } | JudgeWord::Unreachable { .. } => None,
        JudgeWord::NeedsPerson { .. } | JudgeWord::RateLimited { .. } => None,
    };
    if let Some(no) = iteration.judge.as_ref().and_then(|word| said_no("the judge", word)) {
        reasons.push(reason(Refuser::Judge, no));
    }
    let words = iteration.candidate().and_then(|candidate| state.unit.words.get(&candidate.tree));
    for (by, word) in words.into_iter().flat_map(|words| &words.reviews) {
        if let Some(no) = said_no(reviewing(*by), word) {
            reasons.push(reason(Refuser::Reviewer { by: *by }, no));
        }
    }
    reasons.extend(by_rule(iteration, history, state).map(|what| reason(Refuser::Rule, what)));
    reasons
}

/// Checks that failed before the loop began, and said nothing since.
fn on_base(evaluated: Option<&Iteration>, state: &State) -> Vec<RefusalReason> {
    let has_word = |name: &CheckName| evaluated.is_some_and(|one| one.checks.contains_key(name));
    let Some(base) = state.base() else { return Vec::new() };
    let unaccepted =
        wording::checks(state).filter(|terms| terms.baseline == Baseline::Refused && !has_word(&terms.name));
    let red = unaccepted.filter_map(|terms| Some((terms, state.probes.get(&terms.name)?)));
    red.filter(|(_, run)| !run.is_green())
        .map(|(terms, run)| {
            let by = Refuser::Check { name: terms.name.clone(), tree: base.tree.clone() };
            let word = wording::check_word(run).to_plain_text();
            reason(by, format!("check {} on the base: {word}", terms.name))
        })
        .collect()
}

/// What no check and no judge said.
fn by_rule(iteration: &Iteration, history: &History, state: &State) -> Option<String> {
    match iteration.settlement? {
        Settlement::Refused { gate: Gate::Checks | Gate::Judge } => None,
        Settlement::Refused { gate } => Some(refusal(gate, state)),
        Settlement::Rejected => {
            let said = history.acts.iter().rev().find_map(|one| {
                let PersonAct::Rejected { reason } = &one.act else { return None };
                Some(text::one_line(reason))
            });
            Some(format!("rejected by a person: {}", said.unwrap_or_default()))
        }
        Settlement::Asked => {
            let found = iteration.integrity.as_ref().filter(|word| !word.findings.is_empty());
            let unseen = || iteration.overlay.as_ref().map(wording::overlay);
            let word = found.map(wording::compared).or_else(unseen).map(|word| word.to_plain_text());
            Some(word.unwrap_or_else(|| "nothing was seen to fail without the change".to_owned()))
        }
        Settlement::Unclaimed | Settlement::NeedsPerson | Settlement::Questioned => None,
        Settlement::Blocked | Settlement::RateLimited | Settlement::Unjudged | Settlement::Research => None,
        Settlement::AgentFailed | Settlement::Declined | Settlement::Approved | Settlement::Steered => None,
    }
}

fn reason(by: Refuser, what: String) -> RefusalReason {
    RefusalReason { by, what, words: Vec::new() }
}

/// Where every rejection is written down, of a loop that is not seen to have succeeded.
pub(crate) fn feedback_file(standing: &LoopStatus, facts: &Facts, history: &History) -> Option<String> {
    if standing.is_running() || standing.is_success() || history.rejected().next().is_none() {
        return None;
    }
    let worktree = facts.branch.as_ref().and_then(|branch| branch.worktree.as_deref());
    let file = worktree.map_or_else(String::new, |worktree| format!("{worktree}/")) + "JUDGE_FEEDBACK.md";
    Some(format!("{file} lists every rejection with its reason."))
}

/// Below the decisive fact: who refused it, each with the words.
pub(crate) fn block(refusal: Option<&RefusalReport>, look: Look) -> String {
    let Some(refusal) = refusal else { return String::new() };
    let mut screen = heading(failed(refusal.heading()), look);
    for RefusalReason { what, words, .. } in &refusal.reasons {
        screen.push_str(&say("  ").say(what).paragraph(look, INDENT));
        for line in words {
            let line = secondary("    │ ").quote(Tone::Plain, line);
            screen.push_str(&line.paragraph(look, INDENT + 2));
        }
    }
    screen
}
