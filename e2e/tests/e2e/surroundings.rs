//! What workers and checks find around them: variables, programs, streams, other people's git settings.

use std::fs::{self, File};

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step, gulf, quote};

use crate::{RIGHT, exit, mend, run, run_right};

#[test]
fn the_worker_knows_its_turn_and_finds_this_very_gulf() {
    let sandbox = Sandbox::with(&Sample::shell());
    let tell = "echo loop=$GULF_LOOP iteration=$GULF_ITERATION attempt=$GULF_ATTEMPT home=$GULF_HOME; gulf --version; pwd";
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(tell)].into_iter().chain(mend()));
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let (_, code, told) = agent.tally().commands().remove(0);
    assert_eq!(code, Some(0), "{told}");
    let id = sandbox.only_loop().id().to_owned();
    let version = sandbox.gulf(["--version"]).run().stdout;
    for word in [
        &format!("loop={id} iteration=1 attempt=1 home={}", sandbox.state()),
        version.trim(),
        sandbox.repository().as_str(),
    ] {
        assert!(told.contains(word), "{word} is missing: {told}");
    }
}

#[test]
fn an_upgrade_of_gulf_under_a_loop_loses_no_claim() {
    let sandbox = Sandbox::with(&Sample::shell());
    let own = sandbox.path("installed-gulf");
    fs::copy(gulf(), &own).unwrap();
    let removed = Step::run(&format!("rm {}", quote(own.as_str())));
    let agent = FakeAgent::new(&sandbox).turn(1, [removed].into_iter().chain(mend()));
    let flag = agent.flag();
    let run = sandbox.program(own.as_str(), ["run", "goal", "--agent", &flag, "--check", RIGHT]);
    run.run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_check_sees_the_persons_variables_and_none_of_gulfs() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let check = "test -z \"$GULF_LOOP$GULF_ITERATION$GULF_HOME\" && test \"$MINE\" = 'a b' && sh check.sh";
    run(&sandbox, &agent, &["--check", check]).variable("MINE", "a b").run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_check_of_gulf_toml_has_its_own_folder_and_variables() {
    let toml = "[[check]]\nname = \"notes\"\ncommand = \"test -e a.txt && test $DEPTH = 2 && sh ../check.sh\"\n\
                cwd = \"notes\"\nenv = { DEPTH = \"2\" }\n";
    let sandbox = Sandbox::with(
        &Sample::shell()
            .file("gulf.toml", toml)
            .file("check.sh", "grep -qx right \"$(dirname \"$0\")/value.txt\"\n"),
    );
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn variables_of_git_that_a_person_has_set_do_not_steer_gulf() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let before = sandbox.git(["rev-parse", "HEAD"]);
    run_right(&sandbox, &agent, &[])
        .variable("GIT_INDEX_FILE", "/nowhere/index")
        .variable("GIT_OBJECT_DIRECTORY", "/nowhere/objects")
        .variable("GIT_CONFIG_COUNT", "1")
        .variable("GIT_CONFIG_KEY_0", "core.bare")
        .variable("GIT_CONFIG_VALUE_0", "true")
        .run()
        .expect_exit(exit::VERIFIED);
    assert_eq!(sandbox.git(["rev-parse", "HEAD"]), before);
}

#[test]
fn git_settings_of_the_person_are_survived() {
    let sandbox = Sandbox::with(
        &Sample::shell().file(".gitattributes", "* text=auto\n").file("windows.txt", "a\r\nb\r\n"),
    );
    for (key, value) in [
        ("core.autocrlf", "input"),
        ("commit.gpgSign", "true"),
        ("core.hooksPath", "/nowhere"),
        ("core.fsmonitor", "false"),
        ("diff.external", "/bin/false"),
        ("core.quotePath", "true"),
        ("status.showUntrackedFiles", "no"),
        ("color.ui", "always"),
    ] {
        sandbox.git(["config", "--global", key, value]);
    }
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("new file", "x")].into_iter().chain(mend()));
    run(&sandbox, &agent, &["--check", "sh check.sh && test -e 'new file'"])
        .run()
        .expect_exit(exit::VERIFIED);
}

#[test]
fn checks_that_were_found_are_said_in_one_line() {
    let sandbox = Sandbox::with(&Sample::node());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    run(&sandbox, &agent, &["--expect", "stay-green", "-n", "1"])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("npm test");
}

#[test]
fn a_file_over_the_limit_is_named_and_not_stored() {
    let sandbox = Sandbox::with(&Sample::shell());
    File::create(sandbox.file("huge.bin")).unwrap().set_len(101 << 20).unwrap();
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED).says("huge.bin");
    let (commit, _) = sandbox.only_loop().candidate();
    assert!(!sandbox.git(["ls-tree", "-r", "--name-only", &commit]).contains("huge.bin"));
}

#[test]
fn a_projects_own_prompt_template_is_used_and_a_broken_one_is_refused_with_its_place() {
    for (template, expected) in
        [("Do this: {{ goal }}\n", exit::VERIFIED), ("Do\n{{ goa\n", exit::REFUSED_START)]
    {
        let toml = "[prompt]\ntemplate = \"my prompt.md\"\n";
        let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", toml).file("my prompt.md", template));
        let agent = FakeAgent::new(&sandbox).turn(1, mend());
        let finished = run_right(&sandbox, &agent, &[]).run().expect_exit(expected);
        if expected == exit::VERIFIED {
            assert_eq!(agent.tally().prompt(1).trim(), format!("Do this: {}", crate::GOAL));
        } else {
            finished.says("my prompt.md").says("error:");
            assert!(agent.tally().turns().is_empty());
        }
    }
}

#[test]
fn a_check_that_floods_and_leaves_a_process_behind_is_judged_by_its_exit_and_cleared_away() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let check = "yes \"$(seq 99 | tr -d '\\n')\" | head -c 2000000; (setsid tail -f /dev/null > /dev/null 2>&1 &); sh check.sh";
    run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::VERIFIED);
    sandbox.assert_nothing_left();
}

#[test]
fn a_shim_whose_gulf_died_before_it_said_what_to_run_says_nothing_to_the_person() {
    let sandbox = Sandbox::with(&Sample::shell());
    let finished = sandbox.gulf(["__shim"]).run().expect_exit(2);
    assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("", ""));
    let asked = sandbox.gulf(["__shim"]).stdin("hello, is anybody there?").run().expect_exit(2);
    asked.says("`gulf __shim` was not asked to run a program").says("hint:");
}
