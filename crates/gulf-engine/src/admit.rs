//! What a person, a worker or a file asks for becomes a fact, or a typed refusal.

use crate::contract::Gate;
use crate::effect::{Candidate, CheckRun};
use crate::end::End;
use crate::event::{By, Claim, Fact};
use crate::feedback::{Phase, Told, check_told};
use crate::state::{Stage, State};
use crate::tasks::BLOCKERS_MAX;
use alloc::string::String;

/// The longest note or reason that is taken.
pub const NOTE_BYTES_MAX: usize = 16 * 1024;
/// The most options that a question offers.
pub const OPTIONS_MAX: usize = 16;
/// The most questions that wait for a person at once.
pub const QUESTIONS_OPEN_MAX: usize = 16;

/// Something is asked of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    pub author: Author,
    pub act: Act,
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// The loop's owner.
    Person,
    /// A process of the loop's agent.
    Worker {
        /// The iteration whose turn it says it belongs to.
        iteration: u32,
    },
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Rest.
    Pause,
    /// End.
    Cancel,
    /// End, since another worker of the group was first.
    Outrun,
    /// Go on.
    Resume,
    /// Tell the worker this, in its next iteration.
    Steer(String),
    /// Evaluate the work, or ask a person.
    Claim(Claim),
    /// Answer a question of the worker's; `None` is the only one that is open.
    Answer { question: Option<u32>, answer: String },
    /// Overrule the judge about the last candidate.
    Approve { reason: String },
    /// Say no to the last candidate, and go on.
    Reject { reason: String },
    /// Bring finished work onto this branch.
    Land { by: String, base: String, push: Option<String> },
    /// Take the work of a loop that is over out of the checkout, or throw its worktree and branch away.
    Discard { by: String },
    /// Write down what was measured outside of gulf.
    Tell(Told),
    /// Give the task in hand up, and go on with the next one.
    Skip,
}

/// Why a request is not granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no contract.
    #[error("the loop has not started")]
    NotStarted,
    /// It is over.
    #[error("the loop has ended")]
    Ended,
    /// It rests.
    #[error("the loop is paused already")]
    AlreadyPaused,
    /// It does not rest.
    #[error("the loop is not paused")]
    NotPaused,
    /// What changes a loop's terms or ends it is said where its owner sits.
    #[error("by a channel a person can answer, approve, reject and go on, and nothing else")]
    NotByChannel,
    /// DESIGN invariant 8.
    #[error("only a person may do this, and the request comes from an agent's process")]
    PersonOnly,
    /// A person's word needs no claim.
    #[error("only the worker can claim, from within its turn")]
    WorkerOnly,
    /// Nobody works.
    #[error("no turn is running")]
    NoTurn,
    /// The turn that made it is over.
    #[error("this belongs to iteration {made_in}, and iteration {now} is the current one")]
    Stale {
        /// The iteration it was made in.
        made_in: u32,
        /// The current one.
        now: u32,
    },
    /// Bounded, as everything is.
    #[error("the text has {bytes} bytes, and {NOTE_BYTES_MAX} is the limit")]
    TooLong { bytes: usize },
    /// It says nothing.
    #[error("the text is blank")]
    Blank,
    /// A list of answers has an end too.
    #[error("{count} options are too many: {OPTIONS_MAX} is the limit")]
    TooManyOptions { count: usize },
    /// One turn asks only so much.
    #[error("{QUESTIONS_OPEN_MAX} questions wait for a person already, and that is the limit")]
    TooManyQuestions,
    /// An answer comes first.
    #[error("question {number} waits for an answer")]
    QuestionOpen { number: u32 },
    /// It was answered already, or never asked.
    #[error("no such question is open")]
    NoSuchQuestion,
    /// Which one is meant?
    #[error("{count} questions are open: name one by its number")]
    WhichQuestion { count: usize },
    /// The goal is the only unit of work.
    #[error("the loop works off no list of tasks")]
    NoTasks,
    /// Something is looked at, and may still be finished.
    #[error("a task is skipped between two turns, and its candidate is looked at")]
    NotBetween,
    /// A list is not made longer without end.
    #[error("a task is put back {BLOCKERS_MAX} times at most, and one that was put before it never")]
    TooManyBlockers,
    /// Nothing can be looked at yet.
    #[error("there is no candidate yet")]
    NoCandidate,
    /// A person can overrule a judge; what a check says is a fact.
    #[error("a check says no to the last candidate, and only the judge can be overruled")]
    ChecksSayNo,
    /// SPEC B1: a person may vouch for what the gates passed, and for nothing else.
    #[error("only finished work lands: what passed every gate")]
    NothingToLand,
    /// Whoever still works would begin anew on what was taken away.
    #[error("only the work of a loop that is over is thrown away")]
    NotOver,
    /// What stands on a branch is there for all to build on.
    #[error("the work has landed")]
    HasLanded,
    /// SPEC L2.
    #[error("the loop is in phase {}, and {} does not come now", from.word(), to.word())]
    Transition { from: Phase, to: Phase },
    /// A number that nobody can have counted.
    #[error("{what} is out of range: {max} is the limit")]
    OutOfRange { what: &'static str, max: u32 },
}

/// Grants a request as a fact, or refuses it.
pub fn admit(state: &State, request: Request) -> Result<Fact, Refusal> {
    if state.contract.is_none() {
        return Err(Refusal::NotStarted);
    }
    match (request.act, request.author) {
        (Act::Land { by, base, push }, Author::Person) => {
            state.may_land(Fact::LandingAsked { by, base, push })
        }
        (Act::Discard { by }, Author::Person) => state.may_discard(Fact::Discarded { by }),
        _ if matches!(state.stage, Stage::Ended(_)) => Err(Refusal::Ended),
        (Act::Claim(claim), Author::Worker { iteration }) => admit_claim(state, claim, iteration),
        (Act::Claim(_), Author::Person) => Err(Refusal::WorkerOnly),
        (_, Author::Worker { .. }) => Err(Refusal::PersonOnly),
        (Act::Answer { question, answer }, Author::Person) => admit_answer(state, question, answer),
        (Act::Approve { reason }, Author::Person) => admit_approval(state, reason),
        (Act::Reject { reason }, Author::Person) => {
            may_resume(state)?;
            check_text(&reason).map(|()| Fact::Rejected { reason, by: None })
        }
        (Act::Pause, Author::Person) if is_paused(state) => Err(Refusal::AlreadyPaused),
        (Act::Pause, Author::Person) => Ok(Fact::PauseAsked),
        (Act::Cancel, Author::Person) => Ok(Fact::CancelAsked),
        (Act::Outrun, Author::Person) => Ok(Fact::Outrun),
        (Act::Resume, Author::Person) => may_resume(state).map(|()| Fact::Resumed),
        (Act::Tell(told), Author::Person) => check_told(state, &told).map(|()| Fact::FeedbackTold { told }),
        (Act::Skip, Author::Person) => admit_skip(state),
        (Act::Steer(note), Author::Person) => check_text(&note).map(|()| Fact::Steered { note }),
    }
}

/// The same for a person whom a channel reached (DESIGN invariant 8): who it was stands beside what they said.
pub fn admit_from(state: &State, act: Act, by: By) -> Result<Fact, Refusal> {
    match &act {
        Act::Answer { .. } | Act::Approve { .. } | Act::Reject { .. } | Act::Resume => {}
        Act::Pause | Act::Cancel | Act::Steer(_) | Act::Claim(_) => return Err(Refusal::NotByChannel),
        Act::Land { .. } | Act::Discard { .. } | Act::Tell(_) | Act::Skip | Act::Outrun => {
            return Err(Refusal::NotByChannel);
        }
    }
    let mut fact = admit(state, Request { author: Author::Person, act })?;
    if let Fact::Answered { by: who, .. } | Fact::Approved { by: who, .. } | Fact::Rejected { by: who, .. } =
        &mut fact
    {
        *who = Some(by);
    }
    Ok(fact)
}

fn admit_claim(state: &State, claim: Claim, iteration: u32) -> Result<Fact, Refusal> {
    let is_question = claim.question().is_some() && state.is_stepping();
    if !is_question && !matches!(state.stage, Stage::Turn | Stage::FollowUp(..) | Stage::Settling(_)) {
        return Err(Refusal::NoTurn);
    }
    let (now, _) = state.turn_in_hand();
    if iteration != now {
        return Err(Refusal::Stale { made_in: iteration, now });
    }
    match &claim {
        Claim::Done { no_test } => no_test.as_deref().map_or(Ok(()), check_text)?,
        Claim::Blocked { task } => {
            check_text(task)?;
            if state.plan.is_empty() {
                return Err(Refusal::NoTasks);
            }
            if !state.may_be_blocked() {
                return Err(Refusal::TooManyBlockers);
            }
        }
        Claim::Cannot(question) | Claim::Conflict(question) | Claim::NeedDecision(question) => {
            check_text(&question.text)?;
            question.evidence.as_deref().map_or(Ok(()), check_text)?;
            if question.options.len() > OPTIONS_MAX {
                return Err(Refusal::TooManyOptions { count: question.options.len() });
            }
            question.options.iter().try_for_each(|option| check_text(option))?;
            let is_open = state.open_questions().any(|open| open.claim == claim);
            if !is_open && state.open_questions().count() >= QUESTIONS_OPEN_MAX {
                return Err(Refusal::TooManyQuestions);
            }
        }
    }
    Ok(Fact::Claimed { claim })
}

/// A person's word: no limit was reached.
fn admit_skip(state: &State) -> Result<Fact, Refusal> {
    if state.plan.is_empty() {
        return Err(Refusal::NoTasks);
    }
    may_resume(state)?;
    let is_between = matches!(state.innermost_stage(), Stage::Between(_));
    let skipped = Fact::UnitSkipped { why: End::Cancelled, set_aside: None };
    if is_between { Ok(skipped) } else { Err(Refusal::NotBetween) }
}

fn admit_answer(state: &State, question: Option<u32>, answer: String) -> Result<Fact, Refusal> {
    check_text(&answer)?;
    let mut open = state.open_questions().map(|one| one.number);
    let count = state.open_questions().count();
    let number = match question {
        Some(number) => open.find(|one| *one == number),
        None if count > 1 => return Err(Refusal::WhichQuestion { count }),
        None => open.next(),
    };
    let question = number.ok_or(Refusal::NoSuchQuestion)?;
    Ok(Fact::Answered { question, answer, by: None })
}

fn admit_approval(state: &State, reason: String) -> Result<Fact, Refusal> {
    may_resume(state)?;
    check_text(&reason)?;
    let (_, candidate) = state.last_candidate().ok_or(Refusal::NoCandidate)?;
    if checks_say_no(state, &candidate) {
        Err(Refusal::ChecksSayNo)
    } else {
        Ok(Fact::Approved { reason, by: None })
    }
}

/// Only what was said counts: a check that has not spoken here is asked before anything ends.
fn checks_say_no(state: &State, candidate: &Candidate) -> bool {
    let Some(contract) = state.contract.as_deref() else { return true };
    let words = state.unit.words.get(&candidate.tree);
    contract.policy.gates.contains(&Gate::Checks)
        && words.is_some_and(|words| !words.checks.values().all(CheckRun::is_green))
}

/// Is this a pause from which a word of the person's leads on?
fn may_resume(state: &State) -> Result<(), Refusal> {
    match state.open_questions().next() {
        _ if !is_paused(state) => Err(Refusal::NotPaused),
        Some(open) => Err(Refusal::QuestionOpen { number: open.number }),
        None => Ok(()),
    }
}

fn check_text(text: &str) -> Result<(), Refusal> {
    if text.len() > NOTE_BYTES_MAX {
        return Err(Refusal::TooLong { bytes: text.len() });
    }
    if text.trim().is_empty() { Err(Refusal::Blank) } else { Ok(()) }
}

fn is_paused(state: &State) -> bool {
    matches!(state.stage, Stage::Paused(..))
}
