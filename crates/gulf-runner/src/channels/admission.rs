//! What somebody said by a channel becomes a fact, or a refusal that is written down.
//!
//! Here a message becomes an act of a person's: who may, what is meant, and that it counts once.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::channels::Notice;
use gulf_agents::channels::answer::{Understood, understand};
use gulf_engine::{Act, Fact, Refusal, State, admit_from};
use gulf_host::files::{self, Durability};
use serde::{Deserialize, Serialize};

use super::{ChannelAnswer, HeardStanding};
use crate::book::Book;
use crate::error::RunError;
use crate::memory::taken_requests;
use crate::{FORMAT_VERSION, records};

/// What became of something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenIn {
    pub heard: ChannelAnswer,
    /// For whoever watches here.
    pub note: String,
    /// For whoever said it; strangers are answered with nothing.
    pub back: Option<String>,
}

/// What was said and is not in the journal yet.
pub fn unheard(folder: &Utf8Path, heard: Vec<ChannelAnswer>) -> Result<Vec<ChannelAnswer>, RunError> {
    if heard.is_empty() {
        return Ok(heard);
    }
    let mut taken = taken_requests(folder)?;
    // The same message may be delivered twice.
    Ok(heard.into_iter().filter(|one| taken.insert(one.name.clone())).collect())
}

/// Writes down what was said, each once, and what it comes to.
pub fn take_in(
    book: &mut Book,
    folder: &Utf8Path,
    notices: &[Notice],
    heard: Vec<ChannelAnswer>,
    at_ms: u64,
) -> Result<Vec<TakenIn>, RunError> {
    let mut all = Vec::new();
    for heard in unheard(folder, heard)? {
        let Some(notice) = notices.iter().find(|notice| notice.key == heard.key) else { continue };
        let (fact, note, back) = weighed(book.state(), notice, &heard);
        let taken = Fact::Taken { request: heard.name.clone() };
        book.add(vec![taken, fact], at_ms)?;
        all.push(TakenIn { heard, note, back });
    }
    Ok(all)
}

/// What it would mean, without anything being done: for those who only look.
pub fn would_mean(notice: &Notice, heard: &ChannelAnswer) -> Option<Understood> {
    let meant = (heard.standing == HeardStanding::Allowed).then(|| understand(notice, &heard.text));
    meant.filter(|meant| !matches!(meant, Understood::Unclear(_)))
}

fn weighed(state: &State, notice: &Notice, heard: &ChannelAnswer) -> (Fact, String, Option<String>) {
    let who = format!("{} by {}", heard.by.who, heard.by.channel);
    let refused = |reason: String| Fact::Refused { request: format!("{} of {who}", notice.key), reason };
    let unclear = |why: &str| {
        let note = format!("what {who} said to {} does not count: {why}", notice.key);
        (refused(why.to_owned()), note, Some(notice.reminder(why)))
    };
    match heard.standing {
        HeardStanding::Stranger => {
            let why = "not one of those who may answer (notify.slack_allow)";
            return (refused(why.to_owned()), format!("{who} answered {}, and is {why}", notice.key), None);
        }
        HeardStanding::Edited => return unclear("an edited message does not count: say it again"),
        HeardStanding::Allowed => {}
    }
    let (act, told) = match understand(notice, &heard.text) {
        Understood::Unclear(why) => return unclear(&why),
        Understood::Answer(answer) => {
            (Act::Answer { question: question(notice), answer: answer.clone() }, answer)
        }
        Understood::GoOn => (Act::Resume, "go on".to_owned()),
        Understood::Approve(reason) => {
            (Act::Approve { reason: reason.clone() }, format!("approved: {reason}"))
        }
        Understood::Reject(reason) => (Act::Reject { reason: reason.clone() }, format!("rejected: {reason}")),
    };
    match admit_from(state, act, heard.by.clone()) {
        Ok(fact) => (fact, format!("{who}: {told}"), Some(format!("taken: {told}"))),
        // What cannot be granted is not said better by another choice.
        Err(refusal) => {
            let is_answered = refusal == Refusal::NoSuchQuestion;
            let why =
                if is_answered { "it has already been answered".to_owned() } else { refusal.to_string() };
            let (fact, note, _) = unclear(&why);
            (fact, note, Some(format!("not taken: {why}")))
        }
    }
}

/// `question-2` is about question 2.
fn question(notice: &Notice) -> Option<u32> {
    notice.key.strip_prefix("question-")?.parse().ok()
}

// What each channel was told of a loop, and what went wrong: in the loop's folder, written before and after each call.

/// What the record is, for people.
const WHAT: &str = "what channels were told";
/// Its name in the loop's folder.
const FILE: &str = "channels.json";

/// What the channels of one loop were told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deliveries {
    version: u32,
    /// By the channel's name.
    pub channels: BTreeMap<String, ChannelDeliveries>,
}

/// What one channel was told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChannelDeliveries {
    /// By the notice's key.
    pub told: BTreeMap<String, Delivery>,
    /// What went wrong last; none since something went well.
    pub trouble: Option<Trouble>,
}

/// How far a notice has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Delivery {
    /// It was about to be sent; whether it was, only the channel knows.
    Sending { since_ms: u64 },
    /// It stands in a conversation, where answers are looked for.
    Posted { conversation: String, ts: String },
    /// It was taken.
    Sent,
    /// The channel refuses it, and will as long as it is called like this.
    Refused {
        /// Of its address and its secret; none in what earlier versions wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        setting: Option<String>,
    },
}

/// Why a channel does not work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trouble {
    pub why: String,
    pub hint: Option<String>,
    pub at_ms: u64,
}

impl Deliveries {
    /// What stands in the loop's folder; nothing, where nothing was told yet.
    pub fn read(folder: &Utf8Path) -> Result<Self, RunError> {
        Ok(records::read(&path(folder), WHAT)?.unwrap_or(Self { version: FORMAT_VERSION, ..Self::default() }))
    }

    pub(super) fn write(&self, folder: &Utf8Path) -> Result<(), RunError> {
        Ok(files::replace(&path(folder), &records::encode_pretty(WHAT, self)?, Durability::Synced)?)
    }

    pub(super) fn delivery(&self, channel: &str, key: &str) -> Option<&Delivery> {
        self.channels.get(channel)?.told.get(key)
    }
}

fn path(folder: &Utf8Path) -> Utf8PathBuf {
    folder.join(FILE)
}
