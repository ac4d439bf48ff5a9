//! What a person has said so far, flag by flag.
//!
//! Apart from finding flags because here it shows whether they agree with each other.

use std::collections::BTreeMap;

use super::flags::{Meaning, Slot, Taken};
use super::problem::{FlagPlace, FlagProblem, SpokenError};
use super::{Goal, ResumeWords, StartWords};
use crate::config::Key;

const PRESET: Slot = Slot::Setting(Key::Preset);

/// All that was said; each slot holds the words and the value.
#[derive(Debug, Default)]
pub(super) struct Told {
    said: BTreeMap<Slot, (String, String)>,
    checks: Vec<(Key, String)>,
    strategies: Vec<String>,
}

impl Told {
    /// A command stands for a preset.
    pub(super) fn preset(&mut self, command: &str, preset: &str) {
        self.said.insert(PRESET, (command.to_owned(), preset.to_owned()));
    }

    /// Adds what a flag says. The same thing may be said twice.
    pub(super) fn take(&mut self, taken: Taken, place: FlagPlace) -> Result<(), SpokenError> {
        let Taken { flag, said, value, .. } = taken;
        let slot = match flag.meaning {
            Meaning::Value(Slot::Setting(key @ (Key::CheckCommand | Key::CheckNew))) => {
                self.checks.push((key, value));
                return Ok(());
            }
            Meaning::Value(Slot::Setting(Key::ParallelStrategies)) => {
                self.strategies.push(value);
                return Ok(());
            }
            Meaning::Value(slot) | Meaning::Says(slot, _) => slot,
            Meaning::Help => return Err(FlagProblem::Help { flag: said }.at(place)),
            Meaning::OnlyRun => return Err(FlagProblem::OnlyRun { flag: flag.name.to_owned() }.at(place)),
        };
        if let Some((first, before)) = self.said.get(&slot) {
            if *before != value {
                return Err(SpokenError::Contradiction { first: first.clone(), second: said });
            }
            return Ok(());
        }
        self.said.insert(slot, (said, value));
        Ok(())
    }

    pub(super) fn start(
        mut self,
        text: String,
        taken_from_end: Option<String>,
    ) -> Result<StartWords, SpokenError> {
        let goal = self.goal(text)?;
        self.ask_judge()?;
        Ok(StartWords {
            rubric: self.value(Slot::Rubric),
            replace: self.value(Slot::Replace).is_some(),
            ignore_questions: self.value(Slot::IgnoreQuestions).is_some(),
            unverified: self.value(Slot::Unverified).is_some(),
            settings: self.settings(),
            goal,
            taken_from_end,
        })
    }

    /// It is said in one of three ways, or the project says it.
    fn goal(&mut self, text: String) -> Result<Goal, SpokenError> {
        let in_words = !text.trim().is_empty();
        match (self.said.remove(&Slot::Spec), self.said.remove(&Slot::File)) {
            (Some((spec, _)), Some((file, _))) => {
                Err(SpokenError::Contradiction { first: spec, second: file })
            }
            (Some((_, id)), None) if in_words => Err(SpokenError::PromptAndSpec { id }),
            (Some((_, id)), None) => Ok(Goal::Spec(id)),
            (None, Some((_, file))) if in_words => Err(SpokenError::PromptAndFile { file }),
            (None, Some((_, file))) => Ok(Goal::File(file)),
            (None, None) if in_words => Ok(Goal::Text(text)),
            (None, None) => Ok(Goal::Project),
        }
    }

    pub(super) fn resume(mut self, loop_id: Option<String>) -> ResumeWords {
        let accept_contract = self.value(Slot::AcceptContract).is_some();
        ResumeWords { settings: self.settings(), accept_contract, loop_id }
    }

    /// `--with-judge` beside another preset asks for a judge there, and alone it is a preset of its own.
    fn ask_judge(&mut self) -> Result<(), SpokenError> {
        let Some(asked) = self.said.remove(&Slot::WithJudge) else { return Ok(()) };
        match self.said.get(&PRESET) {
            None => {
                self.said.insert(PRESET, (asked.0, "judge".to_owned()));
            }
            Some((_, preset)) if preset == "judge" => {}
            Some((preset, word)) if word == "basic" => {
                return Err(SpokenError::Contradiction { first: preset.clone(), second: asked.0 });
            }
            Some(_) => {
                self.said.insert(Slot::Setting(Key::JudgeRequired), asked);
            }
        }
        Ok(())
    }

    fn value(&mut self, slot: Slot) -> Option<String> {
        self.said.remove(&slot).map(|(_, value)| value)
    }

    /// In the order of the table; checks and strategies in the order in which they were said.
    fn settings(self) -> Vec<(Key, String)> {
        let single = self.said.into_iter().filter_map(|(slot, (_, value))| match slot {
            Slot::Setting(key) => Some((key, value)),
            Slot::WithJudge
            | Slot::Rubric
            | Slot::File
            | Slot::Spec
            | Slot::Replace
            | Slot::IgnoreQuestions
            | Slot::Unverified
            | Slot::AcceptContract => None,
        });
        // In the form that a list has in a flag.
        let strategies = (!self.strategies.is_empty()).then(|| self.strategies.join(","));
        let strategies = strategies.map(|files| (Key::ParallelStrategies, files));
        single.chain(strategies).chain(self.checks).collect()
    }
}
