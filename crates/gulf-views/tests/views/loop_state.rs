//! A loop's state file in the words of the design of ralph and autopilot.

use crate::golden;
use crate::scene::{Scene, done, facts, planned_contract, red, thought};
use gulf_engine::*;
use gulf_views::{Facts, ralph_state};

// proves: A2, A1/tracking
#[test]
fn the_state_file_has_the_seeds_fields_and_a_line_for_all_that_is_over() {
    let step = |step| EffectKind::Step { step };
    let said = |word| EffectResult::Step(thought(word));
    let missing = StepWord::Incomplete { missing: vec!["FEASIBILITY".into()] };
    let refused = |gate| Fact::Settled { settlement: Settlement::Refused { gate } };
    let thinking = Scene::sealed_as(planned_contract())
        .done(step(Step::Plan), said(StepWord::Said))
        .done(step(Step::Criticize), said(missing))
        .done(step(Step::Criticize), said(StepWord::Said));
    let working = thinking
        .clone()
        .turn(Some(done()), "aaaaaaaaaaaa")
        .check("test", red("2 tests failed"))
        .then(refused(Gate::Checks));
    let told = |scene: &Scene| ralph_state(&facts(), &scene.history, &scene.state);
    let judged = Scene::resting(PauseReason::HumanGate);
    let with_prd = Facts { prd: Some("docs/요구 사항.md".into()), ..facts() };
    let ended = Scene::honest().finished(End::Cancelled);
    let texts = [
        told(&Scene::sealed()),
        told(&thinking),
        told(&working),
        told(&judged),
        ralph_state(&with_prd, &ended.history, &ended.state),
    ];
    golden!("loop_state", texts.join("\n"));
}
