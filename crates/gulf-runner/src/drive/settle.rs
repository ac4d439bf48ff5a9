//! What the driver does when an iteration is settled: the decisions a worker wrote down are kept (SPEC G11).

use gulf_engine::{End, Fact, Gate, Settlement};
use gulf_host::journal::Durability;

use super::Driver;
use crate::error::RunError;

impl Driver<'_> {
    pub(super) fn settle(&mut self, settlement: Settlement) -> Result<(), RunError> {
        let iteration = self.book.state().unit().iteration;
        for note in self.workshop.keep_decisions(iteration)? {
            self.observer.note(&note);
        }
        if settlement == (Settlement::Refused { gate: Gate::Judge }) {
            let consecutive = self.book.state().unit().streaks.rejections.saturating_add(1);
            self.workshop.keep_rejection(iteration, consecutive, self.clock.wall_ms())?;
        }
        let error = self.workshop.error_of_attempt(self.book.fold(), settlement);
        let besides = self.workshop.changes_besides_brief(self.book.fold(), settlement);
        let facts = besides.into_iter().chain([Fact::Settled { settlement }]).collect();
        self.record(facts, Durability::Buffered)?;
        if let Some(error) = error {
            self.workshop.log_attempt(self.book.fold(), error);
        }
        for note in self.workshop.keep_list(self.book.state()) {
            self.observer.note(&note);
        }
        Ok(())
    }

    /// Where the work has landed, nobody stands on its branch any more.
    pub(super) fn leave_ground(&mut self) {
        for note in self.workshop.leave_ground(self.book.fold()) {
            self.observer.note(&note);
            self.notes.push(note);
        }
    }

    /// What gulf itself wrote into a list is not left for somebody to wonder about.
    pub(super) fn commit_blockers(&mut self) {
        if let Some(note) = self.workshop.commit_blockers(self.book.state()) {
            self.observer.note(&note);
            self.notes.push(note);
        }
    }

    /// What the next loop inherits (SPEC G13, G22); only a loop that reached its goal hands anything on.
    pub(super) fn hand_on(&mut self, end: &End) -> Result<(), RunError> {
        if !end.has_passed() {
            return Ok(());
        }
        self.workshop.hand_off(self.book.state().unit().iteration, self.clock.wall_ms())
    }
}
