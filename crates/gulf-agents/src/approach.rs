//! The fingerprint of an approach: which lines a change takes out and puts in, wherever they stand.
//!
//! It is how a return to a rejected approach is noticed (SPEC G10, A7): names of files, places and white space may
//! differ, what is written may not.

use std::collections::BTreeMap;

/// Far more than a person would read; a larger change has no fingerprint.
const DIFF_BYTES_MAX: usize = 8 << 20;
/// All of it, in basis points.
const WHOLE_BP: u64 = 10_000;

/// The changed lines of a diff with their signs, each with how often it occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    lines: BTreeMap<Vec<u8>, u64>,
}

impl Fingerprint {
    /// Reads a diff in unified form. Lines without a letter or digit (brackets, blanks) say nothing of an approach.
    pub fn from_diff(diff: &[u8]) -> Self {
        let mut fingerprint = Self::default();
        if diff.len() > DIFF_BYTES_MAX {
            return fingerprint;
        }
        let mut left = HunkRest::default();
        for line in diff.split(|byte| *byte == b'\n') {
            let Some(changed) = left.read(line) else { continue };
            let changed: Vec<u8> =
                changed.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            if changed.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()) {
                *fingerprint.lines.entry(changed).or_default() += 1;
            }
        }
        fingerprint
    }

    /// How much two changes have in common, in basis points: lines of both, of the lines of either.
    pub fn common_bp(&self, other: &Self) -> u32 {
        let count = |lines: &Self, line| lines.lines.get(line).copied().unwrap_or(0);
        let both: u64 = self.lines.iter().map(|(line, times)| (*times).min(count(other, line))).sum();
        let all = self.lines.values().sum::<u64>() + other.lines.values().sum::<u64>();
        let either = all.saturating_sub(both);
        u32::try_from((both * WHOLE_BP).checked_div(either).unwrap_or(0)).unwrap_or(0)
    }
}

/// How many lines of the hunk in hand are still to come: only within one does a sign at a line's start mean anything.
#[derive(Default)]
struct HunkRest {
    old: u64,
    new: u64,
}

impl HunkRest {
    /// The line, where it is a changed one.
    fn read<'line>(&mut self, line: &'line [u8]) -> Option<&'line [u8]> {
        if self.old == 0 && self.new == 0 {
            (self.old, self.new) = hunk(line).unwrap_or_default();
            return None;
        }
        let (of_old, of_new) = match line.first() {
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            // "\ No newline at end of file"
            Some(b'\\') => (0, 0),
            Some(_) | None => (1, 1),
        };
        (self.old, self.new) = (self.old.saturating_sub(of_old), self.new.saturating_sub(of_new));
        (of_old != of_new).then_some(line)
    }
}

/// `@@ -12,3 +14,5 @@`: how many lines of the old and the new file follow.
fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let (old, rest) = str::from_utf8(line.strip_prefix(b"@@ -")?).ok()?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    Some((count(old)?, count(new)?))
}

/// `12,3` is three lines, `12` is one.
fn count(range: &str) -> Option<u64> {
    range.split_once(',').map_or(Some(1), |(_, lines)| lines.parse().ok())
}

#[cfg(test)]
mod tests;
