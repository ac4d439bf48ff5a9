//! Brings a folder of gulf's own exactly to a commit, and keeps ignored build output so that builds stay incremental.
//!
//! It trusts nothing it finds there: checks ran in that folder, and what they ran is the worker's. The git directory
//! in the folder is made anew each time and is never read by gulf.

mod record;

use std::collections::BTreeSet;
use std::fs;

use camino::Utf8Path;
pub(super) use record::Since;
use record::{CheckoutRecord, digest_of_rules};
use sha2::{Digest, Sha256};

use super::error::{GitError, Result};
use super::exact::Exact;
use super::listing::{self, Gitlink, SubmoduleFinding, SubmoduleState};
use super::names::{CommitId, FileMode, TreePath};
use super::snapshot::{distrust, remove_if_there, set_modified};
use super::store::Store;
use super::{Repository, beside};
use crate::crash;
use crate::digest::hexadecimal;
use crate::files::remove_whatever;
use crate::git::store::{Attributes, config_head, quoted, write_skeleton};
use crate::provision::unlock_directories;

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

impl Repository {
    /// Brings the folder exactly to the commit; files that did not change keep their time stamps. Gives the submodules
    /// that the folder lacks.
    pub fn checkout(&self, request: &CheckoutRequest) -> Result<Vec<SubmoduleFinding>> {
        fs::create_dir_all(request.directory).map_err(GitError::file("create", request.directory))?;
        self.store.refresh_info(&self.layout.common_dir)?;
        let index = request.index;
        let info = self.info_digest()?;
        let last = CheckoutRecord::read(index).filter(|last| last.info == info);
        // The record goes first: a checkout that was cut off proves nothing about what was kept.
        CheckoutRecord::remove(index)?;
        remove_if_there(&beside(index, ".lock"))?;
        crash::point("git.checkout");
        let CheckoutRequest { directory, commit, keep, keep_paths, .. } = *request;
        let outer = Exact { store: &self.store, directory, index, commit, keep, keep_paths };
        let quick = last.as_ref().and_then(|last| quickly(&outer, last));
        let (submodules, rules) = match quick {
            Some(rules) => (Vec::new(), rules),
            None => {
                self.thoroughly(&outer, request, last.as_ref()).map_err(|error| self.cause(request, error))?
            }
        };
        write(&outer, &self.layout.common_dir)?;
        crash::point("git.checkout.record");
        CheckoutRecord { commit: commit.clone(), info, rules, since: Since::Used }.write(index)?;
        Ok(submodules)
    }

    /// The files of the commit that are no longer as it has them: whatever ran in the folder rewrote or removed them. So are
    /// those of which it is said that they were `touched`, whatever they hold now.
    pub fn rewritten(
        &self,
        directory: &Utf8Path,
        index: &Utf8Path,
        touched: &dyn Fn(&TreePath) -> bool,
    ) -> Result<Vec<TreePath>> {
        let written = fs::metadata(index).and_then(|metadata| metadata.modified());
        let written = written.map_err(GitError::file("read", index))?;
        distrust(index)?;
        let call = self.store.call_in(directory, index, "ls-files");
        let answer = call.args(["-z", "-t", "-s", "-c", "-m", "-d"]).run()?;
        let (mut rewritten, mut blobs) = (Vec::new(), BTreeSet::new());
        // Each file once as one of the index, and once more as changed.
        for (tag, entry) in answer.tagged() {
            let ([mode, id, _], path) = listing::columns(entry)?;
            if matches!(tag, b'C' | b'R') || touched(&path) {
                rewritten.push(path);
                // Of a submodule nothing is kept here.
                blobs.extend((mode != FileMode::Submodule.as_str()).then(|| id.to_owned()));
            }
        }
        rewritten.sort();
        rewritten.dedup();
        // What was never as the commit has it nobody rewrote.
        self.verify_blobs(&Vec::from_iter(blobs))?;
        if rewritten.is_empty()
            && let Some(record) = CheckoutRecord::read(index)
        {
            set_modified(index, written)?;
            CheckoutRecord { since: Since::Untouched, ..record }.write(index)?;
        }
        Ok(rewritten)
    }

    /// A file that does not become what the commit has may be none of what it is called.
    fn cause(&self, request: &CheckoutRequest, error: GitError) -> GitError {
        let GitError::CheckoutUnstable { path, .. } = &error else { return error };
        let entries = self.tree_of(request.commit).and_then(|tree| self.list(&tree));
        let looked = entries.and_then(|mut entries| {
            entries.retain(|entry| entry.path.to_string() == *path && entry.mode != FileMode::Submodule);
            self.verify_blobs(&entries.iter().map(|entry| entry.blob.to_string()).collect::<Vec<_>>())
        });
        looked.err().unwrap_or(error)
    }

    /// Brings a folder of which nothing is known to the commit; gives the digest of the commit's rules, too.
    fn thoroughly(
        &self,
        outer: &Exact,
        request: &CheckoutRequest,
        last: Option<&CheckoutRecord>,
    ) -> Result<(Vec<SubmoduleFinding>, String)> {
        let (kept, attributes) = self.compare_rules(request, last)?;
        if attributes == Attributes::Changed {
            remove_if_there(request.index)?;
        }
        let outer = Exact { keep: kept, ..*outer };
        let listing = outer.bring()?;
        let submodules = self.populate(&outer, &listing.gitlinks, self.work_tree(), 0)?;
        Ok((submodules, digest_of_rules(&listing)))
    }

    /// Compares the rules of the last checkout with those of this one: may ignored files stay, and do attributes
    /// still turn the same objects into the same bytes?
    fn compare_rules(
        &self,
        request: &CheckoutRequest,
        last: Option<&CheckoutRecord>,
    ) -> Result<(Keep, Attributes)> {
        let Some(CheckoutRecord { commit: last, .. }) = last else {
            return Ok((Keep::Nothing, Attributes::Changed));
        };
        if last == request.commit {
            return Ok((request.keep, Attributes::Same));
        }
        let changed = self.diff_of(last.as_str(), request.commit.as_str())?;
        let has = |name: &[u8]| changed.iter().any(|change| change.path.file_name() == name);
        let kept = if has(b".gitignore") { Keep::Nothing } else { request.keep };
        let attributes = if has(b".gitattributes") { Attributes::Changed } else { Attributes::Same };
        Ok((kept, attributes))
    }

    /// A digest of the rules that stand beside the repository and not in the tree.
    fn info_digest(&self) -> Result<String> {
        let mut digest = Sha256::new();
        for name in ["exclude", "attributes"] {
            let bytes = fs::read(self.store.directory.join("info").join(name)).unwrap_or_default();
            digest.update((bytes.len() as u64).to_le_bytes());
            digest.update(bytes);
        }
        Ok(hexadecimal(&digest.finalize()))
    }

    /// Fills the folders of submodules from the objects their worktrees have.
    pub(super) fn populate(
        &self,
        outer: &Exact,
        gitlinks: &[Gitlink],
        source: &Utf8Path,
        depth: usize,
    ) -> Result<Vec<SubmoduleFinding>> {
        let mut findings = Vec::new();
        for Gitlink { path, commit } in gitlinks {
            let store = listing::store_of(outer.store, source, path).filter(|store| has(store, commit));
            let directory = listing::utf8_below(outer.directory, path);
            let (Some(store), Some(directory), true) = (store, directory, depth < SUBMODULE_DEPTH_MAX) else {
                findings.push(SubmoduleFinding { path: path.clone(), state: SubmoduleState::NotCheckedOut });
                continue;
            };
            let index = beside(outer.index, &format!(".submodule-{}", listing::digest(path)));
            remove_if_there(&beside(&index, ".lock"))?;
            fs::create_dir_all(&directory).map_err(GitError::file("create", &directory))?;
            let (directory, index, keep) = (&*directory, &*index, outer.keep);
            let inner = Exact { store: &store, directory, index, commit, keep, keep_paths: &[] };
            let inner_gitlinks = inner.bring()?.gitlinks;
            let inner_source = listing::utf8_below(source, path).unwrap_or_else(|| source.to_owned());
            findings.extend(self.populate(&inner, &inner_gitlinks, &inner_source, depth + 1)?);
            write(&inner, &inner_source)?;
        }
        Ok(findings)
    }
}

/// Where the folder is a checkout by the same rules already and holds nothing of its own: gives the digest of the rules.
/// Whatever goes wrong on the way is met when the folder is brought to the commit thoroughly.
fn quickly(outer: &Exact, last: &CheckoutRecord) -> Option<String> {
    let listing = outer.bring_tracked(last.since).ok()?;
    let is_plain = listing.gitlinks.is_empty() && digest_of_rules(&listing) == last.rules;
    let is_exact = is_plain && outer.is_exact(&listing).ok()?;
    is_exact.then(|| last.rules.clone())
}

pub(super) fn has(store: &Store, commit: &CommitId) -> bool {
    let call = store.call("cat-file").args(["-e", &format!("{commit}^{{commit}}")]);
    call.run().is_ok()
}

// The `.git` of a checkout: a small repository of its own, so that `git describe`, `git ls-files`, cargo and
// version tools work in checks.

/// Gives the checkout a git directory with a detached HEAD at its commit. `common` is where a shallow clone says so.
fn write(checkout: &Exact, common: &Utf8Path) -> Result<()> {
    let directory = checkout.directory.join(".git");
    let removed = remove_whatever(directory.as_std_path()).or_else(|_| {
        unlock_directories(checkout.directory.as_std_path());
        remove_whatever(directory.as_std_path())
    });
    removed.map_err(GitError::file("remove", &directory))?;
    let config = config_head(checkout.store.format);
    let alternates = format!("{}\n", quoted(checkout.store.objects.as_str()));
    let files = [("config", config.as_str()), ("objects/info/alternates", &alternates)];
    write_skeleton(&directory, &format!("{}\n", checkout.commit), &files)?;
    for (from, name) in [
        (checkout.index.to_owned(), "index"),
        (checkout.store.directory.join("info/exclude"), "info/exclude"),
        (common.join("shallow"), "shallow"),
    ] {
        if from.is_file() {
            fs::copy(&from, directory.join(name)).map_err(GitError::file("copy", &from))?;
        }
    }
    Ok(())
}
