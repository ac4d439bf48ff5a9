//! The body of RUBRIC.md, line by line: headings, comments, code blocks and items.
//!
//! Apart from the front matter because it is one pass over Markdown's lines with a state of its own.

use super::{Item, Rubric, Section};
use crate::markdown::{MarkdownBlock, item, without_comments};
use crate::problem::{Mistake, keep, nearest};
use crate::text::{Line, Source, Span, lines};

/// Reads the sections from a line (counted from one) on.
pub(super) fn read(source: &Source, from_line: usize, rubric: &mut Rubric) {
    let mut pass =
        RubricPass { source, rubric, section: None, block: MarkdownBlock::Plain, item_open: false };
    for line in lines(source.text()).skip(from_line - 1) {
        pass.line(line);
    }
    if let Some((mistake, opened)) = pass.block.unclosed() {
        pass.problem(mistake, opened);
    }
}

struct RubricPass<'s> {
    source: &'s Source,
    rubric: &'s mut Rubric,
    section: Option<Section>,
    block: MarkdownBlock,
    /// The line before was an item or its continuation.
    item_open: bool,
}

impl RubricPass<'_> {
    fn line(&mut self, line: Line<'_>) {
        match self.block {
            MarkdownBlock::Comment { .. } | MarkdownBlock::Code { .. } => {
                self.block = self.block.after(line.text);
            }
            MarkdownBlock::Plain => self.plain_line(line),
        }
    }

    fn plain_line(&mut self, line: Line<'_>) {
        let was_item_open = std::mem::replace(&mut self.item_open, false);
        if line.text.trim().is_empty() {
            return;
        }
        if let Some(block) = MarkdownBlock::opened_by(line) {
            if let (MarkdownBlock::Code { .. }, Some(section)) = (block, self.section) {
                self.problem(code_block(section), line.span);
            }
            return self.block = block;
        }
        if line.text.starts_with('#') {
            return self.heading(line);
        }
        if let Some(section) = self.section {
            self.content(section, line, was_item_open);
        }
    }

    /// Only `## …` opens and closes sections, so `# a remark` among the checks is a remark.
    fn heading(&mut self, line: Line<'_>) {
        let title = line.text.trim_start_matches('#');
        let level = line.text.len() - title.len();
        let title = title.trim().trim_end_matches('#').trim_end().to_lowercase();
        let spaced = line.text[level..].starts_with([' ', '\t']);
        let meant = nearest(&title, ["checks", "judge criteria", "criteria", "judge criterion"]);
        let is_exact = level == 2 && spaced && ["checks", "judge criteria"].contains(&title.as_str());
        if let Some(meant) = meant {
            let section = if meant == "checks" { Section::Checks } else { Section::Criteria };
            if is_exact {
                return self.section = Some(section);
            }
            let (found, expected) = (line.text.trim(), section.heading());
            let what = format!("the heading `{found}` is not `{expected}`, so its section does not count");
            self.problem(Mistake::error(what, format!("write `{expected}`")), line.span);
        }
        if level == 2 {
            self.section = None;
        }
    }

    fn content(&mut self, section: Section, line: Line<'_>, was_item_open: bool) {
        let text = line.text.trim();
        if line.text == "-" || line.text.starts_with("- ") || line.text.starts_with("-\t") {
            self.item_open = true;
            return match section {
                Section::Checks => self.check(line),
                Section::Criteria => self.criterion(line),
            };
        }
        // `* x`, `+ x`, `1. x`, `1) x`, or an indented `- x`
        if item(text).is_some() {
            return self.problem(other_bullet(section), line.span_of(text));
        }
        if line.text.starts_with([' ', '\t']) && was_item_open {
            self.item_open = true;
            return self.continuation(section, line);
        }
        let rule = text.chars().all(|character| character == '-');
        if text.starts_with('-') && !rule && section == Section::Checks {
            self.problem(other_bullet(section), line.span_of(text));
        }
    }

    fn check(&mut self, line: Line<'_>) {
        let text = line.text[1..].trim();
        let text = code_span(text).unwrap_or(text);
        let span = line.span_of(text);
        if text.is_empty() {
            return self.problem(empty_item(), line.span);
        }
        if let Some(rest) = text.strip_prefix("<!--") {
            if !rest.contains("-->") {
                self.block = MarkdownBlock::Comment { opened: line.span };
            }
            return;
        }
        if ["[ ] ", "[x] ", "[X] "].iter().any(|head| text.starts_with(head)) {
            let help = "write `- command` without the box";
            return self.problem(Mistake::error("a checkbox is not a command", help), span);
        }
        if looks_like_prose(text) {
            let what = "this looks like a sentence, and will be run as a command";
            let help = "move it to `## Judge criteria`, or write the command alone";
            self.problem(Mistake::warning(what, help), span);
        }
        self.rubric.checks.push(Item { text: text.to_owned(), span, line: line.number });
    }

    fn criterion(&mut self, line: Line<'_>) {
        let text = line.text[1..].trim();
        let visible = self.without_comments(text, line.span);
        if visible.is_empty() {
            if text.is_empty() {
                self.problem(empty_item(), line.span);
            }
            // What follows a comment is not its continuation.
            self.item_open = false;
            return;
        }
        self.rubric.criteria.push(Item { text: visible, span: line.span_of(text), line: line.number });
    }

    fn continuation(&mut self, section: Section, line: Line<'_>) {
        let text = line.text.trim();
        match section {
            Section::Checks => {
                let what = "a check is one line, so this line does not count";
                let help = "join the lines with `&&`, or put them into a script";
                self.problem(Mistake::error(what, help), line.span_of(text));
            }
            Section::Criteria => {
                let visible = self.without_comments(text, line.span);
                if let Some(item) = self.rubric.criteria.last_mut().filter(|_| !visible.is_empty()) {
                    item.text.push(' ');
                    item.text.push_str(&visible);
                    item.span.end = line.span.end;
                }
            }
        }
    }

    /// The text without `<!-- … -->`; one that is not closed opens a comment block.
    fn without_comments(&mut self, text: &str, line: Span) -> String {
        let (visible, stays_open) = without_comments(text);
        if stays_open {
            self.block = MarkdownBlock::Comment { opened: line };
        }
        visible.trim().to_owned()
    }

    fn problem(&mut self, problem: Mistake, span: Span) {
        keep(&mut self.rubric.problems, problem, self.source, span);
    }
}

fn code_block(section: Section) -> Mistake {
    let what = format!("a code block in `{}` does not count", section.heading());
    match section {
        Section::Checks => Mistake::error(what, "write each command as a line `- command`"),
        Section::Criteria => Mistake::warning(what, "write each criterion as a line `- criterion`"),
    }
}

fn other_bullet(section: Section) -> Mistake {
    let item = match section {
        Section::Checks => "a check",
        Section::Criteria => "a criterion",
    };
    let what = format!("this does not count: {item} begins with `- ` at the left margin");
    Mistake::error(what, "begin the line with `- `")
}

fn empty_item() -> Mistake {
    Mistake::warning("an empty item", "remove it, or write what it should say")
}

/// The inside of a text that is one code span: the shell would run what its backticks print.
fn code_span(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('`')?.strip_suffix('`')?;
    (!inner.contains('`')).then(|| inner.trim())
}

/// A sentence: a capital or foreign first letter and a full stop, or a code span within words.
fn looks_like_prose(text: &str) -> bool {
    let words = text.split_whitespace().count();
    let capital = text.chars().next().is_some_and(|first| first.is_uppercase() || !first.is_ascii());
    let assigns = text.split_whitespace().next().is_some_and(|first| first.contains('='));
    words >= 3 && capital && !assigns && (text.ends_with('.') || text.contains('`') || words >= 5)
}
