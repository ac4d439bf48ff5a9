//! Runs each check once where there is nothing.
//!
//! It stands apart because it acts: a folder of its own for each check, its time bounded, Ctrl-C heard.

use std::time::Duration;

use anstream::eprintln;
use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::process::ShimProgram;
use gulf_host::programs;
use gulf_runner::agreement::SealedCheck;
use gulf_runner::error::RunError;
use gulf_runner::plan::{AUTOCHECKS, TEXT_BYTES_MAX};
use gulf_runner::trial::{TrialRequest, TrialWord, attempt};
use gulf_spec::lint::{EmptyTreeWord, OnEmptyTree};
use gulf_views::one_line;

use crate::commands::interruption;
use crate::failure::Failure;

/// Where there is nothing to do, a check that takes longer is not waited for; it was not green.
const WALL_MAX: Duration = Duration::from_secs(60);

/// What each check says on an empty tree. None when the person left.
pub(super) fn words(project: &Utf8Path, checks: &[SealedCheck]) -> Result<Option<Vec<OnEmptyTree>>, Failure> {
    let shim = ShimProgram::this_program().map_err(|error| Failure::world(&error, None))?;
    let (stop, _listening) = interruption::stop()?;
    let folder = tempfile::Builder::new().prefix("gulf-").tempdir();
    let folder = folder.map_err(|error| Failure::world(&error, None))?;
    let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).map_err(|path| {
        Failure::usage(format!("the path {} is not UTF-8", path.display()), "set TMPDIR to another folder")
    })?;
    if root.canonicalize_utf8().is_ok_and(|root| root.starts_with(project)) {
        // Tools look for their project in the folders above.
        eprintln!("note: not tried on an empty tree, because the temporary folder lies in the project");
        return Ok(Some(Vec::new()));
    }
    let mut words = Vec::new();
    for (number, check) in checks.iter().enumerate() {
        eprintln!("running on an empty tree: {}", one_line(&check.command));
        let tree = root.join(format!("tree-{number}"));
        let directory = tree.join(&check.directory);
        std::fs::create_dir_all(&directory).map_err(|error| Failure::world(&error, None))?;
        put_autochecks(project, &tree)?;
        let request = TrialRequest {
            command: &with_variables(check),
            directory: &directory,
            wall_max: WALL_MAX.min(Duration::from_millis(check.timeout_ms)),
        };
        let trial = attempt(&shim, &request, &stop).map_err(|error| Failure::world(&error, None))?;
        if stop.is_asked() {
            return Ok(None);
        }
        let word = match trial.word {
            TrialWord::Green => EmptyTreeWord::Green,
            TrialWord::GreenWithoutTests => EmptyTreeWord::GreenWithoutTests,
            TrialWord::Red { .. } | TrialWord::CannotRun { .. } => EmptyTreeWord::Red,
            TrialWord::Stopped => return Ok(None),
        };
        words.push(OnEmptyTree { command: check.command.clone(), origin: check.origin.clone(), word });
    }
    Ok(Some(words))
}

/// The project's own script of checks is no work: a loop puts it beside every candidate.
fn put_autochecks(project: &Utf8Path, tree: &Utf8Path) -> Result<(), Failure> {
    let original = project.join(AUTOCHECKS);
    if !original.is_file() {
        return Ok(());
    }
    let bytes = files::read_bytes(&original, TEXT_BYTES_MAX).map_err(RunError::from)?;
    let copy = tree.join(AUTOCHECKS);
    let failed = |error: std::io::Error| Failure::world(&error, None);
    if let Some(folder) = copy.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    files::replace(&copy, &bytes, Durability::Buffered).map_err(RunError::from)?;
    programs::make_executable(&copy).map_err(failed)
}

/// The command with the check's own variables, for a shell.
fn with_variables(check: &SealedCheck) -> String {
    let mut command = String::new();
    for (name, value) in &check.environment {
        command.push_str(&format!("export {name}='{}'; ", value.replace('\'', "'\\''")));
    }
    command.push_str(&check.command);
    command
}
