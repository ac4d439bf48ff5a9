//! Hosts that show a person nothing of what a hook says: a pause and an end reach them by the model's last line.
//!
//! Apart because here a stop is answered that has nothing left to do: once, within the host's cap, and counted as nothing.

use super::harness::{Host, MARKER, PROMISE, PROMPT, SECOND, Session};

const ASKED: &str = "end your answer with exactly this one line, as it stands:\n\n";

/// `claude -p`, `codex exec`, and Copilot CLI however it is called.
fn unseen() -> [Session; 3] {
    [
        Session::checked(Host::Claude).variable("CLAUDE_CODE_SESSION_ATTENDED", "0"),
        Session::checked(Host::Codex).begins_by("exec"),
        Session::checked(Host::Plain).variable("COPILOT_CLI", "1"),
    ]
}

#[track_caller]
fn running(session: Session) -> Session {
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    session
}

/// The stop is answered with this line for the person.
#[track_caller]
fn asks_for(session: &Session, message: &str, word: &str) -> String {
    let outcome = session.work_and_stop(message);
    let (before, line) = outcome.reason().split_once(ASKED).unwrap_or_else(|| panic!("{outcome:#?}"));
    assert!(before.contains("call no tool"), "{outcome:#?}");
    assert!(line.starts_with("Gulf Loop | Iter ") && line.contains(word) && !line.contains('\n'), "{line}");
    line.to_owned()
}

fn journal(session: &Session) -> usize {
    session.newest().unwrap().facts().len()
}

#[test]
fn a_pause_is_said_by_the_model_once_and_the_next_stop_counts_nothing() {
    for session in unseen() {
        let session = running(session);
        for _ in 0..2 {
            session.gulf(&["pause"]).run().expect_exit(0);
            let line = asks_for(&session, "A step.", "PAUSED");
            let sign = if session.host == Host::Codex { "$" } else { "/" };
            assert!(line.contains(&format!("{sign}gulf-loop:resume")), "{line}");
            let before = journal(&session);
            session.stop(&line).is_untouched();
            session.stop("Something else.").is_untouched();
            assert_eq!(journal(&session), before, "something was counted");
            session.prompt("/gulf-loop:resume").says("loop resumed from iteration");
        }
    }
}

#[test]
fn an_end_is_said_by_the_model_and_the_next_stop_is_let_pass() {
    for session in unseen() {
        let session = running(session);
        session.mend();
        let line = asks_for(&session, PROMISE, "VERIFIED");
        assert!(!session.exists(MARKER));
        session.expect_completed();
        session.stop(&line).is_untouched();
        assert_eq!(session.sandbox.loops().len(), 1);
    }
}

#[test]
fn whoever_reads_what_gulf_says_costs_no_further_request() {
    let seen = [
        Session::checked(Host::Claude).variable("CLAUDE_CODE_SESSION_ATTENDED", "1"),
        Session::checked(Host::Claude).variable("CLAUDE_CODE_ENTRYPOINT", "cli"),
        // Begun as `codex exec`, and gone on with on a terminal.
        Session::checked(Host::Codex).begins_by("exec").begins_by("user"),
        Session::checked(Host::Codex),
        Session::checked(Host::Plain),
    ];
    for session in seen {
        let session = running(session);
        session.mend();
        session.stop(PROMISE).lets_stop().says("VERIFIED");
    }
}

#[test]
fn where_the_host_allows_no_further_answer_none_is_given() {
    let session = Session::checked(Host::Plain).variable("COPILOT_CLI", "1");
    session.marker(SECOND, PROMPT);
    session.work_and_stop("").continues();
    for _ in 0..7 {
        session.work_and_stop("A step.").continues();
    }
    session.work_and_stop("A step.").lets_stop().says("PAUSED");
    session.expect_fields(&[("active", "false")]);
}
