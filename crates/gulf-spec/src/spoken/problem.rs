//! Why a command cannot be followed, where that stands, and what to type instead.
//!
//! Apart from reading because each of these is shown to the person in place of what they asked for.

use std::fmt;

use crate::problem::Problem;

use super::COMMANDS;
use super::foreign::instead_of;

/// Why a command cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum SpokenError {
    #[error("no command is named")]
    NoCommand,
    #[error("there is no command `{command}`")]
    UnknownCommand { command: String, close: Option<&'static str> },
    #[error("{}", problem.placed(*place))]
    Flag { problem: FlagProblem, place: FlagPlace },
    #[error("`{first}` and `{second}` contradict each other")]
    Contradiction { first: String, second: String },
    #[error("no prompt was given")]
    NoPrompt,
    #[error("the goal is given twice: in `{file}` and as text")]
    PromptAndFile { file: String },
    #[error("the goal is given twice: by the spec `{id}` and as text")]
    PromptAndSpec { id: String },
    #[error("`{command}` does not know what to do with `{found}`")]
    Surplus { command: &'static str, found: String },
}

/// What is wrong with one flag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FlagProblem {
    #[error("there is no flag `{flag}`")]
    Unknown { flag: String, close: Option<String> },
    #[error("`{flag}` has no value")]
    NoValue { flag: String, takes: String },
    #[error("`{flag}` must be {takes}, not `{found}`")]
    WrongValue { flag: String, takes: String, found: String, close: Option<String> },
    #[error("`{flag}` is on or absent and takes no value")]
    SurplusValue { flag: String },
    #[error("the quote behind `{flag}` is not closed")]
    QuoteOpen { flag: String },
    #[error("only a part of the value of `{flag}` is in quotes")]
    PartlyQuoted { flag: String },
    #[error("`{flag}` cannot be used in a session: the session itself is the worker")]
    OnlyRun { flag: String },
    #[error("`{flag}` is a request for help")]
    Help { flag: String },
}

/// Where a flag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagPlace {
    BeforePrompt,
    AtEnd,
    AfterCommand,
}

impl FlagProblem {
    pub(super) fn at(self, place: FlagPlace) -> SpokenError {
        SpokenError::Flag { problem: self, place }
    }

    /// Where it stands is worth a word only where what stands there could also be prose.
    fn placed(&self, place: FlagPlace) -> String {
        match self {
            Self::Unknown { .. } | Self::OnlyRun { .. } | Self::Help { .. } => self.to_string(),
            Self::NoValue { .. } | Self::WrongValue { .. } | Self::SurplusValue { .. } => {
                format!("{self}, {place}")
            }
            Self::QuoteOpen { .. } | Self::PartlyQuoted { .. } => format!("{self}, {place}"),
        }
    }

    /// What to type instead, where that can be said.
    fn remedy(&self) -> Option<String> {
        match self {
            Self::Unknown { close, .. } => Some(close.as_ref().map_or_else(
                || "`/gulf-loop:help` lists all flags".to_owned(),
                |flag| format!("did you mean `{flag}`?"),
            )),
            Self::NoValue { flag, takes } => Some(format!("write {takes} behind `{flag}`")),
            Self::WrongValue { close, .. } => close.as_ref().map(|value| format!("did you mean `{value}`?")),
            Self::SurplusValue { flag } => Some(format!("write `{}` alone", name(flag))),
            Self::QuoteOpen { .. } | Self::PartlyQuoted { .. } => {
                Some("put the whole value between straight quotes".to_owned())
            }
            Self::OnlyRun { flag } => {
                Some(format!("leave it out, or use `gulf run {}` in a terminal", name(flag)))
            }
            Self::Help { .. } => Some("`/gulf-loop:help` shows it".to_owned()),
        }
    }
}

impl Problem for SpokenError {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::UnknownCommand { close: Some(close), .. } => format!("did you mean `/gulf-loop:{close}`?"),
            Self::UnknownCommand { command, close: None } => match instead_of(command) {
                Some(instead) => instead.to_owned(),
                None => format!("available: {}", COMMANDS.join(", ")),
            },
            Self::NoCommand => format!("available: {}", COMMANDS.join(", ")),
            Self::Flag { problem, place: FlagPlace::AfterCommand } => problem.remedy()?,
            Self::Flag { problem, place: FlagPlace::BeforePrompt | FlagPlace::AtEnd } => {
                let literal = "`--` before the prompt takes all behind it literally";
                problem.remedy().map_or(literal.to_owned(), |remedy| format!("{remedy} ({literal})"))
            }
            Self::Contradiction { .. } => "keep one of them".to_owned(),
            Self::NoPrompt => "write it behind the command: `/gulf-loop:start add a --json flag`".to_owned(),
            Self::PromptAndFile { .. } => "keep one of them".to_owned(),
            Self::PromptAndSpec { .. } => {
                "leave the words out, or write them into the spec; `gulf steer` adds to it later".to_owned()
            }
            Self::Surplus { command: "clean", .. } => {
                "it takes `--yes`, `--dry-run` and `--forgotten`; it is about all finished loops".to_owned()
            }
            Self::Surplus { command, .. } => {
                format!(
                    "write `/gulf-loop:{command}` alone; for another loop: `gulf {command}` in a terminal"
                )
            }
        })
    }
}

impl fmt::Display for FlagPlace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::BeforePrompt => "before the prompt",
            Self::AtEnd => "at the end of the prompt",
            Self::AfterCommand => "behind the command",
        })
    }
}

/// The flag without a value that is glued to it.
fn name(flag: &str) -> &str {
    flag.split_once('=').map_or(flag, |(name, _)| name)
}
