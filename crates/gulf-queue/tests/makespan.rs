//! How long a line of entries takes to land: the simulation that `cargo xtask bench queue` prints, held to what is promised.

#[path = "../examples/simulate/simulation.rs"]
mod simulation;

use simulation::{Case, Outcome, simulate};
use std::collections::BTreeSet;

const CHECK_MS: u64 = 1_000;

fn case(entries: u32, lanes: u32, window_max: u32, failing: &[u32]) -> Outcome {
    let failing: BTreeSet<u32> = failing.iter().copied().collect();
    let red = failing.len() as u32;
    let outcome = simulate(&Case { entries, failing, lanes, window_max, check_ms: CHECK_MS });
    assert_eq!((outcome.landed, outcome.evicted), (entries - red, red));
    outcome
}

#[test]
fn one_after_the_other_takes_a_test_for_each_and_another_for_each_red_one() {
    assert_eq!(case(8, 1, 1, &[]).makespan_ms, 8 * CHECK_MS);
    assert_eq!(case(8, 1, 1, &[2, 5]).makespan_ms, 10 * CHECK_MS);
}

#[test]
fn with_nothing_red_so_many_lanes_take_so_many_times_less() {
    for (entries, lanes) in [(8, 2), (8, 4), (16, 2), (16, 4)] {
        let outcome = case(entries, lanes, 16, &[]);
        assert_eq!(outcome.makespan_ms, u64::from(entries / lanes) * CHECK_MS);
        assert_eq!(outcome.tests, entries);
    }
}

#[test]
fn one_lane_lands_many_with_few_tests() {
    assert_eq!(case(16, 1, 16, &[]).tests, 3);
}

/// A lane's share of each entry, and a whole test for each red one; a line does not end with every lane at once.
#[test]
fn a_red_one_costs_no_more_than_one_test_wherever_it_stands() {
    for (entries, lanes) in [(8_u32, 2_u32), (8, 4), (16, 2), (16, 4)] {
        for red in 1..=entries {
            let bound_ms = u64::from(entries.div_ceil(lanes) + 1) * CHECK_MS;
            let outcome = case(entries, lanes, 16, &[red]);
            assert!(outcome.makespan_ms <= bound_ms, "{entries} in {lanes} lanes, {red} red: {outcome:?}");
        }
    }
}

#[test]
fn several_lanes_never_take_longer_than_one_after_the_other() {
    for lanes in [2, 4] {
        for failing in 0..256_u32 {
            let failing: Vec<u32> = (1..=8).filter(|number| failing & (1 << (number - 1)) > 0).collect();
            let serial_ms = case(8, 1, 1, &failing).makespan_ms;
            let outcome = case(8, lanes, 16, &failing);
            assert!(outcome.makespan_ms <= serial_ms, "{failing:?} in {lanes} lanes: {outcome:?}");
        }
    }
}

/// Where most are red a batch is no help; where one is, it is.
#[test]
fn one_lane_with_one_red_takes_less_than_one_after_the_other() {
    let serial_ms = case(8, 1, 1, &[1]).makespan_ms;
    for red in 1..=8 {
        let outcome = case(8, 1, 16, &[red]);
        assert!(outcome.makespan_ms < serial_ms, "{red} red: {outcome:?}");
    }
}
