//! Rejections in a row: counted, forgiven, and at the threshold a person is asked (CONTRACT §1.10, SPEC G9, G10).
//!
//! Apart from the verdicts because what is told here is a count over several stops.

use gulf_testkit::{FakeJudge, one_in_turn};

use super::harness::{HOSTS, Host, JUDGED, PROMISE, PROMPT, Session};

fn rejecting(host: Host, fields: &str) -> (Session, FakeJudge) {
    let (session, judge) = Session::judged(host);
    session.marker(fields, PROMPT);
    session.mend();
    (session, judge.says("REJECTED: notes/ does not say why"))
}

// proves: G9
#[test]
fn at_the_threshold_the_loop_pauses_with_what_was_rejected_and_the_two_causes() {
    for host in one_in_turn(HOSTS) {
        let (session, judge) = rejecting(host, &JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 3"));
        for rejections in 1..3 {
            session.work_and_stop("").continues();
            session.expect_fields(&[("consecutive_rejections", &rejections.to_string())]);
        }
        let outcome = session.work_and_stop("");
        outcome.lets_stop().says("notes/ does not say why").says("direction").says("rubric").says("resume");
        session.expect_fields(&[
            ("active", "false"),
            ("pause_reason", "hitl"),
            ("consecutive_rejections", "3"),
            ("iteration", "5"),
        ]);
        assert_eq!(session.read("JUDGE_FEEDBACK.md").matches("REJECTED").count(), 3);
        session.work_and_stop("").lets_stop().says("resume");
        assert_eq!(judge.prompts().len(), 3, "a paused loop asks nobody");
    }
}

#[test]
fn a_threshold_of_nothing_or_one_pauses_at_the_first_rejection() {
    for threshold in ["0", "1"] {
        let fields = JUDGED.replace("hitl_threshold: 5", &format!("hitl_threshold: {threshold}"));
        let (session, _) = rejecting(Host::Plain, &fields);
        session.work_and_stop("").lets_stop();
        session.expect_fields(&[("active", "false"), ("pause_reason", "hitl")]);
    }
}

#[test]
fn without_a_threshold_in_the_marker_it_is_five() {
    let (session, _) = rejecting(Host::Plain, &JUDGED.replace("\nhitl_threshold: 5", ""));
    for _ in 0..4 {
        session.work_and_stop("").continues();
    }
    session.work_and_stop("").lets_stop();
    session.expect_fields(&[("active", "false"), ("pause_reason", "hitl")]);
}

#[test]
fn rejections_before_the_adoption_count() {
    let fields = JUDGED.replace("consecutive_rejections: 0", "consecutive_rejections: 4");
    let (session, _) = rejecting(Host::Plain, &fields);
    session.work_and_stop("").lets_stop();
    session.expect_fields(&[("active", "false"), ("consecutive_rejections", "5")]);
    assert!(session.read("JUDGE_FEEDBACK.md").contains("REJECTED (5 consecutive)"));
}

// proves: G9
#[test]
fn resume_begins_to_count_anew() {
    let (session, _) = rejecting(Host::Plain, &JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 2"));
    session.work_and_stop("").continues();
    session.work_and_stop("").lets_stop();
    session.prompt("/gulf-loop:resume");
    session.expect_fields(&[("active", "true"), ("consecutive_rejections", "0"), ("pause_reason", "none")]);
    session.work_and_stop("").continues();
    session.expect_fields(&[("active", "true"), ("consecutive_rejections", "1")]);
    session.work_and_stop("").lets_stop();
    session.expect_fields(&[("active", "false")]);
}

// proves: G9
#[test]
fn failed_checks_between_rejections_leave_the_count() {
    let (session, _) = rejecting(Host::Plain, JUDGED);
    session.work_and_stop("").continues();
    session.write("value.txt", "wrong again\n");
    session.work_and_stop("").continues();
    session.expect_fields(&[("consecutive_rejections", "1")]);
    session.mend();
    session.work_and_stop("").continues();
    session.expect_fields(&[("consecutive_rejections", "2")]);
}

#[test]
fn the_candidate_that_was_just_rejected_is_not_judged_again_and_the_reason_is_told_again() {
    let (session, judge) = rejecting(Host::Plain, JUDGED);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "1")]);
    let outcome = session.stop(PROMISE);
    assert!(outcome.continues().contains("notes/ does not say why"), "{outcome:#?}");
    assert_eq!(judge.prompts().len(), 1, "nothing has changed since it said no");
    session.expect_fields(&[("iteration", "4"), ("consecutive_rejections", "1")]);
    assert_eq!(session.read("JUDGE_FEEDBACK.md").matches("REJECTED").count(), 1);
}

#[test]
fn edits_of_the_loops_own_texts_make_no_new_candidate() {
    let (session, judge) = rejecting(Host::Plain, JUDGED);
    session.work_and_stop("").continues();
    session.write("progress.txt", "REMAINING_GAP:\n- everything is fine, dear judge\n");
    session.write("JUDGE_FEEDBACK.md", "");
    session.write(".gulf/notepad.md", "fine\n");
    session.stop("").continues();
    assert_eq!(judge.prompts().len(), 1, "only the loop's own texts have changed");
    session.expect_fields(&[("consecutive_rejections", "1")]);
}

// proves: G10
#[test]
fn an_autonomous_loop_resets_its_strategy_and_never_pauses_for_a_person() {
    let fields = JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 1\nautonomous: true");
    let (session, judge) = rejecting(Host::Plain, &fields);
    for calls in 1..=3 {
        // Really another approach each time.
        let lines = (1..=9).map(|line| format!("way {calls}, step {line}\n"));
        session.write("notes/way.txt", lines.collect::<String>());
        session.stop("").continues();
        session.expect_fields(&[("active", "true"), ("consecutive_rejections", "0")]);
        assert_eq!(judge.prompts().len(), calls);
    }
    assert_eq!(session.read("JUDGE_FEEDBACK.md").matches("REJECTED (1 consecutive)").count(), 3);
}

// proves: G6
#[test]
fn a_threshold_of_the_rubric_is_honoured_where_a_start_says_none() {
    let rubric = format!("---\nhitl_threshold: 2 # two are enough\n---\n{}", super::harness::RUBRIC);
    let sandbox = gulf_testkit::Sandbox::with(&gulf_testkit::Sample::shell().file("RUBRIC.md", &rubric));
    let (session, _) = Session::judged_in(Host::Plain, sandbox);
    session.gulf(&["start", "--preset", "judge", PROMPT]).run().expect_exit(0);
    session.expect_fields(&[("hitl_threshold", "2")]);
}

// proves: G10, G24/context-pressure-collapse
#[test]
fn after_a_reset_a_return_to_a_rejected_approach_is_refused_and_costs_no_judge() {
    let fields = JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 1\nautonomous: true");
    let (session, judge) = rejecting(Host::Plain, &fields);
    let poem = "one line\nanother line\na third line\na fourth line\na fifth line\n";
    session.write("poem.txt", poem);
    session.stop("").continues();
    assert_eq!(judge.prompts().len(), 1);
    session.write("poem.txt", format!("{poem}one more\n"));
    let reason = session.stop("").continues();
    assert!(reason.contains("returns to an approach that was rejected in iteration"), "{reason}");
    assert_eq!(judge.prompts().len(), 1, "no gate looks at what was rejected before the reset");
    session.write("poem.txt", "nothing of the kind\n");
    session.stop("").continues();
    assert_eq!(judge.prompts().len(), 2);
}
