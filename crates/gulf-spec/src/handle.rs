//! The short name of a loop, such as `k3v9`: what people read and type, made of the long one alone.
//!
//! Apart from the long name, which stays the name on disk, in refs and in JSON: a handle is never stored, so the same
//! loop has the same one in every version of gulf.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

/// Which loop was meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant<'id> {
    None,
    One(&'id str),
    /// Their ids, in the order given.
    Several(Vec<&'id str>),
}

/// No vowels, so that no word comes of it, and nothing that looks like something else.
const LETTERS: &[u8] = b"bcdfghjkmnpqrstvwxz";
/// What may follow: 0 and 1 are taken for letters.
const ALL: &[u8] = b"bcdfghjkmnpqrstvwxz23456789";
/// One loop in 370 000 has the same four.
const CHARACTERS_MIN: usize = 4;
/// All that 64 bits give.
const CHARACTERS_MAX: usize = 12;

/// The handle of `id` among all `ids` of its repository: four characters, and more only where an older loop has those.
pub fn handle<'id>(id: &str, ids: impl IntoIterator<Item = &'id str>) -> String {
    // An id begins with its time, so what was handed out already stays.
    let older: Vec<String> = ids.into_iter().filter(|other| *other < id).map(characters).collect();
    told_apart(&characters(id), older.iter().map(String::as_str)).to_owned()
}

/// The same of all `ids` of a repository, in their order: one by one, each would be compared with all others.
pub fn handles(ids: &[&str]) -> Vec<String> {
    let mut oldest_first: Vec<usize> = (0..ids.len()).collect();
    oldest_first.sort_by_key(|place| ids[*place]);
    let mut handles = vec![String::new(); ids.len()];
    let mut older: BTreeSet<String> = BTreeSet::new();
    for place in oldest_first {
        let own = characters(ids[place]);
        // What shares most with it stands beside it.
        let beside = [older.range(..=own.clone()).next_back(), older.range(own.clone()..).next()];
        handles[place] = told_apart(&own, beside.into_iter().flatten().map(String::as_str)).to_owned();
        older.insert(own);
    }
    handles
}

/// As much of all characters as an older loop does not have.
fn told_apart<'own, 'other>(own: &'own str, older: impl Iterator<Item = &'other str>) -> &'own str {
    let shared = |other: &str| own.bytes().zip(other.bytes()).take_while(|(one, two)| one == two).count();
    let needed = older.map(|other| shared(other) + 1).filter(|needed| *needed > CHARACTERS_MIN).max();
    &own[..needed.unwrap_or(CHARACTERS_MIN).min(CHARACTERS_MAX)]
}

/// The loop that is meant by what a person typed: an id, a handle, or the beginning of one.
pub fn meant<'id>(typed: &str, ids: &[&'id str]) -> Meant<'id> {
    let whole = ids.iter().find(|id| **id == typed);
    let whole =
        whole.or_else(|| ids.iter().find(|id| begins(id, typed) && handle(id, ids.iter().copied()) == typed));
    if let Some(id) = whole {
        return Meant::One(id);
    }
    match ids.iter().copied().filter(|id| begins(id, typed)).collect::<Vec<_>>().as_slice() {
        [] => Meant::None,
        [one] => Meant::One(one),
        several => Meant::Several(several.to_vec()),
    }
}

/// May this be what was typed for a loop?
pub fn begins(id: &str, typed: &str) -> bool {
    id.starts_with(typed) || characters(id).starts_with(typed)
}

/// All characters that an id has: a letter first, so that a handle is never taken for a number or a date.
fn characters(id: &str) -> String {
    let mut rest = scattered(id.as_bytes());
    let mut next = |alphabet: &[u8]| {
        let count = alphabet.len() as u64;
        let index = usize::try_from(rest % count).unwrap_or(0);
        rest /= count;
        char::from(alphabet[index])
    };
    let first = next(LETTERS);
    std::iter::once(first).chain((1..CHARACTERS_MAX).map(|_| next(ALL))).collect()
}

/// FNV-1a, and SplitMix64's last step: ids that differ in their last character only get handles that differ in all.
fn scattered(bytes: &[u8]) -> u64 {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
