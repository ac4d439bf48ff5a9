//! What a loop passed through, in its order: steps, results of iterations, rests, the end. Nothing here is overwritten.

use gulf_engine::{
    Candidate, EffectKey, EffectKind, EffectResult, End, PartWord, PauseReason, Settlement, Step, StepEnd,
};
use serde::Serialize;

use super::History;

/// One thing that is over, and the iteration that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Counted from 1 across the units; a step belongs to the one that it precedes.
    pub(crate) iteration: u32,
    pub(crate) what: PassageKind,
}

/// What it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PassageKind {
    /// Something was thought about.
    Step { step: Step, end: StepEnd },
    /// A step of a divided plan stands on the loop's branch, or stays out.
    Part { id: String, word: PartWord },
    /// An iteration came out so, with these checks red.
    Settled { settlement: Settlement, red: Vec<String> },
    /// A person had to look.
    Paused { reason: PauseReason },
    /// The loop, or a task of its list.
    Ended { end: End },
}

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

    pub(super) fn pass(&mut self, what: PassageKind) {
        self.passages.push(Passage { iteration: self.last_number(), what });
    }

    pub(super) fn pass_step(&mut self, key: &EffectKey, result: &EffectResult) {
        if let (EffectResult::Step(end), EffectKind::Step { step }) = (result, &key.work) {
            let what = PassageKind::Step { step: *step, end: end.clone() };
            self.passages.push(Passage { iteration: key.iteration, what });
        }
    }

    pub(super) fn rest(&mut self, reason: PauseReason) {
        let is_review = matches!(reason, PauseReason::Milestone | PauseReason::Review);
        let last = self.iterations.last().filter(|_| is_review);
        self.reviews.extend(last.and_then(|last| {
            Some(Reviewed { iteration: last.number, candidate: last.candidate()?.clone() })
        }));
    }
}

// What a person did to a loop, and to its files.

/// What a person did to a loop besides starting, pausing and ending it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PersonalAct {
    /// The last iteration that had begun.
    pub iteration: u32,
    pub act: PersonAct,
}

/// What was done, in the person's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PersonAct {
    /// A note for the worker.
    Steered { note: String },
    /// The judge was overruled about the last candidate.
    Approved { reason: String },
    /// The last candidate was refused.
    Rejected { reason: String },
    /// The contract was changed.
    Amended,
    /// Files were changed while no turn ran, so not by the worker.
    Edited { paths: Vec<String>, more: u32 },
    /// The finished work was to land all the same.
    Landed { by: String, base: String, push: Option<String> },
}

/// A few by name, and how many more.
pub(super) fn counted(paths: &[String], more: u32) -> Vec<String> {
    let more = (more > 0).then(|| format!("{more} more"));
    paths.iter().cloned().chain(more).collect()
}

impl History {
    /// What was changed while no turn ran, each path once.
    pub fn edited(&self) -> Vec<String> {
        let mut edited: Vec<String> = Vec::new();
        for one in &self.acts {
            let PersonAct::Edited { paths, more } = &one.act else { continue };
            for path in counted(paths, *more) {
                if !edited.contains(&path) {
                    edited.push(path);
                }
            }
        }
        edited
    }
}
