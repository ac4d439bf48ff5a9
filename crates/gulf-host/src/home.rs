//! Where gulf keeps its own state: outside every worktree, in folders that only their owner may enter.
//!
//! It stands apart so that each path is spelt once. Functions return paths and touch nothing; what makes a folder is
//! called `create`.
//!
//! ```text
//! <home>/repositories/<key>/identity.json
//!                           loops/<loop>/journal.jsonl · lock · state.json
//!                                        requests/ · iterations/NNN/ · sealed/
//! ```

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use crate::files::{self, Durability, WriteError};

mod name;
mod requests;
#[cfg(test)]
mod tests;

pub use name::{Name, NameError};
pub use requests::{Requests, WaitingRequest};

/// The variable that names the home.
pub const HOME_VARIABLE: &str = "GULF_HOME";

/// The root of gulf's own state: absolute, and not looked at yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    root: Utf8PathBuf,
}

/// What is kept about one repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryHome {
    root: Utf8PathBuf,
}

/// Why there is no home.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum HomeError {
    #[error("{what}")]
    #[diagnostic(help("set {HOME_VARIABLE} to an absolute path"))]
    Nowhere { what: String },
    #[error("gulf's state would lie inside the worktree: {home} is in {worktree}")]
    #[diagnostic(help(
        "`cd` into the project's own folder; or set {HOME_VARIABLE} to a folder outside of this one: what lies inside \
         can be changed by the worker"
    ))]
    InsideWorktree { home: Utf8PathBuf, worktree: Utf8PathBuf },
    #[error("cannot inspect {path}")]
    #[diagnostic(help("{}", files::system_hint(source).unwrap_or_default()))]
    Failed { path: Utf8PathBuf, source: io::Error },
}

impl Home {
    /// Finds the home in the process's environment: `$GULF_HOME`, else `$XDG_STATE_HOME/gulf`, else the system's
    /// usual place: `~/.local/state/gulf`, on macOS `~/Library/Application Support/gulf`, on Windows
    /// `%LOCALAPPDATA%\gulf`. An empty variable is an unset one.
    pub fn from_environment() -> Result<Home, HomeError> {
        Home::from_variables(std::env::consts::OS, std::env::var_os)
    }

    /// A home at an absolute path.
    pub fn at(root: Utf8PathBuf) -> Result<Home, HomeError> {
        Ok(Home { root: absolute(HOME_VARIABLE, root)? })
    }

    fn from_variables(
        system: &str,
        variable: impl Fn(&'static str) -> Option<OsString>,
    ) -> Result<Home, HomeError> {
        let directory = |name: &'static str| match variable(name).filter(|value| !value.is_empty()) {
            Some(value) => Utf8PathBuf::from_path_buf(PathBuf::from(value))
                .map(Some)
                .map_err(|path| nowhere(format!("{name} is not UTF-8: {}", path.display()))),
            None => Ok(None),
        };
        if let Some(root) = directory(HOME_VARIABLE)? {
            return Home::at(root);
        }
        // The XDG specification says that a relative path there is to be ignored.
        if let Some(state) = directory("XDG_STATE_HOME")?.filter(|path| path.is_absolute()) {
            return Home::at(state.join("gulf"));
        }
        let below = if system == "macos" { "Library/Application Support/gulf" } else { ".local/state/gulf" };
        let unset = "no place for gulf's state: neither GULF_HOME nor a home directory is set";
        let usual = directory("HOME")?.ok_or_else(|| nowhere(unset.to_owned()))?;
        Home::at(absolute("HOME", usual)?.join(below))
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Refuses a home that lies in `worktree` or is it, also by way of links. The home need not exist.
    pub fn refuse_inside(&self, worktree: &Utf8Path) -> Result<(), HomeError> {
        let home = canonical(&self.root)?;
        if home.starts_with(canonical(worktree)?) {
            Err(HomeError::InsideWorktree { home: self.root.clone(), worktree: worktree.to_owned() })
        } else {
            Ok(())
        }
    }

    /// Every repository of which something is kept.
    pub fn repositories(&self) -> Result<Vec<RepositoryHome>, HomeError> {
        let folder = self.root.join("repositories");
        Ok(folders_in(&folder)?.iter().map(|key| self.repository(key)).collect())
    }

    /// Where it is kept which sessions are in which checkout's loop.
    pub fn sessions(&self) -> Utf8PathBuf {
        self.root.join("sessions")
    }

    pub fn repository(&self, key: &Name) -> RepositoryHome {
        RepositoryHome { root: self.root.join("repositories").join(key.as_str()) }
    }
}

impl RepositoryHome {
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Which repository this is.
    pub fn identity(&self) -> Utf8PathBuf {
        self.root.join("identity.json")
    }

    /// The folder of one loop, which [`crate::journal::LocalJournal`] opens.
    pub fn loop_root(&self, name: &Name) -> Utf8PathBuf {
        self.loops().join(name.as_str())
    }

    /// The names of all loops, sorted; as they begin with their time, the oldest comes first. Entries that are no
    /// folder, or whose name no loop can have, are not loops. None when nothing was created yet.
    pub fn loop_names(&self) -> Result<Vec<Name>, HomeError> {
        folders_in(&self.loops())
    }

    /// Makes the repository's folder, and that of its loops.
    pub fn create(&self) -> Result<(), WriteError> {
        files::create_private_directories(&self.loops(), Durability::Synced)
    }

    /// Where the folders of its loops lie.
    pub fn loops(&self) -> Utf8PathBuf {
        self.root.join("loops")
    }
}

fn nowhere(what: String) -> HomeError {
    HomeError::Nowhere { what }
}

fn absolute(variable: &str, path: Utf8PathBuf) -> Result<Utf8PathBuf, HomeError> {
    let relative = || nowhere(format!("{variable} is a relative path: {path}"));
    if path.is_absolute() { Ok(path) } else { Err(relative()) }
}

/// The folders of a folder whose names are names, sorted; none where it is not there yet.
fn folders_in(folder: &Utf8Path) -> Result<Vec<Name>, HomeError> {
    let failed = |source| HomeError::Failed { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in files::entries(folder).map_err(failed)? {
        let Ok(name) = Name::parse(entry.file_name()) else { continue };
        if entry.file_type().map_err(failed)?.is_dir() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The path without links, as far as it exists; the rest is taken by its letters.
pub fn canonical(path: &Utf8Path) -> Result<PathBuf, HomeError> {
    let failed = |source| HomeError::Failed { path: path.to_owned(), source };
    let mut resolved = PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::ParentDir => {
                resolved.pop();
            }
            Utf8Component::CurDir => {}
            Utf8Component::Prefix(_) | Utf8Component::RootDir | Utf8Component::Normal(_) => {
                resolved.push(component.as_str());
                resolved = without_links(resolved).map_err(failed)?;
            }
        }
    }
    Ok(resolved)
}

fn without_links(path: PathBuf) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Ok(canonical) => Ok(canonical),
        // A link to nothing would lead there as soon as someone makes it.
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_link(&path) => Err(error),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path),
        Err(error) => Err(error),
    }
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}
