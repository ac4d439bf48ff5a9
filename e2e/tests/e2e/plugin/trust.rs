//! What a person trusts once in Codex, and for how long: of the plugin every byte, of `gulf install` the command alone.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use camino::Utf8PathBuf;
use gulf_testkit::model::{ModelServer, Reply, Script};
use gulf_testkit::{Invocation, RealAgents, Sample, Sandbox, repository_root};
use serde_json::{Value, json};

use super::Recorder;

struct Scene {
    sandbox: Sandbox,
    agents: RealAgents,
    recorder: Recorder,
    _server: ModelServer,
}

impl Scene {
    fn new() -> Option<Scene> {
        let sandbox = Sandbox::with(&Sample::green());
        let server = ModelServer::start(Script::new().otherwise(Reply::text("Done.")));
        let agents = RealAgents::ready(&sandbox, &server)?.for_sessions(&sandbox, &server);
        let recorder = Recorder::new(&sandbox);
        Some(Scene { sandbox, agents, recorder, _server: server })
    }

    /// Codex with the recorder as the gulf on its PATH.
    fn codex<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.sandbox.path("recorder"));
        self.agents.codex(&self.sandbox, arguments).variable("PATH", path)
    }

    /// Has Codex called the hooks in one more session?
    fn is_called(&self) -> bool {
        let before = self.recorder.events("Stop").len();
        self.codex(["exec", "-"]).stdin("Say hello.").run().expect_exit(0);
        self.recorder.events("Stop").len() > before
    }

    /// As Codex's own terminal asks for them.
    fn hooks(&self) -> Vec<Value> {
        let client = json!({"clientInfo": {"name": "test", "version": "1"}});
        let calls = [
            json!({"id": 1, "method": "initialize", "params": client}),
            json!({"method": "initialized"}),
            json!({"id": 2, "method": "hooks/list", "params": {"cwds": [self.sandbox.repository()]}}),
        ];
        let program = self.agents.codex_folder().join("../bin/codex");
        let mut command = self.sandbox.command(program.as_str());
        command.arg("app-server").envs(self.agents.variables());
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = server.stdin.take().unwrap();
        for call in calls {
            writeln!(stdin, "{call}").unwrap();
        }
        let lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let mut answers = lines.map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap());
        let answer = answers.find(|answer| answer["id"] == 2).unwrap();
        // It serves as long as somebody could ask, and answers nobody who has left.
        drop(stdin);
        server.wait().unwrap();
        answer["result"]["data"][0]["hooks"].as_array().unwrap().clone()
    }

    /// As "Trust all and continue" writes it down.
    fn trust(&self) {
        let mut settings = String::new();
        for hook in self.hooks() {
            let hash = hook["currentHash"].as_str().unwrap();
            let (own, content) = hash.split_once('/').map_or((hash, None), |(own, all)| (own, Some(all)));
            settings += &format!("\n[hooks.state.{}]\ntrusted_hash = \"{own}\"\n", hook["key"]);
            settings += &content.map(|all| format!("trusted_content_hash = \"{all}\"\n")).unwrap_or_default();
        }
        let path = self.agents.codex_folder().join("config.toml");
        let before = fs::read_to_string(&path).unwrap();
        fs::write(path, before + &settings).unwrap();
    }

    fn are_trusted(&self) -> bool {
        let hooks = self.hooks();
        assert_eq!(hooks.len(), 3, "{hooks:?}");
        hooks.iter().all(|hook| hook["trustStatus"] == "trusted")
    }
}

/// A marketplace of its own, whose plugin can be changed.
fn market(sandbox: &Sandbox) -> Utf8PathBuf {
    let market = sandbox.path("market");
    fs::create_dir(&market).unwrap();
    for folder in [".claude-plugin", "plugins"] {
        let from = repository_root().join(folder);
        assert!(Command::new("cp").arg("-R").args([&from, &market]).status().unwrap().success());
    }
    market
}

#[test]
fn every_new_byte_of_the_plugin_must_be_trusted_anew() {
    let Some(scene) = Scene::new() else { return };
    let market = market(&scene.sandbox);
    scene.codex(["plugin", "marketplace", "add", market.as_str()]).run().expect_exit(0);
    let add = || scene.codex(["plugin", "add", "gulf-loop@gulf-market"]).run().expect_exit(0);
    add();
    assert!(!scene.are_trusted() && !scene.is_called());
    scene.trust();
    assert!(scene.are_trusted() && scene.is_called());
    let readme = market.join("plugins/gulf-loop/README.md");
    let text = fs::read_to_string(&readme).unwrap();
    fs::write(&readme, format!("{text}\nMore.\n")).unwrap();
    add();
    assert!(!scene.are_trusted() && !scene.is_called(), "the documents say so");
    fs::write(&readme, text).unwrap();
    add();
    assert!(scene.are_trusted() && scene.is_called());
    scene.agents.assert_no_other_traffic();
}

#[test]
fn hooks_that_gulf_installed_stay_trusted_when_gulf_is_renewed() {
    let Some(scene) = Scene::new() else { return };
    let install = || scene.sandbox.gulf(["install", "codex"]).variables(scene.agents.variables());
    install().run().expect_exit(0).says("trust the new hooks");
    let file = scene.agents.codex_folder().join("hooks.json");
    let text = fs::read_to_string(&file).unwrap();
    // By the name on the PATH, behind which the next version will lie.
    let gulf = scene.sandbox.path("agents/bin/gulf");
    assert!(text.contains(gulf.as_str()), "{text}");
    fs::write(&file, text.replace(gulf.as_str(), scene.recorder.program.as_str())).unwrap();
    assert!(!scene.are_trusted() && !scene.is_called());
    scene.trust();
    assert!(scene.are_trusted() && scene.is_called());
    let program = fs::read_to_string(&scene.recorder.program).unwrap();
    fs::write(&scene.recorder.program, format!("{program}# the next version\n")).unwrap();
    assert!(scene.are_trusted() && scene.is_called());
    scene.agents.assert_no_other_traffic();
}
