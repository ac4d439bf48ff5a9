//! The numbers of a check's run: how many lint errors, how much of the code was run (SPEC L3).
//!
//! It knows what a check is for: what rustc says is a build's failure after `cargo test`, and a finding after `cargo
//! clippy`.

use crate::coverage::{self, Coverage, CoverageReport};
use crate::findings::{self, Findings, Tool};
use crate::reports::{self, BuiltReport, Exit, JunitFile, TestReport};

#[cfg(test)]
mod tests;

/// What a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Tests,
    /// Linters and type checkers.
    Lint,
    Build,
    Coverage,
}

/// What can be said besides tests. What was not measured is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    pub lint_errors: Option<u32>,
    /// In basis points.
    pub coverage_bp: Option<u32>,
}

/// Where tools leave how much of the code was run, unless they are told another place.
pub const COVERAGE_REPORTS: [&str; 10] = [
    "coverage.xml",
    "cobertura.xml",
    "lcov.info",
    "coverage.lcov",
    "coverage/lcov.info",
    "coverage/cobertura-coverage.xml",
    "target/llvm-cov/lcov.info",
    "coverage.out",
    "cover.out",
    "c.out",
];

/// Words of a command by which people know what it is for.
const WORDS: [(Purpose, &str); 4] = [
    (Purpose::Coverage, "coverage llvm-cov tarpaulin nyc c8 --cov --coverage -coverprofile"),
    (Purpose::Tests, "test tests pytest nextest jest vitest mocha ava tox rspec phpunit --test"),
    (
        Purpose::Lint,
        "lint eslint ruff mypy tsc clippy flake8 pylint pyright biome oxlint stylelint golangci-lint vet \
         typecheck shellcheck",
    ),
    (Purpose::Build, "build check compile package make assemble"),
];

/// What a command is for, if its words name one thing. One that does several is read for everything.
pub fn purpose(command: &str) -> Option<Purpose> {
    let named = |words: &str| {
        let mut parts =
            command.split(|character: char| character.is_whitespace() || ";&|()'\"".contains(character));
        parts.any(|part| {
            let name = part.rsplit('/').next().unwrap_or(part);
            let (head, variant) = name.split_once([':', '=']).unwrap_or((name, ""));
            words.split(' ').any(|word| [head, variant].contains(&word))
        })
    };
    let mut found = WORDS.iter().filter(|(_, words)| named(words)).map(|(purpose, _)| *purpose);
    match (found.next(), found.next()) {
        // `make test` and `cargo check` have one word that says more than the other.
        (Some(purpose), None | Some(Purpose::Build)) => Some(purpose),
        // Coverage is measured by running tests.
        (Some(Purpose::Coverage), Some(Purpose::Tests)) if found.next().is_none() => Some(Purpose::Coverage),
        (Some(_), Some(_)) | (None, _) => None,
    }
}

/// What one report file says of everything that is counted. The file itself need not be kept: there may be ten, each as
/// large as is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportFile {
    /// A list of findings, if it is one.
    log: Option<Findings>,
    /// How much of the code was run, if it says that.
    pub coverage: Option<CoverageReport>,
    junit: Option<JunitFile>,
}

impl ReportFile {
    /// Reads a file of any of the forms.
    pub fn read(file: &[u8]) -> Self {
        let first = file.iter().find(|byte| !byte.is_ascii_whitespace());
        // Nothing of a run's other reports is read as a list of findings.
        if matches!(first, Some(b'{' | b'[')) {
            let mut log = findings::read(file);
            // A list of nothing names no tool.
            let is_empty = file.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(b"[]");
            log.is_whole = is_empty || (log.is_whole && !log.tools.is_empty());
            return Self { log: Some(log), coverage: None, junit: None };
        }
        let coverage = coverage::read(file);
        let junit = coverage.is_none().then(|| JunitFile::read(file));
        Self { log: None, coverage, junit }
    }

    /// Is this a report of any form, and was it written to its end?
    pub fn is_whole(&self) -> bool {
        self.log.as_ref().map_or_else(
            || self.coverage.is_some() || self.junit.as_ref().is_some_and(JunitFile::is_whole),
            |log| log.is_whole,
        )
    }
}

/// What an output says, and the report files that the run wrote.
pub fn measure(
    purpose: Option<Purpose>,
    exit: Exit,
    output: &[u8],
    files: &[ReportFile],
    tests: &TestReport,
) -> Measured {
    Measured { lint_errors: lint_errors(purpose, exit, output, files, tests), coverage_bp: covered(files) }
}

fn lint_errors(
    purpose: Option<Purpose>,
    exit: Exit,
    output: &[u8],
    files: &[ReportFile],
    tests: &TestReport,
) -> Option<u32> {
    match purpose {
        Some(Purpose::Tests | Purpose::Build | Purpose::Coverage) => return None,
        Some(Purpose::Lint) | None => {}
    }
    let own = findings::read(output);
    let logs = files.iter().filter_map(|file| file.log.as_ref());
    let all: Vec<&Findings> = [&own].into_iter().chain(logs).collect();
    let heard = |one: &&&Findings| {
        // What a compiler says of tests that it could not build is no finding.
        let is_compiler = |tool: &Tool| matches!(tool, Tool::Rustc | Tool::Compiler);
        let of_a_build = !tests.runners.is_empty() && one.tools.iter().all(is_compiler);
        !one.tools.is_empty() && !of_a_build
    };
    let errors = all.iter().filter(heard).map(|one| one.errors).reduce(u64::saturating_add);
    let is_whole = all.iter().filter(heard).all(|one| one.is_whole);
    let number = |errors: u64| u32::try_from(errors).unwrap_or(u32::MAX);
    let is_cut = |file: &ReportFile| file.log.as_ref().is_some_and(|log| !log.is_whole);
    match (purpose, exit == Exit::Code(0), errors) {
        // A linter that says no has found something, whatever could be read of it.
        (Some(Purpose::Lint), false, errors) => Some(number(errors.unwrap_or(1).max(1))),
        // Many say nothing at all where there is nothing to say; what a list that was cut held, nobody knows.
        (Some(Purpose::Lint), true, None) => (!files.iter().any(is_cut)).then_some(0),
        // Of what was cut there may be more; none that was read is not none.
        (_, _, Some(0)) if !is_whole => None,
        (_, _, errors) => errors.map(number),
    }
}

/// All that was left together; a file that is none, or was cut, says nothing.
fn covered(files: &[ReportFile]) -> Option<u32> {
    let all = files.iter().filter_map(|file| file.coverage.as_ref()).map(|report| report.coverage);
    let Coverage { covered, total } = all.reduce(Coverage::plus)?;
    // Never more than was covered: what is missing by a hair is missing.
    u32::try_from((u128::from(covered) * 10_000).checked_div(u128::from(total))?).ok()
}

/// What an output says of tests beside the JUnit files that the run wrote; what the named ones say goes into the report.
pub fn with_files(
    output: &[u8],
    own: impl IntoIterator<Item = JunitFile>,
    named: &mut [ReportFile],
    built: Vec<BuiltReport>,
) -> TestReport {
    let report = reports::read_beside(output, own, built);
    // What a runner said on its own was read there already.
    if !report.runners.is_empty() {
        return report;
    }
    reports::join_junits(named.iter_mut().filter_map(|file| file.junit.take()))
}
