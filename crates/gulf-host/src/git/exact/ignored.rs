//! Finds files that are ignored only because something put an ignore file there that is not in the commit.
//!
//! It stands apart because such a file is its own alibi: `*` in an untracked `.gitignore` hides itself and its
//! neighbours from every listing of strays.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use super::Exact;
use crate::files::remove_whatever;
use crate::git::error::GitError;
use crate::git::names::TreePath;
use crate::git::snapshot::nul_terminated;

/// Removes what no rule of the commit, or of the person, ignores, and gives the first such path. `tracked` is what the
/// commit holds, its ignore files among it.
pub(super) fn remove_falsely_ignored(
    checkout: &Exact,
    tracked: &[TreePath],
    keep_paths: &[TreePath],
) -> Result<Option<TreePath>, GitError> {
    let rules: HashSet<&TreePath> = tracked.iter().filter(|path| path.file_name() == b".gitignore").collect();
    let mut first = None;
    // Whole directories first: what the commit ignores, build output above all, is not walked.
    let listing = || checkout.call("ls-files").args(["-z", "-o", "-i", "--exclude-standard"]);
    let mut ignored = paths(&listing().arg("--directory").run()?.stdout)?;
    while !ignored.is_empty() {
        let mut unexplained = Vec::new();
        for Source { path, file, .. } in sources(checkout, &ignored)? {
            if file.is_empty() {
                unexplained.push(path);
            } else if !is_honest(&rules, &file)
                && remove_but(checkout, &path, keep_paths)? == Removed::Something
            {
                first.get_or_insert(path);
            }
        }
        // A directory that no rule names is ignored because all its files are: each is asked for.
        ignored.clear();
        if !unexplained.is_empty() {
            let literal = unexplained.iter().map(|path| [b":(literal)", path.as_bytes()].concat());
            let literal: Vec<OsString> = literal.map(OsString::from_vec).collect();
            ignored = paths(&listing().arg("--").args(literal).run()?.stdout)?;
            ignored.retain(|path| !unexplained.contains(path));
        }
    }
    Ok(first)
}

fn paths(listed: &[u8]) -> Result<Vec<TreePath>, GitError> {
    let entries = listed.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries.map(|entry| TreePath::parse(entry.strip_suffix(b"/").unwrap_or(entry))).collect()
}

/// The rule that counts for a path.
pub(super) struct Source {
    pub(super) path: TreePath,
    /// Where it stands; empty where no rule names the path itself.
    pub(super) file: Vec<u8>,
    /// One with `!` says that the path is not ignored.
    pub(super) pattern: Vec<u8>,
}

/// Asks git which rule counts for each path.
pub(super) fn sources(checkout: &Exact, paths: &[TreePath]) -> Result<Vec<Source>, GitError> {
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
pub(super) fn is_honest(rules: &HashSet<&TreePath>, source: &[u8]) -> bool {
    let outside = Path::new(&*String::from_utf8_lossy(source)).is_absolute();
    outside || TreePath::parse(source).is_ok_and(|path| rules.contains(&path))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Removed {
    Something,
    Nothing,
}

/// Removes a path and what is below it, but for the paths to keep.
fn remove_but(checkout: &Exact, path: &TreePath, keep_paths: &[TreePath]) -> Result<Removed, GitError> {
    if keep_paths.iter().any(|kept| path.is_at_or_below(kept)) {
        return Ok(Removed::Nothing);
    }
    let full = path.require_below(checkout.directory)?;
    let failed = |source| GitError::file("remove", path)(source);
    if !keep_paths.iter().any(|kept| kept.is_at_or_below(path)) {
        return remove_whatever(&full).map(|()| Removed::Something).map_err(failed);
    }
    let mut removed = Removed::Nothing;
    for child in fs::read_dir(&full).map_err(failed)? {
        let child = child.map_err(failed)?.file_name();
        let bytes = [path.as_bytes(), b"/", child.as_encoded_bytes()].concat();
        if remove_but(checkout, &TreePath::parse(&bytes)?, keep_paths)? == Removed::Something {
            removed = Removed::Something;
        }
    }
    Ok(removed)
}
