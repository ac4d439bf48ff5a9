//! The exhaustive search where people, money, providers and sessions have a say; each test is one kind of contract.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn judged(contract: &mut Contract) {
    contract.checks.clear();
    contract.policy.gates = vec![Gate::Judge];
}

#[test]
fn the_laws_hold_when_money_and_tokens_are_short() {
    for (reserve, states_min) in [(Reserve::Nothing, 38_000), (Reserve::DearestIteration, 16_000)] {
        let contract = contract_with(|contract| {
            iterations(contract, 3);
            judged(contract);
            contract.policy.limits.microdollars_max = Some(5);
            contract.policy.limits.tokens_max = Some(7);
            contract.policy.limits.reserve = reserve;
            contract.policy.follow_up = FollowUp::Once;
        });
        let out_of_budget = ending_as(TurnOutcome::OutOfBudget);
        Search::new(contract)
            .with_luck(1, 0, 1)
            .answering(|answers| {
                answers.turns = vec![in_session(), claiming(), out_of_budget];
                answers.follow_ups = vec![turn(), claiming()];
                answers.costs = vec![cost(1, 0), cost(2, 3)];
                answers.trees = strings(&["base", "a"]);
            })
            .check(&["attested", "cancelled", "exhausted", "verified"], states_min);
    }
}

#[test]
fn the_laws_hold_when_the_worker_asks() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.limits.active_ms_max = Some(20);
    });
    let also_done = Turn { claim: Some(done_without_test()), ..turn() };
    Search::new(contract)
        .with_luck(2, 0, 2)
        .answering(|answers| {
            answers.turns = vec![asking(), also_done, failing()];
            answers.turn_ms = 9;
            answers.trees = strings(&["a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.acts = vec![
                Act::Claim { claim: Claim::Cannot(question("how?")) },
                Act::Claim { claim: done() },
                answer("so"),
                Act::Pause,
                approval(),
            ];
        })
        .check(&["exhausted", "verified"], 45_000);
}

#[test]
fn the_laws_hold_when_the_worker_asks_instead_of_a_brief() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.research = Research::Gate;
    });
    Search::new(contract)
        .with_luck(1, 0, 2)
        .answering(|answers| {
            answers.turns = vec![asking(), unbriefed(), briefed(), claiming()];
            answers.trees = strings(&["base", "a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.acts = vec![answer("so"), approval()];
        })
        .check(&["attested", "exhausted", "verified"], 100_000);
}

#[test]
fn the_laws_hold_when_providers_ask_to_wait() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.limits.active_ms_max = Some(60);
        contract.policy.retries.backoff_ms = 4;
    });
    let limited_after_a_claim = Turn { claim: Some(done()), ..limited(30) };
    Search::new(contract)
        .with_luck(0, 1, 1)
        .with_waits(2)
        .answering(|answers| {
            answers.turns = vec![claiming(), limited(30), limited_after_a_claim, failing()];
            answers.judge = vec![approved(), rejected(), JudgeWord::RateLimited { wait_ms: 20 }];
            answers.trees = strings(&["base", "a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
        })
        .check(&["attested", "exhausted", "unavailable", "verified"], 85_000);
}

#[test]
fn the_laws_hold_when_the_agent_cannot_work_alone() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        judged(contract);
        contract.policy.context = ContextPolicy::Continue;
    });
    let full = ending_as(TurnOutcome::ContextFull);
    Search::new(contract)
        .with_luck(1, 0, 2)
        .answering(|answers| {
            answers.turns = vec![
                needing_a_person(),
                full,
                denied("network", 2),
                Turn { claim: Some(done()), ..denied("git", 3) },
            ];
            answers.trees = strings(&["base", "a"]);
            answers.acts = vec![Act::Pause, approval()];
        })
        .check(&["attested", "exhausted", "unavailable", "verified"], 20_000);
}

#[test]
fn the_laws_hold_when_a_turn_is_followed_up() {
    for (active_ms_max, turn_ms, states_min) in [(None, 0, 37_000), (Some(20), 6, 105_000)] {
        let contract = contract_with(|contract| {
            iterations(contract, 2);
            contract.policy.follow_up = FollowUp::Once;
            contract.policy.gates = vec![Gate::Checks];
            contract.policy.limits.active_ms_max = active_ms_max;
        });
        let named = Turn { remainder: Remainder::Named, ..in_session() };
        Search::new(contract)
            .with_luck(1, 1, 1)
            .with_waits(1)
            .answering(|answers| {
                answers.turns = vec![in_session(), named];
                answers.turn_ms = turn_ms;
                answers.follow_ups =
                    vec![turn(), claiming(), asking(), failing(), limited(5), needing_a_person()];
                answers.trees = strings(&["base", "a"]);
                answers.checks = vec![green(), red()];
                answers.probes = vec![red()];
                answers.acts = vec![Act::Pause, Act::Claim { claim: done() }];
            })
            .check(&["attested", "exhausted", "verified"], states_min);
    }
}

#[test]
fn the_laws_hold_when_a_person_overrules_the_judge_or_the_work() {
    for force_max in [ForceMax::Off, ForceMax::On] {
        let contract = contract_with(|contract| {
            iterations(contract, 3);
            contract.policy.gates.push(Gate::Judge);
            contract.policy.rejections.threshold = times(1);
            contract.policy.force_max = force_max;
        });
        Search::new(contract)
            .with_luck(2, 0, 1)
            .answering(|answers| {
                answers.turns = vec![claiming()];
                let needing = JudgeWord::NeedsPerson { why: String::from("not signed in") };
                answers.judge = vec![approved(), rejected(), JudgeWord::NoVerdict, needing];
                answers.trees = strings(&["a", "b"]);
                answers.probes = vec![red()];
                answers.acts = vec![approval(), rejection(), Act::Pause];
            })
            .check(&["attested", "exhausted", "verified"], 30_000);
    }
}

#[test]
fn the_laws_hold_when_a_person_changes_the_contract() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks.push(terms("lint"));
        contract.policy.gates.push(Gate::Judge);
        contract.policy.rejections.threshold = times(1);
    });
    let amended = contract_with(|contract| {
        iterations(contract, 3);
        contract.digest = Digest::new("amended");
        contract.checks[0].digest = Digest::new("test, amended");
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
    });
    Search::new(contract)
        .with_luck(2, 0, 2)
        .answering(|answers| {
            answers.turns = vec![claiming()];
            answers.trees = strings(&["a"]);
            answers.probes = vec![red()];
            answers.acts = vec![approval(), rejection(), Act::Pause];
            answers.amended = vec![amended];
        })
        .check(&["attested", "exhausted", "verified"], 13_500);
}
