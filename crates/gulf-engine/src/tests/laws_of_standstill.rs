//! The exhaustive search where a person is asked when nothing goes on.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn asking_a_person(change: impl FnOnce(&mut Contract)) -> Contract {
    contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks];
        contract.policy.stuck.then = Standstill::Ask;
        change(contract);
    })
}

// proves: A5
#[test]
fn the_laws_hold_when_the_limit_and_a_standstill_reach_a_person() {
    let contract = asking_a_person(|contract| {
        contract.policy.stuck.same_failure_max = times(2);
        contract.policy.stuck.idle_max = times(2);
    });
    Search::new(contract)
        .with_luck(1, 0, 2)
        .answering(|answers| {
            answers.turns = vec![claiming(), idling()];
            answers.trees = strings(&["base", "a"]);
            answers.probes = vec![red()];
            answers.acts = vec![Act::Cancel, approval(), rejection()];
        })
        .check(&["attested", "cancelled", "verified"], 1_000);
}

// proves: K6
#[test]
fn the_laws_hold_when_only_so_many_turns_may_begin_within_an_hour() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.policy.gates = vec![Gate::Checks];
        contract.policy.limits.turns_per_hour = Some(times(1));
    });
    Search::new(contract)
        .with_luck(1, 1, 1)
        .answering(|answers| {
            answers.turns = vec![claiming(), turn()];
            answers.turn_ms = 1_500_000;
            answers.trees = strings(&["base", "a"]);
            answers.probes = vec![red()];
            answers.acts = vec![Act::Cancel, Act::Pause];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 100);
}

// proves: A7, R8
#[test]
fn the_laws_hold_when_failures_come_back_and_their_cause_is_sought() {
    let contract = asking_a_person(|contract| {
        iterations(contract, 5);
        contract.policy.stuck.recurrences_max = Some(times(4));
        contract.policy.stuck.same_failure_max = times(9);
        contract.policy.stuck.same_candidate_max = times(9);
        contract.policy.stuck.oscillations_max = times(9);
        contract.policy.steps = steps(&[(Step::Cause, StepWhen::AfterRepeatedFailure)]);
    });
    Search::new(contract)
        .with_luck(0, 0, 1)
        .answering(|answers| {
            let vague = StepWord::Incomplete { missing: vec![String::from("ROOT CAUSE")] };
            answers.steps = vec![thought(StepWord::Said), thought(vague)];
            answers.turns = vec![claiming()];
            answers.trees = strings(&["a", "b"]);
            answers.checks = vec![green(), red_like("x"), red_like("y")];
            answers.probes = vec![red()];
        })
        .check(&["attested", "verified"], 1_000);
}

#[test]
fn the_laws_hold_when_work_that_nobody_claimed_goes_to_the_gates_before_it_stands_still() {
    let contract = contract_with(|contract| {
        iterations(contract, 4);
        contract.policy.gates.push(Gate::Judge);
        contract.policy.stuck.idle_max = times(2);
    });
    Search::new(contract)
        .with_luck(1, 0, 1)
        .answering(|answers| {
            answers.turns = vec![idling(), turn()];
            answers.trees = strings(&["base", "a"]);
            answers.overlays = vec![not_shown()];
            answers.judge = vec![approved(), approved_without_evidence(), rejected()];
            answers.acts = vec![Act::Pause, Act::Claim { claim: done() }, rejection()];
        })
        .check(&["attested", "exhausted", "stalled", "verified"], 1_000);
}
