//! Tells which form of report each stretch of an output has, and gives its lines to that form's reader.
//!
//! Outputs join reports (`npm test && cargo test`) and quote them (a failing test prints its own output): while one
//! report is open no other may begin, unless the open one could end there.

use super::section::Section;
use super::{
    closings, ctest, go, go_text, jest, libtest, lines, marked, maven, nextest, playwright, prove, pytest,
    swift, tap, unittest, vitest,
};

/// Reads the lines of one report.
pub(super) trait Reader {
    /// Takes the next line.
    fn read(&mut self, line: &str);
    /// Could the report be over before this line? Only then may another one begin with it.
    fn may_end_before(&self, line: &str) -> bool;
    /// What was read; none if there turned out to be no report at all.
    fn finish(self: Box<Self>) -> Option<Section>;
}

/// Every report within an output, in order.
pub(super) fn sections(output: &[u8]) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut open: Option<Box<dyn Reader>> = None;
    for line in lines(output) {
        let may_begin = open.as_ref().is_none_or(|reader| reader.may_end_before(&line));
        if may_begin && let Some(reader) = begun_by(&line) {
            sections.extend(open.replace(reader).and_then(|ended| ended.finish()));
        }
        if let Some(reader) = &mut open {
            reader.read(&line);
        }
    }
    sections.extend(open.and_then(|ended| ended.finish()));
    sections
}

fn begun_by(line: &str) -> Option<Box<dyn Reader>> {
    libtest::begun_by(line)
        .or_else(|| nextest::begun_by(line))
        .or_else(|| pytest::begun_by(line))
        .or_else(|| tap::begun_by(line))
        .or_else(|| prove::begun_by(line))
        .or_else(|| go::begun_by(line))
        .or_else(|| go_text::begun_by(line))
        .or_else(|| playwright::begun_by(line))
        .or_else(|| jest::begun_by(line))
        .or_else(|| vitest::begun_by(line))
        .or_else(|| maven::begun_by(line))
        .or_else(|| ctest::begun_by(line))
        .or_else(|| swift::begun_by(line))
        .or_else(|| closings::begun_by(line))
        .or_else(|| marked::begun_by(line))
        .or_else(|| unittest::begun_by(line))
}
