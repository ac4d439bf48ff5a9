//! What a turn asks of an agent, and the process that does it.
//!
//! The request is the same for every agent: what a tool cannot take is left out of its line, and each line was tried
//! on the tool.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Tool;

/// One turn of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnRequest {
    pub prompt: String,
    pub purpose: AgentRole,
    /// The folder the process will run in, without links in its path: Codex keeps its trust by it.
    pub folder: String,
    /// Folders outside of it that the turn needs: a worker may write them, a judge may read them.
    pub folders: Vec<String>,
    /// The tool's own choice, if none is named.
    pub model: Option<String>,
    /// Only Claude takes one; elsewhere the limit must be kept between turns.
    pub cost_microdollars_max: Option<u64>,
    /// A person's own flags, after ours.
    pub extra: Vec<String>,
    /// Where files that a tool wants beside its arguments may lie: a path without an ending, outside of the project.
    pub beside: String,
}

/// Who the agent is in this turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentRole {
    /// It changes the project, with the project's own settings and instructions.
    Worker {
        session: TurnSession,
        /// Shell commands that it may run, as a person would type them. Codex has no list: there the sandbox decides.
        allow: Vec<String>,
        /// Folders outside of the project that it is to read. Codex reads everything anyway; Copilot CLI and OpenCode
        /// know no folder that may be read and not written.
        readable: Vec<String>,
        confinement: Confinement,
        tools: Option<ToolServer>,
    },
    /// It reads and answers. Settings, instructions, memory and hooks of the project are kept from it, because the
    /// worker it judges can write them. It has no session to go on with.
    Judge { schema: Option<Schema> },
}

/// A program that gives a worker further tools, by MCP on its standard streams. All of them are allowed, and the
/// person's own servers stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolServer {
    /// Letters only: agents make it part of its tools' names.
    pub name: String,
    pub program: String,
    pub arguments: Vec<String>,
    /// Codex hands on few variables of its own; these it gets.
    pub environment: BTreeMap<String, String>,
}

/// The session that a worker's turn belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnSession {
    /// A new one. Claude, Copilot and Gemini take the id, which must be a UUID that was never used; Codex and OpenCode
    /// choose their own.
    Fresh { id: String },
    /// The one of an earlier report.
    Continue { id: String },
}

/// What keeps a worker from doing harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// The tool itself: lists of what is allowed, or its sandbox.
    ByTool,
    /// A sandbox around the process: everything inside it is allowed.
    AroundProcess,
}

/// The form an answer must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// A JSON schema, for Claude.
    pub text: String,
    /// Where the same text was written, for Codex.
    pub file: String,
}

/// A process to start. The prompt goes in by stdin, never by an argument, where every process on the machine
/// could read it and its length would have a limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    pub program: String,
    pub arguments: Vec<String>,
    /// On top of what the process inherits.
    pub environment: Vec<(String, String)>,
    pub stdin: String,
    /// Written before it starts: path and text.
    pub files: Vec<(String, String)>,
}

/// The line for a turn.
pub fn invocation(tool: Tool, request: &TurnRequest) -> Invocation {
    let mut line = (tool.descriptor().invocation)(request);
    tool.name().clone_into(&mut line.program);
    // A hook of gulf in the agent's own session would start a loop within the loop.
    line.environment.push(("GULF_EXTERNAL".to_owned(), "1".to_owned()));
    if line.stdin.is_empty() {
        line.stdin.clone_from(&request.prompt);
    }
    line
}

impl Invocation {
    pub(super) fn with_arguments(arguments: Vec<String>, environment: Vec<(&str, String)>) -> Self {
        let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Self { arguments, environment, ..Self::default() }
    }
}

impl ToolServer {
    /// As Claude Code and Copilot CLI take servers; `program` is what else each of them wants to know.
    pub(super) fn configuration(&self, mut program: Value) -> String {
        program["command"] = json!(self.program);
        program["args"] = json!(self.arguments);
        program["env"] = json!(self.environment);
        json!({ "mcpServers": { self.name.as_str(): program } }).to_string()
    }
}

// The shell commands that a worker may run, for every tool that has a list of them.

/// What git does for a worker. Anything that reaches another repository, or the person's branches, is missing.
const GIT: [&str; 13] = [
    "add", "blame", "commit", "diff", "grep", "log", "ls-files", "mv", "restore", "rev-parse", "rm", "show",
    "status",
];

/// How a worker tells what it found out, and asks (SPEC B6, A5).
const WORDS_TO_GULF: [&str; 2] = ["gulf claim", "gulf ask"];

/// Git's, gulf's, and what was asked for, each once; every one also with arguments after it.
pub(super) fn commands(allow: &[String]) -> Vec<String> {
    let git = GIT.iter().map(|verb| format!("git {verb}"));
    let asked = allow.iter().flat_map(|command| parts(command));
    let mut commands = Vec::new();
    for command in git.chain(WORDS_TO_GULF.map(str::to_owned)).chain(asked) {
        if !commands.contains(&command) {
            commands.push(command);
        }
    }
    commands
}

/// Tools take a line of a shell apart and ask for each command, so each is named.
///
/// Within quotes an operator is text: such a line is named as a whole.
fn parts(command: &str) -> Vec<String> {
    let is_quoted = command.contains(['"', '\'', '\\', '`']);
    let parts = if is_quoted { vec![command] } else { command.split(['&', '|', ';', '\n']).collect() };
    parts.into_iter().map(str::trim).filter(|part| can_be_named(part)).map(str::to_owned).collect()
}

/// A bracket that is not closed would end a pattern early, and what follows would be read as a tool's name.
pub(super) fn can_be_named(command: &str) -> bool {
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

/// Each value with its flag before it.
pub(super) fn flagged<Value: AsRef<str>>(
    flag: &str,
    values: impl IntoIterator<Item = Value>,
) -> impl Iterator<Item = String> {
    values.into_iter().flat_map(move |value| [flag.to_owned(), value.as_ref().to_owned()])
}

/// Arguments from words.
pub(super) fn owned_words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
