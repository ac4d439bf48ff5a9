//! Judges that give no verdict: asked again within the stop, then told, then a person is asked; never a yes and never a
//! counted no (CONTRACT, "no verdict, judge absent").
//!
//! Apart because a silence is counted over stops like a rejection, and is none.

use gulf_testkit::{FakeJudge, one_in_turn};

use super::harness::{HOSTS, Host, JUDGED, PROMPT, Session};

fn mended(host: Host) -> (Session, FakeJudge) {
    let (session, judge) = Session::judged(host);
    session.marker(JUDGED, PROMPT);
    session.mend();
    (session, judge)
}

#[test]
fn a_judge_without_a_verdict_is_asked_again_at_most_twice_within_the_stop() {
    let (session, judge) = mended(Host::Plain);
    let judge = judge.says("I do not know.");
    let outcome = session.work_and_stop("");
    assert!(outcome.continues().contains(PROMPT));
    outcome.says("judge");
    assert_eq!(judge.prompts().len(), 3);
    session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "0"), ("active", "true")]);
    assert!(!session.exists("JUDGE_FEEDBACK.md"));
}

#[test]
fn a_verdict_at_the_third_time_of_asking_counts() {
    let (session, judge) = mended(Host::Plain);
    judge.call(1, "").call_does(2, "exit 1").says("APPROVED");
    session.work_and_stop("").lets_stop();
    session.expect_completed();
}

#[test]
fn the_third_silent_stop_in_a_row_pauses() {
    for host in one_in_turn(HOSTS) {
        let (session, judge) = mended(host);
        let judge = judge.says("");
        session.work_and_stop("").continues();
        session.work_and_stop("").continues();
        session.work_and_stop("").lets_stop().says("judge").says("resume");
        session.expect_fields(&[("active", "false"), ("consecutive_rejections", "0")]);
        assert_eq!(session.end(), None);
        assert_eq!(judge.prompts().len(), 9);
    }
}

#[test]
fn a_verdict_between_silent_stops_begins_the_count_anew() {
    let (session, judge) = mended(Host::Plain);
    judge.call(4, "REJECTED: not yet").says("");
    for _ in 0..4 {
        session.work_and_stop("").continues();
    }
    session.expect_fields(&[("active", "true"), ("consecutive_rejections", "1")]);
}

#[test]
fn a_judge_that_dies_is_named_as_unavailable_with_its_own_words() {
    let (session, judge) = mended(Host::Plain);
    judge.does("echo 'no such licence' >&2; exit 1");
    let outcome = session.work_and_stop("");
    assert!(outcome.continues().contains("no such licence"), "{outcome:#?}");
    outcome.says("unavailable");
    session.expect_fields(&[("iteration", "3"), ("consecutive_rejections", "0"), ("active", "true")]);
}

#[test]
fn a_judge_that_is_not_installed_approves_nothing() {
    let session = Session::on(
        Host::Plain,
        gulf_testkit::Sandbox::with(&gulf_testkit::Sample::shell().file("RUBRIC.md", super::harness::RUBRIC)),
    );
    session.marker(JUDGED, PROMPT);
    session.mend();
    for _ in 0..3 {
        session.work_and_stop("").says("judge");
        session.expect_no_success();
    }
    session.work_and_stop("").lets_stop();
    assert!(session.exists(super::harness::MARKER));
    session.expect_no_success();
}

#[test]
fn a_judge_that_takes_too_long_is_stopped() {
    let (session, judge) = mended(Host::Plain);
    session.write("gulf.toml", format!("{}timeout = \"1s\"\n", session.read("gulf.toml")));
    session.sandbox.git(["commit", "--quiet", "--message", "a short patience", "gulf.toml"]);
    judge.does("exec tail -f /dev/null");
    let outcome = session.work_and_stop("");
    outcome.continues();
    outcome.says("unavailable");
    session.sandbox.assert_nothing_left();
}
