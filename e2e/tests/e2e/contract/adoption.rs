//! Hand-made files that become loops (CONTRACT "which fields does adoption take over?", rows about `resume`, `cancel` and
//! `status`), the official ralph-loop plugin's among them.
//!
//! Apart from how fields are read, because here a loop's past is taken over that gulf has not seen.

use gulf_testkit::one_in_turn;

use super::harness::{BRIEF, HOSTS, Host, JUDGED, MARKER, PROMISE, PROMPT, SECOND, Session};

#[test]
fn a_hand_made_marker_becomes_one_loop_and_stays_it() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        let id = session.field("loop").unwrap();
        session.work_and_stop("").continues();
        assert_eq!(session.field("loop").unwrap(), id);
        assert_eq!(session.sandbox.loops().len(), 1);
        session.gulf(&["status"]).run().expect_exit(0).says(&id);
    }
}

#[test]
fn iteration_limit_promise_milestones_and_force_max_are_taken_over() {
    let session = Session::checked(Host::Plain);
    let fields = "active: true\niteration: 37\nmax_iterations: 40\ncompletion_promise: \"ENDE\"\nmilestone_every: 39\nforce_max: true";
    session.marker(fields, PROMPT);
    session.mend();
    let outcome = session.work_and_stop("<promise>ENDE</promise>");
    outcome.continues();
    outcome.counts(38, 40).says("force-max");
    session.work_and_stop("").continues();
    session.work_and_stop("").lets_stop().says("milestone");
    session.expect_fields(&[
        ("iteration", "40"),
        ("max_iterations", "40"),
        ("force_max", "true"),
        ("milestone_every", "39"),
    ]);
    session.gulf(&["resume"]).run();
    session.work_and_stop("<promise>ENDE</promise>").lets_stop();
    session.expect_completed();
}

#[test]
fn rejections_and_their_threshold_are_taken_over() {
    let (session, judge) = Session::judged(Host::Plain);
    judge.says("REJECTED: not yet");
    let fields = JUDGED
        .replace("consecutive_rejections: 0", "consecutive_rejections: 1")
        .replace("hitl_threshold: 5", "hitl_threshold: 3");
    session.marker(&fields, PROMPT);
    session.mend();
    session.work_and_stop("").continues();
    session.expect_fields(&[
        ("consecutive_rejections", "2"),
        ("hitl_threshold", "3"),
        ("judge_enabled", "true"),
    ]);
    session.work_and_stop("").lets_stop();
    session.expect_fields(&[("active", "false"), ("pause_reason", "hitl")]);
}

#[test]
fn fields_of_an_autonomous_loop_are_taken_over_and_shown() {
    let session = Session::checked(Host::Plain);
    session.sandbox.git(["checkout", "--quiet", "-b", "gulf/auto-20260101-000000"]);
    let fields = format!(
        "{SECOND}\nautonomous: true\nbranch: gulf/auto-20260101-000000\nbase_branch: main\nmerge_status: pending"
    );
    session.marker(&fields, PROMPT);
    session.work_and_stop("").continues();
    session.expect_fields(&[
        ("autonomous", "true"),
        ("branch", "gulf/auto-20260101-000000"),
        ("base_branch", "main"),
        ("iteration", "3"),
    ]);
}

#[test]
fn a_paused_marker_is_adopted_paused_and_goes_on_after_resume() {
    let session = Session::checked(Host::Plain);
    let fields = format!(
        "{}\npause_reason: milestone\nmilestone_every: 2",
        SECOND.replace("active: true", "active: false").replace("iteration: 2", "iteration: 3")
    );
    session.marker(&fields, PROMPT);
    session.stop("").lets_stop().says("milestone");
    session.prompt("/gulf-loop:resume");
    session.expect_fields(&[("active", "true"), ("pause_reason", "none"), ("iteration", "3")]);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "4")]);
}

#[test]
fn resume_adopts_a_marker_that_no_stop_has_seen() {
    let session = Session::checked(Host::Plain);
    session
        .marker(&format!("{}\npause_reason: hitl", SECOND.replace("active: true", "active: false")), PROMPT);
    session.gulf(&["resume"]).run().expect_exit(0).says("2");
    session.expect_fields(&[("active", "true"), ("pause_reason", "none"), ("iteration", "2")]);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn cancel_adopts_a_marker_that_no_stop_has_seen() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.gulf(&["cancel"]).run().expect_exit(0).says("cancelled after 2 iteration");
        assert!(!session.exists(MARKER));
        session.stop(PROMISE).is_untouched();
        session.expect_no_success();
    }
}

#[test]
fn status_tells_of_a_marker_that_no_stop_has_seen() {
    let session = Session::checked(Host::Plain);
    session.marker("active: true\niteration: 12\nmax_iterations: 34\ncompletion_promise: \"ENDE\"", PROMPT);
    let status = session.gulf(&["status"]).run().expect_exit(0);
    status.says("12").says("34").says("ENDE").says(PROMPT);
    assert!(session.exists(MARKER));
}

#[test]
fn a_marker_whose_loop_gulf_does_not_know_is_hand_made() {
    let session = Session::checked(Host::Plain);
    session.marker(&format!("{SECOND}\nloop: 2020-01-01T0000_from-another-machine"), PROMPT);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "3")]);
    assert_eq!(session.field("loop").unwrap(), session.newest().unwrap().id());
}

#[test]
fn a_marker_that_is_copied_back_after_the_end_is_no_way_to_a_success() {
    let session = Session::running(Host::Plain);
    let copy = session.text(MARKER);
    session.completes();
    session.write("value.txt", "wrong again\n");
    session.write(MARKER, copy);
    let before = session.sandbox.loops().len();
    session.stop(PROMISE);
    assert!(session.sandbox.loops().len() <= before + 1);
    let ends: Vec<_> = session.sandbox.loops().iter().filter_map(gulf_testkit::LoopFolder::end).collect();
    assert_eq!(ends.len(), 1, "{ends:?}");
}

#[test]
fn the_files_of_a_loop_are_kept_out_of_the_persons_commits() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.write("progress.txt", BRIEF);
    session.stop("").continues();
    let status = session.sandbox.git(["status", "--porcelain", "--untracked-files=all"]);
    assert_eq!(status, "", "`git add -A` must not commit the loop's files");
}

#[test]
fn the_official_ralph_loop_is_adopted_as_a_basic_loop_and_put_aside() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        let fields = "active: true\niteration: 3\nmax_iterations: 20\ncompletion_promise: \"ALL DONE\"\nstarted_at: \"2026-11-20T10:00:00Z\"";
        session.write(".claude/ralph-loop.local.md", format!("---\n{fields}\n---\n\n{PROMPT}\n"));
        session.trust();
        let outcome = session.work_and_stop("I go on.");
        assert!(outcome.continues().contains(PROMPT));
        outcome.counts(4, 20);
        assert!(!session.exists(".claude/ralph-loop.local.md"), "the other plugin would go on beside gulf");
        assert!(
            session.file(".gulf/adopted").read_dir_utf8().unwrap().count() > 0,
            "what a person wrote is kept"
        );
        session.mend();
        session.stop("<promise>ALL DONE</promise>").lets_stop();
        session.expect_completed();
    }
}

#[test]
fn a_ralph_loop_without_a_limit_is_not_over_at_once() {
    // There, 0 means without a limit; here it would end the loop. gulf's own limit holds.
    let session = Session::checked(Host::Plain);
    let fields = "active: true\niteration: 1\nsession_id: \nmax_iterations: 0\ncompletion_promise: null\nstarted_at: \"2026-11-20T10:00:00Z\"";
    session.write(".claude/ralph-loop.local.md", format!("---\n{fields}\n---\n\n{PROMPT}\n"));
    session.trust();
    session.work_and_stop("I go on.").continues();
    session.work_and_stop("I go on.").continues();
    assert_eq!(session.end(), None);
}

#[test]
fn a_state_file_whose_checks_cannot_run_lets_the_session_stop_and_says_so_once() {
    for host in one_in_turn(HOSTS) {
        let session = Session::bare(host);
        session.write("RUBRIC.md", "## Checks\n- pytset -q\n");
        session.sandbox.commit("rubric");
        session.marker(SECOND, PROMPT);
        session.work_and_stop("").lets_stop().says("begins nothing").says("pytset");
        for _ in 0..3 {
            session.work_and_stop("").lets_stop().does_not_say("pytset");
        }
        assert!(session.newest().is_none(), "nothing was sealed");
    }
}
