//! Runs the tests that a change can touch: those of the changed packages and of all that depend on them, and of the
//! end-to-end tests the changed ones and a few that go once through everything.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::process::Command;

use crate::ci;
use crate::failure::Failure;
use crate::program::{self, Echo, Exit};
use crate::scratch::Scratch;
use crate::setup;

/// Folders of packages whose name is not their folder's.
const NAMES: [(&str, &str); 2] = [("crates/gulf", "gulf-loop"), ("fuzz", "gulf-fuzz")];
/// End-to-end tests know gulf from outside, so cargo sees no edge to them: one file for each way through the product.
const EVERY_WAY: [&str; 5] = ["ordinary", "commands", "contract::claims", "landing", "keeping"];
const END_TO_END: &str = "e2e/tests/e2e/";

/// Against this revision, else what is not committed, else the last commit.
pub(crate) fn run(since: Option<&str>) -> Result<(), Failure> {
    let mut files = changed(since.unwrap_or("HEAD"))?;
    if files.is_empty() && since.is_none() {
        files = changed("HEAD~1")?;
    }
    let Some(filter) = filter(&files) else {
        println!("no test can be touched by {} changed files", files.len());
        return Ok(());
    };
    println!("   {filter}");
    setup::prepare()?;
    let mut command = ci::nextest("default");
    let scratch = Scratch::in_memory();
    scratch.lend(&mut command);
    command.args(["-E", &filter]);
    match program::run(command, Echo::Live)?.exit {
        Exit::Success => Ok(()),
        Exit::Failure => {
            Err(Failure::Found { what: "tests failed".to_owned(), hint: "what failed stands above" })
        }
    }
}

/// Tracked files that differ, and files that git does not know yet.
fn changed(since: &str) -> Result<Vec<String>, Failure> {
    let list = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(program::root());
        program::stdout(git)
    };
    let differ = list(&["diff", "--name-only", since])?;
    let new = list(&["ls-files", "--others", "--exclude-standard"])?;
    Ok(differ.lines().chain(new.lines()).map(str::to_owned).collect())
}

/// The tests, in nextest's language; none where no file belongs to any.
fn filter(files: &[String]) -> Option<String> {
    let mut parts = BTreeSet::new();
    for file in files {
        match package(file) {
            Some("e2e") => parts.extend(file.strip_prefix(END_TO_END).map(module)),
            Some("xtask") => parts.extend(["package(=xtask)".to_owned()]),
            Some(package) => {
                parts.insert(format!("(rdeps(={package}) - package(=e2e))"));
                parts.extend(EVERY_WAY.iter().map(|module| module_filter(module)));
            }
            None if ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml"].contains(&file.as_str()) => {
                parts.extend(["all()".to_owned()]);
            }
            None if file.ends_with(".md") => parts.extend([module_filter("documents")]),
            None if file.starts_with("plugins/") => parts.extend([module_filter("plugin")]),
            None => {}
        }
    }
    (!parts.is_empty()).then(|| parts.into_iter().collect::<Vec<_>>().join(" | "))
}

/// The package that a file belongs to.
fn package(file: &str) -> Option<&str> {
    let parts: Vec<&str> = file.split('/').collect();
    let folder = match parts.as_slice() {
        ["crates", name, _, ..] => &file[.."crates/".len() + name.len()],
        [name @ ("e2e" | "xtask" | "fuzz"), _, ..] => name,
        _ => return None,
    };
    let named = NAMES.iter().find(|(of, _)| *of == folder).map(|(_, name)| *name);
    named.or_else(|| folder.rsplit('/').next())
}

/// `contract/claims.rs` holds the tests of `contract::claims`; what all share touches all.
fn module(file: &str) -> String {
    match file.trim_end_matches(".rs") {
        "main" => "package(=e2e)".to_owned(),
        path => module_filter(&path.trim_end_matches("/harness").replace('/', "::")),
    }
}

fn module_filter(module: &str) -> String {
    format!("(package(=e2e) & test(/^{module}::/))")
}
