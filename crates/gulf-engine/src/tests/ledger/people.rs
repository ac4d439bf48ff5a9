//! What worker and person said to each other, and the laws of who may say what.

use super::{Kept, Ledger, law};
use crate::*;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct People {
    /// What was asked and not answered, by number.
    pub(crate) open: BTreeMap<u32, Claim>,
    asked: u32,
    /// The worker's last word in this turn.
    newest: Option<Claim>,
    /// It asked in this turn.
    pub(super) questioned: bool,
    /// A person's yes or no, by tree.
    pub(super) word: BTreeMap<TreeId, bool>,
    /// What the agent was not allowed, since a person last looked.
    pub(super) denials: BTreeMap<String, u32>,
    /// Agent or judge said that it needs a person.
    pub(super) needed: bool,
    /// What the machine said last is that it cannot go on without a person.
    pub(super) host_needs: bool,
    /// The model declined so often since something came of its work, or a person looked.
    pub(super) declined: u32,
}

impl People {
    /// A turn begins.
    pub(super) fn turn_begins(&mut self) -> Kept {
        law(self.open.is_empty(), "an open question rests the loop until it is answered")?;
        law(!self.host_needs, "a machine that needs a person waits for one")?;
        law(!self.needed, "an agent that needs a person waits for one")?;
        law(self.declined < 2, "what was declined twice reaches a person")?;
        law(self.denials.values().all(|times| *times < 3), "three denials of a kind reach a person")?;
        self.newest = None;
        self.questioned = false;
        Ok(())
    }

    /// A question is a new one unless it stands there already, or was just said.
    fn hears(&mut self, claim: &Claim) {
        let is_known = self.newest.as_ref() == Some(claim) || self.open.values().any(|open| open == claim);
        if claim.question().is_some() && !is_known {
            self.asked += 1;
            self.open.insert(self.asked, claim.clone());
        }
        self.questioned |= claim.question().is_some();
        self.newest = Some(claim.clone());
    }

    /// A person's yes is as good as its claim, and its last word.
    fn stands_for_the_worker(&mut self) {
        self.newest.take_if(|claim| claim.question().is_some());
        self.newest.get_or_insert(Claim::Done { no_test: None });
    }

    pub(super) fn is_blocked(&self) -> bool {
        matches!(self.newest, Some(Claim::Blocked { .. }))
    }

    pub(super) fn look(&mut self) {
        self.denials.clear();
        (self.needed, self.host_needs) = (false, false);
        self.declined = 0;
    }
}

impl Ledger {
    /// By the tool, or in the last message: there, a bare promise adds nothing to what was said by the tool, and a
    /// question nothing to another one.
    pub(super) fn claimed(&mut self, claim: &Claim, in_message: bool) {
        let adds_nothing = self.people.newest.as_ref().is_some_and(|said| match claim.question() {
            None => matches!(claim, Claim::Done { no_test: None }),
            Some(_) => said.question().is_some(),
        });
        if !(in_message && adds_nothing) {
            self.people.hears(claim);
        }
        self.claimed = matches!(self.people.newest, Some(Claim::Done { .. }));
    }

    pub(super) fn answered(&mut self, contract: &Contract, question: u32, answer: &str) -> Kept {
        law(self.people.open.remove(&question).is_some(), "what is answered was asked")?;
        self.notes.push(String::from(answer));
        if self.paused == Some(PauseReason::Question) && self.people.open.is_empty() {
            self.resumed(contract)?;
        }
        Ok(())
    }

    pub(super) fn resumed(&mut self, contract: &Contract) -> Kept {
        law(self.paused.is_some(), "only what rests goes on")?;
        law(self.people.open.is_empty(), "a loop that asks goes on when it was answered")?;
        self.steps_resumed();
        let reviewed = self.paused == Some(PauseReason::Review);
        self.limit_is_lifted(contract);
        self.stalls.forget();
        self.paused = None;
        self.forgive_figures();
        self.rejections = 0;
        self.wait_until_ms = 0;
        self.way.word = None;
        self.list.resumed();
        self.people.look();
        self.sessions.look();
        for said in self.said.values_mut().filter(|_| !reviewed) {
            said.checks.retain(|_, say| say.is_yes());
            said.forget_doubts();
        }
        self.base_said.retain(|_, say| !matches!(say, super::Say::Silence | super::Say::NeverBegan));
        Ok(())
    }

    /// What a person looks at: the candidate in hand, or the last one that was settled.
    fn looked_at(&self) -> Option<TreeId> {
        if self.awaits_candidate { None } else { self.tree.clone().or_else(|| self.last_tree.clone()) }
    }

    pub(super) fn approved(&mut self, contract: &Contract) -> Kept {
        let tree = self.looked_at().ok_or("a person approves a candidate")?;
        let refused = |said: &super::Said| said.checks.values().any(|say| !say.is_yes());
        let checked = contract.policy.gates.contains(&Gate::Checks);
        law(!checked || !self.said.get(&tree).is_some_and(refused), "a person cannot overrule a check")?;
        self.resumed(contract)?;
        self.people.word.insert(tree.clone(), true);
        self.people.stands_for_the_worker();
        self.tree = Some(tree);
        self.claimed = true;
        self.people.questioned = false;
        self.repeats = false;
        self.milestone_seen = self.iteration;
        Ok(())
    }

    pub(super) fn rejected(&mut self, contract: &Contract, reason: &str) -> Kept {
        let tree = self.looked_at();
        self.resumed(contract)?;
        self.people.word.extend(tree.map(|tree| (tree, false)));
        self.notes.push(String::from(reason));
        Ok(())
    }

    /// What was said under other terms is asked again; a person's no stays.
    pub(super) fn amended(&mut self, before: &Contract, contract: &Contract) -> Kept {
        law(self.running.is_empty(), "the contract changes while nothing runs")?;
        let terms = |contract: &Contract, name: &CheckName| {
            contract.checks.iter().find(|terms| terms.name == *name).cloned()
        };
        let kept = |name: &CheckName| terms(before, name) == terms(contract, name);
        self.base_said.retain(|name, _| kept(name));
        self.flaky.retain(|name| kept(name));
        for said in self.said.values_mut() {
            said.checks.retain(|name, _| kept(name));
            said.forget_doubts();
            (said.findings, said.new_test, said.judge) = (None, None, None);
            said.reviews.clear();
        }
        self.people.word.retain(|_, yes| !*yes);
        self.tests_shown.clear();
        self.rejected_tree = None;
        self.purse.is_filled();
        Ok(())
    }
}
