//! Joins what a part's worker left into the loop's branch, by the merge of the landing queue: no rebase, no worktree, and
//! the branch moves with its checkout or not at all (SPEC A1).
//!
//! It stands apart because a crash may come between any two steps of a move: where it was to go is on disk before.

use camino::Utf8PathBuf;
use gulf_host::crash;
use gulf_host::files::{self, Durability};
use gulf_host::git::{Advance, BranchName, CommitId, FastForward, InTheWay};
use gulf_spec::text::listed;
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::landing::{Together, together};
use crate::records;
use crate::snapshot::stamp;
use crate::workshop::{Errand, Workshop};

/// What the record is, for people.
const WHAT: &str = "a move of the loop's branch";
/// Who else moves the loop's branch is its worker; then it is merged anew.
const TRIES_MAX: u32 = 3;
/// Conflicts that are named one by one.
const PATHS_MAX: usize = 8;

/// What became of a part's work.
#[derive(Debug)]
pub(super) enum Joined {
    There,
    Not {
        why: String,
        /// What the branch stood at.
        head: CommitId,
    },
}

/// A move of the branch that was announced.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnnouncedMove {
    from: String,
    to: String,
}

impl Workshop {
    pub(super) fn join_part(
        &self,
        errand: Errand<'_>,
        branch: &BranchName,
        work: &CommitId,
        message: &str,
    ) -> Result<Joined, Failure> {
        let mut tries = 0;
        loop {
            let head = self.repository.read_branch(branch)?;
            let head =
                head.ok_or_else(|| Failure::Refused(format!("the branch {} is gone", branch.short())))?;
            if self.repository.descends(&head, work)? {
                return Ok(Joined::There);
            }
            let tree = match together(&self.repository, &head, work)? {
                Together::Clean(tree) => tree,
                Together::Conflict { paths } => {
                    let why = format!(
                        "it does not go together with what was joined before: {}",
                        listed(&paths, PATHS_MAX)
                    );
                    return Ok(Joined::Not { why, head });
                }
            };
            let when = stamp(errand.fold.started_at_ms);
            let merged = self.repository.commit(&tree, &[&head, work], message, when)?;
            self.announce(&AnnouncedMove { from: head.to_string(), to: merged.to_string() })?;
            let forward = FastForward { branch, from: Some(&head), to: &merged };
            let moved = self.repository.fast_forward(&forward)?;
            crash::point("parts.moved");
            self.forget_move()?;
            tries += 1;
            match moved {
                Advance::Moved { .. } => return Ok(Joined::There),
                Advance::BaseMoved { now: Some(_) } if tries < TRIES_MAX => {}
                Advance::BaseMoved { .. } => {
                    return Ok(Joined::Not { why: "somebody else moves the loop's branch".to_owned(), head });
                }
                Advance::NotReady { reasons } => {
                    return Ok(Joined::Not { why: InTheWay::all(&reasons), head });
                }
            }
        }
    }

    /// Ends or takes back a move that was cut off.
    pub(super) fn end_move(&self, branch: &BranchName) -> Result<(), Failure> {
        let announced = records::read(&self.announced(), WHAT)?;
        let Some(AnnouncedMove { from, to }) = announced else { return Ok(()) };
        let (from, to) = (CommitId::parse(&from)?, CommitId::parse(&to)?);
        self.repository.recover_fast_forward(&FastForward { branch, from: Some(&from), to: &to })?;
        crash::point("parts.recovered");
        self.forget_move()
    }

    fn announce(&self, wanted: &AnnouncedMove) -> Result<(), Failure> {
        files::create_private_directories(&self.folder.root().join("parts"), Durability::Synced)?;
        records::write(&self.announced(), WHAT, wanted, Durability::Synced)?;
        crash::point("parts.announced");
        Ok(())
    }

    fn forget_move(&self) -> Result<(), Failure> {
        Ok(files::remove_file(&self.announced())?)
    }

    fn announced(&self) -> Utf8PathBuf {
        self.folder.root().join("parts").join("move.json")
    }
}
