//! A loop's work is thrown away: all of it, and nothing of the person's.

use super::*;

// proves: B19
#[test]
fn where_the_worker_undid_own_work_the_rest_is_reverted_and_that_comes_back() {
    let sandbox = dirty();
    let before = (status(&sandbox), sandbox.read("shared.txt"), sandbox.read("secret.txt"));
    let [write, claim] = mend();
    let undo = Step::run("git checkout -q -- shared.txt; rm secret.txt");
    let agent = FakeAgent::new(&sandbox).otherwise([write, undo, claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED).says("gulf discard ");
    sandbox.write("secret.txt", "token\n");
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("files that are reverted: shared.txt, value.txt");
    assert_eq!((status(&sandbox), sandbox.read("shared.txt"), sandbox.read("secret.txt")), before);
}
