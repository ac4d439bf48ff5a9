//! What was said about one tree: by checks, gates and judges.

use crate::*;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Said {
    pub(super) checks: BTreeMap<CheckName, Say>,
    /// Noes that an iteration was settled with.
    pub(super) stood: BTreeSet<CheckName>,
    pub(super) asked_again: BTreeSet<CheckName>,
    /// How often in a row yes was said after such a no.
    pub(super) yes_after_no: BTreeMap<CheckName, u32>,
    pub(super) findings: Option<usize>,
    pub(super) needs_person: bool,
    pub(super) new_test: Option<bool>,
    pub(super) judge: Option<JudgeWord>,
    pub(super) reviews: BTreeMap<Reviewer, JudgeWord>,
}

impl Said {
    /// What is not said any more was never doubted.
    pub(super) fn forget_doubts(&mut self) {
        let checks = &self.checks;
        self.stood.retain(|name| checks.contains_key(name));
        self.asked_again.retain(|name| checks.contains_key(name));
        self.yes_after_no.retain(|name, _| checks.contains_key(name));
    }

    /// Yes, and where it follows a no about this very tree, three times in a row.
    pub(super) fn is_green(&self, name: &CheckName) -> bool {
        let is_steady = self.yes_after_no.get(name).is_none_or(|times| *times >= 3);
        self.checks.get(name).is_some_and(|say| say.is_yes()) && is_steady
    }

    /// A no once more, when its tree is claimed as it was; a yes after a no until it was said three times.
    pub(super) fn may_be_asked(&self, name: &CheckName, claimed: bool) -> bool {
        match self.checks.get(name) {
            None => true,
            Some(say) if say.is_yes() => self.yes_after_no.get(name).is_some_and(|times| *times < 3),
            Some(_) => claimed && self.stood.contains(name) && !self.asked_again.contains(name),
        }
    }

    /// And by everybody beside it.
    pub(super) fn is_approved_by_judge(&self, contract: &Contract) -> bool {
        let yes = |word: Option<&JudgeWord>| matches!(word, Some(JudgeWord::Approved { .. }));
        yes(self.judge.as_ref()) && contract.policy.reviewers.iter().all(|by| yes(self.reviews.get(by)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Say {
    Yes,
    YesWithRepairs,
    No,
    Silence,
    /// There was nothing that could have run.
    NeverBegan,
}

impl Say {
    pub(super) fn of(run: &CheckRun) -> Self {
        match run.verdict {
            CheckVerdict::Green { repaired: 0 } => Self::Yes,
            CheckVerdict::Green { .. } => Self::YesWithRepairs,
            CheckVerdict::Red { .. } => Self::No,
            CheckVerdict::Unrunnable { hindrance: Hindrance::CutShort, .. } => Self::Silence,
            CheckVerdict::Unrunnable { hindrance: Hindrance::NeverBegan, .. } => Self::NeverBegan,
        }
    }

    pub(super) fn is_yes(self) -> bool {
        matches!(self, Self::Yes | Self::YesWithRepairs)
    }
}
