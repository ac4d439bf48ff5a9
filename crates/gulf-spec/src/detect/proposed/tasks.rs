//! Targets of task files whose name says that they check: make, just, Taskfile, rake, scripts of package.json.
//!
//! A target is proposed by its name alone: what is behind it is the project's own affair.

use serde_json::Value;

use super::super::{CheckKind, DetectedCheck, ProjectFiles};
use super::{place, steps};

/// Targets that test, the best first. `test` of make and just is a check by itself (`others.rs`).
const TESTS: [&str; 8] = ["test", "tests", "check", "unittest", "test-unit", "unit-test", "test:unit", "ci"];
const LINTS: [&str; 2] = ["lint", "typecheck"];

/// What makes a task of rake that tests, and its name where none is given.
const RAKE_MAKERS: [(&str, &str); 3] = [
    ("Rake::TestTask.new", "test"),
    ("Minitest::TestTask.create", "test"),
    ("RSpec::Core::RakeTask.new", "spec"),
];

/// The targets of the first file that has one that tests.
pub(super) fn steps(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let sources: [&dyn Fn() -> Vec<DetectedCheck>; 5] = [
        &|| scripts(project),
        &|| targets(project, "make", &["GNUmakefile", "makefile", "Makefile"]),
        &|| targets(project, "just", &["justfile", "Justfile", ".justfile"]),
        &|| taskfile(project),
        &|| rakefile(project),
    ];
    let is_test = |step: &DetectedCheck| step.kind == CheckKind::Test;
    sources.iter().map(|read| read()).find(|steps| steps.iter().any(is_test)).unwrap_or_default()
}

fn targets(project: &ProjectFiles<'_>, program: &str, files: &[&str]) -> Vec<DetectedCheck> {
    let Some(file) = project.first(files) else { return Vec::new() };
    let text = project.text(file).unwrap_or_default();
    let there = |target: &str| super::super::others::has_target(&text, target);
    chosen(there, |target| (format!("{program} {target}"), place(file, &text, target)))
}

fn taskfile(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let names = ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"];
    let Some(file) = project.first(&names) else { return Vec::new() };
    let text = project.text(file).unwrap_or_default();
    let yaml: Value = serde_saphyr::from_str(&text).unwrap_or(Value::Null);
    let there = |target: &str| !yaml["tasks"][target].is_null();
    chosen(there, |target| (format!("task {target}"), place(file, &text, &format!("{target}:"))))
}

/// One task, `test` before any other: the others are mostly parts of it.
fn rakefile(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let Some(file) = project.first(&["rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb"]) else {
        return Vec::new();
    };
    let text = project.text(file).unwrap_or_default();
    let tasks = || text.lines().filter_map(|line| Some((line, rake_task(line)?)));
    let Some((line, task)) = tasks().find(|(_, task)| *task == "test").or_else(|| tasks().next()) else {
        return Vec::new();
    };
    let rake = if project.has("Gemfile") { "bundle exec rake" } else { "rake" };
    vec![DetectedCheck::new(CheckKind::Test, format!("{rake} {task}"), place(file, &text, line))]
}

/// `Rake::TestTask.new(:units) do`, `task test: :units`. A plain task further in may belong to a namespace.
fn rake_task(line: &str) -> Option<&str> {
    let made =
        |(maker, default): &(_, &'static str)| Some((line.trim_start().strip_prefix(*maker)?, *default));
    let (rest, default) =
        RAKE_MAKERS.iter().find_map(made).or_else(|| Some((line.strip_prefix("task")?, "")))?;
    let ends = |end: char| !(end.is_alphanumeric() || "_:".contains(end));
    let name = rest.trim_start_matches(['(', ' ', ':', '"', '\'']).split(ends).next()?.trim_end_matches(':');
    match (name, default) {
        ("test" | "spec", _) => Some(name),
        (_, "") => None,
        ("" | "do", default) => Some(default),
        (name, _) => Some(name),
    }
}

fn scripts(project: &ProjectFiles<'_>) -> Vec<DetectedCheck> {
    let Some(text) = project.text("package.json") else { return Vec::new() };
    let package: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap_or(Value::Null);
    let script = |name: &str| package["scripts"][name].as_str();
    let is_check = |name: &str| {
        script(name).is_some_and(|script| {
            let lines = steps::lines(script);
            !script.contains("no test specified") && lines.iter().any(|line| steps::kind(line).is_some())
        })
    };
    let manager = super::super::node::manager(project, &package);
    chosen(is_check, |name| {
        (format!("{manager} run {name}"), place("package.json", &text, &format!("\"{name}\"")))
    })
}

/// The first target that tests, and those that lint.
fn chosen(there: impl Fn(&str) -> bool, at: impl Fn(&str) -> (String, String)) -> Vec<DetectedCheck> {
    let step = |kind: CheckKind, target: &str| {
        let (command, why) = at(target);
        DetectedCheck::new(kind, command, why)
    };
    let test = TESTS.into_iter().find(|target| there(target));
    let lints = LINTS.into_iter().filter(|target| there(target));
    let lint = |target: &str| step(steps::script_kind(target).unwrap_or(CheckKind::Lint), target);
    test.map(|target| step(CheckKind::Test, target)).into_iter().chain(lints.map(lint)).collect()
}
