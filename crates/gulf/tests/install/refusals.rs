//! What gulf does not touch, and says why: a guess in somebody's settings is worse than none.

use crate::{CLAUDE, CODEX, at, commands, get, gulf, home, put};

#[test]
fn a_file_that_is_not_understood_is_left_with_the_place_that_is_not() {
    for (text, why, place) in [
        ("{\"hooks\": []}", "\"hooks\" should be an object, and is an array", ":1:11"),
        ("{\n \"hooks\": {\"Stop\": {}}}", "\"Stop\" should be an array, and is an object", ":2:20"),
        (
            "{\"hooks\": {\"Stop\": [3]}}",
            "an entry of \"Stop\" should be an object, and is a number",
            ":1:21",
        ),
        (
            "{\"hooks\": {\"PreToolUse\": [{\"hooks\": \"x\"}]}}",
            "should be an array, and is a string",
            ":1:37",
        ),
        ("{\"hooks\": {\"Stop\": [{\"hooks\": [null]}]}}", "a hook of \"Stop\" should be an object", ":1:32"),
        ("{\"hooks\": {}, \"hooks\": {}}", "\"hooks\" is there twice", ":1:15"),
        ("{\"hooks\": {\"Stop\": [], \"\\u0053top\": []}}", "\"Stop\" is there twice", ":1:24"),
        ("{\"enabledPlugins\": {}, \"enabledPlugins\": {}}", "\"enabledPlugins\" is there twice", ":1:24"),
        ("{\"enabledPlugins\": []}", "\"enabledPlugins\" should be an object", ":1:20"),
        ("[]", "the whole file should be an object", ":1:1"),
        ("{\"a\": }", "this is not JSON", ":1:7"),
        ("{\"a\": 1 \"b\": 2}", "this is not JSON", ":1:8"),
        ("{'a': 1}", "this is not JSON", ":1:2"),
        ("{\"a\": 1} {}", "this is not JSON", ":1:10"),
    ] {
        let sandbox = home();
        put(&sandbox, CLAUDE, text);
        for arguments in [["install", "claude", "--dry-run"], ["install", "claude", "--replace-original"]] {
            gulf(&sandbox, arguments).run().expect_exit(2).says(why).says(&format!("{CLAUDE}{place}"));
        }
        assert_eq!(get(&sandbox, CLAUDE), text);
        assert!(commands(&sandbox).is_empty(), "nothing is written before everything is understood");
    }
}

#[test]
fn a_file_that_is_no_text_is_left() {
    for (bytes, why) in [
        (b"{\"a\": \"\xff\"}".to_vec(), "is not UTF-8"),
        (b"\xff\xfe{\0}\0".to_vec(), "UTF-16"),
        (b"{\"a\": \0}".to_vec(), "is binary"),
        (vec![b' '; 5 * 1024 * 1024], "is too large"),
    ] {
        let sandbox = home();
        put(&sandbox, CODEX, &bytes);
        gulf(&sandbox, ["install", "codex"]).run().expect_exit(2).says(why);
        gulf(&sandbox, ["install", "codex", "--uninstall"]).run().expect_exit(2).says(why);
        assert_eq!(std::fs::read(at(&sandbox, CODEX)).unwrap(), bytes);
    }
}

#[test]
fn a_folder_in_the_place_of_the_file_is_left() {
    let sandbox = home();
    std::fs::create_dir(at(&sandbox, CODEX)).unwrap();
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(2).says("is a directory");
}

#[test]
fn an_empty_file_is_an_empty_object() {
    let sandbox = home();
    put(&sandbox, CODEX, "");
    gulf(&sandbox, ["install", "codex"]).run().expect_exit(0);
    assert_eq!(crate::json(&sandbox, CODEX)["hooks"]["Stop"][0]["hooks"][0]["timeout"], 3600);
}

#[test]
fn a_host_that_is_not_there_gets_no_folder_unless_its_program_is() {
    let sandbox = gulf_testkit::Sandbox::without_git();
    let programs = sandbox.path("programs");
    std::fs::create_dir(&programs).unwrap();
    for host in ["claude", "codex", "copilot"] {
        let install = || gulf(&sandbox, ["install", host]).variable("PATH", &programs);
        install().run().expect_exit(2).says("is not here").says(host);
        gulf(&sandbox, ["install", host, "--uninstall"]).run().expect_exit(0).says("nothing to do");
        assert!(!at(&sandbox, &format!(".{host}")).exists());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(crate::GULF, programs.join(host)).unwrap();
            install().run().expect_exit(0).says("written ");
        }
    }
}

#[test]
fn an_agent_that_works_in_a_loop_changes_no_hooks() {
    let sandbox = home();
    for arguments in [["install", "claude", "--uninstall"], ["install", "codex", "--dry-run"]] {
        gulf(&sandbox, arguments)
            .variable("GULF_LOOP", "some")
            .run()
            .expect_exit(2)
            .says("only a person may change who watches a loop");
    }
}

#[test]
fn a_host_that_gulf_does_not_know_is_a_mistake_in_the_asking() {
    let sandbox = home();
    gulf(&sandbox, ["install", "emacs"]).run().expect_exit(2).says("claude");
    gulf(&sandbox, ["install"]).run().expect_exit(2).says("<HOST>");
    gulf(&sandbox, ["install", "codex", "--uninstall", "--replace-original"]).run().expect_exit(2);
}

#[test]
fn a_command_of_somebody_elses_is_not_written_over() {
    let sandbox = home();
    put(&sandbox, ".claude/commands/gulf-loop:start.md", "Mine.\n");
    let refused = gulf(&sandbox, ["install", "claude"]).run().expect_exit(2);
    refused.says("gulf-loop:start.md exists, and gulf did not write it");
    assert!(!at(&sandbox, CLAUDE).exists());
    put(&sandbox, ".claude/commands/gulf-loop:mine.md", "Mine.\n");
    std::fs::remove_file(at(&sandbox, ".claude/commands/gulf-loop:start.md")).unwrap();
    gulf(&sandbox, ["install", "claude"]).run().expect_exit(0);
    gulf(&sandbox, ["install", "claude", "--uninstall"]).run().expect_exit(0);
    assert_eq!(commands(&sandbox), ["gulf-loop:mine.md"]);
}
