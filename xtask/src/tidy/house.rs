//! Ratchets on the whole: lines of each crate, circles of imports in it, type names that mean two things, functions whose
//! names say nothing. Each may only go down: a limit on functions and files alone moves complexity to where no rule looks.

mod imports;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::rule::{Rule, Violation};
use super::source::{Source, lines_of_code};

/// How large a crate's product may be.
struct Room {
    folder: &'static str,
    /// Without tests, comments and blank lines.
    lines_max: usize,
    /// Modules that import each other, directly or by way of others: none of them can be understood alone.
    circle_max: usize,
}

/// To raise a number, say in ARCHITECTURE.md what it buys gulf's users and what was tried first.
const ROOMS: [Room; 10] = [
    Room { folder: "crates/gulf", lines_max: 14_133, circle_max: 0 },
    Room { folder: "crates/gulf-agents", lines_max: 18_139, circle_max: 0 },
    Room { folder: "crates/gulf-engine", lines_max: 3_962, circle_max: 0 },
    Room { folder: "crates/gulf-faces", lines_max: 1_217, circle_max: 0 },
    Room { folder: "crates/gulf-host", lines_max: 10_209, circle_max: 3 },
    Room { folder: "crates/gulf-names", lines_max: 64, circle_max: 0 },
    Room { folder: "crates/gulf-queue", lines_max: 856, circle_max: 0 },
    Room { folder: "crates/gulf-runner", lines_max: 23_911, circle_max: 4 },
    Room { folder: "crates/gulf-spec", lines_max: 9_663, circle_max: 2 },
    Room { folder: "crates/gulf-views", lines_max: 8_887, circle_max: 0 },
];

/// Type names that stand in more than one place of the product.
const SHARED_NAMES_MAX: usize = 31;

/// Whoever reads a call of one of these has to look up what it gives or does.
const VAGUE_NAMES: [&str; 8] = ["a", "look", "named", "of", "one", "said", "told", "words"];

/// A number that is further above what is needed has to be lowered: nobody may grow into what somebody else saved.
const SLACK_LINES_MAX: usize = 300;

/// Where the numbers stand.
const PATH: &str = "xtask/src/tidy/house.rs";

pub(super) fn check(sources: &[Source<'_>]) -> Vec<Violation> {
    let mut found = Vec::new();
    // The numbers are about the tree that they stand in.
    if sources.iter().all(|source| source.file.path != PATH) {
        return found;
    }
    for room in &ROOMS {
        let within: Vec<&Source<'_>> = sources.iter().filter(|source| room.holds(source)).collect();
        let lines = within.iter().map(|source| lines_of_code(source)).sum();
        found.extend(room.judge_lines(lines));
        found.extend(room.judge_circle(&imports::largest_circle(room.folder, &within)));
    }
    found.extend(judge_names(&shared_names(sources), SHARED_NAMES_MAX));
    found.extend(
        sources.iter().filter(|source| ROOMS.iter().any(|room| room.holds(source))).flat_map(vague_names),
    );
    found
}

impl Room {
    fn holds(&self, source: &Source<'_>) -> bool {
        let path = source.file.path.strip_prefix(self.folder);
        path.is_some_and(|path| path.starts_with("/src/")) && !source.file.is_test()
    }

    fn judge_lines(&self, lines: usize) -> Option<Violation> {
        let Room { folder, lines_max, .. } = self;
        let message = if lines > *lines_max {
            format!("`{folder}` has {lines} lines of code without tests, at most {lines_max}")
        } else if lines + SLACK_LINES_MAX < *lines_max {
            format!("`{folder}` has only {lines} lines now: lower the {lines_max}")
        } else {
            return None;
        };
        Some(Violation::new(PATH, 1, Rule::CrateSize, message))
    }

    fn judge_circle(&self, circle: &[String]) -> Option<Violation> {
        let Room { folder, circle_max, .. } = self;
        let size = circle.len();
        let message = if size > *circle_max {
            let names = circle.join(", ");
            format!("{size} modules of `{folder}` import each other, at most {circle_max}: {names}")
        } else if size < *circle_max {
            format!("only {size} modules of `{folder}` import each other now: lower the {circle_max}")
        } else {
            return None;
        };
        Some(Violation::new(PATH, 1, Rule::ImportCircle, message))
    }
}

/// Each name that the product defines more than once, with the files where it does.
fn shared_names<'a>(sources: &'a [Source<'_>]) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for source in sources.iter().filter(|source| ROOMS.iter().any(|room| room.holds(source))) {
        for name in &source.types {
            names.entry(name).or_default().push(&source.file.path);
        }
    }
    names.retain(|_, files| files.len() > 1);
    names
}

fn vague_names(source: &Source<'_>) -> Vec<Violation> {
    let vague = source.functions.iter().filter(|(name, ..)| VAGUE_NAMES.contains(&name.as_str()));
    let message = |name: &str| format!("`fn {name}`: a noun for what it gives, or a verb for what it does");
    vague
        .map(|(name, line, _)| Violation::new(&source.file.path, *line, Rule::VagueName, message(name)))
        .collect()
}

fn judge_names(shared: &BTreeMap<&str, Vec<&str>>, shared_max: usize) -> Option<Violation> {
    let count = shared.len();
    let message = if count > shared_max {
        let most = shared.iter().max_by_key(|(_, files)| files.len());
        let most = most.map(|(name, files)| format!("`{name}` in {}", files.join(", "))).unwrap_or_default();
        format!("{count} type names stand in more than one place, at most {shared_max}; most often {most}")
    } else if count < shared_max {
        format!("only {count} type names stand in more than one place now: lower the {shared_max}")
    } else {
        return None;
    };
    Some(Violation::new(PATH, 1, Rule::SharedName, message))
}
