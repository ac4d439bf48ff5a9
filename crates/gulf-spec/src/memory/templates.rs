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

const INDEX: &str = "\
# Memory

What workers learn here and the next ones need. Read this first, then what it names.

## Pages

- [spec.md](spec.md): the goal and when it is reached
- [map.md](map.md): what lies where
- [constraints.md](constraints.md): what must be respected, found out on the way
- [decisions/](decisions/): one page for each topic that was decided
- [loops/current.md](loops/current.md): this loop

## Loop archive

<!-- loop-archive-start -->
<!-- loop-archive-end -->
";

const SPEC: &str = "\
# Goal

<!-- Written in iteration 1, in your own words; changed only if the goal changes. -->

## When it is reached

<!-- One criterion a line that can be measured. -->

## What does not belong to it

<!-- What is left for another day. -->
";

const MAP: &str = "\
# Map

<!-- One line for each file or folder that matters: its path and what it is for. -->

## How it is built

<!-- What calls what, and where a change of some kind belongs. -->

## How it is tested

<!-- The exact command that runs all tests. -->
";

const CONSTRAINTS: &str = "\
# Constraints

<!-- Only appended: `- [iter N] what must be respected, and where it was seen`. What no longer holds is ~~struck
     through~~, not removed. -->
";

const CURRENT: &str = "\
# This loop

<!-- Filed as loops/loop-NNN.md when the loop completes, and empty again for the next one. -->

## Done

<!-- One line for each finished task. -->

## Decided

<!-- What was chosen over what, and why. -->

## In the way

<!-- What blocks the work, and what nobody has answered. -->
";

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
