//! Who looks at the work: named in the command, behind it, or not to be told.

use super::Looking;

#[track_caller]
fn check(command: &str, files: &[(&str, &str)], program: &str, expected: bool) {
    let read = |name: &str| {
        let name = name.trim_start_matches("./");
        files.iter().find(|(path, _)| *path == name).map(|(_, text)| (*text).to_owned())
    };
    assert_eq!(Looking::follow(command, &read).has_any(&[program]), expected, "{command}");
}

#[test]
fn a_linter_is_found_in_the_command_and_behind_it() {
    check("ruff check .", &[], "ruff", true);
    check("uv run ruff check . && pytest -q", &[], "ruff", true);
    check("RUSTFLAGS=-Dwarnings cargo build", &[], "-Dwarnings", true);
    check("npx eslint@9 .", &[], "eslint", true);
    check("./node_modules/.bin/tsc --noEmit", &[], "tsc", true);
    let package = [("package.json", r#"{"scripts":{"ci":"npm run lint && npm test","lint":"eslint ."}}"#)];
    check("npm run ci", &package, "eslint", true);
    let makefile = [("Makefile", "test:\n\tpytest\ncheck: test\n\t$(MAKE) lint\nlint:\n\tmypy src\n")];
    check("make check", &makefile, "mypy", true);
    check("make test", &makefile, "mypy", false);
    check(
        "./ci.sh",
        &[("ci.sh", "set -e\nsh tools/lint.sh\n"), ("tools/lint.sh", "flake8 src\n")],
        "flake8",
        true,
    );
}

#[test]
fn tests_alone_look_at_no_finding() {
    for command in
        ["cargo test", "pytest -q", "go test -json ./...", "node --test", "sh check.sh", "just test"]
    {
        check(command, &[("check.sh", "grep -qx right value.txt\n")], "ruff", false);
    }
}

#[test]
fn what_a_program_hides_may_look_at_everything() {
    for command in ["pre-commit run -a", "tox -e lint", "cargo xtask ci", "just ci", "docker compose run ci"]
    {
        check(command, &[], "ruff", true);
    }
    let endless: String = (0..100).map(|number| format!("sh {number}.sh\n")).collect();
    let read = |name: &str| Some(format!("echo {name}\n"));
    assert!(Looking::follow(&endless, &read).has_any(&["ruff"]));
}
