//! The texts a memory begins with.
//!
//! Apart because they are written to be overwritten: what is still as it stands here, nobody has written.

use super::{CURRENT_PATH, INDEX_PATH};

/// A text of the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryText {
    /// Relative to the memory.
    pub path: &'static str,
    pub text: &'static str,
}

const INDEX: &str = include_str!("../../templates/memory/index.md");
const SPEC: &str = include_str!("../../templates/memory/spec.md");
const MAP: &str = include_str!("../../templates/memory/map.md");
const CONSTRAINTS: &str = include_str!("../../templates/memory/constraints.md");
const CURRENT: &str = include_str!("../../templates/memory/current.md");

/// All texts of a new memory; one that is there already is left as it is.
pub fn scaffold() -> [MemoryText; 5] {
    [
        MemoryText { path: INDEX_PATH, text: INDEX },
        MemoryText { path: "spec.md", text: SPEC },
        MemoryText { path: "map.md", text: MAP },
        MemoryText { path: "constraints.md", text: CONSTRAINTS },
        MemoryText { path: CURRENT_PATH, text: CURRENT },
    ]
}

/// Whether a `loops/current.md` still says nothing: a loop that ends so leaves no memory.
pub fn is_untouched(current: &str) -> bool {
    let said = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let current = said(current.trim_start_matches('\u{feff}'));
    current.is_empty() || current == said(CURRENT)
}

pub(super) fn current() -> String {
    CURRENT.to_owned()
}
