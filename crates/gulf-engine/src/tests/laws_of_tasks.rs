//! The laws of lists, searched: tasks that wait for each other, are given up, put back, and added.

use super::given::*;
use super::search::{Search, iterations, strings};
use crate::*;

fn list_of(waits_for: &[&[u32]], limit: TaskLimit) -> Contract {
    contract_with(|contract| {
        iterations(contract, 1);
        contract.tasks = listed(waits_for);
        contract.policy.task_limit = limit;
        contract.policy.gates = vec![Gate::Checks];
    })
}

#[test]
fn the_laws_hold_when_tasks_wait_for_each_other_and_are_given_up() {
    Search::new(list_of(&[&[], &[0], &[]], TaskLimit::Skip))
        .answering(|answers| {
            answers.trees = strings(&["a", "b"]);
            answers.turns = vec![turn(), claiming()];
            answers.checks = vec![green(), red()];
            answers.probes = vec![red()];
            answers.overlays = vec![new_test_red()];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 30_000);
}

#[test]
fn the_laws_hold_when_a_person_is_asked_what_becomes_of_a_task() {
    Search::new(list_of(&[&[], &[0]], TaskLimit::Ask))
        .with_luck(2, 0, 2)
        .answering(|answers| {
            answers.trees = strings(&["a"]);
            answers.turns = vec![turn(), claiming()];
            answers.checks = vec![green(), red()];
            answers.probes = vec![red()];
            answers.overlays = vec![new_test_red()];
            answers.closings = vec![written_down(), written_down_with("a-and-a-lesson"), not_written_down()];
            answers.acts = vec![Act::Skip, Act::Pause, Act::Cancel];
        })
        .check(&["attested", "cancelled", "exhausted", "verified"], 12_000);
}

#[test]
fn the_laws_hold_when_a_task_is_put_back_for_another() {
    Search::new(contract_with(|contract| {
        iterations(contract, 2);
        contract.tasks = listed(&[&[], &[0]]);
        contract.policy.task_limit = TaskLimit::Stop;
        contract.policy.gates = vec![Gate::Checks];
    }))
    .with_luck(2, 0, 0)
    .answering(|answers| {
        answers.trees = strings(&["a"]);
        answers.turns = vec![claiming()];
        answers.checks = vec![green()];
        answers.probes = vec![red()];
        answers.overlays = vec![new_test_red()];
        answers.acts = vec![Act::Claim { claim: Claim::Blocked { task: String::from("first this") } }];
    })
    .check(&["attested", "exhausted"], 250);
}

#[test]
fn the_laws_hold_when_drivers_die_while_a_task_is_written_down() {
    Search::new(list_of(&[&[], &[]], TaskLimit::Skip))
        .with_luck(0, 1, 0)
        .answering(|answers| {
            answers.trees = strings(&["a"]);
            answers.turns = vec![claiming()];
            answers.checks = vec![green()];
            answers.probes = vec![red()];
            answers.overlays = vec![new_test_red()];
            answers.mishaps = vec![failed()];
        })
        .check(&["attested", "unavailable"], 7_000);
}
