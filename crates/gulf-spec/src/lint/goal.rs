//! A goal that says nothing yet, or nothing that can be reached.
//!
//! Apart because a goal is prose: a word that is vague in a criterion may stand in a long goal beside what explains
//! it, so only a short one is held to it.

use super::vague;
use super::{Finding, Rule, place, quoted};
use crate::markdown::without_comments;
use crate::rubric::Rubric;
use crate::text::{Source, lines};
use crate::texts::is_prompt_skeleton;

/// A longer goal explains itself.
const SHORT_WORDS_MAX: usize = 15;

pub(super) fn finding(source: &Source, rubric: &Rubric) -> Option<Finding> {
    let (visible, _) = without_comments(source.text());
    let said: Vec<&str> =
        visible.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).collect();
    let at = place(source, first_said(source));
    if said.is_empty() || is_prompt_skeleton(source.text()) {
        let message = "the goal is not written yet".to_owned();
        return Some(Finding::warning(
            Rule::Goal,
            at,
            message,
            "say what should be true when the work is done",
        ));
    }
    let vague = vague::found_in(&visible);
    let first = vague.first().filter(|_| said.len() <= SHORT_WORDS_MAX && rubric.criteria.is_empty())?;
    let message = format!("`{}` is all that says when it is done: {}", first.word, quoted(&visible));
    Some(Finding::warning(
        Rule::Goal,
        at,
        message,
        "say what should be there at the end, or write criteria into RUBRIC.md",
    ))
}

fn first_said(source: &Source) -> crate::text::Span {
    lines(source.text()).find(|line| !line.text.trim().is_empty()).map(|line| line.span).unwrap_or_default()
}
