//! Reaching a person outside of gulf's own screens: told once, heard from allowed people, and never a reason to stop
//! (SPEC A6, B15).
//!
//! A channel is a view of the journal and a way for requests into it, and nothing else: what fails here is said and
//! tried again, and decides nothing.

pub mod admission;
mod command;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use command::{CallError, Line, Said, WantedMessage};
use gulf_agents::channels::slack::{From, Posted, said_at_ms};
use gulf_agents::channels::{Answers, Notice, NoticeKind, Takes};
use gulf_engine::By;
use gulf_host::clock::Clock;
use gulf_host::crash;
use gulf_host::hint::Hint as _;
use gulf_host::http::Http;
use gulf_host::secret::Secret;
use gulf_host::watch::Waker;
use gulf_spec::config::{COMMAND, WEBHOOK};

use crate::agreement::{Agreement, CommandSays, NotifyEvent, NotifyTerms, SLACK, read_secret};
use crate::error::{RunResult, in_full};
use crate::masking;
use crate::stop::{Effects, Stop};

pub use admission::{ChannelDeliveries, Deliveries, Delivery, Trouble};

/// The channels of one loop.
#[derive(Debug)]
pub struct Channels {
    pub terms: NotifyTerms,
    loop_id: String,
    /// The loop's.
    folder: Utf8PathBuf,
    told: Deliveries,
    http: Http,
    clock: Arc<Clock>,
    /// The token that does not count: Slack is not asked again with it.
    off: Option<Secret>,
    /// What is taken out of every message.
    secrets: Vec<Secret>,
    /// The programs that may still answer, by the notice's key.
    asked: Effects<String, Said>,
    notes: Vec<String>,
    /// How long a channel asked to be left alone.
    retry_after: Option<Duration>,
    /// Channels that did not answer at all: nothing more is said there until everything is told anew.
    silent: BTreeSet<&'static str>,
    /// Somebody else may be writing: nothing that happens is written down.
    only_looks: bool,
}

/// For how long a program may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerWindow {
    /// Nobody listens: only programs that answer nothing are started.
    Nobody,
    For(Duration),
}

/// Has everything been told?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryProgress {
    Done,
    /// Another try may help.
    Again,
}

/// What somebody said to a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelAnswer {
    /// Its name in the journal, under which it counts once.
    pub name: String,
    /// The notice's key.
    pub key: String,
    pub by: By,
    pub text: String,
    pub standing: HeardStanding,
    /// Where it was said: conversation and thread.
    thread: Option<(String, String)>,
}

/// Whether what was said can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeardStanding {
    Allowed,
    /// By somebody who may not answer.
    Stranger,
    /// Changed after it was written.
    Edited,
}

impl Channels {
    /// Those that were sealed; none where nobody is to be reached.
    pub fn from_agreement(
        agreement: &Agreement,
        folder: &Utf8Path,
        clock: Arc<Clock>,
    ) -> RunResult<Option<Self>> {
        let Some(terms) = agreement.notify.clone() else { return Ok(None) };
        Self::new(terms, agreement.loop_id.as_str(), folder, clock).map(Some)
    }

    /// The channels of a loop with this id and folder.
    pub fn new(terms: NotifyTerms, loop_id: &str, folder: &Utf8Path, clock: Arc<Clock>) -> RunResult<Self> {
        Ok(Self {
            http: Http::new(terms.timeout()),
            terms,
            loop_id: loop_id.to_owned(),
            folder: folder.to_owned(),
            told: Deliveries::read(folder)?,
            clock,
            off: None,
            secrets: Vec::new(),
            asked: Effects::new(None::<Waker>),
            notes: Vec::new(),
            retry_after: None,
            silent: BTreeSet::new(),
            only_looks: false,
        })
    }

    /// The same for those who only look.
    pub fn only_looking(mut self) -> Self {
        self.only_looks = true;
        self
    }

    /// Ends the waits of whoever waits for an answer, when a program has one.
    pub fn wakes(&mut self, waker: Waker) {
        self.asked.wakes(waker);
    }

    /// What a person should know of the channels, each once.
    pub fn notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// When to look again: as often as agreed, and not before a channel wants to be asked again.
    pub fn look_again_in(&mut self) -> Duration {
        self.terms.poll().max(self.retry_after().unwrap_or_default())
    }

    /// How long a channel asked to be left alone, since this was asked last.
    pub fn retry_after(&mut self) -> Option<Duration> {
        self.retry_after.take()
    }

    /// Tells what was not told yet, each notice once by each channel.
    pub fn tell(&mut self, notices: &[Notice], hearing: AnswerWindow) -> RunResult<DeliveryProgress> {
        let mut telling = DeliveryProgress::Done;
        self.silent.clear();
        for notice in &notices.iter().map(masking::notice).collect::<Vec<_>>() {
            if !self.terms.events.contains(&tell_of(notice.kind)) {
                continue;
            }
            let told =
                [self.tell_slack(notice)?, self.tell_webhook(notice)?, self.tell_command(notice, hearing)?];
            if told.contains(&DeliveryProgress::Again) {
                telling = DeliveryProgress::Again;
            }
        }
        Ok(telling)
    }

    /// Everything that was said to these notices and may still count, in the order in which it was said.
    pub fn hear(&mut self, notices: &[Notice]) -> RunResult<Vec<ChannelAnswer>> {
        let mut heard = self.hear_programs()?;
        for notice in notices.iter().filter(|notice| notice.takes != Takes::Nothing) {
            if self.silent.contains(SLACK) {
                break;
            }
            heard.extend(self.hear_slack(notice)?);
        }
        heard.sort_by(|one, other| (one.by.said_at_ms, &one.name).cmp(&(other.by.said_at_ms, &other.name)));
        Ok(heard)
    }

    /// Says something to somebody where they said something; once.
    pub fn say_back(&mut self, heard: &ChannelAnswer, text: &str) -> RunResult<()> {
        let Some((conversation, ts)) = heard.thread.clone() else { return Ok(()) };
        self.post(&format!("to-{}", heard.by.message), Some((&conversation, &ts)), text).map(drop)
    }

    fn tell_slack(&mut self, notice: &Notice) -> RunResult<DeliveryProgress> {
        let Some(terms) = &self.terms.slack else { return Ok(DeliveryProgress::Done) };
        let answers = if terms.allow.is_empty() { Answers::InProject } else { Answers::Here };
        self.post(&notice.key, None, &notice.message(answers))
    }

    /// Announced, posted, written down; what was announced before is looked for first.
    fn post(&mut self, key: &str, thread: Option<(&str, &str)>, text: &str) -> RunResult<DeliveryProgress> {
        let since_ms = match self.told.delivery(SLACK, key) {
            None => None,
            Some(Delivery::Sending { since_ms }) => Some(*since_ms),
            Some(Delivery::Posted { .. } | Delivery::Sent | Delivery::Refused { .. }) => {
                return Ok(DeliveryProgress::Done);
            }
        };
        if self.silent.contains(SLACK) {
            return Ok(DeliveryProgress::Again);
        }
        let Some(token) = self.token()? else { return Ok(DeliveryProgress::Done) };
        let Some(terms) = self.terms.slack.clone() else { return Ok(DeliveryProgress::Done) };
        let wanted = WantedMessage { loop_id: &self.loop_id.clone(), key, thread };
        if let Some(since_ms) = since_ms {
            match Line::new(&self.http, &terms, token.clone()).find(wanted, since_ms) {
                Ok(Some(posted)) => return self.posted(key, posted),
                // Whether it stands there cannot be known, now or ever: told twice is better than not at all.
                Err(error) if error.is_passing() => return self.troubled_by(SLACK, &error, Some(token)),
                Ok(None) | Err(_) => {}
            }
        }
        self.remember(SLACK, key, Some(Delivery::Sending { since_ms: self.clock.wall_ms() }))?;
        crash::point("channels.sending");
        let sent = Line::new(&self.http, &terms, token.clone()).post(wanted, text);
        crash::point("channels.sent");
        match sent {
            Ok(posted) => self.posted(key, posted),
            Err(error) => {
                if !error.is_unknown() {
                    self.remember(SLACK, key, None)?;
                }
                self.troubled_by(SLACK, &error, Some(token))
            }
        }
    }

    fn posted(&mut self, key: &str, posted: Posted) -> RunResult<DeliveryProgress> {
        let Posted { conversation, ts } = posted;
        self.well(SLACK);
        self.remember(SLACK, key, Some(Delivery::Posted { conversation, ts }))?;
        Ok(DeliveryProgress::Done)
    }

    fn tell_webhook(&mut self, notice: &Notice) -> RunResult<DeliveryProgress> {
        let Some(terms) = self.terms.webhook.clone() else { return Ok(DeliveryProgress::Done) };
        let setting = command::setting(&terms);
        match self.told.delivery(WEBHOOK, &notice.key) {
            // Whoever mended the address or the secret wants to be told after all.
            Some(Delivery::Refused { setting: then }) if setting.is_some() && *then != setting => {}
            Some(_) => return Ok(DeliveryProgress::Done),
            None => {}
        }
        if self.silent.contains(WEBHOOK) {
            return Ok(DeliveryProgress::Again);
        }
        match command::send(&self.http, &terms, notice) {
            Ok(()) => {
                self.well(WEBHOOK);
                self.remember(WEBHOOK, &notice.key, Some(Delivery::Sent))?;
                Ok(DeliveryProgress::Done)
            }
            Err(error) => {
                if error.is_final() {
                    self.remember(WEBHOOK, &notice.key, Some(Delivery::Refused { setting }))?;
                }
                self.troubled_by(WEBHOOK, &error, None)
            }
        }
    }

    fn tell_command(&mut self, notice: &Notice, hearing: AnswerWindow) -> RunResult<DeliveryProgress> {
        let Some(terms) = self.terms.command.clone() else { return Ok(DeliveryProgress::Done) };
        if self.asked.runs(&notice.key) || self.told.delivery(COMMAND, &notice.key).is_some() {
            return Ok(DeliveryProgress::Done);
        }
        let answers = terms.says == CommandSays::Answers && notice.takes != Takes::Nothing;
        let wall_max = match (answers, hearing) {
            (true, AnswerWindow::Nobody) => return Ok(DeliveryProgress::Done),
            (true, AnswerWindow::For(wait)) => wait,
            (false, _) => self.terms.timeout(),
        };
        let told = command::told_program(&self.folder, &terms, notice, wall_max, &self.terms.variables());
        match told {
            Ok(told) if answers => {
                self.asked.start(notice.key.clone(), move |_, stop| command::ask(told, stop));
            }
            told => {
                let said = told.and_then(|told| command::ask(told, &Stop::default()));
                self.command_ended(&notice.key, &said)?;
            }
        }
        Ok(DeliveryProgress::Done)
    }

    fn command_ended(&mut self, key: &str, said: &Said) -> RunResult<()> {
        match said {
            Ok(_) => self.well(COMMAND),
            Err(why) => self.troubled(COMMAND, why, None)?,
        }
        self.remember(COMMAND, key, Some(Delivery::Sent))
    }

    /// What a program said that has ended since; nobody else is asked.
    pub fn hear_programs(&mut self) -> RunResult<Vec<ChannelAnswer>> {
        let mut heard = Vec::new();
        for (key, said) in self.asked.take_ended()? {
            if let Some(text) = said.as_ref().ok().filter(|text| !text.is_empty()) {
                heard.push(self.heard_from_command(&key, text));
            }
            self.command_ended(&key, &said)?;
        }
        Ok(heard)
    }

    fn heard_from_command(&self, key: &str, text: &str) -> ChannelAnswer {
        let who = self.terms.command.as_ref().map(|command| command.program.clone()).unwrap_or_default();
        let (channel, message, said_at_ms) = (COMMAND.to_owned(), key.to_owned(), self.clock.wall_ms());
        ChannelAnswer {
            name: format!("{COMMAND}:{key}"),
            key: key.to_owned(),
            by: By { channel, who, message, said_at_ms },
            text: text.to_owned(),
            standing: HeardStanding::Allowed,
            thread: None,
        }
    }

    fn hear_slack(&mut self, notice: &Notice) -> RunResult<Vec<ChannelAnswer>> {
        let Some(Delivery::Posted { conversation, ts }) = self.told.delivery(SLACK, &notice.key).cloned()
        else {
            return Ok(Vec::new());
        };
        let (Some(terms), Some(token)) = (self.terms.slack.clone(), self.token()?) else {
            return Ok(Vec::new());
        };
        let replies = match Line::new(&self.http, &terms, token.clone()).replies(&conversation, &ts) {
            Ok(replies) => replies,
            Err(error) => return self.troubled_by(SLACK, &error, Some(token)).map(|_| Vec::new()),
        };
        self.well(SLACK);
        let heard = replies.into_iter().filter_map(|message| {
            let (who, standing) = match message.from {
                From::Program => return None,
                From::Person(who) => (who, HeardStanding::Allowed),
                From::Edited(who) => (who, HeardStanding::Edited),
            };
            let is_allowed = terms.allow.contains(&who);
            let said_at_ms = said_at_ms(&message.ts);
            Some(ChannelAnswer {
                name: format!("{SLACK}:{conversation}:{}:{who}", message.ts),
                key: notice.key.clone(),
                by: By { channel: SLACK.to_owned(), who, message: message.ts, said_at_ms },
                text: message.text,
                standing: if is_allowed { standing } else { HeardStanding::Stranger },
                thread: Some((conversation.clone(), ts.clone())),
            })
        });
        Ok(heard.collect())
    }

    /// The token, unless it is known not to count.
    fn token(&mut self) -> RunResult<Option<Secret>> {
        let Some(terms) = &self.terms.slack else { return Ok(None) };
        match read_secret(&terms.token) {
            Ok(token) if self.off.as_ref() == Some(&token) => Ok(None),
            Ok(token) => {
                if !self.secrets.contains(&token) {
                    self.secrets.push(token.clone());
                }
                Ok(Some(token))
            }
            Err(error) => {
                self.troubled(SLACK, &in_full(&error), error.hint())?;
                Ok(None)
            }
        }
    }

    /// `token` is the one with which Slack was asked.
    fn troubled_by(
        &mut self,
        channel: &'static str,
        error: &CallError,
        token: Option<Secret>,
    ) -> RunResult<DeliveryProgress> {
        self.retry_after = self.retry_after.max(error.retry_after());
        // Nobody answered at all.
        if matches!(error, CallError::Http(_)) {
            self.silent.insert(channel);
        }
        if error.is_off() {
            self.off = token;
        }
        self.troubled(channel, &error.to_string(), error.hint())?;
        Ok(if error.is_passing() { DeliveryProgress::Again } else { DeliveryProgress::Done })
    }

    /// Said once, until something else is wrong.
    fn troubled(&mut self, channel: &'static str, why: &str, hint: Option<String>) -> RunResult<()> {
        let why = self.secrets.iter().fold(why.to_owned(), |why, secret| secret.redact(&why));
        let at_ms = self.clock.wall_ms();
        let before = &mut self.told.channels.entry(channel.to_owned()).or_default().trouble;
        if before.as_ref().is_some_and(|before| before.why == why) {
            return Ok(());
        }
        let shown = hint.as_ref().map_or_else(String::new, |hint| format!(" ({hint})"));
        self.notes.push(format!("{channel}: {why}{shown}; `gulf inbox` has what is asked"));
        *before = Some(Trouble { why, hint, at_ms });
        self.keep()
    }

    fn well(&mut self, channel: &str) {
        if let Some(told) = self.told.channels.get_mut(channel)
            && told.trouble.take().is_some()
        {
            // Only a view; the next thing that is told writes it in any case.
            let _ = self.keep();
        }
    }

    fn keep(&self) -> RunResult<()> {
        if self.only_looks { Ok(()) } else { self.told.write(&self.folder) }
    }

    fn remember(&mut self, channel: &str, key: &str, delivery: Option<Delivery>) -> RunResult<()> {
        let told = &mut self.told.channels.entry(channel.to_owned()).or_default().told;
        match delivery {
            Some(delivery) => told.insert(key.to_owned(), delivery),
            None => told.remove(key),
        };
        self.keep()
    }
}

impl Drop for Channels {
    /// What a program was asked is nobody's question any more.
    fn drop(&mut self) {
        // A panic in a thread was printed there.
        let _ = self.asked.stop_all();
    }
}

fn tell_of(kind: NoticeKind) -> NotifyEvent {
    match kind {
        NoticeKind::Question => NotifyEvent::Question,
        NoticeKind::Pause => NotifyEvent::Pause,
        NoticeKind::End => NotifyEvent::End,
    }
}

/// Whose token it is, and nothing is posted: for `gulf doctor`.
pub fn try_slack(terms: &NotifyTerms) -> Option<Result<String, (String, Option<String>)>> {
    let slack = terms.slack.as_ref()?;
    let token = match read_secret(&slack.token) {
        Ok(token) => token,
        Err(error) => return Some(Err((in_full(&error), error.hint()))),
    };
    let said = Line::new(&Http::new(terms.timeout()), slack, token.clone()).identity();
    Some(said.map_err(|error| (token.redact(&error.to_string()), error.hint())))
}
