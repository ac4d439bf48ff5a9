//! A notice as the standard input of a program, and its output as an answer.
//!
//! A program may take its time to answer, and the other channels are asked meanwhile.

use std::time::Duration;

use camino::Utf8Path;
use gulf_agents::address::{UNRESERVED, percent_encoded};
use gulf_agents::channels::Notice;
use gulf_agents::channels::slack::{self, Message, PAGE_MESSAGES, Page, Posted, SlackError};
use gulf_host::files::{self, Durability};
use gulf_host::http::{Answer, Http, HttpError, Post};
use gulf_host::process::{Ending, ProcessRequest, Program, ShimProgram, Stdin};
use gulf_host::secret::{Secret, SecretError};
use gulf_spec::config::is_safe_address;

use crate::agreement::{CommandTerms, SlackTerms, WebhookTerms, read_secret};
use crate::environment::Environment;
use crate::error::{RunError, in_full};
use crate::program;
use crate::resources::mark_prefix;
use crate::stop::Stop;

/// More than any answer.
const OUTPUT_BYTES_MAX: u64 = 1 << 20;
/// As much of it is an answer.
const ANSWER_BYTES_MAX: usize = 16 * 1024;

/// What a program printed, without blanks around it; or why it says nothing.
pub(super) type Said = Result<String, String>;

/// A program that is to be told something.
pub(super) type ToldProgram = (ShimProgram, ProcessRequest);

/// The program that a notice is for.
pub(super) fn told_program(
    folder: &Utf8Path,
    terms: &CommandTerms,
    notice: &Notice,
    wall_max: Duration,
    secrets: &[&str],
) -> Result<ToldProgram, String> {
    let failed = |error: RunError| in_full(&error);
    let logs = folder.join("channels");
    files::create_private_directories(&logs, Durability::Buffered).map_err(|error| failed(error.into()))?;
    let shim = ShimProgram::this_program().map_err(|source| failed(RunError::OwnProgram { source }))?;
    let program = Program::Exec { program: terms.program.clone(), arguments: terms.arguments.clone() };
    let environment = Environment::of_this_process().without(secrets).as_it_is();
    let log = logs.join(format!("command-{}.log", notice.key));
    let mark = format!("{}channel/{}", mark_prefix(folder), notice.key);
    let request = ProcessRequest {
        stdin: Stdin::Bytes(notice.json()),
        stderr_log: Some(logs.join(format!("command-{}-stderr.log", notice.key))),
        output_bytes_max: OUTPUT_BYTES_MAX,
        tail_bytes_max: ANSWER_BYTES_MAX + 1,
        ..program::request(program, &logs, environment, (log, mark), wall_max)
    };
    Ok((shim, request))
}

/// Waits for its end, which its time-out bounds.
pub(super) fn ask((shim, request): ToldProgram, stop: &Stop) -> Said {
    let outcome = program::run(&shim, request, stop).map_err(|failure| in_full(&failure))?;
    match outcome.ending {
        Ending::Exited(0) if outcome.stdout_tail.len() > ANSWER_BYTES_MAX => {
            Err("it printed more than an answer".to_owned())
        }
        Ending::Exited(0) => Ok(String::from_utf8_lossy(&outcome.stdout_tail).trim().to_owned()),
        Ending::Exited(code) => Err(format!("it exited with {code}")),
        Ending::Signalled(signal) => Err(format!("signal {signal} ended it")),
        Ending::TimedOut(_) => Err("it did not end in time".to_owned()),
        Ending::TooMuchOutput => Err("it printed too much".to_owned()),
        Ending::NotStarted(why) => Err(why),
        Ending::Cancelled | Ending::Lost => Err("it was stopped".to_owned()),
    }
}

// A notice as a signed POST to a URL: sent at least once, and known again by its key.

/// Why a channel did not take what it was told, or said nothing.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub(super) enum CallError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Secret(#[from] SecretError),
    #[error("its address is neither https nor on this machine, or names a user")]
    #[diagnostic(help("an address begins with https://, and has no user and password in it"))]
    Unsafe,
    #[error(transparent)]
    #[diagnostic(help("the inbox keeps the question; it is tried again"))]
    Http(#[from] HttpError),
    #[error("it answers with status {0}")]
    #[diagnostic(help("{}", help_with_status(*.0)))]
    Status(u16),
    #[error("{error}")]
    #[diagnostic(help("{}", error.hint().unwrap_or_default()))]
    Slack { error: SlackError, retry_after: Option<Duration> },
}

impl CallError {
    /// Is another try of any use?
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Secret(_) | Self::Unsafe | Self::Http(HttpError::NoAddress) => false,
            Self::Http(_) => true,
            Self::Status(status) => matches!(status, 408 | 425 | 429 | 500..=599),
            Self::Slack { error, .. } => error.is_passing(),
        }
    }

    /// Will it never take this notice, as it is called now?
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Status(_)) && !self.is_passing()
    }

    /// Will nothing come of this token?
    pub(super) fn is_off(&self) -> bool {
        matches!(self, Self::Slack { error: SlackError::Off(_), .. })
    }

    /// May the message stand there all the same?
    pub(super) fn is_unknown(&self) -> bool {
        match self {
            Self::Http(error) => error.is_unknown(),
            Self::Slack { error: SlackError::NotJson | SlackError::Outage(_), .. } => true,
            Self::Slack { .. } | Self::Secret(_) | Self::Unsafe | Self::Status(_) => false,
        }
    }

    pub(super) fn retry_after(&self) -> Option<Duration> {
        if let Self::Slack { retry_after, .. } = self { *retry_after } else { None }
    }
}

fn help_with_status(status: u16) -> &'static str {
    if CallError::Status(status).is_final() {
        return "fix its address or its secret where they are kept; then it is notified after all";
    }
    ""
}

/// By what a changed address or secret is known, without saying either; none where they cannot be read.
pub(super) fn setting(terms: &WebhookTerms) -> Option<String> {
    let url = read_secret(&terms.url).ok()?;
    let secret = terms.secret.as_ref().map(read_secret).transpose().ok()?;
    Some(secret.as_ref().unwrap_or(&url).sign(url.reveal().as_bytes()))
}

/// What is sent, and with which secrets.
pub(super) fn send(http: &Http, terms: &WebhookTerms, notice: &Notice) -> Result<(), CallError> {
    let url = read_secret(&terms.url)?;
    if !is_safe_address(url.reveal()) {
        return Err(CallError::Unsafe);
    }
    let secret = terms.secret.as_ref().map(read_secret).transpose()?;
    let body = notice.json();
    let mut headers = vec![
        ("idempotency-key", percent_encoded(&format!("{}/{}", notice.loop_id, notice.key), UNRESERVED)),
        ("x-gulf-event", <&str>::from(notice.kind).to_owned()),
    ];
    // Over the body as it is sent.
    let signature = |secret: Secret| format!("sha256={}", secret.sign(&body));
    headers.extend(secret.map(|secret| ("x-gulf-signature-256", signature(secret))));
    let Answer { status, .. } =
        http.post(&Post { url: &url, bearer: None, content: "application/json", headers, body })?;
    if (200..300).contains(&status) { Ok(()) } else { Err(CallError::Status(status)) }
}

// Slack's Web API, called: a message posted once, its thread read to the end.

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

/// A message that gulf wrote, or is about to.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedMessage<'wanted> {
    pub loop_id: &'wanted str,
    pub key: &'wanted str,
    /// In the thread of this message; else in the conversation itself.
    pub thread: Option<(&'wanted str, &'wanted str)>,
}

impl<'line> Line<'line> {
    pub(super) fn new(http: &'line Http, terms: &'line SlackTerms, token: Secret) -> Self {
        Self { http, terms, token }
    }

    /// Posts a message.
    pub(super) fn post(&self, wanted: WantedMessage<'_>, text: &str) -> Result<Posted, CallError> {
        let (conversation, thread) = wanted.thread.unzip();
        let conversation = conversation.unwrap_or(&self.terms.conversation);
        let body = slack::message(conversation, thread, text, (wanted.loop_id, wanted.key));
        let answer =
            self.call("chat.postMessage", "application/json; charset=utf-8", body.to_string().into_bytes())?;
        typed(&answer, slack::posted)
    }

    /// The message that may have been posted before a crash, or before an answer was lost.
    pub(super) fn find(&self, wanted: WantedMessage<'_>, since_ms: u64) -> Result<Option<Posted>, CallError> {
        let oldest = (since_ms / 1_000).saturating_sub(CLOCKS_DIFFER_SECONDS).to_string();
        let (method, conversation, from) = match wanted.thread {
            Some((conversation, ts)) => {
                ("conversations.replies", conversation.to_owned(), ("ts", ts.to_owned()))
            }
            None => ("conversations.history", self.conversation()?, ("oldest", oldest)),
        };
        let all = ("include_all_metadata", "true".to_owned());
        let fields = [("channel", conversation.clone()), all, from];
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
    pub(super) fn replies(&self, conversation: &str, ts: &str) -> Result<Vec<Message>, CallError> {
        let fields = [("channel", conversation.to_owned()), ("ts", ts.to_owned())];
        let mut messages = self.pages("conversations.replies", &fields)?;
        messages.retain(|message| message.ts != ts);
        messages.sort_by(|one, other| one.ts.cmp(&other.ts));
        // Pages may overlap.
        messages.dedup_by(|one, other| one.ts == other.ts);
        Ok(messages)
    }

    /// Whose token it is.
    pub(super) fn identity(&self) -> Result<String, CallError> {
        typed(&self.form("auth.test", &[])?, slack::identity)
    }

    /// A user's id is no conversation's: that with them has one of its own.
    fn conversation(&self) -> Result<String, CallError> {
        let named = &self.terms.conversation;
        if !named.starts_with(['U', 'W']) {
            return Ok(named.clone());
        }
        typed(&self.form("conversations.open", &[("users", named.clone())])?, slack::opened)
    }

    fn pages(&self, method: &str, fields: &[(&'static str, String)]) -> Result<Vec<Message>, CallError> {
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

    fn form(&self, method: &str, fields: &[(&'static str, String)]) -> Result<Answer, CallError> {
        let pairs =
            fields.iter().map(|(name, value)| format!("{name}={}", percent_encoded(value, UNRESERVED)));
        let pairs: Vec<String> = pairs.collect();
        self.call(method, "application/x-www-form-urlencoded", pairs.join("&").into_bytes())
    }

    fn call(&self, method: &str, content: &'static str, body: Vec<u8>) -> Result<Answer, CallError> {
        let url = Secret::new(format!("{}/{method}", self.terms.url));
        let post = Post { url: &url, bearer: Some(&self.token), content, headers: Vec::new(), body };
        Ok(self.http.post(&post)?)
    }
}

fn typed<T>(answer: &Answer, read: fn(u16, &[u8]) -> Result<T, SlackError>) -> Result<T, CallError> {
    read(answer.status, &answer.body)
        .map_err(|error| CallError::Slack { error, retry_after: answer.retry_after })
}
