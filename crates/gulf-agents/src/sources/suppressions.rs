//! Words in a source that keep a linter, a type checker or a measure of coverage from counting what stands there, as a
//! candidate adds them.
//!
//! Nothing of the base is changed by them: they are counted over all changed files at once, so that what only moved,
//! or was there under another name, was not added.

mod marks;
mod own;
mod places;

use std::collections::{BTreeMap, BTreeSet};

pub use self::own::own_marks;

use self::marks::Mark;
use super::graft::Changed;

/// Marks of one kind that a candidate adds to one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Suppression {
    /// The file.
    pub path: String,
    /// As people write it: `# noqa`, `#[allow]`.
    pub mark: &'static str,
    /// The first of them, from 1.
    pub line: usize,
    /// How many there are.
    pub count: usize,
}

/// Every mark that the candidate's files have and the base's had not.
///
/// `is_run` says whether one of these programs looks at the work: what nobody looks at, nobody is kept from seeing.
/// Marks in strings and in files that are no sources do not count.
pub fn added_suppressions(
    files: &BTreeMap<String, Changed>,
    is_run: &dyn Fn(&[&str]) -> bool,
) -> Vec<Suppression> {
    let (mut before, mut now) = (Vec::new(), Vec::new());
    for (path, file) in files {
        let marks: Vec<&Mark> = marks::marks_for(path).filter(|mark| is_run(mark.programs)).collect();
        let occurrences = |source: &Option<Vec<u8>>| match source {
            Some(source) if !marks.is_empty() => occurrences(path, source, &marks),
            Some(_) | None => Vec::new(),
        };
        before.extend(occurrences(&file.base));
        now.extend(occurrences(&file.candidate));
    }
    let key = |one: &Occurrence<'_>| (one.mark, one.meant.clone(), one.guarded.clone());
    // In its own file first: what is left over there may be the old form of an edited line.
    let (before, now) = unpaired(before, now, |one| (one.path, key(one)));
    let (mut before, now) = unpaired(before, now, key);
    grouped(without_edited(&mut before, now))
}

/// One mark in one line.
#[derive(Debug)]
struct Occurrence<'files> {
    path: &'files str,
    mark: &'static str,
    /// What is written from the mark on, without blanks: which findings it means.
    meant: String,
    /// The code beside it; where it stands alone, the next line.
    guarded: String,
    line: usize,
}

fn occurrences<'files>(path: &'files str, source: &[u8], marks: &[&Mark]) -> Vec<Occurrence<'files>> {
    let text = String::from_utf8_lossy(source);
    let letters = text.chars().filter(|letter| !letter.is_whitespace());
    let compact: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    if !marks.iter().any(|mark| mark.may_be_in(&compact)) {
        return Vec::new();
    }
    let lines = places::lines(path, &text);
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        for mark in marks {
            let Some(meant) = mark.meant_in(line) else { continue };
            let guarded = lines[index..].iter().find(|line| !line.is_alone());
            let guarded = guarded.map(|line| line.code.clone()).unwrap_or_default();
            found.push(Occurrence { path, mark: mark.shown, meant, guarded, line: index + 1 });
        }
    }
    found
}

/// What is left of both where what has the same key on the other side is taken away, each as often as it stands there.
fn unpaired<One, Key: Ord>(
    before: Vec<One>,
    mut now: Vec<One>,
    key: impl Fn(&One) -> Key,
) -> (Vec<One>, Vec<One>) {
    let mut there: BTreeMap<Key, Vec<One>> = BTreeMap::new();
    for one in before {
        there.entry(key(&one)).or_default().push(one);
    }
    now.retain(|one| there.get_mut(&key(one)).and_then(Vec::pop).is_none());
    (there.into_values().flatten().collect(), now)
}

/// Without those that the file had before an edit of the line that they belong to.
fn without_edited<'files>(
    before: &mut Vec<Occurrence<'files>>,
    now: Vec<Occurrence<'files>>,
) -> Vec<Occurrence<'files>> {
    let mut is_old = |one: &Occurrence<'files>| {
        let place = before.iter().position(|old| {
            let same = old.path == one.path && old.mark == one.mark && old.meant == one.meant;
            same && is_like(&old.guarded, &one.guarded)
        });
        place.map(|place| before.swap_remove(place)).is_some()
    };
    now.into_iter().filter(|one| !is_old(one)).collect()
}

/// Do two lines share at least half of their words?
fn is_like(one: &str, other: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let (one, other) = (words(one), words(other));
    2 * one.intersection(&other).count() >= one.len().max(other.len())
}

fn grouped(occurrences: Vec<Occurrence<'_>>) -> Vec<Suppression> {
    let mut found: BTreeMap<(&str, &'static str), (usize, usize)> = BTreeMap::new();
    for one in occurrences {
        let (line, count) = found.entry((one.path, one.mark)).or_insert((one.line, 0));
        *line = one.line.min(*line);
        *count += 1;
    }
    let found = found.into_iter();
    found
        .map(|((path, mark), (line, count))| Suppression { path: path.to_owned(), mark, line, count })
        .collect()
}
