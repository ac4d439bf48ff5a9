//! A product's description: the criteria by which it is accepted (SPEC A2).
//!
//! Apart because nobody writes it for gulf: only its headings and lists are read, in two languages, and whatever else
//! stands there is left to whoever does the work.

use crate::markdown::{bullet, heading, lines_without_code, without_comments};
use crate::progress::even;

/// Where it stands, in this order, if nobody names one.
pub const PLACES: [&str; 2] = [".gulf/prd.md", "prd.md"];

/// Criteria that are taken of one text.
pub const CRITERIA_MAX: usize = 100;

/// What the heading of a section of criteria contains, in small letters.
const HEADINGS: [&str; 7] = [
    "acceptance criteria", "acceptance criterion", "definition of done", "수용 기준", "인수 기준",
    "인수 조건", "완료 기준",
];

/// The items below each heading of criteria; where there is no such heading, the boxes of all checklists.
pub fn acceptance_criteria(text: &str) -> Vec<String> {
    let (mut criteria, mut boxes) = (Vec::new(), Vec::new());
    let mut section = None;
    let (text, _) = without_comments(text);
    for line in lines_without_code(&text) {
        if let Some(found) = heading(line) {
            if is_about_criteria(found.title) {
                section = Some(found.level);
            } else if section.is_some_and(|level| found.level <= level) {
                section = None;
            }
        } else if let Some((is_box, said)) = item(line) {
            if section.is_some() {
                criteria.push(said);
            } else if is_box {
                boxes.push(said);
            }
        }
    }
    let mut found = if criteria.is_empty() { boxes } else { criteria };
    found.truncate(CRITERIA_MAX);
    found
}

fn is_about_criteria(title: &str) -> bool {
    let title = title.to_lowercase();
    HEADINGS.iter().any(|heading| title.contains(heading))
}

/// An item of a list, and whether it has a box: `- text`, `* [ ] text`, `1. text`.
fn item(line: &str) -> Option<(bool, String)> {
    let rest = bullet(line)?.text;
    let unboxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| rest.strip_prefix(mark));
    let said = even(unboxed.unwrap_or(rest));
    (!said.is_empty()).then_some((unboxed.is_some(), said))
}

#[cfg(test)]
mod tests;
