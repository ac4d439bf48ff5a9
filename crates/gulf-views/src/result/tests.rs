//! What is the same many times is told once.

use gulf_engine::Finding;

use super::{alike_once, cleared};
use crate::look::Look;

fn told(lines: &[&str]) -> Vec<String> {
    alike_once(&lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
}

#[test]
fn a_renamed_file_of_tests_is_one_line_with_a_number_and_another_finding_stays() {
    let gone = |name: &str| format!("tests/test_a.py::{name} (test): ran on the base and is gone");
    let removed = |name: &str| format!("tests/test_a.py: the test {name} was removed");
    let names = ["test_one", "test_two", "adds three numbers", "test_four"];
    let mut lines: Vec<String> = names.iter().map(|name| gone(name)).collect();
    lines.extend(names.iter().map(|name| removed(name)));
    lines.push("the check test: fails on the candidate's code".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(
        told(&lines),
        [
            format!("{}; 3 more like it", gone("test_one")),
            format!("{}; 3 more like it", removed("test_one")),
            "the check test: fails on the candidate's code".to_owned()
        ]
    );
}

#[test]
fn a_few_lines_and_names_of_files_are_told_one_by_one() {
    let few = ["a: ran on the base and is gone", "b: ran on the base and is gone"];
    assert_eq!(told(&few), few);
    let files = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.txt"];
    assert_eq!(told(&files), files);
}

#[test]
fn a_table_whose_rows_moved_is_one_line_and_many_changes_are_a_few_and_their_number() {
    let finding = |path: String, what: &str| Finding { path, what: what.to_owned() };
    let gone = |row: u32| {
        finding(format!("tests.test_a::test_rows[given{row}-a b] (test)"), "ran on the base and is gone")
    };
    let mut changes: Vec<Finding> = (0..200).map(gone).collect();
    changes.push(finding("…".to_owned(), "and 170 more"));
    let shown = cleared(&changes, Look::piped());
    let first = "tests.test_a::test_rows[given0-a b] (test): ran on the base and is gone; 199 more like it";
    assert!(
        shown.contains(&format!("{first}\n  …: and 170 more\n")) && shown.lines().count() == 4,
        "{shown}"
    );
    let others: Vec<Finding> = (0..9).map(|at| finding(format!("{at}.py"), &format!("new-{at}"))).collect();
    let shown = cleared(&others, Look::piped());
    assert!(shown.contains("5.py: new-5\n  and 3 more\n") && !shown.contains("6.py"), "{shown}");
}
