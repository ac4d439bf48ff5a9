//! Pages that are one file: no script, nothing from a network, and every word of a worker's as text.

use gulf_views::{Night, ReportPage, Stats, StatsRow, duration, tame_text};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, Output, State, context, escape_formatter};

use crate::plot;

const STYLE: &str = include_str!("../templates/style.css");
const SHELL: &str = include_str!("../templates/shell.html");
const REPORT: &str = include_str!("../templates/report.html");
const NIGHT: &str = include_str!("../templates/night.html");
const STATS: &str = include_str!("../templates/stats.html");

/// The report of one loop.
pub fn report(page: &ReportPage) -> String {
    shell(&format!("{}: {}", page.word, page.title), report_body(page))
}

/// The same without a frame.
pub(crate) fn report_body(page: &ReportPage) -> String {
    let plots = plot::story(&page.story).map(|[narrow, wide]| {
        context! { narrow => Value::from_safe_string(narrow), wide => Value::from_safe_string(wide) }
    });
    let legend = plot::legend(&page.story);
    let values = context! { page => Serde(page), plots => plots, legend => Serde(&legend) };
    render(REPORT, values)
}

/// All loops of a night.
pub fn night(night: &Night) -> String {
    let groups = night.groups().into_iter();
    let groups: Vec<_> =
        groups.map(|(group, loops)| context! { title => group.title(), loops => Serde(loops) }).collect();
    let values = context! { since => &night.since, brief => &night.brief, groups => groups };
    whole(&format!("since {}", night.since), NIGHT, values)
}

/// Numbers over many loops.
pub fn stats(stats: &Stats) -> String {
    let rows: Vec<Vec<String>> = stats.workers.iter().map(|row| row.cells().to_vec()).collect();
    let values = context! {
        brief => stats.all.brief(),
        lines => stats.all.lines(),
        heads => StatsRow::heads().to_vec(),
        rows => rows,
        is_empty => stats.all.loops == 0,
    };
    whole("numbers over all loops", STATS, values)
}

/// A body in the frame that all pages have.
fn whole(title: &str, template: &str, values: Value) -> String {
    shell(title, render(template, values))
}

fn shell(title: &str, body: String) -> String {
    let style = Value::from_safe_string(STYLE.to_owned());
    render(SHELL, context! { title => title, style => style, body => Value::from_safe_string(body) })
}

pub(crate) fn render(template: &str, values: Value) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(tamed);
    // A line that holds only a tag leaves no line behind, so templates can be laid out for reading.
    let layout = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    environment.set_syntax(layout.unwrap_or_default());
    environment.add_filter("took", duration);
    let rendered = environment.render_str(template, values);
    rendered.expect("the templates are a part of gulf, and a test draws each with every field")
}

/// What would reorder a line or hide in it is spelt out, before markup is escaped.
fn tamed(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    match value.as_str() {
        Some(text) if !value.is_safe() => escape_formatter(out, state, &Value::from(tame_text(text))),
        Some(_) | None => escape_formatter(out, state, value),
    }
}
