//! Orders, commits and rows as they are read; a replay itself needs clones.

use super::commit::{Tests, Wanted, read};
use super::row::{Row, table};
use super::{Order, project};
use std::path::Path;

#[test]
fn an_order_names_clones_and_what_gulf_run_is_told() {
    let words =
        ["--commits", "3", "--minutes", "5", "--setup", "npm ci", "--setup", "src=CI=1 make", ".", "src"];
    let words = [&words[..], &["--with-tests", "--keep", "--", "--check", "npm test"]].concat();
    let order = Order::read(&words).unwrap().unwrap();
    assert_eq!((order.commits, order.minutes), (3, 5));
    assert_eq!((order.which, order.keep), (Wanted::WithTests, true));
    assert_eq!(order.setup_of(Path::new(".")), Some("npm ci"));
    assert_eq!(order.setup_of(Path::new("src")), Some("CI=1 make"));
    assert_eq!(order.arguments, ["--check", "npm test"]);
    let named_only = Order::read(&["--setup", "src=make", "src", "."]).unwrap().unwrap();
    assert_eq!(named_only.setup_of(Path::new(".")), None);
    assert!(Order::read(&[]).is_none() && Order::read(&["--commits", "0", "."]).is_none());
    assert!(Order::read(&["--what", "."]).is_none());
    let missing = Order::read(&["/no/such/clone"]).unwrap().unwrap_err();
    assert!(missing.to_string().contains("/no/such/clone"));
}

#[test]
fn commits_and_merges_with_code_are_replayed_on_their_first_parent() {
    let log = "\0aaaa\0pppp\0Add it\0\0\n\nM\tsrc/lib.rs\nA\ttests/it.rs\n\
               \0bbbb\0pppp qqqq\0Merge #1\0\nMend that\n\0\n\nM\tsrc/lib.rs\n\
               \0cccc\0pppp\0Write about it\0\0\n\nM\tREADME.md\n\0dddd\0\0First\0\0\n\nA\tsrc/lib.rs\n\
               \0eeee\0pppp\0Mend it\0Long words\n\0\n\nM\tpkg/a.go\nM\tpkg/a_test.go\n\
               \0ffff\0pppp\0Tidy\0\0\n\nM\tlib/a.py\n";
    let found: Vec<_> =
        read(log).into_iter().map(|commit| (commit.id, commit.subject, commit.tests)).collect();
    let row = |id: &str, subject: &str, tests| (id.to_owned(), subject.to_owned(), tests);
    let wanted = [
        row("aaaa", "Add it", Tests::Added),
        row("bbbb", "Mend that", Tests::Untouched),
        row("eeee", "Mend it", Tests::Changed),
        row("ffff", "Tidy", Tests::Untouched),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_row_tells_what_status_told() {
    let commit = read("\0aaaaaaaaaaaa\0pppp\0Add it\0\0\n\nM\tsrc/lib.rs\n").remove(0);
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

/// Stands in for gulf: lets the worker work, and says whether that was all there was to do.
#[cfg(unix)]
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = status ]; then
    if grep -qx two calc.py; then kind=verified; else kind=attested; fi
    printf '{"standing": "%s", "active_ms": 1000, "end": {"kind": "%s", "causes": []}, "checks": []}' "$kind" "$kind"
    exit
fi
case "$HOME" in */home) ;; *) echo 'error: this is somebody\'s home'; exit 2 ;; esac
[ -e "$HOME/earlier" ] && { echo 'error: an earlier replay was here'; exit 2; }
touch "$HOME/earlier"
[ -e prepared ] || { echo 'error: nobody set this up'; exit 2; }
while [ "$1" != --agent ]; do shift; done
sh -c "${2#command:}" < /dev/null
"#;

#[cfg(unix)]
#[test]
fn a_repository_of_three_commits_is_replayed_each_in_a_place_of_its_own() {
    use super::{replayed, table};
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    let place = tempfile::tempdir().unwrap();
    let gulf = place.path().join("gulf");
    std::fs::write(&gulf, STAND_IN).unwrap();
    std::fs::set_permissions(&gulf, std::fs::Permissions::from_mode(0o755)).unwrap();
    let toy = place.path().join("toy");
    std::fs::create_dir(&toy).unwrap();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        let who =
            ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "init.defaultBranch=main"];
        git.arg("-C").arg(&toy).args(who).args(arguments);
        crate::program::stdout(git).unwrap()
    };
    git(&["init", "--quiet"]);
    for text in ["one\n", "two\n", "three\n"] {
        std::fs::write(toy.join("calc.py"), text).unwrap();
        git(&["add", "."]);
        git(&["commit", "--quiet", "-m", &format!("Say {}", text.trim())]);
    }
    let toy = toy.to_str().unwrap();
    let order = Order::read(&["--setup", "toy=touch prepared", toy]).unwrap().unwrap();
    let text = table(&replayed(&gulf, &order).unwrap());
    assert!(text.ends_with("2 commits: 1 attested, 1 verified"), "{text}");
}
