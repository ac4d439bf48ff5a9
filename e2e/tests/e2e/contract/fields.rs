//! How a hand-made marker is read (CONTRACT §1.2, and "missing key, invalid value"): the table of fields.
//!
//! Apart because each case is a line of front matter and what the loop then does.

use super::harness::{BRIEF, Host, MARKER, PROMPT, SECOND, Session};

/// A basic loop with this front matter, after one plain stop.
#[track_caller]
fn armed(fields: &str) -> (Session, super::outcome::Outcome) {
    let session = Session::checked(Host::Plain);
    session.marker(fields, PROMPT);
    let outcome = session.work_and_stop("I go on.");
    (session, outcome)
}

/// One of the values is as if it were not there, and that is said once, naming the key.
#[track_caller]
fn is_replaced(fields: &str, key: &str, iteration: u32, limit: u32) {
    let session = Session::checked(Host::Plain);
    session.write("progress.txt", BRIEF);
    session.marker(fields, PROMPT);
    let outcome = session.work_and_stop("I go on.");
    outcome.continues();
    outcome.counts(iteration, limit);
    let warnings = outcome.finished.stderr.lines().filter(|line| line.contains(key)).count();
    assert_eq!(warnings, 1, "{fields:?} is warned about once: {}", outcome.finished.stderr);
}

#[test]
fn a_marker_that_says_nothing_is_the_first_iteration_of_fifty() {
    let session = Session::checked(Host::Plain);
    session.marker("active: true", PROMPT);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "1")]);
    session.write("progress.txt", BRIEF);
    let outcome = session.stop("");
    outcome.continues();
    outcome.counts(2, 50);
    session.expect_fields(&[("iteration", "2"), ("max_iterations", "50")]);
    assert!(outcome.brief().contains("<promise>COMPLETE</promise>"));
}

#[test]
fn without_the_word_active_a_marker_is_active() {
    let (_, outcome) = armed("iteration: 2\nmax_iterations: 9");
    outcome.counts(3, 9);
}

#[test]
fn only_the_literal_false_pauses_quoted_or_not() {
    for value in ["false", "\"false\"", "'false'", "  false  "] {
        let (_, outcome) = armed(&format!("active: {value}\niteration: 2\nmax_iterations: 9"));
        outcome.lets_stop().says("resume");
    }
    for value in ["False", "no", "0", "FALSE", "false # for now"] {
        let (_, outcome) = armed(&format!("active: {value}\niteration: 2\nmax_iterations: 9"));
        outcome.continues();
    }
}

#[test]
fn quotes_and_blanks_around_values_do_no_harm() {
    let (session, outcome) =
        armed("active:   true  \niteration: \"2\"\nmax_iterations:'9'\ncompletion_promise:  'DONE NOW'  ");
    outcome.continues();
    outcome.counts(3, 9);
    session.mend();
    session.stop("<promise>DONE NOW</promise>").lets_stop();
    session.expect_completed();
}

#[test]
fn a_value_that_is_no_number_is_replaced_by_the_default_and_warned_about() {
    for value in ["10  # cap", "ten", "-3", "1.5", "10 20", "99999999999999999999999"] {
        is_replaced(&format!("active: true\niteration: 2\nmax_iterations: {value}"), "max_iterations", 3, 50);
    }
    for value in ["two", "-2", "2x"] {
        is_replaced(&format!("active: true\niteration: {value}\nmax_iterations: 9"), "iteration", 2, 9);
    }
}

#[test]
fn a_number_that_is_said_twice_is_replaced_by_the_default_and_warned_about() {
    is_replaced("active: true\niteration: 2\nmax_iterations: 7\nmax_iterations: 9", "max_iterations", 3, 50);
}

#[test]
fn a_key_that_is_indented_is_none() {
    let (_, outcome) = armed("active: true\niteration: 2\n  max_iterations: 7");
    outcome.continues();
    outcome.counts(3, 50);
}

#[test]
fn keys_that_gulf_does_not_know_are_passed_over() {
    let (session, outcome) = armed(
        "active: true\niteration: 2\nmax_iterations: 9\nmerge_status: pending\nstarted_at: \"2026-01-01T00:00:00Z\"\ncolour: blue",
    );
    outcome.continues();
    session.expect_fields(&[("iteration", "3"), ("max_iterations", "9")]);
}

#[test]
fn lines_of_fields_in_the_prompt_are_prose() {
    let session = Session::checked(Host::Plain);
    let prompt = "iteration: 40\nmax_iterations: 1\nactive: false\n---\ncompletion_promise: OTHER";
    session.marker(SECOND, prompt);
    let outcome = session.work_and_stop("<promise>OTHER</promise>");
    assert!(outcome.continues().contains(prompt));
    outcome.counts(3, 50);
    assert!(session.look().unwrap().body().contains(prompt), "{}", session.text(MARKER));
}

#[test]
fn a_marker_with_the_line_ends_of_windows_is_read_like_any_other() {
    let session = Session::checked(Host::Plain);
    let text = format!("---\n{SECOND}\n---\n{PROMPT}\nAnd say why.\n").replace('\n', "\r\n");
    session.write(MARKER, text);
    session.trust();
    let outcome = session.work_and_stop("I go on.");
    let text = outcome.continues();
    assert!(text.contains(PROMPT) && text.contains("And say why."), "{text}");
    outcome.counts(3, 50);
    session.completes();
}

#[test]
fn a_marker_without_an_end_of_its_last_line_and_one_with_a_byte_order_mark_are_read() {
    for text in [format!("---\n{SECOND}\n---\n{PROMPT}"), format!("\u{feff}---\n{SECOND}\n---\n{PROMPT}\n")] {
        let session = Session::checked(Host::Plain);
        session.write(MARKER, text);
        session.trust();
        let outcome = session.work_and_stop("I go on.");
        assert!(outcome.continues().contains(PROMPT));
        outcome.counts(3, 50);
    }
}

#[test]
fn force_max_and_structured_memory_of_a_marker_are_only_the_literal_true() {
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{SECOND}\nforce_max: yes"), PROMPT);
    session.completes();
}

#[test]
fn the_marker_after_a_stop_says_what_the_original_says_and_names_the_loop() {
    let (session, _) = armed(&format!("{SECOND}\nmilestone_every: 7"));
    session.expect_fields(&[
        ("active", "true"),
        ("iteration", "3"),
        ("max_iterations", "50"),
        ("completion_promise", "COMPLETE"),
        ("milestone_every", "7"),
    ]);
    let id = session.field("loop").expect("the marker names its loop");
    assert_eq!(id, session.newest().unwrap().id());
}
