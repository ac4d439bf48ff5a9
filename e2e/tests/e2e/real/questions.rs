//! What a worker asks and a person answers (SPEC B5), and what a worker may not say in a person's place.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, one_in_turn};
use serde_json::{Value, json};

use super::{Scene, Tool, assert_says, iteration};
use crate::exit;

const QUESTION: &str = "Which value is right, 'right' or 'wrong'?";
const ANSWER: &str = "The one that is not wrong.";

/// Asked by this command in iteration 1, answered by a person, done in iteration 2.
fn check_question(tool: Tool, command: &str, kind: &str) {
    let scene = Scene::with(&Sample::shell(), |sandbox| {
        let asks = [Reply::shell(command), Reply::text("I have asked.")];
        let script = Script::new().conversation(&iteration(2), tool.mend(sandbox));
        script.conversation(&iteration(1), asks)
    });
    let Some(scene) = scene else { return };
    let finished = scene.run(tool, &[]).run().expect_exit(exit::PAUSED);
    finished.says(QUESTION).says("gulf answer 1");
    scene.gulf(["inbox"]).run().expect_exit(0).says(QUESTION);
    let inbox = scene.gulf(["inbox", "--json"]).run().expect_exit(0);
    let inbox: Value = serde_json::from_str(&inbox.stdout).unwrap();
    let question = &inbox["questions"][0]["question"];
    assert_eq!((&question["kind"], &question["text"]), (&json!(kind), &json!(QUESTION)), "{inbox:#}");
    scene.gulf(["answer", "1", ANSWER]).run().expect_exit(0).says("gulf resume");
    scene.gulf(["resume"]).run().expect_exit(exit::VERIFIED).says("iteration 2 of 50");
    let second = scene.server.wait_for(|request| request.contains(&iteration(2)));
    assert_says(&second.text(), &[QUESTION, ANSWER]);
    scene.gulf(["inbox"]).run().does_not_say(QUESTION);
    assert_eq!(scene.sandbox.only_loop().facts_of("answered").len(), 1);
    scene.close();
}

#[test]
fn cannot_reaches_the_person_and_the_answer_the_worker() {
    let command = format!("gulf claim cannot \"{QUESTION}\" --evidence 'check.sh accepts one of them'");
    check_question(Tool::Claude, &command, "cannot");
    check_question(Tool::Codex, &command, "cannot");
}

#[test]
fn a_decision_that_is_needed_is_asked_with_its_options() {
    let command = format!("gulf claim need-decision \"{QUESTION}\" --option right --option wrong");
    check_question(Tool::Claude, &command, "need-decision");
    check_question(Tool::Codex, &command, "need-decision");
}

#[test]
fn a_worker_cannot_say_what_only_a_person_may() {
    let acts = ["gulf answer 1 yes", "gulf approve because", "gulf resume", "gulf cancel"];
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        let scene = Scene::with(&Sample::shell(), |sandbox| {
            let mut steps = Vec::from(acts.map(Reply::shell));
            steps.extend(tool.mend(sandbox));
            Script::new().conversation(&iteration(1), steps)
        });
        let Some(scene) = scene else { return };
        scene.run(tool, &["--allow", "gulf"]).run().expect_exit(exit::VERIFIED);
        let results = scene.server.model_calls().last().unwrap().tool_results();
        assert!(
            results[..4].iter().all(|result| result.contains("only a person may do this")),
            "{results:#?}"
        );
        let refused = scene.sandbox.only_loop().facts_of("refused");
        let refused: Vec<&Value> = refused.iter().map(|fact| &fact["request"]).collect();
        assert_eq!(refused, ["answer", "approve", "resume", "cancel"]);
        scene.close();
    }
}
