//! The second book's pages on landing: what may be brought onto the base branch, and what follows from it.

use super::{Kept, Ledger, law};
use crate::*;

/// The way of the candidate in hand onto the base branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Way {
    pub(super) word: Option<LandingWord>,
    pub(super) reset_after: u32,
    resembles: Option<Resemblance>,
    moved_base: Option<TreeId>,
    pub(super) base_moves: u32,
    /// The surroundings are not those in which it was judged.
    pub(super) has_moved_on: bool,
    /// The loop's end was a success.
    pub(super) is_finished: bool,
}

impl Way {
    pub(super) fn is_refused(&self) -> bool {
        matches!(self.word, Some(LandingWord::Refused { .. }))
    }

    pub(super) fn is_blocked(&self) -> bool {
        matches!(self.word, Some(LandingWord::NotReady { .. }))
    }

    /// Another unit stands on what the one before it left, if that is another tree.
    pub(super) fn of_next_unit(&self, left: Option<TreeId>) -> Self {
        let base_moves = self.base_moves + u32::from(left.is_some());
        Self { moved_base: left.or_else(|| self.moved_base.clone()), base_moves, ..Self::default() }
    }
}

impl Ledger {
    pub(crate) fn has_landed(&self) -> bool {
        matches!(self.way.word, Some(LandingWord::Landed { .. }))
    }

    pub(super) fn base_tree<'a>(&'a self, contract: &'a Contract) -> &'a TreeId {
        self.way.moved_base.as_ref().unwrap_or(&contract.base.tree)
    }

    pub(super) fn returns_to_rejected(&self) -> bool {
        let before_reset = self.way.resembles.is_some_and(|one| one.iteration <= self.way.reset_after);
        before_reset && self.person() != Some(true)
    }

    /// What was said of an earlier candidate's way, and compared with an earlier base, is over.
    pub(super) fn candidate_stands(&mut self, contract: &Contract, snapshot: &Snapshot) {
        self.way.word = None;
        self.list.closing = None;
        self.way.resembles = snapshot.resembles;
        let Some(base) = snapshot.base.as_ref().filter(|base| base.tree != *self.base_tree(contract)) else {
            return;
        };
        self.way.moved_base = Some(base.tree.clone());
        self.way.base_moves += 1;
        self.base_said.clear();
        self.said.clear();
        self.tests_shown.clear();
    }

    pub(super) fn attached(&mut self, environment: &Digest) {
        self.orphans = self.running.clone();
        // Whoever starts gulf again tries at once.
        if !self.sessions.is_worker() {
            self.wait_until_ms = 0;
        }
        if self.environment.replace(environment.clone()).is_some_and(|earlier| earlier != *environment) {
            self.way.has_moved_on = true;
        }
        self.moves_on();
    }

    /// What was said elsewhere counts no more, but for what is on the base branch by it, or about to be.
    pub(super) fn moves_on(&mut self) {
        let lands = self.has_landed() || self.running.iter().any(|key| key.work == EffectKind::Land);
        if self.way.has_moved_on && !lands {
            self.way.has_moved_on = false;
            self.base_said.clear();
            for said in self.said.values_mut() {
                said.checks.clear();
                said.forget_doubts();
                said.new_test = None;
            }
        }
    }

    pub(super) fn land_began(&self, contract: &Contract) -> Kept {
        let landing = contract.policy.landing.ok_or("a loop lands where its contract says so")?;
        law(self.all_say_yes(contract), "nothing lands that a gate has not said yes to")?;
        self.brief_stands(contract)?;
        self.milestone_is_kept(contract)?;
        let verified = self.is_proven(contract) && self.units_verified.iter().all(|verified| *verified);
        law(verified || landing == Landing::OrAttested, "nothing lands that is not verified")?;
        law(!self.returns_to_rejected(), "no approach lands that was rejected before a reset")?;
        law(self.way.word.is_none(), "a candidate that was refused does not land again")
    }

    pub(super) fn may_land_late(&self) -> Kept {
        law(self.way.is_finished, "only what passed every gate lands after the end")
    }

    /// It may be wanted on another branch, too; nothing takes back what is on one.
    pub(super) fn landed_late(&mut self, word: &LandingWord) -> Kept {
        self.may_land_late()?;
        if !self.has_landed() {
            self.way.word = Some(word.clone());
        }
        Ok(())
    }

    /// A success is on the base branch, where the contract wants it there.
    pub(super) fn is_where_it_belongs(&self, contract: &Contract, end: &End) -> Kept {
        let lands = match contract.policy.landing {
            None => false,
            Some(Landing::Verified) => matches!(end, End::Verified { .. }),
            Some(Landing::OrAttested) => true,
        };
        law(lands == self.has_landed(), "a loop that is to land ends when it has landed")
    }
}
