//! What is noted of a checkout that is about to be changed, so that a crash anywhere is put right by who comes next.

use camino::Utf8PathBuf;
use gulf_engine::LandingWord;
use gulf_host::files::{self, Durability};
use gulf_host::git::{BranchName, BranchShift, CommitId, Shift, TreeId};
use serde::{Deserialize, Serialize};

use super::change::Change;
use crate::FORMAT_VERSION;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::records;

const WHAT: &str = "what was about to be changed";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Note {
    version: u32,
    files: (TreeId, TreeId),
    index: (TreeId, TreeId),
    branch: Option<BranchShift>,
}

impl Note {
    pub(super) fn of(shift: &Shift) -> Self {
        let Shift { files, index, branch } = shift.clone();
        Self { version: FORMAT_VERSION, files, index, branch }
    }

    pub(super) fn shift(self) -> Shift {
        let Self { version: _, files, index, branch } = self;
        Shift { files, index, branch }
    }

    /// What was committed before a crash is not committed again, wherever the branch has gone from there.
    pub(super) fn landed(&self, change: &Change, branch: &BranchName) -> Option<LandingWord> {
        let BranchShift { from, to, .. } = self.branch.as_ref().filter(|moving| moving.name == *branch)?;
        let tip = change.repository.read_branch(branch).ok()??;
        let is_there = tip == *to || change.repository.descends(&tip, to).ok()?;
        is_there.then(|| landed(to, from.as_ref().unwrap_or(to).as_str()))
    }

    pub(super) fn write(&self, folder: &LoopPaths) -> Result<(), RunError> {
        records::write(&file(folder), WHAT, self, Durability::Synced)
    }

    pub(super) fn read(folder: &LoopPaths) -> Result<Option<Self>, RunError> {
        records::read(&file(folder), WHAT)
    }

    pub(super) fn forget(folder: &LoopPaths) -> Result<(), RunError> {
        Ok(files::remove_file(&file(folder))?)
    }
}

pub(super) fn landed(commit: &CommitId, onto: &str) -> LandingWord {
    LandingWord::Landed {
        commit: gulf_engine::CommitId::new(commit.as_str()),
        onto: gulf_engine::CommitId::new(onto),
    }
}

fn file(folder: &LoopPaths) -> Utf8PathBuf {
    folder.root().join("keeping.json")
}
