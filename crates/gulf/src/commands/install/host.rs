//! The three hosts: where each keeps its hooks, what it is called, and what its owner does next.
//!
//! These are facts about other programs, found out by running them: Claude Code 2.1.332, Codex 0.171.0, Copilot CLI
//! 1.0.102.

use camino::Utf8PathBuf;
use gulf_agents::agents::{AgentHome, Tool};
use gulf_host::programs;

use crate::cli::HostName;
use crate::failure::Failure;
use crate::paths::utf8;

/// A host on this machine.
#[derive(Debug)]
pub(super) struct InstallHost {
    pub(super) name: HostName,
    /// Where its settings lie.
    pub(super) folder: Utf8PathBuf,
}

impl InstallHost {
    /// Where the host looks, whether or not anything is there.
    pub(super) fn find(name: HostName) -> Result<InstallHost, Failure> {
        let AgentHome { variable, default: usual, .. } = agent(name).descriptor().home;
        let named = std::env::var_os(variable).filter(|value| !value.is_empty());
        let home = std::env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(usual));
        let nowhere = || {
            let message = format!("neither {variable} nor a home directory is set");
            Failure::usage(message, format!("set {variable} to the folder of the host's settings"))
        };
        let folder = named.map(Into::into).or(home).ok_or_else(nowhere)?;
        let folder = utf8(folder, "set it to one that is")?;
        Ok(InstallHost { name, folder })
    }

    /// What people call it.
    pub(super) fn title(&self) -> &'static str {
        match self.name {
            HostName::Claude => "Claude Code",
            HostName::Codex => "Codex",
            HostName::Copilot => "Copilot CLI",
        }
    }

    /// Its name on a command line.
    pub(super) fn program(&self) -> &'static str {
        agent(self.name).name()
    }

    /// Is it used here, or could it be?
    pub(super) fn is_here(&self) -> bool {
        self.folder.is_dir() || programs::find(self.program()).is_some()
    }

    /// The file that hooks stand in.
    pub(super) fn hooks_file(&self) -> Utf8PathBuf {
        match self.name {
            HostName::Claude => self.folder.join("settings.json"),
            HostName::Codex => self.folder.join("hooks.json"),
            // It reads every file of that folder; this one is gulf's alone.
            HostName::Copilot => self.folder.join("hooks/gulf-loop.json"),
        }
    }

    /// What the file says where it is not there yet.
    pub(super) fn empty_file(&self) -> &'static str {
        match self.name {
            HostName::Claude | HostName::Codex => "{}\n",
            HostName::Copilot => "{\n  \"version\": 1\n}\n",
        }
    }

    /// Why the host does not read this text, though gulf does.
    pub(super) fn unread(&self, text: &str) -> Option<&'static str> {
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

    /// What to do after the hooks were put in.
    pub(super) fn next(&self) -> &'static str {
        match self.name {
            HostName::Claude => "Next: start a new session of Claude Code and type /gulf-loop:help.",
            HostName::Codex => {
                "Next: start codex in a terminal and trust the new hooks when it asks; until then it passes over them in\n\
                 silence, in `codex exec`, too. Then type $gulf-loop:help as a message."
            }
            HostName::Copilot => {
                "Next: start a new session of Copilot CLI and type gulf-loop:help as a message."
            }
        }
    }
}

fn agent(host: HostName) -> Tool {
    match host {
        HostName::Claude => Tool::Claude,
        HostName::Codex => Tool::Codex,
        HostName::Copilot => Tool::Copilot,
    }
}
