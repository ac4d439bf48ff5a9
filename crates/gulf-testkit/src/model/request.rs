//! What an agent asked, as a test and a script look at it.
//!
//! Here alone is known where each protocol keeps prompt, tools and results.

use serde_json::Value;

use super::http::Received;

/// What a path stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    /// `/v1/messages`: a model call of Claude Code.
    Messages,
    /// `/v1/responses`: a model call of Codex.
    Responses,
    /// `/v1beta/models/MODEL:streamGenerateContent`: a model call of Gemini CLI.
    GenerateContent,
    /// `/v1/messages/count_tokens`
    CountTokens,
    /// `/v1/models`
    Models,
    /// A sign of life: HEAD, `/api/hello`.
    Greeting,
    /// Answered with 404.
    Unknown,
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Counted from 1.
    pub number: usize,
    pub endpoint: Endpoint,
    pub method: String,
    /// With its query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// Null where there was no JSON.
    pub body: Value,
}

impl Request {
    pub(super) fn new(number: usize, received: Received) -> Request {
        Request {
            number,
            endpoint: Endpoint::of(&received.method, &received.path),
            body: serde_json::from_slice(&received.body).unwrap_or_default(),
            method: received.method,
            path: received.path,
            headers: received.headers,
        }
    }

    /// Whether a model was asked for an answer.
    pub fn is_model_call(&self) -> bool {
        matches!(self.endpoint, Endpoint::Messages | Endpoint::Responses | Endpoint::GenerateContent)
    }

    /// A title, a summary, the choice of a model: asked for without offering tools.
    pub fn is_aside(&self) -> bool {
        self.is_model_call() && self.endpoint != Endpoint::Responses && self.tools().is_empty()
    }

    /// By its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The model that was asked for.
    pub fn model(&self) -> &str {
        let in_path = || self.path.split_once("/models/")?.1.split(':').next();
        self.body["model"].as_str().or_else(in_path).unwrap_or_default()
    }

    /// Everything the model is shown but the tools: instructions, prompts, its own words, results; a line each.
    pub fn text(&self) -> String {
        let mut lines = Vec::new();
        for part in ["system", "instructions", "messages", "input", "systemInstruction", "contents"] {
            collect_strings(&self.body[part], &mut lines);
        }
        lines.join("\n")
    }

    /// Whether the model is shown this text, as it reads and not as JSON escapes it.
    pub fn contains(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    /// The names of the tools that are offered.
    pub fn tools(&self) -> Vec<&str> {
        let tools = self.body["tools"].as_array().into_iter().flatten();
        let of_gemini = |tool: &'_ Value| tool["functionDeclarations"].as_array().is_some();
        let (nested, plain): (Vec<_>, Vec<_>) = tools.partition(|tool| of_gemini(tool));
        let nested = nested.into_iter().filter_map(|tool| tool["functionDeclarations"].as_array()).flatten();
        plain.into_iter().chain(nested).filter_map(|tool| tool["name"].as_str()).collect()
    }

    /// Whether this tool is offered.
    pub fn offers(&self, tool: &str) -> bool {
        self.tools().contains(&tool)
    }

    /// What the tools answered in this conversation, the oldest first.
    pub fn tool_results(&self) -> Vec<String> {
        let blocks = self.items().filter_map(|item| item["content"].as_array()).flatten();
        let of_claude = blocks.filter(|block| block["type"] == "tool_result").map(|block| &block["content"]);
        let ends_in_output =
            |item: &&Value| item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"));
        let of_codex = self.items().filter(ends_in_output).map(|item| &item["output"]);
        let parts = self.items().filter_map(|item| item["parts"].as_array()).flatten();
        let of_gemini =
            parts.map(|part| &part["functionResponse"]["response"]).filter(|value| !value.is_null());
        of_claude.chain(of_codex).chain(of_gemini).map(words).collect()
    }

    /// How often the model has answered in this conversation: 0 in the first call of a fresh context.
    pub fn answers_before(&self) -> usize {
        answers(self.items())
    }

    /// How often it has answered since this text was first said to it; a session that goes on has more before.
    pub fn answers_since(&self, text: &str) -> usize {
        let says = |item: &&Value| {
            let mut lines = Vec::new();
            collect_strings(item, &mut lines);
            !is_by_model(item) && lines.join("\n").contains(text)
        };
        let first = self.items().position(|item| says(&item));
        answers(self.items().skip(first.unwrap_or(0)))
    }

    /// The line that gulf wants to be the last one of the answer, where its host shows the person nothing else.
    pub fn last_words(&self) -> Option<String> {
        const ASKED: &str = "end your answer with exactly this one line, as it stands:\n\n";
        let items: Vec<&Value> = self.items().collect();
        let new = items.iter().rposition(|item| is_by_model(item)).map_or(0, |last| last + 1);
        let mut lines = Vec::new();
        items[new..].iter().for_each(|item| collect_strings(item, &mut lines));
        let told = lines.into_iter().find_map(|text| text.split_once(ASKED))?.1;
        told.lines().next().map(str::to_owned)
    }

    pub(super) fn wants_events(&self) -> bool {
        self.body["stream"] == true || self.path.contains(":streamGenerateContent")
    }

    fn items(&self) -> impl Iterator<Item = &Value> {
        let lists = [&self.body["messages"], &self.body["input"], &self.body["contents"]];
        lists.into_iter().filter_map(Value::as_array).flatten()
    }
}

impl Endpoint {
    fn of(method: &str, path: &str) -> Endpoint {
        let (path, _) = path.split_once('?').unwrap_or((path, ""));
        match (method, path) {
            ("POST", "/v1/messages") => Endpoint::Messages,
            ("POST", "/v1/responses") => Endpoint::Responses,
            ("POST", "/v1/messages/count_tokens") => Endpoint::CountTokens,
            ("GET", "/v1/models") => Endpoint::Models,
            ("POST", path) if path.starts_with("/v1beta/models/") && path.ends_with("enerateContent") => {
                Endpoint::GenerateContent
            }
            ("HEAD", _) | (_, "/api/hello") => Endpoint::Greeting,
            _ => Endpoint::Unknown,
        }
    }
}

fn answers<'a>(items: impl Iterator<Item = &'a Value>) -> usize {
    let by_model: Vec<bool> = items.map(is_by_model).collect();
    let begins = |at: &usize| by_model[*at] && (*at == 0 || !by_model[at - 1]);
    (0..by_model.len()).filter(begins).count()
}

/// Claude's and Gemini's turns are messages; Codex keeps each word and each call as an item of its own.
fn is_by_model(item: &Value) -> bool {
    let calls = ["function_call", "custom_tool_call", "reasoning"];
    item["role"] == "assistant"
        || item["role"] == "model"
        || item["type"].as_str().is_some_and(|kind| calls.contains(&kind))
}

fn words(value: &Value) -> String {
    let mut lines = Vec::new();
    match value.as_array() {
        Some(parts) => parts.iter().for_each(|part| collect_strings(&part["text"], &mut lines)),
        None => collect_strings(value, &mut lines),
    }
    lines.join("\n")
}

fn collect_strings<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect_strings(value, found)),
        Value::Object(members) => members.values().for_each(|value| collect_strings(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
