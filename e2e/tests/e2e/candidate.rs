//! The verdict is about the candidate and about nothing else (SPEC B2): not the worktree, not what git ignores.

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run};

// proves: B2
#[test]
fn what_changes_in_the_worktree_while_a_check_runs_does_not_alter_its_verdict() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (running, go_on) = (Meeting::new(&sandbox, "running"), Meeting::new(&sandbox, "go on"));
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    // Only on the candidate: the base has another word in the file.
    let check = format!(
        "if sh check.sh; then {}; {}; fi; sh check.sh && test ! -e cache/dropped && test ! -e dropped",
        running.reached_by_shell(),
        go_on.held_by_shell()
    );
    let started = run(&sandbox, &agent, &["--check", &check]).start();
    running.wait();
    sandbox.write("value.txt", "wrong again\n");
    sandbox.write("cache/dropped", "ignored by git\n");
    sandbox.write("dropped", "not ignored\n");
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED);
    let (commit, _) = sandbox.only_loop().candidate();
    assert_eq!(sandbox.git(["show", &format!("{commit}:value.txt")]), "right");
}

// proves: B2
#[test]
fn a_file_that_git_ignores_is_not_part_of_the_candidate() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("cache/answer", "42"),
        Step::append("other", "x"),
        Step::claim(),
    ]);
    run(&sandbox, &agent, &["--check", "test -e cache/answer", "-n", "1"]).run().expect_exit(exit::EXHAUSTED);
}

#[test]
fn a_file_that_lay_there_from_an_earlier_check_is_swept_before_the_next() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    // Leaves something that would make its own next run pass.
    let check = "test -e stray || { touch stray; exit 1; }";
    run(&sandbox, &agent, &["--check", check, "-n", "2"]).run().expect_exit(exit::EXHAUSTED);
}

#[test]
fn what_a_worker_changes_after_its_claim_is_what_is_checked() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [right, claim] = mend();
    let agent =
        FakeAgent::new(&sandbox).turn(1, [right, claim, Step::write("value.txt", "wrong after all\n")]);
    run(&sandbox, &agent, &["--check", crate::RIGHT, "-n", "1"]).run().expect_exit(exit::EXHAUSTED);
}

#[test]
fn nothing_a_turn_left_behind_writes_on_while_the_checks_run() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [right, claim] = mend();
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::Linger, right, claim]);
    run(&sandbox, &agent, &["--check", crate::RIGHT]).run().expect_exit(exit::VERIFIED);
    let lingering = agent.tally().lingering();
    assert_eq!(lingering.len(), 1);
    gulf_testkit::assert_dies(lingering[0]);
    sandbox.assert_nothing_left();
}

// proves: B2, G2
#[test]
fn untracked_files_are_part_of_the_candidate_and_stay_untracked() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("new/file", "x"), Step::claim()]);
    run(&sandbox, &agent, &["--check", "test -e new/file"]).run().expect_exit(exit::VERIFIED);
    assert!(sandbox.git(["status", "--porcelain"]).contains("?? new/"));
    assert_eq!(sandbox.git(["log", "--format=%s"]), "base");
}

// proves: B2
#[test]
fn a_check_named_in_place_runs_in_the_project_and_the_receipt_says_so() {
    let toml =
        "[verify]\nin_place = [\"here\"]\n\n[[check]]\nname = \"here\"\ncommand = \"test -e cache/answer\"\n";
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", toml));
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("cache/answer", "42"),
        Step::append("other", "x"),
        Step::claim(),
    ]);
    // What runs on the worktree has no word about the base, so its red there would prove nothing.
    run(&sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::ATTESTED);
    let receipt = std::fs::read_to_string(sandbox.only_loop().path("receipt.json")).unwrap();
    assert!(receipt.contains("in place") || receipt.contains("in the project"), "{receipt}");
}

#[test]
fn dependency_folders_are_provided_and_the_workers_edits_of_them_do_not_reach_the_next_loop_unseen() {
    let sandbox = Sandbox::with(&Sample::node());
    sandbox.write("node_modules/dependency/index.js", "module.exports = 1;\n");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    let check = "test -e node_modules/dependency/index.js";
    run(&sandbox, &agent, &["--check", check, "-n", "1", "--expect", "stay-green"])
        .run()
        .expect_exit(exit::ATTESTED);
}

#[test]
fn each_room_has_the_persons_dependencies_whatever_worker_and_checks_do_to_theirs() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", "node_modules\n"));
    sandbox.write("node_modules/x/index.js", "the person's\n");
    let seen = sandbox.root().join("seen");
    let agent = FakeAgent::new(&sandbox)
        .turn(
            1,
            [Step::write("node_modules/x/index.js", "the worker's\n"), Step::write("value.txt", "right\n")],
        )
        .otherwise([Step::append("other", "x"), Step::claim()]);
    let file = "node_modules/x/index.js";
    let check = format!("cat {file} >> '{seen}'; echo \"a check's\" > {file}; grep -q right value.txt");
    run(&sandbox, &agent, &["--check", &check]).run().expect_exit(exit::VERIFIED);
    let seen = std::fs::read_to_string(seen).unwrap();
    let first_looks = seen.lines().filter(|line| *line == "the person's").count();
    assert_eq!(first_looks, 2, "one of the base and one of the candidate: {seen}");
    assert!(!seen.contains("the worker's"), "{seen}");
}

#[test]
fn a_set_up_that_fails_on_the_candidate_alone_is_told_to_the_worker() {
    let settings =
        "[environment]\nsetup = \"test ! -e broken || { echo the lockfile lags behind; exit 7; }\"\n";
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", settings));
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("broken", "x"), Step::write("value.txt", "right\n"), Step::claim()])
        .otherwise([Step::delete("broken"), Step::claim()]);
    run(&sandbox, &agent, &["--check", crate::RIGHT]).run().expect_exit(exit::VERIFIED);
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("exit code 7: the lockfile lags behind"), "{prompt}");
}

#[test]
fn a_set_up_that_fails_on_the_base_is_tried_a_few_times_and_then_a_persons_to_mend() {
    let sandbox = Sandbox::with(&Sample::shell());
    let tries = sandbox.root().join("tries");
    let settings =
        format!("[environment]\nsetup = \"echo x >> '{tries}'; echo the registry is away >&2; exit 7\"\n");
    sandbox.write("gulf.toml", &settings);
    sandbox.commit("settings");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let finished =
        run(&sandbox, &agent, &["--check", crate::RIGHT, "-n", "1"]).run().expect_exit(exit::PAUSED);
    let finished =
        finished.says("failed: exit code 7: the registry is away").says("`environment.setup` in gulf.toml");
    finished.says("the registry is away; tried again in a moment, in case a network failed it");
    let tries = std::fs::read_to_string(tries).unwrap().lines().count();
    assert!(
        (3..=6).contains(&tries),
        "each of the base's and of the candidate's check at most three times: {tries}"
    );
}

#[test]
fn a_set_up_that_gulf_found_itself_refuses_nothing_that_the_check_passes() {
    let package = |version: &str| {
        format!("[package]\nname = \"sample\"\nversion = \"{version}\"\nedition = \"2021\"\n")
    };
    let lock = "version = 4\n\n[[package]]\nname = \"sample\"\nversion = \"0.1.0\"\n";
    let sample =
        Sample::shell().file("Cargo.toml", &package("0.1.0")).file("Cargo.lock", lock).file("src/lib.rs", "");
    let sandbox = Sandbox::with(&sample);
    // `cargo fetch --locked` refuses a manifest whose version the lock file does not have.
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("Cargo.toml", &package("0.2.0"))].into_iter().chain(mend()));
    run(&sandbox, &agent, &["--check", crate::RIGHT, "-n", "1"]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn a_set_up_that_gulf_found_itself_and_that_fails_is_told_beside_what_the_check_says() {
    let package = |version: &str| {
        format!("[package]\nname = \"sample\"\nversion = \"{version}\"\nedition = \"2021\"\n")
    };
    let lock = "version = 4\n\n[[package]]\nname = \"sample\"\nversion = \"0.1.0\"\n";
    let sample =
        Sample::shell().file("Cargo.toml", &package("0.1.0")).file("Cargo.lock", lock).file("src/lib.rs", "");
    let sandbox = Sandbox::with(&sample);
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("Cargo.toml", &package("0.2.0")), Step::claim()])
        .otherwise(mend());
    let check = "grep -q right value.txt || { echo value.txt is not right; exit 1; }";
    run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::VERIFIED);
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("value.txt is not right") && prompt.contains("cargo fetch --locked"), "{prompt}");
}

#[test]
fn a_lockfile_that_git_ignores_sets_nothing_up() {
    let package = r#"{"name": "sample", "scripts": {"test": "sh check.sh"}, "devDependencies": {"x": "1"}}"#;
    let sample =
        Sample::shell().file("package.json", package).file(".gitignore", "*-lock.json\nnode_modules\n");
    let sandbox = Sandbox::with(&sample);
    sandbox.write("package-lock.json", "made here, and nowhere else");
    sandbox.write("node_modules/x/index.js", "");
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn from_clean_no_build_output_is_kept() {
    for (arguments, expected) in [(&[][..], exit::ATTESTED), (&["--verify-from-clean"][..], exit::EXHAUSTED)]
    {
        let sandbox = Sandbox::with(&Sample::shell());
        let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
        // Passes where its own earlier output, which git ignores, is kept.
        let check = "test -e cache/built || { mkdir -p cache; touch cache/built; exit 1; }";
        let arguments: Vec<&str> =
            ["--check", check, "-n", "2"].into_iter().chain(arguments.iter().copied()).collect();
        run(&sandbox, &agent, &arguments).run().expect_exit(expected);
    }
}

/// What a build made before the loop, where nobody ignores it.
#[test]
fn a_program_that_lay_uncommitted_may_be_built_anew_by_a_check_and_a_script_may_not() {
    for (built, exit) in [("\0", exit::VERIFIED), ("", exit::ATTESTED)] {
        let sandbox = Sandbox::with(&Sample::shell());
        sandbox.write("out.bin", format!("{built}old\n"));
        let check = format!("{RIGHT} && echo new >> out.*");
        let agent = FakeAgent::new(&sandbox).otherwise(mend());
        run(&sandbox, &agent, &["--check", &check, "-n", "1"]).run().expect_exit(exit);
    }
}

// proves: B2
#[test]
fn what_git_ignored_at_the_start_never_lands_whatever_the_worker_makes_of_the_rules() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", ".env\ngenerated\n"));
    sandbox.write(".env", "SECRET=1\n");
    sandbox.write("generated/old.txt", "old\n");
    let rules = Step::write(".gitignore", "*.log\n");
    let agent =
        FakeAgent::new(&sandbox).otherwise([rules, Step::write("new.env", "x\n")].into_iter().chain(mend()));
    let finished = run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    finished.says(".env, generated: git ignored it when the loop began; `git add -f` adds it");
    sandbox.gulf(["land"]).run().expect_exit(0).says("not part of the commit: .env, generated");
    let landed = sandbox.git(["show", "--format=", "--name-only", "HEAD"]);
    assert_eq!(landed, ".gitignore\nnew.env\nvalue.txt");
}

// proves: B2, G4
#[test]
fn what_git_ignored_at_the_start_lands_with_no_commit_of_the_workers_either() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", "node_modules\n"));
    sandbox.write("node_modules/x/index.js", "the person's\n");
    let commit = "git rm -q .gitignore && git add -A && git commit -qm all && git rm -rq --cached node_modules && \
                  echo node_modules > .gitignore && git add -A && git commit -qm mended";
    let [right, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([right, Step::run(commit), claim]);
    let landed = run(&sandbox, &agent, &["--check", RIGHT, "--preset", "autonomous"]).run();
    let landed = landed.expect_exit(exit::VERIFIED).says("landed");
    landed.says("(it holds what git ignored; the candidate is without it)");
    let history = sandbox.git(["log", "--format=", "--name-only", "main"]);
    assert!(!history.contains("node_modules") && history.contains("value.txt"), "{history}");
}

#[test]
fn what_git_ignored_at_the_start_keeps_no_worktree_from_being_removed() {
    let sandbox = Sandbox::with(&Sample::shell().file(".gitignore", "node_modules\n"));
    sandbox.write("node_modules/x/index.js", "the person's\n");
    let rules = Step::write(".gitignore", "*.log\n");
    let agent = FakeAgent::new(&sandbox).otherwise([rules, Step::claim()]);
    let flags = ["--check", RIGHT, "--preset", "autonomous", "-n", "1"];
    run(&sandbox, &agent, &flags).run().expect_exit(exit::EXHAUSTED).says("node_modules: git ignored it");
    sandbox.gulf(["discard", "--yes"]).run().expect_exit(0);
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(sandbox.read("node_modules/x/index.js"), "the person's\n");
}
