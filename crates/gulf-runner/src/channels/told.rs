//! What each channel was told of a loop, and what went wrong: in the loop's folder, written before and after each call.
//!
//! It stands apart because it is what keeps a question from being asked twice: what was begun and not ended is looked
//! for in the channel, never assumed.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use serde::{Deserialize, Serialize};

use crate::FORMAT_VERSION;
use crate::error::RunError;
use crate::records;

/// What the record is, for people.
const WHAT: &str = "what channels were told";
/// Its name in the loop's folder.
const FILE: &str = "channels.json";

/// What the channels of one loop were told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    version: u32,
    /// By the channel's name.
    pub channels: BTreeMap<String, ToldBy>,
}

/// What one channel was told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToldBy {
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

impl Told {
    /// What stands in the loop's folder; nothing, where nothing was told yet.
    pub fn read(folder: &Utf8Path) -> Result<Self, RunError> {
        let told = records::read(&path(folder), WHAT)?;
        Ok(told.unwrap_or(Self { version: FORMAT_VERSION, ..Self::default() }))
    }

    pub(super) fn write(&self, folder: &Utf8Path) -> Result<(), RunError> {
        let bytes = records::encode_pretty(WHAT, self)?;
        Ok(files::replace(&path(folder), &bytes, Durability::Synced)?)
    }

    pub(super) fn delivery(&self, channel: &str, key: &str) -> Option<&Delivery> {
        self.channels.get(channel)?.told.get(key)
    }
}

fn path(folder: &Utf8Path) -> Utf8PathBuf {
    folder.join(FILE)
}
