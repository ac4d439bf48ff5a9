//! The exhaustive search where a session that a person opened works: it stops when it likes, goes on unasked, is
//! ended by its host, and gives way to another worker at any time.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn judged(contract: &mut Contract) {
    contract.checks.clear();
    contract.policy.gates = vec![Gate::Judge];
}

fn one() -> Worker {
    in_host(Some("one"))
}

#[test]
fn the_laws_hold_in_a_session_whose_host_counts() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks];
        contract.policy.stuck.idle_max = times(1);
    });
    Search::new(contract)
        .worked_by(in_host(None))
        .with_luck(1, 0, 2)
        .with_sessions(0, 1)
        .answering(|answers| {
            answers.workers = vec![one()];
            answers.turns =
                vec![idling(), with_blocks_left(claiming(), 1), with_blocks_left(turn(), 0), claiming()];
            answers.trees = strings(&["base", "a"]);
            answers.probes = vec![red()];
            answers.overlays = vec![not_shown()];
            answers.acts = vec![Act::Pause];
        })
        .check(&["attested", "exhausted", "verified"], 95_000);
}

#[test]
fn the_laws_hold_when_a_loop_moves_between_sessions_and_processes() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.follow_up = FollowUp::Once;
    });
    Search::new(contract)
        .with_luck(0, 1, 1)
        .with_sessions(2, 1)
        .answering(|answers| {
            answers.workers = vec![Worker::Processes, in_host(None), one(), in_host(Some("two"))];
            answers.turns = vec![in_session(), claiming(), with_blocks_left(claiming(), 0)];
            answers.follow_ups = vec![claiming()];
            answers.trees = strings(&["a"]);
            answers.checks = vec![green(), red()];
            answers.probes = vec![red()];
            answers.overlays = vec![not_shown()];
        })
        .check(&["attested", "exhausted", "verified"], 50_000);
}

#[test]
fn the_laws_hold_when_a_session_goes_on_after_it_was_looked_at() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.milestone_every = core::num::NonZeroU32::new(2);
    });
    Search::new(contract)
        .worked_by(one())
        .with_luck(1, 1, 1)
        .with_sessions(0, 2)
        .answering(|answers| {
            answers.turns = vec![turn(), claiming()];
            answers.trees = strings(&["a", "b"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.overlays = vec![not_shown()];
            answers.acts = vec![Act::Pause];
        })
        .check(&["exhausted", "verified"], 95_000);
}

#[test]
fn the_laws_hold_when_a_judge_is_silent_while_a_session_works() {
    for (failures_max, backoff_ms, states_min) in [(5, 0, 12_000), (1, 4, 110_000)] {
        let contract = contract_with(|contract| {
            iterations(contract, 4);
            judged(contract);
            contract.policy.stuck.same_candidate_max = times(9);
            contract.policy.retries.failures_max = times(failures_max);
            contract.policy.retries.backoff_ms = backoff_ms;
        });
        Search::new(contract)
            .worked_by(one())
            .with_luck(1, 1, 1)
            .with_sessions(0, 1)
            .with_waits(1)
            .answering(|answers| {
                let limited = JudgeWord::RateLimited { wait_ms: 20 };
                answers.judge = vec![approved(), rejected(), JudgeWord::NoVerdict, unreachable(), limited];
                answers.turns = vec![claiming()];
                answers.trees = strings(&["a"]);
                answers.acts = vec![approval()];
            })
            .check(&["attested", "exhausted", "verified"], states_min);
    }
}

#[test]
fn the_laws_hold_when_a_state_file_is_taken_over() {
    let contract = contract_with(|contract| {
        iterations(contract, 3);
        contract.policy.research = Research::Brief;
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.judge = JudgeWhen::Every;
    });
    Search::new(contract)
        .worked_by(one())
        .with_luck(0, 0, 1)
        .answering(|answers| {
            answers.adopted = vec![(0, 0), (0, 2), (1, 1), (2, 0), (3, 0), (4, 1), (u32::MAX, 9)];
            answers.turns = vec![unbriefed(), briefed(), claiming()];
            answers.trees = strings(&["base", "a"]);
            answers.probes = vec![red()];
            answers.overlays = vec![not_shown()];
        })
        .check(&["attested", "exhausted", "stalled", "verified"], 25_000);
}

#[test]
fn the_laws_hold_when_a_brief_is_all_that_is_asked_for() {
    for (research, states_min) in [(Research::Brief, 38_000), (Research::Gate, 25_000)] {
        let contract = contract_with(|contract| {
            iterations(contract, 2);
            contract.policy.research = research;
        });
        Search::new(contract)
            .worked_by(one())
            .with_luck(1, 0, 1)
            .with_sessions(0, 1)
            .answering(|answers| {
                answers.turns = vec![unbriefed(), briefed(), claiming()];
                answers.trees = strings(&["base", "a"]);
                answers.checks = vec![green()];
                answers.probes = vec![red()];
                answers.overlays = vec![not_shown()];
                answers.acts = vec![approval(), Act::Claim { claim: done() }];
            })
            .check(&["attested", "exhausted", "verified"], states_min);
    }
}

#[test]
fn the_laws_hold_when_a_persons_words_reach_a_session() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.rejections.threshold = times(1);
    });
    let tightened = contract_with(|contract| {
        iterations(contract, 1);
        contract.digest = Digest::new("tightened");
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.rejections.threshold = times(1);
    });
    Search::new(contract)
        .worked_by(one())
        .with_luck(2, 0, 1)
        .with_sessions(1, 1)
        .answering(|answers| {
            answers.workers = vec![in_host(Some("two"))];
            answers.turns = vec![claiming(), with_blocks_left(asking(), 0)];
            answers.judge = vec![approved(), rejected()];
            answers.trees = strings(&["a"]);
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.acts = vec![approval(), rejection(), answer("so"), Act::Pause];
            answers.amended = vec![tightened];
        })
        .check(&["attested", "exhausted", "verified"], 21_000);
}

#[test]
fn the_laws_hold_when_a_session_has_several_units_and_little_time() {
    let contract = contract_with(|contract| {
        iterations(contract, 2);
        judged(contract);
        contract.tasks = listed(&[&[], &[]]);
        contract.policy.limits.active_ms_max = Some(30);
        contract.policy.force_max = ForceMax::On;
    });
    Search::new(contract)
        .worked_by(one())
        .with_luck(0, 0, 1)
        .with_sessions(0, 1)
        .answering(|answers| {
            answers.turns = vec![with_blocks_left(claiming(), 0), turn()];
            answers.turn_ms = 9;
            answers.judge = vec![approved(), JudgeWord::NoVerdict];
            answers.trees = strings(&["a", "b"]);
            answers.adopted = vec![(1, 0)];
        })
        .check(&["attested", "exhausted", "verified"], 45_000);
}
