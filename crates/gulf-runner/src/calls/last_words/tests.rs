//! What is kept of a failing program's words.

use gulf_agents::masking::Mask;

use super::describe_failure;

fn mask() -> Mask {
    Mask::new([("MY_TOKEN", "a-token-0123456789"), ("MAX_TOKEN", "42"), ("KEYBOARD", "a-plain-word-1")])
}

#[test]
fn the_last_lines_are_kept_without_colours_and_empty_lines() {
    let stderr = b"one\ntwo\n\nthree\n\x1b[31merror:\x1b[0m four\r\nfive\n\x1b]0;title\x07six\n\n";
    assert_eq!(
        describe_failure("", &[stderr, b"unheard"], &mask()),
        ["two", "three", "error: four", "five", "six"]
    );
    assert_eq!(describe_failure("", &[b" \n", b"on stdout"], &mask()), ["on stdout"]);
    assert!(describe_failure("", &[b"", b""], &mask()).is_empty());
}

#[test]
fn what_is_known_of_the_failure_comes_first_and_is_not_said_twice() {
    assert_eq!(describe_failure("it timed out", &[b"working\n"], &mask()), ["it timed out", "working"]);
    assert_eq!(
        describe_failure("no such file", &[b"reading\nno such file\n"], &mask()),
        ["reading", "no such file"]
    );
    assert_eq!(describe_failure("it timed out", &[b""], &mask()), ["it timed out"]);
}

#[test]
fn values_of_variables_that_are_called_secret_are_stars() {
    assert_eq!(
        describe_failure("", &[b"key a-token-0123456789, 42 times a-plain-word-1\n"], &mask()),
        ["key ***, 42 times a-plain-word-1"]
    );
}

#[test]
fn a_secret_is_masked_before_its_line_is_cut() {
    let line = format!("{} a-token-0123456789", "x".repeat(290));
    let kept = describe_failure("", &[line.as_bytes()], &mask());
    assert!(kept[0].ends_with("x ***"), "{kept:?}");
}

#[test]
fn a_hundred_megabytes_in_one_line_are_a_few_words() {
    let line = "x".repeat(1 << 20);
    let kept = describe_failure("", &[line.as_bytes()], &mask());
    assert_eq!(kept.iter().map(String::len).collect::<Vec<_>>(), [300]);
}
