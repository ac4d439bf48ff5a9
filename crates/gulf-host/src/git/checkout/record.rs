//! What is written down of a checkout when it is made, and when somebody looked at it since.
//!
//! The next checkout relies on it, so it is removed before anything is done in the folder: one that was cut off
//! proves nothing.

use std::fs;

use camino::Utf8Path;
use sha2::{Digest, Sha256};

use crate::digest::hexadecimal;
use crate::git::beside;
use crate::git::error::Result;
use crate::git::listing::Listing;
use crate::git::names::CommitId;
use crate::git::snapshot::remove_if_there;
use crate::git::store::replace_file;
use crate::platform;

const SUFFIX: &str = ".checkout";

/// A checkout that was made whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckoutRecord {
    pub(super) commit: CommitId,
    /// Of the rules that stand beside the repository.
    pub(super) info: String,
    /// Of the rules that stand in the commit.
    pub(super) rules: String,
    pub(super) since: Since,
}

/// What became of the folder since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    /// Whatever ran there may have changed it, and set lengths and time stamps back.
    Used,
    /// All bytes were read after the last program had ended, and were the commit's; the machine has not been off since:
    /// a power cut can take bytes and leave lengths and time stamps.
    Untouched,
}

impl CheckoutRecord {
    pub(super) fn read(index: &Utf8Path) -> Option<Self> {
        let text = fs::read_to_string(beside(index, SUFFIX)).ok()?;
        let lines: Vec<&str> = text.lines().collect();
        let [commit, info, rules, rest @ ..] = lines.as_slice() else { return None };
        let is_untouched = untouched().is_some_and(|untouched| *rest == [untouched]);
        let since = if is_untouched { Since::Untouched } else { Since::Used };
        let commit = CommitId::parse(commit).ok()?;
        Some(Self { commit, info: (*info).to_owned(), rules: (*rules).to_owned(), since })
    }

    pub(super) fn write(&self, index: &Utf8Path) -> Result<()> {
        let Self { commit, info, rules, since } = self;
        let since = match since {
            Since::Used => None,
            Since::Untouched => untouched(),
        };
        let since = since.unwrap_or_default();
        replace_file(&beside(index, SUFFIX), format!("{commit}\n{info}\n{rules}\n{since}").as_bytes())
    }

    pub(super) fn remove(index: &Utf8Path) -> Result<()> {
        remove_if_there(&beside(index, SUFFIX))
    }
}

/// The line that says so, where the system tells one start of the machine from another.
fn untouched() -> Option<String> {
    platform::boot().map(|boot| format!("untouched in {boot}"))
}

/// A digest of the rules that a commit has in it, as its index lists them.
pub(super) fn digest_of_rules(listing: &Listing) -> String {
    let mut digest = Sha256::new();
    for (path, blob) in &listing.rules {
        digest.update((path.as_bytes().len() as u64).to_le_bytes());
        digest.update(path.as_bytes());
        digest.update(blob);
    }
    hexadecimal(&digest.finalize())
}

#[cfg(all(test, target_os = "linux"))]
mod tests;
