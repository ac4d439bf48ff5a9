//! Limits, milestones, the research gate and failures that say nothing about the work (SPEC G3, G5, G14, G15, B12).

use gulf_testkit::{FakeAgent, Meeting, Sample, Sandbox, Step};

use crate::{RIGHT, exit, mend, run, run_right};

// proves: G14
#[test]
fn a_milestone_pauses_for_review_and_keeps_the_claim_made_there() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let paused =
        run_right(&sandbox, &agent, &["-m", "1"]).run().expect_exit(exit::PAUSED).says("gulf resume");
    assert!(paused.stdout.contains("passed"), "{paused:#?}");
    assert!(!paused.stdout.contains("did not run"), "{paused:#?}");
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1)], "the claim was lost and the worker asked again");
}

#[test]
fn milestones_come_after_every_so_many_iterations() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x")]);
    run_right(&sandbox, &agent, &["-m", "2", "-n", "5"]).run().expect_exit(exit::PAUSED);
    assert_eq!(agent.tally().turns().len(), 2);
    sandbox.write(".claude/progress.txt", "## one\nold\n\n## two\nthe newest entry\n");
    let told = sandbox.gulf(["status"]).run().expect_exit(0);
    let told = told.says("since the base: +1 −0 in 1 file").says("│ value.txt says wrong");
    told.says("│ the newest entry").does_not_say("│ old");
    let second = sandbox.gulf(["resume"]).run().expect_exit(exit::PAUSED);
    second.says("since your last review, after iteration 2: ");
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(0);
    let status: serde_json::Value = serde_json::from_str(&status.stdout).unwrap();
    assert_eq!(status["review"]["since_iteration"], 2);
    assert_eq!(agent.tally().turns().len(), 4);
    sandbox.gulf(["resume"]).run().expect_exit(exit::EXHAUSTED);
    assert_eq!(agent.tally().turns().len(), 5);
}

// proves: G15
#[test]
fn with_force_max_an_early_approval_goes_on_and_the_last_iteration_decides() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [right, claim] = mend();
    let agent = FakeAgent::new(&sandbox).turn(1, [right.clone(), claim.clone()]).otherwise([
        Step::append("other", "x"),
        right,
        claim,
    ]);
    run_right(&sandbox, &agent, &["-n", "3", "--force-max"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns().len(), 3);
}

// proves: G15
#[test]
fn with_force_max_a_refusal_at_the_limit_ends_exhausted_naming_the_last_approved_candidate() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, mend())
        .otherwise([Step::write("value.txt", "wrong again\n"), Step::claim()]);
    let finished =
        run_right(&sandbox, &agent, &["-n", "2", "--force-max"]).run().expect_exit(exit::EXHAUSTED);
    let snapshots = sandbox.only_loop().results("snapshot");
    let approved = snapshots[0].1["candidate"]["commit"].as_str().unwrap();
    finished.says(approved);
}

#[test]
fn at_the_limit_a_change_is_evaluated_without_a_claim() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("value.txt", "right\n")]);
    run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::VERIFIED);
}

const BRIEF: &str = "\
STRENGTHS:
- there is a check
RISKS:
1. the file may be read elsewhere
GAPS:
- nobody said whether the line must be the only one
APPROACHES_CONSIDERED:
- write the file anew, or edit its first line in place
APPROACH: write the file anew with exactly the one line that the check looks for, because nothing else reads it, and run the check before claiming so that a mistake shows at once
CONFIDENCE: 80
";

// proves: G5
#[test]
fn the_research_gate_repeats_iteration_one_until_the_brief_stands_and_counts_it_once() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [Step::print("I looked around.")])
        .attempt(1, 2, [Step::write("progress.txt", "STRENGTHS:\n- some\n")])
        .turn(1, [Step::write("progress.txt", BRIEF)])
        .turn(2, mend());
    let flag = agent.flag();
    sandbox
        .gulf(["run", "value", "--agent", &flag, "--check", RIGHT, "--research", "gate", "-n", "2"])
        .run()
        .expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2), (1, 3), (2, 1)]);
    assert!(agent.tally().prompt(2).contains("STRENGTHS"));
}

// proves: G5
#[test]
fn a_research_iteration_that_changes_a_source_does_not_pass_the_gate() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [right, _] = mend();
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [Step::write("progress.txt", BRIEF), right])
        .turn(1, [Step::write("value.txt", "wrong\n"), Step::append("progress.txt", "\n")])
        .turn(2, mend());
    let flag = agent.flag();
    let arguments = ["run", "value", "--agent", &flag, "--check", RIGHT, "--research", "gate"];
    let finished = sandbox.gulf(arguments).run().expect_exit(exit::VERIFIED);
    let told = finished.says("changed besides the brief and kept: value.txt").says("iteration 1 repeats");
    told.does_not_say("changed while only a brief was asked for");
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2), (2, 1)]);
}

// proves: G5
#[test]
fn what_was_changed_during_research_and_kept_is_named_with_what_was_there_before() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .attempt(1, 1, [Step::write("progress.txt", BRIEF), Step::write("src.txt", "early\n")])
        .attempt(1, 2, mend());
    let flag = agent.flag();
    let arguments = ["run", "value", "--agent", &flag, "--check", RIGHT, "--research", "gate"];
    let finished = sandbox.gulf(arguments).run().expect_exit(exit::VERIFIED);
    let named = finished.says("changed besides the brief and kept: src.txt");
    named.says("changed while only a brief was asked for, and kept").says("gulf restore @0 --to DIR");
    assert!(sandbox.gulf(["report"]).run().expect_exit(0).stdout.contains("src.txt"));
    let before = sandbox.path("before");
    sandbox.gulf(["restore", "@0", "--to", before.as_str()]).run().expect_exit(0);
    assert!(before.join("value.txt").exists() && !before.join("src.txt").exists());
}

// proves: G5
#[test]
fn a_brief_that_never_comes_pauses_the_loop() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox);
    let flag = agent.flag();
    let arguments = ["run", "value", "--agent", &flag, "--check", RIGHT, "--research", "gate"];
    sandbox.gulf(arguments).run().expect_exit(exit::PAUSED).says("brief");
    assert_eq!(agent.tally().turns().len(), 6, "the first attempt and five repetitions");
}

// proves: G5
#[test]
fn inline_the_brief_is_asked_for_and_the_same_iteration_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let flag = agent.flag();
    sandbox.gulf(["run", "value", "--agent", &flag, "--check", RIGHT]).run().expect_exit(exit::VERIFIED);
    assert!(agent.tally().prompt(1).contains("APPROACHES_CONSIDERED"));
}

#[test]
fn the_time_limit_ends_a_turn_that_would_never_end() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::Linger, Step::Hang]);
    run_right(&sandbox, &agent, &["--max-duration", "1s"]).run().expect_exit(exit::EXHAUSTED).says("time");
    sandbox.assert_nothing_left();
}

#[test]
fn a_turn_that_exceeds_its_own_time_is_cut_and_what_it_changed_is_kept() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("other", "x"), Step::Hang]).turn(2, mend());
    run_right(&sandbox, &agent, &[]).variable("GULF_AGENT_TIMEOUT", "1s").run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
    assert_eq!(sandbox.only_loop().results("turn")[0].1["outcome"]["kind"], "timed-out");
}

#[test]
fn a_silent_turn_is_cut_by_the_idle_time_out() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::write("other", "x"), Step::Hang]).turn(2, mend());
    run_right(&sandbox, &agent, &[])
        .variable("GULF_AGENT_IDLE_TIMEOUT", "1s")
        .run()
        .expect_exit(exit::VERIFIED);
}

#[test]
fn a_check_that_hangs_is_cut_and_is_no_pass() {
    let toml = "[[check]]\nname = \"hangs\"\ncommand = \"tail -f /dev/null\"\ntimeout = \"1s\"\n";
    let sandbox = Sandbox::with(&Sample::shell().file("gulf.toml", toml));
    let agent = FakeAgent::new(&sandbox).otherwise([Step::append("other", "x"), Step::claim()]);
    run(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::EXHAUSTED).says("timed out");
    sandbox.assert_nothing_left();
}

#[test]
fn a_check_reads_end_of_file_and_cannot_wait_for_a_person() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    let check = "read answer && exit 1; sh check.sh";
    run(&sandbox, &agent, &["--check", check]).run().expect_exit(exit::VERIFIED);
}

#[test]
fn an_agent_that_fails_is_tried_again_and_then_out_of_reach() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .otherwise([Step::Complain { line: "no credit left".to_owned() }, Step::Exit { code: 7 }]);
    let run = run_right(&sandbox, &agent, &[]).variable("GULF_MAX_FAILURES", "3");
    run.run().expect_exit(exit::UNAVAILABLE).says("exit 7");
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2), (1, 3)]);
}

#[test]
fn an_agent_that_fails_once_costs_no_iteration() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).attempt(1, 1, [Step::Exit { code: 1 }]).turn(1, mend());
    run_right(&sandbox, &agent, &["-n", "1"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2)]);
}

#[test]
fn an_agent_that_is_not_there_is_refused_before_anything_happens() {
    let sandbox = Sandbox::with(&Sample::shell());
    let refused =
        sandbox.gulf(["run", "value", "--agent", "command:no-such-agent --flag", "--check", RIGHT]).run();
    refused.expect_exit(exit::REFUSED_START).says("no-such-agent").says("hint:");
    assert!(sandbox.loops().is_empty());
}

// proves: G15
#[test]
fn numbers_and_words_that_cannot_be_are_usage_errors() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox);
    for wrong in [
        ["-n", "0"],
        ["-n", "-1"],
        ["-n", "many"],
        ["-n", "99999999999999999999"],
        ["--max-duration", "soon"],
        ["--max-duration", "-5m"],
        ["--research", "maybe"],
        ["--expect", "red"],
        ["--preset", "judge"],
        ["-p", " "],
        ["--agent", "claude-code-of-the-future"],
        ["--no-such-flag", "x"],
    ] {
        let refused = run_right(&sandbox, &agent, &wrong).run().does_not_panic();
        assert_eq!(refused.exit, Some(exit::REFUSED_START), "{wrong:?}: {refused:#?}");
        assert!(refused.stderr.contains("error"), "{wrong:?}: {refused:#?}");
    }
    assert!(agent.tally().turns().is_empty() && sandbox.loops().is_empty());
}

#[test]
fn output_without_end_is_bounded_in_memory_and_whole_on_disk() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [right, _] = mend();
    let flood = Step::Flood { bytes: 40 << 20 };
    let agent = FakeAgent::new(&sandbox).turn(1, [right, flood, Step::promise("COMPLETE")]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let log = sandbox.only_loop().path("iterations/001/agent.log");
    assert!(std::fs::metadata(&log).unwrap().len() > 40 << 20);
}

#[test]
fn a_worker_that_does_not_read_its_prompt_is_no_failure() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = "command:echo right > value.txt; echo '<promise>COMPLETE</promise>'";
    let goal = "long ".repeat(100_000);
    let file = sandbox.path("goal.md");
    std::fs::write(&file, goal).unwrap();
    sandbox
        .gulf(["run", "-f", file.as_str(), "--agent", agent, "--check", RIGHT])
        .run()
        .expect_exit(exit::VERIFIED);
}

#[test]
fn running_and_waiting_for_a_check_are_cut_by_the_time_limit_too() {
    let sandbox = Sandbox::with(&Sample::shell());
    let never = Meeting::new(&sandbox, "never");
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    let check = format!("sh check.sh && {}", never.held_by_shell());
    run(&sandbox, &agent, &["--check", &check, "--max-duration", "1s"])
        .run()
        .expect_exit(exit::EXHAUSTED)
        .says("time");
    sandbox.assert_nothing_left();
}
