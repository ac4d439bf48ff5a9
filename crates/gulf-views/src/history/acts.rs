//! What a person did to a loop, and to its files.

use super::History;
use serde::Serialize;

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
    /// What a person did, the oldest first.
    pub fn acts(&self) -> &[PersonalAct] {
        &self.acts
    }

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
