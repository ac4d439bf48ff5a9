//! Languages whose tools need little reading, or none: a file is there, so these are the commands. And make and just.

use serde_json::Value;

use super::{CheckKind, Detected, ProjectFiles, ProjectLanguage};

/// What a language's tools are called, where nothing has to be read to know it.
struct Tools {
    language: ProjectLanguage,
    /// One of these at the top; `*` stands for any name before an ending.
    files: &'static [&'static str],
    checks: &'static [(CheckKind, &'static str)],
    /// A script at the top that runs the program of these commands.
    wrapper: &'static str,
    lockfile: &'static str,
    /// What prepares a fresh checkout: by the lockfile, and without one; empty where nothing does.
    setup: [&'static str; 2],
}

/// A row without a wrapper.
const fn tools(
    language: ProjectLanguage,
    files: &'static [&'static str],
    checks: &'static [(CheckKind, &'static str)],
    lockfile: &'static str,
    setup: [&'static str; 2],
) -> Tools {
    Tools { language, files, checks, wrapper: "", lockfile, setup }
}

const TOOLS: [Tools; 8] = {
    use CheckKind::{Format, Lint, Test};
    use ProjectLanguage::{Deno, DotNet, Elixir, Go, Java, Rust, Swift};

    const MAVEN: &[(CheckKind, &str)] = &[(Test, "mvn -B test")];
    const GRADLE: &[(CheckKind, &str)] = &[(Test, "gradle test")];
    const CARGO: &[(CheckKind, &str)] = &[
        (Test, "cargo test"),
        (Lint, "cargo clippy --all-targets -- -D warnings"),
        (Format, "cargo fmt --check"),
    ];
    const DENO: &[(CheckKind, &str)] =
        &[(Test, "deno test"), (Lint, "deno lint"), (Format, "deno fmt --check")];
    // Without `-json` no test has a name, and whether any ran nobody can tell.
    const GO: &[(CheckKind, &str)] = &[(Test, "go test -json ./..."), (Lint, "go vet ./...")];
    const SOLUTIONS: &[&str] = &["*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"];
    const DOTNET: &[(CheckKind, &str)] = &[(Test, "dotnet test")];
    [
        tools(Rust, &["Cargo.toml"], CARGO, "Cargo.lock", ["cargo fetch --locked", "cargo fetch"]),
        tools(Deno, &["deno.json", "deno.jsonc"], DENO, "deno.lock", ["deno install --frozen", ""]),
        tools(Go, &["go.mod"], GO, "go.sum", ["go mod download", ""]),
        Tools { wrapper: "mvnw", ..tools(Java, &["pom.xml"], MAVEN, "", ["", ""]) },
        Tools {
            wrapper: "gradlew",
            ..tools(Java, &["build.gradle", "build.gradle.kts"], GRADLE, "gradle.lockfile", ["", ""])
        },
        tools(DotNet, SOLUTIONS, DOTNET, "packages.lock.json", ["dotnet restore", "dotnet restore"]),
        tools(Elixir, &["mix.exs"], &[(Test, "mix test")], "mix.lock", ["mix deps.get", "mix deps.get"]),
        tools(Swift, &["Package.swift"], &[(Test, "swift test")], "Package.resolved", ["", ""]),
    ]
};

/// All that have a file here; of a language, the first.
pub(super) fn by_table(project: &ProjectFiles<'_>, found: &mut Detected) {
    for Tools { language, files, checks, wrapper, lockfile, setup } in TOOLS {
        let is_named = |path: &&&str| {
            let ends = |name: &&str| name.strip_prefix('*').is_some_and(|end| path.ends_with(end));
            !path.contains('/') && (files.contains(*path) || files.iter().any(ends))
        };
        let Some(file) = project.paths.iter().find(is_named) else { continue };
        if found.languages.contains(&language) {
            continue;
        }
        found.languages.push(language);
        for (kind, command) in checks {
            let wrapped = command.split_once(' ').filter(|_| project.has(wrapper));
            let command =
                wrapped.map_or_else(|| (*command).to_owned(), |(_, rest)| format!("./{wrapper} {rest}"));
            found.check(*kind, command, format!("{file} is there"));
        }
        let setup = setup[usize::from(!found.lockfile(project, lockfile))];
        if !setup.is_empty() {
            found.setup(setup);
        }
    }
}

/// Ruby's specs. Other tests are tasks of rake, which are proposed.
pub(super) fn ruby(project: &ProjectFiles<'_>, found: &mut Detected) {
    let is_bundled = project.has("Gemfile");
    let spec = project.first_named(|name| name.ends_with("_spec.rb"));
    if !is_bundled && spec.is_none() && project.first(&["Rakefile", "rakefile"]).is_none() {
        return;
    }
    found.languages.push(ProjectLanguage::Ruby);
    let bundled =
        |command: &str| if is_bundled { format!("bundle exec {command}") } else { command.to_owned() };
    if let Some(spec) = spec {
        found.check(CheckKind::Test, bundled("rspec"), format!("`{spec}` is a spec"));
    } else if project.has("bin/rails") && project.first_named(|name| name.ends_with("_test.rb")).is_some() {
        found.check(CheckKind::Test, "bin/rails test -v", "bin/rails is there");
    }
    if project.has(".rubocop.yml") {
        found.check(CheckKind::Lint, bundled("rubocop"), ".rubocop.yml is there");
    }
    if is_bundled {
        found.lockfile(project, "Gemfile.lock");
        found.setup("bundle install");
    }
}

/// PHP with composer, PHPUnit or Pest.
pub(super) fn php(project: &ProjectFiles<'_>, found: &mut Detected) {
    let settings = project.first(&["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"]);
    if !project.has("composer.json") && settings.is_none() {
        return;
    }
    found.languages.push(ProjectLanguage::Php);
    let text = project.text("composer.json").unwrap_or_default();
    let package: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    if !package["scripts"]["test"].is_null() {
        found.check(CheckKind::Test, "composer test", "composer.json: scripts.test");
    } else if let Some(settings) = settings {
        let is_pest = !package["require-dev"]["pestphp/pest"].is_null();
        let program = match (package.is_null(), is_pest) {
            (true, _) => "phpunit",
            (false, true) => "vendor/bin/pest",
            (false, false) => "vendor/bin/phpunit",
        };
        found.check(CheckKind::Test, program, format!("{settings} is there"));
    }
    if project.has("composer.json") {
        found.lockfile(project, "composer.lock");
        found.setup("composer install");
    }
}

/// Perl, where it has tests in its usual folder.
pub(super) fn perl(project: &ProjectFiles<'_>, found: &mut Detected) {
    let test = project.paths.iter().find(|path| path.starts_with("t/") && path.ends_with(".t"));
    if let Some(test) = test.filter(|_| found.languages.is_empty()) {
        found.languages.push(ProjectLanguage::Perl);
        // Without `-v` it names no test.
        found.check(CheckKind::Test, "prove -lvr t", format!("`{test}` is a test file"));
    }
}

/// C and C++ with CMake, where it has tests.
pub(super) fn cmake(project: &ProjectFiles<'_>, found: &mut Detected) {
    let text = project.text("CMakeLists.txt").unwrap_or_default().to_ascii_lowercase();
    if let Some(word) = ["enable_testing", "include(ctest)"].iter().find(|word| text.contains(**word)) {
        found.languages.push(ProjectLanguage::CMake);
        found.check(
            CheckKind::Test,
            "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
            format!("CMakeLists.txt has `{word}`"),
        );
    }
}

/// Only where no language said how to test: their `test` mostly runs the same again.
pub(super) fn make_and_just(project: &ProjectFiles<'_>, found: &mut Detected) {
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
            found.languages.push(language);
            for (kind, target) in there {
                let command = format!("{} {target}", language.name());
                found.check(kind, command, format!("{file} has a target `{target}`"));
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
