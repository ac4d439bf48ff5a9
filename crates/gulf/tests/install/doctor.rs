//! `gulf doctor` about the hosts of sessions: who calls gulf, and what keeps them from it.

use std::fs;

use gulf_testkit::Sandbox;

use crate::rivals::original;
use crate::{CLAUDE, CODEX, COPILOT, at, get, gulf, home, put};

/// What is said about sessions, a line each, without the home.
#[track_caller]
fn told(sandbox: &Sandbox) -> Vec<String> {
    let finished = gulf(sandbox, ["doctor", "--json"]).run().expect_exit(0);
    let document: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    let findings = document["findings"].as_array().unwrap();
    let about = findings.iter().filter(|finding| finding["about"] == "sessions");
    let line = |finding: &serde_json::Value| {
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let line = format!("{}: {} · {}", text("word"), text("message"), text("hint"));
        line.replace(sandbox.home().as_str(), "~").trim_end_matches(" · ").to_owned()
    };
    about.map(line).collect()
}

/// What Codex writes down of hooks that a person trusts.
fn trusted(keys: &[String]) -> String {
    keys.iter().map(|key| format!("[hooks.state.\"{key}\"]\ntrusted_hash = \"sha256:1\"\n")).collect()
}

fn keys(hooks: &str) -> Vec<String> {
    ["stop", "user_prompt_submit", "pre_tool_use"].map(|event| format!("{hooks}:{event}:0:0")).to_vec()
}

#[test]
fn of_hosts_that_are_not_here_nothing_is_said() {
    assert_eq!(told(&Sandbox::without_git()), [""; 0]);
}

#[test]
fn hosts_that_do_not_call_gulf_are_named_with_the_command_that_changes_it() {
    let sandbox = home();
    assert_eq!(
        told(&sandbox),
        ["Claude Code", "Codex", "Copilot CLI"].map(|title| {
            let name = title.split(' ').next().unwrap().to_lowercase();
            format!("ok: {title} does not call gulf: for loops in its sessions, `gulf install {name}`")
        })
    );
}

#[test]
fn hosts_that_call_gulf_are_told_with_what_makes_them() {
    let sandbox = home();
    for host in ["claude", "codex", "copilot"] {
        gulf(&sandbox, ["install", host]).run().expect_exit(0);
    }
    put(&sandbox, ".codex/config.toml", trusted(&keys(at(&sandbox, CODEX).as_str())));
    assert_eq!(
        told(&sandbox),
        [
            "ok: Claude Code calls gulf by its hooks in ~/.claude/settings.json",
            "ok: Codex calls gulf by its hooks in ~/.codex/hooks.json",
            "ok: Copilot CLI calls gulf by its hooks in ~/.copilot/hooks/gulf-loop.json",
        ]
    );
    let plugin = r#"{"enabledPlugins": {"gulf-loop@gulf-market": true}}"#;
    put(&sandbox, ".copilot/settings.json", plugin);
    fs::remove_file(at(&sandbox, CLAUDE)).unwrap();
    put(&sandbox, CLAUDE, plugin);
    let told = told(&sandbox);
    assert_eq!(told[0], "ok: Claude Code calls gulf by the plugin gulf-loop@gulf-market");
    assert_eq!(
        told[2],
        "warning: Copilot CLI calls gulf twice, by the plugin gulf-loop@gulf-market and by \
         ~/.copilot/hooks/gulf-loop.json · `gulf install copilot --uninstall` leaves only the plugin"
    );
}

#[test]
fn hooks_that_nobody_has_trusted_in_codex_are_passed_over_and_that_is_said() {
    let sandbox = home();
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
    let untrusted = "warning: Codex silently skips hooks that are not trusted yet:";
    let hint = "· start `codex` in a terminal and trust them when it asks";
    let file = at(&sandbox, CODEX);
    for settings in [String::new(), trusted(&keys(file.as_str())[1..]), "not [even TOML".to_owned()] {
        put(&sandbox, ".codex/config.toml", settings);
        assert_eq!(told(&sandbox)[2], format!("{untrusted} ~/.codex/hooks.json {hint}"));
    }
    let mut settings = trusted(&keys(file.as_str()));
    settings.push_str("enabled = false\n");
    put(&sandbox, ".codex/config.toml", &settings);
    assert_eq!(
        told(&sandbox)[2],
        "warning: Codex has some of gulf's hooks switched off: ~/.codex/hooks.json · type `/hooks` in `codex` \
         and switch them on"
    );
    gulf(&sandbox, ["install", "codex", "--uninstall"]).run().expect_exit(0);
    let plugin = "[plugins.\"gulf-loop@gulf-market\"]\nenabled = true\n";
    put(&sandbox, ".codex/config.toml", plugin);
    assert_eq!(told(&sandbox)[2], format!("{untrusted} the plugin gulf-loop@gulf-market {hint}"));
    let settings = plugin.to_owned() + &trusted(&keys("gulf-loop@gulf-market:hooks/hooks.json"));
    put(&sandbox, ".codex/config.toml", settings);
    assert!(told(&sandbox)[1..].iter().all(|line| line.starts_with("ok: ")));
}

#[test]
fn behind_other_people_s_hooks_ours_are_found_as_codex_counts_them() {
    let sandbox = home();
    let others = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}"#;
    put(&sandbox, CODEX, others);
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
    let file = at(&sandbox, CODEX);
    put(&sandbox, ".codex/config.toml", trusted(&keys(file.as_str())));
    assert!(told(&sandbox)[2].starts_with("warning: Codex silently skips"));
    let ours: Vec<String> =
        keys(file.as_str()).iter().map(|key| key.replace(":stop:0:", ":stop:1:")).collect();
    put(&sandbox, ".codex/config.toml", trusted(&ours));
    assert_eq!(told(&sandbox).len(), 3);
}

#[test]
fn a_plugin_of_another_version_is_named_with_what_has_to_be_newer() {
    let own = env!("CARGO_PKG_VERSION");
    for (version, helps) in
        [("0.0.1", "update the plugin in Claude Code"), ("99.0.0", "install gulf 99.0.0"), (own, "")]
    {
        let sandbox = home();
        put(&sandbox, CLAUDE, r#"{"enabledPlugins": {"gulf-loop@gulf-market": true}}"#);
        let copy = at(&sandbox, "copy");
        put(&sandbox, "copy/.claude-plugin/plugin.json", format!("{{\"version\": \"{version}\"}}"));
        let installed =
            format!("{{\"plugins\": {{\"gulf-loop@gulf-market\": [{{\"installPath\": \"{copy}\"}}]}}}}");
        put(&sandbox, ".claude/plugins/installed_plugins.json", installed);
        let told = gulf(&sandbox, ["doctor"]).run();
        if helps.is_empty() {
            drop(told.does_not_say("has the plugin gulf-loop"));
        } else {
            drop(
                told.says(&format!("has the plugin gulf-loop {version}, and this is gulf {own}")).says(helps),
            );
        }
    }
}

#[test]
fn copilots_copy_of_the_plugin_is_found_where_it_lies_or_where_it_was_put() {
    let own = env!("CARGO_PKG_VERSION");
    let older = format!(
        "warning: Copilot CLI has the plugin gulf-loop 0.0.1, and this is gulf {own} · update the plugin in Copilot CLI"
    );
    let (manifest, enabled) =
        (r#"{"version": "0.0.1"}"#, r#""enabledPlugins": {"gulf-loop@gulf-market": true}"#);
    let sandbox = home();
    put(&sandbox, ".copilot/settings.json", format!("{{{enabled}}}"));
    let copy = ".copilot/installed-plugins/gulf-market/gulf-loop/.claude-plugin/plugin.json";
    put(&sandbox, copy, manifest);
    assert!(told(&sandbox).contains(&older), "{:?}", told(&sandbox));

    let sandbox = home();
    let market = at(&sandbox, "market");
    let known = format!(
        r#""extraKnownMarketplaces": {{"gulf-market": {{"source": {{"source": "directory", "path": "{market}"}}}}}}"#
    );
    put(&sandbox, ".copilot/settings.json", format!("{{ // mine\n{enabled}, {known}}}"));
    put(&sandbox, "market/plugins/gulf-loop/.claude-plugin/plugin.json", manifest);
    assert!(told(&sandbox).contains(&older), "{:?}", told(&sandbox));
}

#[test]
fn another_loop_beside_gulf_or_alone_is_a_warning() {
    let sandbox = home();
    original(&sandbox);
    let alone = told(&sandbox);
    assert!(alone[0].starts_with("ok: Claude Code does not call gulf"), "{alone:?}");
    assert!(
        alone[1].starts_with(
            "warning: Claude Code has another loop installed: the original gulf-loop's Stop hook"
        )
    );
    assert!(alone[1].ends_with("`gulf install claude --replace-original`"), "{alone:?}");
    let settings = r#"{"enabledPlugins": {"gulf-loop@gulf-market": true, "ralph-loop@official": true}}"#;
    let sandbox = home();
    put(&sandbox, CLAUDE, settings);
    assert!(told(&sandbox)[1].contains("the plugin ralph-loop@official, which drives a loop of its own"));
}

#[test]
fn what_keeps_hooks_from_being_called_is_named() {
    let sandbox = home();
    let first = |sandbox: &Sandbox| told(sandbox).remove(1);
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0);
    let installed = get(&sandbox, CLAUDE);
    put(&sandbox, CLAUDE, installed.replace(env!("CARGO_BIN_EXE_gulf"), "/nowhere/gulf"));
    assert!(first(&sandbox).starts_with("warning: Claude Code calls /nowhere/gulf, which does not exist"));
    put(&sandbox, CLAUDE, installed.replace("\"PreToolUse\"", "\"PreToolUses\""));
    assert!(
        first(&sandbox).starts_with("warning: Claude Code does not call gulf at PreToolUse: that is not in")
    );
    put(&sandbox, CLAUDE, format!("// mine\n{installed}"));
    assert!(first(&sandbox).starts_with("warning: Claude Code does not read ~/.claude/settings.json"));
    put(&sandbox, CLAUDE, installed.replacen('{', "{\"disableAllHooks\": true,", 1));
    assert!(
        first(&sandbox).contains("calls no hooks at all: \"disableAllHooks\" in ~/.claude/settings.json")
    );
    put(&sandbox, CLAUDE, "{\"hooks\": 3}");
    put(&sandbox, COPILOT, [0xff, 0xfe]);
    let told = told(&sandbox);
    assert_eq!(
        told[0],
        "warning: whether Claude Code calls gulf cannot be told: ~/.claude/settings.json:1:11: \"hooks\" should be \
         an object, and is a number · look at this by hand"
    );
    assert!(told[2].starts_with("warning: whether Copilot CLI calls gulf cannot be told: "), "{told:?}");
}
