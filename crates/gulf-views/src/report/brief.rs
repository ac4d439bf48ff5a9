//! The report for a pull request: the answer in its first lines, the rest folded, and never longer than a screen or two.

use super::markdown::{iteration, place};
use super::{Report, ReportPage};
use crate::markdown::{code, prose, unbroken};
use crate::screen::NextStep;
use crate::text;
use crate::unproven::Statement;

/// Items of a folded section; a further line says how many more there are.
const ITEMS_MAX: usize = 5;
/// No item is wider: in a table of a pull request nobody reads on.
const COLUMNS_MAX: usize = 240;
/// How much of the goal stands in the title.
const TITLE_COLUMNS_MAX: usize = 60;

/// At most sixty lines of Markdown.
pub fn brief(report: &Report) -> String {
    let page = ReportPage::new(report);
    let sections = [
        head(&page),
        folded("What is proven", page.proven.iter().map(stated)),
        folded("What is not proven", page.unproven.iter().map(stated)),
        folded("Where to look first", report.look_first.iter().map(|one| place(report, one))),
        folded("What the judge said", page.criteria.iter().map(|one| stated(&one.said))),
        folded("Each iteration", page.story.iter().rev().map(|one| iteration(report, one))),
    ];
    sections.concat()
}

fn head(page: &ReportPage) -> String {
    let goal = text::cut_columns(&page.title, TITLE_COLUMNS_MAX);
    let mut lines = vec![
        format!("# {}: {}", page.word, prose(&goal)),
        String::new(),
        prose(&page.meaning),
        String::new(),
        format!("- **Proven:** {}", prose(&page.brief.proven)),
        format!("- **Not proven:** {}", prose(&page.brief.not_proven)),
        format!("- **Spent:** {}", prose(&page.brief.spent)),
    ];
    if let Some(NextStep { command, purpose }) = page.next.first() {
        lines.push(format!("- **Next:** {}: {}", code(command), prose(purpose)));
    }
    if let Some(command) = page.reproduce.first() {
        lines.push(format!("- **Repeat it:** {}", code(command)));
    }
    lines.push(String::new());
    lines.iter().map(|line| unbroken(line) + "\n").collect()
}

/// Nothing at all where there is no item.
fn folded(title: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() {
        return String::new();
    }
    let mut section = format!("<details><summary>{title} ({})</summary>\n\n", items.len());
    for item in items.iter().take(ITEMS_MAX) {
        section.push_str(&format!("- {}\n", text::cut_columns(&unbroken(item), COLUMNS_MAX)));
    }
    if let Some(more) = items.len().checked_sub(ITEMS_MAX).filter(|more| *more > 0) {
        section.push_str(&format!("- and {more} more\n"));
    }
    section + "\n</details>\n"
}

fn stated(Statement { what, each }: &Statement) -> String {
    let each = if each.is_empty() { String::new() } else { format!(": {}", each.join("; ")) };
    prose(&format!("{what}{each}"))
}
