//! Languages whose tools need no reading: Rust, Go, Deno, Java, .NET; and make and just.
//!
//! Together because each is a few lines: a file is there, so these are the commands.

use super::{CheckKind, DetectionSoFar, ProjectFiles, ProjectLanguage};

pub(super) fn rust(project: &ProjectFiles<'_>, found: &mut DetectionSoFar) {
    if !project.has("Cargo.toml") {
        return;
    }
    let language = ProjectLanguage::Rust;
    found.language(language);
    found.check(language, CheckKind::Test, "cargo test", "Cargo.toml is there");
    found.check(
        language,
        CheckKind::Lint,
        "cargo clippy --all-targets -- -D warnings",
        "Cargo.toml is there",
    );
    found.check(language, CheckKind::Format, "cargo fmt --check", "Cargo.toml is there");
    let locked = found.lockfile(project, "Cargo.lock");
    found.setup(if locked { "cargo fetch --locked" } else { "cargo fetch" });
}

pub(super) fn go(project: &ProjectFiles<'_>, found: &mut DetectionSoFar) {
    if !project.has("go.mod") {
        return;
    }
    found.language(ProjectLanguage::Go);
    // Without `-json` no test has a name, and whether any ran nobody can tell.
    found.check(ProjectLanguage::Go, CheckKind::Test, "go test -json ./...", "go.mod is there");
    found.check(ProjectLanguage::Go, CheckKind::Lint, "go vet ./...", "go.mod is there");
    if found.lockfile(project, "go.sum") {
        found.setup("go mod download");
    }
}

pub(super) fn deno(project: &ProjectFiles<'_>, found: &mut DetectionSoFar) {
    let Some(file) = project.first(&["deno.json", "deno.jsonc"]) else {
        return;
    };
    let why = format!("{file} is there");
    found.language(ProjectLanguage::Deno);
    found.check(ProjectLanguage::Deno, CheckKind::Test, "deno test", why.as_str());
    found.check(ProjectLanguage::Deno, CheckKind::Lint, "deno lint", why.as_str());
    found.check(ProjectLanguage::Deno, CheckKind::Format, "deno fmt --check", why);
    if found.lockfile(project, "deno.lock") {
        found.setup("deno install --frozen");
    }
}

pub(super) fn java(project: &ProjectFiles<'_>, found: &mut DetectionSoFar) {
    let or_wrapper = |wrapper: &str, program: &'static str| {
        if project.has(wrapper) { format!("./{wrapper}") } else { program.to_owned() }
    };
    if project.has("pom.xml") {
        let program = or_wrapper("mvnw", "mvn");
        found.language(ProjectLanguage::Java);
        found.check(ProjectLanguage::Java, CheckKind::Test, format!("{program} -B test"), "pom.xml is there");
    } else if let Some(file) = project.first(&["build.gradle", "build.gradle.kts"]) {
        let program = or_wrapper("gradlew", "gradle");
        found.language(ProjectLanguage::Java);
        found.check(
            ProjectLanguage::Java,
            CheckKind::Test,
            format!("{program} test"),
            format!("{file} is there"),
        );
        found.lockfile(project, "gradle.lockfile");
    }
}

pub(super) fn dot_net(project: &ProjectFiles<'_>, found: &mut DetectionSoFar) {
    let is_project = |path: &&&str| {
        let top = !path.contains('/');
        top && [".sln", ".slnx", ".csproj", ".fsproj", ".vbproj"].iter().any(|end| path.ends_with(end))
    };
    let Some(file) = project.paths.iter().find(is_project) else {
        return;
    };
    found.language(ProjectLanguage::DotNet);
    found.check(ProjectLanguage::DotNet, CheckKind::Test, "dotnet test", format!("{file} is there"));
    found.lockfile(project, "packages.lock.json");
    found.setup("dotnet restore");
}

/// Only where no language said how to test: their `test` mostly runs the same again.
pub(super) fn make_and_just(project: &ProjectFiles<'_>, found: &mut DetectionSoFar) {
    let tools = [
        (ProjectLanguage::Make, &["GNUmakefile", "makefile", "Makefile"]),
        (ProjectLanguage::Just, &["justfile", "Justfile", ".justfile"]),
    ];
    for (language, names) in tools {
        let Some(file) = project.first(names) else { continue };
        let text = project.text(file).unwrap_or_default();
        let targets = [(CheckKind::Test, "test"), (CheckKind::Lint, "lint")];
        let there: Vec<_> = targets.into_iter().filter(|(_, target)| has_target(&text, target)).collect();
        if there.iter().any(|(kind, _)| *kind == CheckKind::Test) {
            found.language(language);
            for (kind, target) in there {
                let command = format!("{} {target}", language.name());
                found.check(language, kind, command, format!("{file} has a target `{target}`"));
            }
            return;
        }
    }
}

/// A line at the left margin `target:` or `target parameters:`, and no assignment.
pub(super) fn has_target(text: &str, target: &str) -> bool {
    text.lines().any(|line| {
        let Some((names, rest)) = line.split_once(':') else { return false };
        let first = names.trim_start_matches('@').split_whitespace().next();
        !line.starts_with([' ', '\t']) && !rest.starts_with('=') && first == Some(target)
    })
}
