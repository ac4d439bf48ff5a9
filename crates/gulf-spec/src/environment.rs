//! What people say about fresh checkouts: which files they get, which ports, and where worktrees lie.
//!
//! It stands apart from the settings because `.worktreeinclude` says some of it, too, in a form of its own.

use std::fmt;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The file at the top of a repository that names ignored files for worktrees, as agents' tools read it.
pub const WORKTREE_INCLUDE: &str = ".worktreeinclude";

/// The lowest port that needs no rights.
const FIRST_PORT: u16 = 1024;

/// Which files are selected, by patterns of an ignore file; later ones outrank earlier ones.
#[derive(Debug, Clone)]
pub struct Selection {
    matcher: Gitignore,
}

/// A line that is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct PatternError {
    pub pattern: String,
    pub why: String,
}

impl Selection {
    /// Of these patterns, each as it would stand in `.gitignore` at the top of the repository.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Self, PatternError> {
        let refused = |pattern: &str, why: String| PatternError { pattern: pattern.to_owned(), why };
        let mut builder = GitignoreBuilder::new("");
        for pattern in patterns {
            builder.add_line(None, pattern).map_err(|error| refused(pattern, error.to_string()))?;
        }
        let matcher = builder.build().map_err(|error| refused("", error.to_string()))?;
        Ok(Self { matcher })
    }

    /// The same of words that were meant for something else, of which one that is no pattern selects nothing.
    pub fn of_words<'p>(words: impl IntoIterator<Item = &'p str>) -> Self {
        let patterns = words.into_iter().filter(|word| Self::new([*word]).is_ok());
        Self::new(patterns).unwrap_or_else(|_| Self { matcher: Gitignore::empty() })
    }

    /// Can it select anything?
    pub fn is_empty(&self) -> bool {
        self.matcher.num_ignores() == 0
    }

    /// Is this file selected? The path is relative to the repository's top, with `/`.
    pub fn selects(&self, path: &str) -> bool {
        // Only below the top can be matched; any other path is a bug of the caller's that selects nothing.
        if !is_below(path) {
            return false;
        }
        matches!(self.matcher.matched_path_or_any_parents(path, false), Match::Ignore(_))
    }
}

/// The lines of a `.worktreeinclude` that are patterns.
pub fn worktree_include(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

/// Ports from the first to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortRange {
    pub first: u16,
    pub last: u16,
}

impl PortRange {
    /// Takes `20000-24999`, from 1024 on.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, last) = text.split_once('-')?;
        let number = |text: &str| text.trim().parse::<u16>().ok();
        let range = Self { first: number(first)?, last: number(last)? };
        (range.first >= FIRST_PORT && range.first <= range.last).then_some(range)
    }

    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "a range holds one port at least")]
    pub fn len(self) -> usize {
        usize::from(self.last - self.first) + 1
    }
}

impl fmt::Display for PortRange {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.first, self.last)
    }
}

/// Is this the name of a variable, as shells have them?
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
    !name.is_empty() && name.chars().all(plain) && !name.starts_with(|first: char| first.is_ascii_digit())
}

/// Is this the name of a variable that may be set for agents and checks?
pub fn is_variable(name: &str) -> bool {
    is_name(name) && !name.starts_with("GULF_")
}

/// Whether a path is absolute or climbs out, on any platform.
pub(crate) fn leaves(path: &str) -> bool {
    let absolute = path.starts_with(['/', '\\']) || path.chars().nth(1) == Some(':');
    absolute || path.split(['/', '\\']).any(|part| part == "..")
}

/// Is this a path below the project, as git would show it?
pub(crate) fn is_below(path: &str) -> bool {
    let trimmed = path.strip_suffix('/').unwrap_or(path);
    let is_part = |part: &str| !part.is_empty() && part != "." && !part.eq_ignore_ascii_case(".git");
    !leaves(path) && trimmed.split('/').all(is_part)
}

/// The folder for worktrees: what was set, with `~` as the person's home and else relative to the repository's top;
/// without a setting the folder that the repository lies in. None where that is not known.
pub fn worktrees(setting: Option<&str>, top: &str, home: Option<&str>) -> Option<String> {
    let top = top.trim_end_matches('/');
    let joined = |head: &str, rest: &str| format!("{}/{rest}", head.trim_end_matches('/'));
    match setting {
        None => {
            top.rsplit_once('/').map(|(parent, _)| if parent.is_empty() { "/" } else { parent }.to_owned())
        }
        Some("~") => home.map(str::to_owned),
        Some(path) if path.starts_with("~/") => Some(joined(home?, &path[2..])),
        Some(path) if path.starts_with(['/', '\\']) || path.chars().nth(1) == Some(':') => {
            Some(path.to_owned())
        }
        Some(path) => Some(joined(top, path)),
    }
}

#[cfg(test)]
mod tests;
