//! What a turn says of its progress, and what it was told about the last one: for whoever looks while it works.
//!
//! Nothing is decided on it, and no driver reads it.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::{AgentEvent, Decoder};
use gulf_engine::{EffectKey, EffectKind, State};
use gulf_host::files::{self, Durability};
use serde::{Deserialize, Serialize};

use crate::agreement::Tool;
use crate::calls::seen;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::texts::text;
use crate::{FORMAT_VERSION, records};

/// Where an older gulf kept the newest note of a turn, beside its logs.
const OLDER_NOTE: &str = "note.json";
/// What the gates said about what the worker left last, in words for it.
const FEEDBACK: &str = "feedback.md";

/// What a worker said of its progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    v: u32,
    /// Wall clock, milliseconds since 1970.
    pub at_ms: u64,
    pub text: String,
}

/// Leaves the newest note of the turn in hand; the one before it goes.
pub fn leave(folder: &LoopPaths, state: &State, text: &str, at_ms: u64) -> Result<(), RunError> {
    let note = Note { v: FORMAT_VERSION, at_ms, text: text.to_owned() };
    records::keep(&note_of(folder, &turn_in_hand(state)), "a note", &note, Durability::Buffered)
}

fn note_of(folder: &LoopPaths, key: &EffectKey) -> Utf8PathBuf {
    folder.notes().join(format!("{:03}-{}-{}.json", key.iteration, key.unit.0, key.attempt))
}

/// The newest note of the turn in hand, or of the last one; one that cannot be read says nothing.
pub fn newest(folder: &LoopPaths, state: &State) -> Option<(u32, Note)> {
    let unit = &state.unit;
    let key =
        EffectKey { unit: unit.id, iteration: unit.iteration, attempt: unit.attempt, work: EffectKind::Turn };
    let older = || records::find(&folder.log(&key, OLDER_NOTE));
    let note: Note = records::find(&note_of(folder, &key)).or_else(older)?;
    (note.v == FORMAT_VERSION).then_some((key.iteration, note))
}

/// Keeps what a turn is told about the last one.
pub(crate) fn keep_feedback(folder: &LoopPaths, key: &EffectKey, feedback: &str) -> Result<(), RunError> {
    let path = folder.log(key, FEEDBACK);
    if feedback.is_empty() && !path.is_file() {
        return Ok(());
    }
    Ok(files::replace(&path, feedback.as_bytes(), Durability::Buffered)?)
}

/// What the turn in hand was told about the last one; empty where there is nothing to fix.
pub fn feedback(folder: &LoopPaths, state: &State) -> Result<String, RunError> {
    Ok(text(&folder.log(&turn_in_hand(state), FEEDBACK))?.unwrap_or_default())
}

fn turn_in_hand(state: &State) -> EffectKey {
    let (iteration, attempt) = state.turn_in_hand();
    EffectKey { unit: state.unit.id, iteration, attempt, work: EffectKind::Turn }
}

// What the agent of a turn has done so far, from the end of its log: for whoever watches, and nothing is decided on it.

/// So much of a log's end is read: what happened before it was seen already.
const LOG_BYTES_MAX: u64 = 256 << 10;
/// More lines than any screen shows at once.
const LINES_MAX: usize = 500;

/// A line for each call and message, the newest last; nothing where there is no log.
pub fn lines(tool: &Tool, log: &Utf8Path) -> Vec<String> {
    let Ok((bytes, before)) = files::read_end(log, LOG_BYTES_MAX) else { return Vec::new() };
    // The first line may have lost its beginning.
    let start =
        if before > 0 { bytes.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1) } else { 0 };
    let bytes = &bytes[start..];
    let mut lines: Vec<String> = match tool {
        Tool::Command { .. } => String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect(),
        Tool::Agent { agent, .. } => {
            Decoder::new(*agent).push(bytes).iter().flat_map(|event| told_lines(*agent, event)).collect()
        }
    };
    lines.drain(..lines.len().saturating_sub(LINES_MAX));
    lines
}

fn told_lines(agent: gulf_agents::agents::Tool, event: &AgentEvent) -> Vec<String> {
    if let AgentEvent::Said { text } = event {
        return text.lines().map(str::to_owned).collect();
    }
    seen(agent, event).into_iter().collect()
}
