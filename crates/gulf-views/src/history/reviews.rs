//! Where the loop rested so that a person looks at the work: apart, because only what a review shows asks for it.

use super::History;
use gulf_engine::{Candidate, PauseReason};

/// A candidate that a person was asked to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    pub iteration: u32,
    pub candidate: Candidate,
}

impl History {
    /// What a person is asked to look at last, and what they were before that.
    pub fn reviews(&self) -> (Option<&Reviewed>, Option<&Reviewed>) {
        let mut newest = self.reviews.iter().rev();
        (newest.next(), newest.next())
    }

    pub(super) fn rest(&mut self, reason: PauseReason) {
        let is_review = matches!(reason, PauseReason::Milestone | PauseReason::Review);
        let last = self.iterations.last().filter(|_| is_review);
        self.reviews.extend(last.and_then(|last| {
            Some(Reviewed { iteration: last.number, candidate: last.candidate()?.clone() })
        }));
    }
}
