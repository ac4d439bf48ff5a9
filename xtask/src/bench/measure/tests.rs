//! The arithmetic of the table.

use super::{Row, Samples, table};
use std::time::Duration;

fn samples(milliseconds: &[u64]) -> Samples {
    Samples { taken: milliseconds.iter().copied().map(Duration::from_millis).collect() }
}

#[test]
fn the_median_is_the_middle_sample_whatever_the_order() {
    assert_eq!(samples(&[9, 1, 5]).median(), Duration::from_millis(5));
    assert_eq!(samples(&[4, 1, 3, 2]).median(), Duration::from_millis(2));
}

#[test]
fn no_samples_have_no_length() {
    assert_eq!(samples(&[]).median(), Duration::ZERO);
}

#[test]
fn a_row_shows_median_range_and_ratio_to_the_unit() {
    let taken = samples(&[2, 4, 9]);
    let text = table(&[Row::shown("status", &taken)], Duration::from_millis(2));
    let row = text.lines().last().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(row, "status 4.00 ms 2.00 – 9.00 ms 2.00");
}

#[test]
fn a_unit_of_nothing_gives_no_ratio() {
    let taken = samples(&[2]);
    let text = table(&[Row::shown("status", &taken)], Duration::ZERO);
    assert!(text.ends_with('–'), "{text}");
}

#[test]
fn a_row_says_whether_it_is_what_was_aimed_at() {
    let (taken, unit) = (samples(&[5]), Duration::from_millis(2));
    let line = |units_max| table(&[Row::aimed("a stop", &taken, units_max)], unit);
    assert!(line(2.5).ends_with("aim 2.5: met"), "{}", line(2.5));
    assert!(line(2.0).ends_with("aim 2: MISSED"), "{}", line(2.0));
}
