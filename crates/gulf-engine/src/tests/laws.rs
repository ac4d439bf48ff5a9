//! The laws, searched through every state of small loops: each test is one kind of contract.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;
use std::num::NonZeroU32;

#[test]
fn the_laws_hold_with_one_check() {
    let contract = contract_with(|contract| iterations(contract, 3));
    Search::new(contract)
        .with_luck(1, 0, 1)
        .answering(|answers| answers.trees = strings(&["base", "a"]))
        .check(&["attested", "cancelled", "exhausted", "verified"], 17_000);
}

#[test]
fn the_laws_hold_when_anything_can_fail() {
    let contract = contract_with(|contract| iterations(contract, 2));
    Search::new(contract)
        .with_luck(0, 0, 0)
        .answering(|answers| {
            answers.mishaps = vec![failed()];
            answers.trees = strings(&["base", "a"]);
            answers.turns = vec![failing(), claiming()];
            answers.probes = vec![red()];
        })
        .check(&["attested", "exhausted", "unavailable", "verified"], 46_000);
}

#[test]
fn the_laws_hold_when_drivers_die_and_surroundings_change() {
    let contract = contract_with(|contract| iterations(contract, 2));
    Search::new(contract)
        .with_luck(1, 1, 1)
        .answering(|answers| {
            answers.environments = vec!["here", "there"];
            answers.trees = strings(&["a"]);
            answers.turns = vec![turn(), failing()];
            answers.probes = vec![red()];
            answers.overlays = vec![new_test_red()];
            answers.acts =
                vec![Act::Pause, Act::Claim { claim: done() }, Act::Steer { note: String::from("look") }];
        })
        .check(&["attested", "exhausted", "unavailable", "verified"], 15_000);
}

#[test]
fn the_laws_hold_with_two_checks_that_may_not_run() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks.push(terms("lint"));
    });
    Search::new(contract)
        .with_luck(1, 0, 1)
        .answering(|answers| {
            answers.checks = vec![green(), red(), unrunnable()];
            answers.probes = vec![red(), unrunnable()];
            answers.trees = strings(&["a"]);
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 24_000);
}

#[test]
fn the_laws_hold_when_a_check_that_must_run_may_never_begin() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks[0].runnable = Runnable::Required;
    });
    Search::new(contract)
        .with_luck(0, 1, 1)
        .answering(|answers| {
            answers.checks = vec![green(), never_begun()];
            answers.probes = vec![red(), never_begun()];
            answers.overlays = vec![new_test_red()];
            answers.trees = strings(&["base", "a"]);
        })
        .check(&["attested", "exhausted", "verified"], 1_000);
}

#[test]
fn the_laws_hold_when_a_person_is_asked_about_changed_tests() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.findings = FindingsPolicy::Ask;
    });
    Search::new(contract)
        .with_luck(0, 1, 2)
        .answering(|answers| {
            answers.probes = vec![red()];
            answers.trees = strings(&["a"]);
            answers.integrity = vec![intact(), tampered()];
        })
        .check(&["attested", "exhausted", "verified"], 800);
}

#[test]
fn the_laws_hold_when_a_check_is_held_out() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks.insert(0, CheckTerms { disclosure: Disclosure::HeldOut, ..terms("held out") });
        contract.policy.milestone_every = NonZeroU32::new(2);
    });
    Search::new(contract)
        .with_luck(0, 1, 1)
        .answering(|answers| {
            answers.probes = vec![red()];
            answers.trees = strings(&["a"]);
        })
        .check(&["attested", "exhausted", "verified"], 3_000);
}

#[test]
fn the_laws_hold_when_a_check_says_now_this_and_now_that() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.policy.stuck.same_candidate_max = times(2);
    });
    Search::new(contract)
        .with_luck(0, 0, 1)
        .answering(|answers| {
            answers.probes = vec![red()];
            answers.overlays = vec![not_shown()];
            answers.trees = strings(&["a"]);
        })
        .check(&["attested", "exhausted", "stalled", "verified"], 100);
}

#[test]
fn the_laws_hold_with_a_judge_on_claims() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates.push(Gate::Judge);
        contract.policy.rejections.threshold = times(1);
    });
    Search::new(contract)
        .with_luck(0, 1, 1)
        .answering(|answers| {
            answers.judge =
                vec![approved_without_evidence(), rejected(), JudgeWord::NoVerdict, unreachable()];
            answers.trees = strings(&["a", "b"]);
            answers.probes = vec![green()];
            answers.overlays = vec![not_shown()];
        })
        .check(&["attested", "exhausted", "unavailable"], 53_000);
}

#[test]
fn the_laws_hold_with_a_judge_at_every_stop_and_strategy_resets() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.checks.clear();
        contract.policy.gates = vec![Gate::Judge];
        contract.policy.judge = JudgeWhen::Every;
        contract.policy.rejections = RejectionPolicy { threshold: times(2), then: Rejections::ResetStrategy };
    });
    Search::new(contract)
        .answering(|answers| answers.judge = vec![approved(), approved_without_evidence(), rejected()])
        .check(&["attested", "cancelled", "exhausted", "verified"], 46_000);
}

#[test]
fn the_laws_hold_when_research_is_a_gate() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.research = Research::Gate;
        contract.policy.milestone_every = NonZeroU32::new(2);
    });
    Search::new(contract)
        .with_luck(1, 0, 1)
        .answering(|answers| {
            let briefed_claim = Turn { claim: Some(done()), ..briefed() };
            answers.turns = vec![unbriefed(), briefed_claim, briefed(), failing()];
            answers.trees = strings(&["base", "a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.overlays = vec![not_shown()];
            answers.acts = vec![Act::Claim { claim: done_without_test() }];
        })
        .check(&["attested", "exhausted", "unavailable", "verified"], 34_000);
}

#[test]
fn the_laws_hold_when_every_iteration_is_to_be_used() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.policy.force_max = ForceMax::On;
        contract.policy.stuck.same_failure_max = times(2);
        contract.policy.stuck.idle_max = times(2);
    });
    Search::new(contract)
        .with_luck(0, 1, 0)
        .answering(|answers| {
            answers.turns = vec![idling(), claiming()];
            answers.trees = strings(&["base", "a"]);
        })
        .check(&["attested", "exhausted", "stalled", "verified"], 12_700);
}

#[test]
fn the_laws_hold_for_two_tasks() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.tasks = listed(&[&[], &[]]);
        contract.policy.task_limit = TaskLimit::Stop;
    });
    Search::new(contract)
        .with_luck(1, 0, 0)
        .answering(|answers| {
            answers.trees = strings(&["a", "b"]);
            answers.turns = vec![failing(), claiming()];
            answers.probes = vec![green(), red()];
        })
        .check(&["attested", "cancelled", "exhausted", "unavailable", "verified"], 15_000);
}

#[test]
fn the_laws_hold_when_time_is_short() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.policy.limits.active_ms_max = Some(20);
        contract.policy.retries.backoff_ms = 7;
    });
    Search::new(contract)
        .with_luck(0, 1, 0)
        .answering(|answers| {
            answers.turn_ms = 9;
            answers.mishaps = vec![failed()];
            answers.trees = strings(&["a"]);
        })
        .check(&["attested", "exhausted", "unavailable", "verified"], 49_000);
}

#[test]
fn the_laws_hold_when_tests_are_tampered_with() {
    for (findings, ends) in [
        (FindingsPolicy::Stop, ["attested", "cancelled", "exhausted", "verified", "violated"].as_slice()),
        (FindingsPolicy::Attest, &["attested", "cancelled", "exhausted", "verified"]),
    ] {
        let contract = contract_with(|contract| {
            iterations(contract, 2);
            contract.policy.findings = findings;
        });
        Search::new(contract)
            .answering(|answers| {
                answers.integrity =
                    vec![intact(), tampered(), contradicted(), unable(), answered(), unsteady()];
                answers.trees = strings(&["a"]);
                answers.probes = vec![red()];
            })
            .check(ends, 5_000);
    }
}

#[test]
fn the_laws_hold_with_a_baseline_when_everything_should_stay_green() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.checks[0].baseline = Baseline::Accepted;
        contract.policy.expectation = Expectation::StayGreen;
    });
    Search::new(contract)
        .with_luck(0, 1, 1)
        .answering(|answers| {
            answers.checks = vec![green(), repaired(), red()];
            answers.overlays = vec![noticed(), unnoticed(), not_shown()];
            answers.trees = strings(&["base", "a"]);
        })
        .check(&["attested", "exhausted", "verified"], 11_000);
}

#[test]
fn nothing_ends_verified_without_a_check_or_with_something_left_unproven() {
    let unverified = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks.clear();
        contract.policy.gates = vec![Gate::Integrity];
        contract.policy.caps = vec![Cause::NoCheck];
    });
    let unjudged = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.caps = vec![Cause::CriteriaNotProven { count: 2 }];
    });
    let nothing_required = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks.clear();
        contract.policy.gates.clear();
    });
    for contract in [unverified, unjudged, nothing_required] {
        let trees = strings(&["base", "a"]);
        Search::new(contract)
            .answering(|answers| answers.trees = trees)
            .check(&["attested", "cancelled", "exhausted"], 1_500);
    }
}

#[test]
fn a_checks_gate_without_a_check_never_passes() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.checks.clear();
        contract.policy.gates = vec![Gate::Integrity, Gate::Checks];
    });
    Search::new(contract).check(&["cancelled", "exhausted"], 7_900);
}
