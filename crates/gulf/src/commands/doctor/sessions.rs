//! Whose sessions know gulf on this machine, and what keeps gulf from being called there: looked at, not changed.
//!
//! Here nothing is refused: what cannot be read is one more thing to say.

use camino::Utf8PathBuf;
use gulf_host::programs;

use super::Finding;
use crate::cli::HostName;
use crate::commands::install::change::{Document, EditRefused, Present};
use crate::commands::install::hooks::{self, Entry, REGISTRATIONS};
use crate::commands::install::host::InstallHost;
use crate::commands::install::{plugins, shell_words};

/// Looks at every host that is here; nothing is said of the others.
pub(super) fn hosts() -> Vec<Finding> {
    let all = [HostName::Claude, HostName::Codex, HostName::Copilot].into_iter();
    let here = all.filter_map(|name| InstallHost::find(name).ok()).filter(InstallHost::is_here);
    here.flat_map(|host| seen(&host)).collect()
}

fn seen(host: &InstallHost) -> Vec<Finding> {
    let file = &host.hooks_file;
    let present = match Present::read(file) {
        Ok(present) => present,
        Err(failure) => return vec![not_understood(host, &failure.in_one_line())],
    };
    let text = present.as_ref().map_or(host.empty_file, |present| &present.text);
    let mut seen = match in_document(host, text) {
        Ok(seen) => seen,
        Err(place) => vec![not_understood(host, &format!("{}: {}", place.place(), place.problem))],
    };
    let unread = present.and_then(|present| host.unread(&present.whole()));
    let unread = unread.map(|why| format!("{} does not read {file}: {why}", host.title));
    seen.extend(unread.map(|message| in_the_way(message, "take them out by hand")));
    seen
}

fn not_understood(host: &InstallHost, why: &str) -> Finding {
    in_the_way(format!("whether {} calls gulf cannot be told: {why}", host.title), "look at this by hand")
}

fn in_the_way(message: String, hint: impl Into<String>) -> Finding {
    Finding::warning("sessions", message, hint)
}

fn in_document(host: &InstallHost, text: &str) -> Result<Vec<Finding>, EditRefused> {
    let (title, program, file) = (host.title, host.program, &host.hooks_file);
    let again = format!("`gulf install {program}` rewrites them");
    let document = Document::parse(file.as_str(), text)?;
    let (mut ours, mut missing) = (Vec::new(), Vec::new());
    for event in REGISTRATIONS.map(|registration| registration.event) {
        match hooks::entries(&document, event)?.into_iter().find(Entry::is_ours) {
            Some(entry) => ours.push((event, entry)),
            None => missing.push(event),
        }
    }
    let plugin = plugins::own(host, &document)?;
    let well = |message: String| Finding::ok("sessions", message);
    let mut seen = vec![match (&plugin, ours.is_empty()) {
        (None, true) => {
            well(format!("{title} does not call gulf: for loops in its sessions, `gulf install {program}`"))
        }
        (Some(id), true) => well(format!("{title} calls gulf by the plugin {id}")),
        (None, false) => well(format!("{title} calls gulf by its hooks in {file}")),
        (Some(id), false) => in_the_way(
            format!("{title} calls gulf twice, by the plugin {id} and by {file}"),
            format!("`gulf install {program} --uninstall` leaves only the plugin"),
        ),
    }];
    if let Some((version, is_older)) = plugin.as_ref().and_then(|id| plugins::other_version(id, host)) {
        let own = env!("CARGO_PKG_VERSION");
        let message = format!("{title} has the plugin gulf-loop {version}, and this is gulf {own}");
        let update = format!("update the plugin in {title}");
        seen.push(in_the_way(message, if is_older { update } else { format!("install gulf {version}") }));
    }
    if !ours.is_empty() && !missing.is_empty() {
        let events = missing.join(", ");
        let message = format!("{title} does not call gulf at {events}: that is not in {file}");
        seen.push(in_the_way(message, again.clone()));
    }
    if let Some(gulf) = missing_program(&ours) {
        seen.push(in_the_way(format!("{title} calls {gulf}, which does not exist"), again));
    }
    if is_all_off(&document)? {
        let message = format!("{title} calls no hooks at all: \"disableAllHooks\" in {file}");
        seen.push(in_the_way(message, "take that out, or set it to false"));
    }
    match host.name {
        HostName::Claude => {
            let rivals = plugins::find(&document, &host.folder)?;
            seen.extend(rivals.iter().map(|rival| {
                let message = format!("{title} has another loop installed: {}", rival.describe());
                let again = format!("`gulf install {program} --replace-original`");
                in_the_way(message, format!("two loops interfere with each other: {again}"))
            }));
        }
        HostName::Codex => seen.extend(trust(host, &ours, plugin.as_deref())),
        HostName::Copilot => {}
    }
    Ok(seen)
}

/// The first program among the hooks' that nobody could execute.
fn missing_program(ours: &[(&'static str, Entry)]) -> Option<Utf8PathBuf> {
    let named = ours.iter().filter_map(|(_, entry)| shell_words::split(&entry.command)?.into_iter().next());
    // A whole path leads to itself from each folder of the PATH.
    named.map(Utf8PathBuf::from).find(|program| programs::find(program.as_str()).is_none())
}

/// Claude Code's `"disableAllHooks": true`.
fn is_all_off(document: &Document) -> Result<bool, EditRefused> {
    let value = document.member(&document.top()?, "disableAllHooks")?;
    Ok(value.and_then(|value| value.as_boolean_lit()).is_some_and(|literal| literal.value()))
}

/// What Codex was told of our hooks, as far as its settings show: it keeps a digest of what was trusted, and only it
/// knows whether that is still the same.
fn trust(host: &InstallHost, ours: &[(&'static str, Entry)], plugin: Option<&str>) -> Vec<Finding> {
    let file = host.hooks_file.canonicalize_utf8().unwrap_or_else(|_| host.hooks_file.clone());
    let in_file = ours.iter().map(|(event, Entry { place: (group, hook), .. })| {
        format!("{file}:{}:{group}:{hook}", in_snake_case(event))
    });
    let of_plugin = |id: &str| {
        let events = REGISTRATIONS.map(|registration| in_snake_case(registration.event));
        events.map(|event| format!("{id}:hooks/hooks.json:{event}:0:0")).to_vec()
    };
    // `[hooks.state."key"]`
    let settings = plugins::codex_settings(&host.folder);
    let trusted = |key: &String| settings.get("hooks")?.get("state")?.get(key);
    let mut seen = Vec::new();
    let mut sources: Vec<(String, Vec<String>)> = vec![(file.to_string(), in_file.collect())];
    sources.extend(plugin.map(|id| (format!("the plugin {id}"), of_plugin(id))));
    for (hooks, keys) in sources {
        let is_trusted = |key: &String| trusted(key).is_some_and(|hook| hook.get("trusted_hash").is_some());
        let is_off =
            |key: &String| trusted(key).and_then(|hook| hook.get("enabled")?.as_bool()) == Some(false);
        if !keys.iter().all(is_trusted) {
            let message = format!("Codex silently skips hooks that are not trusted yet: {hooks}");
            seen.push(in_the_way(message, "start `codex` in a terminal and trust them when it asks"));
        } else if keys.iter().any(is_off) {
            let message = format!("Codex has some of gulf's hooks switched off: {hooks}");
            seen.push(in_the_way(message, "type `/hooks` in `codex` and switch them on"));
        }
    }
    seen
}

/// `PreToolUse` as Codex writes it: `pre_tool_use`.
fn in_snake_case(event: &str) -> String {
    let lower = |character: char| match character.is_ascii_uppercase() {
        true => format!("_{}", character.to_ascii_lowercase()),
        false => character.to_string(),
    };
    event.chars().map(lower).collect::<String>().trim_start_matches('_').to_owned()
}
