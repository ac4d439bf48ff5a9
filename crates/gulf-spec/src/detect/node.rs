//! JavaScript and TypeScript with npm, pnpm, yarn or bun.
//!
//! Apart because a package.json says in its own words what to run, and the package manager says how.

use serde_json::Value;

use super::{CheckKind, Detected, ProjectFiles, ProjectLanguage};

/// A package manager, by its program's name.
#[derive(Clone, Copy, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Manager {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

const LOCKFILES: [(&str, Manager); 6] = [
    ("pnpm-lock.yaml", Manager::Pnpm),
    ("yarn.lock", Manager::Yarn),
    ("bun.lock", Manager::Bun),
    ("bun.lockb", Manager::Bun),
    ("package-lock.json", Manager::Npm),
    ("npm-shrinkwrap.json", Manager::Npm),
];

pub(super) fn node(project: &ProjectFiles<'_>, found: &mut Detected) {
    if !project.has("package.json") {
        return bare(project, found);
    }
    let text = project.text("package.json").unwrap_or_default();
    let package: Value =
        serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)).unwrap_or(Value::Null);
    let manager = manager(project, &package);
    found.languages.push(ProjectLanguage::Node);
    test(project, &package, manager, found);
    lint_and_types(project, &package, manager, found);
    let own = LOCKFILES.iter().filter(|(path, of)| *of == manager && project.has(path));
    let locked = own.map(|(path, _)| found.lockfile(project, path)).count() > 0;
    if let Some(command) = setup(project, &package, manager, locked) {
        found.setup(&command);
    }
}

/// Test files of node's own runner, without a package.json, in a project of no other language.
fn bare(project: &ProjectFiles<'_>, found: &mut Detected) {
    if !found.languages.is_empty() || project.first(&["deno.json", "deno.jsonc"]).is_some() {
        return;
    }
    if let Some(file) = project.first_named(is_test_file) {
        found.languages.push(ProjectLanguage::Node);
        found.check(CheckKind::Test, "node --test", format!("`{file}` is a test file"));
    }
}

fn test(project: &ProjectFiles<'_>, package: &Value, manager: Manager, found: &mut Detected) {
    if let Some(script) = script(package, "test").filter(|script| !script.contains("no test specified")) {
        // `bun test` is its own runner.
        let run = if manager == Manager::Bun { "run test" } else { "test" };
        let why = format!("package.json: scripts.test is `{script}`");
        return found.check(CheckKind::Test, format!("{manager} {run}"), why);
    }
    if let Some(file) = project.first_named(is_test_file) {
        let command = if manager == Manager::Bun { "bun test" } else { "node --test" };
        found.check(CheckKind::Test, command, format!("`{file}` is a test file"));
    }
}

fn lint_and_types(project: &ProjectFiles<'_>, package: &Value, manager: Manager, found: &mut Detected) {
    if let Some(script) = script(package, "lint") {
        let why = format!("package.json: scripts.lint is `{script}`");
        found.check(CheckKind::Lint, run(manager, "lint"), why);
    }
    let typed = ["typecheck", "type-check"].into_iter().find(|name| script(package, name).is_some());
    if let Some(name) = typed {
        found.check(CheckKind::Types, run(manager, name), format!("package.json: scripts.{name}"));
    } else if project.has("tsconfig.json") && depends_on(package, "typescript") {
        let execute = match manager {
            // What is not installed is not fetched: there are strangers' packages by such names.
            Manager::Npm => "npx --no-install",
            Manager::Pnpm => "pnpm exec",
            Manager::Yarn => "yarn",
            Manager::Bun => "bunx",
        };
        // Of a project that only refers to others, `tsc --noEmit` looks at nothing.
        let refers = project.text("tsconfig.json").is_some_and(|text| text.contains("\"references\""));
        let (arguments, why) = if refers {
            ("-b", "tsconfig.json refers to others, and typescript is a dependency")
        } else {
            ("--noEmit", "tsconfig.json, and typescript is a dependency")
        };
        found.check(CheckKind::Types, format!("{execute} tsc {arguments}"), why);
    }
}

/// The `packageManager` field decides, else the lockfile, else it is npm.
pub(super) fn manager(project: &ProjectFiles<'_>, package: &Value) -> Manager {
    let named = package["packageManager"].as_str().and_then(|field| field.split('@').next()?.parse().ok());
    let locked = || LOCKFILES.iter().find(|(path, _)| project.has(path)).map(|(_, manager)| *manager);
    named.or_else(locked).unwrap_or(Manager::Npm)
}

fn setup(project: &ProjectFiles<'_>, package: &Value, manager: Manager, locked: bool) -> Option<String> {
    let needs_any = ["dependencies", "devDependencies", "workspaces"].into_iter().any(|group| {
        package[group].as_object().is_some_and(|all| !all.is_empty())
            || package[group].as_array().is_some_and(|all| !all.is_empty())
    });
    if !locked && !needs_any {
        return None;
    }
    let arguments = match manager {
        _ if !locked => "install",
        Manager::Npm => "ci",
        Manager::Yarn if project.has(".yarnrc.yml") => "install --immutable",
        Manager::Pnpm | Manager::Yarn | Manager::Bun => "install --frozen-lockfile",
    };
    Some(format!("{manager} {arguments}"))
}

fn run(manager: Manager, script: &str) -> String {
    format!("{manager} run {script}")
}

fn script<'p>(package: &'p Value, name: &str) -> Option<&'p str> {
    package["scripts"][name].as_str().filter(|script| !script.trim().is_empty())
}

fn depends_on(package: &Value, name: &str) -> bool {
    ["dependencies", "devDependencies"].into_iter().any(|group| !package[group][name].is_null())
}

/// As `node --test` finds them.
fn is_test_file(name: &str) -> bool {
    let Some((stem, "js" | "mjs" | "cjs")) = name.rsplit_once('.') else {
        return false;
    };
    stem == "test"
        || stem.starts_with("test-")
        || [".test", "-test", "_test"].iter().any(|end| stem.ends_with(end))
}
