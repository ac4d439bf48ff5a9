//! The plugin and its marketplace, as the hosts themselves see them.

use std::fs;

use gulf_testkit::model::{ModelServer, Script};
use gulf_testkit::{RealAgents, Sample, Sandbox, repository_root};
use serde_json::{Value, json};

use super::plugin;

const COMMANDS: [&str; 13] = [
    "align", "answer", "autopilot", "cancel", "clean", "help", "ralph", "resume", "start",
    "start-autonomous", "start-parallel", "start-with-judge", "status",
];

fn hosts(sandbox: &Sandbox) -> Option<(ModelServer, RealAgents)> {
    let server = ModelServer::start(Script::new());
    let agents = RealAgents::ready(sandbox, &server)?.for_sessions(sandbox, &server);
    Some((server, agents))
}

#[track_caller]
fn document(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn the_plugin_and_its_marketplace_pass_claude_codes_own_validation() {
    let sandbox = Sandbox::with(&Sample::green());
    let Some((_server, agents)) = hosts(&sandbox) else { return };
    let validate = |path: &str| {
        let arguments = ["plugin", "validate", "--strict", "--json", path];
        document(&agents.claude(&sandbox, arguments).run().expect_exit(0).stdout)
    };
    let found = validate(plugin().as_str());
    assert_eq!(found["success"], true, "{found}");
    assert_eq!(found["manifest"]["warnings"], json!([]));
    let skills: Vec<String> = COMMANDS.iter().map(|name| format!("gulf-loop:{name}")).collect();
    assert_eq!(found["provides"]["skills"], json!(skills));
    assert_eq!(found["provides"]["bin"], json!(["gulf"]));
    let hooks =
        found["provides"]["hooks"].as_array().unwrap().iter().map(|hook| hook["event"].as_str().unwrap());
    assert_eq!(hooks.collect::<Vec<_>>(), ["Stop", "UserPromptSubmit", "PreToolUse"]);
    assert_eq!(validate(repository_root().as_str())["success"], true);
}

#[test]
fn claude_code_installs_it_by_one_command_and_lists_what_it_brings() {
    let sandbox = Sandbox::awkward(&Sample::green());
    let Some((_server, agents)) = hosts(&sandbox) else { return };
    let root = repository_root();
    let install = ["plugin", "install", "gulf-loop", "--marketplace", root.as_str(), "--json"];
    let installed = document(&agents.claude(&sandbox, install).run().expect_exit(0).stdout);
    assert_eq!(installed["pluginId"], "gulf-loop@gulf-market");
    let listed = document(&agents.claude(&sandbox, ["plugin", "list", "--json"]).run().expect_exit(0).stdout);
    assert_eq!(
        (&listed[0]["version"], &listed[0]["enabled"]),
        (&json!(env!("CARGO_PKG_VERSION")), &json!(true))
    );
    let details = agents.claude(&sandbox, ["plugin", "details", "gulf-loop"]).run().expect_exit(0);
    details.says("Skills (13)").says("Hooks (3)").says("start-with-judge");
    // `gulf install` knows that there is nothing left for it to do.
    let install = sandbox.gulf(["install", "claude"]).variables(agents.variables());
    install.run().expect_exit(0).says("gulf-loop@gulf-market is enabled");
    let settings = fs::read_to_string(agents.claude_folder().join("settings.json")).unwrap();
    assert!(!settings.contains("\"hooks\""), "{settings}");
    agents.assert_no_other_traffic();
}

#[test]
fn codex_installs_it_from_the_same_marketplace() {
    let sandbox = Sandbox::awkward(&Sample::green());
    let Some((_server, agents)) = hosts(&sandbox) else { return };
    let root = repository_root();
    agents.codex(&sandbox, ["plugin", "marketplace", "add", root.as_str()]).run().expect_exit(0);
    let added =
        agents.codex(&sandbox, ["plugin", "add", "gulf-loop@gulf-market", "--json"]).run().expect_exit(0);
    let added = document(&added.stdout);
    assert_eq!(added["version"], env!("CARGO_PKG_VERSION"));
    let copy = camino::Utf8Path::new(added["installedPath"].as_str().unwrap());
    for path in ["hooks/hooks.json", "bin/gulf", "skills/start/SKILL.md", "skills/start/agents/openai.yaml"] {
        assert_eq!(fs::read(copy.join(path)).unwrap(), fs::read(plugin().join(path)).unwrap(), "{path}");
    }
    agents.codex(&sandbox, ["plugin", "list"]).run().expect_exit(0).says("installed, enabled");
    let install = sandbox.gulf(["install", "codex"]).variables(agents.variables());
    install.run().expect_exit(0).says("gulf-loop@gulf-market is enabled");
    assert!(!agents.codex_folder().join("hooks.json").exists());
    agents.assert_no_other_traffic();
}

#[test]
fn copilot_with_the_plugin_needs_no_other_installation() {
    let sandbox = Sandbox::awkward(&Sample::green());
    let Some((_server, agents)) = hosts(&sandbox) else { return };
    let root = repository_root();
    agents.copilot(&sandbox, ["plugin", "marketplace", "add", root.as_str()]).run().expect_exit(0);
    agents
        .copilot(&sandbox, ["plugin", "install", "gulf-loop@gulf-market"])
        .run()
        .expect_exit(0)
        .says("13 skills");
    let install = sandbox.gulf(["install", "copilot"]).variable("COPILOT_HOME", agents.copilot_folder());
    install.run().expect_exit(0).says("gulf-loop@gulf-market is enabled");
    agents.assert_no_other_traffic();
}

/// Why `gulf install` edits settings itself: once these commands keep what a person wrote, it can call them.
#[test]
fn the_hosts_own_commands_write_a_persons_settings_anew() {
    let sandbox = Sandbox::awkward(&Sample::green());
    let Some((_server, agents)) = hosts(&sandbox) else { return };
    let root = repository_root();
    let settings = agents.claude_folder().join("settings.json");
    fs::write(&settings, "{\n\t\"model\": \"opus\",\n\t\"env\": {\"A\": \"\\u00e9\"}\n}\n").unwrap();
    let install = ["plugin", "install", "gulf-loop", "--marketplace", root.as_str()];
    agents.claude(&sandbox, install).run().expect_exit(0);
    agents.claude(&sandbox, ["plugin", "uninstall", "gulf-loop@gulf-market"]).run().expect_exit(0);
    let left = fs::read_to_string(&settings).unwrap();
    assert!(!left.contains("\\u00e9") && left.contains("\"enabledPlugins\": {}"), "{left}");
    let settings = agents.copilot_folder().join("settings.json");
    let before = fs::read_to_string(&settings).unwrap_or("{}".to_owned());
    fs::write(&settings, format!("// mine\n{before}")).unwrap();
    agents.copilot(&sandbox, ["plugin", "marketplace", "add", root.as_str()]).run().expect_exit(0);
    assert!(!fs::read_to_string(&settings).unwrap().contains("// mine"));
    agents.assert_no_other_traffic();
}

/// `gulf install codex` writes the same ones, and Codex trusts those by their text: who changes them makes everybody say
/// yes again.
#[test]
fn the_hooks_are_the_bytes_that_people_have_trusted() {
    let golden = include_str!("golden/hooks.json");
    assert_eq!(fs::read_to_string(plugin().join("hooks/hooks.json")).unwrap(), golden);
}

/// In Claude Code a word of the host keeps the model from starting loops, in Codex a file beside the skill.
#[test]
fn no_model_begins_or_ends_a_loop_by_itself() {
    for name in COMMANDS {
        let skill = plugin().join("skills").join(name);
        let text = fs::read_to_string(skill.join("SKILL.md")).unwrap();
        assert!(text.contains("\ndisable-model-invocation: true\n---\n"), "{name}");
        let policy = fs::read_to_string(skill.join("agents/openai.yaml")).unwrap();
        assert!(policy.ends_with("policy:\n  allow_implicit_invocation: false\n"), "{name}");
    }
}
