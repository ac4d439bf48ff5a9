//! What only a check's own programs use: a program that its script runs in turn, and the data that such a program names: a budget,
//! an allow-list, a table of what is expected.
//!
//! None of it is named by the check's command, and what a check looks at may be the work: so it counts as tests do,
//! and where the base's passes on the candidate's code it hides nothing.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gulf_agents::sources::{file_of, is_runner_configuration, is_source, is_test_path, names_file};
use gulf_spec::environment::Selection;

use super::recipes::{goes_through_packages, is_of_shell, is_tool, package_scripts};
use super::{CandidateEvidence, commands, is_of_tests, patterns};
use crate::agreement::SealedCheck;
use crate::error::Result;

impl CandidateEvidence<'_> {
    /// Files of the base that the candidate changed.
    pub(super) fn of_checkers(&self) -> Result<BTreeSet<String>> {
        let goal = &self.resources.agreement.goal;
        let changed = self.difference.files.iter().filter(|(_, file)| file.is_of_base());
        let is_told = |path: &str| is_runner_configuration(path) || names_file(goal, path);
        let counts = |path: &&str| !is_of_tests(path) && !is_told(path);
        let changed: Vec<&str> = changed.map(|(path, _)| path.as_str()).filter(counts).collect();
        let mut found = BTreeSet::new();
        if !changed.is_empty() {
            for check in self.open_checks() {
                found.extend(self.of_checker(check, &changed)?);
            }
        }
        Ok(found)
    }

    fn of_checker(&self, check: &SealedCheck, changed: &[&str]) -> Result<Vec<String>> {
        let commands = self.texts.commands(check);
        let decided = self.texts.decided_by(&commands);
        let scripts = decided.iter().filter(|(path, text)| is_of_shell(path, text));
        let lines: Vec<String> = scripts.flat_map(|(_, text)| text.lines()).map(str::to_owned).collect();
        // One that looks at no other file of the project is the product, perhaps, whatever folder it lies in.
        let mut programs = self.texts.decided_by(&lines);
        programs.retain(|(path, _)| is_tool(path));
        let read = |path: &str| self.texts.read(Utf8Path::new(""), path);
        // A package manager may run the scripts of all packages.
        let goes_on = commands.iter().any(|command| goes_through_packages(command));
        let packages = self.texts.paths().filter(|path| goes_on && path.ends_with("/package.json"));
        let further = packages.filter_map(read).flat_map(|text| package_scripts(&check.command, &text));
        programs.extend(self.texts.decided_by(&further.collect::<Vec<_>>()));
        programs.retain(|(path, text)| is_source(path) && self.texts.names_another(text, path));
        let said = self.resources.record(check, self.base.tree.as_str())?;
        let said = said.map(|record| record.tail).unwrap_or_default();
        let is_program = |path: &str| programs.iter().any(|(program, _)| *program == path);
        let checking: Vec<&(&str, String)> =
            decided.iter().filter(|(path, _)| is_source(path)).chain(&programs).collect();
        let is_named = |path: &str| checking.iter().any(|(_, text)| names_file(text, path));
        // What a check is given, or complains of, is what it looks at.
        let is_looked_at = |path: &str| {
            let mut words = commands.iter().flat_map(|command| commands::command_words(command));
            words.any(|word| file_of(word) == file_of(path)) || names_file(&said, path)
        };
        let is_theirs = |path: &str| {
            let mut naming = self.texts.naming(path).into_iter().flatten().peekable();
            naming.peek().is_some()
                && naming
                    .all(|source| is_test_path(source) || checking.iter().any(|(path, _)| *path == source))
        };
        let is_data =
            |path: &str| !is_source(path) && is_named(path) && !is_looked_at(path) && is_theirs(path);
        let run = patterns::run_by(&[commands.as_slice(), &lines].concat().join("\n"));
        let run = Selection::of_words(run.iter().map(String::as_str));
        // What Go imports stands in a list.
        let looks = |path: &str| {
            path.ends_with(".go") || self.texts.names_another(&read(path).unwrap_or_default(), path)
        };
        let is_run = |path: &str| run.selects(path) && looks(path);
        let found = changed.iter().filter(|path| is_program(path) || is_data(path) || is_run(path));
        Ok(found.map(|path| (*path).to_owned()).collect())
    }
}
