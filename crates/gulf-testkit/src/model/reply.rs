//! What the model answers, in words that both protocols can say.

use serde_json::Value;

use super::request::Request;

/// One answer to one request.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    pub(super) kind: Kind,
    pub(super) headers: Vec<(String, String)>,
    pub(super) usage: Option<Usage>,
    pub(super) is_held: bool,
}

/// What an answer cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Without those that came from a cache or went into one.
    pub input_tokens: u64,
    pub cache_read_tokens: u64,
    pub cache_write_tokens: u64,
    pub output_tokens: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Message(Message),
    /// An HTTP status that is not 200.
    Refusal {
        status: u16,
        error: String,
        message: String,
        fields: Vec<(String, Value)>,
    },
    /// A beginning, and then nothing for ever.
    Hang,
    /// Not a byte.
    Drop,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Message {
    pub(super) text: Option<String>,
    pub(super) calls: Vec<Call>,
    /// Becomes text or a call once it is known what the agent offers.
    pub(super) structured: Option<Value>,
    pub(super) stop_reason: Option<String>,
    /// Said in the midst of the stream, after which it ends: kind and message.
    pub(super) error: Option<(String, String)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Call {
    Tool {
        name: String,
        input: Value,
    },
    /// A tool of Codex that takes text instead of JSON.
    Freeform {
        name: String,
        text: String,
    },
    /// By the agent's own shell tool.
    Shell {
        command: String,
    },
}

/// A call in the words of the agent that asked.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NamedCall {
    Tool { name: String, input: Value },
    Freeform { name: String, text: String },
}

impl Reply {
    /// Says this and ends its turn.
    pub fn text(text: impl Into<String>) -> Reply {
        Reply::message(Message { text: Some(text.into()), ..Message::default() })
    }

    /// Calls a tool of the agent by its name: `Write` of Claude Code, `exec_command` of Codex, `namespace/tool` of it.
    pub fn tool(name: &str, input: Value) -> Reply {
        Reply::message(Message::default()).and_tool(name, input)
    }

    /// Calls a tool of Codex that takes text, as `apply_patch` does.
    pub fn freeform_tool(name: &str, text: &str) -> Reply {
        Reply::call(Call::Freeform { name: name.to_owned(), text: text.to_owned() })
    }

    /// Runs a command by the agent's own shell tool, whichever agent asks.
    pub fn shell(command: &str) -> Reply {
        Reply::call(Call::Shell { command: command.to_owned() })
    }

    /// Answers with a value, as a schema asks for it: by the agent's tool for it where one is offered, else as text.
    pub fn structured(value: Value) -> Reply {
        Reply::message(Message { structured: Some(value), ..Message::default() })
    }

    /// Refuses with an HTTP status, and with the kind of error that goes with it.
    pub fn status(status: u16) -> Reply {
        let error = error_of(status).to_owned();
        Reply::of(Kind::Refusal { status, error, message: format!("scripted {status}"), fields: Vec::new() })
    }

    /// 429 as a Claude subscription says that its five hours are used up, until this second of the epoch.
    pub fn five_hour_limit(resets_at_seconds: u64) -> Reply {
        Reply::status(429)
            .header("retry-after", "3600")
            .header("anthropic-ratelimit-unified-status", "rejected")
            .header("anthropic-ratelimit-unified-reset", &resets_at_seconds.to_string())
            .header("anthropic-ratelimit-unified-representative-claim", "five_hour")
    }

    /// Begins an answer and never goes on; ends when the agent goes away.
    pub fn hang() -> Reply {
        Reply::of(Kind::Hang)
    }

    /// Closes the connection without a byte.
    pub fn drop_connection() -> Reply {
        Reply::of(Kind::Drop)
    }

    /// Breaks off in the midst of the stream with an error: `overloaded_error` and the like.
    pub fn stream_error(kind: &str, message: &str) -> Reply {
        let error = Some((kind.to_owned(), message.to_owned()));
        Reply::message(Message { text: Some("I will".to_owned()), error, ..Message::default() })
    }

    /// One call more in the same answer.
    #[track_caller]
    pub fn and_tool(mut self, name: &str, input: Value) -> Reply {
        self.the_message().calls.push(Call::Tool { name: name.to_owned(), input });
        self
    }

    /// One command more in the same answer.
    #[track_caller]
    pub fn and_shell(mut self, command: &str) -> Reply {
        self.the_message().calls.push(Call::Shell { command: command.to_owned() });
        self
    }

    /// Why it ended, where that is not what follows from the rest: `max_tokens`, `refusal`.
    #[track_caller]
    pub fn stop_reason(mut self, reason: &str) -> Reply {
        self.the_message().stop_reason = Some(reason.to_owned());
        self
    }

    /// A header of the answer.
    pub fn header(mut self, name: &str, value: &str) -> Reply {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The error's own kind and words, in an answer that [`Reply::status`] began.
    #[track_caller]
    pub fn error(mut self, kind: &str, words: &str) -> Reply {
        let Kind::Refusal { error, message, .. } = &mut self.kind else { panic!("{self:?} is no error") };
        (*error, *message) = (kind.to_owned(), words.to_owned());
        self
    }

    /// A member more of the error's object: Codex reads `resets_at` and `plan_type`.
    #[track_caller]
    pub fn error_field(mut self, name: &str, value: Value) -> Reply {
        let Kind::Refusal { fields, .. } = &mut self.kind else { panic!("{self:?} is no error") };
        fields.push((name.to_owned(), value));
        self
    }

    /// What this answer costs.
    pub fn usage(mut self, usage: Usage) -> Reply {
        self.usage = Some(usage);
        self
    }

    /// Not before the test says [`release`](super::ModelServer::release); once for each held answer.
    pub fn held(mut self) -> Reply {
        self.is_held = true;
        self
    }

    fn call(call: Call) -> Reply {
        Reply::message(Message { calls: vec![call], ..Message::default() })
    }

    fn message(message: Message) -> Reply {
        Reply::of(Kind::Message(message))
    }

    fn of(kind: Kind) -> Reply {
        Reply { kind, headers: Vec::new(), usage: None, is_held: false }
    }

    #[track_caller]
    fn the_message(&mut self) -> &mut Message {
        match &mut self.kind {
            Kind::Message(message) => message,
            kind @ (Kind::Refusal { .. } | Kind::Hang | Kind::Drop) => panic!("{kind:?} says nothing"),
        }
    }
}

impl Usage {
    /// Nothing from a cache.
    pub fn of(input_tokens: u64, output_tokens: u64) -> Usage {
        Usage { input_tokens, cache_read_tokens: 0, cache_write_tokens: 0, output_tokens }
    }
}

impl Default for Usage {
    fn default() -> Usage {
        Usage::of(100, 20)
    }
}

impl Message {
    /// With nothing left that depends on who asks.
    pub(super) fn settled(mut self, request: &Request) -> Message {
        match self.structured.take() {
            Some(input) if request.offers(STRUCTURED_OUTPUT) => {
                self.calls.push(Call::Tool { name: STRUCTURED_OUTPUT.to_owned(), input });
            }
            Some(value) => self.text = Some(value.to_string()),
            None => {}
        }
        self
    }
}

impl Call {
    /// In the words of an agent whose shell tool has this name and takes the command as this member.
    pub(super) fn named(&self, shell: &str, member: &str) -> NamedCall {
        match self {
            Call::Tool { name, input } => NamedCall::Tool { name: name.clone(), input: input.clone() },
            Call::Freeform { name, text } => NamedCall::Freeform { name: name.clone(), text: text.clone() },
            Call::Shell { command } => {
                let input = Value::from_iter([(member, command.as_str())]);
                NamedCall::Tool { name: shell.to_owned(), input }
            }
        }
    }
}

/// Claude Code's tool for answers with a schema.
const STRUCTURED_OUTPUT: &str = "StructuredOutput";

/// The kinds of <https://platform.claude.com/docs/en/api/errors>.
fn error_of(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        402 => "billing_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    }
}
