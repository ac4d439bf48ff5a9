//! The four phases of SPEC L2 as a projection of the engine's stages; apart, because status and state files share it.

use gulf_engine::{Research, Stage, State, UnitId, Work};
use serde::Serialize;

/// Where an iteration is (SPEC L2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before the first turn, and while a research brief is all that is asked for.
    Analyze,
    /// The worker works.
    Implement,
    /// The candidate is built, checked and compared.
    Test,
    /// Somebody looks at it: the judge, a person, or the rules that decide what follows.
    Review,
}

impl Phase {
    /// The phase of a loop. After an iteration is settled it stays in review until the next turn begins.
    pub fn of(state: &State) -> Phase {
        match state.stage() {
            Stage::Unsealed => Phase::Analyze,
            Stage::Between(_) if state.running().iter().any(|key| matches!(key.work, Work::Step { .. })) => {
                Phase::Analyze
            }
            Stage::Between(_) if state.unit().iteration == 0 => Phase::Analyze,
            Stage::Between(_) | Stage::Paused(..) | Stage::Ended(_) => Phase::Review,
            Stage::Turn if is_research(state) => Phase::Analyze,
            Stage::Turn | Stage::FollowUp(..) => Phase::Implement,
            Stage::Gates(..) if state.running().iter().any(|key| key.work == Work::Judge) => Phase::Review,
            Stage::Settling(_) | Stage::Gates(..) => Phase::Test,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Phase::Analyze => "analyze",
            Phase::Implement => "implement",
            Phase::Test => "test",
            Phase::Review => "review",
        }
    }
}

fn is_research(state: &State) -> bool {
    let is_gated = state
        .contract()
        .is_some_and(|contract| matches!(contract.policy.research, Research::Gate | Research::Brief));
    is_gated && state.unit().iteration == 1 && state.unit().id == UnitId(0)
}
