//! What the example prints, and what is said of it.

use super::{Aims, Measurement, read, shown};
use std::time::Duration;

fn measurements() -> Vec<(String, Measurement)> {
    let printed = "load: read the journal, fold it\t6000000 12000000 11000000\nsave: append one event\t9000000\n\
        an active loop in memory\tbytes 5000001\nthe state file\tbytes 9000000\n";
    printed.lines().filter_map(read).collect()
}

#[test]
fn what_spec_l9_limits_is_compared_and_nothing_else() {
    let text = shown(&measurements(), Duration::from_millis(2), Aims::Compared);
    let ends = |line: &str, end: &str| text.lines().any(|one| one.starts_with(line) && one.ends_with(end));
    assert!(ends("load:", "aim 5: MISSED"), "{text}");
    assert!(ends("save: append", "4.50"), "{text}");
    assert!(ends("an active loop in memory: 5.000 MB", "aim 5 MB: MISSED"), "{text}");
    assert!(ends("the state file: 9.000 MB", "9.000 MB"), "{text}");
    let text = shown(&measurements(), Duration::from_millis(3), Aims::Compared);
    assert!(text.lines().any(|line| line.starts_with("load:") && line.ends_with("aim 5: met")), "{text}");
    assert!(!shown(&measurements(), Duration::from_millis(2), Aims::Shown).contains("aim"));
}

#[test]
fn a_line_that_says_something_else_is_no_measurement() {
    for line in ["", "a warning", "save\t12 x", "memory\tbytes many"] {
        assert!(read(line).is_none(), "{line}");
    }
}
