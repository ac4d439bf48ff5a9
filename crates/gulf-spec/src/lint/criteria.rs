//! Criteria that two judges may read in two ways, that a command can tell, or that stand there twice.
//!
//! Apart from the words (`vague`) because this says what to do about them.

use super::vague::{self, Sense};
use super::{Finding, Rule, checks, place, quoted};
use crate::config::Config;
use crate::markdown::code_spans;
use crate::progress::even;
use crate::rubric::Rubric;
use crate::text::Source;

/// A criterion's message names no more of its vague words.
const WORDS_MAX: usize = 3;
/// A shorter command may be a word of a sentence.
const COMMAND_CHARS_MIN: usize = 4;

/// What a command can tell.
const SUBJECTS: [&str; 17] = [
    "test",
    "tests",
    "build",
    "builds",
    "lint",
    "linter",
    "linting",
    "compile",
    "compiles",
    "compilation",
    "typecheck",
    "typechecks",
    "types",
    "type",
    "check",
    "checks",
    "ci",
];
/// Words that add nothing to it.
const FILLERS: [&str; 46] = [
    "the",
    "all",
    "every",
    "each",
    "existing",
    "unit",
    "integration",
    "e2e",
    "new",
    "our",
    "project",
    "code",
    "must",
    "should",
    "shall",
    "will",
    "has",
    "have",
    "to",
    "be",
    "is",
    "are",
    "it",
    "and",
    "with",
    "without",
    "no",
    "zero",
    "any",
    "0",
    "exit",
    "exits",
    "returns",
    "run",
    "runs",
    "command",
    "suite",
    "successfully",
    "pass",
    "passes",
    "passing",
    "succeed",
    "succeeds",
    "green",
    "errors",
    "warnings",
];
/// The same in Korean, by how the words begin: what follows are particles.
const KOREAN: [&str; 15] = [
    "테스트",
    "빌드",
    "린트",
    "컴파일",
    "타입",
    "검사",
    "모든",
    "모두",
    "전부",
    "통과",
    "성공",
    "오류",
    "에러",
    "경고",
    "없",
];
const KOREAN_SUBJECTS: [&str; 5] = ["테스트", "빌드", "린트", "컴파일", "타입"];
const KOREAN_ENDINGS: [&str; 6] = ["한다", "된다", "해야", "이", "가", "잘"];

pub(super) fn findings(source: &Source, rubric: &Rubric, config: Option<&Config>) -> Vec<Finding> {
    let commands = checks::commands(config, rubric);
    let mut findings = Vec::new();
    for (index, criterion) in rubric.criteria.iter().enumerate() {
        let at = place(source, criterion.span);
        let same = |text: &str| even(text).to_lowercase() == even(&criterion.text).to_lowercase();
        if let Some(first) = rubric.criteria[..index].iter().find(|first| same(&first.text)) {
            findings.push(Finding::warning(
                Rule::CriterionTwice,
                at,
                format!("the criterion of line {} stands here again", first.line),
                "keep one of them",
            ));
        } else if let Some((message, hint)) = repeats(&criterion.text, &commands) {
            findings.push(Finding::warning(Rule::CriterionRepeatsCheck, at, message, hint));
        } else {
            findings.extend(vagueness(&criterion.text, at));
        }
    }
    findings
}

fn vagueness(criterion: &str, at: String) -> Option<Finding> {
    let found = vague::found_in(criterion);
    let first = found.first()?;
    let words: Vec<String> = found.iter().take(WORDS_MAX).map(|vague| format!("`{}`", vague.word)).collect();
    let (why, hint) = match first.sense {
        Sense::Taste => (
            "is a matter of taste",
            "say what a reader could point at: a rule, a limit, an example of what is refused",
        ),
        Sense::Degree => ("has no measure", "name the number and what is measured: `p95 below 200 ms`"),
        Sense::Unsaid => (
            "refers to what is written nowhere",
            "write the expectation itself: what goes in, what comes out",
        ),
        Sense::Open => ("leaves the list open", "list all that belongs to it"),
    };
    let message = format!("{} {why}: {}", words.join(", "), quoted(criterion));
    Some(Finding::warning(Rule::VagueCriterion, at, message, hint))
}

/// Whether a criterion says no more than a command would: a message and a hint.
fn repeats(criterion: &str, commands: &[&str]) -> Option<(String, &'static str)> {
    let lower = even(criterion).to_lowercase();
    let named = commands
        .iter()
        .map(|command| even(command))
        .filter(|command| command.chars().count() >= COMMAND_CHARS_MIN)
        .find(|command| lower.contains(&command.to_lowercase()));
    let adds_nothing = |text: &str| words(text).all(|word| is_filler(word) || is_subject(word));
    if let Some(command) = named {
        let message = format!("the check `{}` says this already", quoted(&command));
        return adds_nothing(&lower.replacen(&command.to_lowercase(), " ", 1))
            .then_some((message, "take it out: a judge is for what no command can tell"));
    }
    // A command of its own, which may be meant as a check, is no filler.
    let is_told = code_spans(&lower).is_empty()
        && words(&lower).count() > 1
        && adds_nothing(&lower)
        && words(&lower).any(is_subject);
    is_told.then(|| {
        let message = format!("a command can tell this: {}", quoted(criterion));
        (message, "write the command below `## Checks` instead: it costs no judge and does not err")
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_subject(word: &str) -> bool {
    SUBJECTS.contains(&word) || KOREAN_SUBJECTS.iter().any(|known| word.starts_with(known))
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
        || KOREAN_ENDINGS.contains(&word)
        || KOREAN.iter().any(|known| word.starts_with(known))
}
