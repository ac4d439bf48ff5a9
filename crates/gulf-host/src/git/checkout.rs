//! Brings a folder of gulf's own exactly to a commit, and keeps ignored build output so that builds stay incremental.
//!
//! It stands apart because it trusts nothing it finds there: checks ran in that folder, and what they ran is the
//! worker's. The git directory in the folder is made anew each time and is never read by gulf.

mod dot_git;

use std::fs;

use camino::Utf8Path;
use sha2::{Digest, Sha256};

use super::error::GitError;
use super::exact::Exact;
use super::listing::Gitlink;
use super::listing::{DifferenceKind, Listing};
use super::names::{CommitId, TreePath};
use super::snapshot::{distrust, remove_if_there};
use super::store::{Store, replace_file};
use super::submodules::{self, SubmoduleFinding, SubmoduleState};
use super::{Repository, beside};
use crate::crash;

/// How deep submodules within submodules are followed.
const SUBMODULE_DEPTH_MAX: usize = 8;

/// Which folder shall be brought to which commit.
#[derive(Debug)]
pub struct CheckoutRequest<'a> {
    /// The folder; gulf's own, made when it is not there.
    pub directory: &'a Utf8Path,
    /// The index of that folder, outside of it; kept from one checkout to the next.
    pub index: &'a Utf8Path,
    pub commit: &'a CommitId,
    pub keep: Keep,
    /// Provided dependency folders, relative to the directory: kept whatever happens.
    pub keep_paths: &'a [TreePath],
}

/// What may stay that is not in the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Ignored files, unless a rule on what is ignored changed since the last checkout.
    IgnoredOutput,
    /// Only the provided dependency folders.
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutReport {
    /// What was kept in fact: `Nothing` also at the first checkout and where ignore rules changed.
    pub kept: Keep,
    /// Submodules the folder lacks.
    pub submodules: Vec<SubmoduleFinding>,
}

impl Repository {
    /// Brings the folder exactly to the commit; files that did not change keep their time stamps.
    pub fn checkout(&self, request: &CheckoutRequest) -> Result<CheckoutReport, GitError> {
        fs::create_dir_all(request.directory).map_err(GitError::file("create", request.directory))?;
        self.store.refresh_info(&self.layout.common_dir)?;
        let (kept, attributes) = self.compare_rules(request)?;
        let index = request.index;
        for suffix in [".lock", ".checkout"] {
            // The record goes first: a checkout that was cut off proves nothing about what was kept.
            remove_if_there(&beside(index, suffix))?;
        }
        if attributes == Rules::Changed {
            remove_if_there(index)?;
        }
        crash::point("git.checkout");
        let outer = Exact { store: &self.store, directory: request.directory, index, commit: request.commit };
        let gitlinks = outer.bring(kept, request.keep_paths)?;
        let submodules = self.populate(&outer, &gitlinks, self.work_tree(), kept, 0)?;
        dot_git::write(&outer, &self.layout.common_dir)?;
        crash::point("git.checkout.record");
        let record = format!("{}\n{}\n", request.commit, self.info_digest()?);
        replace_file(&beside(index, ".checkout"), record.as_bytes())?;
        Ok(CheckoutReport { kept, submodules })
    }

    /// The files of the commit that are no longer as it has them: whatever ran in the folder rewrote or removed them.
    pub fn rewritten(&self, directory: &Utf8Path, index: &Utf8Path) -> Result<Vec<TreePath>, GitError> {
        distrust(index)?;
        let listing = Listing::read(&self.store, directory, index)?;
        let tracked = listing.differences.into_iter().filter(|difference| match difference.kind {
            DifferenceKind::Changed | DifferenceKind::Removed => true,
            DifferenceKind::Untracked => false,
        });
        Ok(tracked.map(|difference| difference.path).collect())
    }

    /// Compares the rules of the last checkout with those of this one: may ignored files stay, and do attributes
    /// still turn the same objects into the same bytes?
    fn compare_rules(&self, request: &CheckoutRequest) -> Result<(Keep, Rules), GitError> {
        let record = fs::read_to_string(beside(request.index, ".checkout")).unwrap_or_default();
        let mut lines = record.lines();
        let (Some(last), Some(digest)) = (lines.next().and_then(|id| CommitId::parse(id).ok()), lines.next())
        else {
            return Ok((Keep::Nothing, Rules::Changed));
        };
        if digest != self.info_digest()? {
            return Ok((Keep::Nothing, Rules::Changed));
        }
        if last == *request.commit {
            return Ok((request.keep, Rules::Same));
        }
        let changed = self
            .store
            .call("diff-tree")
            .args(["-r", "-z", "--name-only", "--no-renames", last.as_str(), request.commit.as_str()])
            .run()?;
        let ends_with = |name: &[u8]| {
            let mut paths = changed.stdout.split(|byte| *byte == 0);
            paths.any(|path| path.rsplit(|byte| *byte == b'/').next() == Some(name))
        };
        let kept = if ends_with(b".gitignore") { Keep::Nothing } else { request.keep };
        let attributes = if ends_with(b".gitattributes") { Rules::Changed } else { Rules::Same };
        Ok((kept, attributes))
    }

    /// A digest of the rules that stand beside the repository and not in the tree.
    fn info_digest(&self) -> Result<String, GitError> {
        let mut digest = Sha256::new();
        for name in ["exclude", "attributes"] {
            let bytes = fs::read(self.store.directory.join("info").join(name)).unwrap_or_default();
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
        Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Fills the folders of submodules from the objects their worktrees have.
    pub(super) fn populate(
        &self,
        outer: &Exact,
        gitlinks: &[Gitlink],
        source: &Utf8Path,
        keep: Keep,
        depth: usize,
    ) -> Result<Vec<SubmoduleFinding>, GitError> {
        let mut findings = Vec::new();
        for Gitlink { path, commit } in gitlinks {
            let store = submodules::store_of(outer.store, source, path).filter(|store| has(store, commit));
            let directory = submodules::utf8_below(outer.directory, path);
            let (Some(store), Some(directory), true) = (store, directory, depth < SUBMODULE_DEPTH_MAX) else {
                findings.push(SubmoduleFinding { path: path.clone(), state: SubmoduleState::NotCheckedOut });
                continue;
            };
            let index = beside(outer.index, &format!(".submodule-{}", submodules::digest(path)));
            remove_if_there(&beside(&index, ".lock"))?;
            fs::create_dir_all(&directory).map_err(GitError::file("create", &directory))?;
            let inner = Exact { store: &store, directory: &directory, index: &index, commit };
            let inner_gitlinks = inner.bring(keep, &[])?;
            let inner_source = submodules::utf8_below(source, path).unwrap_or_else(|| source.to_owned());
            findings.extend(self.populate(&inner, &inner_gitlinks, &inner_source, keep, depth + 1)?);
            dot_git::write(&inner, &inner_source)?;
        }
        Ok(findings)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rules {
    Same,
    Changed,
}

pub(super) fn has(store: &Store, commit: &CommitId) -> bool {
    let call = store.call("cat-file").args(["-e", &format!("{commit}^{{commit}}")]);
    call.run().is_ok()
}
