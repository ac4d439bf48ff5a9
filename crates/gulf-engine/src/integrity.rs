//! What became of the base's tests and of the settings of their runners (SPEC B3), as the journal keeps it.
//!
//! A person reads it, and is asked about it.

use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What the candidate did to the base's tests and runner configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Integrity {
    /// Each change, removal or skip; empty is good news.
    pub findings: Vec<Finding>,
    /// Changes that hide nothing: the base's own tests pass on the candidate's code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleared: Vec<Finding>,
    /// The base's own tests fail on the candidate's code: only a person can say that they no longer count.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub base_tests_fail: bool,
    /// Among the findings is one that no judge's yes clears: a check that passes over failing tests, answers built in.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub person_only: bool,
    /// What the tests that prove the work said when they were asked again; none where nobody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Again>,
    /// Whether the suite that the proof hangs on can fail; none where nobody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canary: Option<Canary>,
    /// What the work does on other inputs than its tests' own; none where nobody could ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<ElsewhereRuns>,
    /// The changed tests among the findings, each place as it was and as it is: what a person is asked about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expectations: Vec<ChangedPlace>,
}

impl Integrity {
    /// Is there something against the work that a judge cannot clear, only a person?
    pub(crate) fn needs_person(&self) -> bool {
        self.base_tests_fail
            || self.person_only
            || self.again.as_ref().is_some_and(|again| again.failed)
            || matches!(self.canary, Some(Canary::Green { .. }))
    }
}

/// Runs of what was green already, on the same candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Again {
    pub runs: u32,
    pub duration_ms: u64,
    /// One of them said no.
    pub failed: bool,
}

/// Runs of the tests that prove the work, with other inputs than theirs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ElsewhereRuns {
    pub runs: u32,
    pub duration_ms: u64,
    /// The work gave something there that neither the base gave nor anybody wrote down.
    pub is_new: bool,
    /// The time for asking ran out before anything was learnt.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_cut: bool,
}

/// One place of a test of the base that the candidate changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChangedPlace {
    pub path: String,
    /// Lines, not every one of many.
    pub old: Vec<String>,
    /// The same now; empty where they are gone.
    pub new: Vec<String>,
}

/// One test or configuration field that is no longer as it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Finding {
    pub path: String,
    /// What happened to it, in one line.
    pub what: String,
}

/// What a check said of the candidate with one expectation of its tests changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case")]
pub enum Canary {
    /// No, as it has to.
    Red { test: String, runs: u32, duration_ms: u64 },
    /// Yes all the same: what it says is no proof, and only a person can say otherwise.
    Green { runs: u32, duration_ms: u64 },
    /// No test that proves the work has an expectation that could be changed.
    Nothing,
}
