//! `gulf doctor`: each thing a loop needs, and what to do where it is missing.

use std::fs;

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Standing};
use serde_json::Value;

use crate::{document, gulf};

/// A project in which a loop could run.
fn well() -> Sandbox {
    Sandbox::with(&Sample::shell().file(
        "gulf.toml",
        "[agent]\ntool = \"command:cat\"\n[[check]]\ncommand = \"grep -qx right value.txt\"\n",
    ))
}

/// The first finding of this kind that is not ok must say this.
#[track_caller]
fn finds(sandbox: &Sandbox, word: &str, about: &str, message: &str) -> Value {
    let finished = gulf(sandbox, ["doctor", "--json"]).run().does_not_panic();
    let document = document(&finished.stdout);
    let findings = document["findings"].as_array().unwrap().clone();
    let problem = findings.iter().any(|finding| finding["word"] == "problem");
    assert_eq!(document["ok"], !problem);
    assert_eq!(finished.exit, Some(i32::from(problem)));
    let says = |finding: &&Value| {
        finding["word"] == word
            && finding["about"] == about
            && finding["message"].as_str().unwrap().contains(message)
    };
    findings.iter().find(says).unwrap_or_else(|| panic!("no such finding: {document:#}")).clone()
}

#[test]
fn where_all_is_well_nothing_is_found_and_nothing_is_written() {
    let sandbox = well();
    let before = Standing::of(&sandbox);
    gulf(&sandbox, ["doctor"]).run().expect_exit(0).says("No problem, 0 warnings.").does_not_say("hint:");
    assert_eq!(Standing::of(&sandbox), before);
    assert!(!sandbox.state().exists(), "the doctor made gulf's home");
    sandbox.assert_nothing_left();
}

#[test]
fn without_agent_and_check_a_person_is_told_and_can_still_give_them_as_flags() {
    let sandbox = Sandbox::without_git();
    assert!(
        finds(&sandbox, "warning", "agent", "no agent is set")["hint"].as_str().unwrap().contains("--agent")
    );
    assert!(finds(&sandbox, "warning", "checks", "no check")["hint"].as_str().unwrap().contains("gulf init"));
    finds(&sandbox, "warning", "repository", "has no git");
}

#[test]
fn every_mistake_in_the_settings_has_its_place() {
    let sandbox = well();
    sandbox.write("gulf.toml", "reserch = \"off\"\n[limits]\nmax_iterations = 0\n");
    assert_eq!(finds(&sandbox, "problem", "settings", "gulf.toml:1:1")["hint"], "did you mean `research`?");
    finds(&sandbox, "problem", "settings", "gulf.toml:3:18");
    sandbox.write("gulf.toml", b"\xff\xfe\x00");
    finds(&sandbox, "problem", "settings", "gulf.toml");
}

#[test]
fn what_would_not_count_in_the_rubric_is_a_problem() {
    let sandbox = well();
    sandbox.write("RUBRIC.md", "## Checks\n* npm test\n");
    finds(&sandbox, "problem", "rubric", "RUBRIC.md:2:1");
}

#[test]
fn autochecks_that_nobody_may_execute_are_a_problem() {
    let sandbox = well();
    sandbox.write(".claude/autochecks.sh", "#!/bin/sh\n");
    assert!(
        finds(&sandbox, "problem", "autochecks", "not executable")["hint"]
            .as_str()
            .unwrap()
            .contains("chmod +x")
    );
}

#[test]
fn programs_that_are_not_there_are_named() {
    let sandbox = well();
    let settings =
        "[agent]\ntool = \"command:no-such-agent\"\n[[check]]\ncommand = \"no-such-check --all\"\n";
    sandbox.write("gulf.toml", settings);
    finds(&sandbox, "problem", "agent", "no-such-agent");
    finds(&sandbox, "problem", "checks", "no-such-check");
}

/// A program of this name on a PATH of its own.
fn with_program(sandbox: &Sandbox, name: &str, script: &str) -> String {
    let path = sandbox.path("programs").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let before = sandbox.program("sh", ["-c", "echo $PATH"]).run().expect_exit(0).stdout;
    format!("{}:{}", sandbox.path("programs"), before.trim())
}

#[test]
fn an_installed_agent_is_named_with_its_version_and_taken_where_none_is_said() {
    let sandbox = Sandbox::with(&Sample::shell());
    let path = with_program(&sandbox, "claude", "echo '9.8.7 (Claude Code)'");
    let told = gulf(&sandbox, ["doctor"]).variable("PATH", &path).run();
    told.says("claude 9.8.7 (tested with 2.1.332); no sign-in found")
        .says("codex is not installed")
        .says("claude (installed; none is set)");
}

#[test]
fn a_sign_in_is_seen_by_its_file_or_its_variable_and_never_told() {
    let sandbox = well();
    let path = with_program(&sandbox, "claude", "echo '9.8.7 (Claude Code)'");
    let doctor = || gulf(&sandbox, ["doctor"]).variable("PATH", &path);
    let told = doctor().variable("ANTHROPIC_API_KEY", "sk-ant-secret").run();
    drop(told.says("(tested with 2.1.332); signed in").does_not_say("sk-ant"));
    fs::create_dir_all(sandbox.home().join(".claude")).unwrap();
    fs::write(sandbox.home().join(".claude/.credentials.json"), "{\"token\": \"sk-ant-secret\"}").unwrap();
    drop(doctor().run().says("(tested with 2.1.332); signed in").does_not_say("sk-ant"));
}

#[test]
fn copilots_settings_are_no_sign_in() {
    let sandbox = well();
    let path = with_program(&sandbox, "copilot", "echo 1.0.102");
    let doctor = || gulf(&sandbox, ["doctor"]).variable("PATH", &path);
    fs::create_dir_all(sandbox.home().join(".copilot")).unwrap();
    // It writes the plugins into it that a person installs before they sign in.
    fs::write(sandbox.home().join(".copilot/config.json"), "{\"installedPlugins\": []}").unwrap();
    drop(doctor().run().says("copilot 1.0.102 (tested with 1.0.102); no sign-in found"));
    drop(doctor().variable("GH_TOKEN", "ghp_secret").run().says("1.0.102); signed in").does_not_say("ghp_"));
}

#[test]
fn an_agent_that_does_not_say_its_version_is_a_warning() {
    let sandbox = well();
    let path = with_program(&sandbox, "codex", "exit 3");
    let told = gulf(&sandbox, ["doctor"]).variable("PATH", &path).run().expect_exit(0);
    told.says("codex is installed, but `codex --version` says nothing: exit code 3");
    let path = with_program(&sandbox, "codex", "echo hello");
    gulf(&sandbox, ["doctor"])
        .variable("PATH", &path)
        .run()
        .expect_exit(0)
        .says("no version in what it prints");
}

#[test]
fn who_judges_and_what_it_may_cost_is_told() {
    let sandbox = well();
    sandbox.write("RUBRIC.md", "## Judge criteria\n- it reads well\n");
    finds(&sandbox, "warning", "judge", "but there is no judge");
    let settings =
        "[judge]\ntool = \"command:no-such-judge\"\n[limits]\nmax_cost = \"$2\"\nmax_duration = \"1h\"\n";
    sandbox.write("gulf.toml", settings);
    finds(&sandbox, "problem", "judge", "no-such-judge");
    finds(&sandbox, "ok", "limits", "at most 50 iterations, 1h, $2.00");
    sandbox.write("gulf.toml", "preset = \"basic\"\n");
    finds(&sandbox, "ok", "judge", "the preset is basic");
    sandbox.write("gulf.toml", "preset = \"judge\"\n");
    sandbox.write("RUBRIC.md", "## Checks\n- `true`\n");
    finds(&sandbox, "warning", "judge", "has no criteria");
}

#[test]
fn a_bare_repository_is_no_place_for_a_loop() {
    let sandbox = Sandbox::without_git();
    sandbox.git(["init", "--quiet", "--bare", "."]);
    assert!(finds(&sandbox, "problem", "repository", "bare")["hint"].as_str().unwrap().contains("worktree"));
}

#[test]
fn a_machine_without_git_is_a_problem() {
    let sandbox = well();
    let programs = sandbox.path("programs");
    fs::create_dir(&programs).unwrap();
    let shell = sandbox.program("sh", ["-c", "command -v bash"]).run().expect_exit(0).stdout;
    std::os::unix::fs::symlink(shell.trim(), programs.join("bash")).unwrap();
    let finished = gulf(&sandbox, ["doctor"]).variable("PATH", programs.as_str()).run().expect_exit(1);
    finished.says("problem  git").says("install git").says("a program ran under the shim");
}

#[test]
fn a_home_inside_the_worktree_or_nowhere_is_a_problem() {
    let sandbox = well();
    let inside = sandbox.file("state");
    gulf(&sandbox, ["doctor"])
        .variable("GULF_HOME", inside.as_str())
        .run()
        .expect_exit(1)
        .says("would lie inside the worktree");
    gulf(&sandbox, ["doctor"]).variable("GULF_HOME", "/proc/gulf").run().expect_exit(1).says("problem  home");
    gulf(&sandbox, ["doctor"])
        .variable("GULF_HOME", "")
        .variable("HOME", "")
        .run()
        .expect_exit(1)
        .says("no place for gulf's state");
}

#[test]
fn a_crashed_loop_and_what_it_left_running_are_found() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (reached, held) = (Meeting::new(&sandbox, "reached"), Meeting::new(&sandbox, "held"));
    let agent = FakeAgent::new(&sandbox).otherwise([reached.reached(), held.held()]);
    let loop_process = gulf(&sandbox, ["run", "make it right", "--research", "off"])
        .arguments(["--agent", &agent.flag(), "--check", "grep -qx right value.txt"])
        .start();
    reached.wait();
    finds(&sandbox, "ok", "loops", "is running");
    loop_process.kill();
    loop_process.finish();
    sandbox.assert_nothing_left();
    let found = finds(&sandbox, "warning", "loops", "was interrupted");
    assert!(found["hint"].as_str().unwrap().contains("gulf resume"), "{found}");
}

#[test]
fn a_journal_that_cannot_be_read_is_a_problem_with_its_folder() {
    let sandbox = well();
    let agent = FakeAgent::new(&sandbox);
    gulf(&sandbox, ["run", "x", "--research", "off", "--agent", &agent.flag(), "-n", "1"]).run();
    let kept = sandbox.only_loop();
    fs::write(kept.journal_path(), "not a journal\n").unwrap();
    let found = finds(&sandbox, "problem", "loops", "cannot be read");
    assert!(found["hint"].as_str().unwrap().contains(kept.id()), "{found}");
}
