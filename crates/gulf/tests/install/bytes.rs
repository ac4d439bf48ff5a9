//! What is written into a file of somebody else's, and what is left of it afterwards: nothing.

use gulf_testkit::repository_root;
use serde_json::{Value, json};

use crate::{CLAUDE, CODEX, COPILOT, GULF, at, commands, get, gulf, home, json, put};

/// Settings as people and programs write them, none of them with anything of gulf's.
const SETTINGS: [&str; 16] = [
    "{}",
    "{}\r\n",
    "{\n  \"model\": \"opus\"\n}\n",
    "{\n  \"model\": \"opus\"\n}",
    "{\r\n    \"model\": \"opus\",\r\n    \"env\": {\"A\": \"1\"}\r\n}\r\n",
    "{\n\t\"model\": \"opus\", // mine\n}\n",
    "// above\n{\n  /* within */\n  \"model\": \"opus\" /* behind */\n  // at the end\n}\n// below\n",
    "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      { \"matcher\": \"Edit\", \"hooks\": [{ \"type\": \"command\", \"command\": \"fmt\" }] }\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"say done\" } // loud\n        ]\n      }\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}],\n  },\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [ {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]} ],\n    \"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": []}]\n  }, \"model\": \"opus\"\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"b\"}]},\n    ],\n  },\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      // first\n      {\"hooks\": [{\"type\": \"prompt\", \"prompt\": \"done?\"}]}, // second\n    ]\n  }\n}\n",
    "{\n  \"a\": \"\\u00e9 한국어 \\\"quoted\\\"\",\n  \"hooks\": {\n    \"SessionStart\": \"whatever\"\n  }\n}\n",
    "\u{feff}{\n  \"model\": \"opus\"\n}\n",
    "{\n  \"enabledPlugins\": { \"other@market\": true, \"gulf-loop@gulf-market\": false }\n}\n",
];

/// Every line that was there is still there, in order; of the bytes only blanks, commas and line ends may be new
/// outside of what gulf wrote.
#[track_caller]
fn assert_kept(before: &str, after: &str) {
    let mut rest = after.chars();
    for wanted in before.chars().filter(|character| !character.is_whitespace()) {
        assert!(rest.any(|found| found == wanted), "{wanted:?} of\n{before}\nis gone from\n{after}");
    }
}

#[test]
fn what_was_there_stays_and_comes_back_byte_for_byte() {
    for host in ["claude", "codex"] {
        let path = if host == "claude" { CLAUDE } else { CODEX };
        for before in SETTINGS {
            let sandbox = home();
            put(&sandbox, path, before);
            gulf(&sandbox, ["install", host]).run().expect_exit(0).says("changed ");
            let after = get(&sandbox, path);
            assert_kept(before, &after);
            assert_eq!(after.matches("gulf\\\" hook").count(), 3, "{after}");
            gulf(&sandbox, ["install", host]).run().expect_exit(0).says("nothing to do");
            assert_eq!(get(&sandbox, path), after);
            gulf(&sandbox, ["install", host, "--uninstall"]).run().expect_exit(0);
            assert_eq!(get(&sandbox, path), before);
            assert!(commands(&sandbox).is_empty());
            gulf(&sandbox, ["install", host, "--uninstall"]).run().expect_exit(0).says("nothing to do");
        }
    }
}

#[test]
fn a_line_of_another_hook_is_not_even_moved() {
    let sandbox = home();
    let mine = "{\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] } // loud\n    ]\n  }\n}\n";
    put(&sandbox, CLAUDE, mine);
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0);
    let after = get(&sandbox, CLAUDE);
    let line = "      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }";
    assert!(after.contains(line) && after.contains("// loud\n"), "{after}");
}

#[test]
fn every_host_gets_the_hooks_of_the_plugin() {
    let plugin = repository_root().join("plugins/gulf-loop/hooks/hooks.json");
    let plugin = std::fs::read_to_string(plugin).unwrap();
    let command = serde_json::to_string(&format!("\"{GULF}\" hook")).unwrap();
    let wanted = plugin.replace(r#""\"${CLAUDE_PLUGIN_ROOT}/bin/gulf\" hook""#, &command);
    let wanted: Value = serde_json::from_str(&wanted).unwrap();
    for (host, path) in [("claude", CLAUDE), ("codex", CODEX), ("copilot", COPILOT)] {
        let sandbox = home();
        gulf(&sandbox, ["install", host]).run().expect_exit(0).says("written ").says("Next: ");
        let written = json(&sandbox, path);
        assert_eq!(written["hooks"], wanted["hooks"], "{host}");
        assert_eq!(written.get("version"), (host == "copilot").then_some(&json!(1)));
        gulf(&sandbox, ["install", host, "--uninstall"]).run().expect_exit(0).says("removed ");
        assert!(!at(&sandbox, path).exists());
        assert!(at(&sandbox, path).starts_with(sandbox.home()));
    }
}

#[test]
fn folders_that_gulf_made_go_and_those_of_the_host_stay() {
    let sandbox = home();
    put(&sandbox, ".claude/commands/mine.md", "Do it.\n");
    for host in ["claude", "codex", "copilot"] {
        gulf(&sandbox, ["install", host]).run().expect_exit(0);
        gulf(&sandbox, ["install", host, "--uninstall"]).run().expect_exit(0);
    }
    assert_eq!(commands(&sandbox), ["mine.md"]);
    assert!(at(&sandbox, ".codex").is_dir());
    assert!(at(&sandbox, ".copilot").is_dir() && !at(&sandbox, ".copilot/hooks").exists());
}

#[test]
fn a_gulf_that_moved_is_renewed_in_its_place_and_a_second_one_goes() {
    let sandbox = home();
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
    let now = get(&sandbox, CODEX);
    let old =
        now.replace(&format!("\\\"{GULF}\\\" hook"), "'/old place/gulf' hook stop").replace("mcp__.+", "old");
    put(&sandbox, CODEX, old.replace("\"timeout\": 3600", "\"timeout\": 7200"));
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0).says("changed ");
    assert_eq!(get(&sandbox, CODEX), now.replace("3600", "7200"), "a person's own time is left");
    let twice = r#"{"hooks": {"Stop": [{"hooks": [
        {"type": "command", "command": "gulf hook"},
        {"type": "command", "command": "mine"},
        {"type": "command", "command": "/x/gulf hook"}]}, {"hooks": [{"type": "command", "command": "gulf hook"}]}]}}"#;
    put(&sandbox, CODEX, twice);
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
    let stop = json(&sandbox, CODEX)["hooks"]["Stop"].clone();
    let ours = json!({"type": "command", "command": format!("\"{GULF}\" hook")});
    assert_eq!(stop, json!([{"hooks": [ours, {"type": "command", "command": "mine"}]}]));
    gulf(&sandbox, ["install", "codex", "--uninstall"]).run().expect_exit(0);
    assert_eq!(
        json(&sandbox, CODEX),
        json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}})
    );
}

#[test]
fn a_dry_run_shows_the_difference_and_writes_nothing() {
    let sandbox = home();
    put(&sandbox, CLAUDE, "{\n  \"model\": \"opus\"\n}\n");
    gulf(&sandbox, ["install", "claude", "--dry-run"])
        .run()
        .expect_exit(0)
        .says("-  \"model\": \"opus\"\n+  \"model\": \"opus\",\n+  \"hooks\": {\n")
        .says("--- /dev/null\n")
        .says("commands/gulf-loop:start.md\n");
    assert_eq!(get(&sandbox, CLAUDE), "{\n  \"model\": \"opus\"\n}\n");
    assert!(commands(&sandbox).is_empty());
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0);
    let installed = get(&sandbox, CLAUDE);
    gulf(&sandbox, ["install", "claude", "--uninstall", "--dry-run"])
        .run()
        .expect_exit(0)
        .says("-  \"hooks\": {\n");
    assert_eq!(get(&sandbox, CLAUDE), installed);
}

#[test]
fn a_host_that_does_not_read_such_a_file_is_named() {
    let sandbox = home();
    put(&sandbox, CLAUDE, "{\n  // mine\n}\n");
    gulf(&sandbox, ["install", "claude"])
        .run()
        .expect_exit(0)
        .says("Claude Code does not read")
        .says("comments");
    put(&sandbox, CLAUDE, "\u{feff}{}");
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0).does_not_say("does not read");
    put(&sandbox, CODEX, "\u{feff}{}");
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0).says("Codex does not read");
}

#[test]
fn claude_code_gets_the_commands_of_the_plugin() {
    let sandbox = home();
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0);
    let skills = repository_root().join("plugins/gulf-loop/skills");
    let mut wanted = Vec::new();
    for skill in skills.read_dir_utf8().unwrap() {
        let skill = skill.unwrap();
        let name = format!("gulf-loop:{}.md", skill.file_name());
        let text = std::fs::read_to_string(skill.path().join("SKILL.md")).unwrap();
        let written = get(&sandbox, &format!(".claude/commands/{name}"));
        let (mark, rest) = written.strip_prefix("---\n").unwrap().split_once('\n').unwrap();
        assert!(mark.starts_with("# Written by `gulf install`"), "{mark}");
        assert_eq!(format!("---\n{rest}"), text);
        wanted.push(name);
    }
    wanted.sort();
    assert_eq!(commands(&sandbox), wanted);
    put(
        &sandbox,
        ".claude/commands/gulf-loop:help.md",
        "---\n# Written by `gulf install`, which rewrites and removes it.\n---\nold\n",
    );
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0).says("changed ").says("gulf-loop:help.md");
}

#[test]
fn named_folders_are_used_instead_of_those_in_the_home() {
    let sandbox = home();
    for (host, variable, path) in [
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/gulf-loop.json"),
    ] {
        let folder = sandbox.path("elsewhere 시험").join(host);
        std::fs::create_dir_all(&folder).unwrap();
        gulf(&sandbox, ["install", host]).variable(variable, &folder).run().expect_exit(0);
        assert!(folder.join(path).is_file());
    }
    assert!(
        !at(&sandbox, CLAUDE).exists() && !at(&sandbox, CODEX).exists() && !at(&sandbox, COPILOT).exists()
    );
}
