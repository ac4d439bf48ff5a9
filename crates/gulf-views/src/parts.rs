//! The parts of a turn that several workers do side by side: what became of each, for lines and programs (SPEC A1).
//!
//! Nothing is decided on it: the gates look at what stands on the branch, whoever brought it there.

use crate::look::{Look, Tone};
use crate::loop_status::LoopStatus;
use crate::phrase::{Phrase, attention, say};
use crate::screen::section;
use crate::text;
use gulf_engine::{Part, PartWord};
use serde::Serialize;

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartState {
    /// Nobody has begun it: it waits for others, or for a worker.
    Pending,
    /// A worker is at it.
    Active,
    /// It stands on the loop's branch.
    Joined,
    LeftOut,
}

impl PartState {
    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "at work",
            Self::Joined => "joined",
            Self::LeftOut => "stays out",
        }
    }
}

/// One part of the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartReport {
    pub id: String,
    pub title: String,
    pub state: PartState,
    /// Null where it is not left out.
    pub why: Option<String>,
}

/// Nobody has begun any of them.
pub(crate) fn divided(parts: &[Part]) -> Vec<PartReport> {
    let report = |part: &Part| {
        let (id, title) = (part.id.clone(), part.title.clone());
        PartReport { id, title, state: PartState::Pending, why: None }
    };
    parts.iter().map(report).collect()
}

/// Why one worker does it, where one does.
pub(crate) fn undivided(why: &str) -> Option<String> {
    Some(why.to_owned()).filter(|why| !why.is_empty())
}

/// What is told of one changes its report.
pub(crate) fn record(reports: &mut [PartReport], id: &str, word: &PartWord) {
    let Some(report) = reports.iter_mut().find(|report| report.id == id) else { return };
    (report.state, report.why) = match word {
        PartWord::Begun => (PartState::Active, None),
        PartWord::Joined => (PartState::Joined, None),
        PartWord::LeftOut { why } => (PartState::LeftOut, Some(why.clone())),
    };
}

/// What became of each, on the screen; or why there is none.
pub(crate) fn block(
    parts: &[PartReport],
    undivided: Option<&str>,
    standing: &LoopStatus,
    look: Look,
) -> String {
    let alone = undivided.map(|why| attention("done by one worker").say(format!(": {why}")));
    let each = parts.iter().map(|PartReport { id, title, state, why }| {
        let tone = if *state == PartState::LeftOut { Tone::Attention } else { Tone::Plain };
        let why = why.as_ref().map_or_else(String::new, |why| format!(": {}", text::first_line(why)));
        // A process that is gone told nothing more.
        let is_cut = *state == PartState::Active && *standing != LoopStatus::Running;
        let word = if is_cut { "cut off" } else { state.word() };
        Phrase::new().tone(tone, word).quote(Tone::Plain, format!(" {id}: {title}{why}"))
    });
    section(say("steps of the plan"), alone.into_iter().chain(each), look)
}

/// How the work is divided, in one line.
pub(crate) fn division(parts: &[Part], why: &str) -> Phrase {
    if parts.is_empty() {
        return say(format!("a single worker does all of it: {}", text::one_line(why)));
    }
    let names: Vec<&str> = parts.iter().map(|part| part.id.as_str()).collect();
    let count = text::count(parts.len(), "step", "steps");
    say(format!("{count} of the plan, side by side where they can be: {}", names.join(", ")))
}

/// What became of a part, in one line.
pub(crate) fn line(id: &str, word: &PartWord) -> Phrase {
    match word {
        PartWord::Begun => say(format!("step {id} begins")),
        PartWord::Joined => say(format!("step {id} is joined")),
        PartWord::LeftOut { why } => attention(format!("step {id} is left out: ")).say(text::first_line(why)),
    }
}
