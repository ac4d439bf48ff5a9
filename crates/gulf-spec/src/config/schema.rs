//! The table of keys as a JSON schema, by which editors complete and check a `gulf.toml`.
//!
//! Apart from the reading of values because a schema knows less: it says which form a value has, not whether the whole
//! makes sense. What gulf takes the schema takes, too.

use serde_json::{Map, Value as Json, json};

use super::keys::{CHECK_GROUP, Key, KeyRow, Shape};
use super::value::expected;

/// Draft 7 is what taplo and the editors built on it know.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";
/// A line that says something.
const LINE: &str = r"^[^\r\n]*\S[^\r\n]*$";
const SIZE: &str = r"^\s*[0-9]+\s*(B|KiB|MiB|GiB|KB|MB|GB)\s*$";
const PORT_RANGE: &str = r"^\s*[0-9]+\s*-\s*[0-9]+\s*$";
const MONEY: &str = r"^\s*\$?[0-9]+(\.[0-9]{1,6})?\s*$";
const TOKENS: &str = r"^\s*[0-9]+\s*[kKM]?\s*$";
const DURATION_UNITS: [&str; 5] = ["d", "h", "m", "s", "ms"];
const OFF: &str = "off";
/// Tables that may be a text instead: the tool's name.
const SHORT_GROUPS: [&str; 2] = ["agent", "judge"];

/// The schema of `gulf.toml`, in lines, with a line end.
pub fn schema() -> String {
    let mut properties = Map::new();
    for row in Key::rows().iter().filter(|row| row.group().is_none()) {
        properties.insert(row.name().to_owned(), property(row));
    }
    let mut groups: Vec<&str> = Key::rows().iter().filter_map(KeyRow::group).collect();
    groups.dedup();
    for group in groups {
        properties.insert(group.to_owned(), table(group));
    }
    let document = json!({
        "$schema": DRAFT,
        "title": "gulf.toml",
        "description": "Settings of gulf; `gulf config explain` shows those in force, and who said each",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    });
    format!("{document:#}\n")
}

fn table(group: &str) -> Json {
    let rows = Key::rows().iter().filter(|row| row.group() == Some(group));
    let properties: Map<String, Json> = rows.map(|row| (row.name().to_owned(), property(row))).collect();
    let table = json!({ "type": "object", "additionalProperties": false, "properties": properties });
    if group == CHECK_GROUP {
        let mut check = table;
        check["required"] = json!([Key::CheckCommand.row().name()]);
        return json!({ "type": "array", "items": check });
    }
    if SHORT_GROUPS.contains(&group) {
        return json!({ "anyOf": [table, { "type": "string" }] });
    }
    table
}

fn property(row: &KeyRow) -> Json {
    let mut schema = form(row.shape);
    schema["description"] = row.summary.into();
    if let Some(default) = default(row) {
        schema["default"] = default;
    }
    schema
}

fn form(shape: Shape) -> Json {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    let or_off = |form: Json| json!({ "anyOf": [form, { "type": "string", "enum": [OFF] }] });
    let money = || json!({ "anyOf": [text(MONEY), { "type": "number", "exclusiveMinimum": 0 }] });
    let tokens = || json!({ "anyOf": [text(TOKENS), { "type": "integer", "minimum": 1 }] });
    match shape {
        Shape::Text => json!({ "type": "string" }),
        Shape::Line => text(LINE),
        Shape::Count { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Shape::Duration => text(&duration()),
        Shape::DurationOrOff => or_off(text(&duration())),
        Shape::Size => text(SIZE),
        Shape::PortRange => text(PORT_RANGE),
        Shape::Money => money(),
        Shape::MoneyOrOff => or_off(money()),
        Shape::Tokens => tokens(),
        Shape::TokensOrOff => or_off(tokens()),
        Shape::Switch => json!({ "type": "boolean" }),
        Shape::Choice(choices) => json!({ "type": "string", "enum": choices }),
        Shape::List => json!({ "type": "array", "items": { "type": "string" } }),
        Shape::Pairs => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
    }
}

/// Each unit at most once, larger ones first, and one of them at least.
fn duration() -> String {
    let part = |unit: &str| format!(r"[0-9]+\s*{unit}\s*");
    let beginning_with = |first: usize| {
        let later = DURATION_UNITS[first + 1..].iter().map(|unit| format!("({})?", part(unit)));
        format!("{}{}", part(DURATION_UNITS[first]), later.collect::<String>())
    };
    let all: Vec<String> = (0..DURATION_UNITS.len()).map(beginning_with).collect();
    format!(r"^\s*({})$", all.join("|"))
}

/// As it would be written in the file; none where nothing is set.
pub(super) fn default(row: &KeyRow) -> Option<Json> {
    if row.shape == Shape::List {
        return Some(row.default.split(',').filter(|item| !item.is_empty()).map(Json::from).collect());
    }
    if row.shape.is_text() {
        return Some(row.default).filter(|text| !text.is_empty()).map(Json::from);
    }
    // Counts and switches; of a table nothing is set.
    serde_json::from_str(row.default).ok()
}

// The table of keys as texts: a reference page, and the commented `gulf.toml` that `gulf init` writes.

/// The reference of all keys as a Markdown table.
pub fn reference() -> String {
    let mut page = String::from(
        "| key | value | default | variable | flag | what it does |\n|---|---|---|---|---|---|\n",
    );
    for row in Key::rows() {
        let code = |text: &str| if text.is_empty() { "–".to_owned() } else { format!("`{text}`") };
        page.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            code(row.path),
            cell(&expected(row.shape)),
            code(row.default),
            code(row.variable.unwrap_or_default()),
            code(row.flag.unwrap_or_default()),
            cell(row.summary),
        ));
    }
    page
}

/// A `gulf.toml` with every key but those of checks at its default, commented out.
pub fn template() -> String {
    let mut page = String::new();
    let mut group = None;
    for row in Key::rows().iter().filter(|row| row.group() != Some(CHECK_GROUP)) {
        if row.group() != group {
            group = row.group();
            page.push_str(&format!("\n[{}]\n", group.unwrap_or_default()));
        }
        page.push_str(&format!("# {} = {}  # {}\n", row.name(), literal(row), row.summary));
    }
    page
}

/// The default as TOML, which writes simple values as JSON does.
fn literal(row: &KeyRow) -> String {
    match default(row) {
        Some(Json::Array(items)) => {
            format!("[{}]", items.iter().map(Json::to_string).collect::<Vec<_>>().join(", "))
        }
        Some(value) => value.to_string(),
        None if row.shape.is_text() => "\"\"".to_owned(),
        None => "{}".to_owned(),
    }
}

/// Text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
