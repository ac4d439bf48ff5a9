//! Reads the verdict of protocol "line": `APPROVED` or `REJECTED: reason`, then `META: principle`.
//!
//! Apart from the protocol "evidence" because it can prove nothing; it is there for loops and judges that were made
//! for it. An approval stands alone, so that no quoted or conditional one is taken for a verdict.

use super::answer::{JudgedScope, NoVerdict, excerpt, in_one_line, limited, principle};

/// What is said where a judge rejects and gives no reason.
const WITHOUT_REASON: &str = "No specific reason provided.";

/// A judge's two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineAnswer {
    pub word: LineWord,
    /// One sentence for later judges (SPEC G23).
    pub principle: Option<String>,
}

/// The first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineWord {
    /// All of it.
    Approved,
    /// With the judge's words, or gulf's where it has none.
    Rejected { reason: String },
    /// This part of the material decides nothing.
    NotHere,
}

/// Reads an answer: exactly one verdict, as a whole word at the head of a line.
///
/// Beside an approval only `META:` may stand; below a rejection its reason may go on.
pub fn read_line(text: &str, scope: JudgedScope) -> Result<LineAnswer, NoVerdict> {
    let text = limited(text)?;
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let speaking = lines.iter().filter(|line| is_like_a_verdict(line)).count();
    if speaking > 1 {
        return Err(NoVerdict::new("the answer has more than one verdict"));
    }
    let mut lines = lines.into_iter();
    let first = lines.next().unwrap_or_default();
    let Some(word) = word(first, scope) else {
        return Err(NoVerdict::new(format!("the answer does not begin with a verdict: {}", excerpt(first))));
    };
    let (notes, others): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("META:"));
    if notes.len() > 1 {
        return Err(NoVerdict::new("the answer has more than one line META:"));
    }
    let note = notes.first().and_then(|line| principle(line.trim_start_matches("META:")));
    let word = match word {
        LineWord::Approved | LineWord::NotHere if !others.is_empty() => {
            return Err(NoVerdict::new("beside the verdict stands more than a line META:"));
        }
        LineWord::Approved | LineWord::NotHere => word,
        LineWord::Rejected { reason } => LineWord::Rejected { reason: with_more(&reason, &others) },
    };
    Ok(LineAnswer { word, principle: note })
}

fn word(line: &str, scope: JudgedScope) -> Option<LineWord> {
    match (line, scope) {
        ("APPROVED", JudgedScope::Whole | JudgedScope::Part) => Some(LineWord::Approved),
        ("NOT-HERE", JudgedScope::Part) => Some(LineWord::NotHere),
        (line, JudgedScope::Whole | JudgedScope::Part) => {
            let rest = line.strip_prefix("REJECTED")?;
            let reason = if rest.is_empty() { rest } else { rest.strip_prefix(':')? };
            Some(LineWord::Rejected { reason: reason.trim().to_owned() })
        }
    }
}

/// Would a hurried reader take this line for a verdict, whatever stands around the word?
fn is_like_a_verdict(line: &str) -> bool {
    let bare = line.trim_start_matches(|character: char| !character.is_alphanumeric());
    ["approved", "rejected", "not-here"].iter().any(|word| {
        let head = bare.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        head && !bare[word.len()..].starts_with(|character: char| character.is_alphanumeric())
    })
}

fn with_more(reason: &str, others: &[&str]) -> String {
    let reason = [&[reason][..], others].concat().join(" ");
    if reason.trim().is_empty() { WITHOUT_REASON.to_owned() } else { in_one_line(&reason) }
}
