//! The whole story in each host: research, refused by a check, rejected by a judge, verified.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox};
use serde_json::json;

use super::{Host, RESEARCH, Scene, promise};
use crate::real::{TO_JUDGE, met, rubric, unmet};
use crate::{GOAL, RIGHT};

const NOTE: &str = "notes/why.txt";
const CRITERION: &str = "A file in notes/ says why value.txt was wrong";
const REASON: &str = "notes/ does not tell how the wrong value came in";
const WHY: &str = "It was wrong since the first import.";

fn script(_: &Sandbox) -> Script {
    let steps = [
        Reply::shell("cat .gulf/brief.md"),
        Reply::shell("echo 'APPROACH: mend it' > progress.txt"),
        Reply::text("I have looked at it."),
        Reply::shell(RESEARCH),
        Reply::text("Now I have looked at all of it."),
        Reply::shell("cat .gulf/brief.md"),
        Reply::shell("echo almost right > value.txt"),
        promise(),
        Reply::shell("echo right > value.txt"),
        promise(),
        Reply::shell(&format!("echo '{WHY}' > {NOTE}")),
        promise(),
    ];
    let script = Script::new().each_conversation(TO_JUDGE, [unmet(REASON), met(NOTE, WHY)]);
    steps.into_iter().fold(script, Script::step)
}

fn check_story(host: Host) {
    let sample = Sample::shell().file("RUBRIC.md", &rubric(CRITERION));
    let Some(scene) = Scene::in_every_run(host, &sample, script) else { return };
    let said = scene.say(&format!("/gulf-loop:start-with-judge {GOAL}"));
    let session = said.session();
    said.finished.expect_exit(0).does_not_panic();

    let kept = scene.sandbox.only_loop();
    let settled = |kind: &str| json!({"type": "settled", "settlement": {"kind": kind}});
    let refused = |gate: &str| json!({"type": "settled", "settlement": {"kind": "refused", "gate": gate}});
    let story = [settled("research"), settled("unclaimed"), refused("checks"), refused("judge")];
    assert_eq!(kept.facts_of("settled"), story, "{host:?}");
    let proofs = json!([{"kind": "base-red", "check": RIGHT}, {"kind": "criterion"}]);
    assert_eq!(kept.end().unwrap(), json!({"kind": "verified", "proofs": proofs}));
    assert_eq!(kept.turns(), [(1, 1), (1, 2), (2, 1), (3, 1), (4, 1)]);
    let worker = json!({"kind": "session", "host": host.name(), "id": session});
    assert_eq!(kept.facts_of("bound"), [json!({"type": "bound", "worker": worker})]);
    scene.close();
}

#[test]
fn claude_is_held_to_its_research_refused_by_a_check_rejected_by_a_judge_and_verified() {
    check_story(Host::Claude);
}

#[test]
fn codex_is_held_to_its_research_refused_by_a_check_rejected_by_a_judge_and_verified() {
    check_story(Host::Codex);
}

#[test]
fn copilot_is_held_to_its_research_refused_by_a_check_rejected_by_a_judge_and_verified() {
    check_story(Host::Copilot);
}
