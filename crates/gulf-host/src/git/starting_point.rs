//! Whether there is a branch that a loop could start from, and land on.
//!
//! It stands apart because the answer is a reason as often as a branch, and a person wants to read it.

use super::Repository;
use super::branches::BranchName;
use super::error::GitError;
use super::names::CommitId;
use super::refs::Head;
use super::worktrees::Operation;

/// Where the person's checkout stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutPoint {
    /// On a branch with a commit: the only one there is something to start from and to land on.
    OnBranch { name: BranchName, commit: CommitId },
    /// A branch without a commit.
    Unborn { name: BranchName },
    /// On no branch; a rebase or bisection may be why.
    Detached { commit: CommitId, operation: Option<Operation> },
}

impl CheckoutPoint {
    /// For people: why there is no branch, where there is none.
    pub fn why_none(&self) -> Option<String> {
        match self {
            CheckoutPoint::OnBranch { .. } => None,
            CheckoutPoint::Unborn { name } => Some(format!("the branch {name} has no commit yet")),
            CheckoutPoint::Detached { operation: Some(operation), .. } => {
                Some(format!("no branch is checked out: {} is in progress", operation.words()))
            }
            CheckoutPoint::Detached { operation: None, commit } => {
                Some(format!("no branch is checked out: HEAD is detached at {commit}"))
            }
        }
    }

    /// What the person can do, where there is no branch.
    pub fn hint(&self) -> Option<String> {
        match self {
            CheckoutPoint::OnBranch { .. } => None,
            CheckoutPoint::Unborn { .. } => {
                Some("commit something first: `git commit --allow-empty`".to_owned())
            }
            CheckoutPoint::Detached { operation: Some(_), .. } => Some("end it, or abort it".to_owned()),
            CheckoutPoint::Detached { operation: None, .. } => {
                Some("check out a branch: `git switch main`, or make one: `git switch -c NAME`".to_owned())
            }
        }
    }
}

impl Repository {
    /// The branch that is checked out, or why there is none.
    pub fn starting_point(&self) -> Result<CheckoutPoint, GitError> {
        let detached = |commit| {
            let operation = Operation::in_progress(&self.layout.git_dir);
            CheckoutPoint::Detached { commit, operation }
        };
        Ok(match self.head()? {
            Head::Branch { name, commit } => match BranchName::parse(&name) {
                Ok(name) => CheckoutPoint::OnBranch { name, commit },
                // HEAD may name any reference; what is no branch is nothing to land on.
                Err(_) => detached(commit),
            },
            Head::Unborn { name } => CheckoutPoint::Unborn { name: BranchName::parse(&name)? },
            Head::Detached { commit } => detached(commit),
        })
    }
}
