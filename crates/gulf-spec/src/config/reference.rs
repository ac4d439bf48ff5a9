//! The table of keys as texts: a reference page, and the commented `gulf.toml` that `gulf init` writes.
//!
//! Apart from the table because these are prose; both change with the table and never on their own.

use serde_json::Value as Json;

use super::keys::{CHECK_GROUP, Key, KeyRow};
use super::schema::default;
use super::value::expected;

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
