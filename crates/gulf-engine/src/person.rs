//! Folding what passes between worker and person: questions, answers, overruling, a changed contract.
//!
//! It stands apart from `apply.rs` because each of these is an act of a person, and changes what was agreed or said.

use crate::apply::Applied;
use crate::contract::Contract;
use crate::event::{Claim, PauseReason};
use crate::ids::CheckName;
use crate::state::{OpenQuestion, Stage, State};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

impl State {
    /// What the worker claimed is a question: it waits for a person, for as long as it takes.
    pub(crate) fn ask(&mut self) {
        let Some(claim) = self.unit.claim.take() else { return };
        let number = u32::try_from(self.questions.len()).unwrap_or(u32::MAX).saturating_add(1);
        let iteration = self.unit.iteration;
        self.questions.push(OpenQuestion { number, iteration, claim, answer: None });
    }

    pub(crate) fn answer(&mut self, number: u32, answer: &str) -> Applied {
        let open = self.questions.iter_mut().find(|one| one.number == number && one.answer.is_none());
        let Some(open) = open else { return Err("no such question is open") };
        open.answer = Some(String::from(answer));
        let asked = open.question().map_or("", |question| question.text.as_str());
        self.notes.push(format!("You asked: {asked}\nA person answered: {answer}"));
        let is_last = self.open_questions().next().is_none();
        let waits = matches!(self.stage, Stage::Paused(PauseReason::Question, _));
        if is_last && waits { self.resume() } else { Ok(()) }
    }

    /// A person overrules the judge: the last candidate goes through the other gates again.
    pub(crate) fn approve(&mut self) -> Applied {
        let last = match self.innermost_stage() {
            Stage::Gates(turn, candidate) => Some((turn.clone(), candidate.clone())),
            Stage::Between(_) => self.unit.last.clone(),
            Stage::Unsealed | Stage::Turn | Stage::FollowUp(..) => None,
            Stage::Settling(_) | Stage::Paused(..) | Stage::Ended(_) => None,
        };
        let Some((turn, candidate)) = last else { return Err("there is no candidate to approve") };
        self.resume()?;
        self.unit.waived = Some(candidate.tree.clone());
        self.unit.claim = Some(Claim::Done { no_test: None });
        self.unit.milestone_seen = self.unit.iteration;
        self.stage = Stage::Gates(turn, candidate);
        Ok(())
    }

    /// What was said under terms that are no longer the contract's is asked again.
    pub(crate) fn amend(&mut self, contract: &Contract) -> Applied {
        let Some(before) = self.contract.as_deref() else { return Err("there is no contract to amend") };
        if !self.running.is_empty() {
            return Err("a contract is amended while nothing runs");
        }
        let kept = |name: &CheckName| {
            let terms = |contract: &Contract| contract.checks.iter().find(|one| one.name == *name).cloned();
            terms(before).is_some() && terms(before) == terms(contract)
        };
        self.probes.retain(|name, _| kept(name));
        for words in self.unit.words.values_mut() {
            words.checks.retain(|name, _| kept(name));
            words.overlay = None;
            words.judge = None;
        }
        self.contract = Some(Box::new(contract.clone()));
        Ok(())
    }
}
