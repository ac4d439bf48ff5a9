//! The structured memory in a session (CONTRACT §1.1, §1.13.1, SPEC G22).
//!
//! Apart because it is laid out at the start, written by the worker, and filed at the end.

use super::harness::{BRIEF, Host, PROMISE, PROMPT, SECOND, Session};

const PAGE: &str = "# This loop\n\n- learnt: the value is one word\n";

fn remembered() -> Session {
    let session = Session::checked(Host::Plain);
    session.gulf(&["start", "--structured-memory", PROMPT]).run().expect_exit(0);
    session
}

fn complete(session: &Session) {
    session.write("progress.txt", BRIEF);
    session.stop("").continues();
    session.mend();
    session.stop(PROMISE);
}

// proves: G22
#[test]
fn the_flag_lays_the_memory_out() {
    let session = remembered();
    for path in ["INDEX.md", "spec.md", "map.md", "constraints.md", "loops/current.md"] {
        assert!(!session.read(&format!(".claude/memory/{path}")).is_empty(), "{path}");
    }
    assert!(session.file(".claude/memory/decisions").is_dir());
    assert!(session.read(".claude/memory/INDEX.md").contains("<!-- loop-archive-end -->"));
    session.expect_fields(&[("structured_memory", "true")]);
}

#[test]
fn what_is_there_already_is_not_written_over() {
    let session = Session::checked(Host::Plain);
    session.write(".claude/memory/spec.md", "mine\n");
    session.gulf(&["start", "--structured-memory", PROMPT]).run().expect_exit(0);
    assert_eq!(session.read(".claude/memory/spec.md"), "mine\n");
    assert!(session.exists(".claude/memory/INDEX.md"));
}

#[test]
fn nothing_is_written_through_a_link_that_leads_out_of_the_project() {
    let session = Session::checked(Host::Plain);
    let outside = session.file("../outside");
    std::fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, session.file(".claude/memory")).unwrap();
    session.gulf(&["start", "--structured-memory", PROMPT]).run().expect_exit(0);
    assert_eq!(outside.read_dir_utf8().unwrap().count(), 0);
}

// proves: G22
#[test]
fn a_completed_loop_is_filed_entered_and_its_page_is_empty_again() {
    let session = remembered();
    let template = session.read(".claude/memory/loops/current.md");
    session.write(".claude/memory/loops/current.md", PAGE);
    complete(&session);
    session.expect_completed();
    let filed = session.read(".claude/memory/loops/loop-001.md");
    assert!(filed.starts_with("# Loop 001 — completed "), "{filed}");
    for part in [
        "(iteration 2)",
        "learnt: the value is one word",
        "## progress.txt snapshot",
        "APPROACH: Write the word",
    ] {
        assert!(filed.contains(part), "no {part}: {filed}");
    }
    let index = session.read(".claude/memory/INDEX.md");
    let entry = index
        .lines()
        .find(|line| line.contains("[Loop 001](loops/loop-001.md)"))
        .unwrap_or_else(|| panic!("{index}"));
    assert!(entry.starts_with("- ") && entry.ends_with("(iter 2)"), "{entry}");
    assert!(index.find(entry) < index.find("<!-- loop-archive-end -->"), "{index}");
    assert_eq!(session.read(".claude/memory/loops/current.md"), template);
}

#[test]
fn the_second_loop_is_filed_as_the_second() {
    let session = remembered();
    session.write(".claude/memory/loops/loop-001.md", "# Loop 001 — an earlier one\n");
    session.write(".claude/memory/loops/current.md", PAGE);
    complete(&session);
    assert!(session.read(".claude/memory/loops/loop-002.md").contains("# Loop 002 — completed "));
}

#[test]
fn a_page_that_nobody_has_written_is_warned_about_at_the_promise_and_refuses_nothing() {
    let session = remembered();
    session.write("progress.txt", BRIEF);
    session.stop("").does_not_say("current.md");
    // Also at a promise that the checks refuse.
    session.stop(PROMISE).says("loops/current.md is still the empty page").continues();
    session.mend();
    session.stop(PROMISE).says("loops/current.md is still the empty page").lets_stop();
    session.expect_completed();
}

#[test]
fn a_page_that_somebody_has_written_is_not_warned_about() {
    let session = remembered();
    session.write(".claude/memory/loops/current.md", PAGE);
    session.write("progress.txt", BRIEF);
    session.stop("").continues();
    session.mend();
    session.stop(PROMISE).does_not_say("current.md is still").lets_stop();
    session.expect_completed();
}

#[test]
fn without_the_flag_nothing_is_laid_out_or_filed() {
    let session = Session::running(Host::Plain);
    session.mend();
    session.stop(PROMISE).lets_stop();
    assert!(!session.exists(".claude/memory"));
}

#[test]
fn an_adopted_loop_with_the_flag_files_what_is_there_and_lays_nothing_out_in_the_end() {
    let session = Session::checked(Host::Plain);
    session.write(".claude/memory/loops/current.md", PAGE);
    session.write(".claude/memory/INDEX.md", "# Memory\n\n<!-- loop-archive-end -->\n");
    session.marker(&format!("{SECOND}\nstructured_memory: true"), PROMPT);
    session.work_and_stop("").continues();
    session.mend();
    session.stop(PROMISE).lets_stop();
    assert!(session.read(".claude/memory/loops/loop-001.md").contains("learnt: the value is one word"));
    assert!(session.read(".claude/memory/INDEX.md").contains("[Loop 001](loops/loop-001.md)"));
}
