//! The loop's own texts (SPEC G21): which paths they are and who writes them.
//!
//! Apart because several parts must agree to the letter: the candidate takes these paths from the base, the
//! exclude file lists the worker's, and no check or judge may count an edit of them as work.

/// Who writes a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// gulf or the worker: kept out of commits by `.git/info/exclude`.
    Loop,
    /// The person, who commits it.
    Person,
}

/// A path of the project that is the loop's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnText {
    /// Relative to the project, with `/`; one that ends with `/` is a folder and all in it.
    pub path: &'static str,
    pub writer: Writer,
}

/// All of the loop's own texts.
pub const OWN_TEXTS: [OwnText; 17] = [
    OwnText { path: "RUBRIC.md", writer: Writer::Person },
    OwnText { path: "PROMPT.md", writer: Writer::Person },
    OwnText { path: "gulf.toml", writer: Writer::Person },
    OwnText { path: ".claude/autochecks.sh", writer: Writer::Person },
    OwnText { path: ".claude/gulf-align.md", writer: Writer::Person },
    OwnText { path: "progress.txt", writer: Writer::Loop },
    OwnText { path: "decisions.md", writer: Writer::Loop },
    OwnText { path: "JUDGE_FEEDBACK.md", writer: Writer::Loop },
    OwnText { path: "JUDGE_EVOLUTION.md", writer: Writer::Loop },
    OwnText { path: ".claude/gulf-loop.local.md", writer: Writer::Loop },
    OwnText { path: ".claude/gulf-loop.local.md.tmp", writer: Writer::Loop },
    OwnText { path: ".claude/ralph-loop.local.md", writer: Writer::Loop },
    OwnText { path: ".claude/progress.txt", writer: Writer::Loop },
    OwnText { path: ".claude/orchestrate-state.json", writer: Writer::Loop },
    OwnText { path: ".claude/goals/progress.md", writer: Writer::Loop },
    OwnText { path: ".claude/memory/", writer: Writer::Loop },
    OwnText { path: ".gulf/", writer: Writer::Loop },
];

/// The entry that a path of the project (with `/`) falls under.
pub fn own_text(path: &str) -> Option<&'static OwnText> {
    OWN_TEXTS.iter().find(|text| match text.path.strip_suffix('/') {
        Some(folder) => {
            path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        None => path == text.path,
    })
}

/// The lines of `.git/info/exclude`, for a project at the top of its repository.
pub fn exclude_lines() -> impl Iterator<Item = String> {
    OWN_TEXTS.iter().filter(|text| text.writer == Writer::Loop).map(|text| format!("/{}", text.path))
}

#[cfg(test)]
mod tests;
