//! Lists written back: a tick, a task more, and no other byte.
//!
//! Apart from reading because it works on the text as it is now: a worker may have rewritten the list since.

use std::collections::BTreeMap;

use super::{Step, Task, TaskId, parse};
use crate::progress::even;
use crate::text::{Source, Span};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What becomes of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    /// It is ticked.
    Set,
    /// It is no longer.
    Taken,
}

/// What becomes of the boxes of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boxes {
    pub own: Tick,
    /// Of its steps, by their texts; one that is not named stays as it is.
    pub steps: BTreeMap<String, Tick>,
}

impl Boxes {
    /// The task's own and those of all its steps.
    pub fn all(task: &Task, tick: Tick) -> Self {
        Self { own: tick, steps: task.criteria.iter().map(|step| (step.clone(), tick)).collect() }
    }

    fn edits(&self, Task { is_closed, marks, .. }: &Task) -> Vec<(Span, String)> {
        let own = Some(marks.other.clone()).filter(|_| (self.own == Tick::Set) != *is_closed);
        let of_step = |step: &Step| match (self.steps.get(&step.text)?, step.is_ticked) {
            (Tick::Set, false) => Some((step.mark, "x".to_owned())),
            (Tick::Taken, true) => Some((step.mark, " ".to_owned())),
            (Tick::Set, true) | (Tick::Taken, false) => None,
        };
        own.into_iter().chain(marks.steps.iter().filter_map(of_step)).collect()
    }
}

/// The text in which every box is as it should be; none where each is. A list of hundreds is read once. Tasks that are
/// called alike stay as they are: nobody knows which one is meant.
pub fn with_ticks(name: &str, text: &str, ticks: &BTreeMap<&TaskId, Boxes>) -> Option<String> {
    let list = parse(&Source::new(name, text));
    let mut named: BTreeMap<&TaskId, u32> = BTreeMap::new();
    for task in &list.tasks {
        *named.entry(&task.id).or_default() += 1;
    }
    let mut edits: Vec<(Span, String)> = Vec::new();
    for task in &list.tasks {
        // A list may have been sealed when that word was no id yet.
        let boxes = ticks.get(&task.id).or_else(|| ticks.get(task.marks.made_id.as_ref()?));
        if let Some(boxes) = boxes.filter(|_| named.get(&task.id) == Some(&1)) {
            edits.extend(boxes.edits(task));
        }
    }
    edits.sort_by_key(|(span, _)| span.start);
    edits.dedup_by_key(|(span, _)| span.start);
    (!edits.is_empty()).then(|| edited(text, &edits))
}

/// The text with a further task before that one, which the latter waits for; none where there is no such task, or
/// another is called like the new one.
pub fn with_blocker(name: &str, text: &str, blocked: &TaskId, id: &TaskId, title: &str) -> Option<String> {
    let list = parse(&Source::new(name, text));
    // None also where two tasks have that name.
    let mut named = list.tasks.iter().filter(|task| task.id == *blocked);
    let marks = &named.next().filter(|_| named.next().is_none())?.marks;
    let title = even(title);
    let line = if name.to_lowercase().ends_with(".json") {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let (id, title, blocks) = (quoted(id.as_str()), quoted(&title), quoted(blocked.as_str()));
        format!(
            "{{ \"id\": {id}, \"title\": {title}, \"blocks\": [{blocks}], \"passes\": false }},{}",
            marks.beginning
        )
    } else {
        let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
        format!("{}[ ] {id}: {title} (blocks {blocked}){ending}", marks.beginning)
    };
    let edit = [((marks.before..marks.before).into(), line)];
    let written = edited(text, &edit);
    // A title can be anything: what cannot be read back as meant is not written.
    let now = parse(&Source::new(name, &written));
    let is_meant = now.task(blocked.as_str()).is_some_and(|task| task.depends_on.contains(id));
    let doubled = now.errors().count() > list.errors().count();
    (is_meant && !doubled).then_some(written)
}

/// Spans are of the text without a byte order mark, and in order.
fn edited(text: &str, edits: &[(Span, String)]) -> String {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let mut written = text[..text.len() - body.len()].to_owned();
    let mut done = 0;
    for (span, replacement) in edits {
        written.push_str(&body[done..span.start]);
        written.push_str(replacement);
        done = span.end;
    }
    written.push_str(&body[done..]);
    written
}
