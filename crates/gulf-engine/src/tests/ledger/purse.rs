//! What was spent, counted a second time, and what may still be begun with the rest.

use super::{Kept, law};
use crate::*;

/// Money and tokens.
type Pair = [u64; 2];

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Purse {
    total: Pair,
    /// The turn in hand, with all that followed it.
    turn: Pair,
    dearest: Pair,
    agent_says_empty: bool,
}

impl Purse {
    pub(super) fn pays(&mut self, spent: &Spent) {
        for (place, amount) in [spent.microdollars, spent.tokens].into_iter().enumerate() {
            self.total[place] += amount;
            self.turn[place] += amount;
        }
    }

    pub(super) fn is_said_to_be_empty(&mut self) {
        self.agent_says_empty = true;
    }

    /// A person put something in.
    pub(super) fn is_filled(&mut self) {
        self.agent_says_empty = false;
    }

    pub(super) fn may_begin(&self, limits: &Limits, work: &EffectKind) -> Kept {
        let paid = work.is_verdict()
            || matches!(work, EffectKind::Step { .. } | EffectKind::Turn | EffectKind::FollowUp);
        let left = (0..2).all(|place| maxima(limits)[place].is_none_or(|max| self.total[place] < max));
        law(!paid || left, "no turn, follow-up or judge's call begins when money or tokens are used up")
    }

    pub(super) fn turn_begins(&mut self, limits: &Limits) -> Kept {
        law(!self.agent_says_empty, "no turn begins when the agent says that all is spent")?;
        self.dearest = self.dearest_so_far();
        self.turn = Pair::default();
        let fits = (0..2).all(|place| {
            maxima(limits)[place].is_none_or(|max| self.total[place] + self.dearest[place] <= max)
        });
        let reserved = limits.reserve == Reserve::DearestIteration;
        law(!reserved || fits, "with a reserve, a turn as dear as the dearest one exceeds no budget")
    }

    /// This is what lets no further turn follow.
    pub(super) fn ends_by(&self, limits: &Limits, limit: Exhaustion) -> bool {
        let (place, said) = match limit {
            Exhaustion::Money => (0, self.agent_says_empty),
            Exhaustion::Tokens => (1, false),
            Exhaustion::Iterations | Exhaustion::Time | Exhaustion::Tasks => return false,
        };
        let reserve = match limits.reserve {
            Reserve::Nothing => 0,
            Reserve::DearestIteration => self.dearest_so_far()[place],
        };
        let total = self.total[place];
        said || maxima(limits)[place].is_some_and(|max| total >= max || total + reserve > max)
    }

    fn dearest_so_far(&self) -> Pair {
        [self.dearest[0].max(self.turn[0]), self.dearest[1].max(self.turn[1])]
    }
}

fn maxima(limits: &Limits) -> [Option<u64>; 2] {
    [limits.microdollars_max, limits.tokens_max]
}
