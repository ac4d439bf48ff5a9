//! A worker that takes away what the person had not committed.

use super::*;

const NAMED: &str = "The worker undid or overwrote your own uncommitted work: secret.txt and 1 more.";
const BACK: &str = "restores your own uncommitted work: secret.txt and 1 more";

fn after(script: &str) -> (Sandbox, Finished) {
    let sandbox = dirty();
    let [write, claim] = mend();
    let agent = FakeAgent::new(&sandbox).otherwise([write, Step::run(script), claim]);
    let finished = run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    (sandbox, finished)
}

// proves: B19, A9
#[test]
fn own_work_that_the_worker_undid_is_named_and_stays_until_it_is_back() {
    let (sandbox, finished) = after("git checkout -q -- shared.txt; rm secret.txt");
    finished.says(NAMED).says("gulf restore @0 --to DIR").says(BACK);
    keeping(&sandbox, &["land"])
        .run()
        .expect_exit(0)
        .says("landed: main holds it as ")
        .says(NAMED)
        .says(BACK);
    keeping(&sandbox, &["report"]).run().expect_exit(0).says("undid or overwrote your own uncommitted work");
    let kept = keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("left ");
    kept.says("that it undid: secret.txt, shared.txt").says("--unlanded");
    let copy = sandbox.path("copy");
    keeping(&sandbox, &["restore", "@0", "--to", copy.as_str()]).run().expect_exit(0);
    for name in ["secret.txt", "shared.txt"] {
        fs::copy(copy.join(name), sandbox.file(name)).unwrap();
    }
    keeping(&sandbox, &["status"]).run().expect_exit(0).does_not_say("uncommitted work");
    keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("Removed 1 folder");
}

#[test]
fn a_loop_that_did_not_get_there_is_kept_for_it_too_unless_a_person_says_otherwise() {
    let sandbox = dirty();
    let agent = FakeAgent::new(&sandbox).otherwise([Step::run("git stash -q -u; git stash drop -q")]);
    let finished = run_right(&sandbox, &agent, &["--max-iterations", "1"]).run().expect_exit(exit::EXHAUSTED);
    finished.says("your own uncommitted work: secret.txt and 3 more").says("gulf restore @0 --to DIR");
    keeping(&sandbox, &["clean", "--yes"]).run().expect_exit(0).says("exhausted, and nothing else holds");
    keeping(&sandbox, &["clean", "--yes", "--unlanded"]).run().expect_exit(0).says("Removed 1 folder");
}

#[test]
fn what_the_worker_overwrote_is_named_and_not_what_it_went_on_with_or_moved() {
    let (_, finished) = after("echo theirs | tee secret.txt '메모 노트.txt' > /dev/null");
    finished.says(NAMED).says("git add -- 'secret.txt' '메모 노트.txt'").says("what is left of your own");
    let (sandbox, finished) =
        after("echo more >> shared.txt; echo more >> staged.txt; mv secret.txt moved.txt");
    finished.does_not_say("uncommitted work").does_not_say("conflicts with what is committed");
    let refused = keeping(&sandbox, &["land"]).run().expect_exit(exit::REFUSED_START);
    refused.says("cannot be told apart from what was uncommitted before it").says("moved.txt");
    keeping(&sandbox, &["clean", "--dry-run"]).run().expect_exit(0).says("not landed");
}

#[test]
fn discarding_names_a_file_that_cannot_come_back_to_where_a_folder_stands_now() {
    let sandbox = Sandbox::with(&Sample::shell().file("e", "mine\n"));
    let [write, claim] = mend();
    let script = "rm e; mkdir e; echo its > e/its.txt";
    run_right(&sandbox, &FakeAgent::new(&sandbox).otherwise([write, Step::run(script), claim]), &[])
        .run()
        .expect_exit(exit::VERIFIED);
    sandbox.write("e/mine.txt", "mine\n");
    let discarded = keeping(&sandbox, &["discard", "--yes"]).run().expect_exit(0);
    discarded.says("files that are reverted: e/its.txt, value.txt").says("left as they are: e, e/mine.txt");
}
