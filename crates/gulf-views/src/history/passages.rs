//! What a loop passed through, in its order: steps, results of iterations, rests, the end.
//!
//! It stands apart from the iterations because these say how each came out at last, and here nothing is overwritten.

use super::History;
use gulf_engine::{
    CheckName, EffectResult, End, Event, Fact, PartWord, PauseReason, Settlement, Step, StepEnd, Work,
};

/// One thing that is over, and the iteration that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Counted from 1 across the units; a step belongs to the one that it precedes.
    pub iteration: u32,
    pub what: Passed,
}

/// What it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// Something was thought about.
    Step { step: Step, end: StepEnd },
    /// A step of a divided plan stands on the loop's branch, or stays out.
    Part { id: String, word: PartWord },
    /// An iteration came out so, with these checks red.
    Settled { settlement: Settlement, red: Vec<CheckName> },
    /// A person had to look.
    Paused { reason: PauseReason },
    /// The loop, or a task of its list.
    Ended { end: End },
}

impl History {
    /// What was done to the marker by which the loop was asked to rest, since it last went on.
    pub fn marker_edit(&self) -> Option<&'static str> {
        self.marker_edit
    }

    /// The last event's sequence number; 0 without events.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// All that is over, the oldest first.
    pub fn passages(&self) -> &[Passage] {
        &self.passages
    }

    pub(super) fn pass(&mut self, event: &Event) {
        let last = self.iterations.last();
        let mut iteration = last.map_or(0, |last| last.number);
        let what = match &event.fact {
            Fact::Ended { key, result: EffectResult::Step(end) } => {
                let Work::Step { step } = key.work else { return };
                iteration = key.iteration;
                Passed::Step { step, end: end.clone() }
            }
            Fact::PartTold { id, word: word @ (PartWord::Joined | PartWord::LeftOut { .. }) } => {
                Passed::Part { id: id.clone(), word: word.clone() }
            }
            Fact::Settled { settlement } => {
                let runs = last.into_iter().flat_map(|last| &last.checks);
                let red = runs.filter(|(_, run)| !run.is_green()).map(|(name, _)| name.clone()).collect();
                Passed::Settled { settlement: *settlement, red }
            }
            Fact::Paused { reason } => Passed::Paused { reason: *reason },
            Fact::UnitFinished { end } | Fact::UnitSkipped { why: end, .. } | Fact::Finished { end } => {
                Passed::Ended { end: end.clone() }
            }
            Fact::Ended { .. }
            | Fact::Attached { .. }
            | Fact::Began { .. }
            | Fact::Reopened { .. }
            | Fact::Claimed { .. }
            | Fact::Spent { .. }
            | Fact::FeedbackTold { .. }
            | Fact::Steered { .. }
            | Fact::Rejected { .. }
            | Fact::Amended { .. }
            | Fact::Approved { .. }
            | Fact::LandingAsked { .. }
            | Fact::LandingTold { .. }
            | Fact::Discarded { .. }
            | Fact::Answered { .. }
            | Fact::Divided { .. }
            | Fact::Edited { .. }
            | Fact::Researched { .. }
            | Fact::PartTold { word: PartWord::Begun, .. }
            | Fact::Sealed { .. }
            | Fact::Bound { .. }
            | Fact::Adopted { .. }
            | Fact::PauseAsked
            | Fact::CancelAsked
            | Fact::Outrun
            | Fact::Resumed
            | Fact::StrategyReset
            | Fact::Woke
            | Fact::Decided { .. }
            | Fact::Taken { .. }
            | Fact::Refused { .. }
            | Fact::TailDropped { .. } => return,
        };
        self.passages.push(Passage { iteration, what });
    }
}
