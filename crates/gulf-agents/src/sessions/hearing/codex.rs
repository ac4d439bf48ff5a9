//! Codex CLI's file of a session, as `agents::codex` reads it.
//!
//! A turn that a hook keeps going is one turn to Codex: which model answers is told once, at its beginning, and must
//! be carried on.

use super::TranscriptChange;
use crate::agents::codex::rollout;

pub(super) fn hear(whole: &[u8], mark: Option<&str>) -> TranscriptChange {
    let report = rollout(whole);
    let model = report.model.or_else(|| mark.map(str::to_owned));
    let spent = report.added_usage.map(|usage| (model.clone(), usage));
    TranscriptChange {
        tool_calls: Some(report.tool_calls),
        final_message: report.final_message,
        spent: spent.into_iter().collect(),
        context: report.context,
        mark: model,
        ..TranscriptChange::default()
    }
}
