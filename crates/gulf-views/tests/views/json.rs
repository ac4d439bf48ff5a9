//! The public JSON forms: golden files, because they are an API.

use crate::golden;
use crate::scene::{self, Scene, contract, done, ends, facts, green, red, snapshot, turn};
use gulf_engine::*;
use gulf_views::{
    CheckoutChange, DriverPresence, EVENT_VERSION, Facts, History, JournalHead, Look, NoteFacts, Receipt,
    STATE_BYTES_MAX, end_json, event_json, result, state_json, status_json,
};
use serde_json::{Value, json};

fn verified() -> End {
    End::Verified { proofs: vec![Proof::BaseRed { check: CheckName::new("test") }] }
}

fn status(scene: &Scene, driver: DriverPresence) -> Value {
    status_json(&facts(), &scene.history, &scene.state, driver)
}

fn state(scene: &Scene) -> Value {
    state_json(&facts(), &scene.history, &scene.state)
}

fn receipt(scene: &Scene, facts: &Facts) -> Option<Receipt> {
    let journal = JournalHead { sequence: scene.history.sequence, digest: Digest::new("4ead4ead") };
    Receipt::new(facts, "0.1.0", journal, &scene.history, &scene.state)
}

#[test]
fn an_event_line_is_the_journals_own() {
    let scene = Scene::honest().finished(verified());
    let lines: Vec<String> = scene.events.iter().map(|event| event_json(event).to_string()).collect();
    golden!("events_json", lines.join("\n"));
    for (line, event) in lines.iter().zip(&scene.events) {
        let mut parsed: Value = serde_json::from_str(line).unwrap();
        assert_eq!(parsed["v"], EVENT_VERSION);
        assert_eq!(&serde_json::from_value::<Event>(parsed["event"].take()).unwrap(), event);
    }
}

#[test]
fn a_status_has_the_seeds_six_fields_and_ours() {
    golden!("status_running_json", format!("{:#}", status(&Scene::honest(), DriverPresence::Present)));
    let finished = Scene::honest().finished(verified());
    golden!("status_verified_json", format!("{:#}", status(&finished, DriverPresence::Absent)));
    let unsealed = status(&Scene::default(), DriverPresence::Absent);
    assert_eq!((&unsealed["iteration"], &unsealed["limits"]), (&Value::from(0), &Value::Null));
}

#[test]
fn converged_means_verified_and_nothing_else() {
    for (name, end) in ends() {
        let status = status(&Scene::honest().finished(end), DriverPresence::Absent);
        assert_eq!(status["converged"], name == "verified", "{name}");
        assert_eq!(status["running"], false, "{name}");
    }
    let paused = Scene::honest().then(Fact::Paused { reason: PauseReason::HumanGate });
    let status = status(&paused, DriverPresence::Present);
    assert_eq!(status["running"], false, "a paused loop rests, even if its driver still lives");
    assert_eq!((&status["pause"], &status["phase"]), (&"human-gate".into(), &"review".into()));
}

// proves: B15
#[test]
fn what_the_worker_notes_is_shown_in_one_line_and_kept_whole_for_programs() {
    let note = NoteFacts { iteration: 2, text: "\u{1b}[2Jhalf\n반쯤".into(), at_ms: 1_770_993_000_000 };
    let (scene, facts) = (Scene::sealed().begun(EffectKind::Turn).0, Facts { note: Some(note), ..facts() });
    let status = status_json(&facts, &scene.history, &scene.state, DriverPresence::Present);
    let wanted = json!({ "iteration": 2, "text": "\u{1b}[2Jhalf\n반쯤", "at": "2026-02-13T14:30:00Z" });
    assert_eq!(status["note"], wanted);
    let screen = result(&scene.summary_of(&facts, &CheckoutChange::Clean), Look::piped());
    let line = screen.lines().find(|line| line.starts_with("the worker notes: ")).unwrap();
    assert!(line.ends_with("half 반쯤") && !line.contains('\u{1b}'), "{line:?}");
}

// proves: L8
#[test]
fn the_state_file_has_the_seeds_own_field_names() {
    let state = state(&Scene::honest().finished(verified()));
    golden!("state_json", format!("{state:#}"));
    let seed = ["spec_id", "phase", "iteration", "max_iterations", "feedback", "started_at", "updated_at"];
    assert!(seed.iter().all(|name| state.get(name).is_some()));
    let seed = ["phase", "iteration", "tests_passed", "tests_failed", "lint_errors", "build_success"];
    let entry = &state["feedback"][0];
    assert!(seed.iter().chain(&["coverage", "duration", "notes"]).all(|name| entry.get(name).is_some()));
}

#[test]
fn what_nobody_measured_is_null_and_never_zero() {
    let scene = Scene::sealed().turn(None, "aaaaaaaaaaaa");
    let state = state(&scene);
    let entry = &state["feedback"][0];
    for unknown in ["tests_passed", "tests_failed", "lint_errors", "build_success", "coverage"] {
        assert_eq!(entry[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(entry["phase"], "test");
    assert_eq!(entry["duration"], 12_300_000_000_u64, "nanoseconds");
    let never = state_json(&facts(), &History::default(), &State::default());
    assert_eq!((&never["started_at"], &never["feedback"]), (&Value::Null, &Value::Array(Vec::new())));
}

#[test]
fn a_remembered_word_counts_again_on_the_same_tree() {
    let refused = Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } };
    let scene = Scene::sealed()
        .turn(Some(done()), "aaaaaaaaaaaa")
        .check("test", red("tests::adds"))
        .check("lint", green(None))
        .then(refused.clone())
        .turn(Some(done()), "aaaaaaaaaaaa")
        .then(refused);
    let state = state(&scene);
    assert_eq!(state["feedback"][1]["tests_failed"], 1);
    assert_eq!(state["feedback"][1]["duration"], 12_300_000_000_u64, "the checks did not run again");
}

#[test]
fn a_word_spoken_in_other_surroundings_is_forgotten() {
    let attached = Fact::Attached { driver: "run".into(), environment: Digest::new("e1e1e1e1") };
    let scene = Scene::sealed().turn(Some(done()), "aaaaaaaaaaaa").check("test", green(Some(3)));
    let elsewhere = scene.clone().then(attached.clone()).finished(End::Cancelled);
    assert_eq!(elsewhere.summary().checks[0].candidate, None);
    let settled = Fact::Settled { settlement: Settlement::Unclaimed };
    let again = scene.then(settled).then(attached).turn(None, "aaaaaaaaaaaa");
    assert_eq!(again.summary().checks[0].candidate, None);
    assert_eq!(state(&again)["feedback"][0]["tests_passed"], 3, "what was said then, was said");
}

#[test]
fn notes_tell_what_came_of_each_iteration() {
    let settled = |settlement| Fact::Settled { settlement };
    let failed = Turn { outcome: TurnOutcome::Failed { exit: Some(3) }, ..turn(None) };
    let late = Turn { outcome: TurnOutcome::TimedOut, ..turn(None) };
    let snapshot = || EffectResult::Snapshot(snapshot("000000000000"));
    let scene = Scene::sealed_as(scene::listed(2))
        .done(EffectKind::Turn, EffectResult::Turn(failed))
        .done(EffectKind::Snapshot, snapshot())
        .then(settled(Settlement::AgentFailed))
        .done(EffectKind::Turn, EffectResult::Turn(late))
        .done(EffectKind::Snapshot, snapshot())
        .then(settled(Settlement::Research))
        .turn(Some(done()), "aaaaaaaaaaaa")
        .check("test", scene::unrunnable())
        .then(settled(Settlement::Refused { gate: Gate::Checks }))
        .turn(None, "bbbbbbbbbbbb")
        .then(settled(Settlement::Unclaimed))
        .turn(Some(done()), "dddddddddddd")
        .done(EffectKind::Close, EffectResult::Closed { closing: scene::committed() })
        .then(Fact::UnitFinished { end: verified() })
        .begun(EffectKind::Turn)
        .0;
    let state = state(&scene);
    let notes: Vec<&str> =
        state["feedback"].as_array().unwrap().iter().map(|entry| entry["notes"].as_str().unwrap()).collect();
    golden!("notes", notes.join("\n"));
}

#[test]
fn words_are_remembered_within_the_same_surroundings_and_across_attempts() {
    let attached = || Fact::Attached { driver: "run".into(), environment: Digest::new("e1e1e1e1") };
    let passed = |scene: &Scene| scene.summary().checks[0].candidate.is_some();
    let moved = Scene::sealed()
        .turn(None, "aaaaaaaaaaaa")
        .then(attached())
        .check("test", green(Some(3)))
        .then(Fact::Settled { settlement: Settlement::Unclaimed })
        .turn(None, "aaaaaaaaaaaa");
    assert!(passed(&moved), "said after the move, so it holds after the move");
    let failed = Scene::sealed()
        .turn(None, "aaaaaaaaaaaa")
        .check("test", green(Some(3)))
        .then(Fact::Settled { settlement: Settlement::AgentFailed });
    assert!(passed(&failed.clone().turn(None, "aaaaaaaaaaaa")), "another attempt, the same surroundings");
    assert!(!passed(&failed.then(attached()).turn(None, "aaaaaaaaaaaa")), "another attempt elsewhere");
}

/// A state file over so many iterations, each with this summary of a red check.
fn check_size(iterations: u32, summary: &str) {
    let settled = Fact::Settled { settlement: Settlement::Refused { gate: Gate::Checks } };
    let mut contract = contract();
    contract.policy.limits.iterations_max = scene::number(iterations);
    let mut scene = Scene::sealed_as(contract);
    for index in 0..iterations {
        scene = scene
            .turn(Some(done()), &format!("{index:012}"))
            .check("test", red(summary))
            .then(settled.clone());
    }
    let facts = Facts { spec_id: "가".repeat(500_000), ..facts() };
    let state = state_json(&facts, &scene.history, &scene.state);
    let bytes = format!("{state:#}").len();
    assert!(bytes <= STATE_BYTES_MAX, "{bytes} bytes");
    assert!(bytes > STATE_BYTES_MAX - 50_000, "{bytes} bytes: more of the history would have fitted");
    let kept = state["feedback"].as_array().map(Vec::as_slice).unwrap_or_default();
    assert_eq!(kept[kept.len() - 1]["iteration"], iterations, "the newest stays");
    assert_eq!(state["feedback_dropped"], iterations as usize - kept.len());
    assert_eq!(kept[0]["iteration"], iterations as usize + 1 - kept.len());
}

// proves: L8
#[test]
fn a_state_file_stays_within_a_megabyte_and_says_what_is_missing() {
    check_size(700, &"\"가\"\n".repeat(2_000));
    check_size(4_000, "");
}

#[test]
fn every_end_has_a_json_form_that_names_the_next_command() {
    let scene = Scene::honest().finished(verified());
    golden!("end_verified_json", format!("{:#}", end_json(&scene.summary())));
    let paused = Scene::honest().then(Fact::Paused { reason: PauseReason::HumanGate });
    golden!("end_paused_json", format!("{:#}", end_json(&paused.summary())));
    for (name, end) in ends() {
        let document = end_json(&Scene::honest().finished(end.clone()).summary());
        assert_eq!(document["version"], 1, "{name}");
        assert_eq!(document["exit_code"], end.exit_code(), "{name}");
        assert_eq!(document["standing"], end.word(), "{name}");
        assert!(document["next"][0]["command"].as_str().is_some_and(|command| !command.is_empty()), "{name}");
    }
    let interrupted = end_json(&Scene::sealed().summary());
    assert_eq!((&interrupted["exit_code"], &interrupted["end"]), (&130.into(), &Value::Null));
}

#[test]
fn a_receipt_holds_what_a_stranger_needs() {
    let scene = Scene::honest().finished(verified());
    let receipt = receipt(&scene, &facts()).unwrap();
    let printed = serde_json::to_string_pretty(&receipt).unwrap();
    golden!("receipt_json", printed);
    assert_eq!(serde_json::from_str::<Receipt>(&printed).unwrap(), receipt);
}

#[test]
fn a_receipt_tells_gates_that_were_not_asked_and_what_was_found() {
    let mut judged = contract();
    judged.policy.gates = vec![Gate::Checks, Gate::Integrity, Gate::Judge];
    let found = Scene::sealed_as(judged.clone())
        .turn(Some(done()), "aaaaaaaaaaaa")
        .done(EffectKind::Integrity, EffectResult::Integrity(scene::findings()))
        .finished(End::Violated);
    let facts = Facts { checks: Default::default(), ..facts() };
    let printed = serde_json::to_string_pretty(&receipt(&found, &facts).unwrap()).unwrap();
    golden!("receipt_violated_json", printed);
    let early = receipt(&Scene::sealed_as(judged).finished(End::Cancelled), &facts).unwrap();
    assert_eq!((early.candidate, early.findings), (None, Vec::new()));
}

#[test]
fn a_loop_that_has_not_ended_has_no_receipt() {
    assert_eq!(receipt(&Scene::honest(), &facts()), None);
}

#[test]
fn a_history_is_the_same_fold_at_once_or_event_by_event() {
    let scene = Scene::honest().finished(verified());
    let mut twice = History::fold(&scene.events);
    assert_eq!(twice, scene.history);
    scene.events.iter().for_each(|event| twice.apply(event));
    assert_eq!(twice, scene.history, "an event that was seen changes nothing");
}
