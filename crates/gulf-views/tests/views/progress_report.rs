//! A loop in the words of the design of ralph: its report of progress.

use crate::golden;
use crate::scene::{Scene, facts};
use gulf_engine::{PauseReason, Work};
use gulf_views::{Driver, progress_report};

// proves: A8, A8/iteration, A8/task, A8/phase, A8/result, A8/issues, A8/next
#[test]
fn the_report_of_progress_has_the_seeds_fields() {
    let told = |scene: Scene| progress_report(&facts(), &scene.history, &scene.state, Driver::Present);
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
    let (scene, _) = Scene::sealed().begun(Work::Turn);
    let told = |driver| progress_report(&facts(), &scene.history, &scene.state, driver);
    assert!(told(Driver::Present).contains("- Next action: execute\n"));
    let alone = told(Driver::Absent);
    assert!(
        alone.contains("- Next action: escalate (it was interrupted: `gulf resume` goes on)\n"),
        "{alone}"
    );
}
