//! The marks themselves: how they are written, in which sources they stand, and which programs heed them.
//!
//! It is a list, and grows like one. Each is as its tool's documentation has it; letters count as small ones and
//! blanks as nothing, since most tools read them so.

use super::places::Line;

/// Endings of files, or programs.
type WordList = &'static [&'static str];

/// A word that keeps a program from counting what stands there.
#[derive(Debug)]
pub(super) struct Mark {
    /// As people write it.
    pub(super) shown: &'static str,
    /// How it begins, without blanks and in small letters; between several there is a stroke.
    needles: &'static str,
    /// Endings of files.
    files: WordList,
    /// Who heeds it.
    pub(super) programs: WordList,
    /// It stands in no comment.
    is_code: bool,
}

impl Mark {
    /// May it stand in this text, which has neither blanks nor capital letters?
    pub(super) fn may_be_in(&self, compact: &str) -> bool {
        self.needles.split('|').any(|needle| compact.contains(&needle.replace(' ', "")))
    }

    /// The mark in a line and what follows it.
    pub(super) fn meant_in(&self, line: &Line) -> Option<String> {
        if self.is_code {
            let text = line.code.to_ascii_lowercase();
            let place = self.needles.split('|').filter_map(|needle| by_itself(&text, needle)).min()?;
            return Some(text[place..].to_owned());
        }
        let place = self.needles.split('|').filter_map(|needle| line.comment.find(needle)).min()?;
        Some(line.comment[place..].to_owned())
    }
}

/// Where it stands, and is no part of a longer word.
fn by_itself(text: &str, needle: &str) -> Option<usize> {
    let is_word =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let joins = |one: Option<char>, other: Option<char>| is_word(one) && is_word(other);
    let mut places = text.match_indices(needle).map(|(at, _)| at);
    places.find(|at| {
        let (before, after) = (&text[..*at], &text[at + needle.len()..]);
        !joins(before.chars().next_back(), needle.chars().next())
            && !joins(needle.chars().next_back(), after.chars().next())
    })
}

/// The marks that may stand in this file.
pub(super) fn marks_for(path: &str) -> impl Iterator<Item = &'static Mark> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let ending = file.rsplit_once('.').map_or(file, |(_, ending)| ending).to_owned();
    MARKS.iter().filter(move |mark| mark.files.contains(&ending.as_str()))
}

const PYTHON: WordList = &["py", "pyi", "ipynb"];
const SCRIPT: WordList =
    &["js", "cjs", "mjs", "jsx", "ts", "cts", "mts", "tsx", "vue", "svelte", "astro", "html"];
const TYPED: WordList = &["ts", "cts", "mts", "tsx", "vue", "svelte", "astro"];
const RUST: WordList = &["rs"];
const GO: WordList = &["go"];
const C: WordList = &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "m", "mm", "cu"];
const JVM: WordList = &["java", "kt", "kts", "scala", "groovy"];
const SHARP: WordList = &["cs", "vb", "fs"];
const SHELL: WordList = &["sh", "bash", "ksh", "zsh", "bats"];
const STYLES: WordList = &["css", "scss", "sass", "less", "vue", "svelte"];

const PYTHON_LINTERS: WordList =
    &["ruff", "flake8", "pycodestyle", "pydocstyle", "pyflakes", "pylama", "prospector"];
const PYTHON_TYPES: WordList =
    &["mypy", "dmypy", "pyright", "basedpyright", "pytype", "pyre", "ty", "pyrefly"];
const PYTHON_COVERAGE: WordList = &["coverage", "--cov", "pytest-cov", "slipcover"];
const SCRIPT_LINTERS: WordList = &["eslint", "eslint_d", "oxlint", "xo", "standard", "semistandard", "next"];
const SCRIPT_TYPES: WordList = &["tsc", "tsgo", "vue-tsc", "svelte-check", "tsd", "ts-jest", "astro", "deno"];
const SCRIPT_COVERAGE: WordList = &[
    "nyc", "c8", "istanbul", "--coverage", "coverage", "--experimental-test-coverage",
    "--test-coverage-lines", "--check-coverage",
];
const RUST_LINTERS: WordList = &["clippy", "cargo-clippy", "warnings", "-Dwarnings", "rustdoc"];
const RUST_COVERAGE: WordList = &["llvm-cov", "tarpaulin", "cargo-llvm-cov", "cargo-tarpaulin", "grcov"];
const GO_LINTERS: WordList = &["golangci-lint", "staticcheck", "revive", "golint"];
const SHARP_LINTERS: WordList = &["build", "format", "-warnaserror", "TreatWarningsAsErrors"];
const C_LINTERS: WordList = &["clang-tidy", "cpplint", "cppcheck", "-Werror", "run-clang-tidy"];
const JVM_LINTERS: WordList = &[
    "checkstyle", "pmd", "spotbugs", "errorprone", "detekt", "ktlint", "lint", "sonar", "check", "verify",
    "-Werror", "-Xlint",
];

const fn mark(shown: &'static str, needles: &'static str, files: WordList, programs: WordList) -> Mark {
    Mark { shown, needles, files, programs, is_code: false }
}

/// What switches a check off without a comment.
const fn code(shown: &'static str, needles: &'static str, files: WordList, programs: WordList) -> Mark {
    Mark { is_code: true, ..mark(shown, needles, files, programs) }
}

const MARKS: &[Mark] = &[
    mark("# noqa", "#noqa|#ruff:noqa|#flake8:noqa", PYTHON, PYTHON_LINTERS),
    mark("# ruff: ignore", "#ruff:ignore|#ruff:disable", PYTHON, PYTHON_LINTERS),
    mark("# type: ignore", "#type:ignore", PYTHON, PYTHON_TYPES),
    mark("# mypy:", "#mypy:", PYTHON, PYTHON_TYPES),
    mark("# pyright:", "#pyright:", PYTHON, PYTHON_TYPES),
    mark("# ty: ignore", "#ty:ignore", PYTHON, PYTHON_TYPES),
    mark("# pyre-ignore", "#pyre-ignore|#pyre-fixme", PYTHON, PYTHON_TYPES),
    mark("# pylint: disable", "#pylint:disable|#pylint:skip-file", PYTHON, &["pylint", "ruff"]),
    mark("# nosec", "#nosec", PYTHON, &["bandit", "ruff"]),
    mark("# fmt: off", "#fmt:off|#fmt:skip", PYTHON, &["black", "ruff"]),
    mark("# isort: skip", "#isort:skip|#isort:off", PYTHON, &["isort", "ruff"]),
    mark(
        "# pragma: no cover",
        "#pragma:nocover|#pragmanocover|#pragma:nobranch|#pragmanobranch",
        PYTHON,
        PYTHON_COVERAGE,
    ),
    code(
        "warnings.filterwarnings()",
        "warnings.filterwarnings|warnings.simplefilter",
        PYTHON,
        &["-W", "-Werror", "error"],
    ),
    code("@no_type_check", "@no_type_check|@typing.no_type_check", PYTHON, PYTHON_TYPES),
    code("cast()", "cast(", PYTHON, PYTHON_TYPES),
    code("any", "as any|: any|<any>|:any", TYPED, SCRIPT_TYPES),
    code("as unknown as", "as unknown as", TYPED, SCRIPT_TYPES),
    mark("eslint-disable", "eslint-disable", SCRIPT, SCRIPT_LINTERS),
    mark("oxlint-disable", "oxlint-disable", SCRIPT, SCRIPT_LINTERS),
    mark("/* eslint … */", "/*eslintno-|/*eslint@|/*eslintmax-", SCRIPT, SCRIPT_LINTERS),
    mark("biome-ignore", "biome-ignore", SCRIPT, &["biome", "rome"]),
    mark("deno-lint-ignore", "deno-lint-ignore", SCRIPT, &["deno"]),
    mark("tslint:disable", "tslint:disable", SCRIPT, &["tslint"]),
    mark("prettier-ignore", "prettier-ignore", SCRIPT, &["prettier"]),
    mark("@ts-ignore", "@ts-ignore", SCRIPT, SCRIPT_TYPES),
    mark("@ts-expect-error", "@ts-expect-error", SCRIPT, SCRIPT_TYPES),
    mark("@ts-nocheck", "@ts-nocheck", SCRIPT, SCRIPT_TYPES),
    mark("$FlowFixMe", "$flowfixme|$flowignore|$flowissue", SCRIPT, &["flow"]),
    mark("istanbul ignore", "istanbulignore", SCRIPT, SCRIPT_COVERAGE),
    mark("c8 ignore", "c8ignore", SCRIPT, SCRIPT_COVERAGE),
    mark("v8 ignore", "v8ignore", SCRIPT, SCRIPT_COVERAGE),
    mark("node:coverage ignore", "node:coverageignore|node:coveragedisable", SCRIPT, SCRIPT_COVERAGE),
    mark("#[allow]", "[allow(|,allow(|(allow(", RUST, RUST_LINTERS),
    mark("#[expect]", "[expect(|,expect(|(expect(", RUST, RUST_LINTERS),
    mark("#[rustfmt::skip]", "[rustfmt::skip|[rustfmt_skip|,rustfmt::skip", RUST, &["fmt"]),
    mark("cfg(clippy)", "not(clippy)|cfg(clippy)", RUST, RUST_LINTERS),
    mark("#[coverage(off)]", "coverage(off)", RUST, RUST_COVERAGE),
    mark("cfg(not(coverage))", "not(coverage|not(tarpaulin", RUST, RUST_COVERAGE),
    mark("//nolint", "//nolint|//lint:ignore|//lint:file-ignore", GO, GO_LINTERS),
    mark("#nosec", "#nosec", GO, &["gosec", "golangci-lint"]),
    mark("NOLINT", "nolint", C, C_LINTERS),
    mark("cppcheck-suppress", "cppcheck-suppress", C, C_LINTERS),
    mark("#pragma … ignored", "#pragmagccdiagnosticignored|#pragmaclangdiagnosticignored", C, C_LINTERS),
    mark("#pragma … ignored", "#pragmagccsystem_header", C, C_LINTERS),
    mark("LCOV_EXCL", "lcov_excl|gcov_excl|gcovr_excl", C, &["lcov", "gcov", "gcovr"]),
    mark("clang-format off", "clang-formatoff", C, &["clang-format"]),
    mark("@SuppressWarnings", "@suppress", JVM, JVM_LINTERS),
    mark("CHECKSTYLE:OFF", "checkstyle:off", JVM, JVM_LINTERS),
    mark("NOSONAR", "nosonar", JVM, JVM_LINTERS),
    mark("#pragma warning disable", "#pragmawarningdisable", SHARP, SHARP_LINTERS),
    mark("[SuppressMessage]", "suppressmessage(", SHARP, &["build", "format"]),
    mark("[ExcludeFromCodeCoverage]", "excludefromcodecoverage", SHARP, &["coverlet"]),
    mark("# shellcheck disable", "#shellcheckdisable", SHELL, &["shellcheck"]),
    mark("# rubocop:disable", "#rubocop:disable|#rubocop:todo", &["rb"], &["rubocop", "standardrb"]),
    mark("# :nocov:", ":nocov:", &["rb"], &["simplecov", "rspec", "rake"]),
    mark("swiftlint:disable", "swiftlint:disable", &["swift"], &["swiftlint"]),
    mark("@phpstan-ignore", "@phpstan-ignore", &["php"], &["phpstan"]),
    mark("@psalm-suppress", "@psalm-suppress", &["php"], &["psalm"]),
    mark("phpcs:ignore", "phpcs:ignore|phpcs:disable", &["php"], &["phpcs"]),
    mark("@codeCoverageIgnore", "@codecoverageignore", &["php"], &["phpunit", "pest"]),
    mark("// ignore:", "//ignore:|//ignore_for_file:", &["dart"], &["analyze", "dart", "flutter"]),
    mark("stylelint-disable", "stylelint-disable", STYLES, &["stylelint"]),
];
