//! What is started first, and what only a shell can tell.

use super::*;

#[track_caller]
fn check(command: &str, folders: &[&str], program: &str, script: Option<&str>) {
    let found = first_program(command).unwrap_or_else(|| panic!("{command}: nothing found"));
    assert_eq!(found.folders, folders, "{command}");
    assert_eq!(found.program, program, "{command}");
    assert_eq!(found.script.as_deref(), script, "{command}");
}

#[test]
fn the_first_program_is_found_behind_folders_variables_and_programs_that_start_another() {
    check("pytset -q", &[], "pytset", None);
    check("cd x && pytset", &["x"], "pytset", None);
    check("cd 'my app'; cd b && pytset | tee log", &["my app", "b"], "pytset", None);
    check("env FOO=1 pytset", &[], "pytset", None);
    check("FOO=1 BAR='a b' pytset 2>&1", &[], "pytset", None);
    check("set -e; export CI=1; timeout 60 ./check.sh \"$X\"", &[], "./check.sh", None);
    check("\"my check\" --all", &[], "my check", None);
    check("./확인.sh *", &[], "./확인.sh", None);
}

#[test]
fn an_interpreter_is_given_a_script() {
    check("sh check.sh --fast", &[], "sh", Some("check.sh"));
    check("/bin/bash -eux ./ci/check.sh", &[], "/bin/bash", Some("./ci/check.sh"));
    check("python3 -B test.py", &[], "python3", Some("test.py"));
    for command in ["python3 -m pytest", "sh -c 'pytset'", "node --test a.mjs", "sh", "sh \"$SCRIPT\""] {
        assert_eq!(first_program(command).unwrap().script, None, "{command}");
    }
}

#[test]
fn npm_is_given_the_name_of_a_script() {
    for (command, name) in [
        ("npm test", Some("test")),
        ("npm run lint -- --fix", Some("lint")),
        ("npm run -s lint", Some("lint")),
        ("npm run lint -w pkg", None),
        ("npm run --if-present lint", None),
        ("npm ci", None),
        ("pnpm run lint", None),
    ] {
        assert_eq!(first_program(command).unwrap().package_script.as_deref(), name, "{command}");
    }
}

#[test]
fn what_only_a_shell_can_tell_is_believed() {
    for command in [
        "",
        "$AGENT run",
        "PATH=/opt/bin pytset",
        "export PATH=$PWD/bin && pytset",
        "env -i pytset",
        "pytset || true",
        "pytset; echo done",
        "pytset & wait",
        "(pytset)",
        "! pytset",
        "if pytset; then exit 1; fi",
        "[ -f x ] && pytset",
        ". ./activate && pytset",
        "cd \"$DIR\" && ./check.sh",
        "echo 'never closed",
        "time -p pytset",
    ] {
        assert_eq!(first_program(command), None, "{command}");
    }
}
