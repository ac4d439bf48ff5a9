//! What a view must be told because the journal holds it as a digest only, or not at all.

use crate::json::serialize_timestamp;
use crate::review::ReviewFacts;
use crate::screen::NextStep;
use gulf_engine::{CheckName, CommitId, Exhaustion, LoopId, QueueFacts};
use serde::Serialize;
use std::collections::BTreeMap;

/// The sealed texts, and where things lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub loop_id: LoopId,
    /// What people call it, and type for it: `k3v9`.
    pub handle: String,
    /// Is it the repository's only loop, so that no command needs its name?
    pub is_alone: bool,
    /// The spec's id where the loop was started on one, else the goal's digest (SPEC L1).
    pub spec_id: String,
    /// In the person's words, whole.
    pub goal: String,
    /// Questions of gulf-align.md that nobody answered, passed over by `--ignore-questions`.
    pub passed_over: Vec<String>,
    /// Checks that gulf-align.md agreed on, and nobody ran.
    pub unrun_checks: Vec<String>,
    /// The line of it that names it.
    pub title: String,
    /// The word in `<promise>…</promise>` by which the worker claims completion.
    pub promise: String,
    /// The command of each check.
    pub checks: BTreeMap<CheckName, String>,
    /// Criteria of RUBRIC.md.
    pub criteria: Vec<String>,
    /// What is particular to where its checks ran, one line each.
    pub isolation: Vec<String>,
    /// What holds for every loop on this machine, and is said in the receipt alone.
    pub surroundings: Vec<String>,
    /// The folder of the iterations' logs (SPEC K7).
    pub logs: String,
    /// The same as a person types it here.
    pub logs_shown: String,
    /// Where the loop has a branch of its own.
    pub branch: Option<BranchFacts>,
    /// A fork's branch and worktree, while that is there.
    pub fork: Option<[String; 2]>,
    /// Where its work is to land.
    pub landing: Option<LandingFacts>,
    /// The ways by which a person is reached.
    pub channels: Vec<ChannelFacts>,
    /// As it is called; none of a loop that an earlier gulf sealed.
    pub preset: Option<String>,
    /// The command that starts a new loop on the same goal.
    pub again_command: String,
    /// Files that a check runs and that the loop knows otherwise, where it rests because a check cannot run.
    pub changed_checks: Vec<String>,
    /// What stands behind it for each limit that a person set: ` --max-cost 3`.
    pub again_limits: BTreeMap<Exhaustion, String>,
    /// The list that is worked off, relative to the project.
    pub list: Option<String>,
    /// The criteria of its tasks, by their ids.
    pub task_criteria: BTreeMap<String, Vec<String>>,
    /// The description of the product whose criteria became the loop's, as it was named.
    pub prd: Option<String>,
    /// What the worker last said of its progress, where it said something and somebody looked.
    pub note: Option<NoteFacts>,
    /// Of the agent, where the loop ended because it was out of reach; without what is secret.
    pub last_words: Vec<String>,
    /// Files with uncommitted work of the person's that the loop undid, where it is over and somebody looked.
    pub undone: Vec<String>,
    /// What changed since the last review, where the loop rests for one and somebody looked.
    pub review: Option<ReviewFacts>,
}

/// A worker's word on its progress: shown, and never decided on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteFacts {
    pub iteration: u32,
    pub text: String,
    /// Wall clock, milliseconds since 1970; for programs as RFC 3339.
    #[serde(rename = "at", serialize_with = "serialize_timestamp")]
    pub at_ms: u64,
}

/// A way by which a person is reached outside of gulf's own screens (SPEC A6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChannelFacts {
    /// `slack`, `webhook`, `command`
    pub name: String,
    /// The keys of what was told: `question-1`, `pause-57`, `end`.
    pub told: Vec<String>,
    /// Why it does not work, since it last did.
    pub trouble: Option<String>,
    /// Answers that lie there and were not taken in yet, as far as somebody looked.
    pub unread: Vec<UnreadFacts>,
}

/// An answer that lies in a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadFacts {
    /// What it is an answer to.
    pub key: String,
    pub who: String,
    pub text: String,
}

/// A loop's own branch, and where its work lands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BranchFacts {
    /// As people call it, like the base.
    pub name: String,
    pub base: String,
    /// None where it is checked out in the person's checkout, and where it was removed.
    pub worktree: Option<String>,
    /// Why a worktree stays though its work has landed; none where nobody has looked.
    pub kept: Option<String>,
    /// Checks that run in the project itself, so never on the commit that lands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked_when_merged: Vec<CheckName>,
    /// Where others work on the same goal.
    pub worker: Option<WorkerFacts>,
}

/// What was agreed on about the landing, and what its queue says now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LandingFacts {
    /// As people call it: `main`, `origin/main`.
    pub base: String,
    /// Where it is pushed, too: `origin/main`.
    pub push: Option<String>,
    /// None where nobody looked, or where it does not wait.
    pub queue: Option<QueueFacts>,
    /// By which the queue says that the base branch was moved to it.
    pub moved_to: Option<CommitId>,
    /// Its own merge; others may have landed with it.
    pub merge: Option<CommitId>,
}

/// One of several workers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkerFacts {
    /// The same for all of them, and for nobody else.
    pub group: String,
    /// From 1.
    pub number: u32,
    pub of: u32,
}

impl Facts {
    /// Has it a worktree of its own, which goes when its work is discarded?
    pub(crate) fn has_worktree(&self) -> bool {
        self.fork.is_some() || self.branch.as_ref().is_some_and(|branch| branch.worktree.is_some())
    }

    /// A command that means this loop: with its handle only where there is another one.
    pub(crate) fn command(&self, verb: &str) -> String {
        if self.is_alone { format!("gulf {verb}") } else { format!("gulf {verb} {}", self.handle) }
    }

    pub(crate) fn step(&self, verb: &str, purpose: &str) -> NextStep {
        NextStep::new(self.command(verb), purpose)
    }

    /// One of its iterations, as commands take it: `@7`, `k3v9@7`.
    pub(crate) fn at(&self, iteration: u32) -> String {
        if self.is_alone { format!("@{iteration}") } else { format!("{}@{iteration}", self.handle) }
    }

    /// Empty where nobody knows it any more.
    pub(crate) fn check_command(&self, name: &CheckName) -> String {
        self.checks.get(name).cloned().unwrap_or_default()
    }
}

/// Does a living process drive the loop? The lock tells, the journal cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverPresence {
    Present,
    Absent,
}

/// Does a loop's change lie in the person's checkout, and in no commit?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckoutChange {
    Clean,
    /// No: the worker committed it itself, on the branch that is checked out, if one is.
    Committed {
        commit: CommitId,
        branch: Option<String>,
    },
    /// What the last turn left, where no candidate was ever checked.
    Unfinished {
        changed: Vec<String>,
    },
    /// Yes; it took these files away.
    Uncommitted {
        deleted: Vec<String>,
        /// What it changed here cannot be told apart from the person's own uncommitted work.
        entangled: Vec<String>,
        /// What has to be resolved before `gulf land`, and before `gulf discard`.
        before_landing: Option<String>,
        before_discarding: Option<String>,
    },
    /// Yes, and no git is there that could hold it.
    WithoutGit {
        deleted: Vec<String>,
    },
}
