//! `gulf land`: finished work that a person brings onto a branch, and what is refused.
#![cfg(unix)]

use std::fs;
use std::process::Command;

use gulf_testkit::{FakeAgent, Invocation, Sample, Sandbox, Size, Step};
use serde_json::json;

use crate::{RIGHT, exit, mend, run, run_right};

mod requests;

const WIDE: Size = Size { columns: 200, rows: 60 };

fn autonomous(sandbox: &Sandbox, agent: &FakeAgent, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--preset", "autonomous"]).arguments(arguments.iter().copied())
}

/// It does the work, and says why nothing shows it.
fn says_so() -> [Step; 2] {
    [Step::write("value.txt", "right\n"), Step::run("gulf claim done --no-test 'only words'")]
}

/// `gulf land`, typed by a person.
#[track_caller]
fn typed(sandbox: &Sandbox, arguments: &[&str], code: i32) -> String {
    let invocation = sandbox.gulf(["land"]).arguments(arguments.iter().copied());
    let terminal = invocation.on_terminal(WIDE);
    let screen =
        terminal.wait_until("the end", |screen| screen.contains("gulf report") || screen.contains("error:"));
    assert_eq!(terminal.finish(), u32::try_from(code).unwrap(), "{screen}");
    screen
}

fn main_holds(sandbox: &Sandbox) -> String {
    sandbox.git(["show", "main:value.txt"])
}

#[test]
fn attested_work_lands_on_the_word_of_a_person_at_a_terminal_and_the_journal_says_whose() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(says_so());
    let attested = autonomous(&sandbox, &agent, &["--check", "true"]).run();
    attested.expect_exit(exit::ATTESTED).says("gulf land ");
    let refused = sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("only a person at a terminal may land it").says("landing.accept");
    sandbox.write("gulf.toml", "[landing]\naccept = \"attested\"\n");
    let refused = sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("`landing.accept` only counts for what a loop lands itself");
    fs::remove_file(sandbox.file("gulf.toml")).unwrap();
    assert_eq!(main_holds(&sandbox), "wrong");
    assert!(typed(&sandbox, &[], 0).contains("landed: main holds it as "));
    assert_eq!(main_holds(&sandbox), "right");
    let one = sandbox.only_loop();
    let journal = fs::read_to_string(one.path("journal.jsonl")).unwrap();
    assert!(journal.contains(r#""type":"landing-asked","by":"#), "{journal}");
    let receipt = fs::read_to_string(one.path("receipt.json")).unwrap();
    assert!(receipt.contains("\"landed\"") && receipt.contains("\"attested\""), "{receipt}");
    let status = sandbox.gulf(["status"]).run().expect_exit(0);
    status.says("attested: ").says("landed: main holds it as ");
    sandbox.gulf(["log"]).run().expect_exit(0).says("landing on main was asked for by ");
    sandbox.gulf(["land"]).run().expect_exit(0).says("has landed already");
}

#[test]
fn a_loop_that_changed_nothing_lands_nothing_and_leads_to_the_work_that_waits() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let other =
        ["run", "see that it is right", "--research", "off", "--agent", &agent.flag(), "--check", RIGHT];
    sandbox.gulf(other).run().expect_exit(exit::ATTESTED).says("nothing was changed");
    let waiting = sandbox.loops().into_iter().find(|one| one.end().unwrap()["kind"] == "verified").unwrap();
    sandbox.gulf(["status"]).run().expect_exit(0).says("is finished and has not landed: `gulf land ");
    sandbox.gulf([]).run().says("commits exactly its change");
    let refused = typed(&sandbox, &[], exit::REFUSED_START);
    assert!(refused.contains("changed nothing, so there is nothing to land"), "{refused}");
    assert!(refused.contains("has not landed: `gulf land "), "{refused}");
    assert_eq!(main_holds(&sandbox), "wrong");
    typed(&sandbox, &[waiting.id()], 0);
    assert_eq!(main_holds(&sandbox), "right");
    sandbox.gulf(["status"]).run().expect_exit(0).does_not_say("has not landed");
}

#[test]
fn what_did_not_get_there_is_led_on_by_commands_that_work() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    run_right(&sandbox, &agent, &["-n", "1"])
        .run()
        .expect_exit(exit::EXHAUSTED)
        .says("--max-iterations 2  starts a new loop on the same goal with a higher limit");
    let refused = sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("`gulf restore ").does_not_say("gulf resume");
}

#[test]
fn what_a_build_leaves_where_git_ignores_nothing_is_no_part_of_the_work() {
    let kept = Sample::shell().file("package.json", "{}\n").file("venv/own.txt", "1\n");
    let sandbox = Sandbox::with(&kept.file("setup.py", ""));
    let built = "mkdir -p .venv/bin src/__pycache__ && touch .venv/bin/a src/__pycache__/a.pyc venv/new.txt";
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::run(built), Step::write("value.txt", "right"), Step::claim()]);
    let first = run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    drop(
        first
            .says("is no part of the work")
            .says("(.git/info/exclude): node_modules/, .venv/, __pycache__/\n"),
    );
    sandbox.gulf(["land"]).run().expect_exit(0);
    // A folder that the project keeps is the project's.
    let landed = sandbox.git(["show", "--name-only", "--format=", "HEAD"]);
    assert_eq!(landed, "value.txt\nvenv/new.txt");
    let again = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "left"), Step::claim()]);
    let second =
        run(&sandbox, &again, &["--check", "grep -qx left value.txt"]).run().expect_exit(exit::VERIFIED);
    drop(second.does_not_say("is no part of the work"));
}

#[test]
fn whose_commit_it_is_where_git_knows_no_name_is_said() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    fs::remove_file(sandbox.home().join(".gitconfig")).unwrap();
    let landed = sandbox.gulf(["land"]).run().expect_exit(0);
    drop(landed.says("the commit is gulf's: `git config user.name`"));
    assert_eq!(sandbox.git(["log", "-1", "--format=%an"]), "gulf");
}

#[test]
fn a_checkout_that_was_lent_to_the_loop_goes_back_after_that_word() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(says_so());
    autonomous(&sandbox, &agent, &["--in-place", "--check", "true"]).run().expect_exit(exit::ATTESTED);
    assert!(sandbox.git(["branch", "--show-current"]).starts_with("gulf/auto-"));
    typed(&sandbox, &[], 0);
    assert_eq!(sandbox.git(["branch", "--show-current"]), "main");
    assert_eq!(
        (sandbox.git(["branch", "--list", "gulf/*"]), sandbox.git(["status", "--porcelain"])),
        ("".into(), "".into())
    );
}

#[test]
fn work_lands_though_the_checkout_is_gone_in_which_its_loop_was_started() {
    let sandbox = Sandbox::with(&Sample::shell());
    let linked = sandbox.path("linked");
    sandbox.git(["worktree", "add", "--quiet", "-b", "side", linked.as_str()]);
    let agent = FakeAgent::new(&sandbox).otherwise(says_so());
    autonomous(&sandbox, &agent, &["--check", "true"]).directory(&linked).run().expect_exit(exit::ATTESTED);
    sandbox.git(["worktree", "remove", "--force", linked.as_str()]);
    let screen = typed(&sandbox, &[sandbox.only_loop().id()], 0);
    assert!(screen.contains("landed: side holds it as "), "{screen}");
    assert!(screen.contains("note: its worktree stays: "), "{screen}");
    assert_eq!(sandbox.git(["show", "side:value.txt"]), "right");
}

#[test]
fn verified_work_that_nobody_meant_to_land_lands_on_a_named_branch_through_the_same_trial() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["switch", "--quiet", "--create", "feature"]);
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    let nowhere = sandbox.gulf(["land", "-b", "nowhere"]).run().expect_exit(exit::REFUSED_START);
    nowhere.says("there is no branch nowhere").says("git branch --all");
    let pushed = sandbox.gulf(["land", "-b", "main", "--push"]).run().expect_exit(exit::REFUSED_START);
    pushed.says("no push destination is known for main");
    sandbox.gulf(["land", "-b", "main"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!(main_holds(&sandbox), "right");
    let message = sandbox.git(["log", "-1", "--format=%B", "main"]);
    assert!(message.contains("→ main [by hand]") && message.contains("Gulf-Receipt: sha256:"), "{message}");
    assert_eq!(sandbox.git(["branch", "--show-current"]), "feature");
}

#[test]
fn what_does_not_go_together_is_said_and_lands_nowhere() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(says_so());
    autonomous(&sandbox, &agent, &["--check", "true"]).run().expect_exit(exit::ATTESTED);
    sandbox.write("value.txt", "mine\n");
    sandbox.git(["commit", "--quiet", "--all", "--message", "mine"]);
    let screen = typed(&sandbox, &[], exit::ERROR);
    assert!(screen.contains("it conflicts with the base branch: value.txt"), "{screen}");
    assert_eq!(main_holds(&sandbox), "mine");
    sandbox.gulf(["status"]).run().expect_exit(0).says("it conflicts with the base branch: value.txt");
}

#[test]
fn what_a_dirty_checkout_kept_waiting_lands_once_it_is_clean() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    sandbox.write("value.txt", "mine\n");
    let paused = autonomous(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::PAUSED);
    paused.says("ready to land").says("gulf land ");
    sandbox.gulf(["land"]).run().expect_exit(exit::PAUSED).says("value.txt");
    let sealed = sandbox.gulf(["land", "-b", "other"]).run().expect_exit(exit::REFUSED_START);
    sealed.says("sealed at its start");
    sandbox.git(["checkout", "--quiet", "--", "value.txt"]);
    sandbox.gulf(["land"]).run().expect_exit(exit::VERIFIED).says("landed as ");
    assert_eq!(main_holds(&sandbox), "right");
    assert_eq!(agent.tally().turns().len(), 1, "nobody worked once more");
}

#[test]
fn a_push_that_failed_is_said_and_not_undone_and_is_made_up_for() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (remote, away) = (sandbox.path("remote.git"), sandbox.path("away.git"));
    sandbox.git(["clone", "--quiet", "--bare", ".", remote.as_str()]);
    sandbox.git(["remote", "add", "origin", remote.as_str()]);
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(&format!("mv {remote} {away}")), claim]);
    let paused = autonomous(&sandbox, &agent, &["--check", RIGHT, "--push"]).run().expect_exit(exit::PAUSED);
    paused.says("could not be pushed to main of origin");
    assert_eq!(main_holds(&sandbox), "right", "what has landed stays");
    let landed = sandbox.git(["rev-parse", "main"]);
    sandbox.gulf(["status"]).run().expect_exit(0).says("could not be pushed to main of origin");
    fs::rename(&away, &remote).unwrap();
    sandbox.gulf(["land"]).run().expect_exit(exit::VERIFIED).says("landed as ");
    assert_eq!(sandbox.git(["rev-parse", "main"]), landed);
    assert_eq!(sandbox.git(["--git-dir", remote.as_str(), "rev-parse", "main"]), landed);
}

/// It landed here, and `origin` lies at an address where nothing is.
fn unpushed() -> Sandbox {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["remote", "add", "origin", sandbox.path("typo.git").as_str()]);
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let paused = autonomous(&sandbox, &agent, &["--check", RIGHT, "--push"]).run().expect_exit(exit::PAUSED);
    paused.says("was sealed at the start").says("git remote set-url origin URL");
    sandbox
}

#[test]
fn a_person_who_lands_what_could_not_be_pushed_pushes_it_to_the_address_that_the_remote_has_now() {
    let sandbox = unpushed();
    let (remote, landed) = (sandbox.path("remote.git"), sandbox.git(["rev-parse", "main"]));
    sandbox.git(["init", "--quiet", "--bare", remote.as_str()]);
    sandbox.git(["remote", "set-url", "origin", remote.as_str()]);
    sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED).says("was sealed at the start");
    // A worker can have changed it, so that it counts only for who says so.
    sandbox.gulf(["land"]).run().expect_exit(exit::PAUSED).says("gulf land --push");
    let pushed = sandbox.gulf(["land", "--push"]).run().expect_exit(exit::VERIFIED);
    pushed.says(&format!("it is pushed to {remote}"));
    assert_eq!(sandbox.git(["--git-dir", remote.as_str(), "rev-parse", "main"]), landed);
}

#[test]
fn who_gives_up_the_push_is_told_that_what_landed_stays() {
    let sandbox = unpushed();
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    sandbox.gulf(["status"]).run().expect_exit(0).says("deletes its worktree and branch; what landed stays");
    let cleaned = sandbox.gulf(["clean", "--dry-run"]).run().expect_exit(0);
    cleaned.says("its commits are held elsewhere; with its worktree");
    let discarded = sandbox.gulf(["discard", "--yes"]).run().expect_exit(0);
    discarded.says("deleted; what landed stays, as ").does_not_say("discarded");
    let status = sandbox.gulf(["status"]).run().expect_exit(0);
    status.says("what landed stays").does_not_say("Its work was discarded");
    assert_eq!(main_holds(&sandbox), "right");
}

#[test]
fn no_worker_lands_anything_and_nothing_unfinished_lands() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.gulf(["land"]).run().expect_exit(0).says("there is no loop here");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("gulf land; gulf land --base-branch main")]);
    let flags = ["--check", RIGHT, "-n", "1"];
    autonomous(&sandbox, &agent, &flags).run().expect_exit(exit::EXHAUSTED);
    let said: String = agent.tally().commands().into_iter().map(|(_, _, said)| said).collect();
    assert_eq!(said.matches("only a person may do this").count(), 2, "{said}");
    let journal = fs::read_to_string(sandbox.only_loop().path("journal.jsonl")).unwrap();
    assert!(journal.contains(r#""type":"refused","request":"land""#), "{journal}");
    let refused = sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("only finished work lands: what passed every gate").says("gulf fork");
    sandbox.gulf(["land", "no-such-loop"]).run().expect_exit(exit::REFUSED_START).says("no-such-loop");
}

// proves: B8
#[test]
fn killed_at_any_point_of_a_landing_after_the_end_it_lands_once() {
    let scene = || {
        let sandbox = Sandbox::in_memory(&Sample::shell());
        sandbox.git(["switch", "--quiet", "--create", "feature"]);
        let agent = FakeAgent::new(&sandbox).otherwise(mend());
        run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
        sandbox
    };
    let land = |sandbox: &Sandbox, at: Option<usize>| {
        let count = sandbox.path("count");
        let invocation = sandbox.gulf(["land", "-b", "main"]).variable("GULF_CRASH_COUNT", count.as_str());
        match at {
            Some(at) => drop(invocation.variable("GULF_CRASH_AT", at.to_string()).run()),
            None => drop(invocation.run().expect_exit(0)),
        }
        fs::read_to_string(&count).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let points = land(&scene(), None);
    let wanted = ["landing.wished", "landing.join", "landing.move", "git.move.branch", "landing.came"];
    for name in wanted {
        let at = points.iter().position(|point| point == name).unwrap() + 1;
        let sandbox = scene();
        land(&sandbox, Some(at));
        sandbox.gulf(["land", "-b", "main"]).run().expect_exit(0).does_not_panic();
        assert_eq!(main_holds(&sandbox), "right", "killed at {name}");
        assert_eq!(sandbox.git(["rev-list", "--count", "--merges", "main"]), "1", "killed at {name}");
    }
}

#[test]
fn who_waits_is_told_at_which_place_and_what_is_being_done() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go) = (sandbox.path("here"), sandbox.path("go"));
    for fifo in [&here, &go] {
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    let check = format!("sh check.sh && case $PWD in *lanes*) echo > '{here}'; cat '{go}';; esac");
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let running = autonomous(&sandbox, &agent, &["--check", &check]).start();
    // Opened as soon as the merge is being tested.
    fs::read(&here).unwrap();
    let status = sandbox.gulf(["status"]).run().expect_exit(0);
    status.says("waiting to land on main, number 1 of 1: being tested");
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(0).json_lines().remove(0);
    assert_eq!(status["landing"]["queue"], json!({ "position": 1, "of": 1, "doing": "testing" }));
    assert_eq!(
        (&status["landing"]["standing"], &status["landing"]["commit"]),
        (&json!("waiting"), &json!(null))
    );
    let refused = sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("is running, and lands by itself");
    fs::write(&go, "").unwrap();
    running.finish().expect_exit(exit::VERIFIED);
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(0).json_lines().remove(0);
    let tip = sandbox.git(["rev-parse", "main"]);
    assert_eq!(
        (&status["landing"]["standing"], &status["landing"]["commit"]),
        (&json!("landed"), &json!(tip))
    );
}

#[test]
fn of_a_project_that_was_moved_it_is_said_how_its_work_lands() {
    let sandbox = Sandbox::with(&Sample::shell());
    run_right(&sandbox, &FakeAgent::new(&sandbox).otherwise(mend()), &[]).run().expect_exit(exit::VERIFIED);
    let (id, moved) = (sandbox.only_loop().id().to_owned(), sandbox.path("moved"));
    fs::rename(sandbox.repository(), &moved).unwrap();
    let there = |command: &str| sandbox.gulf([command, &id]).directory(&moved).run();
    for (command, code) in [("status", 0), ("land", exit::PAUSED)] {
        there(command).expect_exit(code).says("which is not there any more").says("`git stash");
    }
    sandbox
        .program("git", ["stash", "--quiet", "--include-untracked"])
        .directory(&moved)
        .run()
        .expect_exit(0);
    there("land").expect_exit(0).says("landed: main holds it as ");
}
