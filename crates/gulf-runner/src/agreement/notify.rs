//! By which ways a person is reached, as sealed at the start (SPEC A6, B1).
//!
//! They stand apart because a worker can write gulf.toml: who may answer, and where a question is sent, is agreed on
//! before a worker begins. A secret is never sealed, only where it is to be found.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::clock::milliseconds;
use gulf_host::secret::{self, Secret, SecretError, at_home};
use gulf_spec::config::{self, CommandSays, NotifyEvent, NotifySettings};
use serde::{Deserialize, Serialize};

/// The channels' names, in the journal and on the screen.
pub const SLACK: &str = "slack";
pub(crate) const WEBHOOK: &str = "webhook";
pub(crate) const COMMAND: &str = "command";

/// All ways by which a person is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotifyTerms {
    pub events: Vec<TellOf>,
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

/// What a person is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TellOf {
    Question,
    Pause,
    End,
}

/// A conversation in Slack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlackTerms {
    /// The id of a channel, or of a user.
    pub conversation: String,
    pub token: SecretAt,
    /// The ids of those whose answers count.
    pub allow: Vec<String>,
    pub url: String,
}

/// A URL that gets every notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookTerms {
    pub url: SecretAt,
    pub secret: Option<SecretAt>,
}

/// A program that gets every notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandTerms {
    pub program: String,
    pub arguments: Vec<String>,
    pub says: Says,
}

/// What the output of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    Nothing,
    Answers,
}

/// Where a secret is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SecretAt {
    Variable { name: String },
    File { path: Utf8PathBuf },
}

/// Why a way to reach a person cannot be agreed on.
#[derive(Debug, thiserror::Error)]
pub enum NotifyError {
    #[error("`{key}` names a file in the project, where the worker can read and change it: {path}")]
    SecretInside { key: &'static str, path: Utf8PathBuf },
    #[error("`notify.command` starts a program in the project, where the worker can change it: {program}")]
    ProgramInside { program: String },
}

impl NotifyError {
    /// What the person can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::SecretInside { .. } => "move it out of the project, such as to ~/.config/gulf/".to_owned(),
            Self::ProgramInside { .. } => {
                "name a program on PATH, or one outside the project by its absolute path".to_owned()
            }
        }
    }
}

impl SecretAt {
    fn of(place: &config::SecretPlace) -> Self {
        match place {
            config::SecretPlace::Variable(name) => Self::Variable { name: name.clone() },
            config::SecretPlace::File(path) => Self::File { path: Utf8PathBuf::from(path) },
        }
    }

    /// Reads it, now.
    pub fn read(&self) -> Result<Secret, SecretError> {
        Secret::read(match self {
            Self::Variable { name } => secret::SecretSource::Variable(name),
            Self::File { path } => secret::SecretSource::File(path),
        })
    }
}

impl NotifyTerms {
    /// What the settings say; none where nobody is to be told anything. `projects` are the checkouts of the worker's.
    pub fn of(settings: &NotifySettings, projects: &[&Utf8Path]) -> Result<Option<Self>, NotifyError> {
        let NotifySettings { slack, webhook, command, .. } = settings;
        if slack.is_none() && webhook.is_none() && command.is_none() {
            return Ok(None);
        }
        let secret = |key: &'static str, place: &config::SecretPlace| {
            let place = SecretAt::of(place);
            match &place {
                SecretAt::File { path } if is_inside(&at_home(path), projects) => {
                    Err(NotifyError::SecretInside { key, path: path.clone() })
                }
                SecretAt::File { .. } | SecretAt::Variable { .. } => Ok(place),
            }
        };
        let slack = match slack {
            None => None,
            Some(slack) => Some(SlackTerms {
                conversation: slack.conversation.clone(),
                token: secret("notify.slack_token", &slack.token)?,
                allow: slack.allow.clone(),
                url: slack.url.clone(),
            }),
        };
        let webhook = match webhook {
            None => None,
            Some(webhook) => Some(WebhookTerms {
                url: secret("notify.webhook", &webhook.url)?,
                secret: webhook
                    .secret
                    .as_ref()
                    .map(|place| secret("notify.webhook_secret", place))
                    .transpose()?,
            }),
        };
        Ok(Some(Self {
            events: settings.events.iter().map(tell_of).collect(),
            poll_ms: milliseconds(settings.poll),
            wait_ms: settings.wait.map(milliseconds),
            timeout_ms: milliseconds(settings.timeout),
            slack,
            webhook,
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
                SecretAt::Variable { name } => Some(name.as_str()),
                SecretAt::File { .. } => None,
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
        by_slack || self.command.as_ref().is_some_and(|command| command.says == Says::Answers)
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

fn tell_of(event: &NotifyEvent) -> TellOf {
    match event {
        NotifyEvent::Question => TellOf::Question,
        NotifyEvent::Pause => TellOf::Pause,
        NotifyEvent::End => TellOf::End,
    }
}

fn command_terms(
    command: &config::CommandSettings,
    projects: &[&Utf8Path],
) -> Result<Option<CommandTerms>, NotifyError> {
    let Some((program, arguments)) = command.arguments.split_first() else { return Ok(None) };
    let path = at_home(Utf8Path::new(program));
    let is_path = path.as_str().contains(['/', std::path::MAIN_SEPARATOR]);
    // It runs in the loop's own folder: a path that is not absolute would lead nowhere, or into the project.
    if is_path && (!path.is_absolute() || is_inside(&path, projects)) {
        return Err(NotifyError::ProgramInside { program: program.clone() });
    }
    Ok(Some(CommandTerms {
        program: path.into_string(),
        arguments: arguments.to_vec(),
        says: match command.says {
            CommandSays::Nothing => Says::Nothing,
            CommandSays::Answers => Says::Answers,
        },
    }))
}

/// Also by way of links; what is not there yet is taken by its letters.
fn is_inside(path: &Utf8Path, projects: &[&Utf8Path]) -> bool {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    projects.iter().any(|project| real(path).starts_with(real(project)) || path.starts_with(project))
}
