//! Whether a name fits a pattern of the shell: `*`, `?`, `[…]`, and `\` before what stands for itself.
//!
//! It stands apart because it must be bounded: a pattern of stars tried naively on a name takes for ever.

/// Names in file systems are no longer, and longer patterns are not tried.
const CHARS_MAX: usize = 256;

/// Whether a pattern may match a name that begins with a dot without saying so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dots {
    /// As in the shell.
    Named,
    /// As in `find` and in git.
    Matched,
}

/// Fits the whole name. Both are compared as they are, so both are to be folded to one case before.
pub(super) fn matches(pattern: &str, name: &str, dots: Dots) -> bool {
    if pattern.len() > CHARS_MAX || name.len() > CHARS_MAX {
        return false;
    }
    if dots == Dots::Named && name.starts_with('.') && !pattern.trim_start_matches('\\').starts_with('.') {
        return false;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    fits(&pattern, &name)
}

/// Goes back to the last star only: an earlier one cannot do better.
fn fits(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, read));
            at += 1;
            continue;
        }
        if let Some(length) = one(&pattern[at..], name[read]) {
            at += length;
            read += 1;
            continue;
        }
        let Some((star_at, star_read)) = star else { return false };
        star = Some((star_at, star_read + 1));
        at = star_at + 1;
        read = star_read + 1;
    }
    pattern[at..].iter().all(|rest| *rest == '*')
}

/// How much of the pattern this one character takes, if it fits.
fn one(pattern: &[char], character: char) -> Option<usize> {
    match pattern {
        [] => None,
        ['?', ..] => Some(1),
        ['\\', escaped, ..] => (*escaped == character).then_some(2),
        ['[', rest @ ..] => match class(rest, character) {
            Some((fits, length)) => fits.then_some(length + 1),
            None => (character == '[').then_some(1),
        },
        [literal, ..] => (*literal == character).then_some(1),
    }
}

/// Whether the character is in the class behind a `[`, and how long the class is; nothing if it is never closed.
fn class(pattern: &[char], character: char) -> Option<(bool, usize)> {
    let negated = matches!(pattern.first(), Some('!' | '^'));
    let start = usize::from(negated);
    let end = start + 1 + pattern.get(start + 1..)?.iter().position(|character| *character == ']')?;
    let members = &pattern[start..end];
    let mut found = false;
    let mut at = 0;
    while at < members.len() {
        match members[at..] {
            [first, '-', last, ..] => {
                found |= (first..=last).contains(&character);
                at += 3;
            }
            [member, ..] => {
                found |= member == character;
                at += 1;
            }
            [] => break,
        }
    }
    Some((found != negated, end + 1))
}
