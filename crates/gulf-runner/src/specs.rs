//! A spec as the goal of a loop (SPEC L1): where it lies, and that no two loops work on it.
//!
//! A spec is more than its text: it is changed while loops come and go, and keeps its id.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::lock::Lock;

use crate::error::RunError;
use crate::known::KnownLoop;
use crate::place::PlaceOfWork;
use crate::plan::{PlanError, Result};
use crate::texts::source;

pub use crate::agreement::SpecTerms;

/// Longer ids are none.
const ID_BYTES_MAX: usize = 100;
/// People write ids with it and without.
const PREFIX: &str = "SPEC-";

/// Looks a spec up: `.moai/specs/SPEC-{ID}/spec.md`, then `specs/{ID}.md`.
pub fn find(project: &Utf8Path, id: &str) -> Result<(SpecTerms, String)> {
    let bare = id.strip_prefix(PREFIX).unwrap_or(id);
    if !is_id(bare) {
        return Err(PlanError::NoSpecId { id: id.to_owned() });
    }
    let paths = [
        format!(".moai/specs/{PREFIX}{bare}/spec.md"),
        format!("specs/{bare}.md"),
        format!("specs/{PREFIX}{bare}.md"),
    ];
    for path in &paths {
        let source = source(&project.join(path), path)?;
        let Some(text) = source.map(|source| source.text().to_owned()) else { continue };
        let path = Utf8PathBuf::from(path);
        if text.trim().is_empty() {
            return Err(PlanError::BlankSpec { path });
        }
        return Ok((SpecTerms { id: bare.to_owned(), path }, text));
    }
    Err(PlanError::NoSpec { id: bare.to_owned(), paths: paths.to_vec() })
}

/// Is this a name that a file can have, whoever writes it in whichever letters?
pub fn is_id(text: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    !text.is_empty() && !text.starts_with('.') && text.len() <= ID_BYTES_MAX && text.chars().all(is_plain)
}

/// Whoever looks whether a spec is free, and starts on it, does so alone.
pub fn alone(place: &PlaceOfWork) -> Result<Lock> {
    place.repository.create().map_err(RunError::from)?;
    Ok(Lock::wait(&place.repository.root().join("specs.lock"), b"a spec").map_err(RunError::from)?)
}

/// Never two loops on one spec (SPEC L7), in whichever checkout of the repository the other one works.
pub fn is_free<'known>(spec: &SpecTerms, others: impl IntoIterator<Item = &'known KnownLoop>) -> Result<()> {
    let on_it = |one: &&KnownLoop| {
        let its = one.agreement().ok().and_then(|agreement| agreement.spec);
        one.is_unfinished() && its.is_some_and(|its| its.id == spec.id)
    };
    match others.into_iter().find(on_it) {
        None => Ok(()),
        Some(other) => Err(PlanError::SpecBusy { id: spec.id.clone(), loop_id: other.handle() }),
    }
}

#[cfg(test)]
mod tests;
