//! What the session is told when it goes on (CONTRACT "Block messages" R0 to R7, and what stands in the reason itself).
//!
//! Apart from the order because here words count: the prompt to the byte, what to fix, and what the person reads.

use gulf_testkit::{Sandbox, one_in_turn};

use super::harness::{BRIEF, HOSTS, Host, JUDGED, MARKER, PROMISE, PROMPT, RUBRIC, SECOND, Session};

/// A prompt that a careless reader would mangle.
const AWKWARD: &str = "# 목표\n\nMake \"value.txt\" say 'right' for $(whoami) and `id`.\n\n---\n\niteration: 99\nactive: false\n--max-iterations is prose here, --verbose too.\n\n\tA tab, two blanks at the end  \n---\nkey: \"value\"\n\n```sh\necho \"$HOME\" \\\n  && true\n```";

// proves: G3, G4
#[test]
fn a_plain_stop_gets_the_prompt_to_the_byte_the_framework_and_the_way_to_stop() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, AWKWARD);
        let outcome = session.work_and_stop("I go on.");
        let text = outcome.continues();
        assert!(text.contains(AWKWARD), "the prompt is not what it was: {text}");
        for part in ["Phase 0", "Phase 999", "progress.txt", "<promise>COMPLETE</promise>"] {
            assert!(text.contains(part), "no {part}: {text}");
        }
        outcome.counts(3, 50);
        assert!(
            !outcome.note().contains("<promise>"),
            "a person is told what the agent has to do: {outcome:#?}"
        );
    }
}

#[test]
fn the_reason_is_short_and_names_the_file_that_holds_the_rest() {
    let prompt = format!("Make value.txt say right.\n{}", "A long line of the prompt.\n".repeat(2_000));
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, &prompt);
        let outcome = session.work_and_stop("I go on.");
        assert!(outcome.reason().contains(".gulf/brief.md"), "{outcome:#?}");
        assert!(
            outcome.reason().len() < 4_000,
            "{} bytes where nothing is to be fixed",
            outcome.reason().len()
        );
        assert!(outcome.brief().contains(prompt.trim_end()), "the brief lacks the prompt");
    }
}

#[test]
fn each_stop_is_one_line_for_the_person_and_one_for_the_model() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        let session = Session::checked(host);
        session.gulf(&["start", "--no-research", "-m", "2", PROMPT]).run().expect_exit(0);
        let red = session.work_and_stop(PROMISE);
        assert_eq!(red.note(), "Gulf Loop | Iter 2/50 | checks FAILED: autochecks (exit 1)");
        assert_eq!(red.reason().trim_end().lines().count(), 1, "{red:#?}");
        assert!(red.brief().contains("value.txt says wrong"), "{red:#?}");
        let rests = session.work_and_stop("");
        rests.lets_stop().says("milestone");
        assert!(rests.note().contains(" in 1 file") || rests.note().contains(" files"), "{rests:#?}");
        session.prompt(if host == Host::Codex { "$gulf-loop:resume" } else { "/gulf-loop:resume" });
        session.mend();
        let ends = session.stop(PROMISE);
        ends.lets_stop().says("verified");
        for outcome in [&red, &rests, &ends] {
            assert_eq!(outcome.note().lines().count(), 1, "{outcome:#?}");
            let (own, other) = if host == Host::Codex { ("$gulf", "/gulf-loop") } else { ("/gulf", "$gulf") };
            assert!(!outcome.note().contains(other), "not as the host takes it: {outcome:#?}");
            assert!(outcome.note().contains(own) || std::ptr::eq(outcome, &red), "{outcome:#?}");
        }
    }
}

#[test]
fn the_prompt_survives_at_every_further_stop_and_in_the_marker() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, AWKWARD);
    for _ in 0..3 {
        assert!(session.work_and_stop("I go on.").continues().contains(AWKWARD));
        assert!(session.look().unwrap().body().contains(AWKWARD), "{}", session.text(MARKER));
    }
}

#[test]
fn an_unfinished_research_phase_is_told_with_what_is_missing_and_what_it_looks_like() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(&SECOND.replace("iteration: 2", "iteration: 1"), AWKWARD);
        let outcome = session.stop("I begin.");
        let text = outcome.continues();
        assert!(text.contains(AWKWARD), "{text}");
        for part in
            ["APPROACH", "APPROACHES_CONSIDERED", "CONFIDENCE", "STRENGTHS", "RISKS", "GAPS", "source"]
        {
            assert!(text.contains(part), "no {part}: {text}");
        }
        outcome.says("research").says("APPROACH").counts(1, 50);
        session.expect_fields(&[("iteration", "1")]);
    }
}

#[test]
fn with_force_max_a_promise_before_the_limit_goes_on_and_is_said_to_be_seen() {
    let session = Session::checked(Host::Plain);
    session.marker(
        &format!("{SECOND}\nforce_max: true").replace("max_iterations: 50", "max_iterations: 4"),
        PROMPT,
    );
    session.mend();
    let outcome = session.work_and_stop(PROMISE);
    assert!(outcome.continues().contains(PROMPT));
    outcome.says("force-max");
    session.expect_fields(&[("iteration", "3")]);
    session.work_and_stop(PROMISE).continues();
    session.work_and_stop(PROMISE).lets_stop();
    session.expect_completed();
}

// proves: G16
#[test]
fn failing_autochecks_refuse_the_promise_with_their_output() {
    for host in one_in_turn(HOSTS) {
        let session = Session::bare(host);
        session.autochecks("#!/bin/sh\necho 'the seventh test is red' >&2\nsh check.sh\n");
        session.marker(SECOND, AWKWARD);
        let outcome = session.work_and_stop(PROMISE);
        assert!(outcome.continues().contains(AWKWARD));
        let reason = outcome.continues();
        for part in ["autochecks.sh", "the seventh test is red", "value.txt says wrong"] {
            assert!(reason.contains(part), "no {part}: {reason}");
        }
        session.expect_fields(&[("iteration", "3")]);
        session.completes();
    }
}

#[test]
fn a_flood_of_a_failing_check_is_told_by_its_end() {
    let session = Session::bare(Host::Claude);
    session.autochecks("#!/bin/sh\nseq 1 200000\necho 'the last line says why'\nexit 7\n");
    session.marker(SECOND, PROMPT);
    let outcome = session.work_and_stop(PROMISE);
    let reason = outcome.continues();
    assert!(reason.contains("the last line says why") && reason.contains('7'), "{reason}");
    assert!(!reason.contains("\n12345\n"), "the beginning of a flood helps nobody");
}

// proves: G6
#[test]
fn failing_checks_of_the_rubric_are_told_with_command_exit_code_and_output() {
    for host in one_in_turn(HOSTS) {
        let rubric = RUBRIC.replace("- sh check.sh", "- sh check.sh\n- true\n- echo 'three errors'; exit 3");
        let sandbox = Sandbox::with(&gulf_testkit::Sample::shell().file("RUBRIC.md", &rubric));
        let (session, judge) = Session::judged_in(host, sandbox);
        session.marker(JUDGED, AWKWARD);
        let outcome = session.work_and_stop("I go on.");
        assert!(outcome.continues().contains(AWKWARD));
        let reason = outcome.continues();
        for part in
            ["sh check.sh", "value.txt says wrong", "echo 'three errors'; exit 3", "three errors", "code 3"]
        {
            assert!(reason.contains(part), "no {part}: {reason}");
        }
        assert!(judge.prompts().is_empty(), "a failing check costs no judge");
        session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "0"), ("active", "true")]);
        assert!(!session.exists("JUDGE_FEEDBACK.md"), "a failing check is no rejection");
    }
}

#[test]
fn with_force_max_an_approval_before_the_limit_goes_on_and_forgets_the_rejections() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.call(1, "REJECTED: notes/ says nothing").says("APPROVED");
    session.marker(&format!("{JUDGED}\nforce_max: true"), PROMPT);
    session.mend();
    session.work_and_stop("").continues();
    session.expect_fields(&[("consecutive_rejections", "1")]);
    let outcome = session.work_and_stop("");
    assert!(outcome.continues().contains(PROMPT));
    outcome.says("approved").says("force-max");
    session.expect_fields(&[("iteration", "4"), ("consecutive_rejections", "0")]);
}

#[test]
fn a_rejection_is_told_with_its_number_the_reason_and_where_the_others_are() {
    for host in one_in_turn(HOSTS) {
        let (session, judge) = Session::judged(host);
        judge.says("REJECTED: notes/ does not say why\nMETA: Look at the notes.");
        session.marker(JUDGED, AWKWARD);
        session.mend();
        let outcome = session.work_and_stop("I go on.");
        assert!(outcome.continues().contains(AWKWARD));
        let reason = outcome.continues();
        for part in ["notes/ does not say why", "JUDGE_FEEDBACK.md"] {
            assert!(reason.contains(part), "no {part}: {reason}");
        }
        outcome.says("reject").counts(1, 5);
        session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "1"), ("active", "true")]);
    }
}

// proves: G10
#[test]
fn a_strategy_reset_names_the_number_of_rejections_and_asks_for_another_approach() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("REJECTED: notes/ does not say why");
    let fields = JUDGED.replace("hitl_threshold: 5", "hitl_threshold: 2\nautonomous: true");
    session.marker(&fields, AWKWARD);
    session.mend();
    session.work_and_stop("").continues();
    let outcome = session.work_and_stop("");
    assert!(outcome.continues().contains(AWKWARD));
    outcome.says("strategy").says("approach").says("JUDGE_FEEDBACK.md").says("2");
    session.expect_fields(&[("active", "true"), ("consecutive_rejections", "0"), ("iteration", "4")]);
    let other: String = (1..=9).map(|line| format!("another way, step {line}\n")).collect();
    session.write("notes/work.txt", other);
    session.stop("").continues();
    session.expect_fields(&[("consecutive_rejections", "1")]);
}

#[test]
fn what_a_milestone_loop_is_told_names_the_next_pause() {
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{SECOND}\nmilestone_every: 5"), PROMPT);
    let text = session.work_and_stop("I go on.").continues();
    assert!(text.contains("every 5 iterations") && text.contains("iteration 5"), "{text}");
    let outcome = session.work_and_stop("I go on.");
    assert!(outcome.continues().contains("iteration 5"));
}

#[test]
fn without_a_milestone_nobody_is_told_of_one() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    let text = session.work_and_stop("I go on.").continues();
    assert!(!text.to_lowercase().contains("reviews the work after every"), "{text}");
}

#[test]
fn what_the_session_is_told_has_its_own_numbers_limit_and_promise() {
    let session = Session::checked(Host::Plain);
    session.write("progress.txt", BRIEF);
    let fields = "active: true\niteration: 6\nmax_iterations: 17\ncompletion_promise: \"ALL GREEN\"";
    session.marker(fields, PROMPT);
    let outcome = session.work_and_stop("I go on.");
    let text = outcome.continues();
    for part in ["Iteration 7", "17", "<promise>ALL GREEN</promise>"] {
        assert!(text.contains(part), "no {part}: {text}");
    }
    outcome.counts(7, 17);
}
