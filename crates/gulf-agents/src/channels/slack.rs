//! The JSON of Slack's Web API: what is sent, and what its answers say.
//!
//! Source: <https://docs.slack.dev/reference/methods/chat.postMessage>, `conversations.replies`, `conversations.history`,
//! `auth.test`. It stands apart from the sending, so that every answer can be tested whole and cut.

use std::borrow::Cow;

use regex::Captures;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::patterns::form;

/// What gulf's messages are called in their metadata.
const EVENT_TYPE: &str = "gulf_notice";
/// Slack cuts longer messages off.
const MESSAGE_CHARS_MAX: usize = 12_000;
/// So many messages are asked for at once.
pub const PAGE_MESSAGES: u32 = 100;

/// What Slack says of a token that does not count.
const OF_THE_TOKEN: [&str; 8] = [
    "invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive", "org_login_required",
    "access_denied", "team_access_not_granted",
];

/// What an answer says that is no success.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlackError {
    /// Nothing will come of asking again with this token.
    #[error("the token does not count: {0}")]
    Off(String),
    #[error("there is no such conversation, or the bot cannot see it: {0}")]
    NoConversation(String),
    #[error("the bot is not in the channel: {0}")]
    NotInside(String),
    #[error("the token may not do this: {needed} is missing")]
    Scope { needed: String },
    #[error("too many requests")]
    RateLimited,
    #[error("Slack is out of order: {0}")]
    Outage(String),
    #[error("Slack says no: {0}")]
    Refused(String),
    /// A proxy's page, most often.
    #[error("the answer is no JSON of Slack's")]
    NotJson,
}

impl SlackError {
    /// What the person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Off(_) => Some("make a new token, and put it where `notify.slack_token` says"),
            Self::NoConversation(_) => Some("`notify.slack` is the id of a channel or user, not its name"),
            Self::NotInside(_) => Some("invite the bot into the channel: `/invite @…`"),
            Self::Scope { .. } => Some("add the scope to the app, and install it again"),
            Self::RateLimited | Self::Outage(_) | Self::Refused(_) => None,
            Self::NotJson => Some("is `notify.slack_url` right, and does a proxy answer instead?"),
        }
    }

    /// Is another try of any use?
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::RateLimited | Self::Outage(_) | Self::NotJson)
    }
}

/// Where a message stands; a direct message to a user stands in a conversation with an id of its own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Posted {
    #[serde(rename = "channel")]
    pub conversation: String,
    pub ts: String,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub ts: String,
    pub text: String,
    pub from: From,
    /// What gulf wrote into it: loop and key.
    pub notice: Option<(String, String)>,
}

/// Who wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// A person, by id.
    Person(String),
    /// A person, who changed it afterwards.
    Edited(String),
    /// A program, or Slack itself.
    Program,
}

/// Some messages, and where the next ones are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub messages: Vec<Message>,
    pub next: Option<String>,
}

/// The body of `chat.postMessage`; in a thread, where one is named.
pub fn message(conversation: &str, thread: Option<&str>, text: &str, notice: (&str, &str)) -> Value {
    let (loop_id, key) = notice;
    let mut body = json!({
        "channel": conversation,
        "text": escaped(text),
        // Neither a code block that a worker left open nor its headings may pass for gulf's own words.
        "mrkdwn": false,
        "unfurl_links": false,
        "unfurl_media": false,
        "metadata": { "event_type": EVENT_TYPE, "event_payload": { "loop": loop_id, "key": key } },
    });
    if let (Some(thread), Some(body)) = (thread, body.as_object_mut()) {
        body.insert("thread_ts".to_owned(), thread.into());
    }
    body
}

/// Without mentions and links: what a worker wrote must not call a whole channel, or lead anywhere.
fn escaped(text: &str) -> String {
    let end = text.char_indices().nth(MESSAGE_CHARS_MAX).map_or(text.len(), |(end, _)| end);
    text[..end].replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What `chat.postMessage` answers.
pub fn posted(status: u16, body: &[u8]) -> Result<Posted, SlackError> {
    serde_json::from_value(read(status, body)?).map_err(|_| SlackError::NotJson)
}

/// What `conversations.replies` and `conversations.history` answer.
pub fn page(status: u16, body: &[u8]) -> Result<Page, SlackError> {
    let page = read(status, body)?;
    let next = page["response_metadata"]["next_cursor"].as_str().filter(|cursor| !cursor.is_empty());
    // One that has no name or another form cannot be an answer, and must not hide the others.
    let messages = page["messages"].as_array().into_iter().flatten().filter_map(Message::read);
    Ok(Page { messages: messages.collect(), next: next.map(str::to_owned) })
}

/// What `conversations.open` answers: the conversation's id.
pub fn opened(status: u16, body: &[u8]) -> Result<String, SlackError> {
    read(status, body)?["channel"]["id"].as_str().map(str::to_owned).ok_or(SlackError::NotJson)
}

/// What `auth.test` answers: whose token it is.
pub fn identity(status: u16, body: &[u8]) -> Result<String, SlackError> {
    let identity = read(status, body)?;
    let named = |field: &str, unnamed| identity[field].as_str().unwrap_or(unnamed).to_owned();
    Ok(format!("{} in {}", named("user", "a bot"), named("team", "a workspace")))
}

/// An answer that says of itself that it is a success.
fn read(status: u16, body: &[u8]) -> Result<Value, SlackError> {
    if status == 429 {
        return Err(SlackError::RateLimited);
    }
    let answer: Value = serde_json::from_slice(body).unwrap_or_default();
    match answer["ok"].as_bool() {
        Some(true) => Ok(answer),
        Some(false) => {
            let text = |field: &str| answer[field].as_str().map(str::to_owned);
            Err(refusal(text("error").unwrap_or_default(), text("needed")))
        }
        None if status >= 500 => Err(SlackError::Outage(format!("status {status}"))),
        None => Err(SlackError::NotJson),
    }
}

fn refusal(error: String, needed: Option<String>) -> SlackError {
    match error.as_str() {
        code if OF_THE_TOKEN.contains(&code) => SlackError::Off(error),
        "channel_not_found" | "user_not_found" | "is_archived" | "invalid_channel" => {
            SlackError::NoConversation(error)
        }
        "not_in_channel" | "restricted_action" => SlackError::NotInside(error),
        "missing_scope" | "no_permission" => {
            SlackError::Scope { needed: needed.unwrap_or_else(|| "a scope".to_owned()) }
        }
        "ratelimited" | "rate_limited" => SlackError::RateLimited,
        "internal_error" | "fatal_error" | "service_unavailable" | "request_timeout" => {
            SlackError::Outage(error)
        }
        _ => SlackError::Refused(error),
    }
}

impl Message {
    fn read(message: &Value) -> Option<Self> {
        let ts = message["ts"].as_str()?.to_owned();
        // What a person says in a thread may be shown in the channel besides, or come with a picture; all else with a
        // subtype is Slack's.
        let is_said = matches!(message["subtype"].as_str(), None | Some("thread_broadcast" | "file_share"));
        let user = message["user"].as_str().filter(|_| is_said && message["bot_id"].is_null());
        let from = match user.map(str::to_owned) {
            Some(user) if !message["edited"].is_null() => From::Edited(user),
            Some(user) => From::Person(user),
            None => From::Program,
        };
        let metadata = Some(&message["metadata"]).filter(|metadata| metadata["event_type"] == EVENT_TYPE);
        let named = |field: &str| metadata?["event_payload"][field].as_str().map(str::to_owned);
        let text = as_typed(message["text"].as_str().unwrap_or_default());
        Some(Self { ts, text, from, notice: named("loop").zip(named("key")) })
    }
}

/// A message's text as it was typed: links and entities resolved, and mentions of the bot at its head left out.
fn as_typed(text: &str) -> String {
    let mut text = text.trim();
    while let Some((mention, rest)) = text.strip_prefix("<@").and_then(|rest| rest.split_once('>')) {
        if mention.contains(['<', ' ']) {
            break;
        }
        text = rest.trim_start_matches([',', ':']).trim_start();
    }
    without_links(text).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Slack makes a link of whatever may be a host, `main.rs` and `README.md` among them: `<http://main.rs|main.rs>`. A bracket
/// that somebody typed is an entity, so what stands in brackets is Slack's.
fn without_links(text: &str) -> Cow<'_, str> {
    form!("<([^>]*)>").replace_all(text, |link: &Captures<'_>| match link[1].split_once('|') {
        Some((_, label)) => label.to_owned(),
        None => link[1].trim_start_matches('!').to_owned(),
    })
}

/// When a message was written: its name begins with the second.
pub fn said_at_ms(ts: &str) -> u64 {
    let (seconds, fraction) = ts.split_once('.').unwrap_or((ts, ""));
    let milliseconds = fraction.get(..3).and_then(|digits| digits.parse::<u64>().ok()).unwrap_or(0);
    seconds.parse::<u64>().unwrap_or(0).saturating_mul(1_000).saturating_add(milliseconds)
}
