//! What the agent of a turn has done so far, from the end of its log: for whoever watches, and nothing is decided on it.

use camino::Utf8Path;
use gulf_agents::agents::{AgentEvent, Decoder};
use gulf_host::files;

use crate::agreement::Tool;
use crate::calls::seen;

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
            let told = Decoder::new(*agent).push(bytes);
            told.iter().flat_map(|event| told_lines(*agent, event)).collect()
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
