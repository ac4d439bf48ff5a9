//! The JSON schema of an answer, for hosts that enforce one and for the prompt of those that do not.
//!
//! Beside the reader and built from its words, so that they cannot differ. Only what every host understands is used:
//! each object closed and each key required (OpenAI's strict mode refuses others), no bounds on numbers or lengths.

use serde_json::{Value, json};

use super::answer::{JudgedScope, Word};

/// The schema that an answer must follow, as JSON text.
pub fn schema(scope: JudgedScope) -> String {
    let words: &[Word] = match scope {
        JudgedScope::Whole => &[Word::Met, Word::Unmet, Word::Unsure],
        JudgedScope::Part => &[Word::Met, Word::Unmet, Word::Unsure, Word::NotHere],
    };
    let words: Vec<&str> = words.iter().map(|word| word.as_str()).collect();
    let texts = |what: &str| json!({"type": "array", "items": {"type": "string"}, "description": what});
    let quote = closed(&json!({
        "path": {"type": "string", "description": "the file, or the passed check, that is quoted"},
        "text": {"type": "string", "description": "its words, verbatim and without a gap"},
    }));
    let criterion = closed(&json!({
        "number": {"type": "integer", "description": "the criterion's number; each exactly once"},
        "word": {"type": "string", "enum": words},
        "reason": {"type": "string", "description": "why; required for every word but met"},
        "quotes": {"type": "array", "items": quote},
        "checks": texts("names of passed checks that show it"),
        "examined": texts("paths of files that were read for it"),
    }));
    let answer = closed(&json!({
        "criteria": {"type": "array", "items": criterion},
        "principle": {"type": "string", "description": "one sentence for later judges"},
    }));
    answer.to_string()
}

pub(super) fn closed(properties: &Value) -> Value {
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(serde_json::Map::keys).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
