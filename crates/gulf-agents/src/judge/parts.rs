//! Splits what a judge is shown into parts that fit a call: at line ends, with their numbers, and without a loss.
//!
//! Apart because of the harm it prevents: what was silently left out of a call was approved unseen. Everything that
//! changed stands in some part, and every part says what stands in the others.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use super::exhibits::{Change, CheckExhibit, Content, Exhibits, Fate, FileExhibit};
use super::fence::{Fence, name, one_line};
use crate::sources::LineRange;

/// No part is smaller than this, whatever was asked for: its headings alone need room.
pub const PART_BYTES_MIN: usize = 16 * 1024;

/// Ranges of changed lines that one heading names.
const RANGES_MAX: usize = 40;
/// The words of a heading beside names, line numbers and ranges.
const HEADING_WORDS_BYTES_MAX: usize = 200;

/// What one call shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// From 1.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
    /// What of the exhibits stands in it.
    pub pieces: Vec<Piece>,
    /// Its text: where everything stands if there are several parts, then each piece in a fence.
    pub material: String,
}

/// A stretch of one exhibit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub of: ExhibitRef,
    /// Of the exhibit's text.
    pub bytes: Range<usize>,
    /// The lines that it touches; the first one may have begun in the part before.
    pub lines: LineRange,
}

/// Which exhibit; the numbers are places in the lists of [`Exhibits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExhibitRef {
    Check(usize),
    File(usize),
    /// A text that there is once, by its heading.
    Text(&'static str),
}

/// The parts of these exhibits, each at most `bytes_max` long (or [`PART_BYTES_MIN`], if that is more).
///
/// A file that fits into one part is not split; a longer one is split at line ends, a longer line at characters.
/// There is always a part. Goal and criteria stand in every prompt, and are not material.
pub fn parts(exhibits: &Exhibits, fence: &Fence, bytes_max: usize) -> Vec<Part> {
    let room = bytes_max.max(PART_BYTES_MIN);
    let items = items(exhibits);
    let whole = pack(&items, fence, room);
    if whole.len() <= 1 {
        let pieces = whole.into_iter().next().unwrap_or_default();
        let material = blocks(&items, &pieces, fence);
        return vec![Part { number: 1, of: 1, pieces, material }];
    }
    let overview_bytes_max = room / 4;
    let packed = pack(&items, fence, room - overview_bytes_max);
    let of = u32::try_from(packed.len()).unwrap_or(u32::MAX);
    let overview = overview(&items, &packed, fence, overview_bytes_max);
    let part = |(number, pieces): (u32, Vec<Piece>)| {
        let material = format!("{overview}{}", blocks(&items, &pieces, fence));
        Part { number, of, pieces, material }
    };
    (1..).zip(packed).map(part).collect()
}

/// An exhibit with its text, ready to be cut.
struct Item<'e> {
    of: ExhibitRef,
    label: String,
    /// Between label and line numbers: what became of a file.
    remark: String,
    text: Cow<'e, str>,
    inside: &'e [LineRange],
}

fn items(exhibits: &Exhibits) -> Vec<Item<'_>> {
    let checks = exhibits.checks.iter().enumerate().map(|(index, check)| check_item(index, check));
    let files = exhibits.files.iter().enumerate().map(|(index, file)| file_item(index, file));
    let listed = |texts: &[String]| {
        let line = |text: &String| format!("- {}\n", one_line(text.trim_end()));
        texts.iter().map(line).collect::<String>()
    };
    let texts = [
        ("alignment", Cow::from(exhibits.alignment.as_str())),
        ("earlier rejections", Cow::from(exhibits.rejections.as_str())),
        ("notes of earlier judges", Cow::from(listed(&exhibits.notes))),
        ("commit messages", Cow::from(listed(&exhibits.commits))),
        ("what the worker says", Cow::from(exhibits.claim.as_str())),
    ];
    let texts = texts.into_iter().filter(|(_, text)| !text.trim().is_empty());
    let texts = texts.map(|(label, text)| {
        let (of, label) = (ExhibitRef::Text(label), label.to_owned());
        Item { of, label, remark: String::new(), text, inside: &[] }
    });
    checks.chain(files).chain(texts).collect()
}

fn check_item(index: usize, check: &CheckExhibit) -> Item<'_> {
    let word = if check.passed { "passed" } else { "failed" };
    let label = format!("check \"{}\" {word}", name(&check.name));
    let remark = format!(", command \"{}\", last part of its output", name(&check.command));
    let text = Cow::from(check.tail.as_str());
    Item { of: ExhibitRef::Check(index), label, remark, text, inside: &[] }
}

fn file_item(index: usize, file: &FileExhibit) -> Item<'_> {
    let remark = match &file.fate {
        Fate::Deleted => ", deleted".to_owned(),
        Fate::Written { change, content } => {
            let change = match change {
                Change::Added => ", new".to_owned(),
                Change::Changed => ", changed".to_owned(),
                Change::Renamed { from } => format!(", renamed from \"{}\"", name(from)),
            };
            let content = match content {
                Content::Text { .. } => String::new(),
                Content::Binary { bytes } => format!(", not shown: {bytes} bytes that are no text"),
                Content::TooLarge { bytes } => format!(", not shown: {bytes} bytes are too many"),
            };
            format!("{change}{content}")
        }
    };
    let (text, inside) = file.text().unwrap_or_default();
    let label = format!("file \"{}\"", name(&file.path));
    Item { of: ExhibitRef::File(index), label, remark, text: Cow::from(text), inside }
}

/// Which pieces stand in which part.
fn pack(items: &[Item<'_>], fence: &Fence, room: usize) -> Vec<Vec<Piece>> {
    let mut packed: Vec<Vec<Piece>> = Vec::new();
    let mut free = 0;
    for item in items {
        let overhead = fence.overhead_bytes(item.heading_bytes_max());
        let mut start = 0;
        let mut line = 1;
        loop {
            let rest = &item.text[start..];
            let wanted = overhead + rest.len();
            if packed.is_empty() || wanted > free {
                packed.push(Vec::new());
                free = room;
            }
            let length = fitting(rest, free.saturating_sub(overhead));
            let (cut, next_line) = item.cut(start..start + length, line);
            free = free.saturating_sub(overhead + length);
            if let Some(part) = packed.last_mut() {
                part.push(cut);
            }
            (start, line) = (start + length, next_line);
            if start >= item.text.len() {
                break;
            }
        }
    }
    packed
}

/// How much of a text fits: all of it, else whole lines, else whole characters, and never nothing.
fn fitting(text: &str, bytes_max: usize) -> usize {
    if text.len() <= bytes_max {
        return text.len();
    }
    let at_most = text.floor_char_boundary(bytes_max);
    let first_character = text.chars().next().map_or(0, char::len_utf8);
    text[..at_most].rfind('\n').map_or(at_most, |newline| newline + 1).max(first_character)
}

impl Item<'_> {
    /// The cut, and the line that follows it.
    fn cut(&self, bytes: Range<usize>, first: usize) -> (Piece, usize) {
        let text = &self.text[bytes.clone()];
        let newlines = text.matches('\n').count();
        let last = if text.ends_with('\n') { first + newlines - 1 } else { first + newlines };
        (Piece { of: self.of, bytes, lines: LineRange { first, last } }, first + newlines)
    }

    fn heading(&self, cut: &Piece) -> String {
        let mut heading = format!("{}{}", self.label, self.remark);
        if self.text.is_empty() {
            return heading;
        }
        let LineRange { first, last } = cut.lines;
        let _ = write!(heading, ", lines {first}-{last} of {}", self.text.split_inclusive('\n').count());
        if cut.bytes.start > 0 && !self.text[..cut.bytes.start].ends_with('\n') {
            let _ = write!(heading, " (line {first} goes on from the part before)");
        }
        let inside = self.inside.iter().filter(|range| range.first <= last && first <= range.last);
        let total = inside.clone().count();
        if total > 0 {
            let ranges: Vec<String> = inside.take(RANGES_MAX).map(LineRange::to_string).collect();
            let _ = write!(heading, "; inside the change: {}", ranges.join(", "));
        }
        if total > RANGES_MAX {
            let _ = write!(heading, " and {} more", total - RANGES_MAX);
        }
        heading
    }

    fn heading_bytes_max(&self) -> usize {
        let number = usize::MAX.to_string().len();
        let ranges = self.inside.len().min(RANGES_MAX) * (2 * number + "-, ".len());
        self.label.len() + self.remark.len() + HEADING_WORDS_BYTES_MAX + ranges
    }
}

fn blocks(items: &[Item<'_>], cuts: &[Piece], fence: &Fence) -> String {
    let known = cuts.iter().filter_map(|cut| Some((cut, items.iter().find(|item| item.of == cut.of)?)));
    known.map(|(cut, item)| fence.around(&item.heading(cut), &item.text[cut.bytes.clone()])).collect()
}

/// Where every exhibit stands; fenced, because the names of files are the worker's.
fn overview(items: &[Item<'_>], packed: &[Vec<Piece>], fence: &Fence, bytes_max: usize) -> String {
    let heading = "where everything stands";
    let room = bytes_max.saturating_sub(fence.overhead_bytes(heading.len()) + HEADING_WORDS_BYTES_MAX);
    let mut text = String::new();
    for (index, item) in items.iter().enumerate() {
        let holds = |part: &Vec<Piece>| part.iter().any(|cut| cut.of == item.of);
        let first = packed.iter().position(holds).map_or(0, |place| place + 1);
        let last = packed.iter().rposition(holds).map_or(0, |place| place + 1);
        let place = if first == last { format!("part {first}") } else { format!("parts {first}-{last}") };
        let line = format!("{place}: {}\n", item.label);
        if text.len() + line.len() > room {
            // The order of the parts is the order of the exhibits.
            let _ = writeln!(text, "and {} more, from part {first} on", items.len() - index);
            break;
        }
        text.push_str(&line);
    }
    fence.around(heading, &text)
}
