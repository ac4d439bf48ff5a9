//! Commits that can be replayed: some code, small enough to be one piece of work. A merge is what it brought into its first parent.

use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::program;

/// So many commits are looked at for each that is wanted.
const LOOKED_AT_MAX: usize = 30;
/// More files than this are a release or a move, not a piece of work.
const FILES_MAX: usize = 30;
/// Files that hold code.
const ENDINGS: [&str; 17] = [
    "rs", "py", "js", "mjs", "cjs", "jsx", "ts", "tsx", "go", "java", "kt", "rb", "php", "c", "cc", "cpp",
    "cs",
];

/// One commit that somebody merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) id: String,
    pub(super) parent: String,
    pub(super) subject: String,
    pub(super) tests: Tests,
}

/// Which commits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Any,
    /// Those that touch tests.
    WithTests,
}

/// Does it touch tests?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tests {
    Added,
    Changed,
    /// Within sources of products.
    Inline,
    Untouched,
}

impl Commit {
    pub(super) fn short(&self) -> &str {
        self.id.get(..9).unwrap_or(&self.id)
    }
}

/// The newest commits that can be replayed, on whatever line they were made.
pub(super) fn recent(clone: &Path, count: usize, wanted: Wanted) -> Result<Vec<Commit>, Failure> {
    let mut log = Command::new("git");
    log.arg("-C").arg(clone).args([
        "log",
        "--first-parent",
        "-m",
        "--format=%x00%H%x00%P%x00%s%x00%b%x00",
        "--name-status",
    ]);
    log.arg(format!("--max-count={}", count.saturating_mul(LOOKED_AT_MAX)));
    let found = read(&program::stdout(log)?);
    let mut chosen = Vec::new();
    for mut commit in found {
        if commit.tests == Tests::Untouched && adds_inline_tests(clone, &commit)? {
            commit.tests = Tests::Inline;
        }
        if wanted == Wanted::Any || commit.tests != Tests::Untouched {
            chosen.push(commit);
        }
        if chosen.len() == count {
            break;
        }
    }
    Ok(chosen)
}

/// Rust's tests stand beside what they test.
fn adds_inline_tests(clone: &Path, commit: &Commit) -> Result<bool, Failure> {
    let mut diff = Command::new("git");
    diff.arg("-C").arg(clone).args(["diff", "--unified=0", &commit.parent, &commit.id, "--", "*.rs"]);
    let diff = program::stdout(diff)?;
    let mut added = diff.lines().filter_map(|line| line.strip_prefix('+'));
    Ok(added.any(|line| line.contains("#[test]") || line.trim_start().starts_with("assert")))
}

/// The output of git log: four fields behind a zero byte each, then a line for each file.
pub(super) fn read(log: &str) -> Vec<Commit> {
    let mut fields = log.split('\0').skip(1);
    let mut commits = Vec::new();
    while let (Some(id), Some(parents), Some(subject), Some(body), Some(files)) =
        (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    {
        let mut parents = parents.split(' ').filter(|parent| !parent.is_empty());
        let Some(parent) = parents.next() else { continue };
        // The subject of a merge tells of branches, its body of the work.
        let is_merge = parents.next().is_some();
        let title = body.lines().find(|line| is_merge && !line.trim().is_empty()).unwrap_or(subject);
        let files: Vec<(&str, &str)> = files.lines().filter_map(|line| line.split_once('\t')).collect();
        let code = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending));
        let has_product = files.iter().any(|(_, path)| code(path) && !is_test(path));
        if has_product && files.len() <= FILES_MAX {
            let (tests, subject) = (tests(&files), title.to_owned());
            commits.push(Commit { id: id.to_owned(), parent: parent.to_owned(), subject, tests });
        }
    }
    commits
}

fn tests(files: &[(&str, &str)]) -> Tests {
    let tests: Vec<&str> =
        files.iter().filter(|(_, path)| is_test(path)).map(|(status, _)| *status).collect();
    match (tests.is_empty(), tests.iter().all(|status| *status == "A")) {
        (true, _) => Tests::Untouched,
        (false, true) => Tests::Added,
        (false, false) => Tests::Changed,
    }
}

fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    path.split(['/', '.', '_', '-'])
        .any(|part| ["test", "tests", "spec", "specs", "__tests__", "testdata"].contains(&part))
}
