//! A `gulf.toml` of a `.ralphrc` (SPEC K6): new, or the one that is there with what it does not say yet.
//!
//! Apart from reading because a text of the person's is changed here: not a byte of theirs goes, and what comes out is
//! read back before anybody sees it.

use crate::config::{self, Config, ConfigError, SettingLayer, SettingLayers, Value};
use crate::ralphrc::{Imported, Ralphrc};
use crate::text::{Source, lines};

/// What would be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub text: String,
    /// In the order of the `.ralphrc`.
    pub added: Vec<Imported>,
    /// What the `gulf.toml` says already: it counts.
    pub kept: Vec<Imported>,
}

/// Why nothing can be written.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("gulf.toml cannot be used as it is")]
    Settings(ConfigError),
    /// A form that only its author should change.
    #[error("gulf.toml has no place for {}", lines.join(", "))]
    NoPlace { lines: Vec<String> },
}

/// Adds what the `.ralphrc` says; `existing` is the project's `gulf.toml`.
pub fn import(ralphrc: &Ralphrc, source: &Source, existing: Option<&Source>) -> Result<Import, ImportError> {
    let layers = SettingLayers { project: existing.cloned(), ..SettingLayers::default() };
    let config = config::load(&layers).map_err(ImportError::Settings)?;
    let is_said = |config: &Config, one: &Imported| {
        config.origin(one.key).is_some_and(|origin| origin.layer == SettingLayer::Project)
    };
    let (kept, added): (Vec<Imported>, Vec<Imported>) =
        ralphrc.settings.iter().cloned().partition(|one| is_said(&config, one));
    let mut text = existing.map_or_else(|| heading(source), |existing| existing.text().to_owned());
    // Each is put behind the head of its table, so the last one goes first.
    for one in added.iter().rev() {
        put(&mut text, one, source);
    }
    let read = SettingLayers { project: Some(Source::new("gulf.toml", &text)), ..SettingLayers::default() };
    let is_in_force = config::load(&read).is_ok_and(|config| added.iter().all(|one| is_said(&config, one)));
    if is_in_force || added.is_empty() {
        return Ok(Import { text, added, kept });
    }
    let line = |one: &Imported| format!("`{} = {}`", one.key.row().path, literal(one));
    Err(ImportError::NoPlace { lines: added.iter().map(line).collect() })
}

fn heading(source: &Source) -> String {
    format!(
        "# Settings of gulf for this project, taken over from {}. `gulf config explain` shows each value and where\n\
         # it comes from; `gulf init` would add how the work is checked.\n",
        source.name()
    )
}

/// Into its table, right behind its head; a table that is not there comes last.
fn put(text: &mut String, one: &Imported, source: &Source) {
    let row = one.key.row();
    let line = format!("{} = {}  # {} {}\n", row.name(), literal(one), source.place(one.span), one.from);
    let group = row.group().unwrap_or_default();
    let is_head = |line: &str| line.split('#').next().unwrap_or_default().trim() == format!("[{group}]");
    let head = lines(text).find(|line| is_head(line.text)).map(|line| line.span.end);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match head {
        Some(end) => {
            let at = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
            text.insert_str(at, &line);
        }
        None => text.push_str(&format!("\n[{group}]\n{line}")),
    }
}

/// As TOML has it.
fn literal(one: &Imported) -> String {
    let text = |text: &str| toml::Value::from(text).to_string();
    match Value::read(one.key.row(), &one.value) {
        Ok(Value::Count(count)) => count.to_string(),
        Ok(Value::Switch(on)) => on.to_string(),
        Ok(Value::List(list)) => {
            let items: Vec<String> = list.iter().map(|item| text(item)).collect();
            format!("[{}]", items.join(", "))
        }
        Ok(value @ (Value::Duration(_) | Value::Size(_) | Value::Ports(_))) => text(&value.to_string()),
        Ok(value @ (Value::Money(_) | Value::Tokens(_))) => text(&value.to_string()),
        Ok(Value::Text(_)) | Err(_) => text(&one.value),
    }
}

#[cfg(test)]
mod tests;
