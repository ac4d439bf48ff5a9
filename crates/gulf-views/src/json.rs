//! What the documents for programs have in common. They are an API (DESIGN invariant 10): each carries its version, every
//! field is always there, and what is not known is null, never zero.

use gulf_engine::Event;
use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The version of every document but the event lines.
pub const VERSION: u32 = 1;

/// The version of an event line, in the journal and in `--json` output.
pub const EVENT_VERSION: u32 = 1;

/// One event as the journal has it: `{"v":1,"event":{…}}`.
pub fn event_json(event: &Event) -> Value {
    json!({ "v": EVENT_VERSION, "event": event })
}

/// A view's model as a document of its own, with what is computed from it.
pub(crate) fn document(model: &impl Serialize, computed: Value) -> Value {
    let mut document = extended(model, computed);
    document["version"] = VERSION.into();
    document
}

/// A view's model with what is computed from it, as a part of a document.
pub(crate) fn extended(model: &impl Serialize, computed: Value) -> Value {
    let model = serde_json::to_value(model);
    let mut model = model.expect("our models hold strings, numbers, lists and maps with text as keys");
    if let (Value::Object(model), Value::Object(computed)) = (&mut model, computed) {
        model.extend(computed);
    }
    model
}

/// RFC 3339 in UTC; none where there is no time yet, or none that a calendar has.
pub(crate) fn timestamp(at_ms: u64) -> Option<String> {
    let milliseconds = i64::try_from(at_ms).ok().filter(|milliseconds| *milliseconds > 0)?;
    Timestamp::from_millisecond(milliseconds).ok().map(|timestamp| timestamp.to_string())
}

pub(crate) fn serialize_timestamp<S: Serializer>(at_ms: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    timestamp(*at_ms).serialize(serializer)
}
