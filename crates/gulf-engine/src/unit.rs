//! One unit of work: what was said about it, and what happened to it in a row.

use crate::claim::Claim;
use crate::contract::{Base, ContractTask, Reviewer};
use crate::effect::{Candidate, CheckRun, Closing, JudgeWord, LandingWord, Overlay, Resemblance, TaskTally};
use crate::event::SetAside;
use crate::feedback::{Best, Feedback};
use crate::ids::{CheckName, Digest, TreeId, UnitId};
use crate::integrity::Integrity;
use crate::turn::{Session, Step, Turn};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// The unit of work in hand: limits, previous output and fingerprints are its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    pub id: UnitId,
    /// The last iteration that began, counted in the loop; 0 before the first.
    pub iteration: u32,
    /// How many of them were its own: those are limited.
    pub iterations: u32,
    /// The last attempt of it that began.
    pub attempt: u32,
    /// Iterations beyond the contract's limit, by a person who was asked there.
    pub granted: u32,
    /// What was thought about before the iteration that comes next, or before the one in hand.
    pub steps: Steps,
    /// The worker's word in this iteration.
    pub claim: Option<Claim>,
    /// The iteration whose milestone a person has seen.
    pub milestone_seen: u32,
    /// Trees of the last settled iterations, the newest last; as many as stuck detection looks at.
    pub trees: Vec<TreeId>,
    /// Every gate's word, by tree.
    pub words: BTreeMap<TreeId, Words>,
    /// The candidate of the last approval (SPEC G15).
    pub approved: Option<Candidate>,
    /// The last candidate that was settled, with its turn.
    pub last: Option<(Turn, Candidate)>,
    /// Was the worker asked for a test or a reason, or to put tests back? The one question of SPEC B3 is not put again.
    pub is_asked: bool,
    /// The iteration in which the one follow-up was used.
    pub followed_up: u32,
    /// The agent's session, where it can go on.
    pub session: Option<Session>,
    /// What happened several times in a row.
    pub streaks: Streaks,
    /// What became of the candidate in hand on its way onto the base branch.
    pub landing: Option<LandingWord>,
    /// What became of writing the candidate in hand down as a finished task.
    pub closing: Option<Closing>,
    /// The rejected approach that the candidate in hand is close to.
    pub resembles: Option<Resemblance>,
    /// What the list of tasks says in the candidate in hand.
    pub tally: Option<TaskTally>,
    /// The iteration after which a different approach was asked for last; 0 for never.
    pub reset_after: u32,
    /// The iteration that a person has reviewed.
    pub review_seen: u32,
    /// What was measured of the last settled iteration, where numbers count.
    pub feedback: Option<Feedback>,
    /// The best numbers so far.
    pub best: Option<Best>,
}

impl Unit {
    /// What the turn in hand found.
    pub(crate) fn tree_before<'a>(&'a self, base: &'a Base) -> &'a TreeId {
        self.trees.last().unwrap_or(&base.tree)
    }
}

/// What the gates said about one tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words {
    /// Each check's run.
    pub checks: BTreeMap<CheckName, CheckRun>,
    /// What became of the noes among them.
    pub doubts: BTreeMap<CheckName, Doubt>,
    /// The integrity gate's comparison.
    pub integrity: Option<Integrity>,
    /// The candidate's tests on the base's code.
    pub overlay: Option<Overlay>,
    /// The judge's verdict; silence is not kept.
    pub judge: Option<JudgeWord>,
    /// The verdicts of those beside it.
    pub reviews: BTreeMap<Reviewer, JudgeWord>,
    /// What a person said about it, the last word.
    pub person: Option<PersonWord>,
    /// A person was asked whether its changed tests are right.
    pub tests_shown: bool,
}

/// What became of a no about a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// An iteration was settled with it.
    Settled { iteration: u32 },
    /// It was asked again, and yes was said so often in a row.
    Asked { iteration: u32, greens: u32 },
}

/// The iterations in which a check said no, and yes, about one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flakiness {
    pub no_in: u32,
    pub yes_in: u32,
}

/// A person's word about a tree: final until the tree changes, or the person says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PersonWord {
    /// The judge is overruled.
    Approved,
    /// No gate's yes is enough.
    Rejected,
}

/// Counts of what happened in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Streaks {
    /// Rejections by the judge (SPEC G9).
    pub rejections: u32,
    /// The tree of the last of them.
    pub rejected_tree: Option<TreeId>,
    /// Refused claims on one tree.
    pub same_candidate: u32,
    /// That tree.
    pub refused_tree: Option<TreeId>,
    /// Refused claims with one failure.
    pub same_failure: u32,
    /// That failure's fingerprints.
    pub failure: Vec<Digest>,
    /// How often each failure came since the last progress, in a row or not (SPEC A7).
    pub failures: BTreeMap<Vec<Digest>, u32>,
    /// Returns to the tree before the last one.
    pub oscillations: u32,
    /// Turns without change, claim or tool call.
    pub idle: u32,
    /// Fresh contexts that took in more before the first edit than was wanted; those that nobody could measure neither
    /// count nor end the row.
    pub cold_starts: u32,
    /// Re-injections of iteration 1.
    pub research: u32,
    /// Evaluations without a verdict, while a session works.
    pub unjudged: u32,
    /// Iterations in which no number became better.
    pub unimproved: u32,
}

impl Streaks {
    /// Forgets what counted against the unit. A claim on the tree that was rejected last is still no new rejection.
    pub(crate) fn forgive(&mut self) {
        *self = Self { rejected_tree: self.rejected_tree.take(), ..Self::default() };
    }
}

/// What became of the steps before the iteration that comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Steps {
    /// Those that are over.
    pub done: BTreeSet<Step>,
    /// How often one was asked for again.
    pub repeated: u32,
    /// The iteration's spending has begun with one of them.
    pub(crate) begun: bool,
    /// The iteration before it ended with a no.
    pub(crate) after_refusal: bool,
}

/// A task of the list, and what has become of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlannedTask {
    pub id: UnitId,
    pub task: ContractTask,
    pub standing: TaskFate,
    /// What became of its work, where it was given up.
    pub set_aside: Option<SetAside>,
}

/// What has become of a task. The one in hand is pending too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskFate {
    /// It is still to be done.
    Pending,
    /// Every gate said yes.
    Finished,
    /// It was given up; what waits for it never begins.
    Skipped,
}
