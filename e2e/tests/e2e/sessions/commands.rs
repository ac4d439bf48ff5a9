//! What a person types into a session: status, cancel, help and refused starts cost no request to the model.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::{Value, json};

use super::{HOSTS, Host, RESEARCH, Scene, promise};
use crate::real::{TO_JUDGE, met, rubric, unmet};
use crate::{GOAL, RIGHT};

/// Where a host shows its person what a hook has said instead of asking the model.
#[track_caller]
fn expect_free(scene: &Scene, session: &str, prompt: &str, words: &str) {
    let before = scene.server.model_calls().len();
    let said = scene.say_again(session, prompt);
    assert_eq!(scene.server.model_calls().len(), before, "{prompt} asked the model");
    match scene.host {
        Host::Claude => said.finished.expect_exit(0).says(words),
        // It tells nobody without a terminal.
        Host::Codex => said.finished.expect_exit(0),
        // It takes a prompt that was not passed on for a failure.
        Host::Copilot => said.finished.expect_exit(1).says(words),
    };
}

/// Pauses at once: the model says nothing that counts, and the first milestone is due.
fn resting(_: &Sandbox) -> Script {
    [Reply::shell(RESEARCH), Reply::text("I have looked at it.")]
        .into_iter()
        .fold(Script::new(), Script::step)
}

fn check_commands(host: Host) {
    let Some(scene) = Scene::with(host, &Sample::shell(), resting) else { return };
    let start = format!("/gulf-loop:start -m 1 --check '{RIGHT}' {GOAL}");
    let said = scene.say(&start);
    let session = said.session();
    said.finished.expect_exit(0);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.facts_of("paused"), [json!({"type": "paused", "reason": "milestone"})]);

    expect_free(&scene, &session, "/gulf-loop:status", "paused: review is due");
    let handle = crate::handle(&scene.sandbox);
    expect_free(&scene, &session, &start, &handle);
    expect_free(&scene, &session, "/gulf-loop:cancel", "cancelled");
    assert_eq!(kept.end().unwrap()["kind"], "cancelled");
    assert_eq!(scene.sandbox.loops().len(), 1, "a start that was refused has left something");
    scene.close();
}

#[test]
fn status_cancel_and_a_refused_start_cost_no_request() {
    for host in one_in_turn(HOSTS) {
        check_commands(host);
    }
}

#[test]
fn what_cannot_be_obeyed_is_named_and_costs_no_request() {
    let Some(scene) = Scene::with(Host::Claude, &Sample::shell(), |_| Script::new()) else { return };
    for (prompt, words) in [
        ("/gulf-loop:help", "gulf keeps this session working"),
        ("/gulf-loop:start", "prompt"),
        ("/gulf-loop:start --max-iteration 3 mend it", "--max-iterations"),
        ("/gulf-loop:start-with-judge --check true mend it", "RUBRIC.md"),
        ("/gulf-loop:strat mend it", "start"),
        ("/gulf-loop:cancel", "no loop"),
    ] {
        scene.say(prompt).finished.expect_exit(0).says("operation blocked by hook").says(words);
    }
    assert_eq!(scene.server.model_calls(), []);
    assert_eq!(scene.sandbox.loops(), []);
    scene.close();
}

const CRITERION: &str = "A file says why value.txt was wrong";
const WHY: &str = "It was wrong since the first import.";

/// Rejected three times, then approved; between two of them a person asks something else.
fn rejected(_: &Sandbox) -> Script {
    let tries = |number: u32| [Reply::shell(&format!("echo '{WHY}' > try-{number}.txt")), promise()];
    let first = [Reply::shell("echo right > value.txt"), promise()];
    let asked = [Reply::text("There is no reason.")];
    let steps = first.into_iter().chain(tries(2)).chain(asked).chain(tries(3)).chain(tries(4));
    let rejection = || unmet("There is no reason.");
    let verdicts = [rejection(), rejection(), rejection(), met("try-4.txt", WHY)];
    steps.fold(Script::new().each_conversation(TO_JUDGE, verdicts), Script::step)
}

/// The reasons of all pauses.
fn pauses(scene: &Scene) -> Vec<Value> {
    let paused = scene.sandbox.only_loop().facts_of("paused");
    paused.into_iter().map(|mut fact| fact["reason"].take()).collect()
}

fn check_human_gate(host: Host) {
    let sample = Sample::shell().file("RUBRIC.md", &rubric(CRITERION));
    let Some(scene) = Scene::with(host, &sample, rejected) else { return };
    let said = scene.say(&format!("/gulf-loop:start-with-judge --no-research -t 2 {GOAL}"));
    let session = said.session();
    said.finished.expect_exit(0);
    assert_eq!(pauses(&scene), ["human-gate"]);
    assert!(scene.sandbox.read(".claude/gulf-loop.local.md").contains("pause_reason: hitl"));
    let before = scene.server.model_calls().len();

    // A prompt that is not about the loop leaves it at rest.
    scene.say_again(&session, "What did the judge say?").finished.expect_exit(0);
    assert_eq!(scene.server.model_calls().len(), before + 1);
    assert_eq!(scene.judged(), 2);

    scene.say_again(&session, "/gulf-loop:resume").finished.expect_exit(0);
    assert_eq!(scene.judged(), 4);
    assert_eq!(pauses(&scene), ["human-gate"], "a resumed loop counts rejections from none");
    assert_eq!(scene.sandbox.only_loop().facts_of("resumed").len(), 1);
    assert_eq!(scene.sandbox.only_loop().end().unwrap()["kind"], "verified");
    scene.close();
}

#[test]
fn at_the_human_gate_a_session_stops_and_goes_on_by_the_persons_word() {
    for host in one_in_turn(HOSTS) {
        check_human_gate(host);
    }
}
