//! What a worker made of settings, instructions and programs of agents in a person's own folders, where none were: the
//! next session of the person's would obey it. What is there, no worker can write, and a folder that is not there it makes
//! in one of the loop's; a file that is not there cannot be held, so it is taken away when the worker is done.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::{fs, io};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use serde::{Deserialize, Serialize};

use super::home::WorkerHome;
use crate::agreement::WorkerWalls;
use crate::error::{Result, RunError};
use crate::folder::file_name;
use crate::records;
use crate::resources::Resources;

const WHAT: &str = "which settings of agents were there";
/// What it is called beside where it was.
const TAKEN: &str = "taken-by-gulf";
/// So often may one name be taken.
const TAKEN_MAX: u32 = 1000;
/// In bytes.
const COMPARED_MAX: u64 = 1 << 20;

/// What keeps no worker from putting something else there.
#[derive(Debug, Serialize, Deserialize)]
enum Unheld {
    Nothing,
    /// The walls leave an empty one behind.
    NoFolder,
    Link {
        to: Utf8PathBuf,
    },
}

impl Resources {
    /// Runs what a worker has a say in, and leaves what agents obey as it was before.
    pub(crate) fn putting_back<T>(&self, mark: &str, run: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.agreement.agent.sandbox == WorkerWalls::Off {
            return run();
        }
        let kept = self.kept_settings().join(format!("{}.json", file_name(mark)));
        let home = WorkerHome::in_loop(self);
        let unheld: BTreeMap<_, _> = home.settings_of_agents().filter_map(|path| unheld(&path)).collect();
        records::keep(&kept, WHAT, &unheld, Durability::Buffered)?;
        let outcome = run();
        self.put_back(&kept)?;
        outcome
    }

    /// The same for whatever a gulf that was killed left.
    pub(crate) fn put_back_all(&self) -> Result<(), RunError> {
        let kept = self.kept_settings().read_dir_utf8().into_iter().flatten().flatten();
        kept.map(camino::Utf8DirEntry::into_path).try_for_each(|kept| self.put_back(&kept))
    }

    /// What was taken away since the loop began, for people.
    pub(crate) fn taken_from_worker(&self) -> Vec<String> {
        let told = self.taken().read_dir_utf8().into_iter().flatten().flatten();
        let mut told: Vec<String> =
            told.filter_map(|told| records::find::<Vec<String>>(told.path())).flatten().collect();
        told.sort();
        told
    }

    fn put_back(&self, kept: &Utf8Path) -> Result<(), RunError> {
        let unheld: BTreeMap<Utf8PathBuf, Unheld> = records::read(kept, WHAT)?.unwrap_or_default();
        let (mut told, mut is_left) = (Vec::new(), false);
        for (path, was) in unheld {
            let link = match was {
                Unheld::Nothing => None,
                Unheld::Link { to } => Some(to),
                Unheld::NoFolder => {
                    let _ = fs::remove_dir(&path);
                    continue;
                }
            };
            let is_there = path.symlink_metadata().is_ok();
            if is_there == link.is_some() && path.read_link_utf8().ok() == link {
                continue;
            }
            match restore(&path, link) {
                Ok(what) => told.push(format!("{path} ({what})")),
                Err(error) => {
                    told.push(format!("{path} (made in a turn; it cannot be taken away: {error})"));
                    is_left = true;
                }
            }
        }
        if let (false, Some(name)) = (told.is_empty(), kept.file_name()) {
            records::keep(&self.taken().join(name), WHAT, &told, Durability::Buffered)?;
        }
        // The next driver tries again: what the turn did and cost is not lost for it.
        if is_left { Ok(()) } else { Ok(files::remove_file(kept)?) }
    }

    fn kept_settings(&self) -> Utf8PathBuf {
        self.folder.root().join("sealed").join("settings-of-agents")
    }

    fn taken(&self) -> Utf8PathBuf {
        self.folder.root().join("sealed").join("taken-from-worker")
    }
}

/// In a folder that is there, and which the worker may write therefore.
fn unheld(path: &Utf8Path) -> Option<(Utf8PathBuf, Unheld)> {
    let (at, is_folder) = (Utf8Path::new(path.as_str().trim_end_matches('/')), path.as_str().ends_with('/'));
    let unheld = match at.symlink_metadata() {
        Err(_) if !at.parent().is_some_and(Utf8Path::is_dir) => return None,
        Err(_) if is_folder => Unheld::NoFolder,
        Err(_) => Unheld::Nothing,
        Ok(metadata) if metadata.is_symlink() => Unheld::Link { to: at.read_link_utf8().ok()? },
        Ok(_) => return None,
    };
    Some((at.to_owned(), unheld))
}

/// Makes a path what it was, and says what was done.
fn restore(path: &Utf8Path, link: Option<Utf8PathBuf>) -> io::Result<String> {
    let what = match path.symlink_metadata() {
        Ok(_) => format!("made in a turn; it is {} now, which nobody reads", set_aside(path)?),
        Err(_) => "removed in a turn; it is a link again".to_owned(),
    };
    link.map_or(Ok(()), |link| symlink(link, path))?;
    Ok(what)
}

/// Beside where it was: that is one disk, and a person who made it themselves finds it there. What an agent writes anew in
/// every turn is there once.
fn set_aside(path: &Utf8Path) -> io::Result<String> {
    let is_small = |metadata: &fs::Metadata| metadata.is_file() && metadata.len() <= COMPARED_MAX;
    let bytes = |path: &Utf8Path| {
        path.symlink_metadata().ok().filter(is_small)?;
        fs::read(path).ok()
    };
    let (name, now) = (path.file_name().unwrap_or_default(), bytes(path));
    for name in (1..TAKEN_MAX).map(|number| format!("{name}.{TAKEN}-{number}")) {
        let aside = path.with_file_name(&name);
        if aside.symlink_metadata().is_err() {
            fs::rename(path, aside)?;
            return Ok(name);
        }
        if now.is_some() && bytes(&aside) == now {
            fs::remove_file(path)?;
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
