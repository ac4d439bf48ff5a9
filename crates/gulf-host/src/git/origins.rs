//! Where the commits came from that a branch holds by now: from this worktree, or from elsewhere.
//!
//! It stands apart because nothing in a commit tells who put it onto a branch; only the log of the worktree's own HEAD
//! tells what was made here and what was merely fetched, merged or moved to.

use std::collections::HashSet;

use super::Repository;
use super::error::GitError;
use super::names::CommitId;

/// So many moves of HEAD are looked at, the newest first.
const MOVES_MAX: u32 = 10_000;

/// How messages of moves begin by which HEAD came to a commit that was there already.
const MOVED_TO: [&str; 6] =
    ["reset:", "checkout:", "switch:", "branch:", "rebase (start)", "rebase (finish)"];
/// How it ends where a merge or a pull made no commit.
const FORWARDED: &str = "Fast-forward";

/// Where the commits between two come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// None of them was made in this worktree.
    Elsewhere,
    /// This one was.
    Here { commit: CommitId },
    /// HEAD has no log that could be read.
    Unknown,
}

impl Repository {
    /// Was any commit of `until` that is not reachable from `since` made in this worktree?
    pub fn origin(&self, since: &CommitId, until: &CommitId) -> Result<Origin, GitError> {
        let range = format!("{since}..{until}");
        let between = self.history_call(&[], "rev-list").arg(range).run()?.text();
        let between: HashSet<&str> = between.lines().collect();
        let call = self.person_call("log")?.args(["-z", "-g", "--no-show-signature", "--no-color"]);
        let call = call.arg(format!("--max-count={MOVES_MAX}")).args(["--format=%H %gs", "HEAD", "--"]);
        let answer = call.accept(&[0, 128]).run()?;
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let moves: Vec<&str> = text.split('\0').map(str::trim).filter(|line| !line.is_empty()).collect();
        if moves.is_empty() {
            return Ok(Origin::Unknown);
        }
        for line in moves {
            let (commit, message) = line.split_once(' ').unwrap_or((line, ""));
            if between.contains(commit) && is_made(message) {
                return Ok(Origin::Here { commit: CommitId::parse(commit)? });
            }
        }
        Ok(Origin::Elsewhere)
    }
}

/// What is not known to be a mere move made the commit.
fn is_made(message: &str) -> bool {
    let is_move = MOVED_TO.iter().any(|begin| message.starts_with(begin)) || message.ends_with(FORWARDED);
    !is_move
}
