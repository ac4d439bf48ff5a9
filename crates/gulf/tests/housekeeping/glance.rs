//! `gulf` alone: what it finds, in at most ten lines, and the command that it names.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Size, Standing, Step, quote};

use crate::gulf;

const LINES_MAX: usize = 10;
const SIZE: Size = Size { rows: 40, columns: 120 };

/// In a project with these settings, beside the sample's files.
fn project(settings: &str) -> Sandbox {
    Sandbox::with(&Sample::shell().file("gulf.toml", settings))
}

fn well() -> Sandbox {
    project("[agent]\ntool = \"command:cat\"\n[[check]]\ncommand = \"grep -qx right value.txt\"\n")
}

/// None without git.
fn standing(sandbox: &Sandbox) -> Option<Standing> {
    sandbox.file(".git").exists().then(|| Standing::of(sandbox))
}

/// The command that stands in the last line, without what it is for; nothing was written to find it out.
#[track_caller]
fn named(sandbox: &Sandbox, exit: i32) -> (Finished, String) {
    let before = standing(sandbox);
    let finished = gulf(sandbox, [""; 0]).run().expect_exit(exit).does_not_panic();
    assert_eq!(standing(sandbox), before);
    assert!(finished.stdout.lines().count() <= LINES_MAX, "{}", finished.stdout);
    assert_eq!(finished.stderr, "");
    let last = finished.stdout.lines().last().unwrap();
    let command = last.split("  ").next().unwrap().to_owned();
    (finished, command)
}

#[test]
fn in_a_project_where_a_loop_can_begin_it_says_with_what_and_names_the_command() {
    let sandbox = well();
    let (finished, command) = named(&sandbox, 0);
    assert_eq!(command, "gulf run \"what should be done\"");
    let finished = finished.says("nothing is uncommitted").says("agent    cat");
    let finished = finished.says("grep -qx right value.txt (gulf.toml:").says("limits   at most");
    drop(finished.says("loop     none yet"));
    assert!(!sandbox.state().exists(), "a look made gulf's home");
}

#[test]
fn uncommitted_files_are_counted_and_ignored_ones_are_not() {
    let sandbox = well();
    sandbox.write(".gitignore", "junk\n");
    sandbox.write("junk", "x");
    sandbox.write("value.txt", "changed\n");
    drop(named(&sandbox, 0).0.says("2 uncommitted files"));
    sandbox.git(["update-index", "--split-index"]);
    drop(named(&sandbox, 0).0.says("2 uncommitted files"));
    sandbox.commit("all of it");
    drop(named(&sandbox, 0).0.says("nothing is uncommitted"));
}

#[test]
fn the_settings_of_a_repository_start_no_program_for_a_look() {
    let sandbox = well();
    let touched = sandbox.path("touched");
    let filter = format!("touch {}; cat", quote(touched.as_str()));
    sandbox.git(["config", "filter.trap.clean", &filter]);
    sandbox.git(["config", "core.fsmonitor", &filter]);
    sandbox.write(".gitattributes", "* filter=trap\n");
    sandbox.write("value.txt", "changed\n");
    named(&sandbox, 0);
    assert!(!touched.exists(), "a filter of the repository ran");
}

#[test]
fn without_git_it_says_what_a_loop_does_then() {
    let sandbox = Sandbox::without_git();
    sandbox.write("gulf.toml", "[agent]\ntool = \"command:cat\"\n[[check]]\ncommand = \"true\"\n");
    let (finished, command) = named(&sandbox, 0);
    assert_eq!(command, "gulf run \"what should be done\"");
    drop(finished.says("no git").says("`git init`"));
}

#[test]
fn in_an_empty_folder_a_check_is_asked_for() {
    let sandbox = Sandbox::without_git();
    sandbox.write("gulf.toml", "[agent]\ntool = \"command:cat\"\n");
    let (finished, command) = named(&sandbox, 2);
    assert_eq!(command, "gulf run \"what should be done\" --check COMMAND");
    drop(finished.says("no check was found"));
}

#[test]
fn without_an_agent_the_demo_is_named() {
    let sandbox = project("[[check]]\ncommand = \"true\"\n");
    let (finished, command) = named(&sandbox, 2);
    assert_eq!(command, "gulf demo");
    drop(finished.says("none that gulf knows by name is installed").says("install Claude Code or Codex"));
}

#[test]
fn an_agent_that_is_not_there_is_named_and_so_is_a_check_that_cannot_run() {
    let sandbox = project("[agent]\ntool = \"command:no-such-agent\"\n[[check]]\ncommand = \"true\"\n");
    drop(named(&sandbox, 2).0.says("its program was not found: no-such-agent"));
    let sandbox = project("[agent]\ntool = \"command:cat\"\n[[check]]\ncommand = \"no-such-check\"\n");
    let (finished, command) = named(&sandbox, 2);
    assert_eq!(command, "gulf doctor");
    drop(finished.says("problem  no-such-check").says("hint     install it").says("lists every mistake"));
    let sandbox = Sandbox::without_git();
    sandbox.git(["init", "--quiet", "--bare", "."]);
    let finished = gulf(&sandbox, [""; 0]).run().expect_exit(2).says("hint     run gulf in a worktree");
    drop(finished.says("gulf doctor  lists every mistake and its fix"));
}

#[test]
fn a_mistake_in_the_settings_has_its_place() {
    let (finished, command) = named(&project("reserch = \"off\"\n"), 2);
    assert_eq!(command, "gulf doctor");
    drop(finished.says("gulf.toml:1:1"));
}

#[test]
fn a_whole_home_is_no_project() {
    let sandbox = Sandbox::without_git();
    let home = sandbox.home();
    let finished = sandbox.program("env", ["-C", home.as_str(), env!("CARGO_BIN_EXE_gulf")]).run();
    drop(finished.expect_exit(2).says("is no repository").says("mkdir work"));
}

#[test]
fn without_the_program_git_it_says_so() {
    let sandbox = well();
    let empty = sandbox.path("empty");
    fs::create_dir(&empty).unwrap();
    let finished = gulf(&sandbox, [""; 0]).variable("PATH", empty.as_str()).run();
    drop(finished.expect_exit(2).says("problem").says("git"));
}

/// As git 2.30 answers, which takes options that it does not know for words.
#[test]
fn a_git_that_is_too_old_is_named_with_its_version() {
    let sandbox = well();
    let old = sandbox.path("old");
    fs::create_dir(&old).unwrap();
    let script = "#!/bin/sh\ncase \"$*\" in\n*rev-parse*) printf -- '--path-format=absolute\\nfalse\\nfalse\\n' ;;\n\
                  *version*) echo git version 2.30.2 ;;\nesac\n";
    fs::write(old.join("git"), script).unwrap();
    fs::set_permissions(old.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{old}:/usr/bin:/bin");
    let finished = gulf(&sandbox, [""; 0]).variable("PATH", path.as_str()).run().expect_exit(2);
    drop(finished.says("git 2.30 is too old").says("install git 2.38 or newer"));
}

#[test]
fn a_loop_that_is_not_over_comes_first() {
    let sandbox = well();
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run("gulf claim need-decision 'Which port?'")]);
    gulf(&sandbox, ["run", "choose a port", "--agent", &agent.flag()]).run().expect_exit(10);
    let (finished, command) = named(&sandbox, 0);
    let handle = command.strip_prefix("gulf status ").unwrap_or_else(|| panic!("{command}"));
    let finished = finished.says(&format!("loop     {handle} paused: choose a port"));
    drop(finished);
    gulf(&sandbox, ["cancel"]).run().expect_exit(0);
    let (finished, command) = named(&sandbox, 0);
    assert_eq!(command, "gulf run \"what should be done\"");
    drop(finished.says("cancelled: choose a port"));
}

/// A project of pnpm's, whose dependencies are not installed, and a PATH with a pnpm that only makes their folder.
fn managed() -> (Sandbox, String) {
    let sandbox = project("[agent]\ntool = \"command:cat\"\n");
    let package = r#"{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "4"}}"#;
    sandbox.write("package.json", package);
    sandbox.write("pnpm-lock.yaml", "");
    sandbox.write(".gitignore", "node_modules/\n");
    sandbox.commit("a package");
    let path = with(&sandbox, "pnpm", "mkdir node_modules");
    (sandbox, path)
}

/// A PATH with what gulf needs, and a program that is this script.
fn with(sandbox: &Sandbox, name: &str, script: &str) -> String {
    let folder = sandbox.path(&format!("bin of {name}"));
    fs::create_dir_all(&folder).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    for needed in ["git", "sh", "cat", "mkdir"] {
        let mut places = std::env::split_paths(&path).map(|folder| folder.join(needed));
        let place = places.find(|place| place.is_file()).unwrap();
        let _ = symlink(place, folder.join(needed));
    }
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    folder.into_string()
}

/// The last command, of a look with this PATH.
#[track_caller]
fn next(sandbox: &Sandbox, path: &str, exit: i32) -> String {
    let finished = gulf(sandbox, [""; 0]).variable("PATH", path).run().expect_exit(exit).does_not_panic();
    assert!(finished.stdout.lines().count() <= LINES_MAX, "{}", finished.stdout);
    let last = finished.stdout.lines().last().unwrap().to_owned();
    last.split("  ").next().unwrap().to_owned()
}

#[test]
fn what_is_not_installed_comes_first_with_the_command_that_installs_it() {
    let (sandbox, path) = managed();
    assert_eq!(next(&sandbox, &path, 0), "pnpm install --frozen-lockfile");
    sandbox.write("node_modules/vitest.js", "");
    assert_eq!(next(&sandbox, &path, 0), "gulf run \"what should be done\"");
    let by_npm = "npm install --global pnpm && pnpm install --frozen-lockfile";
    assert_eq!(next(&sandbox, &with(&sandbox, "npm", ""), 2), by_npm);
    let by_corepack = "corepack enable pnpm && pnpm install --frozen-lockfile";
    assert_eq!(next(&sandbox, &with(&sandbox, "corepack", ""), 2), by_corepack);
    sandbox.write("gulf.toml", "[agent]\ntool = \"command:cat\"\n[environment]\nsetup = \"pnpm i\"\n");
    fs::remove_dir_all(sandbox.file("node_modules")).unwrap();
    assert_eq!(next(&sandbox, &path, 0), "gulf run \"what should be done\"");
}

#[test]
fn where_pytest_is_lacking_an_environment_for_it_is_proposed() {
    let sandbox = project("[agent]\ntool = \"command:cat\"\n");
    sandbox.write("pyproject.toml", "[project]\nname = 'a'\n[project.optional-dependencies]\ntest = []\n");
    sandbox.write("tests/test_a.py", "def test_a(): pass\n");
    let path = with(&sandbox, "python3", "exit 1");
    let install = "-m pip install -e '.[test]' pytest";
    let made = "python3 -m venv .venv && echo '*' > .venv/.gitignore && .venv/bin/python";
    assert_eq!(next(&sandbox, &path, 2), format!("{made} {install}"));
    sandbox.write(".venv/bin/python", "");
    assert_eq!(next(&sandbox, &path, 2), format!(".venv/bin/python {install}"));
    let active = gulf(&sandbox, [""; 0]).variable("PATH", &path).variable("VIRTUAL_ENV", "/elsewhere").run();
    drop(active.expect_exit(2).says(&format!("\npython3 {install}  ")));
    // By pipx or uv it is a program, and no module of this Python.
    let program = camino::Utf8PathBuf::from(&path).join("pytest");
    fs::write(&program, "#!/bin/sh\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(next(&sandbox, &path, 0), "gulf run \"what should be done\"");
    drop(gulf(&sandbox, [""; 0]).variable("PATH", &path).run().expect_exit(0).says("checks   pytest ("));
}

#[test]
fn at_a_terminal_gulf_installs_on_a_yes_and_asks_for_the_goal() {
    let (sandbox, path) = managed();
    let terminal = gulf(&sandbox, [""; 0]).variable("PATH", &path).on_terminal(SIZE);
    terminal.wait_for("Run that now? [y/N]");
    assert!(!sandbox.file("node_modules").exists());
    terminal.enter("y");
    terminal.wait_for("What should be done?");
    assert!(sandbox.file("node_modules").exists());
    terminal.press(gulf_testkit::Key::Enter);
    assert_eq!(terminal.finish(), 0);
}

#[test]
fn an_installation_that_fails_is_told_and_nothing_is_asked() {
    let (sandbox, _) = managed();
    let path = with(&sandbox, "pnpm", "echo no network; exit 3");
    let terminal = gulf(&sandbox, [""; 0]).variable("PATH", &path).on_terminal(SIZE);
    terminal.wait_for("Run that now?");
    terminal.enter("y");
    terminal.wait_for("`pnpm install --frozen-lockfile` failed");
    assert_eq!(terminal.finish(), 2);
}

#[test]
fn at_a_terminal_the_goal_is_asked_for_and_the_loop_begins() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n"), Step::claim()]);
    let tool = agent.flag().replace('\\', "\\\\").replace('"', "\\\"");
    let settings = format!(
        "research = \"off\"\n[agent]\ntool = \"{tool}\"\n[[check]]\ncommand = \"grep -qx right value.txt\"\n"
    );
    sandbox.write("gulf.toml", settings);
    sandbox.commit("settings");
    let terminal = gulf(&sandbox, [""; 0]).on_terminal(SIZE);
    terminal.wait_for("What should be done?");
    terminal.enter("-- 값을 right로 바꿔 줘");
    terminal.wait_for("verified");
    assert_eq!(terminal.finish(), 0);
    let list = gulf(&sandbox, ["list", "--json"]).run().expect_exit(0);
    drop(list.says("-- 값을 right로 바꿔 줘").says("verified"));
}

#[test]
fn at_a_terminal_enter_alone_begins_nothing() {
    let sandbox = well();
    let before = Standing::of(&sandbox);
    let terminal = gulf(&sandbox, [""; 0]).on_terminal(SIZE);
    terminal.wait_for("What should be done?");
    terminal.press(gulf_testkit::Key::Enter);
    assert_eq!(terminal.finish(), 0);
    assert_eq!(Standing::of(&sandbox), before);
    assert!(!sandbox.state().exists());
}
