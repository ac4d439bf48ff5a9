//! What came of one iteration, in half a line.

use crate::history::Iteration;
use crate::question::QuestionKind;
use crate::{text, wording};
use gulf_engine::{CheckName, Claim, TurnOutcome};

/// `printed` is the last line of a check, where somebody looked it up.
pub(crate) fn notes<'printed>(
    iteration: &Iteration,
    printed: impl Fn(&CheckName) -> Option<&'printed str>,
) -> String {
    let mut notes = Vec::new();
    if iteration.unit.0 > 0 {
        notes.push(format!("task {}", u64::from(iteration.unit.0) + 1));
    }
    if iteration.attempts > 1 {
        notes.push(format!("attempt {}", iteration.attempts));
    }
    if let Some(turn) = &iteration.turn {
        notes.extend(outcome(&turn.outcome));
    }
    notes.push(match (&iteration.claim, &iteration.turn) {
        (Some(claim), _) => claimed(claim),
        (None, Some(_)) => "no claim".to_owned(),
        (None, None) => "under way".to_owned(),
    });
    notes.extend(iteration.settlement.map(|settlement| wording::settled(settlement).to_owned()));
    notes.extend(iteration.end.as_ref().map(|end| end.word().to_owned()));
    let failed = iteration.checks.iter();
    notes.extend(failed.filter_map(|(name, run)| wording::failed_check(name, run, printed(name))));
    notes.join("; ")
}

fn outcome(outcome: &TurnOutcome) -> Option<String> {
    match outcome {
        TurnOutcome::Completed => None,
        TurnOutcome::Failed { .. } => Some("the agent failed".to_owned()),
        TurnOutcome::TimedOut => Some("the turn timed out".to_owned()),
        TurnOutcome::RateLimited { wait_ms: 0 } => Some("the agent's provider asked for a wait".to_owned()),
        TurnOutcome::RateLimited { wait_ms } => {
            Some(format!("the agent's provider asked for a wait of {}", text::duration(*wait_ms)))
        }
        TurnOutcome::ContextFull => Some("the agent's context was full".to_owned()),
        TurnOutcome::OutOfBudget => Some("the budget was used up".to_owned()),
        TurnOutcome::NeedsPerson { why } => Some(format!("the agent needs a person: {why}")),
        TurnOutcome::Declined { why } => Some(format!("the model declined: {}", text::first_line(why))),
    }
}

fn claimed(claim: &Claim) -> String {
    let asked = QuestionKind::from_claim(claim).zip(claim.question());
    asked.map_or_else(
        || "claimed done".to_owned(),
        |(kind, question)| format!("{}: {}", kind.past, text::first_line(&question.text)),
    )
}
