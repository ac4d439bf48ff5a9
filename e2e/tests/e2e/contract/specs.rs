//! A spec as the goal of a loop in a session (SPEC L1): typed by its id, as `gulf run --spec` takes it.
//!
//! Apart from the other commands because a spec has an owner: no two loops work on one, whoever drives them.

use serde_json::Value;

use super::harness::{Host, Session};

const TEXT: &str = "# 값\n\nMake value.txt say right, as the spec says.\n";

fn session(host: Host) -> Session {
    let session = Session::checked(host);
    session.write("specs/VALUE-1.md", TEXT);
    session.sandbox.commit("a spec");
    session
}

// proves: L1, L7, REQ-LOOP-001, REQ-UW-002
#[test]
fn a_spec_that_is_typed_is_the_goal_and_belongs_to_one_loop() {
    let session = session(Host::Claude);
    let told = session.prompt("/gulf-loop:start --spec SPEC-VALUE-1 -n 7").adds_to_prompt();
    assert!(told.contains("as the spec says."), "{told}");
    session.expect_fields(&[("max_iterations", "7"), ("active", "true")]);
    let shown = session.gulf(&["feedback", "show", "--json"]).run().expect_exit(0);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(shown["spec_id"], "VALUE-1");
    let id = session.newest().unwrap().id().to_owned();
    let refusal = session.prompt("/gulf-loop:start --spec VALUE-1");
    assert!(refusal.refuses_prompt().contains("works on the spec VALUE-1 already"), "{refusal:?}");
    session.prompt("/gulf-loop:start --spec VALUE-1 --replace").adds_to_prompt();
    assert_ne!(session.newest().unwrap().id(), id);
}

// proves: L1
#[test]
fn a_spec_that_cannot_be_the_goal_is_refused_with_what_to_do() {
    let session = session(Host::Plain);
    for (words, said) in [
        ("--spec NOPE-1", "specs/NOPE-1.md"),
        ("--spec ../VALUE-1", "not the id of a spec"),
        ("--spec VALUE-1 and be quick", "given twice"),
        ("--spec VALUE-1 --file PROMPT.md", "contradict"),
        ("--spec", "has no value"),
    ] {
        let refusal = session.prompt(&format!("/gulf-loop:start {words}"));
        assert!(refusal.refuses_prompt().contains(said), "{words}: {refusal:?}");
    }
    assert!(session.sandbox.loops().is_empty());
}

// proves: L1, L4, L5, L6, REQ-HIL-001, REQ-CONV-003
#[test]
fn numbers_steer_a_session_and_a_person_looks_at_each_iteration() {
    let session = session(Host::Plain);
    session.prompt("/gulf-loop:start --preset feedback --no-research --spec VALUE-1").adds_to_prompt();
    session.work_and_stop("").lets_stop().says("review");
    let live: Value = serde_json::from_str(&session.read(".gulf/feedback/VALUE-1.json")).unwrap();
    assert_eq!((&live["spec_id"], &live["iteration"]), (&"VALUE-1".into(), &1.into()));
    session.prompt("/gulf-loop:resume").adds_to_prompt();
    session.mend();
    session.stop("").lets_stop();
    session.expect_completed();
}
