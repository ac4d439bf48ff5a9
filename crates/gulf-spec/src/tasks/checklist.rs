//! A list in Markdown: every item or heading with a box is a task.
//!
//! Apart from prd.json because it is one pass over lines: what stands in code or in a comment is no task, and what
//! stands deeper belongs to the task above.

use super::draft::{Box, Depth, Draft};
use super::words;
use super::{Gathered, Priority, TaskProblem};
use crate::markdown::{MarkdownBlock, bullet, heading, indent};
use crate::text::{Line, Source, Span, lines};

pub(super) fn read(source: &Source) -> Gathered {
    let (drafts, open, sections) = (Vec::new(), Vec::new(), Vec::new());
    let (gathered, block) = (Gathered::default(), MarkdownBlock::Plain);
    let mut pass = Pass { source, gathered, drafts, open, sections, block };
    for line in lines(source.text()) {
        pass.line(line);
    }
    pass.finish()
}

struct Pass<'s> {
    source: &'s Source,
    gathered: Gathered,
    /// In the order of the list.
    drafts: Vec<Draft>,
    /// The places of those that further lines may belong to, each within the one before.
    open: Vec<usize>,
    /// What the headings above say about priority, with their levels.
    sections: Vec<(usize, Option<Priority>)>,
    block: MarkdownBlock,
}

/// What the brackets at the head of an item are.
enum ItemHead<'t> {
    /// A box, and what follows it.
    Box {
        found: char,
        mark: Span,
        text: &'t str,
    },
    NearMiss(&'t str),
    /// Another text: a link, a footnote.
    None,
}

impl Pass<'_> {
    fn line(&mut self, line: Line<'_>) {
        match self.block {
            MarkdownBlock::Comment { .. } => self.block = self.block.after(line.text),
            MarkdownBlock::Code { .. } => {
                self.block = self.block.after(line.text);
                self.further(line);
            }
            MarkdownBlock::Plain => self.plain_line(line),
        }
    }

    fn plain_line(&mut self, line: Line<'_>) {
        let text = line.text.trim();
        if let Some(block) = MarkdownBlock::opened_by(line) {
            self.block = block;
            if let MarkdownBlock::Code { .. } = block {
                self.close_at_margin(line);
                self.further(line);
            }
        } else if let Some(heading) = heading(line.text).filter(|_| is_spaced(text)) {
            self.heading(line, heading.level, heading.title);
        } else if let Some(item) = bullet(line.text) {
            let depth = Depth::Bullet(item.indent);
            self.item(line, depth, item.text);
        } else {
            if is_near_miss_bullet(text) {
                self.problem(TaskProblem::NearMissBox { found: text.to_owned() }, line.span_of(text));
            }
            self.close_at_margin(line);
            self.further(line);
        }
    }

    fn heading(&mut self, line: Line<'_>, level: usize, title: &str) {
        self.sections.retain(|(above, _)| *above < level);
        self.close(Depth::Heading(level));
        match head(line, title) {
            ItemHead::Box { .. } => self.item(line, Depth::Heading(level), title),
            ItemHead::NearMiss(_) | ItemHead::None => {
                self.sections.push((level, words::priority_of_section(title)));
                self.further(line);
            }
        }
    }

    fn item(&mut self, line: Line<'_>, depth: Depth, item: &str) {
        self.close(depth);
        match head(line, item) {
            ItemHead::Box { found, mark, text } => self.task(line, depth, (found, mark), text),
            ItemHead::NearMiss(found) => {
                self.problem(TaskProblem::NearMissBox { found: found.to_owned() }, line.span_of(item));
                self.further(line);
            }
            ItemHead::None => self.further(line),
        }
    }

    fn task(&mut self, line: Line<'_>, depth: Depth, (found, mark): (char, Span), text: &str) {
        if text.is_empty() {
            return self.problem(TaskProblem::EmptyTask, line.span);
        }
        let is_ticked = ['x', 'X', '✓', '✔'].contains(&found);
        if !is_ticked && found != ' ' {
            self.problem(TaskProblem::OddMark { found }, mark);
        }
        let own = Box { mark, is_ticked };
        let is_named = words::split_id(text).0.is_some();
        if let Some(above) = self.innermost().filter(|_| !is_named) {
            return above.step(text, own);
        }
        let section = self.sections.iter().rev().find_map(|(_, priority)| *priority);
        let beginning = line.text.split('[').next().unwrap_or_default();
        let draft = Draft::begin(line, depth, own, (beginning, text), section);
        if let Some(above) = self.innermost() {
            above.child(draft.id(), line.span);
        }
        self.open.push(self.drafts.len());
        self.drafts.push(draft);
    }

    fn innermost(&mut self) -> Option<&mut Draft> {
        self.drafts.get_mut(*self.open.last()?)
    }

    /// A line that begins nothing belongs to the innermost open task.
    fn further(&mut self, line: Line<'_>) {
        if let Some(open) = self.innermost() {
            open.line(line);
        }
    }

    /// Ends the tasks to which what begins at this depth does not belong.
    fn close(&mut self, depth: Depth) {
        self.open.retain(|at| self.drafts[*at].holds(depth));
    }

    /// What stands at the margin ends the items above it, and no heading.
    fn close_at_margin(&mut self, line: Line<'_>) {
        if line.text.trim().is_empty() || indent(line.text) > 0 {
            return;
        }
        self.open.retain(|at| matches!(self.drafts[*at].depth, Depth::Heading(_)));
    }

    fn finish(mut self) -> Gathered {
        if let Some((mistake, opened)) = self.block.unclosed() {
            self.problem(TaskProblem::Unclosed(mistake), opened);
        }
        self.gathered.tasks = self.drafts.into_iter().map(Draft::finish).collect();
        if self.gathered.tasks.is_empty() {
            self.gathered.problem(self.source, TaskProblem::NoTask, Span::default());
        }
        self.gathered
    }

    fn problem(&mut self, problem: TaskProblem, span: Span) {
        self.gathered.problem(self.source, problem, span);
    }
}

/// What an item's or heading's words begin with.
fn head<'t>(line: Line<'t>, item: &'t str) -> ItemHead<'t> {
    let Some(inside) = item.strip_prefix('[') else { return ItemHead::None };
    let Some((inside, rest)) = inside.split_once(']') else { return ItemHead::None };
    let mark = line.span_of(inside);
    let mut characters = inside.chars();
    let Some(found) = characters.next() else {
        return if rest.starts_with(['(', '[']) { ItemHead::None } else { ItemHead::NearMiss("[]") };
    };
    let is_mark = [' ', 'x', 'X', '✓', '✔'].contains(&found) || "-~/>!?*".contains(found);
    if characters.next().is_none() && is_mark && !rest.starts_with(['(', '[']) {
        return ItemHead::Box { found, mark, text: rest.trim() };
    }
    let is_padded = ["x", "X", ""].contains(&inside.trim()) && !rest.starts_with(['(', '[']);
    if is_padded { ItemHead::NearMiss(&item[..inside.len() + 2]) } else { ItemHead::None }
}

/// `#1` begins a sentence, not a heading.
fn is_spaced(text: &str) -> bool {
    text.trim_start_matches('#').starts_with([' ', '\t']) || text.chars().all(|mark| mark == '#')
}

/// `-[ ] x`: a box in something that is no list item. A box without a bullet is one too.
fn is_near_miss_bullet(text: &str) -> bool {
    let rest = text.trim_start_matches(['-', '*', '+']);
    text.len() - rest.len() <= 1 && ["[ ]", "[x]", "[X]"].iter().any(|mark| rest.starts_with(mark)) && {
        !rest[3..].starts_with(['(', '['])
    }
}
