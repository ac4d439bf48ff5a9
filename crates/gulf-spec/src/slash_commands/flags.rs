//! The flags of a session's commands, and what of a text is one of them.
//!
//! Apart from the places where they may stand because a flag is the same everywhere. Which ones there are is the command
//! line's to say; what a value must be stands in the table of keys.

use super::problem::{FlagPlace, FlagProblem};
use super::words::{self, Unquotable, first_word, skip_blanks};
use crate::config::{Key, KeyRow, Shape, Value, expected, suggestion};
use crate::marker::legible;
use crate::problem::{Mistake, did_you_mean};

/// A flag of a command, as the command line has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// With two dashes; the first is its own, the others stand for it.
    pub names: Vec<String>,
    /// With one dash.
    pub short: Option<String>,
    pub takes: FlagTakes,
}

/// What stands behind a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagTakes {
    Nothing,
    Value,
    /// A value, and the flag may be given several times.
    Values,
    /// A value that counts only where gulf starts the worker itself.
    OnlyRun,
}

/// A flag that was found.
#[derive(Debug)]
pub(super) struct FoundFlag<'f> {
    pub(super) flag: &'f Flag,
    /// As a person would write it.
    pub(super) said: String,
    pub(super) value: Option<String>,
    /// Where it ends.
    pub(super) end: usize,
}

/// A flag that was found and cannot be followed.
#[derive(Debug)]
pub(super) struct WrongFlag {
    pub(super) problem: FlagProblem,
    /// Where it ends, and its value.
    pub(super) end: usize,
}

/// Those that a session can work by.
const PRESETS: [&str; 8] =
    ["auto", "basic", "judge", "autonomous", "parallel", "ralph", "autopilot", "feedback"];

/// Most edits between a misspelt flag and the one that was meant.
const MISSPELT_EDITS_MAX: usize = 2;

/// Least bytes of a misspelt name with one dash, and most bytes of any; comparing costs the square of them.
const MISSPELT_BYTES_MIN: usize = 5;
const MISSPELT_BYTES_MAX: usize = 40;

/// Bytes from which the beginning of a flag's name is probably meant for it.
const SHORTENED_BYTES_MIN: usize = 6;

/// Likeness (0 to 1) from which a flag is worth naming.
const ALIKE_MIN: f64 = 0.85;

impl Flag {
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    pub(super) fn is_help(&self) -> bool {
        self.name() == "--help"
    }

    pub(super) fn takes_value(&self) -> bool {
        self.takes != FlagTakes::Nothing
    }

    /// What its value must be, as a phrase.
    fn wanted(&self) -> String {
        expected(self.row().shape)
    }

    /// The row of the key that it sets; where it sets none, that of some line.
    fn row(&self) -> KeyRow {
        let row = Key::rows().iter().find(|row| row.flag == Some(self.name()));
        let row = row.filter(|_| self.takes == FlagTakes::Value).unwrap_or(Key::CheckCommand.row());
        if row.key == Key::Preset { KeyRow { shape: Shape::Choice(&PRESETS), ..*row } } else { *row }
    }

    /// Whether the flag can have this value.
    pub(super) fn check(&self, said: &str, value: &str) -> Result<(), FlagProblem> {
        match Value::read(&self.row(), value) {
            Ok(_) => Ok(()),
            Err(_) if value.trim().is_empty() => Err(FlagProblem::no_value(said, &self.wanted())),
            Err(_) => {
                let what = format!("`{said}` must be {}, not `{}`", self.wanted(), legible(value));
                let help = did_you_mean(suggestion(self.row().shape, value));
                Err(FlagProblem::of_value(what, help))
            }
        }
    }
}

/// The flag of a name, long or short.
fn find<'f>(flags: &'f [Flag], name: &str) -> Option<&'f Flag> {
    flags.iter().find(|flag| flag.short.as_deref() == Some(name) || flag.names.iter().any(|own| own == name))
}

/// Every long name, with its flag.
fn long_names(flags: &[Flag]) -> impl Iterator<Item = (&str, &Flag)> {
    flags.iter().flat_map(|flag| flag.names.iter().map(move |name| (name.as_str(), flag)))
}

/// The flag that a misspelt or shortened name means, and its right name. A word processor makes one long dash of two.
pub(super) fn misspelt<'f>(flags: &'f [Flag], name: &str) -> Option<(&'f str, &'f Flag)> {
    let is_dashed = name.starts_with("--")
        || name.starts_with(['–', '—'])
        || name.starts_with('-') && name.len() >= MISSPELT_BYTES_MIN;
    if !is_dashed || name.len() > MISSPELT_BYTES_MAX {
        return None;
    }
    let edits = |right: &str| strsim::damerau_levenshtein(name, right);
    let near = long_names(flags).filter(|(right, _)| (1..=MISSPELT_EDITS_MAX).contains(&edits(right)));
    let misspelt = near.min_by_key(|(right, _)| edits(right));
    let is_short_for = |right: &str| name.len() >= SHORTENED_BYTES_MIN && right.starts_with(name);
    misspelt.or_else(|| long_names(flags).find(|(right, _)| is_short_for(right)))
}

/// The flag that an unknown name resembles most: a shared beginning counts more than the number of edits.
fn alike<'f>(flags: &'f [Flag], name: &str) -> Option<&'f str> {
    if name.len() > MISSPELT_BYTES_MAX {
        return None;
    }
    let rated = long_names(flags).map(|(right, _)| (strsim::jaro_winkler(name, right), right));
    let alike = rated.filter(|(likeness, _)| *likeness > ALIKE_MIN);
    alike.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, right)| right)
}

/// The flag that begins at `at`, with its value; none where there is no flag of ours.
pub(super) fn take<'f>(flags: &'f [Flag], text: &str, at: usize) -> Option<Result<FoundFlag<'f>, WrongFlag>> {
    let word = first_word(&text[at..]);
    let (name, glued_at) = match word.split_once('=') {
        Some((name, _)) => (name, Some(at + name.len() + 1)),
        None => glued_digits(flags, word).map_or((word, None), |length| (&word[..length], Some(at + length))),
    };
    let flag = find(flags, name)?;
    Some(with_value(flag, name, text, at + word.len(), glued_at))
}

/// The flag that begins at `at`, where one is to be expected; none where the word there is none.
pub(super) fn take_at<'f>(
    flags: &'f [Flag],
    text: &str,
    at: usize,
    place: FlagPlace,
) -> Result<Option<FoundFlag<'f>>, Mistake> {
    let taken = take(flags, text, at).transpose().map_err(|wrong| wrong.problem.at(place))?;
    if taken.is_none() {
        refuse_unknown(flags, first_word(&text[at..])).map_err(|problem| problem.at(place))?;
    }
    Ok(taken)
}

/// Refuses a word that looks like a flag where a flag was to be expected.
fn refuse_unknown(flags: &[Flag], word: &str) -> Result<(), FlagProblem> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let misspelt = misspelt(flags, name).map(|(right, _)| right);
    if misspelt.is_none() && !is_flag_like(word) {
        return Ok(());
    }
    Err(FlagProblem::unknown(name, misspelt.or_else(|| alike(flags, name))))
}

/// `--word` or `-word`, but no list item, number, arrow or rule.
pub(super) fn is_flag_like(word: &str) -> bool {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn with_value<'f>(
    flag: &'f Flag,
    name: &str,
    text: &str,
    word_end: usize,
    glued_at: Option<usize>,
) -> Result<FoundFlag<'f>, WrongFlag> {
    let said = name.to_owned();
    if !flag.takes_value() {
        return match glued_at {
            None => Ok(FoundFlag { flag, said, value: None, end: word_end }),
            Some(_) => {
                let what = format!("`{said}` is on or absent and takes no value");
                let problem = FlagProblem::of_value(what, format!("write `{said}` alone"));
                Err(WrongFlag { problem, end: word_end })
            }
        };
    }
    let value_at = glued_at.unwrap_or_else(|| skip_blanks(text, word_end));
    let word = first_word(&text[value_at..]);
    if word.is_empty() || glued_at.is_none() && (is_flag_like(word) || word == "--") {
        return Err(WrongFlag { problem: FlagProblem::no_value(&said, &flag.wanted()), end: word_end });
    }
    let (value, end) = words::value(text, value_at);
    let value = value.map_err(|unquotable| {
        let what = match unquotable {
            Unquotable::Open => format!("the quote behind `{said}` is not closed"),
            Unquotable::Partly => format!("only a part of the value of `{said}` is in quotes"),
        };
        FlagProblem::of_value(what, "put the whole value between straight quotes")
    });
    match value.and_then(|value| flag.check(&said, &value).map(|()| value)) {
        Ok(value) => {
            Ok(FoundFlag { flag, said: format!("{said} {}", legible(&value)), value: Some(value), end })
        }
        Err(problem) => Err(WrongFlag { problem, end }),
    }
}

/// `-n10`: the length of the flag before the digits.
fn glued_digits(flags: &[Flag], word: &str) -> Option<usize> {
    let short =
        flags.iter().filter_map(|flag| flag.short.as_deref()).find(|short| word.starts_with(short))?;
    let digits = &word[short.len()..];
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(short.len())
}
