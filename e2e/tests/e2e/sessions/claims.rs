//! What a session's worker says by `gulf claim`: done, or a question that only the person can answer.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, one_in_turn};

use super::{HOSTS, Host, Scene, promise};
use crate::real::claim;
use crate::{GOAL, RIGHT};

const QUESTION: &str = "Which value is right, 'right' or 'wrong'?";
const ANSWER: &str = "The one that is not wrong.";

fn start() -> String {
    format!("/gulf-loop:start --no-research --check '{RIGHT}' {GOAL}")
}

/// Also from within the sandbox that Codex puts around commands by itself.
fn check_claim(host: Host) {
    let scene = Scene::with(host, &Sample::shell(), |_| {
        let steps = [Reply::shell("echo right > value.txt"), claim(), Reply::text("That is all.")];
        steps.into_iter().fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    scene.say_in_its_sandbox(&start()).finished.expect_exit(0);
    let kept = scene.sandbox.only_loop();
    let results = scene.server.model_calls().last().unwrap().tool_results();
    assert_eq!(kept.end().unwrap()["kind"], "verified", "{results:#?}");
    assert_eq!(kept.turns(), [(1, 1)]);
    scene.close();
}

#[test]
fn a_claim_by_command_is_heard() {
    for host in one_in_turn(HOSTS) {
        check_claim(host);
    }
}

fn check_question(host: Host) {
    let ask = format!("gulf claim need-decision \"{QUESTION}\" --option right --option wrong");
    let scene = Scene::with(host, &Sample::shell(), |_| {
        let asks = [Reply::shell(&ask), Reply::text("I have asked.")];
        let done = [Reply::shell("cat .gulf/brief.md"), Reply::shell("echo right > value.txt"), promise()];
        asks.into_iter().chain(done).fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let said = scene.say(&start());
    let session = said.session();
    said.finished.expect_exit(0);
    let kept = scene.sandbox.only_loop();
    assert_eq!(kept.facts_of("paused")[0]["reason"], "question");
    let gulf = |arguments: &[&str]| scene.sandbox.gulf(arguments.iter().copied()).run();
    gulf(&["inbox"]).expect_exit(0).says(QUESTION);
    gulf(&["answer", "1", ANSWER]).expect_exit(0);
    scene.say_again(&session, "/gulf-loop:resume").finished.expect_exit(0);
    let last = scene.server.model_calls().pop().unwrap();
    assert!(last.contains(QUESTION) && last.contains(ANSWER), "the answer did not arrive");
    assert_eq!(kept.end().unwrap()["kind"], "verified");
    scene.close();
}

#[test]
fn a_question_rests_the_loop_until_the_person_has_answered() {
    for host in one_in_turn([Host::Claude, Host::Codex]) {
        check_question(host);
    }
}

/// The person types nothing but the answer.
// proves: B5
#[test]
fn what_is_typed_at_an_open_question_answers_it_and_claude_goes_on_to_the_end() {
    let ask = format!("gulf claim need-decision \"{QUESTION}\" --option right --option wrong");
    let scene = Scene::with(Host::Claude, &Sample::shell(), |_| {
        let asks = [Reply::shell(&ask), Reply::text("I have asked.")];
        let done = [Reply::shell("cat .gulf/brief.md"), Reply::shell("echo right > value.txt"), promise()];
        asks.into_iter().chain(done).fold(Script::new(), Script::step)
    });
    let Some(scene) = scene else { return };
    let said = scene.say(&start());
    let session = said.session();
    said.finished.expect_exit(0).says(QUESTION).says("Your next prompt is the answer");
    let shown = format!("gulf: question 1 is answered: {ANSWER}");
    let answered = scene.say_again(&session, ANSWER).finished;
    answered.expect_exit(0).says(&shown);
    let last = scene.server.model_calls().pop().unwrap();
    assert!(last.contains(QUESTION) && last.contains(ANSWER), "the answer did not arrive");
    assert_eq!(scene.sandbox.only_loop().end().unwrap()["kind"], "verified");
    scene.close();
}
