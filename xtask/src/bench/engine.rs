//! Rows measured inside one process: transition, save, load, fold; in a program of their own, because they need the
//! crates in release while xtask must build without them.

use crate::failure::Failure;
use crate::program;

/// Prints finished lines for a person; lives beside the code that it measures.
const EXAMPLE: &str = "engine_rows";
const EXAMPLE_PACKAGE: &str = "gulf-runner";
const EXAMPLE_PATH: &str = "crates/gulf-runner/examples/engine_rows.rs";

/// Shows what the example prints; while there is none, says so.
pub(super) fn print_rows() -> Result<(), Failure> {
    if !program::root().join(EXAMPLE_PATH).is_file() {
        println!("NOT MEASURED: save, load, transition and fold ({EXAMPLE_PATH} does not exist)");
        return Ok(());
    }
    let arguments =
        ["run", "--release", "--quiet", "--locked", "--package", EXAMPLE_PACKAGE, "--example", EXAMPLE];
    print!("{}", program::stdout(program::cargo(&arguments))?);
    Ok(())
}
