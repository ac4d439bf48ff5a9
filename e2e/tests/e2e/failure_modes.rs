//! How loops go wrong though nobody lies (SPEC G24): the work goes in circles, or each turn begins by reading it all
//! again. Beside each of them an honest worker that looks like it.
//!
//! A detector is worth what it leaves alone. The other four modes have their pairs where their gates are:
//! `judges/approaches.rs`, `real/contexts.rs`, `rust.rs`, `stories.rs`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use gulf_testkit::{FakeAgent, Finished, Sample, Sandbox, Step};
use serde_json::{Value, json};

use crate::{GOAL, RIGHT, exit, mend, run_right};

const MODEL: &str = "claude-opus-5-5";
const WINDOW: u64 = 200_000;

/// What a turn is told that follows two of the greedy ones.
const TOLD: &str = "Read less before you begin";

fn leaves(text: &str) -> [Step; 1] {
    [Step::write("value.txt", text)]
}

// proves: G24, G24/convergence-failure
#[test]
fn a_worker_that_goes_back_and_forth_is_told_so_and_comes_to_a_standstill() {
    let sandbox = Sandbox::with(&Sample::shell());
    let there =
        (1..=9).step_by(2).fold(FakeAgent::new(&sandbox), |agent, turn| agent.turn(turn, leaves("one\n")));
    let agent = there.otherwise(leaves("two\n"));
    run_right(&sandbox, &agent, &["-n", "20"]).run().expect_exit(exit::STALLED).says("stalled");
    assert_eq!(sandbox.only_loop().end().unwrap()["by"], "oscillation");
    let told = agent.tally().prompt(5);
    assert!(told.contains("went back to an earlier state 2 times"), "{told}");
    assert_eq!(agent.tally().turns().len(), 5);
}

// proves: G24, G24/convergence-failure
#[test]
fn a_worker_that_takes_one_wrong_step_back_ends_verified() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, leaves("one\n")).turn(2, leaves("two\n"));
    let agent = agent.turn(3, leaves("one\n")).turn(4, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let told = agent.tally().prompt(4);
    assert!(!told.contains("went back to an earlier state"), "{told}");
    let shown = sandbox.gulf(["show", "@1"]).run().expect_exit(0);
    shown.says("what it read before its first edit is not measurable");
}

// proves: G1
#[test]
fn work_that_is_right_and_that_nobody_claimed_is_verified_before_the_loop_stands_still() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(leaves("right\n"));
    run_right(&sandbox, &agent, &["-n", "20"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns().len(), 4);
}

fn line(event: &Value) -> Step {
    Step::print(&event.to_string())
}

/// Claude Code's line for a call of its model: so many tokens were sent, and this tool is wanted.
fn asks(tokens: u64, tool: &str) -> Step {
    let call = json!({"type": "tool_use", "id": format!("call-{tokens}"), "name": tool,
        "input": {"file_path": "value.txt"}});
    let message = json!({"id": format!("message-{tokens}"), "model": MODEL, "content": [call],
        "usage": {"input_tokens": tokens, "output_tokens": 20}});
    line(&json!({"type": "assistant", "message": message, "parent_tool_use_id": null}))
}

/// A turn of Claude Code that is sent so many tokens first, and so many when it edits.
fn turn(first: u64, at_edit: u64, edits: impl IntoIterator<Item = Step>) -> Vec<Step> {
    let init = json!({"type": "system", "subtype": "init", "session_id": "s1", "model": MODEL});
    let usage = json!({MODEL: {"inputTokens": at_edit, "outputTokens": 40, "cacheReadInputTokens": 0,
        "cacheCreationInputTokens": 0, "costUSD": 0.01, "contextWindow": WINDOW}});
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "result": "I went on.",
        "session_id": "s1", "terminal_reason": "completed", "modelUsage": usage,
        "model_usage_since_last_result": usage});
    let mut steps = vec![line(&init), asks(first, "Read"), asks(at_edit, "Edit")];
    steps.extend(edits);
    // What it reads afterwards is work.
    steps.extend([asks(at_edit + 60_000, "Read"), line(&result)]);
    steps
}

/// `gulf run` with this worker as Claude Code, whose turns all begin afresh.
fn run_as_claude(sandbox: &Sandbox, agent: &FakeAgent) -> Finished {
    run_as_program_claude(sandbox, &format!("exec {}", agent.command()))
}

fn run_as_program_claude(sandbox: &Sandbox, does: &str) -> Finished {
    let folder = sandbox.path("claude's programs");
    fs::create_dir_all(&folder).unwrap();
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi\n{does}\n"
    );
    fs::write(folder.join("claude"), script).unwrap();
    fs::set_permissions(folder.join("claude"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = sandbox.program("sh", ["-c", "echo \"$PATH\""]).run().expect_exit(0).stdout;
    let run = sandbox.gulf(["run", GOAL, "--research", "off", "--agent", "claude", "--check", RIGHT]);
    run.arguments(["--context", "fresh"])
        .variable("GULF_AGENT_FOLLOW_UP", "false")
        .variable("PATH", format!("{folder}:{}", path.trim()))
        .run()
}

fn oriented(sandbox: &Sandbox) -> Vec<Value> {
    let turns = sandbox.only_loop().results("turn");
    turns.into_iter().map(|(_, result)| result["orientation"]["used_bp"].clone()).collect()
}

// proves: G24, G24/cold-start-bloat
#[test]
fn a_worker_that_reads_it_all_again_each_time_is_told_what_is_known_and_ends_verified() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, turn(20_000, 100_000, leaves("one\n")))
        .turn(2, turn(20_000, 80_000, leaves("two\n")))
        .turn(3, turn(20_000, 26_000, mend()));
    let finished = run_as_claude(&sandbox, &agent).expect_exit(exit::VERIFIED);
    finished.says("40 % of a fresh context read before the first edit").says("30 % of a fresh context");
    assert_eq!(oriented(&sandbox), [4_000, 3_000, 300]);
    let prompts = [2, 3].map(|turn| agent.tally().prompt(turn));
    assert!(!prompts[0].contains(TOLD), "once is no habit: {}", prompts[0]);
    for part in [TOLD, "the last 2 turns that began with a fresh context", "`value.txt`"] {
        assert!(prompts[1].contains(part), "{part} is not said:\n{}", prompts[1]);
    }
}

// proves: G24, G24/cold-start-bloat
#[test]
fn a_worker_that_reads_much_once_or_begins_with_much_is_left_alone_and_ends_verified() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, turn(20_000, 100_000, leaves("one\n")))
        .turn(2, turn(120_000, 125_000, leaves("two\n")))
        .turn(3, turn(20_000, 100_000, leaves("three\n")))
        .turn(4, turn(120_000, 120_000, mend()));
    run_as_claude(&sandbox, &agent).expect_exit(exit::VERIFIED);
    assert_eq!(oriented(&sandbox), [4_000, 250, 4_000, 0]);
    for turn in 2..=4 {
        let told = agent.tally().prompt(turn);
        assert!(!told.contains(TOLD), "{told}");
    }
}

#[test]
fn an_agent_of_another_version_that_does_not_know_gulfs_flags_rests_the_loop_at_once_and_is_quoted() {
    let sandbox = Sandbox::with(&Sample::shell());
    let calls = sandbox.root().join("calls");
    let does = format!("echo x >> '{calls}'; echo \"error: unknown option '--x'\" >&2; exit 1");
    run_as_program_claude(&sandbox, &does)
        .expect_exit(exit::PAUSED)
        .says("it does not accept the flags or rules that gulf passes")
        .says("error: unknown option '--x'");
    let calls = fs::read_to_string(calls).unwrap();
    assert_eq!(calls.lines().count(), 1, "it is asked once: {calls}");
}
