//! What `gulf install` writes is what the hosts read: their hooks call gulf, with the person's words as they were typed.

use std::fs;

use camino::Utf8Path;
use gulf_testkit::model::{ModelServer, Reply, Script};
use gulf_testkit::{Finished, Invocation, RealAgents, Sample, Sandbox};

use super::Recorder;

/// Words that every layer on the way might take for its own.
const PROMPT: &str = "/gulf-loop:start fix \"it\" and 'that' $(id) !`touch pwned` `date` --flag in prose \\n 한국어\nsecond line";

struct Scene {
    sandbox: Sandbox,
    server: ModelServer,
    agents: RealAgents,
    recorder: Recorder,
}

impl Scene {
    fn new() -> Option<Scene> {
        let sandbox = Sandbox::awkward(&Sample::green());
        let script =
            Script::new().step(Reply::shell("echo hello > there.txt")).otherwise(Reply::text("Done."));
        let server = ModelServer::start(script);
        let agents = RealAgents::ready(&sandbox, &server)?;
        let recorder = Recorder::new(&sandbox);
        Some(Scene { sandbox, server, agents, recorder })
    }

    /// gulf's own command, and then the recorder in gulf's place.
    fn install(&self, host: &str, file: &Utf8Path) {
        let install = self.gulf(["install", host]);
        install.run().expect_exit(0).says("Next: ");
        let text = fs::read_to_string(file).unwrap();
        let gulf = gulf_testkit::gulf();
        assert!(text.contains(gulf.as_str()), "{text}");
        // Both quoted once more, because they stand in JSON.
        let quoted = |command: &str| serde_json::to_string(command).unwrap();
        let recorder = gulf_testkit::quote(self.recorder.program.as_str());
        let text = text.replace(&quoted(&format!("\"{gulf}\" hook")), &quoted(&format!("{recorder} hook")));
        fs::write(file, text).unwrap();
        // It is still known as gulf's, and would be put right.
        self.gulf(["install", host, "--dry-run"])
            .run()
            .expect_exit(0)
            .says(&format!("-            \"command\": {}", quoted(&format!("{recorder} hook"))));
    }

    fn gulf<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        let gulf = self.sandbox.gulf(arguments).variables(self.agents.variables());
        gulf.variable("COPILOT_HOME", self.agents.copilot_folder())
    }

    /// Every hook was called once, with what was typed.
    #[track_caller]
    fn assert_called(&self, finished: &Finished) {
        let prompts = self.recorder.events("UserPromptSubmit");
        assert_eq!(prompts.len(), 1, "{finished:?}");
        assert_eq!(prompts[0]["prompt"], PROMPT);
        let calls = self.recorder.events("PreToolUse");
        assert_eq!(calls.len(), 1, "{finished:?}");
        assert_eq!(calls[0]["tool_name"], "Bash");
        assert_eq!(self.recorder.events("Stop").len(), 1, "{finished:?}");
        assert!(!self.sandbox.file("pwned").exists());
        assert_eq!(self.server.model_calls().len(), 2);
    }
}

#[test]
fn claude_code_has_the_commands_and_calls_the_hooks() {
    let Some(scene) = Scene::new() else { return };
    scene.install("claude", &scene.agents.claude_folder().join("settings.json"));
    let arguments = ["-p", "--permission-mode", "bypassPermissions"];
    let finished = scene.agents.claude(&scene.sandbox, arguments).stdin(PROMPT).run().expect_exit(0);
    scene.assert_called(&finished);
    let call = &scene.server.model_calls()[0];
    assert!(call.contains("gulf's hook has read the person's words"), "{}", call.text());
    scene.agents.assert_no_other_traffic();
}

#[test]
fn codex_calls_the_hooks_once_they_are_trusted() {
    let Some(scene) = Scene::new() else { return };
    scene.install("codex", &scene.agents.codex_folder().join("hooks.json"));
    let run = |more: &[&str]| {
        let arguments = ["exec", "--dangerously-bypass-approvals-and-sandbox"];
        let arguments = arguments.into_iter().chain(more.iter().copied()).chain(["-"]);
        scene.agents.codex(&scene.sandbox, arguments).stdin(PROMPT).run().expect_exit(0)
    };
    let finished = run(&["--dangerously-bypass-hook-trust"]);
    scene.assert_called(&finished);
    run(&[]);
    assert_eq!(scene.recorder.events("Stop").len(), 1, "whom nobody trusts is not called");
    scene.agents.assert_no_other_traffic();
}

#[test]
fn copilot_calls_the_hooks() {
    let Some(scene) = Scene::new() else { return };
    scene.install("copilot", &scene.agents.copilot_folder().join("hooks/gulf-loop.json"));
    let arguments = ["-p", PROMPT, "--allow-all-tools", "--trust-folder"];
    let finished = scene.agents.copilot(&scene.sandbox, arguments).run().expect_exit(0);
    scene.assert_called(&finished);
    scene.agents.assert_no_other_traffic();
}
