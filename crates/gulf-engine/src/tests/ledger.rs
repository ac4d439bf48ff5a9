//! The second book: what the facts alone say about a loop, and the laws that every next fact must keep.
//!
//! It never asks the engine anything, so that an engine that deceives itself is contradicted here.

use crate::*;
use std::collections::{BTreeMap, BTreeSet};

/// A law that a fact broke, as its sentence.
pub(crate) type Kept = Result<(), &'static str>;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "a ledger ticks facts off, it has no stages of its own")]
pub(crate) struct Ledger {
    unit: u32,
    pub(crate) iteration: u32,
    attempt: u32,
    /// The next turn is a further attempt of the same iteration.
    repeats: bool,
    running: BTreeSet<EffectKey>,
    orphans: BTreeSet<EffectKey>,
    attempts: BTreeMap<Work, u32>,
    tree: Option<TreeId>,
    started_with: Option<TreeId>,
    claimed: bool,
    asked: bool,
    milestone_seen: u32,
    said: BTreeMap<TreeId, Said>,
    base_said: BTreeMap<CheckName, Say>,
    stop: Option<Stop>,
    paused: bool,
    pub(crate) ended: bool,
    pub(crate) notes: Vec<String>,
    notes_told: usize,
    rejections: u32,
    rejected_tree: Option<TreeId>,
    units_verified: Vec<bool>,
    active_ms: u64,
    environment: Option<Digest>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stop {
    Pause,
    Cancel,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Said {
    checks: BTreeMap<CheckName, Say>,
    findings: Option<usize>,
    new_test: Option<bool>,
    judge: Option<JudgeWord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Say {
    Yes,
    YesWithRepairs,
    No,
    Silence,
}

fn law(holds: bool, sentence: &'static str) -> Kept {
    if holds { Ok(()) } else { Err(sentence) }
}

fn is_probe(key: &EffectKey) -> bool {
    matches!(key.work, Work::Probe { .. })
}

fn is_heavy(key: &EffectKey) -> bool {
    matches!(key.work, Work::Probe { .. } | Work::Check { .. } | Work::Overlay)
}

fn is_baselined(contract: &Contract, name: &CheckName) -> bool {
    contract.checks.iter().any(|terms| terms.name == *name && terms.baseline == Baseline::Accepted)
}

fn say(run: &CheckRun) -> Say {
    match run.verdict {
        CheckVerdict::Green { repaired: 0 } => Say::Yes,
        CheckVerdict::Green { .. } => Say::YesWithRepairs,
        CheckVerdict::Red { .. } => Say::No,
        CheckVerdict::Unrunnable { .. } => Say::Silence,
    }
}

impl Ledger {
    /// Writes a fact down, if it keeps the laws.
    pub(crate) fn observe(&mut self, contract: &Contract, active_ms: u64, fact: &Fact) -> Kept {
        law(!self.ended, "nothing follows the end")?;
        self.active_ms = active_ms;
        match fact {
            Fact::Began { key } => self.began(contract, key),
            Fact::Ended { key, result } => self.ended(key, result),
            Fact::Settled { settlement } => self.settled(contract, *settlement),
            Fact::Paused { reason } => self.paused(contract, *reason),
            Fact::UnitFinished { end } => self.unit_finished(contract, end),
            Fact::Finished { end } => self.finished(contract, end),
            Fact::StrategyReset => self.strategy_reset(contract),
            Fact::Resumed => {
                self.resumed();
                Ok(())
            }
            Fact::Attached { environment, .. } => {
                self.attached(environment);
                Ok(())
            }
            Fact::Claimed { .. } => {
                self.claimed = true;
                Ok(())
            }
            Fact::Steered { note } => {
                self.notes.push(note.clone());
                Ok(())
            }
            Fact::PauseAsked => {
                self.stop = self.stop.or(Some(Stop::Pause));
                Ok(())
            }
            Fact::CancelAsked => {
                self.stop = Some(Stop::Cancel);
                Ok(())
            }
            Fact::Answered { .. } | Fact::Approved { .. } | Fact::Rejected { .. } | Fact::Amended { .. } => {
                Err("no person spoke")
            }
            Fact::Spent { .. } => Ok(()),
            Fact::Sealed { .. } | Fact::Woke | Fact::Decided { .. } | Fact::Taken { .. } => Ok(()),
            Fact::Refused { .. } | Fact::TailDropped { .. } => Ok(()),
        }
    }

    fn began(&mut self, contract: &Contract, key: &EffectKey) -> Kept {
        law(!self.paused, "nothing starts while the loop is paused")?;
        law(self.stop.is_none(), "nothing starts after a stop request")?;
        law(self.orphans.is_empty(), "nothing starts before a lost driver's effects are looked at")?;
        if key.work == Work::Turn {
            self.turn_began(contract, key)?;
        } else {
            let attempt = self.attempts.entry(key.work.clone()).or_default();
            *attempt += 1;
            law(key.attempt == *attempt, "the same effect never runs twice")?;
            let place = if is_probe(key) { (0, 0) } else { (self.unit, self.iteration) };
            law((key.unit.0, key.iteration) == place, "an effect belongs to the iteration in hand")?;
            self.gate_began(contract, key)?;
        }
        if is_heavy(key) {
            law(!self.running.iter().any(is_heavy), "two checks never run at once")?;
        }
        self.running.insert(key.clone());
        Ok(())
    }

    fn turn_began(&mut self, contract: &Contract, key: &EffectKey) -> Kept {
        let limits = &contract.policy.limits;
        law(key.iteration <= limits.iterations_max.get(), "no iteration beyond the limit ever begins")?;
        let in_time = limits.active_ms_max.is_none_or(|active_ms_max| self.active_ms < active_ms_max);
        law(in_time, "no turn begins when the time is over")?;
        law(self.rejections < contract.policy.rejections.threshold.get(), "rejections have an end")?;
        law(self.running.iter().all(is_probe), "a turn runs alone but for a check on the base")?;
        let next = if self.repeats { (self.iteration, self.attempt + 1) } else { (self.iteration + 1, 1) };
        law(
            (key.unit.0, key.iteration, key.attempt) == (self.unit, next.0, next.1),
            "an interrupted turn is the next attempt of its iteration, any other the next iteration",
        )?;
        if !self.repeats {
            self.attempts.retain(|work, _| matches!(work, Work::Probe { .. }));
        }
        (self.iteration, self.attempt) = next;
        self.notes_told = self.notes.len();
        self.claimed = false;
        self.tree = None;
        Ok(())
    }

    fn gate_began(&self, contract: &Contract, key: &EffectKey) -> Kept {
        let speaks = |tree: &TreeId| self.said.get(tree).cloned().unwrap_or_default();
        match &key.work {
            Work::Turn => Ok(()),
            Work::FollowUp => Err("a follow-up is asked for by the contract"),
            Work::Probe { name } => {
                law(!self.base_said.contains_key(name), "a word about the base is not asked for again")
            }
            Work::Snapshot => law(self.tree.is_none(), "an attempt has one candidate"),
            Work::Check { name } => {
                let tree = self.tree.as_ref().ok_or("a check speaks about a candidate")?;
                law(!speaks(tree).checks.contains_key(name), "a word about a tree is not asked for again")?;
                let ready = self.base_said.contains_key(name) || !is_baselined(contract, name);
                law(ready, "the base's failures are known before they are accepted")
            }
            Work::Integrity | Work::Overlay => {
                law(self.tree.is_some(), "a gate speaks about a candidate")?;
                self.milestone_is_kept(contract)
            }
            Work::Judge => self.judge_began(contract),
        }
    }

    fn judge_began(&self, contract: &Contract) -> Kept {
        let tree = self.tree.as_ref().ok_or("a judge speaks about a candidate")?;
        let spoke = self.said.get(tree).is_some_and(|said| said.judge.is_some());
        law(!spoke, "a judge's word is final until the tree changes")?;
        let called = self.claimed || self.is_at_limit(contract) || contract.policy.judge == JudgeWhen::Every;
        law(called, "a judge is asked on a claim, at the limit, or at every stop")?;
        let checked = !contract.policy.gates.contains(&Gate::Checks) || self.says_yes(contract, Gate::Checks);
        law(checked, "a failing check never costs a judge's call")?;
        self.milestone_is_kept(contract)
    }

    fn ended(&mut self, key: &EffectKey, result: &EffectResult) -> Kept {
        law(self.running.remove(key), "only what runs can end")?;
        self.orphans.remove(key);
        let tree = self.tree.clone();
        let mut said = tree.as_ref().map(|tree| self.said.entry(tree.clone()).or_default());
        match (&key.work, result) {
            (_, EffectResult::Interrupted | EffectResult::Failed { .. }) => {
                self.repeats |= key.work == Work::Turn;
                return Ok(());
            }
            (_, EffectResult::Turn(turn)) => {
                self.claimed |= turn.claim.is_some();
                self.repeats = false;
            }
            (_, EffectResult::Snapshot(snapshot)) => self.tree = Some(snapshot.candidate.tree.clone()),
            (Work::Probe { name }, EffectResult::Check(run)) => {
                self.base_said.insert(name.clone(), say(run));
            }
            (Work::Check { name }, EffectResult::Check(run)) => {
                let said = said.as_mut().ok_or("a word is about a tree")?;
                said.checks.insert(name.clone(), say(run));
            }
            (_, EffectResult::Integrity(integrity)) => {
                said.as_mut().ok_or("a word is about a tree")?.findings = Some(integrity.findings.len());
            }
            (_, EffectResult::Overlay(overlay)) => {
                let red = matches!(overlay, Overlay::Red { .. });
                said.as_mut().ok_or("a word is about a tree")?.new_test = Some(red);
            }
            (_, EffectResult::Judge(word @ (JudgeWord::Approved { .. } | JudgeWord::Rejected { .. }))) => {
                said.as_mut().ok_or("a word is about a tree")?.judge = Some(word.clone());
            }
            (_, EffectResult::Judge(JudgeWord::NoVerdict | JudgeWord::Unreachable)) => {}
            (_, EffectResult::Judge(JudgeWord::RateLimited { .. })) => {}
            (_, EffectResult::Check(_)) => return Err("a check's word comes from a check"),
        }
        Ok(())
    }

    fn settled(&mut self, contract: &Contract, settlement: Settlement) -> Kept {
        law(self.running.iter().all(is_probe), "an iteration is settled when its gates are done")?;
        law(self.stop.is_none(), "a stop request comes first")?;
        let tree = self.tree.clone().ok_or("an iteration is settled about a candidate")?;
        match settlement {
            Settlement::Research => {
                let gated =
                    contract.policy.research == Research::Gate && (self.unit, self.iteration) == (0, 1);
                law(gated, "only the first iteration researches")?;
            }
            Settlement::AgentFailed | Settlement::RateLimited | Settlement::NeedsPerson => {
                law(!self.claimed, "a claim is evaluated")?;
            }
            Settlement::Questioned => return Err("nothing was asked"),
            Settlement::Unclaimed => {
                law(!self.claimed, "a claim is evaluated, also after a milestone")?;
                self.milestone_is_kept(contract)?;
            }
            Settlement::Refused { gate } => {
                law(!self.says_yes(contract, gate), "a refusal names a gate that said no")?;
                self.milestone_is_kept(contract)?;
                if gate == Gate::Judge && self.rejected_tree.as_ref() != Some(&tree) {
                    self.rejections += 1;
                    self.rejected_tree = Some(tree);
                }
            }
            Settlement::Asked => {
                law(self.all_say_yes(contract), "the worker is asked when every gate said yes")?;
                law(!self.asked, "the worker is asked once")?;
                law(!self.is_at_limit(contract), "the worker is asked while it can answer")?;
                self.asked = true;
                self.rejections = 0;
            }
            Settlement::Approved => {
                law(self.all_say_yes(contract), "an approval is every gate's")?;
                law(!self.is_at_limit(contract), "an approval at the limit ends the loop")?;
                law(contract.policy.force_max == ForceMax::On, "an approval ends the loop")?;
                self.rejections = 0;
            }
        }
        self.repeats = matches!(settlement, Settlement::Research | Settlement::AgentFailed);
        if settlement != Settlement::AgentFailed {
            self.notes.drain(..self.notes_told);
            self.notes_told = 0;
        }
        Ok(())
    }

    fn paused(&mut self, contract: &Contract, reason: PauseReason) -> Kept {
        law(self.running.is_empty(), "nothing runs while the loop is paused")?;
        law(self.stop != Some(Stop::Cancel), "a cancel is not answered by a pause")?;
        let asked = self.stop == Some(Stop::Pause);
        law(asked == (reason == PauseReason::Asked), "a pause that was asked for is named so")?;
        if reason == PauseReason::HumanGate {
            let policy = &contract.policy.rejections;
            law(policy.then == Rejections::Pause, "the human gate is the policy")?;
            law(self.rejections >= policy.threshold.get(), "the human gate waits for its threshold")?;
        }
        if reason == PauseReason::Milestone {
            law(self.milestone_seen < self.iteration, "a milestone is shown once")?;
            self.milestone_seen = self.iteration;
        }
        self.stop = None;
        self.paused = true;
        Ok(())
    }

    fn resumed(&mut self) {
        self.paused = false;
        self.rejections = 0;
        for said in self.said.values_mut() {
            said.checks.retain(|_, say| matches!(say, Say::Yes | Say::YesWithRepairs));
        }
        self.base_said.retain(|_, say| *say != Say::Silence);
    }

    fn attached(&mut self, environment: &Digest) {
        self.orphans = self.running.clone();
        if self.environment.replace(environment.clone()).is_some_and(|earlier| earlier != *environment) {
            self.base_said.clear();
            for said in self.said.values_mut() {
                said.checks.clear();
                said.new_test = None;
            }
        }
    }

    fn strategy_reset(&mut self, contract: &Contract) -> Kept {
        let policy = &contract.policy.rejections;
        law(policy.then == Rejections::ResetStrategy, "a strategy is reset by policy")?;
        law(self.rejections >= policy.threshold.get(), "a strategy is reset at the threshold")?;
        self.rejections = 0;
        Ok(())
    }

    fn unit_finished(&mut self, contract: &Contract, end: &End) -> Kept {
        self.success_is_earned(contract, end)?;
        law(self.unit + 1 < contract.units.get(), "the last unit ends the loop")?;
        self.units_verified.push(matches!(end, End::Verified { .. }));
        let kept = Self {
            unit: self.unit + 1,
            started_with: self.tree.take(),
            running: self.running.clone(),
            attempts: self.attempts.clone(),
            base_said: self.base_said.clone(),
            notes: self.notes.split_off(self.notes_told),
            units_verified: self.units_verified.clone(),
            active_ms: self.active_ms,
            environment: self.environment.clone(),
            ..Self::default()
        };
        law(self.stop.is_none(), "a stop request comes first")?;
        *self = kept;
        Ok(())
    }

    fn finished(&mut self, contract: &Contract, end: &End) -> Kept {
        law(self.running.is_empty(), "nothing outlives the loop")?;
        let cancelled = self.stop == Some(Stop::Cancel);
        law(cancelled == (*end == End::Cancelled), "a cancel ends the loop as cancelled, nothing else does")?;
        let limits = &contract.policy.limits;
        match end {
            End::Verified { .. } | End::Attested { .. } => self.loop_is_earned(contract, end)?,
            End::Exhausted { limit: Exhaustion::Iterations } => {
                law(self.is_at_limit(contract) && !self.repeats, "every iteration is used before the limit")?;
            }
            End::Exhausted { limit: Exhaustion::Time } => {
                let over = limits.active_ms_max.is_some_and(|active_ms_max| self.active_ms >= active_ms_max);
                law(over, "the time is used before the limit")?;
            }
            End::Exhausted { limit: Exhaustion::Money | Exhaustion::Tokens } => {
                return Err("there is no budget");
            }
            End::Violated => {
                let findings = self.words().findings.unwrap_or(0);
                law(findings > 0, "a violation was found")?;
            }
            End::Stalled { .. } | End::Unavailable { .. } => law(!self.paused, "a pause is not an end")?,
            End::Cancelled => {}
        }
        self.ended = true;
        Ok(())
    }

    fn loop_is_earned(&self, contract: &Contract, end: &End) -> Kept {
        let proven = self.is_proven(contract);
        law(self.all_say_yes(contract), "success is every required gate's last word on the candidate")?;
        let all = proven && self.units_verified.iter().all(|verified| *verified);
        law(all == matches!(end, End::Verified { .. }), "verified is what could have failed, and only that")
    }

    fn success_is_earned(&self, contract: &Contract, end: &End) -> Kept {
        law(self.all_say_yes(contract), "success is every required gate's last word on the candidate")?;
        match end {
            End::Verified { .. } => law(self.is_proven(contract), "verified could have failed"),
            End::Attested { .. } => law(!self.is_proven(contract), "what could have failed is verified"),
            End::Stalled { .. }
            | End::Exhausted { .. }
            | End::Unavailable { .. }
            | End::Violated
            | End::Cancelled => Err("only a success finishes a unit"),
        }
    }

    fn words(&self) -> Said {
        self.tree.as_ref().and_then(|tree| self.said.get(tree)).cloned().unwrap_or_default()
    }

    fn says_yes(&self, contract: &Contract, gate: Gate) -> bool {
        let said = self.words();
        let green =
            |terms: &CheckTerms| matches!(said.checks.get(&terms.name), Some(Say::Yes | Say::YesWithRepairs));
        match gate {
            Gate::Checks => !contract.checks.is_empty() && contract.checks.iter().all(green),
            Gate::Integrity => match contract.policy.findings {
                FindingsPolicy::Attest => said.findings.is_some(),
                FindingsPolicy::Stop => said.findings == Some(0),
            },
            Gate::Judge => matches!(said.judge, Some(JudgeWord::Approved { .. })),
        }
    }

    fn all_say_yes(&self, contract: &Contract) -> bool {
        contract.policy.gates.iter().all(|gate| self.says_yes(contract, *gate))
    }

    /// Something was changed, nothing speaks against it, and a gate was seen able to say no.
    fn is_proven(&self, contract: &Contract) -> bool {
        let said = self.words();
        let changed = self.tree.as_ref() != Some(&contract.base.tree) && self.tree != self.started_with;
        let untouched = said.findings.unwrap_or(0) == 0;
        let could_fail = said.checks.iter().any(|(name, say)| match say {
            Say::Yes => self.base_said.get(name) == Some(&Say::No) && !is_baselined(contract, name),
            Say::YesWithRepairs => true,
            Say::No | Say::Silence => false,
        });
        let judged = matches!(said.judge, Some(JudgeWord::Approved { evidence_inside: 1.., .. }));
        let shown = could_fail || judged || said.new_test == Some(true);
        self.all_say_yes(contract) && changed && untouched && shown && contract.policy.caps.is_empty()
    }

    fn is_at_limit(&self, contract: &Contract) -> bool {
        self.iteration == contract.policy.limits.iterations_max.get()
    }

    fn milestone_is_kept(&self, contract: &Contract) -> Kept {
        let due =
            contract.policy.milestone_every.is_some_and(|every| self.iteration.is_multiple_of(every.get()));
        law(!due || self.milestone_seen == self.iteration, "a milestone comes before the gates")
    }
}
