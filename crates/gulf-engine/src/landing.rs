//! The way onto the base branch: what is wanted when every gate passed, and what its words change.
//!
//! A landing is the one thing that cannot be taken back: nothing unverified may come near it, and what has landed is
//! true whatever is asked for meanwhile.

use crate::contract::{Base, Gate, Landing};
use crate::decision::{Decision, Evaluation};
use crate::effect::{Candidate, EffectKey, EffectKind, LandingWord};
use crate::end::{End, EndNature};
use crate::event::{Fact, PauseReason, Settlement};
use crate::refusal::Refusal;
use crate::state::{Applied, Stage, StateFields, StopAsked};
use crate::unit::Words;

impl Evaluation<'_> {
    /// What is wanted before this end, if the loop's work is to land.
    pub(crate) fn land(self, end: &End) -> Option<Decision> {
        let landing = self.contract.policy.landing?;
        let lands = match end.nature() {
            EndNature::Verified => true,
            EndNature::Attested => landing == Landing::OrAttested,
            EndNature::Failed | EndNature::Cancelled => false,
        };
        if !lands {
            return None;
        }
        match &self.state.unit.landing {
            None => Some(self.only(self.key(EffectKind::Land))),
            Some(LandingWord::Landed { .. }) => None,
            Some(LandingWord::Refused { .. }) => {
                Some(Decision::Settle(Settlement::Refused { gate: Gate::Landing }))
            }
            Some(LandingWord::NotReady { .. }) => Some(Decision::Pause(PauseReason::ReadyToLand)),
        }
    }

    pub(crate) fn base(&self) -> &Base {
        self.state.moved_base.as_ref().unwrap_or(&self.contract.base)
    }

    pub(crate) fn is_running(self, work: &EffectKind) -> bool {
        self.state.running.iter().any(|key| key.work == *work)
    }

    pub(crate) fn waits_for_way(self) -> bool {
        matches!(self.state.unit.landing, Some(LandingWord::NotReady { .. }))
    }

    /// After a reset, an approach that was rejected before it is no candidate any more; a person may say otherwise.
    pub(crate) fn returns_to_rejected(self, candidate: &Candidate) -> bool {
        let unit = &self.state.unit;
        !self.is_waived(candidate) && unit.resembles.is_some_and(|one| one.iteration <= unit.reset_after)
    }

    /// What runs, where a check on a base that was left is still among it: without that.
    pub(crate) fn rid_of_stale_probe(self) -> Option<Decision> {
        let running = || self.state.running.iter();
        let is_stale = |key: &&EffectKey| {
            matches!(key.work, EffectKind::Probe { .. }) && key.iteration != self.state.base_moves
        };
        let effects = running().filter(|key| !is_stale(key)).cloned().collect();
        running().any(|key| is_stale(&key)).then_some(Decision::Run { effects, until_ms: None })
    }
}

impl StateFields {
    pub(crate) fn landed(&mut self, word: &LandingWord) -> Applied {
        if !matches!(self.stage, Stage::Gates(..)) {
            return Err("no candidate is on its way");
        }
        self.unit.landing = Some(word.clone());
        Ok(())
    }

    /// What a loop that is over brought about, where every gate passed for it.
    pub fn finished_work(&self) -> Option<&Candidate> {
        let Stage::Ended(end) = &self.stage else { return None };
        end.has_passed().then_some(())?;
        self.unit.last.as_ref().map(|(_, candidate)| candidate)
    }

    pub(crate) fn landed_afterwards(&mut self, word: &LandingWord) -> Applied {
        self.finished_work().ok_or("there is no finished work that could land")?;
        // It may be wanted on another branch, too; what is in the way there takes nothing back.
        let lands = matches!(word, LandingWord::Landed { .. });
        if lands || self.landed_as().is_none() {
            self.unit.landing = Some(word.clone());
        }
        self.is_discarded &= !lands;
        Ok(())
    }

    /// Was another worker of its group first?
    pub fn is_outrun(&self) -> bool {
        self.stop_asked == Some(StopAsked::Outrun)
    }

    pub(crate) fn may_discard(&self, asked: Fact) -> Result<Fact, Refusal> {
        if !matches!(self.stage, Stage::Ended(_)) {
            return Err(Refusal::NotOver);
        }
        if self.landed_as().is_some() { Err(Refusal::HasLanded) } else { Ok(asked) }
    }

    pub(crate) fn discard(&mut self) -> Applied {
        if !matches!(self.stage, Stage::Ended(_)) {
            return Err("the loop is not over");
        }
        self.is_discarded = true;
        Ok(())
    }

    /// A person's word is all that finished work may still need.
    pub(crate) fn may_land(&self, asked: Fact) -> Result<Fact, Refusal> {
        if matches!(self.stage, Stage::Paused(PauseReason::ReadyToLand, _)) {
            return Ok(Fact::Resumed);
        }
        self.finished_work().map(|_| asked).ok_or(Refusal::NothingToLand)
    }

    /// The work holds a newer commit of the base branch: what was said compared with the old one is asked again.
    pub(crate) fn move_base(&mut self, base: &Base) -> Applied {
        if self.base() == Some(base) {
            return Ok(());
        }
        self.moved_base = Some(base.clone());
        self.base_moves += 1;
        self.probes.clear();
        for words in self.unit.words.values_mut() {
            *words = Words { person: words.person, ..Words::default() };
        }
        Ok(())
    }
}
