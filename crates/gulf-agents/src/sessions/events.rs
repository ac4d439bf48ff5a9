//! What a host says when it calls a hook: one JSON object on stdin (CONTRACT §1.4).
//!
//! Three hosts tell the same in other words, and two of them pretend to be the first. A field that is not known is
//! ignored; one that is known and of another type is an error, because whoever took it for none would let the session
//! of a loop pass as a stranger's.

use serde_json::{Map, Value};

use super::{Host, json};

/// What came on stdin, in words that are the same for every host.
#[derive(Clone, Debug, PartialEq)]
pub struct HookEvent {
    pub host: Host,
    /// The session's own id, also where a sub-agent speaks.
    pub session: Option<String>,
    pub cwd: Option<String>,
    /// The file that the host keeps of the session.
    pub transcript: Option<String>,
    /// Tells one prompt of a person from the next; where the host counts none, one event from the next.
    pub occasion: Option<String>,
    /// An agent within the session, not the session itself.
    pub is_subagent: bool,
    pub kind: HookKind,
}

/// What happened in the session, or is about to.
#[derive(Clone, Debug, PartialEq)]
pub enum HookKind {
    /// The agent wants to end its turn.
    Stop {
        /// Its last words, if the host tells them.
        message: Option<String>,
        /// A hook has kept this turn going before.
        continuing: bool,
        /// What still runs in the background, by its description or its command.
        background_tasks: Vec<String>,
    },
    /// A person, or on some hosts a hook, said this to the agent; it is as it was typed.
    Prompt { text: String },
    /// A tool is about to be called.
    Tool { name: String, input: Value },
    /// The session begins, or begins again.
    Start { source: Option<String> },
    /// Anything else, by the host's own name.
    Other { name: String },
}

/// Why what came on stdin is no event: no JSON object, a field of another type, or one without which it means nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HookError(String);

/// Reads an event. `named` is what the hook was called as where stdin does not name the event; `variable` looks into
/// the hook's environment.
///
/// Nothing on stdin is a stop without a message, unless another event is named. The bytes are limited by who reads
/// them from stdin.
pub fn read(
    stdin: &[u8],
    named: Option<&str>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<HookEvent, HookError> {
    // PowerShell puts a mark of the byte order before what it pipes.
    let stdin = stdin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(stdin).trim_ascii();
    let fields = EventFields(match stdin {
        b"" => Map::new(),
        text => object(text)?,
    });
    let transcript = fields.text(["transcript_path", "transcriptPath"])?;
    let event = fields.text(["hook_event_name", "hookEventName"])?;
    let host = host(&fields, event.as_deref(), transcript.as_deref(), variable);
    let event =
        event.or_else(|| named.map(str::to_owned)).unwrap_or_else(|| fields.likely_event().to_owned());
    let kind = fields.kind(&event)?;
    let is_of_subagent = event.to_ascii_lowercase().starts_with("subagent");
    Ok(HookEvent {
        host,
        session: fields.session()?,
        cwd: fields.text(["cwd", "cwd"])?,
        transcript,
        occasion: fields.occasion()?,
        is_subagent: is_of_subagent || fields.text(["agent_id", "agentId"])?.is_some(),
        kind,
    })
}

fn object(text: &[u8]) -> Result<Map<String, Value>, HookError> {
    match json::value(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(other) => Err(HookError(format!("the event on stdin is {}, not a JSON object", type_of(&other)))),
        Err(error) => Err(HookError(format!("the event on stdin is not JSON: {error}"))),
    }
}

/// Who speaks. What was said beats the environment: agents start one another, and a variable of the outer one is
/// still there within.
fn host(
    fields: &EventFields,
    event: Option<&str>,
    transcript: Option<&str>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Host {
    let said = fields.host_of_shape(event).or_else(|| transcript.and_then(|path| fields.host_of_file(path)));
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    let own = [("COPILOT_CLI", Host::Copilot), ("PLUGIN_ROOT", Host::Codex), ("CLAUDECODE", Host::Claude)];
    let set = || own.into_iter().find(|(name, _)| is_set(name)).map(|(_, host)| host);
    said.or_else(set).unwrap_or(Host::Other)
}

/// The fields of an event; each is asked for under the portable name and under Copilot CLI's own.
struct EventFields(Map<String, Value>);

impl EventFields {
    fn find(&self, names: [&'static str; 2]) -> Option<(&'static str, &Value)> {
        let found = names.into_iter().find_map(|name| Some((name, self.0.get(name)?)));
        found.filter(|(_, value)| !value.is_null())
    }

    fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.0.get(*name).is_some_and(|value| !value.is_null()))
    }

    /// A text; an empty one is none.
    fn text(&self, names: [&'static str; 2]) -> Result<Option<String>, HookError> {
        Ok(self.any_text(names)?.filter(|text| !text.is_empty()))
    }

    /// In Copilot CLI a sub-agent's events bear its own id in the session's place.
    fn session(&self) -> Result<Option<String>, HookError> {
        let session = self.text(["session_id", "sessionId"])?;
        let agent = self.text(["agent_id", "agentId"])?;
        let parent = self.text(["parent_agent_id", "parentAgentId"])?;
        Ok(if session.is_some() && session == agent { parent.or(session) } else { session })
    }

    fn any_text(&self, names: [&'static str; 2]) -> Result<Option<String>, HookError> {
        Ok(self.typed(names, "a string", Value::as_str)?.map(str::to_owned))
    }

    fn typed<'fields, T>(
        &'fields self,
        names: [&'static str; 2],
        expected: &'static str,
        read: impl Fn(&'fields Value) -> Option<T>,
    ) -> Result<Option<T>, HookError> {
        let Some((field, value)) = self.find(names) else { return Ok(None) };
        let found = type_of(value);
        let wrong = || HookError(format!("`{field}` of the event on stdin is {found}, not {expected}"));
        read(value).map(Some).ok_or_else(wrong)
    }

    /// Fields that no other host sends.
    fn host_of_shape(&self, event: Option<&str>) -> Option<Host> {
        if self.has_any(&["turn_id"]) {
            Some(Host::Codex)
        } else if self.has_any(&["sessionId"]) {
            Some(Host::Copilot)
        } else if self.has_any(&["prompt_id", "effort", "background_tasks", "session_crons"]) {
            Some(Host::Claude)
        } else if self.has_any(&["timestamp"]) && event.is_some_and(is_portable) {
            // Gemini CLI tells the time as well, and the path of its file when a session begins.
            let is_copilot =
                self.has_any(&["stop_reason", "initial_prompt"]) || !self.has_any(&["transcript_path"]);
            is_copilot.then_some(Host::Copilot)
        } else {
            None
        }
    }

    /// Each host names the file of a session in its own way.
    fn host_of_file(&self, path: &str) -> Option<Host> {
        let name = path.rsplit(['/', '\\']).next()?.strip_suffix(".jsonl")?;
        if name == "events" {
            Some(Host::Copilot)
        } else if name.starts_with("rollout-") {
            Some(Host::Codex)
        } else {
            (self.0.get("session_id")? == name).then_some(Host::Claude)
        }
    }

    /// What happened, where nobody names it. Copilot CLI's own hooks do not, and neither does a person at a prompt.
    fn likely_event(&self) -> &'static str {
        let neutral = ["session_id", "sessionId", "cwd", "transcript_path", "transcriptPath", "timestamp"];
        let stop = ["stop_hook_active", "stop_reason", "stopReason", "last_assistant_message"];
        let others: [(&[&str], &str); 4] = [
            (&["tool_response", "tool_result", "toolResult", "error"], "unnamed"),
            (&["tool_name", "toolName"], "tool"),
            (&["prompt"], "prompt"),
            (&["source"], "start"),
        ];
        let is_stop = stop.iter().any(|name| self.0.contains_key(*name))
            || self.0.keys().all(|name| neutral.contains(&name.as_str()));
        let other = others.into_iter().find(|(names, _)| self.has_any(names)).map(|(_, event)| event);
        other.unwrap_or(if is_stop { "stop" } else { "unnamed" })
    }

    fn kind(&self, event: &str) -> Result<HookKind, HookError> {
        let missing = |field| HookError(format!("the event {event} on stdin has no `{field}`"));
        Ok(match event {
            "Stop" | "stop" | "agentStop" => HookKind::Stop {
                message: self.any_text(["last_assistant_message", "lastAssistantMessage"])?,
                continuing: self
                    .typed(["stop_hook_active", "stopHookActive"], "true or false", Value::as_bool)?
                    .unwrap_or(false),
                background_tasks: self.background_tasks()?,
            },
            "UserPromptSubmit" | "prompt" | "userPromptSubmitted" | "userPromptSubmit" => HookKind::Prompt {
                text: self.any_text(["prompt", "prompt"])?.ok_or_else(|| missing("prompt"))?,
            },
            "PreToolUse" | "tool" | "preToolUse" => HookKind::Tool {
                name: self.text(["tool_name", "toolName"])?.ok_or_else(|| missing("tool_name"))?,
                input: self.tool_input(),
            },
            "SessionStart" | "start" | "sessionStart" => {
                HookKind::Start { source: self.text(["source", "source"])? }
            }
            other => HookKind::Other { name: other.to_owned() },
        })
    }

    /// Copilot CLI's own hooks get the input as the text that the model wrote.
    fn tool_input(&self) -> Value {
        let Some((_, input)) = self.find(["tool_input", "toolArgs"]) else { return Value::Null };
        let read = input.as_str().and_then(|text| json::value(text.as_bytes()).ok());
        read.unwrap_or_else(|| input.clone())
    }

    fn occasion(&self) -> Result<Option<String>, HookError> {
        let id = self.text(["prompt_id", "turn_id"])?;
        if id.is_some() {
            return Ok(id);
        }
        match self.find(["timestamp", "timestamp"]) {
            Some((_, Value::Number(number))) => Ok(Some(number.to_string())),
            _ => self.text(["timestamp", "timestamp"]),
        }
    }

    /// A task whose status nobody tells runs.
    fn background_tasks(&self) -> Result<Vec<String>, HookError> {
        let tasks = self.typed(["background_tasks", "backgroundTasks"], "an array", Value::as_array)?;
        let is_running = |task: &&Value| matches!(task["status"].as_str(), None | Some("running"));
        let name = |task: &Value| {
            let told = ["description", "command", "id"].into_iter().find_map(|key| task[key].as_str());
            told.unwrap_or("a task without a name").to_owned()
        };
        Ok(tasks.into_iter().flatten().filter(is_running).map(name).collect())
    }
}

/// Names that Claude Code chose and others took over.
fn is_portable(event: &str) -> bool {
    let events = [
        "Stop", "SubagentStop", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure",
        "SessionStart", "SessionEnd", "PreCompact", "Notification",
    ];
    events.contains(&event)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
