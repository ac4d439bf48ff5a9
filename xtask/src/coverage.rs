//! How much of the engine and of the code that keeps state is run by tests (SPEC L9): line by line, by cargo-llvm-cov.
//!
//! It stands apart from `ci`: it builds everything once more, and a number of percent is looked at, not waited for.

#[cfg(test)]
mod tests;

use crate::failure::Failure;
use crate::program::{self, Echo, Exit};
use std::collections::BTreeMap;

/// What must be covered, as the beginnings of paths, and by how much.
const PARTS: [(&str, &[&str]); 2] = [
    ("the engine", &["crates/gulf-engine/src/"]),
    (
        "the code that keeps state",
        &["crates/gulf-host/src/journal", "crates/gulf-host/src/files", "crates/gulf-runner/src/book.rs"],
    ),
];
/// SPEC L9, in percent of the lines.
const LINES_MIN: usize = 90;
/// The tests that are run: of the crates that hold that code, and of gulf itself, whose processes count as well.
const PACKAGES: [&str; 6] =
    ["gulf-engine", "gulf-host", "gulf-views", "gulf-runner", "gulf-loop", "gulf-testkit"];
/// Where the lines are told; cargo-llvm-cov keeps its own builds beside it, which are of no use to any other.
const REPORT: &str = "target/coverage.info";

/// Lines that can be run, and those that were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lines {
    run: usize,
    all: usize,
}

impl Lines {
    fn is_enough(self) -> bool {
        self.all > 0 && self.run * 100 >= self.all * LINES_MIN
    }

    fn shown(self) -> String {
        let percent = self.run as f64 * 100.0 / self.all.max(1) as f64;
        format!("{percent:5.1} %  {} of {} lines", self.run, self.all)
    }
}

/// Runs those tests with counters, prints a line for each file, and fails where too little was run.
pub(crate) fn run() -> Result<(), Failure> {
    let path = program::root().join(REPORT);
    let mut command = program::cargo(&["llvm-cov", "nextest", "--locked", "--no-fail-fast", "--tests"]);
    for package in PACKAGES {
        command.args(["--package", package]);
    }
    // Searches of whole worlds go over the lines of the stories again, and with counters for very long.
    command.args(["-E", "not test(laws)", "--lcov", "--output-path"]).arg(&path);
    if program::run(command, Echo::Live)?.exit == Exit::Failure {
        let what = "the tests could not be run with counters".to_owned();
        let hint = "it needs `cargo install --locked cargo-llvm-cov` and `rustup component add llvm-tools`; else see above \
                    which test failed";
        return Err(Failure::Found { what, hint });
    }
    let report = std::fs::read_to_string(&path).map_err(Failure::file(&path))?;
    judge(&lines_by_file(&report))
}

/// Of each file of ours that is no test.
fn lines_by_file(report: &str) -> BTreeMap<String, Lines> {
    let mut files: BTreeMap<String, Lines> = BTreeMap::new();
    let mut file = None;
    for line in report.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let own = path.find("crates/").map(|start| path[start..].to_owned());
            file = own.filter(|path| !path.contains("/tests/") && !path.ends_with("/tests.rs"));
        } else if let Some(((_, hits), file)) =
            line.strip_prefix("DA:").and_then(|data| data.split_once(',')).zip(file.as_ref())
        {
            let lines = files.entry(file.clone()).or_default();
            lines.all += 1;
            lines.run += usize::from(hits != "0");
        }
    }
    files
}

fn judge(files: &BTreeMap<String, Lines>) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for (part, places) in PARTS {
        let of_it = files.iter().filter(|(path, _)| places.iter().any(|place| path.starts_with(place)));
        let mut sum = Lines::default();
        for (path, lines) in of_it {
            println!("  {}  {path}", lines.shown());
            sum = Lines { run: sum.run + lines.run, all: sum.all + lines.all };
        }
        println!("{}  {part} (SPEC L9: {LINES_MIN} %)\n", sum.shown());
        if !sum.is_enough() {
            missing.push(format!("{part}: {}", sum.shown().trim()));
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::Found { what: missing.join("\n"), hint: "tell the stories that no test tells yet" })
}
