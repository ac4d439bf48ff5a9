//! How much of the code a coverage file says was run: LCOV, Cobertura's XML, or Go's profile (SPEC L3).
//!
//! A file that was cut says nothing: a number from half of it would be taken for an improvement.

use std::collections::BTreeMap;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::reports::attribute;

#[cfg(test)]
mod tests;

/// Lines that could be run, and those of them that were; of Go, statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub covered: u64,
    pub total: u64,
}

impl Coverage {
    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        let covered = self.covered.saturating_add(other.covered);
        Self { covered, total: self.total.saturating_add(other.total) }
    }
}

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoverageReport {
    pub coverage: Coverage,
    /// Of each source, by the name that the file has for it, the lines that were not run; none where all were.
    pub unrun: BTreeMap<String, Vec<UnrunLines>>,
    /// Folders to which the names are relative, where the file says so.
    pub roots: Vec<String>,
}

/// From a line to a line, both included, counted from 1.
pub type UnrunLines = (u32, u32);

/// Reads a file of any of the forms, as its beginning tells; none where it is none of them, or was cut.
pub fn read(file: &[u8]) -> Option<CoverageReport> {
    let text = std::str::from_utf8(file).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.starts_with("mode: ") {
        return go(text);
    }
    if text.trim_start().starts_with('<') { cobertura(text) } else { lcov(text) }
}

/// `file.go:1.13,3.2 2 1`: a block, how many statements it has, and how often it was run. A block that several packages'
/// tests could run stands there several times, and counts once.
fn go(text: &str) -> Option<CoverageReport> {
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
    let unrun = lines_of_go(&blocks).unwrap_or_default();
    Some(CoverageReport { coverage: Coverage { covered, total }, unrun, roots: Vec::new() })
}

/// Of more lines a profile says only how many were run: a few bytes name a block of any size.
const BLOCK_LINES_MAX: u64 = 1 << 20;
/// A project with more folders of sources names its files from one of the first.
const ROOTS_MAX: usize = 16;

/// A line on which one block ends and another begins was run if either was. None where a block is none, or too many lines
/// stand in all of them.
fn lines_of_go(blocks: &BTreeMap<&str, (u64, bool)>) -> Option<BTreeMap<String, Vec<UnrunLines>>> {
    let mut lines = LineSet::default();
    let mut room = BLOCK_LINES_MAX;
    for (block, (_, was_run)) in blocks {
        let (name, place) = block.rsplit_once(':')?;
        let (from, to) = place.split_once(',')?;
        let line = |place: &str| place.split('.').next()?.parse::<u64>().ok();
        let (from, to) = (line(from)?, line(to)?);
        room = room.checked_sub(to.saturating_sub(from).saturating_add(1))?;
        let source = lines.source(name)?;
        (from..=to).try_for_each(|line| lines.push(source, line, *was_run))?;
    }
    lines.settle();
    Some(lines.unrun())
}

/// Of a source that several tests ran, each line counts once.
fn lcov(text: &str) -> Option<CoverageReport> {
    let mut lines = LineSet::default();
    let mut sources: BTreeMap<u32, Source> = BTreeMap::new();
    let mut source = None;
    let mut ended = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        ended = line == "end_of_record";
        match line.split_once(':') {
            Some(("SF", path)) => source = Some(lines.source(path)?),
            Some(("DA", data)) => {
                let mut numbers = data.split(',');
                let number: u64 = numbers.next()?.parse().ok()?;
                // Some writers have counts below zero; they overflowed.
                let count: i128 = numbers.next()?.parse().ok()?;
                sources.entry(source?).or_default().has_lines = true;
                lines.push(source?, number, count != 0)?;
            }
            Some(("LF", number)) => sum_up(&mut sources.entry(source?).or_default().stated.total, number)?,
            Some(("LH", number)) => sum_up(&mut sources.entry(source?).or_default().stated.covered, number)?,
            Some(_) => {}
            None if ended => source = None,
            None => return None,
        }
    }
    if !ended {
        return None;
    }
    lines.settle();
    // A writer may leave out the lines and give their numbers only.
    let unnamed = sources.values().filter(|source| !source.has_lines).map(|source| source.stated);
    let coverage = unnamed.fold(lines.coverage(), Coverage::plus);
    lines.report(coverage, Vec::new())
}

/// A source of an LCOV file.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
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
    /// Each source once, by its name, which may be long.
    sources: BTreeMap<String, u32>,
    /// Source, line, and whether it was run, from the highest bit on.
    packed: Vec<u64>,
    /// So many are sorted, and no two of them are the same.
    sorted: usize,
}

/// A file with a line further down is none that anybody wrote.
const LINE_BITS: u32 = 31;

impl LineSet {
    /// The number of a source of this name.
    fn source(&mut self, name: &str) -> Option<u32> {
        if let Some(known) = self.sources.get(name) {
            return Some(*known);
        }
        let next = u32::try_from(self.sources.len()).ok()?;
        self.sources.insert(name.to_owned(), next);
        Some(next)
    }

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

    /// Of settled ones.
    fn coverage(&self) -> Coverage {
        let covered = self.packed.iter().filter(|packed| *packed & 1 == 1).count() as u64;
        Coverage { covered, total: self.packed.len() as u64 }
    }

    /// Of settled ones, where so much is covered of what there is.
    fn report(&self, coverage: Coverage, roots: Vec<String>) -> Option<CoverageReport> {
        (coverage.covered <= coverage.total).then(|| CoverageReport { coverage, unrun: self.unrun(), roots })
    }

    /// Of settled ones. Of a source without lines nothing is known.
    fn unrun(&self) -> BTreeMap<String, Vec<UnrunLines>> {
        let mut names: Vec<&String> = self.sources.keys().collect();
        names.sort_by_key(|name| self.sources[*name]);
        let mut unrun: BTreeMap<String, Vec<UnrunLines>> = BTreeMap::new();
        for packed in self.packed.iter().rev() {
            let source = usize::try_from(packed >> (LINE_BITS + 1)).ok().and_then(|number| names.get(number));
            let line = u32::try_from((packed >> 1) & ((1 << LINE_BITS) - 1));
            let (Some(source), Ok(line)) = (source, line) else { continue };
            if !unrun.contains_key(*source) {
                unrun.insert((*source).clone(), Vec::new());
            }
            let Some(ranges) = unrun.get_mut(*source).filter(|_| packed & 1 == 0) else { continue };
            match ranges.last_mut() {
                Some((_, to)) if *to + 1 == line => *to = line,
                Some(_) | None => ranges.push((line, line)),
            }
        }
        unrun
    }
}

/// The root states the lines; where it does not, they are counted.
fn cobertura(text: &str) -> Option<CoverageReport> {
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
            Event::Text(text)
                if file.roots.len() < ROOTS_MAX && file.path.last().is_some_and(|name| name == "source") =>
            {
                file.roots.push(text.xml_content(XmlVersion::Implicit1_0).trim().to_owned());
            }
            Event::Text(_) | Event::CData(_) | Event::Comment(_) | Event::GeneralRef(_) => {}
            Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
    file.lines.settle();
    let coverage = file.stated.unwrap_or_else(|| file.lines.coverage());
    let is_whole = file.saw_root && file.path.is_empty();
    is_whole.then(|| file.lines.report(coverage, file.roots))?
}

/// Elements within elements; a deeper file is no coverage.
const DEPTH_MAX: usize = 64;

#[derive(Debug, Default)]
struct CoveredFile {
    path: Vec<String>,
    saw_root: bool,
    stated: Option<Coverage>,
    class: Option<u32>,
    roots: Vec<String>,
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
            self.class = named.and_then(|named| self.lines.source(&named));
        }
        let is_in_method = self.path.iter().any(|above| above == "method");
        if name.as_ref() == "line" && !is_in_method {
            let class = self.class?;
            self.lines.push(class, number("number")?, number("hits")? > 0)?;
        }
        Some(())
    }
}
