//! What of a person's own work only the loop holds: what its worker undid of the work that was uncommitted when the loop
//! began, and what was changed while it rested and went with its change.
//!
//! Apart from committing a change and taking it out: it is asked of loops that landed long ago, too, and touches nothing.

use std::collections::{BTreeSet, HashSet};

use gulf_engine::{EffectResult, Event, Fact};
use gulf_host::clock::Clock;
use gulf_host::files;
use gulf_host::git::{BlobId, CommitId, Expected, Head, RefName, Repository, TreeId, TreePath};
use gulf_spec::own_texts::{Writer, own_text};

use super::change::Change;
use super::{KeepingError, TakeOut, last_candidate};
use crate::agreement::{Agreement, RepositoryKind};
use crate::book;
use crate::error::RunError;
use crate::folder::LoopPaths;
use crate::known::KnownLoop;
use crate::snapshot::stamp;
use crate::texts::FILE_BYTES_MAX;

/// The files in which nothing of it is left, neither in the loop's last candidate nor in HEAD nor in the checkout.
pub fn undone(agreement: &Agreement, folder: &LoopPaths) -> Result<Vec<String>, RunError> {
    let is_here = agreement.repository == RepositoryKind::Own && agreement.landing.is_none();
    if !is_here || agreement.dirty_paths.is_empty() {
        return Ok(Vec::new());
    }
    let Some(layout) = Repository::discover(&agreement.project)? else { return Ok(Vec::new()) };
    let head = layout.head_with_tree()?;
    let repository = Repository::open(layout, &folder.git())?;
    let start = agreement.start_tree(&repository)?;
    let head = head.map_or_else(|| repository.empty_tree(), |head| head.tree);
    // Where nothing was built of the last turn, what lies there is taken for its work.
    let candidate = last_candidate(&book::read(folder.root())?).map_or_else(|| start.clone(), |one| one.tree);
    let mut changes = repository.diff(&agreement.base.tree, &candidate)?;
    changes.retain(|change| agreement.was_dirty(&change.path));
    let mut undone = Vec::new();
    let held = if changes.is_empty() { HashSet::new() } else { blobs(&repository, [&candidate, &head])? };
    for change in changes {
        let path = change.path.to_string();
        let is_the_loops = own_text(&path).is_some_and(|text| text.writer == Writer::Loop);
        // What was moved is still there.
        let old = change.old_blob.filter(|blob| !is_the_loops && !held.contains(blob));
        let mine = old.and_then(|blob| repository.read_blob(&blob, FILE_BYTES_MAX).ok());
        let Some(mine) = mine.filter(|mine| !mine.is_empty()) else { continue };
        let read = |tree: &TreeId| repository.read_file(tree, &change.path, FILE_BYTES_MAX);
        let own = OwnWork { committed: read(&start)?.unwrap_or_default(), mine };
        let lies = lying(agreement, &path);
        if [read(&candidate)?, read(&head)?, lies].into_iter().flatten().all(|text| !own.is_in(&text)) {
            undone.push(path);
        }
    }
    Ok(undone)
}

/// What lies there, if it can be read.
fn lying(agreement: &Agreement, path: &str) -> Option<Vec<u8>> {
    let path = agreement.project.join(path);
    let link = path.read_link_utf8().map(|target| target.into_string().into_bytes());
    link.ok().or_else(|| files::read_bytes(&path, FILE_BYTES_MAX).ok())
}

/// What `gulf discard` reverted of what was changed while no turn ran, and does not lie there again.
pub fn reverted_edits(agreement: &Agreement, known: &KnownLoop) -> Result<Vec<String>, RunError> {
    let events = book::read(known.home.root())?;
    let is_reverted = known.fold.state.is_discarded && agreement.project.exists();
    let Some(candidate) = last_candidate(&events).filter(|_| is_reverted) else { return Ok(Vec::new()) };
    let Some(layout) = Repository::discover(&agreement.project)? else { return Ok(Vec::new()) };
    let repository = Repository::open(layout, &known.home.git())?;
    let edits = Edits::read(&events, &repository, &agreement.base.tree)?;
    let mut reverted = edits.later.clone();
    reverted.retain(|path| {
        let edited = repository.read_file(&candidate.tree, path, FILE_BYTES_MAX);
        edited.map_or(true, |edited| edited.is_some() && edited != lying(agreement, &path.to_string()))
    });
    Ok(edits.later_in(&reverted))
}

/// What somebody changed while no turn ran, as far as the journal names it.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Where the loop had changed nothing yet.
    pub(super) first: BTreeSet<TreePath>,
    /// Where it had.
    later: BTreeSet<TreePath>,
    /// So many are not named.
    more: u32,
}

impl Edits {
    /// `base` is where the loop began.
    pub(super) fn read(events: &[Event], repository: &Repository, base: &TreeId) -> Result<Self, RunError> {
        let (mut edits, mut built) = (Self::default(), base);
        for event in events {
            if let Fact::Ended { result: EffectResult::Snapshot(snapshot), .. } = &event.fact {
                built = &snapshot.candidate.tree;
            }
            let Fact::Edited { paths, more } = &event.fact else { continue };
            edits.more += more;
            let touched = repository.differing(base, built)?;
            for path in paths.iter().filter_map(|path| TreePath::try_from(path.as_str()).ok()) {
                let edited = if touched.contains(&path) { &mut edits.later } else { &mut edits.first };
                edited.insert(path);
            }
        }
        Ok(edits)
    }

    /// Those of these paths that the loop had changed before, and how many more there may be.
    pub(super) fn later_in(&self, paths: &BTreeSet<TreePath>) -> Vec<String> {
        let named = self.later.difference(&self.first).filter(|path| paths.contains(path));
        let more = (self.more > 0).then(|| format!("{} more", self.more));
        named.map(TreePath::to_string).chain(more).collect()
    }
}

impl Change {
    /// Holds what lies there, where no candidate does, and the newest commit of a branch that is to go.
    pub(super) fn keep_what_lies(
        &self,
        planned: &TakeOut,
        newest: Option<&CommitId>,
        clock: &Clock,
    ) -> Result<(), KeepingError> {
        if !planned.is_kept_apart && newest.is_none() {
            return Ok(());
        }
        let name = RefName::parse(&format!("refs/gulf/{}/discarded", self.agreement.loop_id))?;
        // An attempt that was cut off or refused held what lay there then.
        let earlier = self.repository.read_ref(&name)?;
        let head = self.head.as_ref().and_then(Head::commit);
        let mut parents: Vec<&CommitId> = head.into_iter().chain(newest).chain(&earlier).collect();
        parents.dedup();
        let message = format!("gulf: what lay there when {} was discarded\n", self.agreement.loop_id);
        let commit = self.repository.commit(&self.lies, &parents, &message, stamp(clock.wall_ms()))?;
        Ok(self.repository.update_ref(&name, &commit, &Expected::Anything)?)
    }
}

fn blobs(repository: &Repository, trees: [&TreeId; 2]) -> Result<HashSet<BlobId>, RunError> {
    let lists = trees.into_iter().map(|tree| repository.list(tree)).collect::<Result<Vec<_>, _>>()?;
    Ok(lists.into_iter().flatten().map(|entry| entry.blob).collect())
}

/// A file as it was committed when the loop began, and as it lay there.
struct OwnWork {
    committed: Vec<u8>,
    mine: Vec<u8>,
}

impl OwnWork {
    /// A worker that went on with it leaves at least a line.
    fn is_in(&self, text: &[u8]) -> bool {
        let committed: HashSet<&[u8]> = lines(&self.committed).collect();
        let added: HashSet<&[u8]> = lines(&self.mine).filter(|line| !committed.contains(line)).collect();
        let is_cut_only = added.is_empty() && text != self.committed;
        text == self.mine || is_cut_only || lines(text).any(|line| added.contains(line))
    }
}

/// Those that say something: a brace alone stands anywhere.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let says = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(move |line| line.iter().any(says))
}
