//! Claude Code: what is known of it, and the command line that it is started with.
//!
//! The flags are what a person asks for, and the stream what became of it.

mod stream;

use serde_json::json;
use stream::Stream;

use super::descriptor::{AgentHome, AgentTrouble, Descriptor, Models, SpendingIn, ToolsBy, Writes};
use super::invocation::{Invocation, can_be_named, commands, flagged, owned_words};
use super::{AgentRole, Confinement, TurnRequest, TurnSession};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    name: "claude",
    tested_version: "2.1.332",
    instructions: "CLAUDE.md",
    tools: ToolsBy::Arguments,
    spending: SpendingIn::Stream,
    budget_flag: Some(BUDGET),
    writes: Writes::Anywhere,
    models: Models::OfRubrics,
    home: AgentHome { variable: "CLAUDE_CONFIG_DIR", within: "", default: ".claude" },
    settings: &[
        "settings.json", "CLAUDE.md", "agents/", "commands/", "hooks/", "local/", "output-styles/",
        "plugins/", "rules/", "skills/", "workflows/",
    ],
    signed_in: Some(".credentials.json"),
    keys: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    obeys: &["claude.md", "claude.local.md", ".mcp.json", ".claude"],
    signed_in_by: &[],
    troubles: &[("error: unknown option ", AgentTrouble::FlagRefused)],
    invocation: |request| Invocation::with_arguments(arguments(request), environment(request)),
    stream: || Box::<Stream>::default(),
};

const BUDGET: &str = "--max-budget-usd";

/// Denied even if the person's own settings allow all of git; with options before the word, too.
const PUSH: [&str; 4] = ["Bash(git push)", "Bash(git push *)", "Bash(git -* push)", "Bash(git -* push *)"];

pub(super) fn arguments(request: &TurnRequest) -> Vec<String> {
    let mut arguments = owned_words(&["-p", "--output-format", "stream-json", "--verbose"]);
    match &request.purpose {
        AgentRole::Worker { session, allow, readable, confinement, tools } => {
            arguments.extend(owned_words(&["--setting-sources", "user,project,local"]));
            match confinement {
                Confinement::ByTool => {
                    arguments.extend(owned_words(&["--permission-mode", "acceptEdits", "--allowedTools"]));
                    arguments.extend(allowed(allow));
                    arguments.extend(readable.iter().filter_map(|folder| reading(folder)));
                    arguments.extend(tools.iter().map(|server| format!("mcp__{}", server.name)));
                }
                Confinement::AroundProcess => {
                    arguments.extend(owned_words(&["--permission-mode", "bypassPermissions"]));
                }
            }
            arguments.push("--disallowedTools".to_owned());
            arguments.extend(owned_words(&PUSH));
            // The person's own servers stay: only a judge gets none but what is named.
            let servers = tools.iter().map(|server| server.configuration(json!({ "type": "stdio" })));
            arguments.extend(flagged("--mcp-config", servers));
            arguments.extend(match session {
                TurnSession::Fresh { id } => owned_words(&["--session-id", id]),
                TurnSession::Continue { id } => owned_words(&["--resume", id]),
            });
        }
        AgentRole::Judge { schema } => {
            arguments.extend(judge());
            arguments.extend(flagged("--json-schema", schema.iter().map(|schema| &schema.text)));
        }
    }
    arguments.extend(flagged("--add-dir", &request.folders));
    arguments.extend(flagged("--model", &request.model));
    if let Some(microdollars) = request.cost_microdollars_max {
        arguments.extend(owned_words(&[BUDGET, &dollars(microdollars)]));
    }
    arguments.extend(request.extra.iter().cloned());
    arguments
}

pub(super) fn environment(request: &TurnRequest) -> Vec<(&'static str, String)> {
    // With a background shell the process outlives its result by minutes, and says a second one.
    let mut environment = vec![("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1".to_owned())];
    match &request.purpose {
        AgentRole::Worker { confinement: Confinement::ByTool, .. } => {}
        // Without it, root is refused that everything is allowed.
        AgentRole::Worker { confinement: Confinement::AroundProcess, .. } => {
            environment.push(("IS_SANDBOX", "1".to_owned()));
        }
        // The memory of a folder is no setting source: what a worker noted there was sent to the judge.
        AgentRole::Judge { .. } => environment.push(("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1".to_owned())),
    }
    environment
}

fn judge() -> Vec<String> {
    owned_words(&[
        "--setting-sources", "", "--settings", r#"{"disableAllHooks":true}"#, "--strict-mcp-config",
        "--no-session-persistence", "--permission-mode", "dontAsk", "--tools", "Read,Grep,Glob",
    ])
}

/// Two patterns for each command: as it stands, and with arguments after it.
fn allowed(allow: &[String]) -> Vec<String> {
    let commands = commands(allow).into_iter();
    commands.flat_map(|command| [format!("Bash({command})"), format!("Bash({command} *)")]).collect()
}

/// A path that begins with two slashes is one from the root of the system: the tool's own form.
fn reading(folder: &str) -> Option<String> {
    let is_whole = folder.starts_with('/') && can_be_named(folder);
    is_whole.then(|| format!("Read(/{folder}/**)"))
}

/// The tool wants dollars, and refuses none at all.
fn dollars(microdollars: u64) -> String {
    let microdollars = microdollars.max(1);
    format!("{}.{:06}", microdollars / 1_000_000, microdollars % 1_000_000)
}
