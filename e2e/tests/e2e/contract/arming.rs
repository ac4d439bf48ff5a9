//! `gulf start` as a command: flags, defaults, refusals, and the marker it writes (CONTRACT §1.2, §1.3).
//!
//! Apart from the slash commands (`slashes`), which come through the hook.

use gulf_testkit::{Finished, Sample, Sandbox, one_in_turn};

use super::harness::{BRIEF, HOSTS, Host, MARKER, PROMISE, PROMPT, Session};
use crate::exit;

#[track_caller]
fn start(session: &Session, arguments: &[&str]) -> Finished {
    let mut all = vec!["start"];
    all.extend(arguments);
    session.gulf(&all).run().does_not_panic()
}

/// Refused, nothing armed, and this is named.
#[track_caller]
fn is_refused(session: &Session, arguments: &[&str], named: &str) {
    let finished = start(session, arguments);
    assert!(finished.exit != Some(0), "not refused: {finished:#?}");
    assert!(finished.stderr.contains(named), "{named} is not named: {finished:#?}");
    assert!(!session.exists(MARKER), "something is armed: {finished:#?}");
    assert!(session.sandbox.loops().is_empty());
}

// proves: G15
#[test]
fn a_basic_loop_has_fifty_iterations_and_the_promise_complete() {
    let session = Session::checked(Host::Plain);
    start(&session, &[PROMPT]).expect_exit(0).says("50").says("<promise>COMPLETE</promise>");
    let marker = session.look().unwrap();
    assert_eq!(marker.keys(), ["active", "iteration", "max_iterations", "completion_promise"]);
    session.expect_fields(&[
        ("active", "true"),
        ("iteration", "1"),
        ("max_iterations", "50"),
        ("completion_promise", "COMPLETE"),
    ]);
    assert!(marker.body().contains(PROMPT));
    assert_eq!(session.field("loop").unwrap(), session.newest().unwrap().id());
}

#[test]
fn a_judged_loop_has_a_threshold_of_five_and_names_judge_and_threshold() {
    for flag in [["--preset", "judge"], ["--mode", "judge"]] {
        let (session, _) = Session::judged(Host::Plain);
        let said = start(&session, &[flag[0], flag[1], PROMPT]).expect_exit(0);
        said.says("50").says("5").says("judge");
        let marker = session.look().unwrap();
        assert_eq!(
            marker.keys(),
            [
                "active", "iteration", "max_iterations", "judge_enabled", "consecutive_rejections",
                "hitl_threshold"
            ]
        );
        session.expect_fields(&[
            ("judge_enabled", "true"),
            ("consecutive_rejections", "0"),
            ("hitl_threshold", "5"),
        ]);
    }
}

// proves: G20
#[test]
fn every_flag_has_its_short_form_and_its_field_in_the_originals_order() {
    let long = [
        "--max-iterations", "30", "--completion-promise", "ALL DONE", "--milestone-every", "5",
        "--structured-memory", "--force-max", PROMPT,
    ];
    let short = ["-n", "30", "-p", "ALL DONE", "-m", "5", "--structured-memory", "--force-max", PROMPT];
    for arguments in [long, short] {
        let session = Session::checked(Host::Plain);
        let said = start(&session, &arguments).expect_exit(0);
        said.says("30").says("<promise>ALL DONE</promise>").says("5").says(".claude/memory");
        let marker = session.look().unwrap();
        let keys = [
            "active", "iteration", "max_iterations", "completion_promise", "milestone_every",
            "structured_memory", "force_max",
        ];
        assert_eq!(marker.keys(), keys);
        session.expect_fields(&[
            ("max_iterations", "30"),
            ("completion_promise", "ALL DONE"),
            ("milestone_every", "5"),
            ("structured_memory", "true"),
            ("force_max", "true"),
        ]);
    }
}

#[test]
fn a_threshold_is_written_where_there_is_a_judge() {
    for flag in ["--hitl-threshold", "-t"] {
        let (session, _) = Session::judged(Host::Plain);
        start(&session, &["--preset", "judge", flag, "2", PROMPT]).expect_exit(0);
        session.expect_fields(&[("hitl_threshold", "2")]);
        let session = Session::checked(Host::Plain);
        start(&session, &["--preset", "basic", flag, "2", PROMPT]).expect_exit(0);
        assert_eq!(session.field("hitl_threshold"), None);
    }
}

#[test]
fn flags_may_stand_before_and_after_the_prompt() {
    let session = Session::checked(Host::Plain);
    start(&session, &["-n", "9", PROMPT, "-p", "ENDE"]).expect_exit(0);
    session.expect_fields(&[("max_iterations", "9"), ("completion_promise", "ENDE")]);
    assert!(session.look().unwrap().body().contains(PROMPT));
}

#[test]
fn the_words_that_are_left_are_the_prompt_joined_by_blanks() {
    let session = Session::checked(Host::Plain);
    start(&session, &["Make", "value.txt", "say", "right.", "-n", "9"]).expect_exit(0);
    assert!(session.look().unwrap().body().contains("Make value.txt say right."));
}

#[test]
fn numbers_that_are_none_are_refused_and_the_flag_is_named() {
    let cases = [
        ["-n", "ten"],
        ["-n", "-1"],
        ["-n", "1.5"],
        ["-n", "0"],
        ["-t", "x"],
        ["-m", "often"],
        ["--max-iterations", ""],
    ];
    for [flag, value] in cases {
        let session = Session::checked(Host::Plain);
        let finished = start(&session, &[flag, value, PROMPT]);
        assert!(finished.exit != Some(0) && !session.exists(MARKER), "{flag} {value}: {finished:#?}");
        let long = match flag {
            "-t" => "hitl",
            "-m" => "milestone",
            _ => "max",
        };
        assert!(
            finished.stderr.contains(long) || finished.stderr.contains(flag),
            "{flag} {value}: {finished:#?}"
        );
    }
}

#[test]
fn a_flag_without_its_value_is_refused() {
    for flag in ["-n", "--completion-promise", "-t", "-b", "-m"] {
        let session = Session::checked(Host::Plain);
        let finished = start(&session, &[PROMPT, flag]);
        assert!(finished.exit != Some(0) && !session.exists(MARKER), "{flag}: {finished:#?}");
    }
}

#[test]
fn an_unknown_flag_and_an_unknown_preset_are_refused_by_name() {
    let session = Session::checked(Host::Plain);
    is_refused(&session, &["--max-iteration", "3", PROMPT], "--max-iteration");
    is_refused(&session, &[PROMPT, "--frobnicate"], "--frobnicate");
    is_refused(&session, &["--mode", "turbo", PROMPT], "turbo");
}

#[test]
fn a_blank_prompt_is_refused() {
    let session = Session::checked(Host::Plain);
    for prompt in ["", "   ", "\n\t\n"] {
        let finished = start(&session, &[prompt]);
        assert!(finished.exit != Some(0) && !session.exists(MARKER), "{prompt:?}: {finished:#?}");
    }
    let finished = start(&session, &[]);
    assert!(finished.exit != Some(0) && !session.exists(MARKER), "nothing on stdin either: {finished:#?}");
}

#[test]
fn a_prompt_comes_from_stdin_or_from_a_file() {
    let session = Session::checked(Host::Plain);
    session.gulf(&["start", "-n", "9"]).stdin(PROMPT).run().expect_exit(0);
    assert!(session.look().unwrap().body().contains(PROMPT));
    let session = Session::checked(Host::Plain);
    session.write("the prompt.md", PROMPT);
    start(&session, &["-f", "the prompt.md"]).expect_exit(0);
    assert!(session.look().unwrap().body().contains(PROMPT));
}

#[test]
fn preset_judge_without_a_rubric_or_without_criteria_is_refused() {
    is_refused(&Session::checked(Host::Plain), &["--preset", "judge", PROMPT], "RUBRIC.md");
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", "## Checks\n- sh check.sh\n"));
    is_refused(&Session::on(Host::Plain, sandbox), &["--preset", "judge", PROMPT], "RUBRIC.md");
    is_refused(&Session::checked(Host::Plain), &["--with-judge", PROMPT], "RUBRIC.md");
}

#[test]
fn without_an_alignment_one_line_tells_of_it() {
    let session = Session::checked(Host::Plain);
    let said = start(&session, &[PROMPT]).expect_exit(0);
    assert!(said.stderr.contains("align"), "{said:#?}");
    let session = Session::checked(Host::Plain);
    session.write(
        ".claude/gulf-align.md",
        "## Gulf of Envisioning — Gap Check\n- **Blocking questions**: none\n",
    );
    let said = start(&session, &[PROMPT]).expect_exit(0);
    assert!(!said.stderr.to_lowercase().contains("tip"), "{said:#?}");
}

#[test]
fn a_start_over_an_active_loop_is_refused_with_its_id_and_replace_says_so() {
    let session = Session::checked(Host::Plain);
    start(&session, &[PROMPT]).expect_exit(0);
    let id = session.field("loop").unwrap();
    let before = session.text(MARKER);
    let refused = start(&session, &["Do something else."]);
    assert_eq!(refused.exit, Some(exit::REFUSED_START), "{refused:#?}");
    refused.says("is unfinished in this checkout").says("--replace");
    assert_eq!(session.text(MARKER), before);
    start(&session, &["--replace", "Do something else."]).expect_exit(0);
    assert!(session.look().unwrap().body().contains("Do something else."));
    assert_ne!(session.field("loop").unwrap(), id);
}

#[test]
fn a_start_over_a_hand_made_marker_is_refused_too() {
    let session = Session::checked(Host::Plain);
    session.marker(super::harness::SECOND, PROMPT);
    let refused = start(&session, &["Do something else."]);
    assert!(refused.exit != Some(0), "{refused:#?}");
    assert!(session.look().unwrap().body().contains(PROMPT));
}

#[test]
fn a_started_loop_goes_from_research_to_its_end() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        start(&session, &[PROMPT]).expect_exit(0);
        session.stop("I begin at once.").continues();
        session.expect_fields(&[("iteration", "1")]);
        session.write("progress.txt", BRIEF);
        assert!(session.stop("The brief is written.").continues().contains(PROMPT));
        session.expect_fields(&[("iteration", "2")]);
        session.work_and_stop("I go on.").continues();
        session.expect_fields(&[("iteration", "3")]);
        let outcome = session.work_and_stop(PROMISE);
        assert!(outcome.continues().contains("value.txt says wrong"), "{outcome:#?}");
        session.mend();
        session.stop(PROMISE).lets_stop();
        assert_eq!(session.end().as_deref(), Some("verified"));
        assert!(!session.exists(MARKER));
    }
}

#[test]
fn the_promise_that_the_brief_shows_is_the_one_that_counts_also_with_an_apostrophe() {
    let session = Session::checked(Host::Plain);
    start(&session, &["-p", "I'm \"done\"", PROMPT]).expect_exit(0);
    session.write("progress.txt", BRIEF);
    let text = session.stop("").continues();
    let shown = text
        .lines()
        .map(str::trim)
        .rev()
        .find(|line| line.starts_with("<promise>") && line.ends_with("</promise>"));
    let shown = shown.unwrap_or_else(|| panic!("the brief shows no promise: {text}")).to_owned();
    assert!(shown.contains("done"), "{shown}");
    session.mend();
    session.stop(&shown).lets_stop();
    session.expect_completed();
}

#[test]
fn the_promise_of_a_flag_may_be_said_without_its_quotes() {
    for said in ["I'm \"done\"", "Im done"] {
        let session = Session::checked(Host::Plain);
        start(&session, &["-p", "I'm \"done\"", PROMPT]).expect_exit(0);
        session.write("progress.txt", BRIEF);
        session.stop("").continues();
        session.mend();
        session.stop(&format!("<promise>{said}</promise>")).lets_stop();
        session.expect_completed();
    }
}

// proves: G20
#[test]
fn help_names_every_flag_of_the_original() {
    let session = Session::checked(Host::Plain);
    let help = start(&session, &["--help"]).expect_exit(0);
    for flag in [
        "--max-iterations", "--completion-promise", "--hitl-threshold", "--base-branch", "--with-judge",
        "--milestone-every", "--structured-memory", "--force-max", "--preset", "--replace",
    ] {
        assert!(help.stdout.contains(flag), "{flag} is not in the help");
    }
}
