//! prd.json, and other lists of objects: user stories with acceptance criteria and `passes`.
//!
//! Apart from checklists because a place in JSON is a value's, and its text is written back through its syntax tree.

use jsonc_parser::ast::{Array, Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::words;
use super::{Found, Gathered, Marks, Priority, RelationCertainty, Task, TaskId, TaskProblem, WrittenName};
use crate::text::{Source, Span};

/// Where a list may stand in an object.
const LISTS: [&str; 6] = ["userStories", "user_stories", "stories", "tasks", "features", "items"];
const TITLES: [&str; 3] = ["title", "name", "description"];
/// What says yes or no to the question whether a task is done.
const FLAGS: [&str; 5] = ["passes", "passed", "done", "completed", "complete"];
const CRITERIA: [&str; 4] = ["acceptanceCriteria", "acceptance_criteria", "criteria", "steps"];
const WAITS_FOR: [&str; 7] =
    ["dependencies", "dependsOn", "depends_on", "deps", "blockedBy", "blocked_by", "requires"];
const SPECIALISTS: [&str; 4] = ["specialist", "agent", "owner", "assignee"];

pub(super) fn read(source: &Source) -> Gathered {
    let mut gathered = Gathered::default();
    let strict: Result<serde_json::Value, _> = serde_json::from_str(source.text());
    if let Err(error) = strict {
        let at = byte_of(source.text(), error.line(), error.column());
        gathered.problem(source, TaskProblem::NotJson { why: error.to_string() }, (at..at).into());
        return gathered;
    }
    // What serde_json takes, this takes as well; it knows the places.
    let parsed = parse_to_ast(source.text(), &CollectOptions::default(), &ParseOptions::default());
    let value = parsed.ok().and_then(|parsed| parsed.value);
    match value.as_ref().and_then(list) {
        None => gathered.problem(source, TaskProblem::NoList, Span::default()),
        Some(list) => {
            for element in &list.elements {
                Story { source, gathered: &mut gathered }.read(element);
            }
            if gathered.tasks.is_empty() && gathered.problems.is_empty() {
                gathered.problem(source, TaskProblem::NoList, span(list));
            }
        }
    }
    gathered
}

fn list<'v, 'a>(value: &'v Value<'a>) -> Option<&'v Array<'a>> {
    match value {
        Value::Array(array) => Some(array),
        Value::Object(object) => LISTS.iter().find_map(|name| object.get_array(name)),
        Value::StringLit(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => None,
    }
}

struct Story<'s, 'g> {
    source: &'s Source,
    gathered: &'g mut Gathered,
}

impl Story<'_, '_> {
    fn read(&mut self, element: &Value<'_>) {
        let Value::Object(object) = element else {
            return self.wrong("a task", "an object", element);
        };
        let Some((key, title)) = TITLES.iter().find_map(|key| Some((*key, string(object, key)?))) else {
            return self.gathered.problem(self.source, TaskProblem::NoTitle, span(object));
        };
        let id = self.id(object);
        let is_named = id.is_some();
        let title = title.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("task").to_owned();
        let details = ["description", "notes"].iter().filter(|name| **name != key);
        let details: Vec<_> = details.filter_map(|name| string(object, name)).collect();
        let (is_ticked, other) = self.standing(object);
        let (before, beginning) = (object.range.start, self.blanks_before(object.range.start));
        let task = Task {
            id: TaskId::new(id.unwrap_or_else(|| words::made_id(&title))),
            details: details.join("\n\n"),
            criteria: self.criteria(object),
            priority: self.priority(object).unwrap_or(Priority::MEDIUM),
            depends_on: Vec::new(),
            specialist: SPECIALISTS.iter().find_map(|name| string(object, name)),
            is_ticked,
            is_closed: is_ticked,
            ticked_steps: Vec::new(),
            span: span(object),
            line: self.source.position(object.range.start).line,
            title,
            marks: Marks { other, before, beginning, ..Marks::default() },
        };
        let waits_for = WAITS_FOR.iter().flat_map(|key| self.names(object, key)).collect();
        let blocks = self.names(object, "blocks");
        self.gathered.tasks.push(Found { task, is_named, label: None, waits_for, blocks });
    }

    fn id(&mut self, object: &Object<'_>) -> Option<String> {
        match &object.get("id")?.value {
            Value::StringLit(id) if !id.value.trim().is_empty() => Some(id.value.trim().to_owned()),
            Value::NumberLit(id) => Some(id.value.to_owned()),
            other @ (Value::StringLit(_)
            | Value::BooleanLit(_)
            | Value::NullKeyword(_)
            | Value::Object(_)
            | Value::Array(_)) => {
                self.wrong("id", "a text or a number", other);
                None
            }
        }
    }

    fn priority(&mut self, object: &Object<'_>) -> Option<Priority> {
        let value = &object.get("priority")?.value;
        let said = match value {
            Value::NumberLit(number) => number.value.parse().ok().map(Priority),
            Value::StringLit(word) => words::priority(&word.value),
            Value::NullKeyword(_) => return None,
            Value::BooleanLit(_) | Value::Object(_) | Value::Array(_) => None,
        };
        if said.is_none() {
            self.wrong("priority", "a whole number, or a word such as \"high\"", value);
        }
        said
    }

    fn criteria(&mut self, object: &Object<'_>) -> Vec<String> {
        let property = CRITERIA.iter().find_map(|key| object.get(key));
        let values = property.map(|property| each(&property.value)).unwrap_or_default();
        values.into_iter().filter_map(|value| self.text("acceptanceCriteria", value)).collect()
    }

    fn names(&mut self, object: &Object<'_>, key: &str) -> Vec<WrittenName> {
        let values = object.get(key).map(|property| each(&property.value)).unwrap_or_default();
        let named = values.into_iter().map(|value| (self.text(key, value), span(value)));
        let said = RelationCertainty::Plainly;
        named.filter_map(|(text, span)| Some(WrittenName { text: text?, span, said })).collect()
    }

    /// Whether it is done, and what must be written so that it is not, or is.
    fn standing(&mut self, object: &Object<'_>) -> (bool, (Span, String)) {
        if let Some(property) = FLAGS.iter().find_map(|key| object.get(key)) {
            let value = &property.value;
            let is_done = match value {
                Value::BooleanLit(flag) => flag.value,
                Value::NullKeyword(_) => false,
                Value::StringLit(_) | Value::NumberLit(_) | Value::Object(_) | Value::Array(_) => {
                    self.wrong(property.name.as_str(), "true or false", value);
                    false
                }
            };
            return (is_done, (span(value), (!is_done).to_string()));
        }
        match object.get("status").map(|property| &property.value) {
            Some(Value::StringLit(word)) if is_done(&word.value) => {
                (true, (span(word), "\"pending\"".to_owned()))
            }
            Some(value) => (false, (span(value), "\"completed\"".to_owned())),
            None => {
                let last = object.properties.last();
                let (at, comma) = last.map_or((object.range.start + 1, ""), |last| (last.range.end, ","));
                let blanks = last.map_or_else(String::new, |last| self.blanks_before(last.range.start));
                (false, ((at..at).into(), format!("{comma}{blanks}\"passes\": true")))
            }
        }
    }

    /// The text of a value that should be one; a number counts as its digits.
    fn text(&mut self, key: &str, value: &Value<'_>) -> Option<String> {
        match value {
            Value::StringLit(text) => Some(text.value.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::NumberLit(number) => Some(number.value.to_owned()),
            Value::BooleanLit(_) | Value::NullKeyword(_) | Value::Object(_) | Value::Array(_) => {
                self.wrong(key, "a text, or an array of texts", value);
                None
            }
        }
    }

    fn wrong(&mut self, key: &str, expected: &'static str, value: &impl Ranged) {
        let problem = TaskProblem::WrongValue { key: key.to_owned(), expected };
        self.gathered.problem(self.source, problem, span(value));
    }

    /// The blanks and line ends that stand before a byte.
    fn blanks_before(&self, at: usize) -> String {
        let before = &self.source.text()[..at];
        before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..].to_owned()
    }
}

/// The elements of an array; anything else stands for itself, and null for nothing.
fn each<'v, 'a>(value: &'v Value<'a>) -> Vec<&'v Value<'a>> {
    match value {
        Value::Array(array) => array.elements.iter().collect(),
        Value::NullKeyword(_) => Vec::new(),
        Value::StringLit(_) | Value::NumberLit(_) | Value::BooleanLit(_) | Value::Object(_) => vec![value],
    }
}

fn is_done(word: &str) -> bool {
    ["done", "complete", "completed", "passed", "passes", "closed", "finished", "완료"]
        .contains(&word.trim().to_lowercase().as_str())
}

fn string(object: &Object<'_>, key: &str) -> Option<String> {
    let text = object.get_string(key)?.value.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn span(value: &impl Ranged) -> Span {
    (value.range().start..value.range().end).into()
}

/// serde_json counts lines and columns from one, columns in bytes.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let start = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    text.floor_char_boundary(start + column.saturating_sub(1))
}
