//! What became of a turn of Claude Code, for every situation that was recorded.

use gulf_agents::agents::{
    AgentEvent, Decoder, FailureKind, LINE_BYTES_MAX, Need, Outcome, ProcessEnd, Reset, SumSpan, Tool,
    TurnReport, Usage,
};

use crate::{decode, golden, kind, report, sample, shown};

const OK: ProcessEnd = ProcessEnd::Exited(0);
const FAILED: ProcessEnd = ProcessEnd::Exited(1);

fn completed(name: &str) -> TurnReport {
    let report = report(Tool::Claude, name, OK);
    assert_eq!(report.outcome, Outcome::Completed, "{name}");
    report
}

fn fails(name: &str, wanted: &FailureKind) {
    assert_eq!(kind(&report(Tool::Claude, name, FAILED)), wanted, "{name}");
}

#[test]
fn streams_tell_what_happened() {
    for name in [
        "plain", "tools", "denied", "sub_agent", "retried", "limit_near", "limit_reached", "two_results",
        "goal", "schema_met",
    ] {
        golden!(format!("claude_{name}"), shown(Tool::Claude, name, OK));
    }
}

#[test]
fn an_end_of_its_own_completes_a_turn() {
    for name in ["plain", "tools", "denied", "stop_hook_prevented", "hook_events", "goal", "retried"] {
        let report = completed(name);
        assert!(!report.final_message.is_empty(), "{name}");
    }
}

#[test]
fn what_a_person_must_see_to_is_told_apart() {
    for name in ["401", "403", "not_logged_in"] {
        fails(name, &FailureKind::NeedsPerson { need: Need::SignIn });
    }
    fails("404", &FailureKind::NeedsPerson { need: Need::Model });
    fails("credit", &FailureKind::NeedsPerson { need: Need::Billing });
}

#[test]
fn servers_that_ask_for_patience_are_told_from_those_that_failed() {
    for name in ["429", "429_retry_after", "529"] {
        fails(name, &FailureKind::Overloaded);
    }
    for name in ["500", "dropped", "sse_error"] {
        fails(name, &FailureKind::Unreachable);
    }
}

#[test]
fn a_limit_of_the_account_says_when_it_is_over() {
    fails("limit_reached", &FailureKind::RateLimited { reset: Reset::At { unix_s: 1_795_300_000 } });
    assert_eq!(completed("limit_near").tool_calls, 0, "a warning ends nothing");
}

#[test]
fn a_context_that_is_full_wants_a_fresh_session() {
    for name in ["prompt_too_long", "413"] {
        fails(name, &FailureKind::ContextFull);
    }
}

#[test]
fn what_the_turn_was_given_can_be_used_up() {
    fails("max_turns", &FailureKind::TurnsUsedUp);
    fails("max_budget", &FailureKind::BudgetUsedUp);
    fails("schema_never_met", &FailureKind::SchemaNotMet);
}

#[test]
fn a_refusal_is_no_error_of_the_servers() {
    fails("refusal", &FailureKind::Refused);
    for name in ["max_tokens", "400"] {
        fails(name, &FailureKind::Other);
    }
}

#[test]
fn a_signal_interrupts_with_a_result_and_without_one() {
    assert_eq!(kind(&report(Tool::Claude, "sigint", OK)), &FailureKind::Interrupted);
    let timed_out = ProcessEnd::TimedOut { stdout_bytes: u64::MAX };
    for end in [ProcessEnd::Exited(143), ProcessEnd::Exited(137), ProcessEnd::Signalled, timed_out] {
        assert_eq!(kind(&report(Tool::Claude, "sigterm", end)), &FailureKind::Interrupted, "{end:?}");
    }
}

#[test]
fn a_program_that_refuses_its_arguments_has_not_started() {
    let (_, silent) = decode(Tool::Claude, b"", FAILED);
    assert_eq!(kind(&silent), &FailureKind::NotStarted);
    fails("resume_unknown", &FailureKind::NotStarted);
}

#[test]
fn silence_with_a_good_exit_code_is_not_good_news() {
    let (_, report) = decode(Tool::Claude, b"", OK);
    assert_eq!(kind(&report), &FailureKind::Unreadable);
}

#[test]
fn an_exit_code_that_contradicts_the_result_is_not_good_news() {
    assert_eq!(kind(&report(Tool::Claude, "plain", ProcessEnd::Exited(3))), &FailureKind::Unreadable);
    // An agent can outlive its result, and is stopped then.
    let late = ProcessEnd::TimedOut { stdout_bytes: u64::MAX };
    for end in [ProcessEnd::Signalled, late, ProcessEnd::Exited(143)] {
        assert_eq!(report(Tool::Claude, "plain", end).outcome, Outcome::Completed, "{end:?}");
    }
}

#[test]
fn denials_are_named_by_what_was_asked() {
    let report = completed("denied");
    let whats: Vec<&str> = report.denials.iter().map(|denial| denial.what.as_str()).collect();
    assert_eq!(whats, ["git push origin main", "make it", "curl http://127.0.0.1:8080/", "rm a.txt"]);
    assert!(report.denials.iter().all(|denial| denial.tool == "Bash"));
}

#[test]
fn an_answer_in_the_wanted_form_is_handed_on_as_it_is() {
    assert_eq!(completed("schema_met").structured, Some(serde_json::json!({"verdict": "yes"})));
    assert_eq!(completed("schema_missing").structured, None);
}

#[test]
fn after_the_cap_on_hooks_the_last_words_are_those_said_before() {
    assert_eq!(completed("block_cap").final_message, "x");
}

#[test]
fn a_resumed_session_tells_this_turn_alone() {
    let spent = completed("resumed").spent.expect("it tells");
    let usage = Usage { input_tokens: 300, output_tokens: 20, cache_read_tokens: 50, cache_write_tokens: 0 };
    assert_eq!((spent.usage, spent.microdollars, spent.span), (usage, Some(1_610), SumSpan::Turn));
}

#[test]
fn sub_agents_are_paid_for_but_do_not_speak() {
    let (events, report) = decode(Tool::Claude, &sample(Tool::Claude, "sub_agent.jsonl"), OK);
    assert_eq!(report.spent.expect("it tells").usage.input_tokens, 5_200);
    assert_eq!(report.context.expect("it tells").tokens, 100, "a sub-agent has a context of its own");
    let said = events.iter().filter(|event| matches!(event, AgentEvent::Said { .. }));
    assert_eq!(said.count(), 1);
}

#[test]
fn two_results_of_one_process_are_one_turn() {
    let report = completed("two_results");
    assert_eq!(report.final_message, "the job ended");
    let spent = report.spent.expect("it tells");
    assert_eq!((spent.usage.input_tokens, spent.microdollars), (300, Some(2_400)));
}

#[test]
fn an_older_version_tells_the_sum_of_its_session() {
    let text = String::from_utf8(sample(Tool::Claude, "resumed.jsonl")).expect("text");
    let older = text.replace("model_usage_since_last_result", "unknown_to_older_versions");
    let (_, report) = decode(Tool::Claude, older.as_bytes(), OK);
    let spent = report.spent.expect("it tells");
    assert_eq!((spent.usage.input_tokens, spent.span), (400, SumSpan::Session));
}

#[test]
fn a_turn_without_a_result_has_no_price() {
    assert_eq!(report(Tool::Claude, "sigterm", ProcessEnd::Signalled).spent, None);
}

#[test]
fn what_is_not_understood_is_passed_over() {
    let mut bytes = b"warning: not JSON\n\xff\xfe\n[1]\n\n{\"type\":\"tomorrow\"}\n{}\n".to_vec();
    bytes.extend(sample(Tool::Claude, "plain.jsonl"));
    let (_, report) = decode(Tool::Claude, &bytes, OK);
    assert_eq!(report.outcome, Outcome::Completed);
}

#[test]
fn bytes_that_are_no_text_do_not_hide_an_event() {
    let event = b"{\"type\":\"assistant\",\"parent_tool_use_id\":null,\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\"}]}}\n";
    let (events, _) = decode(Tool::Claude, event, OK);
    assert_eq!(events, [AgentEvent::Said { text: "a\u{fffd}".into() }]);
}

#[test]
fn a_line_without_an_end_does_not_fill_the_memory() {
    let mut decoder = Decoder::new(Tool::Claude);
    let piece = vec![b'x'; LINE_BYTES_MAX / 2 + 1];
    for _ in 0..3 {
        assert_eq!(decoder.push(&piece), []);
    }
    let events = decoder.push(&[&b"\n"[..], &sample(Tool::Claude, "plain.jsonl")].concat());
    assert!(events.contains(&AgentEvent::Finished));
    assert_eq!(decoder.finish(OK).outcome, Outcome::Completed);
}
