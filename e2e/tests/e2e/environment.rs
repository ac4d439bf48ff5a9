//! What rooms of checks contain besides the commit: private files, links, caches and ports, and that no secret leaves.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use gulf_testkit::{FakeAgent, Sample, Sandbox, Started, Step, skip};

use crate::{RIGHT, exit, mend, run, run_right};

const SECRET: &str = "hunter2-of-the-person";

#[test]
fn a_check_knows_that_nobody_looks_on_unless_a_person_says_otherwise() {
    for (persons, seen) in [(None, "true"), (Some("false"), "false")] {
        let sandbox = Sandbox::with(&Sample::shell());
        let check = format!("{RIGHT} && test \"$CI\" = {seen}");
        let agent = FakeAgent::new(&sandbox).otherwise(mend());
        let mut started = run(&sandbox, &agent, &["--check", &check, "-n", "1"]);
        if let Some(value) = persons {
            started = started.variable("CI", value);
        }
        started.run().expect_exit(exit::VERIFIED);
    }
}

/// A project whose check reads the secret; nobody committed it.
fn with_secret(toml: &str) -> Sandbox {
    let sample = Sample::shell().file(".gitignore", "*.log\n.env\n").file("gulf.toml", toml);
    let sandbox = Sandbox::with(&sample);
    sandbox.write(".env", format!("SECRET={SECRET}\n"));
    fs::set_permissions(sandbox.file(".env"), fs::Permissions::from_mode(0o600)).unwrap();
    sandbox
}

/// Green when value.txt is right and the checkout has the person's secret; the command itself does not tell it.
fn secret_check() -> String {
    format!(
        "{RIGHT} && grep -qx 'SECRET=hunter[0-9]-of-the-person' .env && test \"$(stat -c %a .env)\" = 600"
    )
}

/// Every file below the state that holds the secret.
fn files_with_secret(sandbox: &Sandbox) -> Vec<String> {
    let found = Command::new("grep").args(["-rlF", SECRET, sandbox.state().as_str()]).output().unwrap();
    String::from_utf8(found.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_check_finds_the_env_file_and_no_candidate_prompt_or_journal_does() {
    for toml in ["environment.copy = [\".env\"]\n", ""] {
        let sandbox = with_secret(toml);
        if toml.is_empty() {
            sandbox.write(".worktreeinclude", ".env\n");
            sandbox.commit("include");
        }
        let agent = FakeAgent::new(&sandbox).turn(1, mend());
        run(&sandbox, &agent, &["--check", &secret_check()]).run().expect_exit(exit::VERIFIED);
        let kept = sandbox.only_loop();
        let allowed =
            ["sealed/files/.env", "rooms/candidate/.env", "rooms/base/.env"].map(|path| kept.path(path));
        for found in files_with_secret(&sandbox) {
            assert!(allowed.iter().any(|path| *path == found), "{found} holds the secret");
        }
        let (commit, _) = kept.candidate();
        assert!(!sandbox.git(["ls-tree", "-r", "--name-only", &commit]).contains(".env"));
    }
}

#[test]
fn a_worker_that_edits_deletes_or_unignores_its_env_file_changes_nothing_for_the_checks() {
    for command in [
        "echo SECRET=mine > .env",
        "rm .env; mkdir .env",
        "rm -f .env; ln -s /etc/hostname .env",
        "echo '*.log' > .gitignore",
        "git add -f .env && git -c user.name=w -c user.email=w@x commit -qm oops && git rm -q --cached .env && \
         git -c user.name=w -c user.email=w@x commit -qm 'take it back'",
        "git add -f .env && git -c user.name=w -c user.email=w@x commit -qm oops",
    ] {
        let sandbox = with_secret("environment.copy = [\".env\"]\n");
        let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(command)].into_iter().chain(mend()));
        run(&sandbox, &agent, &["--check", &secret_check()]).run().expect_exit(exit::VERIFIED);
        let (commit, _) = sandbox.only_loop().candidate();
        let history = sandbox.git(["log", "-p", "--full-history", "--format=%H", &commit, "--", ".env"]);
        assert_eq!(history, "", "{command}: the candidate's history holds the secret");
        assert!(!sandbox.git(["ls-tree", "-r", "--name-only", &commit]).contains(".env"), "{command}");
    }
}

/// A script at this path.
fn program(sandbox: &Sandbox, path: &str, commands: &str) {
    sandbox.write(path, format!("#!/bin/sh\n{commands}\n"));
    fs::set_permissions(sandbox.file(path), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn beside_a_program_of_the_virtual_environment_its_other_programs_are_found_first() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", ".venv/\n"));
    sandbox.write(".venv/pyvenv.cfg", "home = /usr/bin\n");
    program(
        &sandbox,
        ".venv/bin/tests",
        &format!("tool && test \"$VIRTUAL_ENV\" = \"$PWD/.venv\" && {RIGHT}"),
    );
    program(&sandbox, ".venv/bin/tool", "exit 0");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run(&sandbox, &agent, &["--check", ".venv/bin/tests"]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_virtual_environment_that_a_worker_makes_is_none() {
    let sandbox = Sandbox::with(&Sample::shell());
    program(&sandbox, "tools/bin/tests", "grep -qx right value.txt");
    sandbox.commit("tests");
    let pretend = "touch tools/pyvenv.cfg; printf '#!/bin/sh\n' > tools/bin/grep; chmod +x tools/bin/grep";
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(pretend), Step::claim()]);
    let told = run(&sandbox, &agent, &["--check", "tools/bin/tests", "-n", "1"]).run();
    told.expect_exit(exit::EXHAUSTED).says("FAILED exit 1");
}

#[test]
fn a_check_that_spoils_its_env_file_spoils_it_for_no_other() {
    let sandbox = with_secret("environment.copy = [\".env\"]\n");
    let spoil = "rm -f .env; mkdir .env; touch .env/x";
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let checks = ["--check", &format!("{}; {spoil}; {RIGHT}", secret_check()), "--check", &secret_check()];
    run(&sandbox, &agent, &checks).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_worker_that_reaches_for_the_sealed_env_file_is_noticed_and_no_check_gets_it() {
    let sandbox = with_secret("environment.copy = [\".env\"]\n");
    let forge =
        "cd \"$GULF_HOME\"/repositories/*/loops/*/sealed/files && rm -f .env && echo SECRET=mine > .env";
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(forge)].into_iter().chain(mend()));
    run(&sandbox, &agent, &["--check", RIGHT])
        .variable("GULF_MAX_FAILURES", "3")
        .run()
        .expect_exit(exit::UNAVAILABLE)
        .says("is no longer what it was at the start");
}

#[test]
fn a_loop_in_a_worktree_has_the_persons_files_and_is_led_into_the_worktree() {
    let toml = "[environment]\ncopy = [\".env\"]\nlink = [\"data\"]\nports = [\"PORT\"]\n";
    let sandbox = with_secret(toml);
    sandbox.write(".gitignore", "*.log\n.env\ndata/\n.venv/\n");
    sandbox.commit("data");
    sandbox.write("data/set.bin", "all of it\n");
    sandbox.write(".venv/bin/tool", "#!/bin/sh\n");
    let check =
        format!("{} && test -s data/set.bin && test \"$VIRTUAL_ENV\" = \"$PWD/.venv\"", secret_check());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("other.txt", "x\n"), Step::claim()]);
    run(&sandbox, &agent, &["--check", &check, "-n", "1"]).run();
    let origin = format!("{}@1", sandbox.only_loop().id());
    let tell = "cat .env data/set.bin; echo port $PORT at $VIRTUAL_ENV; git status --porcelain";
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(tell)].into_iter().chain(mend()));
    sandbox
        .gulf(["fork", &origin, "--agent", &agent.flag()])
        .variable("VIRTUAL_ENV", sandbox.file(".venv"))
        .run()
        .expect_exit(exit::VERIFIED);
    let commands = agent.tally().commands();
    let (_, _, told) = commands.iter().find(|(_, _, told)| told.contains("port ")).unwrap();
    for word in [SECRET, "all of it", "port 2", "-gulf-fork-", "/.venv"] {
        assert!(told.contains(word), "{word} is missing: {told}");
    }
    assert!(!told.contains("??"), "what the worktree was given is hidden from git: {told}");
}

#[test]
fn an_env_file_that_git_does_not_ignore_is_refused_before_anything_is_kept() {
    let sandbox = with_secret("environment.copy = [\".env\"]\n");
    sandbox.write(".gitignore", "*.log\n");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says(".env is to be copied into fresh checkouts, but git does not ignore it")
        .says("hint:")
        .does_not_say(SECRET);
    assert!(sandbox.loops().is_empty() && files_with_secret(&sandbox).is_empty());
    assert!(agent.tally().turns().is_empty());
}

#[test]
fn a_link_leads_the_checks_to_the_persons_data_and_is_no_part_of_a_candidate() {
    let toml = "[environment]\nlink = [\"data/large\"]\ncache = [\"built\"]\n";
    let sandbox =
        Sandbox::with(&Sample::shell().file(".gitignore", "*.log\ndata/\nbuilt/\n").file("gulf.toml", toml));
    sandbox.write("data/large/set.bin", "all of it\n");
    sandbox.write("built/first", "from the start\n");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let check = format!("test -L data/large && test -s data/large/set.bin && test -s built/first && {RIGHT}");
    run(&sandbox, &agent, &["--check", &check]).run().expect_exit(exit::VERIFIED);
    run(&sandbox, &agent, &["--check", "true", "--verify-from-clean"]).run();
    assert_eq!(sandbox.read("data/large/set.bin"), "all of it\n");
}

#[test]
fn a_data_set_that_git_tracks_is_not_linked() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", "environment.link = [\"notes\"]\n"));
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START).says("git tracks it");
}

#[test]
fn the_worker_and_each_room_have_ports_of_their_own_which_a_check_may_outrank() {
    let toml = "[environment]\nports = [\"PORT\", \"DB_PORT\"]\nport_range = \"25700-25799\"\n\n\
                [[check]]\nname = \"own\"\ncommand = \"test $PORT = 80\"\nenv = { PORT = \"80\" }\n";
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", toml));
    let tell = |who: &str| format!("echo {who} $PORT $DB_PORT >> '{}'", sandbox.path("said"));
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(&tell("worker"))].into_iter().chain(mend()));
    let check = format!("{}; {RIGHT}", tell("$(basename $PWD)"));
    run(&sandbox, &agent, &["--check", &check]).variable("PORT", "3000").run().expect_exit(exit::VERIFIED);
    let said = fs::read_to_string(sandbox.path("said")).unwrap();
    let mut holders: Vec<(String, Vec<u16>)> = said
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(who, ports)| (who.to_owned(), ports.split(' ').map(|port| port.parse().unwrap()).collect()))
        .collect();
    holders.sort();
    holders.dedup();
    let who: Vec<&str> = holders.iter().map(|(who, _)| who.as_str()).collect();
    assert_eq!(who, ["base", "candidate", "worker"], "{said}");
    let ports: BTreeSet<u16> = holders.iter().flat_map(|(_, ports)| ports).copied().collect();
    assert_eq!(ports.len(), 6, "{said}");
    assert!(ports.iter().all(|port| (25_700..25_800).contains(port)), "{said}");
}

#[test]
fn loops_side_by_side_never_share_a_port() {
    let sandbox = Sandbox::with(&Sample::green().file("gulf.toml", "environment.ports = [\"PORT\"]\n"));
    let [said, go] = ["said", "go"].map(|name| sandbox.path(name));
    fs::create_dir(&said).unwrap();
    assert!(Command::new("mkfifo").arg(&go).status().unwrap().success());
    // Each tells its port and stays until all have told theirs.
    let check = format!("echo $PORT > '{said}/'$PORT; echo $PORT > '{said}.all'; read line < '{go}'");
    assert!(Command::new("mkfifo").arg(format!("{said}.all")).status().unwrap().success());
    let all: Vec<Started> = (0..8).map(|_| sandbox.gulf(["verify", "--check", &check]).start()).collect();
    let mut told = 0;
    while told < 8 {
        told += fs::read_to_string(format!("{said}.all")).unwrap().lines().count();
    }
    assert_eq!(fs::read_dir(&said).unwrap().count(), 8, "each has a port of its own");
    let mut go = fs::OpenOptions::new().write(true).open(&go).unwrap();
    // A line for each, which no other reads.
    go.write_all(&[b'\n'; 8]).unwrap();
    all.into_iter().for_each(|one| drop(one.finish().expect_exit(0)));
}

#[test]
fn a_range_without_a_free_port_is_said_with_the_setting() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let toml = format!("environment.ports = [\"PORT\"]\nenvironment.port_range = \"{port}-{port}\"\n");
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", &toml));
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says(&format!("of 1 ports from {port} to {port}"));
    drop(listener);
}

#[test]
fn a_setting_that_was_moved_is_refused_with_its_new_name() {
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", "[verify]\nsetup = \"true\"\n"));
    sandbox
        .gulf(["config", "explain"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("`verify.setup` is called `environment.setup` now");
}

#[test]
fn a_go_project_without_any_configuration_is_verified() {
    if Command::new("go").arg("version").output().is_err() {
        return skip("go is not installed");
    }
    let test = "package app\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fatal()\n\t}\n}\n";
    let sandbox = Sandbox::with(
        &Sample::green()
            .file("go.mod", "module example.org/app\n\ngo 1.21\n")
            .file("app.go", "package app\n\nfunc One() int { return 2 }\n")
            .file("app_test.go", test),
    );
    let mended = Step::write("app.go", "package app\n\nfunc One() int { return 1 }\n");
    let agent = FakeAgent::new(&sandbox).turn(1, [mended, Step::claim()]);
    run(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_new_case_of_go_is_proof_also_where_go_prints_as_it_does_by_itself() {
    if Command::new("go").arg("version").output().is_err() {
        return skip("go is not installed");
    }
    let test = |name: &str, wanted: &str| {
        format!(
            "package app\n\nimport \"testing\"\n\nfunc Test{name}(t *testing.T) {{\n\tif One() != {wanted} {{\n\t\tt.Fatal()\n\t}}\n}}\n"
        )
    };
    for check in ["go test ./...", "make test"] {
        let sandbox = Sandbox::with(
            &Sample::green()
                .file("go.mod", "module example.org/app\n\ngo 1.18\n")
                .file("Makefile", "test:\n\tgo test ./...\n")
                .file("app.go", "package app\n\nfunc One() int { return 2 }\n")
                .file("old_test.go", &test("Old", "2 && One() != 1")),
        );
        let mended = Step::write("app.go", "package app\n\nfunc One() int { return 1 }\n");
        let new = Step::write("new_test.go", &test("New", "1"));
        let agent = FakeAgent::new(&sandbox).turn(1, [mended, new, Step::claim()]);
        let finished = run(&sandbox, &agent, &["--check", check]).run();
        finished.expect_exit(exit::VERIFIED).says("TestNew").says("2 tests");
    }
}
