//! By which ways a person is reached, as sealed at the start (SPEC A6, B1).
//!
//! They stand apart because a worker can write gulf.toml: who may answer, and where a question is sent, is agreed on
//! before a worker begins. A secret is never sealed, only where it is to be found.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::clock::milliseconds;
use gulf_host::secret::{Secret, SecretError, SecretSource, at_home};
use gulf_spec::config::{
    CommandSays, CommandSettings, NotifyEvent, NotifySettings, SecretPlace, SlackTerms, WebhookTerms,
};
use serde::{Deserialize, Serialize};

/// The channels' names, in the journal and on the screen.
pub const SLACK: &str = "slack";
pub(crate) const WEBHOOK: &str = "webhook";
pub(crate) const COMMAND: &str = "command";

/// All ways by which a person is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotifyTerms {
    pub events: Vec<NotifyEvent>,
    pub poll_ms: u64,
    /// How long an unattended loop waits for an answer; none: not at all.
    pub wait_ms: Option<u64>,
    pub timeout_ms: u64,
    pub slack: Option<SlackTerms>,
    pub webhook: Option<WebhookTerms>,
    pub command: Option<CommandTerms>,
    /// Where `gulf web` is reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub web: Option<String>,
}

/// A program that gets every notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandTerms {
    pub program: String,
    pub arguments: Vec<String>,
    pub says: CommandSays,
}

/// Why a way to reach a person cannot be agreed on.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum NotifyError {
    #[error("`{key}` names a file in the project, where the worker can read and change it: {path}")]
    #[diagnostic(help("move it out of the project, such as to ~/.config/gulf/"))]
    SecretInside { key: &'static str, path: Utf8PathBuf },
    #[error("`notify.command` starts a program in the project, where the worker can change it: {program}")]
    #[diagnostic(help("name a program on PATH, or one outside the project by its absolute path"))]
    ProgramInside { program: String },
}

/// Reads it, now.
pub fn read_secret(place: &SecretPlace) -> Result<Secret, SecretError> {
    Secret::read(match place {
        SecretPlace::Variable { name } => SecretSource::Variable(name),
        SecretPlace::File { path } => SecretSource::File(Utf8Path::new(path)),
    })
}

impl NotifyTerms {
    /// What the settings say; none where nobody is to be told anything. `projects` are the checkouts of the worker's.
    pub fn from_settings(
        settings: &NotifySettings,
        projects: &[&Utf8Path],
    ) -> Result<Option<Self>, NotifyError> {
        let NotifySettings { slack, webhook, command, .. } = settings;
        if slack.is_none() && webhook.is_none() && command.is_none() {
            return Ok(None);
        }
        let secrets = [
            ("notify.slack_token", slack.as_ref().map(|slack| &slack.token)),
            ("notify.webhook", webhook.as_ref().map(|webhook| &webhook.url)),
            ("notify.webhook_secret", webhook.as_ref().and_then(|webhook| webhook.secret.as_ref())),
        ];
        for (key, place) in secrets {
            if let Some(SecretPlace::File { path }) = place
                && is_inside(&at_home(Utf8Path::new(path)), projects)
            {
                return Err(NotifyError::SecretInside { key, path: Utf8PathBuf::from(path) });
            }
        }
        Ok(Some(Self {
            events: settings.events.clone(),
            poll_ms: milliseconds(settings.poll),
            wait_ms: settings.wait.map(milliseconds),
            timeout_ms: milliseconds(settings.timeout),
            slack: slack.clone(),
            webhook: webhook.clone(),
            command: command.as_ref().map(|command| command_terms(command, projects)).transpose()?.flatten(),
            web: settings.web.clone(),
        }))
    }

    /// Variables that hold a secret: neither workers nor checks nor judges see them.
    pub fn variables(&self) -> Vec<&str> {
        let places = self.slack.iter().map(|slack| &slack.token);
        let places = places
            .chain(self.webhook.iter().flat_map(|webhook| [&webhook.url].into_iter().chain(&webhook.secret)));
        places
            .filter_map(|place| match place {
                SecretPlace::Variable { name } => Some(name.as_str()),
                SecretPlace::File { .. } => None,
            })
            .collect()
    }

    /// The channels that were set up.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            (SLACK, self.slack.is_some()),
            (WEBHOOK, self.webhook.is_some()),
            (COMMAND, self.command.is_some()),
        ];
        all.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
    }

    /// Can anybody answer by one of the channels?
    pub fn hears(&self) -> bool {
        let by_slack = self.slack.as_ref().is_some_and(|slack| !slack.allow.is_empty());
        by_slack || self.command.as_ref().is_some_and(|command| command.says == CommandSays::Answers)
    }

    pub fn poll(&self) -> Duration {
        Duration::from_millis(self.poll_ms)
    }

    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    pub fn wait(&self) -> Option<Duration> {
        self.wait_ms.map(Duration::from_millis)
    }
}

fn command_terms(
    command: &CommandSettings,
    projects: &[&Utf8Path],
) -> Result<Option<CommandTerms>, NotifyError> {
    let Some((program, arguments)) = command.arguments.split_first() else { return Ok(None) };
    let path = at_home(Utf8Path::new(program));
    let is_path = path.as_str().contains(['/', std::path::MAIN_SEPARATOR]);
    // It runs in the loop's own folder: a path that is not absolute would lead nowhere, or into the project.
    if is_path && (!path.is_absolute() || is_inside(&path, projects)) {
        return Err(NotifyError::ProgramInside { program: program.clone() });
    }
    Ok(Some(CommandTerms { program: path.into_string(), arguments: arguments.to_vec(), says: command.says }))
}

/// Also by way of links; what is not there yet is taken by its letters.
fn is_inside(path: &Utf8Path, projects: &[&Utf8Path]) -> bool {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    projects.iter().any(|project| real(path).starts_with(real(project)) || path.starts_with(project))
}
