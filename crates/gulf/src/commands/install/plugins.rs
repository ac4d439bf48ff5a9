//! The plugins that a host has enabled, as far as they are about loops.
//!
//! Each host writes them down in its own way, and the original gulf-loop can be a plugin of our name.

use camino::{Utf8Path, Utf8PathBuf};

use super::change::{Document, EditRefused};
use super::commands;
use super::hooks::{self, Entry};
use super::host::InstallHost;
use crate::cli::HostName;

/// How `name@marketplace` begins for our plugin.
const OWN: &str = "gulf-loop@";

/// The original's script, by which its plugin is told from ours.
pub const ORIGINAL_SCRIPT: &str = "stop-hook.sh";

/// Our plugin, where it is enabled; `document` is Claude Code's settings. What another file says that cannot be read
/// counts as no: hooks that are there twice are answered once.
pub fn own(host: &InstallHost, document: &Document) -> Result<Option<String>, EditRefused> {
    let enabled = match host.name {
        HostName::Claude => enabled(document)?,
        HostName::Codex => enabled_in_codex(&host.folder),
        HostName::Copilot => enabled_in_copilot(&host.folder),
    };
    Ok(enabled.into_iter().find(|id| id.starts_with(OWN) && !is_original(id, &host.folder)))
}

/// `{"enabledPlugins": {"name@marketplace": true}}`
pub fn enabled(document: &Document) -> Result<Vec<String>, EditRefused> {
    let Some(plugins) = document.member(&document.top()?, "enabledPlugins")? else { return Ok(Vec::new()) };
    let properties = document.object(&plugins, "\"enabledPlugins\"")?.properties().into_iter();
    let enabled = properties.filter(|property| {
        let literal = property.value().and_then(|value| value.as_boolean_lit());
        literal.is_some_and(|literal| literal.value())
    });
    Ok(enabled.filter_map(|property| property.decoded_name()).collect())
}

/// Is this a plugin of our name whose copy in Claude Code's folder has the original's script?
pub fn is_original(id: &str, folder: &Utf8Path) -> bool {
    let has_script = |copy: &Utf8PathBuf| copy.join("hooks").join(ORIGINAL_SCRIPT).is_file();
    id.starts_with(OWN) && copies(id, folder).iter().any(has_script)
}

/// The version of our plugin that the host has, where it is another than this program's, and whether it is older.
pub fn other_version(id: &str, host: &InstallHost) -> Option<(String, bool)> {
    let market = id.strip_prefix(OWN)?;
    let copies = match host.name {
        HostName::Claude => copies(id, &host.folder),
        HostName::Codex => {
            let cached = host.folder.join("plugins/cache").join(market).join("gulf-loop").read_dir_utf8();
            cached.into_iter().flatten().flatten().map(|copy| copy.into_path()).collect()
        }
        HostName::Copilot => vec![copy_in_copilot(market, &host.folder)],
    };
    let version = |copy: &Utf8PathBuf| {
        json(&copy.join(".claude-plugin/plugin.json"))["version"].as_str().map(str::to_owned)
    };
    let versions: Vec<String> = copies.iter().filter_map(version).collect();
    let own = env!("CARGO_PKG_VERSION");
    let numbers =
        |version: &str| version.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u64>>();
    let newest = versions.iter().max_by_key(|version| numbers(version))?;
    let differs = versions.iter().all(|version| version != own);
    differs.then(|| (newest.clone(), numbers(newest) < numbers(own)))
}

/// Null where it cannot be read.
fn json(file: &Utf8Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap_or_default()).unwrap_or_default()
}

fn copies(id: &str, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let installed = json(&folder.join("plugins/installed_plugins.json"));
    let copies = installed["plugins"][id].as_array().into_iter().flatten();
    copies.filter_map(|copy| copy["installPath"].as_str().map(Into::into)).collect()
}

/// Copilot CLI uses a plugin of a marketplace that is a folder where it lies, and copies others.
fn copy_in_copilot(market: &str, folder: &Utf8Path) -> Utf8PathBuf {
    let where_it_lies = || {
        let settings = copilot_settings(folder)?;
        let mut object = settings.top().ok()?;
        for key in ["extraKnownMarketplaces", market, "source"] {
            object = settings.member(&object, key).ok()??.as_object()?;
        }
        hooks::text_of(&settings.member(&object, "path").ok()??)
    };
    match where_it_lies() {
        Some(market) => Utf8Path::new(&market).join("plugins/gulf-loop"),
        None => folder.join("installed-plugins").join(market).join("gulf-loop"),
    }
}

/// None where they cannot be read; they may have comments.
fn copilot_settings(folder: &Utf8Path) -> Option<Document> {
    let path = folder.join("settings.json");
    Document::parse(path.as_str(), &std::fs::read_to_string(&path).ok()?).ok()
}

/// `[plugins."name@marketplace"]` with `enabled = true`
fn enabled_in_codex(folder: &Utf8Path) -> Vec<String> {
    let settings = codex_settings(folder);
    let plugins = settings.get("plugins").and_then(toml::Value::as_table);
    let is_enabled =
        |plugin: &toml::Value| plugin.get("enabled").and_then(toml::Value::as_bool) == Some(true);
    plugins.into_iter().flatten().filter(|(_, plugin)| is_enabled(plugin)).map(|(id, _)| id.clone()).collect()
}

/// Empty where they cannot be read.
pub fn codex_settings(folder: &Utf8Path) -> toml::Table {
    std::fs::read_to_string(folder.join("config.toml")).unwrap_or_default().parse().unwrap_or_default()
}

fn enabled_in_copilot(folder: &Utf8Path) -> Vec<String> {
    copilot_settings(folder).and_then(|settings| enabled(&settings).ok()).unwrap_or_default()
}

// Other loops in Claude Code that would answer the same stops: the original gulf-loop, and the ralph-loop plugin.

/// Plugins whose Stop hook drives a loop of its own.
const RALPH: [&str; 2] = ["ralph-loop@", "ralph-wiggum@"];

/// Where the original's installer puts its program, from the folder of the settings.
const ORIGINAL_FOLDER: &str = "plugins/gulf-loop";

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rival {
    /// The original's hook in the settings, by its command.
    Hook { command: String },
    /// A file by which the original makes a command known.
    Command { path: Utf8PathBuf },
    /// An enabled plugin, as `name@marketplace`.
    Plugin { id: String },
}

impl Rival {
    pub fn describe(&self) -> String {
        match self {
            Rival::Hook { command } => format!("the original gulf-loop's Stop hook {command}"),
            Rival::Command { path } => format!("the original gulf-loop's command {path}"),
            Rival::Plugin { id } => format!("the plugin {id}, which drives a loop of its own"),
        }
    }
}

/// All of them, in Claude Code's settings and beside them.
pub fn find(document: &Document, folder: &Utf8Path) -> Result<Vec<Rival>, EditRefused> {
    let hooks = hooks::entries(document, "Stop")?.into_iter().filter(calls_original);
    let mut found: Vec<Rival> = hooks.map(|hook| Rival::Hook { command: hook.command }).collect();
    let is_rival = |id: &String| RALPH.iter().any(|name| id.starts_with(name)) || is_original(id, folder);
    found.extend(enabled(document)?.into_iter().filter(is_rival).map(|id| Rival::Plugin { id }));
    let is_installed = !found.is_empty() || original_folder(folder).is_some();
    let not_ours = commands::present(folder).into_iter().filter(|file| !file.is_ours());
    let originals = not_ours.filter(|file| is_installed || file.text.contains(ORIGINAL_FOLDER));
    found.extend(originals.map(|file| Rival::Command { path: file.path }));
    Ok(found)
}

/// Takes the hooks out of the settings, and switches the plugins off: installed they stay. Files are the caller's.
pub fn remove(document: &Document, rivals: &[Rival]) -> Result<(), EditRefused> {
    for hook in hooks::entries(document, "Stop")?.into_iter().filter(calls_original) {
        hook.remove(document, "Stop")?;
    }
    let plugins = document.top()?.object_value("enabledPlugins");
    for rival in rivals {
        if let Rival::Plugin { id } = rival
            && let Some(property) = plugins.as_ref().and_then(|plugins| plugins.get(id))
        {
            property.set_value(false.into());
        }
    }
    Ok(())
}

/// The original's program, which nothing calls once its hook is gone.
pub fn original_folder(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    Some(folder.join(ORIGINAL_FOLDER)).filter(|path| path.join("hooks").join(ORIGINAL_SCRIPT).is_file())
}

/// Its script lies in a folder of that name, be it by installer or in a clone.
fn calls_original(entry: &Entry) -> bool {
    entry.command.contains("gulf-loop") && entry.command.contains(ORIGINAL_SCRIPT)
}
