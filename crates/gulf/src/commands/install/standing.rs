//! What a host knows of gulf, and what stands in the way: looked at, not changed.
//!
//! It stands apart from the command because here nothing is refused: what cannot be read is one more thing to say.

use std::fs;

use camino::Utf8PathBuf;
use gulf_host::programs;

use super::change::Present;
use super::document::Document;
use super::hooks::{self, Entry, REGISTRATIONS};
use super::host::Host;
use super::{plugins, rivals, shell_words};
use crate::cli::HostName;

/// A host that is here.
#[derive(Debug)]
pub struct Standing {
    /// What people call it.
    pub title: &'static str,
    /// Its name on a command line.
    pub program: &'static str,
    pub seen: Vec<Seen>,
}

/// One thing that was seen.
#[derive(Debug)]
pub enum Seen {
    /// It calls gulf, because of this.
    Called { by: String },
    /// It does not call gulf.
    NotCalled,
    /// It calls gulf for one event twice.
    CalledTwice { plugin: String, file: Utf8PathBuf },
    /// Hooks of ours that are not there.
    Missing { file: Utf8PathBuf, events: Vec<&'static str> },
    /// The program that our hooks name is not there.
    NoProgram { program: Utf8PathBuf },
    /// A file that gulf does not understand.
    NotUnderstood { why: String },
    /// A file that the host does not read, though gulf does.
    Unread { file: Utf8PathBuf, why: &'static str },
    /// No hook of anybody's is called.
    AllOff { file: Utf8PathBuf },
    /// Another loop.
    Rival { told: String },
    /// Nobody has said yet that these hooks may be called.
    Untrusted { hooks: String },
    /// Somebody has switched some of them off.
    SwitchedOff { hooks: String },
}

/// Looks at every host that is here.
pub fn standings() -> Vec<Standing> {
    let all = [HostName::Claude, HostName::Codex, HostName::Copilot].into_iter();
    let here = all.filter_map(|name| Host::find(name).ok()).filter(Host::is_here);
    here.map(|host| Standing { title: host.title(), program: host.program(), seen: seen(&host) }).collect()
}

fn seen(host: &Host) -> Vec<Seen> {
    let file = host.hooks_file();
    let present = match Present::read(&file) {
        Ok(present) => present,
        Err(failure) => return vec![Seen::NotUnderstood { why: failure.in_one_line() }],
    };
    let text = present.as_ref().map_or(host.empty_file(), |present| &present.text);
    let mut seen = match in_document(host, text) {
        Ok(seen) => seen,
        Err(place) => vec![Seen::NotUnderstood { why: format!("{}: {}", place.place(), place.problem) }],
    };
    let unread = present.and_then(|present| host.unread(&present.whole()));
    seen.extend(unread.map(|why| Seen::Unread { file, why }));
    seen
}

fn in_document(host: &Host, text: &str) -> Result<Vec<Seen>, super::Refused> {
    let file = host.hooks_file();
    let document = Document::parse(file.as_str(), text)?;
    let mut ours: Vec<(&'static str, Entry)> = Vec::new();
    let mut missing = Vec::new();
    for registration in &REGISTRATIONS {
        let event = registration.event;
        match hooks::entries(&document, event)?.into_iter().find(Entry::is_ours) {
            Some(entry) => ours.push((event, entry)),
            None => missing.push(event),
        }
    }
    let plugin = plugins::own(host, &document)?;
    let mut seen = match (&plugin, ours.is_empty()) {
        (None, true) => vec![Seen::NotCalled],
        (Some(id), true) => vec![Seen::Called { by: format!("the plugin {id}") }],
        (None, false) => vec![Seen::Called { by: format!("its hooks in {file}") }],
        (Some(id), false) => vec![Seen::CalledTwice { plugin: id.clone(), file: file.clone() }],
    };
    if !ours.is_empty() && !missing.is_empty() {
        seen.push(Seen::Missing { file: file.clone(), events: missing });
    }
    seen.extend(missing_program(&ours));
    if is_all_off(&document)? {
        seen.push(Seen::AllOff { file });
    }
    match host.name {
        HostName::Claude => {
            let rivals = rivals::find(&document, &host.folder)?;
            seen.extend(rivals.iter().map(|rival| Seen::Rival { told: rival.told() }));
        }
        HostName::Codex => seen.extend(trust(host, &ours, plugin.as_deref())),
        HostName::Copilot => {}
    }
    Ok(seen)
}

/// The first program among the hooks' that nobody could execute.
fn missing_program(ours: &[(&'static str, Entry)]) -> Option<Seen> {
    let named = ours.iter().filter_map(|(_, entry)| shell_words::words(&entry.command)?.into_iter().next());
    let is_there = |program: &Utf8PathBuf| {
        if program.is_absolute() {
            programs::is_executable(program)
        } else {
            programs::find(program.as_str()).is_some()
        }
    };
    let program = named.map(Utf8PathBuf::from).find(|program| !is_there(program))?;
    Some(Seen::NoProgram { program })
}

/// Claude Code's `"disableAllHooks": true`.
fn is_all_off(document: &Document) -> Result<bool, super::Refused> {
    let value = document.member(&document.top()?, "disableAllHooks")?;
    Ok(value.and_then(|value| value.as_boolean_lit()).is_some_and(|literal| literal.value()))
}

/// What Codex was told of our hooks, as far as its settings show: it keeps a digest of what was trusted, and only it
/// knows whether that is still the same.
fn trust(host: &Host, ours: &[(&'static str, Entry)], plugin: Option<&str>) -> Vec<Seen> {
    let file = host.hooks_file();
    let file = file.canonicalize_utf8().unwrap_or(file);
    let in_file = ours.iter().map(|(event, entry)| {
        format!("{file}:{}:{}:{}", in_snake_case(event), entry.place.group, entry.place.hook)
    });
    let of_plugin = |id: &str| {
        let events = REGISTRATIONS.iter().map(|registration| in_snake_case(registration.event));
        events.map(|event| format!("{id}:hooks/hooks.json:{event}:0:0")).collect()
    };
    let state = trusted_in(host);
    let mut seen = Vec::new();
    let sources: [Option<(String, Vec<String>)>; 2] = [
        Some((file.to_string(), in_file.collect())),
        plugin.map(|id| (format!("the plugin {id}"), of_plugin(id))),
    ];
    for (hooks, keys) in sources.into_iter().flatten() {
        let is_trusted = |key: &String| state.get(key).is_some_and(|hook| hook.get("trusted_hash").is_some());
        let is_off =
            |key: &String| state.get(key).and_then(|hook| hook.get("enabled")?.as_bool()) == Some(false);
        if !keys.iter().all(is_trusted) {
            seen.push(Seen::Untrusted { hooks });
        } else if keys.iter().any(is_off) {
            seen.push(Seen::SwitchedOff { hooks });
        }
    }
    seen
}

/// `[hooks.state."key"]` of Codex's settings.
fn trusted_in(host: &Host) -> toml::Table {
    let text = fs::read_to_string(host.folder.join("config.toml")).unwrap_or_default();
    let settings: toml::Table = text.parse().unwrap_or_default();
    let state = settings.get("hooks").and_then(|hooks| hooks.get("state")).and_then(toml::Value::as_table);
    state.cloned().unwrap_or_default()
}

/// `PreToolUse` as Codex writes it: `pre_tool_use`.
fn in_snake_case(event: &str) -> String {
    let mut name = String::new();
    for character in event.chars() {
        if character.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(character.to_ascii_lowercase());
    }
    name
}
