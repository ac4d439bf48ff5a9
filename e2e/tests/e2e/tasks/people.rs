//! What a person may ask for and gets wrong: one task, specialists, circles, empty lists, places without a branch.
//!
//! Most of it is refused before anything is sealed.

use std::fs;
use std::os::unix::fs::symlink;

use gulf_testkit::{FakeAgent, Meeting, Sandbox, Step};

use super::{commits, does, done, in_hand, project, quick, reported, states, tasks};
use crate::exit;

// proves: R7
#[test]
fn a_circle_is_refused_and_named() {
    let list =
        "- [ ] T1: one (depends on T3)\n- [ ] T2: two (depends on T1)\n- [ ] T3: three (depends on T2)\n";
    let sandbox = Sandbox::with(&project("TASKS.md", list));
    let agent = quick(&sandbox);
    let finished = tasks(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START);
    finished.says("T1 → T3 → T2 → T1");
    assert_eq!(agent.tally().turns(), []);
    assert_eq!(sandbox.read("TASKS.md"), list);
}

// proves: R1
#[test]
fn a_list_with_nothing_to_do_and_a_folder_without_a_list_are_refused_with_what_helps() {
    for (list, words) in [
        ("- [x] T1: one\n", "every task of TASKS.md is ticked"),
        ("", "TASKS.md"),
        ("just words\n", "TASKS.md"),
    ] {
        let sandbox = Sandbox::with(&project("TASKS.md", list));
        let agent = quick(&sandbox);
        tasks(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START).says(words).says("hint: ");
        assert_eq!(sandbox.loops().len(), 0);
    }
    let sandbox = Sandbox::with(&project("other.txt", ""));
    let agent = quick(&sandbox);
    tasks(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("there is no list of tasks")
        .says("docs/planning/TASKS.md");
    tasks(&sandbox, &agent, &["--tasks", "할 일.md"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("할 일.md does not exist")
        .says("as seen from");
}

// proves: R1, R4
#[test]
fn a_list_that_is_a_link_is_ticked_where_it_leads_and_refused_where_that_is_outside() {
    let linked = |target: &str| {
        let sandbox = Sandbox::with(&project("할 일/목록.md", "- [ ] T1: one\n"));
        fs::write(sandbox.path("mine.md"), "- [ ] T1: one\n").unwrap();
        symlink(target, sandbox.file("TASKS.md")).unwrap();
        sandbox.commit("a link");
        sandbox
    };
    let sandbox = linked("할 일/목록.md");
    tasks(&sandbox, &quick(&sandbox), &[]).run().expect_exit(exit::ATTESTED).says(", ticked");
    assert_eq!(sandbox.git(["show", "HEAD:할 일/목록.md"]), "- [x] T1: one");
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    let sandbox = linked("../mine.md");
    for named in [&[][..], &["--tasks", "TASKS.md"]] {
        let refused = tasks(&sandbox, &quick(&sandbox), named).run().expect_exit(exit::REFUSED_START);
        refused.says("the list TASKS.md is outside the project: ").says("mine.md");
    }
    assert!(sandbox.loops().is_empty());
}

// proves: R7/dependency
#[test]
fn one_task_is_done_with_what_it_waits_for_and_a_wrong_name_gets_a_suggestion() {
    let list = "- [ ] T1: one\n- [ ] T2: two\n- [ ] T3: three (depends on T2)\n";
    let sandbox = Sandbox::with(&project("TASKS.md", list));
    let agent = quick(&sandbox);
    tasks(&sandbox, &agent, &["--task", "T33"])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("did you mean `--task T3`?");
    tasks(&sandbox, &agent, &["--task", "t3"]).run().expect_exit(exit::ATTESTED).says("2 of 2 tasks");
    assert_eq!(in_hand(&agent), ["T2", "T3"]);
    assert_eq!(sandbox.read("TASKS.md"), "- [ ] T1: one\n- [x] T2: two\n- [x] T3: three (depends on T2)\n");
}

#[test]
fn a_list_that_is_over_is_committed_already() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n"));
    tasks(&sandbox, &quick(&sandbox), &[]).run().expect_exit(exit::ATTESTED);
    let last = sandbox.git(["rev-parse", "HEAD"]);
    sandbox
        .gulf(["land"])
        .run()
        .expect_exit(0)
        .says(&format!("has committed its tasks already, each as it was finished, the last one as {last}"));
    let refused = sandbox.gulf(["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("is committed on this branch: work.txt");
    sandbox.git(["reset", "--quiet", "--hard", "HEAD~2"]);
    let refused = sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("only a person at a terminal may land it");
}

// proves: R1
#[test]
fn a_specialist_does_its_own_tasks_and_nobody_elses() {
    let list = "- [ ] T1: one\n- [ ] T2: two (specialist: Backend)\n- [ ] T3: three (owner: nobody)\n";
    let sandbox = Sandbox::awkward(&project("TASKS.md", list));
    let (agent, backend) = (quick(&sandbox), FakeAgent::named(&sandbox, "backend").otherwise(does()));
    let named = format!("[tasks]\nspecialists = [{:?}]\n", format!("backend={}", backend.flag()));
    sandbox.write("gulf.toml", named);
    sandbox.commit("settings");
    tasks(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("no agent is named for the specialist nobody");
    assert_eq!((in_hand(&agent), in_hand(&backend)), (vec!["T1".into(), "T3".into()], vec!["T2".into()]));
}

// proves: R4, R6
#[test]
fn without_git_tasks_are_ticked_and_logged_and_nothing_is_committed() {
    let sandbox = Sandbox::without_git();
    for (path, text) in [("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n"), ("check.sh", "exit 0\n")] {
        sandbox.write(path, text);
    }
    let agent = quick(&sandbox);
    let finished = tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED);
    finished.says("this is not a git repository: finished tasks are ticked, but nothing is committed");
    assert_eq!(sandbox.read("TASKS.md"), "- [x] T1: one\n- [x] T2: two\n");
    assert_eq!(states(&reported(&sandbox)), ["T1 complete", "T2 complete"]);
    assert!(!sandbox.file(".git").exists());
}

// proves: R4
#[test]
fn where_no_branch_is_checked_out_nothing_begins_and_where_another_is_nothing_is_committed() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n"));
    sandbox.git(["switch", "--quiet", "--detach"]);
    let agent = quick(&sandbox);
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START).says("hint: ").says("git switch");
    sandbox.git(["switch", "--quiet", "main"]);
    sandbox.write(".git/MERGE_HEAD", sandbox.git(["rev-parse", "HEAD"]));
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START).says("a merge is in progress");
    sandbox.git(["merge", "--quit"]);
    let leaves = Step::run("git switch --quiet --create other");
    let agent = agent.turn(1, [leaves].into_iter().chain(does()));
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::PAUSED).says("main, and it is not checked out");
    sandbox.git(["switch", "--quiet", "main"]);
    sandbox.gulf(["resume"]).run().expect_exit(exit::ATTESTED);
    assert_eq!(agent.tally().turns().len(), 1, "nothing is done again");
    assert_eq!(commits(&sandbox), ["T1: one"]);
}

// proves: R6
#[test]
fn interrupted_in_a_task_the_same_command_goes_on_with_that_task() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n- [ ] T3: three\n"));
    let (here, held) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "held"));
    let agent = quick(&sandbox).attempt(2, 1, [here.reached(), held.held()]);
    let started = tasks(&sandbox, &agent, &[]).start();
    here.wait();
    started.interrupt();
    started.finish().expect_exit(exit::INTERRUPTED);
    assert_eq!(states(&reported(&sandbox)), ["T1 complete", "T2 active", "T3 pending"]);
    assert_eq!(sandbox.read("TASKS.md"), "- [x] T1: one\n- [ ] T2: two\n- [ ] T3: three\n");
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED);
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1), (2, 2), (3, 1)]);
    assert_eq!(commits(&sandbox), ["T1: one", "T2: two", "T3: three"]);
    sandbox.assert_nothing_left();
}

/// The name of a loop is its minute and its goal, and every list has the same goal.
// proves: B6
#[test]
fn a_claim_reaches_its_own_loop_and_none_of_the_same_name_in_another_project() {
    let first = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n"));
    for _ in 0..3 {
        let other = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n"));
        let agent = quick(&other);
        tasks(&other, &agent, &[])
            .variable("GULF_HOME", first.state())
            .run()
            .expect_exit(exit::ATTESTED)
            .says("without a test: a text");
        assert_eq!(agent.tally().turns().len(), 1);
    }
}

#[test]
fn what_a_worker_committed_itself_and_no_check_saw_is_undone_or_named_in_the_tasks_commit() {
    let sample = project("할 일.md", "- [ ] T1: one\n- [ ] T2: two\n").file(".gitignore", ".env\n");
    let sandbox = Sandbox::with(&sample);
    sandbox.write(".env", "KEY=1\n");
    let commit = "echo $GULF_ITERATION >> work.txt; echo x > value.txt; echo x > x.txt; git add -A; \
                  git add -f .env; git commit -qm own; git show HEAD~1:value.txt > value.txt; rm x.txt";
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run(commit), done()]).otherwise(does());
    let finished = tasks(&sandbox, &agent, &["--tasks", "할 일.md"]).run().expect_exit(exit::ATTESTED);
    assert_eq!(sandbox.read("할 일.md"), "- [x] T1: one\n- [x] T2: two\n");
    finished.says(".env (it was committed during the loop, and nothing checked it)");
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
    assert_eq!(sandbox.git(["show", "HEAD:value.txt"]), "right");
    assert!(!sandbox.git(["ls-tree", "--name-only", "HEAD"]).contains("x.txt"));
    assert_eq!(commits(&sandbox).len(), 3);
}
