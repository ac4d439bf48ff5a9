//! What is the same many times is told once.

use super::alike_once;

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
