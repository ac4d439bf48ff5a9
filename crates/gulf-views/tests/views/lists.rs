//! What is told of a list of tasks, whatever waits for what.

use crate::scene::{self, Scene};
use gulf_engine::*;
use gulf_views::{TaskState, tasks};

const PHASES: u32 = 40;
const WIDTH: u32 = 4;

/// As many a plan is written: each phase waits for all of the one before.
fn in_phases() -> Contract {
    let task = |place: u32| ContractTask {
        name: format!("T{}.{}", place / WIDTH, place % WIDTH),
        title: "a page".to_owned(),
        after: (0..WIDTH)
            .filter_map(|at| (place / WIDTH).checked_sub(1).map(|phase| phase * WIDTH + at))
            .map(UnitId)
            .collect(),
        criteria: 0,
    };
    Contract { tasks: (0..PHASES * WIDTH).map(task).collect(), ..scene::contract() }
}

#[track_caller]
fn told(scene: &Scene, expected: &[(TaskState, usize)]) {
    let tasks = tasks(&scene.history, &scene.state);
    for (state, count) in expected {
        let found = tasks.iter().filter(|task| task.state == *state).count();
        assert_eq!(found, *count, "{state:?}");
    }
}

// proves: R6
#[test]
fn a_list_in_phases_is_told_at_once_and_what_waits_for_a_task_that_was_given_up_is_blocked() {
    let all = (PHASES * WIDTH) as usize;
    let scene = Scene::sealed_as(in_phases());
    told(&scene, &[(TaskState::Active, 1), (TaskState::Pending, all - 1), (TaskState::Blocked, 0)]);
    let skipped = scene.then(Fact::UnitSkipped { why: End::Cancelled, set_aside: None });
    let free = WIDTH as usize - 2;
    told(
        &skipped,
        &[
            (TaskState::Skipped, 1),
            (TaskState::Active, 1),
            (TaskState::Pending, free),
            (TaskState::Blocked, all - WIDTH as usize),
        ],
    );
}
