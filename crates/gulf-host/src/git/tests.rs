//! What the git module promises, on real repositories in temporary folders.

mod branches;
mod checkouts;
mod discoveries;
mod evidence;
mod hostile;
mod kept;
mod landings;
mod merges;
mod moves;
mod moves_at_random;
mod objects;
mod persons_things;
mod recordings;
mod remotes;
mod restores;
mod returns;
mod rivals;
mod snapshots;
mod strange_trees;
mod support;
mod timing;
mod worktrees;
