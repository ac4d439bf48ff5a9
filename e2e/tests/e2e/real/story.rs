//! The whole story with each agent: too early, refused by a check, rejected by a judge, verified.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, Sandbox, bubblewrap};
use serde_json::{Value, json};

use super::{Scene, TO_JUDGE, Tool, assert_says, assert_silent, claim, iteration, met, rubric, unmet};
use crate::exit;

const NOTE: &str = "notes/why.txt";
const CRITERION: &str = "A file in notes/ says why value.txt was wrong";
const REASON: &str = "notes/ does not tell how the wrong value came in";
const WHY: &str = "It was wrong since the first import.";

fn script(tool: Tool, sandbox: &Sandbox) -> Script {
    let turn = |mut steps: Vec<Reply>| {
        steps.extend([claim(), Reply::text("It is done.")]);
        steps
    };
    Script::new()
        .each_conversation(TO_JUDGE, [unmet(REASON), met(NOTE, WHY)])
        .conversation(&iteration(1), turn(tool.edit(sandbox, "value.txt", "wrong", "almost right")))
        .conversation(&iteration(2), turn(tool.edit(sandbox, "value.txt", "almost right", "right")))
        .conversation(&iteration(3), turn(vec![tool.write(sandbox, NOTE, WHY)]))
}

/// Refused by a check in iteration 1 and by the judge in iteration 2, verified in iteration 3.
fn check_story(tool: Tool, basis: &str) {
    let sample = Sample::shell().file("RUBRIC.md", &rubric(CRITERION));
    let Some(mut scene) = Scene::in_every_run(&sample, |sandbox| script(tool, sandbox)) else { return };
    scene.agents = scene.agents.at_home(&scene.sandbox);
    let theirs = std::fs::read(scene.sandbox.home().join(".claude.json")).unwrap();
    let run = scene.run(tool, &["--context", "fresh"]);
    let run = if bubblewrap() { run.variable("GULF_AGENT_SANDBOX", "isolated") } else { run };
    let finished = run.run().expect_exit(exit::VERIFIED);
    let finished = finished.says("verified").does_not_say("nobody judged");

    let kept = scene.sandbox.only_loop();
    let refused = |gate: &str| json!({"type": "settled", "settlement": {"kind": "refused", "gate": gate}});
    assert_eq!(kept.facts_of("settled"), [refused("checks"), refused("judge")]);
    let proofs = json!([{"kind": "base-red", "check": "sh check.sh"}, {"kind": "criterion"}]);
    assert_eq!(kept.end().unwrap(), json!({"kind": "verified", "proofs": proofs}));
    assert_eq!(kept.turns(), [(1, 1), (2, 1), (3, 1)]);

    let prompts = scene.prompts();
    assert_eq!(prompts.len(), 3, "each turn begins afresh");
    assert_says(&prompts[1], &["What to fix", "value.txt says almost right"]);
    assert_says(&prompts[2], &["Refused by the judge", &format!("1. {CRITERION} — {REASON}")]);
    let feedback = scene.sandbox.read("JUDGE_FEEDBACK.md");
    assert_says(&feedback, &["Iteration 2 — REJECTED", REASON]);

    let judged = scene.judged();
    assert_eq!(judged.len(), 2, "a failed check costs no judge");
    assert_says(&judged[1], &["earlier rejections", REASON]);
    assert_silent(&judged[1], &[scene.sandbox.repository().as_str()]);

    let (commit, _) = kept.candidate();
    let receipt = std::fs::read_to_string(kept.path("receipt.json")).unwrap();
    let receipt: Value = serde_json::from_str(&receipt).unwrap();
    assert_eq!(receipt["candidate"]["commit"], *commit);
    assert_eq!(receipt["gates"][2]["word"]["word"], "approved", "{receipt:#}");
    assert_eq!(receipt["criteria_not_proven"], json!([]));
    finished.says(&commit);

    let cost = &scene.status()["cost"];
    let asked = scene.server.model_calls().len();
    assert_eq!(cost["tokens"], asked * 120, "worker and judge, each call once: {cost}");
    assert!(cost["microdollars"].as_u64().unwrap() > 0 && cost["basis"] == basis, "{cost}");
    assert_eq!(receipt["cost"], *cost);
    // A judge, who has no walls, keeps there that it was started.
    if bubblewrap() && tool == Tool::Codex {
        assert_eq!(std::fs::read(scene.sandbox.home().join(".claude.json")).unwrap(), theirs);
    }
    scene.close();
}

// proves: G1, G2, G6, G8
#[test]
fn claude_claims_too_early_is_refused_by_a_check_then_by_a_claude_that_judges_then_verified() {
    check_story(Tool::Claude, "told");
}

// proves: G1, G2, G6, G8
#[test]
fn codex_claims_too_early_is_refused_by_a_check_then_by_a_codex_that_judges_then_verified() {
    // A judge of Codex leaves no session behind, and only that would tell its model.
    check_story(Tool::Codex, "assumed");
}
