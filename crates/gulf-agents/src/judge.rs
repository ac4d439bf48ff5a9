//! The judge gate without its calls: what a judge is shown, what it said, and whether its evidence is there (SPEC B4).
//!
//! Everything here is mechanical: the same material gives the same parts, and the same answers give the same verdict,
//! on every machine and at every replay. What cannot be understood, and evidence that cannot be found, is neither a
//! yes nor a no.

mod answer;
mod evidence;
mod exhibits;
mod fence;
mod line;
mod parts;
mod record;
mod scenarios;
#[cfg(test)]
mod tests;
mod verdict;

pub use answer::{
    ANSWER_BYTES_MAX, Answer, Asked, CriterionAnswer, EVIDENCE_MAX, Evidence, JudgedScope, NoVerdict, Word,
    read_evidence, schema,
};
pub use evidence::{CriterionWord, Finding, QUOTE_CHARS_MIN, QUOTE_LETTERS_MIN, Weighed, check};
pub use exhibits::{Change, CheckExhibit, Content, Exhibits, Fate, FileExhibit};
pub use fence::{Fence, NONCE_CHARS_MAX, NONCE_CHARS_MIN};
pub use line::{LineAnswer, LineWord, read_line};
pub use parts::{ExhibitRef, PART_BYTES_MIN, Part, Piece, parts};
pub use record::{
    JudgeRecord, PartRecord, Protocol, RECORD_VERSION, RecordProblem, Rejection, Trial, entry, reason,
};
pub use scenarios::{SCENARIOS_MAX, Scenario, read_scenarios, scenario_schema};
pub use verdict::{
    FALSE_APPROVAL_BP, Judgement, Outcome, Silence, Unmet, Verdict, Votes, false_approval_risk_bp, judged,
    judged_by_line,
};
