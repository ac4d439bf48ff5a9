//! Which checks are held out from the worker, and where such a check may lie.
//!
//! It stands apart because it is refused before a start what a worker could read.

use camino::Utf8Path;
use gulf_engine::Policy;
use gulf_host::programs;

use super::PlanError;
use crate::agreement::{HeldOut, SealedCheck};
use crate::held_out::VARIABLE;

/// The program of a folder.
const PROGRAM: &str = "run";

/// Holds a check out: a folder by its program, else a command.
pub(super) fn hold_out(check: &mut SealedCheck, project: &Utf8Path) -> Result<(), PlanError> {
    let from = project.join(&check.command);
    if !from.is_dir() {
        check.held_out = Some(HeldOut::Command);
        return Ok(());
    }
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    let from = real(&from);
    if from.starts_with(real(project)) {
        return Err(PlanError::HeldOutInProject { path: from });
    }
    if !programs::is_executable(&from.join(PROGRAM)) {
        return Err(PlanError::HeldOutWithoutRun { path: from });
    }
    check.command = format!("\"${VARIABLE}/{PROGRAM}\"");
    check.held_out = Some(HeldOut::Folder { from, digest: None });
    Ok(())
}

/// Numbers that steer a loop are told to its worker.
pub(super) fn leave_one_open(checks: &[SealedCheck], policy: &Policy) -> Result<(), PlanError> {
    let is_hidden = !checks.is_empty() && checks.iter().all(|check| check.held_out.is_some());
    if policy.feedback.is_some() && is_hidden { Err(PlanError::NoOpenCheck) } else { Ok(()) }
}
