//! Which commands are offered as checks.

use super::{FULL, page, read};

/// The commands that an evaluation section offers.
#[track_caller]
fn check(evaluation: &str, commands: &[&str]) {
    let text =
        FULL.replace("- **Machine checks**: [`npm test`, `tsc --noEmit`, `npm run lint`]\n", evaluation);
    let alignment = read(&text);
    let found: Vec<&str> = alignment.checks.iter().map(|check| check.text.as_str()).collect();
    assert_eq!(found, commands, "{evaluation}");
    for check in &alignment.checks {
        assert_eq!(&text[check.span.start..check.span.end], check.text);
    }
}

#[test]
fn commands_stand_in_backticks_or_in_a_code_block() {
    check("- **Machine checks**: [`npm test`, `tsc --noEmit`]\n", &["npm test", "tsc --noEmit"]);
    check("- **Machine checks**: `npm test` and `tsc`; `eslint .`\n", &["npm test", "tsc", "eslint ."]);
    check(
        "### Machine checks\n- `npm test`\n- Lint: `npm run lint` (0 warnings)\n",
        &["npm test", "npm run lint"],
    );
    check("### Checks\n1. `npm test`\n2. `npm test`\n", &["npm test"]);
    check(
        "**Machine checks**:\n```sh\n$ npm test\n# then\nnpm run lint\n\n```\n",
        &["npm test", "npm run lint"],
    );
    check("- **기계 검사**: ``echo `date` ``, `npm test` 및 `tsc`\n", &["echo `date`", "npm test", "tsc"]);
}

#[test]
fn what_follows_in_prose_is_not_offered() {
    check("- **Machine checks**:\n  - `npm test` exits 0 and prints `ok`\n", &["npm test"]);
    check("- **Behavioral checks**: `curl localhost` says hello\n", &[]);
    check("- **Machine checks**: none\n", &[]);
}

#[test]
fn a_check_without_a_command_is_told() {
    insta::assert_snapshot!(
        page(&FULL.replace("[`npm test`, `tsc --noEmit`, `npm run lint`]", "all tests pass")),
        @r"
            gulf-align.md:15:1: it names no command that checks the work · name each command in backticks below `- **Machine checks**:`
            gulf-align.md:16:1: no command is recognised here · put the command into backticks
            ");
    insta::assert_snapshot!(
        page(&FULL.replace("[`npm test`, `tsc --noEmit`, `npm run lint`]", "\n  ```\n  npm test \\\n    --all\n  ```")),
        @r"
            gulf-align.md:15:1: it names no command that checks the work · name each command in backticks below `- **Machine checks**:`
            gulf-align.md:18:1: a check is one line, so this one is not offered · join the lines with `&&`, or put them into a script
            ");
}
