//! Libraries of a shell that a check's scripts source: the work, where the check asks their functions for what they print.

use camino::Utf8Path;
use gulf_agents::sources::{Edit, broken_examples, changed_functions};
use gulf_engine::Finding;
use gulf_host::programs::missing_program;

use super::CandidateEvidence;
use super::commands::{are_examining, are_sourcing};
use super::settings::{AskedProgram, changed_commands};
use crate::agreement::SealedCheck;
use crate::error::Result;

/// Each example costs a run of the check.
const EXAMPLES_MAX: usize = 20;

impl CandidateEvidence<'_> {
    /// What the candidate changed of what decides a check, and apart from it what may be the work.
    pub(super) fn decided_and_asked(&self, check: &SealedCheck) -> Result<(Vec<Finding>, Vec<AskedProgram>)> {
        let commands = self.texts.commands(check);
        let goal = &self.resources.agreement.goal;
        let (mut decided, mut asked) =
            changed_commands(&self.difference, check, &commands, goal, &self.texts);
        asked.extend(self.asked_functions(&commands, &mut decided));
        let mut deciding = Vec::new();
        for finding in decided {
            if !self.is_examined(check, &commands, &finding.path)? {
                deciding.push(finding);
            }
        }
        Ok((deciding, asked))
    }

    /// Does the check run the base's own examples of this program? Then it is red where one of these expects something else.
    fn is_examined(&self, check: &SealedCheck, commands: &[String], path: &str) -> Result<bool> {
        let file = self.difference.files.get(path).filter(|_| are_examining(commands, path));
        let broken = file.and_then(|file| broken_examples(path, file)).unwrap_or_default();
        let mut is_seen = !broken.is_empty() && broken.len() <= EXAMPLES_MAX;
        for bytes in broken.into_iter().take(EXAMPLES_MAX) {
            let edit = Edit { path: path.to_owned(), bytes: Some(bytes) };
            is_seen = is_seen && !self.against(check, &self.with_base_tests(&[edit])?)?.1.is_empty();
        }
        Ok(is_seen)
    }

    /// Takes libraries out of what decides the check, where only functions were changed that leave its scripts alone: whether
    /// these are the work, their answers say.
    fn asked_functions(&self, commands: &[String], decided: &mut Vec<Finding>) -> Vec<AskedProgram> {
        let is_command = |name: &str| missing_program(name, Utf8Path::new("/")).is_none();
        let mut asked = Vec::new();
        for finding in std::mem::take(decided) {
            let scripts = self.texts.scripts_but(commands, &finding.path);
            let file = self.difference.files.get(&finding.path);
            let file = file.filter(|_| are_sourcing(&scripts, &finding.path));
            match file.and_then(|file| changed_functions(file, &scripts, is_command)) {
                // What it prints is looked at where it stands: `[ "$(slug "a b")" = a-b ]`.
                Some(names) => {
                    let is_printed =
                        |name: &&str| scripts.iter().any(|text| text.contains(&format!("$({name} ")));
                    let words = names.into_iter().filter(is_printed).map(str::to_owned).collect();
                    asked.push(AskedProgram { finding, words });
                }
                None => decided.push(finding),
            }
        }
        asked
    }
}
