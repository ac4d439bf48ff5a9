//! `gulf install`: makes gulf known to a host of sessions without its plugin system, and takes it out again.
//!
//! The hosts' own plugin commands would lose what this keeps: Claude Code and Copilot CLI write a person's whole settings
//! anew, without order, blanks and comments, and Codex passes over a plugin's hooks after each update until somebody trusts
//! them again. A test with the real hosts (`e2e/tests/e2e/plugin/hosts.rs`, `trust.rs`) fails once that is no longer so.
//!
//! Everything is read and decided first: a file that is not understood, or another loop's hook, stops the command
//! before anything is written. What is decided stands in `install/`, one question a file.

pub mod change;
mod commands;
pub mod hooks;
pub mod host;
pub mod plugins;
pub mod shell_words;
#[cfg(test)]
mod tests;

use camino::Utf8PathBuf;
use change::{Change, Document, EditRefused, Present};
use gulf_host::programs;
use host::InstallHost;
use plugins::Rival;

use crate::cli::{HostName, InstallArguments};
use crate::failure::{Failure, Result};
use crate::paths::utf8;
use crate::screen::say;
use crate::{input, requests};

pub fn install(arguments: &InstallArguments) -> Result<u8> {
    // A worker that takes its own loop's hook out would be free of it.
    requests::refuse_agents("change who watches a loop")?;
    let host = InstallHost::find(arguments.host)?;
    let changes = if arguments.uninstall { taken_out(&host)? } else { put_in(&host, arguments)? };
    let Some(changes) = changes else { return Ok(0) };
    if changes.is_empty() {
        let state = if arguments.uninstall { "does not call gulf" } else { "already calls gulf" };
        say(&format!("{} {state}: nothing to do\n", host.title))?;
    } else if arguments.dry_run {
        say(&changes.iter().map(Change::difference).collect::<String>())?;
    } else {
        carry_out(&host, &changes)?;
        if !arguments.uninstall {
            say(&format!("\n{}\n", host.next))?;
        }
    }
    warn(&host, arguments);
    Ok(0)
}

fn carry_out(host: &InstallHost, changes: &[Change]) -> Result<()> {
    for change in changes {
        change.apply(&host.folder)?;
        say(&format!("{}\n", change.describe()))?;
    }
    if let (HostName::Claude, Some(folder)) = (host.name, plugins::original_folder(&host.folder)) {
        say(&format!("left {folder}: the original's program, which nothing here calls any more\n"))?;
    }
    Ok(())
}

/// What keeps hooks from being asked although they are there.
fn warn(host: &InstallHost, arguments: &InstallArguments) {
    let path = &host.hooks_file;
    if let (false, Ok(Some(present))) = (arguments.uninstall, Present::read(path))
        && let Some(why) = host.unread(&present.whole())
    {
        errln!("note: {} does not read {path}: {why}", host.title);
    }
}

/// None where our plugin does it already, which is said.
fn put_in(host: &InstallHost, arguments: &InstallArguments) -> Result<Option<Vec<Change>>> {
    refuse_absent(host)?;
    let path = host.hooks_file.clone();
    let before = Present::read(&path)?;
    let text = before.as_ref().map_or(host.empty_file, |present| &present.text);
    let document = Document::parse(path.as_str(), text)?;
    hooks::check(&document)?;
    if let Some(id) = plugins::own(host, &document)? {
        say(&format!("{}: the plugin {id} is enabled, and does this already\n", host.title))?;
        return Ok(None);
    }
    let mut changes = match host.name {
        HostName::Claude => with_commands(host, arguments, &document)?,
        HostName::Codex | HostName::Copilot => Vec::new(),
    };
    hooks::register(&document, &shell_words::hook_command(&this_program()?))?;
    changes.splice(0..0, Change::new(path, before, Some(document.text())));
    Ok(Some(changes))
}

fn taken_out(host: &InstallHost) -> Result<Option<Vec<Change>>> {
    let path = host.hooks_file.clone();
    let mut changes = Vec::new();
    if let Some(before) = Present::read(&path)? {
        let document = Document::parse(path.as_str(), &before.text)?;
        hooks::check(&document)?;
        hooks::unregister(&document)?;
        let after = document.text();
        // A link is its owner's arrangement, whatever is left in the file.
        let is_nothing = after == host.empty_file && before.target == path && after != before.text;
        changes.extend(Change::new(path, Some(before), (!is_nothing).then_some(after)));
    }
    if host.name == HostName::Claude {
        for file in commands::present(&host.folder).into_iter().filter(commands::CommandFile::is_ours) {
            let before = Present::read(&file.path)?;
            changes.extend(Change::new(file.path, before, None));
        }
    }
    Ok(Some(changes))
}

fn refuse_absent(host: &InstallHost) -> Result<()> {
    if host.is_here() {
        return Ok(());
    }
    let (title, folder, program) = (host.title, &host.folder, host.program);
    let message =
        format!("{title} is not here: there is neither a folder {folder} nor a program `{program}`");
    Err(Failure::usage(message, format!("install {title} first")))
}

/// Other loops go, if the person wants it, and the files of our own commands come.
fn with_commands(
    host: &InstallHost,
    arguments: &InstallArguments,
    document: &Document,
) -> Result<Vec<Change>> {
    let rivals = plugins::find(document, &host.folder)?;
    if !rivals.is_empty() {
        let listed: String = rivals.iter().map(|rival| format!("  {}\n", rival.describe())).collect();
        let question = format!("Another loop is installed:\n{listed}Replace it with gulf?");
        // On a terminal the person is asked, unless they only want to see what would happen; unattended nothing is
        // replaced.
        if !arguments.replace_original && (arguments.dry_run || !input::agrees(&question)?) {
            return Err(Failure::usage(
                format!("another loop is installed and would answer the same stops:\n{}", listed.trim_end()),
                "`--replace-original` removes these hooks and commands and disables such plugins",
            ));
        }
        plugins::remove(document, &rivals)?;
    }
    let wanted: Vec<(Utf8PathBuf, String)> = commands::wanted(&host.folder).collect();
    let mut changes = Vec::new();
    let not_ours = commands::present(&host.folder).into_iter().filter(|file| !file.is_ours());
    for commands::CommandFile { path, .. } in not_ours {
        let is_wanted = wanted.iter().any(|(wanted, _)| *wanted == path);
        let is_rival = rivals.contains(&Rival::Command { path: path.clone() });
        if is_wanted && !is_rival {
            let hint = "move it away, then run the same command again";
            return Err(Failure::usage(format!("{path} exists, and gulf did not write it"), hint));
        }
        if !is_wanted && is_rival {
            let before = Present::read(&path)?;
            changes.extend(Change::new(path, before, None));
        }
    }
    for (path, text) in wanted {
        let before = Present::read(&path)?;
        changes.extend(Change::new(path, before, Some(text)));
    }
    Ok(changes)
}

impl From<EditRefused> for Failure {
    fn from(place: EditRefused) -> Self {
        let message = format!("gulf does not change {}", place.source.name());
        Self::places(&message, std::iter::once(&*place))
    }
}

/// The name by which gulf is found, where the PATH has one for this very file: the file behind it may be replaced by the
/// next version's.
fn this_program() -> Result<Utf8PathBuf> {
    let program = std::env::current_exe().map_err(Failure::broken)?;
    let program = utf8(program, "install gulf elsewhere")?;
    let is_same = |found: &Utf8PathBuf| {
        found.is_absolute()
            && matches!((found.canonicalize(), program.canonicalize()), (Ok(one), Ok(other)) if one == other)
    };
    Ok(programs::find("gulf").filter(is_same).unwrap_or(program))
}
