//! Whether the work is too much for one loop (SPEC G25).
//!
//! Apart because a start asks the same question.

use crate::config::{Config, Key, SettingLayer};
use crate::rubric::{Item, Rubric, unquoted};

/// From so many criteria on, several short loops do better than a long one.
pub const CRITERIA_SPLIT_MIN: usize = 8;

/// From about so many iterations on, what was decided early is lost in the middle of the context.
pub const ITERATIONS_SPLIT_MIN: u32 = 40;

/// Why the work should be split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitSignal {
    pub message: String,
    /// `gulf.toml:3:1`, `--max-iterations`, if it stands at one place.
    pub place: Option<String>,
}

/// The signals, none of which forbids anything.
///
/// A limit of iterations is a sign of what is expected only where somebody set it for this project or this start: the
/// default of a preset (50 and more) says nothing about the work, and a person's own gulf.toml nothing about the
/// project.
pub fn split_signals(criteria: usize, config: Option<&Config>) -> Vec<SplitSignal> {
    let mut signals = Vec::new();
    if criteria >= CRITERIA_SPLIT_MIN {
        let message = format!(
            "{criteria} criteria are a lot for one loop: from {CRITERIA_SPLIT_MIN} on, split the work"
        );
        signals.push(SplitSignal { message, place: None });
    }
    let Some(config) = config else { return signals };
    let limit = config.count(Key::LimitsMaxIterations);
    let set = config.origin(Key::LimitsMaxIterations).filter(|origin| origin.layer > SettingLayer::User);
    if let Some(origin) = set.filter(|_| limit >= ITERATIONS_SPLIT_MIN) {
        let message = format!(
            "{limit} iterations are a lot for one loop: from {ITERATIONS_SPLIT_MIN} on, early decisions get lost"
        );
        signals.push(SplitSignal { message, place: Some(origin.to_string()) });
    }
    signals
}

// The criteria of one rubric as rubrics of loops that follow each other (SPEC G25).

/// Criteria of one loop.
pub const LOOP_CRITERIA_MAX: usize = 5;

/// A RUBRIC.md for each loop, in their order; a single one where everything fits into one loop.
///
/// What does not count in the file (comments, prose) is not in them, so a rubric with errors should be mended first.
pub fn split(rubric: &Rubric) -> Vec<String> {
    let count = rubric.criteria.len().div_ceil(LOOP_CRITERIA_MAX).max(1);
    let mut rest = rubric.criteria.as_slice();
    let mut texts = Vec::new();
    for number in 1..=count {
        // Evenly: eight criteria are four and four, not five and three.
        let (these, later) = rest.split_at(rest.len().div_ceil(count + 1 - number));
        rest = later;
        texts.push(text(rubric, these, number, count));
    }
    texts
}

fn text(rubric: &Rubric, criteria: &[Item], number: usize, count: usize) -> String {
    let mut text = front_matter(rubric);
    text.push_str(&format!("# When is it done? Loop {number} of {count}\n\n## Checks\n\n"));
    for check in &rubric.checks {
        text.push_str(&format!("- {}\n", check.text));
    }
    text.push_str("\n## Judge criteria\n\n");
    if number > 1 {
        text.push_str("<!-- The criteria of the loops before are not asked about again: let a check guard what must stay. -->\n");
    }
    for criterion in criteria {
        // What a person wrote around a comment must not become one.
        text.push_str(&format!("- {}\n", criterion.text.replace("<!--", "< !--")));
    }
    text
}

fn front_matter(rubric: &Rubric) -> String {
    let mut lines = String::new();
    if let Some(model) = &rubric.model {
        lines.push_str(&format!("model: {}\n", value(&model.text)));
    }
    if let Some(threshold) = rubric.hitl_threshold {
        lines.push_str(&format!("hitl_threshold: {threshold}\n"));
    }
    if lines.is_empty() { lines } else { format!("---\n{lines}---\n\n") }
}

/// A value of the front matter, in quotes where it would lose something without.
fn value(text: &str) -> String {
    let quoted = [text.to_owned(), format!("\"{text}\""), format!("'{text}'")];
    // One of them is how it was written.
    quoted.into_iter().find(|quoted| unquoted(quoted) == text).unwrap_or_else(|| text.to_owned())
}
