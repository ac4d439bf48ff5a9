//! What a person, a worker or a file asks for becomes a fact, or a typed refusal.

use crate::claim::Claim;
use crate::contract::Gate;
use crate::effect::{Candidate, CheckRun};
use crate::end::End;
use crate::event::{By, Fact};
use crate::feedback::RecordedFeedback;
use crate::measured::check_told;
use crate::refusal::{NOTE_BYTES_MAX, OPTIONS_MAX, QUESTIONS_OPEN_MAX, Refusal};
use crate::state::{Stage, State, StateFields};
use alloc::string::String;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
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
    Steer { note: String },
    /// Evaluate the work, or ask a person.
    Claim { claim: Claim },
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
    Tell { told: RecordedFeedback },
    /// Give the task in hand up, and go on with the next one.
    Skip,
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
        (Act::Claim { claim }, Author::Worker { iteration }) => admit_claim(state, claim, iteration),
        (Act::Claim { .. }, Author::Person) => Err(Refusal::WorkerOnly),
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
        (Act::Tell { told }, Author::Person) => {
            check_told(state, &told).map(|()| Fact::FeedbackTold { told })
        }
        (Act::Skip, Author::Person) => admit_skip(state),
        (Act::Steer { note }, Author::Person) => check_text(&note).map(|()| Fact::Steered { note }),
    }
}

/// The same for a person whom a channel reached (DESIGN invariant 8): who it was stands beside what they said.
pub fn admit_from(state: &State, act: Act, by: By) -> Result<Fact, Refusal> {
    match &act {
        Act::Answer { .. } | Act::Approve { .. } | Act::Reject { .. } | Act::Resume => {}
        Act::Pause | Act::Cancel | Act::Steer { .. } | Act::Claim { .. } => {
            return Err(Refusal::NotByChannel);
        }
        Act::Land { .. } | Act::Discard { .. } | Act::Tell { .. } | Act::Skip | Act::Outrun => {
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

fn admit_claim(state: &StateFields, claim: Claim, iteration: u32) -> Result<Fact, Refusal> {
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
fn admit_skip(state: &StateFields) -> Result<Fact, Refusal> {
    if state.plan.is_empty() {
        return Err(Refusal::NoTasks);
    }
    may_resume(state)?;
    let is_between = matches!(state.innermost_stage(), Stage::Between(_));
    let skipped = Fact::UnitSkipped { why: End::Cancelled, set_aside: None };
    if is_between { Ok(skipped) } else { Err(Refusal::NotBetween) }
}

fn admit_answer(state: &StateFields, question: Option<u32>, answer: String) -> Result<Fact, Refusal> {
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

fn admit_approval(state: &StateFields, reason: String) -> Result<Fact, Refusal> {
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
fn checks_say_no(state: &StateFields, candidate: &Candidate) -> bool {
    let Some(contract) = state.contract.as_deref() else { return true };
    let words = state.unit.words.get(&candidate.tree);
    contract.policy.gates.contains(&Gate::Checks)
        && words.is_some_and(|words| !words.checks.values().all(CheckRun::is_green))
}

/// Is this a pause from which a word of the person's leads on?
fn may_resume(state: &StateFields) -> Result<(), Refusal> {
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

fn is_paused(state: &StateFields) -> bool {
    matches!(state.stage, Stage::Paused(..))
}
