//! Two commits as one tree: what git merges, without the loop's own texts, and on every disk.
//!
//! A queue joins loops with their base branch so, and a loop the parts of its own work.

use gulf_host::git::{self, Merged, Repository, TreePath};

use crate::error::Result;
use crate::snapshot::loop_texts;

/// What `candidate` brings, on top of `onto`, or the paths on which the two do not agree; nothing is checked out and no
/// branch moves.
pub(crate) fn together(
    repository: &Repository,
    onto: &git::CommitId,
    candidate: &git::CommitId,
) -> Result<Result<git::TreeId, Vec<String>>> {
    let onto_tree = repository.tree_of(onto)?;
    let own = loop_texts()?;
    let tree = match repository.merge(onto, candidate)? {
        Merged::Clean(tree) => tree,
        Merged::Conflict(conflict) => {
            let others: Vec<String> =
                conflict.paths.iter().filter(|path| !is_below(path, &own)).map(ToString::to_string).collect();
            if !others.is_empty() {
                return Ok(Err(others));
            }
            conflict.tree
        }
        Merged::Unrelated => return Ok(Err(vec!["(histories without a common beginning)".to_owned()])),
    };
    // The loop's own texts are not its work: they stand as the base has them.
    let tree = repository.with_paths_of(&tree, &own, &onto_tree)?;
    let twins = repository.case_twins(&onto_tree, &tree)?;
    if twins.is_empty() {
        return Ok(Ok(tree));
    }
    let names = |twins: &Vec<TreePath>| {
        let names: Vec<String> = twins.iter().map(ToString::to_string).collect();
        format!("{} (only their case differs)", names.join(" and "))
    };
    Ok(Err(twins.iter().map(names).collect()))
}

fn is_below(path: &TreePath, folders: &[TreePath]) -> bool {
    folders.iter().any(|folder| path.is_at_or_below(folder))
}
