//! Reads the verdict of protocol "evidence": one JSON object, a word for each criterion (SPEC B4).
//!
//! Apart because it must not guess. A judge's prose was once searched for a verdict, and what it quoted or denied was
//! taken for one; here all of the answer is the object that was asked for, or there is no verdict.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::fence::one_line;
use crate::shortening::shortened;

/// A longer answer is not read.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Pieces of evidence that one criterion may have.
pub const EVIDENCE_MAX: usize = 50;

/// Characters of a reason and of a principle; what follows is left out, and `…` says so.
const REASON_CHARS_MAX: usize = 2_000;
const PRINCIPLE_CHARS_MAX: usize = 300;
/// Characters of an answer that are repeated to people where it could not be read.
const EXCERPT_CHARS_MAX: usize = 120;

/// What was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// How many criteria.
    pub criteria: usize,
    pub scope: JudgedScope,
}

/// What the judge saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgedScope {
    /// All of the material.
    Whole,
    /// One part of several, which may say nothing about a criterion.
    Part,
}

/// A judge's word for each criterion, in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub criteria: Vec<CriterionAnswer>,
    /// One sentence for later judges (SPEC G23).
    pub principle: Option<String>,
}

/// What was said about one criterion; nothing of it is checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriterionAnswer {
    /// From 1.
    pub number: u32,
    pub word: Word,
    pub reason: String,
    pub evidence: Vec<Evidence>,
}

/// A word about a criterion. Of the words of several parts the last one here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// This part of the material says nothing about it.
    NotHere,
    Met,
    Unsure,
    Unmet,
}

/// What is said to show that a criterion is met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evidence {
    /// Words of a changed file, or of the output of a check that passed.
    Quote { path: String, text: String },
    /// A check that passed.
    Check { name: String },
    /// A file that was looked at.
    Examined { path: String },
}

/// An answer without a verdict: no approval, and no rejection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct NoVerdict {
    /// For people.
    pub why: String,
}

/// Reads an answer: the object alone, or alone in one code fence.
pub fn read_evidence(answer: &str, asked: Asked) -> Result<Answer, NoVerdict> {
    read_object::<Wire>(answer)?.answer(asked)
}

/// The one object that an answer is.
pub(super) fn read_object<T: DeserializeOwned>(answer: &str) -> Result<T, NoVerdict> {
    serde_json::from_str(limited(answer).and_then(object)?).map_err(|error| {
        let error: String = one_line(&error.to_string()).chars().take(EXCERPT_CHARS_MAX).collect();
        NoVerdict::new(format!("the answer is not the JSON object that was asked for: {error}"))
    })
}

impl NoVerdict {
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

/// The answer as it is written. Lists may be left out by a judge whose host enforces no schema: without evidence
/// nothing is approved, and without a reason nothing is rejected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    criteria: Vec<WireCriterion>,
    #[serde(default)]
    principle: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireCriterion {
    number: u32,
    word: Word,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    quotes: Vec<WireQuote>,
    #[serde(default)]
    checks: Vec<String>,
    #[serde(default)]
    examined: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireQuote {
    path: String,
    text: String,
}

impl Wire {
    fn answer(self, asked: Asked) -> Result<Answer, NoVerdict> {
        if asked.criteria == 0 {
            return Err(NoVerdict::new("there is no criterion to judge"));
        }
        let mut criteria = BTreeMap::new();
        for criterion in self.criteria {
            let number = criterion.number;
            if !(1..=asked.criteria).contains(&(number as usize)) {
                let why = format!("it speaks of criterion {number}, where there are {}", asked.criteria);
                return Err(NoVerdict::new(why));
            }
            if criteria.insert(number, criterion.into_answer(asked.scope)?).is_some() {
                return Err(NoVerdict::new(format!("it speaks of criterion {number} twice")));
            }
        }
        if let Some(missing) = (1..).take(asked.criteria).find(|number| !criteria.contains_key(number)) {
            return Err(NoVerdict::new(format!("it says nothing about criterion {missing}")));
        }
        Ok(Answer { criteria: criteria.into_values().collect(), principle: principle(&self.principle) })
    }
}

impl WireCriterion {
    fn into_answer(self, scope: JudgedScope) -> Result<CriterionAnswer, NoVerdict> {
        let number = self.number;
        let reason = in_one_line(&self.reason);
        match self.word {
            Word::Unmet if reason.is_empty() => {
                return Err(NoVerdict::new(format!("criterion {number} is unmet without a reason")));
            }
            Word::NotHere if scope == JudgedScope::Whole => {
                let why = format!("criterion {number} is `not-here`, but all of the material was shown");
                return Err(NoVerdict::new(why));
            }
            Word::Met | Word::Unmet | Word::Unsure | Word::NotHere => {}
        }
        let quotes = self.quotes.into_iter().map(|WireQuote { path, text }| Evidence::Quote { path, text });
        let checks = self.checks.into_iter().map(|name| Evidence::Check { name });
        let examined = self.examined.into_iter().map(|path| Evidence::Examined { path });
        let evidence: Vec<Evidence> = quotes.chain(checks).chain(examined).collect();
        if evidence.len() > EVIDENCE_MAX {
            let count = evidence.len();
            return Err(NoVerdict::new(format!(
                "criterion {number} has {count} pieces of evidence, at most {EVIDENCE_MAX} are looked at"
            )));
        }
        Ok(CriterionAnswer { number, word: self.word, reason, evidence })
    }
}

pub(super) fn limited(text: &str) -> Result<&str, NoVerdict> {
    if text.len() > ANSWER_BYTES_MAX {
        let why = format!("the answer has {} bytes, more than {ANSWER_BYTES_MAX} are not read", text.len());
        return Err(NoVerdict::new(why));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
    if text.is_empty() { Err(NoVerdict::new("the answer is empty")) } else { Ok(text) }
}

/// One sentence in one line, if there is one.
pub(super) fn principle(text: &str) -> Option<String> {
    Some(line_of(text, PRINCIPLE_CHARS_MAX)).filter(|line| !line.is_empty())
}

/// A judge's words in one line, which nothing but people's eyes can read anything into.
pub(super) fn in_one_line(text: &str) -> String {
    line_of(text, REASON_CHARS_MAX)
}

/// The beginning of an answer that could not be read, for people.
pub(super) fn excerpt(text: &str) -> String {
    let line: String = text.chars().take(EXCERPT_CHARS_MAX + 1).collect();
    shortened(&one_line(&line), EXCERPT_CHARS_MAX, "…")
}

fn line_of(text: &str, chars_max: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    shortened(&one_line(&words.join(" ")), chars_max, "…")
}

/// The text of the object: all of the answer, or all that one code fence around the answer holds.
fn object(text: &str) -> Result<&str, NoVerdict> {
    let inner = match text.strip_prefix("```") {
        None => text,
        Some(rest) => {
            let (language, body) = rest.split_once('\n').unwrap_or(("", ""));
            let known = ["", "json"].contains(&language.trim());
            body.trim_end().strip_suffix("```").filter(|_| known).map_or(text, str::trim)
        }
    };
    if inner.starts_with('{') {
        return Ok(inner);
    }
    Err(NoVerdict::new(format!("the answer is not one JSON object: {}", excerpt(text))))
}

// The JSON schema of an answer, for hosts that enforce one and for the prompt of those that do not.

/// The schema that an answer must follow, as JSON text.
pub fn schema(scope: JudgedScope) -> String {
    let words: &[Word] = match scope {
        JudgedScope::Whole => &[Word::Met, Word::Unmet, Word::Unsure],
        JudgedScope::Part => &[Word::Met, Word::Unmet, Word::Unsure, Word::NotHere],
    };
    let texts = |what: &str| json!({"type": "array", "items": {"type": "string"}, "description": what});
    let quote = closed(&json!({
        "path": {"type": "string", "description": "the file, or the passed check, that is quoted"},
        "text": {"type": "string", "description": "its words, verbatim and without a gap"},
    }));
    let criterion = closed(&json!({
        "number": {"type": "integer", "description": "the criterion's number; each exactly once"},
        "word": {"type": "string", "enum": words},
        "reason": {"type": "string", "description": "why; required for every word but met"},
        "quotes": {"type": "array", "items": quote},
        "checks": texts("names of passed checks that show it"),
        "examined": texts("paths of files that were read for it"),
    }));
    let answer = closed(&json!({
        "criteria": {"type": "array", "items": criterion},
        "principle": {"type": "string", "description": "one sentence for later judges"},
    }));
    answer.to_string()
}

pub(super) fn closed(properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(serde_json::Map::keys).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
