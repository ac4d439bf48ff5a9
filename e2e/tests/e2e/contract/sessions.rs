//! Whose stops count: the loop's own session, and nobody else's (CONTRACT "bound to session_id", "delivered twice").
//!
//! Apart from where a project is, because here several sessions share one.

use serde_json::json;

use gulf_testkit::one_in_turn;

use super::harness::{BRIEF, HOSTS, Host, PROMISE, PROMPT, SECOND, Session};

const OTHER: &str = "5ea53bba-0000-4000-8000-000000000002";

#[test]
fn a_hand_made_loop_belongs_to_the_session_that_stops_first() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        let other = session.another(OTHER);
        session.mend();
        other.stop(PROMISE).is_untouched();
        other.stop("").is_untouched();
        session.expect_fields(&[("iteration", "3")]);
        session.stop(PROMISE).lets_stop();
        session.expect_completed();
    }
}

#[test]
fn a_started_loop_belongs_to_the_session_in_which_it_was_started() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.prompt(&format!("/gulf-loop:start {PROMPT}")).adds_to_prompt();
        let other = session.another(OTHER);
        other.stop(PROMISE).is_untouched();
        session.expect_fields(&[("iteration", "1")]);
        session.write("progress.txt", BRIEF);
        session.stop("").continues();
        session.expect_fields(&[("iteration", "2")]);
    }
}

#[test]
fn a_loop_that_was_started_in_a_terminal_belongs_to_the_session_that_stops_first() {
    let session = Session::checked(Host::Plain);
    session.gulf(&["start", PROMPT]).run().expect_exit(0);
    session.write("progress.txt", BRIEF);
    session.stop("").continues();
    session.another(OTHER).stop(PROMISE).is_untouched();
    session.expect_fields(&[("iteration", "2")]);
}

#[test]
fn a_person_may_take_a_loop_into_another_session() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        let other = session.another(OTHER);
        let text = other.prompt("/gulf-loop:resume").adds_to_prompt();
        assert!(text.contains(PROMPT), "{text}");
        session.stop(PROMISE).lets_stop();
        session.expect_fields(&[("iteration", "3")]);
        other.work_and_stop("").continues();
        session.expect_fields(&[("iteration", "4")]);
    }
}

#[test]
fn sub_agents_of_the_session_stop_untouched() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        session.mend();
        let mut event = session.event(PROMISE);
        event["agent_id"] = json!("agent-1");
        event["agent_type"] = json!("Explore");
        session.stop_with(&event).is_untouched();
        let mut event = session.event(PROMISE);
        event["hook_event_name"] = json!("SubagentStop");
        event["agent_id"] = json!("agent-1");
        event["agent_type"] = json!("");
        session.stop_with(&event).is_untouched();
        session.expect_fields(&[("iteration", "3")]);
    }
}

#[test]
fn a_sub_agent_does_not_adopt_a_marker_either() {
    let session = Session::checked(Host::Claude);
    session.marker(SECOND, PROMPT);
    let mut event = session.event(PROMISE);
    event["agent_id"] = json!("agent-1");
    session.stop_with(&event).is_untouched();
    assert!(session.sandbox.loops().is_empty());
    session.work_and_stop("").continues();
}

#[test]
fn agents_that_gulf_started_itself_fire_no_loop() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host).variable("GULF_LOOP", "2026-01-01T0000_another");
        session.marker(SECOND, PROMPT);
        session.stop(PROMISE).is_untouched();
        assert!(session.sandbox.loops().is_empty());
    }
}

#[test]
fn the_same_stop_delivered_twice_is_one_stop_with_one_answer() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.work();
        let event = session.event("I go on.");
        let first = session.stop_with(&event);
        let second = session.stop_with(&event);
        assert_eq!(first.finished.stdout, second.finished.stdout, "the second gets the same answer");
        session.expect_fields(&[("iteration", "3")]);
        session.stop("I go on.").continues();
        session.expect_fields(&[("iteration", "4")]);
    }
}

#[test]
fn the_stop_that_ends_or_pauses_a_loop_may_be_delivered_twice_too() {
    let session = Session::running(Host::Claude);
    session.mend();
    let event = session.event(PROMISE);
    session.stop_with(&event).lets_stop();
    session.stop_with(&event).lets_stop();
    session.expect_completed();
    assert_eq!(session.sandbox.loops().len(), 1);
    assert_eq!(session.newest().unwrap().facts_of("finished").len(), 1);
}

#[test]
fn a_rejection_delivered_twice_counts_once() {
    let (session, judge) = Session::judged(Host::Claude);
    let judge = judge.says("REJECTED: not yet");
    session.marker(super::harness::JUDGED, PROMPT);
    session.mend();
    let event = session.event("");
    let (first, second) = (session.stop_with(&event), session.stop_with(&event));
    assert_eq!(first.finished.stdout, second.finished.stdout);
    session.expect_fields(&[("consecutive_rejections", "1"), ("iteration", "3")]);
    assert_eq!(judge.prompts().len(), 1);
}

#[test]
fn two_stops_with_the_same_words_are_two_stops() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.work();
        session.stop("I go on.").continues();
        session.work();
        session.stop("I go on.").continues();
        session.expect_fields(&[("iteration", "4")]);
    }
}

#[test]
fn stops_that_carry_nothing_to_tell_them_apart_by_each_count() {
    // So the original was driven, and so it counted: nothing shows that the second is the first again.
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    for iteration in ["3", "4", "5"] {
        session.work();
        session.stop_with(&json!({"last_assistant_message": "I go on."})).continues();
        session.expect_fields(&[("iteration", iteration)]);
    }
    session.mend();
    session.stop_with(&json!({"last_assistant_message": PROMISE})).lets_stop();
    session.expect_completed();
}

#[test]
fn while_something_runs_in_the_background_nothing_is_judged_yet() {
    let (session, judge) = Session::judged(Host::Claude);
    let judge = judge.says("APPROVED");
    session.marker(super::harness::JUDGED, PROMPT);
    session.mend();
    let mut event = session.event(PROMISE);
    event["background_tasks"] = json!([{"id": "b1", "type": "shell", "status": "running", "description": "the tests", "command": "sh check.sh"}]);
    session.stop_with(&event);
    assert!(judge.prompts().is_empty(), "what runs may still change what is judged");
    session.expect_no_success();
    session.work_and_stop(PROMISE).lets_stop();
    session.expect_completed();
}

#[test]
fn before_claude_code_overrules_a_ninth_block_the_loop_rests_and_says_how_to_go_on() {
    let session = Session::checked(Host::Claude).without_tools();
    session.marker(SECOND, PROMPT);
    let mut blocks = 0;
    loop {
        let outcome = session.work_and_stop("I go on.");
        if outcome.finished.stdout.contains("additionalContext") {
            blocks += 1;
            assert!(blocks <= 8, "the host ends the ninth without a word");
        } else {
            outcome.lets_stop().says("resume");
            break;
        }
    }
    session.expect_fields(&[("active", "false")]);
    assert_eq!(session.end(), None);
    session.prompt("/gulf-loop:resume").adds_to_prompt();
    session.work_and_stop("I go on.").continues();
}

#[test]
fn tool_calls_and_a_raised_cap_let_the_loop_go_on() {
    let session = Session::checked(Host::Claude);
    session.marker(SECOND, PROMPT);
    for _ in 0..12 {
        session.work_and_stop("I go on.").continues();
    }
    let session =
        Session::checked(Host::Claude).without_tools().variable("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "0");
    session.marker(SECOND, PROMPT);
    for _ in 0..12 {
        session.work_and_stop("I go on.").continues();
    }
}

#[test]
fn a_session_whose_loop_was_taken_over_is_told_so_at_its_next_stop_and_only_then() {
    for host in one_in_turn([Host::Plain, Host::Claude, Host::Codex]) {
        let session = Session::running(host);
        session.another(OTHER).prompt("/gulf-loop:resume").adds_to_prompt();
        session.stop("").lets_stop().says("another session has taken over this loop");
        session.stop("").lets_stop().does_not_say("another session");
    }
}
