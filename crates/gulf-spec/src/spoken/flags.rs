//! The flags of a session's commands, and what of a text is one of them.
//!
//! Apart from the places where they may stand because a flag is the same everywhere. Those that set a key are the
//! rows of its table; only what is not a key is listed here.

use super::problem::FlagProblem;
use super::words::{self, Unquotable, first_word, skip_blanks};
use super::{FlagForm, FlagTakes};
use crate::config::{Key, KeyRow, Shape, Value, expected};
use crate::marker::legible;
use crate::problem::nearest;

/// Whose flags are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    Start,
    Resume,
}

/// One flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flag {
    /// With its two dashes.
    pub(super) name: &'static str,
    pub(super) meaning: Meaning,
}

/// What a flag is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Its value is this.
    Value(Slot),
    /// It says this, without a value.
    Says(Slot, &'static str),
    Help,
    /// It has a value that counts where gulf starts the worker.
    OnlyRun,
}

/// What a person can say once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Setting(Key),
    WithJudge,
    Rubric,
    File,
    Spec,
    Replace,
    IgnoreQuestions,
    Unverified,
    AcceptContract,
}

/// A flag that was found.
#[derive(Debug)]
pub(super) struct Taken {
    pub(super) flag: Flag,
    /// As a person would write it.
    pub(super) said: String,
    pub(super) value: String,
    /// Where it ends.
    pub(super) end: usize,
}

/// A flag that was found and cannot be followed.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) problem: FlagProblem,
    /// Where it ends, and its value.
    pub(super) end: usize,
}

const ON: &str = "true";
const OFF: &str = "false";

const OTHERS: [Flag; 11] = [
    Flag { name: "--mode", meaning: Meaning::Value(Slot::Setting(Key::Preset)) },
    Flag { name: "--with-judge", meaning: Meaning::Says(Slot::WithJudge, ON) },
    Flag { name: "--no-research", meaning: Meaning::Says(Slot::Setting(Key::Research), "off") },
    Flag { name: "--rubric", meaning: Meaning::Value(Slot::Rubric) },
    Flag { name: "--file", meaning: Meaning::Value(Slot::File) },
    Flag { name: "--spec", meaning: Meaning::Value(Slot::Spec) },
    Flag { name: "--replace", meaning: Meaning::Says(Slot::Replace, ON) },
    Flag { name: "--ignore-questions", meaning: Meaning::Says(Slot::IgnoreQuestions, ON) },
    Flag { name: "--unverified", meaning: Meaning::Says(Slot::Unverified, ON) },
    Flag { name: "--accept-contract", meaning: Meaning::Says(Slot::AcceptContract, ON) },
    Flag { name: "--help", meaning: Meaning::Help },
];

const SHORT_NAMES: [(&str, &str); 8] = [
    ("-n", "--max-iterations"),
    ("-p", "--completion-promise"),
    ("-t", "--hitl-threshold"),
    ("-b", "--base-branch"),
    ("-m", "--milestone-every"),
    ("-f", "--file"),
    ("-w", "--workers"),
    ("-h", "--help"),
];

/// They are about a worker that gulf starts itself; so is a list.
const OF_RUN: [Key; 8] = [
    Key::LimitsTurnsPerHour,
    Key::AgentTool,
    Key::AgentModel,
    Key::AgentAllow,
    Key::AgentContext,
    Key::TasksFile,
    Key::TasksOnly,
    Key::TasksOnLimit,
];

/// What `resume` can raise.
const OF_RESUME: [Key; 4] =
    [Key::LimitsMaxIterations, Key::LimitsMaxDuration, Key::LimitsMaxCost, Key::LimitsMaxTokens];

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
    /// The flag of a name, long or short.
    pub(super) fn find(command: Command, name: &str) -> Option<Self> {
        let long = SHORT_NAMES.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| long);
        Self::all(command).find(|flag| flag.name == long)
    }

    /// The flag that a misspelt or shortened name means. A word processor makes one long dash of two.
    pub(super) fn misspelt(command: Command, name: &str) -> Option<Self> {
        let is_dashed = name.starts_with("--")
            || name.starts_with(['–', '—'])
            || name.starts_with('-') && name.len() >= MISSPELT_BYTES_MIN;
        if !is_dashed || name.len() > MISSPELT_BYTES_MAX {
            return None;
        }
        let misspelt = Self::all(command)
            .map(|flag| (strsim::damerau_levenshtein(name, flag.name), flag))
            .filter(|(edits, _)| (1..=MISSPELT_EDITS_MAX).contains(edits))
            .min_by_key(|(edits, _)| *edits)
            .map(|(_, flag)| flag);
        let is_short_for = |flag: &Self| name.len() >= SHORTENED_BYTES_MIN && flag.name.starts_with(name);
        misspelt.or_else(|| Self::all(command).find(is_short_for))
    }

    /// The flag that an unknown name resembles most: a shared beginning counts more than the number of edits.
    fn alike(command: Command, name: &str) -> Option<Self> {
        if name.len() > MISSPELT_BYTES_MAX {
            return None;
        }
        Self::all(command)
            .map(|flag| (strsim::jaro_winkler(name, flag.name), flag))
            .filter(|(likeness, _)| *likeness > ALIKE_MIN)
            .max_by(|(one, _), (other, _)| one.total_cmp(other))
            .map(|(_, flag)| flag)
    }

    fn all(command: Command) -> impl Iterator<Item = Self> {
        // What means something else in a session stands above.
        let is_other = |row: &&KeyRow| OTHERS.iter().any(|other| Some(other.name) == row.flag);
        let keys = Key::rows().iter().filter(move |row| !is_other(row)).filter_map(|row| {
            let meaning = if OF_RUN.contains(&row.key) {
                Meaning::OnlyRun
            // A switch that is on unless somebody says otherwise is named to say otherwise.
            // `--new-check` is a switch of the check that it names.
            } else if row.shape == Shape::Switch && row.default == OFF && row.key != Key::CheckNew {
                Meaning::Says(Slot::Setting(row.key), ON)
            } else {
                Meaning::Value(Slot::Setting(row.key))
            };
            Some(Self { name: row.flag?, meaning })
        });
        OTHERS.into_iter().chain(keys).filter(move |flag| flag.is_of(command))
    }

    fn is_of(&self, command: Command) -> bool {
        match (command, self.meaning) {
            (_, Meaning::Help) => true,
            (_, Meaning::Says(Slot::AcceptContract, _)) => command == Command::Resume,
            (Command::Start, _) => true,
            (Command::Resume, Meaning::Value(Slot::Setting(key))) => OF_RESUME.contains(&key),
            (Command::Resume, _) => false,
        }
    }

    pub(super) fn takes_value(&self) -> bool {
        match self.meaning {
            Meaning::Value(_) | Meaning::OnlyRun => true,
            Meaning::Says(..) | Meaning::Help => false,
        }
    }

    /// What its value must be, as a phrase.
    pub(super) fn takes(&self) -> String {
        match self.meaning {
            Meaning::Value(Slot::Setting(Key::Preset)) => expected(Shape::Choice(&PRESETS)),
            Meaning::Value(Slot::Setting(key)) => expected(key.row().shape),
            Meaning::Value(_) | Meaning::OnlyRun => expected(Shape::Line),
            Meaning::Says(..) | Meaning::Help => String::new(),
        }
    }

    /// Whether the flag can have this value.
    pub(super) fn check(&self, said: &str, value: &str) -> Result<(), FlagProblem> {
        let (is_right, close) = match self.meaning {
            Meaning::Value(Slot::Setting(Key::Preset)) => (PRESETS.contains(&value), nearest(value, PRESETS)),
            Meaning::Value(Slot::Setting(key)) => {
                let row = key.row();
                let choices = if let Shape::Choice(choices) = row.shape { choices } else { &[] };
                let close = nearest(value, choices.iter().copied());
                (Value::read(row, value).is_ok(), close)
            }
            Meaning::Value(_) => (!value.trim().is_empty() && !value.contains(['\n', '\r']), None),
            Meaning::Says(..) | Meaning::Help | Meaning::OnlyRun => (true, None),
        };
        if is_right {
            return Ok(());
        }
        if value.trim().is_empty() {
            return Err(FlagProblem::NoValue { flag: said.to_owned(), takes: self.takes() });
        }
        Err(FlagProblem::WrongValue {
            flag: said.to_owned(),
            takes: self.takes(),
            found: legible(value),
            close: close.map(str::to_owned),
        })
    }
}

/// Every flag of a command, as it is typed.
pub(super) fn forms(command: Command) -> impl Iterator<Item = FlagForm> {
    Flag::all(command).map(|flag| FlagForm {
        name: flag.name,
        short: SHORT_NAMES.iter().find(|(_, long)| *long == flag.name).map(|(short, _)| *short),
        takes: if flag.takes_value() { FlagTakes::Value } else { FlagTakes::Nothing },
    })
}

/// The flag that begins at `at`, with its value; none where there is no flag of ours.
pub(super) fn take(command: Command, text: &str, at: usize) -> Option<Result<Taken, Wrong>> {
    let word = first_word(&text[at..]);
    let (name, glued_at) = match word.split_once('=') {
        Some((name, _)) => (name, Some(at + name.len() + 1)),
        None => glued_digits(word).map_or((word, None), |length| (&word[..length], Some(at + length))),
    };
    let flag = Flag::find(command, name)?;
    Some(with_value(flag, name, text, at + word.len(), glued_at))
}

/// Refuses a word that looks like a flag where a flag was to be expected.
pub(super) fn refuse_unknown(command: Command, word: &str) -> Result<(), FlagProblem> {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    let misspelt = Flag::misspelt(command, name);
    if misspelt.is_none() && !is_flag_like(word) {
        return Ok(());
    }
    let close = misspelt.or_else(|| Flag::alike(command, name)).map(|flag| flag.name);
    Err(FlagProblem::Unknown { flag: legible(name), close })
}

/// `--word` or `-word`, but no list item, number, arrow or rule.
pub(super) fn is_flag_like(word: &str) -> bool {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
    name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
}

fn with_value(
    flag: Flag,
    name: &str,
    text: &str,
    word_end: usize,
    glued_at: Option<usize>,
) -> Result<Taken, Wrong> {
    let said = name.to_owned();
    if !flag.takes_value() {
        return match glued_at {
            None => {
                let value = if let Meaning::Says(_, value) = flag.meaning { value } else { ON };
                Ok(Taken { flag, said, value: value.to_owned(), end: word_end })
            }
            Some(_) => Err(Wrong { problem: FlagProblem::SurplusValue { flag: said }, end: word_end }),
        };
    }
    let value_at = glued_at.unwrap_or_else(|| skip_blanks(text, word_end));
    let word = first_word(&text[value_at..]);
    if word.is_empty() || glued_at.is_none() && (is_flag_like(word) || word == "--") {
        let problem = FlagProblem::NoValue { takes: flag.takes(), flag: said };
        return Err(Wrong { problem, end: word_end });
    }
    let (value, end) = words::value(text, value_at);
    let value = value.map_err(|unquotable| match unquotable {
        Unquotable::Open => FlagProblem::QuoteOpen { flag: said.clone() },
        Unquotable::Partly => FlagProblem::PartlyQuoted { flag: said.clone() },
    });
    match value.and_then(|value| flag.check(&said, &value).map(|()| value)) {
        Ok(value) => Ok(Taken { flag, said: format!("{said} {}", legible(&value)), value, end }),
        Err(problem) => Err(Wrong { problem, end }),
    }
}

/// `-n10`: the length of the flag before the digits.
fn glued_digits(word: &str) -> Option<usize> {
    let (short, _) = SHORT_NAMES.iter().find(|(short, _)| word.starts_with(short))?;
    let digits = &word[short.len()..];
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(short.len())
}
