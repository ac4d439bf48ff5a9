//! prd.json in the forms that are about.

use super::told;
use crate::tasks::{TaskList, parse};
use crate::text::Source;

fn stories(text: &str) -> TaskList {
    parse(&Source::new("scripts/ralph/prd.json", text))
}

#[test]
fn user_stories_are_tasks_with_criteria() {
    let list = stories(
        r#"{"project": "x", "branchName": "ralph/x", "userStories": [
            {"id": "US-001", "title": "Schema", "description": "As a user\nI want", "acceptanceCriteria": ["a", "b"], "priority": 1, "passes": true, "notes": "careful"},
            {"id": "US-002", "title": "API", "acceptanceCriteria": [], "priority": 2, "passes": false, "dependencies": ["US-001"], "agent": "backend"},
            {"id": 3, "title": "UI", "priority": "high", "dependsOn": "us-002", "blocks": [], "passes": null}
        ]}"#,
    );
    insta::assert_snapshot!(told(&list), @r#"
        x US-001 p1 | Schema + a + b "As a user\nI want\n\ncareful"
        - US-002 p2 <US-001 @backend | API
        - 3 p1 <US-002 | UI
        "#);
}

#[test]
fn a_bare_array_and_a_status_are_understood() {
    let list = stories(
        r#"[{"category": "functional", "description": "New chat", "steps": ["Click", "See"], "passes": false},
           {"name": "Old chat", "status": "done"}, {"name": "Old chat", "status": "pending"}]"#,
    );
    insta::assert_snapshot!(told(&list), @r#"
        - new-chat p2 | New chat + Click + See
        x old-chat p2 | Old chat
        - old-chat-2 p2 | Old chat
        "#);
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    insta::assert_snapshot!(told(&stories("{\"userStories\": [\n  {\"id\": 1,}\n]}")), @r#"
        ! scripts/ralph/prd.json:2:12: this is not JSON: trailing comma at line 2 column 12 (correct it there; `jq . FILE` shows the same)
        "#);
    insta::assert_snapshot!(told(&stories("{\"stories\": 3}")), @r#"
        ! scripts/ralph/prd.json:1:1: it contains no list of tasks (expected is `{"userStories": [ … ]}`, or an array, of objects with `title` and `passes`)
        "#);
    insta::assert_snapshot!(told(&stories("[]")), @r#"
        ! scripts/ralph/prd.json:1:1: it contains no list of tasks (expected is `{"userStories": [ … ]}`, or an array, of objects with `title` and `passes`)
        "#);
    insta::assert_snapshot!(told(&stories("")), @r#"
        ! scripts/ralph/prd.json:1:1: this is not JSON: EOF while parsing a value at line 1 column 0 (correct it there; `jq . FILE` shows the same)
        "#);
    insta::assert_snapshot!(told(&stories(
        r#"[1, {"id": "a"}, {"id": [], "title": "t", "priority": 1.5, "passes": "yes", "acceptanceCriteria": [{}], "dependencies": ["US-9", "b"]}]"#
    )), @r#"
        - t p2 | t
        ! scripts/ralph/prd.json:1:2: `a task` must be an object (correct it there)
        ! scripts/ralph/prd.json:1:5: a task without a title (give it a `title`)
        ! scripts/ralph/prd.json:1:25: `id` must be a text or a number (correct it there)
        ! scripts/ralph/prd.json:1:55: `priority` must be a whole number, or a word such as "high" (correct it there)
        ! scripts/ralph/prd.json:1:70: `passes` must be true or false (correct it there)
        ! scripts/ralph/prd.json:1:100: `acceptanceCriteria` must be a text, or an array of texts (correct it there)
        ! scripts/ralph/prd.json:1:122: `t` depends on `US-9`, which is not in the list (name tasks by their ids, separated by commas; what is no task has no place here)
        ! scripts/ralph/prd.json:1:130: `t` depends on `b`, which is not in the list (name tasks by their ids, separated by commas; what is no task has no place here)
        "#);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(told(&stories(&deep)).contains("is not JSON"));
}
