//! A Ralph project's `status.json`: the whole table of its indicators, each measured on its own.

use crate::scene::{
    Scene, contract, done, facts, green, judged_contract, number, red, rejected, snapshot, turn, unrunnable,
};
use gulf_engine::*;
use gulf_views::ralph_status_json;
use serde_json::{Value, json};

/// What was measured of one candidate.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a row of a truth table")]
struct Row {
    tasks: bool,
    tests: bool,
    errors: bool,
    build: bool,
    issues: bool,
    signal: bool,
}

fn measured(row: Row) -> Value {
    let mut contract = judged_contract();
    contract.policy.gates.insert(0, Gate::Tasks);
    contract.policy.stuck.same_candidate_max = number(9);
    let worked = turn(row.signal.then(done));
    let outcome = if row.errors { worked.outcome } else { TurnOutcome::Failed { exit: Some(1) } };
    let tasks = Some(TaskTally { open: u32::from(!row.tasks), ticked: 3, missing: 0 });
    let counted_red = CheckRun { tests: None, ..red("") };
    let scene = Scene::sealed_as(contract)
        .done(EffectKind::Turn, EffectResult::Turn(Turn { outcome, ..worked }))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(Snapshot { tasks, ..snapshot("aaaaaaaaaaaa") }))
        .check("test", if row.tests { green(Some(3)) } else { red("") })
        .check("lint", if row.build { green(None) } else { counted_red });
    let scene =
        if row.issues { scene } else { scene.done(EffectKind::Judge, EffectResult::Judge(rejected("r"))) };
    ralph_status_json(&facts(), &scene.history, &scene.state)
}

// proves: K3
#[test]
fn every_indicator_says_what_was_measured_and_nothing_else() {
    for bits in 0..64_u32 {
        let bit = |place: u32| bits & (1 << place) != 0;
        let row = Row {
            tasks: bit(0),
            tests: bit(1),
            errors: bit(2),
            build: bit(3),
            issues: bit(4),
            signal: bit(5),
        };
        let status = measured(row);
        let expected = json!({
            "all_tasks_checked": row.tasks,
            "tests_passing": row.tests,
            "no_errors": row.errors,
            "build_successful": row.build,
            "no_pending_issues": row.issues,
        });
        assert_eq!(status["completion_indicators"], expected, "{bits:06b}");
        assert_eq!(status["EXIT_SIGNAL"], json!(row.signal), "{bits:06b}");
        assert_eq!(status["loop_count"], json!(1));
    }
}

// proves: K3
#[test]
fn what_was_not_measured_is_not_true_and_a_check_that_cannot_run_is_an_error() {
    let none = ralph_status_json(&facts(), &Scene::sealed().history, &Scene::sealed().state);
    let keys: Vec<&String> = none.as_object().into_iter().flatten().map(|(key, _)| key).collect();
    assert_eq!(keys, ["EXIT_SIGNAL", "completion_indicators", "last_activity", "loop_count", "session_id"]);
    let indicators = none["completion_indicators"].as_object().unwrap();
    assert_eq!(indicators.len(), 5);
    assert!(indicators.values().all(|value| *value == json!(false)), "{none:#}");

    let half = Scene::sealed_as(contract()).turn(None, "aaaaaaaaaaaa").check("test", green(Some(3)));
    let status = ralph_status_json(&facts(), &half.history, &half.state);
    assert_eq!(status["completion_indicators"]["tests_passing"], json!(false), "lint has not spoken");
    let broken = half.check("lint", unrunnable());
    let status = ralph_status_json(&facts(), &broken.history, &broken.state);
    let said = &status["completion_indicators"];
    assert_eq!((&said["no_errors"], &said["tests_passing"]), (&json!(false), &json!(true)), "{status:#}");

    let asks = Claim::NeedDecision(crate::scene::question());
    let asking = Scene::sealed_as(contract()).turn(Some(asks), "aaaaaaaaaaaa");
    let status = ralph_status_json(&facts(), &asking.history, &asking.state);
    assert_eq!(status["completion_indicators"]["no_pending_issues"], json!(false));
    assert_eq!(status["EXIT_SIGNAL"], json!(false));
}
