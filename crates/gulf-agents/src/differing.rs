//! Where two texts differ, whatever they are taken apart into.

use std::ops::Range;
use std::time::Duration;

use similar::{DiffOp, TextDiff};

/// Two texts are compared no longer than this: for long ones that have little in common it would be hours. Only for those
/// does it matter how fast a machine is, and what came of it is in the journal: a replay does not compare again.
const DIFF_MAX: Duration = Duration::from_secs(2);

/// The places of each difference in the lines of the old text and of the new one; where the time was not enough, more
/// lines than need be count as different.
pub fn hunks(old: &[&str], new: &[&str]) -> Vec<[Range<usize>; 2]> {
    let compared = TextDiff::configure().timeout(DIFF_MAX).diff_slices(old, new);
    let differing = compared.ops().iter().filter(|one| !matches!(one, DiffOp::Equal { .. }));
    differing.map(|one| [one.old_range(), one.new_range()]).collect()
}

/// What is not the same at both ends.
pub fn apart<'text, T: PartialEq>(old: &'text [T], new: &'text [T]) -> (&'text [T], &'text [T]) {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    (&old[..old.len() - after], &new[..new.len() - after])
}

#[cfg(test)]
mod tests;
