//! Orders, commits and rows as they are read; a replay itself needs clones.

use super::commit::{Tests, read};
use super::row::{Row, table};
use super::{Order, project};
use std::path::Path;

#[test]
fn an_order_names_clones_and_what_gulf_run_is_told() {
    let order = Order::read(&["--commits", "3", "--setup", "npm ci", ".", "--", "--check", "npm test"])
        .unwrap()
        .unwrap();
    assert_eq!((order.commits, order.setup.as_deref()), (3, Some("npm ci")));
    assert_eq!(order.arguments, ["--check", "npm test"]);
    assert!(Order::read(&[]).is_none() && Order::read(&["--commits", "0", "."]).is_none());
    assert!(Order::read(&["--what", "."]).is_none());
    let missing = Order::read(&["/no/such/clone"]).unwrap().unwrap_err();
    assert!(missing.to_string().contains("/no/such/clone"));
}

#[test]
fn commits_with_code_and_one_parent_are_replayed() {
    let log = "\0aaaa\0pppp\0Add it\n\nM\tsrc/lib.rs\nA\ttests/it.rs\n\0bbbb\0pppp qqqq\0Merge\n\nM\tsrc/lib.rs\n\
               \0cccc\0pppp\0Write about it\n\nM\tREADME.md\n\0dddd\0\0First\n\nA\tsrc/lib.rs\n\
               \0eeee\0pppp\0Mend it\n\nM\tpkg/a.go\nM\tpkg/a_test.go\n\0ffff\0pppp\0Tidy\n\nM\tlib/a.py\n";
    let found: Vec<_> =
        read(log).into_iter().map(|commit| (commit.id, commit.subject, commit.tests)).collect();
    let row = |id: &str, subject: &str, tests| (id.to_owned(), subject.to_owned(), tests);
    let wanted = [
        row("aaaa", "Add it", Tests::Added),
        row("eeee", "Mend it", Tests::Changed),
        row("ffff", "Tidy", Tests::Untouched),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_row_tells_what_status_told() {
    let commit = read("\0aaaaaaaaaaaa\0pppp\0Add it\n\nM\tsrc/lib.rs\n").remove(0);
    let row = Row::of(project(Path::new("/clones/some.git")), &commit);
    let status = serde_json::json!({
        "standing": "attested", "active_ms": 9000, "end": {"kind": "attested", "causes": [{"kind": "findings", "count": 1}]},
        "checks": [{"name": "pytest", "base": {"verdict": {"kind": "green"}},
                    "candidate": {"duration_ms": 3000, "summary": "a | b", "verdict": {"kind": "red"}}}],
    });
    let text = table(&[row.clone().told(&status), row.ended("refused")]);
    assert!(
        text.contains("| some | aaaaaaaaa | – | green | attested | findings; pytest: a \\| b | 3.0 | 3.0 |"),
        "{text}"
    );
    assert!(text.ends_with("2 commits: 1 attested, 1 refused"), "{text}");
}
