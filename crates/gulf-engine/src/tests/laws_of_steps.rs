//! The exhaustive search where something is thought about before a turn.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn planned(change: impl FnOnce(&mut Contract)) -> Contract {
    contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks];
        contract.policy.steps = steps(&[
            (Step::Plan, StepWhen::First),
            (Step::Criticize, StepWhen::First),
            (Step::Cause, StepWhen::AfterRefusal),
        ]);
        change(contract);
    })
}

// proves: A3, A7
#[test]
fn the_laws_hold_when_a_plan_is_criticized_and_a_cause_is_sought() {
    Search::new(planned(|_| {}))
        .with_luck(1, 1, 1)
        .answering(|answers| {
            let vague = StepWord::Incomplete { missing: vec![String::from("ROOT CAUSE")] };
            answers.steps = vec![thought(StepWord::Said), thought(vague), objected()];
            answers.turns = vec![claiming()];
            answers.trees = strings(&["a"]);
            answers.probes = vec![red()];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 24_000);
}

#[test]
fn the_laws_hold_when_nobody_can_think() {
    let contract = planned(|contract| {
        contract.policy.steps = steps(&[(Step::Analyze, StepWhen::Every)]);
        contract.policy.limits.active_ms_max = Some(60);
        contract.policy.limits.microdollars_max = Some(3);
        contract.policy.retries.backoff_ms = 4;
    });
    Search::new(contract)
        .with_luck(1, 0, 1)
        .with_waits(1)
        .answering(|answers| {
            answers.steps = vec![
                thought(StepWord::Said),
                thoughtless(TurnOutcome::Failed { exit: Some(1) }),
                thoughtless(TurnOutcome::RateLimited { wait_ms: 30 }),
                thoughtless(TurnOutcome::NeedsPerson { why: String::from("not logged in") }),
                thoughtless(TurnOutcome::OutOfBudget),
            ];
            answers.costs = vec![cost(1, 1)];
            answers.turns = vec![claiming()];
            answers.trees = strings(&["a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.acts =
                vec![Act::Pause, Act::Claim { claim: need_decision("which?") }, answer("so"), approval()];
        })
        .check(&["exhausted", "unavailable", "verified"], 4_100);
}
