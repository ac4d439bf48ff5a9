//! Why a command cannot be followed, where that stands, and what to type instead.
//!
//! Apart from reading because each of these is shown to the person in place of what they asked for.

use crate::problem::{Problem, did_you_mean};

use super::COMMANDS;
use super::foreign::instead_of;

/// Why a command cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum SpokenError {
    #[error("no command is named")]
    #[diagnostic(help("available: {}", COMMANDS.join(", ")))]
    NoCommand,
    #[error("there is no command `{command}`")]
    #[diagnostic(help("{}", instead_of_command(command, *close)))]
    UnknownCommand { command: String, close: Option<&'static str> },
    #[error("{}", problem.placed(*place))]
    #[diagnostic(help("{}", instead_of_flag(problem, *place)))]
    Flag { problem: FlagProblem, place: FlagPlace },
    #[error("`{first}` and `{second}` contradict each other")]
    #[diagnostic(help("keep one of them"))]
    Contradiction { first: String, second: String },
    #[error("no prompt was given")]
    #[diagnostic(help("write it behind the command: `/gulf-loop:start add a --json flag`"))]
    NoPrompt,
    #[error("the goal is given twice: in `{file}` and as text")]
    #[diagnostic(help("keep one of them"))]
    PromptAndFile { file: String },
    #[error("the goal is given twice: by the spec `{id}` and as text")]
    #[diagnostic(help("leave the words out, or write them into the spec; `gulf steer` adds to it later"))]
    PromptAndSpec { id: String },
    #[error("`{command}` does not know what to do with `{found}`")]
    #[diagnostic(help("{}", without_surplus(command)))]
    Surplus { command: &'static str, found: String },
}

/// What is wrong with one flag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
pub enum FlagProblem {
    #[error("there is no flag `{flag}`")]
    #[diagnostic(help("{}", close_or_all(close.as_deref())))]
    Unknown { flag: String, close: Option<String> },
    #[error("`{flag}` has no value")]
    #[diagnostic(help("write {takes} behind `{flag}`"))]
    NoValue { flag: String, takes: String },
    #[error("`{flag}` must be {takes}, not `{found}`")]
    #[diagnostic(help("{}", did_you_mean(close.as_deref())))]
    WrongValue { flag: String, takes: String, found: String, close: Option<String> },
    #[error("`{flag}` is on or absent and takes no value")]
    #[diagnostic(help("write `{}` alone", name(flag)))]
    SurplusValue { flag: String },
    #[error("the quote behind `{flag}` is not closed")]
    #[diagnostic(help("put the whole value between straight quotes"))]
    QuoteOpen { flag: String },
    #[error("only a part of the value of `{flag}` is in quotes")]
    #[diagnostic(help("put the whole value between straight quotes"))]
    PartlyQuoted { flag: String },
    #[error("`{flag}` cannot be used in a session: the session itself is the worker")]
    #[diagnostic(help("leave it out, or use `gulf run {}` in a terminal", name(flag)))]
    OnlyRun { flag: String },
    #[error("`{flag}` is a request for help")]
    #[diagnostic(help("`/gulf-loop:help` shows it"))]
    Help { flag: String },
}

/// Where a flag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub enum FlagPlace {
    #[strum(to_string = "before the prompt")]
    BeforePrompt,
    #[strum(to_string = "at the end of the prompt")]
    AtEnd,
    #[strum(to_string = "behind the command")]
    AfterCommand,
}

impl FlagProblem {
    pub(super) fn at(self, place: FlagPlace) -> SpokenError {
        SpokenError::Flag { problem: self, place }
    }

    /// Where it stands is worth a word only where what stands there could also be prose.
    fn placed(&self, place: FlagPlace) -> String {
        let is_no_prose = matches!(self, Self::Unknown { .. } | Self::OnlyRun { .. } | Self::Help { .. });
        if is_no_prose { self.to_string() } else { format!("{self}, {place}") }
    }
}

impl Problem for SpokenError {}
impl Problem for FlagProblem {}

fn close_or_all(close: Option<&str>) -> String {
    close.map_or_else(|| "`/gulf-loop:help` lists all flags".to_owned(), |close| did_you_mean(Some(close)))
}

fn instead_of_command(command: &str, close: Option<&str>) -> String {
    match (close, instead_of(command)) {
        (Some(close), _) => format!("did you mean `/gulf-loop:{close}`?"),
        (None, Some(instead)) => instead.to_owned(),
        (None, None) => format!("available: {}", COMMANDS.join(", ")),
    }
}

fn instead_of_flag(problem: &FlagProblem, place: FlagPlace) -> String {
    let remedy = problem.hint();
    if place == FlagPlace::AfterCommand {
        return remedy.unwrap_or_default();
    }
    let literal = "`--` before the prompt takes all behind it literally";
    remedy.map_or(literal.to_owned(), |remedy| format!("{remedy} ({literal})"))
}

fn without_surplus(command: &str) -> String {
    if command == "clean" {
        return "it takes `--yes`, `--dry-run`, `--unlanded` and `--forgotten`; it is about all finished loops".to_owned();
    }
    format!("write `/gulf-loop:{command}` alone; for another loop: `gulf {command}` in a terminal")
}

/// The flag without a value that is glued to it.
fn name(flag: &str) -> &str {
    flag.split_once('=').map_or(flag, |(name, _)| name)
}
