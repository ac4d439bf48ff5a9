//! A loop in the words of the design of ralph: its report of progress.

use crate::golden;
use crate::scene::{Scene, contract, facts, listed, snapshot, turn};
use gulf_engine::*;
use gulf_views::{DriverPresence, Facts, progress_report};

// proves: A8, A8/iteration, A8/task, A8/phase, A8/result, A8/issues, A8/next
#[test]
fn the_report_of_progress_has_the_seeds_fields() {
    let told =
        |scene: Scene| progress_report(&facts(), &scene.history, &scene.state, DriverPresence::Present);
    let gate = PauseReason::HumanGate;
    let scenes = [Scene::sealed(), Scene::resting(PauseReason::Stuck), Scene::resting(PauseReason::Question)];
    golden!(
        "progress_report",
        scenes.into_iter().chain([Scene::resting(gate)]).map(told).collect::<Vec<_>>().join("\n")
    );
}

// proves: A8/next
#[test]
fn whoever_is_gone_does_not_go_on_by_itself() {
    let (scene, _) = Scene::sealed().begun(EffectKind::Turn);
    let told = |driver| progress_report(&facts(), &scene.history, &scene.state, driver);
    assert!(told(DriverPresence::Present).contains("- Next action: execute\n"));
    let alone = told(DriverPresence::Absent);
    assert!(
        alone.contains("- Next action: escalate (it was interrupted: `gulf resume` goes on)\n"),
        "{alone}"
    );
}

// proves: A8/issues, A8/next
#[test]
fn what_is_open_in_a_list_is_an_issue_and_a_standstill_is_a_persons() {
    let facts = Facts { preset: Some(String::from("tasks")), ..facts() };
    let told = |scene: &Scene| progress_report(&facts, &scene.history, &scene.state, DriverPresence::Absent);
    let report = told(&Scene::sealed_as(listed(3)));
    assert!(report.contains(" (tasks)\n") && report.contains("- Open issues: 3 of 3 tasks\n"), "{report}");
    let mut contract = contract();
    contract.policy.gates.insert(0, Gate::Tasks);
    let tasks = Some(TaskTally { open: 1, ticked: 3, missing: 1 });
    let scene = Scene::sealed_as(contract)
        .done(EffectKind::Turn, EffectResult::Turn(turn(None)))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(Snapshot { tasks, ..snapshot("aaaaaaaaaaaa") }));
    assert!(told(&scene).contains("- Open issues: 2 open in the list of tasks\n"), "{}", told(&scene));
    let stalled = scene.then(Fact::Finished { end: End::Stalled { by: Stall::SameFailure } });
    assert!(told(&stalled).contains("- Next action: escalate\n"), "{}", told(&stalled));
}
