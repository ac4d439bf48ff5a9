//! What effects cost: told by the agent, priced by the table, or assumed where nobody tells (SPEC B12).

use std::cell::Cell;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::copilot::{self, SessionUsage};
use gulf_agents::agents::{self, SpendingIn, SumSpan, TurnReport, TurnUsage as Told, prices};
use gulf_engine::{Basis, Limits, Spent};
use gulf_host::{files, programs};

use crate::agreement::{AgentTerms, Agreement};
use crate::book::Fold;
use crate::error::Result;

/// Year, month, day, file.
const ROLLOUT_DEPTH: usize = 4;
/// So many sessions are looked through.
const ROLLOUT_FILES_MAX: usize = 100_000;
const ROLLOUT_BYTES_MAX: u64 = 256 << 20;
const SUMS_BYTES_MAX: u64 = 16 << 20;

/// What one effect has cost so far; whatever becomes of the effect, it was spent.
#[derive(Debug, Default)]
pub struct SpendingMeter {
    spent: Cell<Option<Spent>>,
}

impl SpendingMeter {
    /// Adds what one process cost, where it cost anything.
    pub fn pay(&self, more: Option<Spent>) {
        self.spent.set(self.spent.get().into_iter().chain(more).reduce(Spent::plus));
    }

    /// Everything that was paid, if anything was.
    pub fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }
}

/// What a process is taken to have cost that does not tell; nothing where no budget counts it.
pub(crate) fn assumed(agreement: &Agreement) -> Option<Spent> {
    let (limits, assumed) = (&agreement.policy.limits, &agreement.agent.assumed);
    let (microdollars, tokens) = (assumed.microdollars, assumed.tokens);
    let counts = limits.microdollars_max.is_some() || limits.tokens_max.is_some();
    counts.then_some(Spent { microdollars, tokens, basis: Basis::Assumed })
}

/// Said before the start where one turn of an agent that tells nothing is taken for more than the whole budget.
pub(crate) fn note_of_assumed(agent: &AgentTerms, limits: &Limits) -> Option<String> {
    let assumed = &agent.assumed;
    let keys = [
        (limits.microdollars_max, assumed.microdollars, "limits.assumed_cost"),
        (limits.tokens_max, assumed.tokens, "limits.assumed_tokens"),
    ];
    let over = keys.into_iter().find(|(max, assumed, _)| max.is_some_and(|max| max < *assumed));
    let (.., key) = over.filter(|_| agent.tool.known().is_none())?;
    Some(format!(
        "an agent command does not tell what a turn cost: each counts as `{key}`, which is more than this loop's budget, \
         so no second iteration begins"
    ))
}

/// How much of a session gulf has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionSeen {
    /// Its sum holds nothing but the turn in hand.
    FromItsBeginning,
    /// Its sum may hold turns that were counted before, or never.
    FromLaterOn,
}

/// What an agent told of its spending, in the rules' words.
///
/// A sum over a whole session of which gulf did not see the beginning counts in full: unknown is never good news.
pub(crate) fn spent(told: &Told, model: Option<&str>, seen: SessionSeen) -> Spent {
    let tokens = told.usage.tokens();
    let spent = |microdollars, basis| Spent { microdollars, tokens, basis };
    let is_whole = told.span == SumSpan::Turn || seen == SessionSeen::FromItsBeginning;
    let of_agent = told.microdollars.map(|microdollars| (microdollars, Basis::Told));
    match of_agent.or_else(|| Some((prices::cost(model?, told.usage)?, Basis::Priced))) {
        Some((microdollars, basis)) if is_whole => spent(microdollars, basis),
        Some((microdollars, _)) => spent(microdollars, Basis::Assumed),
        None => spent(prices::dearest(told.usage), Basis::Assumed),
    }
}

/// What a process cost, by its report. The model is the one it told, else the one it was asked to take: a judge of Codex
/// leaves no file that tells.
pub(crate) fn of_report(
    agreement: &Agreement,
    report: &TurnReport,
    asked: Option<&String>,
    seen: SessionSeen,
    started: bool,
) -> Option<Spent> {
    let model = report.model.as_ref().or(asked).map(String::as_str);
    match &report.spent {
        Some(told) => Some(spent(told, model, seen)),
        // It began, and was cut off before it told: what was asked of the model was paid for.
        None if started => assumed(agreement),
        None => None,
    }
}

/// What an agent tells of its spending elsewhere than in its stream.
#[derive(Debug)]
pub(crate) enum Account {
    InStream,
    /// Codex keeps a file of each session.
    Rollout,
    /// Copilot CLI writes what its session used so far, when it ends.
    Sums {
        path: Utf8PathBuf,
        before: SessionUsage,
    },
}

impl Account {
    /// Before the process starts. A file of the turn before is taken away, so that one that is there afterwards is new.
    pub(crate) fn open(tool: agents::Tool, beside: &str) -> Result<Self> {
        match tool.descriptor().spending {
            SpendingIn::Stream => Ok(Self::InStream),
            SpendingIn::SessionFile => Ok(Self::Rollout),
            SpendingIn::UsageFile => {
                let path = Utf8PathBuf::from(copilot::usage_file(beside));
                let before = sums(&path).unwrap_or_default();
                files::remove_file(&path)?;
                Ok(Self::Sums { path, before })
            }
        }
    }

    /// After its end: the report, with what is told elsewhere.
    pub(crate) fn close(&self, report: TurnReport, codex_home: Option<&Utf8Path>) -> TurnReport {
        match self {
            Self::InStream => report,
            Self::Rollout => {
                let kept = codex_home.zip(report.session.as_ref());
                match kept.and_then(|(home, session)| rollout(home, session)) {
                    Some(bytes) => agents::codex::rollout(&bytes).refine(report),
                    None => report,
                }
            }
            Self::Sums { path, before } => match sums(path) {
                Some(sums) => sums.refine(before, report),
                None => report,
            },
        }
    }
}

fn sums(path: &Utf8Path) -> Option<SessionUsage> {
    copilot::usage(&files::read_bytes(path, SUMS_BYTES_MAX).ok()?)
}

/// The file that Codex keeps of a session, if it is to be found below its home.
fn rollout(home: &Utf8Path, session: &str) -> Option<Vec<u8>> {
    let ending = format!("-{session}.jsonl");
    let sessions = home.join("sessions");
    let mut found = programs::list(&sessions, ROLLOUT_DEPTH, ROLLOUT_FILES_MAX);
    found.retain(|path| path.ends_with(&ending));
    files::read_bytes(&sessions.join(found.last()?), ROLLOUT_BYTES_MAX).ok()
}

/// How long a worker may take, and what it may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    pub wall: Duration,
    pub microdollars_max: Option<u64>,
}

impl Allowance {
    /// All that is left of the loop's, for one worker.
    pub(crate) fn whole(agreement: &Agreement, fold: &Fold) -> Self {
        let left = |deadline_ms: u64| deadline_ms.saturating_sub(fold.state.active_ms);
        let left_ms = fold.state.deadline_ms().map_or(u64::MAX, left);
        let wall = Duration::from_millis(left_ms.min(agreement.agent.timeout_ms));
        Self { wall, microdollars_max: left_microdollars(fold) }
    }
}

/// What is left of the loop's money.
pub(crate) fn left_microdollars(fold: &Fold) -> Option<u64> {
    let max = fold.state.contract()?.policy.limits.microdollars_max?;
    Some(max.saturating_sub(fold.state.spending.total.microdollars))
}

#[cfg(test)]
mod tests;
