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
