//! What became of a turn of OpenCode.

use gulf_agents::agents::{
    AgentEvent, ContextUse, FailureKind, Need, Outcome, ProcessEnd, Reset, SumSpan, Tool, TurnReport, Usage,
};
use serde_json::{Value, json};

use crate::{decode, golden, kind, report, shown, streams};

const OK: ProcessEnd = ProcessEnd::Exited(0);
const FAILED: ProcessEnd = ProcessEnd::Exited(1);

fn end_of(name: &str) -> ProcessEnd {
    match name {
        "tools" | "denied" | "denied_path" | "judge" | "rejected" | "length" => OK,
        _ => FAILED,
    }
}

fn of_lines(lines: &[Value], end: ProcessEnd) -> (Vec<AgentEvent>, TurnReport) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    decode(Tool::OpenCode, text.as_bytes(), end)
}

fn step(reason: &str, cost: f64) -> Value {
    let tokens = json!({"input": 100, "output": 20, "reasoning": 5, "cache": {"read": 40, "write": 10}});
    json!({"type": "step_finish", "sessionID": "ses_1", "part": {"reason": reason, "tokens": tokens, "cost": cost}})
}

#[test]
fn streams_tell_what_happened() {
    for file in streams(Tool::OpenCode) {
        let name = file.trim_end_matches(".jsonl");
        golden!(format!("opencode_{name}"), shown(Tool::OpenCode, name, end_of(name)));
    }
}

#[test]
fn a_step_that_asks_for_no_tool_completes_a_turn() {
    for name in ["tools", "denied", "denied_path", "judge"] {
        let report = report(Tool::OpenCode, name, OK);
        assert_eq!(report.outcome, Outcome::Completed, "{name}");
        assert!(!report.final_message.is_empty() && report.session.is_some(), "{name}");
    }
}

#[test]
fn a_turn_that_stops_after_a_tool_has_no_end_of_its_own() {
    assert_eq!(kind(&report(Tool::OpenCode, "rejected", OK)), &FailureKind::Unreadable);
    let begun = json!({"type": "step_start", "sessionID": "ses_1", "part": {}});
    let (_, report) = of_lines(&[step("stop", 0.1), begun], OK);
    assert_eq!(kind(&report), &FailureKind::Unreadable);
}

// proves: B7
#[test]
fn recorded_failures_are_told_apart() {
    let needs = |need| FailureKind::NeedsPerson { need };
    for (name, wanted) in [
        ("401", needs(Need::SignIn)),
        ("400", FailureKind::Other),
        ("429", FailureKind::RateLimited { reset: Reset::At { unix_s: 1_795_293_283 } }),
        ("context_full", FailureKind::ContextFull),
        ("no_model", FailureKind::Other),
        ("refusal", FailureKind::Refused),
        ("length", FailureKind::Other),
    ] {
        assert_eq!(kind(&report(Tool::OpenCode, name, end_of(name))), &wanted, "{name}");
    }
    for end in [ProcessEnd::Signalled, ProcessEnd::TimedOut { stdout_bytes: u64::MAX }] {
        assert_eq!(kind(&decode(Tool::OpenCode, b"", end).1), &FailureKind::Interrupted);
    }
    assert_eq!(kind(&decode(Tool::OpenCode, b"", FAILED).1), &FailureKind::NotStarted);
}

#[test]
fn every_error_of_its_schema_has_its_consequence() {
    let needs = |need| FailureKind::NeedsPerson { need };
    let api = |status: u16| json!({"name": "APIError", "data": {"statusCode": status, "isRetryable": true}});
    let named = |name: &str| json!({"name": name, "data": {"message": "rate limit, sign in, context"}});
    for (error, wanted) in [
        (named("ProviderAuthError"), needs(Need::SignIn)),
        (named("MessageAbortedError"), FailureKind::Interrupted),
        (named("ContentFilterError"), FailureKind::Refused),
        (named("StructuredOutputError"), FailureKind::SchemaNotMet),
        (named("MessageOutputLengthError"), FailureKind::Other),
        (named("UnknownError"), FailureKind::Other),
        (named("AnErrorOfTomorrow"), FailureKind::Other),
        (api(402), needs(Need::Billing)),
        (api(403), needs(Need::SignIn)),
        (api(404), needs(Need::Model)),
        (api(413), FailureKind::ContextFull),
        (api(429), FailureKind::RateLimited { reset: Reset::Unknown }),
        (api(503), FailureKind::RateLimited { reset: Reset::Unknown }),
        (api(529), FailureKind::RateLimited { reset: Reset::Unknown }),
        (api(500), FailureKind::Unreachable),
        (json!({"name": "APIError", "data": {"isRetryable": true}}), FailureKind::Unreachable),
        (json!({"name": "APIError", "data": {}}), FailureKind::Other),
        (json!([]), FailureKind::Other),
    ] {
        let line = json!({"type": "error", "timestamp": 5_000, "sessionID": "ses_1", "error": error});
        let (_, report) = of_lines(&[line], FAILED);
        assert_eq!(kind(&report), &wanted, "{error}");
    }
}

#[test]
fn calls_that_a_rule_stopped_are_counted_and_failed_ones_are_none() {
    let what = |name: &str| {
        let report = report(Tool::OpenCode, name, end_of(name));
        report.denials.iter().map(|denial| denial.what.clone()).collect::<Vec<_>>()
    };
    assert_eq!(what("denied"), ["git push origin"]);
    assert_eq!(what("denied_path"), ["/home/outside.txt", "git log && git push"]);
    assert_eq!(what("rejected"), ["/home/outside.txt"]);
    assert_eq!(what("judge"), [""; 0]);
}

#[test]
fn what_was_used_is_the_sum_of_the_steps() {
    let spent = report(Tool::OpenCode, "tools", OK).spent.expect("it tells");
    let usage = Usage { input_tokens: 300, output_tokens: 60, ..Usage::default() };
    assert_eq!((spent.usage, spent.microdollars, spent.span), (usage, Some(1_800), SumSpan::Turn));
    let (_, report) = of_lines(&[step("tool-calls", 0.5), step("stop", 0.25)], OK);
    let usage = Usage { input_tokens: 200, output_tokens: 50, cache_read_tokens: 80, cache_write_tokens: 20 };
    let spent = report.spent.expect("it tells");
    assert_eq!((spent.usage, spent.microdollars), (usage, Some(750_000)));
    assert_eq!(report.context, Some(ContextUse { tokens: 150, window: None }));
}

#[test]
fn a_model_that_costs_nothing_is_one_whose_price_it_does_not_know() {
    for steps in [vec![step("stop", 0.0)], vec![step("tool-calls", 0.0), step("stop", 0.5)]] {
        let (_, report) = of_lines(&steps, OK);
        assert_eq!(report.spent.map(|spent| spent.microdollars), Some(None), "{steps:?}");
    }
    let untold = json!({"type": "step_finish", "sessionID": "ses_1", "part": {"reason": "stop"}});
    let (_, report) = of_lines(&[step("tool-calls", 0.5), untold], OK);
    assert_eq!(report.spent.map(|spent| spent.microdollars), Some(None));
}

#[test]
fn what_opencode_itself_puts_into_a_session_is_nobodys_words() {
    let text = |text: &str, synthetic: bool| {
        let part = json!({"type": "text", "text": text, "synthetic": synthetic});
        json!({"type": "text", "sessionID": "ses_1", "part": part})
    };
    let (_, report) = of_lines(&[text("mine", false), text("COMPLETE", true), step("stop", 0.1)], OK);
    assert_eq!(report.final_message, "mine");
}
