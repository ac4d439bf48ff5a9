//! The record of one verdict, kept in the iteration's folder: what was shown, what was said, what was found.
//!
//! Apart because it is on disk: written today, it is read by every later gulf.

use serde::{Deserialize, Serialize};

use super::answer::in_one_line;
use super::exhibits::Exhibits;
use super::fence::name;
use super::parts::{ExhibitRef, Part};
use super::verdict::{Judgement, Outcome, Unmet, Votes, false_approval_risk_bp};

/// Of the form below.
pub const RECORD_VERSION: u32 = 1;

/// `judge.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeRecord {
    pub version: u32,
    pub protocol: Protocol,
    /// The criteria's texts; their numbers count from 1.
    pub criteria: Vec<String>,
    pub parts: Vec<PartRecord>,
    /// Changed files whose content no judge saw.
    pub unseen: Vec<String>,
    pub votes: Votes,
    pub judgements: Vec<Judgement>,
    pub outcome: Outcome,
    pub trial: Trial,
}

/// How judges answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    Evidence,
    Line,
}

/// What one part showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartRecord {
    pub number: u32,
    pub bytes: u64,
    /// Files and stretches of files, as `path:first-last`.
    pub files: Vec<String>,
}

/// Which try of the loop this verdict was, and what that means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// Verdicts asked for so far, this one included.
    pub tries: u32,
    /// Assumed of one judge, in basis points.
    pub per_judge_bp: u32,
    /// Risk of a false approval in all of these tries, in basis points.
    pub false_approval_bp: u32,
}

/// Why a record cannot be read: it is broken, of a later gulf, or says what its judgements do not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordProblem(String);

impl JudgeRecord {
    /// The record of this judgement; its outcome is its own.
    pub fn new(
        protocol: Protocol,
        exhibits: &Exhibits,
        parts: &[Part],
        judgement: Judgement,
        trial: Trial,
    ) -> Self {
        Self {
            version: RECORD_VERSION,
            protocol,
            criteria: exhibits.criteria.clone(),
            parts: parts.iter().map(|part| PartRecord::new(part, exhibits)).collect(),
            unseen: exhibits.unseen().into_iter().map(name).collect(),
            votes: Votes::ONE,
            outcome: judgement.outcome(),
            judgements: vec![judgement],
            trial,
        }
    }

    /// Reads `judge.json`.
    pub fn read(json: &str) -> Result<Self, RecordProblem> {
        let broken = |error| RecordProblem(format!("cannot read the record of the judge: {error}"));
        let version: Version = serde_json::from_str(json).map_err(broken)?;
        if version.version != RECORD_VERSION {
            let what = format!("version {}, this gulf knows {RECORD_VERSION}", version.version);
            return Err(RecordProblem(format!("the record of the judge has {what}")));
        }
        let record: Self = serde_json::from_str(json).map_err(broken)?;
        let is_its_own = matches!(&record.judgements[..], [one] if one.outcome() == record.outcome);
        let follows = record.votes == Votes::ONE && is_its_own;
        let why = "the outcome in the record of the judge does not follow from its words";
        if follows { Ok(record) } else { Err(RecordProblem(why.to_owned())) }
    }

    /// As it is written.
    pub fn print(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|json| json + "\n")
    }
}

impl Trial {
    /// The risk after so many tries.
    pub fn new(tries: u32, per_judge_bp: u32) -> Self {
        Self { tries, per_judge_bp, false_approval_bp: false_approval_risk_bp(tries, per_judge_bp) }
    }
}

impl PartRecord {
    fn new(part: &Part, exhibits: &Exhibits) -> Self {
        let file = |piece: &super::parts::Piece| {
            let ExhibitRef::File(index) = piece.of else { return None };
            let file = exhibits.files.get(index)?;
            let lines = file.text().map_or_else(String::new, |_| format!(":{}", piece.lines));
            Some(format!("{}{lines}", name(&file.path)))
        };
        let files = part.pieces.iter().filter_map(file).collect();
        Self { number: part.number, bytes: part.material.len() as u64, files }
    }
}

/// The one field that every version has.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

// A rejection in words: for the worker's next prompt, and as an entry of JUDGE_FEEDBACK.md (SPEC G8).

/// One rejection.
#[derive(Clone, Copy, Debug)]
pub struct Rejection<'a> {
    pub iteration: u32,
    /// Rejections in a row, this one included.
    pub consecutive: u32,
    /// Local time, `YYYY-mm-dd HH:MM:SS`.
    pub at: &'a str,
    /// The criteria's texts.
    pub criteria: &'a [String],
    pub unmet: &'a [Unmet],
}

/// The entry, to be appended to JUDGE_FEEDBACK.md.
pub fn entry(rejection: &Rejection<'_>) -> String {
    let Rejection { iteration, consecutive, at, criteria, unmet } = rejection;
    let reason = reason(criteria, unmet);
    format!("\n---\n## Iteration {iteration} — REJECTED ({consecutive} consecutive) — {at}\n\n{reason}\n")
}

/// Why it was rejected: a line for each unmet criterion, with its text and the judge's reason.
pub fn reason(criteria: &[String], unmet: &[Unmet]) -> String {
    let line = |unmet: &Unmet| {
        let reason = in_one_line(&unmet.reason);
        let Some(number) = unmet.criterion else { return reason };
        let text = (number as usize).checked_sub(1).and_then(|index| criteria.get(index));
        match text {
            Some(text) => format!("{number}. {} — {reason}", in_one_line(text)),
            None => format!("{number}. {reason}"),
        }
    };
    unmet.iter().map(line).collect::<Vec<_>>().join("\n")
}
