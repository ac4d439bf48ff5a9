//! OpenCode: what is known of it, the command line that it is started with, and what it may do.
//!
//! The flags are what a person asks for, and the stream what became of it.

mod stream;

use serde_json::{Map, Value, json};
use stream::Stream;

use super::descriptor::{AgentHome, AgentTrouble, Descriptor, Models, SpendingIn, ToolsBy, Writes};
use super::invocation::{Invocation, commands, flagged, owned_words};
use super::{AgentRole, Confinement, ToolServer, TurnRequest, TurnSession};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    name: "opencode",
    tested_version: "1.18.33",
    instructions: "AGENTS.md",
    tools: ToolsBy::Variable(CONFIGURATION),
    spending: SpendingIn::Stream,
    budget_flag: None,
    writes: Writes::Anywhere,
    models: Models::Own,
    home: AgentHome { variable: "XDG_DATA_HOME", within: "", default: ".local/share" },
    settings: &[],
    signed_in: Some("opencode/auth.json"),
    keys: &["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"],
    obeys: &["opencode.json", "opencode.jsonc", ".opencode"],
    signed_in_by: &[],
    troubles: &[
        // With its colours, which it prints into a pipe, too.
        ("\u{1b}[91m\u{1b}[1mError: \u{1b}[0mConfiguration is invalid at ", AgentTrouble::FlagRefused),
        // It answers a flag that it does not know with its help.
        ("opencode run [message..]", AgentTrouble::FlagRefused),
    ],
    invocation: |request| Invocation::with_arguments(arguments(request), environment(request)),
    stream: || Box::<Stream>::default(),
};

/// A judge's tools; `list` is the name of a version before.
const READING: [&str; 4] = ["read", "grep", "glob", "list"];

/// The agent that judges: one of the person's own might be allowed more.
const JUDGE: &str = "gulf-judge";

/// A session without a title has one made, by a call of the model whose cost nobody tells.
const TITLE: &str = "gulf";

/// Configuration that is merged over the person's and the project's.
pub(super) const CONFIGURATION: &str = "OPENCODE_CONFIG_CONTENT";

/// Denied even if all of git is allowed; with options before the word, too.
const PUSH: [&str; 4] = ["git push", "git push *", "git -* push", "git -* push *"];

pub(super) fn arguments(request: &TurnRequest) -> Vec<String> {
    let mut arguments = owned_words(&["run", "--format", "json", "--title", TITLE]);
    match &request.purpose {
        AgentRole::Worker { session, .. } => {
            if let TurnSession::Continue { id } = session {
                arguments.extend(owned_words(&["--session", id]));
            }
        }
        AgentRole::Judge { .. } => arguments.extend(owned_words(&["--pure", "--agent", JUDGE])),
    }
    arguments.extend(flagged("--model", &request.model));
    arguments.extend(request.extra.iter().cloned());
    arguments
}

pub(super) fn environment(request: &TurnRequest) -> Vec<(&'static str, String)> {
    let on = || "1".to_owned();
    // A session that no longer fits is begun afresh; compacting it goes on for as long as the model says it is too long.
    let mut environment = vec![("OPENCODE_DISABLE_AUTOUPDATE", on()), ("OPENCODE_DISABLE_AUTOCOMPACT", on())];
    match &request.purpose {
        AgentRole::Worker { allow, readable, confinement, tools, .. } => {
            let folders = readable.iter().chain(&request.folders);
            let permission = match confinement {
                Confinement::ByTool => of_worker(allow, folders),
                Confinement::AroundProcess => json!({"*": "allow", "task": "deny"}),
            };
            environment.push(("OPENCODE_PERMISSION", permission.to_string()));
            environment.extend(tools.iter().map(|server| (CONFIGURATION, configuration(server))));
        }
        AgentRole::Judge { .. } => {
            let permission = of_judge(&request.folders);
            let judge = json!({"agent": {JUDGE: {"mode": "primary", "permission": permission}}});
            environment.extend([
                ("OPENCODE_PERMISSION", permission.to_string()),
                (CONFIGURATION, judge.to_string()),
                ("OPENCODE_DISABLE_PROJECT_CONFIG", on()),
                ("OPENCODE_DISABLE_CLAUDE_CODE", on()),
            ]);
        }
    }
    environment
}

/// Its tools need no rule: what no rule names is allowed.
fn configuration(server: &ToolServer) -> String {
    let command: Vec<&String> = core::iter::once(&server.program).chain(&server.arguments).collect();
    let environment = &server.environment;
    let program = json!({ "type": "local", "command": command, "environment": environment, "enabled": true });
    json!({ "mcp": { server.name.as_str(): program } }).to_string()
}

/// The last rule that fits decides, so what is denied comes last. What would be asked is denied: nobody is there to
/// answer. A sub-agent's cost is told nowhere.
fn of_worker<'folders>(allow: &[String], folders: impl Iterator<Item = &'folders String>) -> Value {
    let mut shell = Map::new();
    shell.insert("*".to_owned(), "deny".into());
    for command in commands(allow) {
        shell.insert(format!("{command} *"), "allow".into());
        shell.insert(command, "allow".into());
    }
    for push in PUSH {
        shell.remove(push);
        shell.insert(push.to_owned(), "deny".into());
    }
    json!({
        "edit": "allow",
        "bash": shell,
        "external_directory": outside(folders),
        "doom_loop": "deny",
        "task": "deny",
        "question": "deny",
    })
}

fn of_judge(folders: &[String]) -> Value {
    let mut permission = Map::new();
    permission.insert("*".to_owned(), "deny".into());
    permission.extend(READING.map(|tool| (tool.to_owned(), "allow".into())));
    if !folders.is_empty() {
        permission.insert("external_directory".to_owned(), outside(folders.iter()));
    }
    Value::Object(permission)
}

fn outside<'folders>(folders: impl Iterator<Item = &'folders String>) -> Value {
    let mut outside = Map::new();
    outside.insert("*".to_owned(), "deny".into());
    outside.extend(folders.map(|folder| (format!("{folder}/*"), "allow".into())));
    Value::Object(outside)
}
