//! Where in a shell's command a test runner is called, as far as that is plainly written.
//!
//! A selection may leave out what stands beside the runner: linters, and what comes after it.

use super::TestRunner;

/// So many commands joined by `&&` are taken apart.
const PARTS_MAX: usize = 16;

/// Programs whose options may stand before the runner.
const TAKE_FLAGS: [&str; 8] = ["node", "tsx", "c8", "nyc", "npx", "cross-env", "gradle", "gradlew"];

/// The one call of a runner in a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Call<'command> {
    pub(super) runner: TestRunner,
    /// The whole call.
    pub(super) command: &'command str,
    /// Where in it the runner's own words begin.
    pub(super) after: usize,
}

/// Commands joined by `&&`; `None` where the shell is asked for more than that.
pub(super) fn parts(command: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = command.split("&&").map(str::trim).collect();
    let is_plain = |part: &&str| {
        let quotes = |mark: char| part.matches(mark).count() % 2;
        !part.is_empty()
            && !part.contains([';', '|', '&', '(', ')', '<', '>', '$', '`', '\n', '\\', '#'])
            && quotes('\'') + quotes('"') == 0
    };
    (parts.len() <= PARTS_MAX && parts.iter().all(is_plain)).then_some(parts)
}

/// The runner that this command is one call of.
pub(super) fn recognized(command: &str) -> Option<Call<'_>> {
    let mut end = 0;
    let mut before = "";
    let mut is_value = false;
    for word in command.split_whitespace() {
        end = end + command[end..].find(word)? + word.len();
        let name = word.rsplit('/').next().unwrap_or(word);
        if std::mem::take(&mut is_value) {
            continue;
        }
        if let Some(runner) = runner_named(name, before).or_else(|| runner_of_file(word, before)) {
            return Some(Call { runner, command, after: end });
        }
        if TAKE_FLAGS.contains(&before) && word.starts_with('-') {
            is_value = ["-r", "--require", "--import", "--loader", "--reporter"].contains(&word);
            continue;
        }
        // `python3 -B -W error -m unittest`
        if before.starts_with("python") && word.starts_with('-') && !matches!(word, "-m" | "-c") {
            is_value = matches!(word, "-W" | "-X");
            continue;
        }
        let is_other_subcommand =
            matches!(before, "cargo" | "go") && name != "nextest" && !name.starts_with('+');
        if is_other_subcommand || !is_before_runner(name) {
            return None;
        }
        // `cross-env CI=1` stays what it is.
        if !name.starts_with('+') && !name.contains('=') {
            before = name;
        }
    }
    None
}

fn runner_named(name: &str, before: &str) -> Option<TestRunner> {
    match (before, name) {
        (_, "pytest" | "py.test") => Some(TestRunner::Pytest),
        ("-m", "unittest") => Some(TestRunner::Unittest),
        ("cargo", "test" | "t") => Some(TestRunner::Cargo),
        ("nextest", "run" | "r") => Some(TestRunner::Nextest),
        ("go", "test") => Some(TestRunner::Go),
        ("node" | "tsx", "--test") => Some(TestRunner::Node),
        (_, "jest" | "vitest") => Some(TestRunner::Titles("-t")),
        (_, "mocha" | "_mocha" | "playwright" | "tap") => Some(TestRunner::Titles("-g")),
        (_, "ava") => Some(TestRunner::Ava),
        (_, "mvn" | "mvnw" | "mvnd") => Some(TestRunner::Maven),
        ("gradle" | "gradlew" | "clean", "test" | "check" | "build") => Some(TestRunner::Gradle),
        (_, "rspec") => Some(TestRunner::Rspec),
        _ => None,
    }
}

/// `node node_modules/jest/bin/jest.js`: the file of a package that is a runner.
fn runner_of_file(word: &str, before: &str) -> Option<TestRunner> {
    let (_, inner) = word.rsplit_once("node_modules/").filter(|_| before == "node")?;
    let package = inner.split('/').next().filter(|package| *package != ".bin")?;
    runner_named(package, "")
}

/// Words that stand before a runner: assignments, managers of environments, interpreters, what measures coverage.
fn is_before_runner(word: &str) -> bool {
    const WORDS: &str = "env time nice uv poetry pdm hatch pipenv rye run exec npx pnpm yarn bun bunx \
        cargo nextest go node tsx -m xvfb-run c8 nyc cross-env bundle gradle gradlew clean \
        --";
    WORDS.split(' ').any(|known| known == word)
        || word.starts_with("python")
        || word.starts_with('+')
        || word.contains('=')
}

/// `npm test`, `npm run NAME`, `pnpm test`, `yarn test`: what is said after it reaches the script.
pub(super) fn is_script_of_package(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let manager = words.first().is_some_and(|word| ["npm", "pnpm", "yarn"].contains(word));
    manager && words.len() <= 4 && words.iter().all(|word| word.chars().all(is_plain) && *word != "--")
}

pub(super) fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-_:.".contains(character)
}

/// A linter or a type checker: no test needs it to have run.
pub(super) fn is_linter(part: &str) -> bool {
    const LINTERS: &str = "xo eslint standard ts-standard semistandard prettier biome oxlint tsd stylelint \
        ruff mypy black flake8 isort publint";
    let mut words = part.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let is_before = |word: &&str| {
        ["npx", "--no-install", "pnpm", "yarn", "exec", "run", "-m", "uv"].contains(word)
            || word.contains('=')
    };
    let program =
        words.by_ref().find(|word| !is_before(word) && !word.starts_with("python")).unwrap_or_default();
    LINTERS.split(' ').any(|known| known == program)
        || (program == "tsc" && words.any(|word| word.eq_ignore_ascii_case("--noEmit")))
        || (["cargo", "go"].contains(&program)
            && words.next().is_some_and(|word| ["fmt", "clippy", "vet"].contains(&word)))
        || (["npm", "lint"].contains(&program) && part.contains("lint"))
}
