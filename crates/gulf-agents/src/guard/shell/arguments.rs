//! From the words of a command to its arguments: keywords left out, assignments made, variables replaced.
//!
//! It stands apart because most commands are none that write, and their words need not be looked at any further.

use super::Shell;
use super::expand;
use super::scan::{self, OPENERS};
use super::tree::{Command, Part, Step, Word};
use crate::guard::ground::{self, Folder};
use crate::guard::programs;
use crate::guard::value::Value;

/// What one variable may hold; longer ones are unknown.
const VARIABLE_BYTES_MAX: usize = 16 * 1024;

/// Arguments of one command that are looked at.
const ARGUMENTS_MAX: usize = 10_000;

impl Shell<'_> {
    /// The program and its arguments; none where the program is none that matters here.
    pub(super) fn arguments(&mut self, command: &Command<'_>) -> Vec<Value> {
        let mut words = command.words.as_slice();
        while let Some((first, rest)) = words.split_first() {
            match first.bare() {
                Some("function") => words = rest.get(1..).unwrap_or_default(),
                Some(text) if OPENERS.contains(&text) => words = rest,
                Some("for" | "select") => {
                    self.set_loop_variable(words);
                    return Vec::new();
                }
                Some("case") => return Vec::new(),
                Some(_) | None => break,
            }
        }
        let mut assigned = Vec::new();
        while let Some((first, rest)) = words.split_first()
            && let Some(name) = assignment(first)
        {
            assigned.push((name, first));
            words = rest;
        }
        let Some(program) = words.first() else {
            for (name, word) in assigned {
                self.assign(name, word);
            }
            return Vec::new();
        };
        let is_known =
            program.bare().is_none_or(|name| name.contains(['{', '*']) || programs::is_known(name));
        if !is_known {
            return Vec::new();
        }
        let mut arguments = Vec::new();
        for word in words.iter().take(ARGUMENTS_MAX) {
            arguments.extend(self.values(word, 0));
        }
        arguments
    }

    /// All that a word may become; `skipped` bytes of it left out.
    pub(super) fn values(&mut self, word: &Word<'_>, skipped: usize) -> Vec<Value> {
        expand::expand(word, skipped, |part| self.value_of(part))
    }

    fn assign(&mut self, name: &str, word: &Word<'_>) {
        let plain = name.trim_end_matches('+');
        let is_added = plain.len() < name.len();
        // Patterns look for files where the variable is used, and only without quotes.
        let values = self.values(word, name.len() + 1);
        let values: Vec<Value> = values.into_iter().map(Value::without_pattern).collect();
        let is_known = values.iter().map(|value| value.text.len()).sum::<usize>() <= VARIABLE_BYTES_MAX
            && !values.iter().any(|value| value.is_unknown);
        self.set_variable(plain, (is_known && !is_added).then_some(values));
    }

    /// `for name in words`
    fn set_loop_variable(&mut self, words: &[Word<'_>]) {
        let [_, name, rest @ ..] = words else { return };
        let Some(name) = name.bare() else { return };
        let values: Vec<Value> = match rest {
            [mark, items @ ..] if mark.bare() == Some("in") => {
                items.iter().take(ARGUMENTS_MAX).flat_map(|word| self.values(word, 0)).collect()
            }
            _ => Vec::new(),
        };
        let known: Vec<Value> = values.into_iter().filter(|value| !value.is_unknown).collect();
        self.set_variable(name, (!known.is_empty()).then_some(known));
    }

    fn value_of(&mut self, part: &Part<'_>) -> Option<Vec<Value>> {
        let (values, is_quoted) = match part {
            Part::Variable { name, is_quoted, otherwise } => (self.variable(name, *otherwise)?, *is_quoted),
            Part::Output(steps) => (self.output(steps)?, false),
            Part::Backticks(text) if text.len() <= self.scanned_left => {
                self.scanned_left -= text.len();
                let script = scan::script(text, &mut self.parts_left);
                (self.output(&script.steps)?, false)
            }
            Part::List(items) => {
                return Some(
                    items.iter().flat_map(|item| self.values(item, 0)).take(ARGUMENTS_MAX).collect(),
                );
            }
            Part::Bare(_) | Part::Quoted(_) | Part::Backticks(_) | Part::Unknown => return None,
        };
        let length = values.iter().map(|value| value.text.len() + 1).sum::<usize>();
        self.replaced_left = self.replaced_left.checked_sub(length)?;
        let bare = || expand::split(&values).iter().map(Value::as_pattern).collect();
        Some(if is_quoted { values } else { bare() })
    }

    fn variable(&self, name: &str, otherwise: Option<&str>) -> Option<Vec<Value>> {
        if let Some(values) = self.variables.get(name) {
            return Some(values.to_vec());
        }
        let folder =
            |folder: Option<&Folder>| folder.map(|folder| vec![Value::literal(ground::text(folder))]);
        let known = match name {
            "PWD" => folder(self.folder.as_ref()),
            "HOME" => folder(self.ground.home()),
            "CLAUDE_PROJECT_DIR" | "COPILOT_PROJECT_DIR" => folder(self.ground.project()),
            "GULF_HOME" => self.ground.outside().map(|path| vec![Value::literal(path)]),
            _ => None,
        };
        let plain = otherwise.filter(|text| !text.contains(['$', '`']));
        known.or_else(|| plain.map(|text| vec![Value::literal(text.trim_matches(['"', '\'']))]))
    }

    /// What a script within a word says, if it is one command that says what is known.
    fn output(&mut self, steps: &[Step<'_>]) -> Option<Vec<Value>> {
        match steps {
            [Step::Run(command)] => self.said(command, &[]).map(|said| said.words()),
            _ => None,
        }
    }
}

/// The name in `name=value` and `name+=value`, with the plus.
fn assignment<'word>(word: &'word Word<'_>) -> Option<&'word str> {
    let Some(Part::Bare(text)) = word.parts.first() else { return None };
    let (name, _) = text.split_once('=')?;
    let plain = name.trim_end_matches('+');
    let is_name = plain.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        && plain.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
    is_name.then_some(name)
}
