//! What an agent may not do, how a person learns of it, and the setting that allows it.

use gulf_testkit::model::{ModelServer, Reply, Request, Script};
use gulf_testkit::{OtherAgent, RealAgents, Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::{Scene, Tool, iteration};
use crate::{GOAL, RIGHT, exit};

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
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
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

/// A remote that whoever pushes reaches, in the folder beside the repository.
fn bare_remote(sandbox: &Sandbox) -> camino::Utf8PathBuf {
    let bare = sandbox.path("bare.git");
    sandbox.git(["init", "--quiet", "--bare", bare.as_str()]);
    sandbox.git(["remote", "add", "origin", bare.as_str()]);
    bare
}

/// Nothing has arrived there.
#[track_caller]
fn assert_nothing_arrived(sandbox: &Sandbox, bare: &camino::Utf8Path, who: &str) {
    let refs = sandbox.git(["--git-dir", bare.as_str(), "for-each-ref"]);
    assert!(refs.trim().is_empty(), "{who} pushed: {refs}");
}

/// In the forms in which a model writes it.
const PUSHES: [&str; 4] = [
    "git push origin HEAD:main",
    "git -C . push origin HEAD:main",
    "git  push origin HEAD:main",
    "git add -A && git push origin HEAD:main",
];

#[test]
fn with_all_of_git_allowed_claude_and_codex_bring_nothing_to_a_remote() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let scene = Scene::with(&Sample::shell(), |sandbox| {
            let steps = PUSHES.map(Reply::shell).into_iter().chain(tool.mend(sandbox));
            Script::new().conversation(&iteration(1), steps)
        });
        let Some(scene) = scene else { return };
        let bare = bare_remote(&scene.sandbox);
        scene.run(tool, &["--allow", "git"]).run().expect_exit(exit::VERIFIED);
        assert_nothing_arrived(&scene.sandbox, &bare, tool.name());
        scene.close();
    }
}

fn check_others_push(agent: OtherAgent) {
    let sandbox = Sandbox::for_agents(&Sample::shell());
    let shell = if agent == OtherAgent::Gemini { "run_shell_command" } else { "bash" };
    let push = |command: &str| Reply::tool(shell, json!({"command": command, "description": "push it"}));
    let steps = PUSHES.map(push).into_iter().chain([Reply::text("It is done.")]);
    let server = ModelServer::start(Script::new().conversation(&iteration(1), steps));
    let Some(agents) = RealAgents::only(agent, &sandbox, &server) else { return };
    let bare = bare_remote(&sandbox);
    let named = agent.with_model();
    let line = ["run", GOAL, "--research", "off", "--check", RIGHT, "--agent", &named];
    let run = sandbox.gulf(line).arguments(["--allow", "git", "--max-iterations", "1"]);
    let finished = run.variables(agents.variables()).run();
    // Whatever became of the work: it was tried, it was denied, and it was said.
    finished.says("not allowed: git push").does_not_say("COULD NOT WORK");
    assert_nothing_arrived(&sandbox, &bare, agent.name());
    sandbox.assert_nothing_left();
}

#[test]
fn with_all_of_git_allowed_no_other_agent_brings_anything_to_a_remote() {
    for agent in one_in_turn([OtherAgent::Copilot, OtherAgent::OpenCode, OtherAgent::Gemini]) {
        check_others_push(agent);
    }
}
