//! The worktrees of a repository: where each is, what it stands at, what is going on in it.
//!
//! What git lists does not say which branch a rebase or a bisection keeps for itself, and folders are found by way of
//! the repository, never by a `.git` file that a worker could have written.

mod adding;
mod removing;

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::Repository;
use super::branches::BranchName;
use super::error::{GitError, Result};
use super::names::CommitId;
use super::program::Answer;
use super::refs::Head;

pub use adding::{AddWorktree, RecoveredWorktree};
pub use removing::{Elsewhere, KeptWorktree};

/// A file of two lines is written between two of them; one that is still empty then was left by somebody who was killed.
const TRIES_MAX: u32 = 50;

/// A worktree, the main one or a linked one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    pub path: Utf8PathBuf,
    /// Its own git directory, with HEAD and index; `None` where the repository knows none any more.
    pub git_dir: Option<Utf8PathBuf>,
    /// What it stands at; none for a repository without files, and where its HEAD cannot be read.
    pub head: Option<Head>,
    /// Why it is locked, as whoever locked it said; empty where nothing was said.
    pub locked: Option<String>,
    /// What is going on there.
    pub operation: Option<Operation>,
}

/// Something a person began and did not end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// For people.
    pub description: &'static str,
    /// The branch that will be moved, or checked out again, in the end.
    pub branch: Option<BranchName>,
}

/// By what lies in a git directory git knows each of them, and where it notes the branch.
const OPERATIONS: [(&str, &str, Option<&str>); 9] = [
    ("rebase-merge", "a rebase", Some("rebase-merge/head-name")),
    ("rebase-apply/applying", "a `git am`", None),
    ("rebase-apply", "a rebase", Some("rebase-apply/head-name")),
    ("MERGE_HEAD", "a merge", None),
    ("CHERRY_PICK_HEAD", "a cherry-pick", None),
    ("REVERT_HEAD", "a revert", None),
    ("BISECT_LOG", "a bisection", Some("BISECT_START")),
    ("BISECT_START", "a bisection", Some("BISECT_START")),
    // Between two picks of a series there is no head of one.
    ("sequencer", "a cherry-pick", None),
];

impl Operation {
    /// What a git directory of a worktree says is going on there.
    pub(super) fn in_progress(git_dir: &Utf8Path) -> Option<Operation> {
        let branch = |name: &str| {
            let text = fs::read_to_string(git_dir.join(name)).ok()?;
            let name = text.trim();
            BranchName::parse(name).or_else(|_| BranchName::from_short_name(name)).ok()
        };
        let mut operations = OPERATIONS.into_iter();
        let begun = operations.find(|(name, ..)| git_dir.join(name).symlink_metadata().is_ok());
        begun.map(|(_, description, head)| Operation { description, branch: head.and_then(branch) })
    }
}

impl Worktree {
    /// Whether the branch is checked out here, or kept for the end of what is going on.
    pub fn holds(&self, branch: &BranchName) -> bool {
        self.stands_on(branch)
            || self.operation.as_ref().is_some_and(|operation| operation.branch.as_ref() == Some(branch))
    }

    pub(super) fn stands_on(&self, branch: &BranchName) -> bool {
        self.head.as_ref().is_some_and(|head| head.on(branch).is_some())
    }
}

impl Repository {
    /// Runs `git worktree`, which reads all worktrees whatever it is asked: one that somebody is just making beside it has
    /// files that are still empty, and that ends the command before it has done anything.
    fn worktree_verb(&self, arguments: &[&str]) -> Result<Answer> {
        patiently(|| self.person_call("worktree")?.args(arguments).run())
    }

    /// Every worktree of the repository, the main one first.
    pub fn worktrees(&self) -> Result<Vec<Worktree>> {
        let answer = self.worktree_verb(&["list", "--porcelain", "-z"])?;
        let linked = self.linked_git_dirs();
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let mut worktrees = Vec::new();
        for record in text.split("\0\0").filter(|record| !record.trim_matches('\0').is_empty()) {
            let mut worktree = parse(record)?;
            let is_main = worktrees.is_empty();
            if is_main && self.layout.git_dir == self.layout.common_dir {
                // Git guesses it from the git directory, which of a submodule lies elsewhere.
                worktree.path = self.layout.work_tree.clone();
            }
            worktree.git_dir = if is_main {
                Some(self.layout.common_dir.clone())
            } else {
                // Spelled alike, nearly always: to resolve each against each is slow where there are hundreds.
                let alike = linked.iter().find(|(path, _)| *path == worktree.path);
                let same = || linked.iter().find(|(path, _)| same_place(path, &worktree.path));
                alike.or_else(same).map(|(_, git_dir)| git_dir.clone())
            };
            worktree.operation = worktree.git_dir.as_deref().and_then(Operation::in_progress);
            worktrees.push(worktree);
        }
        Ok(worktrees)
    }

    /// The worktrees that stand on a branch, or will again at the end of a rebase or bisection.
    pub fn where_checked_out(&self, branch: &BranchName) -> Result<Vec<Worktree>> {
        let mut worktrees = self.worktrees()?;
        worktrees.retain(|worktree| worktree.holds(branch));
        Ok(worktrees)
    }

    /// Folder and git directory of each linked worktree, by what the repository itself noted.
    fn linked_git_dirs(&self) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
        let Ok(entries) = self.layout.common_dir.join("worktrees").read_dir_utf8() else { return Vec::new() };
        let entry = |git_dir: &Utf8Path| {
            let text = fs::read_to_string(git_dir.join("gitdir")).ok()?;
            // Relative since git 2.48, where the person wants it so.
            let path = git_dir.join(text.trim_end_matches(['\r', '\n'])).parent()?.to_owned();
            Some((path, git_dir.to_owned()))
        };
        entries.filter_map(|found| entry(found.ok()?.path())).collect()
    }
}

/// Whether two paths name one folder; for a folder that is gone, whether they are spelled alike.
fn same_place(one: &Utf8Path, other: &Utf8Path) -> bool {
    one == other
        || one.canonicalize_utf8().is_ok_and(|one| other.canonicalize_utf8().is_ok_and(|other| one == other))
}

/// One record: lines of a label, and a value where there is one.
fn parse(record: &str) -> Result<Worktree> {
    let unknown = || GitError::answer("worktree list", record.replace('\0', " "));
    let (mut path, mut commit, mut branch, mut locked) = (None, None, None, None);
    for line in record.split('\0').filter(|line| !line.is_empty()) {
        let (label, value) = line.split_once(' ').unwrap_or((line, ""));
        match label {
            "worktree" => path = Some(Utf8PathBuf::from(value)),
            // An unborn branch has zeros for a commit.
            "HEAD" => commit = CommitId::parse(value).ok().filter(|_| value.bytes().any(|byte| byte != b'0')),
            "branch" => branch = BranchName::parse(value).ok(),
            "locked" => locked = Some(value.to_owned()),
            // `detached` and `bare` follow from there being no branch, and no commit; git may have more to tell one day.
            _ => {}
        }
    }
    let (path, head) = (path.ok_or_else(unknown)?, Head::new(branch, commit));
    Ok(Worktree { path, git_dir: None, head, locked, operation: None })
}

/// Again, while somebody is making a worktree, or removing one.
pub(super) fn patiently<T>(mut verb: impl FnMut() -> Result<T>) -> Result<T> {
    let mut tries = 1;
    loop {
        match verb() {
            Err(GitError::Failed { said, .. }) if tries < TRIES_MAX && is_between(&said) => tries += 1,
            result => return result,
        }
    }
}

/// Does git complain of a worktree that is not made, or not gone, to its end? One that goes while git looks at it has an
/// "Invalid path".
fn is_between(said: &str) -> bool {
    ["failed to read", "Invalid path"].iter().any(|words| said.contains(words))
        && said.contains("/worktrees/")
}
