//! What is denied and what is not; commands as agents write them.

mod commands;
mod laws;
mod tools;

use serde_json::{Value, json};

use super::*;

const PROJECT: &str = "/work/shop";
const HOME: &str = "/home/ada";

pub(super) fn protected() -> Protected {
    let list = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    Protected {
        project: PROJECT.to_owned(),
        sealed: list(&[
            "RUBRIC.md", "PROMPT.md", "gulf.toml", ".claude/autochecks.sh", ".claude/gulf-align.md",
        ]),
        state: list(&[".gulf/", "JUDGE_FEEDBACK.md", "decisions.md", ".claude/gulf-loop.local.md"]),
        free: list(&[".gulf/notepad.md"]),
        outside: list(&["/home/ada/.local/state/gulf"]),
        home: Some(HOME.to_owned()),
    }
}

/// Which protected path the tool would write, if any.
#[track_caller]
pub(super) fn check(name: &str, input: &Value, cwd: &str, expected: Option<&str>) {
    assert_eq!(surprise(name, input, cwd, expected), None);
}

/// Each of these commands would write the path.
#[track_caller]
pub(super) fn denied(path: &str, commands: &[&str]) {
    check_all(commands, Some(path));
}

/// None of these commands would write anything protected.
#[track_caller]
pub(super) fn allowed(commands: &[&str]) {
    check_all(commands, None);
}

#[track_caller]
fn check_all(commands: &[&str], expected: Option<&str>) {
    let judged = commands.iter().map(|command| json!({ "command": command }));
    let surprises: Vec<String> =
        judged.filter_map(|input| surprise("Bash", &input, PROJECT, expected)).collect();
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

fn surprise(name: &str, input: &Value, cwd: &str, expected: Option<&str>) -> Option<String> {
    let found = offence(&protected(), &ToolUse { name, input, cwd });
    let path = found.as_ref().map(|offence| offence.path.as_str());
    (path != expected).then(|| format!("{name} {input} in {cwd}: expected {expected:?}, found {found:?}"))
}

#[test]
fn an_offence_says_what_was_tried_and_what_to_do_instead() {
    let say = |command: &str| {
        let input = json!({ "command": command });
        let tool_use = ToolUse { name: "Bash", input: &input, cwd: PROJECT };
        offence(&protected(), &tool_use).unwrap().to_string()
    };
    assert_eq!(
        say("sed -i 's/three/two/' RUBRIC.md"),
        "RUBRIC.md is sealed for this loop, and `sed -i` would write it. Reading is free; if it must change, say so \
         with `gulf claim conflict \"what is wrong with it\"`."
    );
    assert_eq!(
        say("rm -rf .gulf"),
        ".gulf/ is gulf's own while the loop runs, and `rm` would move or remove it. Reading is free; notes belong \
         into progress.txt or .gulf/notepad.md."
    );
}
