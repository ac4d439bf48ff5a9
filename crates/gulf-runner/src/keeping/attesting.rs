//! The receipt of work that is committed on a person's word: named in the commit's message, and a note on it.

use gulf_engine::{Candidate, CommitId as EngineCommit, Digest, Fact, LandingWord, TreeId as EngineTree};
use gulf_host::clock::Clock;
use gulf_host::git::{BranchName, CommitId};
use serde_json::Value;

use super::KeepingError;
use super::change::Change;
use crate::FORMAT_VERSION;
use crate::book;
use crate::error::RunError;
use crate::known::Known;
use crate::receipt::{LandedLoop, LandedWork, ReceiptStatement, WorkReceipt};
use crate::snapshot::stamp;

/// What the gates said about the candidate, as it was written down.
#[derive(Debug)]
pub(super) struct KeptReceipt {
    pub(super) digest: Digest,
    said: Value,
}

impl Change {
    /// Writes down what the gates said, for the commit to name.
    pub(super) fn with_receipt(mut self, known: &Known, by: &str) -> Result<Self, KeepingError> {
        if let Some((commit, tree)) = &self.candidate {
            let candidate = Candidate {
                commit: EngineCommit::new(commit.as_str()),
                tree: EngineTree::new(tree.as_str()),
            };
            let said = WorkReceipt::of(&self.agreement, &self.folder, &known.fold, &candidate, Some(by))?;
            let (digest, said) = said.keep(&self.folder)?;
            self.receipt = Some(KeptReceipt { digest, said });
        }
        Ok(self)
    }

    /// Puts the receipt beside the commit; once again after a crash it is the same.
    pub(super) fn attest(
        &self,
        word: &LandingWord,
        branch: &BranchName,
        clock: &Clock,
    ) -> Result<(), KeepingError> {
        let (Some(kept), LandingWord::Landed { commit, onto }) = (&self.receipt, word) else {
            return Ok(());
        };
        let landed = CommitId::parse(commit.as_str())?;
        let tree = self.repository.tree_of(&landed)?;
        let work = LandedWork {
            version: FORMAT_VERSION,
            gulf_version: env!("CARGO_PKG_VERSION").to_owned(),
            base_branch: branch.as_str().to_owned(),
            base_before: (onto != commit).then(|| onto.clone()),
            environment: self.environment()?,
            landed: vec![LandedLoop {
                commit: commit.clone(),
                receipt: kept.digest.clone(),
                said: kept.said.clone(),
                unchecked_when_merged: Vec::new(),
                flaky: None,
            }],
        };
        let statement = ReceiptStatement::new(commit.as_str(), tree.as_str(), work).encode()?;
        Ok(self.repository.note(&landed, &statement, stamp(clock.wall_ms()))?)
    }

    /// The surroundings of the last driver, in which the checks ran.
    fn environment(&self) -> Result<Digest, RunError> {
        let events = book::read(self.folder.root())?;
        let found = events.iter().rev().find_map(|event| {
            let Fact::Attached { environment, .. } = &event.fact else { return None };
            Some(environment.clone())
        });
        Ok(found.unwrap_or_else(|| Digest::new("")))
    }
}
