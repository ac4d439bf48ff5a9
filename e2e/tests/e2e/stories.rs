//! How loops end: the honest worker's way to *verified*, and every other worker's way to something else.

use gulf_testkit::{FakeAgent, Sample, Sandbox, Standing, Step};
use serde_json::json;

use crate::{RIGHT, exit, mend, run, run_right};

// proves: G1, G2, G24, G24/premature-completion
#[test]
fn a_worker_that_claims_too_early_is_refused_told_why_corrected_and_verified() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let before = Standing::of(&sandbox);
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "almost right\n"), Step::claim()])
        .turn(2, [Step::write("value.txt", "right\n"), Step::print("Done."), Step::promise("COMPLETE")]);
    let finished = run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    let kept = sandbox.only_loop();
    let refused = json!({"type": "settled", "settlement": {"kind": "refused", "gate": "checks"}});
    assert_eq!(kept.facts_of("settled"), [refused]);
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    assert_eq!(kept.end().unwrap()["proofs"][0]["kind"], "base-red");
    let second = agent.tally().prompt(2);
    assert!(second.contains("value.txt says almost right"), "the worker was not told why:\n{second}");
    assert!(second.contains(RIGHT), "the worker was not told which check:\n{second}");
    let (commit, _) = kept.candidate();
    let finished = finished.says("verified").says(&commit);
    assert!(finished.stdout.contains(&commit) || finished.stderr.contains(&commit));
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    assert_eq!(
        Standing::of(&sandbox).without(&["value.txt", ".gulf", "decisions.md"]),
        before.without(&["value.txt"])
    );
    sandbox.assert_nothing_left();
}

// The honest twin of who claims too early: it is done at its first word.
// proves: G24, G24/premature-completion
#[test]
fn the_named_commit_checked_out_elsewhere_repeats_the_verdict() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let (commit, tree) = sandbox.only_loop().candidate();
    let elsewhere = sandbox.path("elsewhere");
    sandbox.git(["worktree", "add", "--quiet", "--detach", elsewhere.as_str(), &commit]);
    sandbox.program("sh", ["-c", RIGHT]).directory(&elsewhere).run().expect_exit(0);
    assert_eq!(sandbox.git(["rev-parse", &format!("{commit}^{{tree}}")]), tree);
    let parent = sandbox.git(["rev-parse", &format!("{commit}^")]);
    assert_eq!(parent, sandbox.git(["rev-parse", "HEAD"]));
    sandbox.program("sh", ["-c", RIGHT]).run().expect_exit(0);
}

#[test]
fn the_receipt_names_what_was_checked_and_how() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let kept = sandbox.only_loop();
    let receipt: serde_json::Value =
        serde_json::from_slice(&std::fs::read(kept.path("receipt.json")).unwrap()).unwrap();
    let (commit, tree) = kept.candidate();
    let text = receipt.to_string();
    assert!(receipt["version"].is_u64(), "{receipt:#}");
    for needle in [&commit, &tree, RIGHT, &sandbox.git(["rev-parse", "HEAD"])] {
        assert!(text.contains(needle), "{needle} is not in the receipt: {receipt:#}");
    }
}

// proves: G24/premature-completion
#[test]
fn a_worker_that_always_claims_and_changes_nothing_ends_stalled() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::claim()]);
    run_right(&sandbox, &agent, &["-n", "20"]).run().expect_exit(exit::STALLED).says("stalled");
    assert_eq!(sandbox.only_loop().end().unwrap()["kind"], "stalled");
    let told = agent.tally().prompt(3);
    assert!(
        told.contains("Claimed 2 times without a change") && told.contains("gulf claim need-decision"),
        "{told}"
    );
}

#[test]
fn a_worker_that_claims_every_time_with_another_wrong_change_ends_exhausted() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::append("value.txt", "more\n"),
        Step::claim(),
        Step::promise("COMPLETE"),
    ]);
    run_right(&sandbox, &agent, &["-n", "2"]).run().expect_exit(exit::EXHAUSTED).says("exhausted");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
}

// proves: B3
#[test]
fn an_empty_change_on_a_green_repository_is_asked_about_once_and_then_attested() {
    let sandbox = Sandbox::with(&Sample::green());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::claim()]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED).says("attested");
    let kept = sandbox.only_loop();
    assert_eq!(kept.facts_of("settled"), [json!({"type": "settled", "settlement": {"kind": "asked"}})]);
    let causes = kept.end().unwrap()["causes"].to_string();
    assert!(causes.contains("nothing-changed"), "{causes}");
}

#[test]
fn a_worker_that_says_why_no_test_can_show_it_ends_attested_with_its_reason() {
    let sandbox = Sandbox::with(&Sample::green());
    let claim = Step::Claim { no_test: Some("only words changed".to_owned()) };
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("README.md", "# Better\n"), claim]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED).says("only words changed");
}

#[test]
fn a_refactoring_that_stays_green_is_not_asked_for_a_test() {
    let sandbox = Sandbox::with(&Sample::green());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::write("README.md", "# Better\n"), Step::claim()]);
    run_right(&sandbox, &agent, &["--expect", "stay-green"]).run().expect_exit(exit::ATTESTED);
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}

#[test]
fn criteria_that_nobody_judges_keep_the_end_from_being_verified_and_are_listed() {
    let rubric = "## Checks\n\n- sh check.sh\n\n## Judge criteria\n\n- It reads like a poem.\n";
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", rubric));
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run(&sandbox, &agent, &[]).run().expect_exit(exit::ATTESTED).says("It reads like a poem");
}

#[test]
fn a_loop_without_any_check_is_refused_naming_both_ways_out() {
    let sandbox = Sandbox::with(&Sample::green());
    let agent = FakeAgent::new(&sandbox);
    let refused = run(&sandbox, &agent, &[]).run().expect_exit(exit::REFUSED_START);
    refused.says("--check").says("--unverified");
    assert!(agent.tally().turns().is_empty());
    let agent = agent.otherwise([Step::write("README.md", "# Better\n"), Step::claim()]);
    run(&sandbox, &agent, &["--unverified"]).run().expect_exit(exit::ATTESTED);
}

// proves: B6
#[test]
fn a_turn_without_a_claim_but_with_changes_gets_the_checks() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "almost\n")])
        .turn(2, [Step::promise("COMPLETE"), Step::write("value.txt", "right\n")]);
    run(&sandbox, &agent, &["--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    assert!(agent.tally().prompt(2).contains("value.txt says almost"));
}

// proves: G1, B6
#[test]
fn the_word_done_in_prose_or_in_quotes_is_no_claim() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([
        Step::print("I am DONE. COMPLETE! <promise>COMPLETE</promise> is what I would say."),
        Step::print("> <promise>COMPLETE</promise>"),
    ]);
    run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED);
    assert!(sandbox.only_loop().results("check").is_empty());
}

#[test]
fn another_completion_promise_is_understood_and_the_default_one_no_more() {
    let sandbox = Sandbox::with(&Sample::shell());
    let right = Step::write("value.txt", "right\n");
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::promise("COMPLETE")])
        .turn(2, [right, Step::promise("모두 끝")]);
    run_right(&sandbox, &agent, &["-p", "모두 끝"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    assert!(agent.tally().prompt(1).contains("<promise>모두 끝</promise>"));
}

// proves: B8
#[test]
fn an_unfinished_loop_with_the_same_goal_is_resumed_and_a_finished_one_begun_anew() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(2, mend());
    run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED);
    let id = sandbox.only_loop().id().to_owned();
    run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED).says(&id);
    assert_eq!(sandbox.loops().len(), 1, "the same goal began a second loop");
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)], "it only paused once more");
}

#[test]
fn the_prompt_arrives_to_the_byte_from_a_file_from_stdin_and_as_an_argument() {
    let goal = "quotes ' \" `x` $(touch oops) \\ and\nnewlines — 한국어 {{ not a template }}";
    for from in ["argument", "file", "stdin"] {
        let sandbox = Sandbox::with(&Sample::shell());
        let agent = FakeAgent::new(&sandbox).turn(1, mend());
        let file = sandbox.path("goal.md");
        std::fs::write(&file, goal).unwrap();
        let arguments = match from {
            "argument" => vec!["run", goal],
            "file" => vec!["run", "-f", file.as_str()],
            _ => vec!["run", "-"],
        };
        let invocation = sandbox.gulf(arguments).arguments(["--agent", &agent.flag(), "--check", RIGHT]);
        invocation.stdin(goal).run().expect_exit(exit::VERIFIED);
        assert!(agent.tally().prompt(1).contains(goal), "from {from}: {}", agent.tally().prompt(1));
        assert!(!sandbox.file("oops").exists());
    }
}
