//! What a loop asks of a queue, as it lies on disk: what is to land, and the request to join or leave.
//!
//! Whoever leads may be another process: all it must know about a loop stands here, or is found from here.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{Base, Candidate, CheckName, Digest, LoopId};
use gulf_host::files::{self, Durability};
use gulf_host::git::{MergeMessage, Repository, Trailer};
use gulf_queue::{Entry, EntryId, Ticket};
use gulf_spec::goal::goal_title;
use serde::{Deserialize, Serialize};

use super::place::QueuePlace;
use crate::agreement::{Agreement, LandingTerms, Place, SealedCheck, engine_digest, short};
use crate::candidate::why_of;
use crate::error::{Failure, Result, RunError};
use crate::folder::LoopPaths;
use crate::landing::{LandingEffect, merge_title};
use crate::receipt::WorkReceipt;
use crate::texts::AUTOCHECKS;
use crate::{FORMAT_VERSION, group, masking, records};

/// What the record is, for people.
const WHAT: &str = "a landing";
/// Far more than any script of checks.
const SCRIPT_BYTES_MAX: u64 = 16 << 20;

/// A loop's verified candidate that is to land.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LandingRequest {
    pub(crate) v: u32,
    pub(crate) loop_id: LoopId,
    /// The loop's folder in `$GULF_HOME`.
    pub(crate) folder: Utf8PathBuf,
    /// The contract that it was verified against.
    pub(crate) contract: Digest,
    pub(crate) candidate: Candidate,
    /// What it was compared with.
    pub(crate) base: Base,
    /// Wall clock; the merge has this time, so that it is the same commit in every attempt.
    pub(crate) at_ms: u64,
    /// Of what the loop's gates said about the candidate.
    pub(crate) receipt: Digest,
    /// How often it has waited before.
    pub(crate) turn: usize,
    pub(crate) checks: BTreeMap<Digest, CheckName>,
    /// The same for all loops of which one is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) one_of: Option<Digest>,
    /// Set where a person wants it after the loop's end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) wish: Option<LandingIntent>,
}

/// That work of a loop that is over is to land.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LandingIntent {
    /// Who wants it.
    pub by: String,
    /// Where, in place of what the loop had agreed on.
    pub terms: LandingTerms,
}

/// A file in the queue's dropbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    pub(crate) v: u32,
    pub(crate) act: LandingAct,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum LandingAct {
    Join { request: Digest },
    Leave { entry: EntryId },
}

impl LandingRequest {
    /// What this loop wants to land; the one that a crash left behind, where there is one.
    pub(crate) fn prepare(landing: &LandingEffect<'_>, place: &QueuePlace, turn: usize) -> Result<Self> {
        let LandingEffect { resources, fold, candidate, wish, .. } = *landing;
        let loop_id = resources.agreement.loop_id.clone();
        let path = place.order(&loop_id, candidate.commit.as_str(), turn);
        let missing = || Failure::World(RunError::NoContract);
        let contract = fold.state.contract().ok_or_else(missing)?.digest.clone();
        let base = fold.state.base().ok_or_else(missing)?.clone();
        let is_about_this =
            |order: &Self| order.contract == contract && order.base == base && order.wish.as_ref() == wish;
        if let Some(order) = records::read::<Self>(&path, WHAT)?.filter(is_about_this) {
            order.write(&place.order_of(&order.request()?))?;
            return Ok(order);
        }
        // What the gates said about the candidate, written down.
        let by = wish.map(|wish| wish.by.as_str());
        let said = WorkReceipt::compose(&resources.agreement, &resources.folder, fold, candidate, by)?;
        let order = Self {
            v: FORMAT_VERSION,
            loop_id,
            folder: resources.folder.root().to_owned(),
            receipt: said.keep(&resources.folder)?.0,
            contract,
            candidate: candidate.clone(),
            at_ms: fold.last_at_ms,
            turn,
            checks: checks(&resources.agreement, &resources.folder, &base)?,
            // Whom a person picks by name lands, whoever else has.
            one_of: group::choice(&resources.agreement).filter(|_| wish.is_none()),
            wish: wish.cloned(),
            base,
        };
        // Both names before anybody may hear of it.
        order.write(&place.order_of(&order.request()?))?;
        order.write(&path)?;
        Ok(order)
    }

    fn write(&self, path: &Utf8Path) -> Result<(), RunError> {
        Ok(files::replace(path, &self.encode()?, Durability::Synced)?)
    }

    /// The one that an entry joined with.
    pub(crate) fn joined_with(place: &QueuePlace, request: &Digest) -> Result<Option<Self>, RunError> {
        let order = records::read::<Self>(&place.order_of(request), WHAT)?;
        let Some(order) = order else { return Ok(None) };
        Ok((order.request()? == *request).then_some(order))
    }

    /// As the queue knows it.
    pub(crate) fn entry(&self) -> Result<Entry, RunError> {
        let (loop_id, candidate) = (self.loop_id.clone(), self.candidate.commit.clone());
        let (checks, one_of) = (self.checks.keys().cloned().collect(), self.one_of.clone());
        Ok(Entry { id: EntryId { loop_id, candidate }, request: self.request()?, checks, one_of })
    }

    /// The digest by which it joins.
    pub(crate) fn request(&self) -> Result<Digest, RunError> {
        Ok(engine_digest(&self.encode()?))
    }

    fn encode(&self) -> Result<Vec<u8>, RunError> {
        records::encode_pretty(WHAT, self)
    }
}

impl LandingAct {
    /// Leaves it for whoever leads; the file lies there until it is answered.
    pub(crate) fn leave(self, place: &QueuePlace, wall_ms: u64) -> Result<Utf8PathBuf, RunError> {
        let bytes = records::encode("a request", &Asked { v: FORMAT_VERSION, act: self })?;
        let name = place.requests().leave(wall_ms, &bytes, Durability::Synced)?;
        Ok(place.requests().directory().join(name))
    }
}

/// The checks that must be green wherever the work lands. One that runs in the project itself has no word about a
/// commit that is checked out elsewhere.
pub(crate) fn checks(
    agreement: &Agreement,
    folder: &LoopPaths,
    base: &Base,
) -> Result<BTreeMap<Digest, CheckName>, RunError> {
    let in_checkout = agreement.checks.iter().filter(|check| check.place == Place::Checkout);
    in_checkout.map(|check| Ok((digest_of(check, folder, base)?, check.name.clone()))).collect()
}

/// Two checks are the same when the same command must say the same: a script counts with its text, and forgiven
/// failures with where they were seen.
fn digest_of(check: &SealedCheck, folder: &LoopPaths, base: &Base) -> Result<Digest, RunError> {
    let sealed =
        SealedCheck { name: CheckName::new(""), origin: String::new(), is_new: false, ..check.clone() };
    let mut bytes = records::encode("a check", &sealed)?;
    if check.origin == AUTOCHECKS {
        bytes.extend(files::read_bytes(&folder.sealed_texts().join(AUTOCHECKS), SCRIPT_BYTES_MAX)?);
    }
    if check.baseline == gulf_engine::Baseline::Accepted {
        bytes.extend_from_slice(base.tree.as_str().as_bytes());
    }
    Ok(engine_digest(&bytes))
}

// A loop that waits, as the leader sees it: what it agreed on, and where it lies.

/// The names of the trailers in a merge's message.
pub(crate) const TRAILER_LOOP: &str = "Gulf-Loop";
pub(crate) const TRAILER_GOAL: &str = "Gulf-Goal";
pub(crate) const TRAILER_CANDIDATE: &str = "Gulf-Candidate";
pub(crate) const TRAILER_RECEIPT: &str = "Gulf-Receipt";

/// One place in the line, with all that is known of its loop.
#[derive(Debug)]
pub(crate) struct QueuedLoop {
    pub(crate) ticket: Ticket,
    pub(crate) order: LandingRequest,
    pub(crate) agreement: Agreement,
    pub(crate) folder: LoopPaths,
}

impl QueuedLoop {
    /// Reads what an entry joined with.
    pub(crate) fn read(place: &QueuePlace, ticket: Ticket, request: &Digest) -> Result<Self> {
        let gone = || Failure::Refused(format!("what joined the queue as number {} is gone", ticket.0));
        let order = LandingRequest::joined_with(place, request)?.ok_or_else(gone)?;
        let folder = LoopPaths::new(order.folder.clone());
        Ok(Self { agreement: Agreement::open(&folder, &order.contract)?, ticket, order, folder })
    }

    pub(crate) fn terms(&self) -> Result<&LandingTerms> {
        let nothing = || Failure::Refused("nothing was agreed on where the work lands".to_owned());
        let wished = self.order.wish.as_ref().map(|wish| &wish.terms);
        wished.or(self.agreement.landing.as_ref()).ok_or_else(nothing)
    }

    /// The check with this digest, where the loop has it.
    pub(crate) fn check(&self, digest: &Digest) -> Option<&SealedCheck> {
        self.agreement.check(self.order.checks.get(digest)?)
    }

    /// The checks that have no word about a commit that is checked out elsewhere.
    pub(crate) fn unchecked(&self) -> impl Iterator<Item = &CheckName> {
        self.agreement.checks.iter().filter(|check| check.place == Place::Project).map(|check| &check.name)
    }

    /// What its merge says.
    pub(crate) fn message(&self, repository: &Repository) -> Result<MergeMessage> {
        let terms = self.terms()?;
        let (branch, base) = (short(&terms.branch), short(&terms.base));
        let goal = masking::of_this_process().text(goal_title(&self.agreement.goal)).into_owned();
        Ok(MergeMessage {
            title: format!("{}{base} [{}]", merge_title(branch), terms.label),
            body: why_of(repository, &self.agreement, &self.order.candidate.commit),
            trailers: vec![
                Trailer::new(TRAILER_GOAL, &goal),
                Trailer::new(TRAILER_LOOP, &self.order.loop_id),
                Trailer::new(TRAILER_CANDIDATE, &self.order.candidate.commit),
                Trailer::new(TRAILER_RECEIPT, &format!("sha256:{}", self.order.receipt)),
            ],
        })
    }

    /// Would its checks still be the same? The script of checks, for one, lies in the loop's folder.
    pub(crate) fn is_as_it_joined(&self) -> Result<bool, RunError> {
        Ok(checks(&self.agreement, &self.folder, &self.order.base)? == self.order.checks)
    }
}
