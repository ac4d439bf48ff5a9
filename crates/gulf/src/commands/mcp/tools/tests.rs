//! What models send, as far as it can be refused without a loop.

use serde_json::{Value, json};

use super::{TOOLS, Tool};

#[track_caller]
fn refused(tool: Tool, arguments: Value, reason: &str) {
    let failure = tool.call(arguments).expect_err("it is no call");
    assert!(failure.in_one_line().contains(reason), "{}", failure.in_one_line());
    assert!(failure.in_one_line().len() < 1_000, "what was sent is not sent back");
    assert!(failure.hint().is_some());
}

#[test]
fn arguments_of_the_wrong_form_are_refused_with_what_the_tool_takes() {
    let huge = "x".repeat(1 << 20);
    refused(Tool::Claim, json!({}), "missing field `kind`");
    refused(Tool::Claim, json!({ "kind": huge }), "unknown variant");
    refused(Tool::Claim, json!({ "kind": "done", "sure": true }), "unknown field `sure`");
    refused(Tool::Ask, json!({ "kind": "money", "question": "x" }), "unknown variant `money`");
    refused(Tool::Ask, json!({ "kind": "security" }), "missing field `question`");
    refused(Tool::Ask, json!({ "kind": "security", "question": "x", "options": "a" }), "invalid type");
    refused(Tool::ReportProgress, json!({ "note": 3 }), "invalid type");
    refused(Tool::Status, json!({ "loop": "another" }), "unknown field `loop`");
    let hint = Tool::Ask.call(json!({})).expect_err("it is no call");
    assert_eq!(hint.hint(), Some("it takes an object with because, kind, options, question"));
}

#[test]
fn what_a_command_refuses_a_tool_refuses() {
    let long = "x".repeat(16 * 1024 + 1);
    refused(Tool::Claim, json!({ "kind": "cannot" }), "missing field `text`");
    refused(Tool::Claim, json!({ "kind": "cannot", "text": " " }), "the question is blank");
    refused(Tool::Claim, json!({ "kind": "done", "text": "it works" }), "unknown field `text`");
    refused(Tool::Claim, json!({ "kind": "done", "no_test": "" }), "the reason is blank");
    refused(
        Tool::Claim,
        json!({ "kind": "conflict", "text": "x", "no_test": "y" }),
        "unknown field `no_test`",
    );
    refused(Tool::Ask, json!({ "kind": "unclear", "question": long }), "16384 is the limit");
    refused(Tool::Ask, json!({ "kind": "unclear", "question": "x", "because": "" }), "the evidence is blank");
    let options = vec!["x"; 17];
    refused(Tool::Ask, json!({ "kind": "unclear", "question": "x", "options": options }), "17 options");
    refused(Tool::ReportProgress, json!({ "note": "" }), "the note is blank");
}

#[test]
fn every_tool_takes_only_what_its_schema_names() {
    for tool in TOOLS {
        assert_eq!(tool.schema()["additionalProperties"], false);
        assert!(tool.schema()["required"].is_array());
        assert!(tool.description().len() < 400, "every turn pays for it");
    }
}
