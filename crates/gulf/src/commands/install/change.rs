//! Files as they were read and as they shall be: shown as a difference, or written whole.
//!
//! It stands apart because everything is decided before the first byte is written, and a file that somebody else has
//! changed meanwhile is left to them.

use std::fmt::Write as _;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, ByteOrderMark, Durability, ReadError, WriteError};
use similar::TextDiff;

use crate::failure::Failure;

/// People's settings are far smaller.
const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// A file that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Present {
    /// The file itself, where its name is a link.
    pub(super) target: Utf8PathBuf,
    pub(super) text: String,
    mark: ByteOrderMark,
}

/// What becomes of one file.
#[derive(Debug)]
pub(super) struct Change {
    path: Utf8PathBuf,
    before: Option<Present>,
    /// `None` where it goes.
    after: Option<String>,
}

impl Present {
    /// `None` where nothing is. A link is followed, so that the file it names is the one that is written; one that leads
    /// nowhere is refused.
    pub(super) fn read(path: &Utf8Path) -> Result<Option<Present>, Failure> {
        if fs::symlink_metadata(path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let target = path.canonicalize_utf8().map_err(|source| {
            let message = format!("{path} is a link that leads nowhere, or cannot be followed: {source}");
            Failure::usage(message, "look where it leads")
        })?;
        let text = files::read_text(&target, FILE_BYTES_MAX).map_err(|error| unreadable(&error))?;
        Ok(Some(Present { target, text: text.content, mark: text.byte_order_mark }))
    }

    /// Every byte of it.
    pub(super) fn whole(&self) -> String {
        match self.mark {
            ByteOrderMark::Stripped => format!("\u{feff}{}", self.text),
            ByteOrderMark::Absent => self.text.clone(),
        }
    }
}

impl Change {
    /// `None` where the file is already as it shall be.
    pub(super) fn new(path: Utf8PathBuf, before: Option<Present>, after: Option<String>) -> Option<Change> {
        let is_same = before.as_ref().map(|present| &present.text) == after.as_ref();
        (!is_same).then_some(Change { path, before, after })
    }

    /// As `diff -u` shows it.
    pub(super) fn difference(&self) -> String {
        let before = self.before.as_ref().map_or("", |present| present.text.as_str());
        let after = self.after.as_deref().unwrap_or_default();
        let name = |is_there: bool| if is_there { self.path.as_str() } else { "/dev/null" };
        TextDiff::from_lines(before, after)
            .unified_diff()
            .context_radius(CONTEXT_LINES)
            .header(name(self.before.is_some()), name(self.after.is_some()))
            .to_string()
    }

    /// What was done, in a line.
    pub(super) fn told(&self) -> String {
        let word = match (&self.before, &self.after) {
            (None, _) => "written",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
        };
        let mut line = format!("{word} {}", self.path);
        if let Some(present) = self.before.as_ref().filter(|present| present.target != self.path) {
            let _ = write!(line, ", which is {}", present.target);
        }
        line
    }

    /// Writes it, unless somebody else did. Below the host's folder nothing empty stays.
    pub(super) fn apply(&self, host_folder: &Utf8Path) -> Result<(), Failure> {
        if Present::read(&self.path)? != self.before {
            let message = format!("{} was changed by another program meanwhile", self.path);
            return Err(Failure::usage(message, "run the same command again"));
        }
        let Some(after) = &self.after else { return self.remove(host_folder) };
        match &self.before {
            Some(present) => {
                let whole = Present { text: after.clone(), ..present.clone() }.whole();
                files::replace(&present.target, whole.as_bytes(), Durability::Synced)
            }
            None => make_folder(&self.path)
                .and_then(|()| files::create_new(&self.path, after.as_bytes(), Durability::Synced)),
        }
        .map_err(|error| unwritable(&error))
    }

    /// The file, and its folder if nothing else is in it.
    fn remove(&self, host_folder: &Utf8Path) -> Result<(), Failure> {
        fs::remove_file(&self.path).map_err(|source| {
            unwritable(&WriteError::Failed { path: self.path.clone(), action: "remove", source })
        })?;
        if let Some(folder) = self.path.parent().filter(|folder| *folder != host_folder) {
            // A folder with something in it stays.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

fn make_folder(path: &Utf8Path) -> Result<(), WriteError> {
    path.parent().map_or(Ok(()), |folder| files::create_private_directories(folder, Durability::Synced))
}

/// What cannot be read is refused like what cannot be understood.
fn unreadable(error: &ReadError) -> Failure {
    Failure::refused(error, error.hint())
}

fn unwritable(error: &WriteError) -> Failure {
    Failure::refused(error, error.hint())
}
