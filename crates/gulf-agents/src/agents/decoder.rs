//! Bytes of a running agent into events, and into a report when it is gone.
//!
//! It stands apart because the runner knows one decoder, whichever tool it runs.

use super::lines::{Line, Lines};
use super::orienting::Orienting;
use super::{AgentEvent, ProcessEnd, Tool, TurnReport, claude, codex, copilot, gemini, opencode};

/// Reads the stdout of one turn. Any split of its bytes gives the same events.
#[derive(Debug)]
pub struct Decoder {
    lines: Lines,
    stream: Stream,
    orienting: Orienting,
    unreadable_lines: u32,
}

#[derive(Debug)]
enum Stream {
    Claude(Box<claude::Stream>),
    Codex(Box<codex::Stream>),
    Copilot(Box<copilot::Stream>),
    OpenCode(Box<opencode::Stream>),
    Gemini(Box<gemini::Stream>),
}

impl Decoder {
    /// For a process that has just been started.
    pub fn new(tool: Tool) -> Self {
        let stream = match tool {
            Tool::Claude => Stream::Claude(Box::default()),
            Tool::Codex => Stream::Codex(Box::default()),
            Tool::Copilot => Stream::Copilot(Box::default()),
            Tool::OpenCode => Stream::OpenCode(Box::default()),
            Tool::Gemini => Stream::Gemini(Box::default()),
        };
        Self { lines: Lines::default(), stream, orienting: Orienting::default(), unreadable_lines: 0 }
    }

    /// What these bytes tell.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        for line in self.lines.push(bytes) {
            match (line, &mut self.stream) {
                (Line::Unreadable, _) => self.unreadable_lines = self.unreadable_lines.saturating_add(1),
                (Line::Event(event), Stream::Claude(stream)) => stream.read(&event, &mut events),
                (Line::Event(event), Stream::Codex(stream)) => stream.read(&event, &mut events),
                (Line::Event(event), Stream::Copilot(stream)) => stream.read(&event, &mut events),
                (Line::Event(event), Stream::OpenCode(stream)) => stream.read(&event, &mut events),
                (Line::Event(event), Stream::Gemini(stream)) => stream.read(&event, &mut events),
            }
        }
        for event in &events {
            self.orienting.see(event);
        }
        events
    }

    /// What became of the turn. A last line without its end is half a record, and does not count.
    pub fn finish(self, end: ProcessEnd) -> TurnReport {
        let mut report = match self.stream {
            Stream::Claude(stream) => stream.finish(end),
            Stream::Codex(stream) => stream.finish(end),
            Stream::Copilot(stream) => stream.finish(end),
            Stream::OpenCode(stream) => stream.finish(end),
            Stream::Gemini(stream) => stream.finish(end),
        };
        report.orientation = self.orienting.told();
        report.unknown_events = report.unknown_events.saturating_add(self.unreadable_lines);
        report
    }
}
