//! The report as Markdown, of what a page of it holds: the decisive fact in its first lines, then one section for each
//! question a person has.

use super::{LookFirst, Report, ReportBrief, ReportPage, StoryPoint};
use crate::changed_files::{FileKind, total};
use crate::look::Look;
use crate::markdown::{block, code, heading, item, paragraph, prose, quoted, sub_item};
use crate::numbers::feedback_table;
use crate::screen::NextStep;
use crate::text;
use crate::unproven::Statement;

/// How much of the goal stands in the title.
const TITLE_COLUMNS_MAX: usize = 60;

/// The smaller ones are counted.
const FILES_LISTED_MAX: usize = 20;

/// The report as Markdown that reads at 80 columns, without colours.
pub fn report(report: &Report) -> String {
    let page = ReportPage::new(report);
    let or = |body: String, nothing: &str| {
        if body.is_empty() { paragraph(&report.tell(nothing)) } else { body }
    };
    let mut sections = vec![
        ("Why it did not get there", statements(&page.refused)),
        ("What the worker asked", statements(&page.questions)),
        ("What was asked", quoted(&page.goal)),
        ("What became of each task", statements(&page.tasks)),
        ("What was done", done(report, &page)),
        ("What was measured", measured(report)),
        ("What is proven", or(statements(&page.proven), "Nothing.")),
        ("What is not proven", or(statements(&page.unproven), "Nothing known.")),
        ("What the judge said", page.criteria.iter().map(|one| statement(&one.said)).collect()),
        ("Where to look first", report.look_first.iter().map(|one| item(&place(report, one))).collect()),
        ("What a person decided", lines(&page.acts)),
        ("What the agent was not allowed to do", lines(&page.denials)),
        ("What the worker decided, in its own words", lines(&page.decisions)),
        ("What the worker doubts, in its own words", lines(&page.doubts)),
        ("What it cost", cost(report, &page)),
        ("The risk of a false approval", page.risk.as_deref().map(paragraph).unwrap_or_default()),
        ("How to repeat it", block(&page.reproduce)),
    ];
    // Where a person must act, this comes first.
    let place = if report.summary.standing.is_success() { sections.len() - 1 } else { 1 };
    sections.insert(place, ("What to do now", next(&page)));
    let told = sections.iter().filter(|(_, body)| !body.is_empty());
    head(report, &page) + &told.map(|(title, body)| heading(&report.tell(title)) + body).collect::<String>()
}

fn head(report: &Report, page: &ReportPage) -> String {
    let goal = text::cut_columns(&page.title, TITLE_COLUMNS_MAX);
    let head = format!("# {}: {}\n\n", page.word, prose(&goal)) + &paragraph(&prose(&page.meaning)) + "\n";
    let ReportBrief { proven, not_proven, spent, look_first, .. } = &page.brief;
    let said = [
        ("Proven", Some(prose(proven))),
        ("Not proven", Some(prose(not_proven))),
        ("Look first", look_first.as_deref().map(prose)),
        ("Spent", Some(prose(spent))),
        ("Repeat it", page.reproduce.first().map(|command| code(command))),
    ];
    let said = said.into_iter().filter_map(|(about, words)| Some((report.tell(about), words?)));
    head + &said.map(|(about, words)| item(&format!("**{about}:** {words}"))).collect::<String>()
}

fn statements(each: &[Statement]) -> String {
    each.iter().map(statement).collect()
}

fn statement(Statement { what, each }: &Statement) -> String {
    let below = each.iter().map(|line| sub_item(&prose(line)));
    item(&prose(what)) + &below.collect::<String>()
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| item(&prose(line))).collect()
}

pub(super) fn place(report: &Report, LookFirst { path, why }: &LookFirst) -> String {
    let path = path.as_ref().map_or_else(String::new, |path| format!("{}: ", code(path)));
    format!("{path}{}", prose(&report.tell(why)))
}

fn next(page: &ReportPage) -> String {
    let step =
        |NextStep { command, purpose }: &NextStep| item(&format!("{}: {}", code(command), prose(purpose)));
    lines(&page.advice) + &page.next.iter().map(step).collect::<String>()
}

/// As a table of its own, which reads alike in a terminal and on a page.
fn measured(report: &Report) -> String {
    let look = Look::piped().in_language(report.language);
    let table = feedback_table(&report.summary.feedback, look).replace('`', "'");
    if table.is_empty() { table } else { format!("```text\n{table}```\n") }
}

fn done(report: &Report, page: &ReportPage) -> String {
    let mut done = String::new();
    if let (Some(commit), Some(base)) = (&page.commit, &page.base) {
        let (commit, base) = (code(commit), code(base));
        done.push_str(&paragraph(&report.tell(format!("Commit {commit}, made from {base}."))));
        done.push('\n');
    }
    if let Some(changed) = &page.brief.changed {
        done.push_str(&format!("{}\n{}\n", paragraph(&format!("{changed}:")), files(report)));
    }
    done.push_str(&match report.story.len() {
        0 => paragraph(&report.tell("No iteration has begun.")),
        number => {
            let number = report.tell(text::count(number, "iteration", "iterations"));
            paragraph(&format!("{number}:")) + "\n"
        }
    });
    done.extend(report.story.iter().map(|one| item(&iteration(report, one))));
    done
}

/// What it took, and what came of it.
pub(super) fn iteration(report: &Report, one: &StoryPoint) -> String {
    let took = report.tell(format!("iteration {}, {}", one.number, text::duration(one.duration_ms)));
    let cost = one.cost.iter().map(|cost| format!(", {}", report.tell(cost))).collect::<String>();
    prose(&format!("{took}{cost}: {}", report.tell(&one.what)))
}

fn files(report: &Report) -> String {
    let files = &report.texts.changed_files;
    let mut listed = String::new();
    listed.extend(files.iter().take(FILES_LISTED_MAX).map(|file| {
        let test = if file.kind == FileKind::Test { report.tell(", test") } else { String::new() };
        item(&format!("{}: {}{test}", code(&file.path), file.counts()))
    }));
    if let Some(smaller) = files.get(FILES_LISTED_MAX..).filter(|smaller| !smaller.is_empty()) {
        let changes = text::count(smaller.len(), "smaller change", "smaller changes");
        listed.push_str(&item(&format!("{}: {}", report.tell(changes), total(smaller))));
    }
    listed
}

/// With what the marks mean that stand in it.
fn cost(report: &Report, page: &ReportPage) -> String {
    let cost = lines(&page.cost);
    let inexact = "`~`: not exact: a price table made money of tokens, or a part is assumed.";
    let assumed = "`assumed`: not reported, so the highest plausible price was taken.";
    let marks = [("~", inexact), ("assumed", assumed)];
    let shown = marks.iter().filter(|(mark, _)| cost.contains(&report.tell(mark)));
    let legend: String = shown.map(|(_, words)| format!("\n{}", paragraph(&report.tell(words)))).collect();
    cost + &legend
}
