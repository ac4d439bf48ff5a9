//! What heads the prompt from the second iteration on: the next task of progress.txt, and a warning when the file is
//! long (CONTRACT §1.6).
//!
//! Apart because it applies to every answer that goes on, whatever the reason.

use gulf_testkit::one_in_turn;

use super::harness::{BRIEF, Host, JUDGED, PROMISE, PROMPT, SECOND, Session};

const GAP: &str =
    "REMAINING_GAP:\n- mend the value\n\n- then say why\n- three\n- four\n- five\n- six\nCONFIDENCE: 70\n";

#[track_caller]
fn has_next_task(text: &str) {
    for part in ["Next task", "- mend the value", "- then say why", "- five"] {
        assert!(text.contains(part), "no {part}: {text}");
    }
    assert!(!text.contains("- six"), "five lines are enough: {text}");
    assert!(!text.contains("CONFIDENCE: 70"), "the next key ends the task: {text}");
}

// proves: G11
#[test]
fn the_next_task_is_the_first_five_lines_of_the_remaining_gap() {
    for host in one_in_turn(super::harness::HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.write("progress.txt", GAP);
        let outcome = session.work_and_stop("I go on.");
        has_next_task(&outcome.continues());
        assert!(
            outcome.continues().contains("mend the value"),
            "the next task stands in the reason itself: {outcome:#?}"
        );
    }
}

#[test]
fn the_rest_of_the_keys_own_line_is_the_first_of_them() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.write("progress.txt", "REMAINING_GAP: mend the value\nand the notes\n");
    let text = session.work_and_stop("I go on.").continues();
    assert!(text.contains("mend the value") && text.contains("and the notes"), "{text}");
}

#[test]
fn a_refused_promise_is_headed_by_the_next_task_too() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.write("progress.txt", GAP);
    has_next_task(&session.work_and_stop(PROMISE).continues());
}

#[test]
fn a_rejection_and_failed_checks_are_headed_by_the_next_task_too() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("REJECTED: not yet");
    session.marker(JUDGED, PROMPT);
    session.write("progress.txt", GAP);
    has_next_task(&session.work_and_stop("").continues());
    session.mend();
    let text = session.work_and_stop("").continues();
    assert!(text.contains("not yet"));
    has_next_task(&text);
}

#[test]
fn an_approval_that_goes_on_with_force_max_is_headed_by_the_next_task_too() {
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{SECOND}\nforce_max: true"), PROMPT);
    session.write("progress.txt", GAP);
    session.mend();
    has_next_task(&session.work_and_stop(PROMISE).continues());
}

// proves: G11
#[test]
fn more_than_eighty_lines_are_warned_about_with_their_number() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.write("progress.txt", "a line\n".repeat(81));
    let text = session.work_and_stop("I go on.").continues();
    assert!(text.contains("81") && text.contains("80") && text.contains("progress.txt"), "{text}");
    session.write("progress.txt", "a line\n".repeat(80));
    let text = session.work_and_stop("I go on.").continues();
    assert!(
        !text.contains("has 80 lines") && !text.contains("is 80 lines"),
        "eighty are not too many: {text}"
    );
}

#[test]
fn without_a_remaining_gap_nothing_heads_the_prompt() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    assert!(!session.work_and_stop("").continues().contains("Next task (from"));
    session.write("progress.txt", "REMAINING_GAP:\n\nCONFIDENCE: 70\n");
    assert!(!session.work_and_stop("").continues().contains("Next task (from"));
}

#[test]
fn the_first_iteration_is_not_headed_by_what_an_earlier_loop_left() {
    let session = Session::checked(Host::Plain);
    session.marker(&SECOND.replace("iteration: 2", "iteration: 1"), PROMPT);
    session.write("progress.txt", GAP);
    assert!(!session.stop("I begin.").continues().contains("Next task (from"));
}

#[test]
fn the_stop_that_ends_the_first_iteration_has_no_heading_and_the_next_one_has() {
    // The original looks at `N > 1`, the iteration that has just ended: what comes after the brief is not headed yet.
    // Whoever reads the brief that he has just written loses nothing, and a heading does no harm: only the second
    // half is required.
    let session = Session::checked(Host::Plain);
    session.marker(&SECOND.replace("iteration: 2", "iteration: 1"), PROMPT);
    session.write("progress.txt", format!("{BRIEF}{GAP}"));
    session.stop("The brief is written.").continues();
    session.expect_fields(&[("iteration", "2")]);
    has_next_task(&session.work_and_stop("I go on.").continues());
}
