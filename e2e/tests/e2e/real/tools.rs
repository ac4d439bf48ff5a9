//! The worker's word by gulf's own tools (SPEC B6, A5): the agents' programs start `gulf mcp` and let the model use it.

use gulf_testkit::model::{Reply, Script};
use gulf_testkit::{Sample, one_in_turn};
use serde_json::{Value, json};

use super::{Scene, Tool, iteration};
use crate::exit;

const QUESTION: &str = "May value.txt lose what it holds?";

/// A tool of gulf's server, as the agent's model calls it.
fn own(tool: Tool, name: &str, arguments: Value) -> Reply {
    match tool {
        Tool::Claude => Reply::tool(&format!("mcp__gulf__{name}"), arguments),
        Tool::Codex => Reply::tool(&format!("mcp__gulf/{name}"), arguments),
    }
}

/// Asked by a tool in iteration 1, answered by a person, and claimed by a tool in iteration 2.
#[track_caller]
fn check_tools(tool: Tool) {
    let asked = json!({ "kind": "destructive", "question": QUESTION, "options": ["yes", "no"] });
    let scene = Scene::with(&Sample::shell(), |sandbox| {
        let asks = vec![
            own(tool, "report_progress", json!({ "note": "I have read value.txt" })),
            own(tool, "status", json!({})),
            own(tool, "ask", asked),
            Reply::text("I have asked."),
        ];
        let mut mends = vec![own(tool, "get_feedback", json!({}))];
        mends.extend(tool.edit(sandbox, "value.txt", "wrong", "right"));
        mends.extend([own(tool, "claim", json!({ "kind": "done" })), Reply::text("It is done.")]);
        Script::new().conversation(&iteration(2), mends).conversation(&iteration(1), asks)
    });
    let Some(scene) = scene else { return };
    let run = scene.run(tool, &[]).variable("GULF_AGENT_MCP", "true");
    run.run().expect_exit(exit::PAUSED).says("asks before a destructive change").says(QUESTION);
    let results = scene.server.model_calls().last().unwrap().tool_results();
    assert!(results[0].contains("noted"), "{results:#?}");
    assert!(results[1].contains("make value.txt say right"), "{results:#?}");
    assert!(results[2].contains("do nothing of it before"), "{results:#?}");
    let status = scene.status();
    assert_eq!(status["open_questions"][0]["kind"], "destructive", "{status:#}");
    assert_eq!(status["note"]["text"], "I have read value.txt", "{status:#}");
    scene.gulf(["answer", "1"]).run().expect_exit(0).says("answered question 1: yes");
    scene.gulf(["resume"]).run().expect_exit(exit::VERIFIED).says("iteration 2 of 50");
    let results = scene.server.model_calls().last().unwrap().tool_results();
    for said in ["nothing to fix", "claimed: the gates are asked"] {
        assert!(results.iter().any(|result| result.contains(said)), "{said}: {results:#?}");
    }
    let loop_ = scene.sandbox.only_loop();
    assert!(loop_.facts_of("refused").is_empty(), "every tool was allowed");
    scene.close();
}

// proves: B6, B15, A5
#[test]
fn an_agent_asks_and_claims_by_tools() {
    for tool in one_in_turn([Tool::Claude, Tool::Codex]) {
        check_tools(tool);
    }
}
