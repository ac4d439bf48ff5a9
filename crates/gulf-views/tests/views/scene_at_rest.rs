//! A loop at rest, for every reason that there is; apart, because each reason has a story before it.

use crate::scene::*;
use gulf_engine::*;

impl Scene {
    /// At rest for this reason, after what leads to it.
    pub(crate) fn resting(reason: PauseReason) -> Scene {
        let settled = |settlement| Fact::Settled { settlement };
        let over = |turn: Turn, settlement| {
            Scene::sealed()
                .done(EffectKind::Turn, EffectResult::Turn(turn))
                .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("aaaaaaaaaaaa")))
                .then(settled(settlement))
        };
        let scene = match reason {
            PauseReason::Asked | PauseReason::Milestone | PauseReason::Research => Scene::honest(),
            PauseReason::HostLimit | PauseReason::Idle => Scene::honest().then(bound(Some("0199a213"))),
            PauseReason::NoVerdict => {
                Scene::sealed_as(judged_contract()).turn(Some(done()), "aaaaaaaaaaaa").passed()
            }
            PauseReason::HumanGate => three_times(Scene::sealed_as(judged_contract()), |scene| {
                let scene = scene.passed().done(EffectKind::Judge, EffectResult::Judge(rejected("f3f3")));
                scene.then(settled(Settlement::Refused { gate: Gate::Judge }))
            }),
            PauseReason::Question => {
                over(turn(Some(Claim::NeedDecision(question()))), Settlement::Questioned)
            }
            PauseReason::Denied => {
                let denial = |what: &str, times| Denial { what: what.into(), times };
                let denials = vec![denial("npx", 3), denial("git push", 1), denial("tool WebFetch", 1)];
                over(Turn { denials, ..turn(None) }, Settlement::Unclaimed)
            }
            PauseReason::NeedsPerson => {
                let outcome = TurnOutcome::NeedsPerson { why: "Invalid API key · Please run /login".into() };
                over(Turn { outcome, ..turn(None) }, Settlement::NeedsPerson)
            }
            PauseReason::Declined => {
                let outcome = TurnOutcome::Declined { why: "I can't help with that.\nMessage ID: 7".into() };
                over(Turn { outcome, ..turn(None) }, Settlement::Declined)
            }
            PauseReason::Step => Scene::sealed_as(planned_contract())
                .done(EffectKind::Step { step: Step::Plan }, EffectResult::Step(thought(StepWord::Said)))
                .done(
                    EffectKind::Step { step: Step::Criticize },
                    EffectResult::Step(thought(StepWord::Objected { objections: 2 })),
                ),
            PauseReason::TestsChanged => changed_tests(),
            PauseReason::Review => Scene::measured(2, 71_25),
            PauseReason::Stuck => three_times(Scene::sealed_as(asking_contract(10)), |scene| {
                let scene = scene.check("test", red("2 tests failed"));
                scene.then(settled(Settlement::Refused { gate: Gate::Checks }))
            }),
            PauseReason::Limit => Scene::sealed_as(asking_contract(1))
                .turn(Some(done()), "aaaaaaaaaaaa")
                .check("test", red("2 tests failed"))
                .then(settled(Settlement::Refused { gate: Gate::Checks })),
            PauseReason::ReadyToLand => {
                let why = "main is checked out in /work/shop, with changes to app.py".into();
                let word = LandingWord::NotReady { why };
                Scene::honest().done(EffectKind::Land, EffectResult::Landing(word))
            }
            PauseReason::TaskLimit => {
                Scene::sealed_as(listed(2)).turn(None, "aaaaaaaaaaaa").then(settled(Settlement::Unclaimed))
            }
            PauseReason::CheckCannotRun => {
                let scene =
                    Scene::sealed_as(contract()).probe("test", unrunnable()).probe("lint", green(None));
                let scene = scene.turn(Some(done()), "aaaaaaaaaaaa").check("test", unrunnable());
                scene.check("lint", green(None))
            }
            PauseReason::ReadyToClose => {
                let closing = Closing::NotReady { why: "a merge in progress in this checkout".into() };
                let scene = Scene::sealed_as(listed(2)).turn(Some(done()), "aaaaaaaaaaaa").passed();
                scene.done(EffectKind::Close, EffectResult::Closed { closing })
            }
        };
        scene.then(Fact::Paused { reason })
    }
}

/// Three claims, each with another candidate, that end in the same way.
fn three_times(scene: Scene, refused: impl Fn(Scene) -> Scene) -> Scene {
    let trees = ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "dddddddddddd"];
    trees.into_iter().fold(scene, |scene, tree| refused(scene.turn(Some(done()), tree)))
}

fn changed_tests() -> Scene {
    let finding = |what: &str| Finding { path: "tests/test_calc.py".into(), what: what.into() };
    let expected = ChangedPlace {
        path: "tests/test_calc.py".into(),
        old: vec!["    assert add(1, 2) == 3".into()],
        new: vec!["    assert add(1, 2) == '3'".into()],
    };
    let integrity = Integrity {
        findings: vec![finding("the test test_adds was changed")],
        base_tests_fail: true,
        expectations: vec![expected],
        ..Integrity::default()
    };
    let scene = Scene::sealed().turn(Some(done()), "aaaaaaaaaaaa").check("test", green(Some(13)));
    scene.check("lint", green(None)).done(EffectKind::Integrity, EffectResult::Integrity(integrity))
}
