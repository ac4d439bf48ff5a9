//! Whether the work of a loop lies in the checkout and in no commit, and what of it a person may miss.

use std::collections::HashSet;

use camino::Utf8Path;
use gulf_engine::Candidate;
use gulf_host::git::{
    Change, CommitId, CommitWithTree, GitError, Head, Merged, Repository, TreeChangeKind, TreeId, TreePath,
};
use gulf_spec::text::listed;

use crate::agreement::{Agreement, RepositoryKind};
use crate::edits::left_tree;
use crate::folder::LoopPaths;
use crate::place::shadow_in;
use crate::references::undoing_programs;
use crate::worker_commits::WorkerCommits;

/// Paths that are named one by one.
const NAMED_MAX: usize = 5;

/// The change of a loop that worked in the person's checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UncommittedChange {
    /// Files of the person's that it took away.
    pub deleted: Vec<String>,
    /// Files whose change by the loop cannot be told apart from what was uncommitted there before it.
    pub entangled: Vec<String>,
    /// Where HEAD is, if the worker committed all of it itself, and nothing was committed since.
    pub committed: Option<Head>,
    /// What has to be resolved before it can land here.
    pub before_landing: Option<String>,
    /// What has to be resolved before it can be discarded here.
    pub before_discarding: Option<String>,
}

/// What of the candidate HEAD does not hold; without git, all of it. None where nothing can be said, or HEAD holds all and is
/// not the worker's own commit, or a branch holds the commit as which it `landed`.
pub fn find(
    agreement: &Agreement,
    folder: &LoopPaths,
    candidate: &Candidate,
    landed: Option<&CommitId>,
) -> Option<UncommittedChange> {
    let (repository, head) = opened(agreement, folder)?;
    if landed.is_some_and(|landed| repository.branches_with(landed).is_ok_and(|there| !there.is_empty())) {
        return None;
    }
    if let (Some(_), Some(head)) = (landed, &head)
        // Under another name, after a rebase: there is nothing in it that is not there.
        && let Ok(Merged::Clean(tree)) =
            repository.merge_trees(&agreement.base.tree, &head.tree, &candidate.tree)
        && tree == head.tree
    {
        return None;
    }
    let commit = head.as_ref().map(|head| &head.commit);
    let workers =
        head.as_ref().map(|head| WorkerCommits::on(head, candidate, (&repository, agreement, folder)));
    let workers = workers.transpose().ok()?.unwrap_or_default();
    let (is_all_in, mut found) = compared(&repository, agreement, candidate, head.as_ref()).ok()?;
    let is_all_in = is_all_in && workers.undone.is_empty();
    let is_own = commit == Some(&candidate.commit) || (is_all_in && commit == workers.newest.as_ref());
    let is_committed = is_own && commit.is_some() && commit != agreement.head.as_ref();
    if let (RepositoryKind::Own, Some(under_way)) = (agreement.repository, repository.in_way_of_commit()) {
        found.before_landing = Some(under_way.to_string());
        found.before_discarding = found.before_landing.clone();
    } else if agreement.repository == RepositoryKind::Own && repository.is_detached() {
        found.before_landing = Some("no branch is checked out".to_owned());
    }
    if !found.entangled.is_empty() && !undoing_programs(&repository, folder).ok()?.is_empty() {
        let first = || "git would run for you what was set up since the loop began".to_owned();
        found.before_landing.get_or_insert_with(first);
    }
    let committed = is_committed.then(|| repository.head().ok()).flatten();
    (!is_all_in || is_committed).then_some(UncommittedChange { committed, ..found })
}

/// What the last turn left in the checkout, where it was cut off and no candidate was ever built; none where something was
/// committed since, which cannot be told apart from it.
pub fn left_by_turn(agreement: &Agreement, folder: &LoopPaths) -> Option<Vec<String>> {
    let (repository, head) = opened(agreement, folder)?;
    let left = left_tree(folder).filter(|_| head.map(|head| head.commit) == agreement.head)?;
    let changes = repository.diff(&agreement.base.tree, &left).ok()?;
    let changed: Vec<String> = changes.iter().map(|change| change.path.to_string()).collect();
    (!changed.is_empty()).then_some(changed)
}

/// The loop's repository, and what is committed in it.
fn opened(agreement: &Agreement, folder: &LoopPaths) -> Option<(Repository, Option<CommitWithTree>)> {
    Some(match agreement.repository {
        RepositoryKind::Own => {
            let layout = Repository::discover(&agreement.project).ok()??;
            let head = layout.head_with_tree().ok()?;
            (Repository::open(layout, &folder.git()).ok()?, head)
        }
        RepositoryKind::Shadow => {
            let shadow = shadow_in(folder.repository_home());
            (Repository::shadow(&agreement.project, &shadow, &folder.git()).ok()?, None)
        }
    })
}

fn compared(
    repository: &Repository,
    agreement: &Agreement,
    candidate: &Candidate,
    head: Option<&CommitWithTree>,
) -> Result<(bool, UncommittedChange), GitError> {
    let head_tree = head.map_or_else(|| repository.empty_tree(), |head| head.tree.clone());
    let changes = repository.diff(&agreement.base.tree, &candidate.tree)?;
    let open: HashSet<TreePath> = repository.differing(&head_tree, &candidate.tree)?.into_iter().collect();
    let is_all_in = changes.iter().all(|change| !open.contains(&change.path));
    let is_moved = head.map(|head| &head.commit) != agreement.head.as_ref();
    let is_own = agreement.repository == RepositoryKind::Own;
    let deleted = changes.iter().filter(|change| change.kind == TreeChangeKind::Deleted);
    let deleted = deleted.map(|change| change.path.to_string()).collect();
    let was_dirty = |path: &Utf8Path| agreement.dirty_paths.iter().any(|dirty| dirty == path);
    let is_shared = changes.iter().any(|change| agreement.was_dirty(&change.path));
    let mut found = UncommittedChange { deleted, ..UncommittedChange::default() };
    if is_own && (is_shared || is_moved) && !is_all_in {
        // Where it does not go onto what is committed: what `gulf land` will name, too.
        let merged = repository.merge_trees(&agreement.base.tree, &head_tree, &candidate.tree)?;
        if let Merged::Conflict(conflict) = merged {
            found.entangled = conflict.paths.iter().map(ToString::to_string).collect();
        }
    }
    // Where nothing was committed since, it is what was uncommitted: also a file that a worker moved.
    if is_moved && !found.entangled.iter().all(|path| was_dirty(Utf8Path::new(path))) {
        let conflicting = listed(&std::mem::take(&mut found.entangled), NAMED_MAX);
        found.before_landing =
            Some(format!("it conflicts with what is committed on this branch: {conflicting}"));
    }
    if is_own && !is_all_in {
        let changes: Vec<&Change> = changes.iter().filter(|change| open.contains(&change.path)).collect();
        found.add_what_is_left_to_a_person(repository, agreement, &changes, &head_tree)?;
    }
    Ok((is_all_in, found))
}

impl UncommittedChange {
    /// Gulf runs no filter, and moves no repository that lies within.
    fn add_what_is_left_to_a_person(
        &mut self,
        repository: &Repository,
        agreement: &Agreement,
        changes: &[&Change],
        head_tree: &TreeId,
    ) -> Result<(), GitError> {
        let mut open: Vec<TreePath> = changes.iter().map(|change| change.path.clone()).collect();
        open.retain(|path| may_be_filtered(repository, &agreement.project, path));
        if !open.is_empty() {
            let start = agreement.start_tree(repository)?;
            let committed: HashSet<TreePath> = repository.differing(&start, head_tree)?.into_iter().collect();
            open.retain(|path| !committed.contains(path));
        }
        let filtered = repository.filtered_paths(&open)?;
        let is_within = |path: &TreePath| path.below(&agreement.project).join(".git").exists();
        let within = changes.iter().filter(|change| change.is_submodule && is_within(&change.path));
        let within: Vec<&TreePath> = within.map(|change| &change.path).collect();
        if !filtered.is_empty() {
            let what = format!("{} needs a filter, and gulf runs none", listed(&filtered, NAMED_MAX));
            self.before_landing.get_or_insert_with(|| what.clone());
            self.before_discarding = Some(what);
        }
        if !within.is_empty() {
            self.before_discarding =
                Some(format!("{} is a repository of its own", listed(&within, NAMED_MAX)));
        }
        Ok(())
    }
}

/// Does any file say attributes of this path?
fn may_be_filtered(repository: &Repository, project: &Utf8Path, path: &TreePath) -> bool {
    let folders = path.below(project);
    let mut folders = folders.ancestors().skip(1).take_while(|folder| folder.starts_with(project));
    folders.any(|folder| folder.join(".gitattributes").exists())
        || repository.layout().common_dir.join("info/attributes").exists()
}
