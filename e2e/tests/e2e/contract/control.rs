//! What a person asks of a loop while gulf looks at its session's stop: obeyed at once, and what runs is stopped.
//!
//! Apart from the other commands because here a hook is in the middle of its work. Nothing is timed: the check of these
//! tests never ends by itself, so whoever waited for it would wait for ever.

use gulf_testkit::{Meeting, Started, one_in_turn};

use super::harness::{Host, PROMISE, PROMPT, Session};

/// A session whose stop is being looked at by a check that never ends.
fn looked_at(host: Host) -> (Session, Started) {
    let session = Session::bare(host);
    let (here, never) = (Meeting::new(&session.sandbox, "here"), Meeting::new(&session.sandbox, "never"));
    session.autochecks(&format!("#!/bin/sh\n{}\n{}\n", here.reached_by_shell(), never.held_by_shell()));
    session.gulf(&["start", "--no-research", PROMPT]).run().expect_exit(0);
    session.mend();
    let started = session.begin(&session.event(PROMISE));
    here.wait();
    (session, started)
}

#[test]
fn a_cancel_while_a_check_runs_stops_the_check_and_ends_the_loop() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        let (session, started) = looked_at(host);
        session.gulf(&["cancel"]).run().expect_exit(0).says("to cancel");
        session.outcome(started.finish()).lets_stop().says("cancelled");
        assert_eq!(session.end().as_deref(), Some("cancelled"));
        session.sandbox.assert_nothing_left();
    }
}

#[test]
fn a_pause_while_a_check_runs_stops_the_check_and_lets_the_session_stop() {
    let (session, started) = looked_at(Host::Claude);
    session.gulf(&["pause"]).run().expect_exit(0).says("to pause");
    session.outcome(started.finish()).lets_stop().says("paused");
    assert_eq!(session.end(), None);
    session.expect_fields(&[("active", "false")]);
    session.sandbox.assert_nothing_left();
}

#[test]
fn a_note_while_a_check_runs_is_taken_before_the_check_is_over() {
    let (session, started) = looked_at(Host::Claude);
    session.gulf(&["steer", "the shorter word"]).run().expect_exit(0).says("left a note for ");
    session.gulf(&["cancel"]).run().expect_exit(0);
    session.outcome(started.finish()).lets_stop();
    let facts = session.newest().unwrap().facts();
    let place = |kind: &str| facts.iter().position(|fact| fact["type"] == kind).unwrap();
    assert!(place("steered") < place("cancel-asked"), "{facts:#?}");
    assert_eq!(session.newest().unwrap().facts_of("steered")[0]["note"], "the shorter word");
}

#[test]
fn a_cancel_and_a_look_typed_into_another_session_do_not_wait_either() {
    let (session, started) = looked_at(Host::Claude);
    let other = session.another("5ea53bba-0000-4000-8000-000000000002");
    other.prompt("/gulf-loop:status").refuses_prompt();
    other.prompt("/gulf-loop:cancel").refuses_prompt();
    session.outcome(started.finish()).lets_stop().says("cancelled");
    assert_eq!(session.end().as_deref(), Some("cancelled"));
    session.sandbox.assert_nothing_left();
}
