//! What hosts are told, and how often they put up with it.

use gulf_agents::sessions::{Answer, BlockCap, CLAUDE_CAP_VARIABLE, Host, ResetBy, answer, block_cap};
use serde_json::Value;

use crate::{golden, nothing};

const HOSTS: [Host; 4] = [Host::Claude, Host::Codex, Host::Copilot, Host::Other];

fn text(text: &str) -> String {
    text.to_owned()
}

fn all() -> Vec<Answer> {
    vec![
        Answer::Nothing,
        Answer::Continue { brief: text("Read .gulf/brief.md."), told: text("Iter 2/10") },
        Answer::Continue { brief: text("Read .gulf/brief.md."), told: String::new() },
        Answer::LetStop { told: text("The loop is paused.") },
        Answer::LetStop { told: String::new() },
        Answer::RefusePrompt { reason: text("No loop here.\nStart one.") },
        Answer::AddToPrompt { context: text("Read .gulf/brief.md."), told: Some(text("Iter 1/10")) },
        Answer::AddToPrompt { context: text("Read .gulf/brief.md."), told: None },
        Answer::Tell { told: text("There is a preset for it.") },
        Answer::DenyTool { reason: text("RUBRIC.md is sealed.") },
    ]
}

fn object(host: Host, wanted: &Answer) -> Option<Value> {
    answer(host, wanted).map(|line| serde_json::from_str(&line).expect("it is JSON"))
}

#[test]
fn each_host_reads_answers_in_its_own_form() {
    let mut shown = String::new();
    for wanted in all() {
        shown += &format!("{wanted:?}\n");
        for host in HOSTS {
            let line = answer(host, &wanted).unwrap_or_else(|| text("(nothing)"));
            shown += &format!("  {:8}{line}\n", host.name());
        }
    }
    golden!("answers", shown);
}

#[test]
fn an_answer_is_one_object_on_one_line() {
    let brief = text("one\ntwo\r\n\"three\" 한국어 😀");
    for host in HOSTS {
        let wanted = Answer::Continue { brief: brief.clone(), told: brief.clone() };
        let line = answer(host, &wanted).unwrap();
        assert!(!line.contains(['\n', '\r']), "{line}");
        let object = object(host, &wanted).unwrap();
        let told = [&object["reason"], &object["hookSpecificOutput"]["additionalContext"]];
        assert!(told.iter().any(|told| told.as_str() == Some(&brief)), "{line}");
    }
}

#[test]
fn a_long_text_is_told_whole() {
    let brief = "a".repeat(100_000);
    for host in HOSTS {
        let line = answer(host, &Answer::Continue { brief: brief.clone(), told: String::new() }).unwrap();
        assert!(line.contains(&brief), "{host:?}");
    }
}

/// Codex ends the session when a field is one too many, or a reason has nothing in it.
#[test]
fn codex_gets_no_field_that_it_does_not_know() {
    let known = |wanted: &Answer| match wanted {
        Answer::AddToPrompt { .. } | Answer::DenyTool { .. } => &["hookSpecificOutput", "systemMessage"][..],
        Answer::Continue { .. } | Answer::RefusePrompt { .. } => &["decision", "reason", "systemMessage"],
        Answer::Nothing | Answer::LetStop { .. } | Answer::Tell { .. } => &["systemMessage"],
    };
    for wanted in all() {
        let Some(object) = object(Host::Codex, &wanted) else { continue };
        for name in object.as_object().unwrap().keys() {
            assert!(known(&wanted).contains(&name.as_str()), "{name} in {object}");
        }
    }
}

#[test]
fn a_block_never_comes_without_a_reason() {
    for host in HOSTS {
        for wanted in [
            Answer::Continue { brief: text(" \n"), told: String::new() },
            Answer::RefusePrompt { reason: String::new() },
            Answer::DenyTool { reason: text("\t") },
        ] {
            let object = object(host, &wanted).unwrap();
            let nested = &object["hookSpecificOutput"];
            let told = [&object["reason"], &nested["additionalContext"], &nested["permissionDecisionReason"]];
            let reason = told.into_iter().find_map(Value::as_str).unwrap();
            assert!(!reason.trim().is_empty(), "{host:?}: {object}");
        }
    }
}

#[test]
fn nothing_to_add_is_nothing_to_say() {
    for host in HOSTS {
        assert_eq!(answer(host, &Answer::AddToPrompt { context: text(" "), told: None }), None);
    }
}

#[test]
fn a_host_is_named_and_found_again() {
    for host in HOSTS {
        assert_eq!(Host::from_name(host.name()), Some(host));
    }
    assert_eq!(Host::from_name("gemini"), None);
}

fn claude_cap(value: &'static str) -> Option<BlockCap> {
    block_cap(Host::Claude, &|name| (name == CLAUDE_CAP_VARIABLE).then(|| text(value)))
}

#[test]
fn claude_gives_up_after_eight_blocks_without_a_tool_or_as_a_person_set_it() {
    let cap = |blocks| Some(BlockCap { blocks, reset_by: ResetBy::ToolUse });
    assert_eq!(block_cap(Host::Claude, &nothing), cap(8));
    assert_eq!(claude_cap("3"), cap(3));
    assert_eq!(claude_cap(" 12 "), cap(12));
    assert_eq!(claude_cap("0"), None);
    for odd in ["", "many", "-1", "1e9"] {
        assert_eq!(claude_cap(odd), cap(8), "{odd:?}");
    }
}

#[test]
fn copilot_gives_up_after_eight_blocks_of_one_prompt_and_the_others_never() {
    let cap = BlockCap { blocks: 8, reset_by: ResetBy::Prompt };
    let set = |_: &str| Some(text("3"));
    assert_eq!(block_cap(Host::Copilot, &set), Some(cap));
    assert_eq!(block_cap(Host::Codex, &set), None);
    assert_eq!(block_cap(Host::Other, &set), None);
}
