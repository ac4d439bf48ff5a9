//! Folding what passes between worker and person: questions, answers, overruling, a changed contract.
//!
//! It stands apart from `apply.rs` because each of these is an act of a person, and changes what was agreed or said.

use crate::claim::Claim;
use crate::contract::Contract;
use crate::effect::Candidate;
use crate::event::PauseReason;
use crate::ids::CheckName;
use crate::state::{Applied, OpenQuestion, Stage, StateFields};
use crate::turn::Turn;
use crate::unit::{PersonWord, Words};
use alloc::{format, string::String, sync::Arc};
use core::mem;

impl StateFields {
    /// The worker's newest word counts. A question is kept at once, whatever the worker says next and however its
    /// turn ends, and waits for a person for as long as it takes.
    pub(crate) fn hear(&mut self, claim: &Claim) {
        let said_before = self.unit.claim.as_ref() == Some(claim);
        let is_open = self.open_questions().any(|open| open.claim == *claim);
        if claim.question().is_some() && !said_before && !is_open {
            let number = u32::try_from(self.questions.len()).unwrap_or(u32::MAX).saturating_add(1);
            let iteration = self.turn_in_hand().0;
            self.questions.push(OpenQuestion { number, iteration, claim: claim.clone(), answer: None });
        }
        self.unit.claim = Some(claim.clone());
    }

    pub(crate) fn answer(&mut self, number: u32, answer: &str) -> Applied {
        let open = self.questions.iter_mut().find(|one| one.number == number && one.answer.is_none());
        let Some(open) = open else { return Err("no such question is open") };
        open.answer = Some(String::from(answer));
        let asked = open.claim.question().map_or("", |question| question.text.as_str());
        self.notes.push(format!("You asked: {asked}\nA person answered: {answer}"));
        let is_last = self.open_questions().next().is_none();
        let waits = matches!(self.stage, Stage::Paused(PauseReason::Question, _));
        if is_last && waits { self.resume() } else { Ok(()) }
    }

    /// What a person looks at while the loop rests.
    pub(crate) fn last_candidate(&self) -> Option<(Turn, Candidate)> {
        let stage = self.innermost_stage();
        let in_hand = if let Stage::Gates(turn, candidate) = stage { Some((turn, candidate)) } else { None };
        let settled = self.unit.last.as_ref().filter(|_| matches!(stage, Stage::Between(_)));
        in_hand.map(|(turn, candidate)| (turn.clone(), candidate.clone())).or_else(|| settled.cloned())
    }

    /// A person overrules the judge: the last candidate goes through the other gates again.
    pub(crate) fn approve(&mut self) -> Applied {
        let Some((turn, candidate)) = self.last_candidate() else {
            return Err("there is no candidate to approve");
        };
        self.resume()?;
        self.unit.words.entry(candidate.tree.clone()).or_default().person = Some(PersonWord::Approved);
        if !matches!(self.unit.claim, Some(Claim::Done { .. })) {
            self.unit.claim = Some(Claim::Done { no_test: None });
        }
        self.unit.milestone_seen = self.unit.iteration;
        self.stage = Stage::Gates(turn, candidate);
        Ok(())
    }

    /// A person says no: whatever the gates say, this tree is not the end.
    pub(crate) fn reject(&mut self, reason: &str) -> Applied {
        let last = self.last_candidate();
        self.resume()?;
        if let Some((_, candidate)) = last {
            self.unit.words.entry(candidate.tree).or_default().person = Some(PersonWord::Rejected);
        }
        self.notes.push(format!("A person looked at the last candidate and said no: {reason}"));
        Ok(())
    }

    /// What was said under terms that are no longer the contract's is asked again.
    pub(crate) fn amend(&mut self, contract: &Contract) -> Applied {
        let Some(before) = self.contract.as_deref() else { return Err("there is no contract to amend") };
        if !self.running.is_empty() || matches!(self.stage, Stage::Ended(_)) {
            return Err("a contract is amended while the loop lives and nothing runs");
        }
        if before.base != contract.base {
            return Err("an amended contract has the same base");
        }
        if before.tasks != contract.tasks {
            return Err("an amended contract has the same tasks");
        }
        let kept = |name: &CheckName| {
            let terms = |contract: &Contract| contract.checks.iter().find(|one| one.name == *name).cloned();
            terms(before).is_some() && terms(before) == terms(contract)
        };
        self.probes.retain(|name, _| kept(name));
        self.flaky.retain(|name, _| kept(name));
        for words in self.unit.words.values_mut() {
            words.checks.retain(|name, _| kept(name));
            // A person's yes was given under the old terms; a no stays until the tree changes.
            let person = words.person.filter(|word| *word == PersonWord::Rejected);
            let (checks, doubts) = (mem::take(&mut words.checks), mem::take(&mut words.doubts));
            *words = Words { checks, doubts, person, ..Words::default() };
            words.forget_doubts();
        }
        self.unit.streaks.rejected_tree = None;
        self.spending.out_of_budget = false;
        self.contract = Some(Arc::new(contract.clone()));
        Ok(())
    }
}
