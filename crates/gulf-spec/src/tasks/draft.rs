//! A task whose lines are still coming.
//!
//! Apart from the pass over the lines because only the last of them says what the task asks for, and whether all of its
//! steps are ticked.

use super::words::{self, TaskKey};
use super::{Found, Marks, Priority, RelationCertainty, Step, Task, TaskId, WrittenName};
use crate::markdown::indent;
use crate::text::{Line, Span};

/// What holds a task together: what stands deeper belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The level of its heading.
    Heading(usize),
    /// The columns that its bullet is indented by.
    Bullet(usize),
}

/// A box: where its mark stands, and whether it is ticked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box {
    pub(super) mark: Span,
    pub(super) is_ticked: bool,
}

/// A task that is open to further lines.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) depth: Depth,
    found: Found,
    details: Vec<String>,
}

impl Draft {
    /// Begins with the line of its box; `text` is what follows the box, `beginning` what stands before it.
    pub(super) fn begin(
        line: Line<'_>,
        depth: Depth,
        own: Box,
        (beginning, text): (&str, &str),
        section: Option<Priority>,
    ) -> Self {
        let (id, title) = words::split_id(text);
        let other = (own.mark, if own.is_ticked { " " } else { "x" }.to_owned());
        let beginning = beginning.to_owned();
        let task = Task {
            id: TaskId::new(id.map_or_else(|| words::made_id(title), str::to_owned)),
            title: title.to_owned(),
            details: String::new(),
            criteria: Vec::new(),
            priority: section.unwrap_or(Priority::MEDIUM),
            depends_on: Vec::new(),
            specialist: None,
            is_ticked: own.is_ticked,
            is_closed: own.is_ticked,
            ticked_steps: Vec::new(),
            span: line.span,
            line: line.number,
            marks: Marks { other, steps: Vec::new(), made_id: None, before: line.span.start, beginning },
        };
        let label = words::split_label(text).filter(|_| id.is_none());
        let label = label.map(|(label, title)| (TaskId::new(label), title.to_owned()));
        let (waits_for, blocks) = (Vec::new(), Vec::new());
        let found = Found { task, is_named: id.is_some(), label, waits_for, blocks };
        let mut draft = Self { depth, found, details: Vec::new() };
        for inside in words::bracketed(text) {
            match words::said_in_brackets(inside) {
                Some((key, value, said)) => draft.heed(line, key, (value, said)),
                None => {
                    if let Some(priority) = words::priority(inside).filter(|_| !is_number(inside)) {
                        draft.found.task.priority = priority;
                    }
                }
            }
        }
        draft
    }

    pub(super) fn id(&self) -> &TaskId {
        &self.found.task.id
    }

    /// Whether a line that begins at this depth belongs to it.
    pub(super) fn holds(&self, depth: Depth) -> bool {
        match (self.depth, depth) {
            (Depth::Heading(own), Depth::Heading(other)) => other > own,
            (Depth::Heading(_), Depth::Bullet(_)) => true,
            (Depth::Bullet(_), Depth::Heading(_)) => false,
            (Depth::Bullet(own), Depth::Bullet(other)) => other > own,
        }
    }

    /// A step with a box of its own.
    pub(super) fn step(&mut self, text: &str, Box { mark, is_ticked }: Box) {
        self.found.task.criteria.push(text.to_owned());
        self.found.task.marks.steps.push(Step { text: text.to_owned(), mark, is_ticked });
    }

    /// A task of its own that stands below this one: it comes first.
    pub(super) fn child(&mut self, id: &TaskId, span: Span) {
        let name = WrittenName { text: id.to_string(), span, said: RelationCertainty::Plainly };
        self.found.waits_for.push(name);
    }

    /// Any further line below it.
    pub(super) fn line(&mut self, line: Line<'_>) {
        self.details.push(line.text.to_owned());
        let text = line.text.trim();
        let item = crate::markdown::bullet(text).map_or(text, |bullet| bullet.text);
        if let Some((key, value)) = words::key_and_value(item) {
            self.heed(line, key, (value, RelationCertainty::Plainly));
        }
    }

    fn heed(&mut self, line: Line<'_>, key: TaskKey, (value, said): (&str, RelationCertainty)) {
        // Only a part of the line has a place in it.
        let value = line.text.find(value).map_or("", |at| &line.text[at..at + value.len()]);
        match key {
            TaskKey::WaitsFor => self.found.waits_for.extend(words::names(line, value, said)),
            TaskKey::Blocks => self.found.blocks.extend(words::names(line, value, said)),
            TaskKey::Priority => {
                if let Some(priority) = words::priority(value) {
                    self.found.task.priority = priority;
                }
            }
            TaskKey::Specialist => {
                let bare = value.trim_matches(|c: char| c.is_whitespace() || "*`_@\"'[]".contains(c));
                self.found.task.specialist = (!bare.is_empty()).then(|| bare.to_owned());
            }
        }
    }

    /// The task with all of its lines.
    pub(super) fn finish(self) -> Found {
        let Self { mut found, details, .. } = self;
        let task = &mut found.task;
        let steps = &task.marks.steps;
        task.is_ticked &= steps.iter().all(|step| step.is_ticked);
        let ticked = steps.iter().filter(|step| step.is_ticked);
        task.ticked_steps = ticked.map(|step| step.text.clone()).collect();
        task.details = dedented(&details);
        found
    }
}

/// `(2)` numbers something; only a word says how urgent it is.
fn is_number(inside: &str) -> bool {
    inside.chars().all(|character| character.is_ascii_digit())
}

/// The lines without the indentation that all of them share, and without blank ones at either end.
fn dedented(details: &[String]) -> String {
    let is_blank = |line: &String| line.trim().is_empty();
    let first = details.iter().position(|line| !is_blank(line)).unwrap_or(details.len());
    let end = details.iter().rposition(|line| !is_blank(line)).map_or(first, |last| last + 1);
    let lines = &details[first..end];
    let shared = lines.iter().filter(|line| !is_blank(line)).map(|line| indent(line)).min().unwrap_or(0);
    let mut text = String::new();
    for line in lines {
        text.push_str(without_columns(line, shared).trim_end());
        text.push('\n');
    }
    text.trim_end().to_owned()
}

fn without_columns(line: &str, columns: usize) -> &str {
    let mut rest = line;
    while let Some(shorter) = rest.strip_prefix([' ', '\t']) {
        if columns < indent(line) - indent(shorter) {
            break;
        }
        rest = shorter;
    }
    rest
}
