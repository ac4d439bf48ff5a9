//! Which commands cannot say no.

use super::{LintMaterial, Rule, config, page, rubric, rules};

#[track_caller]
fn check(command: &str, expected: &[Rule]) {
    assert_eq!(rules(&format!("## Checks\n- {command}\n")), expected, "{command}");
}

#[test]
fn a_command_that_cannot_fail_is_an_error() {
    for command in [
        "true", ":", "exit 0", "npm test || true", "npm test || :", "npm test; true", "npm test ;exit 0",
        "echo ok", "printf 'a | b'", "npm test &", "(npm test) || exit 0", "a && b || true",
    ] {
        check(command, &[Rule::CheckCannotFail]);
    }
}

#[test]
fn a_pipe_into_a_program_that_never_fails_is_told() {
    for command in ["npm test | tee log.txt", "npm test 2>&1 | tail -n 20", "a || b | cat"] {
        check(command, &[Rule::CheckHidesFailure]);
    }
}

#[test]
fn ordinary_commands_are_left_alone() {
    for command in [
        "npm test",
        "npm test 2>&1",
        "npm test &> log",
        "set -o pipefail; npm test | tee log",
        "npm test | grep -q passed",
        "test \"$(cat a | tail -1)\" = ok",
        "grep -q '; true' a",
        "grep -q \"a \\\" || true\" b",
        "npm run a || true && npm test",
        "{ a || true; } && b",
        "echo $(npm test)",
        "echo a > b && diff b c",
        "true && npm test",
        "[ -f a ] || exit 1",
        "cat a | sort -c",
    ] {
        let expected: &[Rule] = if command.ends_with("sort -c") { &[Rule::CheckHidesFailure] } else { &[] };
        check(command, expected);
    }
}

#[test]
fn checks_of_the_settings_are_looked_at_at_their_place() {
    let config = config("\n[[check]]\nname = \"test\"\ncommand = \"npm test || true\"\n");
    insta::assert_snapshot!(page(&LintMaterial { config: Some(&config), ..LintMaterial::default() }), @r"
        error check-cannot-fail: gulf.toml:4:11: `npm test || true` cannot fail, so it checks nothing · let the exit code tell success from failure
        ");
}

#[test]
fn a_project_without_a_named_check_is_told_what_would_be_taken() {
    let detected = ["cargo test".to_owned(), "cargo clippy".to_owned()];
    insta::assert_snapshot!(page(&LintMaterial { detected: &detected, ..LintMaterial::default() }), @r"
        warning no-check: no check is named; a start would take what it finds: cargo test, cargo clippy · `gulf init` looks for checks and writes them down
        ");
    let source = rubric("## Judge criteria\n- A wrong password answers with 401.\n");
    insta::assert_snapshot!(page(&LintMaterial { rubric: Some(&source), ..LintMaterial::default() }), @r"
        warning no-check: no command checks the work, only a judge · `gulf init` looks for checks and writes them down
        ");
}
