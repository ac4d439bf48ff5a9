//! The commands that a person types into a session: `/gulf-loop:start …`, read from the prompt as the host got it.
//!
//! Apart from the command line because here the words come unparted: what is a flag and what is the prompt must be
//! found in one text, without a shell, and the prompt must arrive byte for byte.

mod flags;
mod foreign;
mod problem;
mod tail;
mod told;
mod words;
mod wrapped;

pub use foreign::{Foreign, foreign};
pub use problem::{FlagPlace, FlagProblem, SpokenError};

use crate::config::Key;
use crate::marker::legible;
use crate::problem::nearest;
use flags::{Command, Flag, Meaning};
use told::Told;
use words::{first_word, skip_blanks};

/// A command of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spoken {
    Start(StartWords),
    /// With what stood behind it, such as the path of a rubric.
    Align(Option<String>),
    Status,
    Cancel,
    Resume(ResumeWords),
    Clean(CleanWords),
    Answer(AnswerWords),
    Help,
}

/// What was said with `start`, or with a command that stands for it with a preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartWords {
    /// What flags set, as [`crate::config::Layers::flags`] takes it, each value of its key's shape. The commands with a
    /// preset, `--mode` and `--preset` are [`Key::Preset`]; it is absent where none of them was said. `--with-judge` is
    /// the preset where no other was said, and [`Key::JudgeRequired`] beside another.
    pub settings: Vec<(Key, String)>,
    /// Criteria and checks from this file instead of RUBRIC.md.
    pub rubric: Option<String>,
    /// End an unfinished loop first.
    pub replace: bool,
    /// Start although questions are open.
    pub ignore_questions: bool,
    /// Start without any check.
    pub unverified: bool,
    pub goal: Goal,
    /// What at the end of the prompt was taken for flags, as it stood there: worth telling the person.
    pub taken_from_end: Option<String>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// Not blank.
    Text(String),
    /// In the file of this path.
    File(String),
    /// In the spec of this id.
    Spec(String),
    /// Nothing was said: what the project itself has in its PROMPT.md.
    Project,
}

/// What was said with `resume`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResumeWords {
    /// New limits, as [`crate::config::Layers::flags`] takes them.
    pub settings: Vec<(Key, String)>,
    /// Agree to RUBRIC.md and the checks as they are now.
    pub accept_contract: bool,
    /// A loop's id, or its beginning.
    pub loop_id: Option<String>,
}

/// What was said with `answer`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerWords {
    /// None: the one that was asked first.
    pub question: Option<u32>,
    /// Blank: to see what is asked.
    pub answer: String,
}

/// What was said with `clean`; without anything it only shows what would go.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CleanWords {
    /// Remove it.
    pub yes: bool,
    /// Also what nothing else is known of.
    pub forgotten: bool,
}

/// The commands that there are.
pub const COMMANDS: [&str; 13] = [
    "align",
    "start",
    "start-with-judge",
    "start-autonomous",
    "start-parallel",
    "ralph",
    "autopilot",
    "status",
    "cancel",
    "resume",
    "answer",
    "clean",
    "help",
];

/// Those that stand for `start` with a preset.
const WITH_PRESET: [(&str, &str); 5] = [
    ("start-with-judge", "judge"),
    ("start-autonomous", "autonomous"),
    ("start-parallel", "parallel"),
    ("ralph", "ralph"),
    ("autopilot", "autopilot"),
];

/// Bytes from which a word is no misspelt command; comparing costs the square of them.
const COMMAND_BYTES_MAX: usize = 40;

const PREFIX: &str = "gulf-loop:";

/// A flag as a person may type it: a session has the same ones as the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FlagForm {
    /// With two dashes.
    pub name: &'static str,
    /// With one dash.
    pub short: Option<&'static str>,
    pub takes: FlagTakes,
}

/// Whether something stands behind a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlagTakes {
    Nothing,
    Value,
}

/// The flags of `start`, and of the commands that stand for it with a preset.
pub fn start_flags() -> impl Iterator<Item = FlagForm> {
    flags::forms(Command::Start)
}

/// The flags of `resume`.
pub fn resume_flags() -> impl Iterator<Item = FlagForm> {
    flags::forms(Command::Resume)
}

/// Reads the prompt of a session; none where it is no command of ours.
///
/// A command begins with `/gulf-loop:`, `$gulf-loop:` or `gulf-loop:`; a host may have wrapped it. Flags stand before the
/// prompt or at its very end, and all behind a `--` is the prompt; what else looks like a flag is prose.
pub fn spoken(prompt: &str) -> Option<Result<Spoken, SpokenError>> {
    let typed = wrapped::typed(prompt);
    let prompt = typed.trim_start();
    let marked = prompt.strip_prefix(['/', '$']);
    let after = marked.unwrap_or(prompt).strip_prefix(PREFIX)?;
    let command = first_word(after);
    let rest = &after[command.len()..];
    let with_preset = WITH_PRESET.into_iter().find(|(name, _)| *name == command);
    Some(match command {
        _ if with_preset.is_some() => start(with_preset, rest),
        "start" => start(None, rest),
        "align" => Ok(align(rest)),
        "status" => alone("status", rest, Spoken::Status),
        "cancel" => alone("cancel", rest, Spoken::Cancel),
        "resume" => resume(rest),
        "answer" => Ok(answer(rest)),
        "clean" => clean(rest),
        "help" => Ok(Spoken::Help),
        _ => {
            let close = (command.len() <= COMMAND_BYTES_MAX).then(|| nearest(command, COMMANDS)).flatten();
            if marked.is_none() && close.is_none() {
                return None;
            }
            Err(if command.is_empty() {
                SpokenError::NoCommand
            } else {
                SpokenError::UnknownCommand { command: legible(command), close }
            })
        }
    })
}

/// `start`, or a command that stands for it with a preset.
fn start(with_preset: Option<(&str, &str)>, rest: &str) -> Result<Spoken, SpokenError> {
    let mut told = Told::default();
    if let Some((command, preset)) = with_preset {
        told.preset(command, preset);
    }
    let place = FlagPlace::BeforePrompt;
    let mut at = skip_blanks(rest, 0);
    let mut taken_from_end = None;
    let text = loop {
        if first_word(&rest[at..]) == "--" {
            break words::after_separator(&rest[at + 2..]).to_owned();
        }
        let Some(taken) = flags::take(Command::Start, rest, at) else {
            let word = first_word(&rest[at..]);
            flags::refuse_unknown(Command::Start, word).map_err(|problem| problem.at(place))?;
            let tail = tail::split(&rest[at..])?;
            taken_from_end = tail.text.map(str::to_owned);
            for taken in tail.flags {
                told.take(taken, FlagPlace::AtEnd)?;
            }
            break tail.prompt;
        };
        let taken = taken.map_err(|wrong| wrong.problem.at(place))?;
        if taken.flag.meaning == Meaning::Help {
            return Ok(Spoken::Help);
        }
        at = skip_blanks(rest, taken.end);
        told.take(taken, place)?;
    };
    told.start(text, taken_from_end).map(Spoken::Start)
}

fn resume(rest: &str) -> Result<Spoken, SpokenError> {
    let place = FlagPlace::AfterCommand;
    let mut told = Told::default();
    let mut loop_id: Option<String> = None;
    let mut at = skip_blanks(rest, 0);
    while at < rest.len() {
        at = match flags::take(Command::Resume, rest, at) {
            Some(taken) => {
                let taken = taken.map_err(|wrong| wrong.problem.at(place))?;
                if taken.flag.meaning == Meaning::Help {
                    return Ok(Spoken::Help);
                }
                let end = taken.end;
                told.take(taken, place)?;
                skip_blanks(rest, end)
            }
            None => {
                let word = first_word(&rest[at..]);
                flags::refuse_unknown(Command::Resume, word).map_err(|problem| problem.at(place))?;
                if loop_id.is_some() {
                    return Err(SpokenError::Surplus { command: "resume", found: legible(&rest[at..]) });
                }
                loop_id = Some(word.to_owned());
                skip_blanks(rest, at + word.len())
            }
        };
    }
    Ok(Spoken::Resume(told.resume(loop_id)))
}

fn clean(rest: &str) -> Result<Spoken, SpokenError> {
    let mut words = CleanWords::default();
    let mut shows = false;
    for word in rest.split_whitespace() {
        match word {
            "--yes" => words.yes = true,
            "--dry-run" => shows = true,
            "--forgotten" => words.forgotten = true,
            _ if is_help(word) => return Ok(Spoken::Help),
            _ => return Err(SpokenError::Surplus { command: "clean", found: legible(word) }),
        }
    }
    if words.yes && shows {
        let (first, second) = ("--yes".to_owned(), "--dry-run".to_owned());
        return Err(SpokenError::Contradiction { first, second });
    }
    Ok(Spoken::Clean(words))
}

fn align(rest: &str) -> Spoken {
    let rest = rest.trim();
    if is_help(rest) {
        return Spoken::Help;
    }
    Spoken::Align(Some(rest.to_owned()).filter(|rest| !rest.is_empty()))
}

/// A number before the answer is the question's; alone it is an answer.
fn answer(rest: &str) -> Spoken {
    let rest = rest.trim();
    if is_help(rest) {
        return Spoken::Help;
    }
    let word = first_word(rest);
    let behind = rest[word.len()..].trim();
    let words = match word.parse() {
        Ok(number) if !behind.is_empty() => AnswerWords { question: Some(number), answer: behind.to_owned() },
        Ok(_) | Err(_) => AnswerWords { question: None, answer: rest.to_owned() },
    };
    Spoken::Answer(words)
}

/// A command that nothing may stand behind: it could be meant for another loop.
fn alone(command: &'static str, rest: &str, spoken: Spoken) -> Result<Spoken, SpokenError> {
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok(spoken);
    }
    if is_help(rest) {
        return Ok(Spoken::Help);
    }
    Err(SpokenError::Surplus { command, found: legible(rest) })
}

fn is_help(rest: &str) -> bool {
    Flag::find(Command::Start, rest).is_some_and(|flag| flag.meaning == Meaning::Help)
}

#[cfg(test)]
mod tests;
