//! What is kept of a failing program's words.

use super::{of, without_secrets};

fn environment() -> Vec<(String, String)> {
    let one = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    vec![
        one("ANTHROPIC_API_KEY", "sk-ant-0123456789"),
        one("MY_TOKEN", "sk-ant-0123456789-and-more"),
        one("MAX_TOKEN", "42"),
        one("KEYBOARD", "a-plain-word"),
    ]
}

#[test]
fn the_last_lines_are_kept_without_colours_and_empty_lines() {
    let stderr = b"one\ntwo\n\nthree\n\x1b[31merror:\x1b[0m four\r\nfive\n\x1b]0;title\x07six\n\n";
    assert_eq!(of("", &[stderr, b"unheard"], &[]), ["two", "three", "error: four", "five", "six"]);
    assert_eq!(of("", &[b" \n", b"on stdout"], &[]), ["on stdout"]);
    assert!(of("", &[b"", b""], &[]).is_empty());
}

#[test]
fn what_is_known_of_the_failure_comes_first_and_is_not_said_twice() {
    assert_eq!(of("it timed out", &[b"working\n"], &[]), ["it timed out", "working"]);
    assert_eq!(of("no such file", &[b"reading\nno such file\n"], &[]), ["reading", "no such file"]);
    assert_eq!(of("it timed out", &[b""], &[]), ["it timed out"]);
}

#[test]
fn values_of_variables_that_are_called_secret_are_stars() {
    let said = "Incorrect API key: sk-ant-0123456789, or sk-ant-0123456789-and-more; 42 times a-plain-word";
    assert_eq!(
        without_secrets(said, &environment()),
        "Incorrect API key: ***, or ***; 42 times a-plain-word"
    );
    assert_eq!(of("", &[b"key sk-ant-0123456789\n"], &environment()), ["key ***"]);
}

#[test]
fn a_hundred_megabytes_in_one_line_are_a_few_words() {
    let line = "x".repeat(1 << 20);
    let kept = of("", &[line.as_bytes()], &[]);
    assert_eq!(kept.iter().map(String::len).collect::<Vec<_>>(), [300]);
}
