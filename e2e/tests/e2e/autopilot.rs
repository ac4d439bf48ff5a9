//! `--preset autopilot`: planned, divided, worked on side by side, joined, verified and landed, in a path as people have
//! them.

use std::fs;

use gulf_testkit::{Sample, Sandbox, quote};

use crate::{RIGHT, exit};

/// A worker that plans two steps and does each; who does the whole finds nothing to do.
const WORKER: &str = r##"#!/bin/sh
prompt=$(cat)
case $prompt in
*"# Plan, before"*) printf -- '- [ ] %s\n' "S1: the value (files: value.txt)" "S2: 문서 (files: 문서.md)" ;;
*"# Step S1 "*) echo right > value.txt ;;
*"# Step S2 "*) echo "값은 right" > 문서.md ;;
*) exit 9 ;;
esac
"##;

// proves: A1, A1/parallel, A1/purpose, A3/autonomous-loop, A4/parallel-files
#[test]
fn independent_steps_of_a_plan_are_joined_verified_and_landed() {
    let sandbox = Sandbox::awkward(&Sample::shell());
    let worker = sandbox.path("일꾼.sh");
    fs::write(&worker, WORKER).unwrap();
    let agent = format!("command:sh {}", quote(worker.as_str()));
    let run =
        ["run", "값을 고쳐라", "--preset", "autopilot", "--level", "1", "--check", RIGHT, "--agent", &agent];
    sandbox
        .gulf(run)
        .variable("GULF_STEPS_ANALYZE", "off")
        .variable("GULF_STEPS_CRITIC", "off")
        .run()
        .expect_exit(exit::VERIFIED)
        .says("2 steps of the plan, side by side where they can be: S1, S2")
        .says("step S2 is joined");
    assert_eq!(sandbox.git(["show", "HEAD:문서.md"]), "값은 right");
    let status = sandbox.gulf(["status", "--json"]).run().expect_exit(exit::VERIFIED).json_lines().remove(0);
    let parts = status["parts"].as_array().unwrap();
    assert!(parts.len() == 2 && parts.iter().all(|part| part["state"] == "joined"), "{status}");
    assert_eq!(status["max_iterations"], 3);
    // The workers' own worktrees are gone, and with them whatever they might have noted there.
    let folder = sandbox.repository().join(".gulf/loops").join(status["loop"].as_str().unwrap());
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("notepad.md").contains("- S2: 문서 (files: 문서.md): joined\n"), "{}", read("notepad.md"));
    let state = read("ralph-state.md");
    assert!(state.contains("- [1] phase: execute | result: step S1: joined | action: continue\n"), "{state}");
    assert_eq!(sandbox.git(["worktree", "list"]).lines().count(), 1, "worktrees are left");
    assert_eq!(sandbox.git(["branch", "--list", "gulf/*"]), "", "branches are left");
    // A person's checkout is no place to join anything in.
    sandbox
        .gulf(["run", "값을 고쳐라", "--preset", "autopilot", "--in-place", "--check", RIGHT])
        .run()
        .expect_exit(exit::REFUSED_START)
        .says("`--in-place` is for the preset autonomous");
}
