//! How many lines of each file differ between two trees: what a person wants to know before they read.
//!
//! Nothing is decided on it.

use super::Repository;
use super::error::{GitError, Result};
use super::names::{TreeId, TreePath};

/// A file that two trees disagree about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCounts {
    pub path: TreePath,
    /// How many were added, and how many removed; none where it has no lines.
    pub lines: Option<(u32, u32)>,
}

impl Repository {
    /// Line counts of every path that two trees disagree about, in the order of their bytes.
    pub fn count_lines(&self, old: &TreeId, new: &TreeId) -> Result<Vec<LineCounts>> {
        if old == new {
            return Ok(Vec::new());
        }
        let form = ["-r", "-z", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let answer = self.store.call("diff-tree").args(form).args([old.as_str(), new.as_str()]).run()?;
        answer.entries().map(counts).collect()
    }

    /// How many lines each pair of trees differs by, added and removed together: one program for all of them.
    pub fn count_each(&self, pairs: &[(TreeId, TreeId)]) -> Result<Vec<u64>> {
        if pairs.is_empty() {
            return Ok(Vec::new());
        }
        let lines: String = pairs.iter().map(|(old, new)| format!("{old} {new}\n")).collect();
        let form = ["--stdin", "-r", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"];
        let answer = self.store.call("diff-tree").args(form).input(lines.into_bytes()).run()?;
        // Before the files of a pair stand its two trees, on a line without a tab.
        let mut sums: Vec<u64> = Vec::new();
        for line in answer.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            if !line.contains(&b'\t') {
                sums.push(0);
            } else if let (Some(sum), Some((added, removed))) = (sums.last_mut(), counts(line)?.lines) {
                *sum = sum.saturating_add(u64::from(added) + u64::from(removed));
            }
        }
        if sums.len() == pairs.len() {
            return Ok(sums);
        }
        Err(GitError::answer("diff-tree", format!("{} pairs of {}", sums.len(), pairs.len())))
    }
}

/// `<added><TAB><removed><TAB><path>`, with `-` for both numbers where there are no lines.
fn counts(line: &[u8]) -> Result<LineCounts> {
    let unknown = || GitError::answer("diff-tree", line);
    let mut columns = line.splitn(3, |byte| *byte == b'\t');
    let (Some(added), Some(removed), Some(path)) = (columns.next(), columns.next(), columns.next()) else {
        return Err(unknown());
    };
    let number = |column: &[u8]| {
        let text = std::str::from_utf8(column).map_err(|_| unknown())?;
        text.parse::<u32>().map_err(|_| unknown())
    };
    let lines = match (added, removed) {
        (b"-", b"-") => None,
        (added, removed) => Some((number(added)?, number(removed)?)),
    };
    Ok(LineCounts { path: TreePath::parse(path)?, lines })
}

// The difference between two trees as text, as `git diff` shows it: for people, and for `git apply`.

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
    pub fn diff_text(&self, old: &TreeId, new: &TreeId, form: DiffForm) -> Result<Vec<u8>> {
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
