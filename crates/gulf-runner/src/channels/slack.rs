//! Slack's Web API, called: a message posted once, its thread read to the end.
//!
//! Source: <https://docs.slack.dev/apis/web-api/rate-limits>, `/pagination`. Each call ends within the channel's time-out,
//! and says in a type why it came to nothing.

use std::time::Duration;

use gulf_agents::address::{UNRESERVED, percent_encoded};
use gulf_agents::channels::slack::{self, Message, PAGE_MESSAGES, Page, Posted, SlackError};
use gulf_host::http::{Answer, Http, HttpError, Post};
use gulf_host::secret::Secret;

use crate::agreement::SlackTerms;

/// A thread, or the part of a conversation since a question was asked, has no more pages than this.
const PAGES_MAX: usize = 50;
/// Clocks differ: so much earlier a message of gulf's may seem to have been posted.
const CLOCKS_DIFFER_SECONDS: u64 = 300;

/// One workspace, with its token.
#[derive(Debug)]
pub(super) struct Line<'line> {
    http: &'line Http,
    terms: &'line SlackTerms,
    token: Secret,
}

/// Why a call came to nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error(transparent)]
    Http(#[from] HttpError),
    #[error("{error}")]
    Slack { error: SlackError, retry_after: Option<Duration> },
}

/// A message that gulf wrote, or is about to.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedMessage<'wanted> {
    pub loop_id: &'wanted str,
    pub key: &'wanted str,
    /// In the thread of this message; else in the conversation itself.
    pub thread: Option<(&'wanted str, &'wanted str)>,
}

impl LineError {
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Http(_) => Some("the inbox keeps the question; it is tried again"),
            Self::Slack { error, .. } => error.hint(),
        }
    }

    /// Will nothing come of this token?
    pub(super) fn is_off(&self) -> bool {
        matches!(self, Self::Slack { error: SlackError::Off(_), .. })
    }

    /// Did nobody answer at all?
    pub(super) fn is_silence(&self) -> bool {
        matches!(self, Self::Http(_))
    }

    /// Is another try of any use?
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Http(HttpError::NoAddress) => false,
            Self::Http(_) => true,
            Self::Slack { error, .. } => error.is_passing(),
        }
    }

    /// May the message stand there all the same?
    pub(super) fn is_unknown(&self) -> bool {
        match self {
            Self::Http(error) => error.is_unknown(),
            Self::Slack { error: SlackError::NotJson | SlackError::Outage(_), .. } => true,
            Self::Slack { .. } => false,
        }
    }

    pub(super) fn retry_after(&self) -> Option<Duration> {
        if let Self::Slack { retry_after, .. } = self { *retry_after } else { None }
    }
}

impl<'line> Line<'line> {
    pub(super) fn new(http: &'line Http, terms: &'line SlackTerms, token: Secret) -> Self {
        Self { http, terms, token }
    }

    /// Posts a message.
    pub(super) fn post(&self, wanted: WantedMessage<'_>, text: &str) -> Result<Posted, LineError> {
        let (conversation, thread) = match wanted.thread {
            Some((conversation, ts)) => (conversation, Some(ts)),
            None => (self.terms.conversation.as_str(), None),
        };
        let body = slack::message(conversation, thread, text, (wanted.loop_id, wanted.key));
        let answer =
            self.call("chat.postMessage", "application/json; charset=utf-8", body.to_string().into_bytes())?;
        typed(&answer, slack::posted)
    }

    /// The message that may have been posted before a crash, or before an answer was lost.
    pub(super) fn find(&self, wanted: WantedMessage<'_>, since_ms: u64) -> Result<Option<Posted>, LineError> {
        let oldest = (since_ms / 1_000).saturating_sub(CLOCKS_DIFFER_SECONDS).to_string();
        let conversation = match wanted.thread {
            Some((conversation, _)) => conversation.to_owned(),
            None => self.conversation()?,
        };
        let mut fields = vec![("channel", conversation.clone()), ("include_all_metadata", "true".to_owned())];
        let method = match wanted.thread {
            Some((_, ts)) => {
                fields.push(("ts", ts.to_owned()));
                "conversations.replies"
            }
            None => {
                fields.push(("oldest", oldest));
                "conversations.history"
            }
        };
        let mark = format!("({}, {})", wanted.loop_id, wanted.key);
        let is_it = |message: &Message| match &message.notice {
            Some((loop_id, key)) => loop_id == wanted.loop_id && key == wanted.key,
            // Metadata may be hidden from a token; the last line of a notice says the same.
            None => message.from == slack::From::Program && message.text.ends_with(&mark),
        };
        let found = self.pages(method, &fields)?.into_iter().find(is_it);
        Ok(found.map(|message| Posted { conversation, ts: message.ts }))
    }

    /// Everything in the thread of a message, the message itself left out, the oldest first.
    pub(super) fn replies(&self, conversation: &str, ts: &str) -> Result<Vec<Message>, LineError> {
        let fields = [("channel", conversation.to_owned()), ("ts", ts.to_owned())];
        let mut messages = self.pages("conversations.replies", &fields)?;
        messages.retain(|message| message.ts != ts);
        messages.sort_by(|one, other| one.ts.cmp(&other.ts));
        // Pages may overlap.
        messages.dedup_by(|one, other| one.ts == other.ts);
        Ok(messages)
    }

    /// Whose token it is.
    pub(super) fn identity(&self) -> Result<String, LineError> {
        typed(&self.form("auth.test", &[])?, slack::identity)
    }

    /// A user's id is no conversation's: that with them has one of its own.
    fn conversation(&self) -> Result<String, LineError> {
        let named = &self.terms.conversation;
        if !named.starts_with(['U', 'W']) {
            return Ok(named.clone());
        }
        typed(&self.form("conversations.open", &[("users", named.clone())])?, slack::opened)
    }

    fn pages(&self, method: &str, fields: &[(&'static str, String)]) -> Result<Vec<Message>, LineError> {
        let mut all = Vec::new();
        let mut cursor = None;
        for _ in 0..PAGES_MAX {
            let mut fields = fields.to_vec();
            fields.push(("limit", PAGE_MESSAGES.to_string()));
            fields.extend(cursor.take().map(|cursor| ("cursor", cursor)));
            let Page { messages, next } = typed(&self.form(method, &fields)?, slack::page)?;
            all.extend(messages);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        Ok(all)
    }

    fn form(&self, method: &str, fields: &[(&'static str, String)]) -> Result<Answer, LineError> {
        let pairs: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name}={}", percent_encoded(value, UNRESERVED)))
            .collect();
        self.call(method, "application/x-www-form-urlencoded", pairs.join("&").into_bytes())
    }

    fn call(&self, method: &str, content: &'static str, body: Vec<u8>) -> Result<Answer, LineError> {
        let url = Secret::new(format!("{}/{method}", self.terms.url));
        Ok(self.http.post(&Post {
            url: &url,
            bearer: Some(&self.token),
            content,
            headers: Vec::new(),
            body,
        })?)
    }
}

fn typed<T>(answer: &Answer, read: fn(u16, &[u8]) -> Result<T, SlackError>) -> Result<T, LineError> {
    read(answer.status, &answer.body)
        .map_err(|error| LineError::Slack { error, retry_after: answer.retry_after })
}
