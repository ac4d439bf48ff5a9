//! The story of a loop as bars, one for each iteration: what failed, what it cost, how long it took, coloured by who said no.
//!
//! Here is worked out what stands where; `templates/report.html` draws it, as wide as the page is and in its colours.

use gulf_views::{ScreenLanguage, StoryOutcome, StoryPoint, Tone};
use serde::Serialize;

/// The highest bar, in pixels.
const HEIGHT: f64 = 64.0;
/// Where the first bar begins, in percent of the width: what stands before are the figures.
const START: f64 = 13.0;
/// More numbers of iterations would stand in each other's way on a telephone.
const NUMBERS_MAX: usize = 12;

/// One quantity over the iterations.
#[derive(Debug, Serialize)]
pub(crate) struct Panel {
    title: String,
    /// Lines across, each with its height in pixels and its figure.
    lines: Vec<(f64, String)>,
    bars: Vec<Bar>,
}

/// One iteration: widths in percent, its height in pixels.
#[derive(Debug, Serialize)]
struct Bar {
    tone: Tone,
    start: f64,
    middle: f64,
    width: f64,
    height: f64,
    /// None where there is no room for it.
    number: Option<u32>,
}

/// One colour, and what it means.
#[derive(Debug, Serialize)]
pub(crate) struct LegendEntry {
    tone: Tone,
    words: String,
}

/// Nothing where there is nothing to compare.
pub(crate) fn panels(points: &[StoryPoint], language: ScreenLanguage) -> Vec<Panel> {
    if points.is_empty() {
        return Vec::new();
    }
    let panel = |title: &str, is_whole: bool, value: &dyn Fn(&StoryPoint) -> f64| {
        let values: Vec<f64> = points.iter().map(value).collect();
        let highest = values.iter().copied().fold(0.0, f64::max);
        let top = if highest > 0.0 { highest } else { 1.0 };
        let title = language.tell(title).into_owned();
        Panel { title, lines: lines(top, is_whole), bars: bars(points, &values, top) }
    };
    let is_counted = points.iter().any(|point| point.tests_failed.is_some());
    let mut panels = vec![match is_counted {
        true => panel("failing tests", true, &|point| figure(point.tests_failed.unwrap_or_default())),
        false => panel("failing checks", true, &|point| f64::from(point.checks_failed)),
    }];
    if points.iter().any(|point| point.microdollars > 0) {
        panels.push(panel("US dollars", false, &|point| figure(point.microdollars) / 1e6));
    }
    let (title, unit) = if points.iter().any(|one| one.duration_ms >= 120_000) {
        ("minutes", 60_000.0)
    } else {
        ("seconds", 1000.0)
    };
    panels.push(panel(title, false, &|point| figure(point.duration_ms) / unit));
    panels
}

/// At the bottom, at the top, and between them where that is a figure.
fn lines(top: f64, is_whole: bool) -> Vec<(f64, String)> {
    let shown = [0.0, top / 2.0, top].into_iter().filter(|value| !is_whole || value.fract() == 0.0);
    let digits = if is_whole || top >= 10.0 { 0 } else { 2 };
    shown.map(|value| (rounded(value / top * HEIGHT), format!("{value:.digits$}"))).collect()
}

fn bars(points: &[StoryPoint], values: &[f64], top: f64) -> Vec<Bar> {
    let each = (100.0 - START) / count(points.len());
    let step = points.len().div_ceil(NUMBERS_MAX);
    let bar = |(place, (point, value)): (usize, (&StoryPoint, &f64))| Bar {
        tone: point.outcome.tone(),
        start: rounded(START + each * (count(place) + 0.15)),
        middle: rounded(START + each * (count(place) + 0.5)),
        width: rounded(each * 0.7),
        // Nothing is a bar, too: the iteration was there.
        height: rounded((value / top).max(0.02) * HEIGHT),
        number: Some(point.number).filter(|_| place % step == 0),
    };
    points.iter().zip(values).enumerate().map(bar).collect()
}

/// As exactly as a screen shows it.
fn rounded(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}

fn count(number: usize) -> f64 {
    figure(u64::try_from(number).unwrap_or(u64::MAX))
}

/// What the colours of these iterations say, each once.
pub(crate) fn legend(points: &[StoryPoint]) -> Vec<LegendEntry> {
    let mut entries: Vec<LegendEntry> = Vec::new();
    for outcome in StoryOutcome::ALL.iter().filter(|one| points.iter().any(|point| point.outcome == **one)) {
        match entries.iter_mut().find(|entry| entry.tone == outcome.tone()) {
            Some(entry) => entry.words = format!("{}, {}", entry.words, outcome.word()),
            None => entries.push(LegendEntry { tone: outcome.tone(), words: outcome.word().to_owned() }),
        }
    }
    entries
}

/// Exact up to more than any loop spends.
#[expect(clippy::cast_precision_loss, reason = "a picture shows three digits of it")]
fn figure(number: u64) -> f64 {
    number as f64
}
