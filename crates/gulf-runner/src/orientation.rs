//! How much of a fresh context a turn read before it edited anything: taken from the agent's own measures, and told to
//! the turns after it (SPEC G4, G24).
//!
//! Nothing is decided here: the engine counts, and no loop ends of it.

use gulf_agents::agents::{AgentRole, ContextBeforeEdit, ReadingEnd, TurnSession};
use gulf_engine::{Orientation, OrientationEnd};
use gulf_spec::prompts::ColdStarts;

use crate::book::Fold;
use crate::error::Result;
use crate::resources::Resources;

/// Basis points of a whole.
const WHOLE_BP: u64 = 10_000;
/// Basis points of a percent.
const PERCENT_BP: u32 = 100;
/// One turn may have to read much; the second in a row reads what the first one read.
const COLD_STARTS_MIN: u32 = 2;

/// As the engine knows it. A session that goes on does not begin cold.
pub(crate) fn from_context(told: Option<ContextBeforeEdit>, purpose: &AgentRole) -> Option<Orientation> {
    let is_fresh = matches!(purpose, AgentRole::Worker { session: TurnSession::Fresh { .. }, .. });
    let ContextBeforeEdit { tokens, window, until } = told.filter(|_| is_fresh)?;
    let used_bp = tokens.saturating_mul(WHOLE_BP).checked_div(window)?;
    Some(Orientation {
        used_bp: u32::try_from(used_bp).unwrap_or(u32::MAX),
        until: match until {
            ReadingEnd::Edit => OrientationEnd::Edit,
            ReadingEnd::Turn => OrientationEnd::Turn,
        },
    })
}

/// What the next turn is told, where those before it read too much.
pub(crate) fn cold_starts(resources: &Resources, fold: &Fold) -> Result<Option<ColdStarts>> {
    let unit = &fold.state.unit;
    let bp_max = fold.state.contract().and_then(|contract| contract.policy.stuck.orientation_bp_max);
    let (turns, Some(bp_max)) = (unit.streaks.cold_starts, bp_max) else { return Ok(None) };
    if turns < COLD_STARTS_MIN {
        return Ok(None);
    }
    let trees = fold.state.base().zip(unit.trees.last());
    let changed = trees.map(|(base, tree)| resources.repository.differing(&base.tree, tree)).transpose()?;
    let changed = changed.into_iter().flatten().map(|path| path.to_string()).collect();
    Ok(Some(ColdStarts { turns, percent: bp_max / PERCENT_BP, changed }))
}

#[cfg(test)]
mod tests;
