//! Which test proves which requirement: comments `// proves: G9, B2` above tests, held against the list of all ids.
//!
//! Here a gap is a promise that nobody has kept yet, and the list of gaps is what is read.

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use crate::program;
use crate::tidy;
use std::collections::BTreeMap;

/// `ID<TAB>what it asks for`, in the order of the documents.
const IDS: &str = "xtask/trace-ids.txt";
const MARK: &str = "// proves: ";
/// Attributes, and the rest of a comment, may stand between the mark and its test.
const LINES_BETWEEN_MAX: usize = 12;
/// What is still to come; a gap there is listed, and no more.
const LATER: char = 'B';

/// An id, what it asks for, and the tests that prove it.
#[derive(Debug, PartialEq, Eq)]
struct Requirement {
    id: String,
    title: String,
    tests: Vec<String>,
}

/// A comment that proves nothing.
#[derive(Debug, PartialEq, Eq)]
struct Stray {
    place: String,
    why: String,
}

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Print {
    /// Every id with its tests.
    Table,
    /// What has none.
    Gaps,
}

/// Fails where an id that is due has no test, or a comment names what there is not.
pub(crate) fn run(print: Print) -> Result<(), Failure> {
    let path = program::root().join(IDS);
    let ids = std::fs::read_to_string(&path).map_err(Failure::file(&path))?;
    let (requirements, strays) = trace(&ids, &tidy::rust_texts()?);
    for requirement in requirements.iter().filter(|_| print == Print::Table) {
        println!("{}\t{}\t{}", requirement.id, requirement.title, requirement.tests.join(" "));
    }
    let (later, due): (Vec<_>, Vec<_>) = requirements
        .iter()
        .filter(|requirement| requirement.tests.is_empty())
        .partition(|requirement| requirement.id.starts_with(LATER));
    for requirement in later {
        eprintln!("no test yet: {} {}", requirement.id, requirement.title);
    }
    let due = due.iter().map(|requirement| format!("no test: {} {}", requirement.id, requirement.title));
    let strays = strays.iter().map(|stray| format!("{}: {}", stray.place, stray.why));
    let found: Vec<String> = due.chain(strays).collect();
    if found.is_empty() {
        return Ok(());
    }
    let what = format!("{}\n{} requirements or comments to look at", found.join("\n"), found.len());
    Err(Failure::Found { what, hint: "write the test, and say above it `// proves: ID`" })
}

/// Every requirement with its tests, and the comments that belong to none.
fn trace(ids: &str, files: &[(String, String)]) -> (Vec<Requirement>, Vec<Stray>) {
    let mut requirements: Vec<Requirement> = Vec::new();
    let mut places = BTreeMap::new();
    for line in ids.lines().filter(|line| !line.trim().is_empty()) {
        let (id, title) = line.split_once('\t').unwrap_or((line, ""));
        places.insert(id.to_owned(), requirements.len());
        requirements.push(Requirement { id: id.to_owned(), title: title.to_owned(), tests: Vec::new() });
    }
    let mut strays = Vec::new();
    for (path, text) in files {
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let Some(named) = line.trim_start().strip_prefix(MARK) else { continue };
            let place = format!("{path}:{}", index + 1);
            let Some(test) = test_below(&lines, index) else {
                strays.push(Stray { place, why: "no test stands below it".to_owned() });
                continue;
            };
            for id in named.split(',').map(str::trim) {
                match places.get(id) {
                    Some(known) => {
                        requirements[*known].tests.push(format!("{path}::{test}"));
                    }
                    None => {
                        strays.push(Stray { place: place.clone(), why: format!("{id} is no requirement") });
                    }
                }
            }
        }
    }
    (requirements, strays)
}

/// The name of the test that a comment stands above.
fn test_below<'text>(lines: &[&'text str], mark: usize) -> Option<&'text str> {
    let below = lines.iter().skip(mark + 1).take(LINES_BETWEEN_MAX).map(|line| line.trim_start());
    let mut is_test = false;
    for line in below {
        if line.starts_with("#[test]") {
            is_test = true;
        } else if let Some(rest) = line.strip_prefix("fn ") {
            return is_test.then(|| rest.split('(').next().unwrap_or(rest));
        } else if !line.starts_with("//") && !line.starts_with("#[") && !line.starts_with(')') {
            return None;
        }
    }
    None
}
