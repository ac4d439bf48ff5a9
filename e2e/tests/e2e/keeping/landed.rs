//! What counts as landed, and by which commit.

use super::*;

#[test]
fn what_a_person_reset_has_not_landed_any_more_and_can_land_again() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    keeping(&sandbox, &["land"]).run().expect_exit(0);
    sandbox.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    let stands = keeping(&sandbox, &["status"]).run().expect_exit(0).says("gulf land  commits exactly");
    stands.does_not_say("holds it as");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed: main holds it as ");
    assert_eq!((sandbox.read("value.txt"), status(&sandbox)), ("right\n".into(), String::new()));
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("has landed already");
}

#[test]
fn work_that_a_person_committed_landed_by_that_commit_and_not_by_a_later_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    sandbox.commit("by hand");
    let by_hand = sandbox.git(["rev-parse", "--short=7", "HEAD"]);
    sandbox.write("later.txt", "mine\n");
    sandbox.commit("later");
    keeping(&sandbox, &["land"]).run().expect_exit(0).says(&format!("main holds it as {by_hand}"));
}

/// `other` holds two commits more than `main`, and is checked out in the middle of the turn.
fn switched() -> (Sandbox, String) {
    let sandbox = Sandbox::with(&Sample::shell());
    sandbox.git(["switch", "-q", "-c", "other"]);
    for name in ["one.txt", "two.txt"] {
        sandbox.write(name, "mine\n");
        sandbox.git(["add", "."]);
        sandbox.git(["commit", "-q", "-m", name]);
    }
    let tip = sandbox.git(["rev-parse", "HEAD"]);
    sandbox.git(["switch", "-q", "main"]);
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("git switch -q other"), write, claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    (sandbox, tip)
}

// proves: A9
#[test]
fn its_commits_are_not_discarded_with_the_loops_change() {
    let (sandbox, tip) = switched();
    let refused = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    refused.says("other was there before the loop").says("git switch main");
    assert_eq!(sandbox.git(["rev-parse", "other"]), tip);
    sandbox.git(["switch", "-q", "main"]);
    keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    assert_eq!((sandbox.git(["rev-parse", "other"]), status(&sandbox)), (tip, String::new()));
}

// proves: A9
#[test]
fn its_commits_do_not_land_on_another_branch_as_the_loops_work() {
    let (sandbox, tip) = switched();
    sandbox.git(["switch", "-q", "main"]);
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("on top of other, which is not on this branch").says("git switch other");
    sandbox.git(["merge", "-q", "--ff-only", "other"]);
    keeping(&sandbox, &["land"]).run().expect_exit(0).says("landed");
    assert_eq!(show(&sandbox, "--name-only"), "value.txt");
    assert_eq!(sandbox.git(["rev-parse", "HEAD~1"]), tip);
}

// proves: A9
#[test]
fn of_a_long_goal_the_first_words_are_the_title_and_all_of_it_stands_below() {
    let goal =
        "make the value right, and leave every other file of this project as it is because others use them";
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    sandbox
        .gulf(["run", goal, "--research", "off", "--agent", &agent.flag(), "--check", RIGHT])
        .run()
        .expect_exit(exit::VERIFIED);
    keeping(&sandbox, &["land"]).run().expect_exit(0);
    let message = sandbox.git(["log", "-1", "--format=%B"]);
    let (title, body) = message.split_once("\n\n").unwrap();
    assert_eq!(title, "make the value right, and leave every other file of this project as …");
    assert!(body.starts_with(&format!("{goal}\n\nGulf-Loop: ")), "{message}");
}
