//! What an agent wrote when it was to think: an analysis, a plan, a critic's word, a cause (SPEC A3, A7, L2).
//!
//! Apart because these texts are read for their form alone: whether all that was asked for stands there. Whether it is
//! any good, the gates say later.

use gulf_engine::{Step, StepWord};

use crate::markdown::item;
use crate::progress::{self, even};
use crate::text::lines;

/// What a critic looks at, in its order (seed 002, step 3).
pub const ASPECTS: [&str; 4] = ["COMPLETENESS", "DEPENDENCIES", "BREAKING_CHANGES", "FEASIBILITY"];

/// What a cause says, in its order (seed 002, "원인 분석 필수").
pub const CAUSES: [&str; 4] = ["SYMPTOM", "ROOT_CAUSE", "LAST_ATTEMPT", CHANGE];

/// What is done differently next.
const CHANGE: &str = "CHANGE";

/// The word by which a critic consents to an aspect.
const CONSENT: &str = "ok";

/// What somebody already meant to do differently, before a turn that was not accepted either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TriedBefore {
    /// Which it preceded.
    pub iteration: u32,
    pub change: String,
}

impl TriedBefore {
    /// Of the cause that preceded this iteration, if it says what changes.
    pub fn read(iteration: u32, text: &str) -> Option<Self> {
        Some(Self { iteration, change: section(text, CHANGE)? })
    }
}

/// What a cause comes to where this was tried already: the same once more changes nothing (SPEC A7).
pub fn cause(text: &str, tried: &[TriedBefore]) -> StepWord {
    let said = word(Step::Cause, text);
    let change = section(text, CHANGE).map(|change| normalized(&change));
    let again = tried.iter().find(|one| change.as_ref() == Some(&normalized(&one.change)));
    match (&said, again) {
        (StepWord::Said, Some(TriedBefore { iteration, .. })) => missing([format!(
            "`{CHANGE}:` is what was to change before iteration {iteration} already: do something else, or say why it \
             works this time"
        )]),
        (StepWord::Said, None) | (StepWord::Incomplete { .. } | StepWord::Objected { .. }, _) => said,
    }
}

/// Its words: who says the same with other signs says the same.
fn normalized(text: &str) -> String {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.flat_map(|word| [word, " "]).collect::<String>().to_lowercase()
}

/// What this text comes to, by its form.
pub fn word(step: Step, text: &str) -> StepWord {
    match step {
        Step::Analyze if text.trim().is_empty() => missing(["the analysis: nothing was said".to_owned()]),
        Step::Analyze => StepWord::Said,
        Step::Plan if !lines(text).any(|line| item(line.text).is_some()) => {
            missing(["the steps of the plan, as a list `1. …`".to_owned()])
        }
        Step::Plan => StepWord::Said,
        Step::Criticize => criticism(text),
        Step::Cause => complete(text, &CAUSES).map_or(StepWord::Said, missing),
    }
}

/// What a critic objects to: the aspect, and why.
pub fn objections(text: &str) -> Vec<(&'static str, String)> {
    let said = ASPECTS.into_iter().filter_map(|aspect| Some((aspect, section(text, aspect)?)));
    said.filter(|(_, word)| !is_consent(word)).collect()
}

fn criticism(text: &str) -> StepWord {
    if let Some(gaps) = complete(text, &ASPECTS) {
        return missing(gaps);
    }
    match u32::try_from(objections(text).len()).unwrap_or(u32::MAX) {
        0 => StepWord::Said,
        objections => StepWord::Objected { objections },
    }
}

fn missing(what: impl IntoIterator<Item = String>) -> StepWord {
    StepWord::Incomplete { missing: what.into_iter().collect() }
}

/// The keys that say nothing, if any do.
fn complete(text: &str, keys: &[&str]) -> Option<Vec<String>> {
    let silent = keys.iter().filter(|key| section(text, key).is_none());
    let gaps: Vec<_> = silent.map(|key| format!("`{key}:` is missing or empty")).collect();
    (!gaps.is_empty()).then_some(gaps)
}

/// "ok", and no "ok, but": what follows a bare consent is a remark only behind a full stop or on a line of its own.
fn is_consent(word: &str) -> bool {
    let (first, rest) = word.split_at(word.find([' ', '.', '!']).unwrap_or(word.len()));
    first.eq_ignore_ascii_case(CONSENT) && (rest.is_empty() || rest.starts_with(['.', '!']))
}

/// What the last section of this key says, with white space evened out: an agent may write its answer twice.
fn section(text: &str, key: &str) -> Option<String> {
    let sections = progress::sections(text, key_of);
    let last = sections.iter().rfind(|section| section.key == key)?;
    Some(even(&last.lines.join(" "))).filter(|said| !said.is_empty())
}

/// `KEY: rest`, also where the key is a heading, an item or in bold type.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.trim_start_matches(['#', '*', '-', ' ']).split_once(':')?;
    let key = key.trim_end_matches('*');
    let is_key = ASPECTS.contains(&key) || CAUSES.contains(&key);
    is_key.then(|| (key, rest.trim_start_matches('*')))
}

#[cfg(test)]
mod tests;
