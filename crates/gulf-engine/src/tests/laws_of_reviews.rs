//! The exhaustive search where others are asked beside the judge.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn reviewed(change: impl FnOnce(&mut Contract)) -> Contract {
    contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.reviewers = vec![Reviewer::Qa];
        change(contract);
    })
}

// proves: A4
#[test]
fn the_laws_hold_when_a_reviewer_speaks_beside_the_judge() {
    Search::new(reviewed(|_| {}))
        .with_luck(2, 1, 1)
        .answering(|answers| {
            answers.turns = vec![claiming()];
            answers.judge = vec![approved(), rejected()];
            answers.trees = strings(&["a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.acts = vec![Act::Pause, approval()];
        })
        .check(&["attested", "exhausted", "verified"], 1_000);
}

#[test]
fn the_laws_hold_when_reviewers_are_silent_or_out_of_reach() {
    let contract = reviewed(|contract| {
        iterations(contract, 1);
        contract.policy.limits.active_ms_max = Some(60);
        contract.policy.limits.microdollars_max = Some(4);
        contract.policy.retries.backoff_ms = 4;
    });
    Search::new(contract)
        .with_luck(0, 1, 1)
        .with_waits(1)
        .answering(|answers| {
            answers.turns = vec![claiming()];
            answers.judge =
                vec![approved(), JudgeWord::NoVerdict, unreachable(), JudgeWord::RateLimited { wait_ms: 20 }];
            answers.costs = vec![cost(1, 1)];
            answers.trees = strings(&["a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
        })
        .check(&["exhausted", "unavailable", "verified"], 1_000);
}
