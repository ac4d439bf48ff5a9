//! The exhaustive search over loops that work through a list: no end without both conditions.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

// proves: K2
#[test]
fn the_laws_hold_with_a_list_of_tasks() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        with_exit(contract);
        contract.policy.follow_up = FollowUp::Once;
    });
    Search::new(contract)
        .with_luck(1, 0, 1)
        .answering(|answers| {
            answers.turns = vec![in_session(), claiming(), Turn { claim: Some(done()), ..failing() }];
            answers.follow_ups = vec![turn(), claiming()];
            answers.trees = strings(&["a"]);
            answers.probes = vec![red()];
            answers.tallies = vec![None, tally(0, 0), tally(1, 0), tally(0, 1)];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 10_000);
}

// proves: K2
#[test]
fn the_laws_hold_with_a_list_of_tasks_and_a_judge_at_every_stop() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        with_exit(contract);
        contract.policy.gates.push(Gate::Judge);
        contract.policy.judge = JudgeWhen::Every;
    });
    Search::new(contract)
        .with_luck(0, 0, 1)
        .answering(|answers| {
            answers.trees = strings(&["base", "a"]);
            answers.probes = vec![red()];
            answers.tallies = vec![tally(0, 0), tally(1, 0)];
            answers.acts = vec![approval()];
        })
        .check(&["attested", "exhausted", "verified"], 900);
}
