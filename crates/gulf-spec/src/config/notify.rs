//! By which ways a person is reached (SPEC A6, B15): Slack, a webhook, any command.
//!
//! Each names a secret, and a secret never stands in a setting: only where it is to be found. What is read here is
//! sealed as it is.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::value::from_name;
use super::{Config, FoundProblems, Key};
use crate::environment::is_variable;
use crate::problem::{Located, Mistake};

/// The channels' names, in the journal and on the screen.
pub const SLACK: &str = "slack";
pub const WEBHOOK: &str = "webhook";
pub const COMMAND: &str = "command";

/// All ways by which a person is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotifyTerms {
    pub events: Vec<NotifyEvent>,
    /// How often a channel is asked for an answer.
    pub poll_ms: u64,
    /// How long an unattended loop waits for one; none: not at all.
    pub wait_ms: Option<u64>,
    /// Of one call of a channel.
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
pub enum NotifyEvent {
    /// The worker asks something.
    Question,
    /// A person must look before the loop goes on.
    Pause,
    End,
}

/// A conversation in Slack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlackTerms {
    /// The id of a channel, or of a user who gets a direct message.
    pub conversation: String,
    pub token: SecretPlace,
    /// The ids of those whose answers count.
    pub allow: Vec<String>,
    pub url: String,
}

/// A URL that gets every event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebhookTerms {
    pub url: SecretPlace,
    /// Signs what is sent.
    pub secret: Option<SecretPlace>,
}

/// A program that gets every event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandTerms {
    pub program: String,
    pub arguments: Vec<String>,
    pub says: CommandSays,
}

/// What the output of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CommandSays {
    Nothing,
    /// An answer to what it was told.
    Answers,
}

/// Where a secret is to be found; never the secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SecretPlace {
    Variable {
        name: String,
    },
    /// Absolute, or below the home with `~/`.
    File {
        path: String,
    },
}

impl NotifyTerms {
    /// Variables that hold a secret: neither workers nor checks nor judges see them.
    pub fn variables(&self) -> Vec<&str> {
        let slack = self.slack.iter().map(|slack| &slack.token);
        let webhook = self.webhook.iter().flat_map(|one| [&one.url].into_iter().chain(&one.secret));
        let variables = slack.chain(webhook).filter_map(|place| match place {
            SecretPlace::Variable { name } => Some(name.as_str()),
            SecretPlace::File { .. } => None,
        });
        variables.collect()
    }

    /// The channels that were set up.
    pub fn names(&self) -> Vec<&'static str> {
        let are_there = [self.slack.is_some(), self.webhook.is_some(), self.command.is_some()];
        let all = [SLACK, WEBHOOK, COMMAND].into_iter().zip(are_there);
        all.filter(|(_, is_there)| *is_there).map(|(name, _)| name).collect()
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

impl SecretPlace {
    /// Reads the name of a variable or the path of a file; anything else may be the secret itself. So may a word with small
    /// letters: keys in hexadecimal digits or base64 often look like names.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if is_variable(text) && !text.contains(|letter: char| letter.is_ascii_lowercase()) {
            return Some(Self::Variable { name: text.to_owned() });
        }
        let is_path = text.starts_with("~/") || Path::new(text).is_absolute();
        (is_path && !text.contains(char::is_control)).then(|| Self::File { path: text.to_owned() })
    }
}

impl Config {
    /// The ways that were set up; what is wrong with them.
    pub(super) fn read_notify(&self, problems: &mut FoundProblems) -> NotifyTerms {
        let mut secret = |key: Key| match SecretPlace::parse(self.text(key)) {
            _ if self.text(key).trim().is_empty() => None,
            Some(place) => Some(place),
            None => {
                // What stands there may be the secret itself, so it is not repeated.
                let what = "says where a secret is: the name of a variable in capital letters, or an \
                            absolute path of a file";
                let help = "write the NAME of a variable that holds it, such as \"SLACK_BOT_TOKEN\", or a path such as \
                            \"~/.config/gulf/slack-token\"; if the secret itself stood there, replace it";
                problems.push(self.masked(key, what, help));
                None
            }
        };
        let (token, webhook) = (secret(Key::NotifySlackToken), secret(Key::NotifyWebhook));
        let webhook_secret = secret(Key::NotifyWebhookSecret);
        let mut words = self.list(Key::NotifyCommand).iter().cloned();
        let says = self.switched(Key::NotifyCommandAnswers, CommandSays::Answers, CommandSays::Nothing);
        let command = words.next().map(|program| CommandTerms { program, arguments: words.collect(), says });
        NotifyTerms {
            events: self.events(problems),
            poll_ms: self.milliseconds(Key::NotifyPoll).unwrap_or(u64::MAX),
            wait_ms: self.milliseconds(Key::NotifyWait),
            timeout_ms: self.milliseconds(Key::NotifyTimeout).unwrap_or(u64::MAX),
            slack: self.slack(token, problems),
            webhook: webhook.map(|url| WebhookTerms { url, secret: webhook_secret }),
            command,
            web: self.web(problems),
        }
    }

    /// Whoever reads a chat may not get in by what stands there: an address with a token is refused.
    fn web(&self, problems: &mut FoundProblems) -> Option<String> {
        let address = self.optional_text(Key::NotifyWeb)?.trim().trim_end_matches('/').to_owned();
        if !is_safe_address(&address) || address.contains(['?', '#']) {
            let what = "must be an address without a token: https://…, or http:// of this machine";
            let help = "write only what stands before the first `/` behind the name, such as \
                        \"https://box.tail1234.ts.net\"";
            problems.push(self.masked(Key::NotifyWeb, what, help));
        }
        Some(address)
    }

    fn events(&self, problems: &mut FoundProblems) -> Vec<NotifyEvent> {
        let mut events = Vec::new();
        for found in self.list(Key::NotifyEvents) {
            match from_name(found) {
                Some(event) => events.push(event),
                None => problems.push(self.wrong(Key::NotifyEvents, "question, pause or end", found)),
            }
        }
        events
    }

    fn slack(&self, token: Option<SecretPlace>, problems: &mut FoundProblems) -> Option<SlackTerms> {
        let conversation = self.optional_text(Key::NotifySlack)?.trim().to_owned();
        let url = self.text(Key::NotifySlackUrl).trim().trim_end_matches('/').to_owned();
        if !is_id(&conversation) {
            let expected = "the id of a channel or user, such as \"C0123456789\"";
            problems.push(self.wrong(Key::NotifySlack, expected, &conversation));
        }
        for found in self.list(Key::NotifySlackAllow).iter().filter(|id| !is_id(id)) {
            let expected = "ids of users, such as \"U0123456789\"";
            problems.push(self.wrong(Key::NotifySlackAllow, expected, found));
        }
        if !is_safe_address(&url) {
            // There may be a password in it.
            let what = "must be an address that begins with https:// and names no user";
            let help = "leave it out, and it is Slack's own; who one is, the token says";
            problems.push(self.masked(Key::NotifySlackUrl, what, help));
        }
        if self.text(Key::NotifySlackToken).trim().is_empty() {
            let (path, missing) = (Key::NotifySlack.row().path, Key::NotifySlackToken.row().path);
            let what = format!("`{path}` needs `{missing}`");
            problems.push(self.located(Key::NotifySlack, what, format!("add `{missing}`")));
        }
        let allow = self.list(Key::NotifySlackAllow).to_vec();
        Some(SlackTerms { conversation, token: token?, allow, url })
    }

    /// Without the text that it is about: that may be a secret.
    fn masked(&self, key: Key, what: &str, help: &str) -> Located<Mistake> {
        let located = self.located(key, format!("`{}` {what}", key.row().path), help);
        Located { source: located.source.masked(located.span), ..located }
    }
}

/// Slack's ids are capital letters and digits, and long.
fn is_id(text: &str) -> bool {
    text.len() >= 2
        && text.chars().all(|character| character.is_ascii_uppercase() || character.is_ascii_digit())
}

/// May a token be sent there? Only encrypted, or to this very machine; and to nobody's account there, whose password would
/// stand in it.
pub fn is_safe_address(url: &str) -> bool {
    let is_strange = |letter: char| letter.is_whitespace() || letter.is_control() || letter == '\\';
    if url.contains(is_strange) {
        return false;
    }
    let authority = |rest: &str| rest.split(['/', '?', '#']).next().unwrap_or(rest).to_owned();
    match url.split_once("://").map(|(scheme, rest)| (scheme, authority(rest))) {
        Some((_, authority)) if authority.is_empty() || authority.contains('@') => false,
        Some(("https", _)) => true,
        Some(("http", authority)) => {
            let host = authority.rsplit_once(':').map_or(authority.as_str(), |(host, _)| host);
            matches!(host, "127.0.0.1" | "localhost" | "[::1]")
        }
        Some(_) | None => false,
    }
}

#[cfg(test)]
mod tests;
