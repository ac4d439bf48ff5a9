//! What counts as a promise, and what does not.

use proptest::prelude::*;

use super::*;

fn check(message: &str, line: Option<usize>) {
    assert_eq!(promise(message, "ALL DONE"), line, "{message}");
}

#[test]
fn a_promise_alone_on_its_line_counts() {
    check("<promise>ALL DONE</promise>", Some(1));
    check("done.\n\n  <promise>ALL DONE</promise> \t\r\n", Some(3));
    check("`<promise>ALL DONE</promise>`\r\n", Some(1));
    check("```\ncode\n```\n<promise>ALL DONE</promise>", Some(4));
    check("완료했습니다.\n<promise>ALL DONE</promise>\n감사합니다.", Some(2));
}

#[test]
fn what_gulf_answers_in_between_is_not_the_workers_word() {
    let said = format!("I fixed it.\n{}\n{}\r\nclaimed: mine\n", own_words::CLAIMED, own_words::ASKED);
    assert_eq!(without_own_words(&said), "I fixed it.\nclaimed: mine\n");
}

#[test]
fn a_promise_within_a_sentence_does_not_count() {
    check("I will NOT output <promise>ALL DONE</promise>", None);
    check("<promise>ALL DONE</promise> when it works", None);
    check("\"<promise>ALL DONE</promise>\"", None);
    check("- <promise>ALL DONE</promise>", None);
    check("``<promise>ALL DONE</promise>`` `", None);
}

#[test]
fn a_promise_in_a_fence_or_a_quote_does_not_count() {
    check("```\n<promise>ALL DONE</promise>\n```", None);
    check("~~~text\n<promise>ALL DONE</promise>", None);
    check("````\n```\n<promise>ALL DONE</promise>\n````", None);
    check("- ```\n  <promise>ALL DONE</promise>\n  ```", None);
    check("> <promise>ALL DONE</promise>", None);
    check("> ```\n<promise>ALL DONE</promise>", Some(2));
}

#[test]
fn another_text_or_spelling_does_not_count() {
    check("<promise>DONE</promise>", None);
    check("<promise> ALL DONE </promise>", None);
    check("<Promise>ALL DONE</Promise>", None);
    check("<promise>ALL\nDONE</promise>", None);
    assert_eq!(promise("<promise></promise>", ""), None);
}

#[test]
fn a_long_message_keeps_its_end_from_a_whole_line_on() {
    let mut stdout = b"<promise>X</promise>\n".to_vec();
    stdout.extend(vec![b'a'; MESSAGE_BYTES_MAX]);
    stdout.extend(b"\n<promise>ALL DONE</promise>");
    assert_eq!(final_message(&stdout), "<promise>ALL DONE</promise>");
}

#[test]
fn the_cut_of_a_long_message_makes_no_promise_of_half_a_line() {
    let mut stdout = vec![b'a'; 100];
    stdout.extend(b"<promise>ALL DONE</promise>");
    stdout.extend(vec![b' '; MESSAGE_BYTES_MAX - 27]);
    assert_eq!(promise(&final_message(&stdout), "ALL DONE"), None);
}

proptest! {
    #[test]
    fn any_bytes_are_a_message(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let message = final_message(&bytes);
        prop_assert!(promise(&message, "ALL DONE").is_none());
    }

    #[test]
    fn prose_around_a_promise_on_its_line_takes_its_meaning(before in "[a-z\"'(>-]{1,8}", after in "[a-z\"'.!)]{0,8}") {
        let message = format!("{before}<promise>X</promise>{after}");
        prop_assert!(promise(&message, "X").is_none());
    }

    #[test]
    fn whatever_stands_in_a_fence_is_no_promise(body in "[a-z <>/`~\n]{0,60}", mark in "(`{4,6}|~{4,6})") {
        let inside = body.replace("````", "").replace("~~~~", "");
        let message = format!("{mark}\n{inside}\n<promise>X</promise>\n{mark}\n");
        prop_assert!(promise(&message, "X").is_none());
    }

    #[test]
    fn lines_before_and_after_do_not_hide_a_promise(before in "([a-z .]{0,20}\n){0,5}", after in "(\n[a-z .`]{0,2}){0,5}") {
        let message = format!("{before}<promise>X</promise>{after}");
        prop_assert!(promise(&message, "X").is_some());
    }
}

#[test]
fn a_claim_is_found_wherever_a_shells_text_runs_it() {
    for text in [
        "gulf claim done",
        "sleep 3; gulf claim done",
        "cargo test && /home/ab/bin/gulf claim done",
        "set -e\nGULF_HOME=/x gulf claim done --no-test 'a page only'",
        "(cd sub && gulf claim 'done')",
    ] {
        assert!(runs_claim(text), "{text}");
    }
    for text in ["", "gulf claim", "gulf claim cannot 'it'", "echo gulf claim done", "gulf-loop claim done"] {
        assert!(!runs_claim(text), "{text}");
    }
}
