//! Is a loop getting nearer? Told from what was counted of the task in hand, by the engine's own rule of what is better.

use gulf_engine::{Feedback, State};
use serde::Serialize;

use crate::history::{History, Iteration};
use crate::numbers::{measured, percent, unimproved};
use crate::text;

/// How the last measured iteration stands to those before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trend {
    pub direction: TrendDirection,
    /// With the numbers that differ from those of the iteration before.
    pub word: String,
}

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrendDirection {
    /// A number is better than it ever was.
    Nearer,
    Same,
    /// More fails than in the iteration before.
    Further,
}

impl TrendDirection {
    /// For a list: never alone, the word says the same.
    pub fn sign(self) -> char {
        match self {
            TrendDirection::Nearer => '↗',
            TrendDirection::Same => '→',
            TrendDirection::Further => '↘',
        }
    }
}

/// Of one iteration whose checks have all spoken.
struct TrendPoint {
    numbers: Feedback,
    red: u32,
}

impl TrendPoint {
    fn from_iteration(iteration: &Iteration, state: &State) -> Option<TrendPoint> {
        let numbers = measured(iteration, state);
        let red = iteration.checks.values().filter(|run| !run.is_green()).count();
        numbers.build_success.map(|_| TrendPoint { numbers, red: u32::try_from(red).unwrap_or(u32::MAX) })
    }

    /// Where no test is counted, checks are.
    fn failing(&self) -> (u32, &'static str) {
        self.numbers.tests_failed.map_or((self.red, "failing checks"), |failed| (failed, "failing tests"))
    }
}

impl Trend {
    /// None before two iterations of the task in hand were measured.
    pub fn from_history(history: &History, state: &State) -> Option<Trend> {
        let unit = state.unit.id;
        let own = history.iterations.iter().filter(|one| one.unit == unit);
        let all: Vec<TrendPoint> = own.filter_map(|one| TrendPoint::from_iteration(one, state)).collect();
        let [.., before, last] = all.as_slice() else { return None };
        let in_a_row = unimproved(all.iter().map(|one| (one.numbers, one.red)));
        let is_further = last.failing().1 == before.failing().1 && last.failing().0 > before.failing().0;
        let (direction, word) = match (in_a_row, is_further) {
            (0, _) => (TrendDirection::Nearer, "nearer".to_owned()),
            (_, true) => (TrendDirection::Further, "further away".to_owned()),
            (_, false) => {
                let iterations = text::count(in_a_row, "iteration", "iterations");
                (TrendDirection::Same, format!("no nearer for {iterations}"))
            }
        };
        let changes = changes(before, last);
        let word = if changes.is_empty() { word } else { format!("{word}: {}", changes.join(", ")) };
        Some(Trend { direction, word })
    }
}

fn changes(before: &TrendPoint, last: &TrendPoint) -> Vec<String> {
    let change = |from: Option<u32>, to: Option<u32>| from.zip(to).filter(|(from, to)| from != to);
    let (failing, name) = last.failing();
    let failed_before = Some(before.failing()).filter(|(_, other)| *other == name).map(|(number, _)| number);
    let failing = change(failed_before, Some(failing)).map(|(from, to)| match last.numbers.tests_failed {
        Some(_) => format!("failing tests {from} → {to}"),
        None => format!("failing checks {from} → {to}"),
    });
    let lint = change(before.numbers.lint_errors, last.numbers.lint_errors);
    let coverage = change(before.numbers.coverage_bp, last.numbers.coverage_bp);
    let all = [
        failing,
        lint.map(|(from, to)| format!("lint errors {from} → {to}")),
        coverage.map(|(from, to)| format!("coverage {} → {}", percent(from), percent(to))),
    ];
    all.into_iter().flatten().collect()
}
