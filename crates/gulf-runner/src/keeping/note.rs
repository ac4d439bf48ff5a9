//! What is noted of a checkout that is about to be changed, so that a crash anywhere is put right by who comes next.

use camino::Utf8PathBuf;
use gulf_engine::LandingWord;
use gulf_host::files::{Durability, WriteError};
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
    files: [String; 2],
    index: [String; 2],
    branch: Option<Moving>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Moving {
    name: String,
    from: Option<String>,
    to: String,
    why: String,
}

impl Note {
    pub(super) fn of(shift: &Shift) -> Self {
        let both = |(old, new): &(TreeId, TreeId)| [old.to_string(), new.to_string()];
        let branch = shift.branch.as_ref().map(|branch| Moving {
            name: branch.name.as_str().to_owned(),
            from: branch.from.as_ref().map(CommitId::to_string),
            to: branch.to.to_string(),
            why: branch.why.clone(),
        });
        Self { version: FORMAT_VERSION, files: both(&shift.files), index: both(&shift.index), branch }
    }

    pub(super) fn shift(&self) -> Result<Shift, RunError> {
        let both = |[old, new]: &[String; 2]| -> Result<_, RunError> {
            Ok((TreeId::parse(old)?, TreeId::parse(new)?))
        };
        let moving = |moving: &Moving| -> Result<BranchShift, RunError> {
            Ok(BranchShift {
                name: BranchName::parse(&moving.name)?,
                from: moving.from.as_deref().map(CommitId::parse).transpose()?,
                to: CommitId::parse(&moving.to)?,
                why: moving.why.clone(),
            })
        };
        Ok(Shift {
            files: both(&self.files)?,
            index: both(&self.index)?,
            branch: self.branch.as_ref().map(moving).transpose()?,
        })
    }

    /// What was committed before a crash is not committed again, wherever the branch has gone from there.
    pub(super) fn landed(&self, change: &Change, branch: &BranchName) -> Option<LandingWord> {
        let moving = self.branch.as_ref().filter(|moving| moving.name == branch.as_str())?;
        let commit = CommitId::parse(&moving.to).ok()?;
        let tip = change.repository.read_branch(branch).ok()??;
        let is_there = tip == commit || change.repository.descends(&tip, &commit).ok()?;
        is_there.then(|| landed(&commit, moving.from.as_deref().unwrap_or(&moving.to)))
    }

    pub(super) fn write(&self, folder: &LoopPaths) -> Result<(), RunError> {
        records::write(&file(folder), WHAT, self, Durability::Synced)
    }

    pub(super) fn read(folder: &LoopPaths) -> Result<Option<Self>, RunError> {
        records::read(&file(folder), WHAT)
    }

    pub(super) fn forget(folder: &LoopPaths) -> Result<(), RunError> {
        let path = file(folder);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(WriteError::Failed { path, action: "remove", source }.into())
            }
            _ => Ok(()),
        }
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
