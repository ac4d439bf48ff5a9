//! What the agent came to last, where a loop ended because it was out of reach: its exit code and its own last words.
//!
//! The words are a program's, shown as such, and nothing is decided on them.

use crate::facts::Facts;
use crate::look::{Look, Tone};
use crate::loop_status::LoopStatus;
use crate::phrase::{Phrase, attention, secondary};
use crate::screen::{heading, item};
use crate::text;
use gulf_engine::{EffectKey, EffectKind, EffectResult, End, Party, StepEnd, Turn, TurnOutcome};
use serde::{Deserialize, Serialize};

/// What helps an agent that says so.
const KEPT_OUT: &str =
    "behind walls your home is there to read: `agent.reach` in gulf.toml names what the agent writes there";
/// More lines say no more.
const LINES_MAX: usize = 6;

/// Turns of the agent that came to nothing, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingTurns {
    /// The last of them.
    pub key: EffectKey,
    exit: Option<i32>,
    times: u32,
}

impl FailingTurns {
    /// What the end of an effect adds to what was failing before it.
    pub(crate) fn after(before: Option<Self>, key: &EffectKey, result: &EffectResult) -> Option<Self> {
        let is_agents = matches!(key.work, EffectKind::Turn | EffectKind::FollowUp | EffectKind::Step { .. });
        let exit = match result {
            EffectResult::Turn(Turn { outcome, .. }) | EffectResult::Step(StepEnd { outcome, .. }) => {
                match outcome {
                    TurnOutcome::Completed => return None,
                    TurnOutcome::Failed { exit } => *exit,
                    TurnOutcome::TimedOut | TurnOutcome::RateLimited { .. } => None,
                    TurnOutcome::ContextFull | TurnOutcome::OutOfBudget => None,
                    TurnOutcome::NeedsPerson { .. } | TurnOutcome::Declined { .. } => None,
                }
            }
            EffectResult::Failed { .. } if is_agents => None,
            EffectResult::Failed { .. } | EffectResult::Interrupted => return before,
            EffectResult::NeedsPerson { .. } => return before,
            EffectResult::Snapshot(_) | EffectResult::Check(_) | EffectResult::Integrity(_) => return before,
            EffectResult::Overlay(_) | EffectResult::Judge(_) | EffectResult::Landing(_) => return before,
            EffectResult::Closed { .. } => return before,
        };
        let times = before.map_or(0, |before| before.times).saturating_add(1);
        Some(Self { key: key.clone(), exit, times })
    }
}

/// What it came to, for people and programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureReport {
    pub iteration: u32,
    /// How often in a row.
    pub times: u32,
    /// Of the last time; null where it was stopped, or never started.
    pub exit_code: Option<i32>,
    /// Of its stderr, or what its protocol says; empty where it said nothing, or where that is gone.
    pub last_words: Vec<String>,
}

impl FailureReport {
    /// None unless the agent's failing is what ended the loop.
    pub(crate) fn new(standing: &LoopStatus, failing: Option<&FailingTurns>, facts: &Facts) -> Option<Self> {
        let LoopStatus::Ended(End::Unavailable { party: Party::Agent, .. }) = standing else { return None };
        let FailingTurns { key, exit, times } = failing?;
        let lines = facts.last_words.iter().map(|line| text::one_line(line)).filter(|line| !line.is_empty());
        let lines: Vec<String> =
            lines.map(|line| text::cut_bytes(&line, text::LINE_BYTES_MAX).into_owned()).collect();
        let unseen = lines.len().saturating_sub(LINES_MAX);
        let last_words = lines.into_iter().skip(unseen).collect();
        Some(Self { iteration: key.iteration, times: *times, exit_code: *exit, last_words })
    }

    /// Was it kept from writing?
    fn is_kept_out(&self) -> bool {
        let says = |line: &String| ["Read-only file system", "EROFS"].iter().any(|word| line.contains(word));
        self.last_words.iter().any(says)
    }

    /// How often, and with which exit code: `it failed 6 times in a row, the last time with exit code 7`.
    pub fn sentence(&self) -> String {
        let exit = self.exit_code.map_or_else(String::new, |code| format!("with exit code {code}"));
        match (self.times, exit.as_str()) {
            (0 | 1, "") => "it failed".to_owned(),
            (0 | 1, exit) => format!("it failed {exit}"),
            (times, "") => format!("it failed {times} times in a row"),
            (times, exit) => format!("it failed {times} times in a row, the last time {exit}"),
        }
    }

    /// What stands above its last words.
    pub(crate) fn heading(&self) -> Phrase {
        let said = if self.last_words.is_empty() { ", without a message" } else { "; its last words" };
        let failed = attention(format!("the agent, in iteration {}: {}", self.iteration, self.sentence()));
        failed.attention(said)
    }
}

/// Below the decisive fact: how the agent failed, and what it said last.
pub(crate) fn block(failure: Option<&FailureReport>, look: Look) -> String {
    let Some(failure) = failure else { return String::new() };
    let words = failure.last_words.iter().map(|line| item(secondary("│ ").quote(Tone::Plain, line), look));
    let walls = failure.is_kept_out().then(|| item(secondary(KEPT_OUT), look));
    heading(failure.heading(), look) + &words.chain(walls).collect::<String>()
}
