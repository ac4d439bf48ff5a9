//! What stands in the texts of a list: the log, lessons, ticks that nobody earned, and what the worker is told.
//!
//! These texts are somebody else's: what gulf writes there is little, and nothing is believed.

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use super::{changed_in, commits, does, done, fails, mends, project, reported, states, tasks};
use crate::exit;

// proves: R2, R4, K5/complete
#[test]
fn a_tick_of_the_workers_is_taken_back_proves_nothing_and_comes_into_no_commit() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n"));
    let ticks = Step::run("sed -i 's/\\[ \\]/[x]/' TASKS.md");
    let agent = FakeAgent::new(&sandbox).turn(1, [ticks.clone()]).turn(2, does().into_iter().chain([ticks]));
    let agent = agent.otherwise(does());
    tasks(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("the tick of T1 was removed")
        .says("the tick of T2 was removed");
    assert_eq!(agent.tally().turns().len(), 3);
    assert_eq!(sandbox.git(["show", "HEAD~1:TASKS.md"]), "- [x] T1: one\n- [ ] T2: two");
    assert_eq!(sandbox.git(["show", "HEAD:TASKS.md"]), "- [x] T1: one\n- [x] T2: two");
}

// proves: R4
#[test]
fn a_list_that_is_gone_is_named_and_the_commits_hold_its_ticks() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n"));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("rm TASKS.md")].into_iter().chain(does()));
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED).says("TASKS.md is gone from the checkout");
    assert_eq!(sandbox.git(["show", "HEAD:TASKS.md"]), "- [x] T1: one");
}

// proves: R2, R2/token
#[test]
fn the_token_claims_alone_on_the_last_line_only() {
    let sandbox = Sandbox::with(&Sample::shell().file("TASKS.md", "- [ ] T1: one\n"));
    let mended = Step::write("value.txt", "right\n");
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [mended, Step::print("TASK_DONE"), Step::print("I will look at it again.")])
        .turn(2, [Step::print("It is not TASK_DONE")])
        .turn(3, [Step::print("All is well."), Step::print("TASK_DONE")]);
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns().len(), 3);
}

// proves: R1/fifty, R3, R3/repeated, R3/previous-output, R4/error, R4/to-the-end
#[test]
fn an_error_is_logged_told_to_the_next_attempt_and_repeated_asks_for_another_approach() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n"));
    let say = |line: &str| fails().into_iter().chain([Step::print(line), Step::print("TASK_DONE")]);
    let agent = FakeAgent::new(&sandbox)
        .turn(1, say("the first try of it"))
        .turn(2, say("the second try of it"))
        .turn(3, say("the third try of it"))
        .turn(4, mends())
        .otherwise(does());
    tasks(&sandbox, &agent, &[])
        .variable("GULF_STEPS_CAUSE_AGENT", "command:cat > /dev/null; echo 'ROOT_CAUSE: a typo'")
        .run()
        .expect_exit(exit::ATTESTED)
        .says("iteration 4/50 begins");
    let tally = agent.tally();
    assert!(tally.prompt(1).contains("(first attempt)"));
    let second = tally.prompt(2);
    for part in ["previous attempt (iteration 1)", "the first try of it", "value.txt says wrong"] {
        assert!(second.contains(part), "{part} is not in:\n{second}");
    }
    let fourth = tally.prompt(4);
    assert!(fourth.contains("the third try of it") && fourth.contains("## Change the approach"), "{fourth}");
    let next = tally.prompt(5);
    assert!(next.contains("(first attempt)") && !next.contains("T1 attempt"), "another task begins afresh");
    let log = sandbox.read(".claude/progress.txt");
    for attempt in 1..=3 {
        let line = format!("- T1 attempt {attempt}\n- Error: sh check.sh: value.txt says wrong\n");
        assert_eq!(log.matches(&line).count(), 1, "{log}");
    }
    assert!(log.contains("T1 completed") && !log.contains("T1 attempt 4"), "{log}");
}

// proves: R4
#[test]
fn what_was_learnt_is_logged_for_the_next_task_and_a_lesson_is_kept_once_for_good() {
    let sample = project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n- [ ] T3: three\n");
    let sandbox =
        Sandbox::awkward(&sample.file("CLAUDE.md", "# 규칙\r\n\r\n## Lessons Learned\r\n\r\n- old\r\n"));
    let taught = [Step::print("LEARNT: the port is 8080"), Step::print("- **LESSON: 로그를 먼저 본다**")];
    let again = Step::print("LESSON: 로그를 먼저 본다");
    let agent = FakeAgent::new(&sandbox)
        .turn(1, does().into_iter().chain(taught))
        .turn(2, does().into_iter().chain([again]))
        .otherwise(does());
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED).says("a lesson is kept");
    let prompt = agent.tally().prompt(2);
    assert!(prompt.contains("T1 completed") && prompt.contains("- the port is 8080"), "{prompt}");
    let kept = "# 규칙\r\n\r\n## Lessons Learned\r\n\r\n- old\r\n- 로그를 먼저 본다\r\n";
    assert_eq!(sandbox.read("CLAUDE.md"), kept);
    assert_eq!(changed_in(&sandbox, "HEAD~2"), ["CLAUDE.md", "TASKS.md", "work.txt"]);
    assert_eq!(changed_in(&sandbox, "HEAD~1"), ["TASKS.md", "work.txt"]);
    assert_eq!(sandbox.git(["status", "--porcelain"]), "");
}

// proves: R4
#[test]
fn what_was_uncommitted_before_the_loop_is_in_no_commit_and_is_named() {
    let sandbox = Sandbox::with(&project("노트.txt", "mine\n"));
    sandbox.write("TASKS.md", "- [ ] T1: one\n");
    sandbox.write("노트.txt", "mine, unfinished\n");
    sandbox.write("new.txt", "mine, new\n");
    let touches = [Step::append("노트.txt", "worker\n"), Step::append("new.txt", "worker\n")];
    let agent = FakeAgent::new(&sandbox).otherwise(touches.into_iter().chain(does()));
    tasks(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::ATTESTED)
        .says("TASKS.md has uncommitted changes, so no commit will hold its ticks")
        .says("not committed: 노트.txt (it was uncommitted before the loop)")
        .says("not committed: new.txt (it was uncommitted before the loop)");
    assert_eq!(changed_in(&sandbox, "HEAD"), ["work.txt"]);
    assert_eq!(sandbox.read("TASKS.md"), "- [x] T1: one\n");
    assert_eq!(sandbox.read("노트.txt"), "mine, unfinished\nworker\n");
    assert_eq!(reported(&sandbox)[0]["not_committed"].as_array().unwrap().len(), 2);
}

// proves: R1, R4
#[test]
fn a_list_that_a_person_edits_in_the_middle_keeps_the_edit_and_the_loop_its_seal() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n"));
    let edits = Step::write(
        "TASKS.md",
        "# By hand\n\n- [ ] T0: new and urgent [P0]\n- [ ] T1: one\n- [ ] T2: another two\n",
    );
    let agent = FakeAgent::new(&sandbox).turn(1, [edits, does()[0].clone(), done()]).otherwise(does());
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED).says("TASKS.md");
    assert_eq!(commits(&sandbox), ["T1: one", "T2: two"]);
    assert_eq!(
        sandbox.read("TASKS.md"),
        "# By hand\n\n- [ ] T0: new and urgent [P0]\n- [x] T1: one\n- [x] T2: another two\n"
    );
}

// proves: R6
#[test]
fn the_seeds_files_say_where_the_list_stands_and_are_never_read() {
    let sandbox = Sandbox::awkward(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two (depends on T1)\n"));
    let lies = Step::write(".claude/orchestrate-state.json", "{\"completed\":[\"T1\",\"T2\"]}");
    let agent = FakeAgent::new(&sandbox).turn(1, [lies].into_iter().chain(does())).turn(2, fails());
    let agent = agent.otherwise(fails());
    tasks(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::PAUSED);
    let state: serde_json::Value =
        serde_json::from_str(&sandbox.read(".claude/orchestrate-state.json")).unwrap();
    assert_eq!(state["tasks_file"], "TASKS.md");
    assert_eq!(state["completed"], serde_json::json!(["T1"]));
    assert_eq!(state["current_task"], "T2");
    assert_eq!(state["tasks"][0]["commit"], sandbox.git(["rev-parse", "HEAD"]));
    let goals = sandbox.read(".claude/goals/progress.md");
    assert!(goals.contains("- [x] T1: one (complete, 1 iteration)\n- [ ] T2"), "{goals}");
    assert_eq!(states(&reported(&sandbox)), ["T1 complete", "T2 active"]);
}

#[test]
fn a_commit_of_gulfs_says_why_in_the_words_of_whoever_did_the_work() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n- [ ] T3: three\n"));
    let decided = |entries: &str| Step::write("progress.txt", &format!("DECISIONS:\n{entries}"));
    let first = "- chose: a file, rejected: a flag\n";
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::run("echo 1 >> work.txt"), decided(first), super::done()])
        .turn(
            2,
            [
                Step::run("echo 2 >> work.txt"),
                decided(&format!("{first}- chose: two lines\n")),
                super::done(),
            ],
        )
        .turn(
            3,
            [
                Step::run("echo 3 >> work.txt && rm progress.txt"),
                Step::print("Three needs a third line.\nLEARNT: it does\nTASK_DONE"),
                super::done(),
            ],
        );
    tasks(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED);
    let body = |commit: &str| sandbox.git(["log", "-1", "--format=%b", commit]);
    assert!(
        body("HEAD~2").starts_with("- chose: a file, rejected: a flag\n\nGulf-Task: T1"),
        "{}",
        body("HEAD~2")
    );
    assert!(body("HEAD~1").starts_with("- chose: two lines\n\nGulf-Task: T2"), "{}", body("HEAD~1"));
    assert!(body("HEAD").starts_with("Three needs a third line.\n\nGulf-Task: T3"), "{}", body("HEAD"));
    let (candidate, _) = sandbox.only_loop().candidate();
    assert!(
        body(&candidate).contains("Three needs a third line."),
        "and so does the candidate, which may land"
    );
}

// proves: B11
#[test]
fn the_report_is_about_every_task_and_iterations_are_counted_as_their_limit_is() {
    let sandbox = Sandbox::with(&project("TASKS.md", "- [ ] T1: one\n- [ ] T2: two\n- [ ] T3: three\n"));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("echo x > $GULF_ITERATION.txt"), done()]);
    tasks(&sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::ATTESTED);
    let report = sandbox.gulf(["report"]).run().expect_exit(0);
    let report = report.says("`1.txt`").says("`2.txt`").says("`3.txt`").says("**Spent:** 3 iterations");
    let base: String = report.stdout.split("--base ").nth(1).unwrap().chars().take(40).collect();
    assert!(!sandbox.git(["ls-tree", "--name-only", &base]).contains("1.txt"));
    sandbox.gulf(["list"]).run().expect_exit(0).says("1/2");
}
