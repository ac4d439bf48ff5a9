//! What each agent prints when it does not take what gulf's command line or settings say.

use gulf_agents::agents::{AgentEvent, Decoder, FailureKind, Need, ProcessEnd, Tool};

use crate::kind;

/// As recorded from the versions that the tests install.
const COMPLAINTS: [(Tool, &str, &str); 7] = [
    (Tool::Claude, "error: unknown option '--x'\n", "error: unknown option '--x'"),
    (
        Tool::Codex,
        "WARNING: proceeding, even though\nerror: unexpected argument '--x' found\n\n  tip: to pass '--x' as a value\n",
        "error: unexpected argument '--x' found",
    ),
    (
        Tool::Codex,
        "Error loading config.toml: unknown variant `foo`, expected one of `read-only`\nin `sandbox_mode`\n",
        "Error loading config.toml: unknown variant `foo`, expected one of `read-only`",
    ),
    (
        Tool::Copilot,
        "Invalid --deny-tool value. Error: Invalid rule format: shell((\n",
        "Invalid --deny-tool value. Error: Invalid rule format: shell((",
    ),
    (
        Tool::OpenCode,
        "\u{1b}[91m\u{1b}[1mError: \u{1b}[0mConfiguration is invalid at OPENCODE_CONFIG_CONTENT\n\u{21b3} Expected x\n",
        "Configuration is invalid at OPENCODE_CONFIG_CONTENT",
    ),
    (Tool::OpenCode, "opencode run [message..]\n\nrun opencode with a message\n", "opencode run [message..]"),
    (Tool::Gemini, "Unknown arguments: x\nUsage: gemini [options] [command]\n", "Unknown arguments: x"),
];

#[test]
fn an_agent_that_does_not_take_gulfs_flags_needs_a_person_and_is_quoted() {
    for (tool, printed, quoted) in COMPLAINTS {
        let mut decoder = Decoder::new(tool);
        let events = decoder.push_stderr(printed.as_bytes());
        assert_eq!(events, [AgentEvent::RulesRefused { complaint: quoted.to_owned() }], "{tool:?}");
        let report = decoder.finish(ProcessEnd::Exited(1));
        assert_eq!(kind(&report), &FailureKind::NeedsPerson { need: Need::Rules }, "{tool:?}");
    }
}

#[test]
fn once_an_agent_works_the_same_words_are_nobodys_complaint() {
    for (tool, printed, _) in COMPLAINTS {
        let mut decoder = Decoder::new(tool);
        decoder.push(b"{}\n");
        assert!(decoder.push_stderr(printed.as_bytes()).is_empty(), "{tool:?}");
    }
}
