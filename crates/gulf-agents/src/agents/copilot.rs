//! Copilot CLI: what is known of it, and the command line that it is started with.
//!
//! The flags are what a person asks for, and the stream what became of it; the file of what a session used is public
//! because reading it is the host's to do.

mod stream;

use serde_json::json;
use stream::Stream;

use super::descriptor::{AgentHome, AgentTrouble, Descriptor, Models, SpendingIn, ToolsBy, Writes};
use super::invocation::{Invocation, can_be_named, commands, owned_words};
use super::{AgentRole, Confinement, ToolServer, TurnRequest, TurnSession};

pub(crate) use stream::TOKENS;
pub use stream::{SessionUsage, usage};

pub(super) const DESCRIPTOR: Descriptor = Descriptor {
    name: "copilot",
    tested_version: "1.0.102",
    instructions: "AGENTS.md",
    tools: ToolsBy::Arguments,
    spending: SpendingIn::UsageFile,
    budget_flag: None,
    writes: Writes::Anywhere,
    models: Models::Own,
    home: AgentHome { variable: "COPILOT_HOME", within: "", default: ".copilot" },
    settings: &[
        "agents/", "config.json", "copilot-instructions.md", "hooks/", "installed-plugins/", "instructions/",
        "lsp-config.json", "mcp-config.json", "settings.json", "skills/",
    ],
    // In a keychain, or in a file that is there for other reasons, too.
    signed_in: None,
    keys: &["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"],
    obeys: &[
        "copilot-instructions.md", ".copilot", ".github/agents", ".github/copilot", ".github/hooks",
        ".github/instructions", ".github/skills",
    ],
    // The keyring of the desktop, and what `gh` knows.
    signed_in_by: &["$XDG_RUNTIME_DIR/bus", "~/.config/gh"],
    troubles: &[
        ("error: unknown option ", AgentTrouble::FlagRefused),
        ("error: Invalid command format.", AgentTrouble::FlagRefused),
        ("Invalid --", AgentTrouble::FlagRefused),
    ],
    // Another version between two turns would be another worker.
    invocation: |request| {
        Invocation::with_arguments(arguments(request), vec![("COPILOT_AUTO_UPDATE", "false".to_owned())])
    },
    stream: || Box::<Stream>::default(),
};

/// Denied even if all of git is allowed.
const PUSH: &str = "--deny-tool=shell(git push)";

/// A judge's tools.
const READING: &str = "--available-tools=view,grep,glob";

/// Where a session's sums are written.
pub fn usage_file(beside: &str) -> String {
    format!("{beside}-usage.json")
}

pub(super) fn arguments(request: &TurnRequest) -> Vec<String> {
    let mut arguments = owned_words(&["--output-format=json", "--stream=off", "--no-ask-user"]);
    arguments.push(format!("--usage-output-file={}", usage_file(&request.beside)));
    match &request.purpose {
        AgentRole::Worker { session, allow, readable, confinement, tools } => {
            match confinement {
                Confinement::ByTool => {
                    arguments.push("--allow-tool=write".to_owned());
                    arguments.extend(allowed(allow));
                    arguments.extend(tools.iter().map(|server| format!("--allow-tool={}", server.name)));
                }
                Confinement::AroundProcess => arguments.push("--allow-all".to_owned()),
            }
            arguments.extend(tools.iter().map(configuration));
            arguments.push(PUSH.to_owned());
            arguments.extend(readable.iter().map(|folder| format!("--add-dir={folder}")));
            arguments.push(match session {
                TurnSession::Fresh { id } => format!("--session-id={id}"),
                TurnSession::Continue { id } => format!("--resume={id}"),
            });
        }
        AgentRole::Judge { .. } => {
            arguments.extend(owned_words(&[READING, "--deny-tool=shell", "--deny-tool=write"]));
            arguments.extend(owned_words(&["--no-custom-instructions", "--disable-builtin-mcps"]));
        }
    }
    arguments.extend(request.folders.iter().map(|folder| format!("--add-dir={folder}")));
    if let Some(model) = &request.model {
        arguments.push(format!("--model={model}"));
    }
    arguments.extend(request.extra.iter().cloned());
    arguments
}

/// It comes on top of the person's own file of servers.
fn configuration(server: &ToolServer) -> String {
    let program = json!({ "type": "local", "tools": ["*"] });
    format!("--additional-mcp-config={}", server.configuration(program))
}

/// It knows the words of git and of a few other programs; of any other it knows the program alone, whatever comes after
/// it. So a command is named by its first word, too, where the rules of git do not decide.
fn allowed(allow: &[String]) -> Vec<String> {
    let mut patterns = Vec::new();
    for command in commands(allow) {
        let program = command.split_whitespace().next().filter(|program| *program != "git");
        for name in [Some(command.as_str()), program].into_iter().flatten() {
            let pattern = format!("--allow-tool=shell({name}:*)");
            if can_be_named(name) && !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    patterns
}
