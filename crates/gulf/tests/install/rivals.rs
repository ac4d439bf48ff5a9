//! The original gulf-loop and the ralph-loop plugin: named, never joined, and replaced only when somebody says so.

use gulf_testkit::Sandbox;
use serde_json::json;

use crate::{CLAUDE, at, commands, get, gulf, home, json, put};

/// As the original's installer leaves it, with a command that gulf does not have.
pub(crate) fn original(sandbox: &Sandbox) -> String {
    let root = at(sandbox, ".claude/plugins/gulf-loop");
    put(sandbox, ".claude/plugins/gulf-loop/hooks/stop-hook.sh", "#!/bin/bash\n");
    for command in ["start", "start-autonomous", "start-swarm", "cancel"] {
        let text = format!(
            "---\ndescription: x\n---\n```!\n\"{root}/scripts/setup.sh\" --mode basic $ARGUMENTS\n```\n"
        );
        put(sandbox, &format!(".claude/commands/gulf-loop:{command}.md"), text);
    }
    let settings = json!({
        "model": "opus",
        "hooks": {"Stop": [{"matcher": "", "hooks": [
            {"type": "command", "command": "say done"},
            {"type": "command", "command": format!("{root}/hooks/stop-hook.sh"), "timeout": 30},
        ]}]},
    });
    let text = serde_json::to_string_pretty(&settings).unwrap();
    put(sandbox, CLAUDE, &text);
    text
}

#[test]
fn beside_the_original_nothing_is_installed() {
    let sandbox = home();
    let settings = original(&sandbox);
    for arguments in [&["install", "claude"][..], &["install", "claude", "--dry-run"]] {
        gulf(&sandbox, arguments.iter().copied())
            .run()
            .expect_exit(2)
            .says("plugins/gulf-loop/hooks/stop-hook.sh\n")
            .says("commands/gulf-loop:start-autonomous.md\n")
            .says("--replace-original");
    }
    assert_eq!(get(&sandbox, CLAUDE), settings);
    assert_eq!(commands(&sandbox).len(), 4);
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
}

#[test]
fn the_original_is_replaced_when_somebody_says_so() {
    let sandbox = home();
    original(&sandbox);
    gulf(&sandbox, ["install", "claude", "--replace-original"])
        .run()
        .expect_exit(0)
        .says("removed ")
        .says("left ")
        .says("plugins/gulf-loop: the original's program");
    assert_replaced(&sandbox);
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0).says("nothing to do");
    gulf(&sandbox, ["install", "claude", "--uninstall"]).run().expect_exit(0);
    let left = json!({"model": "opus", "hooks": {"Stop": [{"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}]}});
    assert_eq!(json(&sandbox, CLAUDE), left);
}

/// gulf is there, the original is not, and what belongs to neither is as it was.
#[track_caller]
pub(crate) fn assert_replaced(sandbox: &Sandbox) {
    let stop = json(sandbox, CLAUDE)["hooks"]["Stop"].clone();
    assert_eq!(stop[0], json!({"matcher": "", "hooks": [{"type": "command", "command": "say done"}]}));
    assert_eq!(stop[1]["hooks"][0]["timeout"], 3600);
    assert!(!get(sandbox, CLAUDE).contains("stop-hook.sh"));
    let names = commands(sandbox);
    assert!(names.contains(&"gulf-loop:start.md".to_owned()), "{names:?}");
    assert!(!names.contains(&"gulf-loop:start-swarm.md".to_owned()), "{names:?}");
    for name in names {
        assert!(!get(sandbox, &format!(".claude/commands/{name}")).contains("setup.sh"), "{name}");
    }
}

#[test]
fn commands_that_the_original_left_behind_are_named_too() {
    let sandbox = home();
    original(&sandbox);
    std::fs::remove_dir_all(at(&sandbox, ".claude/plugins")).unwrap();
    put(&sandbox, CLAUDE, "{}");
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(2).says("gulf-loop:cancel.md\n");
    gulf(&sandbox, ["install", "claude", "--replace-original"]).run().expect_exit(0);
    gulf(&sandbox, ["install", "claude", "--uninstall"]).run().expect_exit(0);
    assert!(commands(&sandbox).is_empty());
}

#[test]
fn a_ralph_loop_is_switched_off_and_stays_installed() {
    for id in ["ralph-loop@claude-plugins-official", "ralph-wiggum@claude-code-plugins"] {
        let sandbox = home();
        let settings =
            format!("{{\n  \"enabledPlugins\": {{\n    \"{id}\": true,\n    \"other@x\": true\n  }}\n}}\n");
        put(&sandbox, CLAUDE, &settings);
        gulf(&sandbox, ["install", "claude"]).run().expect_exit(2).says(id);
        assert_eq!(get(&sandbox, CLAUDE), settings);
        gulf(&sandbox, ["install", "claude", "--replace-original"]).run().expect_exit(0);
        assert_eq!(json(&sandbox, CLAUDE)["enabledPlugins"], json!({id: false, "other@x": true}));
        gulf(&sandbox, ["install", "claude", "--uninstall"]).run().expect_exit(0);
        assert_eq!(
            get(&sandbox, CLAUDE),
            settings.replace(&format!("\"{id}\": true"), &format!("\"{id}\": false"))
        );
    }
}

#[test]
fn the_original_as_a_plugin_of_our_name_is_told_by_its_script() {
    let sandbox = home();
    put(&sandbox, CLAUDE, r#"{"enabledPlugins": {"gulf-loop@elsewhere": true}}"#);
    let copy = at(&sandbox, ".claude/plugins/cache/elsewhere/gulf-loop/1.0.0");
    let installed = json!({"version": 2, "plugins": {"gulf-loop@elsewhere": [{"installPath": copy}]}});
    put(&sandbox, ".claude/plugins/installed_plugins.json", installed.to_string());
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0).says("is enabled, and does this already");
    put(&sandbox, ".claude/plugins/cache/elsewhere/gulf-loop/1.0.0/hooks/stop-hook.sh", "#!/bin/bash\n");
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(2).says("the plugin gulf-loop@elsewhere");
    gulf(&sandbox, ["install", "claude", "--replace-original"]).run().expect_exit(0);
    assert_eq!(json(&sandbox, CLAUDE)["enabledPlugins"]["gulf-loop@elsewhere"], false);
}
