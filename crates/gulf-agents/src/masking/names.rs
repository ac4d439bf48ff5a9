//! Which variables are secret, and which of their values can be told from ordinary text.
//!
//! A password that is called `postgres` stands in every other sentence of a project's output. Such a value is a
//! secret beside its name, and an ordinary word anywhere else.

use super::Meaning;
use crate::address::{UNRESERVED, percent_encoded};

/// Words of which the names of secret variables are made.
const SECRET_WORDS: [&str; 17] = [
    "KEY", "APIKEY", "TOKEN", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "PASS", "PWD", "PW",
    "CREDENTIAL", "CREDENTIALS", "CREDS", "PAT", "AUTH", "COOKIE",
];
/// Ends of words that say it, too: `DBPASSWORD`, `authToken`.
const SECRET_ENDS: [&str; 9] =
    ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "ACCESSKEY", "SECRETKEY", "PRIVATEKEY"];
/// The shell's own: folders.
const FOLDERS: [&str; 2] = ["PWD", "OLDPWD"];
/// A shorter value is a number, a switch or a word.
const VALUE_BYTES_MIN: usize = 8;
/// What is longer and made of letters alone is no word of a text.
const WORDS_BYTES_MAX: usize = 20;
/// Digits alone are an amount or a date, unless there are as many.
const DIGITS_MIN: usize = 12;
/// A line of a value with several, such as one of a key.
const LINE_BYTES_MIN: usize = 16;
/// A secret beside its name may be as short as this.
const ASSIGNED_BYTES_MIN: usize = 3;
/// What variables hold that only switch something.
const SWITCHES: [&str; 12] =
    ["true", "false", "yes", "no", "none", "null", "nil", "off", "undefined", "disabled", "enabled", "***"];

/// Does the name of a variable say that its value is nobody else's?
pub fn is_secret_name(name: &str) -> bool {
    let is_folder = FOLDERS.contains(&name);
    let words = name.split(|character: char| !character.is_ascii_alphanumeric());
    let says = |word: &str| {
        let word = word.to_ascii_uppercase();
        SECRET_WORDS.contains(&word.as_str()) || SECRET_ENDS.iter().any(|end| word.ends_with(end))
    };
    !is_folder && words.into_iter().any(says)
}

pub(super) fn is_of_a_word(character: char) -> bool {
    // Korean may stand right beside it.
    character.is_ascii_alphanumeric() || character == '_'
}

/// Nothing that anybody keeps secret: a switch, an amount.
pub(super) fn is_switch(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    SWITCHES.contains(&lower.as_str()) || value.len() < ASSIGNED_BYTES_MIN
}

/// Could it stand in any text, meaning itself?
pub(super) fn is_ordinary(value: &str) -> bool {
    let is_short = value.len() < VALUE_BYTES_MIN || is_switch(value);
    let is_number =
        value.len() < DIGITS_MIN && value.chars().all(|one| one.is_ascii_digit() || ".,:-+".contains(one));
    let is_words = value.len() < WORDS_BYTES_MAX
        && value.chars().all(|one| one.is_alphabetic() || " -_./:,".contains(one));
    is_short || is_number || is_words || is_place(value)
}

/// A path, or an address without credentials (those are known by their form).
pub(super) fn is_place(value: &str) -> bool {
    let is_drive = value.as_bytes().get(1) == Some(&b':') && value.contains('\\');
    let is_path = ["/", "./", "../", "~/", "\\\\"].iter().any(|start| value.starts_with(start));
    // A secret in base 64 may begin with a slash; a path has more of them, or a name that can be read.
    let looks_random = value.len() >= 32 && !value[1..].contains(['/', '.', '-']);
    is_drive || value.contains("://") || (is_path && !looks_random)
}

/// How one variable's secret is known again.
pub(super) fn anchors(name: &str, value: &str) -> Vec<(String, Meaning)> {
    let value = value.trim();
    if !is_secret_name(name) || is_switch(value) {
        return Vec::new();
    }
    if is_ordinary(value) {
        return assigned(name, value);
    }
    let mut values = vec![value.to_owned()];
    if value.contains('\n') {
        // Tools print such a value line by line, each behind a prefix of theirs.
        let lines = value.lines().map(str::trim);
        let lines = lines.filter(|line| line.len() >= LINE_BYTES_MIN && !line.contains(' '));
        let lines = lines.filter(|line| !line.starts_with("-----") && !is_ordinary(line));
        values.extend(lines.map(str::to_owned));
    }
    let forms = [escaped(value), percent_encoded(value, UNRESERVED)];
    values.extend(forms.into_iter().filter(|form| form != value));
    values.into_iter().map(|value| (value, Meaning::Value)).collect()
}

/// As `env`, a shell's trace, YAML, JSON and Python print a variable.
fn assigned(name: &str, value: &str) -> Vec<(String, Meaning)> {
    if is_place(value) || value.contains('\n') {
        return Vec::new();
    }
    let befores = ["=", "='", "=\"", ": ", ": \"", "\":\"", "\": \"", "': '"];
    let beside = |between: &str| {
        let secret_at = name.len() + between.len();
        (format!("{name}{between}{value}"), Meaning::Assigned { secret_at })
    };
    befores.into_iter().map(beside).collect()
}

/// As it stands within a string of JSON.
fn escaped(value: &str) -> String {
    let quoted = serde_json::to_string(value).unwrap_or_default();
    quoted.trim_start_matches('"').strip_suffix('"').unwrap_or(value).to_owned()
}
