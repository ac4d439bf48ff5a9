//! How much of the code a coverage file says was run: LCOV, Cobertura's XML, or Go's profile (SPEC L3).
//!
//! It stands apart because it is a file that a check leaves behind, and because a file that was cut says nothing: a
//! number from half of it would be taken for an improvement.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::reports::attribute;

#[cfg(test)]
mod tests;

/// Lines that could be run, and those of them that were; of Go, statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub covered: u64,
    pub total: u64,
}

/// Reads a file of any of the forms, as its beginning tells; none where it is none of them, or was cut.
pub fn read(file: &[u8]) -> Option<Coverage> {
    let text = std::str::from_utf8(file).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.starts_with("mode: ") {
        return go(text);
    }
    if text.trim_start().starts_with('<') { cobertura(text) } else { lcov(text) }
}

/// `file.go:1.13,3.2 2 1`: a block, how many statements it has, and how often it was run. A block that several packages'
/// tests could run stands there several times, and counts once.
fn go(text: &str) -> Option<Coverage> {
    let mut blocks: BTreeMap<&str, (u64, bool)> = BTreeMap::new();
    if !text.ends_with('\n') {
        return None;
    }
    for line in text.lines().filter(|line| !line.starts_with("mode: ")) {
        let (rest, count) = line.rsplit_once(' ')?;
        let (block, statements) = rest.rsplit_once(' ')?;
        block.rsplit_once(':').filter(|(_, place)| place.contains(','))?;
        let (count, statements): (u64, u64) = (count.parse().ok()?, statements.parse().ok()?);
        let (_, was_run) = blocks.entry(block).or_insert((statements, false));
        *was_run |= count > 0;
    }
    let sum = |sum: u64, (statements, _): &(u64, bool)| sum.saturating_add(*statements);
    let total = blocks.values().fold(0, sum);
    let covered = blocks.values().filter(|(_, was_run)| *was_run).fold(0, sum);
    Some(Coverage { covered, total })
}

/// Of a source that several tests ran, each line counts once.
fn lcov(text: &str) -> Option<Coverage> {
    let mut lines = LineSet::default();
    let mut sources: BTreeMap<&str, Source> = BTreeMap::new();
    let mut source = None;
    let mut ended = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        ended = line == "end_of_record";
        match line.split_once(':') {
            Some(("SF", path)) => {
                let next = u32::try_from(sources.len()).ok()?;
                sources.entry(path).or_insert(Source { number: next, ..Source::default() });
                source = Some(path);
            }
            Some(("DA", data)) => {
                let mut numbers = data.split(',');
                let number: u64 = numbers.next()?.parse().ok()?;
                // Some writers have counts below zero; they overflowed.
                let count: i128 = numbers.next()?.parse().ok()?;
                let source = sources.get_mut(source?)?;
                source.has_lines = true;
                lines.push(source.number, number, count != 0)?;
            }
            Some(("LF", number)) => sum_up(&mut sources.get_mut(source?)?.stated.total, number)?,
            Some(("LH", number)) => sum_up(&mut sources.get_mut(source?)?.stated.covered, number)?,
            Some(_) => {}
            None if ended => source = None,
            None => return None,
        }
    }
    if !ended {
        return None;
    }
    let mut coverage = lines.coverage();
    // A writer may leave out the lines and give their numbers only.
    for Source { stated, .. } in sources.into_values().filter(|source| !source.has_lines) {
        coverage.covered = coverage.covered.saturating_add(stated.covered);
        coverage.total = coverage.total.saturating_add(stated.total);
    }
    (coverage.covered <= coverage.total).then_some(coverage)
}

/// A source of an LCOV file.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
    number: u32,
    has_lines: bool,
    stated: Coverage,
}

/// The greatest number that is stated of a source.
fn sum_up(stated: &mut u64, number: &str) -> Option<()> {
    *stated = (*stated).max(number.trim().parse().ok()?);
    Some(())
}

/// Lines of sources, each counted once, in one number each: a report names millions of them.
#[derive(Debug, Default)]
struct LineSet {
    /// Source, line, and whether it was run, from the highest bit on.
    packed: Vec<u64>,
    /// So many are sorted, and no two of them are the same.
    sorted: usize,
}

/// A file with a line further down is none that anybody wrote.
const LINE_BITS: u32 = 31;

impl LineSet {
    fn push(&mut self, source: u32, line: u64, was_run: bool) -> Option<()> {
        if line >= 1 << LINE_BITS {
            return None;
        }
        if self.packed.len() == self.packed.capacity() && self.packed.len() > 2 * self.sorted {
            self.settle();
        }
        self.packed.push((u64::from(source) << (LINE_BITS + 1)) | (line << 1) | u64::from(was_run));
        Some(())
    }

    fn settle(&mut self) {
        self.packed.sort_unstable();
        // Of one line that was run and one that was not, the greater stays.
        self.packed.reverse();
        self.packed.dedup_by_key(|packed| *packed >> 1);
        self.sorted = self.packed.len();
    }

    fn coverage(mut self) -> Coverage {
        self.settle();
        let covered = self.packed.iter().filter(|packed| *packed & 1 == 1).count() as u64;
        Coverage { covered, total: self.packed.len() as u64 }
    }
}

/// The root states the lines; where it does not, they are counted.
fn cobertura(text: &str) -> Option<Coverage> {
    let mut reader = Reader::from_str(text);
    let mut file = CoveredFile::default();
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                file.element(&start)?;
                file.path.push(start.local_name().as_ref().to_owned());
            }
            Event::Empty(start) => file.element(&start)?,
            Event::End(_) => {
                if file.path.pop()? == "class" {
                    file.class = None;
                }
            }
            Event::Eof => break,
            Event::Text(_) | Event::CData(_) | Event::Comment(_) | Event::GeneralRef(_) => {}
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    let is_whole = file.saw_root && file.path.is_empty();
    let coverage = file.stated.unwrap_or_else(|| file.lines.coverage());
    (is_whole && coverage.covered <= coverage.total).then_some(coverage)
}

/// Elements within elements; a deeper file is no coverage.
const DEPTH_MAX: usize = 64;

#[derive(Debug, Default)]
struct CoveredFile {
    path: Vec<String>,
    saw_root: bool,
    stated: Option<Coverage>,
    class: Option<u32>,
    /// Each file of the sources once: its name may be long, and its lines many.
    classes: BTreeMap<String, u32>,
    /// Of a file of the sources, and a line.
    lines: LineSet,
}

impl CoveredFile {
    fn element(&mut self, element: &BytesStart<'_>) -> Option<()> {
        let number = |name: &str| attribute(element, name)?.parse::<u64>().ok();
        if self.path.len() >= DEPTH_MAX {
            return None;
        }
        let name = element.local_name();
        if self.path.is_empty() {
            self.saw_root = name.as_ref() == "coverage";
            let both = number("lines-covered").zip(number("lines-valid"));
            self.stated = both.map(|(covered, total)| Coverage { covered, total });
            return self.saw_root.then_some(());
        }
        if name.as_ref() == "class" {
            let named = attribute(element, "filename").or_else(|| attribute(element, "name"));
            let next = u32::try_from(self.classes.len()).ok()?;
            self.class = named.map(|named| *self.classes.entry(named).or_insert(next));
        }
        let is_in_method = self.path.iter().any(|above| above == "method");
        if name.as_ref() == "line" && !is_in_method {
            let class = self.class?;
            self.lines.push(class, number("number")?, number("hits")? > 0)?;
        }
        Some(())
    }
}
