//! The rules of style that a compiler does not know, as a test: what is only written down is soon not true.

mod edges;
mod exceptions;
mod house;
mod korean;
mod limits;
mod rule;
mod source;
#[cfg(test)]
mod tests;
mod tree;
mod words;

use crate::failure::Failure;
use crate::program;
use rule::Violation;
use tree::Tree;

/// Reads what git would commit and prints every violation as `path:line: rule: message`.
pub(crate) fn run() -> Result<(), Failure> {
    // The fuzz targets are built apart, so no other step reads their lock. CI stops at a stale one.
    program::stdout(program::cargo(&[
        "metadata",
        "--locked",
        "--format-version=1",
        "--manifest-path=fuzz/Cargo.toml",
    ]))?;
    let violations = violations(&Tree::of_repository(&program::root())?);
    if violations.is_empty() {
        return Ok(());
    }
    let mut lines: Vec<String> = violations.iter().map(ToString::to_string).collect();
    lines.extend(reasons(&violations));
    let what = format!("{}\n{} tidy violations", lines.join("\n"), violations.len());
    Err(Failure::Found { what, hint: "a rule that is wrong is changed in xtask/src/tidy, not worked around" })
}

/// Every Rust file that git would commit: its path and its text.
pub(crate) fn rust_texts() -> Result<Vec<(String, String)>, Failure> {
    let tree = Tree::of_repository(&program::root())?;
    Ok(tree.rust_files().map(|file| (file.path.clone(), file.text.clone())).collect())
}

/// All violations of a tree, by path and line.
fn violations(tree: &Tree) -> Vec<Violation> {
    let mut found = edges::check(tree);
    found.extend(limits::check(tree));
    let mut overlong = Vec::new();
    let mut sources = Vec::new();
    for file in tree.rust_files() {
        match source::Source::parse(file) {
            Ok(source) => sources.push(source),
            Err(violation) => found.push(violation),
        }
    }
    for source in &sources {
        found.extend(words::check(source));
        found.extend(source::check_module_doc(source));
        overlong.extend(source::check_lengths(source));
    }
    found.extend(house::check(&sources));
    found.extend(korean::check(tree, &sources));
    found.extend(words::check_unfinished(tree));
    found.extend(exceptions::judge(tree, overlong));
    found.sort_by(|left, right| (&left.path, left.line).cmp(&(&right.path, right.line)));
    found
}

/// Why each violated rule exists, once per rule.
fn reasons(violations: &[Violation]) -> Vec<String> {
    let mut reasons = Vec::new();
    for violation in violations {
        let reason = format!("why {}: {}", violation.rule.name(), violation.rule.reason());
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons
}
