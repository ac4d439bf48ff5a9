//! What a contract says of each kind of loop: one on a branch, in a group, in a session, with a list of tasks, of a Ralph
//! project, forked from another.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use camino::Utf8PathBuf;
use gulf_engine::{CommitId, Digest, LoopId, Step};
use gulf_spec::config::{GroupSelection, LandingPlace};
use gulf_spec::tasks::SealedTask;
use serde::{Deserialize, Serialize};

use super::Tool;

/// What a loop with a branch of its own knows besides where it lands; sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branching {
    /// The checkout in which a person started it.
    pub checkout: Utf8PathBuf,
    /// Where others work on the same goal at the same time.
    pub worker: Option<GroupWorker>,
}

/// One of several loops on one goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupWorker {
    /// The same for all of them: when they were started.
    pub group: String,
    /// From 1.
    pub number: u32,
    pub of: u32,
    /// How this one is to go about it.
    pub strategy: String,
    pub selection: GroupSelection,
}

/// Which of the project's own texts may stand in a prompt, relative to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextTerms {
    /// The list of tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// The folder of specifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specs: Option<String>,
    /// How the project is built and tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    pub tokens_max: u64,
}

/// Where a loop goes on from, as its contract says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForkedFrom {
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    /// 0 is its start.
    pub iteration: u32,
    /// What was left there.
    pub commit: CommitId,
    /// As people call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// What a loop with such a folder was started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectFolderTerms {
    /// The description of the product whose criteria became the loop's, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prd: Option<SealedText>,
    /// Of the project's texts in a prompt, its goal and the notes among them.
    pub tokens_max: u64,
}

/// A text of the project's as it was read: a description of its product, a template of its prompts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedText {
    /// Relative to the project.
    pub path: String,
    pub text: String,
}

/// What a loop owes to a Ralph project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RalphTerms {
    /// The list of tasks, if it has one: all of it must be ticked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<SealedList>,
    /// The project's own folder of logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logs: Option<String>,
    /// Where the project has its `status.json`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Where it works: what gulf writes into a worktree that goes away later would keep it there.
    #[serde(default)]
    pub ground: FolderOwner,
}

/// Whose folders the project's are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FolderOwner {
    /// The person's checkout.
    #[default]
    Persons,
    /// A worktree of the loop's own.
    Apart,
}

/// A list as it stood at the start: it may not shrink.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedList {
    /// Relative to the project.
    pub path: String,
    pub tasks: Vec<SealedTask>,
}

/// The spec that a loop was started on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpecTerms {
    /// Without the `SPEC-` before it.
    pub id: String,
    /// Where its text was read, relative to the project; the goal is that text.
    pub path: Utf8PathBuf,
}

/// Who thinks, and what a person adds to the question; without either, the worker's own agent and gulf's words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinker {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<Tool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// The steps for which somebody said who or what.
pub type Thinkers = BTreeMap<Step, Thinker>;

/// The list that a loop works off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListTerms {
    /// Relative to the project, with `/`.
    pub path: String,
    /// Byte for byte as it stood there.
    pub text: String,
    /// Where finished tasks are committed: `refs/heads/main`; none without a repository of the person's.
    pub branch: Option<String>,
    /// What is to be done, in the order in which it is.
    pub tasks: Vec<TaskTerms>,
}

/// One task of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskTerms {
    pub id: String,
    pub title: String,
    pub details: String,
    pub criteria: Vec<String>,
    /// The smaller, the sooner.
    pub priority: u32,
    /// What must be finished before it, by place in `tasks`.
    pub after: Vec<u32>,
    /// In the list's own words.
    pub specialist: Option<String>,
    /// Who does it, where that is another than the loop's own agent.
    pub tool: Option<Tool>,
}

/// Is the worker behind walls?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkerWalls {
    #[default]
    Off,
    On,
}

/// Is a check kept from the machine's network, home and processes?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckIsolation {
    #[default]
    Off,
    /// Unless the base says other things there than without.
    WherePossible,
    /// Whatever becomes of it.
    Required,
}

/// What the worker does not get to know of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum HeldOut {
    /// The command; what it names lies where the person put it.
    Command,
    /// A folder that is copied when the loop begins, and its program `run`. No digest: nobody copied it yet.
    Folder { from: Utf8PathBuf, digest: Option<Digest> },
}

/// Variables that hold a port of its own in every checkout.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortTerms {
    pub variables: Vec<String>,
    pub first: u16,
    pub last: u16,
}

/// Does build output stay in the checkout between runs?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptOutput {
    Kept,
    /// `--verify-from-clean`
    Cleared,
}

// What was agreed of the way onto a base branch.

/// How the work comes onto its base branch (SPEC G17, G18).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LandingTerms {
    /// The branch it lands on: `refs/heads/main`; `refs/remotes/origin/main` where a push is all that lands it.
    pub base: String,
    /// The loop's own: `refs/heads/gulf/auto-20260101-120000`.
    pub branch: String,
    pub place: LandingPlace,
    /// What else is moved once the base has moved; nothing is pushed unasked.
    pub push: Option<PushTerms>,
    /// So many merges are tested at once, if this process leads the queue.
    pub lanes: NonZeroU32,
    /// Who this is, in the merge's message: `autonomous`, `parallel worker 2`.
    pub label: String,
}

/// What a landing is pushed to, as it stood at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PushTerms {
    /// As the repository calls it: `origin`.
    pub remote: String,
    pub url: String,
    /// There: `refs/heads/main`.
    pub branch: String,
}

impl PushTerms {
    /// As people call the branch: `origin/main`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.remote, short(&self.branch))
    }
}

/// How the full names of remotes' branches begin: what a fetch moves, and whoever says to git that it is so.
pub(crate) const REMOTES: &str = "refs/remotes/";

/// The name of a branch as people use it: `main`, `origin/main`.
pub fn short(name: &str) -> &str {
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix(REMOTES)).unwrap_or(name)
}
