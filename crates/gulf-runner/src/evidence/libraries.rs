//! Libraries of a shell that a check's scripts source: the work, where the check asks their functions for what they print.

use std::collections::BTreeSet;

use camino::Utf8Path;
use gulf_agents::sources::{Edit, EnclosedFunctions, broken_examples, enclosed_functions, is_word_of};
use gulf_engine::Finding;
use gulf_host::programs::missing_program;

use super::CandidateEvidence;
use super::commands::{are_examining, are_sourcing, called_program, plain_parts};
use super::restored::CHECKING;
use super::settings::{AskedProgram, changed_commands};
use crate::agreement::SealedCheck;
use crate::error::Result;

/// A program that says one thing may be a check; of so many answers it is the work.
const ANSWERS_MIN: usize = 2;
/// Each example costs a run of the check.
const EXAMPLES_MAX: usize = 20;

impl CandidateEvidence<'_> {
    /// What the candidate changed of what decides a check, and apart from it what may be the work.
    pub(super) fn decided_and_asked(&self, check: &SealedCheck) -> Result<(Vec<Finding>, Vec<AskedProgram>)> {
        let commands = self.texts.commands(check);
        let goal = &self.resources.agreement.goal;
        let (mut decided, mut asked) =
            changed_commands(&self.difference, check, &commands, goal, &self.texts);
        asked.extend(self.asked_functions(check, &commands, &mut decided)?);
        self.without_examined(check, &commands, &mut decided)?;
        Ok((decided, asked))
    }

    /// Takes programs out of what decides the check, of which it runs the base's own examples: it is red where one of these
    /// expects something else.
    fn without_examined(
        &self,
        check: &SealedCheck,
        commands: &[String],
        decided: &mut Vec<Finding>,
    ) -> Result<()> {
        for finding in std::mem::take(decided) {
            let path = &finding.path;
            let file = self.difference.files.get(path).filter(|_| are_examining(commands, path));
            let broken = file.and_then(|file| broken_examples(path, file)).unwrap_or_default();
            let mut is_seen = !broken.is_empty() && broken.len() <= EXAMPLES_MAX;
            for bytes in broken.into_iter().take(EXAMPLES_MAX) {
                let edit = Edit { path: path.clone(), bytes: Some(bytes) };
                is_seen = is_seen && !self.against(check, &self.with_base_tests(&[edit])?)?.1.is_empty();
            }
            if !is_seen {
                decided.push(finding);
            }
        }
        Ok(())
    }

    /// Takes libraries out of what decides the check, where only functions were changed that the check asks, and it passes
    /// though each of them runs in a shell of its own.
    fn asked_functions(
        &self,
        check: &SealedCheck,
        commands: &[String],
        decided: &mut Vec<Finding>,
    ) -> Result<Vec<AskedProgram>> {
        let library = |path: &str| -> Option<EnclosedFunctions> {
            let scripts = self.texts.scripts_but(commands, path);
            let file = self.difference.files.get(path).filter(|_| are_sourcing(&scripts, path));
            let functions = enclosed_functions(file?)?;
            self.are_asked(&functions, &scripts).then_some(functions)
        };
        let found = decided.iter().map(|finding| finding.path.as_str());
        let found: Vec<_> = found.filter_map(|path| Some((path.to_owned(), library(path)?))).collect();
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let paths: BTreeSet<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
        let is_of_functions = |finding: &mut Finding| paths.contains(finding.path.as_str());
        let of_functions: Vec<Finding> = decided.extract_if(.., is_of_functions).collect();
        let mut edits = self.edits_without(&self.strays());
        edits.extend(self.scripts_of_base(decided));
        edits.retain(|edit| {
            !paths.contains(edit.path.as_str()) && !self.difference.same_makefiles.contains(&edit.path)
        });
        let enclosed = |(path, functions): &(String, EnclosedFunctions)| Edit {
            path: path.clone(),
            bytes: Some(functions.text.clone().into_bytes()),
        };
        edits.extend(found.iter().map(enclosed));
        let (_, against) = self.against(check, &self.with_base_tests(&edits)?)?;
        if !against.is_empty() {
            decided.extend(of_functions);
            return Ok(Vec::new());
        }
        // One that gives the answers that these expect, and does not hold them, need not be asked otherwise.
        let gives = |finding: &Finding| {
            let functions = found.iter().find(|(path, _)| *path == finding.path);
            functions.is_some_and(|(path, functions)| {
                let scripts = self.texts.scripts_but(commands, path).join("\n");
                let names = functions.changed.iter().chain(&functions.added);
                let answers: BTreeSet<&str> = names.flat_map(|name| answers_of(&scripts, name)).collect();
                // A letter stands in every text.
                let mut telling = answers.iter().filter(|answer| answer.len() > 1).peekable();
                answers.len() >= ANSWERS_MIN
                    && telling.peek().is_some()
                    && telling.all(|answer| !functions.text.contains(answer))
            })
        };
        let asked = |finding| AskedProgram { finding, word: String::new() };
        Ok(of_functions.into_iter().filter(|finding| !gives(finding)).map(asked).collect())
    }

    /// Are these functions asked for what they print, or named by the goal, and none that decide what the check says? A new one
    /// takes no command's place.
    fn are_asked(&self, functions: &EnclosedFunctions, scripts: &[String]) -> bool {
        let goal = self.resources.agreement.goal.as_str();
        let is_meant =
            |name: &str| is_word_of(name, [goal]) && !CHECKING.iter().any(|word| name.contains(word));
        let is_asked = |name: &str| is_meant(name) || scripts.iter().all(|text| is_only_asked(text, name));
        let is_defined = |name: &str| {
            let forms = [format!("{name}()"), format!("{name} ()"), format!("function {name}")];
            scripts.iter().any(|text| forms.iter().any(|form| text.contains(form.as_str())))
        };
        let is_unknown = |name: &str| {
            let is_free = missing_program(name, Utf8Path::new("/")).is_some() && !is_defined(name);
            is_free || !is_word_of(name, scripts.iter().map(String::as_str))
        };
        functions.changed.iter().all(|name| is_asked(name))
            && functions.added.iter().all(|name| is_unknown(name) && is_asked(name))
    }
}

/// What a script compares with what such a function prints: of `[ "$(join , a b)" = "a,b" ]` and `is "$(join , a b)" a,b` it is
/// `a,b`.
fn answers_of<'script>(script: &'script str, name: &str) -> Vec<&'script str> {
    let calls = script.match_indices(&format!("$({name} ")).map(|(at, _)| at + 2).collect::<Vec<_>>();
    let answer = |at: usize| {
        let mut depth = 1_usize;
        let end = script[at..].find(|letter| {
            depth += usize::from(letter == '(');
            depth -= usize::from(letter == ')');
            depth == 0
        })?;
        let rest = script[at + end + 1..].lines().next()?.trim_start_matches('"').trim_start();
        let rest = ["== ", "= "].iter().find_map(|sign| rest.strip_prefix(sign)).unwrap_or(rest);
        let quote = rest.chars().next().filter(|first| "\"'".contains(*first));
        match quote {
            Some(quote) => rest[1..].split(quote).next(),
            None => rest.split([' ', ';', ']']).next().filter(|word| !word.starts_with(['!', '$', '|', '&'])),
        }
    };
    calls.into_iter().filter_map(answer).collect()
}

/// Does this script call the function for its output alone: `[ "$(slug "a b")" = a-b ]`?
fn is_only_asked(script: &str, name: &str) -> bool {
    let mut parts = plain_parts(script).into_iter();
    parts.all(|(part, is_quoted, _)| is_quoted || called_program(part) != Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_within_a_word_is_asked_for_its_output() {
        let script =
            "# slug (x)\nexpect \"slug\" \"$(slug \"a b\")\" a-b\nif [ `slug c` = c ]; then echo ok; fi\n";
        assert!(is_only_asked(script, "slug"));
        assert!(!is_only_asked(script, "expect"));
    }

    #[test]
    fn what_a_script_compares_is_what_it_expects() {
        let script = "[ \"$(join , a \"$(up b)\")\" = \"a,B\" ] || exit 1\nis 'two' \"$(join , a b)\" a,b\n[ \"$(join , a)\" != x ]\n\
                      test $(join - a b) = 'a b'\njoin a\n";
        assert_eq!(answers_of(script, "join"), ["a,B", "a,b", "a b"]);
    }

    #[test]
    fn one_that_decides_is_not() {
        for line in [
            "slug a", "if slug a; then", "! slug a || exit 1", "slug() { :; }", "while slug; do",
            "a=1 slug b",
        ] {
            assert!(!is_only_asked(&format!("x=\"$(slug a)\"\n{line}\n"), "slug"), "{line}");
        }
    }
}
