//! What the driver does when an iteration is settled: the decisions a worker wrote down are kept (SPEC G11).

use gulf_engine::{Fact, Settlement};
use gulf_host::journal::Durability;

use super::Driver;
use crate::error::RunError;

impl Driver<'_> {
    pub(super) fn settle(&mut self, settlement: Settlement) -> Result<(), RunError> {
        let iteration = self.book.state().unit().iteration;
        for note in self.workshop.keep_decisions(iteration)? {
            self.observer.note(&note);
        }
        self.record(vec![Fact::Settled { settlement }], Durability::Buffered)
    }
}
