//! The exhaustive search where work is to land: nothing unverified comes near a base branch, and what landed is true.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn landing(change: impl FnOnce(&mut Contract)) -> Contract {
    contract_with(|contract| {
        iterations(contract, 2);
        contract.policy.landing = Some(Landing::Verified);
        change(contract);
    })
}

#[test]
fn the_laws_hold_when_work_is_to_land() {
    Search::new(landing(|_| {}))
        .with_luck(1, 1, 1)
        .answering(|answers| {
            answers.trees = strings(&["a"]);
            answers.turns = vec![claiming()];
            answers.probes = vec![red()];
            answers.landings = vec![landed(), clashing(Clash::Conflict), not_ready()];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 4_300);
}

#[test]
fn the_laws_hold_when_landing_may_fail_and_attested_work_lands() {
    Search::new(landing(|contract| contract.policy.landing = Some(Landing::OrAttested)))
        .with_luck(0, 0, 1)
        .answering(|answers| {
            answers.mishaps = vec![failed()];
            answers.trees = strings(&["base", "a"]);
            answers.turns = vec![claiming()];
            answers.probes = vec![green()];
            answers.overlays = vec![not_shown()];
            answers.landings = vec![landed(), clashing(Clash::Red), not_ready()];
        })
        .check(&["attested", "exhausted", "unavailable"], 59_000);
}

#[test]
fn the_laws_hold_when_the_base_moves_under_the_work() {
    Search::new(landing(|contract| contract.checks[0].baseline = Baseline::Accepted))
        .with_luck(1, 1, 0)
        .answering(|answers| {
            answers.trees = strings(&["a", "moved"]);
            answers.probes = vec![green(), red()];
            answers.overlays = vec![new_test_red()];
            answers.marks = vec![(None, None), (Some(base("moved")), None)];
            answers.landings = vec![landed(), clashing(Clash::Conflict)];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 70_000);
}

#[test]
fn the_laws_hold_when_work_returns_to_what_was_rejected() {
    let contract = landing(|contract| {
        iterations(contract, 3);
        contract.policy.gates.push(Gate::Judge);
        contract.policy.rejections = RejectionPolicy { threshold: times(1), then: Rejections::ResetStrategy };
    });
    Search::new(contract)
        .with_luck(2, 0, 1)
        .answering(|answers| {
            answers.trees = strings(&["a", "b"]);
            answers.turns = vec![claiming()];
            answers.probes = vec![red()];
            answers.marks = vec![(None, None), (None, resembling(1))];
            answers.acts = vec![Act::Pause, approval()];
        })
        .check(&["attested", "exhausted", "verified"], 24_000);
}

#[test]
fn the_laws_hold_when_a_session_lands() {
    Search::new(landing(|_| {}))
        .with_luck(1, 1, 1)
        .worked_by(in_host(Some("here")))
        .with_sessions(1, 1)
        .answering(|answers| {
            answers.workers = vec![in_host(Some("here")), Worker::Processes];
            answers.trees = strings(&["a"]);
            answers.turns = vec![claiming()];
            answers.probes = vec![red()];
            answers.landings = vec![landed(), clashing(Clash::Tests), not_ready()];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 28_000);
}

#[test]
fn the_laws_hold_when_time_is_over_while_work_waits_to_land() {
    Search::new(landing(|contract| contract.policy.limits.active_ms_max = Some(20)))
        .with_luck(0, 1, 1)
        .answering(|answers| {
            answers.turn_ms = 9;
            answers.trees = strings(&["a"]);
            answers.turns = vec![claiming()];
            answers.probes = vec![red()];
            answers.landings = vec![landed(), clashing(Clash::Conflict), not_ready()];
        })
        .check(&["attested", "exhausted", "verified"], 1_200);
}
