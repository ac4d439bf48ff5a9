//! What sessions' files tell: recorded ones, read at once, in pieces and cut.

use gulf_agents::agents::Usage;
use gulf_agents::sessions::{HookEvent, Host, TranscriptChange, folder_of_subagents, hear, read};
use serde_json::json;

use crate::{golden, nothing, sample};

const FILES: [(Host, &str); 5] = [
    (Host::Claude, "claude/transcript.jsonl"),
    (Host::Claude, "claude/sub_agent_transcript.jsonl"),
    (Host::Codex, "codex/rollout.jsonl"),
    (Host::Copilot, "copilot/events.jsonl"),
    (Host::Copilot, "copilot/sub_agent_events.jsonl"),
];

/// Reads piece after piece, each to the end of the line with these words.
fn turns(host: Host, path: &str, ends: &[&str]) -> Vec<TranscriptChange> {
    let bytes = sample(path);
    let text = str::from_utf8(&bytes).expect("it is text");
    let (mut from, mut mark, mut heard) = (0, None, Vec::new());
    for end in ends {
        let line_end = text[from..].find(end).map(|at| from + at).expect("the words are there");
        let to = line_end + text[line_end..].find('\n').expect("the line ends") + 1;
        let turn = hear(host, &bytes[from..to], mark.as_deref());
        assert_eq!(turn.complete_bytes, to - from);
        (from, mark) = (to, turn.mark.clone());
        heard.push(turn);
    }
    heard
}

fn words(turn: &TranscriptChange) -> Option<&str> {
    turn.final_message.as_deref()
}

fn usage(heard: &TranscriptChange) -> Usage {
    heard.spent.values().fold(Usage::default(), |sum, usage| sum.plus(*usage))
}

fn model(heard: &TranscriptChange) -> Option<&str> {
    heard.spent.keys().next()?.as_deref()
}

#[test]
fn every_recorded_file_is_heard() {
    let shown = |(host, path)| format!("{path}\n{:#?}\n", hear(host, &sample(path), None));
    golden!("heard", FILES.into_iter().map(shown).collect::<String>());
}

#[test]
fn claude_counts_each_message_once_and_each_turn_alone() {
    let ends = [r#""text":"turn one end""#, r#""text":"turn two 😀 end""#, r#""text":"turn three""#];
    let turns = turns(Host::Claude, "claude/transcript.jsonl", &ends);
    assert_eq!(turns.iter().map(|turn| turn.tool_calls).collect::<Vec<_>>(), [Some(4), Some(1), Some(0)]);
    let said = turns.iter().map(words).collect::<Vec<_>>();
    assert_eq!(said, [Some("turn one end"), Some("turn two 😀 end"), Some("turn three")]);
    let sent = turns.iter().map(|turn| usage(turn).input_tokens).collect::<Vec<_>>();
    assert_eq!(sent, [100 + 110 + 500 + 120, 130 + 140, 150]);
    let written = turns.iter().map(|turn| usage(turn).output_tokens).collect::<Vec<_>>();
    assert_eq!(written, [20 + 21 + 55 + 22, 23 + 24, 25]);
    assert_eq!(turns[2].context.unwrap().tokens, 150);
    assert_eq!(model(&turns[0]), Some("claude-opus-5-5"));
}

#[test]
fn a_sub_agent_of_claude_costs_money_and_calls_no_tool_of_the_session() {
    let heard = hear(Host::Claude, &sample("claude/sub_agent_transcript.jsonl"), None);
    assert_eq!((heard.tool_calls, words(&heard), heard.context), (Some(0), None, None));
    assert_eq!(usage(&heard).tokens(), 600 + 66);
    let folder = folder_of_subagents(Host::Claude, "/c/projects/-repo/8fa1.jsonl");
    assert_eq!(folder.as_deref(), Some("/c/projects/-repo/8fa1/subagents"));
    assert_eq!(folder_of_subagents(Host::Claude, "/c/other.txt"), None);
    assert_eq!(folder_of_subagents(Host::Codex, "/c/rollout.jsonl"), None);
}

#[test]
fn codex_names_the_model_in_later_turns_of_one_prompt_too() {
    let ends = [r#""input_tokens":330,"#, r#""input_tokens":600,"#, "task_complete"];
    let turns = turns(Host::Codex, "codex/rollout.jsonl", &ends);
    // The first call was of a tool that is not there: asked for all the same.
    assert_eq!(turns.iter().map(|turn| turn.tool_calls).collect::<Vec<_>>(), [Some(2), Some(1), Some(0)]);
    for turn in &turns {
        assert_eq!(model(turn), Some("gpt-5.5"));
        assert_eq!(turn.context.unwrap().window, Some(258_400));
    }
    let said = turns.iter().map(words).collect::<Vec<_>>();
    assert_eq!(said, [Some("turn one end"), Some("turn two end"), Some("turn three")]);
    let usages: Vec<Usage> = turns.iter().map(usage).collect();
    let first = Usage { input_tokens: 290, output_tokens: 63, cache_read_tokens: 40, cache_write_tokens: 0 };
    assert_eq!(usages[0], first);
    assert_eq!(usages[1], Usage { input_tokens: 270, output_tokens: 47, ..Usage::default() });
    assert_eq!(usages[2], Usage { input_tokens: 150, output_tokens: 25, ..Usage::default() });
}

#[test]
fn copilot_tells_the_last_words_in_its_file_alone() {
    let stop = r#""hookType":"agentStop","input""#;
    let turns = turns(Host::Copilot, "copilot/events.jsonl", &[stop, stop]);
    assert_eq!(turns.iter().map(words).collect::<Vec<_>>(), [Some("turn one end"), Some("turn two 😀 end")]);
    assert_eq!(turns.iter().map(|turn| turn.tool_calls).collect::<Vec<_>>(), [Some(1), Some(1)]);
    assert!(turns.iter().all(|turn| turn.stopped_unix_ms.is_some()));
    let first =
        Usage { input_tokens: 800, output_tokens: 70, cache_read_tokens: 1_300, cache_write_tokens: 0 };
    assert_eq!(usage(&turns[0]), first);
    let context = turns[0].context.unwrap();
    assert_eq!((context.tokens, context.window), (1_100, Some(128_000)));
}

#[test]
fn a_sub_agent_of_copilot_costs_money_and_has_no_last_words() {
    let ends = [r#""hookType":"subagentStop","input""#, r#""content":"main one end""#];
    let turns = turns(Host::Copilot, "copilot/sub_agent_events.jsonl", &ends);
    assert_eq!(turns.iter().map(words).collect::<Vec<_>>(), [None, Some("main one end")]);
    // The call of the sub-agent itself, and not the sub-agent's own.
    assert_eq!(turns[0].tool_calls, Some(1));
    assert_eq!(turns[0].stopped_unix_ms, None);
    assert_eq!(usage(&turns[0]).tokens(), 3 * 120);
}

/// A stop with these words.
fn stop(host: Host, message: Option<&str>) -> HookEvent {
    let stdin = json!({"hook_event_name": "Stop", "last_assistant_message": message}).to_string();
    HookEvent { host, ..read(stdin.as_bytes(), None, &nothing).expect("it is a stop") }
}

#[test]
fn a_file_is_current_when_it_tells_the_words_of_the_stop() {
    let claude = |message| stop(Host::Claude, message);
    let heard = &turns(Host::Claude, "claude/transcript.jsonl", &[r#""text":"turn one end""#])[0];
    assert!(heard.is_current(&claude(Some("turn one end\n"))));
    assert!(!heard.is_current(&claude(Some("turn two"))));
    let early = &turns(Host::Claude, "claude/transcript.jsonl", &[r#""id":"toolu_586f"#])[0];
    assert!(!early.is_current(&claude(Some("turn one end"))));
    for nothing_to_wait_for in [None, Some(" ")] {
        assert!(early.is_current(&claude(nothing_to_wait_for)));
    }
    assert!(!hear(Host::Claude, b"", None).is_current(&claude(Some("done"))));
    // Codex writes first and calls then.
    assert!(hear(Host::Codex, b"", None).is_current(&stop(Host::Codex, Some("done"))));
}

#[test]
fn a_file_is_current_when_it_tells_the_moment_of_the_stop() {
    let at = |occasion: Option<&str>| HookEvent {
        occasion: occasion.map(str::to_owned),
        ..stop(Host::Copilot, None)
    };
    let first = Some("2026-11-22T05:15:23.553Z");
    let ends = [r#""content":"turn one end""#, r#""hookType":"agentStop","input""#];
    let turns = turns(Host::Copilot, "copilot/events.jsonl", &ends);
    assert!(!turns[0].is_current(&at(first)) && !turns[0].is_current(&at(None)));
    assert!(turns[1].is_current(&at(first)));
    assert!(turns[1].is_current(&at(Some("1795324523553"))));
    assert!(turns[1].is_current(&at(None)), "any stop will do where none is named");
    assert!(!turns[1].is_current(&at(Some("2026-11-22T05:15:25.305Z"))), "it is the stop before");
    for odd in ["2026-11-22", "T:::.Z", "2026-11-22T05:15:23.5Z", "now"] {
        assert!(turns[1].is_current(&at(Some(odd))), "{odd}");
    }
    assert!(!hear(Host::Copilot, b"", None).is_current(&at(first)));
}

#[test]
fn a_file_may_be_read_in_any_pieces() {
    for (host, path) in FILES {
        let bytes = sample(path);
        let whole = hear(host, &bytes, None);
        for at in (0..bytes.len()).step_by(211).chain([bytes.len() - 1]) {
            let first = hear(host, &bytes[..at], None);
            assert!(
                first.complete_bytes <= at
                    && (first.complete_bytes == 0 || bytes[first.complete_bytes - 1] == b'\n')
            );
            let second = hear(host, &bytes[first.complete_bytes..], first.mark.as_deref());
            let calls = first.tool_calls.unwrap() + second.tool_calls.unwrap();
            assert_eq!(Some(calls), whole.tool_calls, "{path} at {at}");
            assert_eq!(usage(&first).plus(usage(&second)), usage(&whole), "{path} at {at}");
            assert_eq!(second.mark.clone().or(first.mark.clone()), whole.mark, "{path} at {at}");
            let joined = first.then(second);
            let stopped_unix_ms = joined.stopped_unix_ms;
            assert!(stopped_unix_ms.is_none() || stopped_unix_ms == whole.stopped_unix_ms);
            assert_eq!(joined, TranscriptChange { stopped_unix_ms, ..whole.clone() }, "{path} at {at}");
        }
    }
}

fn claude_line(id: &str, block: &serde_json::Value, output_tokens: u32) -> String {
    let usage = json!({"input_tokens": 10, "output_tokens": output_tokens, "cache_creation_input_tokens": 5});
    let message = json!({"id": id, "model": "claude-opus-5-5", "content": [block], "usage": usage});
    format!("{}\n", json!({"type": "assistant", "message": message}))
}

#[test]
fn a_message_that_was_still_being_written_is_not_counted_twice() {
    let text = |text| json!({"type": "text", "text": text});
    let first = claude_line("m", &json!({"type": "thinking", "thinking": "hm"}), 1);
    let second = claude_line("m", &text("one"), 40);
    let third = claude_line("m", &text("two"), 40);
    let whole = hear(Host::Claude, [first.clone(), second.clone(), third.clone()].concat().as_bytes(), None);
    assert_eq!(words(&whole), Some("one\ntwo"));
    let expected = Usage { input_tokens: 10, output_tokens: 40, cache_read_tokens: 0, cache_write_tokens: 5 };
    assert_eq!(usage(&whole), expected);

    let early = hear(Host::Claude, first.as_bytes(), None);
    let late = hear(Host::Claude, [second, third].concat().as_bytes(), early.mark.as_deref());
    assert_eq!((usage(&early).output_tokens, usage(&late).output_tokens), (1, 39));
    assert_eq!(usage(&early).plus(usage(&late)), expected);
    let again = hear(Host::Claude, claude_line("m", &text("three"), 40).as_bytes(), late.mark.as_deref());
    assert!(again.spent.is_empty());
}

#[test]
fn what_the_tool_says_in_the_models_place_is_nobodys_word() {
    let line = json!({
        "type": "assistant", "isApiErrorMessage": true,
        "message": {"id": "e", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: 529"}],
                    "usage": {"input_tokens": 0, "output_tokens": 0}},
    });
    let heard = hear(Host::Claude, format!("{line}\n").as_bytes(), None);
    assert_eq!((words(&heard), heard.spent.len(), heard.context), (None, 0, None));
}

#[test]
fn words_before_a_call_of_a_tool_are_not_the_last() {
    let lines = [
        claude_line("a", &json!({"type": "text", "text": "I am done"}), 4),
        claude_line("a", &json!({"type": "tool_use", "id": "t", "name": "Bash", "input": {}}), 4),
    ];
    assert_eq!(words(&hear(Host::Claude, lines.concat().as_bytes(), None)), None);
}

#[test]
fn each_model_has_its_own_sum_without_a_price() {
    let lines =
        claude_line("a", &json!({}), 4) + &claude_line("b", &json!({}), 6).replace("opus-5-5", "haiku-4-5");
    let heard = hear(Host::Claude, lines.as_bytes(), None);
    let models: Vec<_> = heard.spent.keys().map(|model| model.as_deref().unwrap()).collect();
    assert_eq!(models, ["claude-haiku-4-5", "claude-opus-5-5"]);
    let usage = Usage { input_tokens: 10, output_tokens: 6, cache_read_tokens: 0, cache_write_tokens: 5 };
    assert_eq!(heard.spent.values().next(), Some(&usage));
}

#[test]
fn lines_that_are_none_are_passed_over() {
    let line = claude_line("a", &json!({"type": "text", "text": "end"}), 4);
    let bytes = format!("\n{{\"type\":\n[]\n{line}\u{0}\n\n{{\"type\":\"assistant\"");
    let heard = hear(Host::Claude, bytes.as_bytes(), None);
    assert_eq!(words(&heard), Some("end"));
    assert_eq!(heard.complete_bytes, bytes.rfind('\n').unwrap() + 1);
}

#[test]
fn the_file_of_an_unknown_host_tells_nothing() {
    let bytes = sample("claude/transcript.jsonl");
    let heard = hear(Host::Other, &bytes, Some("kept"));
    let expected = TranscriptChange {
        complete_bytes: bytes.len(),
        mark: Some("kept".to_owned()),
        ..TranscriptChange::default()
    };
    assert_eq!(heard, expected);
    assert_eq!(heard.tool_calls, None, "unknown is not none");
}
