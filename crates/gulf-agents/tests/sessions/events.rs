//! What hosts say: every recorded event, odd ones, and halves of them.

use gulf_agents::sessions::{HookEvent, HookKind, Host, read};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{golden, nothing, recorded, sample};

fn event(text: &str) -> HookEvent {
    read(text.as_bytes(), None, &nothing).expect("it is an event")
}

fn error(text: &str) -> String {
    read(text.as_bytes(), None, &nothing).expect_err("it is no event").to_string()
}

fn stop_of(event: HookEvent) -> (Option<String>, bool, Vec<String>) {
    match event.kind {
        HookKind::Stop { message, continuing, background_tasks } => (message, continuing, background_tasks),
        kind @ (HookKind::Prompt { .. }
        | HookKind::Tool { .. }
        | HookKind::Start { .. }
        | HookKind::Other { .. }) => panic!("no stop: {kind:?}"),
    }
}

fn empty_stop() -> HookKind {
    HookKind::Stop { message: None, continuing: false, background_tasks: Vec::new() }
}

#[test]
fn every_recorded_event_is_read() {
    let shown = |path: String| {
        let event = read(&sample(&path), None, &nothing).expect("it is an event");
        format!("{path}\n{event:#?}\n")
    };
    golden!("events", recorded().into_iter().map(shown).collect::<String>());
}

#[test]
fn the_host_is_known_by_what_it_says_and_not_by_an_inherited_environment() {
    let everything =
        |name: &str| ["CLAUDECODE", "PLUGIN_ROOT", "COPILOT_CLI"].contains(&name).then(|| "1".to_owned());
    for (folder, expected) in [("claude", Host::Claude), ("codex", Host::Codex), ("copilot", Host::Copilot)] {
        for path in recorded().iter().filter(|path| path.starts_with(folder)) {
            let host = read(&sample(path), None, &everything).expect("it is an event").host;
            assert_eq!(host, expected, "{path}");
        }
    }
}

#[test]
fn a_host_that_is_not_known_is_not_taken_for_another() {
    for path in recorded().iter().filter(|path| path.starts_with("gemini")) {
        assert_eq!(read(&sample(path), None, &nothing).expect("it is an event").host, Host::Other, "{path}");
    }
}

#[test]
fn the_environment_tells_the_host_where_stdin_does_not() {
    let host = |set: &'static [&'static str]| {
        let variable = move |name: &str| set.contains(&name).then(|| "1".to_owned());
        read(br#"{"last_assistant_message":"done"}"#, None, &variable).unwrap().host
    };
    assert_eq!(host(&[]), Host::Other);
    assert_eq!(host(&["CLAUDECODE"]), Host::Claude);
    assert_eq!(host(&["CLAUDECODE", "PLUGIN_ROOT"]), Host::Codex);
    // Copilot CLI sets this one as well.
    assert_eq!(host(&["CLAUDECODE", "PLUGIN_ROOT", "COPILOT_CLI"]), Host::Copilot);
}

#[test]
fn a_variable_without_a_value_tells_nothing() {
    let empty = |_: &str| Some(String::new());
    assert_eq!(read(b"", None, &empty).unwrap().host, Host::Other);
}

#[test]
fn nothing_on_stdin_is_a_stop_without_a_message() {
    for stdin in [&b""[..], b"\n", b"  \r\n\t", b"\xef\xbb\xbf"] {
        for named in [None, Some("stop")] {
            let event = read(stdin, named, &nothing).unwrap();
            assert_eq!(event.kind, empty_stop());
            assert_eq!((event.session, event.cwd, event.occasion), (None, None, None));
        }
    }
}

#[test]
fn nothing_on_stdin_is_no_prompt_and_no_tool() {
    for (event, field) in [("prompt", "prompt"), ("tool", "tool_name")] {
        let error = read(b"", Some(event), &nothing).unwrap_err().to_string();
        assert_eq!(error, format!("the event {event} on stdin has no `{field}`"));
    }
    assert_eq!(read(b"", Some("start"), &nothing).unwrap().kind, HookKind::Start { source: None });
}

#[test]
fn a_message_alone_is_a_stop() {
    let (message, continuing, tasks) = stop_of(event(r#"{"last_assistant_message":"all\ndone"}"#));
    assert_eq!((message.as_deref(), continuing, tasks), (Some("all\ndone"), false, Vec::new()));
    assert_eq!(event("{}").kind, empty_stop());
    assert_eq!(event(r#"{"last_assistant_message":null,"session_id":null,"future":7}"#).kind, empty_stop());
}

#[test]
fn the_name_on_stdin_beats_the_name_of_the_call() {
    let text = br#"{"hook_event_name":"UserPromptSubmit","prompt":"go"}"#;
    let event = read(text, Some("stop"), &nothing).unwrap();
    assert_eq!(event.kind, HookKind::Prompt { text: "go".to_owned() });
}

#[test]
fn a_name_of_the_call_says_what_happened_where_stdin_does_not() {
    let event = read(br#"{"prompt":"go"}"#, Some("stop"), &nothing).unwrap();
    assert_eq!(event.kind, empty_stop());
    let other = read(br#"{"prompt":"go"}"#, Some("compact"), &nothing).unwrap();
    assert_eq!(other.kind, HookKind::Other { name: "compact".to_owned() });
}

#[test]
fn an_event_of_another_sort_is_not_taken_for_a_stop() {
    for text in [
        r#"{"sessionId":"a","timestamp":1,"cwd":"/","reason":"complete"}"#,
        r#"{"sessionId":"a","toolName":"bash","toolArgs":"{}","toolResult":{"resultType":"success"}}"#,
        r#"{"sessionId":"a","error":{"message":"no"}}"#,
        r#"{"conversation_id":"a","status":"completed","loop_count":0}"#,
        r#"{"hook_event_name":"StopFailure","last_assistant_message":"API Error: 529"}"#,
    ] {
        let kind = event(text).kind;
        assert!(matches!(kind, HookKind::Other { .. }), "{text}: {kind:?}");
    }
}

#[test]
fn only_what_still_runs_in_the_background_is_named() {
    let tasks = json!([
        {"id": "a", "status": "running", "description": "the server", "command": "npm start"},
        {"id": "b", "status": "completed", "description": "over"},
        {"id": "c", "command": "cargo watch"},
        {"id": "d", "status": "running"},
        "odd",
    ]);
    let text = json!({"hook_event_name": "Stop", "background_tasks": tasks}).to_string();
    let (_, _, running) = stop_of(event(&text));
    assert_eq!(running, ["the server", "cargo watch", "d", "a task without a name"]);
}

#[test]
fn an_agent_within_the_session_is_not_the_session() {
    for path in
        ["claude/sub_agent_stop.json", "copilot/sub_agent_own_stop.json", "copilot/sub_agent_tool.json"]
    {
        assert!(read(&sample(path), None, &nothing).unwrap().is_subagent, "{path}");
    }
    for path in ["claude/stop_first.json", "codex/stop_first.json", "copilot/stop_first.json"] {
        assert!(!read(&sample(path), None, &nothing).unwrap().is_subagent, "{path}");
    }
    assert!(event(r#"{"hook_event_name":"SubagentStop"}"#).is_subagent);
}

#[test]
fn an_agent_within_the_session_names_the_session_it_belongs_to() {
    let session = |path| read(&sample(path), None, &nothing).unwrap().session;
    assert_eq!(session("copilot/sub_agent_tool.json"), session("copilot/tool.json"));
}

#[test]
fn a_tool_of_copilots_own_hooks_is_read_with_its_input() {
    let text = r#"{"sessionId":"a","timestamp":1,"toolName":"bash","toolArgs":"{\"command\":\"rm x\"}"}"#;
    let expected = HookKind::Tool { name: "bash".to_owned(), input: json!({"command": "rm x"}) };
    assert_eq!(event(text).kind, expected);
}

#[test]
fn half_of_an_emoji_does_not_make_an_event_unreadable() {
    let text =
        r#"{"last_assistant_message":"cut \ud83d","cwd":"/a\\ud83d","session_id":"\ud83d\ude00 \ude00"}"#;
    let event = event(text);
    assert_eq!(event.session.as_deref(), Some("😀 \u{fffd}"));
    assert_eq!(event.cwd.as_deref(), Some("/a\\ud83d"));
    assert_eq!(stop_of(event).0.as_deref(), Some("cut \u{fffd}"));
}

#[test]
fn what_is_no_event_says_what_is_wrong_with_it() {
    let wrong = |text: &str, expected: &str| assert_eq!(error(text), expected, "{text}");
    wrong("[]", "the event on stdin is an array, not a JSON object");
    wrong("7", "the event on stdin is a number, not a JSON object");
    wrong("null", "the event on stdin is null, not a JSON object");
    wrong("{\"a\":", "the event on stdin is not JSON: EOF while parsing a value at line 1 column 5");
    wrong(r#"{"session_id":7}"#, "`session_id` of the event on stdin is a number, not a string");
    wrong(r#"{"sessionId":[]}"#, "`sessionId` of the event on stdin is an array, not a string");
    wrong(r#"{"cwd":{}}"#, "`cwd` of the event on stdin is an object, not a string");
    wrong(r#"{"agent_id":true}"#, "`agent_id` of the event on stdin is true or false, not a string");
    wrong(r#"{"prompt_id":7}"#, "`prompt_id` of the event on stdin is a number, not a string");
    wrong(r#"{"timestamp":{}}"#, "`timestamp` of the event on stdin is an object, not a string");
    wrong(
        r#"{"stop_hook_active":"true"}"#,
        "`stop_hook_active` of the event on stdin is a string, not true or false",
    );
    wrong(
        r#"{"hook_event_name":"Stop","background_tasks":{}}"#,
        "`background_tasks` of the event on stdin is an object, not an array",
    );
    wrong(
        r#"{"hook_event_name":"PreToolUse","tool_name":""}"#,
        "the event PreToolUse on stdin has no `tool_name`",
    );
    let error = read(b"{} {}", None, &nothing).unwrap_err().to_string();
    assert_eq!(error, "the event on stdin is not JSON: trailing characters at line 1 column 4");
}

#[test]
fn half_an_event_is_none() {
    for path in recorded() {
        let text = sample(&path);
        let text = text.trim_ascii();
        for length in 1..text.len() {
            let error = read(&text[..length], None, &nothing).expect_err("it is cut").to_string();
            let is_cut = error.starts_with("the event on stdin is not JSON: ");
            assert!(is_cut, "{path}, cut to {length} bytes: {error}");
        }
    }
}

/// Names that the reader knows, so that odd values meet them.
fn field() -> impl Strategy<Value = String> {
    let known = [
        "session_id", "sessionId", "agent_id", "parent_agent_id", "cwd", "transcript_path",
        "hook_event_name", "prompt_id", "turn_id", "timestamp", "stop_hook_active", "last_assistant_message",
        "background_tasks", "tool_name", "toolArgs", "tool_input", "prompt", "source", "effort",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => ".{0,6}"]
}

fn value() -> impl Strategy<Value = Value> {
    let names = ["Stop", "PreToolUse", "UserPromptSubmit", "SessionStart", "SubagentStop", "running"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(names.to_vec()).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(field(), inner, 0..4).prop_map(Value::from_iter),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes, None, &nothing);
    }

    #[test]
    fn no_object_makes_the_reader_panic_or_a_session_of_what_is_no_text(
        fields in prop::collection::btree_map(field(), value(), 0..8), named in prop::option::of("[a-z]{0,6}")
    ) {
        let object = Value::from_iter(fields);
        let read = read(object.to_string().as_bytes(), named.as_deref(), &nothing);
        if let Ok(event) = read {
            let told = ["session_id", "sessionId", "parent_agent_id"].map(|name| object[name].as_str());
            prop_assert!(event.session.is_none() || told.contains(&event.session.as_deref()));
            prop_assert!(object["session_id"].is_null() || object["session_id"].is_string());
        }
    }
}
