//! The environment that makes runners write a report of their own, without a change to the command.
//!
//! Each variable is also read by programs nobody thought of, so only those are set whose every effect is known. Tried
//! and left out:
//!
//! - node: `NODE_OPTIONS=--test-reporter=…` takes the place of what the person would see, reaches every node
//!   process below, makes a script that names a reporter of its own fail (`must match the number of specified
//!   '--test-reporter-destination'`), and is refused by node 18. What node prints by itself is read instead.
//! - go: `GOFLAGS=-json` changes `go build`, `go list` and `go env` too, and `go vet` then never fails. `-v` changes no
//!   command's exit code or result, only what `go test` names and what others say of their progress.
//! - cargo: nextest writes JUnit only where its configuration says so; what it prints is complete.

/// What makes pytest write `pytest-report.xml` into `report_dir`, an absolute folder outside the checkout that exists
/// and is empty (<https://docs.pytest.org/en/stable/how-to/output.html>); a `--junitxml` of the command's own still
/// wins. `before` is what the variable says already.
pub fn for_pytest(before: &str, report_dir: &str) -> Option<(String, String)> {
    let separator = if report_dir.ends_with(['/', '\\']) { "" } else { "/" };
    let file = format!("{report_dir}{separator}pytest-report.xml");
    // pytest expands `$NAME` and `~` in this path whatever the quotes, and a person's own file must stay theirs.
    if file.contains(['$', '\n']) || file.starts_with('~') || before.contains("junit") {
        return None;
    }
    // `shlex.split`, by which pytest takes the variable apart, reads it as a shell does.
    let value = format!("{before} {}", shell_words::quote(&format!("--junitxml={file}")));
    Some(("PYTEST_ADDOPTS".to_owned(), value.trim_start().to_owned()))
}

/// May this command run Go's tests, by itself or by a program that knows the project's own commands?
pub fn runs_go_tests(command: &str) -> bool {
    const INDIRECT: [&str; 9] = ["make", "gmake", "just", "task", "mage", "npm", "pnpm", "yarn", "mise"];
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    let words: Vec<&str> =
        command.split(|end: char| !is_plain(end)).filter(|word| !word.is_empty()).collect();
    let is_indirect = |word: &&str| INDIRECT.contains(word) || word.ends_with(".sh");
    words.windows(2).any(|pair| pair == ["go", "test"])
        || (!words.contains(&"go") && words.iter().any(is_indirect))
}

/// What makes `go test` name every test (`go help environment`); an option of the command's own still wins.
pub fn verbose_go(before: &str) -> (String, String) {
    ("GOFLAGS".to_owned(), format!("{} -v", before.trim()).trim_start().to_owned())
}
