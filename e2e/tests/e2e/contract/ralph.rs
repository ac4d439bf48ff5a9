//! A Ralph project in a session: its PROMPT.md is the goal, its list counts, its exit signal is heard (SPEC K2, K6, K7).
//!
//! Apart from `specs`, where a goal has an id: here the project itself says what is to be done.

use gulf_testkit::{Sample, Sandbox, one_in_turn};

use super::harness::{HOSTS, Host, MARKER, Session};
use super::outcome::Outcome;

const PLAN: &str = "- [ ] make the value right\n";
const START: &str = "/gulf-loop:start --check 'grep -qx right value.txt'";

fn project(host: Host) -> Session {
    let sandbox = Sandbox::awkward(&Sample::shell());
    sandbox.write(".ralphrc", "CLAUDE_TIMEOUT_MINUTES=15\n");
    sandbox.write("PROMPT.md", "Make the value right.\n");
    sandbox.write("fix_plan.md", PLAN);
    sandbox.write("logs/.gitkeep", "");
    sandbox.commit("a Ralph project");
    Session::on(host, sandbox)
}

fn stop(session: &Session, fields: &str) -> Outcome {
    session.stop(&format!("I looked.\n\n---RALPH_STATUS---\n{fields}\n---END_RALPH_STATUS---\n"))
}

// proves: K2, K6, K7
#[test]
fn without_a_goal_a_session_takes_the_projects_own_and_ends_when_everything_is_true_at_once() {
    for host in one_in_turn(HOSTS) {
        let session = project(host);
        session.prompt(START).says("1 of 1 tasks are open").adds_to_prompt();
        assert!(session.text(MARKER).contains("Make the value right."));
        session.write("value.txt", "almost right\n");
        let outcome = stop(&session, "EXIT_SIGNAL: true");
        assert!(outcome.continues().contains("Open:\n- make the value right"), "{outcome:#?}");
        session.mend();
        session.write("fix_plan.md", PLAN.replace("[ ]", "[x]"));
        stop(&session, "STATUS: COMPLETE\nEXIT_SIGNAL: true").lets_stop();
        session.expect_completed();
        let status = session.read(".gulf/ralph-status.json");
        assert!(status.contains("\"all_tasks_checked\": true") && status.contains("\"loop_count\": 2"));
        let logs = session.file("logs").read_dir_utf8().unwrap().count();
        assert_eq!(logs, 3, "a name for the logs of each iteration, beside what was there");
    }
}

// proves: B5, K6
#[test]
fn a_session_that_is_blocked_rests_the_loop_with_a_question_and_goes_on_with_the_answer() {
    let session = project(Host::Claude);
    session.prompt(START).adds_to_prompt();
    let blocked = "STATUS: BLOCKED\nEXIT_SIGNAL: false\nRECOMMENDATION: a key in .env";
    session.work();
    stop(&session, blocked).lets_stop().says("It says: a key in .env").says("it saw: I looked.");
    assert_eq!(session.end(), None, "a question is no end");
    assert!(session.read(".gulf/ralph-status.json").contains("\"no_pending_issues\": false"));
    session.gulf(&["answer", "it is there now"]).run().expect_exit(0);
    let text = session.prompt("/gulf-loop:resume").adds_to_prompt();
    assert!(text.contains("it is there now"), "{text}");
}

#[test]
fn where_the_project_does_not_say_what_is_to_be_done_a_start_without_a_goal_is_refused() {
    let session = Session::checked(Host::Claude);
    let told = session.prompt("/gulf-loop:start").refuses_prompt().to_owned();
    assert!(told.contains("no prompt was given"), "{told}");
    session.gulf(&["start"]).run().expect_exit(2).says("there is no PROMPT.md");
    session.write("PROMPT.md", "Make value.txt say right.\n");
    session.gulf(&["start"]).run().expect_exit(0).says("Loop initialized");
    assert!(session.text(MARKER).contains("Make value.txt say right."));
}
