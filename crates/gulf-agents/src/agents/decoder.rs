//! Bytes of a running agent into events, and into a report when it is gone.
//!
//! The runner knows one decoder, whichever tool it runs.

use serde_json::Value;

use super::course::Course;
use super::descriptor::{AgentTrouble, TurnProtocol};
use super::report::asks_for_patience;
use super::words::{WHAT_CHARS_MAX, one_line};
use super::{AgentEvent, FailureKind, Need, Outcome, ProcessEnd, Tool, TurnFailure, TurnReport};

const COLOUR_END: &str = "\u{1b}[0m";

/// Reads the stdout of one turn. Any split of its bytes gives the same events.
#[derive(Debug)]
pub struct Decoder {
    lines: Lines,
    stream: Box<dyn TurnProtocol>,
    course: Course,
    /// So many bytes came so far.
    bytes: u64,
    /// So many had come when the agent had said its last word.
    finished_at: Option<u64>,
    /// It asks its model again by itself, which answered this; nothing else came since.
    retrying: Option<u16>,
    /// What its stderr may say, by how such a line begins.
    troubles: Vec<(&'static str, AgentTrouble)>,
    /// A line of its stderr that has not ended yet.
    stderr_line: Vec<u8>,
    complaint: Option<String>,
}

impl Decoder {
    /// For a process that has just been started.
    pub fn new(tool: Tool) -> Self {
        Self {
            lines: Lines::default(),
            stream: (tool.descriptor().stream)(),
            course: Course::default(),
            bytes: 0,
            finished_at: None,
            retrying: None,
            troubles: tool.descriptor().troubles.to_vec(),
            stderr_line: Vec::new(),
            complaint: None,
        }
    }

    /// What these bytes tell.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<AgentEvent> {
        // By lines: it counts where one ended.
        bytes.split_inclusive(|byte| *byte == b'\n').flat_map(|part| self.push_part(part)).collect()
    }

    /// What these bytes of its stderr tell: trouble alone.
    pub fn push_stderr(&mut self, bytes: &[u8]) -> Vec<AgentEvent> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = WHAT_CHARS_MAX.saturating_sub(self.stderr_line.len());
            self.stderr_line.extend(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.stderr_line);
                events.extend(self.trouble(&String::from_utf8_lossy(&line)));
            }
        }
        self.note(&events);
        events
    }

    fn push_part(&mut self, bytes: &[u8]) -> Vec<AgentEvent> {
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        // Once it works, its flags are taken, and whatever else writes to its stderr proves nothing.
        self.troubles.retain(|(_, trouble)| !matches!(trouble, AgentTrouble::FlagRefused));
        if let Some(event) = self.lines.push(bytes) {
            self.stream.read(&event, &mut self.course);
        }
        let events = std::mem::take(&mut self.course.events);
        self.note(&events);
        events
    }

    /// What an agent tells on its stderr alone. Nothing there is a field, so only what the program itself writes at the
    /// beginning of a line is known, and it decides nothing but that rules of gulf's were not taken.
    fn trouble(&self, line: &str) -> Option<AgentEvent> {
        let (rest, trouble) =
            self.troubles.iter().find_map(|(begin, trouble)| Some((line.strip_prefix(begin)?, *trouble)))?;
        match trouble {
            AgentTrouble::RulesRefused | AgentTrouble::FlagRefused => {
                let words = line.rsplit(COLOUR_END).next().unwrap_or(line);
                Some(AgentEvent::RulesRefused { complaint: one_line(words) })
            }
            // `Attempt 1 failed with status 503. Retrying with backoff... …`
            AgentTrouble::Retry => {
                let (attempt, rest) = rest.split_once(" failed with status ")?;
                let (status, _) = rest.split_once('.')?;
                Some(AgentEvent::Retrying { attempt: attempt.parse().ok()?, status: status.parse().ok() })
            }
        }
    }

    fn note(&mut self, events: &[AgentEvent]) {
        for event in events {
            match event {
                AgentEvent::Retrying { status, .. } => self.retrying = *status,
                AgentEvent::RulesRefused { complaint } => self.complaint = Some(complaint.clone()),
                AgentEvent::Finished => {
                    self.finished_at.get_or_insert(self.bytes);
                    self.retrying = None;
                }
                AgentEvent::Called(_) | AgentEvent::Said { .. } | AgentEvent::Measured(_) => {
                    self.retrying = None;
                }
                AgentEvent::Started | AgentEvent::Denied(_) => {}
            }
        }
    }

    /// What became of the turn. A last line without its end is half a record, and does not count.
    pub fn finish(self, end: ProcessEnd) -> TurnReport {
        let mut report = self.stream.finish(self.course, end);
        if let ProcessEnd::TimedOut { stdout_bytes } = end {
            // A last word that it was made to say is none: Copilot CLI ends a turn that was stopped as a success.
            let was_over = self.finished_at.is_some_and(|at| at <= stdout_bytes);
            if !was_over && report.outcome == Outcome::Completed {
                report.outcome = Outcome::Failed(TurnFailure::new(FailureKind::Interrupted, ""));
            }
            if !was_over && self.retrying.is_some_and(asks_for_patience) {
                report.outcome = Outcome::Failed(TurnFailure::new(FailureKind::Overloaded, ""));
            }
        }
        if let Some(complaint) = self.complaint {
            let kind = FailureKind::NeedsPerson { need: Need::Rules };
            report.outcome = Outcome::Failed(TurnFailure::new(kind, complaint));
        }
        report
    }
}

// Makes lines of a stream, however its bytes arrive.

/// A longer line is dropped: a tool's output in one event can be large, a stream without an end must
/// not fill the memory.
pub const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Lines {
    pending: Vec<u8>,
    /// The line was too long; what is left of it is passed over.
    is_overlong: bool,
}

impl Lines {
    /// The object of the line that this piece of one ends, if it does; a line that is too long or no object is passed
    /// over.
    pub(super) fn push(&mut self, piece: &[u8]) -> Option<Value> {
        let text = piece.strip_suffix(b"\n").unwrap_or(piece);
        self.is_overlong |= self.pending.len() + text.len() > LINE_BYTES_MAX;
        if self.is_overlong {
            self.pending = Vec::new();
        } else {
            self.pending.extend_from_slice(text);
        }
        if text.len() == piece.len() {
            return None;
        }
        self.is_overlong = false;
        // A tool's output can hold bytes that are no text, and a tool may pass them on.
        let line = std::mem::take(&mut self.pending);
        serde_json::from_str::<Value>(&String::from_utf8_lossy(&line)).ok().filter(Value::is_object)
    }
}
