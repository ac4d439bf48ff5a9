//! Rows measured inside one process: save, load, transition and memory of a loop (SPEC L9); in a program of its own,
//! because it needs the crates in release while xtask must build without them.

#[cfg(test)]
mod tests;

use super::measure::{self, Row, Samples};
use super::sandbox::{LoopRun, Sandbox};
use crate::failure::Failure;
use crate::program;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Takes journals' paths and prints a line for each measurement; lives beside the code that it measures.
const EXAMPLE: &str = "engine_rows";
const EXAMPLE_PACKAGE: &str = "gulf-loop";

/// The longest loop that a list of tasks has (SPEC R1); the figures of SPEC L9 are about it.
const ITERATIONS: u32 = 50;
/// So many events are more than any loop has; what grows with a history is seen there.
const EVENTS: f64 = 10_000.0;
/// The unit is taken so often.
const UNITS: u32 = 30;

/// SPEC L9's times, 10, 10 and 5 ms, where nobody hurries: there `bash -c :` takes two.
const AIMS: [(&str, f64); 3] = [("save: print", 5.0), ("load:", 5.0), ("transition:", 2.5)];
/// SPEC L9's memory: of one active loop.
const MEMORY: (&str, u64) = ("an active loop in memory", 5_000_000);

/// What the example says of one thing.
#[derive(Debug)]
enum Measurement {
    Times(Samples),
    Bytes(u64),
}

/// Shows what a loop of fifty iterations costs, and one of very many.
pub(super) fn run(sandbox: &Sandbox) -> Result<(), Failure> {
    let short = sandbox.run_loop(1)?;
    let whole = sandbox.run_loop(ITERATIONS)?;
    // The next loop clears the journals of those before it.
    let kept = keep(sandbox, &whole, "kept.jsonl")?;
    let events_per_iteration = (whole.events - short.events) as f64 / f64::from(ITERATIONS - 1);
    let iterations = (EVENTS / events_per_iteration.max(1.0)).ceil();
    eprintln!("a journal of {EVENTS} events, by {iterations} iterations");
    let long = sandbox.run_loop(iterations as u32)?;
    for (title, events, journal, aims) in [
        (format!("a loop of {ITERATIONS} iterations (SPEC L9)"), whole.events, &kept, Aims::Compared),
        (format!("for comparison: {iterations} iterations"), long.events, &long.journal, Aims::Shown),
    ] {
        let unit = unit(sandbox)?;
        println!("{title}, {events} events; unit: `bash -c :`, {:.2} ms\n", unit.as_secs_f64() * 1e3);
        println!("{}\n", shown(&measured(journal)?, unit, aims));
    }
    Ok(())
}

fn keep(sandbox: &Sandbox, written: &LoopRun, name: &str) -> Result<PathBuf, Failure> {
    let kept = sandbox.beside(name);
    std::fs::copy(&written.journal, &kept).map_err(Failure::file(&kept))?;
    Ok(kept)
}

fn unit(sandbox: &Sandbox) -> Result<Duration, Failure> {
    let mut unit = Samples::default();
    for _ in 0..UNITS {
        unit.push(sandbox.idle_agents(1)?);
    }
    Ok(unit.median())
}

fn measured(journal: &Path) -> Result<Vec<(String, Measurement)>, Failure> {
    let arguments =
        ["run", "--release", "--quiet", "--locked", "--package", EXAMPLE_PACKAGE, "--example", EXAMPLE];
    let mut command = program::cargo(&arguments);
    command.arg("--").arg(journal);
    Ok(program::stdout(command)?.lines().filter_map(read).collect())
}

/// One line of the example.
fn read(line: &str) -> Option<(String, Measurement)> {
    let (name, numbers) = line.split_once('\t')?;
    let measurement = match numbers.strip_prefix("bytes ") {
        Some(bytes) => Measurement::Bytes(bytes.parse().ok()?),
        None => {
            let mut samples = Samples::default();
            for nanoseconds in numbers.split(' ') {
                samples.push(Duration::from_nanos(nanoseconds.parse().ok()?));
            }
            Measurement::Times(samples)
        }
    };
    Some((name.to_owned(), measurement))
}

/// Times as a table in units, sizes below it.
fn shown(measurements: &[(String, Measurement)], unit: Duration, aims: Aims) -> String {
    let mut rows = Vec::new();
    let mut sizes = Vec::new();
    for (name, measurement) in measurements {
        match measurement {
            Measurement::Times(samples) => rows.push(match aims.of(name) {
                Some(units_max) => Row::aimed(name, samples, units_max),
                None => Row::shown(name, samples),
            }),
            Measurement::Bytes(bytes) => sizes.push(format!("{name}: {}", aims.size(name, *bytes))),
        }
    }
    format!("{}\n{}", measure::table(&rows, unit), sizes.join("\n"))
}

/// Is SPEC L9 about these measurements?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aims {
    Compared,
    Shown,
}

impl Aims {
    fn of(self, name: &str) -> Option<f64> {
        let (_, units_max) = AIMS.iter().find(|(start, _)| name.starts_with(start))?;
        (self == Self::Compared).then_some(*units_max)
    }

    fn size(self, name: &str, bytes: u64) -> String {
        let shown = format!("{:.3} MB", bytes as f64 / 1e6);
        match (self, name.starts_with(MEMORY.0)) {
            (Self::Compared, true) if bytes <= MEMORY.1 => {
                format!("{shown}  aim {} MB: met", MEMORY.1 / 1_000_000)
            }
            (Self::Compared, true) => format!("{shown}  aim {} MB: MISSED", MEMORY.1 / 1_000_000),
            (Self::Compared, false) | (Self::Shown, _) => shown,
        }
    }
}
