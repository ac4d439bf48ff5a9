//! Other loops in Claude Code that would answer the same stops: the original gulf-loop, and the ralph-loop plugin.
//!
//! It stands apart because two hooks that both keep a session going undo each other's work: gulf neither installs itself
//! beside one nor removes one unasked.

use camino::{Utf8Path, Utf8PathBuf};

use super::commands;
use super::document::{Document, EditRefused};
use super::hooks::{self, Entry};
use super::plugins::{self, ORIGINAL_SCRIPT};

/// Plugins whose Stop hook drives a loop of its own.
const RALPH: [&str; 2] = ["ralph-loop@", "ralph-wiggum@"];

/// Where the original's installer puts its program, from the folder of the settings.
const ORIGINAL_FOLDER: &str = "plugins/gulf-loop";

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rival {
    /// The original's hook in the settings, by its command.
    Hook { command: String },
    /// A file by which the original makes a command known.
    Command { path: Utf8PathBuf },
    /// An enabled plugin, as `name@marketplace`.
    Plugin { id: String },
}

impl Rival {
    pub(super) fn told(&self) -> String {
        match self {
            Rival::Hook { command } => format!("the original gulf-loop's Stop hook {command}"),
            Rival::Command { path } => format!("the original gulf-loop's command {path}"),
            Rival::Plugin { id } => format!("the plugin {id}, which drives a loop of its own"),
        }
    }
}

/// All of them, in Claude Code's settings and beside them.
pub(super) fn find(document: &Document, folder: &Utf8Path) -> Result<Vec<Rival>, EditRefused> {
    let hooks = hooks::entries(document, "Stop")?.into_iter().filter(is_original);
    let mut found: Vec<Rival> = hooks.map(|hook| Rival::Hook { command: hook.command }).collect();
    let is_rival =
        |id: &String| RALPH.iter().any(|name| id.starts_with(name)) || plugins::is_original(id, folder);
    found.extend(plugins::enabled(document)?.into_iter().filter(is_rival).map(|id| Rival::Plugin { id }));
    let is_installed = !found.is_empty() || original_folder(folder).is_some();
    let not_ours = commands::present(folder).into_iter().filter(|file| !file.is_ours());
    let originals = not_ours.filter(|file| is_installed || file.text.contains(ORIGINAL_FOLDER));
    found.extend(originals.map(|file| Rival::Command { path: file.path }));
    Ok(found)
}

/// Takes the hooks out of the settings, and switches the plugins off: installed they stay. Files are the caller's.
pub(super) fn remove(document: &Document, rivals: &[Rival]) -> Result<(), EditRefused> {
    for hook in hooks::entries(document, "Stop")?.into_iter().filter(is_original) {
        hook.remove(document, "Stop")?;
    }
    let plugins = document.top()?.object_value("enabledPlugins");
    for rival in rivals {
        match rival {
            Rival::Hook { .. } | Rival::Command { .. } => {}
            Rival::Plugin { id } => {
                if let Some(property) = plugins.as_ref().and_then(|plugins| plugins.get(id)) {
                    property.set_value(false.into());
                }
            }
        }
    }
    Ok(())
}

/// The original's program, which nothing calls once its hook is gone.
pub(super) fn original_folder(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    Some(folder.join(ORIGINAL_FOLDER)).filter(|path| path.join("hooks").join(ORIGINAL_SCRIPT).is_file())
}

/// Its script lies in a folder of that name, be it by installer or in a clone.
fn is_original(entry: &Entry) -> bool {
    entry.command.contains("gulf-loop") && entry.command.contains(ORIGINAL_SCRIPT)
}
