//! The sealed contract in full (SPEC B1). One file, hashed; the hash stands in the journal, so that a contract which
//! somebody changed is noticed and never used.

mod kinds;
mod notify;
mod tool;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{
    Base, Baseline, CheckName, CheckTerms, CommitId, Contract, Digest, Disclosure, LoopId, Policy,
    Rejections, Runnable, TreeId,
};
use gulf_host::clock::milliseconds;
use gulf_host::digest;
use gulf_host::files::{self, Durability, ReadError};
use gulf_host::git::{GitError, Repository, TreePath};
use gulf_spec::config::check_timeout_default;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::texts::RUBRIC;
use crate::{FORMAT_VERSION, records};

pub use gulf_spec::config::{
    Assumed, CommandSays, CommandTerms, GroupSelection, LandingPlace, Measures, MemoryForm, NotifyEvent,
    NotifyTerms, OwnTools, SLACK, SecretPlace, SlackTerms, VerdictForm, WebhookTerms,
};
pub(crate) use kinds::REMOTES;
pub use kinds::{
    Branching, CheckIsolation, ContextTerms, FolderOwner, ForkedFrom, GroupWorker, HeldOut, KeptOutput,
    LandingTerms, ListTerms, PortTerms, ProjectFolderTerms, PushTerms, RalphTerms, SealedList, SealedText,
    SpecTerms, TaskTerms, Thinker, Thinkers, WorkerWalls, short,
};
pub use notify::{NotifyError, agreed_channels, read_secret};

/// Far more than any honest contract.
const CONTRACT_BYTES_MAX: u64 = 64 << 20;
/// A contract may be sealed so often: at the start, and by amendments.
const CONTRACTS_MAX: u32 = 1_000;

/// Everything that was agreed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    pub version: u32,
    pub loop_id: LoopId,
    /// Byte for byte as the person gave it.
    pub goal: String,
    /// The checkout the worker works in.
    pub project: Utf8PathBuf,
    pub repository: RepositoryKind,
    /// What the branch stood at.
    pub head: Option<CommitId>,
    /// Paths that the person had changed before the loop began.
    pub dirty_paths: Vec<String>,
    pub agent: AgentTerms,
    pub checks: Vec<SealedCheck>,
    /// Criteria of RUBRIC.md; without a judge they are listed as not proven.
    pub criteria: Vec<String>,
    /// Who judges them, if anybody does.
    pub judge: Option<JudgeTerms>,
    /// Where criteria and checks were read.
    pub rubric: Utf8PathBuf,
    /// What stood there, to show how it differs later; none where there was no such file.
    pub rubric_text: Option<String>,
    /// What was said for this loop by flags and variables: it outranks gulf.toml when that is read again.
    pub said: Vec<StatedSetting>,
    pub memory: MemoryForm,
    /// Of gulf-align.md: open questions that the person let pass (SPEC G12), and checks that nobody runs.
    pub ignored_questions: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unrun_checks: Vec<String>,
    pub completion_promise: String,
    /// A project's own prompt template.
    pub prompt_template: Option<SealedText>,
    pub verification: VerificationTerms,
    /// The digests of the loop's own texts at the start; drift is reported.
    pub texts: BTreeMap<String, Digest>,
    pub base: Base,
    pub policy: Policy,
    /// The preset, where no earlier gulf sealed it: for people only, since the policy says what it amounts to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// Who was to do the work when it was sealed.
    #[serde(default)]
    pub worker: WorkerTerms,
    /// Where the work lands, if it does; what of it may land stands in the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landing: Option<LandingTerms>,
    /// Which iteration of which loop it goes on from, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<ForkedFrom>,
    /// The list that it works off, if it does (SPEC R1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<ListTerms>,
    /// Where it was started and with whom it works, where it has a branch of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branching: Option<Branching>,
    /// The spec whose text the goal is, if it is one's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spec: Option<SpecTerms>,
    /// Who thinks in the steps before a turn, where it is not the worker's own agent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub thinkers: Thinkers,
    /// Where the goal is a Ralph project's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ralph: Option<RalphTerms>,
    /// Which of the project's own texts may stand in a prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<ContextTerms>,
    /// So many steps of the plan are worked on at once; none where one worker does all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side_by_side: Option<NonZeroU32>,
    /// By which ways a person is reached, if by any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notify: Option<NotifyTerms>,
    /// What its folder in the project holds, if it has one (SPEC A2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_folder: Option<ProjectFolderTerms>,
}

/// Who does the work, and on whose terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum WorkerTerms {
    /// Agents that gulf starts.
    #[default]
    Processes,
    /// A session that a person opened, of the agent with this name.
    Session { host: String },
    /// A session whose state file a person wrote: what it says of branches is kept.
    Adopted { host: String, then: Rejections, branch: String, base_branch: String, worktree_path: String },
}

impl WorkerTerms {
    /// Is it a loop on the seed's terms?
    pub(crate) fn is_adopted(&self) -> bool {
        matches!(self, Self::Adopted { .. })
    }
}

/// A setting that somebody said for one loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedSetting {
    /// Its path in gulf.toml.
    pub path: String,
    pub value: String,
}

/// Whose git this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepositoryKind {
    /// The person's.
    Own,
    /// The project has none; gulf keeps one for it.
    Shadow,
}

/// The agent: what it is, what it may do, how long a turn of it lasts. By default nobody works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTerms {
    pub tool: Tool,
    pub timeout_ms: u64,
    pub idle_timeout_ms: u64,
    /// Commands that it may run.
    pub allow: Vec<String>,
    /// The person's own arguments.
    pub arguments: Vec<String>,
    /// What an effect counts for that does not tell its cost: worker's and judge's alike.
    pub assumed: Assumed,
    /// Does it get gulf's own tools?
    #[serde(default, skip_serializing_if = "gulf_engine::is_default")]
    pub own_tools: OwnTools,
    /// Is it kept from what checks and gulf itself depend on?
    #[serde(default, skip_serializing_if = "gulf_engine::is_default")]
    pub sandbox: WorkerWalls,
    /// Paths that it may use all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<String>,
}

/// A program that works or judges: `{"kind":"command","command":"…"}`, or an agent by its name:
/// `{"kind":"claude","model":null}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Tool {
    /// Any program: prompt on stdin, final message on stdout.
    Command { command: String },
    /// One whose protocol is known.
    #[serde(untagged)]
    Agent {
        #[serde(rename = "kind")]
        agent: gulf_agents::agents::Tool,
        model: Option<String>,
    },
}

/// The judge: who, in which form, and how much it is shown at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeTerms {
    pub tool: Tool,
    pub protocol: VerdictForm,
    pub timeout_ms: u64,
    pub call_bytes_max: u64,
}

/// One check as sealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SealedCheck {
    pub name: CheckName,
    pub command: String,
    pub timeout_ms: u64,
    /// Relative to the project.
    pub directory: Utf8PathBuf,
    pub environment: BTreeMap<String, String>,
    pub place: Place,
    /// What of the machine it reaches, where it runs in a checkout.
    #[serde(default, skip_serializing_if = "gulf_engine::is_default")]
    pub isolation: CheckIsolation,
    pub baseline: Baseline,
    /// What its numbers mean; none where its command and its words tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// Files that it writes, below its folder; empty: where tools usually write them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<String>,
    /// It cannot run yet: what it runs is part of the work.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
    /// The worker hears its name and that it failed, no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
    /// Who asked for it: `RUBRIC.md:4`, `--check`, `detected: Cargo.toml`.
    pub origin: String,
}

/// Where a check runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In a checkout of the candidate.
    #[default]
    Checkout,
    /// In the project itself: the receipt says so.
    Project,
}

/// How checks get a checkout they can run in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationTerms {
    pub output: KeptOutput,
    /// Files over this are named, not stored.
    pub file_bytes_max: u64,
    /// The largest report that is read, and how much of the end of an output.
    #[serde(default = "report_bytes_max")]
    pub report_bytes_max: u64,
    /// Tests whose expectations the work may change, by patterns as in `.gitignore`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tests_may_change: Vec<String>,
    /// Further files that count as tests, by such patterns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub count_as_tests: Vec<String>,
    /// What isolated checks may read besides the tools that gulf knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visible: Vec<String>,
    pub environment: EnvironmentTerms,
}

/// As it was before anybody could say otherwise.
fn report_bytes_max() -> u64 {
    16 << 20
}

/// What every fresh checkout contains besides its commit: a worker's worktree, and the rooms of the checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentTerms {
    /// The person's checkout, from which it comes; the project itself, where a loop has no worktree of its own.
    pub person: Utf8PathBuf,
    /// Patterns of files that are copied; that git ignores all of them is a condition.
    pub copy: Vec<String>,
    /// Patterns of `.worktreeinclude`; what git does not ignore is passed over.
    pub include: Vec<String>,
    pub links: Vec<String>,
    /// Folders that are provided besides those of dependencies.
    pub caches: Vec<String>,
    /// Makes a fresh checkout ready.
    pub setup: Option<String>,
    /// What gulf found itself is never stricter than the checks.
    #[serde(default)]
    pub setup_by: SetupBy,
    pub setup_timeout_ms: u64,
    pub lockfiles: Vec<String>,
    pub copy_bytes_max: u64,
    pub ports: PortTerms,
    /// Folders of dependencies that were there at the start; others are a worker's and stay out.
    pub dependency_folders: Vec<String>,
    /// The files that were selected at the start, with what they held; they lie beside the contract.
    pub copied: BTreeMap<String, Digest>,
}

/// Who named the set-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupBy {
    /// In gulf.toml: where it fails, nothing is ready.
    #[default]
    Person,
    /// gulf, by the project's files: where it fails, the checks say whether anything is missing.
    Detection,
}

impl Agreement {
    /// Did this path differ from what is committed when the loop began?
    pub(crate) fn was_dirty(&self, path: &TreePath) -> bool {
        path.as_utf8().is_some_and(|path| self.dirty_paths.iter().any(|dirty| dirty == path))
    }

    /// How work is checked, and nothing that was agreed besides: whoever composes one says the rest.
    pub(crate) fn draft(verification: VerificationTerms, policy: Policy) -> Self {
        Self {
            version: FORMAT_VERSION,
            loop_id: LoopId::new(""),
            goal: String::new(),
            project: Utf8PathBuf::new(),
            repository: RepositoryKind::Own,
            head: None,
            dirty_paths: Vec::new(),
            agent: AgentTerms::default(),
            checks: Vec::new(),
            criteria: Vec::new(),
            judge: None,
            rubric: Utf8PathBuf::from(RUBRIC),
            rubric_text: None,
            said: Vec::new(),
            memory: MemoryForm::Plain,
            ignored_questions: Vec::new(),
            unrun_checks: Vec::new(),
            completion_promise: String::new(),
            prompt_template: None,
            verification,
            texts: BTreeMap::new(),
            base: Base { commit: CommitId::new(""), tree: TreeId::new("") },
            policy,
            preset: None,
            worker: WorkerTerms::Processes,
            landing: None,
            forked_from: None,
            list: None,
            branching: None,
            spec: None,
            thinkers: BTreeMap::new(),
            ralph: None,
            context: None,
            side_by_side: None,
            notify: None,
            project_folder: None,
        }
    }

    /// The part that the rules need.
    pub fn contract(&self) -> Result<Contract, RunError> {
        Ok(Contract {
            digest: engine_digest(&self.encode()?),
            goal: goal_digest(&self.goal),
            base: self.base.clone(),
            checks: self.checks.iter().map(SealedCheck::terms).collect::<Result<_, _>>()?,
            tasks: self.list.as_ref().map(ListTerms::units).unwrap_or_default(),
            policy: self.policy.clone(),
        })
    }

    /// Writes it where no worker looks, beside what was sealed before it.
    pub fn seal(&self, folder: &LoopPaths) -> Result<(), RunError> {
        let number = (1..=CONTRACTS_MAX).find(|number| !folder.numbered_contract(*number).exists());
        let path = folder.numbered_contract(number.ok_or(RunError::TooManyContracts)?);
        Ok(files::replace(&path, &self.encode()?, Durability::Synced)?)
    }

    /// Reads back the one with this digest: the journal speaks of it.
    pub fn open(folder: &LoopPaths, digest: &Digest) -> Result<Self, RunError> {
        for number in 1..=CONTRACTS_MAX {
            let path = folder.numbered_contract(number);
            let bytes = match files::read_bytes(&path, CONTRACT_BYTES_MAX) {
                Ok(bytes) => bytes,
                Err(ReadError::Missing { .. }) if number > 1 => break,
                Err(error) => return Err(error.into()),
            };
            if engine_digest(&bytes) == *digest {
                // The digest says that nobody touched it.
                let foreign = |source| RunError::ForeignContract { path, source };
                return serde_json::from_slice(&bytes).map_err(foreign);
            }
        }
        Err(RunError::ContractChanged { path: folder.contract() })
    }

    /// The checkout whose RUBRIC.md and gulf.toml count: the person's, also where the work is done in another.
    pub fn stated_in(&self) -> &Utf8Path {
        self.branching.as_ref().map_or(&self.project, |branching| &branching.checkout)
    }

    /// What was committed where the loop began.
    pub(crate) fn start_tree(&self, repository: &Repository) -> Result<TreeId, GitError> {
        self.head.as_ref().map_or_else(|| Ok(repository.empty_tree()), |commit| repository.tree_of(commit))
    }

    /// The check of this name.
    pub fn check(&self, name: &CheckName) -> Option<&SealedCheck> {
        self.checks.iter().find(|check| check.name == *name)
    }

    fn encode(&self) -> Result<Vec<u8>, RunError> {
        records::encode_pretty("the contract", self)
    }
}

impl Default for Tool {
    /// Nobody.
    fn default() -> Self {
        Self::Command { command: String::new() }
    }
}

impl SealedCheck {
    /// One of which nothing but its command was said.
    pub(crate) fn from_command(name: &str, command: &str, origin: String) -> Self {
        Self {
            name: CheckName::new(name),
            command: command.to_owned(),
            timeout_ms: milliseconds(check_timeout_default()),
            origin,
            ..Self::default()
        }
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    fn terms(&self) -> Result<CheckTerms, RunError> {
        Ok(CheckTerms {
            name: self.name.clone(),
            digest: engine_digest(&records::encode("a check", self)?),
            baseline: self.baseline,
            runnable: self.runnable(),
            disclosure: if self.held_out.is_some() { Disclosure::HeldOut } else { Disclosure::Open },
        })
    }

    /// In the project itself it has no word about the base.
    fn runnable(&self) -> Runnable {
        match self.place {
            Place::Checkout if !self.is_new => Runnable::Required,
            Place::Checkout | Place::Project => Runnable::Spared,
        }
    }
}

/// The same goal resumes the same loop.
pub fn goal_digest(goal: &str) -> Digest {
    engine_digest(goal.as_bytes())
}

/// A digest as the engine's events carry it.
pub fn engine_digest(bytes: &[u8]) -> Digest {
    Digest::new(digest::Digest::of_bytes(bytes).to_string())
}
