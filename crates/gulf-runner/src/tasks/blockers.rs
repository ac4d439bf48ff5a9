//! The lines that gulf wrote into a list for what has to come first, committed where a loop ends before their tasks do.
//!
//! They stand apart from a task's commit because nothing is finished: only these lines are in it. Left uncommitted they
//! would pass for a person's, and keep the ticks of the next loop out of every commit.

use gulf_engine::State;
use gulf_host::clock::Clock;
use gulf_host::git::{
    BranchName, CommitId, FileMode, Head, MergeMessage, Recorded, Recording, Trailer, TreeEdit, TreePath,
};

use super::recording::ATTEMPTS_MAX;
use super::texts::Bookkeeping;
use crate::error::{Failure, in_full};
use crate::known::Known;
use crate::landing::TRAILER_LOOP;
use crate::place::PlaceOfWork;
use crate::snapshot::stamp;
use crate::texts::TEXT_BYTES_MAX;
use crate::workshop::Workshop;

/// Commits what a loop added to its list that ended without being driven; what a person should know where that cannot be.
/// One that cannot be read keeps nobody from ending it.
pub fn commit_blockers(place: &PlaceOfWork, known: &Known) -> Option<String> {
    let agreement = known.agreement().ok().filter(|agreement| agreement.list.is_some())?;
    let place = place.of_loop(&agreement);
    let workshop = place
        .open(&known.home.git())
        .and_then(|repository| Workshop::open(place.home.root(), agreement, known.home.clone(), repository));
    workshop.map_or_else(|error| Some(error.to_string()), |one| one.commit_blockers(&known.fold.state))
}

impl Workshop {
    /// Commits them where they are not yet; what a person should know where that cannot be.
    pub(crate) fn commit_blockers(&self, state: &State) -> Option<String> {
        let list = self.agreement.list.as_ref()?;
        let texts = match self.bookkeeping(list, state, None, Vec::new()) {
            Ok(texts) => texts,
            Err(error) => return Some(in_full(&error)),
        };
        let added = texts.blockers();
        let branch = list.branch.as_ref().filter(|_| !added.is_empty())?;
        let why = match self.record_blockers(branch, &list.path, &texts) {
            Ok(why) => why?,
            Err(failure) => failure.to_string(),
        };
        Some(format!("{}: what was added for {} is not committed: {why}", list.path, added.join(", ")))
    }

    /// Why it is not committed, if it is not.
    fn record_blockers(
        &self,
        branch: &str,
        list: &str,
        texts: &Bookkeeping,
    ) -> Result<Option<String>, Failure> {
        let (branch, path) = (BranchName::parse(branch)?, TreePath::try_from(list)?);
        // That was said at the start.
        if self.was_dirty(&path) {
            return Ok(None);
        }
        if !self.repository.filtered_paths(std::slice::from_ref(&path))?.is_empty() {
            return Ok(Some("a filter has to run for it".to_owned()));
        }
        for _ in 0..ATTEMPTS_MAX {
            if let Some(obstacle) = self.repository.in_way_of_commit() {
                return Ok(Some(format!("{} in this checkout", obstacle.words())));
            }
            let from = match self.repository.head()? {
                Head::Branch { name, commit } if name == branch.as_str() => commit,
                Head::Branch { .. } | Head::Detached { .. } => {
                    return Ok(Some(format!("{} is not checked out", branch.short())));
                }
                Head::Unborn { .. } => return Ok(None),
            };
            let Some(to) = self.with_blockers(&from, &path, texts)? else { return Ok(None) };
            let index = &self.repository.tree_of(&to)?;
            let paths = std::slice::from_ref(&path);
            let wanted = Recording { branch: &branch, from: Some(&from), to: &to, paths, index };
            match self.repository.record(&wanted)? {
                Recorded::Moved => return Ok(None),
                Recorded::HeadMoved => {}
                Recorded::NotReady { obstacle } => {
                    return Ok(Some(format!("{} in this checkout", obstacle.words())));
                }
            }
        }
        Ok(Some(format!("{} moves while gulf commits to it", branch.short())))
    }

    /// A commit on top of this one that differs by these lines; none where it has them, or no such list.
    fn with_blockers(
        &self,
        from: &CommitId,
        path: &TreePath,
        texts: &Bookkeeping,
    ) -> Result<Option<CommitId>, Failure> {
        let head = self.repository.tree_of(from)?;
        let entries = self.repository.list(&head)?;
        let is_text = |mode: FileMode| matches!(mode, FileMode::File | FileMode::Executable);
        let Some(entry) = entries.iter().find(|entry| entry.path == *path && is_text(entry.mode)) else {
            return Ok(None);
        };
        let before = self.repository.read_blob(&entry.blob, TEXT_BYTES_MAX)?;
        let Some(after) = String::from_utf8(before).ok().and_then(|before| texts.with_blockers(&before))
        else {
            return Ok(None);
        };
        let edit = (path.clone(), TreeEdit::Put(after.into_bytes(), entry.mode));
        let tree = self.repository.write_tree_with(&head, &[edit])?;
        let loop_id = Trailer { name: TRAILER_LOOP.to_owned(), value: self.agreement.loop_id.to_string() };
        let message = MergeMessage {
            title: format!("Add what has to come first: {}", texts.blockers().join(", ")),
            body: String::new(),
            trailers: vec![loop_id],
        };
        let now = stamp(Clock::new().wall_ms());
        Ok(Some(self.repository.commit(&tree, &[from], &message.text(), now)?))
    }
}
