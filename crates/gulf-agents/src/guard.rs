//! Whether a tool call would write what a loop has sealed: asked before the tool runs, answered for the worker.
//!
//! It saves the worker a turn, and protects nothing: a sealed text counts as it was sealed, whatever lies in the worktree.
//! So it denies what is plain to see: the paths that editing tools name, and a sealed path that stands literally in a
//! command that writes it. The rest it lets pass.

use serde_json::Value;

mod commands;
mod paths;
#[cfg(test)]
mod tests;
mod tools;

/// Nothing to object to, or the first thing there is.
type GuardVerdict = Result<(), Offence>;

/// What may not be written while a loop runs.
///
/// Paths of the project are relative to it, with `/`; one that ends with `/` is a folder and all in it. Case makes no
/// difference, because on two systems of three it makes none for files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protected {
    /// The project's folder, absolute, spelt as the host spells the folder it works in: links cannot be seen here.
    pub project: String,
    /// Texts of the person that the loop has sealed.
    pub sealed: Vec<String>,
    /// What gulf keeps in the project for itself.
    pub state: Vec<String>,
    /// What may be written all the same, inside of folders above.
    pub free: Vec<String>,
    /// Absolute folders outside of the project that gulf keeps for itself.
    pub outside: Vec<String>,
    /// What `~` and `$HOME` stand for.
    pub home: Option<String>,
}

/// A tool that is about to run, as the host tells it.
#[derive(Clone, Copy, Debug)]
pub struct ToolUse<'event> {
    pub name: &'event str,
    pub input: &'event Value,
    /// Where the tool works, absolute.
    pub cwd: &'event str,
}

/// Why a path is protected, and what a worker does instead of writing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Keeper {
    why: &'static str,
    instead: &'static str,
}

const SEAL: Keeper = Keeper {
    why: "is sealed for this loop",
    instead: "if it must change, say so with `gulf claim conflict \"what is wrong with it\"`",
};
const GULF: Keeper = Keeper {
    why: "is gulf's own while the loop runs",
    instead: "notes belong into progress.txt or .gulf/notepad.md",
};

/// A write that is to be denied; `Display` says it to the worker, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path} {}, and {how}. Reading is free; {}.", .keeper.why, .keeper.instead)]
pub struct Offence {
    /// The protected path as it is named in [`Protected`].
    pub path: String,
    keeper: Keeper,
    /// What was tried, as in "`sed -i` would change it".
    how: String,
}

/// The first write to something protected that the tool would do, as far as it can be seen before.
pub fn offence(protected: &Protected, tool_use: &ToolUse<'_>) -> Option<Offence> {
    tools::check(&mut paths::Paths::new(protected, tool_use), tool_use).err()
}
