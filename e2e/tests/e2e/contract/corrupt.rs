//! Markers that cannot be read: kept, named, written down, and never a success (CONTRACT, rows about corrupt files).
//!
//! Apart because the original deletes some of them, and a person's prompt with them.

use gulf_testkit::one_in_turn;

use super::harness::{HOSTS, Host, MARKER, PROMISE, PROMPT, SECOND, Session};

/// The session may stop, but is told why; the file is as it was.
#[track_caller]
fn is_kept_and_named(host: Host, bytes: &[u8]) {
    let session = Session::checked(host);
    session.mend();
    session.write(MARKER, bytes);
    session.trust();
    for message in [PROMISE, "I stop."] {
        let outcome = session.stop(message);
        outcome.says("gulf-loop.local.md");
        assert_eq!(std::fs::read(session.file(MARKER)).unwrap(), bytes, "it is not as it was");
        session.expect_no_success();
    }
}

#[test]
fn a_blank_prompt_is_kept_and_named() {
    for host in one_in_turn(HOSTS) {
        is_kept_and_named(host, format!("---\n{SECOND}\n---\n").as_bytes());
    }
    is_kept_and_named(Host::Plain, format!("---\n{SECOND}\n---\n   \n\t\n\n").as_bytes());
}

#[test]
fn a_marker_without_front_matter_is_kept_and_named() {
    for host in one_in_turn(HOSTS) {
        is_kept_and_named(host, format!("{PROMPT}\n").as_bytes());
    }
}

#[test]
fn front_matter_that_is_not_closed_is_kept_and_named() {
    is_kept_and_named(Host::Plain, format!("---\n{SECOND}\n").as_bytes());
    is_kept_and_named(Host::Claude, format!("---\n{SECOND}\n----\n{PROMPT}\n").as_bytes());
}

#[test]
fn an_empty_marker_is_kept_and_named() {
    is_kept_and_named(Host::Plain, b"");
}

#[test]
fn bytes_that_are_no_text_are_kept_and_named() {
    let binary: Vec<u8> = (0..=255).cycle().take(4_096).collect();
    is_kept_and_named(Host::Plain, &binary);
    let mut invalid = format!("---\n{SECOND}\n---\n{PROMPT} ").into_bytes();
    invalid.extend([0xff, 0xfe, 0x00, b'\n']);
    is_kept_and_named(Host::Claude, &invalid);
}

#[test]
fn a_marker_that_is_mended_goes_on() {
    let session = Session::checked(Host::Plain);
    session.write(MARKER, format!("---\n{SECOND}\n"));
    session.trust();
    session.stop("").says("gulf-loop.local.md");
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    session.expect_fields(&[("iteration", "3")]);
}

#[test]
fn a_marker_that_breaks_while_its_loop_runs_ends_nothing() {
    for bytes in [&b""[..], b"---\nactive: true\n", b"\x00\xff\xfe", b"just a prompt\n"] {
        let session = Session::running(Host::Plain);
        session.write(MARKER, bytes);
        session.work_and_stop("").is_no_silence();
        assert_eq!(session.end(), None, "nothing written there ends a loop");
        // The truth lies elsewhere: the person goes on where the loop was.
        session.prompt("/gulf-loop:resume");
        assert!(session.work_and_stop("").continues().contains(PROMPT));
    }
}

#[test]
fn status_and_resume_and_cancel_name_a_marker_that_cannot_be_read() {
    for command in ["status", "resume", "cancel"] {
        let session = Session::checked(Host::Plain);
        session.write(MARKER, PROMPT);
        session.gulf(&[command]).run().does_not_panic().says("gulf-loop.local.md");
        assert!(session.exists(MARKER), "{command} keeps what a person wrote");
    }
}
