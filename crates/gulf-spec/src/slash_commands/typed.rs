//! What a person has typed behind a command so far, flag by flag.
//!
//! Apart from finding flags because here it shows whether one contradicts itself; whether they agree with each other is
//! the command line's to say.

use super::flags::{FlagTakes, FoundFlag};
use super::problem::{FlagPlace, FlagProblem, SpokenError};

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
    pub(super) fn take(&mut self, taken: FoundFlag<'_>, place: FlagPlace) -> Result<(), SpokenError> {
        let FoundFlag { flag, said, value, .. } = taken;
        if flag.is_help() {
            return Err(FlagProblem::Help { flag: said }.at(place));
        }
        let before = self.flags.iter().find(|before| before.name == flag.name());
        match (flag.takes, before) {
            (FlagTakes::OnlyRun, _) => Err(FlagProblem::OnlyRun { flag: flag.name().to_owned() }.at(place)),
            (FlagTakes::Nothing | FlagTakes::Value, Some(before)) if before.value == value => Ok(()),
            (FlagTakes::Nothing | FlagTakes::Value, Some(TypedFlag { said: first, .. })) => {
                Err(SpokenError::Contradiction { first: first.clone(), second: said })
            }
            (FlagTakes::Nothing | FlagTakes::Value | FlagTakes::Values, _) => {
                self.flags.push(TypedFlag { name: flag.name().to_owned(), said, value });
                Ok(())
            }
        }
    }

    /// What is to be done is said in words, or elsewhere.
    pub(super) fn with_one_goal(self) -> Result<Self, SpokenError> {
        let said = |flag: &str| self.flags.iter().find(|said| said.name == flag);
        let is_in_words = !self.text.trim().is_empty();
        match (said("--spec"), said("--file")) {
            (Some(spec), Some(file)) => {
                let (first, second) = (spec.said.clone(), file.said.clone());
                Err(SpokenError::Contradiction { first, second })
            }
            (Some(spec), None) if is_in_words => {
                Err(SpokenError::PromptAndSpec { id: spec.value.clone().unwrap_or_default() })
            }
            (None, Some(file)) if is_in_words => {
                Err(SpokenError::PromptAndFile { file: file.value.clone().unwrap_or_default() })
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
