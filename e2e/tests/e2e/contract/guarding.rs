//! Before a tool is called: nobody writes what decides about the loop, and everything else is free (SPEC B1, G21).
//!
//! Apart because a denial is the one answer that is about a tool and not about a stop.

use serde_json::{Value, json};

use gulf_testkit::one_in_turn;

use super::harness::{HOSTS, Host, MARKER, PROMPT, SECOND, Session};

/// What says what is checked, and what gulf keeps.
const SEALED: [&str; 11] = [
    "RUBRIC.md", "PROMPT.md", "gulf.toml", ".claude/autochecks.sh", MARKER, ".gulf/brief.md",
    ".gulf/status.json", "JUDGE_FEEDBACK.md", "JUDGE_EVOLUTION.md", "decisions.md", ".claude/gulf-align.md",
];

const FREE: [&str; 7] = [
    "value.txt", "progress.txt", ".gulf/notepad.md", ".claude/memory/map.md", "tests/test_value.py",
    "src/RUBRIC.md.txt", "notes/gulf.toml.bak",
];

fn write(session: &Session, path: &str) -> Value {
    json!({"file_path": session.file(path), "content": "x"})
}

#[test]
fn sealed_texts_and_gulfs_own_state_are_not_written() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        for path in SEALED {
            let outcome = session.tool("Write", &write(&session, path));
            let name = if path.starts_with(".gulf/") { ".gulf/" } else { path };
            assert!(outcome.denies().contains(name), "{path} is not named: {}", outcome.denies());
        }
        let edit = json!({"file_path": session.file("RUBRIC.md"), "old_string": "a", "new_string": "b"});
        session.tool("Edit", &edit).denies();
        session.tool("MultiEdit", &json!({"file_path": session.file(MARKER), "edits": []})).denies();
    }
}

#[test]
fn ways_around_the_path_lead_to_the_same_file() {
    let session = Session::running(Host::Claude);
    let paths = ["./RUBRIC.md", "notes/../RUBRIC.md", "./.claude/../.claude/gulf-loop.local.md", "RUBRIC.md"];
    for path in paths {
        session.tool("Write", &json!({"file_path": path, "content": "x"})).denies();
    }
    let state = session.sandbox.state().join("repositories/any/loops/one/journal.jsonl");
    session.tool("Write", &json!({"file_path": state, "content": "x"})).denies();
}

#[test]
fn the_work_the_workers_own_texts_and_tests_are_free() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        for path in FREE {
            session.tool("Write", &write(&session, path)).allows();
        }
    }
}

#[test]
fn reading_is_always_free() {
    let session = Session::running(Host::Claude);
    for path in SEALED {
        session.tool("Read", &json!({"file_path": session.file(path)})).allows();
    }
    session.tool("Bash", &json!({"command": "cat RUBRIC.md JUDGE_FEEDBACK.md .gulf/brief.md"})).allows();
    session.tool("Grep", &json!({"pattern": "x", "path": session.file("RUBRIC.md")})).allows();
}

#[test]
fn without_a_loop_everything_is_free() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        for path in SEALED {
            session.tool("Write", &write(&session, path)).allows();
        }
    }
}

#[test]
fn a_loop_that_rests_or_is_over_and_another_session_are_not_guarded() {
    let session = Session::running(Host::Claude);
    let other = session.another("5ea53bba-0000-4000-8000-000000000002");
    other.tool("Write", &write(&session, "RUBRIC.md")).allows();
    session.gulf(&["cancel"]).run().expect_exit(0);
    session.tool("Write", &write(&session, "RUBRIC.md")).allows();
    let session = Session::checked(Host::Claude);
    session.marker(&format!("{SECOND}\nmilestone_every: 2"), PROMPT);
    session.work_and_stop("").lets_stop();
    session.tool("Write", &write(&session, "RUBRIC.md")).allows();
}

#[test]
fn denials_are_written_down() {
    let session = Session::running(Host::Claude);
    session.tool("Write", &write(&session, "RUBRIC.md")).denies();
    session.work_and_stop("").continues();
    let journal = std::fs::read_to_string(session.newest().unwrap().journal_path()).unwrap();
    assert!(journal.contains("RUBRIC.md"), "{journal}");
}

#[test]
fn sub_agents_of_the_session_are_guarded_too() {
    let session = Session::running(Host::Claude);
    let event = json!({
        "session_id": "5ea53bba-0000-4000-8000-000000000001", "agent_id": "agent-1", "cwd": session.file(""),
        "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": write(&session, "RUBRIC.md"),
        "prompt_id": "2666e692-3388-4de5-8d53-5110be3a9dff",
    });
    session.stop_with(&event).denies();
}
