//! A loop that waits, as the leader sees it: what it agreed on, and where it lies.
//!
//! It stands apart because a leader knows other loops only from their folders.

use gulf_engine::{CheckName, Digest};
use gulf_host::git::{CommitId, MergeMessage, Repository, Trailer, TreeId};
use gulf_queue::Ticket;
use gulf_spec::goal::goal_title;

use super::order::{self, Order};
use super::place::QueuePlace;
use crate::agreement::{Agreement, LandingTerms, Place, SealedCheck, short};
use crate::candidate::why_of;
use crate::error::{Failure, RunError};
use crate::folder::LoopPaths;
use crate::masking;

/// The names of the trailers in a merge's message.
pub(crate) const TRAILER_LOOP: &str = "Gulf-Loop";
pub(crate) const TRAILER_GOAL: &str = "Gulf-Goal";
pub(crate) const TRAILER_CANDIDATE: &str = "Gulf-Candidate";
pub(crate) const TRAILER_RECEIPT: &str = "Gulf-Receipt";

/// One place in the line, with all that is known of its loop.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) ticket: Ticket,
    pub(crate) order: Order,
    pub(crate) agreement: Agreement,
    pub(crate) folder: LoopPaths,
}

impl Guest {
    /// Reads what an entry joined with.
    pub(crate) fn of(place: &QueuePlace, ticket: Ticket, request: &Digest) -> Result<Self, Failure> {
        let gone = || Failure::Refused(format!("what joined the queue as number {} is gone", ticket.0));
        let order = Order::joined_with(place, request)?.ok_or_else(gone)?;
        let folder = LoopPaths::new(order.folder.clone());
        let agreement = Agreement::sealed_as(&folder, &order.contract)?;
        Ok(Self { ticket, order, agreement, folder })
    }

    pub(crate) fn candidate(&self) -> Result<CommitId, Failure> {
        Ok(CommitId::parse(self.order.candidate.commit.as_str())?)
    }

    pub(crate) fn base_tree(&self) -> Result<TreeId, Failure> {
        Ok(TreeId::parse(self.order.base.tree.as_str())?)
    }

    pub(crate) fn terms(&self) -> Result<&LandingTerms, Failure> {
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
        let in_place = self.agreement.checks.iter().filter(|check| check.place == Place::Project);
        in_place.map(|check| &check.name)
    }

    /// What its merge says.
    pub(crate) fn message(&self, repository: &Repository) -> Result<MergeMessage, Failure> {
        let terms = self.terms()?;
        let (branch, base) = (short(&terms.branch), short(&terms.base));
        let goal = masking::of_this_process().text(goal_title(&self.agreement.goal)).into_owned();
        let trailer = |name: &str, value: String| Trailer { name: name.to_owned(), value };
        Ok(MergeMessage {
            title: format!("merge(gulf-loop): {branch} → {base} [{}]", terms.label),
            body: why_of(repository, &self.agreement, &self.candidate()?),
            trailers: vec![
                trailer(TRAILER_GOAL, goal),
                trailer(TRAILER_LOOP, self.order.loop_id.to_string()),
                trailer(TRAILER_CANDIDATE, self.order.candidate.commit.to_string()),
                trailer(TRAILER_RECEIPT, format!("sha256:{}", self.order.receipt)),
            ],
        })
    }

    /// Would its checks still be the same? The script of checks, for one, lies in the loop's folder.
    pub(crate) fn is_as_it_joined(&self) -> Result<bool, RunError> {
        Ok(order::checks(&self.agreement, &self.folder, &self.order.base)? == self.order.checks)
    }
}
