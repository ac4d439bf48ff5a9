//! Where two texts differ, whatever they are taken apart into.

use std::ops::Range;

use similar::{Algorithm, DiffOp};

/// The places of each difference in the lines of the old text and of the new one.
pub fn hunks(old: &[&str], new: &[&str]) -> Vec<[Range<usize>; 2]> {
    let operations = similar::capture_diff_slices(Algorithm::Myers, old, new);
    let differing = operations.iter().filter(|one| !matches!(one, DiffOp::Equal { .. }));
    differing.map(|one| [one.old_range(), one.new_range()]).collect()
}

/// What is not the same at both ends.
pub fn apart<'text, T: PartialEq>(old: &'text [T], new: &'text [T]) -> (&'text [T], &'text [T]) {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    (&old[..old.len() - after], &new[..new.len() - after])
}
