//! Which line of a script tests or lints, and which sets up, publishes, or cannot be understood.
//!
//! It judges words only: a line counts when a program that tests is plainly called, and nothing in it has to be
//! filled in.

use super::super::CheckKind;

/// Words anywhere in a line that make it something else than a check: it installs, publishes, reports or cleans.
const OTHER_WORK: [&str; 30] = [
    "install", "publish", "deploy", "release", "upload", "push", "login", "codecov", "coveralls", "twine",
    "sudo", "apt", "apt-get", "brew", "choco", "curl", "wget", "docker", "docker-compose", "kubectl", "ssh",
    "scp", "rsync", "git", "gh", "rm", "npx-install", "submit", "--publish", "--fix",
];
/// Programs that only test, by their name.
const TEST_RUNNERS: [&str; 27] = [
    "pytest", "py.test", "unittest", "trial", "nose2", "stestr", "jest", "vitest", "mocha", "ava", "tap",
    "tape", "jasmine", "karma", "playwright", "cypress", "rspec", "phpunit", "pest", "ctest", "bats",
    "prove", "tox", "nox", "busted", "ginkgo", "gotestsum",
];
/// Programs that test when one of these words follows.
const WITH_SUBCOMMAND: [(&[&str], &[&str]); 10] = [
    (
        &["go", "pnpm", "yarn", "bun", "deno", "dotnet", "swift", "mix", "rails", "composer", "bazel", "zig"],
        &["test"],
    ),
    (&["cargo"], &["test", "nextest"]),
    (&["npm"], &["test", "t"]),
    (&["node"], &["--test"]),
    (&["make"], &["test", "tests", "check", "unittest", "unit-test", "test-unit"]),
    (&["just", "task"], &["test", "tests", "check"]),
    (&["mvn", "mvnw"], &["test", "verify"]),
    (&["gradle", "gradlew"], &["test", "check"]),
    (&["rake"], &["test", "spec"]),
    (&["dune"], &["test", "runtest"]),
];
/// Programs that lint.
const LINTERS: [&str; 12] = [
    "ruff", "flake8", "pylint", "eslint", "xo", "standard", "golangci-lint", "rubocop", "shellcheck",
    "clippy", "vet", "lint",
];
/// Programs that check types.
const TYPE_CHECKERS: [&str; 4] = ["mypy", "pyright", "tsc", "typecheck"];
/// What runs a file that is named after it.
const INTERPRETERS: [&str; 12] =
    ["python", "python3", "node", "ruby", "perl", "php", "bash", "sh", "Rscript", "lua", "julia", "deno"];
/// Words that stand before the program.
const BEFORE: [&str; 20] = [
    "time", "env", "exec", "uv", "run", "poetry", "pdm", "hatch", "pipenv", "rye", "npx", "bundle", "bunx",
    "xvfb-run", "-m", "coverage", "nix", "stack", "cabal", "c8",
];
/// A longer line is a program of its own.
const LINE_BYTES_MAX: usize = 400;

/// What a line of a script checks; none where it does anything else, or has to be filled in first.
pub(super) fn kind(line: &str) -> Option<CheckKind> {
    let is_plain = line.len() <= LINE_BYTES_MAX && !line.contains(['$', '`', '\n', '{', '}', '<', '\\']);
    let writes = line.replace("2>&1", "").replace("/dev/null", "").contains('>');
    if !is_plain || writes || line.contains("||") {
        return None;
    }
    let parts = line.split("&&").flat_map(|part| part.split(';'));
    let kinds: Vec<Option<CheckKind>> = parts.map(part_kind).collect();
    if kinds.iter().any(Option::is_none) {
        return None;
    }
    kinds.into_iter().flatten().min()
}

/// Of a line without `&&`: the first words say what it is.
fn part_kind(part: &str) -> Option<CheckKind> {
    let words: Vec<&str> = part.split('|').next()?.split_whitespace().collect();
    if words.iter().any(|word| OTHER_WORK.contains(word)) {
        return None;
    }
    let mut rest = words.as_slice();
    while let Some((word, further)) = rest.split_first() {
        let name = word.trim_start_matches("./").rsplit('/').next().unwrap_or(word);
        if let Some(kind) = program_kind(name, further) {
            return Some(kind);
        }
        let is_script = word.starts_with("./") || word.contains('/');
        if is_script {
            return script_kind(name);
        }
        if INTERPRETERS.contains(&name) && further.first() != Some(&"-m") {
            let file = further.iter().find(|word| !word.starts_with('-'))?;
            return script_kind(file.rsplit('/').next().unwrap_or(file));
        }
        let goes_on = INTERPRETERS.contains(&name) || BEFORE.contains(&name) || name.contains('=');
        if !goes_on {
            return None;
        }
        rest = further;
    }
    None
}

fn program_kind(name: &str, further: &[&str]) -> Option<CheckKind> {
    if TEST_RUNNERS.contains(&name) {
        return Some(CheckKind::Test);
    }
    let followed = |words: &[&str]| further.iter().any(|word| words.contains(word));
    if WITH_SUBCOMMAND.iter().any(|(programs, words)| programs.contains(&name) && followed(words)) {
        return Some(CheckKind::Test);
    }
    let format = match name {
        "black" | "isort" | "prettier" | "rustfmt" => followed(&["--check", "-c"]),
        "cargo" => followed(&["fmt"]) && followed(&["--check"]),
        _ => false,
    };
    if format {
        return Some(CheckKind::Format);
    }
    let of_script = match name {
        "npm" | "pnpm" | "yarn" | "bun" => {
            further.iter().copied().find(|word| *word != "run").and_then(script_kind)
        }
        "cargo" | "go" | "make" | "just" | "task" | "npx" => further.iter().find_map(|word| linter(word)),
        _ => None,
    };
    of_script.or_else(|| linter(name))
}

fn linter(name: &str) -> Option<CheckKind> {
    let is_type_checker = TYPE_CHECKERS.contains(&name).then_some(CheckKind::Types);
    LINTERS.contains(&name).then_some(CheckKind::Lint).or(is_type_checker)
}

/// Of a script or a target: a word of its name says it (`run_tests.sh`, `test.py`, `test:unit`).
pub(super) fn script_kind(name: &str) -> Option<CheckKind> {
    let lower = name.to_lowercase();
    let words = || lower.split(|character: char| !character.is_alphanumeric());
    let has = |any: &[&str]| words().any(|word| any.contains(&word));
    if has(&["test", "tests", "runtests", "runtest", "spec", "specs", "unittest", "check", "selftest"]) {
        return Some(CheckKind::Test);
    }
    if has(&["typecheck", "types"]) {
        return Some(CheckKind::Types);
    }
    has(&["lint"]).then_some(CheckKind::Lint)
}

/// The lines of a script as a shell takes them, without comments.
pub(super) fn lines(script: &str) -> Vec<String> {
    let joined = script.replace("\\\n", " ");
    let lines = joined.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// A folder that a shell takes as it stands.
pub(super) fn is_plain_folder(folder: &str) -> bool {
    let is_plain = |character: char| character.is_alphanumeric() || "/._-".contains(character);
    !folder.is_empty()
        && !folder.starts_with(['/', '-'])
        && folder.chars().all(is_plain)
        && !folder.contains("..")
}
