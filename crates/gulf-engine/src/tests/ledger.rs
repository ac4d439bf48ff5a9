//! The second book: what the facts alone say about a loop, and the laws that every next fact must keep.
//!
//! It never asks the engine anything, so that an engine that deceives itself is contradicted here.

mod beginnings;
mod ends;
mod exits;
mod landing;
mod list;
mod numbers;
mod people;
mod purse;
mod said;
mod sessions;
mod stalls;
mod thoughts;

use crate::*;
use exits::Exit;
use landing::Way;
use list::List;
use numbers::Numbers;
pub(crate) use people::People;
use purse::Purse;
use said::{Said, Say};
use sessions::Sessions;
use stalls::Stalls;
use std::collections::{BTreeMap, BTreeSet};
use thoughts::Thoughts;

/// A law that a fact broke, as its sentence.
pub(crate) type Kept = Result<(), &'static str>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "a ledger ticks facts off, it has no stages of its own")]
pub(crate) struct Ledger {
    unit: u32,
    pub(crate) iteration: u32,
    /// Of the unit in hand.
    iterations: u32,
    attempt: u32,
    /// The next turn is a further attempt of the same iteration.
    repeats: bool,
    running: BTreeSet<EffectKey>,
    orphans: BTreeSet<EffectKey>,
    attempts: BTreeMap<EffectKind, u32>,
    tree: Option<TreeId>,
    /// Of the last settled iteration.
    last_tree: Option<TreeId>,
    /// A turn is over whose candidate is not built.
    awaits_candidate: bool,
    claimed: bool,
    asked: bool,
    /// The turn's session goes on, and it said nothing of what remains.
    may_follow_up: bool,
    followed_up: bool,
    exit: Exit,
    briefed: bool,
    /// The turn ended because its provider asked to wait.
    was_limited: bool,
    /// Until then, by the provider's word.
    wait_until_ms: u64,
    milestone_seen: u32,
    /// Trees whose changed tests a person was shown.
    pub(crate) tests_shown: BTreeSet<TreeId>,
    said: BTreeMap<TreeId, Said>,
    base_said: BTreeMap<CheckName, Say>,
    /// Checks that said no and yes about one tree.
    flaky: BTreeSet<CheckName>,
    stop: Option<Stop>,
    paused: Option<PauseReason>,
    pub(crate) ended: bool,
    /// What each note contains.
    pub(crate) notes: Vec<String>,
    notes_told: usize,
    rejections: u32,
    rejected_tree: Option<TreeId>,
    units_verified: Vec<bool>,
    active_ms: u64,
    turns_begun_ms: Vec<u64>,
    environment: Option<Digest>,
    purse: Purse,
    pub(crate) people: People,
    sessions: Sessions,
    way: Way,
    thoughts: Thoughts,
    numbers: Numbers,
    stalls: Stalls,
    list: List,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stop {
    Pause,
    Cancel,
}

fn law(holds: bool, sentence: &'static str) -> Kept {
    if holds { Ok(()) } else { Err(sentence) }
}

fn is_probe(key: &EffectKey) -> bool {
    matches!(key.work, EffectKind::Probe { .. })
}

fn is_held_out(contract: &Contract, name: &CheckName) -> bool {
    contract.checks.iter().any(|terms| terms.name == *name && terms.disclosure == Disclosure::HeldOut)
}

fn is_baselined(contract: &Contract, name: &CheckName) -> bool {
    contract.checks.iter().any(|terms| terms.name == *name && terms.baseline == Baseline::Accepted)
}

impl Ledger {
    /// Writes a fact down, if it keeps the laws.
    pub(crate) fn observe(&mut self, contract: &Contract, active_ms: u64, fact: &Fact) -> Kept {
        let is_afterwards =
            matches!(fact, Fact::LandingAsked { .. } | Fact::LandingTold { .. } | Fact::Discarded { .. });
        law(!self.ended || is_afterwards, "nothing follows the end but a person's word on what came of it")?;
        self.active_ms = active_ms;
        self.learn_list(contract);
        match fact {
            Fact::Began { key } => self.began(contract, key)?,
            Fact::Ended { key, result } => self.ended(contract, key, result)?,
            Fact::Spent { spent, .. } => self.purse.pays(spent),
            Fact::Settled { settlement } => self.settled(contract, *settlement)?,
            Fact::Paused { reason } => self.paused(contract, *reason)?,
            Fact::UnitFinished { end } => self.unit_finished(contract, end)?,
            Fact::UnitSkipped { why, set_aside } => self.unit_skipped(contract, why, set_aside.as_ref())?,
            Fact::Finished { end } => self.finished(contract, end)?,
            Fact::StrategyReset => self.strategy_reset(contract)?,
            Fact::Resumed => self.resumed(contract)?,
            Fact::Answered { question, answer, .. } => self.answered(contract, *question, answer)?,
            Fact::Approved { .. } => self.approved(contract)?,
            Fact::Rejected { reason, .. } => self.rejected(contract, reason)?,
            Fact::Amended { contract: amended } => self.amended(contract, amended)?,
            Fact::Attached { environment, .. } => self.attached(environment),
            Fact::Bound { worker } => self.sessions.bound(worker),
            Fact::Adopted { iteration, rejections } => self.adopted(contract, *iteration, *rejections),
            Fact::Reopened { turn } => self.reopened(contract, turn)?,
            Fact::Claimed { claim } => self.claimed(claim, false),
            Fact::Steered { note } => self.notes.push(note.clone()),
            Fact::PauseAsked => self.stop = self.stop.or(Some(Stop::Pause)),
            Fact::CancelAsked | Fact::Outrun => self.stop = Some(Stop::Cancel),
            Fact::Sealed { .. } | Fact::Woke | Fact::Decided { .. } | Fact::Taken { .. } => {}
            Fact::Refused { .. } | Fact::TailDropped { .. } => {}
            Fact::Divided { .. } | Fact::PartTold { .. } => {}
            Fact::Edited { .. } | Fact::Researched { .. } => {}
            Fact::LandingAsked { .. } => self.may_land_late()?,
            Fact::LandingTold { word } => self.landed_late(word)?,
            Fact::Discarded { .. } => law(self.ended, "only what is over is thrown away")?,
            Fact::FeedbackTold { .. } => {}
        }
        Ok(())
    }

    fn may_rest_without_check(&self, contract: &Contract) -> Kept {
        let tree = self.tree.as_ref().or(self.last_tree.as_ref());
        let on_tree = |terms: &CheckTerms| {
            let said = tree.and_then(|tree| self.said.get(tree));
            said.and_then(|said| said.checks.get(&terms.name)).is_none_or(|say| *say == Say::NeverBegan)
        };
        let nowhere = |terms: &CheckTerms| {
            let on_base = self.base_said.get(&terms.name) == Some(&Say::NeverBegan);
            terms.runnable == Runnable::Required && on_base && on_tree(terms)
        };
        law(contract.checks.iter().any(nowhere), "a check that rests the loop could run nowhere")
    }

    fn came_to_nothing(&mut self, work: &EffectKind) {
        if *work == EffectKind::Turn {
            self.repeats = true;
        }
        if *work == EffectKind::FollowUp {
            (self.tree, self.awaits_candidate) = (None, true);
        }
    }

    fn ended(&mut self, contract: &Contract, key: &EffectKey, result: &EffectResult) -> Kept {
        law(self.running.remove(key), "only what runs can end")?;
        self.orphans.remove(key);
        if !matches!(result, EffectResult::Interrupted | EffectResult::Failed { .. }) {
            // A machine that did anything since is asked again.
            self.people.host_needs = matches!(result, EffectResult::NeedsPerson { .. });
        }
        match (&key.work, result) {
            (
                work,
                EffectResult::Interrupted | EffectResult::Failed { .. } | EffectResult::NeedsPerson { .. },
            ) => self.came_to_nothing(work),
            (EffectKind::Step { step }, EffectResult::Step(end)) => self.step_ended(contract, *step, end),
            (_, EffectResult::Step(_)) => return Err("a step's word comes from a step"),
            (work, EffectResult::Turn(turn)) => self.turn_ended(contract, work, turn),
            (_, EffectResult::Snapshot(snapshot)) => {
                self.tree = Some(snapshot.candidate.tree.clone());
                self.awaits_candidate = false;
                self.exit.tally = snapshot.tasks;
                self.candidate_stands(contract, snapshot);
            }
            (EffectKind::Probe { .. }, EffectResult::Check(_)) if key.iteration != self.way.base_moves => {}
            (EffectKind::Probe { name }, EffectResult::Check(run)) => {
                self.base_said.insert(name.clone(), Say::of(run));
                self.numbers.hears_of_base(name, run);
            }
            (work, EffectResult::Judge(word)) => self.judged(contract, work, word)?,
            (work, EffectResult::Check(_) | EffectResult::Integrity(_)) => self.gate_ended(work, result)?,
            (work, EffectResult::Overlay(_)) => self.gate_ended(work, result)?,
            (_, EffectResult::Landing(word)) => self.way.word = Some(word.clone()),
            (_, EffectResult::Closed { closing }) => self.list.closing = Some(closing.clone()),
        }
        self.moves_on();
        Ok(())
    }

    /// A follow-up belongs to its turn: what was said counts, how it fared does not.
    fn turn_ended(&mut self, contract: &Contract, work: &EffectKind, turn: &Turn) {
        if let Some(claim) = &turn.claim {
            self.claimed(claim, true);
        }
        for Denial { what, times } in &turn.denials {
            *self.people.denials.entry(what.clone()).or_default() += times;
        }
        (self.tree, self.awaits_candidate) = (None, true);
        self.repeats = false;
        let limited = match turn.outcome {
            TurnOutcome::RateLimited { wait_ms } => Some(wait_ms),
            TurnOutcome::OutOfBudget => {
                self.purse.is_said_to_be_empty();
                None
            }
            TurnOutcome::Completed | TurnOutcome::Failed { .. } | TurnOutcome::TimedOut => None,
            TurnOutcome::ContextFull | TurnOutcome::NeedsPerson { .. } => None,
            TurnOutcome::Declined { .. } => None,
        };
        if let Some(wait_ms) = limited {
            self.limited(contract, wait_ms);
        }
        self.sessions.stop(turn);
        if *work == EffectKind::Turn {
            self.stalls.turn_ended(turn);
            self.was_limited = limited.is_some();
            self.briefed = turn.brief == Brief::Complete;
            let completed = turn.outcome == TurnOutcome::Completed;
            self.exit.goes_on = completed && turn.session.is_some();
            self.exit.is_whole = completed || turn.outcome == TurnOutcome::OutOfBudget;
            self.may_follow_up = turn.remainder == Remainder::Unnamed;
        }
    }

    fn limited(&mut self, contract: &Contract, wait_ms: u64) {
        let wait_ms = wait_ms.max(contract.policy.retries.backoff_ms);
        self.wait_until_ms = self.wait_until_ms.max(self.active_ms + wait_ms);
    }

    /// A wait of its provider's holds a turn of gulf's own processes, and no session's.
    fn judged(&mut self, contract: &Contract, work: &EffectKind, word: &JudgeWord) -> Kept {
        self.sessions.hear(word, self.active_ms);
        match word {
            JudgeWord::RateLimited { .. } if self.sessions.is_worker() => {}
            JudgeWord::RateLimited { wait_ms } => self.limited(contract, *wait_ms),
            JudgeWord::NeedsPerson { .. } => self.people.needed = true,
            JudgeWord::Approved { .. } | JudgeWord::Rejected { .. } => {
                self.gate_ended(work, &EffectResult::Judge(word.clone()))?;
            }
            JudgeWord::NoVerdict | JudgeWord::Unreachable { .. } => {
                law(self.tree.is_some(), "a word is about a tree")?;
            }
        }
        Ok(())
    }

    fn gate_ended(&mut self, work: &EffectKind, result: &EffectResult) -> Kept {
        let tree = self.tree.clone().ok_or("a word is about a tree")?;
        let said = self.said.entry(tree.clone()).or_default();
        match (work, result) {
            (EffectKind::Check { name }, EffectResult::Check(run)) => {
                said.checks.insert(name.clone(), Say::of(run));
                if said.stood.contains(name) {
                    said.asked_again.insert(name.clone());
                    if Say::of(run).is_yes() {
                        *said.yes_after_no.entry(name.clone()).or_default() += 1;
                        self.flaky.insert(name.clone());
                    } else {
                        said.yes_after_no.remove(name);
                    }
                }
                self.numbers.hears(&tree, name, run);
                self.stalls.check_said(&tree, name, run);
            }
            (_, EffectResult::Integrity(integrity)) => {
                said.findings = Some(integrity.findings.len());
                said.needs_person = matches!(integrity.canary, Some(Canary::Green { .. }))
                    || integrity.base_tests_fail
                    || integrity.person_only
                    || integrity.again.as_ref().is_some_and(|again| again.failed);
            }
            (_, EffectResult::Overlay(overlay)) => {
                said.new_test = Some(matches!(overlay, Overlay::Red { .. } | Overlay::Noticed { .. }));
            }
            (EffectKind::Review { by }, EffectResult::Judge(word)) => {
                drop(said.reviews.insert(*by, word.clone()));
            }
            (_, EffectResult::Judge(word)) => said.judge = Some(word.clone()),
            _ => return Err("a check's word comes from a check"),
        }
        Ok(())
    }

    fn paused(&mut self, contract: &Contract, reason: PauseReason) -> Kept {
        law(self.running.is_empty(), "nothing runs while the loop is paused")?;
        law(self.stop != Some(Stop::Cancel), "a cancel is not answered by a pause")?;
        law(!self.has_landed(), "what has landed is over")?;
        let asked = self.stop == Some(Stop::Pause);
        law(asked == (reason == PauseReason::Asked), "a pause that was asked for is named so")?;
        match reason {
            PauseReason::HumanGate => {
                let policy = &contract.policy.rejections;
                law(policy.then == Rejections::Pause, "the human gate is the policy")?;
                law(self.rejections >= policy.threshold.get(), "the human gate waits for its threshold")?;
            }
            PauseReason::Milestone => {
                law(self.milestone_seen < self.iteration, "a milestone is shown once")?;
                law(self.has_every_word(contract), "at a milestone the checks have spoken")?;
                self.milestone_seen = self.iteration;
            }
            PauseReason::Question => law(!self.people.open.is_empty(), "a pause to ask has a question")?,
            PauseReason::NeedsPerson => {
                law(self.people.needed || self.people.host_needs, "a person was needed")?;
            }
            PauseReason::Denied => {
                let denied = self.people.denials.values().any(|times| *times >= 3);
                law(denied, "a pause for denials has three of a kind")?;
            }
            PauseReason::NoVerdict => self.sessions.may_rest_unjudged(self.is_at_limit(contract))?,
            PauseReason::HostLimit => law(self.sessions.is_spent(), "a host's limit was reached")?,
            PauseReason::Idle => law(self.sessions.is_worker(), "only a session's person just talks to it")?,
            PauseReason::ReadyToLand => {
                law(self.way.is_blocked(), "something stood in the way of a landing")?;
            }
            PauseReason::Step => self.steps_may_rest(contract)?,
            PauseReason::Review => self.may_review(contract)?,
            PauseReason::Stuck | PauseReason::Limit => self.may_rest_stuck(contract, reason)?,
            PauseReason::TaskLimit => self.may_rest_at_limit(contract)?,
            PauseReason::ReadyToClose => self.list.may_wait_to_close()?,
            PauseReason::CheckCannotRun => self.may_rest_without_check(contract)?,
            PauseReason::Declined => law(self.people.declined > 1, "what was declined is tried once more")?,
            PauseReason::TestsChanged => {
                law(contract.policy.findings == FindingsPolicy::Ask, "a person is asked by the contract")?;
                let said = self.words();
                law(said.findings.unwrap_or(0) > 0, "who is asked about changed tests is shown some")?;
                law(self.all_say_yes(contract), "a person is asked about tests where every gate passed")?;
                law(!self.is_proven(contract), "what is proven needs no further yes")?;
                let tree = self.tree.clone().ok_or("a person is asked about a candidate")?;
                law(self.tests_shown.insert(tree), "a person is asked about the same tests once")?;
            }
            PauseReason::Asked | PauseReason::Research => {}
        }
        self.stop = None;
        self.paused = Some(reason);
        Ok(())
    }

    fn strategy_reset(&mut self, contract: &Contract) -> Kept {
        let policy = &contract.policy.rejections;
        law(policy.then == Rejections::ResetStrategy, "a strategy is reset by policy")?;
        law(self.rejections >= policy.threshold.get(), "a strategy is reset at the threshold")?;
        self.rejections = 0;
        self.stalls.forget();
        self.way.reset_after = self.iteration;
        self.sessions.forgive();
        self.forgive_figures();
        Ok(())
    }
}
