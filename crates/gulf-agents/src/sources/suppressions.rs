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
        if !marks.is_empty() {
            before.extend(file.base.iter().flat_map(|source| occurrences(path, source, &marks)));
            now.extend(file.candidate.iter().flat_map(|source| occurrences(path, source, &marks)));
        }
    }
    let key = |one: &Occurrence<'_>| (one.mark, one.meant.clone(), one.guarded.clone());
    // In its own file first: what is left over there may be the old form of an edited line.
    let [before, now] = unpaired(before, now, |one| (one.path, key(one)));
    let [mut before, mut now] = unpaired(before, now, key);
    // Then the file had it before an edit of the line that it belongs to.
    now.retain(|one| {
        let is_same = |old: &Occurrence<'_>| {
            (old.path, old.mark, &old.meant) == (one.path, one.mark, &one.meant)
                && is_like(&old.guarded, &one.guarded)
        };
        before.iter().position(is_same).map(|place| before.swap_remove(place)).is_none()
    });
    grouped(now)
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
fn unpaired<One, Key: Ord>(before: Vec<One>, mut now: Vec<One>, key: impl Fn(&One) -> Key) -> [Vec<One>; 2] {
    let mut there: BTreeMap<Key, Vec<One>> = BTreeMap::new();
    for one in before {
        there.entry(key(&one)).or_default().push(one);
    }
    now.retain(|one| there.get_mut(&key(one)).and_then(Vec::pop).is_none());
    [there.into_values().flatten().collect(), now]
}

/// Do two lines share at least half of their words?
fn is_like(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| {
        let words = text.split(|character: char| !(character.is_alphanumeric() || character == '_'));
        words.filter(|word| !word.is_empty()).collect::<BTreeSet<&str>>()
    });
    2 * one.intersection(&other).count() >= one.len().max(other.len())
}

fn grouped(mut occurrences: Vec<Occurrence<'_>>) -> Vec<Suppression> {
    occurrences.sort_by_key(|one| (one.path, one.mark, one.line));
    let alike = occurrences.chunk_by(|one, other| (one.path, one.mark) == (other.path, other.mark));
    let suppression = |all: &[Occurrence<'_>]| {
        let Occurrence { path, mark, line, .. } = all[0];
        Suppression { path: path.to_owned(), mark, line, count: all.len() }
    };
    alike.map(suppression).collect()
}
