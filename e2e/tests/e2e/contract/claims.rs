//! What the agent of a session says with `gulf claim`, and what it may not say (SPEC B5, B6, DESIGN invariant 8).
//!
//! Apart from the promise because a claim is a program's call: it is typed, and it may be a question.

use gulf_testkit::{Finished, one_in_turn};

use super::harness::{Host, MARKER, PROMPT, SECOND, Session};

/// gulf as the session's agent calls it, by its shell.
#[track_caller]
fn by_agent(session: &Session, arguments: &[&str]) -> Finished {
    let call = session.gulf(arguments).variable("CLAUDECODE", "1");
    call.variable("CLAUDE_CODE_SESSION_ID", "5ea53bba-0000-4000-8000-000000000001").run().does_not_panic()
}

// proves: B6
#[test]
fn a_claim_is_looked_at_like_a_promise() {
    let session = Session::running(Host::Claude);
    session.work();
    by_agent(&session, &["claim", "done"]).expect_exit(0);
    let outcome = session.stop("I claimed it.");
    assert!(outcome.continues().contains("value.txt says wrong"), "{outcome:#?}");
    session.mend();
    by_agent(&session, &["claim", "done"]).expect_exit(0);
    session.stop("I claimed it.").lets_stop();
    session.expect_completed();
}

#[test]
fn an_honest_exit_rests_the_loop_with_the_question_and_is_no_end() {
    let exits = [
        vec!["claim", "cannot", "the file is read-only", "--evidence", "chmod says so"],
        vec!["claim", "conflict", "right and wrong at once", "--evidence", "line 1 and line 2"],
        vec!["claim", "need-decision", "which word?", "--option", "right", "--option", "correct"],
    ];
    for exit in exits {
        let session = Session::running(Host::Claude);
        by_agent(&session, &exit).expect_exit(0);
        session.work_and_stop("I asked.").lets_stop().says(exit[2]);
        assert_eq!(session.end(), None, "a question is no end");
        session.expect_fields(&[("active", "false")]);
        assert!(session.exists(MARKER));
    }
}

#[test]
fn an_answer_is_given_to_the_session_when_it_goes_on() {
    let session = Session::running(Host::Claude);
    by_agent(
        &session,
        &["claim", "need-decision", "which word?", "--option", "right", "--option", "correct"],
    );
    session.work_and_stop("I asked.").lets_stop();
    session.gulf(&["answer", "take the shorter one"]).run().expect_exit(0);
    let text = session.prompt("/gulf-loop:resume").adds_to_prompt();
    assert!(text.contains("take the shorter one"), "{text}");
    session.mend();
    by_agent(&session, &["claim", "done"]).expect_exit(0);
    session.stop("Done.").lets_stop();
    session.expect_completed();
}

const ASKS: [&str; 7] = ["claim", "need-decision", "which word?", "--option", "right", "--option", "correct"];

/// A session whose loop rests at a question.
fn asked(host: Host) -> Session {
    let session = Session::running(host);
    by_agent(&session, &ASKS);
    session.work_and_stop("I asked.").lets_stop().says("which word?");
    session
}

// proves: B5
#[test]
fn a_question_is_answered_by_the_persons_next_prompt() {
    for host in one_in_turn(super::harness::HOSTS) {
        let session = asked(host);
        let outcome = session.prompt("take the shorter one");
        let text = outcome.adds_to_prompt();
        assert!(text.contains("which word?") && text.contains("take the shorter one"), "{text}");
        assert_eq!(outcome.note(), "gulf: question 1 is answered: take the shorter one");
        session.expect_fields(&[("active", "true")]);
        session.completes();
    }
}

#[test]
fn the_number_of_an_option_is_an_answer_and_one_that_is_not_there_is_none() {
    let session = asked(Host::Claude);
    let told = session.prompt("3").refuses_prompt().to_owned();
    assert!(told.contains("there is no option 3"), "{told}");
    session.expect_fields(&[("active", "false")]);
    assert_eq!(session.prompt("2").note(), "gulf: question 1 is answered: correct");
}

#[test]
fn a_question_is_answered_by_a_command_too_and_resume_says_how() {
    let session = asked(Host::Claude);
    let told = session.prompt("/gulf-loop:resume").refuses_prompt().to_owned();
    assert!(told.contains("which word?") && told.contains("/gulf-loop:answer"), "{told}");
    let told = session.prompt("/gulf-loop:answer").refuses_prompt().to_owned();
    assert!(told.contains("(1) right (2) correct"), "{told}");
    let outcome = session.prompt("/gulf-loop:answer 1 neither: leave it out");
    assert!(outcome.adds_to_prompt().contains("neither: leave it out"));
}

#[test]
fn what_another_session_or_its_host_says_is_no_answer() {
    let session = asked(Host::Claude);
    session.another("5ea53bba-0000-4000-8000-000000000002").prompt("take the shorter one").is_untouched();
    for text in ["/compact", "!ls", "<task-notification>done</task-notification>", "  "] {
        session.prompt(text).is_untouched();
    }
    assert_eq!(session.newest().unwrap().facts_of("answered").len(), 0);
    session.prompt("take the shorter one").adds_to_prompt();
}

#[test]
fn of_two_questions_one_prompt_answers_the_first_also_where_the_hook_is_registered_twice() {
    let session = Session::running(Host::Claude);
    by_agent(&session, &ASKS);
    by_agent(&session, &["ask", "--kind", "unclear", "which file?"]);
    session.work_and_stop("I asked.").lets_stop();
    let first = session.prompt("right").refuses_prompt().to_owned();
    assert!(first.contains("question 1 is answered: right") && first.contains("which file?"), "{first}");
    assert_eq!(session.prompt("right").refuses_prompt(), first, "one prompt, one answer");
    session.prompt("value.txt").adds_to_prompt();
    assert_eq!(session.newest().unwrap().facts_of("answered").len(), 2);
}

#[test]
fn the_tools_of_a_session_say_what_its_commands_say() {
    let session = Session::running(Host::Claude);
    let client =
        r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}"#;
    let asks = r#"{"name":"ask","arguments":{"kind":"security","question":"which word?"}}"#;
    let messages = [
        format!(r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{client}}}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{asks}}}"#),
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status"}}"#.to_owned(),
    ];
    let said = session.gulf(&["mcp"]).stdin(messages.join("\n") + "\n").run().expect_exit(0).stdout;
    assert!(said.contains("asked: the loop rests") && said.contains(r#""iteration":3"#), "{said}");
    by_agent(&session, &["ask", "--kind", "security", "which word?"]).expect_exit(0);
    session.work_and_stop("I asked.").lets_stop().says("which word?");
    assert_eq!(session.end(), None, "a question is no end");
    session.gulf(&["answer", "1", "the shorter one"]).run().expect_exit(0).says("continue with");
}

#[test]
fn acts_of_a_person_are_refused_to_the_agent() {
    let acts =
        [vec!["cancel"], vec!["start", "--replace", "Do something easier."], vec!["approve", "it is fine"]];
    for act in acts {
        let session = Session::running(Host::Claude);
        let finished = by_agent(&session, &act);
        assert!(finished.exit != Some(0), "{act:?} was done: {finished:#?}");
        assert_eq!(session.end(), None, "{act:?}");
        assert!(session.look().unwrap().body().contains(PROMPT));
        session.work_and_stop("").continues();
        session.expect_fields(&[("iteration", "4")]);
    }
}

#[test]
fn a_resting_loop_is_not_resumed_by_the_agent() {
    let session = Session::checked(Host::Claude);
    session.marker(&format!("{SECOND}\nmilestone_every: 2"), PROMPT);
    session.work_and_stop("").lets_stop();
    let finished = by_agent(&session, &["resume"]);
    assert!(finished.exit != Some(0), "{finished:#?}");
    session.expect_fields(&[("active", "false")]);
    session.work_and_stop("").lets_stop();
}

#[test]
fn a_steering_note_of_the_person_is_told_at_the_next_stop() {
    let session = Session::running(Host::Claude);
    session.gulf(&["steer", "keep the old flag as an alias"]).run().expect_exit(0);
    assert!(session.work_and_stop("").continues().contains("keep the old flag as an alias"));
}

#[test]
fn a_pause_that_the_person_asks_for_in_a_terminal_counts_at_the_next_stop() {
    let session = Session::running(Host::Claude);
    session.gulf(&["pause"]).run().does_not_panic();
    session.work_and_stop("").lets_stop().says("resume");
    session.expect_fields(&[("active", "false")]);
    assert_eq!(session.end(), None);
}
