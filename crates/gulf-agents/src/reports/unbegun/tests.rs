//! As shells and tools say it, and as tests do that speak of the same.

use super::unbegun;
use crate::reports::TestReport;

#[track_caller]
fn check(command: &str, output: &str, expected: Option<&str>) {
    let found = unbegun(command, output.as_bytes(), &TestReport::default());
    assert_eq!(found.as_deref(), expected, "{command}: {output}");
}

#[track_caller]
fn check_missing(command: &str, output: &str, is_missing: bool) {
    // Whatever was counted.
    let report = TestReport { complete: crate::reports::Completeness::Every, ..TestReport::default() };
    assert_eq!(unbegun(command, output.as_bytes(), &report).is_some(), is_missing, "{command}: {output}");
}

#[test]
fn the_last_words_of_what_was_to_begin_are_quoted() {
    for (command, output, line) in [
        (
            "make test",
            "pytset -q\nmake: pytset: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n",
            "make: pytset: No such file or directory",
        ),
        (
            "make sub",
            "sh inner.sh\ninner.sh: 2: pytset: not found\nmake: *** [Makefile:4: sub] Error 1\n",
            "inner.sh: 2: pytset: not found",
        ),
        (
            "make test",
            "/bin/sh: line 1: pytset: command not found\nmake[1]: *** [Makefile:2: test] Error 127\nmake[1]: Leaving directory '/x'\nmake: *** [Makefile:1: all] Error 2\n",
            "/bin/sh: line 1: pytset: command not found",
        ),
        (
            "make -C nodir test",
            "make: *** nodir: No such file or directory.  Stop.\n",
            "make: *** nodir: No such file or directory.  Stop.",
        ),
        ("./c1.sh", "./c1.sh: 2: pytset: not found\n", "./c1.sh: 2: pytset: not found"),
        (
            "./b1.sh",
            "begin\n./b1.sh: line 2: pytset: command not found\n",
            "./b1.sh: line 2: pytset: command not found",
        ),
        ("pytset -q || exit 1", "sh: 1: pytset: not found\n", "sh: 1: pytset: not found"),
        ("pytset -q || exit 1", "sh: pytset: not found\n", "sh: pytset: not found"),
        ("sh c2.sh", "c2.sh: 1: cd: can't cd to src\n", "c2.sh: 1: cd: can't cd to src"),
        (
            "bash b3.sh",
            "b3.sh: line 1: cd: src: No such file or directory\n",
            "b3.sh: line 1: cd: src: No such file or directory",
        ),
        (
            "sh no.sh || exit 1",
            "sh: 0: cannot open no.sh: No such file\n",
            "sh: 0: cannot open no.sh: No such file",
        ),
        (
            "bash no.sh || exit 1",
            "bash: no.sh: No such file or directory\n",
            "bash: no.sh: No such file or directory",
        ),
        (
            "env pytset || exit 1",
            "env: ‘pytset’: No such file or directory\n",
            "env: ‘pytset’: No such file or directory",
        ),
        (
            "timeout 5 pytset || exit 1",
            "timeout: failed to run command ‘pytset’: No such file or directory\n",
            "timeout: failed to run command ‘pytset’: No such file or directory",
        ),
        (
            "npm test",
            "npm error code ENOENT\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/x/package.json'\nnpm error enoent This is related to npm not being able to find a file.\nnpm error A complete log of this run can be found in: /l\n",
            "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/x/package.json'",
        ),
        (
            "docker run x",
            "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n\nRun 'docker run --help' for more information\n",
            "docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
        ),
    ] {
        check(command, output, Some(line));
    }
}

#[test]
fn a_command_that_is_no_shells_cannot_begin() {
    let first = "bash: -c: line 1: syntax error near unexpected token `then'";
    check("if then", &format!("{first}\nbash: -c: line 1: `if then'\n"), Some(first));
    let first = "sh: 1: Syntax error: \"then\" unexpected";
    check("if then", &format!("{first}\n"), Some(first));
    // That may be what is mended.
    check("bash -n tool.sh", "tool.sh: line 3: syntax error: unexpected end of file\n", None);
}

#[test]
fn what_tests_print_and_what_they_read_is_red() {
    for (command, output) in [
        ("sh check.sh", "sh: 1: pytset: not found\nFAILED greeting\n"),
        ("make test", "sh: 1: pytset: not found\n1 test failed\nmake: *** [Makefile:2: test] Error 1\n"),
        // A file that the work is to write.
        ("sh check.sh", "check.sh: 1: cannot open out.txt: No such file\n"),
        ("bash check.sh", "check.sh: line 3: out.txt: No such file or directory\n"),
        ("sh check.sh", "cat: out.txt: No such file or directory\n"),
        ("sh check.sh", "diff: out.txt: No such file or directory\n"),
        // The program that is tested complains, and not what tests it.
        ("sh check.sh", "./tool: line 3: sed9: command not found\n"),
        (
            "make test",
            "main.c:1:10: fatal error: x.h: No such file or directory\nmake: *** [Makefile:2: test] Error 1\n",
        ),
        ("make test", "make: *** [Makefile:2: test] Error 1\n"),
        ("npm test", "1 failing\nnpm error code 1\n"),
        ("sh check.sh", "error: route /users: not found\n"),
        ("sh check.sh", "check.sh: expected hello: got nothing\n"),
        ("docker run x", "1 failed\n"),
        // A suite whose form is not known counts, too.
        ("sh check.sh", "1..2\nok 1 - a\nnot ok 2 - b\ncheck.sh: 3: pytset: not found\n"),
        ("sh check.sh", "3 tests, 1 failures\nsh: 1: pytset: not found\n"),
        ("pytest", ""),
    ] {
        check(command, output, None);
    }
}

#[test]
fn a_runner_that_is_not_installed_is_told_from_a_red_test() {
    check_missing("python3 -m pytest -q", "/usr/bin/python3: No module named pytest\n", true);
    check_missing(".venv/bin/python -m pytest", "/work/x/.venv/bin/python: No module named pytest\n", true);
    check_missing(
        "uv run pytest",
        "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory\n",
        true,
    );
    check_missing(
        "uv run --with httpx -- pytest -q",
        "error: Failed to spawn: `pytest`\n  Caused by: No such file or directory\n",
        true,
    );
    check_missing("poetry run pytest", "Command not found: pytest\n", true);
    check_missing(
        "bundle exec rspec",
        "bundler: command not found: rspec\nInstall missing gem executables\n",
        true,
    );
    check_missing("npm run lint", "npm error Missing script: \"lint\"\nnpm error\n", true);
    let npx = "npm error npx canceled due to missing packages and no YES option: [\"tsc@2.0.4\"]\n";
    check_missing("npx --no-install tsc --noEmit", npx, true);
    let django = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'django'\n";
    check_missing("python manage.py test", django, true);
    check_missing("cargo nextest run", "error: no such command: `nextest`\n", true);
    check_missing("make test", "make: *** No rule to make target 'test'.  Stop.\n", true);
    check_missing("just test", "error: Justfile does not contain recipe `test`\n", true);
}

#[test]
fn a_test_that_fails_to_import_or_a_rule_that_lacks_a_file_is_red() {
    check_missing("python3 -m pytest", "E   ModuleNotFoundError: No module named 'shop'\n", false);
    check_missing("python3 -m pytest", "/usr/bin/python3: No module named shop\n", false);
    check_missing("sh check.sh", "/usr/bin/python3: No module named pytest\n", false);
    check_missing(
        "make test",
        "make: *** No rule to make target 'main.c', needed by 'main.o'.  Stop.\n",
        false,
    );
    check_missing("npm test", "1 failing\n", false);
    check_missing("python manage.py test", "ModuleNotFoundError: No module named 'shop'\n", false);
}
