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
    let unrun = sources_of_go(&blocks).map(|sources| sources.report(Vec::new()).unrun).unwrap_or_default();
    Some(CoverageReport { coverage: Coverage { covered, total }, unrun, roots: Vec::new() })
}

/// Of more lines a profile says only how many were run: a few bytes name a block of any size.
const BLOCK_LINES_MAX: u64 = 1 << 20;
/// A project with more folders of sources names its files from one of the first.
const ROOTS_MAX: usize = 16;

/// A line on which one block ends and another begins was run if either was. None where a block is none, or too many lines
/// stand in all of them.
fn sources_of_go(blocks: &BTreeMap<&str, (u64, bool)>) -> Option<Sources> {
    let mut sources = Sources::default();
    let mut room = BLOCK_LINES_MAX;
    for (block, (_, was_run)) in blocks {
        let (name, place) = block.rsplit_once(':')?;
        let (from, to) = place.split_once(',')?;
        let line = |place: &str| place.split('.').next()?.parse::<u64>().ok();
        let (from, to) = (line(from)?, line(to)?);
        room = room.checked_sub(to.saturating_sub(from).saturating_add(1))?;
        let number = sources.number(name);
        (from..=to).try_for_each(|line| sources.each[number].push(line, *was_run))?;
    }
    Some(sources)
}

/// Of a source that several tests ran, each line counts once.
fn lcov(text: &str) -> Option<CoverageReport> {
    let mut sources = Sources::default();
    let mut source = None;
    let mut ended = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        ended = line == "end_of_record";
        match line.split_once(':') {
            Some(("SF", path)) => source = Some(sources.number(path)),
            Some(("DA", data)) => {
                let mut numbers = data.split(',');
                let number: u64 = numbers.next()?.parse().ok()?;
                // Some writers have counts below zero; they overflowed.
                let count: i128 = numbers.next()?.parse().ok()?;
                sources.each[source?].push(number, count != 0)?;
            }
            Some(("LF", number)) => sum_up(&mut sources.each[source?].stated.total, number)?,
            Some(("LH", number)) => sum_up(&mut sources.each[source?].stated.covered, number)?,
            Some(_) => {}
            None if ended => source = None,
            None => return None,
        }
    }
    let report = sources.report(Vec::new());
    (ended && report.coverage.covered <= report.coverage.total).then_some(report)
}

/// The greatest number that is stated of a source.
fn sum_up(stated: &mut u64, number: &str) -> Option<()> {
    *stated = (*stated).max(number.trim().parse().ok()?);
    Some(())
}

/// The sources of a file.
#[derive(Debug, Default)]
struct Sources {
    /// Each once, by its name, which may be long.
    numbers: BTreeMap<String, usize>,
    each: Vec<Source>,
}

#[derive(Debug, Default)]
struct Source {
    /// Each line and whether it was run, in a few bytes: a report names millions of them.
    lines: Vec<(u32, bool)>,
    /// So many are sorted, and no two of them are the same.
    sorted: usize,
    /// A writer of LCOV may leave out the lines and give their numbers only.
    stated: Coverage,
}

/// A file with a line further down is none that anybody wrote.
const LINE_MAX: u32 = 1 << 31;

impl Sources {
    /// The number of the source of this name.
    fn number(&mut self, name: &str) -> usize {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        self.numbers.insert(name.to_owned(), self.each.len());
        self.each.push(Source::default());
        self.each.len() - 1
    }

    /// What all of them say together. Of a source without lines nothing is known but what is stated.
    fn report(mut self, roots: Vec<String>) -> CoverageReport {
        let mut report = CoverageReport { roots, ..CoverageReport::default() };
        for (name, number) in self.numbers {
            let mut source = std::mem::take(&mut self.each[number]);
            source.settle();
            if source.lines.is_empty() {
                report.coverage = report.coverage.plus(source.stated);
                continue;
            }
            let covered = source.lines.iter().filter(|(_, was_run)| *was_run).count() as u64;
            report.coverage = report.coverage.plus(Coverage { covered, total: source.lines.len() as u64 });
            report.unrun.insert(name, source.unrun());
        }
        report
    }
}

impl Source {
    fn push(&mut self, line: u64, was_run: bool) -> Option<()> {
        let line = u32::try_from(line).ok().filter(|line| *line < LINE_MAX)?;
        if self.lines.len() == self.lines.capacity() && self.lines.len() > 2 * self.sorted {
            self.settle();
        }
        self.lines.push((line, was_run));
        Some(())
    }

    /// Of a line that was run in one test and not in another one, the first stays.
    fn settle(&mut self) {
        self.lines.sort_unstable_by_key(|(line, was_run)| (*line, !was_run));
        self.lines.dedup_by_key(|(line, _)| *line);
        self.sorted = self.lines.len();
    }

    fn unrun(&self) -> Vec<UnrunLines> {
        let mut ranges: Vec<UnrunLines> = Vec::new();
        for (line, _) in self.lines.iter().filter(|(_, was_run)| !was_run) {
            match ranges.last_mut() {
                Some((_, to)) if *to + 1 == *line => *to = *line,
                Some(_) | None => ranges.push((*line, *line)),
            }
        }
        ranges
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
    let is_whole = file.saw_root && file.path.is_empty();
    let mut report = file.sources.report(file.roots);
    report.coverage = file.stated.unwrap_or(report.coverage);
    (is_whole && report.coverage.covered <= report.coverage.total).then_some(report)
}

/// Elements within elements; a deeper file is no coverage.
const DEPTH_MAX: usize = 64;

#[derive(Debug, Default)]
struct CoveredFile {
    path: Vec<String>,
    saw_root: bool,
    stated: Option<Coverage>,
    class: Option<usize>,
    roots: Vec<String>,
    sources: Sources,
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
            self.class = named.map(|named| self.sources.number(&named));
        }
        let is_in_method = self.path.iter().any(|above| above == "method");
        if name.as_ref() == "line" && !is_in_method {
            self.sources.each[self.class?].push(number("number")?, number("hits")? > 0)?;
        }
        Some(())
    }
}
