//! Values that stand beside a name which says that they are secret, however the two are spelled.
//!
//! A name alone proves little: `token: expected string` is an error message, `password = getpass()` is code. How sure
//! the name is and what stands between the two decides how much the value itself must look like a secret.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input};

use super::names::{is_of_a_word, is_ordinary, is_place, is_secret_name, is_switch};

/// What every secret name contains, in any case.
const STEMS: [&str; 11] =
    ["key", "token", "secret", "passwd", "passphrase", "pass", "pwd", "pw", "cred", "auth", "cookie"];
static STEMS_FOUND: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(STEMS).ok());

/// Names of one word that say it by themselves.
const SURE_ENDS: [&str; 4] = ["PASSWORD", "PASSWD", "PASSPHRASE", "SECRET"];
/// Before `key`, these make it one that opens something.
const KEY_KINDS: [&str; 9] =
    ["API", "ACCESS", "SECRET", "PRIVATE", "SIGNING", "ENCRYPTION", "AUTH", "DEPLOY", "LICENSE"];
/// A name that ends so tells where or what something is.
const ABOUT: [&str; 19] = [
    "FILE", "PATH", "DIR", "STDIN", "URL", "URI", "NAME", "TYPE", "LENGTH", "SIZE", "COUNT", "LIMIT", "TTL",
    "VERSION", "ENV", "VAR", "HELP", "POLICY", "ALGORITHM",
];
/// A longer name is none.
const NAME_BYTES_MAX: usize = 80;
/// So far a value may stand from its name, as in an aligned table of settings.
const GAP_BYTES_MAX: usize = 40;
/// So far a value is followed.
const VALUE_BYTES_MAX: usize = 4 * 1024;
/// Letters and digits beside a sure name.
const MIXED_BYTES_MIN: usize = 6;
/// Characters that look like nobody's word.
const RANDOM_BYTES_MIN: usize = 8;
/// The same beside a name that mostly means something else.
const LONG_BYTES_MIN: usize = 16;
/// What is longer and made of words, one would not write in prose.
const PHRASE_BYTES_MIN: usize = 20;
/// Types of programs end with these.
const WIDTHS: [&str; 7] = ["8", "16", "32", "64", "128", "256", "512"];

/// How much a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameWeight {
    Sure,
    /// `token: …` is what parsers say, too.
    Likely,
    /// `key`, `pass`, `auth` mean many things.
    Weak,
}

/// What stands between a name and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// A quote: the value has an end of its own.
    Quote,
    /// `=` alone, or a flag and a space: nobody writes prose like that.
    Tight,
    /// `: `, ` = `: prose and programs do.
    Loose,
}

/// The first secret behind a name at or after this place.
pub(super) fn next(text: &str, mut from: usize) -> Option<Range<usize>> {
    let stems = STEMS_FOUND.as_ref()?;
    loop {
        let found = stems.find(Input::new(text).range(from..))?;
        let name = name_around(text, from, found.range());
        from = name.end.max(found.end());
        if let Some(value) = value_of(text, name).filter(|value| value.start < value.end) {
            return Some(value);
        }
    }
}

/// Is it the secret of a field with that name?
pub(super) fn is_secret_field(name: &str, value: &str) -> bool {
    name.len() <= NAME_BYTES_MAX
        && certainty(name).is_some_and(|name| looks_secret(value.trim(), name, Between::Quote))
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

fn name_around(text: &str, from: usize, stem: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let first = from.max(stem.start.saturating_sub(NAME_BYTES_MAX));
    let last = bytes.len().min(stem.end + NAME_BYTES_MAX);
    let before = bytes[first..stem.start].iter().rev().take_while(|byte| is_of_name(**byte)).count();
    let after = bytes[stem.end..last].iter().take_while(|byte| is_of_name(**byte)).count();
    stem.start - before..stem.end + after
}

/// What the name says of its value, if it says anything.
fn certainty(name: &str) -> Option<NameWeight> {
    let name = name.trim_matches(['-', '_']);
    let upper = name.to_ascii_uppercase();
    let words: Vec<&str> = upper.split(['-', '_']).filter(|word| !word.is_empty()).collect();
    if !is_secret_name(name) || words.last().is_some_and(|last| ABOUT.contains(last)) {
        return None;
    }
    let ends = |end: &&str| words.iter().any(|word| word.ends_with(end));
    let has = |one: &str| words.contains(&one);
    let is_key = words.windows(2).any(|two| two[1] == "KEY" && KEY_KINDS.contains(&two[0]));
    let is_joined_key = words.iter().any(|word| KEY_KINDS.iter().any(|kind| *word == format!("{kind}KEY")));
    let is_compound = words.len() > 1 || words.first().is_some_and(|word| word.len() > "TOKEN".len());
    let is_token = words.iter().any(|word| word.ends_with("TOKEN"));
    if SURE_ENDS.iter().any(ends) || is_key || is_joined_key || (is_token && is_compound) {
        return Some(NameWeight::Sure);
    }
    let is_named = name.contains('_') && (has("PASS") || has("PW"));
    let is_likely = is_token || is_named || ["SECRETS", "CREDENTIALS", "CREDS", "PWD"].into_iter().any(has);
    Some(if is_likely { NameWeight::Likely } else { NameWeight::Weak })
}

/// Where the secret of this name stands.
fn value_of(text: &str, name: Range<usize>) -> Option<Range<usize>> {
    let written = &text[name.clone()];
    let certainty = certainty(written)?;
    let rest = &text[name.end..];
    let closing = rest.len() - rest.trim_start_matches('\\').trim_start_matches(['"', '\'']).len();
    let is_quoted = (1..=3).contains(&closing);
    let rest = &rest[closing..];
    let gap = blanks(rest);
    let (between, place) = match separator(&rest[gap..]) {
        Some(length) => {
            let behind = blanks(&rest[gap + length..]);
            let is_tight = gap + behind == 0 && rest.starts_with('=');
            let between = if is_tight { Between::Tight } else { Between::Loose };
            (between, name.end + closing + gap + length + behind)
        }
        None if written.starts_with('-') && gap > 0 && !is_quoted => (Between::Tight, name.end + gap),
        None => return None,
    };
    let rest = &text[place..];
    let escape = usize::from(rest.starts_with("\\\"") || rest.starts_with("\\'"));
    let quote = rest[escape..].chars().next().filter(|one| "\"'".contains(*one));
    let start = place + escape + usize::from(quote.is_some());
    let window = &text[start..text.floor_char_boundary((start + VALUE_BYTES_MAX).min(text.len()))];
    let is_end = |one: char| match quote {
        Some(quote) => one == quote || one == '\n' || one == '\\',
        None => one.is_whitespace() || "\"'`;&|,)}]\\".contains(one),
    };
    let value = &window[..window.find(is_end).unwrap_or(window.len())];
    // A sentence may end behind it, or go on.
    let value = if quote.is_none() { value.trim_end_matches(['.', ':']) } else { value };
    let between = if quote.is_some() { Between::Quote } else { between };
    looks_secret(value, certainty, between).then(|| start..start + value.len())
}

fn blanks(text: &str) -> usize {
    text.bytes().take(GAP_BYTES_MAX).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// How long is what says that a value follows? A comparison and a path of modules say nothing of that kind.
fn separator(text: &str) -> Option<usize> {
    let two = ["=>", ":="].iter().any(|two| text.starts_with(two));
    let none = ["==", "=~", "::", "://"].iter().any(|none| text.starts_with(none));
    let is_one = text.starts_with(['=', ':']) && !none;
    if two { Some(2) } else { is_one.then_some(1) }
}

fn looks_secret(value: &str, name: NameWeight, between: Between) -> bool {
    let is_placeholder = value.starts_with(['$', '{', '<', '%', '*', '(', '[', '-']);
    let is_code =
        value.contains(['(', '{', '[']) || (between != Between::Quote && value.contains(['<', '>']));
    if is_placeholder || is_code || is_switch(value) || is_place(value) || value.contains(char::is_whitespace)
    {
        return false;
    }
    match (name, between) {
        (NameWeight::Sure, Between::Quote | Between::Tight) => is_mixed(value) || is_odd(value),
        (NameWeight::Sure, Between::Loose) => is_mixed(value) && !is_of_a_program(value),
        (NameWeight::Likely, Between::Quote | Between::Tight) => is_mixed(value) || is_random(value),
        (NameWeight::Likely, Between::Loose) => is_random(value) && !is_of_a_program(value),
        (NameWeight::Weak, Between::Quote | Between::Tight | Between::Loose) => {
            value.len() >= LONG_BYTES_MIN && is_random(value) && has_both_cases(value)
        }
    }
}

fn has_both_cases(value: &str) -> bool {
    value.contains(|one: char| one.is_ascii_uppercase())
        && value.contains(|one: char| one.is_ascii_lowercase())
}

/// Letters and digits, as passwords must have.
fn is_mixed(value: &str) -> bool {
    value.len() >= MIXED_BYTES_MIN
        && value.contains(|one: char| one.is_ascii_digit())
        && value.contains(char::is_alphabetic)
        && !is_address(value)
}

/// Letters that make no word, a phrase without blanks, or more than an identifier may have.
fn is_odd(value: &str) -> bool {
    let is_long = value.len() >= PHRASE_BYTES_MIN && !is_ordinary(value) && !value.contains('_');
    let has_signs = value.contains(|one: char| "!@#$%^&*+=~?".contains(one));
    let is_only_letters = value.chars().all(|one| one.is_ascii_alphabetic());
    value.len() >= RANDOM_BYTES_MIN && (is_long || has_signs || (is_only_letters && !are_words(value)))
}

/// Of mixed case with digits, or with digits in several places.
fn is_random(value: &str) -> bool {
    let groups = value.split(|one: char| !one.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    let is_long_enough = value.len() >= RANDOM_BYTES_MIN && value.contains(char::is_alphabetic);
    is_long_enough && (groups > 1 || (groups == 1 && has_both_cases(value))) && !is_address(value)
}

/// `camelCase`, `Capitalised`, `lower` and `UPPER`: parts that can be spoken.
fn are_words(value: &str) -> bool {
    if value.chars().all(|one| one.is_ascii_uppercase()) {
        return true;
    }
    let starts = value.char_indices().filter(|(_, one)| one.is_ascii_uppercase()).map(|(place, _)| place);
    let mut ends: Vec<usize> = starts.filter(|place| *place > 0).collect();
    ends.push(value.len());
    let mut start = 0;
    ends.into_iter().all(|end| end - std::mem::replace(&mut start, end) >= 3)
}

/// A number of a machine's memory.
fn is_address(value: &str) -> bool {
    let hexadecimal = value.strip_prefix("0x").or_else(|| value.strip_prefix("0X"));
    hexadecimal.is_some_and(|digits| digits.len() <= 16 && digits.chars().all(|one| one.is_ascii_hexdigit()))
}

/// `uint256`, `user1.password`, `src/token2.rs:12`: what stands in programs and in messages about them.
fn is_of_a_program(value: &str) -> bool {
    let mut groups = value.split(|one: char| !one.is_ascii_digit()).filter(|group| !group.is_empty());
    let is_type = groups.next().is_some_and(|width| WIDTHS.contains(&width)) && groups.next().is_none();
    let is_name = |part: &str| part.starts_with(|one: char| one.is_ascii_alphabetic() || one == '_');
    let is_path =
        value.contains('.') && value.split('.').all(|part| is_name(part) && part.chars().all(is_of_a_word));
    let is_location = value.contains(".") && value.contains(':');
    is_type || is_path || is_location
}
