//! What a tool says in JSON: one value for all of it, or one a line.
//!
//! Apart from words because a value may go over many lines, and is read whole or not at all.

use serde_json::value::RawValue;
use serde_json::{Deserializer, Value};

use super::{Tool, ToolLine};

mod large;

/// Of what is no log and no list, one value is one finding or one event of a build.
const VALUE_BYTES_MAX: usize = 1 << 20;

/// What the value at the head of these bytes says, and how long it is; none where no tool is recognised in it.
///
/// What is passed over in a large value may be as deep as it likes, so a value that has no end is looked for to the end of
/// the bytes: that is tried `tries` times in one output.
pub(super) fn read_value(bytes: &[u8], tries: &mut u32) -> Option<(Vec<(Tool, ToolLine)>, usize)> {
    match (bytes.first(), bytes[1..].iter().find(|byte| !byte.is_ascii_whitespace())) {
        // A list of nothing says nobody's name, and one of numbers is a progress bar.
        (Some(b'['), Some(b'{')) => {
            let (said, length) = large(bytes, tries, large::items)?;
            return Some((vec![said], length));
        }
        (Some(b'{'), Some(b'"')) => {
            if let Some((large::Object::Log(said), length)) = large(bytes, tries, large::sarif) {
                return Some((vec![(Tool::Sarif, said?)], length));
            }
        }
        (_, _) => return None,
    }
    let line = &bytes[..bytes.len().min(VALUE_BYTES_MAX)];
    let mut values = Deserializer::from_slice(line).into_iter::<Value>();
    let said = of_value(&values.next()?.ok()?)?;
    Some((said, values.byte_offset()))
}

/// What is made of a value of which nothing is kept, and its length.
fn large<T>(bytes: &[u8], tries: &mut u32, read: fn(&RawValue) -> Option<T>) -> Option<(T, usize)> {
    if *tries == 0 {
        return None;
    }
    let mut values = Deserializer::from_slice(bytes).into_iter::<&RawValue>();
    let value = values.next()?.ok().and_then(read);
    *tries -= u32::from(value.is_none());
    value.map(|value| (value, values.byte_offset()))
}

fn of_value(value: &Value) -> Option<Vec<(Tool, ToolLine)>> {
    if let Some(reason) = value["reason"].as_str() {
        return match reason {
            "compiler-message" => Some(rustc(value.get("message")?).into_iter().collect()),
            "build-finished" => Some(vec![(Tool::Rustc, ToolLine::Ended { errors: 0 })]),
            "compiler-artifact" | "build-script-executed" => Some(Vec::new()),
            _ => None,
        };
    }
    if value.get("$message_type").is_some() {
        return Some(rustc(value).into_iter().collect());
    }
    one_of_python(value).map(|said| vec![said])
}

/// One finding of ruff's or mypy's.
fn one_of_python(value: &Value) -> Option<(Tool, ToolLine)> {
    value["message"].as_str()?;
    let tool = match (value.get("filename"), value.get("file"), value.get("line")) {
        (Some(_), _, _) if value.get("location").is_some() => Tool::Ruff,
        (_, Some(_), Some(_)) => Tool::Mypy,
        (_, _, _) => return None,
    };
    let said = match value["severity"].as_str() {
        Some("warning") => ToolLine::Warning,
        // An older ruff says nothing of it: each of its findings fails the check.
        Some("error") | None => ToolLine::Error,
        Some(_) => return None,
    };
    Some((tool, said))
}

/// One diagnostic of rustc's; what it sums up ("aborting due to …") has no place in the code.
fn rustc(message: &Value) -> Option<(Tool, ToolLine)> {
    let has_place = message["spans"].as_array().is_some_and(|spans| !spans.is_empty());
    let text = message["message"].as_str();
    let sums_up = text.is_none_or(|text| text.starts_with("aborting due to") || text.ends_with(" emitted"));
    if sums_up && !has_place && message["code"].is_null() {
        return None;
    }
    let said = match message["level"].as_str()? {
        "error" | "error: internal compiler error" => ToolLine::Error,
        "warning" => ToolLine::Warning,
        _ => return None,
    };
    Some((Tool::Rustc, said))
}
