//! Brings a folder to a commit where that is all there is to do, in two calls of git, or three where ignored files lie.
//!
//! It stands apart because a check is waited for, and most of them leave nothing behind but what the commit's own rules
//! ignore. It decides nothing: where anything else lies there, the folder is cleaned like one of which nothing is known.

use std::collections::HashSet;

use super::Exact;
use super::ignored::{Source, is_honest, sources};
use crate::git::checkout::Keep;
use crate::git::error::GitError;
use crate::git::listing::{ATTRIBUTES, DifferenceKind, Listing};
use crate::git::names::TreePath;
use crate::git::snapshot::distrust;

/// Whether the memory of what was seen in the folder may be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    Trusted,
    /// Lengths and time stamps may have been set back: bytes do not lie.
    Doubted,
}

impl Exact<'_> {
    /// Writes what the commit has, and lists everything that then lies there.
    pub(crate) fn bring_tracked(&self, memory: Memory) -> Result<Listing, GitError> {
        match memory {
            Memory::Trusted => {}
            Memory::Doubted => distrust(self.index)?,
        }
        self.write_tracked()?;
        Listing::read_everything(self.store, self.directory, self.index)
    }

    /// Is that the commit, and nothing besides but what may stay?
    pub(crate) fn is_exact(
        &self,
        listing: &Listing,
        keep: Keep,
        keep_paths: &[TreePath],
    ) -> Result<bool, GitError> {
        let mut unknown = listing.nested.clone();
        for difference in &listing.differences {
            match difference.kind {
                DifferenceKind::Untracked => unknown.push(difference.path.clone()),
                DifferenceKind::Changed | DifferenceKind::Removed => return Ok(false),
            }
        }
        unknown.retain(|path| !keep_paths.iter().any(|kept| path.is_at_or_below(kept)));
        if unknown.iter().any(|path| path.file_name() == ATTRIBUTES) {
            // What was written under them is not what the commit has.
            return Ok(false);
        }
        match keep {
            _ if unknown.is_empty() => Ok(true),
            Keep::Nothing => Ok(false),
            Keep::IgnoredOutput => self.are_ignored(&unknown, listing),
        }
    }

    /// Does a rule of the commit, or of the person, name each of these paths itself?
    fn are_ignored(&self, paths: &[TreePath], listing: &Listing) -> Result<bool, GitError> {
        let rules: HashSet<&TreePath> = listing.rules.iter().map(|(path, _)| path).collect();
        let sources = sources(self, paths)?;
        let is_ignored = |Source { file, pattern, .. }: &Source| {
            !file.is_empty() && !pattern.starts_with(b"!") && is_honest(&rules, file)
        };
        Ok(sources.len() == paths.len() && sources.iter().all(is_ignored))
    }
}
