//! By which ways a person is reached, as sealed at the start (SPEC A6, B1).
//!
//! A worker can write gulf.toml: who may answer, and where a question is sent, is agreed on before a worker begins. A
//! secret is never sealed, only where it is to be found.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::secret::{Secret, SecretError, at_home};
use gulf_spec::config::{CommandTerms, NotifyTerms, SecretPlace};

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
    match place {
        SecretPlace::Variable { name } => Secret::from_variable(name),
        SecretPlace::File { path } => Secret::from_file(Utf8Path::new(path)),
    }
}

/// What the settings say; none where nobody is to be told anything. `projects` are the checkouts of the worker's.
pub fn agreed_channels(
    settings: &NotifyTerms,
    projects: &[&Utf8Path],
) -> Result<Option<NotifyTerms>, NotifyError> {
    let NotifyTerms { slack, webhook, command, .. } = settings;
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
    let command = command.as_ref().map(|command| outside(command, projects)).transpose()?;
    Ok(Some(NotifyTerms { command, ..settings.clone() }))
}

/// It runs in the loop's own folder: a path that is not absolute would lead nowhere, or into the project.
fn outside(command: &CommandTerms, projects: &[&Utf8Path]) -> Result<CommandTerms, NotifyError> {
    let path = at_home(Utf8Path::new(&command.program));
    let is_path = path.as_str().contains(['/', std::path::MAIN_SEPARATOR]);
    if is_path && (!path.is_absolute() || is_inside(&path, projects)) {
        return Err(NotifyError::ProgramInside { program: command.program.clone() });
    }
    Ok(CommandTerms { program: path.into_string(), ..command.clone() })
}

/// Also by way of links; what is not there yet is taken by its letters.
fn is_inside(path: &Utf8Path, projects: &[&Utf8Path]) -> bool {
    let real = |path: &Utf8Path| path.canonicalize_utf8().unwrap_or_else(|_| path.to_owned());
    projects.iter().any(|project| real(path).starts_with(real(project)) || path.starts_with(project))
}
