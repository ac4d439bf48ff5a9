//! A loop that measured numbers steer: success that nobody claims, a plateau, a person's look, and `kill -9` in between.

use gulf_testkit::{FakeAgent, Invocation, Meeting, Sample, Sandbox, Step};
use serde_json::Value;

use crate::exit;

/// A runner of three tests, as many of which fail as a file says; it leaves a report of what was covered.
const TESTS: &str = "#!/bin/sh
failing=$(cat failing.txt)
printf 'TAP version 13\\n1..3\\n'
for number in 1 2 3; do
    if test \"$number\" -le \"$failing\"; then printf 'not ok %s - t%s\\n' \"$number\" \"$number\"
    else printf 'ok %s - t%s\\n' \"$number\" \"$number\"; fi
done
printf 'SF:a.sh\\nDA:1,1\\nDA:2,1\\nDA:3,1\\nDA:4,%s\\nend_of_record\\n' \"$((failing == 0))\" > lcov.info
test \"$failing\" -eq 0
";

const SPEC: &str = "# 세 테스트\n\nNo test fails.\n";

fn sample() -> Sample {
    Sample::default()
        .file("failing.txt", "3\n")
        .file("tests.sh", TESTS)
        .file(".gitignore", "lcov.info\n")
        .file("specs/TESTS-1.md", SPEC)
}

/// Writes so many failing tests in this iteration, and claims nothing.
fn leaves(agent: FakeAgent, iteration: u32, failing: u32) -> FakeAgent {
    agent.turn(iteration, [Step::write("failing.txt", &format!("{failing}\n"))])
}

fn run(sandbox: &Sandbox, agent: &FakeAgent, check: &str, arguments: &[&str]) -> Invocation {
    let flag = agent.flag();
    sandbox
        .gulf(["run", "--preset", "feedback", "--spec", "TESTS-1", "--agent", &flag, "--check", check])
        .arguments(arguments.iter().copied())
        .variable("GULF_STEPS_ANALYZE_AGENT", "command:cat > /dev/null; echo 'three tests, one file'")
}

fn shown(sandbox: &Sandbox) -> Value {
    let shown = sandbox.gulf(["feedback", "show", "--json"]).run().expect_exit(0);
    serde_json::from_str(&shown.stdout).unwrap()
}

// proves: L1, L3, L4, L5, L8, REQ-LOOP-001, REQ-LOOP-005, REQ-SM-003, REQ-CONV-003, REQ-PERSIST-001, REQ-PERSIST-003
#[test]
fn fewer_and_fewer_tests_fail_until_the_numbers_are_the_claim() {
    let sandbox = Sandbox::awkward(&sample());
    sandbox
        .gulf(["feedback", "collect", "--check", "sh tests.sh"])
        .run()
        .expect_exit(exit::ERROR)
        .says("3 failed, 0 passed")
        .says("coverage 75.00 %");
    let agent = leaves(leaves(FakeAgent::new(&sandbox), 1, 1), 2, 0);
    run(&sandbox, &agent, "sh tests.sh", &["--human-review", "false"])
        .run()
        .expect_exit(exit::VERIFIED)
        .says("1 failed, 2 passed");
    let (first, second) = (agent.tally().prompt(1), agent.tally().prompt(2));
    assert!(first.contains(SPEC.trim()) && first.contains("three tests, one file"), "{first}");
    assert!(second.contains("tests: 1 failed, 2 passed") && second.contains("at least 85.00 %"), "{second}");
    let shown = shown(&sandbox);
    assert_eq!((&shown["spec_id"], &shown["converged"]), (&"TESTS-1".into(), &true.into()));
    let rows = shown["feedback"].as_array().unwrap();
    let of = |row: usize, name: &str| rows[row]["numbers"][name].clone();
    assert_eq!((rows.len(), of(0, "tests_failed"), of(1, "tests_failed")), (2, 1.into(), 0.into()));
    assert_eq!((of(0, "coverage_bp"), of(1, "coverage_bp")), (7_500.into(), 10_000.into()));
    assert_eq!(
        (&rows[0]["decision"]["action"], &rows[1]["decision"]["action"]),
        (&"continue".into(), &"converge".into())
    );
    let kept = sandbox.only_loop();
    assert!(kept.facts_of("claimed").is_empty());
    assert!(!sandbox.file(".gulf/feedback/TESTS-1.json").exists());
    let archived = sandbox.read(&format!(".gulf/feedback/archive/TESTS-1_{}.json", kept.id()));
    let archived: Value = serde_json::from_str(&archived).unwrap();
    assert_eq!((&archived["spec_id"], &archived["phase"]), (&"TESTS-1".into(), &"review".into()));
    assert_eq!(archived["feedback"][1]["coverage"], 100.0);
    let receipt: Value =
        serde_json::from_str(&std::fs::read_to_string(kept.path("receipt.json")).unwrap()).unwrap();
    let measured =
        receipt["gates"].as_array().unwrap().iter().find(|gate| gate["gate"] == "feedback").unwrap();
    assert_eq!(measured["measured"]["tests_passed"], 3);
    sandbox.assert_nothing_left();
}

// proves: L4, REQ-CONV-001
#[test]
fn a_plateau_ends_the_loop_as_stalled() {
    let sandbox = Sandbox::with(&sample());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("notes.txt", "still thinking\n")]);
    run(&sandbox, &agent, "sh tests.sh", &["--human-review", "false"])
        .run()
        .expect_exit(exit::STALLED)
        .says("a plateau");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1), (3, 1)]);
    let last = shown(&sandbox)["feedback"][2]["decision"].clone();
    assert_eq!((&last["action"], &last["converged"]), (&"converge".into(), &false.into()));
}

// proves: L1, L2, L6, L7, REQ-LOOP-003, REQ-SM-002, REQ-FB-002, REQ-HIL-001, REQ-UW-002
#[test]
fn a_person_reviews_each_iteration_and_what_others_measured_stands_beside_it() {
    let sandbox = Sandbox::with(&sample());
    let agent = leaves(leaves(FakeAgent::new(&sandbox), 1, 2), 2, 0);
    run(&sandbox, &agent, "sh tests.sh", &[])
        .run()
        .expect_exit(exit::PAUSED)
        .says("is ready for your review");
    let live: Value = serde_json::from_str(&sandbox.read(".gulf/feedback/TESTS-1.json")).unwrap();
    assert_eq!((&live["phase"], &live["feedback"][0]["tests_failed"]), (&"review".into(), &2.into()));
    let record =
        |arguments: &[&str]| sandbox.gulf(["feedback", "record"]).arguments(arguments.iter().copied()).run();
    record(&["--tests-failed", "0", "--phase", "test"])
        .expect_exit(2)
        .says("the loop is in phase review, and test does not come now");
    record(&["--iteration", "7", "--tests-failed", "0"]).expect_exit(2).says("iteration 7");
    record(&["--coverage", "101"]).expect_exit(2).says("a number from 0 to 100");
    record(&[]).expect_exit(2).says("nothing was said to have been measured");
    record(&[
        "--tests-failed", "0", "--tests-passed", "3", "--coverage", "99.5", "--by", "빌드", "--notes",
        "nightly",
    ])
    .expect_exit(0);
    let rows = shown(&sandbox)["feedback"].clone();
    assert_eq!((&rows[1]["source"], &rows[1]["by"]), (&"told".into(), &"빌드".into()));
    sandbox.gulf(["feedback", "show"]).run().expect_exit(0).says("told by 빌드");
    // The spec was rewritten meanwhile: another goal, and the same spec.
    sandbox.write("specs/TESTS-1.md", "# Other words\n");
    let id = crate::handle(&sandbox);
    run(&sandbox, &agent, "sh tests.sh", &[])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says(&id)
        .says("works on the spec TESTS-1 already");
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    record(&["--tests-failed", "0"]).expect_exit(0).says("there is no unfinished loop here");
}

// proves: L7, REQ-UW-002
#[test]
fn of_two_that_start_on_one_spec_at_once_one_is_refused() {
    let sandbox = Sandbox::with(&sample());
    let other = sandbox.path("other");
    sandbox.git(["worktree", "add", "--quiet", "-b", "side", other.as_str()]);
    let agent = leaves(FakeAgent::new(&sandbox), 1, 2);
    let started = [sandbox.repository(), other]
        .map(|checkout| run(&sandbox, &agent, "sh tests.sh", &[]).directory(checkout).start());
    let mut exits: Vec<_> = started.into_iter().filter_map(|one| one.finish().exit).collect();
    exits.sort_unstable();
    assert_eq!(exits, [exit::REFUSED_START, exit::PAUSED]);
    assert_eq!(sandbox.loops().len(), 1);
}

// proves: B8, REQ-LOOP-002, REQ-PERSIST-002
#[test]
fn kill_nine_in_the_test_phase_loses_nothing_and_the_worker_is_not_asked_again() {
    let sandbox = Sandbox::with(&sample());
    let here = Meeting::new(&sandbox, "here");
    let agent = leaves(FakeAgent::new(&sandbox), 1, 0);
    let once = sandbox.path("once");
    let check = format!(
        "sh tests.sh || exit 1; test -e '{once}' && exit 0; touch '{once}'; {}; tail -f /dev/null",
        here.reached_by_shell()
    );
    let started = run(&sandbox, &agent, &check, &["--human-review", "false"]).start();
    here.wait();
    started.kill();
    started.finish();
    sandbox.assert_nothing_left();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}
