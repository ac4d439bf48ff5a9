//! Gemini CLI: what is known of it, its command line, and the file of rules that it reads. What it prints is read by
//! `gemini/stream.rs`.

mod stream;

use std::fmt::Write as _;

use stream::Stream;

use super::descriptor::{AgentHome, AgentTrouble, Descriptor, Models, SpendingIn, ToolsBy, Writes};
use super::invocation::{Invocation, commands, flagged, owned_words};
use super::{AgentRole, Confinement, TurnRequest, TurnSession};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    name: "gemini",
    tested_version: "0.61.0",
    instructions: "AGENTS.md",
    tools: ToolsBy::Nothing,
    spending: SpendingIn::Stream,
    budget_flag: None,
    writes: Writes::Anywhere,
    models: Models::Own,
    home: AgentHome { variable: "GEMINI_CLI_HOME", within: ".gemini", default: ".gemini" },
    settings: &[
        ".env", "GEMINI.md", "agents/", "commands/", "extensions/", "hooks/", "policies/", "settings.json",
        "skills/", "trustedFolders.json",
    ],
    signed_in: Some("oauth_creds.json"),
    keys: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    // It takes its variables from `.env`: where it sends what it is asked, for example.
    obeys: &["gemini.md", ".geminiignore", ".gemini", ".env"],
    signed_in_by: &[],
    troubles: &[
        ("Attempt ", AgentTrouble::Retry),
        ("[ADMIN] Policy file error in ", AgentTrouble::RulesRefused),
        ("Unknown argument", AgentTrouble::FlagRefused),
    ],
    invocation,
    stream: || Box::<Stream>::default(),
};

/// A judge's tools.
const READING: [&str; 4] = ["read_file", "list_directory", "glob", "grep_search"];

/// Tools that change files.
const WRITING: [&str; 2] = ["write_file", "replace"];

/// Denied even if all of git is allowed; with options and folders as their values before the word, too. It takes no
/// pattern with a repetition in brackets that may be left out, so each form is one of its own.
const PUSH: [&str; 2] = [r"git +push\b", r"git +-[^;&|]* push\b"];

/// Said before a prompt that the tool would read otherwise.
const AT_SIGNS: &str =
    "(In this text a backslash stands before every at sign. It is not part of the text.)\n\n";

pub(super) fn invocation(request: &TurnRequest) -> Invocation {
    let rules_file = format!("{}-rules.toml", request.beside);
    let mut arguments = owned_words(&["--output-format", "stream-json", "--skip-trust"]);
    let rules = match &request.purpose {
        AgentRole::Worker { session, allow, readable, confinement, .. } => {
            arguments.extend(flagged("--include-directories", readable));
            arguments.extend(match session {
                TurnSession::Fresh { id } => owned_words(&["--session-id", id]),
                TurnSession::Continue { id } => owned_words(&["--resume", id]),
            });
            match confinement {
                Confinement::ByTool => {
                    arguments.extend(owned_words(&["--approval-mode", "auto_edit"]));
                    arguments.extend(owned_words(&["--admin-policy", &rules_file]));
                    Some(of_worker(allow, readable))
                }
                Confinement::AroundProcess => {
                    arguments.extend(owned_words(&["--approval-mode", "yolo"]));
                    None
                }
            }
        }
        // Rules beside those of an administrator are passed over; then those in the place of the person's own hold.
        AgentRole::Judge { .. } => {
            arguments.extend(owned_words(&["--approval-mode", "default", "--extensions=none"]));
            arguments.push("--allowed-mcp-server-names=none".to_owned());
            arguments.extend(owned_words(&["--admin-policy", &rules_file, "--policy", &rules_file]));
            Some(of_judge())
        }
    };
    arguments.extend(flagged("--include-directories", &request.folders));
    arguments.extend(flagged("--model", &request.model));
    arguments.extend(request.extra.iter().cloned());
    let files = rules.map(|rules| (rules_file, rules)).into_iter().collect();
    Invocation { arguments, stdin: literal(&request.prompt), files, ..Invocation::default() }
}

/// `@path` in a prompt is replaced by what the file holds, and a prompt that begins with a slash is a command: neither
/// may be done by what a worker wrote for its judge, nor by a person's goal.
fn literal(prompt: &str) -> String {
    if !prompt.contains('@') && !prompt.trim_start().starts_with('/') {
        return prompt.to_owned();
    }
    format!("{AT_SIGNS}{}", prompt.replace('@', "\\@"))
}

/// A command of several parts is taken apart by the tool, and each part needs a rule.
fn of_worker(allow: &[String], readable: &[String]) -> String {
    let prefixes = commands(allow).iter().map(|command| quoted(command)).collect::<Vec<_>>().join(", ");
    let mut rules = rule("run_shell_command", "allow", 500);
    // A program that a check runs can write where it likes anyway.
    let _ = writeln!(rules, "commandPrefix = [{prefixes}]\nallowRedirection = true");
    for push in PUSH {
        rules += &rule("run_shell_command", "deny", 900);
        let _ = writeln!(rules, "commandRegex = {}", quoted(push));
    }
    for folder in readable {
        let inside = format!("\"file_path\":\"{}/", literal_in_regex(folder));
        for tool in WRITING {
            rules += &rule(tool, "deny", 900);
            let _ = writeln!(rules, "argsPattern = {}", quoted(&inside));
        }
    }
    rules
}

fn of_judge() -> String {
    let allowed = READING.map(|tool| rule(tool, "allow", 950)).concat();
    rule("*", "deny", 900) + &allowed
}

fn rule(tool: &str, decision: &str, priority: u32) -> String {
    format!("[[rule]]\ntoolName = {}\ndecision = {}\npriority = {priority}\n", quoted(tool), quoted(decision))
}

/// Text as TOML writes it on one line.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string().replace('\n', "\\n")
}

fn literal_in_regex(text: &str) -> String {
    let escaped = |character: char| {
        let is_plain = character.is_alphanumeric() || ['/', '_', '-', ' '].contains(&character);
        if is_plain { vec![character] } else { vec!['\\', character] }
    };
    text.chars().flat_map(escaped).collect()
}

/// What a judge copied from the material it was shown, as it stood there.
pub(super) fn as_it_stood(message: &str) -> String {
    message.replace("\\\\@", "@").replace("\\@", "@")
}
