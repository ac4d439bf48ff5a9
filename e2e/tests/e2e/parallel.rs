//! Several workers on one goal at the same time: each in a worktree of its own, all in one process, and nothing of the
//! person's moves.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use gulf_testkit::{FakeAgent, Invocation, Meeting, Sample, Sandbox, Standing, Step, quote};

use crate::{RIGHT, exit, run};

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(180);

fn parallel(sandbox: &Sandbox, agent: &FakeAgent, workers: &str, arguments: &[&str]) -> Invocation {
    run(sandbox, agent, &["--preset", "parallel", "--workers", workers, "--check", RIGHT])
        .arguments(arguments.iter().copied())
}

/// What the person has: everything but the workers' branches.
fn standing(sandbox: &Sandbox) -> Standing {
    let mut standing = Standing::of(sandbox);
    let theirs = |line: &&str| !line.contains("refs/heads/gulf/");
    standing.refs = standing.refs.lines().filter(theirs).collect::<Vec<_>>().join("\n");
    standing
}

/// The folders in which workers did something.
fn worked_in(agent: &FakeAgent) -> BTreeSet<String> {
    agent.tally().commands().into_iter().map(|(_, _, said)| said.trim().to_owned()).collect()
}

// proves: G19
#[test]
fn every_worker_has_a_worktree_a_branch_a_number_and_a_strategy_of_its_own() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    sandbox.write("mine.txt", "mine\n");
    let agent =
        FakeAgent::new(&sandbox).otherwise([Step::run("pwd"), Step::run("echo $GULF_LOOP > out.txt; pwd")]);
    let before = standing(&sandbox);
    let finished = parallel(&sandbox, &agent, "3", &["-n", "1", "--max-cost", "60"]).run().does_not_panic();
    let finished = finished.expect_exit(exit::EXHAUSTED).says("0 of 3 landed").says("$20.00 for each worker");
    for number in 1..=3 {
        finished.clone().says(&format!("worker {number}  00:0")).says(&format!("-worker-{number}"));
    }
    assert_eq!(standing(&sandbox), before);
    assert_eq!(worked_in(&agent).len(), 3);
    let prompts: Vec<String> = (1..=3).map(|number| agent.tally().prompt(number)).collect();
    for number in 1..=3 {
        let own = format!("You are worker {number} of 3");
        assert_eq!(prompts.iter().filter(|prompt| prompt.contains(&own)).count(), 1, "{prompts:#?}");
    }
    let hints: BTreeSet<&str> = prompts
        .iter()
        .filter_map(|prompt| prompt.split("the obvious one:").nth(1)?.split("## How").next())
        .collect();
    assert_eq!(hints.len(), 3, "{hints:#?}");
    sandbox.assert_nothing_left();
}

#[test]
fn strategies_from_files_are_given_out_in_turn() {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.write("one.md", "Use recursion.\n");
    sandbox.write("two.md", "Use a table.\n");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("true")]);
    let flags = ["-n", "1", "--strategy", "one.md", "--strategy", "two.md"];
    parallel(&sandbox, &agent, "3", &flags).run().expect_exit(exit::EXHAUSTED);
    let count = |hint: &str| (1..=3).filter(|turn| agent.tally().prompt(*turn).contains(hint)).count();
    assert_eq!((count("Use recursion."), count("Use a table.")), (2, 1));
    let missing = parallel(&sandbox, &agent, "2", &["--strategy", "three.md", "--replace"]).run();
    missing.expect_exit(exit::REFUSED_START).says("three.md");
}

#[test]
fn the_same_goal_goes_on_with_all_that_are_not_finished_and_a_cancel_ends_them_all() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("date +%N >> tried.txt; pwd")]);
    let flags = ["-n", "9", "--milestone-every", "1"];
    parallel(&sandbox, &agent, "2", &flags).run().expect_exit(exit::PAUSED).says("gulf resume");
    let again = parallel(&sandbox, &agent, "2", &flags).run().expect_exit(exit::PAUSED);
    again.says("worker 1  ").says("worker 2  ");
    sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED);
    let mut turns = agent.tally().turns();
    turns.sort_unstable();
    let [first, second, third] = [1, 2, 3].map(|iteration| [(iteration, 1); 2]);
    assert_eq!(turns, [first, second, third].concat(), "the goal typed again goes on as `resume` does");
    assert_eq!((worked_in(&agent).len(), sandbox.loops().len()), (2, 2));
    sandbox.gulf(["status"]).run().expect_exit(0).says("worker 1: paused").says("worker 2: paused");
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    sandbox.gulf(["status"]).run().expect_exit(0).says("worker 1: cancelled").says("worker 2: cancelled");
    sandbox.gulf(["list"]).run().expect_exit(0).says("worker-1").says("worker-2");
}

#[test]
fn workers_that_ask_are_answered_one_by_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let ask = "gulf claim need-decision 'Which word?' --option one --option two";
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(ask)]);
    let asked = parallel(&sandbox, &agent, "2", &[]).run().expect_exit(exit::PAUSED);
    let asked = asked.says("question 1: Which word?").says("gulf inbox  shows the questions");
    let paused = asked.stderr.lines().filter(|line| line.contains("paused until"));
    let answers: BTreeSet<&str> = paused.filter_map(|line| line.split(" · ").last()).collect();
    assert_eq!(answers.len(), 2, "{}", asked.stderr);
    for answer in answers {
        let words: Vec<&str> = answer.split(' ').skip(1).map(|word| word.trim_matches('"')).collect();
        sandbox.gulf(words).run().expect_exit(0);
    }
    sandbox.gulf(["inbox"]).run().expect_exit(0).says("no question is open");
}

#[test]
fn programs_are_told_which_worker_an_event_is_of_and_how_all_of_them_ended() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("true")]);
    let finished = parallel(&sandbox, &agent, "2", &["-n", "1", "--json"]).run().expect_exit(exit::EXHAUSTED);
    let mut lines = finished.json_lines();
    let last = lines.pop().unwrap();
    assert_eq!(last["exit_code"], exit::EXHAUSTED, "{last:#}");
    assert_eq!(last["workers"].as_array().unwrap().len(), 2, "{last:#}");
    assert_eq!(last["workers"][1]["branch"]["worker"]["number"], 2, "{last:#}");
    for worker in [1, 2] {
        let own: Vec<_> = lines.iter().filter(|line| line["worker"] == worker).collect();
        let loops: BTreeSet<&str> = own.iter().map(|line| line["loop"].as_str().unwrap()).collect();
        assert!(own.len() > 3 && loops.len() == 1, "{own:#?}");
    }
}

#[test]
fn one_interrupt_stops_all_workers_and_the_next_start_goes_on_with_them() {
    let sandbox = Sandbox::with(&Sample::shell());
    let here: Vec<_> = (1..=2).map(|number| sandbox.path(&format!("here-{number}"))).collect();
    for fifo in &here {
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
    }
    let meet = format!("echo here > {}", sandbox.path("here-${PWD##*-}"));
    let agent = FakeAgent::new(&sandbox).attempt(1, 1, [Step::run(&meet), Step::Hang]).attempt(
        1,
        2,
        [Step::run("pwd")],
    );
    let started = parallel(&sandbox, &agent, "2", &["-n", "1"]).start();
    for fifo in &here {
        std::fs::read_to_string(fifo).unwrap();
    }
    started.interrupt();
    started
        .finish()
        .expect_exit(exit::INTERRUPTED)
        .says("worker 1: interrupted")
        .says("worker 2: interrupted");
    sandbox.assert_nothing_left();
    parallel(&sandbox, &agent, "2", &[]).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(worked_in(&agent).iter().filter(|path| path.contains("worker-")).count(), 2);
}

/// What stands on the base branch, looked at where nobody has worked.
fn landed(sandbox: &Sandbox) -> String {
    let clone = sandbox.path("clean clone");
    let _ = std::fs::remove_dir_all(&clone);
    sandbox.git(["clone", "--quiet", "--branch", "main", ".", clone.as_str()]);
    sandbox.program("sh", ["-c", RIGHT]).directory(&clone).run().expect_exit(0);
    sandbox.git(["log", "--format=%s", "main"])
}

// proves: G19
#[test]
fn what_every_worker_did_lands_and_the_base_is_green_in_a_clean_clone() {
    let sandbox = Sandbox::with(&Sample::shell());
    let own = "echo mine > \"own-${PWD##*-}.txt\"; git add -A; git commit --quiet -m own";
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("value.txt", "right\n"),
        Step::run(own),
        Step::claim(),
    ]);
    let finished = parallel(&sandbox, &agent, "2", &["-n", "3"]).run().does_not_panic();
    finished.expect_exit(exit::VERIFIED).says("2 of 2 landed");
    let log = landed(&sandbox);
    assert_eq!(log.matches("merge(gulf-loop)").count(), 2, "{log}");
    let files = sandbox.git(["ls-tree", "-r", "--name-only", "main"]);
    assert!(files.contains("own-1.txt") && files.contains("own-2.txt"), "{files}");
    assert_eq!(sandbox.read("value.txt"), "right\n", "the checkout of the base came along");
    assert_eq!(sandbox.git(["status", "--short"]), "");
}

#[test]
fn with_select_first_the_others_are_stopped_and_what_they_did_is_kept() {
    let sandbox = Sandbox::with(&Sample::shell());
    let held = sandbox.path("held");
    assert!(Command::new("mkfifo").arg(&held).status().unwrap().success());
    let work = format!(
        "case \"$PWD\" in *worker-1) echo right > value.txt; gulf claim done;; *) echo x > kept.txt; cat {held};; esac"
    );
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(&work)]);
    let finished = parallel(&sandbox, &agent, "2", &["-n", "3", "--select", "first"]).run().does_not_panic();
    finished
        .expect_exit(exit::VERIFIED)
        .says("1 of 2 landed")
        .says("worker 2: cancelled")
        .says("gulf discard ");
    landed(&sandbox);
    sandbox.assert_nothing_left();
    let branches = sandbox.git(["branch", "--list", "gulf/*"]);
    assert!(branches.contains("worker-2"), "{branches}");
    // The winner's work is on its base branch already; the loser's goes nowhere by itself.
    let before = sandbox.git(["rev-parse", "main"]);
    sandbox.gulf(["land"]).run().does_not_panic().does_not_say("kept.txt");
    assert_eq!(sandbox.git(["rev-parse", "main"]), before);
}

/// Every line of the queues' journals.
fn queued(sandbox: &Sandbox) -> String {
    let journals = sandbox.program("sh", ["-c", "cat \"$GULF_HOME\"/repositories/*/queues/*/journal.jsonl"]);
    journals.run().stdout
}

#[test]
fn with_select_first_one_lands_of_two_that_wait_at_the_same_moment() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (tested, held) = (Meeting::new(&sandbox, "tested"), Meeting::new(&sandbox, "held"));
    // Whoever is tested in the queue first waits until both are in it.
    let check = format!(
        "case \"$PWD\" in *lanes*) test -f {mark} || {{ touch {mark}; {}; {}; }};; esac; {RIGHT}",
        tested.reached_by_shell(),
        held.held_by_shell(),
        mark = quote(sandbox.path("was-tested").as_str())
    );
    let own = "echo mine > \"own-${PWD##*-}.txt\"; git add -A; git commit --quiet -m own";
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::write("value.txt", "right\n"),
        Step::run(own),
        Step::claim(),
    ]);
    let flags = ["--preset", "parallel", "--workers", "2", "--select", "first", "--check", &check];
    let started = run(&sandbox, &agent, &flags).start();
    tested.wait();
    let until = Instant::now() + PATIENCE;
    while queued(&sandbox).matches("\"joined\"").count() < 2 {
        assert!(Instant::now() < until, "the second never joined: {}", queued(&sandbox));
    }
    held.release();
    let finished = started.finish().does_not_panic().expect_exit(exit::VERIFIED);
    finished.says("1 of 2 landed").says(": cancelled");
    assert_eq!(landed(&sandbox).matches("merge(gulf-loop)").count(), 1);
    assert!(queued(&sandbox).contains("\"outrun\""));
    sandbox.assert_nothing_left();
}

#[test]
fn a_worker_whose_worktree_is_gone_keeps_no_other_one_and_is_counted() {
    let sandbox = Sandbox::with(&Sample::shell());
    let work = "if test -f ../go; then echo right > value.txt; echo x > own-${PWD##*-}.txt; gulf claim done; else date +%N >> tried.txt; fi";
    let go = sandbox.path("go");
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run(&work.replace("../go", go.as_str()))]);
    let flags = ["-n", "9", "--milestone-every", "2"];
    parallel(&sandbox, &agent, "3", &flags).run().expect_exit(exit::PAUSED);
    std::fs::write(&go, "").unwrap();
    let worktrees = sandbox.git(["worktree", "list", "--porcelain"]);
    let gone =
        worktrees.lines().find(|line| line.starts_with("worktree ") && line.ends_with("worker-3")).unwrap();
    std::fs::remove_dir_all(gone.trim_start_matches("worktree ")).unwrap();
    let resumed = sandbox.gulf(["resume"]).run();
    assert_ne!(resumed.exit, Some(0));
    // Whoever lands second may be sent back first; it is one of three in any case.
    resumed.says(" of 3 landed").says("landed as ").says("worker 3: ").says("did not go on: ");
}
