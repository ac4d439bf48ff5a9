//! A rejection in words: for the worker's next prompt, and as an entry of JUDGE_FEEDBACK.md (SPEC G8).
//!
//! Apart because the file is read by workers and later judges: a judge's words are one line each, so that none of
//! them can look like another entry.

use super::answer::in_one_line;
use super::verdict::Unmet;

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
