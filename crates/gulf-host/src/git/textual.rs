//! The difference between two trees as text, as `git diff` shows it: for people, and for `git apply`.
//!
//! It stands apart from the differences that gulf decides on: those are paths and ids and depend on nobody's settings,
//! while here the person's own taste in renames and algorithms counts.

use super::Repository;
use super::error::GitError;
use super::names::TreeId;

/// What of the difference is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffForm {
    /// Every changed line.
    Patch,
    /// Which files, and how much of each; no line gets wider.
    Stat { columns_max: u16 },
}

impl Repository {
    /// The bytes that `git diff` would print into a pipe; none where both trees are the same.
    pub fn diff_text(&self, old: &TreeId, new: &TreeId, form: DiffForm) -> Result<Vec<u8>, GitError> {
        let form = match form {
            DiffForm::Patch => "--patch".to_owned(),
            DiffForm::Stat { columns_max } => format!("--stat={columns_max}"),
        };
        let answer = self
            .store
            // Paths as people wrote them, not as octal numbers.
            .call_with(&["core.quotePath=false".to_owned()], "diff")
            // What the newer tree says of its files (`*.svg binary`) counts, and no worktree does. An older git than 2.41
            // does not know the variable and shows all that looks like text as text.
            .variable("GIT_ATTR_SOURCE", new.as_str())
            .args([
                "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none",
                "--submodule=short",
            ])
            // Settings that would make it unreadable for `git apply`.
            .args(["--src-prefix=a/", "--dst-prefix=b/", "--no-relative"])
            .args([form.as_str(), old.as_str(), new.as_str(), "--"])
            .run()?;
        Ok(answer.stdout)
    }
}
