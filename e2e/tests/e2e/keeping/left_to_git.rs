//! What gulf leaves to its person and their git: filters and hooks that the worker set up, repositories within, commits of
//! the worker's own, and what a cancelled turn left.

use super::*;

fn after(script: &str) -> (Sandbox, Finished) {
    after_on(&Sample::shell(), script)
}

fn after_on(sample: &Sample, script: &str) -> (Sandbox, Finished) {
    let sandbox = Sandbox::with(sample);
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(script), claim]);
    let finished = run_right(&sandbox, &agent, &[]).run();
    (sandbox, finished)
}

fn obeyed(sandbox: &Sandbox, command: &str) {
    sandbox.program("sh", ["-c", command]).run().expect_exit(0);
}

/// Nobody is sent to `git add` by way of a program that the worker named.
#[test]
fn a_filter_that_the_worker_set_up_goes_before_anything_is_committed_or_discarded_by_hand() {
    let script = "echo '*.txt filter=evil' > .gitattributes; git config filter.evil.clean 'touch evil; cat'";
    let (sandbox, finished) = after(script);
    let first = "once this is resolved: value.txt needs a filter, and gulf runs none";
    let finished =
        finished.expect_exit(exit::VERIFIED).says(&format!("commits exactly this change, {first}"));
    finished.says(&format!("reverts exactly this change, {first}"));
    let undo = "git config --unset-all 'filter.evil.clean'";
    for command in [&["land"][..], &["discard", "--yes"]] {
        let refused = keeping(&sandbox, command).run().expect_exit(exit::REFUSED_START);
        refused.says("unless that was you, first").says(undo).does_not_say("git add");
    }
    obeyed(&sandbox, undo);
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("git add -- 'value.txt' && git commit -- 'value.txt'");
    obeyed(&sandbox, "git add -- value.txt && git commit -q -m mine -- value.txt");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert!(!sandbox.file("evil").exists());
}

#[test]
fn a_hook_that_the_worker_made_is_named_before_the_command_that_would_run_it() {
    let hook = ".git/hooks/pre-commit";
    let (sandbox, finished) = after(&format!("echo '#!/bin/sh' > {hook}; chmod +x {hook}"));
    finished.expect_exit(exit::VERIFIED);
    let landed = keeping(&sandbox, &["land"]).run().expect_exit(0).says("no hook of the repository ran");
    landed.says("unless that was you, first `rm '").says("/hooks/pre-commit'`");
}

#[test]
fn a_repository_that_the_worker_made_or_moved_is_put_back_by_its_person_with_the_command_that_is_named() {
    let within =
        "git init -q within && git -C within -c user.name=a -c user.email=a@b commit -q --allow-empty -m in";
    let (sandbox, finished) = after(&format!("test -e within || {{ {within}; }}"));
    finished.says("reverts exactly this change, once this is resolved: within is a repository of its own");
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("within, which is a repository of its own").says("`rm -rf -- 'within'`");
    obeyed(&sandbox, "rm -rf -- 'within'");
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!(status(&sandbox), "");

    let sandbox = Sandbox::with(&Sample::shell());
    obeyed(&sandbox, within);
    sandbox.git(["add", "within"]);
    sandbox.commit("with a repository");
    let at = sandbox.git(["-C", "within", "rev-parse", "HEAD"]);
    let [write, claim] = mend();
    let moves = "git -C within -c user.name=a -c user.email=a@b commit -q --allow-empty -m on";
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(moves), claim]);
    run_right(&sandbox, &agent, &[]).run();
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    let back = format!("git -C 'within' checkout --detach {at}");
    refused.says(&format!("`{back}` puts it back"));
    obeyed(&sandbox, &back);
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!(status(&sandbox), "");
}

#[test]
fn a_worktree_whose_folder_is_gone_is_discarded_with_its_branch() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("echo x >> tried.txt"), Step::claim()]);
    let flags = ["--preset", "autonomous", "--check", RIGHT, "-n", "1"];
    run(&sandbox, &agent, &flags).run().expect_exit(exit::EXHAUSTED);
    let listed = sandbox.git(["worktree", "list", "--porcelain"]);
    let folder = listed.lines().filter_map(|line| line.strip_prefix("worktree ")).next_back().unwrap();
    fs::remove_dir_all(folder).unwrap();
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0).says("branch that is deleted: gulf/auto-");
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "");
}

#[test]
fn the_last_screen_names_what_holds_the_work_that_its_worker_committed() {
    let commit = "git -c user.name=a -c user.email=a@b commit -q -m own -- value.txt";
    for (script, holder) in [
        (commit.to_owned(), "shows the worker's commit, which main holds"),
        (format!("git switch -qc other; {commit}"), "shows the worker's commit, which other holds"),
        (format!("git checkout -q --detach; {commit}"), "keeps the worker's commits on a branch: none is"),
    ] {
        let (sandbox, finished) = after(&script);
        let short = sandbox.git(["rev-parse", "--short=7", "HEAD"]);
        finished.expect_exit(exit::VERIFIED).says(holder).says(&short);
    }
}

#[test]
fn what_a_cancelled_turn_left_is_named_and_can_be_discarded() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let agent =
        FakeAgent::new(&sandbox).turn(1, [Step::write("part.txt", "part\n"), here.reached(), go_on.held()]);
    let started = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    keeping(&sandbox, &["cancel"]).run().expect_exit(0);
    let offered = "gulf discard  reverts what its last turn left: part.txt";
    started.finish().expect_exit(exit::CANCELLED).says(offered);
    keeping(&sandbox, &["status"]).run().expect_exit(0).says(offered);
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0).says("files that are reverted: part.txt");
    keeping(&sandbox, &["status"]).run().expect_exit(0).does_not_say("gulf discard");
    assert_eq!(status(&sandbox), "");
}

#[test]
fn what_the_worker_committed_and_undid_again_in_the_files_is_undone_in_the_commit_too() {
    let script = "echo ten >> shared.txt; echo x > x.txt; git add x.txt; git commit -qam own; \
                  git show HEAD~1:shared.txt > shared.txt; rm x.txt";
    let (sandbox, finished) = after_on(&Sample::shell().file("shared.txt", LINES), script);
    finished.expect_exit(exit::VERIFIED).says("gulf land ");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!(show(&sandbox, "--name-status"), "M\tshared.txt\nD\tx.txt");
    assert_eq!(
        (status(&sandbox), sandbox.git(["show", "HEAD:shared.txt"])),
        (String::new(), LINES.trim_end().into())
    );
    assert_eq!(sandbox.git(["show", "HEAD:value.txt"]), "right");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("has landed already");
}

#[test]
fn an_ignored_file_that_the_worker_committed_is_named_with_the_command_that_takes_it_off() {
    let scene = || {
        let sample = Sample::shell().file(".gitignore", ".env\n");
        let sandbox = Sandbox::with(&sample);
        sandbox.write(".env", "KEY=1\n");
        let [write, claim] = mend();
        let commit = Step::run("git add -f .env; git commit -qam own");
        let agent = FakeAgent::new(&sandbox).otherwise([write, commit, claim]);
        let finished = run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
        finished.says("shows the worker's commit, which main holds").says("gulf discard ");
        sandbox
    };
    let sandbox = scene();
    let said = "commits made during the loop put .env on this branch, which nothing checked: `git reset ";
    let landed = keeping(&sandbox, &["land"]).run().expect_exit(0).says(said);
    let hint = landed.stderr.split("nothing checked: `").nth(1).unwrap();
    obeyed(&sandbox, hint.split('`').next().unwrap());
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!(sandbox.git(["ls-tree", "--name-only", "HEAD"]), ".gitignore\ncheck.sh\nnotes\nvalue.txt");
    assert_eq!((sandbox.git(["rev-list", "--count", "HEAD"]), status(&sandbox)), ("2".into(), String::new()));
    assert_eq!(sandbox.read(".env"), "KEY=1\n");
    let followed = scene();
    followed.write("mine.txt", "mine\n");
    followed.commit("mine");
    let landed = keeping(&followed, &["land"]).run().expect_exit(0);
    landed.says("nothing checked: `git rm --cached -- '.env'`, and a commit, take it out again");
    let discarded = scene();
    let gone = keeping(&discarded, &["discard", "--yes"]).run().expect_exit(0);
    gone.says("commits that are removed from main:");
    assert_eq!((discarded.read("value.txt"), discarded.read(".env")), ("wrong\n".into(), "KEY=1\n".into()));
}
