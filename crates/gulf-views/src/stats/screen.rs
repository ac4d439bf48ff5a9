//! The numbers as a screen: what is verified first, then who refused what, then each worker in a line.

use super::{Stats, StatsJudge, StatsRefusals, StatsRow, StatsWorker};
use crate::cost::dollars;
use crate::look::Look;
use crate::phrase::{Phrase, say};
use crate::screen::{cut, section};
use crate::text;

const COLUMNS: [&str; 7] = ["worker", "loops", "verified", "iterations", "per dollar", "per hour", "refused"];
const GAP: &str = "  ";

/// Nothing but a sentence where there is no loop.
pub fn stats(stats: &Stats, look: Look) -> String {
    let all = &stats.all;
    if all.loops == 0 {
        return say("No loop has started yet.").paragraph(look, 0);
    }
    let lines = all_lines(all).into_iter().map(say);
    let head = say(in_brief(all)).paragraph(look, 2);
    head + &section(say("all loops"), lines, look) + &table(&stats.workers, look)
}

/// `12 loops: 7 verified, 1 attested, 3 failed, 1 unfinished`
fn in_brief(row: &StatsRow) -> String {
    let parts = [
        (row.verified, "verified"),
        (row.attested, "attested"),
        (row.failed, "ended otherwise"),
        (row.unfinished, "unfinished"),
    ];
    let told = parts.iter().filter(|(number, _)| *number > 0);
    let told: Vec<String> = told.map(|(number, word)| format!("{number} {word}")).collect();
    format!("{}: {}", text::count(row.loops, "loop", "loops"), told.join(", "))
}

impl StatsRow {
    /// Each sentence of a row, for screens and pages.
    pub fn lines(&self) -> Vec<String> {
        all_lines(self)
    }

    /// How its loops ended.
    pub fn brief(&self) -> String {
        in_brief(self)
    }

    /// In one line for a table: worker, loops, verified, iterations, per dollar, per hour, refused.
    pub fn cells(&self) -> [String; 7] {
        let rate = |rate: Option<f64>| rate.map_or_else(unknown, |rate| format!("{rate:.2}"));
        [
            self.worker.as_ref().map_or_else(|| "all".to_owned(), StatsWorker::name),
            self.loops.to_string(),
            self.verified.to_string(),
            self.iterations_to_verified.map_or_else(unknown, |iterations| iterations.to_string()),
            rate(self.verified_per_dollar),
            rate(self.verified_per_hour),
            self.refused_bp.map_or_else(unknown, percent),
        ]
    }

    /// What stands above [`StatsRow::cells`].
    pub fn heads() -> [&'static str; 7] {
        COLUMNS
    }
}

impl StatsWorker {
    /// `claude`, `claude:opus`
    pub fn name(&self) -> String {
        match &self.model {
            Some(model) => format!("{}:{model}", self.agent),
            None => self.agent.clone(),
        }
    }
}

/// It is no zero.
fn unknown() -> String {
    "–".to_owned()
}

fn percent(basis_points: u32) -> String {
    format!("{} %", (basis_points + 50) / 100)
}

fn all_lines(row: &StatsRow) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(iterations) = row.iterations_to_verified {
        lines.push(format!("{} to a verified end (median)", text::iterations(iterations)));
    }
    // Nothing counted is not nothing spent.
    let work = text::duration(row.active_ms);
    let spent = if row.microdollars > 0 {
        format!("{} in {work} of work", dollars(row.microdollars))
    } else {
        format!("{work} of work")
    };
    let rates = [(row.verified_per_dollar, "dollar"), (row.verified_per_hour, "hour")];
    let rates = rates.iter().filter_map(|(rate, unit)| Some(format!("{:.2} verified per {unit}", (*rate)?)));
    lines.push(std::iter::once(spent).chain(rates).collect::<Vec<_>>().join("; "));
    lines.push(refusals(row));
    lines.extend(judge(row.judge));
    lines
}

fn refusals(row: &StatsRow) -> String {
    let StatsRefusals { checks, integrity, judge, other } = row.refused;
    let by =
        [(checks, "the checks"), (integrity, "the integrity gate"), (judge, "the judge"), (other, "others")];
    let by: Vec<String> = by
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, who)| format!("{number} by {who}"))
        .collect();
    let claims = text::count(row.claims, "claim", "claims");
    match row.refused_bp.filter(|_| !by.is_empty()) {
        Some(share) => format!("{claims}, {} refused: {}", percent(share), by.join(", ")),
        None => format!("{claims}, none refused"),
    }
}

fn judge(judge: StatsJudge) -> Option<String> {
    let StatsJudge { approved, rejected, agreed, overruled } = judge;
    if approved + rejected == 0 {
        return None;
    }
    let said = format!("judges approved {approved} and rejected {rejected}");
    Some(match agreed + overruled {
        0 => format!("{said}; no person has reviewed the same work since"),
        decided => format!("{said}; people decided on {decided} of them since, and agreed with {agreed}"),
    })
}

fn table(workers: &[StatsRow], look: Look) -> String {
    let rows: Vec<[String; 7]> = std::iter::once(COLUMNS.map(str::to_owned))
        .chain(workers.iter().map(StatsRow::cells))
        .map(|row| row.map(|cell| text::one_line(&look.language.tell(&cell))))
        .collect();
    let widest = |place: usize| rows.iter().map(|row| text::columns(&row[place])).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(widest);
    if widths.iter().sum::<usize>() + GAP.len() * (widths.len() - 1) > look.columns() {
        return workers.iter().map(|row| stacked(row, look)).collect();
    }
    let line = |row: &[String; 7]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| text::padded(cell, width));
        cut(Phrase::new().say(cells.collect::<Vec<_>>().join(GAP).trim_end()), look)
    };
    format!("\n{}", rows.iter().map(line).collect::<String>())
}

/// Where a table does not fit.
fn stacked(row: &StatsRow, look: Look) -> String {
    let [name, ..] = row.cells();
    let lines = std::iter::once(in_brief(row)).chain(all_lines(row)).map(say);
    section(say(name), lines, look)
}
