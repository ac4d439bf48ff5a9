//! Which crate may import which: the table of ARCHITECTURE.md as a test, and the manners of every manifest.

use super::rule::{Rule, Violation};
use super::tree::{Tree, TreeFile};
use toml::{Table, Value};

/// Folder of each crate, and those of ours it may depend on. A new crate needs a line here.
const EDGES: [(&str, &[&str]); 15] = [
    ("crates/gulf-names", &[]),
    ("crates/gulf-engine", &["gulf-names"]),
    ("crates/gulf-queue", &["gulf-engine"]),
    ("crates/gulf-spec", &["gulf-engine"]),
    ("crates/gulf-agents", &[]),
    ("crates/gulf-host", &["gulf-names"]),
    ("crates/gulf-runner", &["gulf-engine", "gulf-queue", "gulf-spec", "gulf-agents", "gulf-host"]),
    ("crates/gulf-views", &["gulf-engine"]),
    ("crates/gulf-faces", &["gulf-engine", "gulf-views"]),
    (
        "crates/gulf",
        &["gulf-engine", "gulf-spec", "gulf-agents", "gulf-host", "gulf-runner", "gulf-views", "gulf-faces"],
    ),
    // What is fuzzed: of the runner and the views, only what reads.
    ("crates/gulf-fuzz", &["gulf-engine", "gulf-spec", "gulf-agents", "gulf-runner", "gulf-views"]),
    ("fuzz", &["gulf-fuzz"]),
    ("crates/gulf-testkit", &[]),
    ("e2e", &["gulf-testkit"]),
    // xtask builds while the product does not, or it could not say why.
    ("xtask", &[]),
];

/// Allowed to every crate, for tests only.
const TESTKIT: &str = "gulf-testkit";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Product,
    Tests,
}

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for manifest in tree.manifests() {
        match manifest.text.parse::<Table>() {
            Ok(table) => found.extend(check_manifest(manifest, &table)),
            Err(error) => found.push(Violation::new(&manifest.path, 1, Rule::Syntax, error.message())),
        }
    }
    if let Some(root) = tree.find("Cargo.toml") {
        found.extend(check_reasons(root));
    }
    found
}

fn check_manifest(manifest: &TreeFile, table: &Table) -> Vec<Violation> {
    let folder = manifest.path.trim_end_matches("/Cargo.toml");
    let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == folder) else {
        let message = format!("`{folder}` is not in the table of edges (xtask/src/tidy/edges.rs)");
        return vec![Violation::new(&manifest.path, 1, Rule::Edge, message)];
    };
    let mut found = Vec::new();
    for (section, name, value) in dependencies(table) {
        let line = line_of(&manifest.text, &name);
        let package = value.get("package").and_then(Value::as_str).unwrap_or(&name);
        let may = allowed.contains(&package) || (section == Section::Tests && package == TESTKIT);
        if is_ours(package) && !may {
            let message = format!("`{folder}` must not depend on `{package}`{}", hint(package));
            found.push(Violation::new(&manifest.path, line, Rule::Edge, message));
        }
        if value.get("workspace").and_then(Value::as_bool) != Some(true) {
            let message =
                format!("`{name}` must say `workspace = true`; its version stands in the root's Cargo.toml");
            found.push(Violation::new(&manifest.path, line, Rule::SharedManifest, message));
        }
    }
    let inherits = table.get("lints").and_then(|lints| lints.get("workspace")).and_then(Value::as_bool);
    if inherits != Some(true) {
        found.push(Violation::new(
            &manifest.path,
            1,
            Rule::SharedManifest,
            "`[lints] workspace = true` is missing",
        ));
    }
    found
}

/// All dependencies, those of single platforms and of build scripts included.
fn dependencies(table: &Table) -> Vec<(Section, String, Value)> {
    let platforms = table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    let tables = std::iter::once(table).chain(platforms.filter_map(Value::as_table));
    let mut found = Vec::new();
    for table in tables {
        for (key, section) in [
            ("dependencies", Section::Product),
            ("build-dependencies", Section::Product),
            ("dev-dependencies", Section::Tests),
        ] {
            let entries = table.get(key).and_then(Value::as_table).into_iter().flatten();
            found.extend(entries.map(|(name, value)| (section, name.clone(), value.clone())));
        }
    }
    found
}

/// Each line of `[workspace.dependencies]` ends with a comment that says what the dependency saves.
fn check_reasons(root: &TreeFile) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut inside = false;
    for (index, line) in root.text.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.trim() == "[workspace.dependencies]";
        }
        let Some((name, rest)) = line.split_once('=').filter(|_| inside && !line.starts_with(['#', ' ']))
        else {
            continue;
        };
        let reasoned = rest.rsplit_once('#').is_some_and(|(_, reason)| !reason.trim().is_empty());
        if !is_ours(name.trim()) && !reasoned {
            let message = format!("`{}` does not say what it saves us", name.trim());
            found.push(Violation::new(&root.path, index + 1, Rule::DependencyReason, message));
        }
    }
    found
}

fn is_ours(package: &str) -> bool {
    package.starts_with("gulf-") || matches!(package, "e2e" | "xtask")
}

fn hint(package: &str) -> &'static str {
    if package == TESTKIT { " outside [dev-dependencies]" } else { "" }
}

fn line_of(text: &str, name: &str) -> usize {
    let starts = |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    text.lines().position(starts).map_or(1, |index| index + 1)
}
