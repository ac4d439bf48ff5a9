//! Where the plugin is enabled, `gulf install` has nothing to do.

use crate::{CLAUDE, CODEX, COPILOT, at, get, gulf, home, put};

#[test]
fn a_plugin_that_is_enabled_is_enough_on_every_host() {
    let sandbox = home();
    let settings = r#"{"enabledPlugins": {"gulf-loop@gulf-market": true}}"#;
    put(&sandbox, CLAUDE, settings);
    put(&sandbox, ".copilot/settings.json", format!("// mine\n{settings}"));
    put(&sandbox, ".codex/config.toml", "[plugins.\"gulf-loop@somewhere\"]\nenabled = true\n");
    for host in ["claude", "codex", "copilot"] {
        gulf(&sandbox, ["install", host]).run().expect_exit(0).says("the plugin gulf-loop@").says("already");
    }
    assert_eq!(get(&sandbox, CLAUDE), settings);
    assert!(!at(&sandbox, CODEX).exists() && !at(&sandbox, COPILOT).exists());
}

#[test]
fn one_that_is_switched_off_or_somebody_elses_is_none() {
    let sandbox = home();
    put(&sandbox, CLAUDE, r#"{"enabledPlugins": {"gulf-loop@gulf-market": false, "gulf-loops@x": true}}"#);
    put(&sandbox, ".copilot/settings.json", "not even JSON");
    put(&sandbox, ".codex/config.toml", "[plugins.\"gulf-loop@somewhere\"]\nenabled = false\n");
    for host in ["claude", "codex", "copilot"] {
        gulf(&sandbox, ["install", host]).run().expect_exit(0).says("Next: ");
    }
}

#[test]
fn hooks_that_were_there_before_the_plugin_can_still_be_taken_out() {
    let sandbox = home();
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
    put(&sandbox, ".codex/config.toml", "[plugins.\"gulf-loop@somewhere\"]\nenabled = true\n");
    gulf(&sandbox, ["install", "codex", "--uninstall"]).run().expect_exit(0).says("removed ");
    assert!(!at(&sandbox, CODEX).exists());
}
