//! Which of many cases alike a run tries: one of so many, others with each tree, all of them in a soak.

#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::panic::Location;

/// A number that differs from tree to tree, or [`ALL`]; `cargo xtask` sets it.
const VARIABLE: &str = "GULF_TEST_TURN";
const ALL: &str = "all";

/// One case of `every`, beginning with another one in each turn and at each place that asks; one at least where there is any.
#[track_caller]
pub fn in_turn<T>(every: usize, cases: impl IntoIterator<Item = T>) -> Vec<T> {
    let turn = std::env::var(VARIABLE).unwrap_or_default();
    let cases: Vec<T> = cases.into_iter().collect();
    if turn == ALL {
        return cases;
    }
    let turn: u64 = turn.parse().unwrap_or_default();
    chosen(turn.wrapping_add(u64::from(Location::caller().line())), every, cases)
}

/// Is it the turn of this place, one in so many turns? Always in a soak, and where somebody runs a test by hand. Said where
/// it is not, since the test then proves nothing.
#[track_caller]
pub fn has_turn(every: u64) -> bool {
    let Ok(turn) = std::env::var(VARIABLE) else { return true };
    let has_turn = turn == ALL || is_due(turn.parse().unwrap_or_default(), Location::caller().line(), every);
    if !has_turn {
        eprintln!("not in this turn: it runs with {VARIABLE}={ALL}");
    }
    has_turn
}

/// One of a few cases alike, another in each turn; all of them in a soak. Said, so that a failure names it.
#[track_caller]
pub fn one_in_turn<T: Debug, const CASES: usize>(cases: [T; CASES]) -> Vec<T> {
    let cases = in_turn(CASES, cases);
    eprintln!("in turn: {cases:?}");
    cases
}

/// By other digits of the turn than those that choose cases: a place whose turn it is has another case each time.
fn is_due(turn: u64, line: u32, every: u64) -> bool {
    (turn >> 32).wrapping_add(u64::from(line)).is_multiple_of(every)
}

fn chosen<T>(turn: u64, every: usize, cases: Vec<T>) -> Vec<T> {
    let every = every.min(cases.len()).max(1);
    let first = usize::try_from(turn % every as u64).unwrap_or_default();
    cases.into_iter().skip(first).step_by(every).collect()
}
