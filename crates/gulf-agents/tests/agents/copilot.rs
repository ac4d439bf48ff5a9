//! What became of a turn of Copilot CLI, from its stream and from the file of what its session used.

use gulf_agents::agents::copilot::{SessionUsage, usage};
use gulf_agents::agents::{
    ContextUse, FailureKind, Need, Outcome, ProcessEnd, Reset, SumSpan, Tool, Usage, prices,
};
use serde_json::{Value, json};

use crate::{decode, golden, kind, report, sample, shown, streams};

const OK: ProcessEnd = ProcessEnd::Exited(0);
const FAILED: ProcessEnd = ProcessEnd::Exited(1);

fn end_of(name: &str) -> ProcessEnd {
    match name {
        "tools" | "hooks" | "judge" | "resumed" => OK,
        "sigterm" => ProcessEnd::Signalled,
        _ => FAILED,
    }
}

/// What a session's error comes to.
fn of_error(error: &Value, call: &Value) -> FailureKind {
    let lines = [
        json!({"type": "user.message", "data": {}}),
        json!({"type": "model.call_failure", "data": call}),
        json!({"type": "session.error", "data": error}),
        json!({"type": "result", "sessionId": "s", "exitCode": 1}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    kind(&decode(Tool::Copilot, text.as_bytes(), FAILED).1).clone()
}

#[test]
fn streams_tell_what_happened() {
    for file in streams(Tool::Copilot) {
        let name = file.trim_end_matches(".jsonl");
        golden!(format!("copilot_{name}"), shown(Tool::Copilot, name, end_of(name)));
    }
}

#[test]
fn an_end_of_its_own_completes_a_turn() {
    for name in ["tools", "hooks", "judge", "resumed"] {
        let report = report(Tool::Copilot, name, OK);
        assert_eq!(report.outcome, Outcome::Completed, "{name}");
        assert!(!report.final_message.is_empty() && report.session.is_some(), "{name}");
    }
}

// proves: B7
#[test]
fn recorded_failures_are_told_apart() {
    let needs = |need| FailureKind::NeedsPerson { need };
    for (name, wanted) in [
        ("401", needs(Need::SignIn)),
        ("403", needs(Need::SignIn)),
        ("402", needs(Need::Billing)),
        ("404", needs(Need::Model)),
        ("429", FailureKind::RateLimited { reset: Reset::Unknown }),
        ("500", FailureKind::Unreachable),
        ("400", FailureKind::Other),
        ("sigterm", FailureKind::Interrupted),
    ] {
        assert_eq!(kind(&report(Tool::Copilot, name, end_of(name))), &wanted, "{name}");
    }
}

#[test]
fn every_category_of_its_schema_has_its_consequence() {
    let needs = |need| FailureKind::NeedsPerson { need };
    for (error, wanted) in [
        (json!({"errorType": "authentication"}), needs(Need::SignIn)),
        (json!({"errorType": "authorization"}), needs(Need::Setup)),
        (json!({"errorType": "policy"}), needs(Need::Setup)),
        (json!({"errorType": "quota", "errorCode": "quota_exceeded"}), needs(Need::Billing)),
        (json!({"errorType": "quota", "errorCode": "session_quota_exceeded"}), FailureKind::BudgetUsedUp),
        (json!({"errorType": "rate_limit"}), FailureKind::RateLimited { reset: Reset::Unknown }),
        (json!({"errorType": "context_limit"}), FailureKind::ContextFull),
        (json!({"errorType": "query", "statusCode": 413}), FailureKind::ContextFull),
        (json!({"errorType": "query", "message": "rate limit, sign in, context"}), FailureKind::Other),
    ] {
        assert_eq!(of_error(&error, &Value::Null), wanted, "{error}");
    }
    let query = json!({"errorType": "query"});
    assert_eq!(of_error(&query, &json!({"failureKind": "transport"})), FailureKind::Unreachable);
    let too_long = json!({"statusCode": 400, "errorCode": "model_max_prompt_tokens_exceeded"});
    assert_eq!(of_error(&query, &too_long), FailureKind::ContextFull);
}

#[test]
fn a_success_that_is_told_after_the_time_was_over_is_none() {
    let before = [json!({"type": "user.message", "data": {}})];
    let after = [
        json!({"type": "abort", "data": {"reason": "user_initiated"}}),
        json!({"type": "result", "sessionId": "s", "exitCode": 0}),
    ];
    let lines = |events: &[Value]| events.iter().map(|event| format!("{event}\n")).collect::<String>();
    let text = format!("{}{}", lines(&before), lines(&after));
    let at = |stdout_bytes| decode(Tool::Copilot, text.as_bytes(), ProcessEnd::TimedOut { stdout_bytes }).1;
    let early = u64::try_from(lines(&before).len()).expect("short");
    assert_eq!(kind(&at(early)), &FailureKind::Interrupted);
    let whole = u64::try_from(text.len()).expect("short");
    assert_eq!(at(whole).outcome, Outcome::Completed, "it outlived its result");
}

#[test]
fn an_error_that_the_session_got_over_is_no_failure() {
    let mut text = format!("{}\n", json!({"type": "session.error", "data": {"errorType": "rate_limit"}}));
    text += &String::from_utf8(sample(Tool::Copilot, "tools.jsonl")).expect("text");
    assert_eq!(decode(Tool::Copilot, text.as_bytes(), OK).1.outcome, Outcome::Completed);
}

#[test]
fn who_is_not_signed_in_or_names_a_session_that_is_gone_has_not_started() {
    let (_, report) = decode(Tool::Copilot, b"", FAILED);
    assert_eq!(kind(&report), &FailureKind::NotStarted);
}

#[test]
fn calls_that_nobody_allowed_are_counted() {
    let report = report(Tool::Copilot, "tools", OK);
    let what: Vec<&str> = report.denials.iter().map(|denial| denial.what.as_str()).collect();
    assert_eq!(what, ["git push origin", "echo a && touch b", "cargo --version"]);
    assert_eq!(report.tool_calls, 5);
    assert_eq!(report.context.and_then(|context| context.window), Some(168_000));
}

#[test]
fn how_full_the_context_is_is_told_after_each_tool() {
    let context = report(Tool::Copilot, "hooks", OK).context;
    assert_eq!(context, Some(ContextUse { tokens: 10_396, window: Some(128_000) }));
}

fn used(name: &str) -> SessionUsage {
    usage(&sample(Tool::Copilot, &format!("{name}.usage.json"))).expect("it tells")
}

#[test]
fn what_a_turn_used_is_the_difference_to_the_turn_before() {
    let before = used("fresh");
    let report = used("resumed").refine(&before, report(Tool::Copilot, "resumed", OK));
    let spent = report.spent.expect("it tells");
    let turn = Usage { input_tokens: 100, output_tokens: 20, ..Usage::default() };
    assert_eq!((spent.usage, spent.microdollars, spent.span), (turn, None, SumSpan::Turn));
    assert_eq!(report.model.as_deref(), Some("claude-sonnet-4.5"));
}

#[test]
fn what_came_from_a_cache_or_went_into_one_is_not_input() {
    let wanted = Usage { input_tokens: 100, output_tokens: 7, cache_read_tokens: 50, cache_write_tokens: 30 };
    assert_eq!(used("cached").usage, wanted);
}

#[test]
fn a_model_is_priced_by_its_name_at_copilot_too() {
    let usage = Usage { input_tokens: 1_000_000, ..Usage::default() };
    assert!(prices::cost("claude-sonnet-4.5", usage).is_some());
    assert_eq!(prices::cost("claude-sonnet-4.5", usage), prices::cost("claude-sonnet-4-5", usage));
}

#[test]
fn a_file_that_tells_no_sum_tells_nothing() {
    for text in ["", "{", "[]", "{}", r#"{"modelMetrics": {"m": {"usage": {}}}}"#] {
        assert_eq!(usage(text.as_bytes()), None, "{text}");
    }
}
