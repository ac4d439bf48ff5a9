//! Makes a folder hold exactly one commit, and looks again whether it does.
//!
//! Outer checkout and submodules need the same, and the order matters: files first (a check may have replaced the
//! ignore files), then what is too much, then a look that must find nothing.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use camino::Utf8Path;

use super::checkout::{Keep, Since};
use super::error::{GitError, Result};
use super::listing::{ATTRIBUTES, Listing};
use super::names::{CommitId, TreePath};
use super::program::Call;
use super::settings::exclude_line;
use super::snapshot::distrust;
use super::store::Store;
use crate::files::{self, remove_whatever};
use crate::git::snapshot::nul_terminated;
use crate::provision::unlock_directories;

/// How often a folder that does not become exact is tried. The second round repairs what the first uncovered: a
/// directory that a check had replaced by a link, strays behind an ignore file of a check's own. What still differs
/// after the fourth is written by something that runs.
const ROUNDS_MAX: usize = 4;
/// So many files of a commit that could not be written are looked at.
const DAMAGED_LOOKED_AT_MAX: usize = 200;
/// As file systems give space away.
const BLOCK_BYTES: u64 = 4 << 10;

/// A folder, and what it shall hold.
#[derive(Clone, Copy)]
pub(super) struct Exact<'a> {
    pub(super) store: &'a Store,
    pub(super) directory: &'a Utf8Path,
    pub(super) index: &'a Utf8Path,
    pub(super) commit: &'a CommitId,
    pub(super) keep: Keep,
    pub(super) keep_paths: &'a [TreePath],
}

impl Exact<'_> {
    pub(super) fn call(&self, verb: &'static str) -> Call {
        self.store.call_in(self.directory, self.index, verb)
    }

    /// Brings the folder to the commit; gives what the commit names.
    pub(super) fn bring(&self) -> Result<Listing> {
        // What git cannot read it cannot write, whatever lies in the folder.
        self.settled().map_err(|error| self.damage().unwrap_or(error))
    }

    /// The object that keeps git from writing the commit, if that is why: looked for only once something failed.
    fn damage(&self) -> Option<GitError> {
        let corrupt = |what: String, said: String| {
            let said = said.lines().next().unwrap_or_default().to_owned();
            Some(GitError::ObjectCorrupt { commit: self.commit.clone(), what, said })
        };
        let listed = self.call("ls-tree").args(["-r", "-z", "--full-tree", self.commit.as_str()]).run();
        let listed = match listed {
            Ok(answer) => answer,
            Err(GitError::Failed { said, .. } | GitError::StoreDamaged { said, .. }) => {
                return corrupt("the folders".to_owned(), said);
            }
            Err(_) => return None,
        };
        let entries = listed.entries().filter_map(|entry| std::str::from_utf8(entry).ok());
        for entry in entries.filter(|entry| entry.contains(" blob ")).take(DAMAGED_LOOKED_AT_MAX) {
            let (terms, path) = entry.split_once('\t')?;
            let id = terms.rsplit(' ').next()?;
            if self.directory.join(path).symlink_metadata().is_ok() {
                continue;
            }
            // Only what is not there could not be written.
            let read = self.store.call("cat-file").args(["blob", id]).run();
            if let Err(GitError::Failed { said, .. } | GitError::StoreDamaged { said, .. }) = read {
                return corrupt(path.to_owned(), said);
            }
        }
        None
    }

    fn settled(&self) -> Result<Listing> {
        let is_fresh = !self.index.exists();
        if is_fresh {
            self.expect_room()?;
        }
        // Where nothing lies, nothing is too much.
        let written = if is_fresh && self.is_empty() { self.write_tracked() } else { self.clean() };
        if written.is_err() {
            // A check may have locked directories, or broken the index's memory: open the ones, forget the other.
            unlock_directories(self.directory.as_std_path());
            super::snapshot::remove_if_there(self.index)?;
            self.clean()?;
        }
        let mut rounds = 1;
        loop {
            let listing = Listing::read(self.store, self.directory, self.index)?;
            let Some(path) = self.first_difference(&listing)? else {
                return Ok(listing);
            };
            if rounds == ROUNDS_MAX {
                let (directory, commit) = (self.directory.to_owned(), self.commit.clone());
                return Err(GitError::CheckoutUnstable { directory, commit, path: path.to_string() });
            }
            self.clean()?;
            rounds += 1;
        }
    }

    /// Asked before a fresh checkout: one that fails half-way says no more than which file git could not write.
    fn expect_room(&self) -> Result<()> {
        let Some(free_bytes) = files::free_bytes(self.directory) else { return Ok(()) };
        // Objects that are missing are named when they are to be written.
        let Ok(wanted_bytes) = self.bytes_on_disk() else { return Ok(()) };
        if wanted_bytes <= free_bytes {
            return Ok(());
        }
        let (directory, commit) = (self.directory.to_owned(), self.commit.clone());
        Err(GitError::NoRoom { directory, commit, wanted_bytes, free_bytes })
    }

    /// What the commit's files take, in whole blocks.
    fn bytes_on_disk(&self) -> Result<u64> {
        let format = "--format=%(objectsize)";
        let answer =
            self.call("ls-tree").args(["-r", "-z", "--full-tree", format, self.commit.as_str()]).run()?;
        let sizes = answer.entries().filter_map(|size| std::str::from_utf8(size).ok());
        // A submodule has none.
        let sizes = sizes.filter_map(|size| size.trim().parse::<u64>().ok());
        Ok(sizes.map(|size| size.next_multiple_of(BLOCK_BYTES)).sum())
    }

    /// Does nothing lie there but the `.git` of a worktree?
    fn is_empty(&self) -> bool {
        let entries = self.directory.read_dir_utf8();
        entries.is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == ".git"))
        })
    }

    /// Writes what the commit has and removes what it does not have.
    fn clean(&self) -> Result<()> {
        if self.index.is_file() {
            // A check may have restored length and time stamp of what it changed; bytes do not lie.
            distrust(self.index)?;
        }
        self.write_tracked()?;
        if self.remove_strange_attributes()? {
            // What was written under them looks right from then on, so it is read, and written, once more.
            distrust(self.index)?;
            self.write_tracked()?;
        }
        let depth = match self.keep {
            Keep::IgnoredOutput => "-ffdq",
            Keep::Nothing => "-ffdxq",
        };
        let mut clean = self.call("clean").arg(depth);
        for path in self.keep_paths {
            clean = clean.arg("-e").arg(exclude_line(&path.to_string()));
        }
        clean.run()?;
        Ok(())
    }

    fn write_tracked(&self) -> Result<()> {
        self.call("read-tree").args(["--reset", "-u", self.commit.as_str()]).run().map(drop)
    }

    /// Removes files that say how bytes become files beside those of the commit, and are not of it: git obeys them while
    /// it writes, also where they are ignored. Says whether there were any.
    fn remove_strange_attributes(&self) -> Result<bool> {
        // A folder in which nothing is the commit's is listed as one: what lies there says nothing about the commit.
        let unknown = self.call("ls-files").args(["-z", "-o", "--directory"]).run()?;
        let mut is_any = false;
        for entry in unknown.entries().filter(|entry| !entry.ends_with(b"/")) {
            let path = TreePath::parse(entry)?;
            if path.file_name() == ATTRIBUTES && !path.is_within(self.keep_paths) {
                let full = path.below(self.directory);
                fs::remove_file(&full).map_err(|source| GitError::file("remove", &path)(source))?;
                is_any = true;
            }
        }
        Ok(is_any)
    }

    /// The first path that is not as the commit has it, or that is too much.
    fn first_difference(&self, listing: &Listing) -> Result<Option<TreePath>> {
        // A submodule is brought to its commit by itself, once the files around it are as they should be.
        let is_file = |path: &&TreePath| listing.gitlinks.iter().all(|gitlink| gitlink.path != **path);
        let first =
            listing.differing().filter(is_file).find(|path| !path.is_within(self.keep_paths)).cloned();
        match (first, self.keep) {
            (None, Keep::IgnoredOutput) => remove_falsely_ignored(self, &listing.tracked),
            (first, Keep::IgnoredOutput | Keep::Nothing) => Ok(first),
        }
    }
}

// Brings a folder to a commit where that is all there is to do, in two calls of git, or three where ignored files lie.

impl Exact<'_> {
    /// Writes what the commit has, and lists everything that then lies there.
    pub(crate) fn bring_tracked(&self, since: Since) -> Result<Listing> {
        if since == Since::Used {
            distrust(self.index)?;
        }
        self.write_tracked()?;
        // A folder of which the index knows nothing is listed as one, also an empty one; with ignored files.
        Listing::read_with(self.store, self.directory, self.index, "--directory")
    }

    /// Is that the commit, and nothing besides but what may stay?
    pub(crate) fn is_exact(&self, listing: &Listing) -> Result<bool> {
        if !listing.changed.is_empty() {
            return Ok(false);
        }
        let mut unknown = [listing.nested.clone(), listing.untracked.clone()].concat();
        unknown.retain(|path| !path.is_within(self.keep_paths));
        if unknown.iter().any(|path| path.file_name() == ATTRIBUTES) {
            // What was written under them is not what the commit has.
            return Ok(false);
        }
        match self.keep {
            _ if unknown.is_empty() => Ok(true),
            Keep::Nothing => Ok(false),
            Keep::IgnoredOutput => self.are_ignored(&unknown, listing),
        }
    }

    /// Does a rule of the commit, or of the person, name each of these paths itself?
    fn are_ignored(&self, paths: &[TreePath], listing: &Listing) -> Result<bool> {
        let rules: HashSet<&TreePath> = listing.rules.iter().map(|(path, _)| path).collect();
        let sources = sources(self, paths)?;
        let is_ignored = |Source { file, pattern, .. }: &Source| {
            !file.is_empty() && !pattern.starts_with(b"!") && is_honest(&rules, file)
        };
        Ok(sources.len() == paths.len() && sources.iter().all(is_ignored))
    }
}

// Finds files that are ignored only because something put an ignore file there that is not in the commit.

/// Removes what no rule of the commit, or of the person, ignores, and gives the first such path. `tracked` is what the
/// commit holds, its ignore files among it.
fn remove_falsely_ignored(checkout: &Exact, tracked: &[TreePath]) -> Result<Option<TreePath>> {
    let rules: HashSet<&TreePath> = tracked.iter().filter(|path| path.file_name() == b".gitignore").collect();
    let mut first = None;
    // Whole directories first: what the commit ignores, build output above all, is not walked.
    let listing = || checkout.call("ls-files").args(["-z", "-o", "-i", "--exclude-standard"]);
    let mut ignored = listing().arg("--directory").run()?.paths()?;
    while !ignored.is_empty() {
        let mut unexplained = Vec::new();
        for Source { path, file, .. } in sources(checkout, &ignored)? {
            if file.is_empty() {
                unexplained.push(path);
            } else if !is_honest(&rules, &file) && remove_but(checkout, &path)? {
                first.get_or_insert(path);
            }
        }
        // A directory that no rule names is ignored because all its files are: each is asked for.
        ignored.clear();
        if !unexplained.is_empty() {
            let literal = unexplained.iter().map(|path| [b":(literal)", path.as_bytes()].concat());
            let literal: Vec<OsString> = literal.map(OsString::from_vec).collect();
            ignored = listing().arg("--").args(literal).run()?.paths()?;
            ignored.retain(|path| !unexplained.contains(path));
        }
    }
    Ok(first)
}

/// The rule that counts for a path.
struct Source {
    path: TreePath,
    /// Where it stands; empty where no rule names the path itself.
    file: Vec<u8>,
    /// One with `!` says that the path is not ignored.
    pattern: Vec<u8>,
}

/// Asks git which rule counts for each path.
fn sources(checkout: &Exact, paths: &[TreePath]) -> Result<Vec<Source>> {
    let call = checkout.call("check-ignore").args(["-z", "-v", "-n", "--stdin"]).accept(&[0, 1]);
    let answer = call.input(nul_terminated(paths)).run()?;
    let mut fields = answer.stdout.split(|byte| *byte == 0);
    let mut found = Vec::new();
    while let (Some(file), Some(_), Some(pattern), Some(path)) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    {
        let (file, pattern) = (file.to_vec(), pattern.to_vec());
        found.push(Source { path: TreePath::parse(path)?, file, pattern });
    }
    Ok(found)
}

/// Whether a rule stands in the commit, or outside of the checkout.
fn is_honest(rules: &HashSet<&TreePath>, source: &[u8]) -> bool {
    let outside = Path::new(&*String::from_utf8_lossy(source)).is_absolute();
    outside || TreePath::parse(source).is_ok_and(|path| rules.contains(&path))
}

/// Removes a path and what is below it, but for the paths to keep. Says whether there was anything.
fn remove_but(checkout: &Exact, path: &TreePath) -> Result<bool> {
    if path.is_within(checkout.keep_paths) {
        return Ok(false);
    }
    let full = path.below(checkout.directory);
    let failed = |source| GitError::file("remove", path)(source);
    if !checkout.keep_paths.iter().any(|kept| kept.is_at_or_below(path)) {
        return remove_whatever(&full).map(|()| true).map_err(failed);
    }
    let mut is_any = false;
    for child in fs::read_dir(&full).map_err(failed)? {
        let child = child.map_err(failed)?.file_name();
        let bytes = [path.as_bytes(), b"/", child.as_encoded_bytes()].concat();
        is_any |= remove_but(checkout, &TreePath::parse(&bytes)?)?;
    }
    Ok(is_any)
}
