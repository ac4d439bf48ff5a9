//! The prompt of an iteration: the person's goal unchanged, what to fix, and how to work (SPEC G4, G5, G11).
//!
//! Apart because its words are a product of their own: templates that a project may replace, filled from one
//! typed value. The goal stands first, byte for byte; all that gulf adds follows a rule below it.

mod fill;
pub mod judge;
mod notepad;
mod own_steps;
mod task;

use gulf_engine::Step;
use serde::Serialize;

use crate::config::LandingPlace;
use crate::layers::Layers;
use crate::problem::{Located, Mistake};
use crate::progress::BriefGap;
use crate::thoughts::TriedBefore;

pub use fill::{feedback, follow_up, framework, iteration, landing, session, step};
pub use notepad::Notepad;
pub use own_steps::OwnSteps;
pub use task::{PartBrief, TaskBrief, part};

/// Characters of one thought that stand in a prompt; all of it lies in the iteration's folder.
pub const THOUGHT_CHARACTERS_MAX: usize = 12_000;
/// Characters of output that all failing checks together put into one prompt.
pub const TAIL_CHARACTERS_MAX: usize = 4_000;

/// All that an iteration's prompt says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IterationBrief {
    /// The person's prompt, as it was given.
    pub goal: String,
    pub iteration: u32,
    pub iterations_max: u32,
    /// Above one where the iteration was interrupted and begins again.
    pub attempt: u32,
    pub completion_promise: String,
    /// The commands that decide.
    pub checks: Vec<String>,
    /// What a judge will look at, where one is asked.
    pub criteria: Vec<String>,
    pub repository: VersionControl,
    /// Where the loop has a branch of its own.
    pub branch: Option<BranchTold>,
    /// Where a list is worked off.
    pub task: Option<TaskBrief>,
    /// A review after every so many iterations; zero is off.
    pub milestone_every: u32,
    /// Notes of the person for this iteration, oldest first.
    pub notes: Vec<String>,
    /// What was thought about beforehand.
    pub thoughts: Vec<Thought>,
    pub fixes: Vec<Fix>,
    pub advice: Vec<Advice>,
    /// What failed on the base, a line for each check.
    pub failed_before: Vec<String>,
    /// Patterns of tests whose expectations the work may change.
    pub tests_may_change: Vec<String>,
    /// The head of REMAINING_GAP.
    pub next_task: Option<String>,
    /// Lines of progress.txt where there are too many.
    pub progress_lines_over: Option<usize>,
    /// Where fresh contexts read too much before the first edit.
    pub cold_starts: Option<ColdStarts>,
    pub research: ResearchBlock,
    pub context: ContextBlock,
    /// Where the loop has one.
    pub notepad: Option<Notepad>,
    /// Is the iteration for all that a plan says (SPEC A3)? Else it is for one unit of the work: the loop goes on until there
    /// is no further one (SPEC G4).
    pub is_planned: bool,
    /// Where the worker itself thinks before it works.
    pub own_steps: Option<OwnSteps>,
}

/// Turns in a row whose fresh context took in too much before the first edit (SPEC G24).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColdStarts {
    pub turns: u32,
    /// More than this, of the context.
    pub percent: u32,
    /// Paths that the loop has changed so far.
    pub changed: Vec<String>,
}

/// The project's own texts, and the list of tasks that the worker chooses from (SPEC K2, K4).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextBlock {
    pub layers: Layers,
    pub list: Option<ListBrief>,
}

/// A list of tasks that belongs to the worker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListBrief {
    pub path: String,
    /// Titles of what stood there at the start and stands there no more.
    pub missing: Vec<String>,
    /// Why nothing of it can be read.
    pub problem: Option<String>,
}

/// Where the work is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum VersionControl {
    /// Paths that the person had changed before the loop began are not the worker's to commit.
    Git { dirty_paths: Vec<String> },
    /// A repository that the worker can read and not write: Codex keeps its sessions out of `.git`.
    ReadOnly,
    /// No repository of the person's: nothing is said about commits.
    #[default]
    Without,
}

/// The branch of a loop, and where its work goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchTold {
    /// As people call it, like the next one.
    pub name: String,
    pub base: String,
    pub place: LandingPlace,
    /// Where others try the same goal at the same time.
    pub worker: Option<OneOfSeveral>,
}

/// One of several workers on one goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneOfSeveral {
    /// From 1.
    pub number: u32,
    pub of: u32,
    /// How this one is to go about it.
    pub strategy: String,
}

/// What an agent wrote in a step before the turn, the newest of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thought {
    pub step: Step,
    pub text: String,
}

/// What a step's prompt says (SPEC A3, A7, L2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StepBrief {
    pub step: Step,
    pub goal: String,
    /// The iteration that it precedes.
    pub iteration: u32,
    /// Are the steps of a plan worked on side by side?
    pub side_by_side: bool,
    /// The person's own words for this step.
    pub own: Option<String>,
    /// What its last answer lacked.
    pub gaps: Vec<String>,
    /// What whoever looks for the cause is not to propose again.
    #[serde(skip)]
    pub tried: Vec<TriedBefore>,
    pub notes: Vec<String>,
    #[serde(skip)]
    pub fixes: Vec<Fix>,
    /// What was thought about before it.
    pub thoughts: Vec<Thought>,
    /// Where the loop has one, and whoever thinks is not to look at the worker's work with other eyes.
    #[serde(skip)]
    pub notepad: Option<Notepad>,
}

/// One thing because of which the last attempt was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fix {
    CheckFailed {
        name: String,
        command: String,
        /// How it ended, behind its name: `failed with exit code 1`.
        end: String,
        tail: String,
    },
    /// A gate's reason, in words for the worker.
    Refused { gate: String, reason: String },
    /// A step of the plan whose work is not in what stands there.
    LeftOut { step: String, reason: String, diff: String },
    /// What lies in the worktree and no candidate holds, each with the reason.
    Unseen { reason: String },
}

/// Why another approach is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Advice {
    #[error("The same failure {times} times: take a fundamentally different approach.")]
    SameFailure { times: u32 },
    #[error(
        "Claimed {times} times without a change: what failed was asked once more on the same files, and is not asked again, so claiming again cannot help. Where it failed for a reason outside of the project (a network, a flaky test), say so: `gulf claim need-decision \"…\"`."
    )]
    SameCandidate { times: u32 },
    #[error("The work went back to an earlier state {times} times: stop undoing, decide between the two.")]
    Oscillation { times: u32 },
    #[error("{turns} turns without a change or a claim: take one small step, or say what is in the way.")]
    Idle { turns: u32 },
    #[error(
        "{times} rejections in a row: the approach is wrong, not its details. Read JUDGE_FEEDBACK.md for their common root."
    )]
    Rejections { times: u32 },
    /// The last change is close to one that was rejected.
    #[error(
        "{percent} % of what you changed is what was rejected in iteration {iteration}: look whether what was wrong with that is still in it. After a reset of the strategy it is refused unseen."
    )]
    Resembles { iteration: u32, percent: u32 },
}

/// What is said about the research brief.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ResearchBlock {
    #[default]
    Nothing,
    Inline {
        gaps: Vec<BriefGap>,
    },
    Gate {
        gaps: Vec<BriefGap>,
        attempt: u32,
        attempts_max: u32,
    },
}

/// A problem of a template and its line.
pub type TemplateError = Located<Mistake>;

/// What a template can print, and what each is.
pub const VARIABLES: [(&str, &str); 31] = [
    ("goal", "the person's prompt, unchanged"),
    ("iteration", "number of this iteration"),
    ("iterations_max", "most iterations of the loop"),
    ("attempt", "above 1 where the iteration begins again"),
    ("completion_promise", "the word that claims completion"),
    ("checks", "commands that decide, a list"),
    ("criteria", "what a judge will look at, a list"),
    ("git", "whether the project is a git repository"),
    ("git_is_read_only", "whether the worker cannot commit there"),
    ("dirty_paths", "paths that were changed before the loop began, a list"),
    ("dirty_paths_more", "how many more there are than the list names"),
    ("milestone_every", "iterations between reviews, 0 without"),
    ("milestone_at", "iteration after which the next review is, 0 without"),
    ("notes", "notes of the person, a list"),
    ("tests_may_change", "patterns of tests whose expectations the work may change, a list"),
    ("failed_before", "tests that failed before the loop began, a list of one line for each check"),
    ("thoughts", "analysis, plan, critic's word and cause: a list of title and text"),
    ("fixes", "what to fix: a list of title, text, fence and tail"),
    ("advice", "why another approach is due, a list"),
    ("next_task", "head of REMAINING_GAP, or none"),
    ("progress_lines", "lines of progress.txt where there are too many, 0 otherwise"),
    ("progress_lines_max", "lines from which that is"),
    ("orientation", "gulf's text where turns read too much before their first edit, or none"),
    ("confidence_min", "confidence from which a research brief counts"),
    ("research", "gulf's text about the research brief, or none"),
    ("context", "gulf's text with the project's own texts and its list of tasks, or none"),
    ("notepad", "gulf's text with the end of the worker's own notepad, or none"),
    ("own_steps", "gulf's text on what a session thinks about within its turn, or none"),
    ("branch", "gulf's text about the branch of the loop, or none"),
    ("task", "gulf's text about the task in hand of a list, or none"),
    ("framework", "gulf's text on how to work and how to claim"),
];

/// The one short question after a turn that changed things and said nothing (SPEC B6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FollowUpBrief {
    pub completion_promise: String,
    /// How many checks there are.
    pub checks: usize,
    /// The list of tasks, where all of it is done and only the worker's word is missing.
    pub list: Option<String>,
    /// Those that fail.
    #[serde(skip)]
    pub fixes: Vec<Fix>,
}

/// Verified work that does not go together with its base branch (SPEC G18).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LandingBrief {
    /// As people call the branch.
    pub base: String,
    /// The commit that the branch stands at.
    pub tip: String,
    /// In one line, what this loop is for.
    pub goal: String,
    /// What came onto the branch meanwhile, the newest first, a line each.
    pub others: Vec<String>,
    pub others_more: usize,
    /// What does not go together, in a sentence.
    pub what: String,
    /// Paths or tests that it is about.
    pub paths: Vec<String>,
    /// Where both sides are kept to look at.
    pub folder: Option<String>,
    /// Are files with conflict markers among it?
    pub has_files: bool,
}

/// Really different ways to go about a goal, for workers that try it at the same time.
pub fn strategies() -> impl Iterator<Item = &'static str> {
    include_str!("../templates/strategies.md").split("\n---\n").map(str::trim)
}

#[cfg(test)]
mod tests;
