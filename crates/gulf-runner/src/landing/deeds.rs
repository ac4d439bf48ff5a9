//! What a queue wants, done: merges without a worktree, trials in a fresh checkout, the move of the base.
//!
//! It stands apart because here the queue's names become commits, and nothing is decided.

use std::sync::Arc;

use camino::Utf8PathBuf;
use gulf_engine::{CommitId, TreeId};
use gulf_host::clock::Clock;
use gulf_host::files::{self, Durability};
use gulf_host::git::{self, Layout, Repository};
use gulf_queue::{EntryLanding, Flake, QueueKey, QueueResult, QueueWork, Tip};

use super::base::{BaseBranch, BaseMove};
use super::guest::Guest;
use super::order::Order;
use super::place::QueuePlace;
use super::seat::Lead;
use super::together::{Together, together};
use crate::FORMAT_VERSION;
use crate::error::{Failure, RunError, in_full};
use crate::receipt::{self, FlakyChecks, LandedLoop, LandedWork, ReceiptStatement};
use crate::records;
use crate::snapshot::stamp;
use crate::stop::Stop;

const RECEIPT_BYTES_MAX: u64 = 16 << 20;

/// Everything that a queue's effects are done with.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) place: QueuePlace,
    pub(super) lead: Lead,
    pub(super) repository: Repository,
    base: BaseBranch,
}

/// One effect, and what it may need to know.
#[derive(Debug)]
pub(super) struct QueueEffect<'a> {
    pub(super) key: &'a QueueKey,
    pub(super) guests: &'a [Arc<Guest>],
    /// Where the base was when it began.
    pub(super) base: Option<&'a Tip>,
    pub(super) lane: Option<usize>,
}

impl Bench {
    pub(super) fn open(place: &QueuePlace, lead: &Lead) -> Result<Self, RunError> {
        let repository = Repository::open(lasting(&lead.layout, &place.git())?, &place.git())?;
        let base = BaseBranch::of(&lead.terms)?;
        Ok(Self { place: place.clone(), lead: lead.clone(), repository, base })
    }

    /// Where the base is now.
    pub(super) fn tip(&self) -> Result<Tip, RunError> {
        let gone = || RunError::BaseGone { branch: self.base.name().to_owned() };
        let commit = self.base.tip(&self.repository)?.ok_or_else(gone)?;
        Ok(self.tip_of(&commit)?)
    }

    fn tip_of(&self, commit: &git::CommitId) -> Result<Tip, git::GitError> {
        let tree = self.repository.tree_of(commit)?;
        Ok(Tip { commit: CommitId::new(commit.as_str()), tree: TreeId::new(tree.as_str()) })
    }

    /// Does what is wanted and says what came of it.
    pub(super) fn perform(&self, wish: &QueueEffect<'_>, stop: &Stop) -> QueueResult {
        let done = match &wish.key.work {
            QueueWork::Merge { ticket, onto } => {
                guest(wish, *ticket).and_then(|guest| self.merge(guest, onto))
            }
            QueueWork::Test { tip, checks, .. } => self.test(wish, tip, checks, stop),
            QueueWork::Move { from, to, landing } => self.move_base(wish, from, to, landing),
        };
        match done {
            Ok(result) => result,
            Err(Failure::Stopped) => QueueResult::Interrupted,
            Err(_) if stop.is_asked() && wish.key.work.is_repeatable() => QueueResult::Interrupted,
            Err(failure) => QueueResult::Failed { reason: in_full(&failure) },
        }
    }

    /// What became of an effect whose leader is gone.
    pub(super) fn recovered(&self, key: &QueueKey) -> QueueResult {
        match &key.work {
            QueueWork::Merge { .. } | QueueWork::Test { .. } => QueueResult::Interrupted,
            QueueWork::Move { from, to, .. } => self
                .recover_move(from, to)
                .unwrap_or_else(|failure| QueueResult::Failed { reason: in_full(&failure) }),
        }
    }

    fn merge(&self, guest: &Guest, onto: &CommitId) -> Result<QueueResult, Failure> {
        let (onto, candidate) = (git::CommitId::parse(onto.as_str())?, guest.candidate()?);
        let tree = match together(&self.repository, &onto, &candidate)? {
            Together::Clean(tree) => tree,
            Together::Conflict { paths } => return Ok(QueueResult::Conflict { paths }),
        };
        let message = guest.message(&self.repository)?;
        let when = stamp(guest.order.at_ms);
        let commit = self.repository.commit(&tree, &[&onto, &candidate], &message.text(), when)?;
        Ok(QueueResult::Merged(Tip {
            commit: CommitId::new(commit.as_str()),
            tree: TreeId::new(tree.as_str()),
        }))
    }

    fn move_base(
        &self,
        wish: &QueueEffect<'_>,
        from: &CommitId,
        to: &Tip,
        landing: &[EntryLanding],
    ) -> Result<QueueResult, Failure> {
        self.write_receipt(wish, from, to, landing)?;
        gulf_host::crash::point("landing.move");
        let (old, new) = (git::CommitId::parse(from.as_str())?, git::CommitId::parse(to.commit.as_str())?);
        match self.base.advance(&self.repository, [&old, &new]) {
            Ok(moved) => self.told(to, moved),
            // Whether it moved, only the branch itself can tell.
            Err(error) => {
                let known = self.recover_move(from, to)?;
                if known == QueueResult::Interrupted { Err(error.into()) } else { Ok(known) }
            }
        }
    }

    fn recover_move(&self, from: &CommitId, to: &Tip) -> Result<QueueResult, Failure> {
        let (old, new) = (git::CommitId::parse(from.as_str())?, git::CommitId::parse(to.commit.as_str())?);
        self.told(to, self.base.recover(&self.repository, [&old, &new])?)
    }

    fn told(&self, to: &Tip, moved: BaseMove) -> Result<QueueResult, Failure> {
        Ok(match moved {
            BaseMove::Moved => {
                gulf_host::crash::point("landing.moved");
                self.note(to)?;
                QueueResult::Moved
            }
            BaseMove::Undone => QueueResult::Interrupted,
            BaseMove::BaseMoved(now) => QueueResult::BaseMoved { tip: self.tip_of(&now)? },
            BaseMove::NotReady(reason) => QueueResult::NotReady { reason },
        })
    }

    /// The receipt stands beside the commit as well. A note is for people: without it nothing is less true.
    fn note(&self, to: &Tip) -> Result<(), git::GitError> {
        let landed = git::CommitId::parse(to.commit.as_str())?;
        if let Ok(receipt) = files::read_bytes(&self.place.receipt(landed.as_str()), RECEIPT_BYTES_MAX) {
            let when = stamp(Clock::new().wall_ms());
            let _ = self.repository.note(&landed, &receipt, when);
        }
        Ok(())
    }

    /// For the receipt: without it nothing is less true.
    pub(super) fn keep_flake(&self, flake: &Flake) {
        let Flake { tip, evidence, .. } = flake;
        let flaky = FlakyChecks { checks: evidence.checks.clone(), summary: evidence.summary.clone() };
        let Ok(bytes) = serde_json::to_vec(&flaky) else { return };
        let merged = tip.commit.as_str();
        let _ = files::create_private_directories(&self.place.trial(merged), Durability::Buffered)
            .and_then(|()| files::replace(&self.place.flake(merged), &bytes, Durability::Buffered));
    }

    fn flaky(&self, merged: &CommitId) -> Option<FlakyChecks> {
        records::find(&self.place.flake(merged.as_str()))
    }

    /// Before the base moves: what was tested is known, and a crash must not lose it.
    fn write_receipt(
        &self,
        wish: &QueueEffect<'_>,
        from: &CommitId,
        to: &Tip,
        landing: &[EntryLanding],
    ) -> Result<(), Failure> {
        let mut landed = Vec::new();
        for EntryLanding { ticket, commit } in landing {
            let guest = guest(wish, *ticket)?;
            let Order { candidate, receipt, .. } = &guest.order;
            landed.push(LandedLoop {
                commit: commit.clone(),
                receipt: receipt.clone(),
                said: receipt::kept(&guest.folder, candidate, receipt)?,
                unchecked_when_merged: guest.unchecked().cloned().collect(),
                flaky: self.flaky(commit),
            });
        }
        let landed = LandedWork {
            version: FORMAT_VERSION,
            gulf_version: env!("CARGO_PKG_VERSION").to_owned(),
            base_branch: self.lead.terms.base.clone(),
            base_before: Some(from.clone()),
            environment: self.lead.environment.digest(),
            landed,
        };
        let statement = ReceiptStatement::new(to.commit.as_str(), to.tree.as_str(), landed);
        let bytes = statement.encode()?;
        let path = self.place.receipt(to.commit.as_str());
        files::create_private_directories(path.parent().unwrap_or(self.place.root()), Durability::Synced)?;
        Ok(files::replace(&path, &bytes, Durability::Synced)?)
    }
}

/// The entry with this number.
pub(super) fn guest<'a>(wish: &QueueEffect<'a>, ticket: gulf_queue::Ticket) -> Result<&'a Guest, Failure> {
    let found = wish.guests.iter().find(|guest| guest.ticket == ticket);
    let missing = || Failure::Refused(format!("what number {} wants to land cannot be read", ticket.0));
    found.map(Arc::as_ref).ok_or_else(missing)
}

/// The repository by its own directory: a loop's worktree may be gone tomorrow.
fn lasting(layout: &Layout, private: &camino::Utf8Path) -> Result<Layout, RunError> {
    let here = Repository::open(layout.clone(), private)?;
    let main = here.worktrees()?.into_iter().next().map(|main| main.path);
    let is_there = |path: &Utf8PathBuf| path.is_dir();
    let work_tree = main.filter(is_there).unwrap_or_else(|| layout.common_dir.clone());
    Ok(Layout { work_tree, git_dir: layout.common_dir.clone(), ..layout.clone() })
}
