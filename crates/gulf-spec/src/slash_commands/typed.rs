//! What a person has typed behind a command so far, flag by flag.
//!
//! Apart from finding flags because here it shows whether one contradicts itself; whether they agree with each other is
//! the command line's to say.

use super::flags::{FlagTakes, FoundFlag};
use super::problem::{FlagPlace, FlagProblem, contradiction};
use crate::problem::Mistake;

/// What stands behind a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandWords {
    flags: Vec<TypedFlag>,
    /// The prompt of a start, the loop of a resume; blank where there is none.
    pub text: String,
    /// What at the end of the prompt was taken for flags, as it stood there: worth telling the person.
    pub taken_from_end: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct TypedFlag {
    name: String,
    /// As a person would write it.
    said: String,
    value: Option<String>,
}

impl CommandWords {
    /// A command stands for a preset.
    pub(super) fn preset(command: &str, preset: &str) -> Self {
        let (name, said) = ("--preset".to_owned(), command.to_owned());
        Self { flags: vec![TypedFlag { name, said, value: Some(preset.to_owned()) }], ..Self::default() }
    }

    /// Adds what a flag says. The same thing may be said twice.
    pub(super) fn take(&mut self, taken: FoundFlag<'_>, place: FlagPlace) -> Result<(), Mistake> {
        let FoundFlag { flag, said, value, .. } = taken;
        if flag.is_help() {
            let what = format!("`{said}` is a request for help");
            return Err(FlagProblem::new(what, "`/gulf-loop:help` shows it").at(place));
        }
        let before = self.flags.iter().find(|before| before.name == flag.name());
        match (flag.takes, before) {
            (FlagTakes::OnlyRun, _) => {
                let flag = flag.name();
                let what = format!("`{flag}` cannot be used in a session: the session itself is the worker");
                let help = format!("leave it out, or use `gulf run {flag}` in a terminal");
                Err(FlagProblem::new(what, help).at(place))
            }
            (FlagTakes::Nothing | FlagTakes::Value, Some(before)) if before.value == value => Ok(()),
            (FlagTakes::Nothing | FlagTakes::Value, Some(TypedFlag { said: first, .. })) => {
                Err(contradiction(first, &said))
            }
            (FlagTakes::Nothing | FlagTakes::Value | FlagTakes::Values, _) => {
                self.flags.push(TypedFlag { name: flag.name().to_owned(), said, value });
                Ok(())
            }
        }
    }

    /// What is to be done is said in words, or elsewhere.
    pub(super) fn with_one_goal(self) -> Result<Self, Mistake> {
        let said = |flag: &str| self.flags.iter().find(|said| said.name == flag);
        let is_in_words = !self.text.trim().is_empty();
        match (said("--spec"), said("--file")) {
            (Some(spec), Some(file)) => Err(contradiction(&spec.said, &file.said)),
            (Some(spec), None) if is_in_words => {
                let id = spec.value.as_deref().unwrap_or_default();
                let help = "leave the words out, or write them into the spec; `gulf steer` adds to it later";
                Err(Mistake::error(format!("the goal is given twice: by the spec `{id}` and as text"), help))
            }
            (None, Some(file)) if is_in_words => {
                let file = file.value.as_deref().unwrap_or_default();
                let what = format!("the goal is given twice: in `{file}` and as text");
                Err(Mistake::error(what, "keep one of them"))
            }
            (Some(_), None) | (None, _) => Ok(self),
        }
    }

    /// Was this flag typed? It is named with its two dashes.
    pub fn says(&self, flag: &str) -> bool {
        self.flags.iter().any(|said| said.name == flag)
    }

    /// The same as a shell would part it for the command line.
    pub fn to_arguments(&self) -> Vec<String> {
        let flags = self.flags.iter().map(|TypedFlag { name, value, .. }| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        });
        let text = (!self.text.trim().is_empty()).then(|| ["--".to_owned(), self.text.clone()]);
        flags.chain(text.into_iter().flatten()).collect()
    }
}
