//! The tools of `gulf mcp`: what they are called, take, and do.
//!
//! They are the commands' own deeds by another name: `claim` and `ask` leave the very requests that `gulf claim` and
//! `gulf ask` leave, and no rule is written twice.

use gulf_engine::{Claim, Concern, OPTIONS_MAX, Question};
use gulf_host::clock::Clock;
use gulf_runner::notes;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::commands::status;
use crate::failure::{Failure, Result};
use crate::turn::{OwnTurn, askable, done, fit};

/// What is wrong with arguments is said in so many characters: it may quote them.
const REASON_CHARS_MAX: usize = 300;

/// What a worker's agent is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Tool {
    Claim,
    Ask,
    ReportProgress,
    GetFeedback,
    Status,
}

/// In the order in which they are listed.
pub(super) const TOOLS: [Tool; 5] =
    [Tool::Claim, Tool::Ask, Tool::ReportProgress, Tool::GetFeedback, Tool::Status];

/// Only `done` asks nothing, and only it says why no test shows it.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum ClaimArguments {
    Done { no_test: Option<String> },
    Cannot(ClaimQuestion),
    Conflict(ClaimQuestion),
    NeedDecision(ClaimQuestion),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimQuestion {
    text: String,
    evidence: Option<String>,
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AskArguments {
    kind: Concern,
    question: String,
    because: Option<String>,
    #[serde(default)]
    options: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgressArguments {
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoArguments {}

impl Tool {
    pub(super) fn name(self) -> &'static str {
        self.into()
    }

    /// For a model: every turn pays for it.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Claim => {
                "Your word on the work, as `gulf claim`. `done` asks for verification of exactly what lies in the \
                 project when this turn ends (`no_test`: why no test can show it). `cannot`, `conflict` and \
                 `need-decision` ask the person; `text` says what. Asking is never held against you."
            }
            Self::Ask => {
                "Ask the person before anything destructive, a change of the architecture or a decision about \
                 security, and where a requirement is unclear. The loop rests when this turn ends, until it is answered."
            }
            Self::ReportProgress => "Leave a note for whoever watches; it decides nothing.",
            Self::GetFeedback => "What the gates said about what you left last, and what to fix.",
            Self::Status => "Where the loop stands, as JSON.",
        }
    }

    /// Others leave a word; the same word twice is one.
    pub(super) fn only_looks(self) -> bool {
        match self {
            Self::Claim | Self::Ask | Self::ReportProgress => false,
            Self::GetFeedback | Self::Status => true,
        }
    }

    pub(super) fn schema(self) -> Value {
        let text = json!({ "type": "string" });
        let options = json!({ "type": "array", "items": text, "maxItems": OPTIONS_MAX });
        let (properties, required) = match self {
            Self::Claim => (
                json!({
                    "kind": { "type": "string", "enum": ["done", "cannot", "conflict", "need-decision"] },
                    "text": text, "no_test": text, "evidence": text, "options": options,
                }),
                json!(["kind"]),
            ),
            Self::Ask => (
                json!({
                    "kind": { "type": "string", "enum": ["destructive", "architecture", "security", "unclear"] },
                    "question": text, "because": text, "options": options,
                }),
                json!(["kind", "question"]),
            ),
            Self::ReportProgress => (json!({ "note": text }), json!(["note"])),
            Self::GetFeedback | Self::Status => (json!({}), json!([])),
        };
        json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        })
    }

    /// What it says: a text, or a document.
    pub(super) fn call(self, arguments: Value) -> Result<Value> {
        match self {
            Self::Claim => self.read(arguments).and_then(claim),
            Self::Ask => self.read(arguments).and_then(ask),
            Self::ReportProgress => self.read(arguments).and_then(report_progress),
            Self::GetFeedback => self.read(arguments).and_then(get_feedback),
            Self::Status => self.read(arguments).and_then(loop_status),
        }
    }

    fn parameters(self) -> String {
        let schema = self.schema();
        let names: Vec<&str> =
            schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        if names.is_empty() { "nothing in it".to_owned() } else { names.join(", ") }
    }

    fn read<T: DeserializeOwned>(self, arguments: Value) -> Result<T> {
        serde_json::from_value(arguments).map_err(|error| {
            let reason: String = error.to_string().chars().take(REASON_CHARS_MAX).collect();
            let hint = format!("it takes an object with {}", self.parameters());
            Failure::usage(format!("{} does not take these arguments: {reason}", self.name()), hint)
        })
    }
}

fn claim(arguments: ClaimArguments) -> Result<Value> {
    let question = |ClaimQuestion { text, evidence, options }| {
        askable(Question { text, evidence, options, concern: None })
    };
    say(match arguments {
        ClaimArguments::Done { no_test } => done(no_test)?,
        ClaimArguments::Cannot(asked) => Claim::Cannot(question(asked)?),
        ClaimArguments::Conflict(asked) => Claim::Conflict(question(asked)?),
        ClaimArguments::NeedDecision(asked) => Claim::NeedDecision(question(asked)?),
    })
}

fn ask(arguments: AskArguments) -> Result<Value> {
    let AskArguments { kind, question, because, options } = arguments;
    let asking = Question { text: question, evidence: because, options, concern: Some(kind) };
    say(Claim::NeedDecision(askable(asking)?))
}

fn say(claim: Claim) -> Result<Value> {
    Ok(OwnTurn::find()?.say(claim)?.into())
}

fn report_progress(ProgressArguments { note }: ProgressArguments) -> Result<Value> {
    fit("the note", &note)?;
    let known = OwnTurn::find()?.known()?;
    notes::leave(&known.home, &known.fold.state, &note, Clock::new().wall_ms())?;
    Ok("noted: `gulf status` shows it".into())
}

fn get_feedback(_: NoArguments) -> Result<Value> {
    let known = OwnTurn::find()?.known()?;
    let told = notes::feedback(&known.home, &known.fold.state)?;
    let nothing = "no gate has refused what you left last: there is nothing to fix";
    Ok(if told.trim().is_empty() { nothing.into() } else { told.into() })
}

fn loop_status(_: NoArguments) -> Result<Value> {
    status::document(&OwnTurn::find()?.known()?)
}

#[cfg(test)]
mod tests;
