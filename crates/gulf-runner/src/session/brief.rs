//! What a session is told when it is to go on: a long text in a file of the project, and the news of it at once.
//!
//! It stands apart because a host shows a model what a hook says in its own way, some of them twice: so that is short,
//! and the rest lies where the agent may read without being asked.

use std::fs;

use camino::Utf8PathBuf;
use gulf_engine::EffectKey;
use gulf_host::files::{self, Durability};

use crate::book::Fold;
use crate::error::{Failure, RunError};
use crate::workshop::Workshop;

/// Relative to the project.
pub const BRIEF: &str = ".gulf/brief.md";

/// What is handed to a session.
#[derive(Clone, Debug)]
pub struct Handed {
    pub key: EffectKey,
    /// For the model.
    pub news: String,
}

/// Writes the brief of a turn, and gives what the session is told of it.
pub(super) fn hand(workshop: &Workshop, fold: &Fold, key: &EffectKey) -> Result<Handed, RunError> {
    let path = workshop.project().join(BRIEF);
    let (whole, news) = workshop.session_prompt(fold, key, &path).map_err(in_the_world)?;
    files::create_private_directories(&workshop.folder.logs(key), Durability::Buffered)?;
    files::replace(&workshop.folder.log(key, "prompt.md"), whole.as_bytes(), Durability::Buffered)?;
    workshop.keep_feedback(fold, key).map_err(in_the_world)?;
    let news = match write(&path, &whole) {
        Ok(()) => news,
        // Nothing can be written there: then it is told in full.
        Err(_) => format!("{news}\n\n---\n\n{whole}"),
    };
    Ok(Handed { key: key.clone(), news })
}

fn write(path: &Utf8PathBuf, text: &str) -> Result<(), RunError> {
    let folder = path.parent().unwrap_or(path);
    let failed = |source| RunError::Directory { path: folder.to_owned(), source };
    if folder.is_symlink() || path.is_symlink() {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    }
    fs::create_dir_all(folder).map_err(failed)?;
    Ok(files::replace(path, text.as_bytes(), Durability::Buffered)?)
}

/// No effect runs here that could be refused or stopped.
pub(super) fn in_the_world(failure: Failure) -> RunError {
    match failure {
        Failure::World(error) => error,
        Failure::Refused(_) | Failure::Stopped => RunError::NoContract,
    }
}
