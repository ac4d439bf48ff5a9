//! A screen as a picture: SVG of what stands on it, in its colours.
//!
//! A document shows it, where no program runs any more.

use std::fmt::Write as _;

use vt100::{Cell, Color, Screen};

const CELL_WIDTH: usize = 8;
const LINE_HEIGHT: usize = 18;
const MARGIN: usize = 16;
/// Above the first line: the frame's own, with three buttons and the title.
const HEAD_HEIGHT: usize = 34;

/// What is the same in every picture; the classes are those of [`class`].
const STYLE: &str = "\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6deeb;white-space:pre}
.dim,.title{fill:#8292a8}.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.cyan{fill:#6cc7d9}.bold{font-weight:700}";

/// The lines up to the last one in which something stands.
pub(super) fn draw(screen: &Screen, title: &str) -> String {
    let columns = screen.size().1.get();
    let rows = screen.rows(0, columns).collect::<Vec<_>>();
    let used = rows.iter().rposition(|row| !row.trim().is_empty()).map_or(0, |last| last + 1);
    let width = usize::from(columns) * CELL_WIDTH + 2 * MARGIN;
    let height = HEAD_HEIGHT + used * LINE_HEIGHT + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1724\"/>\n",
        title = escaped(title),
    );
    for (place, fill) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let x = MARGIN + 4 + place * 18;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"17\" r=\"5\" fill=\"{fill}\"/>");
    }
    let _ = writeln!(
        svg,
        "<text class=\"title\" x=\"{}\" y=\"21\" text-anchor=\"middle\">{}</text>",
        width / 2,
        escaped(title)
    );
    for row in 0..used {
        if let Some(line) = line(screen, u16::try_from(row).unwrap_or(u16::MAX)) {
            let y = HEAD_HEIGHT + (row + 1) * LINE_HEIGHT - 4;
            let _ = writeln!(
                svg,
                "<text x=\"{MARGIN}\" y=\"{y}\" textLength=\"{}\">{}</text>",
                line.cells * CELL_WIDTH,
                line.spans
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

struct Line {
    cells: usize,
    spans: String,
}

/// None where nothing stands.
fn line(screen: &Screen, row: u16) -> Option<Line> {
    let mut runs: Vec<(String, String)> = Vec::new();
    let mut cells = 0;
    for column in 0..screen.size().1.get() {
        let cell = screen.cell(row, column)?;
        if cell.is_wide_continuation() {
            continue;
        }
        let text = if cell.has_contents() { cell.contents() } else { " " };
        if !text.trim().is_empty() {
            cells = usize::from(column) + if cell.is_wide() { 2 } else { 1 };
        }
        let class = class(cell);
        match runs.last_mut() {
            Some((last, run)) if *last == class || text == " " => run.push_str(text),
            Some(_) | None => runs.push((class, text.to_owned())),
        }
    }
    let (_, end) = runs.last_mut()?;
    end.truncate(end.trim_end().len());
    if cells == 0 {
        return None;
    }
    let span = |(class, text): &(String, String)| match class.as_str() {
        "" => escaped(text),
        class => format!("<tspan class=\"{class}\">{}</tspan>", escaped(text)),
    };
    Some(Line { cells, spans: runs.iter().map(span).collect() })
}

/// gulf uses no colours but these.
fn class(cell: &Cell) -> String {
    let colour = match cell.fgcolor() {
        Color::Idx(1 | 9) => Some("red"),
        Color::Idx(2 | 10) => Some("green"),
        Color::Idx(3 | 11) => Some("yellow"),
        Color::Idx(6 | 14) => Some("cyan"),
        Color::Default | Color::Idx(_) | Color::Rgb(..) => None,
    };
    let dim = cell.dim().then_some("dim").filter(|_| colour.is_none());
    let bold = cell.bold().then_some("bold");
    colour.into_iter().chain(dim).chain(bold).collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
