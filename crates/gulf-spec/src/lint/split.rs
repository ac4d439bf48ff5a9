//! The criteria of one rubric as rubrics of loops that follow each other (SPEC G25).
//!
//! Apart because it writes what the parser beside it must read back: the same checks in each loop, each criterion in
//! exactly one, in the order of the file.

use crate::rubric::{Item, Rubric, unquoted};

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
