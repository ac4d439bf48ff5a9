//! Folding what is particular to a loop whose worker is a session that a person opened.
//!
//! Nobody waits for such a worker: between its stops no process of gulf's runs, and it may go on without having been
//! asked.

use crate::event::Worker;
use crate::ids::UnitId;
use crate::state::{Applied, Next, Stage, StateFields};
use crate::turn::Turn;

impl StateFields {
    pub(crate) fn bind(&mut self, worker: &Worker) -> Applied {
        if matches!(self.stage, Stage::Unsealed | Stage::Ended(_)) {
            return Err("only a loop that lives has a worker");
        }
        // A session that is known by its name now is no other one: what its host counts goes on.
        if !matches!((&self.worker, worker), (Worker::Session { id: None, .. }, Worker::Session { .. })) {
            self.blocks_left = None;
        }
        self.worker = worker.clone();
        Ok(())
    }

    /// The seed asks for no test and counts on where the file says; its limit is the contract's.
    pub(crate) fn adopt(&mut self, iteration: u32, rejections: u32) -> Applied {
        let (is_first, begun) = (self.unit.id == UnitId(0), self.unit.iteration);
        let is_new = is_first && begun == 0 && self.stage == Stage::Between(Next::Advance);
        let Some(contract) = self.contract.as_deref().filter(|_| is_new) else {
            return Err("only a loop that has not begun goes on from elsewhere");
        };
        // At the limit already: no further iteration begins.
        self.unit.iteration = iteration.min(contract.policy.limits.iterations_max.get());
        self.unit.iterations = self.unit.iteration;
        self.unit.streaks.rejections = rejections;
        self.unit.is_asked = true;
        Ok(())
    }

    /// A judgement that was cut off says nothing about what lies there now.
    pub(crate) fn reopen(&mut self, turn: &Turn) -> Applied {
        if !matches!(self.stage, Stage::Settling(_) | Stage::Gates(..)) || !self.running.is_empty() {
            return Err("no turn that is over can go on here");
        }
        if self.landed_as().is_some() {
            return Err("what has landed is over");
        }
        self.forgive_all_but_declined();
        self.end_turn(turn);
        Ok(())
    }
}
