//! What lies in a loop's worktree: whether it can go without anything being lost, and what is kept of it.
//!
//! It stands apart because a worker may never commit: then its work lies in its files, and is held by the candidate that
//! landed and by nothing else.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::{EffectResult, Event, Fact, LandingWord, Stage, Worker};
use gulf_host::files::{self, Durability};
use gulf_host::git::{CommitId, Elsewhere, Holders, Removal, Repository, TreeId};
use gulf_host::leftovers::{Leftovers, PROGRAMS_ARE_SEEN, programs_in};
use gulf_spec::own_texts::{OWN_TEXTS, own_text};

use super::Remains;
use crate::agreement::Agreement;
use crate::book;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::room::Room;
use crate::snapshot::loop_texts;

/// More than any loop's texts; a larger one keeps the worktree.
const TEXT_BYTES_MAX: u64 = 64 << 20;
/// So many files of texts are kept.
const TEXTS_MAX: usize = 1_000;

/// A loop's worktree, as its contract and its journal tell of it.
#[derive(Debug)]
pub(super) struct Ground {
    agreement: Agreement,
    folder: LoopPaths,
    /// Empty where its work does not stand on the base branch; else the merge, and the candidate that is in it.
    landed: Vec<CommitId>,
    is_in_session: bool,
}

impl Ground {
    /// None where the contract cannot be read.
    pub(super) fn of(one: &Remains) -> Option<Self> {
        let events = book::read(&one.root).ok()?;
        let fold = book::fold(&events);
        let folder = LoopPaths::new(&one.root);
        let agreement = Agreement::open(&folder, fold.state.contract()?).ok()?;
        let mut landed = Vec::new();
        if let (Some(LandingWord::Landed { commit, .. }), Stage::Ended(_)) =
            (fold.state.landing(), fold.state.stage())
        {
            let candidate = events.iter().rev().find_map(candidate);
            let both = [Some(commit), candidate].into_iter().flatten();
            landed.extend(both.filter_map(|commit| CommitId::parse(commit.as_str()).ok()));
        }
        let is_in_session = matches!(fold.state.worker(), Worker::Session { .. });
        Some(Self { agreement, folder, landed, is_in_session })
    }

    pub(super) fn project(&self) -> &Utf8Path {
        &self.agreement.project
    }

    /// The loop's own branch, in full.
    pub(super) fn branch(&self) -> Option<&str> {
        self.agreement.landing.as_ref().map(|landing| landing.branch.as_str())
    }

    pub(super) fn has_landed(&self) -> bool {
        !self.landed.is_empty()
    }

    /// May a session be open there that nobody can see? Whoever cleans up by hand knows.
    pub(super) fn may_have_session(&self) -> bool {
        self.is_in_session && !PROGRAMS_ARE_SEEN
    }

    /// Why the worktree must stay; changes nothing.
    pub(super) fn keeps(
        &self,
        repository: &Repository,
        path: &Utf8Path,
        holders: Holders<'_>,
    ) -> Result<Option<String>, RunError> {
        let copied = loop_texts()?;
        let files = self.held_files(repository, holders)?;
        let held = Elsewhere { commits: holders, files: &files, copied: &copied };
        if let Some(kept) = repository.keeps_worktree(path, held)? {
            return Ok(Some(kept.words()));
        }
        let wanted = self.wanted(repository, path)?;
        if !wanted.is_empty() {
            return Ok(Some(format!("git ignores it, and it is nowhere else: {}", wanted.join(", "))));
        }
        let programs = programs_in(path);
        Ok((!programs.is_empty()).then(|| format!("in use by {}", programs.join(", "))))
    }

    /// The worktree, after its texts were copied; gives what keeps it.
    pub(super) fn remove(
        &self,
        repository: &Repository,
        path: &Utf8Path,
        holders: Holders<'_>,
    ) -> Result<Option<String>, RunError> {
        if let Some(kept) = self.keeps(repository, path, holders)? {
            return Ok(Some(kept));
        }
        if let Some(large) = self.keep_texts(path)? {
            return Ok(Some(format!("{large} is too large to be kept elsewhere")));
        }
        gulf_host::crash::point("remains.texts");
        let copied = loop_texts()?;
        let files = self.held_files(repository, holders)?;
        let held = Elsewhere { commits: holders, files: &files, copied: &copied };
        Ok(match repository.remove_worktree(path, held)? {
            Removal::Removed | Removal::Unknown => None,
            Removal::Kept(kept) => Some(kept.words()),
        })
    }

    /// The files of what landed, as far as its commits are held.
    fn held_files(&self, repository: &Repository, holders: Holders<'_>) -> Result<Vec<TreeId>, RunError> {
        let mut files = Vec::new();
        for commit in &self.landed {
            if repository.is_reachable(commit, holders)? {
                files.push(repository.tree_of(commit)?);
            }
        }
        Ok(files)
    }

    /// What git ignores and somebody may want.
    pub(super) fn wanted(&self, repository: &Repository, path: &Utf8Path) -> Result<Vec<String>, RunError> {
        let mut ignored = repository.ignored_in(path)?;
        ignored.retain(|path| path.as_utf8().is_none_or(|path| own_text(path.as_str()).is_none()));
        let terms = &self.agreement.verification.environment;
        let given = terms.private_paths();
        Ok(Leftovers {
            worktree: path,
            ignored: &ignored,
            caches: &terms.caches,
            copies: &[self.folder.sealed_files(), terms.person.clone()],
            rebuilt_in: &self.folder.room(Room::Candidate.name()),
            given: &given,
        }
        .wanted())
    }

    /// Copies the loop's own texts beside its journal; gives one that is too large.
    pub(super) fn keep_texts(&self, path: &Utf8Path) -> Result<Option<Utf8PathBuf>, RunError> {
        let mut bytes_left = TEXT_BYTES_MAX;
        let mut texts = Vec::new();
        for text in OWN_TEXTS {
            list(&path.join(text.path.trim_end_matches('/')), &mut texts);
        }
        if texts.len() > TEXTS_MAX {
            return Ok(texts.into_iter().nth(TEXTS_MAX));
        }
        for text in texts {
            let Ok(relative) = text.strip_prefix(path) else { continue };
            let size = fs::metadata(&text).map_or(u64::MAX, |metadata| metadata.len());
            let Some(left) = bytes_left.checked_sub(size) else { return Ok(Some(relative.to_owned())) };
            bytes_left = left;
            let to = self.folder.left_texts().join(relative);
            if let Some(folder) = to.parent() {
                files::create_private_directories(folder, Durability::Synced)?;
            }
            files::replace(&to, &files::read_bytes(&text, TEXT_BYTES_MAX)?, Durability::Synced)?;
        }
        Ok(None)
    }
}

/// The candidate that an iteration came to.
fn candidate(event: &Event) -> Option<&gulf_engine::CommitId> {
    let Fact::Ended { result: EffectResult::Snapshot(snapshot), .. } = &event.fact else { return None };
    Some(&snapshot.candidate.commit)
}

/// Every file at or below this path; links are not followed, and hold nothing.
fn list(path: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    let Ok(metadata) = path.symlink_metadata() else { return };
    if metadata.is_file() {
        found.push(path.to_owned());
    } else if metadata.is_dir()
        && let Ok(entries) = path.read_dir_utf8()
    {
        for entry in entries.flatten() {
            if found.len() > TEXTS_MAX {
                return;
            }
            list(entry.path(), found);
        }
    }
}
