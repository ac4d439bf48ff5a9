//! Tells which form of report each stretch of an output has, and gives its lines to that form's reader.
//!
//! Outputs join reports (`npm test && cargo test`) and quote them (a failing test prints its own output): while one
//! report is open no other may begin, unless the open one could end there.

use super::section::Section;
use super::{
    closings, ctest, go, go_text, jest, libtest, lines, marked, maven, nextest, playwright, prove, pytest,
    swift, tap, unittest, vitest,
};

/// Opens a report where the line begins one.
type FormReader = fn(&str) -> Option<Box<dyn Reader>>;

/// In the order in which they are asked: a line may begin several.
const FORMS: [FormReader; 16] = [
    begun::<libtest::Libtest>,
    begun::<nextest::Nextest>,
    begun::<pytest::Pytest>,
    begun::<tap::Tap>,
    begun::<prove::Prove>,
    begun::<go::Go>,
    begun::<go_text::GoText>,
    begun::<playwright::Playwright>,
    begun::<jest::Jest>,
    begun::<vitest::Vitest>,
    begun::<maven::Maven>,
    begun::<ctest::Ctest>,
    begun::<swift::Swift>,
    begun::<closings::Closings>,
    begun::<marked::MarkedReport>,
    begun::<unittest::Unittest>,
];

/// Reads the lines of one report.
pub(super) trait Reader {
    /// Does such a report begin with this line?
    fn begins(line: &str) -> bool
    where
        Self: Sized;
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
        if may_begin && let Some(reader) = FORMS.iter().find_map(|begun| begun(&line)) {
            sections.extend(open.replace(reader).and_then(|ended| ended.finish()));
        }
        if let Some(reader) = &mut open {
            reader.read(&line);
        }
    }
    sections.extend(open.and_then(|ended| ended.finish()));
    sections
}

fn begun<Form: Reader + Default + 'static>(line: &str) -> Option<Box<dyn Reader>> {
    Form::begins(line).then(|| Box::new(Form::default()) as Box<dyn Reader>)
}
