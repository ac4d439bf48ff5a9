//! The state of one loop: a fold of its journal.
//!
//! A stage is an enum, so that a loop which is paused *and* running cannot be written. Fields change in `apply` only.

use crate::claim::Claim;
use crate::contract::{Base, ContextPolicy, Contract, Research};
use crate::effect::{Basis, Candidate, CheckRun, EffectKey, EffectKind, LandingWord, Spent};
use crate::end::{End, Party};
use crate::event::{PauseReason, Worker};
use crate::ids::{CheckName, CommitId, Digest, UnitId};
use crate::turn::{Session, Turn};
use crate::unit::{Flakiness, PlannedTask, Unit};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};
use core::ops::Deref;

/// What folding a fact comes to, or what is wrong with it.
pub(crate) type Applied = Result<(), &'static str>;

/// The fold of a journal's events. Everybody reads its fields, and [`State::apply`] alone writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State(pub(crate) StateFields);

impl Deref for State {
    type Target = StateFields;

    fn deref(&self) -> &StateFields {
        &self.0
    }
}

/// What a state holds, and what follows from that.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateFields {
    /// The sequence number of the last event folded in.
    pub sequence: u64,
    /// How long the loop has run.
    pub active_ms: u64,
    pub(crate) anomaly: Option<Anomaly>,
    /// Shared by copies of the state: it is by far its greatest part, and never changes in place.
    pub(crate) contract: Option<Arc<Contract>>,
    pub(crate) environment: Option<Digest>,
    /// It is another one than that in which checks spoke.
    pub(crate) is_elsewhere: bool,
    /// Where the loop stands.
    pub stage: Stage,
    /// The unit of work in hand.
    pub unit: Unit,
    /// The list, in the order in which its tasks are done; empty where the goal is the only unit.
    pub plan: Vec<PlannedTask>,
    /// Units that wait for another one, by their ids.
    pub(crate) parked: BTreeMap<UnitId, Unit>,
    /// The ends of the units before it.
    pub finished: Vec<End>,
    /// What the checks said of the base.
    pub probes: BTreeMap<CheckName, CheckRun>,
    /// Checks that said no and yes about one tree.
    pub flaky: BTreeMap<CheckName, Flakiness>,
    /// What the unit in hand began with, or where its work leaves the base branch by now, if that is not where the loop
    /// began.
    pub(crate) moved_base: Option<Base>,
    /// How often that changed: a check on an earlier base says nothing any more.
    pub(crate) base_moves: u32,
    /// Effects begun and not ended.
    pub running: BTreeSet<EffectKey>,
    pub(crate) orphans: BTreeSet<EffectKey>,
    pub(crate) attempts: BTreeMap<EffectKind, u32>,
    pub(crate) stop_asked: Option<StopAsked>,
    /// The person's notes that no settled turn has seen; one whose agent failed has seen nothing.
    pub notes: Vec<String>,
    pub(crate) notes_told: usize,
    pub(crate) failures: Failures,
    /// When the last turns began, no more of them than may begin within an hour, in active time.
    pub(crate) turns_begun_ms: Vec<u64>,
    /// What was spent.
    pub spending: Spending,
    /// Everything the worker ever asked, the oldest first.
    pub questions: Vec<OpenQuestion>,
    /// What the agent was not allowed to do, and how often, since a person last looked.
    pub denials: BTreeMap<String, u32>,
    /// Who works.
    pub worker: Worker,
    /// As the last turn of a session said.
    pub(crate) blocks_left: Option<u32>,
    /// When a person said how it goes on, where nobody drives it since: the event before theirs.
    pub led_on: Option<u64>,
    /// A person threw the work away after the end, and it did not land since.
    pub is_discarded: bool,
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
            *sum = sum.plus(*spent);
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

/// What a person asked for; what comes later here outweighs what comes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum StopAsked {
    Pause,
    Cancel,
    /// Another worker of its group was first.
    Outrun,
}

/// The journal is not one that its drivers, or a queue's leaders, write. Nothing is decided on such a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Anomaly {
    /// The event's sequence number.
    pub sequence: u64,
    /// What is wrong with it.
    pub what: &'static str,
}

impl StateFields {
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

    /// The commit by which the base branch holds the work, where it does.
    pub fn landed_as(&self) -> Option<&CommitId> {
        let Some(LandingWord::Landed { commit, .. }) = self.landing() else { return None };
        Some(commit)
    }

    /// Those that came since the last turn began.
    pub fn unread_notes(&self) -> &[String] {
        self.notes.get(self.notes_told..).unwrap_or_default()
    }

    /// What the worker asked and nobody has answered.
    pub fn open_questions(&self) -> impl Iterator<Item = &OpenQuestion> {
        self.questions.iter().filter(|question| question.answer.is_none())
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
        let research = self.contract().map(|contract| contract.policy.research);
        let gate = matches!(research, Some(Research::Gate | Research::Brief));
        gate && (self.unit.id, self.unit.iteration) == (UnitId(0), 1)
    }

    /// The candidate in hand.
    pub fn candidate(&self) -> Option<&Candidate> {
        let stage = self.innermost_stage();
        let (Stage::Gates(_, candidate) | Stage::FollowUp(_, candidate)) = stage else { return None };
        Some(candidate)
    }

    /// Iteration and attempt of the turn in hand, or else of the one that comes next.
    pub fn turn_in_hand(&self) -> (u32, u32) {
        let Stage::Between(next) = self.innermost_stage() else {
            return (self.unit.iteration, self.unit.attempt);
        };
        self.next_turn(*next)
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

    /// When the loop's time is over, in active milliseconds.
    pub fn deadline_ms(&self) -> Option<u64> {
        self.contract.as_ref().and_then(|contract| contract.policy.limits.active_ms_max)
    }

    /// The stage that a pause covers, or the stage itself.
    pub fn innermost_stage(&self) -> &Stage {
        if let Stage::Paused(_, inner) = &self.stage { inner } else { &self.stage }
    }
}
