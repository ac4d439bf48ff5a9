//! Cuts a stream into lines, however its bytes arrive.
//!
//! It stands apart so that no decoder ever sees half a line: any split of the bytes gives the same lines, and a
//! line without an end is not one.

use serde_json::Value;

/// A longer line is dropped and counted: a tool's output in one event can be large, a stream without an end must
/// not fill the memory.
pub const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Lines {
    pending: Vec<u8>,
    /// The line was too long; what is left of it is passed over.
    is_overlong: bool,
}

/// A line of a stream that consists of JSON objects.
#[derive(Debug)]
pub(super) enum Line {
    Event(Value),
    /// Too long, or no JSON object.
    Unreadable,
}

impl Lines {
    /// The lines that end in these bytes; blank ones are left out.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            if self.pending.len() + text.len() > LINE_BYTES_MAX {
                self.is_overlong = true;
                self.pending = Vec::new();
            }
            if !self.is_overlong {
                self.pending.extend_from_slice(text);
            }
            if ends {
                lines.extend(self.take());
            }
        }
        lines
    }

    fn take(&mut self) -> Option<Line> {
        let bytes = std::mem::take(&mut self.pending);
        if std::mem::take(&mut self.is_overlong) {
            return Some(Line::Unreadable);
        }
        // A tool's output can hold bytes that are no text, and a tool may pass them on.
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() {
            return None;
        }
        let value = serde_json::from_str::<Value>(&text).ok().filter(Value::is_object);
        Some(value.map_or(Line::Unreadable, Line::Event))
    }
}
