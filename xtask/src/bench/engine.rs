//! Rows measured inside one process: transition, save, load, fold; in a program of their own, because they need the
//! crates in release while xtask must build without them.

use super::sandbox::Sandbox;
use crate::failure::Failure;
use crate::program;

/// Takes a journal's path and prints finished lines for a person; lives beside the code that it measures.
const EXAMPLE: &str = "engine_rows";
const EXAMPLE_PACKAGE: &str = "gulf-runner";
const EXAMPLE_PATH: &str = "crates/gulf-runner/examples/engine_rows.rs";

/// The size of history whose fold is measured.
const EVENTS: f64 = 10_000.0;

/// Shows what the example says of a real journal of that size; while there is no example, says so.
pub(super) fn print_rows(sandbox: &Sandbox, events_per_iteration: f64) -> Result<(), Failure> {
    if !program::root().join(EXAMPLE_PATH).is_file() {
        println!("NOT MEASURED: save, load, transition and fold ({EXAMPLE_PATH} does not exist)");
        return Ok(());
    }
    let iterations = (EVENTS / events_per_iteration.max(1.0)).ceil();
    eprintln!("a journal of {EVENTS} events, by {iterations} iterations");
    let long = sandbox.run_loop(iterations as u32)?;
    let arguments =
        ["run", "--release", "--quiet", "--locked", "--package", EXAMPLE_PACKAGE, "--example", EXAMPLE];
    let mut command = program::cargo(&arguments);
    command.arg("--").arg(&long.journal);
    println!("a journal of {} events, written by gulf itself:", long.events);
    print!("{}", program::stdout(command)?);
    Ok(())
}
