//! What is looked at first, at a stop (CONTRACT §1.5): one test for each row of the table.
//!
//! Apart from what the answers say, because here only the decision and the fields of the marker count.

use gulf_testkit::{Standing, one_in_turn};

use super::harness::{BRIEF, HOSTS, Host, MARKER, PROMISE, PROMPT, SECOND, Session};

const FIRST: &str = "active: true\niteration: 1\nmax_iterations: 50\ncompletion_promise: \"COMPLETE\"";

#[test]
fn without_a_marker_every_stop_passes_without_a_word_and_leaves_no_trace() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        let before = Standing::of(&session.sandbox);
        for message in ["I stop here.", PROMISE, ""] {
            session.stop(message).is_untouched();
        }
        assert_eq!(Standing::of(&session.sandbox), before);
        assert!(session.sandbox.loops().is_empty());
        assert!(!session.sandbox.state().exists(), "nothing is kept where nothing is armed");
    }
}

// proves: G3
#[test]
fn a_marker_that_is_not_active_lets_every_stop_pass_and_says_how_to_go_on() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(&SECOND.replace("active: true", "active: false"), PROMPT);
        session.mend();
        let outcome = session.stop(PROMISE);
        outcome.lets_stop().says("paused").says("resume").says("cancel");
        if host == Host::Plain {
            assert!(outcome.finished.stderr.starts_with("[gulf"), "who speaks? {outcome:#?}");
        }
        session.expect_fields(&[("active", "false"), ("iteration", "2"), ("max_iterations", "50")]);
        assert_eq!(session.end(), None);
    }
}

#[test]
fn a_loop_that_rests_at_a_milestone_or_at_the_human_gate_says_which() {
    let session = Session::checked(Host::Plain);
    let paused = SECOND.replace("active: true", "active: false");
    session.marker(&format!("{paused}\npause_reason: milestone"), PROMPT);
    session.stop("").lets_stop().says("milestone").says("resume").says("cancel");
    session.expect_fields(&[("pause_reason", "milestone")]);
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{paused}\njudge_enabled: false\npause_reason: hitl"), PROMPT);
    session.stop("").lets_stop().says("JUDGE_FEEDBACK.md").says("resume").says("cancel");
    session.expect_fields(&[("pause_reason", "hitl")]);
}

#[test]
fn at_the_limit_the_loop_ends_exhausted_and_hands_nothing_on() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.write(".claude/gulf-align.md", "# Alignment\n");
        session.write("progress.txt", BRIEF);
        session.marker(&SECOND.replace("max_iterations: 50", "max_iterations: 2"), PROMPT);
        session.work_and_stop("I go on.").lets_stop().says("2").says("the iteration limit is reached");
        assert_eq!(session.end().as_deref(), Some("exhausted"));
        assert!(!session.exists(MARKER), "the marker of a finished loop is still there");
        assert_eq!(session.read(".claude/gulf-align.md"), "# Alignment\n");
        session.stop("").lets_stop();
    }
}

#[test]
fn beyond_the_limit_and_at_a_limit_of_nothing_it_is_over_at_once() {
    for limits in ["iteration: 9\nmax_iterations: 3", "iteration: 2\nmax_iterations: 0"] {
        let session = Session::checked(Host::Plain);
        session.marker(&format!("active: true\n{limits}\ncompletion_promise: \"COMPLETE\""), PROMPT);
        session.work_and_stop("I go on.").lets_stop().says("the iteration limit is reached");
        assert!(!session.exists(MARKER), "with {limits} it is over");
        session.expect_no_success();
    }
}

#[test]
fn a_promise_at_the_last_iteration_is_looked_at() {
    let session = Session::checked(Host::Plain);
    session.marker(&SECOND.replace("max_iterations: 50", "max_iterations: 3"), PROMPT);
    session.stop("One more.").continues();
    session.completes();
}

#[test]
fn the_judge_has_its_word_at_the_last_iteration() {
    let (session, judge) = Session::judged(Host::Plain);
    let judge = judge.says("APPROVED\nMETA: Look at the notes.");
    session.marker(&super::harness::JUDGED.replace("max_iterations: 50", "max_iterations: 3"), PROMPT);
    session.stop("Not yet.").continues();
    session.mend();
    session.work_and_stop("Nothing is claimed.").lets_stop();
    assert_eq!(judge.prompts().len(), 1);
    session.expect_completed();
}

#[test]
fn a_promise_that_fails_at_the_last_iteration_ends_exhausted() {
    let session = Session::checked(Host::Plain);
    session.marker(&SECOND.replace("max_iterations: 50", "max_iterations: 2"), PROMPT);
    session.work_and_stop(PROMISE).lets_stop();
    assert_eq!(session.end().as_deref(), Some("exhausted"));
    assert!(!session.exists(MARKER));
}

// proves: G3, G14
#[test]
fn every_so_many_iterations_the_loop_rests_at_a_milestone() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(&format!("{SECOND}\nmilestone_every: 2"), PROMPT);
        session.work_and_stop("I go on.").lets_stop().says("milestone").says("resume");
        session.expect_fields(&[("active", "false"), ("iteration", "3"), ("pause_reason", "milestone")]);
        session.stop("").lets_stop().says("milestone");
        session.expect_fields(&[("iteration", "3")]);
        session.gulf(&["resume"]).run().does_not_panic();
        session.expect_fields(&[("active", "true"), ("pause_reason", "none")]);
        session.work_and_stop("I go on.").continues();
        session.expect_fields(&[("iteration", "4")]);
        session.work_and_stop("I go on.").lets_stop().says("milestone");
        session.expect_fields(&[("iteration", "5"), ("active", "false")]);
    }
}

// proves: G3, G14
#[test]
fn a_promise_made_at_a_milestone_is_remembered_and_looked_at_after_resume() {
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{SECOND}\nmilestone_every: 3"), PROMPT);
    session.work_and_stop("I go on.").continues();
    session.mend();
    session.stop(PROMISE).lets_stop().says("milestone");
    assert_eq!(session.end(), None, "a person reviews first");
    session.prompt("/gulf-loop:resume");
    // Whether the word is given at once or at the next stop is not the contract's; nobody has to promise again.
    if session.end().is_none() {
        session.stop("Resumed.").lets_stop();
    }
    session.expect_completed();
}

#[test]
fn the_first_iteration_is_repeated_without_being_counted_until_there_is_a_brief() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(FIRST, PROMPT);
        for _ in 0..2 {
            session.stop("I begin at once.").continues();
            session.expect_fields(&[("iteration", "1"), ("active", "true")]);
        }
        session.write("progress.txt", BRIEF);
        session.stop("Here is the brief.").continues();
        session.expect_fields(&[("iteration", "2")]);
    }
}

#[test]
fn from_the_second_iteration_on_nobody_asks_for_a_brief() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work_and_stop("I go on.").continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn a_brief_of_an_earlier_loop_passes_the_gate_at_once_and_with_a_promise_the_loop_completes() {
    let session = Session::checked(Host::Plain);
    session.write("progress.txt", BRIEF);
    session.marker(FIRST, PROMPT);
    session.completes();
}

// proves: G11
#[test]
fn decisions_are_kept_from_the_second_iteration_on_with_its_number_and_once() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.write("decisions.md", "# Kept by hand\n");
    session
        .write("progress.txt", "DECISIONS:\n- chose: a file, rejected: a flag\nREMAINING_GAP:\n- the rest\n");
    session.work_and_stop("I go on.").continues();
    let kept = session.read("decisions.md");
    assert_eq!(kept, "# Kept by hand\n[iter 2] chose: a file, rejected: a flag\n");
    let event = session.event("I go on.");
    session.write("progress.txt", "DECISIONS:\n- chose: a word\n- chose: no test\nCONFIDENCE: 40\n");
    session.stop_with(&event).continues();
    session.stop_with(&event).continues();
    let kept = session.read("decisions.md");
    for line in
        ["[iter 2] chose: a file, rejected: a flag", "[iter 3] chose: a word", "[iter 3] chose: no test"]
    {
        assert_eq!(kept.matches(line).count(), 1, "{line} in {kept}");
    }
}

#[test]
fn decisions_are_kept_at_a_stop_that_is_judged_too() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("REJECTED: not yet");
    session.marker(super::harness::JUDGED, PROMPT);
    session.mend();
    session.write("progress.txt", "DECISIONS:\n- chose: a file\n");
    session.stop("I go on.").continues();
    assert!(session.read("decisions.md").contains("[iter 2] chose: a file"));
}

// proves: G1, G7
#[test]
fn in_judge_mode_a_promise_is_neither_needed_nor_enough() {
    let (session, judge) = Session::judged(Host::Plain);
    let judge = judge.call(1, "REJECTED: notes/ says nothing").says("APPROVED");
    session.marker(super::harness::JUDGED, PROMPT);
    session.mend();
    session.stop(PROMISE).continues();
    session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "1")]);
    session.work_and_stop("I wrote a note.").lets_stop();
    assert_eq!(judge.prompts().len(), 2);
    session.expect_completed();
}

#[test]
fn every_other_stop_goes_on_and_counts_one_iteration() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        for iteration in 3..=6 {
            session.work_and_stop("I go on.").continues();
            session.expect_fields(&[("iteration", &iteration.to_string()), ("active", "true")]);
        }
        assert_eq!(session.sandbox.loops().len(), 1);
    }
}
