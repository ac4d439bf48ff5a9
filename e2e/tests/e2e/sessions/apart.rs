//! Who is not the loop's worker: another session, an agent within the session, the judge. And who still is it: the
//! session in another folder.

use gulf_testkit::model::{Reply, Request, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::{HOSTS, Host, Scene, promise};
use crate::real::{TO_JUDGE, met, rubric};
use crate::{GOAL, RIGHT};

/// What another session is asked, and nobody else.
const OTHER: &str = "What is in the other file?";

/// What an agent within a session is asked.
const HELPER: &str = "Look whether the value is right.";

#[test]
fn a_session_without_a_loop_is_as_it_would_be_without_the_plugin() {
    for host in one_in_turn(HOSTS) {
        let Some(scene) = Scene::with(host, &Sample::shell(), |_| Script::new()) else { return };
        let said = scene.say(OTHER).finished.expect_exit(0);
        said.says("Done.").does_not_say("[gulf]").does_not_say("Gulf Loop");
        assert_eq!(scene.server.model_calls().len(), 1);
        scene.close();
    }
}

fn start() -> String {
    format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}")
}

fn check_second_session(host: Host) {
    let scene = Scene::with(host, &Sample::shell(), |_| {
        let script = Script::new().conversation(OTHER, [Reply::text("It says a.")]);
        [Reply::shell("echo right > value.txt").held(), promise()].into_iter().fold(script, Script::step)
    });
    let Some(scene) = scene else { return };
    let first = scene.begin(&start());
    scene.server.wait_for(|request| request.contains(GOAL));
    let other = scene.say(OTHER);
    let id = other.session();
    other.finished.expect_exit(0).says("It says a.");
    let asked = scene.server.model_calls();
    assert_eq!(asked.iter().filter(|call| call.contains(OTHER)).count(), 1, "it was sent on");
    scene.server.release();
    first.finish().expect_exit(0);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert!(!kept.facts_of("bound").iter().any(|fact| fact["worker"]["id"] == id.as_str()));
    scene.close();
}

#[test]
fn another_session_in_the_same_checkout_stops_as_it_likes() {
    for host in one_in_turn(HOSTS) {
        check_second_session(host);
    }
}

/// Calls an agent within the session.
fn helper_call(host: Host) -> Reply {
    match host {
        Host::Claude => Reply::tool(
            "Agent",
            json!({
                "description": "look", "prompt": HELPER, "subagent_type": "general-purpose",
                "run_in_background": false,
            }),
        ),
        Host::Codex => Reply::tool("multi_agent_v1/spawn_agent", json!({"message": HELPER})),
        Host::Copilot => Reply::tool(
            "task",
            json!({
                "name": "helper", "agent_type": "general-purpose", "description": "look", "prompt": HELPER,
                "mode": "sync",
            }),
        ),
    }
}

/// The agent's own conversation begins with its task.
fn is_helper(request: &Request) -> bool {
    request.contains(HELPER) && !request.contains(".gulf/brief.md")
}

fn check_subagent(host: Host) {
    // What comes next is told by what the conversation holds: codex asks again when its agent is done meanwhile.
    let scene = Scene::with(host, &Sample::shell(), |_| {
        Script::answer(move |request| match (request.contains(HELPER), request.contains("echo right")) {
            _ if is_helper(request) => Reply::text("It is not right yet."),
            (false, _) => helper_call(host),
            (true, false) => Reply::shell("echo right > value.txt"),
            (true, true) => promise(),
        })
    });
    let Some(scene) = scene else { return };
    scene.say(&start()).finished.expect_exit(0);
    scene.server.wait_for(is_helper);
    let asked = scene.server.model_calls();
    assert_eq!(asked.iter().filter(|call| is_helper(call)).count(), 1, "the agent within was sent on");
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.turns(), [(1, 1)]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}

#[test]
fn an_agent_within_a_session_stops_as_it_likes() {
    for host in one_in_turn(HOSTS) {
        check_subagent(host);
    }
}

const CRITERION: &str = "A file in notes/ says why value.txt was wrong";
const WHY: &str = "It was wrong since the first import.";

fn in_notes(sandbox: &Sandbox) -> [Reply; 4] {
    let (value, why) = (sandbox.file("value.txt"), sandbox.file("notes/why.txt"));
    [
        Reply::shell("cd notes && ls"),
        Reply::shell(&format!("echo right > '{value}'")),
        Reply::shell(&format!("echo '{WHY}' > '{why}'")),
        promise(),
    ]
}

/// Also: the judge works in a folder of its own, with the plugin installed, and no second loop comes of it.
fn check_folders(host: Host) {
    let sample = Sample::shell().file("RUBRIC.md", &rubric(CRITERION));
    let scene = Scene::with(host, &sample, |sandbox| {
        let script = Script::new().conversation(TO_JUDGE, [met("notes/why.txt", WHY)]);
        in_notes(sandbox).into_iter().fold(script, Script::step)
    });
    let Some(scene) = scene else { return };
    let prompt = format!("/gulf-loop:start-with-judge --no-research {GOAL}");
    scene.say_in_folder("notes", &prompt).finished.expect_exit(0);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert_eq!(kept.facts_of("bound").len(), 1);
    assert_eq!(scene.server.model_calls().len(), 5, "the judge was sent on");
    assert!(!scene.sandbox.file("notes/.gulf").exists());
    scene.close();
}

#[test]
fn a_session_below_the_projects_folder_works_on_the_project() {
    for host in one_in_turn(HOSTS) {
        check_folders(host);
    }
}
