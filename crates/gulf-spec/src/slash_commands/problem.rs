//! Why a command cannot be followed, where that stands, and what to type instead.
//!
//! Apart from reading because each of these is shown to the person in place of what they asked for.

use super::COMMANDS;
use super::foreign::instead_of;
use crate::marker::legible;
use crate::problem::{Mistake, did_you_mean};

/// What is wrong with one flag, wherever it stands.
#[derive(Debug)]
pub(super) struct FlagProblem {
    what: String,
    help: String,
    /// Where it stands is worth a word only where what stands there could also be prose.
    may_be_prose: bool,
}

/// Where a flag stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
pub(super) enum FlagPlace {
    #[strum(to_string = "before the prompt")]
    BeforePrompt,
    #[strum(to_string = "at the end of the prompt")]
    AtEnd,
    #[strum(to_string = "behind the command")]
    AfterCommand,
}

impl FlagProblem {
    pub(super) fn new(what: String, help: impl Into<String>) -> Self {
        Self { what, help: help.into(), may_be_prose: false }
    }

    pub(super) fn of_value(what: String, help: impl Into<String>) -> Self {
        Self { may_be_prose: true, ..Self::new(what, help) }
    }

    pub(super) fn no_value(flag: &str, takes: &str) -> Self {
        Self::of_value(format!("`{flag}` has no value"), format!("write {takes} behind `{flag}`"))
    }

    pub(super) fn unknown(flag: &str, close: Option<&str>) -> Self {
        let all = || "`/gulf-loop:help` lists all flags".to_owned();
        let help = close.map_or_else(all, |close| did_you_mean(Some(close)));
        Self::new(format!("there is no flag `{}`", legible(flag)), help)
    }

    pub(super) fn at(self, place: FlagPlace) -> Mistake {
        let Self { what, help, may_be_prose } = self;
        let what = if may_be_prose { format!("{what}, {place}") } else { what };
        let literal = "`--` before the prompt takes all behind it literally";
        Mistake::error(
            what,
            match help.as_str() {
                _ if place == FlagPlace::AfterCommand => help,
                "" => literal.to_owned(),
                help => format!("{help} ({literal})"),
            },
        )
    }
}

/// A start without anything to do.
pub fn no_prompt() -> Mistake {
    let help = "write it behind the command: `/gulf-loop:start add a --json flag`";
    Mistake::error("no prompt was given", help)
}

pub(super) fn no_such_command(command: &str, close: Option<&str>) -> Mistake {
    let command = legible(command);
    let all = || format!("available: {}", COMMANDS.join(", "));
    if command.is_empty() {
        return Mistake::error("no command is named", all());
    }
    let close = close.map(|close| format!("did you mean `/gulf-loop:{close}`?"));
    let help = close.or_else(|| instead_of(&command).map(str::to_owned)).unwrap_or_else(all);
    Mistake::error(format!("there is no command `{command}`"), help)
}

pub(super) fn surplus(command: &str, found: &str) -> Mistake {
    let what = format!("`{command}` does not know what to do with `{}`", legible(found));
    let help = if command == "clean" {
        "it takes `--yes`, `--dry-run`, `--unlanded` and `--forgotten`; it is about all finished loops"
            .to_owned()
    } else {
        format!("write `/gulf-loop:{command}` alone; for another loop: `gulf {command}` in a terminal")
    };
    Mistake::error(what, help)
}

pub(super) fn contradiction(first: &str, second: &str) -> Mistake {
    Mistake::error(format!("`{first}` and `{second}` contradict each other"), "keep one of them")
}
