//! What is sealed is not written by the session's tools, also where the person has switched all questions off.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, one_in_turn};
use serde_json::json;

use super::{HOSTS, Host, Scene, promise};
use crate::GOAL;

const RUBRIC: &str = "## Checks\n- sh check.sh\n";

/// Writes a file of the repository by the host's own tool.
fn write(host: Host, sandbox: &Sandbox, path: &str) -> Reply {
    let (file, text) = (sandbox.file(path), "## Checks\n- true\n");
    match host {
        Host::Claude => Reply::tool("Write", json!({"file_path": file, "content": text})),
        Host::Codex => {
            let patch = format!(
                "*** Begin Patch\n*** Update File: {path}\n@@\n-## Checks\n+## None\n*** End Patch\n"
            );
            Reply::freeform_tool("apply_patch", &patch)
        }
        Host::Copilot => {
            Reply::tool("edit", json!({"path": file, "old_str": "## Checks", "new_str": "## None"}))
        }
    }
}

/// What each host says to a model whose tool was denied by a hook.
fn denied(host: Host) -> &'static str {
    match host {
        Host::Claude => "hook error",
        Host::Codex => "Command blocked by PreToolUse hook",
        Host::Copilot => "Denied by preToolUse hook",
    }
}

fn check_guard(host: Host) {
    let sample = Sample::shell().file("RUBRIC.md", RUBRIC);
    let scene = Scene::with(host, &sample, |sandbox| {
        let state = sandbox.state();
        let steps = [
            write(host, sandbox, "RUBRIC.md"),
            Reply::shell("echo '- true' > RUBRIC.md"),
            Reply::shell("rm .claude/gulf-loop.local.md"),
            Reply::shell(&format!("rm -rf '{state}'")),
            // Tests are the worker's, and reading is free.
            Reply::shell("cat RUBRIC.md .claude/gulf-loop.local.md && echo a >> notes/a.txt"),
            Reply::shell("echo right > value.txt"),
            promise(),
        ];
        steps.into_iter().fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let prompt = format!("/gulf-loop:start --no-research {GOAL}");
    scene.say_unasked(&prompt).finished.expect_exit(0);
    let results = scene.server.model_calls().last().unwrap().tool_results();
    assert_eq!(results.len(), 6, "{results:#?}");
    for result in &results[..4] {
        assert!(result.contains(denied(host)), "not denied: {result}");
    }
    assert!(results[4].contains("- sh check.sh"), "{results:#?}");
    assert_eq!(scene.sandbox.read("RUBRIC.md"), RUBRIC);
    assert_eq!(scene.sandbox.read("notes/a.txt"), "a\na\n");
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.facts_of("refused").len(), 4, "{:#?}", kept.facts_of("refused"));
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}

#[test]
fn a_session_writes_nothing_that_is_sealed_also_without_permissions() {
    for host in one_in_turn(HOSTS) {
        check_guard(host);
    }
}
