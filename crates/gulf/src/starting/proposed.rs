//! Asks a person about checks that stand in a project's CI and task files.
//!
//! It stands apart because it is the one place where a stranger's command becomes a check on a word at the terminal.

use gulf_runner::plan::PlanError;
use gulf_views::one_line;

use crate::failure::Failure;
use crate::input;

/// Shows what was found, and where; does the person at the terminal take it? Where nobody can be asked nobody does.
pub fn agrees(error: &PlanError) -> Result<bool, Failure> {
    let PlanError::OnlyProposed { found, .. } = error else { return Ok(false) };
    if !input::can_ask() {
        return Ok(false);
    }
    anstream::eprintln!("No check is named. Found in the project:");
    found.iter().for_each(|one| anstream::eprintln!("  {}", one_line(one)));
    input::agrees("Take that?")
}
