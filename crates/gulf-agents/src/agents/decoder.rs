//! Bytes of a running agent into events, and into a report when it is gone.
//!
//! It stands apart because the runner knows one decoder, whichever tool it runs.

use super::lines::{Line, Lines};
use super::orienting::Orienting;
use super::statuses::asks_for_patience;
use super::words::{WHAT_CHARS_MAX, one_line};
use super::{
    AgentEvent, Failure, FailureKind, Need, Outcome, ProcessEnd, Tool, TurnReport, claude, codex, copilot,
    gemini, opencode,
};

const COLOUR_END: &str = "\u{1b}[0m";
/// With its colours, which it prints into a pipe, too.
const OPENCODE_INVALID: &str = "\u{1b}[91m\u{1b}[1mError: \u{1b}[0mConfiguration is invalid at ";

/// Reads the stdout of one turn. Any split of its bytes gives the same events.
#[derive(Debug)]
pub struct Decoder {
    lines: Lines,
    stream: Stream,
    orienting: Orienting,
    unreadable_lines: u32,
    /// So many bytes came so far.
    bytes: u64,
    /// So many had come when the agent had said its last word.
    finished_at: Option<u64>,
    /// It asks its model again by itself, which answered this; nothing else came since.
    retrying: Option<u16>,
    troubles: Troubles,
    complaint: Option<String>,
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
        Self {
            lines: Lines::default(),
            stream,
            orienting: Orienting::default(),
            unreadable_lines: 0,
            bytes: 0,
            finished_at: None,
            retrying: None,
            troubles: Troubles::of(tool),
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
        let troubles = self.troubles.push(bytes);
        // Once it works, its flags are taken, and whatever else writes to its stderr proves nothing.
        let is_silent = self.bytes == 0;
        let counts =
            |(trouble, _): &(Trouble, AgentEvent)| is_silent || !matches!(trouble, Trouble::FlagRefused);
        let events: Vec<_> = troubles.into_iter().filter(counts).map(|(_, event)| event).collect();
        self.note(&events);
        events
    }

    fn push_part(&mut self, bytes: &[u8]) -> Vec<AgentEvent> {
        self.bytes = self.bytes.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
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
        self.note(&events);
        events
    }

    fn note(&mut self, events: &[AgentEvent]) {
        for event in events {
            self.orienting.see(event);
            match event {
                AgentEvent::Retrying { status, .. } => self.retrying = *status,
                AgentEvent::RulesRefused { complaint } => self.complaint = Some(complaint.clone()),
                AgentEvent::Finished => {
                    self.finished_at.get_or_insert(self.bytes);
                    self.retrying = None;
                }
                AgentEvent::Called { .. } | AgentEvent::Said { .. } | AgentEvent::Measured { .. } => {
                    self.retrying = None;
                }
                AgentEvent::Started { .. } | AgentEvent::ToolFailed { .. } | AgentEvent::Denied { .. } => {}
                AgentEvent::NearLimit { .. } | AgentEvent::RateLimited { .. } => {}
            }
        }
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
        if let ProcessEnd::TimedOut { stdout_bytes } = end {
            // A last word that it was made to say is none: Copilot CLI ends a turn that was stopped as a success.
            let was_over = self.finished_at.is_some_and(|at| at <= stdout_bytes);
            if !was_over && report.outcome == Outcome::Completed {
                report.outcome = Outcome::Failed(Failure::new(FailureKind::Interrupted, ""));
            }
            if !was_over && self.retrying.is_some_and(asks_for_patience) {
                report.outcome = Outcome::Failed(Failure::new(FailureKind::Overloaded, ""));
            }
        }
        if let Some(complaint) = self.complaint {
            let kind = FailureKind::NeedsPerson { need: Need::Rules };
            report.outcome = Outcome::Failed(Failure::new(kind, complaint));
        }
        report
    }
}

/// What an agent tells on its stderr alone. Nothing there is a field, so only what the program itself writes at the
/// beginning of a line is known, and it decides nothing but that rules of gulf's were not taken.
#[derive(Debug)]
struct Troubles {
    known: &'static [(&'static str, Trouble)],
    line: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum Trouble {
    /// A number follows, and further on a status.
    Retry,
    RulesRefused,
    /// A flag or setting of its command line, before it does anything.
    FlagRefused,
}

impl Troubles {
    fn of(tool: Tool) -> Self {
        let known: &[(&str, Trouble)] = match tool {
            Tool::Claude => &[("error: unknown option ", Trouble::FlagRefused)],
            Tool::Codex => &[
                ("error: unexpected argument ", Trouble::FlagRefused),
                ("error: invalid value ", Trouble::FlagRefused),
                ("Error loading config.toml: ", Trouble::FlagRefused),
            ],
            Tool::Copilot => &[
                ("error: unknown option ", Trouble::FlagRefused),
                ("error: Invalid command format.", Trouble::FlagRefused),
                ("Invalid --", Trouble::FlagRefused),
            ],
            // It answers a flag that it does not know with its help.
            Tool::OpenCode => &[
                (OPENCODE_INVALID, Trouble::FlagRefused),
                ("opencode run [message..]", Trouble::FlagRefused),
            ],
            Tool::Gemini => &[
                ("Attempt ", Trouble::Retry),
                ("[ADMIN] Policy file error in ", Trouble::RulesRefused),
                ("Unknown argument", Trouble::FlagRefused),
            ],
        };
        Self { known, line: Vec::new() }
    }

    fn push(&mut self, bytes: &[u8]) -> Vec<(Trouble, AgentEvent)> {
        let mut events = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = WHAT_CHARS_MAX.saturating_sub(self.line.len());
            self.line.extend(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                events.extend(self.read(&String::from_utf8_lossy(&line)));
            }
        }
        events
    }

    fn read(&self, line: &str) -> Option<(Trouble, AgentEvent)> {
        let (rest, trouble) =
            self.known.iter().find_map(|(begin, trouble)| Some((line.strip_prefix(begin)?, *trouble)))?;
        let event = match trouble {
            Trouble::RulesRefused | Trouble::FlagRefused => {
                let words = line.rsplit(COLOUR_END).next().unwrap_or(line);
                AgentEvent::RulesRefused { complaint: one_line(words) }
            }
            // `Attempt 1 failed with status 503. Retrying with backoff... …`
            Trouble::Retry => {
                let (attempt, rest) = rest.split_once(" failed with status ")?;
                let (status, _) = rest.split_once('.')?;
                let attempt = attempt.parse().ok()?;
                AgentEvent::Retrying { attempt, status: status.parse().ok(), delay_ms: None }
            }
        };
        Some((trouble, event))
    }
}
