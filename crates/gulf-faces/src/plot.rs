//! The story of a loop as bars, one for each iteration: what failed, what it cost, how long it took, coloured by who said no.
//!
//! Drawn in colours that stand for a meaning; the page's style gives them their look, by day and by night.

use gulf_views::{ScreenLanguage, StoryOutcome, StoryPoint, Tone};
use plotters::coord::Shift;
use plotters::prelude::*;
use serde::Serialize;

/// As wide as a telephone shows without a smaller letter, and as a page does.
const NARROW: (u32, u32) = (340, 320);
const WIDE: (u32, u32) = (960, 360);
const PANEL_LABEL: u32 = 48;
/// Stand for the page's own colours (`templates/style.css`).
const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);

/// One quantity over the iterations.
struct Panel {
    title: String,
    values: Vec<f64>,
    /// Only whole numbers mean something.
    is_whole: bool,
}

/// One colour, and what it means.
#[derive(Debug, Serialize)]
pub(crate) struct LegendEntry {
    tone: Tone,
    words: String,
}

/// Narrow and wide; none where there is nothing to compare.
pub(crate) fn story(points: &[StoryPoint], language: ScreenLanguage) -> Option<[String; 2]> {
    if points.is_empty() {
        return None;
    }
    let panels = panels(points, language);
    Some([drawn(points, &panels, NARROW)?, drawn(points, &panels, WIDE)?])
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

fn panels(points: &[StoryPoint], language: ScreenLanguage) -> Vec<Panel> {
    let is_counted = points.iter().any(|point| point.tests_failed.is_some());
    let failing = |point: &StoryPoint| match is_counted {
        true => figure(point.tests_failed.unwrap_or_default()),
        false => f64::from(point.checks_failed),
    };
    let title = if is_counted { "failing tests" } else { "failing checks" };
    let panel = |title: &str, is_whole: bool, value: &dyn Fn(&StoryPoint) -> f64| Panel {
        title: language.tell(title).into_owned(),
        values: points.iter().map(value).collect(),
        is_whole,
    };
    let mut panels = vec![panel(title, true, &failing)];
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

/// Exact up to more than any loop spends.
#[expect(clippy::cast_precision_loss, reason = "a picture shows three digits of it")]
fn figure(number: u64) -> f64 {
    number as f64
}

/// None where the library refuses, which a page survives without its picture.
fn drawn(points: &[StoryPoint], panels: &[Panel], size: (u32, u32)) -> Option<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        let areas = root.split_evenly((panels.len(), 1));
        for (area, panel) in areas.iter().zip(panels) {
            bars(area, panel, points).ok()?;
        }
        root.present().ok()?;
    }
    Some(svg)
}

type Area<'svg> = DrawingArea<SVGBackend<'svg>, Shift>;
type Drawn<'svg> = Result<(), DrawingAreaErrorKind<<SVGBackend<'svg> as DrawingBackend>::ErrorType>>;

fn bars<'svg>(area: &Area<'svg>, panel: &Panel, points: &[StoryPoint]) -> Drawn<'svg> {
    let count = figure(u64::try_from(points.len()).unwrap_or(u64::MAX));
    let highest = panel.values.iter().copied().fold(0.0, f64::max);
    let top = if highest > 0.0 { highest * 1.1 } else { 1.0 };
    let mut chart = ChartBuilder::on(area)
        .margin_right(8)
        .margin_top(4)
        .caption(&panel.title, ("sans-serif", 13).into_font().color(&INK))
        .x_label_area_size(22)
        .y_label_area_size(PANEL_LABEL)
        .build_cartesian_2d(0.5..count + 0.5, 0.0..top)?;
    // Between two iterations stands nothing.
    let number = |position: &f64| {
        let mut places = points.iter().zip(1_u32..);
        let found = places.find(|(_, place)| (f64::from(*place) - position).abs() < 0.01);
        found.map_or_else(String::new, |(point, _)| point.number.to_string())
    };
    let height = |value: &f64| match panel.is_whole {
        true if value.fract() > 0.01 => String::new(),
        true => format!("{value:.0}"),
        false if top < 10.0 => format!("{value:.2}"),
        false => format!("{value:.0}"),
    };
    let style = ("sans-serif", 12).into_font().color(&INK);
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(points.len().min(12))
        .y_labels(3)
        .x_label_formatter(&number)
        .y_label_formatter(&height)
        .label_style(style)
        .axis_style(GRID)
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .draw()?;
    let bars = points.iter().zip(&panel.values).zip(1_u32..).map(|((point, value), place)| {
        let place = f64::from(place);
        let shown = if *value > 0.0 { *value } else { top * 0.02 };
        Rectangle::new([(place - 0.35, 0.0), (place + 0.35, shown)], colour(point.outcome.tone()).filled())
    });
    chart.draw_series(bars)?;
    Ok(())
}

/// Each stands for a colour of the page's style.
fn colour(tone: Tone) -> RGBColor {
    match tone {
        Tone::Verified => RGBColor(3, 3, 3),
        Tone::Failed => RGBColor(4, 4, 4),
        Tone::Attention => RGBColor(5, 5, 5),
        Tone::Plain | Tone::Literal | Tone::Secondary => RGBColor(6, 6, 6),
    }
}
