//! `gulf land` and `gulf discard`, killed at every point.

use super::*;

fn points(count: &camino::Utf8Path) -> Vec<String> {
    fs::read_to_string(count).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Killed at every point of a command; the same command then comes to the same.
fn killed_everywhere(command: &[&str], prepare: &[&[&str]], wanted: &dyn Fn(&Sandbox) -> String) {
    let scene = || {
        let sandbox = dirty();
        worked(&sandbox);
        for one in prepare {
            keeping(&sandbox, one).run().expect_exit(0);
        }
        sandbox
    };
    let run_at = |sandbox: &Sandbox, at: Option<usize>| {
        let count = sandbox.path("count");
        let invocation = keeping(sandbox, command).variable("GULF_CRASH_COUNT", count.as_str());
        match at {
            Some(at) => drop(invocation.variable("GULF_CRASH_AT", at.to_string()).run()),
            None => drop(invocation.run().expect_exit(0)),
        }
        points(&count)
    };
    let whole = scene();
    let names = run_at(&whole, None);
    let expected = wanted(&whole);
    let is_ours = |name: &str| {
        ["keeping.", "git.shift.", "git.record.", "git.move."].iter().any(|own| name.starts_with(own))
    };
    let mut tried = 0;
    for (at, name) in in_turn(4, names.iter().enumerate().filter(|(_, name)| is_ours(name))) {
        let sandbox = scene();
        run_at(&sandbox, Some(at + 1));
        keeping(&sandbox, command).run().expect_exit(0).does_not_panic();
        assert_eq!(wanted(&sandbox), expected, "killed at {name}");
        assert!(!sandbox.file(".git/index.lock").exists(), "killed at {name}");
        tried += 1;
    }
    assert!(tried > 0, "{names:?}");
}

fn as_it_is(sandbox: &Sandbox) -> String {
    let log = sandbox.git(["log", "--format=%s"]);
    format!(
        "{log}\n{}\n{}\n{}",
        status(sandbox),
        sandbox.read("shared.txt"),
        sandbox.git(["diff", "--cached"])
    )
}

// proves: B8
#[test]
fn killed_at_any_point_of_keeping_it_commits_once() {
    killed_everywhere(&["land"], &[], &as_it_is);
}

// proves: B8
#[test]
fn killed_at_any_point_of_discarding_it_comes_to_the_same() {
    killed_everywhere(&["discard", "--yes"], &[], &as_it_is);
}

// proves: B8
#[test]
fn killed_at_any_point_of_bringing_it_back_it_comes_to_the_same() {
    killed_everywhere(&["land"], &[&["discard", "--yes"]], &as_it_is);
}
