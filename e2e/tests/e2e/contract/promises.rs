//! Which messages are a promise, and what becomes of one (CONTRACT §1.9 and the rows about the promise).
//!
//! Apart because it is a table of messages, each of which ends the loop or must not.

use gulf_testkit::one_in_turn;

use super::harness::{BRIEF, Host, MARKER, PROMISE, PROMPT, SECOND, Session};

/// The loop after its first stop, with the work done.
fn mended(fields: &str) -> Session {
    let session = Session::checked(Host::Plain);
    session.marker(fields, PROMPT);
    session.work_and_stop("I go on.").continues();
    session.mend();
    session
}

#[track_caller]
fn completes(fields: &str, message: &str) {
    let session = mended(fields);
    session.stop(message).lets_stop();
    session.expect_completed();
}

/// One stop after the other, none of which is a promise.
#[track_caller]
fn go_on(fields: &str, messages: &[&str]) {
    let session = mended(fields);
    for (iteration, message) in (4..).zip(messages) {
        session.work_and_stop(message).continues();
        assert_eq!(session.end(), None, "ended by {message:?}");
        assert_eq!(
            session.field("iteration"),
            Some(iteration.to_string()),
            "{message:?} is a stop like any other"
        );
    }
}

// proves: B6
#[test]
fn the_promise_alone_on_its_line_completes() {
    let messages = [
        "<promise>COMPLETE</promise>",
        "I am done.\n\n<promise>COMPLETE</promise>\n",
        "<promise>COMPLETE</promise>\nThat was all.",
        "  \t<promise>COMPLETE</promise>  ",
        "Done.\r\n<promise>COMPLETE</promise>\r\n",
        "Done:\n`<promise>COMPLETE</promise>`",
    ];
    for message in messages {
        completes(SECOND, message);
    }
}

// proves: B6
#[test]
fn a_promise_that_is_negated_quoted_fenced_or_within_a_sentence_is_none() {
    let messages = [
        "I will NOT output <promise>COMPLETE</promise> yet.",
        "When it is done I say <promise>COMPLETE</promise>",
        "> <promise>COMPLETE</promise>",
        "```\n<promise>COMPLETE</promise>\n```",
        "~~~text\n<promise>COMPLETE</promise>\n~~~",
        "- then:\n  ```\n  <promise>COMPLETE</promise>\n  ```",
        "\"<promise>COMPLETE</promise>\"",
        "<promise>COMPLETE</promise> and <promise>COMPLETE</promise>",
    ];
    go_on(SECOND, &messages);
}

#[test]
fn the_promise_is_compared_to_the_letter() {
    let messages = [
        "<promise>complete</promise>",
        "<promise> COMPLETE </promise>",
        "<promise>COMPLETED</promise>",
        "<promise>COMPLETE\n</promise>",
        "<PROMISE>COMPLETE</PROMISE>",
        "COMPLETE",
        "<promise></promise>",
        "",
    ];
    go_on(SECOND, &messages);
}

#[test]
fn a_promise_of_ones_own_is_the_only_one() {
    let fields = SECOND.replace("COMPLETE", "ALL TESTS ARE GREEN 끝");
    completes(&fields, "<promise>ALL TESTS ARE GREEN 끝</promise>");
    go_on(&fields, &[PROMISE]);
}

/// The original's shell took the quotes out of its state file: who knows it says `Im done`.
#[test]
fn quotes_in_the_promise_of_a_marker_may_be_said_or_left_out() {
    for (written, said) in [
        ("\"I'm done\"", "I'm done"),
        ("\"I'm done\"", "Im done"),
        ("I'm done", "Im done"),
        ("'all \"green\"'", "all \"green\""),
        ("'all \"green\"'", "all green"),
    ] {
        let fields = SECOND.replace("\"COMPLETE\"", written);
        completes(&fields, &format!("<promise>{said}</promise>"));
    }
    let fields = SECOND.replace("\"COMPLETE\"", "\"I'm done\"");
    go_on(
        &fields,
        &[PROMISE, "<promise>I'm</promise>", "<promise>I'm  done</promise>", "<promise>im done</promise>"],
    );
}

#[test]
fn a_promise_of_quotes_alone_is_no_empty_one() {
    let fields = SECOND.replace("\"COMPLETE\"", "\"''\"");
    go_on(&fields, &["<promise></promise>", "<promise> </promise>"]);
}

#[test]
fn a_promise_with_characters_of_a_pattern_means_them_literally() {
    let fields = SECOND.replace("COMPLETE", "a.c*[x] $1 &");
    completes(&fields, "<promise>a.c*[x] $1 &</promise>");
    go_on(&fields, &["<promise>abc*[x] $1 &</promise>"]);
}

#[test]
fn without_a_promise_in_the_marker_it_is_complete() {
    completes("active: true\niteration: 2\nmax_iterations: 50", PROMISE);
}

#[test]
fn without_any_check_a_promise_completes_attested() {
    for host in one_in_turn(super::harness::HOSTS) {
        let session = Session::bare(host);
        session.marker(SECOND, PROMPT);
        session.work_and_stop("I go on.").continues();
        session.mend();
        session.stop(PROMISE).lets_stop();
        assert_eq!(session.end().as_deref(), Some("attested"));
        assert!(!session.exists(MARKER));
    }
}

// proves: G16
#[test]
fn passing_autochecks_that_were_red_before_complete_verified() {
    let session = mended(SECOND);
    session.stop(PROMISE).lets_stop();
    assert_eq!(session.end().as_deref(), Some("verified"));
}

#[test]
fn a_promise_at_the_very_first_stop_of_an_adopted_loop_counts() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.completes();
}

// proves: G16
#[test]
fn autochecks_that_cannot_be_executed_are_said_and_never_pass() {
    // The original passes over them; SPEC G16 calls that an error.
    let session = Session::bare(Host::Plain);
    session.write(".claude/autochecks.sh", "#!/bin/sh\nexit 0\n");
    session.sandbox.commit("autochecks");
    session.marker(SECOND, PROMPT);
    let outcome = session.work_and_stop(PROMISE);
    outcome.says("autochecks.sh").says("execut");
    session.expect_no_success();
}

#[test]
fn a_completed_loop_is_said_to_be_complete_and_the_next_stop_is_nobodys() {
    for host in one_in_turn(super::harness::HOSTS) {
        let session = Session::checked(host);
        session.write("progress.txt", BRIEF);
        session.marker(SECOND, PROMPT);
        session.work_and_stop("I go on.").continues();
        session.mend();
        session.stop(PROMISE).lets_stop().says("verified");
        session.stop(PROMISE).is_untouched();
    }
}
