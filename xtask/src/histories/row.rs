//! What became of one replayed commit, as a row of a table.

use std::collections::BTreeMap;

use serde_json::Value;

use super::commit::{Commit, Tests};

/// A cell is cut after so many characters.
const CELL_CHARS_MAX: usize = 90;

/// One replayed commit.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) project: String,
    pub(super) commit: String,
    pub(super) tests: &'static str,
    pub(super) base: String,
    pub(super) end: String,
    pub(super) why: String,
    /// The checks on the candidate, in seconds.
    pub(super) suite: Option<f64>,
    /// The whole loop, in suites.
    pub(super) cost: Option<f64>,
}

impl Row {
    pub(super) fn of(project: String, commit: &Commit) -> Self {
        let tests = match commit.tests {
            Tests::Added => "added",
            Tests::Changed => "changed",
            Tests::Inline => "inline",
            Tests::Untouched => "–",
        };
        let commit = commit.short().to_owned();
        let (base, end, why) = (String::new(), String::new(), String::new());
        Self { project, commit, tests, base, end, why, suite: None, cost: None }
    }

    pub(super) fn ended(self, end: &str) -> Self {
        Self { end: end.to_owned(), ..self }
    }

    /// What `gulf status --json` says of the loop.
    pub(super) fn told(self, status: &Value) -> Self {
        let checks: Vec<&Value> = status["checks"].as_array().into_iter().flatten().collect();
        let verdicts = |side: &str| -> Vec<String> {
            let kinds =
                checks.iter().map(|check| check[side]["verdict"]["kind"].as_str().unwrap_or("?").to_owned());
            kinds.collect()
        };
        let durations = checks.iter().filter_map(|check| check["candidate"]["duration_ms"].as_f64());
        let suite = durations.sum::<f64>() / 1e3;
        let active = status["active_ms"].as_f64().unwrap_or_default() / 1e3;
        let suite = (suite > 0.0).then_some(suite);
        Self {
            base: verdicts("base").join(", "),
            end: status["standing"].as_str().unwrap_or("?").to_owned(),
            why: why(status, &checks),
            suite,
            cost: suite.map(|suite| active / suite),
            ..self
        }
    }
}

/// What a reader wants to know who asks why it is not verified, or what verified it.
fn why(status: &Value, checks: &[&Value]) -> String {
    let end = &status["end"];
    let listed = |key: &str| end[key].as_array().into_iter().flatten();
    let mut reasons: Vec<String> = listed("proofs")
        .chain(listed("causes"))
        .filter_map(|item| item["kind"].as_str())
        .map(str::to_owned)
        .collect();
    let red = checks.iter().filter(|check| check["candidate"]["verdict"]["kind"] != "green");
    reasons.extend(red.map(|check| {
        let said = check["candidate"]["summary"].as_str().unwrap_or_default();
        format!("{}: {said}", check["name"].as_str().unwrap_or("a check"))
    }));
    reasons.join("; ")
}

/// The rows and their sums, as Markdown.
pub(super) fn table(rows: &[Row]) -> String {
    let mut lines = vec![
        "| project | commit | its tests | base | end | why | suite (s) | loop ÷ suite |".to_owned(),
        "|---|---|---|---|---|---|---|---|".to_owned(),
    ];
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
    lines.extend(rows.iter().map(|row| {
        let cells = [&row.project, &row.commit, row.tests, &row.base, &row.end].map(cell);
        let (suite, cost) = (number(row.suite), number(row.cost));
        format!("| {} | {} | {suite} | {cost} |", cells.join(" | "), cell(&row.why))
    }));
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        *ends.entry(&row.end).or_default() += 1;
    }
    let ends: Vec<String> = ends.into_iter().map(|(end, count)| format!("{count} {end}")).collect();
    lines.push(format!("\n{} commits: {}", rows.len(), ends.join(", ")));
    lines.join("\n")
}

/// One line without what would end a cell.
fn cell(text: impl AsRef<str>) -> String {
    let line = text.as_ref().split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if line.chars().count() <= CELL_CHARS_MAX {
        return line;
    }
    format!("{}…", line.chars().take(CELL_CHARS_MAX).collect::<String>())
}
