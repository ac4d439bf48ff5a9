//! `gulf inbox`: what the workers of all loops ask, open questions first, and the command that answers each.

use crate::history::History;
use crate::json::VERSION;
use crate::look::{Look, Tone};
use crate::phrase::{attention, say};
use crate::question::{QuestionReport, block};
use crate::text;
use gulf_engine::{LoopId, State};
use serde_json::{Value, json};

/// One question, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxEntry {
    pub loop_id: LoopId,
    /// What people call it.
    pub handle: String,
    pub question: QuestionReport,
}

impl InboxEntry {
    /// Everything that a loop's worker ever asked.
    pub fn all(loop_id: &LoopId, handle: &str, state: &State, history: &History) -> Vec<InboxEntry> {
        let all = QuestionReport::all(history, state).into_iter();
        all.map(|question| InboxEntry { loop_id: loop_id.clone(), handle: handle.to_owned(), question })
            .collect()
    }

    /// Where several loops ask, a number alone says too little.
    fn command(&self) -> String {
        format!("{} --loop {}", self.question.command(), self.handle)
    }
}

/// The questions as lines, each with its line end, in the order given but open ones first.
pub fn inbox(entries: &[InboxEntry], look: Look) -> String {
    let (open, answered): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.question.is_open());
    let mut screen = match open.len() {
        0 => say("no question is open"),
        number => attention(text::count(number, "question is open", "questions are open")),
    }
    .paragraph(look, 2);
    let is_ambiguous = open.iter().any(|entry| entry.loop_id != open[0].loop_id);
    for entry in open {
        screen.push_str(&shown(entry, look));
        let command = if is_ambiguous { entry.command() } else { entry.question.command() };
        screen.push_str(&format!("  {}\n", Tone::Literal.paint(&command, look.palette)));
    }
    if !answered.is_empty() {
        let title = Tone::Secondary.paint(&look.language.tell("answered"), look.palette);
        screen.push_str(&format!("\n{title}\n"));
    }
    screen.extend(answered.into_iter().map(|entry| shown(entry, look)));
    screen
}

fn shown(entry: &InboxEntry, look: Look) -> String {
    let handle = Tone::Secondary.paint(&entry.handle, look.palette);
    format!("\n{handle}\n{}", block(&entry.question, look))
}

/// The questions for programs, in the order given.
pub fn inbox_json(entries: &[InboxEntry]) -> Value {
    let listed = |entry: &InboxEntry| {
        let InboxEntry { loop_id, handle, question } = entry;
        let open = question.is_open();
        let command = open.then(|| entry.command());
        json!({ "loop": loop_id, "handle": handle, "open": open, "question": question, "command": command })
    };
    json!({ "version": VERSION, "questions": entries.iter().map(listed).collect::<Vec<_>>() })
}
