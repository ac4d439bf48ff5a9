//! Configuration files as fields: a path of keys and a value in words, whatever the format.
//!
//! Protection goes by field (SPEC B3): a candidate may add a dependency to the file whose test script it may not
//! touch.

use std::collections::BTreeMap;

use serde_json::Value;

/// Fields by path, `tool.pytest.ini_options.addopts`.
pub(super) type Fields = BTreeMap<String, String>;

/// Tables within tables; what is deeper counts as one value.
const DEPTH_MAX: usize = 32;

pub(super) fn json(source: &[u8]) -> Option<Fields> {
    let source = source.strip_prefix("\u{feff}".as_bytes()).unwrap_or(source);
    let value: Value = serde_json::from_slice(source).ok()?;
    value.is_object().then(|| flattened(&value))
}

pub(super) fn toml(source: &[u8]) -> Option<Fields> {
    let text = std::str::from_utf8(source).ok()?;
    let value: Value = ::toml::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    Some(flattened(&value))
}

/// `[section]`, `key = value`, continued on deeper lines, as `configparser` reads them.
pub(super) fn ini(source: &[u8]) -> Option<Fields> {
    let text = std::str::from_utf8(source).ok()?;
    let mut fields = Fields::new();
    let mut section = None;
    let mut field = String::new();
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        let content = line.trim();
        if content.is_empty() || content.starts_with(['#', ';']) {
            continue;
        }
        if line.starts_with([' ', '\t']) && !field.is_empty() {
            let value = fields.entry(field.clone()).or_default();
            value.push('\n');
            value.push_str(content);
        } else if let Some(name) = content.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = Some(name.trim().to_owned());
            field.clear();
        } else {
            let (key, value) = content.split_once(['=', ':']).unwrap_or((content, ""));
            field = format!("{}.{}", section.as_ref()?, key.trim());
            fields.insert(field.clone(), value.trim().to_owned());
        }
    }
    Some(fields)
}

/// `require.MODULE` and `replace.MODULE` of a go.mod, each alone or in a block of its kind.
pub(super) fn go_mod(source: &[u8]) -> Option<Fields> {
    let (mut fields, mut block) = (Fields::new(), "");
    for line in std::str::from_utf8(source).ok()?.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (kind, entry) = if block.is_empty() { (word, rest.trim()) } else { (block, line) };
        let (module, value) = entry.split_once(char::is_whitespace).unwrap_or((entry, ""));
        let is_read = ["require", "replace"].contains(&kind);
        if word == ")" {
            block = "";
        } else if is_read && block.is_empty() && entry == "(" {
            block = word;
        } else if is_read && !module.is_empty() {
            fields.insert(format!("{kind}.{module}"), value.trim().to_owned());
        }
    }
    Some(fields)
}

/// The commands of a CMakeLists.txt about tests, each by itself and its first two words: `add_test NAME adds`.
pub(super) fn cmake(source: &[u8]) -> Option<Fields> {
    const COMMANDS: [&str; 6] = [
        "add_test", "enable_testing", "set_tests_properties", "set_property", "gtest_discover_tests",
        "catch_discover_tests",
    ];
    let (text, mut fields) = (std::str::from_utf8(source).ok()?, Fields::new());
    let lines: Vec<&str> =
        text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).collect();
    let plain = lines.join(" ");
    for command in COMMANDS {
        for (at, _) in plain.to_ascii_lowercase().match_indices(command) {
            // A blank may stand before the bracket.
            let Some(inner) = plain[at + command.len()..].trim_start().strip_prefix('(') else { continue };
            let words: Vec<&str> = inner.split(')').next().unwrap_or_default().split_whitespace().collect();
            if command != "set_property" || words.first() == Some(&"TEST") {
                let name = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
                fields.insert(format!("{command} {name}"), words.join(" "));
            }
        }
    }
    Some(fields)
}

fn flattened(value: &Value) -> Fields {
    let mut fields = Fields::new();
    push(value, String::new(), 0, &mut fields);
    fields
}

fn push(value: &Value, path: String, depth: usize, fields: &mut Fields) {
    let is_named = |item: &Value| item.get("name").is_some_and(Value::is_string);
    match value {
        Value::Object(table) if depth < DEPTH_MAX && !table.is_empty() => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                push(value, path, depth + 1, fields);
            }
        }
        // `[[test]]` by name, so that a new one is not a change of the others.
        Value::Array(items) if !items.is_empty() && items.iter().all(is_named) => {
            for item in items {
                let name = item.get("name").and_then(Value::as_str).unwrap_or_default();
                push(item, format!("{path}.{name}"), depth + 1, fields);
            }
        }
        Value::String(text) => drop(fields.insert(path, text.clone())),
        Value::Object(_) | Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {
            fields.insert(path, value.to_string());
        }
    }
}
