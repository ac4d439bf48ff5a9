//! How long a line of loops takes to land, simulated with the queue's own rules; in a program of its own, because it needs
//! the crate while xtask must build without it.

use crate::failure::Failure;
use crate::program;

const PACKAGE: &str = "gulf-queue";
/// Prints a table; with `ENTRIES LANES CHECK_MS [FAILING…]` one case.
const EXAMPLE: &str = "simulate";

/// Shows the simulated makespans beside serial landing and the bound.
pub(crate) fn run() -> Result<(), Failure> {
    let arguments = ["run", "--release", "--quiet", "--locked", "--package", PACKAGE, "--example", EXAMPLE];
    print!("{}", program::stdout(program::cargo(&arguments))?);
    Ok(())
}
