//! What was measured: a line, a table, JSON and the seed's words for what follows.

use crate::golden;
use crate::scene::*;
use gulf_engine::*;
use gulf_views::{
    DriverPresence, Facts, FeedbackAction, Look, Palette, Trend, TrendDirection, collected, feedback_json,
    feedback_rows, feedback_table, result, state_json,
};
use serde_json::Value;

fn told(by: &str, notes: &str) -> Fact {
    let feedback = Feedback {
        phase: Phase::Review,
        iteration: 1,
        tests_passed: Some(40),
        tests_failed: Some(0),
        lint_errors: None,
        build_success: None,
        coverage_bp: Some(9_000),
        duration_ms: 60_000,
    };
    Fact::FeedbackTold { told: RecordedFeedback { by: by.into(), feedback, notes: notes.into() } }
}

/// Measured, reviewed with a word from outside, then as it should be.
fn reviewed() -> Scene {
    let well = |passed| CheckRun { lint_errors: Some(0), coverage_bp: Some(9_150), ..green(passed) };
    Scene::measured(3, 7_125)
        .then(Fact::Paused { reason: PauseReason::Review })
        .then(told("빌드 서버\u{1b}[31m", "nightly\nmore"))
        .then(Fact::Resumed)
        .then(Fact::Settled { settlement: Settlement::Unclaimed })
        .turn(None, "bbbbbbbbbbbb")
        .check("test", well(Some(14)))
        .check("lint", well(None))
        .done(EffectKind::Integrity, EffectResult::Integrity(Integrity::default()))
        .finished(End::Verified { proofs: vec![Proof::BaseRed { check: CheckName::new("test") }] })
}

// proves: L1, L3, REQ-FB-001, REQ-FB-002
#[test]
fn the_history_of_what_was_measured_and_told() {
    let scene = reviewed();
    let rows = feedback_rows(&scene.history, &scene.state);
    golden!("feedback_table", feedback_table(&rows, Look::terminal(Palette::Plain, 80)));
    golden!("feedback_table_narrow", feedback_table(&rows, Look::terminal(Palette::Colour, 40)));
    let json = feedback_json(&facts(), &scene.history, &scene.state, DriverPresence::Absent);
    golden!("feedback_json", format!("{json:#}"));
    golden!("result_measured", result(&scene.summary(), Look::terminal(Palette::Plain, 80)));
}

#[test]
fn whether_a_loop_is_getting_nearer_is_told_by_what_was_counted() {
    let trend = |scene: &Scene| {
        Trend::from_history(&scene.history, &scene.state).map(|trend| (trend.direction, trend.word))
    };
    let failing = |failed: u32| TestCounts { passed: 11, failed, skipped: 0 };
    let again = |scene: Scene, tree: &str, failed: u32, lint: u32| {
        let linted = CheckRun { lint_errors: Some(lint), tests: None, ..red("") };
        let tested = CheckRun { tests: Some(failing(failed)), coverage_bp: Some(7_125), ..red("") };
        let scene = scene.then(Fact::Paused { reason: PauseReason::Review }).then(Fact::Resumed);
        let settled = scene.then(Fact::Settled { settlement: Settlement::Unclaimed });
        settled.turn(None, tree).check("test", tested).check("lint", linted)
    };
    let scene = Scene::measured(8, 7_125);
    assert_eq!(trend(&scene), None, "one iteration is no trend");
    let scene = again(scene, "bbbbbbbbbbbb", 4, 2);
    assert_eq!(trend(&scene), Some((TrendDirection::Nearer, "nearer: failing tests 8 → 4".into())));
    let scene = again(scene, "cccccccccccc", 5, 2);
    assert_eq!(trend(&scene), Some((TrendDirection::Further, "further away: failing tests 4 → 5".into())));
    let scene = again(scene, "dddddddddddd", 5, 2);
    assert_eq!(trend(&scene), Some((TrendDirection::Same, "no nearer for 2 iterations".into())));
    let scene = again(scene, "eeeeeeeeeeee", 5, 1);
    assert_eq!(trend(&scene), Some((TrendDirection::Nearer, "nearer: lint errors 2 → 1".into())));
}

// proves: L4, L6
#[test]
fn whoever_reviews_is_told_how_long_no_number_became_better() {
    let mut scene = Scene::measured(3, 7_125);
    let said = |scene: &Scene| {
        let table = feedback_table(&feedback_rows(&scene.history, &scene.state), Look::piped());
        table.lines().find(|line| line.starts_with("no number")).map(str::to_owned)
    };
    for (place, tree) in ["bbbbbbbbbbbb", "cccccccccccc"].into_iter().enumerate() {
        assert_eq!(said(&scene), None, "{place} in a row");
        let red = scene.state.unit.words.values().next().unwrap().checks.clone();
        scene = scene.then(Fact::Paused { reason: PauseReason::Review }).then(Fact::Resumed);
        scene = scene.then(Fact::Settled { settlement: Settlement::Unclaimed }).turn(None, tree);
        scene = red.into_iter().fold(scene, |scene, (name, run)| scene.check(name.as_str(), run));
    }
    assert_eq!(said(&scene).as_deref(), Some("no number became better in the last 2 iterations"));
    let over = scene.finished(End::Stalled { by: Stall::Plateau });
    assert_eq!(said(&over), None, "the end says it");
}

// proves: L5, REQ-DE-001, REQ-DE-002
#[test]
fn what_follows_is_said_in_the_seeds_four_words() {
    let decided = |scene: &Scene| {
        let decision = feedback_rows(&scene.history, &scene.state).pop().unwrap().decision.unwrap();
        (decision.action, decision.next_phase, decision.converged)
    };
    let analyze = Some(Phase::Analyze);
    let settled = Scene::measured(3, 1).then(Fact::Settled { settlement: Settlement::Unclaimed });
    assert_eq!(decided(&settled), (FeedbackAction::Continue, analyze, false));
    let paused = Scene::measured(3, 1).then(Fact::Paused { reason: PauseReason::Review });
    assert_eq!(decided(&paused), (FeedbackAction::RequestReview, analyze, false));
    assert_eq!(decided(&reviewed()), (FeedbackAction::Converge, None, true));
    let ended = |end| decided(&Scene::measured(3, 1).finished(end));
    let plateau = End::Stalled { by: Stall::Plateau };
    assert_eq!(ended(plateau), (FeedbackAction::Converge, None, false), "a plateau is no success");
    for (_, end) in ends()
        .into_iter()
        .filter(|(_, end)| end.exit_code() > 3 && *end != End::Stalled { by: Stall::Plateau })
    {
        assert_eq!(ended(end), (FeedbackAction::Abort, None, false));
    }
    let under_way = Scene::measured(3, 1);
    assert_eq!(feedback_rows(&under_way.history, &under_way.state)[0].decision, None);
}

// proves: L8, REQ-FB-002, REQ-PERSIST-004
#[test]
fn the_seeds_state_holds_what_was_told_beside_what_was_measured() {
    let scene = reviewed();
    let state = state_json(&facts(), &scene.history, &scene.state);
    let entry = |place: usize| &state["feedback"][place];
    assert_eq!((&entry(0)["coverage"], &entry(0)["lint_errors"]), (&Value::from(71.25), &Value::from(2)));
    assert_eq!(entry(0)["told_by"], Value::Null);
    assert_eq!((&entry(1)["coverage"], &entry(1)["tests_passed"]), (&Value::from(90.0), &Value::from(40)));
    assert!(entry(1)["told_by"].as_str().unwrap().starts_with("빌드 서버"));
    assert_eq!(entry(2)["build_success"], true);
}

#[test]
fn half_of_what_was_counted_is_not_taken_for_all_of_it() {
    let Fact::FeedbackTold { told } = told("ci", "") else { unreachable!() };
    let of = |tests_passed, tests_failed| {
        let numbers = Feedback { tests_passed, tests_failed, coverage_bp: None, ..told.feedback };
        collected(&numbers, true, Look::piped()).trim_end().replace("thresholds met: ", "")
    };
    assert_eq!(of(Some(40), Some(0)), "40 tests");
    assert_eq!(of(Some(40), Some(2)), "2 failed, 40 passed");
    assert_eq!(of(Some(40), None), "40 passed");
    assert_eq!(of(None, Some(0)), "0 failed");
    let mut told = told.clone();
    (told.feedback.duration_ms, told.feedback.tests_passed) = (0, None);
    let scene = Scene::measured(3, 7_125).then(Fact::FeedbackTold { told });
    let table = feedback_table(&feedback_rows(&scene.history, &scene.state), Look::piped());
    assert!(table.contains("–, told by ci"), "{table}");
}

#[test]
fn one_measurement_is_one_line() {
    let scene = Scene::measured(3, 7_125);
    let rows = feedback_rows(&scene.history, &scene.state);
    let line = collected(&rows[0].numbers, false, Look::piped());
    assert_eq!(
        line,
        "thresholds not met: 3 failed, 11 passed · 2 lint errors · build ok · coverage 71.25 %\n"
    );
    let nothing = Scene::sealed().turn(None, "aaaaaaaaaaaa");
    let rows = feedback_rows(&nothing.history, &nothing.state);
    assert_eq!(
        collected(&rows[0].numbers, false, Look::piped()),
        "thresholds not met: nothing was measured\n"
    );
}

// proves: L8, REQ-PERSIST-004
#[test]
fn whatever_people_write_the_state_is_json_that_says_it_again() {
    for text in [
        "\"},{\"phase\":\"review\"}]}", "\\\" \\u0000 \\", "a\u{0}b\u{1f}\u{7f}\u{2028}", "줄\r\n바꿈\t🙂",
        "</script>{{ not }}",
    ] {
        let paused = Scene::measured(3, 7_125).then(Fact::Paused { reason: PauseReason::Review });
        let scene = paused.then(told(text, text));
        let facts = Facts { spec_id: text.to_owned(), ..facts() };
        let printed = format!("{:#}", state_json(&facts, &scene.history, &scene.state));
        let read: Value = serde_json::from_str(&printed).expect("it is JSON");
        let last = read["feedback"].as_array().and_then(|all| all.last()).unwrap();
        assert_eq!(
            (&read["spec_id"], &last["notes"], &last["told_by"]),
            (&text.into(), &text.into(), &text.into())
        );
    }
}
