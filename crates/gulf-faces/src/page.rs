//! Pages that are one file: no script, nothing from a network, and every word of a worker's as text.

use gulf_views::{Night, ReportPage, RiskyFile, Stats, StatsRow};
use minijinja::context;
use minijinja::value::{Serde, Value};

use crate::change::{self, ChangeReader};
use crate::markup::{PageTerms, render};
use crate::plot;

const STYLE: &str = include_str!("../templates/style.css");
const SHELL: &str = include_str!("../templates/shell.html");
const REPORT: &str = include_str!("../templates/report.html");
const NIGHT: &str = include_str!("../templates/night.html");
const STATS: &str = include_str!("../templates/stats.html");

/// So much of a change has colours: they are most of its markup.
const COLOURED_BYTES_MAX: usize = 60_000;

/// The report of one loop.
pub fn report(page: &ReportPage, terms: PageTerms) -> String {
    shell(&format!("{}: {}", page.word, page.title), report_body(page, terms), terms)
}

/// The same without a frame.
pub(crate) fn report_body(page: &ReportPage, terms: PageTerms) -> String {
    let (panels, legend) = (plot::panels(&page.story, terms.language), plot::legend(&page.story));
    let mut bytes = 0;
    let files: Vec<Value> = page.files.iter().map(|file| risky_file(file, &mut bytes, terms)).collect();
    let (panels, legend) = (Serde(&panels), Serde(&legend));
    let values = context! { page => Serde(page), files => files, panels => panels, legend => legend };
    render(REPORT, values, terms)
}

/// With its places, in colours while there is room for them.
fn risky_file(file: &RiskyFile, bytes: &mut usize, terms: PageTerms) -> Value {
    let places = file.places.iter().map(|place| {
        let lines = [std::slice::from_ref(&place.head), &place.lines].concat();
        let path = if *bytes < COLOURED_BYTES_MAX { file.path.as_str() } else { "" };
        let drawn = change::drawn(ChangeReader::of_path(path), &lines, terms);
        *bytes += drawn.as_str().map_or(0, str::len);
        drawn
    });
    let places: Vec<Value> = places.collect();
    context! { places => places, ..Value::from(Serde(file)) }
}

/// All loops of a night.
pub fn night(night: &Night, terms: PageTerms) -> String {
    let groups = night.groups().into_iter();
    let groups: Vec<_> =
        groups.map(|(group, loops)| context! { title => group.title(), loops => Serde(loops) }).collect();
    let values = context! { since => &night.since, brief => &night.brief, groups => groups };
    whole(&terms.language.tell(&format!("since {}", night.since)), NIGHT, values, terms)
}

/// Numbers over many loops.
pub fn stats(stats: &Stats, terms: PageTerms) -> String {
    let rows: Vec<Vec<String>> = stats.workers.iter().map(|row| row.cells().to_vec()).collect();
    let values = context! {
        brief => stats.all.brief(),
        lines => stats.all.lines(),
        heads => StatsRow::HEADS.to_vec(),
        rows => rows,
        is_empty => stats.all.loops == 0,
    };
    whole(&terms.language.tell("numbers over all loops"), STATS, values, terms)
}

/// A body in the frame that all pages have.
fn whole(title: &str, template: &str, values: Value, terms: PageTerms) -> String {
    shell(title, render(template, values, terms), terms)
}

fn shell(title: &str, body: String, terms: PageTerms) -> String {
    let style = Value::from_safe_string(STYLE.to_owned());
    let values = context! { title => title, style => style, body => Value::from_safe_string(body) };
    render(SHELL, values, terms)
}
