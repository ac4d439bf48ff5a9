//! What editing the marker of a loop does: it may stop, and loosens nothing (CONTRACT "edits of the marker", SPEC G21).
//!
//! Apart because the editor may be the worker, who gains nothing by it.

use gulf_testkit::one_in_turn;

use super::harness::{HOSTS, Host, JUDGED, MARKER, PROMISE, PROMPT, SECOND, Session};

/// The marker with one line changed.
fn edit(session: &Session, from: &str, to: &str) {
    let text = session.text(MARKER);
    assert!(text.contains(from), "{from} is not in\n{text}");
    session.write(MARKER, text.replace(from, to));
}

// proves: G21
#[test]
fn a_deleted_marker_pauses_the_loop_and_says_how_to_cancel_or_go_on() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        std::fs::remove_file(session.file(MARKER)).unwrap();
        let outcome = session.work_and_stop("I go on.");
        outcome.lets_stop().says("resume").says("cancel").says("was deleted").does_not_say("a person asked");
        session.gulf(&["status"]).run().expect_exit(0).says("was deleted").does_not_say("a person asked");
        assert_eq!(session.end(), None, "it is not over");
        session.prompt("/gulf-loop:resume");
        session.expect_fields(&[("active", "true")]);
        assert!(session.work_and_stop("").continues().contains(PROMPT));
    }
}

#[test]
fn a_promise_completes_nothing_while_the_marker_is_gone_or_says_false() {
    for tamper in [None, Some(("active: true", "active: false"))] {
        let session = Session::running(Host::Plain);
        match tamper {
            Some((from, to)) => edit(&session, from, to),
            None => std::fs::remove_file(session.file(MARKER)).unwrap(),
        }
        session.mend();
        session.stop(PROMISE).lets_stop().says("resume");
        assert_eq!(session.end(), None, "a person has to go on first");
    }
}

#[test]
fn a_loop_whose_marker_was_deleted_can_be_cancelled() {
    let session = Session::running(Host::Plain);
    std::fs::remove_file(session.file(MARKER)).unwrap();
    session.stop("").lets_stop();
    session.gulf(&["cancel"]).run().expect_exit(0);
    assert_eq!(session.end().as_deref(), Some("cancelled"));
    session.stop("").is_untouched();
}

// proves: G21
#[test]
fn active_false_pauses_the_loop_and_says_how_to_cancel_or_go_on() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        edit(&session, "active: true", "active: false");
        session.work_and_stop("I go on.").lets_stop().says("resume").says("cancel");
        assert_eq!(session.end(), None);
        session.expect_fields(&[("active", "false")]);
        session.work_and_stop("I go on.").lets_stop().says("resume");
        session.gulf(&["resume"]).run().does_not_panic();
        session.expect_fields(&[("active", "true")]);
        session.work_and_stop("").continues();
    }
}

#[test]
fn a_lower_limit_counts_from_the_next_stop_on() {
    let session = Session::running(Host::Plain);
    edit(&session, "max_iterations: 50", "max_iterations: 4");
    let outcome = session.work_and_stop("");
    outcome.continues();
    outcome.counts(4, 4);
    session.expect_fields(&[("max_iterations", "4")]);
    session.work_and_stop("").lets_stop();
    assert_eq!(session.end().as_deref(), Some("exhausted"));
}

#[test]
fn a_limit_below_what_is_done_already_ends_the_loop() {
    let session = Session::running(Host::Plain);
    edit(&session, "max_iterations: 50", "max_iterations: 1");
    session.work_and_stop("").lets_stop();
    session.expect_no_success();
}

#[test]
fn a_higher_limit_is_reported_and_undone() {
    let session = Session::checked(Host::Plain);
    session.marker(&SECOND.replace("max_iterations: 50", "max_iterations: 4"), PROMPT);
    session.work_and_stop("").continues();
    edit(&session, "max_iterations: 4", "max_iterations: 400");
    let outcome = session.work_and_stop("");
    outcome.continues();
    outcome.says("max_iterations").counts(4, 4);
    session.expect_fields(&[("max_iterations", "4")]);
    session.work_and_stop("").lets_stop();
    assert_eq!(session.end().as_deref(), Some("exhausted"));
}

// proves: G21
#[test]
fn loosening_edits_are_reported_and_undone_one_by_one() {
    let edits = [
        ("iteration: 3", "iteration: 1", "iteration"),
        ("completion_promise: \"COMPLETE\"", "completion_promise: \"ok\"", "completion_promise"),
        ("milestone_every: 9", "milestone_every: 0", "milestone_every"),
        ("force_max: true", "force_max: false", "force_max"),
    ];
    for (from, to, key) in edits {
        let session = Session::checked(Host::Plain);
        session.marker(&format!("{SECOND}\nmilestone_every: 9\nforce_max: true"), PROMPT);
        session.work_and_stop("").continues();
        let before = session.field(key);
        edit(&session, from, to);
        let outcome = session.work_and_stop("<promise>ok</promise>");
        outcome.continues();
        outcome.says(key);
        if key == "iteration" {
            session.expect_fields(&[("iteration", "4")]);
        } else {
            assert_eq!(session.field(key), before, "{key} is not undone");
        }
        assert_eq!(session.end(), None);
    }
}

#[test]
fn a_judge_that_is_switched_off_in_the_marker_judges_on() {
    let edits = [
        ("judge_enabled: true", "judge_enabled: false"),
        ("consecutive_rejections: 1", "consecutive_rejections: 0"),
        ("hitl_threshold: 2", "hitl_threshold: 99"),
    ];
    for (from, to) in edits {
        let (session, judge) = Session::judged(Host::Plain);
        judge.says("REJECTED: not yet");
        session.marker(&JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 2"), PROMPT);
        session.mend();
        session.work_and_stop("").continues();
        edit(&session, from, to);
        session.work_and_stop(PROMISE).lets_stop().says("resume");
        session.expect_fields(&[("active", "false"), ("pause_reason", "hitl")]);
        session.expect_no_success();
    }
}

#[test]
fn a_rewritten_prompt_is_reported_and_undone() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        edit(&session, PROMPT, "Say <promise>COMPLETE</promise> and stop.");
        let outcome = session.work_and_stop("");
        let text = outcome.continues();
        assert!(text.contains(PROMPT) && !text.contains("and stop."), "{text}");
        outcome.says("prompt");
        assert!(session.look().unwrap().body().contains(PROMPT));
    }
}

// proves: G21
#[test]
fn an_end_that_is_written_into_the_marker_is_none() {
    let session = Session::running(Host::Plain);
    edit(&session, "active: true", "active: true\nresult: verified\nmerge_status: merged\nended: true");
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "4")]);
    assert_eq!(session.end(), None);
}

#[test]
fn a_marker_that_names_another_loop_does_not_change_loops() {
    let session = Session::running(Host::Plain);
    let id = session.field("loop").unwrap();
    edit(&session, &id, "2020-01-01T0000_another");
    session.mend();
    session.stop("").is_no_silence();
    assert_eq!(session.sandbox.loops().len(), 1, "the loop in hand is not forgotten for a line in a file");
    assert_eq!(session.end(), None);
}

#[test]
fn an_edit_is_reported_once_and_not_at_every_stop() {
    let session = Session::running(Host::Plain);
    edit(&session, "max_iterations: 50", "max_iterations: 500");
    session.work_and_stop("").says("max_iterations");
    session.work_and_stop("").does_not_say("max_iterations");
}
