//! Checks that the worker does not get to know (SPEC B3): where they lie, how they are kept, and what is said of them.
//!
//! Each other text of a loop may be read by its worker, and these may not.

use std::{fs, io};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{CheckRun, Digest};
use gulf_host::files::{self, Durability};
use gulf_host::programs;
use gulf_spec::prompts::Fix;

use crate::agreement::{HeldOut, SealedCheck, engine_digest};
use crate::checks::{Checks, RunEnd};
use crate::error::{Failure, Result, RunError};
use crate::folder::{LoopPaths, file_name};

/// By what a folder's program knows its folder.
pub(crate) const VARIABLE: &str = "GULF_ACCEPTANCE";
/// So much may a folder hold.
const FILES_MAX: usize = 10_000;
const BYTES_MAX: u64 = 256 << 20;

/// Copies the folders of these checks to where nothing of the project lies, once.
pub(crate) fn seal(checks: &mut [SealedCheck], folder: &LoopPaths) -> Result<(), RunError> {
    for SealedCheck { name, held_out, .. } in checks {
        if let Some(HeldOut::Folder { from, digest: digest @ None }) = held_out {
            *digest = Some(copy(from, &kept(folder, name.as_str()))?);
        }
    }
    Ok(())
}

fn kept(folder: &LoopPaths, check: &str) -> Utf8PathBuf {
    folder.root().join("sealed").join("held-out").join(file_name(check))
}

/// Where it stands for a run.
pub(crate) fn brought(folder: &LoopPaths, check: &str) -> Utf8PathBuf {
    folder.room("held-out").join(file_name(check))
}

/// Everything of these checks that a worker must not see, where the machine has it.
pub(crate) fn secret(checks: &[SealedCheck], folder: &LoopPaths) -> Vec<Utf8PathBuf> {
    let mut paths = vec![
        folder.root().join("sealed").join("held-out"),
        folder.room("held-out"),
        folder.root().join("held-out"),
        folder.contract(),
    ];
    for check in checks {
        match &check.held_out {
            Some(HeldOut::Folder { from, .. }) => paths.push(from.clone()),
            Some(HeldOut::Command) => paths.extend(named_paths(&check.command)),
            None => {}
        }
    }
    let is_any = checks.iter().any(|check| check.held_out.is_some());
    paths.retain(|path| is_any && path.exists());
    paths
}

/// What a command names by a whole path.
pub(crate) fn named_paths(command: &str) -> impl Iterator<Item = Utf8PathBuf> {
    let words =
        command.split(|character: char| character.is_whitespace() || "'\"=;&|<>()".contains(character));
    words.filter(|word| word.starts_with('/')).map(Utf8PathBuf::from)
}

/// What a worker may read of a run: that it said no, and not why. Where nothing could run a person is asked, and has to
/// know what was missing.
pub(crate) fn unsaid(run: CheckRun) -> CheckRun {
    let summary = if run.never_began() { run.summary } else { "held out".to_owned() };
    CheckRun { summary, failed: Vec::new(), ..run }
}

/// What the worker is told is run.
pub(crate) fn shown_checks(checks: &[SealedCheck]) -> Vec<String> {
    checks.iter().filter(|check| check.held_out.is_none()).map(|check| check.command.clone()).collect()
}

/// What the worker is told of a check that failed. Of one that is held out it hears no more than what it is about.
pub(crate) fn failed_check(name: &str, check: &SealedCheck, end: &RunEnd, tail: String) -> Fix {
    let (name, command, end) = (name.to_owned(), check.command.clone(), end.to_string());
    match check.held_out {
        None => Fix::CheckFailed { name, command, end, tail },
        Some(_) => Fix::Refused {
            gate: format!("the acceptance check \"{name}\""),
            reason: "It does not pass. It is held out: what it runs and prints is not shown to you. Read the goal and the \
                     criteria again for what the work does not do yet; do not look for the check."
                .to_owned(),
        },
    }
}

impl Checks<'_> {
    /// A worker is shown the logs of its iterations.
    pub(crate) fn log_of(&self, check: &SealedCheck, name: &str) -> Result<Utf8PathBuf> {
        let log = self.resources.folder.log(self.key, name);
        let folder = match &check.held_out {
            None => self.resources.folder.logs(self.key),
            Some(_) => self.resources.folder.root().join("held-out").join(self.key.iteration.to_string()),
        };
        files::create_private_directories(&folder, Durability::Buffered)?;
        Ok(folder.join(log.file_name().unwrap_or(name)))
    }

    /// A check's own folder as it was sealed, anew for this run, with the variable that names it.
    pub(crate) fn bring_held_out(&self, check: &SealedCheck) -> Result<Option<(String, String)>> {
        let Some(HeldOut::Folder { digest, .. }) = &check.held_out else { return Ok(None) };
        let name = check.name.as_str();
        let place = brought(&self.resources.folder, name);
        let brought = copy(&kept(&self.resources.folder, name), &place)?;
        if digest.as_ref() != Some(&brought) {
            let what = "is not as it was when the loop began; start a new one with `gulf run --replace`";
            return Err(Failure::Refused(format!("what belongs to the check {name} {what}")));
        }
        Ok(Some((VARIABLE.to_owned(), place.to_string())))
    }
}

/// Copies a folder of plain files to a place of its own, and says what it holds.
fn copy(from: &Utf8Path, to: &Utf8Path) -> Result<Digest, RunError> {
    files::remove_directory(to)?;
    let (mut open, mut told, mut bytes_left, mut files_left) =
        (vec![Utf8PathBuf::new()], Vec::new(), BYTES_MAX, FILES_MAX);
    while let Some(folder) = open.pop() {
        files::create_private_directories(&to.join(&folder), Durability::Buffered)?;
        let listed = from.join(&folder).read_dir_utf8().and_then(Iterator::collect::<io::Result<Vec<_>>>);
        for entry in listed.map_err(failed(&from.join(&folder)))? {
            let (path, kind) = (folder.join(entry.file_name()), entry.file_type());
            let source = from.join(&path);
            let kind = kind.map_err(failed(&source))?;
            if kind.is_dir() {
                open.push(path);
                continue;
            }
            let size = entry.metadata().map_err(failed(&source))?.len();
            let left = bytes_left.checked_sub(size).zip(files_left.checked_sub(1));
            let why = if kind.is_file() { "is more than can be held out" } else { "is no plain file" };
            let (true, Some(left)) = (kind.is_file(), left) else {
                return Err(failed(&source)(io::Error::other(why)));
            };
            (bytes_left, files_left) = left;
            let bytes = fs::read(&source).map_err(failed(&source))?;
            files::replace(&to.join(&path), &bytes, Durability::Buffered)?;
            let is_program = programs::is_executable(&source);
            if is_program {
                programs::make_executable(&to.join(&path)).map_err(failed(&source))?;
            }
            told.push(format!("{path}\0{is_program}\0{}\n", engine_digest(&bytes)));
        }
    }
    told.sort();
    Ok(engine_digest(told.concat().as_bytes()))
}

fn failed(path: &Utf8Path) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |source| RunError::HeldOut { path, source }
}
