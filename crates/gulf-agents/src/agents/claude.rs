//! Claude Code: its line.
//!
//! It stands apart from its stream because the flags are what a person asks for, and the stream what became of it.

mod failure;
mod stream;

pub(super) use stream::Stream;

use std::collections::BTreeMap;

use serde_json::json;

use super::{Confinement, Purpose, Session, ToolServer, TurnRequest};

/// What git does for a worker. Anything that reaches another repository, or the person's branches, is missing.
const GIT: [&str; 13] = [
    "add",
    "blame",
    "commit",
    "diff",
    "grep",
    "log",
    "ls-files",
    "mv",
    "restore",
    "rev-parse",
    "rm",
    "show",
    "status",
];

/// Denied even if the person's own settings allow all of git; with options before the word, too.
const PUSH: [&str; 4] = ["Bash(git push)", "Bash(git push *)", "Bash(git -* push)", "Bash(git -* push *)"];

/// How a worker tells what it found out, and asks (SPEC B6, A5).
const WORDS_TO_GULF: [&str; 2] = ["gulf claim", "gulf ask"];

pub(super) fn arguments(request: &TurnRequest) -> Vec<String> {
    let mut arguments = words(&["-p", "--output-format", "stream-json", "--verbose"]);
    match &request.purpose {
        Purpose::Worker { session, allow, readable, confinement, tools } => {
            arguments.extend(worker(allow, readable, *confinement, tools.as_ref()));
            arguments.extend(match session {
                Session::Fresh { id } => words(&["--session-id", id]),
                Session::Continue { id } => words(&["--resume", id]),
            });
        }
        Purpose::Judge { schema } => {
            arguments.extend(judge());
            if let Some(schema) = schema {
                arguments.extend(words(&["--json-schema", &schema.text]));
            }
        }
    }
    for folder in &request.folders {
        arguments.extend(words(&["--add-dir", folder]));
    }
    if let Some(model) = &request.model {
        arguments.extend(words(&["--model", model]));
    }
    if let Some(microdollars) = request.cost_microdollars_max {
        arguments.extend(words(&["--max-budget-usd", &dollars(microdollars)]));
    }
    arguments.extend(request.extra.iter().cloned());
    arguments
}

pub(super) fn environment(request: &TurnRequest) -> Vec<(&'static str, &'static str)> {
    // With a background shell the process outlives its result by minutes, and says a second one.
    let mut environment = vec![("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1")];
    match &request.purpose {
        Purpose::Worker { confinement: Confinement::ByTool, .. } => {}
        // Without it, root is refused that everything is allowed.
        Purpose::Worker { confinement: Confinement::AroundProcess, .. } => {
            environment.push(("IS_SANDBOX", "1"));
        }
        // The memory of a folder is no setting source: what a worker noted there was sent to the judge.
        Purpose::Judge { .. } => environment.push(("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")),
    }
    environment
}

fn worker(
    allow: &[String],
    readable: &[String],
    confinement: Confinement,
    tools: Option<&ToolServer>,
) -> Vec<String> {
    let mut arguments = words(&["--setting-sources", "user,project,local"]);
    match confinement {
        Confinement::ByTool => {
            arguments.extend(words(&["--permission-mode", "acceptEdits", "--allowedTools"]));
            arguments.extend(allowed(allow));
            arguments.extend(readable.iter().filter_map(|folder| reading(folder)));
            arguments.extend(tools.map(|server| format!("mcp__{}", server.name)));
        }
        Confinement::AroundProcess => arguments.extend(words(&["--permission-mode", "bypassPermissions"])),
    }
    arguments.extend(words(&["--disallowedTools"]));
    arguments.extend(words(&PUSH));
    // The person's own servers stay: only a judge gets none but what is named.
    arguments.extend(tools.into_iter().flat_map(|server| ["--mcp-config".to_owned(), configuration(server)]));
    arguments
}

fn configuration(server: &ToolServer) -> String {
    let environment: BTreeMap<_, _> = server.environment.iter().cloned().collect();
    let program = json!({
        "type": "stdio", "command": server.program, "args": server.arguments, "env": environment,
    });
    json!({ "mcpServers": { server.name.as_str(): program } }).to_string()
}

fn judge() -> Vec<String> {
    words(&[
        "--setting-sources",
        "",
        "--settings",
        r#"{"disableAllHooks":true}"#,
        "--strict-mcp-config",
        "--no-session-persistence",
        "--permission-mode",
        "dontAsk",
        "--tools",
        "Read,Grep,Glob",
    ])
}

/// Two patterns for each command: as it stands, and with arguments after it.
fn allowed(allow: &[String]) -> Vec<String> {
    let git = GIT.iter().map(|verb| format!("git {verb}"));
    let asked = allow.iter().flat_map(|command| parts(command));
    let mut patterns = Vec::new();
    for command in git.chain(WORDS_TO_GULF.map(str::to_owned)).chain(asked) {
        for pattern in [format!("Bash({command})"), format!("Bash({command} *)")] {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    patterns
}

/// A path that begins with two slashes is one from the root of the system: the tool's own form.
fn reading(folder: &str) -> Option<String> {
    let is_whole = folder.starts_with('/') && can_be_named(folder);
    is_whole.then(|| format!("Read(/{folder}/**)"))
}

/// The tool takes a line of a shell apart and asks for each command, so each is named.
///
/// Within quotes an operator is text: such a line is named as a whole.
fn parts(command: &str) -> Vec<String> {
    let is_quoted = command.contains(['"', '\'', '\\', '`']);
    let parts = if is_quoted { vec![command] } else { command.split(['&', '|', ';', '\n']).collect() };
    parts.into_iter().map(str::trim).filter(|part| can_be_named(part)).map(str::to_owned).collect()
}

/// A bracket that is not closed would end the pattern early, and what follows would be read as a tool's name.
fn can_be_named(command: &str) -> bool {
    let mut open = 0_usize;
    for character in command.chars() {
        match character {
            '(' => open += 1,
            ')' if open == 0 => return false,
            ')' => open -= 1,
            _ => {}
        }
    }
    open == 0 && !command.is_empty() && !command.contains('\n')
}

/// The tool wants dollars, and refuses none at all.
fn dollars(microdollars: u64) -> String {
    let microdollars = microdollars.max(1);
    format!("{}.{:06}", microdollars / 1_000_000, microdollars % 1_000_000)
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
