//! What a loop reads in a project: names of texts, and how much of them.

/// How much is read of a text that a person or the worker wrote.
pub const TEXT_BYTES_MAX: u64 = 1 << 20;
/// A file larger than this is named, not stored in a candidate.
pub(crate) const FILE_BYTES_MAX: u64 = 100 << 20;
/// Where criteria and checks stand, if no other file is named.
pub const RUBRIC: &str = "RUBRIC.md";
/// The path of the project's own script of checks (SPEC G16).
pub const AUTOCHECKS: &str = ".claude/autochecks.sh";
