//! A replay for programs.

use super::{Redecided, Replay, ReplayStop};
use crate::json::{VERSION, value};
use gulf_engine::{ENGINE_VERSION, LoopId};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    #[serde(rename = "loop")]
    loop_id: &'a str,
    /// Of the rules that decided now.
    engine_version: u32,
    /// How many were folded.
    events: u64,
    decisions: &'a [Redecided],
    differences: usize,
    exit_code: u8,
    /// Null where the journal was read to its end.
    stopped: Option<&'a ReplayStop>,
}

/// The replay as one document.
pub fn replay_json(loop_id: &LoopId, replay: &Replay) -> Value {
    value(&Document {
        version: VERSION,
        loop_id: loop_id.as_str(),
        engine_version: ENGINE_VERSION,
        events: replay.events,
        decisions: &replay.decisions,
        differences: replay.differences().count(),
        exit_code: replay.exit_code(),
        stopped: replay.stop.as_ref(),
    })
}
