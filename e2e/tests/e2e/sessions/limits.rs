//! What a host does against hooks that keep it going, and that a loop never seems to be over by it.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::Value;

use super::{HOSTS, Host, Scene, promise};
use crate::{GOAL, RIGHT};

/// A model that talks and does nothing.
fn talks(_: &Sandbox) -> Script {
    let mut number = 0;
    Script::answer(move |_| {
        number += 1;
        Reply::text(format!("I am still thinking, for the {number}th time."))
    })
}

fn start() -> String {
    format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}")
}

fn pauses(scene: &Scene) -> Vec<Value> {
    let paused = scene.sandbox.only_loop().facts_of("paused");
    paused.into_iter().map(|mut fact| fact["reason"].take()).collect()
}

/// Whenever the loop rests, its person lets it go on.
fn check_thirty_stops(host: Host) {
    let Some(scene) = Scene::with(host, &Sample::shell(), talks) else { return };
    let said = scene.say(&start());
    let session = said.session();
    said.finished.expect_exit(0);
    while scene.server.model_calls().len() < 30 {
        let (asked, rests) = (scene.server.model_calls().len(), pauses(&scene).len());
        scene.say_again(&session, "/gulf-loop:resume").finished.expect_exit(0);
        assert!(scene.server.model_calls().len() > asked, "the loop did not go on");
        assert_eq!(pauses(&scene).len(), rests + 1, "{host:?} ended the turn without the loop's knowledge");
    }
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.end(), None);
    assert_eq!(kept.turns().len(), scene.server.model_calls().len(), "a stop was not counted once");
    assert_eq!(pauses(&scene), ["idle"; 4]);
    scene.close();
}

#[test]
fn thirty_stops_without_tools_end_nothing() {
    for host in one_in_turn(HOSTS) {
        check_thirty_stops(host);
    }
}

/// A worker that does something in each iteration, and is done in the twelfth.
fn works(_: &Sandbox) -> Script {
    let tries = (1..=11).flat_map(|number| {
        [Reply::shell(&format!("echo {number} > try-{number}.txt")), Reply::text("A step further.")]
    });
    let done = [Reply::shell("echo right > value.txt"), promise()];
    tries.chain(done).fold(Script::new(), Script::step)
}

fn check_twelve_iterations(host: Host, rests: usize) {
    let Some(scene) = Scene::with(host, &Sample::shell(), works) else { return };
    let said = scene.say(&start());
    let session = said.session();
    said.finished.expect_exit(0);
    for number in 1..=rests {
        assert_eq!(pauses(&scene), vec!["host-limit"; number]);
        scene.say_again(&session, "/gulf-loop:resume").finished.expect_exit(0);
    }
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert_eq!(kept.turns(), (1..=12).map(|iteration| (iteration, 1)).collect::<Vec<_>>());
    scene.close();
}

#[test]
fn a_session_works_twelve_iterations_at_a_stretch() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        check_twelve_iterations(host, 0);
    }
}

#[test]
fn copilot_rests_before_it_would_overrule_the_loop_and_goes_on_by_the_persons_word() {
    check_twelve_iterations(Host::Copilot, 1);
}

#[test]
fn a_cap_that_the_person_has_set_for_claude_is_known() {
    let Some(scene) = Scene::with(Host::Claude, &Sample::shell(), talks) else { return };
    let settings = scene.agents.claude_folder().join("settings.json");
    let mut set: Value = serde_json::from_str(&std::fs::read_to_string(&settings).unwrap()).unwrap();
    set["env"]["CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"] = "3".into();
    std::fs::write(&settings, set.to_string()).unwrap();
    scene.say(&start()).finished.expect_exit(0).says("/gulf-loop:resume");
    assert_eq!(pauses(&scene), ["host-limit"]);
    assert!(scene.server.model_calls().len() <= 4);
    scene.close();
}
