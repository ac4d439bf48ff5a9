//! progress.txt, the worker's memory between iterations: `KEY:` sections (SPEC G5, G11).
//!
//! Apart because a worker wrote it: nothing in it can fail, loosen or end a loop. What is missing is said, what
//! is odd is ignored, and it is read the same whether it is whole or half written.

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use crate::text::lines;

/// Lines after which the worker is asked to keep the file lean.
pub const LINES_MAX: usize = 80;

/// Lines of REMAINING_GAP that head the next prompt.
pub const NEXT_TASK_LINES_MAX: usize = 5;

/// Columns of APPROACH from which it counts as substantial: a Korean syllable takes two, and says as much as two letters.
pub const APPROACH_COLUMNS_MIN: usize = 48;

/// CONFIDENCE from which a brief counts, of 100.
pub const CONFIDENCE_MIN: u8 = 30;

/// A progress.txt by sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<'t> {
    pub(crate) sections: Vec<Section<'t>>,
    lines: usize,
}

/// One section: the line of its key, and all up to the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section<'t> {
    pub(crate) key: &'t str,
    /// The rest of the key's line, then the lines below.
    pub(crate) lines: Vec<&'t str>,
}

/// What the brief of an adopted loop lacks, by the original's four checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedBrief {
    /// What holds the loop in iteration 1, in the order in which the original looks.
    pub blocking: Vec<BriefGap>,
    /// What is asked for and holds nothing.
    pub asked_for: Vec<BriefGap>,
}

/// One thing that a brief lacks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BriefGap {
    #[error("`{0}:` is missing or empty")]
    Missing(&'static str),
    #[error("progress.txt is as it was when the loop began; write this loop's brief")]
    Stale,
    #[error(
        "`APPROACH:` is {columns} columns wide; say what, in which order and why in {APPROACH_COLUMNS_MIN} or more"
    )]
    ApproachTooShort { columns: usize },
    #[error("`APPROACHES_CONSIDERED:` lists nothing; write each approach as a line `- …`")]
    NoApproachListed,
    #[error("`CONFIDENCE:` is `{found}`; write one whole number from 0 to 100 and nothing else")]
    ConfidenceUnreadable { found: String },
    #[error(
        "`CONFIDENCE:` is {found}, below {CONFIDENCE_MIN}; look further until the approach deserves more, or ask"
    )]
    ConfidenceTooLow { found: u8 },
}

/// Reads a progress.txt; any text is one.
pub fn parse(text: &str) -> Progress<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Progress { sections: sections(text, key_of), lines: lines(text).count() }
}

/// The sections of a text, of which a line begins one where it has a key, and the rest of that line.
pub(crate) fn sections<'t>(text: &'t str, key_of: fn(&str) -> Option<(&str, &str)>) -> Vec<Section<'t>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for line in lines(text) {
        if let Some((key, rest)) = key_of(line.text) {
            sections.push(Section { key, lines: vec![rest] });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push(line.text);
        }
    }
    sections
}

/// What the research brief in this text lacks.
pub fn brief_gaps(text: &str) -> Vec<BriefGap> {
    let progress = parse(text);
    let mut gaps = progress.perspectives_missing();
    let asked_for = gaps.len();
    gaps.extend(approach_gap(progress.text_of("APPROACH").map(|approach| approach.width())));
    gaps.extend(progress.confidence_gap(|found| {
        let number = found.parse().ok().filter(|number| *number <= 100)?;
        is_number(found).then_some(number)
    }));
    if !progress.has("APPROACHES_CONSIDERED") {
        // The seed's brief has five fields, and this is none of them: it is asked for where one of those is missing.
        if !gaps.is_empty() {
            gaps.insert(asked_for, BriefGap::Missing("APPROACHES_CONSIDERED"));
        }
    } else if progress.items_of("APPROACHES_CONSIDERED").is_empty() {
        gaps.insert(asked_for, BriefGap::NoApproachListed);
    }
    gaps
}

/// What the research brief in this text lacks where the original's rules hold: in a loop that was adopted.
///
/// They are as generous as the original: white space inside APPROACH counts, any line `- ` is an approach, and
/// CONFIDENCE has no upper bound; the digits of several such lines are read as one number.
pub fn seed_brief(text: &str) -> SeedBrief {
    let progress = parse(text);
    let asked_for = progress.perspectives_missing();
    let mut blocking: Vec<BriefGap> = approach_gap(progress.approach_columns()).into_iter().collect();
    let is_of_five_fields = asked_for.is_empty() && blocking.is_empty();
    if !progress.has("APPROACHES_CONSIDERED") {
        if !is_of_five_fields {
            blocking.push(BriefGap::Missing("APPROACHES_CONSIDERED"));
        }
    } else if !progress.lines_of("APPROACHES_CONSIDERED").any(|line| line.starts_with("- ")) {
        blocking.push(BriefGap::NoApproachListed);
    }
    blocking.extend(progress.confidence_gap(|found| {
        let digits: String = found.split_whitespace().collect();
        // More digits than a number has are no small number.
        is_number(&digits).then(|| digits.parse().unwrap_or(u8::MAX))
    }));
    SeedBrief { blocking, asked_for }
}

/// By how wide APPROACH is, where there is one.
fn approach_gap(columns: Option<usize>) -> Option<BriefGap> {
    match columns {
        None => Some(BriefGap::Missing("APPROACH")),
        Some(columns) => (columns < APPROACH_COLUMNS_MIN).then_some(BriefGap::ApproachTooShort { columns }),
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|character| character.is_ascii_digit())
}

/// The lines to append to decisions.md: each DECISIONS entry that it does not hold yet, as `[iter N] entry`.
///
/// Empty where there is nothing to append; else it ends with a line ending, and begins with one where the file's
/// last line has none.
pub fn decisions_to_append(progress: &Progress<'_>, decisions_md: &str, iteration: u32) -> String {
    let noted = lines(decisions_md).filter_map(|line| line.text.strip_prefix("[iter ")?.split_once("] "));
    let mut kept: BTreeSet<&str> = noted.map(|(_, entry)| entry).collect();
    let entries = progress.items_of("DECISIONS");
    let mut appended = String::new();
    for entry in &entries {
        if kept.insert(entry) {
            appended.push_str(&format!("[iter {iteration}] {entry}\n"));
        }
    }
    if !appended.is_empty() && !decisions_md.is_empty() && !decisions_md.ends_with('\n') {
        appended.insert(0, '\n');
    }
    appended
}

/// The entries of decisions.md that were decided before this iteration.
pub fn decided_before(decisions_md: &str, iteration: u32) -> BTreeSet<String> {
    let entry = |line: &str| {
        let (number, entry) = line.strip_prefix("[iter ")?.split_once("] ")?;
        (number.parse::<u32>().ok()? < iteration).then(|| entry.to_owned())
    };
    lines(decisions_md).filter_map(|line| entry(line.text)).collect()
}

impl Progress<'_> {
    /// The first lines of REMAINING_GAP: what the next iteration should do.
    pub fn next_task(&self) -> Option<String> {
        let section = self.sections.iter().find(|section| section.key == "REMAINING_GAP")?;
        let said = section.lines.iter().filter(|line| !line.trim().is_empty());
        let first: Vec<_> = said.take(NEXT_TASK_LINES_MAX).copied().collect();
        let task = first.join("\n");
        Some(task.trim().to_owned()).filter(|task| !task.is_empty())
    }

    /// REMAINING_GAP with its white space evened out.
    pub fn remaining_gap(&self) -> Option<String> {
        self.text_of("REMAINING_GAP")
    }

    /// The number of lines where there are more than [`LINES_MAX`].
    pub fn lines_over_limit(&self) -> Option<usize> {
        Some(self.lines).filter(|lines| *lines > LINES_MAX)
    }

    /// ORIGINAL_GOAL with its white space evened out.
    pub fn original_goal(&self) -> Option<String> {
        self.text_of("ORIGINAL_GOAL")
    }

    /// The entries of DECISIONS.
    pub fn decisions(&self) -> Vec<String> {
        self.items_of("DECISIONS")
    }

    /// The entries of UNCERTAINTIES, or its text where it lists nothing.
    pub fn uncertainties(&self) -> Vec<String> {
        let items = self.items_of("UNCERTAINTIES");
        if items.is_empty() { self.text_of("UNCERTAINTIES").into_iter().collect() } else { items }
    }

    /// What ORIGINAL_GOAL says where that is not what was recorded first; blank where it is gone.
    pub fn goal_change(&self, recorded: &str) -> Option<String> {
        Some(self.original_goal().unwrap_or_default()).filter(|now| *now != even(recorded))
    }

    /// The text of all sections of a key, with white space evened out; none where that is nothing.
    fn text_of(&self, key: &str) -> Option<String> {
        let even_lines = self.lines_of(key).map(even).filter(|line| !line.is_empty());
        let text = even_lines.collect::<Vec<_>>().join(" ");
        Some(text).filter(|text| !text.is_empty())
    }

    /// The `- ` entries of all sections of a key, each with its indented continuation lines.
    fn items_of(&self, key: &str) -> Vec<String> {
        let mut items: Vec<String> = Vec::new();
        for section in self.sections.iter().filter(|section| section.key == key) {
            let mut open = false;
            for line in &section.lines {
                let text = even(line);
                if let Some(entry) = line.strip_prefix("- ").map(even).filter(|entry| !entry.is_empty()) {
                    items.push(entry);
                    open = true;
                } else if open && line.starts_with([' ', '\t']) && !text.is_empty() {
                    if let Some(last) = items.last_mut() {
                        last.push(' ');
                        last.push_str(&text);
                    }
                } else {
                    open = false;
                }
            }
        }
        items
    }

    /// Which of the four perspectives but the approach say nothing.
    fn perspectives_missing(&self) -> Vec<BriefGap> {
        let keys = ["STRENGTHS", "RISKS", "GAPS"].into_iter();
        keys.filter(|key| self.text_of(key).is_none()).map(BriefGap::Missing).collect()
    }

    /// By the number that CONFIDENCE says, read in one of two ways.
    fn confidence_gap(&self, read: impl Fn(&str) -> Option<u8>) -> Option<BriefGap> {
        let Some(found) = self.confidence() else { return Some(BriefGap::Missing("CONFIDENCE")) };
        match read(&found) {
            Some(found) => (found < CONFIDENCE_MIN).then_some(BriefGap::ConfidenceTooLow { found }),
            None => Some(BriefGap::ConfidenceUnreadable { found }),
        }
    }

    /// The line that each CONFIDENCE says, with single blanks. What stands further below it is prose.
    fn confidence(&self) -> Option<String> {
        let sections = self.sections.iter().filter(|section| section.key == "CONFIDENCE");
        let said = sections.filter_map(|section| section.lines.iter().find(|line| !line.trim().is_empty()));
        let text = said.map(|line| even(line)).collect::<Vec<_>>().join(" ");
        Some(text).filter(|text| !text.is_empty())
    }

    /// How wide APPROACH is as it stands there; none where there is none.
    fn approach_columns(&self) -> Option<usize> {
        let approach: Vec<_> = self.lines_of("APPROACH").collect();
        self.has("APPROACH").then(|| approach.join(" ").trim().width())
    }

    fn has(&self, key: &str) -> bool {
        self.sections.iter().any(|section| section.key == key)
    }

    /// The lines of all sections of a key.
    fn lines_of(&self, key: &str) -> impl Iterator<Item = &str> {
        let sections = self.sections.iter().filter(move |section| section.key == key);
        sections.flat_map(|section| section.lines.iter().copied())
    }
}

/// `KEY: rest`: capitals and underscores at the left margin.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, rest) = line.split_once(':')?;
    let is_key =
        !key.is_empty() && key.chars().all(|character| character.is_ascii_uppercase() || character == '_');
    is_key.then_some((key, rest))
}

/// One line, with single blanks.
pub(crate) fn even(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
