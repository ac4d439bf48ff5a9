//! `gulf resume`, `cancel`, `status` and `align` as a person calls them beside a session (CONTRACT §1.3).
//!
//! Apart from `start`, because these act on a loop that is there, or say that there is none.

use super::harness::{BRIEF, Host, JUDGED, MARKER, PROMISE, PROMPT, SECOND, Session};

/// A loop that rests at a milestone, at iteration 3.
fn resting() -> Session {
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{SECOND}\nmilestone_every: 2"), PROMPT);
    session.work_and_stop("").lets_stop();
    session
}

#[test]
fn without_a_loop_each_says_so_and_that_is_no_error() {
    for command in ["resume", "cancel", "status"] {
        let session = Session::checked(Host::Plain);
        let finished = session.gulf(&[command]).run().expect_exit(0).does_not_panic();
        assert!(
            !format!("{}{}", finished.stdout, finished.stderr).trim().is_empty(),
            "{command} says nothing"
        );
        assert!(session.sandbox.loops().is_empty());
    }
}

#[test]
fn resume_of_an_active_loop_says_that_it_is_active() {
    let session = Session::running(Host::Plain);
    session.gulf(&["resume"]).run().does_not_panic().says("active");
    session.expect_fields(&[("iteration", "3"), ("active", "true")]);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "4")]);
}

#[test]
fn resume_of_a_resting_loop_names_the_iteration_and_the_next_stop_goes_on() {
    let session = resting();
    session.gulf(&["resume"]).run().expect_exit(0).says("3");
    session.expect_fields(&[("active", "true"), ("pause_reason", "none"), ("iteration", "3")]);
    assert!(session.work_and_stop("").continues().contains(PROMPT));
    session.expect_fields(&[("iteration", "4")]);
}

#[test]
fn resume_after_the_human_gate_forgets_the_rejections() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("REJECTED: not yet");
    session.marker(&JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 1"), PROMPT);
    session.mend();
    session.work_and_stop("").lets_stop();
    session.gulf(&["resume"]).run().does_not_panic();
    session.expect_fields(&[("active", "true"), ("consecutive_rejections", "0"), ("pause_reason", "none")]);
}

// proves: A9, A9/cancel, G20
#[test]
fn cancel_removes_the_marker_and_says_after_how_many_iterations() {
    let session = Session::running(Host::Plain);
    session.write("progress.txt", BRIEF);
    session.write(".claude/gulf-align.md", "# Alignment\n");
    session.gulf(&["cancel"]).run().expect_exit(0).says("cancel").says("3");
    assert!(!session.exists(MARKER));
    assert_eq!(session.end().as_deref(), Some("cancelled"));
    assert_eq!(session.read(".claude/gulf-align.md"), "# Alignment\n", "a cancelled loop hands nothing on");
    assert_eq!(session.read("progress.txt"), BRIEF);
    session.mend();
    session.stop(PROMISE).is_untouched();
}

#[test]
fn cancel_ends_a_resting_loop_too() {
    let session = resting();
    session.gulf(&["cancel"]).run().expect_exit(0);
    assert!(!session.exists(MARKER));
    session.stop(PROMISE).is_untouched();
    assert_eq!(session.end().as_deref(), Some("cancelled"));
}

#[test]
fn status_tells_iteration_limit_promise_and_the_prompts_first_line() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, "Make value.txt say right.\n\nAnd then the second paragraph.");
    session.work_and_stop("").continues();
    let status = session.gulf(&["status"]).run().expect_exit(0);
    status.says("3").says("50").says("COMPLETE").says("Make value.txt say right.");
}

#[test]
fn status_of_a_resting_loop_says_why_and_how_to_go_on() {
    resting().gulf(&["status"]).run().expect_exit(0).says("paused").says("resume");
}

#[test]
fn status_of_a_judged_loop_tells_of_the_judge_and_not_of_a_promise_that_is_none() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("REJECTED: notes/ does not say why");
    session.marker(JUDGED, PROMPT);
    session.mend();
    session.work_and_stop("").continues();
    let status = session.gulf(&["status"]).run().expect_exit(0);
    status.says("judge").says("3").says("50").does_not_say("<promise>\n?");
}

#[test]
fn status_changes_nothing() {
    let session = Session::running(Host::Plain);
    let before = gulf_testkit::Standing::of(&session.sandbox);
    let facts = session.newest().unwrap().facts().len();
    session.gulf(&["status"]).run().expect_exit(0);
    session.gulf(&["status", "--json"]).run().expect_exit(0);
    assert_eq!(gulf_testkit::Standing::of(&session.sandbox), before);
    assert_eq!(session.newest().unwrap().facts().len(), facts);
}

#[test]
fn align_outside_a_repository_says_that_there_is_no_git() {
    // An error in the original, whose loops need git; gulf's do not.
    let session = Session::on(Host::Plain, gulf_testkit::Sandbox::without_git());
    session.gulf(&["align"]).run().does_not_panic().says("git");
}

#[test]
fn align_gathers_what_an_alignment_is_written_from() {
    let session = Session::checked(Host::Plain);
    session.write("README.md", "# The sample\n\nIt keeps one word.\n");
    session.write("RUBRIC.md", super::harness::RUBRIC);
    session.sandbox.commit("Describe the sample");
    session.write("notes/a.txt", "changed\n");
    let said = session.gulf(&["align"]).run().expect_exit(0);
    said.says("main")
        .says("Describe the sample")
        .says("1")
        .says("It keeps one word.")
        .says("value.txt says right, and notes/ says why");
}

#[test]
fn align_shows_at_most_sixty_lines_of_the_readme() {
    let session = Session::checked(Host::Plain);
    let readme: String = (1..=90).map(|line| format!("this is line {line} of it\n")).collect();
    session.write("README.md", readme);
    let said = session.gulf(&["align"]).run().expect_exit(0);
    said.says("this is line 60 of it").does_not_say("this is line 61 of it");
}

#[test]
fn align_without_a_rubric_says_that_there_is_none() {
    let session = Session::checked(Host::Plain);
    session.gulf(&["align"]).run().expect_exit(0).says("RUBRIC.md");
}

#[test]
fn align_shows_the_alignment_that_is_there() {
    let session = Session::checked(Host::Plain);
    session.write(
        ".claude/gulf-align.md",
        "## Gulf of Envisioning — Gap Check\n- **Blocking questions**:\n  - Which word?\n",
    );
    session.gulf(&["align"]).run().does_not_panic().says("Which word?");
}
