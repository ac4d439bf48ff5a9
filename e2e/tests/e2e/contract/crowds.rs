//! A hundred stops at once: nothing is counted twice, nothing is torn, everybody gets an answer.
//!
//! Apart because what is looked at is what happens between processes.

use gulf_testkit::Started;

use super::harness::{Host, PROMISE, PROMPT, SECOND, Session};
use super::outcome::Outcome;

const MANY: usize = 100;

fn finish(session: &Session, started: Vec<Started>) -> Vec<Outcome> {
    started.into_iter().map(|one| session.outcome(one.finish())).collect()
}

/// Every line of every journal can be read, and the commands that read it are fine.
#[track_caller]
fn is_whole(session: &Session) {
    for kept in session.sandbox.loops() {
        let events = kept.events();
        assert!(!events.is_empty());
        let mut turns = kept.turns();
        let all = turns.len();
        turns.dedup();
        assert_eq!(turns.len(), all, "a turn was announced twice");
    }
    session.gulf(&["status"]).run().expect_exit(0).does_not_panic();
    session.gulf(&["log"]).run().expect_exit(0).does_not_panic();
}

#[test]
fn the_same_stop_a_hundred_times_at_once_is_one_stop_with_one_answer() {
    let session = Session::running(Host::Claude);
    session.work();
    let event = session.event("I go on.");
    let outcomes = finish(&session, (0..MANY).map(|_| session.begin(&event)).collect());
    for outcome in &outcomes {
        outcome.continues();
        assert_eq!(outcome.finished.stdout, outcomes[0].finished.stdout, "another answer");
    }
    session.expect_fields(&[("iteration", "4"), ("active", "true")]);
    is_whole(&session);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "5")]);
}

#[test]
fn the_first_stop_of_a_marker_a_hundred_times_at_once_adopts_it_once() {
    let session = Session::checked(Host::Claude);
    session.marker(SECOND, PROMPT);
    session.work();
    let event = session.event("I go on.");
    for outcome in finish(&session, (0..MANY).map(|_| session.begin(&event)).collect()) {
        outcome.counts(3, 50).continues();
    }
    assert_eq!(session.sandbox.loops().len(), 1);
    session.expect_fields(&[("iteration", "3")]);
    is_whole(&session);
}

#[test]
fn a_hundred_sessions_at_once_and_one_of_them_is_bound() {
    let session = Session::checked(Host::Claude);
    session.marker(SECOND, PROMPT);
    session.work();
    let sessions: Vec<Session> =
        (0..MANY).map(|number| session.another(&format!("5ea53bba-0000-4000-8000-{number:012}"))).collect();
    let started: Vec<Started> = sessions.iter().map(|one| one.begin(&one.event("I go on."))).collect();
    let outcomes = finish(&session, started);
    let bound: Vec<&Outcome> =
        outcomes.iter().filter(|outcome| !outcome.finished.stdout.is_empty()).collect();
    assert_eq!(bound.len(), 1, "not exactly one session goes on: {:#?}", bound.last());
    assert_eq!(session.sandbox.loops().len(), 1);
    session.expect_fields(&[("iteration", "3"), ("active", "true")]);
    is_whole(&session);
}

#[test]
fn strangers_stop_untouched_while_the_loops_own_session_is_judged() {
    let (session, judge) = Session::judged(Host::Claude);
    judge.says("REJECTED: not yet");
    session.marker(super::harness::JUDGED, PROMPT);
    session.mend();
    session.work_and_stop("").continues();
    session.work();
    let own = session.begin(&session.event(""));
    let strangers: Vec<Session> =
        (0..MANY).map(|number| session.another(&format!("5ea53bba-0000-4000-9000-{number:012}"))).collect();
    let started: Vec<Started> = strangers.iter().map(|one| one.begin(&one.event(PROMISE))).collect();
    for outcome in finish(&session, started) {
        outcome.is_untouched();
    }
    session.outcome(own.finish()).continues();
    session.expect_fields(&[("iteration", "4"), ("consecutive_rejections", "2")]);
    is_whole(&session);
}

#[test]
fn the_stop_that_completes_a_hundred_times_at_once_completes_once() {
    let session = Session::checked(Host::Claude);
    session.write(".claude/gulf-align.md", "# Alignment\n");
    session.write("progress.txt", super::harness::BRIEF);
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    session.mend();
    let event = session.event(PROMISE);
    for outcome in finish(&session, (0..MANY).map(|_| session.begin(&event)).collect()) {
        outcome.lets_stop();
    }
    session.expect_completed();
    assert_eq!(session.newest().unwrap().facts_of("finished").len(), 1);
    assert_eq!(session.read(".claude/gulf-align.md").matches("## Loop completed").count(), 1);
    is_whole(&session);
    session.sandbox.assert_nothing_left();
}

#[test]
fn a_stop_and_the_persons_cancel_at_once_end_in_order() {
    for _ in 0..5 {
        let session = Session::running(Host::Claude);
        session.work();
        let stop = session.begin(&session.event("I go on."));
        let cancel = session.gulf(&["cancel"]).start();
        session.outcome(stop.finish());
        cancel.finish().does_not_panic();
        session.stop("").lets_stop();
        assert_eq!(session.end().as_deref(), Some("cancelled"));
        is_whole(&session);
    }
}
