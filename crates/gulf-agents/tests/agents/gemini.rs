//! What became of a turn of Gemini CLI.

use gulf_agents::agents::{
    AgentEvent, Decoder, FailureKind, Need, Outcome, ProcessEnd, Reset, SumSpan, Tool, Usage,
};
use serde_json::json;

use crate::{decode, golden, kind, report, sample, shown, streams};

const OK: ProcessEnd = ProcessEnd::Exited(0);

/// The exit code of each recorded stream.
fn end_of(name: &str) -> ProcessEnd {
    ProcessEnd::Exited(match name {
        "400" | "api_error" | "key_invalid" => 144,
        "401" => 145,
        "403" => 147,
        "429" | "429_daily" => 173,
        "503" => 247,
        "404" => 1,
        "max_turns" => 53,
        "sigterm" => return ProcessEnd::Signalled,
        _ => 0,
    })
}

fn fails(name: &str, wanted: &FailureKind) {
    assert_eq!(kind(&report(Tool::Gemini, name, end_of(name))), wanted, "{name}");
}

#[test]
fn streams_tell_what_happened() {
    for file in streams(Tool::Gemini) {
        let name = file.trim_end_matches(".jsonl");
        golden!(format!("gemini_{name}"), shown(Tool::Gemini, name, end_of(name)));
    }
}

#[test]
fn an_end_of_its_own_completes_a_turn() {
    for name in ["tools", "denied", "judge", "resumed"] {
        let report = report(Tool::Gemini, name, OK);
        assert_eq!(report.outcome, Outcome::Completed, "{name}");
        assert!(!report.final_message.is_empty() && report.session.is_some(), "{name}");
    }
}

#[test]
fn what_a_person_must_see_to_is_told_apart() {
    let needs = |need| FailureKind::NeedsPerson { need };
    for name in ["401", "403", "key_invalid"] {
        fails(name, &needs(Need::SignIn));
    }
    // Its text says that the key is not valid, and no field of it does: only fields are read.
    for name in ["400", "api_error"] {
        fails(name, &FailureKind::Other);
    }
}

// proves: B7
#[test]
fn the_exit_code_tells_what_the_stream_does_not() {
    for (code, wanted) in [
        (41, FailureKind::NeedsPerson { need: Need::SignIn }),
        (42, FailureKind::NotStarted),
        (52, FailureKind::NeedsPerson { need: Need::Setup }),
        (55, FailureKind::NeedsPerson { need: Need::Setup }),
        (1, FailureKind::NotStarted),
        (130, FailureKind::Interrupted),
    ] {
        let (_, report) = decode(Tool::Gemini, b"", ProcessEnd::Exited(code));
        assert_eq!(kind(&report), &wanted, "{code}");
    }
    let line = json!({"type": "result", "status": "error", "error": {"type": "unknown", "message": "words"}});
    let failed = format!("{line}\n");
    for (code, wanted) in [
        (145, FailureKind::NeedsPerson { need: Need::SignIn }),
        (148, FailureKind::NeedsPerson { need: Need::Model }),
        (157, FailureKind::ContextFull),
        (173, FailureKind::RateLimited { reset: Reset::Unknown }),
        (244, FailureKind::Unreachable),
        (247, FailureKind::Overloaded),
        (1, FailureKind::Other),
    ] {
        let (_, report) = decode(Tool::Gemini, failed.as_bytes(), ProcessEnd::Exited(code));
        assert_eq!(kind(&report), &wanted, "{code}");
    }
}

#[test]
fn a_limit_is_waited_out_and_an_overload_tried_again() {
    for name in ["429", "429_daily"] {
        fails(name, &FailureKind::RateLimited { reset: Reset::Unknown });
    }
    fails("503", &FailureKind::Overloaded);
    fails("max_turns", &FailureKind::TurnsUsedUp);
    fails("sigterm", &FailureKind::Interrupted);
}

#[test]
fn a_quota_that_names_its_end_and_an_answer_that_was_kept_back_are_read_from_its_own_sentences() {
    let of = |message: &str| {
        let error = json!({"type": "unknown", "message": message});
        let line = json!({"type": "result", "status": "error", "error": error});
        kind(&decode(Tool::Gemini, format!("{line}\n").as_bytes(), ProcessEnd::Exited(1)).1).clone()
    };
    let limited = of("[API Error: Quota\nSuggested retry after 599.5s.]\nPlease wait and try again later.");
    assert_eq!(limited, FailureKind::RateLimited { reset: Reset::In { seconds: 600 } });
    assert_eq!(of("The model response was blocked due to safety settings."), FailureKind::Refused);
}

#[test]
fn what_it_tells_on_its_stderr_alone_is_heard() {
    let mut decoder = Decoder::new(Tool::Gemini);
    let retry = b"Attempt 2 failed with status 503. Retrying with backoff... _ApiError: {}\n    at x\n";
    let events = decoder.push_stderr(retry);
    assert_eq!(events, [AgentEvent::Retrying { attempt: 2, status: Some(503) }]);
    let (head, tail) = "[ADMIN] Policy file error in x-rules.toml:\n  Unsafe regex pattern\n".split_at(9);
    assert!(decoder.push_stderr(head.as_bytes()).is_empty());
    let events = decoder.push_stderr(tail.as_bytes());
    assert!(matches!(&events[..], [AgentEvent::RulesRefused { .. }]), "{events:?}");
    let line = json!({"type": "result", "status": "success", "stats": {}});
    decoder.push(format!("{line}\n").as_bytes());
    let report = decoder.finish(OK);
    assert_eq!(kind(&report), &FailureKind::NeedsPerson { need: Need::Rules }, "whatever it did then");
}

#[test]
fn an_error_without_its_words_is_told_in_those_before_it() {
    let lines = [
        json!({"type": "init", "session_id": "s", "model": "gemini-2.5-pro"}),
        json!({"type": "error", "severity": "error", "message": "The answer was blocked"}),
        json!({"type": "result", "status": "error", "stats": {"input_tokens": 5, "output_tokens": 0, "total_tokens": 5}}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let (_, report) = decode(Tool::Gemini, text.as_bytes(), OK);
    let Outcome::Failed(failure) = report.outcome else { panic!("{report:?}") };
    assert_eq!((failure.kind, failure.detail.as_str()), (FailureKind::Other, "The answer was blocked"));
}

#[test]
fn calls_that_a_rule_stopped_are_counted_and_a_tool_that_is_not_there_is_none() {
    let report = report(Tool::Gemini, "denied", OK);
    let what: Vec<&str> = report.denials.iter().map(|denial| denial.what.as_str()).collect();
    assert_eq!(what[..3], ["echo a && rm z.txt", "echo a && git push origin", "echoo"]);
    assert_eq!((report.tool_calls, report.denials.len()), (8, 6));
    let (_, judge) = decode(Tool::Gemini, &sample(Tool::Gemini, "judge.jsonl"), OK);
    assert!(judge.denials.is_empty());
}

#[test]
fn what_was_used_is_told_without_money() {
    let spent = report(Tool::Gemini, "tools", OK).spent.expect("it tells");
    let usage = Usage { input_tokens: 500, output_tokens: 100, ..Usage::default() };
    assert_eq!((spent.usage, spent.microdollars, spent.span), (usage, None, SumSpan::Turn));
}

#[test]
fn thinking_is_output_and_what_came_from_a_cache_is_not_input() {
    let stats = json!({"input_tokens": 100, "cached": 40, "output_tokens": 10, "total_tokens": 135});
    let line = json!({"type": "result", "status": "success", "stats": stats});
    let (_, report) = decode(Tool::Gemini, format!("{line}\n").as_bytes(), OK);
    let usage = Usage { input_tokens: 60, output_tokens: 35, cache_read_tokens: 40, cache_write_tokens: 0 };
    assert_eq!(report.spent.map(|spent| spent.usage), Some(usage));
}

#[test]
fn of_several_models_the_dearest_is_told() {
    let models = json!({
        "gemini-2.5-flash-lite": {"total_tokens": 100}, "gemini-2.5-pro": {"total_tokens": 5},
        "gemini-never-asked": {"total_tokens": 0},
    });
    let stats = json!({"input_tokens": 100, "output_tokens": 5, "total_tokens": 105, "models": models});
    let line = json!({"type": "result", "status": "success", "stats": stats});
    let (_, report) = decode(Tool::Gemini, format!("{line}\n").as_bytes(), OK);
    assert_eq!(report.model.as_deref(), Some("gemini-2.5-pro"));
}

#[test]
fn an_at_sign_of_the_material_comes_back_as_it_stood() {
    let said =
        json!({"type": "message", "role": "assistant", "content": "{\"path\": \"\\\\@types/a\"} \\@b"});
    let done = json!({"type": "result", "status": "success", "stats": {"input_tokens": 1}});
    let (_, report) = decode(Tool::Gemini, format!("{said}\n{done}\n").as_bytes(), OK);
    assert_eq!(report.final_message, "{\"path\": \"@types/a\"} @b");
}
