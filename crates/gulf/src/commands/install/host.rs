//! The three hosts: where each keeps its hooks, what it is called, and what its owner does next.
//!
//! These are facts about other programs, found out by running them: Claude Code 2.1.332, Codex 0.171.0, Copilot CLI
//! 1.0.102.

use camino::Utf8PathBuf;
use gulf_agents::agents::{AgentHome, Tool};
use gulf_host::programs;

use crate::cli::HostName;
use crate::failure::{Failure, Result};
use crate::paths::utf8;

/// A host on this machine.
#[derive(Debug)]
pub struct InstallHost {
    pub name: HostName,
    /// What people call it.
    pub title: &'static str,
    /// Its name on a command line.
    pub program: &'static str,
    /// Where its settings lie.
    pub folder: Utf8PathBuf,
    /// The file that hooks stand in.
    pub hooks_file: Utf8PathBuf,
    /// What that file says where it is not there yet.
    pub empty_file: &'static str,
    /// What to do after the hooks were put in.
    pub next: &'static str,
}

impl InstallHost {
    /// Where the host looks, whether or not anything is there.
    pub fn find(name: HostName) -> Result<InstallHost> {
        let (tool, title, hooks_file, empty_file, next) = match name {
            HostName::Claude => {
                let next = "Next: start a new session of Claude Code and type /gulf-loop:help.";
                (Tool::Claude, "Claude Code", "settings.json", "{}\n", next)
            }
            HostName::Codex => {
                let next = "Next: start codex in a terminal and trust the new hooks when it asks; until then it passes over them in\n\
                            silence, in `codex exec`, too. Then type $gulf-loop:help as a message.";
                (Tool::Codex, "Codex", "hooks.json", "{}\n", next)
            }
            HostName::Copilot => {
                let next = "Next: start a new session of Copilot CLI and type gulf-loop:help as a message.";
                // It reads every file of that folder; this one is gulf's alone.
                (Tool::Copilot, "Copilot CLI", "hooks/gulf-loop.json", "{\n  \"version\": 1\n}\n", next)
            }
        };
        let AgentHome { variable, default: usual, .. } = tool.descriptor().home;
        let named = std::env::var_os(variable).filter(|value| !value.is_empty());
        let home = std::env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(usual));
        let nowhere = || {
            let message = format!("neither {variable} nor a home directory is set");
            Failure::usage(message, format!("set {variable} to the folder of the host's settings"))
        };
        let folder = named.map(Into::into).or(home).ok_or_else(nowhere)?;
        let folder = utf8(folder, "set it to one that is")?;
        let hooks_file = folder.join(hooks_file);
        Ok(InstallHost { name, title, program: tool.name(), folder, hooks_file, empty_file, next })
    }

    /// Is it used here, or could it be?
    pub fn is_here(&self) -> bool {
        self.folder.is_dir() || programs::find(self.program).is_some()
    }

    /// Why the host does not read this text, though gulf does.
    pub fn unread(&self, text: &str) -> Option<&'static str> {
        let read = match self.name {
            // Claude Code passes over a byte order mark.
            HostName::Claude => text.strip_prefix('\u{feff}').unwrap_or(text),
            HostName::Codex => text,
            HostName::Copilot => return None,
        };
        serde_json::from_str::<serde::de::IgnoredAny>(read)
            .is_err()
            .then_some("it has comments, trailing commas or a byte order mark, so the host ignores all of it")
    }
}
