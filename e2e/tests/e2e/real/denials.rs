//! What an agent may not do, how a person learns of it, and the setting that allows it.

use gulf_testkit::Sample;
use gulf_testkit::model::{Reply, Request, Script};
use serde_json::json;

use super::{Scene, Tool, iteration};
use crate::exit;

/// A program that no check needs.
const FOREIGN: &str = "node -e 1";

/// Claude wants to run the program so often, and does what it was asked for as well.
fn scene(times: usize) -> Option<Scene> {
    Scene::with(&Sample::shell(), |sandbox| {
        let mut steps = vec![Reply::shell(FOREIGN); times];
        steps.extend(Tool::Claude.mend(sandbox));
        Script::new().conversation(&iteration(1), steps)
    })
}

#[test]
fn what_claude_may_not_do_is_written_down_and_shown_with_the_setting_that_allows_it() {
    let Some(scene) = scene(1) else { return };
    let finished = scene.run(Tool::Claude, &[]).run().expect_exit(exit::VERIFIED);
    finished.says("not allowed: node 1 time ([agent] allow)");
    let denials = json!([{"what": "node", "times": 1}]);
    let (_, turn) = scene.sandbox.only_loop().results("turn").remove(0);
    assert_eq!((&turn["denials"], &scene.status()["denials"]), (&denials, &denials));
    scene.close();
}

#[test]
fn with_allow_the_command_runs() {
    let Some(scene) = scene(3) else { return };
    let finished = scene.run(Tool::Claude, &["--allow", "node"]).run().expect_exit(exit::VERIFIED);
    finished.does_not_say("not allowed");
    scene.close();
}

#[test]
fn three_denials_of_one_kind_pause_the_loop_and_resume_with_allow_goes_on() {
    let scene = Scene::with(&Sample::shell(), |sandbox| {
        let foreign = || Reply::shell(FOREIGN);
        let mut second = vec![foreign()];
        second.extend(Tool::Claude.mend(sandbox));
        let first = [foreign(), foreign(), foreign(), Reply::text("I cannot.")];
        Script::new().conversation(&iteration(2), second).conversation(&iteration(1), first)
    });
    let Some(scene) = scene else { return };
    let finished = scene.run(Tool::Claude, &[]).run().expect_exit(exit::PAUSED);
    let finished = finished.says("Not allowed: node 3 times.").says(r#"[agent], allow = ["node"]"#);
    finished.says(r#"gulf resume --allow "node""#);
    let finished = scene.gulf(["resume", "--allow", "node"]).run().expect_exit(exit::VERIFIED);
    finished.does_not_say("not allowed");
    scene.close();
}

#[test]
fn no_agent_pushes_whatever_the_projects_own_settings_allow() {
    for tool in [Tool::Claude, Tool::Codex] {
        let settings = r#"{"permissions": {"allow": ["Bash(git *)"]}}"#;
        let sample = Sample::shell().file(".claude/settings.json", settings);
        let scene = Scene::with(&sample, |sandbox| {
            let pushes = ["git push origin main", "git -C . push origin main"];
            let steps = pushes.map(Reply::shell).into_iter().chain(tool.mend(sandbox));
            Script::new().conversation(&iteration(1), steps)
        });
        let Some(scene) = scene else { return };
        // Claude asks before it runs a command; Codex runs it where there is no network.
        let origin = format!("{}/origin.git", scene.server.url());
        scene.sandbox.git(["remote", "add", "origin", &origin]);
        let finished = scene.run(tool, &[]).run().expect_exit(exit::VERIFIED);
        if tool == Tool::Claude {
            finished.says("not allowed: git push 2 times");
        }
        let asks = |request: &Request| request.path.contains("origin.git");
        assert!(!scene.server.requests().iter().any(asks), "{tool:?} reached the remote");
        scene.close();
    }
}
