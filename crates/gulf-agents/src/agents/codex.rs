//! Codex CLI: what is known of it, and the command line that it is started with.
//!
//! The flags are what a person asks for, and the stream what became of it; the file of a session is public because
//! its path is the host's to find.

mod rollout;
mod stream;

use stream::Stream;

use super::descriptor::{AgentHome, AgentTrouble, Descriptor, Models, SpendingIn, ToolsBy, Writes};
use super::invocation::{Invocation, flagged, owned_words};
use super::{AgentRole, Confinement, ToolServer, TurnRequest, TurnSession};

pub use rollout::{RolloutReport, rollout};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    name: "codex",
    tested_version: "0.171.0",
    instructions: "AGENTS.md",
    tools: ToolsBy::Arguments,
    spending: SpendingIn::SessionFile,
    budget_flag: None,
    writes: Writes::NamedFolders,
    models: Models::Own,
    home: AgentHome { variable: "CODEX_HOME", within: "", default: ".codex" },
    settings: &[
        ".env", "AGENTS.md", "AGENTS.override.md", "agents/", "config.toml", "hooks.json", "plugins/",
        "prompts/", "rules/", "skills/",
    ],
    signed_in: Some("auth.json"),
    keys: &["OPENAI_API_KEY", "CODEX_API_KEY"],
    obeys: &["agents.md", "agents.override.md", ".codex", ".agents"],
    signed_in_by: &[],
    troubles: &[
        ("error: unexpected argument ", AgentTrouble::FlagRefused),
        ("error: invalid value ", AgentTrouble::FlagRefused),
        ("Error loading config.toml: ", AgentTrouble::FlagRefused),
    ],
    invocation: |request| Invocation::with_arguments(arguments(request), Vec::new()),
    stream: || Box::<Stream>::default(),
};

/// What a judge must not have: instructions, skills, hooks and plugins of the project or the person, helpers, the web.
/// A key that a version does not know is ignored with a warning; `--disable` would be an error.
const JUDGE_SETTINGS: [&str; 8] = [
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "features.hooks=false",
    "features.plugins=false",
    "features.apps=false",
    "features.multi_agent=false",
    "features.goals=false",
    r#"web_search="disabled""#,
];

pub(super) fn arguments(request: &TurnRequest) -> Vec<String> {
    let mut arguments = owned_words(&["exec", "--json", "--skip-git-repo-check"]);
    match &request.purpose {
        AgentRole::Worker { confinement, tools, .. } => {
            arguments.extend(match confinement {
                Confinement::ByTool => owned_words(&["-s", "workspace-write"]),
                Confinement::AroundProcess => owned_words(&["--dangerously-bypass-approvals-and-sandbox"]),
            });
            // A login shell sets PATH anew, and `gulf claim` would not be found on it.
            arguments.extend(owned_words(&["-c", "allow_login_shell=false"]));
            arguments.extend(tools.iter().flat_map(configuration));
            arguments.extend(flagged("--add-dir", &request.folders));
        }
        AgentRole::Judge { schema } => {
            arguments.extend(judge(&request.folder));
            arguments.extend(flagged("--output-schema", schema.iter().map(|schema| &schema.file)));
        }
    }
    arguments.extend(flagged("-m", &request.model));
    arguments.extend(request.extra.iter().cloned());
    // `resume` takes neither a sandbox nor folders, so it comes after all options.
    if let AgentRole::Worker { session: TurnSession::Continue { id }, .. } = &request.purpose {
        arguments.extend(owned_words(&["resume", id]));
    }
    arguments.push("-".to_owned());
    arguments
}

/// Without the approval each call would ask a person, whom `exec` does not have, and so be cancelled.
fn configuration(server: &ToolServer) -> [String; 2] {
    let text = |text: &str| toml::Value::String(text.to_owned());
    let environment = server.environment.iter().map(|(name, value)| (name.clone(), text(value)));
    let arguments = server.arguments.iter().map(|argument| text(argument));
    let program = toml::Table::from_iter([
        ("command".to_owned(), text(&server.program)),
        ("args".to_owned(), toml::Value::Array(arguments.collect())),
        ("env".to_owned(), toml::Value::Table(environment.collect())),
        ("default_tools_approval_mode".to_owned(), text("approve")),
    ]);
    ["-c".to_owned(), format!("mcp_servers.{}={}", server.name, toml::Value::Table(program))]
}

fn judge(folder: &str) -> Vec<String> {
    let mut arguments = owned_words(&["-s", "read-only", "--ephemeral"]);
    arguments.extend(flagged("-c", JUDGE_SETTINGS));
    // A worktree is trusted by its repository, and a trusted project's `.codex/config.toml` can give instructions
    // and start programs outside of the sandbox. The worker can write it.
    let folder = toml::Value::String(folder.to_owned());
    arguments.extend(owned_words(&["-c", &format!("projects={{{folder}={{trust_level=\"untrusted\"}}}}")]));
    arguments
}
