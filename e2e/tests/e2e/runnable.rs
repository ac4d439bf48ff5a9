//! Checks that cannot run: refused before the first turn where that is plain to see, and never paid for twice.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run};

fn worker(sandbox: &Sandbox) -> FakeAgent {
    FakeAgent::new(sandbox).otherwise(mend())
}

#[test]
fn a_check_whose_program_is_not_there_is_refused_before_the_first_turn() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = worker(&sandbox);
    for check in ["pytset -q", "cd notes && pytset", "env FOO=1 pytset", "./pytset.sh", "sh pytset.sh"] {
        let finished = run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::REFUSED_START);
        finished.says("pytset").says(&format!("--new-check '{check}'"));
    }
    assert!(sandbox.loops().is_empty());
    assert_eq!(agent.tally().turns(), []);
    let verified = sandbox.gulf(["verify", "--check", "pytset -q"]).run().expect_exit(exit::REFUSED_START);
    verified.says("pytset").does_not_say("a check said no").does_not_say("--new-check");
    let baseline = run(&sandbox, &agent, &["--check", RIGHT, "--baseline", "tolerate"]).run();
    baseline.expect_exit(exit::REFUSED_START).says("`--baseline` takes no value");
    sandbox.write(".venv/bin/pytset", "");
    let nearby = run(&sandbox, &agent, &["--check", "pytset -q"]).run().expect_exit(exit::REFUSED_START);
    nearby.says("the project has it: write `.venv/bin/pytset`");
}

#[test]
fn a_script_that_git_ignores_is_refused_and_one_that_is_untracked_is_part_of_the_base() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", "/mine.sh\n"));
    sandbox.write("mine.sh", "grep -qx right value.txt\n");
    let agent = worker(&sandbox);
    let ignored = run(&sandbox, &agent, &["--check", "sh mine.sh"]).run().expect_exit(exit::REFUSED_START);
    ignored.says("git ignores mine.sh").says("environment.copy = [\"mine.sh\"]");
    sandbox.write("yours.sh", "grep -qx right value.txt\n");
    run(&sandbox, &agent, &["--check", "sh yours.sh"]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_check_that_the_work_is_to_create_is_no_obstacle_and_no_proof() {
    let sandbox = Sandbox::with(&Sample::shell());
    let script = "#!/bin/sh\ngrep -qx right value.txt\n";
    let [write, claim] = mend();
    let steps = [write, Step::write("new.sh", script), Step::run("chmod +x new.sh"), claim];
    let agent =
        FakeAgent::new(&sandbox).turn(1, [Step::append("other.txt", "x\n"), Step::claim()]).otherwise(steps);
    run(&sandbox, &agent, &["--new-check", "./new.sh", "-n", "4"]).run().expect_exit(exit::ATTESTED);
    assert!(agent.tally().turns().len() > 1, "a worker that has not created it yet is told so");
}

#[test]
fn a_check_that_can_run_nowhere_rests_the_loop_after_one_turn_and_goes_on_without_a_second() {
    let sandbox = Sandbox::with(&Sample::shell());
    let tool = sandbox.path("right-tool");
    sandbox.write("check-by-tool.sh", format!("exec '{tool}' value.txt\n"));
    let agent = worker(&sandbox);
    let paused = run(&sandbox, &agent, &["--check", "sh check-by-tool.sh"]).run().expect_exit(exit::PAUSED);
    paused.says("right-tool: not found").says("no further turn is paid for");
    assert_eq!(agent.tally().turns(), [(1, 1)]);
    fs::write(&tool, "#!/bin/sh\ngrep -qx right \"$1\"\n").unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}

#[test]
fn a_check_that_was_mended_in_the_checkout_leads_to_a_new_loop() {
    let sandbox = Sandbox::with(&Sample::shell().file("mine.sh", "nosuchtool value.txt\n"));
    let agent = worker(&sandbox);
    let paused = run(&sandbox, &agent, &["--check", "sh mine.sh"]).run().expect_exit(exit::PAUSED);
    paused.does_not_say("Changed since");
    sandbox.write("mine.sh", "grep -qx right value.txt\n");
    for told in [sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED), sandbox.gulf(["status"]).run()] {
        told.says("Changed since in your checkout: mine.sh.")
            .says("gulf cancel")
            .does_not_say("gulf resume  ");
    }
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    run(&sandbox, &agent, &["--check", "sh mine.sh"]).run().expect_exit(exit::VERIFIED);
}

/// After one turn at the latest, with the words of whoever looked for what is not there.
#[track_caller]
fn rests(check: &str, files: &[(&str, &str)], said: &str) {
    let sample = files.iter().fold(Sample::shell(), |sample, (path, text)| sample.file(path, text));
    let sandbox = Sandbox::with(&sample);
    let agent = worker(&sandbox);
    let paused = run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::PAUSED);
    paused.says(said).says("no further turn is paid for");
    assert!(agent.tally().turns().len() <= 1, "{check}: {:?}", agent.tally().turns());
}

#[test]
fn a_wrapper_that_hides_what_is_not_there_rests_the_loop_too() {
    let script = "pytset -q || exit 1\n";
    rests("make test", &[("Makefile", "test:\n\tpytset -q\n")], "make: pytset: No such file or directory");
    rests("sh ./c1.sh", &[("c1.sh", script)], "./c1.sh: 1: pytset: not found");
    rests("pytset -q || exit 1", &[], "not found");
    rests("sh c2.sh", &[("c2.sh", "cd src\n")], "can't cd to src");
    rests("make -C nodir test", &[], "make: *** nodir: No such file or directory");
    let of_npm = "npm error enoent Could not read package.json: Error: ENOENT: no such file";
    let stub = format!("echo '{of_npm}'; echo 'npm error A complete log of this run'; exit 254");
    rests(&stub, &[], "Could not read package.json");
    let stub = "echo 'docker: Cannot connect to the Docker daemon at unix:///x'; exit 125";
    rests(stub, &[], "Cannot connect to the Docker daemon");
}

#[test]
fn tests_that_only_print_such_a_line_are_red_and_a_script_that_the_work_creates_is_green_later() {
    // It counts its tests, and its last words are those of a shell.
    let counts = "echo 1..2; echo 'ok 1 - a'\n\
                  grep -qx right value.txt && echo 'ok 2 - b' && exit 0\n\
                  echo 'not ok 2 - b'; echo 'check-it.sh: 3: pytset: not found'; exit 1\n";
    let sandbox = Sandbox::with(&Sample::shell().file("check-it.sh", counts));
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::append("other.txt", "x\n"), Step::claim()]);
    let agent = agent.otherwise(mend());
    run(&sandbox, &agent, &["--check", "sh check-it.sh", "-n", "4"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns().len(), 2);

    let wrapped = "sh made.sh || exit 1\n";
    let sandbox = Sandbox::with(&Sample::shell().file("check-it.sh", wrapped));
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([
        write,
        Step::write("made.sh", "grep -qx right value.txt\n"),
        claim,
    ]);
    run(&sandbox, &agent, &["--check", "sh check-it.sh", "-n", "4"]).run().expect_exit(exit::ATTESTED);
}

#[test]
fn a_runner_that_is_not_installed_is_no_red_test() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = worker(&sandbox);
    let check = "python3 -m no_such_runner_anywhere -q";
    let paused = run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::PAUSED);
    paused.says("No module named no_such_runner_anywhere");
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}

#[test]
fn a_missing_target_rests_the_loop_also_where_nothing_was_changed() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::print("I am thinking.")]);
    let check = "exec sh -c 'no-such-program-at-all'";
    let paused = run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::PAUSED);
    paused.says("no-such-program-at-all: not found");
    assert_eq!(agent.tally().turns().len(), 1);
}

/// Says no every time but each one after the first on the same files, by a count outside of the project.
fn flaky(sandbox: &Sandbox, noes: &str) -> String {
    let count = sandbox.path("count");
    format!(
        "grep -qx right value.txt || exit 1; echo x >> '{count}'; n=$(wc -l < '{count}'); case $n in {noes}) exit 1;; esac"
    )
}

#[test]
fn a_check_that_was_red_once_and_green_after_is_told_as_flaky_and_is_attested() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = worker(&sandbox);
    let check = flaky(&sandbox, "1");
    let finished = run(&sandbox, &agent, &["--check", &check, "-n", "5"]).run().expect_exit(exit::ATTESTED);
    finished.says("it is flaky").says("gulf log --iteration 1").says("gulf log --iteration 2");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    assert_eq!(sandbox.read("../count").lines().count(), 4, "a no, and three times yes");
    let causes = sandbox.only_loop().end().unwrap()["causes"].to_string();
    assert!(causes.contains("flaky"), "{causes}");
}

#[test]
fn who_claims_until_a_check_says_yes_gets_one_second_word_and_no_more() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = worker(&sandbox);
    let check = flaky(&sandbox, "1|3");
    let told = run(&sandbox, &agent, &["--check", &check, "-n", "9"]).run().expect_exit(exit::STALLED);
    told.says("FLAKY").says("flaky: it passed and failed on the same files");
    let both = "`gulf log --iteration 1` and `gulf log --iteration 2` name its logs";
    for words in [["status"], ["report"]] {
        let told = sandbox.gulf(words).run().expect_exit(0);
        let plain = told.stdout.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain.contains("failed in iteration 1 and passed in iteration 2"), "{told:#?}");
        assert!(plain.contains(both), "{told:#?}");
    }
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(0);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!((&status["flaky"][0]["no_in"], &status["flaky"][0]["yes_in"]), (&1.into(), &2.into()));
    assert_eq!(sandbox.read("../count").lines().count(), 3, "no, yes, and a no that is final");
}

#[test]
fn checks_that_were_agreed_on_and_that_nobody_runs_are_named_at_the_start() {
    let text = "## Specification\na value\n## Process\nat once\n## Evaluation\n\
                - **Machine checks**: `sh  check.sh`, `tsc --noEmit`\n";
    let sandbox = Sandbox::with(&Sample::shell().file(".claude/gulf-align.md", text));
    let agent = worker(&sandbox);
    let finished = run(&sandbox, &agent, &["--check", "sh check.sh"]).run().expect_exit(exit::VERIFIED);
    finished
        .says("lists checks that do not run here: tsc --noEmit; to run them: --check 'tsc --noEmit'")
        .says("checks listed in gulf-align.md that did not run: tsc --noEmit");
    sandbox.gulf(["report"]).run().expect_exit(0).says("checks listed in gulf-align.md that did not run: ");
}
