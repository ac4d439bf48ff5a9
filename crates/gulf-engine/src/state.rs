//! The state of one loop: a fold of its journal.
//!
//! A stage is an enum, so that a loop which is paused *and* running cannot be written. Fields change in `apply` only.

use crate::contract::{Base, ContextPolicy, Contract, Research, Reviewer};
use crate::effect::{
    Basis, Candidate, CheckRun, Closing, EffectKey, JudgeWord, LandingWord, Overlay, Resemblance, Session,
    Spent, TaskTally, Turn, Work,
};
use crate::end::{End, Party, Stall};
use crate::event::{Claim, PauseReason, Question, Worker};
use crate::feedback::{Best, Feedback};
use crate::flaky::{Doubt, Flakiness};
use crate::ids::{CheckName, Digest, TreeId, UnitId};
use crate::integrity::Integrity;
use crate::steps::Steps;
use crate::tasks::Planned;
use crate::{feedback, stuck};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The fold of a journal's events.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(crate) sequence: u64,
    pub(crate) active_ms: u64,
    pub(crate) anomaly: Option<Anomaly>,
    /// Shared by copies of the state: it is by far its greatest part, and never changes in place.
    pub(crate) contract: Option<Arc<Contract>>,
    pub(crate) environment: Option<Digest>,
    /// It is another one than that in which checks spoke.
    pub(crate) is_elsewhere: bool,
    pub(crate) stage: Stage,
    pub(crate) unit: Unit,
    pub(crate) plan: Vec<Planned>,
    /// Units that wait for another one, by their ids.
    pub(crate) parked: BTreeMap<UnitId, Unit>,
    pub(crate) finished: Vec<End>,
    pub(crate) probes: BTreeMap<CheckName, CheckRun>,
    /// Checks that said no and yes about one tree.
    pub(crate) flaky: BTreeMap<CheckName, Flakiness>,
    /// What the unit in hand began with, or where its work leaves the base branch by now, if that is not where the loop
    /// began.
    pub(crate) moved_base: Option<Base>,
    /// How often that changed: a check on an earlier base says nothing any more.
    pub(crate) base_moves: u32,
    pub(crate) running: BTreeSet<EffectKey>,
    pub(crate) orphans: BTreeSet<EffectKey>,
    pub(crate) attempts: BTreeMap<Work, u32>,
    pub(crate) stop_asked: Option<StopAsked>,
    pub(crate) notes: Vec<String>,
    pub(crate) notes_told: usize,
    pub(crate) failures: Failures,
    /// When the last turns began, no more of them than may begin within an hour, in active time.
    pub(crate) turns_begun_ms: Vec<u64>,
    pub(crate) spending: Spending,
    pub(crate) questions: Vec<OpenQuestion>,
    pub(crate) denials: BTreeMap<String, u32>,
    pub(crate) worker: Worker,
    /// As the last turn of a session said.
    pub(crate) blocks_left: Option<u32>,
    /// Another worker of its group was first.
    pub(crate) is_outrun: bool,
    /// When a person said how it goes on, where nobody drives it since: the event before theirs.
    pub(crate) led_on: Option<u64>,
    /// A person threw the work away after the end.
    pub(crate) is_discarded: bool,
}

/// What was spent so far, worker and judge together (SPEC B12).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spending {
    /// Everything.
    pub total: Spent,
    /// The part of it that nobody told: pessimistic.
    pub assumed: Spent,
    /// Since the turn in hand began: the turn and what followed it.
    pub iteration: Spent,
    /// The dearest of those before it, money and tokens each for itself.
    pub dearest: Spent,
    /// The agent said that what was left is spent.
    pub(crate) out_of_budget: bool,
}

impl Spending {
    pub(crate) fn add(&mut self, spent: &Spent) {
        let assumed = (spent.basis == Basis::Assumed).then_some(&mut self.assumed);
        for sum in [&mut self.total, &mut self.iteration].into_iter().chain(assumed) {
            sum.microdollars = sum.microdollars.saturating_add(spent.microdollars);
            sum.tokens = sum.tokens.saturating_add(spent.tokens);
            sum.basis = sum.basis.max(spent.basis);
        }
    }

    pub(crate) fn next_turn(&mut self) {
        self.dearest = self.dearest_so_far();
        self.iteration = Spent::default();
    }

    pub(crate) fn dearest_so_far(&self) -> Spent {
        let microdollars = self.dearest.microdollars.max(self.iteration.microdollars);
        let tokens = self.dearest.tokens.max(self.iteration.tokens);
        Spent { microdollars, tokens, ..Spent::default() }
    }
}

/// What the worker asked, until it is answered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpenQuestion {
    /// Counted from 1.
    pub number: u32,
    pub iteration: u32,
    pub claim: Claim,
    pub answer: Option<String>,
}

impl OpenQuestion {
    /// What is asked.
    pub fn question(&self) -> Option<&Question> {
        self.claim.question()
    }
}

/// Where a loop stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// There is no contract yet.
    #[default]
    Unsealed,
    /// No turn runs; the next one is an iteration of its own, or another attempt.
    Between(Next),
    /// The worker works.
    Turn,
    /// The turn is over, its candidate is not built yet.
    Settling(Turn),
    /// The candidate stands; the gates speak about it.
    Gates(Turn, Candidate),
    /// The worker is asked, in the turn's own session, what it left unsaid.
    FollowUp(Turn, Candidate),
    /// A person must say *go on*; then the stage inside continues.
    Paused(PauseReason, Box<Stage>),
    /// Nothing follows.
    Ended(End),
}

/// Which turn comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// The first attempt of the next iteration.
    Advance,
    /// A further attempt of the same iteration.
    Repeat,
}

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
    /// Was the worker asked for a test or a reason, or to put tests back?
    pub asked: Asked,
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

/// Whether the one question of SPEC B3 has been put to the worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asked {
    /// Not yet.
    #[default]
    Never,
    /// It is not put again.
    Once,
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

/// Failures in a row that say nothing about the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Failures {
    pub(crate) agent: u32,
    pub(crate) host: u32,
    pub(crate) judge_unreachable: u32,
    pub(crate) judge_silent: u32,
    /// Calls since a verdict, whatever came of them.
    pub(crate) judge_asked: u32,
    /// After one of them its provider asked for a wait.
    pub(crate) judge_limited: bool,
    pub(crate) last: Option<(Party, String)>,
    pub(crate) not_before_ms: u64,
    /// Waits for a provider in a row.
    pub(crate) limited: u32,
    /// Who cannot work without a person, each with why.
    pub(crate) needs_person: BTreeMap<Party, String>,
    /// How often in a row the model declined.
    pub(crate) declined: u32,
    /// In whose words it did last.
    pub(crate) declined_why: String,
}

/// What a person asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum StopAsked {
    Pause,
    Cancel,
}

/// The journal is not one that this engine's drivers write. Nothing is decided on such a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anomaly {
    /// The event's sequence number.
    pub sequence: u64,
    /// What is wrong with it.
    pub what: &'static str,
}

impl State {
    /// The sequence number of the last event folded in.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// How long the loop has run.
    pub fn active_ms(&self) -> u64 {
        self.active_ms
    }

    /// Set when the journal holds something that no driver writes.
    pub fn anomaly(&self) -> Option<&Anomaly> {
        self.anomaly.as_ref()
    }

    /// The sealed contract.
    pub fn contract(&self) -> Option<&Contract> {
        self.contract.as_deref()
    }

    /// What the candidate is compared with: what the unit before it left, where the work leaves the base branch by now, or
    /// else where the loop began.
    pub fn base(&self) -> Option<&Base> {
        self.moved_base.as_ref().or(self.contract.as_deref().map(|contract| &contract.base))
    }

    /// What became of the candidate in hand on its way onto the base branch.
    pub fn landing(&self) -> Option<&LandingWord> {
        self.unit.landing.as_ref()
    }

    /// Where the loop stands.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The unit of work in hand.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// The ends of the units before it.
    pub fn finished_units(&self) -> &[End] {
        &self.finished
    }

    /// What the checks said of the base.
    pub fn probes(&self) -> &BTreeMap<CheckName, CheckRun> {
        &self.probes
    }

    /// Checks that said no and yes about one tree.
    pub fn flaky(&self) -> &BTreeMap<CheckName, Flakiness> {
        &self.flaky
    }

    /// Effects begun and not ended.
    pub fn running(&self) -> &BTreeSet<EffectKey> {
        &self.running
    }

    /// The person's notes that no settled turn has seen; one whose agent failed has seen nothing.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Who works.
    pub fn worker(&self) -> &Worker {
        &self.worker
    }

    /// What was spent.
    pub fn spending(&self) -> &Spending {
        &self.spending
    }

    /// Everything the worker ever asked, the oldest first.
    pub fn questions(&self) -> &[OpenQuestion] {
        &self.questions
    }

    /// What the worker asked and nobody has answered.
    pub fn open_questions(&self) -> impl Iterator<Item = &OpenQuestion> {
        self.questions.iter().filter(|question| question.answer.is_none())
    }

    /// What the agent was not allowed to do, and how often, since a person last looked.
    pub fn denials(&self) -> &BTreeMap<String, u32> {
        &self.denials
    }

    /// The session in which the next turn goes on; none where it begins afresh (SPEC B13).
    pub fn session(&self) -> Option<&Session> {
        let session = self.unit.session.as_ref()?;
        match self.contract.as_ref()?.policy.context {
            ContextPolicy::Fresh => None,
            ContextPolicy::Continue => Some(session),
            // What was not measured may be anything.
            ContextPolicy::Auto { used_bp_max } => {
                session.used_bp.is_some_and(|used_bp| used_bp < used_bp_max).then_some(session)
            }
        }
    }

    /// Iteration 1 repeats until its brief stands (SPEC G5).
    pub(crate) fn is_researching(&self) -> bool {
        let gate = self
            .contract
            .as_ref()
            .is_some_and(|contract| matches!(contract.policy.research, Research::Gate | Research::Brief));
        gate && (self.unit.id, self.unit.iteration) == (UnitId(0), 1)
    }

    /// The candidate in hand.
    pub fn candidate(&self) -> Option<&Candidate> {
        let stage = self.innermost_stage();
        if let Stage::Gates(_, candidate) | Stage::FollowUp(_, candidate) = stage {
            Some(candidate)
        } else {
            None
        }
    }

    /// Iteration and attempt of the turn in hand, or else of the one that comes next.
    pub fn turn_in_hand(&self) -> (u32, u32) {
        if let Stage::Between(next) = self.innermost_stage() {
            self.next_turn(*next)
        } else {
            (self.unit.iteration, self.unit.attempt)
        }
    }

    /// How many iterations of the unit's own there are, with the one that comes next.
    pub(crate) fn iterations_with(&self, next: Next) -> u32 {
        self.unit.iterations.saturating_add(u32::from(next == Next::Advance))
    }

    /// How many iterations the unit may have.
    pub fn iterations_max(&self) -> u32 {
        let limit = self.contract.as_ref().map_or(0, |contract| contract.policy.limits.iterations_max.get());
        limit.saturating_add(self.unit.granted)
    }

    /// The way in which the unit is stuck, if it is.
    pub fn stall(&self) -> Option<Stall> {
        let (streaks, policy) = (&self.unit.streaks, &self.contract.as_ref()?.policy);
        feedback::plateau(streaks, policy.feedback.as_ref()).or_else(|| stuck::stall(streaks, &policy.stuck))
    }

    /// When the loop's time is over, in active milliseconds.
    pub fn deadline_ms(&self) -> Option<u64> {
        self.contract.as_ref().and_then(|contract| contract.policy.limits.active_ms_max)
    }

    /// The stage that a pause covers, or the stage itself.
    pub fn innermost_stage(&self) -> &Stage {
        if let Stage::Paused(_, inner) = &self.stage { inner } else { &self.stage }
    }
}
