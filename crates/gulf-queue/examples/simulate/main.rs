//! Rows of `cargo xtask bench queue`: how long a line of entries takes to land, by lanes and failures.
//!
//! Without arguments it prints the table; `ENTRIES LANES CHECK_MS [FAILING…]` prints one case, for whoever measures the
//! same with real processes.

mod simulation;

use simulation::{Case, simulate};
use std::collections::BTreeSet;
use std::process::ExitCode;

const USAGE: &str = "usage: simulate [ENTRIES LANES CHECK_MS [FAILING…]]";
/// As gulf's own.
const WINDOW_MAX: u32 = 32;
/// Lines of each kind, with the failing entries elsewhere in each.
const LINES: u32 = 200;
const CHECK_MS: u64 = 1_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        print_table();
        return ExitCode::SUCCESS;
    }
    let Some(case) = read(&arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let (outcome, serial) = (simulate(&case), simulate(&serially(&case)));
    println!(
        "serial_ms={} makespan_ms={} tests={} landed={} evicted={}",
        serial.makespan_ms, outcome.makespan_ms, outcome.tests, outcome.landed, outcome.evicted
    );
    ExitCode::SUCCESS
}

fn read(arguments: &[String]) -> Option<Case> {
    let [entries, lanes, check_ms, failing @ ..] = arguments else { return None };
    Some(Case {
        entries: entries.parse().ok()?,
        failing: failing.iter().map(|number| number.parse().ok()).collect::<Option<_>>()?,
        lanes: lanes.parse().ok()?,
        window_max: WINDOW_MAX,
        check_ms: check_ms.parse().ok()?,
    })
}

/// One after the other: each entry alone on the tip.
fn serially(case: &Case) -> Case {
    Case { lanes: 1, window_max: 1, ..case.clone() }
}

fn print_table() {
    println!("{LINES} lines of each kind, simulated; unit: one test. bound: 1/(1/lanes + failure rate)\n");
    println!(
        "{:>7} {:>8} {:>5}  {:>8} {:>9} {:>6}  {:>7} {:>6}",
        "entries", "failing", "lanes", "serial", "makespan", "tests", "speedup", "bound"
    );
    for entries in [8, 16] {
        for percent in [0, 10] {
            for lanes in [1, 2, 4] {
                print_row(entries, percent, lanes);
            }
        }
    }
}

fn print_row(entries: u32, percent: u32, lanes: u32) {
    let (mut serial, mut makespan, mut tests, mut failures) = (0.0, 0.0, 0.0, 0.0);
    let units = |ms: u64| ms as f64 / CHECK_MS as f64 / f64::from(LINES);
    let mut dice = Dice(1);
    for _ in 0..LINES {
        let failing: BTreeSet<u32> =
            (1..=entries).filter(|_| dice.throw() % 100 < u64::from(percent)).collect();
        failures += failing.len() as f64 / f64::from(LINES);
        let case = Case { entries, failing, lanes, window_max: WINDOW_MAX, check_ms: CHECK_MS };
        let outcome = simulate(&case);
        serial += units(simulate(&serially(&case)).makespan_ms);
        makespan += units(outcome.makespan_ms);
        tests += f64::from(outcome.tests) / f64::from(LINES);
    }
    let bound = 1.0 / (1.0 / f64::from(lanes) + f64::from(percent) / 100.0);
    println!(
        "{entries:>7} {failures:>8.1} {lanes:>5}  {serial:>8.1} {makespan:>9.1} {tests:>6.1}  {:>7.2} {bound:>6.2}",
        serial / makespan
    );
}

/// The same numbers on every machine (splitmix64).
struct Dice(u64);

impl Dice {
    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}
