//! What a loop costs (SPEC L9), counted by the allocator: a clock would tell of the machine and its neighbours.
//!
//! `cargo xtask bench engine` shows the milliseconds.

use crate::scene::{self, Scene, contract, done, facts, red};
use allocation_counter::{AllocationInfo, measure};
use gulf_engine::{Event, Fact, Gate, Settlement, State, decide};
use gulf_views::{History, STATE_BYTES_MAX, state_json};

/// The longest loop that a list of tasks has (SPEC R1).
const ITERATIONS: u32 = 50;
/// SPEC L9, per active loop.
const MEMORY_BYTES_MAX: u64 = 5_000_000;
/// What a transition may allocate, whatever came before: a few names and counts.
const TRANSITION_BYTES_MAX: u64 = 16_000;

/// So many iterations, each of which works, is checked, and is refused.
fn scene(iterations: u32, summary: &str) -> Scene {
    let settled = Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } };
    let mut contract = contract();
    contract.policy.limits.iterations_max = scene::number(iterations + 1);
    (0..iterations).fold(Scene::sealed_as(contract), |scene, index| {
        let scene = scene.turn(Some(done()), &format!("{index:012}"));
        scene.check("test", red(summary)).then(settled.clone())
    })
}

fn fold(events: &[Event]) -> (State, History) {
    let (mut state, mut history) = (State::default(), History::default());
    for event in events {
        state.apply(event);
        history.apply(event);
    }
    (state, history)
}

/// Folding in the last events, one by one, and deciding after each: the dearest of them.
fn transitions(iterations: u32) -> u64 {
    let events = scene(iterations, "a test fails").events;
    let (before, last) = events.split_at(events.len() - 12);
    let (mut state, mut history) = fold(before);
    let dearest = last.iter().map(|event| {
        let step = || {
            state.apply(event);
            history.apply(event);
            drop(decide(&state));
        };
        measure(step).bytes_total
    });
    dearest.max().expect("a scene has events")
}

fn save(scene: &Scene) -> (AllocationInfo, usize) {
    let mut bytes = 0;
    let facts = facts();
    let counted = measure(|| bytes = state_json(&facts, &scene.history, &scene.state).to_string().len());
    (counted, bytes)
}

// proves: L9
#[test]
fn a_transition_costs_as_little_after_a_thousand_iterations_as_after_ten() {
    for iterations in [10, 1_000] {
        let bytes = transitions(iterations);
        assert!(bytes <= TRANSITION_BYTES_MAX, "{bytes} bytes after {iterations} iterations");
    }
}

// proves: L9
#[test]
fn an_active_loop_takes_less_than_five_megabytes_even_where_every_check_says_a_lot() {
    let events = scene(ITERATIONS, &"\"가\"\n".repeat(2_000)).events;
    let mut kept = None;
    let counted = measure(|| kept = Some((events.clone(), fold(&events))));
    assert!(counted.bytes_current > 0 && counted.bytes_max <= MEMORY_BYTES_MAX, "{counted:?}");
    drop(kept);
}

// proves: L9
#[test]
fn a_save_writes_a_megabyte_at_most_and_makes_it_of_little_more() {
    let (short, long) = (save(&scene(ITERATIONS, "a test fails")), save(&scene(4_000, "a test fails")));
    assert!(short.1 < 100_000, "{short:?}");
    assert!(long.1 <= STATE_BYTES_MAX, "{long:?}");
    // What is dropped of a long history is not printed first.
    assert!(long.0.bytes_total <= 12 * STATE_BYTES_MAX as u64, "{long:?}");
}
