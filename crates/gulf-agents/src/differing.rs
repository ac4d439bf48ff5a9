//! Where two texts begin and end to differ, whatever they are taken apart into.

/// What is not the same at both ends.
pub fn apart<'text, T: PartialEq>(old: &'text [T], new: &'text [T]) -> (&'text [T], &'text [T]) {
    let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..], &new[before..]);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    (&old[..old.len() - after], &new[..new.len() - after])
}
