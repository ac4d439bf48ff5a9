//! How checks run for a session: closed stdin, own time-out, bounded output, nothing left behind, and nobody's pardon
//! for what a worker puts in their place (CONTRACT, rows about checks and about the sealed contract).
//!
//! Apart because the checks themselves are the subject here, not what is told of them.

use gulf_testkit::{Sample, Sandbox};

use super::harness::{Host, JUDGED, PROMISE, PROMPT, RUBRIC, SECOND, Session};

/// In judge mode with these checks and a judge that approves whatever comes before it.
fn with_checks(checks: &str) -> (Session, gulf_testkit::FakeJudge) {
    let rubric = RUBRIC.replace("- sh check.sh", checks);
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", &rubric));
    let (session, judge) = Session::judged_in(Host::Plain, sandbox);
    session.marker(JUDGED, PROMPT);
    (session, judge.says("APPROVED"))
}

#[test]
fn a_check_that_reads_its_input_gets_nothing_and_takes_nothing_from_the_next_one() {
    // In the original it ate the list of the checks that follow, and they counted as passed.
    let (session, judge) = with_checks("- cat\n- sh check.sh");
    let outcome = session.work_and_stop("");
    assert!(outcome.continues().contains("value.txt says wrong"), "{outcome:#?}");
    assert!(judge.prompts().is_empty());
    session.mend();
    session.work_and_stop("").lets_stop();
    session.expect_completed();
}

#[test]
fn a_check_that_never_ends_is_stopped_by_its_own_time_out() {
    let session = Session::bare(Host::Plain);
    session.write(
        "gulf.toml",
        "[[check]]\nname = \"hangs\"\ncommand = \"tail -f /dev/null\"\ntimeout = \"1s\"\n",
    );
    session.sandbox.commit("check");
    session.gulf(&["start", "--research", "off", PROMPT]).run().expect_exit(0);
    let outcome = session.work_and_stop(PROMISE);
    assert!(
        outcome.continues().contains("tail -f /dev/null") && outcome.continues().contains("1s"),
        "{outcome:#?}"
    );
    session.sandbox.assert_nothing_left();
}

#[test]
fn gulfs_own_deadline_stops_what_runs_and_says_so() {
    // Before the host would: a hook that the host kills looks like a finished loop.
    let session = Session::bare(Host::Claude).variable("GULF_HOOK_DEADLINE", "2s");
    session.autochecks("#!/bin/sh\nexec tail -f /dev/null\n");
    session.marker(SECOND, PROMPT);
    let outcome = session.work_and_stop(PROMISE);
    outcome.continues();
    outcome.says("time");
    session.expect_no_success();
    session.sandbox.assert_nothing_left();
}

#[test]
fn what_a_check_leaves_in_the_background_is_cleared_away() {
    let session = Session::bare(Host::Plain);
    session.autochecks("#!/bin/sh\nsetsid tail -f /dev/null >/dev/null 2>&1 &\nsh check.sh\n");
    session.marker(SECOND, PROMPT);
    session.work_and_stop(PROMISE).continues();
    session.sandbox.assert_nothing_left();
}

#[test]
fn a_check_that_floods_is_stopped_or_told_by_its_end_and_the_hook_survives() {
    let (session, _) = with_checks("- yes $(seq 1 500) | head -c 20000000; exit 4");
    let outcome = session.work_and_stop("");
    assert!(outcome.reason().len() < 10_000, "{} bytes", outcome.reason().len());
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn all_checks_run_and_all_that_fail_are_told() {
    let (session, _) = with_checks("- echo one; false\n- echo two; exit 9\n- sh check.sh");
    let reason = session.work_and_stop("").continues();
    for part in ["echo one; false", "echo two; exit 9", "value.txt says wrong"] {
        assert!(reason.contains(part), "no {part}: {reason}");
    }
}

#[test]
fn a_check_sees_what_is_in_the_worktree_untracked_and_uncommitted() {
    let (session, _) = with_checks("- test -f new/file.txt\n- sh check.sh");
    session.work_and_stop("").continues();
    session.write("new/file.txt", "here\n");
    session.mend();
    session.stop("").lets_stop();
    session.expect_completed();
}

#[test]
fn autochecks_edited_or_removed_during_the_loop_change_nothing_and_are_reported() {
    for tamper in [Some("#!/bin/sh\nexit 0\n"), None] {
        let session = Session::checked(Host::Plain);
        session.marker(SECOND, PROMPT);
        session.work_and_stop("I go on.").continues();
        match tamper {
            Some(script) => session.write(".claude/autochecks.sh", script),
            None => std::fs::remove_file(session.file(".claude/autochecks.sh")).unwrap(),
        }
        let outcome = session.work_and_stop(PROMISE);
        assert!(outcome.continues().contains("value.txt says wrong"), "{outcome:#?}");
        let status = session.gulf(&["status"]).run().expect_exit(0);
        status.says("changed since the start, and ignored").says(".claude/autochecks.sh");
        session.expect_no_success();
    }
}

#[test]
fn a_rubric_edited_or_removed_during_the_loop_changes_nothing_and_is_reported() {
    let looser = "## Check\n- true\n\n## Judging\n- anything\n";
    for tamper in [Some(looser), None] {
        let (session, judge) = with_checks("- sh check.sh");
        session.work_and_stop("").continues();
        match tamper {
            Some(rubric) => session.write("RUBRIC.md", rubric),
            None => std::fs::remove_file(session.file("RUBRIC.md")).unwrap(),
        }
        let outcome = session.work_and_stop("");
        assert!(outcome.continues().contains("value.txt says wrong"), "{outcome:#?}");
        session
            .gulf(&["status"])
            .run()
            .expect_exit(0)
            .says("changed since the start, and ignored")
            .says("RUBRIC.md");
        assert!(judge.prompts().is_empty());
        session.expect_no_success();
    }
}

#[test]
fn in_judge_mode_without_a_rubric_nothing_is_approved_and_the_file_is_named() {
    // The original approves.
    let session = Session::bare(Host::Plain);
    session.marker(JUDGED, PROMPT);
    session.mend();
    let outcome = session.work_and_stop(PROMISE);
    outcome.says("RUBRIC.md");
    session.expect_no_success();
    assert!(session.exists(super::harness::MARKER), "what a person wrote is kept");
}

#[test]
fn a_rubric_whose_headings_are_misspelt_approves_nothing() {
    let sandbox = Sandbox::with(
        &Sample::shell().file("RUBRIC.md", "## Chekcs\n- true\n\n## Judge criterias\n- fine\n"),
    );
    let (session, judge) = Session::judged_in(Host::Plain, sandbox);
    let judge = judge.says("APPROVED");
    session.marker(JUDGED, PROMPT);
    session.mend();
    let outcome = session.work_and_stop("");
    outcome.says("RUBRIC.md");
    session.expect_no_success();
    assert!(judge.prompts().is_empty());
}

#[test]
fn a_rubric_without_criteria_completes_an_adopted_loop_when_its_checks_pass_and_asks_no_judge() {
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", "## Checks\n- sh check.sh\n"));
    let (session, judge) = Session::judged_in(Host::Plain, sandbox);
    session.marker(JUDGED, PROMPT);
    session.work_and_stop("").continues();
    session.mend();
    session.work_and_stop("").lets_stop();
    assert!(judge.prompts().is_empty());
    session.expect_completed();
}

#[test]
fn a_rubric_without_checks_is_judged_by_its_criteria_alone() {
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", "## Judge criteria\n- notes/ says why\n"));
    let (session, judge) = Session::judged_in(Host::Plain, sandbox);
    let judge = judge.call(1, "REJECTED: it does not").says("APPROVED");
    session.marker(JUDGED, PROMPT);
    session.work_and_stop("").continues();
    session.work_and_stop("").lets_stop();
    assert_eq!(judge.prompts().len(), 2);
    session.expect_completed();
}

#[test]
fn the_brief_tells_no_secret_that_a_check_printed() {
    let check =
        "- printf '%s\\n' 'mysql --password=3zifronlPQPn' '{\"token\": \"xucpqStM54Lqea\"}'; sh check.sh";
    let (session, _judge) = with_checks(check);
    let outcome = session.work_and_stop("");
    let brief = session.read(".gulf/brief.md");
    let answer = outcome.continues();
    for (what, text) in [("the brief", &brief), ("the answer", &answer)] {
        // The contract names the check as it is written; what it printed stands below it.
        let printed = text
            .replace("printf '%s\\n' 'mysql --password=3zifronlPQPn' '{\"token\": \"xucpqStM54Lqea\"}'", "");
        assert!(!printed.contains("3zifronlPQPn") && !printed.contains("xucpqStM54Lqea"), "{what}: {text}");
    }
    assert!(brief.contains("mysql --password=***") && brief.contains(r#"{"token": "***"}"#), "{brief}");
}
