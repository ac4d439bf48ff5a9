//! What a loop leaves for the next one, and what an open question means for a start (SPEC G11-G13, G22).

use std::fs;

use gulf_testkit::{FakeAgent, Sample, Sandbox, Step};

use crate::{exit, mend, run_right};

const PROGRESS: &str = "ORIGINAL_GOAL: say right\nDECISIONS:\n- chose: the file, rejected: a flag\nREMAINING_GAP:\n- nothing\nCONFIDENCE: 90\n";
const ALIGNED: &str = "# Alignment\n\n## Specification alignment\nvalue.txt says right.\n\n## Process alignment\nOne file.\n\n## Evaluation alignment\n- `grep -q right value.txt`\n\n## Gap check\n- Capability: none\n- Instruction: none\n- Intentionality: none\n- **Blocking questions**: none\n";

fn worker(sandbox: &Sandbox) -> FakeAgent {
    let [write, claim] = mend();
    FakeAgent::new(sandbox).turn(1, [write, Step::write("progress.txt", PROGRESS), claim])
}

// proves: G13
#[test]
fn a_handoff_is_appended_to_the_alignment_that_is_there() {
    let sandbox = Sandbox::with(&Sample::shell().file(".claude/gulf-align.md", ALIGNED));
    run_right(&sandbox, &worker(&sandbox), &[]).run().expect_exit(exit::VERIFIED);
    let text = fs::read_to_string(sandbox.file(".claude/gulf-align.md")).unwrap();
    assert!(text.starts_with(ALIGNED), "{text}");
    assert_eq!(text.matches("## Loop completed — ").count(), 1, "{text}");
    assert!(text.contains("iteration 1") && text.contains("chose: the file"), "{text}");
}

#[test]
fn without_an_alignment_the_handoff_stays_out_of_the_repository() {
    let sandbox = Sandbox::with(&Sample::shell());
    run_right(&sandbox, &worker(&sandbox), &[]).run().expect_exit(exit::VERIFIED);
    let text = fs::read_to_string(sandbox.file(".gulf/handoff.md")).unwrap();
    assert!(text.contains("## Loop completed — ") && text.contains("chose: the file"), "{text}");
    assert!(!sandbox.file(".claude").exists());
    let status = sandbox.program("git", ["status", "--short"]).run().stdout;
    assert_eq!(status.trim(), "M value.txt");
}

// proves: G22
#[test]
fn structured_memory_is_laid_out_at_the_start_and_filed_at_the_end() {
    let sandbox = Sandbox::with(&Sample::shell());
    let [write, claim] = mend();
    let page =
        Step::write(".claude/memory/loops/current.md", "# This loop\n\n- learnt: the value is a word\n");
    let agent = FakeAgent::new(&sandbox).turn(1, [write, page, claim]);
    run_right(&sandbox, &agent, &["--structured-memory"]).run().expect_exit(exit::VERIFIED);
    let read = |path: &str| fs::read_to_string(sandbox.file(&format!(".claude/memory/{path}"))).unwrap();
    for path in ["INDEX.md", "spec.md", "map.md", "constraints.md"] {
        assert!(!read(path).is_empty(), "{path}");
    }
    assert!(read("loops/loop-001.md").contains("learnt: the value is a word"));
    assert!(read("INDEX.md").contains("[Loop 001](loops/loop-001.md)"));
    assert!(!read("loops/current.md").contains("learnt"));
}

// proves: G12
#[test]
fn an_open_question_stops_a_start_and_ignoring_it_is_written_down() {
    let open = ALIGNED.replace("**Blocking questions**: none", "**Blocking questions**:\n  - Which word?");
    let sandbox = Sandbox::with(&Sample::shell().file(".claude/gulf-align.md", &open));
    let agent = worker(&sandbox);
    run_right(&sandbox, &agent, &[])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("Which word?")
        .says("--ignore-questions");
    assert!(sandbox.loops().is_empty(), "nothing was started");
    let finished = run_right(&sandbox, &agent, &["--ignore-questions"]).run().expect_exit(exit::VERIFIED);
    let passed_over = "questions that --ignore-questions passed over";
    let _ = finished.says(passed_over).says("Which word?");
    for page in ["status", "report"] {
        sandbox.gulf([page]).run().expect_exit(0).says(passed_over).says("Which word?");
    }
    let receipt = fs::read_to_string(sandbox.only_loop().path("receipt.json")).unwrap();
    assert!(receipt.contains("questions_passed_over") && receipt.contains("Which word?"), "{receipt}");
    let sealed = sandbox.only_loop().path("sealed/contract.json");
    assert!(fs::read_to_string(sealed).unwrap().contains("Which word?"));
}

/// Rejected once, then a person is asked.
fn reject(sandbox: &Sandbox) {
    let agent = FakeAgent::new(sandbox).turn(1, mend());
    let judge = ["--judge", "command:cat > /dev/null; echo 'REJECTED: not yet'", "-t", "1"];
    let run = run_right(sandbox, &agent, &judge).variable("GULF_JUDGE_PROTOCOL", "line");
    run.run().expect_exit(exit::PAUSED);
}

// proves: G8
#[test]
fn a_rejection_stands_below_those_of_an_earlier_loop() {
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", "## Judge criteria\n\n- it is done\n"));
    let earlier = "\n---\n## Iteration 1 — REJECTED (1 consecutive) — 2020-02-20 20:20:20\n\nlong ago\n";
    sandbox.write("JUDGE_FEEDBACK.md", earlier);
    reject(&sandbox);
    let text = fs::read_to_string(sandbox.file("JUDGE_FEEDBACK.md")).unwrap();
    assert!(text.starts_with(earlier), "{text}");
    assert_eq!(text.matches("## Iteration 1 — REJECTED").count(), 2, "{text}");
    assert!(text.contains("not yet"), "{text}");
}

#[test]
fn a_text_that_cannot_be_read_is_not_written_over() {
    let sandbox = Sandbox::with(&Sample::shell().file("RUBRIC.md", "## Judge criteria\n\n- it is done\n"));
    fs::write(sandbox.file("JUDGE_FEEDBACK.md"), b"\xff\xfe kept").unwrap();
    reject(&sandbox);
    assert_eq!(fs::read(sandbox.file("JUDGE_FEEDBACK.md")).unwrap(), b"\xff\xfe kept");
}
