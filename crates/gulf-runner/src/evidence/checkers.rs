//! What only a check's own programs use: a program that its script runs in turn, and the data that such a program names: a budget,
//! an allow-list, a table of what is expected.
//!
//! None of it is named by the check's command, and what a check looks at may be the work: so it counts as tests do,
//! and where the base's passes on the candidate's code it hides nothing.

use std::collections::BTreeSet;

use gulf_agents::sources::{
    is_runner_configuration, is_source, is_test_path, is_test_support_path, names_file,
};

use super::recipes::{is_of_shell, is_tool};
use super::{CandidateEvidence, commands, file_name};
use crate::agreement::SealedCheck;
use crate::error::Failure;

impl CandidateEvidence<'_> {
    /// Files of the base that the candidate changed.
    pub(super) fn of_checkers(&self) -> Result<BTreeSet<String>, Failure> {
        let changed = self.difference.files.iter().filter(|(path, file)| {
            file.base.is_some()
                && file.base != file.candidate
                && !names_file(&self.resources.agreement.goal, path)
        });
        let counts = |path: &&str| {
            !(is_test_path(path) || is_test_support_path(path) || is_runner_configuration(path))
        };
        let changed: Vec<&str> = changed.map(|(path, _)| path.as_str()).filter(counts).collect();
        let mut found = BTreeSet::new();
        if !changed.is_empty() {
            for check in self.open_checks() {
                found.extend(self.of_checker(check, &changed)?);
            }
        }
        Ok(found)
    }

    fn of_checker(&self, check: &SealedCheck, changed: &[&str]) -> Result<Vec<String>, Failure> {
        let commands = self.texts.commands(check);
        let decided = self.texts.decided_by(&commands);
        let scripts = decided.iter().filter(|(path, text)| is_of_shell(path, text));
        let lines: Vec<String> = scripts.flat_map(|(_, text)| text.lines()).map(str::to_owned).collect();
        // One that looks at no other file of the project is the product, perhaps, whatever folder it lies in.
        let mut programs = self.texts.decided_by(&lines);
        programs
            .retain(|(path, text)| is_source(path) && is_tool(path) && self.texts.names_another(text, path));
        let said = self.resources.record(check, self.base.tree.as_str())?;
        let said = said.map(|record| record.tail).unwrap_or_default();
        let is_program = |path: &str| programs.iter().any(|(program, _)| *program == path);
        let checking: Vec<&(&str, String)> =
            decided.iter().filter(|(path, _)| is_source(path)).chain(&programs).collect();
        let is_named = |path: &str| checking.iter().any(|(_, text)| names_file(text, path));
        // What a check is given, or complains of, is what it looks at.
        let is_looked_at = |path: &str| {
            commands.iter().any(|command| {
                commands::command_words(command).any(|word| file_name(word) == file_name(path))
            }) || names_file(&said, path)
        };
        let is_theirs = |path: &str| {
            let mut naming = self.texts.naming(path).into_iter().flatten().peekable();
            naming.peek().is_some()
                && naming
                    .all(|source| is_test_path(source) || checking.iter().any(|(path, _)| *path == source))
        };
        let is_data =
            |path: &str| !is_source(path) && is_named(path) && !is_looked_at(path) && is_theirs(path);
        let found = changed.iter().filter(|path| is_program(path) || is_data(path));
        Ok(found.map(|path| (*path).to_owned()).collect())
    }
}
