//! Bytes that are no event, homes that cannot be written, hooks that are killed: exit 0, and while a loop is armed never
//! a silence that looks like its end (CONTRACT §1.4).
//!
//! Apart because nothing here is about what a loop decides, only about what becomes of it when something is broken.

use std::fs;

use gulf_testkit::{Meeting, one_in_turn};
use serde_json::json;

use super::harness::{HOSTS, Host, MARKER, PROMISE, PROMPT, SECOND, Session};

/// Bytes that no host sends.
fn garbage() -> Vec<Vec<u8>> {
    let mut truncated =
        json!({"session_id": "5ea53bba-0000-4000-8000-000000000001", "last_assistant_message": PROMISE})
            .to_string()
            .into_bytes();
    truncated.truncate(60);
    vec![
        b"{".to_vec(),
        b"not json at all".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"42".to_vec(),
        b"{\"last_assistant_message\": 7}".to_vec(),
        b"{\"session_id\": [], \"hook_event_name\": {}}".to_vec(),
        b"{} {}".to_vec(),
        vec![0; 100],
        b"{\"last_assistant_message\": \"\xff\xfe\"}".to_vec(),
        "[".repeat(100_000).into_bytes(),
        truncated,
    ]
}

#[test]
fn without_a_loop_no_garbage_gets_an_answer() {
    for host in one_in_turn([Host::Plain, Host::Claude]) {
        let session = Session::checked(host);
        for bytes in garbage().into_iter().chain([Vec::new()]) {
            let outcome = session.deliver(bytes);
            outcome.lets_stop();
            assert!(outcome.finished.stdout.is_empty(), "{outcome:#?}");
        }
        assert!(session.sandbox.loops().is_empty());
    }
}

#[test]
fn while_a_loop_is_armed_garbage_is_said_aloud_and_ends_nothing() {
    for host in one_in_turn([Host::Plain, Host::Claude]) {
        let session = Session::running(host);
        for bytes in garbage() {
            session.deliver(bytes).is_no_silence();
            assert_eq!(session.end(), None);
            assert!(session.exists(MARKER));
        }
        session.expect_no_success();
        session.gulf(&["resume"]).run().does_not_panic();
        session.work_and_stop("I go on.").continues();
    }
}

#[test]
fn garbage_for_ever_does_not_hold_a_session_for_ever() {
    // Whatever is wrong stays wrong: an answer that always blocks would burn a night.
    let session = Session::running(Host::Plain);
    let mut blocks = 0;
    while !session.deliver(b"{".to_vec()).finished.stdout.is_empty() {
        blocks += 1;
        assert!(blocks < 20, "it blocks for ever");
    }
    assert_eq!(session.end(), None);
}

#[test]
fn nothing_on_stdin_is_a_stop_without_a_message() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work();
    session.deliver(Vec::new()).continues();
    session.expect_fields(&[("iteration", "3")]);
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work();
    session.deliver(b"{}".to_vec()).continues();
    session.expect_fields(&[("iteration", "3")]);
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work();
    session.deliver(b"{\"last_assistant_message\": null}".to_vec()).continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn a_message_of_five_megabytes_is_read_to_its_end() {
    let session = Session::running(Host::Claude);
    session.mend();
    let message = format!("{}\n<promise>COMPLETE</promise>", "한국어 and more. ".repeat(250_000));
    assert!(message.len() > 5_000_000);
    session.stop(&message).lets_stop();
    session.expect_completed();
}

#[test]
fn events_with_fields_of_another_day_are_read() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work();
    let mut event = session.event("I go on.");
    event["a_field_of_tomorrow"] = json!({"nested": [1, 2, {"three": null}]});
    session.stop_with(&event).continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn a_byte_order_mark_and_blanks_around_the_event_do_no_harm() {
    let session = Session::checked(Host::Plain);
    session.marker(SECOND, PROMPT);
    session.work();
    let event = session.event("I go on.");
    session.deliver(format!("\u{feff}\r\n  {event}\r\n\r\n").into_bytes()).continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn without_a_home_a_marker_is_no_silence() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.mend();
        let hook = session.hook(session.event(PROMISE).to_string().into_bytes());
        let outcome = session.outcome(hook.variable("HOME", "").variable("GULF_HOME", "").run());
        outcome.is_no_silence();
        assert!(session.exists(MARKER), "nothing says that it is over");
    }
}

#[test]
fn a_state_folder_that_cannot_be_written_is_no_silence() {
    for host in one_in_turn(HOSTS) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.mend();
        // Not by permissions: root may write everywhere.
        fs::remove_dir_all(session.sandbox.state()).unwrap();
        fs::write(session.sandbox.state(), "a file in the folder's place").unwrap();
        session.stop(PROMISE).is_no_silence();
        assert!(session.exists(MARKER));
    }
}

#[test]
fn a_state_folder_that_is_lost_while_a_loop_runs_is_no_silence() {
    let session = Session::running(Host::Claude);
    fs::rename(session.sandbox.state(), session.sandbox.path("state that was")).unwrap();
    session.stop(PROMISE).is_no_silence();
    assert!(session.exists(MARKER));
}

#[test]
fn a_journal_with_a_broken_line_is_no_silence_and_is_kept() {
    for host in one_in_turn(HOSTS) {
        let session = Session::running(host);
        let journal = session.newest().unwrap().journal_path();
        let broken = fs::read_to_string(&journal).unwrap().replacen("{\"v\":1", "{\"v\":?", 2);
        fs::write(&journal, &broken).unwrap();
        session.mend();
        session.stop(PROMISE).is_no_silence();
        assert_eq!(fs::read_to_string(&journal).unwrap(), broken);
        assert!(session.exists(MARKER));
    }
}

#[test]
fn what_is_no_journal_at_all_is_no_silence_and_is_kept_beside_it() {
    let session = Session::running(Host::Claude);
    let kept = session.newest().unwrap();
    fs::write(kept.journal_path(), "this is no journal\n").unwrap();
    session.mend();
    session.stop(PROMISE).is_no_silence();
    assert!(session.exists(MARKER));
    let files = kept.path("").read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let texts: Vec<String> = files.filter_map(|path| fs::read_to_string(path).ok()).collect();
    assert!(
        texts.iter().any(|text| text.contains("this is no journal")),
        "what cannot be read is still there"
    );
}

#[test]
fn a_full_disk_is_no_silence() {
    let session = Session::running(Host::Plain);
    let Some(disk) = gulf_testkit::Disk::of_kibibytes(&session.sandbox, "small", 64) else { return };
    let copied = session
        .sandbox
        .program("cp", ["-a", &format!("{}/.", session.sandbox.state()), disk.path().as_str()])
        .run();
    // What does not fit is what this is about.
    drop(copied);
    let hook = session.hook(session.event(PROMISE).to_string().into_bytes());
    let outcome = session.outcome(hook.variable("GULF_HOME", disk.path()).run());
    outcome.is_no_silence();
    session.expect_no_success();
}

/// A checkout that nobody can write to, root neither; as it was when dropped.
struct ReadOnly(camino::Utf8PathBuf);

impl ReadOnly {
    fn new(session: &Session) -> Option<ReadOnly> {
        let path = session.file("");
        let mount = |options: &[&str]| {
            let arguments = options.iter().copied().chain([path.as_str()]);
            session.sandbox.program("mount", arguments).directory("/").run().exit == Some(0)
        };
        if !mount(&["--bind", path.as_str()]) {
            gulf_testkit::skip("nothing can be mounted here, so a read-only project was not tried");
            return None;
        }
        let read_only = ReadOnly(path.clone());
        assert!(mount(&["-o", "remount,ro,bind"]));
        Some(read_only)
    }
}

impl Drop for ReadOnly {
    fn drop(&mut self) {
        drop(std::process::Command::new("umount").arg("--lazy").arg(&self.0).status());
    }
}

#[test]
fn a_project_that_cannot_be_written_is_no_silence() {
    for host in one_in_turn([Host::Plain, Host::Claude]) {
        let session = Session::checked(host);
        session.marker(SECOND, PROMPT);
        session.mend();
        let Some(read_only) = ReadOnly::new(&session) else { return };
        session.stop(PROMISE).is_no_silence();
        drop(read_only);
        assert!(session.exists(MARKER) || session.end().is_some(), "nothing says how it stands");
    }
}

#[test]
fn a_project_that_can_no_longer_be_written_while_a_loop_runs_is_no_silence() {
    let session = Session::running(Host::Claude);
    let Some(read_only) = ReadOnly::new(&session) else { return };
    session.stop(PROMISE).is_no_silence();
    session.expect_no_success();
    drop(read_only);
    // Whether it goes on or is over is said; what is left in the project must not contradict it for ever.
    session.stop("I can write again.");
    assert_eq!(session.exists(MARKER), session.end().is_none(), "{}", session.text(MARKER));
}

#[test]
fn texts_of_the_loop_that_cannot_be_written_are_no_obstacle() {
    // A folder stands where gulf would write each of them.
    for path in [".gulf", "decisions.md", "JUDGE_FEEDBACK.md", "JUDGE_EVOLUTION.md"] {
        let (session, judge) = Session::judged(Host::Plain);
        judge.call(1, "REJECTED: not yet\nMETA: Look.").says("APPROVED");
        session.marker(super::harness::JUDGED, PROMPT);
        session.write("progress.txt", "DECISIONS:\n- chose: a file\n");
        if path == ".gulf" {
            session.write(".gulf", "a file in the folder's place");
        } else {
            fs::create_dir_all(session.file(path)).unwrap();
        }
        session.mend();
        let outcome = session.work_and_stop("");
        assert!(outcome.continues().contains("not yet") || path == ".gulf", "{path}: {outcome:#?}");
        outcome.is_no_silence();
        session.work_and_stop("").lets_stop();
        session.expect_completed();
    }
}

#[test]
fn where_the_brief_cannot_be_written_the_session_is_given_the_prompt_all_the_same() {
    let session = Session::checked(Host::Claude);
    session.write(".gulf", "a file in the folder's place");
    session.marker(SECOND, PROMPT);
    let outcome = session.work_and_stop("");
    assert!(outcome.reason().contains(PROMPT), "a reason that names a file which is not there: {outcome:#?}");
}

#[test]
fn a_hook_that_is_killed_while_it_judges_is_taken_up_by_the_next_stop() {
    let (session, judge) = Session::judged(Host::Claude);
    let meeting = Meeting::new(&session.sandbox, "the meeting");
    let judge = judge
        .call_does(
            1,
            &format!("echo there > {}; exec tail -f /dev/null", gulf_testkit::quote(meeting.path().as_str())),
        )
        .says("APPROVED");
    session.marker(super::harness::JUDGED, PROMPT);
    session.mend();
    session.work();
    let hook = session.begin(&session.event("I go on."));
    meeting.wait();
    hook.kill();
    drop(hook);
    assert_eq!(session.end(), None);
    assert!(session.exists(MARKER));
    session.stop("I go on.").lets_stop();
    assert_eq!(judge.prompts().len(), 2);
    session.expect_completed();
    session.sandbox.assert_nothing_left();
}

#[test]
fn the_hook_needs_no_word_where_the_event_names_itself() {
    let session = Session::running(Host::Plain);
    session.work();
    let event = session.event("I go on.").to_string().into_bytes();
    session.outcome(session.gulf(&["hook"]).stdin(event).run()).continues();
    session.expect_fields(&[("iteration", "4")]);
}

#[test]
fn another_event_than_a_stop_is_never_answered_as_one() {
    let session = Session::running(Host::Claude);
    for name in ["SessionEnd", "PostToolUse", "Notification", "PreCompact", "StopFailure", "SomethingNew"] {
        let mut event = session.event(PROMISE);
        event["hook_event_name"] = json!(name);
        let outcome = session.stop_with(&event);
        assert!(outcome.finished.stdout.is_empty(), "{name}: {outcome:#?}");
    }
    session.expect_fields(&[("iteration", "3")]);
}
