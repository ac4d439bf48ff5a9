//! `gulf restore`: an iteration's files in a folder of their own; nothing of the project is touched.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::git::CommitId;
use gulf_runner::error::RunError;

use crate::cli::RestoreArguments;
use crate::failure::Failure;
use crate::iterations::{self, RecordedLoop};
use crate::place;

pub fn restore(arguments: &RestoreArguments) -> Result<u8, Failure> {
    let point = iterations::point(arguments.point.as_deref())?;
    let recorded = RecordedLoop::find(point.loop_id.as_deref())?;
    let (number, candidate) = recorded.candidate(point.iteration)?;
    let folder = target(&arguments.to)?;
    refuse(&recorded, &folder)?;
    let commit = CommitId::parse(candidate.commit.as_str()).map_err(RunError::from)?;
    let absent = recorded.repository()?.restore(&commit, &folder).map_err(RunError::from)?;
    for finding in absent {
        anstream::eprintln!(
            "note: the submodule {} is not in this repository, and was left empty",
            finding.path
        );
    }
    outln!("{}@{number} is in {folder}: commit {}", recorded.handle(), candidate.commit.as_str());
    Ok(0)
}

/// The folder's real path. Its parent must be there, so that a slip of the pen makes no tree of folders.
fn target(to: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let to = place::current_directory()?.join(to);
    if let Ok(there) = to.canonicalize_utf8() {
        return Ok(there);
    }
    let (Some(parent), Some(name)) = (to.parent(), to.file_name()) else {
        return Err(Failure::usage(format!("{to} is not a valid folder name"), "name one, such as ../at-7"));
    };
    let parent = parent.canonicalize_utf8().map_err(|error| {
        Failure::refused(&error, Some(format!("{parent} must be there: `mkdir -p '{parent}'`")))
    })?;
    Ok(parent.join(name))
}

fn refuse(recorded: &RecordedLoop, folder: &Utf8Path) -> Result<(), Failure> {
    let is_inside = |of: &Utf8Path| of.canonicalize_utf8().is_ok_and(|of| folder.starts_with(of));
    let elsewhere = "name a new folder elsewhere, such as `--to ../at-7`";
    if is_inside(recorded.place.home.root()) {
        return Err(Failure::usage(format!("{folder} is inside gulf's own folder"), elsewhere));
    }
    let layout = recorded.place.layout.iter();
    let mut of_project = layout.flat_map(|layout| [&layout.git_dir, &layout.common_dir]);
    if is_inside(&recorded.place.project) || of_project.any(|path| is_inside(path)) {
        let what = format!("{folder} is inside the project, where it would become part of the work");
        return Err(Failure::usage(what, elsewhere));
    }
    if !folder.exists() && !folder.is_symlink() {
        return Ok(());
    }
    let entries = folder.read_dir().map(|mut entries| entries.next().is_none());
    match entries {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::usage(format!("{folder} is not empty"), elsewhere)),
        Err(error) => Err(Failure::refused(&error, Some(elsewhere.to_owned()))),
    }
}
