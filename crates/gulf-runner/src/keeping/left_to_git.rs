//! What a person does with their own git where gulf does nothing: programs that git would run, repositories that lie within.
//!
//! Apart from committing a change and taking it out: a worker may have set up what the person's next command would run.

use std::collections::BTreeSet;

use gulf_host::git::{BlobId, FileMode, InTheWay, Obstacle, TreePath};
use gulf_spec::text::listed;

use super::change::Change;
use super::{KeepingError, NAMED_MAX, in_the_way, quoted, reasons};
use crate::references;

impl Change {
    /// What comes before any command of git's that a person types, where a worker set up what it would run.
    pub(super) fn what_git_would_run(&self) -> Result<Option<String>, KeepingError> {
        let undo = references::undoing_programs(&self.repository, &self.folder)?;
        let first = listed(&undo, NAMED_MAX);
        Ok((!undo.is_empty()).then(|| {
            format!("git would run for you what was set up since the loop began: unless that was you, first {first}")
        }))
    }

    /// Where a filter is in the way, what it runs is looked at before anything else.
    pub(super) fn not_ready(&self, found: &[InTheWay]) -> KeepingError {
        let is_filtered = found.iter().any(|one| matches!(one.obstacle, Obstacle::Filtered { .. }));
        match (reasons(found), self.what_git_would_run()) {
            (KeepingError::InTheWay { what, .. }, Ok(Some(first))) if is_filtered => {
                in_the_way(what, format!("{first}, then run the same command again"))
            }
            (told, _) => told,
        }
    }

    /// A repository that lies within is moved and removed by its person only: it may hold what is nowhere else.
    pub(super) fn holds_no_repository(&self, change: &BTreeSet<TreePath>) -> Result<(), KeepingError> {
        let project = &self.agreement.project;
        let (base, lies) = (self.entries(&self.base)?, self.entries(&self.lies)?);
        let is_moved =
            |path: &&TreePath| is_repository(lies.get(*path)) && lies.get(*path) != base.get(*path);
        let is_there = |path: &&TreePath| path.below(project).join(".git").exists();
        let Some(path) = change.iter().filter(is_moved).find(is_there) else { return Ok(()) };
        let here = quoted(project, &[path]);
        let back = match base.get(path).filter(|entry| is_repository(Some(entry))) {
            Some((_, commit)) => format!("`git -C {here} checkout --detach {commit}` puts it back"),
            None => format!("keep what you need of it, then `rm -rf -- {here}`"),
        };
        let hint = format!("{back}; then run `gulf discard` again");
        Err(in_the_way(format!("the loop changed {path}, which is a repository of its own"), hint))
    }
}

fn is_repository(entry: Option<&(FileMode, BlobId)>) -> bool {
    entry.is_some_and(|(mode, _)| *mode == FileMode::Submodule)
}
