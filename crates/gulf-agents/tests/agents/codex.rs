//! What became of a turn of Codex, from its stream alone and with the file of its session.

use gulf_agents::agents::codex::rollout;
use gulf_agents::agents::{
    AgentEvent, ContextUse, FailureKind, Need, Outcome, ProcessEnd, Reset, SumSpan, Tool, TurnReport, Usage,
};

use crate::{decode, golden, kind, report, sample, shown};

const OK: ProcessEnd = ProcessEnd::Exited(0);
const FAILED: ProcessEnd = ProcessEnd::Exited(1);

fn refined(name: &str, end: ProcessEnd) -> TurnReport {
    let file = rollout(&sample(Tool::Codex, &format!("{name}.rollout.jsonl")));
    file.refine(report(Tool::Codex, name, end))
}

/// By the stream's sentence, and by the code of the session's file.
fn fails(name: &str, by_sentence: &FailureKind, by_code: &FailureKind) {
    assert_eq!(kind(&report(Tool::Codex, name, FAILED)), by_sentence, "{name}, by its sentence");
    assert_eq!(kind(&refined(name, FAILED)), by_code, "{name}, by its code");
}

#[test]
fn streams_tell_what_happened() {
    for name in ["worker", "edits", "judge", "resumed", "usage_limit", "503"] {
        golden!(format!("codex_{name}"), shown(Tool::Codex, name, OK));
    }
    for name in ["worker", "resumed_thrice", "usage_limit", "sigint"] {
        let file = rollout(&sample(Tool::Codex, &format!("{name}.rollout.jsonl")));
        golden!(format!("codex_rollout_{name}"), format!("{file:#?}"));
    }
}

#[test]
fn an_end_of_its_own_completes_a_turn() {
    for name in ["worker", "edits", "judge", "resumed"] {
        let report = report(Tool::Codex, name, OK);
        assert_eq!(report.outcome, Outcome::Completed, "{name}");
        assert!(!report.final_message.is_empty() && report.session.is_some(), "{name}");
    }
}

#[test]
fn what_a_person_must_see_to_is_told_apart() {
    let sign_in = FailureKind::NeedsPerson { need: Need::SignIn };
    fails("401", &sign_in, &sign_in);
    fails("403", &sign_in, &sign_in);
    let billing = FailureKind::NeedsPerson { need: Need::Billing };
    fails("quota", &billing, &billing);
    // The stream has only the server's own words for it, and those may be anything.
    fails("404", &FailureKind::Other, &FailureKind::NeedsPerson { need: Need::Model });
}

#[test]
fn servers_that_ask_for_patience_are_told_from_those_that_failed() {
    for name in ["429", "503", "at_capacity", "rate_limit"] {
        fails(name, &FailureKind::Overloaded, &FailureKind::Overloaded);
    }
    for name in ["500", "dropped"] {
        fails(name, &FailureKind::Unreachable, &FailureKind::Unreachable);
    }
}

#[test]
fn a_filter_that_cut_an_answer_off_refused_it() {
    let sentence =
        "stream disconnected before completion: Incomplete response returned, reason: content_filter";
    let line = serde_json::json!({"type": "turn.failed", "error": {"message": sentence}});
    let (_, report) = decode(Tool::Codex, format!("{line}\n").as_bytes(), FAILED);
    assert_eq!(kind(&report), &FailureKind::Refused);
}

#[test]
fn an_agent_that_waits_in_silence_for_its_provider_until_its_time_is_over_was_asked_to_wait() {
    let begun = "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n";
    let again = |status: &str| {
        let message = format!("Reconnecting... 1/5 (exceeded retry limit, last status: {status})");
        format!("{begun}{}\n", serde_json::json!({"type": "error", "message": message}))
    };
    let end = ProcessEnd::TimedOut { stdout_bytes: 1_000 };
    let (events, limited) = decode(Tool::Codex, again("429 Too Many Requests").as_bytes(), end);
    assert_eq!(kind(&limited), &FailureKind::Overloaded);
    let retrying = AgentEvent::Retrying { attempt: 1, status: Some(429) };
    assert!(events.contains(&retrying), "{events:?}");
    let (_, broken) = decode(Tool::Codex, again("500 Internal Server Error").as_bytes(), end);
    assert_eq!(kind(&broken), &FailureKind::Interrupted);
}

#[test]
fn a_limit_of_the_account_says_when_it_is_over() {
    fails(
        "usage_limit",
        &FailureKind::RateLimited { reset: Reset::TimeOfDay { hour: 23, minute: 26 } },
        &FailureKind::RateLimited { reset: Reset::At { unix_s: 1_795_390_000 } },
    );
}

#[test]
fn a_time_of_day_is_read_only_where_it_stands_alone() {
    let told = |text: &str| {
        let sentence = format!("You’ve hit your usage limit. Visit the page or {text}");
        let line = serde_json::json!({"type": "turn.failed", "error": {"message": sentence}});
        let (_, report) = decode(Tool::Codex, format!("{line}\n").as_bytes(), FAILED);
        let FailureKind::RateLimited { reset } = kind(&report) else { panic!("{report:?}") };
        *reset
    };
    assert_eq!(told("try again at 12:05 AM."), Reset::TimeOfDay { hour: 0, minute: 5 });
    assert_eq!(told("try again at 12:05 PM."), Reset::TimeOfDay { hour: 12, minute: 5 });
    for other in ["try again at Nov 23rd, 2026 10:26 PM.", "try again at 13:00 PM.", "try again later.", ""] {
        assert_eq!(told(other), Reset::Unknown, "{other}");
    }
}

#[test]
fn a_context_that_is_full_wants_a_fresh_session() {
    fails("context_full", &FailureKind::ContextFull, &FailureKind::ContextFull);
}

#[test]
fn a_policy_refuses_only_by_its_code() {
    for name in ["policy", "invalid_prompt"] {
        fails(name, &FailureKind::Other, &FailureKind::Refused);
    }
    fails("400", &FailureKind::Other, &FailureKind::Other);
}

#[test]
fn a_connection_that_is_tried_again_is_no_failure() {
    let line = |message: &str| format!("{}\n", serde_json::json!({"type": "error", "message": message}));
    let mut text = line("Reconnecting... 2/5 (unexpected status 503 Service Unavailable: x, url: y)");
    text += &String::from_utf8(sample(Tool::Codex, "worker.jsonl")).expect("text");
    let (events, report) = decode(Tool::Codex, text.as_bytes(), OK);
    assert_eq!(events.first(), Some(&AgentEvent::Retrying { attempt: 2, status: Some(503) }));
    assert_eq!(report.outcome, Outcome::Completed);
}

#[test]
fn an_error_that_nothing_follows_is_one() {
    let text = "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"error\",\"message\":\"Quota exceeded.\"}\n";
    let (_, report) = decode(Tool::Codex, text.as_bytes(), FAILED);
    assert_eq!(kind(&report), &FailureKind::NeedsPerson { need: Need::Billing });
    let (_, report) = decode(Tool::Codex, text.as_bytes(), OK);
    assert_eq!(kind(&report), &FailureKind::Unreadable);
}

#[test]
fn a_signal_interrupts() {
    fails("sigint", &FailureKind::Interrupted, &FailureKind::Interrupted);
    for end in
        [ProcessEnd::Exited(143), ProcessEnd::Signalled, ProcessEnd::TimedOut { stdout_bytes: u64::MAX }]
    {
        assert_eq!(kind(&refined("sigterm", end)), &FailureKind::Interrupted, "{end:?}");
    }
}

#[test]
fn a_program_that_refuses_its_arguments_has_not_started() {
    for end in [FAILED, ProcessEnd::Exited(2)] {
        let (_, report) = decode(Tool::Codex, b"", end);
        assert_eq!(kind(&report), &FailureKind::NotStarted);
    }
}

#[test]
fn the_stream_tells_the_session_and_the_file_this_turn() {
    let stream = report(Tool::Codex, "resumed", OK).spent.expect("it tells");
    let session =
        Usage { input_tokens: 350, output_tokens: 50, cache_read_tokens: 50, cache_write_tokens: 0 };
    assert_eq!((stream.usage, stream.microdollars, stream.span), (session, None, SumSpan::Session));

    let file = rollout(&sample(Tool::Codex, "resumed_thrice.rollout.jsonl"));
    let turn = Usage { input_tokens: 100, output_tokens: 20, ..Usage::default() };
    assert_eq!(file.turn_usage, Some(turn), "of the third turn");
    let all = Usage { input_tokens: 450, output_tokens: 70, cache_read_tokens: 50, cache_write_tokens: 0 };
    assert_eq!(file.session_usage, Some(all));
    assert_eq!(file.model.as_deref(), Some("fake-two"));
}

#[test]
fn the_file_tells_how_full_the_context_was() {
    let report = refined("worker", OK);
    assert_eq!(report.context, Some(ContextUse { tokens: 1_500, window: Some(258_400) }));
    assert_eq!(report.spent.expect("it tells").span, SumSpan::Turn);
}

#[test]
fn an_answer_in_the_wanted_form_is_handed_on_as_it_is() {
    assert_eq!(report(Tool::Codex, "judge", OK).structured, Some(serde_json::json!({"verdict": "yes"})));
    assert_eq!(report(Tool::Codex, "worker", OK).structured, None);
}
