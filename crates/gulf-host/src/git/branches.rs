//! The person's branches by name: made, looked for, deleted, each by compare-and-swap.
//!
//! Here a mistake would cost a person's work: nothing is deleted whose commits are not held elsewhere, and a name
//! that only a case-insensitive disk would confuse counts as taken.

use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::Repository;
use super::error::{GitError, Result};
use super::names::{BASES, CommitId, RefName};
use super::refs::Expected;
use crate::crash;

pub(super) const HEADS: &str = "refs/heads/";
/// How many suffixes are tried for a name that is taken.
const SUFFIX_MAX: usize = 999;

/// A branch by its full name, `refs/heads/…`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct BranchName(String);

impl TryFrom<String> for BranchName {
    type Error = GitError;

    fn try_from(full: String) -> Result<Self> {
        Self::parse(&full)
    }
}

impl BranchName {
    /// Takes the full name, `refs/heads/main`.
    pub fn parse(full: &str) -> Result<Self> {
        let invalid = || GitError::Invalid { wanted: "the full name of a branch", text: full.to_owned() };
        full.strip_prefix(HEADS).ok_or_else(invalid).and_then(Self::from_short_name)
    }

    /// Takes the name people use, `main`, by the rules of `git check-ref-format --branch`.
    pub fn from_short_name(short: &str) -> Result<Self> {
        let good_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
        let bad_character = |character: char| character.is_control() || " ~^:?*[\\".contains(character);
        let good = short.split('/').all(good_part)
            && !short.contains(bad_character)
            && !short.contains("..")
            && !short.contains("@{")
            && !short.starts_with('-')
            && !short.ends_with('.')
            && !matches!(short, "@" | "HEAD");
        if good {
            Ok(Self(format!("{HEADS}{short}")))
        } else {
            Err(GitError::Invalid { wanted: "the name of a branch", text: short.to_owned() })
        }
    }

    /// The full name, `refs/heads/main`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name people use, `main`.
    pub fn short(&self) -> &str {
        self.0.strip_prefix(HEADS).unwrap_or(&self.0)
    }

    /// Whether both can stand side by side, on every disk: neither the same but for case, nor one the folder of the
    /// other.
    fn leaves_room_for(&self, other: &BranchName) -> bool {
        let (one, other) = (self.0.to_lowercase(), other.0.to_lowercase());
        one != other && !one.starts_with(&format!("{other}/")) && !other.starts_with(&format!("{one}/"))
    }
}

/// For people: the short name.
impl fmt::Display for BranchName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.short())
    }
}

/// What may hold a commit, so that it is not lost when something else goes.
#[derive(Debug, Clone, Copy)]
pub enum Holders<'a> {
    /// Any branch, tag or remote-tracking branch, or what a remote on which work lands was last seen to hold.
    Anything,
    /// Any of them but these branches.
    AnythingBut(&'a [BranchName]),
    /// This one of gulf's own references.
    Reference(&'a RefName),
}

/// What became of a branch that should be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deletion {
    /// It is gone.
    Deleted,
    /// It was not there.
    Absent,
    /// It is at another commit than was said.
    Moved { now: CommitId },
    /// Nothing else holds its newest commit.
    Unreachable { commit: CommitId },
    /// It is checked out, or being rebased or bisected, there.
    CheckedOut { at: Utf8PathBuf },
}

impl Repository {
    /// The commit a branch stands at.
    pub fn read_branch(&self, name: &BranchName) -> Result<Option<CommitId>> {
        self.resolve(name.as_str())
    }

    /// The branch that a name of the person's means in the end: a symbolic reference is followed. `None` where it
    /// leads out of the branches.
    pub fn real_branch(&self, name: &BranchName) -> Result<Option<BranchName>> {
        let answer =
            self.person_call("symbolic-ref")?.args(["-q", name.as_str()]).accept(&[0, 1, 128]).run()?;
        Ok(if answer.code == 0 { BranchName::parse(&answer.text()).ok() } else { Some(name.clone()) })
    }

    /// Makes a branch that must not be there yet.
    pub fn create_branch(&self, name: &BranchName, at: &CommitId) -> Result<()> {
        if self.listed(None)?.iter().any(|branch| !branch.leaves_room_for(name)) {
            return Err(GitError::BranchTaken { name: name.clone() });
        }
        let call = self.person_call("update-ref")?;
        let call = call.args(["--no-deref", "--create-reflog", "-m", "branch: made by gulf"]);
        match self.swap(call, name.as_str(), at, None) {
            Err(GitError::RefMoved { .. }) => Err(GitError::BranchTaken { name: name.clone() }),
            result => result,
        }
    }

    /// Puts this worktree's HEAD on another branch that stands at the same commit: index and files stay as they are.
    pub fn stand_on(&self, name: &BranchName) -> Result<()> {
        let (head, there) = (self.head_commit()?, self.read_branch(name)?);
        if head.is_none() || head != there {
            return Err(GitError::RefMoved { name: name.as_str().to_owned(), actual: there });
        }
        crash::point("git.stand-on");
        let call = self.person_call("symbolic-ref")?;
        call.args(["-m", "branch: put here by gulf", "HEAD", name.as_str()]).run()?;
        crash::point("git.stood-on");
        Ok(())
    }

    /// Deletes a branch that stands at `at`, unless it is checked out or nothing else holds all of it.
    pub fn delete_branch(&self, name: &BranchName, at: &CommitId, held_by: Holders) -> Result<Deletion> {
        match self.read_branch(name)? {
            None => return Ok(Deletion::Absent),
            Some(now) if now != *at => return Ok(Deletion::Moved { now }),
            Some(_) => {}
        }
        if let Some(worktree) = self.where_checked_out(name)?.into_iter().next() {
            return Ok(Deletion::CheckedOut { at: worktree.path });
        }
        if !self.is_held(at, held_by, Some(name))? {
            return Ok(Deletion::Unreachable { commit: at.clone() });
        }
        match self.remove(name.as_str(), &Expected::At(at.clone())) {
            Ok(()) => Ok(Deletion::Deleted),
            Err(GitError::RefMoved { actual: Some(now), .. }) => Ok(Deletion::Moved { now }),
            Err(GitError::RefMoved { actual: None, .. }) => Ok(Deletion::Absent),
            Err(error) => Err(error),
        }
    }

    /// Whether `commit` is reachable from one of the holders.
    pub fn is_reachable(&self, commit: &CommitId, from: Holders) -> Result<bool> {
        self.is_held(commit, from, None)
    }

    /// As `is_reachable`, `but` never counting as a holder.
    fn is_held(&self, commit: &CommitId, holders: Holders, but: Option<&BranchName>) -> Result<bool> {
        let others: &[BranchName] = match holders {
            Holders::Anything => &[],
            Holders::AnythingBut(branches) => branches,
            Holders::Reference(name) => {
                let Some(kept) = self.read_ref(name)? else { return Ok(false) };
                return Ok(kept == *commit || self.descends(&kept, commit)?);
            }
        };
        let call = self.person_call("for-each-ref")?.arg("--format=%(refname)");
        let call = call.arg(format!("--contains={commit}"));
        let answer = call.args(["refs/heads", "refs/tags", "refs/remotes", BASES]).run()?;
        let counts = |name: &str| others.iter().chain(but).all(|branch| branch.as_str() != name);
        Ok(answer.text().lines().any(counts))
    }

    /// A branch and a folder beside each other that are not there yet: the wanted ones, or both with one suffix.
    pub fn free_names(&self, branch: &BranchName, path: &Utf8Path) -> Result<(BranchName, Utf8PathBuf)> {
        let branches = self.listed(None)?;
        let registered: Vec<Utf8PathBuf> = self.worktrees()?.into_iter().map(|known| known.path).collect();
        let folder_is_a_branch = |standing: &BranchName| {
            branch.0.to_lowercase().starts_with(&format!("{}/", standing.0.to_lowercase()))
        };
        let wanted = if branches.iter().any(folder_is_a_branch) {
            // A branch `gulf` leaves no room for `gulf/…`, whatever the suffix.
            branch.short().replace('/', "-")
        } else {
            branch.short().to_owned()
        };
        for number in 1..=SUFFIX_MAX {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let name = BranchName::from_short_name(&format!("{wanted}{suffix}"))?;
            let folder = Utf8PathBuf::from(format!("{path}{suffix}"));
            let is_free = branches.iter().all(|standing| standing.leaves_room_for(&name))
                && folder.symlink_metadata().is_err()
                && !registered.contains(&folder);
            if is_free {
                return Ok((name, folder));
            }
        }
        Err(GitError::NoFreeName { name: branch.clone() })
    }

    /// The branches whose short names fit one of the patterns (`gulf/auto-*`), each with its commit.
    pub fn branches_like(&self, patterns: &[&str]) -> Result<Vec<(BranchName, CommitId)>> {
        let call = self.person_call("for-each-ref")?.arg("--format=%(objectname) %(refname)");
        let answer = call.args(patterns.iter().map(|pattern| format!("{HEADS}{pattern}"))).run()?;
        let text = answer.text();
        let entries = text.lines().filter_map(|line| line.split_once(' '));
        // A branch that gulf has no name for is none of its own.
        let named = entries.filter_map(|(id, name)| Some((BranchName::parse(name).ok()?, id)));
        named.map(|(name, id)| Ok((name, CommitId::parse(id)?))).collect()
    }

    /// The branches that this commit can be reached from.
    pub fn branches_with(&self, commit: &CommitId) -> Result<Vec<BranchName>> {
        self.listed(Some(format!("--contains={commit}")))
    }

    /// The branches that pass a filter of `for-each-ref`; all of them without one.
    fn listed(&self, filter: Option<String>) -> Result<Vec<BranchName>> {
        let call = self.person_call("for-each-ref")?.args(["--format=%(refname)", "refs/heads"]);
        let answer = call.args(filter).run()?;
        Ok(answer.text().lines().filter_map(|line| BranchName::parse(line).ok()).collect())
    }
}
