//! The steps of a plan that several workers do: how each looks as it goes, and where all of them stand.

use crate::lines::check;
use crate::scene::{Scene, dirty, facts};
use gulf_engine::*;
use gulf_views::{DriverPresence, Look, Palette, Summary, result, status_json};

fn told(id: &str, word: PartWord) -> Fact {
    Fact::PartTold { id: id.into(), word }
}

fn divided(scene: Scene) -> Scene {
    let part = |id: &str, title: &str| Part { id: id.into(), title: title.into() };
    let parts = vec![part("S1", "the parser"), part("S2", "문서"), part("S3", "the command")];
    scene.then(Fact::Divided { parts, why: String::new() })
}

// proves: A1/parallel
#[test]
fn each_step_has_a_line_when_it_begins_and_when_it_ends() {
    let turn = || Scene::sealed().begun(EffectKind::Turn).0;
    let why = "the plan has one step".to_owned();
    check(
        turn(),
        Fact::Divided { parts: Vec::new(), why },
        "a single worker does all of it: the plan has one step",
    );
    let scene = divided(turn());
    check(scene.clone(), told("S1", PartWord::Begun), "step S1 begins");
    check(scene.clone(), told("S1", PartWord::Joined), "step S1 is joined");
    let out = PartWord::LeftOut { why: "it conflicts: cli.rs\nand more".into() };
    check(scene, told("S2", out), "step S2 is left out: it conflicts: cli.rs");
}

// proves: A1/parallel
#[test]
fn where_the_steps_stand_is_on_the_screen_and_in_json() {
    let scene = divided(Scene::sealed().begun(EffectKind::Turn).0)
        .then(told("S1", PartWord::Begun))
        .then(told("S2", PartWord::Begun))
        .then(told("S1", PartWord::Joined))
        .then(told("S2", PartWord::LeftOut { why: "it conflicts".into() }))
        .then(told("S9", PartWord::Begun));
    let document = status_json(&facts(), &scene.history, &scene.state, DriverPresence::Present);
    let states: Vec<_> = document["parts"].as_array().unwrap().iter().map(|part| &part["state"]).collect();
    assert_eq!(states, ["joined", "left-out", "pending"]);
    assert_eq!(document["parts"][1]["why"], "it conflicts");
    let screen = result(&scene.summary(), Look::terminal(Palette::Plain, 80));
    let steps = "steps of the plan\n  joined S1: the parser\n  stays out S2: 문서: it conflicts\n  pending S3: the command\n";
    assert!(screen.contains(steps), "{screen}");
    assert!(!screen.contains("the steps left out were covered"), "nothing is over yet: {screen}");
}

// proves: A1/parallel, B11
#[test]
fn a_step_whose_process_is_gone_is_not_at_work() {
    let scene = divided(Scene::sealed().begun(EffectKind::Turn).0).then(told("S1", PartWord::Begun));
    let at_work = |driver| {
        let summary = Summary::new(&facts(), &scene.history, &scene.state, driver, &dirty());
        result(&summary, Look::terminal(Palette::Plain, 80))
    };
    assert!(at_work(DriverPresence::Present).contains("at work S1: the parser"));
    assert!(at_work(DriverPresence::Absent).contains("cut off S1: the parser"));
}

// proves: A1/parallel, B11
#[test]
fn that_somebody_else_did_a_step_which_stayed_out_is_not_proven() {
    let out = PartWord::LeftOut { why: "it conflicts".into() };
    let scene = divided(Scene::honest()).then(told("S2", out));
    let scene = scene.finished(End::Verified { proofs: vec![Proof::Criterion] });
    let screen = result(&scene.summary(), Look::terminal(Palette::Plain, 80));
    let unproven = "that the steps left out were covered by later ones: S2: 문서";
    assert!(screen.contains(unproven), "{screen}");
}

// proves: A1/parallel, B11
#[test]
fn why_one_worker_did_it_all_is_on_the_screen_and_in_json() {
    let why = "no answer of the planner's was a list of steps".to_owned();
    let scene =
        Scene::sealed().begun(EffectKind::Turn).0.then(Fact::Divided { parts: Vec::new(), why: why.clone() });
    let screen = result(&scene.summary(), Look::terminal(Palette::Plain, 80));
    assert!(screen.contains(&format!("steps of the plan\n  done by one worker: {why}\n")), "{screen}");
    let document = status_json(&facts(), &scene.history, &scene.state, DriverPresence::Present);
    assert_eq!(document["undivided"], why);
    assert_eq!(
        result(&divided(scene).summary(), Look::terminal(Palette::Plain, 80))
            .matches("done by one worker")
            .count(),
        0
    );
}
