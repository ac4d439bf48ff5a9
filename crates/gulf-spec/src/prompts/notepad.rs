//! The worker's notepad as it stands in a prompt (SPEC A2): its last part, between fences.
//!
//! Apart because it is a choice under a budget: of notes the newest count, and whole lines of them.

use serde_json::json;

use super::TemplateError;
use super::fill::{fence, fill};
use crate::layers::TOKEN_BYTES;
use crate::text::Source;

const NOTEPAD: &str = include_str!("../../templates/notepad.md");

/// The worker's own notes: read, shown, and never decided on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notepad {
    /// Relative to the worker's project.
    path: String,
    /// What of it is shown.
    text: String,
    /// Is that all of it?
    is_whole: bool,
}

impl Notepad {
    /// Nothing is noted yet.
    pub fn empty(path: &str) -> Self {
        Self { path: path.to_owned(), text: String::new(), is_whole: true }
    }

    /// Whole lines of its end, as many as fit into so many tokens; `is_whole` says whether `text` itself is all of it.
    pub fn from_end(path: &str, text: &str, is_whole: bool, tokens_max: u64) -> Self {
        let text = text.trim_end();
        let bytes_max = usize::try_from(tokens_max.saturating_mul(TOKEN_BYTES)).unwrap_or(usize::MAX);
        let cut = text.floor_char_boundary(text.len().saturating_sub(bytes_max));
        let (before, end) = text.split_at(cut);
        let is_cut = cut > 0 || !is_whole;
        // What precedes the first line end may be the rest of a line.
        let shown = match end.split_once('\n') {
            _ if !is_cut || before.ends_with('\n') => end,
            Some((_, lines)) => lines,
            None => "",
        };
        Self { path: path.to_owned(), text: shown.trim_end().to_owned(), is_whole: !is_cut }
    }
}

/// None where the loop has no notepad.
pub(super) fn block(notepad: Option<&Notepad>) -> Result<Option<String>, TemplateError> {
    let Some(Notepad { path, text, is_whole }) = notepad else { return Ok(None) };
    let values = json!({
        "path": path,
        "whole": *is_whole,
        "fence": fence(text),
        "text": text,
    });
    let block = fill(&Source::new("notepad.md", NOTEPAD), &values)?;
    Ok(Some(block.trim_end().to_owned()))
}
