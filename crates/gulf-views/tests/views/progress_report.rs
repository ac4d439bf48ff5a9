//! A loop in the words of the design of ralph: its report of progress.

use crate::golden;
use crate::scene::{Scene, facts};
use gulf_engine::PauseReason;
use gulf_views::progress_report;

// proves: A8, A8/iteration, A8/task, A8/phase, A8/result, A8/issues, A8/next
#[test]
fn the_report_of_progress_has_the_seeds_fields() {
    let told = |scene: Scene| progress_report(&facts(), &scene.history, &scene.state);
    let scenes = [Scene::sealed(), Scene::resting(PauseReason::Stuck), Scene::resting(PauseReason::Question)];
    golden!("progress_report", scenes.map(told).join("\n"));
}
