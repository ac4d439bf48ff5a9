//! What a loop leaves when it completes, and only then (CONTRACT §1.13, SPEC G13).
//!
//! Apart from the structured memory (`memory`), which is asked for by a flag.

use gulf_testkit::one_in_turn;

use super::harness::{Host, JUDGED, MARKER, PROMISE, PROMPT, SECOND, Session};

const PROGRESS: &str = "\
ITERATION: 3
CONFIDENCE: 85
ORIGINAL_GOAL: make value.txt say right
COMPLETED:
- wrote the word, confidence 90
DECISIONS:
- chose: a file, rejected: a flag
- chose: no newline at all
UNCERTAINTIES:
- who else reads it
REMAINING_GAP:
- nothing that is known
";

const ALIGNMENT: &str = "## Specification Alignment\n- **Goal**: one word\n";

/// Where the handoff is looked for: beside the alignment, or where there is none, out of the person's repository.
fn handoff(session: &Session) -> String {
    format!("{}{}", session.text(".claude/gulf-align.md"), session.text(".gulf/handoff.md"))
}

fn complete(session: &Session) {
    complete_from(session, SECOND);
}

fn complete_from(session: &Session, fields: &str) {
    session.write("progress.txt", PROGRESS);
    session.marker(fields, PROMPT);
    session.work_and_stop("").continues();
    session.completes();
}

// proves: G13
#[test]
fn the_distilled_progress_is_appended_to_the_alignment_in_the_order_of_the_file() {
    for host in one_in_turn(super::harness::HOSTS) {
        let session = Session::checked(host);
        session.write(".claude/gulf-align.md", ALIGNMENT);
        complete(&session);
        let text = session.read(".claude/gulf-align.md");
        let added =
            text.strip_prefix(ALIGNMENT).unwrap_or_else(|| panic!("what was there is changed: {text}"));
        let lines: Vec<&str> = added.lines().filter(|line| !line.is_empty()).collect();
        let time = lines[0].strip_prefix("## Loop completed — ").unwrap_or_else(|| panic!("{text}"));
        let (time, iteration) = time.split_once(" | ").unwrap();
        let shape: String = time.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
        assert_eq!((shape.as_str(), iteration), ("0000-00-00 00:00:00", "iteration 3"), "{text}");
        let expected = [
            "CONFIDENCE: 85",
            "ORIGINAL_GOAL: make value.txt say right",
            "DECISIONS:",
            "- chose: a file, rejected: a flag",
            "- chose: no newline at all",
            "REMAINING_GAP:",
            "- nothing that is known",
        ];
        assert_eq!(&lines[1..], expected, "{text}");
    }
}

// proves: G13
#[test]
fn without_an_alignment_the_next_loop_still_inherits_it() {
    // The original makes the file; gulf leaves none in the repository of a person who never wrote one.
    let session = Session::checked(Host::Plain);
    complete(&session);
    let text = handoff(&session);
    assert!(text.contains("## Loop completed — ") && text.contains("chose: a file"), "{text}");
    session.write("value.txt", "wrong\n");
    session.marker(SECOND, PROMPT);
    let brief = session.work_and_stop("").continues();
    assert!(
        brief.contains("gulf-align.md") || brief.contains("handoff.md"),
        "the next loop is told where it lies: {brief}"
    );
}

#[test]
fn progress_txt_itself_is_kept_and_the_marker_is_gone() {
    let session = Session::checked(Host::Plain);
    complete(&session);
    assert_eq!(session.read("progress.txt"), PROGRESS);
    assert!(!session.exists(MARKER));
}

#[test]
fn without_a_progress_txt_nothing_is_appended() {
    let session = Session::checked(Host::Plain);
    session.write(".claude/gulf-align.md", ALIGNMENT);
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    session.mend();
    session.stop(PROMISE).lets_stop();
    assert_eq!(session.read(".claude/gulf-align.md"), ALIGNMENT);
}

#[test]
fn an_approved_loop_hands_on_too() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("APPROVED");
    session.write("progress.txt", PROGRESS);
    session.write(".claude/gulf-align.md", ALIGNMENT);
    session.marker(JUDGED, PROMPT);
    session.mend();
    session.work_and_stop("").lets_stop();
    assert_eq!(session.read(".claude/gulf-align.md").matches("## Loop completed — ").count(), 1);
}

#[test]
fn loops_after_one_another_are_handed_on_one_below_the_other() {
    let session = Session::checked(Host::Plain);
    session.write(".claude/gulf-align.md", ALIGNMENT);
    complete(&session);
    session.write("value.txt", "wrong\n");
    // In one second, with one number and the same words, it would be taken for the same loop's after a crash.
    complete_from(&session, &SECOND.replace("iteration: 2", "iteration: 3"));
    assert_eq!(session.read(".claude/gulf-align.md").matches("## Loop completed — ").count(), 2);
}

#[test]
fn a_pause_a_cancel_and_the_limit_hand_nothing_on() {
    let fields = [
        format!("{SECOND}\nmilestone_every: 2"),
        SECOND.replace("max_iterations: 50", "max_iterations: 2"),
        SECOND.to_owned(),
    ];
    for fields in fields {
        let session = Session::checked(Host::Plain);
        session.write("progress.txt", PROGRESS);
        session.write(".claude/gulf-align.md", ALIGNMENT);
        session.marker(&fields, PROMPT);
        session.work_and_stop("");
        if fields == SECOND {
            session.gulf(&["cancel"]).run().expect_exit(0);
        }
        assert_eq!(session.read(".claude/gulf-align.md"), ALIGNMENT, "{fields}");
    }
}

// proves: G2
#[test]
fn what_was_done_is_said_at_the_end_with_the_command_that_commits_it() {
    for host in one_in_turn([Host::Plain, Host::Claude]) {
        let session = Session::running(host);
        session.mend();
        session.stop(PROMISE).lets_stop().says("verified").says("gulf land");
    }
}
