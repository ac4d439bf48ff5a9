//! After a loop has landed: its worktree and its branch go, unless somebody may want what lies there, and all that is
//! said of the loop stays true without them.

use std::fs;

use camino::Utf8PathBuf;
use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step, in_turn};

use crate::{RIGHT, exit, run};

/// A worker that is done at once, without a commit of its own, after these further commands.
fn worker(sandbox: &Sandbox, more: &str) -> FakeAgent {
    let work = format!("echo right > value.txt; echo new > new.txt; {more}");
    FakeAgent::new(sandbox).otherwise([Step::run(&work), Step::claim()])
}

fn lands(sandbox: &Sandbox, agent: &FakeAgent) -> Finished {
    let flags = ["--preset", "autonomous", "--check", RIGHT, "-n", "3"];
    run(sandbox, agent, &flags)
        .run()
        .does_not_panic()
        .expect_exit(exit::VERIFIED)
        .says("landed: main holds it")
}

fn ignoring(patterns: &str) -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write(".gitignore", patterns);
    sandbox.git(["add", ".gitignore"]);
    sandbox.git(["commit", "--quiet", "-m", "ignore"]);
    sandbox
}

/// The worktrees beside the repository, and gulf's branches.
fn left(sandbox: &Sandbox) -> (Vec<Utf8PathBuf>, String) {
    let entries = sandbox.root().read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let is_worktree = |path: &Utf8PathBuf| path.file_name().unwrap().starts_with("repository-gulf-");
    (entries.filter(is_worktree).collect(), sandbox.git(["branch", "--list", "gulf/*"]))
}

fn nothing() -> (Vec<Utf8PathBuf>, String) {
    (Vec::new(), String::new())
}

#[test]
fn a_worker_that_never_committed_leaves_no_worktree_and_everything_said_of_it_still_holds() {
    let sandbox = ignoring("build/\n");
    let texts = "mkdir build; echo x > build/x; printf 'ORIGINAL_GOAL: x\\nUNCERTAINTIES:\\n- the moon\\n' > progress.txt";
    let agent = worker(&sandbox, texts);
    let finished = lands(&sandbox, &agent).says("gulf report");
    assert!(!finished.stdout.contains("worktree:"), "{finished:#?}");
    assert_eq!(left(&sandbox), nothing());
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1);
    let id = sandbox.only_loop().id().to_owned();
    let at = format!("{id}@1");
    for (arguments, says) in [
        (vec!["status"], "landed: main holds it"),
        (vec!["status", &id], "landed: main holds it"),
        (vec!["list"], "verified"),
        (vec!["show", &at], "new.txt"),
        (vec!["diff", &at], "+right"),
        (vec!["report", &id], "the moon"),
        (vec!["log", &id], "landed as"),
        (vec!["replay", &id], "every decision matches the journal"),
    ] {
        sandbox.gulf(arguments).run().does_not_panic().expect_exit(0).says(says);
    }
    let back = sandbox.path("back");
    sandbox.gulf(["restore", &at, "--to", back.as_str()]).run().expect_exit(0);
    assert_eq!(fs::read_to_string(back.join("new.txt")).unwrap(), "new\n");
    assert!(!sandbox.git(["notes", "--ref", "gulf", "show", "main"]).is_empty());
    sandbox.gulf(["resume", &id]).run().does_not_panic().expect_exit(exit::REFUSED_START).says("verified");
}

#[test]
fn in_the_morning_only_those_are_left_that_still_need_somebody() {
    let sandbox = ignoring("");
    let work =
        "case \"$PWD\" in *worker-2) echo x > half.txt;; *) echo right > value.txt; gulf claim done;; esac";
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(work)]);
    let flags = ["--preset", "parallel", "--workers", "3", "--check", RIGHT, "-n", "1"];
    let finished = run(&sandbox, &agent, &flags).run().does_not_panic().expect_exit(exit::EXHAUSTED);
    finished.says("2 of 3 landed").says("-worker-2");
    let (worktrees, branches) = left(&sandbox);
    assert!(worktrees.len() == 1 && worktrees[0].join("half.txt").is_file(), "{worktrees:?}");
    assert!(branches.ends_with("-worker-2") && branches.lines().count() == 1, "{branches}");
}

#[test]
fn what_a_person_may_want_keeps_the_worktree_and_goes_with_it_once_it_is_gone() {
    let sandbox = ignoring(".env\ndata/\n");
    let agent = worker(&sandbox, "echo KEY=1 > .env; mkdir data; echo 1 > data/rows");
    lands(&sandbox, &agent).says("kept: git ignores it, and it is nowhere else: .env, data/rows");
    let (worktrees, _) = left(&sandbox);
    assert_eq!(worktrees.len(), 1);
    sandbox.gulf(["clean", "--dry-run"]).run().expect_exit(0).says("nowhere else: .env, data/rows");
    fs::rename(worktrees[0].join(".env"), sandbox.file(".env")).unwrap();
    fs::remove_dir_all(worktrees[0].join("data")).unwrap();
    sandbox.gulf(["clean", "--yes"]).run().expect_exit(0).says("1 branch");
    assert_eq!(left(&sandbox), nothing());
}

#[test]
fn what_every_checkout_was_given_is_no_reason_to_keep_one_until_it_was_changed() {
    let sandbox = ignoring(".env\n");
    sandbox.write(".env", "KEY=1\n");
    sandbox.write("gulf.toml", "[environment]\ncopy = [\".env\"]\n");
    sandbox.write("RUBRIC.md", "## Checks\n");
    lands(&sandbox, &worker(&sandbox, "cat .env"));
    assert_eq!(left(&sandbox), nothing());
    let other = ignoring(".env\n");
    other.write(".env", "KEY=1\n");
    other.write("gulf.toml", "[environment]\ncopy = [\".env\"]\n");
    lands(&other, &worker(&other, "echo KEY=2 > .env")).says("kept: ").says(".env");
    assert_eq!(left(&other).0.len(), 1);
}

#[test]
fn work_after_the_claim_keeps_the_worktree() {
    let sandbox = ignoring("");
    let agent = worker(&sandbox, "git add -A; git commit --quiet -m mine");
    let held = sandbox.path("held");
    // The check is the moment between the candidate and the landing.
    let check = format!("{RIGHT} && cp value.txt \"$(cat {held})\"/late.txt");
    let flags = ["--preset", "autonomous", "--check", &check, "-n", "3"];
    let told = format!("pwd > {held}");
    let agent = agent.attempt(1, 1, [Step::run("echo right > value.txt"), Step::run(&told), Step::claim()]);
    let finished = run(&sandbox, &agent, &flags).run().does_not_panic();
    finished.expect_exit(exit::VERIFIED).says("kept: in no commit: late.txt");
    assert_eq!(left(&sandbox).0.len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_worktree_that_a_program_stands_in_goes_when_that_is_over() {
    let sandbox = ignoring("");
    let (told, gate) = (sandbox.path("told"), sandbox.path("gate"));
    for fifo in [&told, &gate] {
        assert!(std::process::Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    let agent = worker(&sandbox, &format!("pwd > {told}; cat {gate}"));
    let flags = ["--preset", "autonomous", "--check", RIGHT, "-n", "3"];
    let started = run(&sandbox, &agent, &flags).start();
    let there = fs::read_to_string(&told).unwrap();
    let mut person = std::process::Command::new("cat")
        .current_dir(there.trim())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    fs::write(&gate, "go on").unwrap();
    started.finish().expect_exit(exit::VERIFIED).says("kept: in use by cat");
    person.kill().unwrap();
    person.wait().unwrap();
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("touch other.txt"), Step::claim()]);
    run(&sandbox, &agent, &["--check", "test -f other.txt"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(left(&sandbox), nothing(), "the next loop takes away what could go since");
}

#[test]
fn a_clean_up_that_is_cut_off_is_ended_by_the_next_command() {
    let run_at = |at: Option<usize>| {
        let sandbox = Sandbox::in_memory(&Sample::shell());
        let agent = worker(&sandbox, "echo 'ORIGINAL_GOAL: x' > progress.txt");
        let count = sandbox.path("count");
        let mut command = run(&sandbox, &agent, &["--preset", "autonomous", "--check", RIGHT, "-n", "3"]);
        command = command.variable("GULF_CRASH_COUNT", count.as_str());
        if let Some(at) = at {
            command = command.variable("GULF_CRASH_AT", at.to_string());
        }
        command.run().does_not_panic();
        (sandbox, fs::read_to_string(&count).unwrap_or_default())
    };
    let (_, points) = run_at(None);
    let points: Vec<&str> = points.lines().collect();
    let first = points.iter().position(|point| *point == "remains.texts").unwrap();
    let mut kills = 0;
    let tried = in_turn(6, points.iter().enumerate().skip(first));
    for (at, point) in &tried {
        let (sandbox, _) = run_at(Some(at + 1));
        let told = format!("killed at point {} ({point})", at + 1);
        // Killed again: at its first point, then at its second, until there is none left.
        let clean = |at: usize| {
            let count = sandbox.path(&format!("count {at}"));
            let command = sandbox.gulf(["clean", "--yes"]).variable("GULF_CRASH_COUNT", count.as_str());
            command.variable("GULF_CRASH_AT", at.to_string()).run().does_not_panic().exit
        };
        let tries = (1..50).find(|at| clean(*at) == Some(0));
        kills += tries.unwrap_or_else(|| panic!("{told}: it never comes to its end")) - 1;
        assert_eq!(left(&sandbox), nothing(), "{told}");
        assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1, "{told}");
    }
    assert!(kills >= tried.len(), "clean-ups were not killed: {kills}");
}
