//! How trust in a repository is given by what a person types, and which commands are written down with it.
//!
//! Several commands give it in passing, and none of them when an agent types it.

use std::iter::once;

use camino::Utf8Path;
use gulf_host::ancestry::agent_shell_above;
use gulf_host::clock::Clock;
use gulf_host::digest::Digest;
use gulf_host::home::Home;
use gulf_runner::agreement::SealedCheck;
use gulf_runner::claims::Caller;
use gulf_runner::place::{PlaceOfWork, Project};
use gulf_runner::plan::AUTOCHECKS;
use gulf_runner::trust::{GivenOn, Trust, TrustStore};
use gulf_spec::config::{AgentTool, Config, Key, SettingLayer};

use crate::failure::Result;

/// Where something was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedPlace {
    Terminal,
    /// As a prompt of an agent's session: gulf is called by the agent's program then.
    Session,
}

/// What was typed.
#[derive(Clone, Copy, Debug)]
pub struct Word<'word> {
    pub by: &'word str,
    pub typed: TypedPlace,
    pub occasion: GivenOn,
}

impl TypedPlace {
    /// Is it a person who typed it, as far as can be told from the process?
    pub fn is_persons(self) -> bool {
        match self {
            Self::Terminal => Caller::of_this_process() == Caller::Person,
            Self::Session => !agent_shell_above(),
        }
    }
}

impl<'word> Word<'word> {
    pub fn terminal(by: &'word str, occasion: GivenOn) -> Self {
        Self { by, typed: TypedPlace::Terminal, occasion }
    }
}

/// A person who types this trusts the repository, and these commands; what an agent types gives no trust.
pub fn give(project: &Project, home: &Home, word: Word<'_>, commands: &[String]) -> Result<()> {
    if !word.typed.is_persons() {
        return Ok(());
    }
    let given = Trust {
        project: project.directory.clone(),
        given_at_ms: Clock::new().wall_ms(),
        by: word.by.to_owned(),
        commands: commands.to_vec(),
        ..Trust::default()
    };
    Ok(TrustStore::open(home).give(&project.mark()?, given, word.occasion)?)
}

/// The same, of a place of work.
pub fn give_at(place: &PlaceOfWork, word: Word<'_>, commands: &[String]) -> Result<()> {
    give(&place.as_project(), &place.home, word, commands)
}

/// Does a person trust this project? What cannot be found out is a no.
pub fn is_trusted(home: &Home, project: &Project) -> bool {
    project.mark().is_ok_and(|mark| TrustStore::open(home).find(&mark).is_some())
}

/// Everything that these settings and checks of a project would run, or tell, without being asked again.
pub fn commands(project: &Utf8Path, config: &Config, checks: &[SealedCheck]) -> Vec<String> {
    let mut commands: Vec<String> = checks.iter().map(|check| of_check(project, check)).collect();
    commands
        .extend(config.optional_text(Key::EnvironmentSetup).iter().map(|setup| format!("set-up: {setup}")));
    let own = |role: &str, tool: &Option<AgentTool>| match tool {
        Some(AgentTool::Command(command)) => Some(format!("{role}: {command}")),
        Some(AgentTool::Named { .. }) | None => None,
    };
    commands.extend(own("judge", &config.judge));
    commands.extend(describe_recipients(config));
    commands
}

fn of_check(project: &Utf8Path, check: &SealedCheck) -> String {
    let mut text = check.command.clone();
    if check.origin == AUTOCHECKS {
        // The name of a script says nothing of what it does.
        let digest = Digest::of_file(&project.join(AUTOCHECKS)).map(|digest| digest.to_string());
        let digest = digest.unwrap_or_else(|_| "unreadable".to_owned());
        // So many digits tell a person that it is another one.
        text.push_str(&format!(" (sha256 {digest:.12})"));
    }
    if !check.directory.as_str().is_empty() {
        text.push_str(&format!(" (in {})", check.directory));
    }
    for (name, value) in &check.environment {
        text.push_str(&format!(" ({name}={value})"));
    }
    text
}

/// Who is told, where the project says so itself.
fn describe_recipients(config: &Config) -> Vec<String> {
    let notify = &config.notify;
    let mut told = Vec::new();
    if let Some(command) = &notify.command {
        let words: Vec<&str> = once(&command.program).chain(&command.arguments).map(String::as_str).collect();
        told.push(format!("tells: {}", words.join(" ")));
    }
    if let Some(slack) = &notify.slack
        && is_projects(config, &[Key::NotifySlack, Key::NotifySlackToken, Key::NotifySlackUrl])
    {
        told.push(format!("tells: {} at {} with {:?}", slack.conversation, slack.url, slack.token));
    }
    if let Some(webhook) = &notify.webhook
        && is_projects(config, &[Key::NotifyWebhook, Key::NotifyWebhookSecret])
    {
        told.push(format!("tells: {:?} with {:?}", webhook.url, webhook.secret));
    }
    told
}

/// Does one of these settings stand in the project's own file?
pub fn is_projects(config: &Config, keys: &[Key]) -> bool {
    keys.iter().any(|key| config.origin(*key).is_some_and(|origin| origin.layer == SettingLayer::Project))
}
