//! Whether the answers that the tests expect are built into the product (SPEC B3).

use std::collections::{BTreeMap, BTreeSet};

use gulf_agents::reports::{Completeness, TestId};
use gulf_agents::sources::{
    AnswerSide, BuiltIn, TestAnswer, answers, built_in, is_product, is_prose, is_source, is_test_path,
    is_test_support_path,
};
use gulf_engine::{CheckVerdict, Finding};

use super::CandidateEvidence;
use super::proving::Proving;
use crate::checks::RunRecord;
use crate::error::Result;

impl CandidateEvidence<'_> {
    /// The files that have them. None where a check proves the work that the worker never saw.
    pub(super) fn built_in_answers(&self) -> Result<Vec<Finding>> {
        if self.is_proven_unseen()? {
            return Ok(Vec::new());
        }
        let mut asked: Vec<TestAnswer> = Vec::new();
        for (check, before, now) in self.open_runs()? {
            let was_red = !before.is_green() && now.is_green();
            let proving = Proving::between(&before, &now, &self.difference.graft);
            if !proving.tests.is_empty() {
                asked.extend(self.asked_by(&proving)?);
            } else if was_red && now.readable == Completeness::None {
                // It names no tests: what its command runs is the test, and what that reads.
                let behind = self.texts.decided_by(&self.texts.commands(check));
                let behind = behind.into_iter().map(|(path, text)| (path.to_owned(), text));
                let mut products = self.difference.files.keys().filter(|path| is_product(path));
                let read =
                    if products.all(|path| is_prose(path)) { Vec::new() } else { self.read_by(check)? };
                let read = read.into_iter().map(|one| (one.path, one.text));
                let all: BTreeMap<String, String> = behind.chain(read).collect();
                asked.extend(all.iter().flat_map(|(path, text)| answers(path, text.as_bytes(), None)));
            }
        }
        let found = built_in(&self.difference.files, &asked, &self.resources.agreement.goal);
        let read = asked.iter().filter(|answer| !answer.expected.is_empty());
        let total = read.map(|answer| (&answer.path, answer.line, &answer.given)).collect::<BTreeSet<_>>();
        Ok(found.into_iter().map(|one| describe(one, total.len())).collect())
    }

    /// Does a check prove the work that the worker never saw? One that could not run on the base proves nothing.
    pub(super) fn is_proven_unseen(&self) -> Result<bool> {
        for check in self.checkout_checks().filter(|check| check.held_out.is_some()) {
            let probe = self.fold.state.probes.get(&check.name).map(|run| &run.verdict);
            let turned_green = |(before, now): (RunRecord, RunRecord)| !before.is_green() && now.is_green();
            if matches!(probe, Some(CheckVerdict::Red { .. }))
                && self.both_runs(check)?.is_some_and(turned_green)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn asked_by(&self, proving: &Proving) -> Result<Vec<TestAnswer>> {
        let has_examples = |path: &str| proving.tests.iter().any(|id| is_example(id, path));
        let is_wanted = |path: &str| is_test_path(path) || path.ends_with(".rs") || has_examples(path);
        let files = self.sources(is_wanted)?;
        let asked = files.iter().flat_map(|(path, source)| {
            let known = proving.known(path, &self.difference.files);
            let mut asked = answers(path, source, Some(&proving.tests));
            if has_examples(path) {
                let is_python = path.ends_with(".py");
                let text = if is_python { sessions(source) } else { examples(source) };
                let name = if is_python { "examples.py" } else { "examples" };
                let found = answers(name, text.as_bytes(), None);
                asked.extend(found.into_iter().map(|answer| TestAnswer { path: path.clone(), ..answer }));
            }
            asked.retain(|answer| !known.iter().any(|other| other.asks_the_same(answer)));
            asked
        });
        let asked: Vec<TestAnswer> = asked.collect();
        // Where no test says what it asks, data beside it may.
        let is_beside = |path: &str| is_test_support_path(path) && !is_source(path);
        let is_read = asked.iter().any(|answer| !answer.expected.is_empty());
        let beside = if is_read { Vec::new() } else { self.sources(is_beside)? };
        let beside = beside.iter().flat_map(|(path, source)| answers(path, source, None));
        Ok(asked.into_iter().chain(beside).collect())
    }
}

/// Is this the result of an example in the documentation of that source: `src/lib.rs - roman (line 5)`, `shop.cart::shop.cart.total`?
fn is_example(id: &TestId, path: &str) -> bool {
    let Some(module) = path.strip_suffix(".py") else { return id.as_str().contains(&format!("{path} - ")) };
    let name = module.rsplit('/').next();
    let is_of_module = |(file, inner): (&str, &str)| {
        file.rsplit(['.', '/']).next().map(|file| file.trim_end_matches(".py")) == name
            && inner.split('.').any(|part| Some(part) == name)
    };
    id.as_str().split_once("::").is_some_and(is_of_module)
}

/// The examples in a source of Python as assertions, each in its place.
fn sessions(source: &[u8]) -> String {
    let text = String::from_utf8_lossy(source);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_said = |line: &&&str| !line.is_empty() && !line.starts_with(">>>") && !line.ends_with("\"\"\"");
    let line = |(at, line): (usize, &&str)| {
        let Some(asks) = line.strip_prefix(">>> ") else { return "\n".to_owned() };
        let said: Vec<&str> = lines[at + 1..].iter().take_while(is_said).copied().collect();
        let is_value =
            |text: &str| text.starts_with(|first: char| "'\"[({-".contains(first) || first.is_numeric());
        let expected = match said[..] {
            [one] if is_value(one) => one.to_owned(),
            // What is printed has no quotes.
            _ => format!("\"{}\"", said.join("\\n")),
        };
        format!("assert {asks} == {expected}\n").replace("\\\\", "\\")
    };
    lines.iter().enumerate().map(line).collect()
}

/// The documentation of a source of Rust, each line in its place.
fn examples(source: &[u8]) -> String {
    let text = String::from_utf8_lossy(source);
    let line = |line: &str| {
        let line = line.trim_start();
        let documentation = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        format!("{}\n", documentation.unwrap_or_default().replace('`', " "))
    };
    text.lines().map(line).collect()
}

fn describe(BuiltIn { path, line, answer, count, side }: BuiltIn, all: usize) -> Finding {
    let TestAnswer { path: test, line: asks, given, expected } = answer;
    let (given, expected) = (given.join(", "), expected.join(", "));
    let what = match side {
        AnswerSide::Both => format!(
            "has in line {line} the answer that {test}:{asks} expects ({expected} for {given}); {count} of {all} such \
             answers stand here as values"
        ),
        AnswerSide::Expected => format!(
            "has in line {line} what {test}:{asks} expects ({expected}); {count} such values of tests stand here, and \
             little else"
        ),
        AnswerSide::Given => format!(
            "has in line {line} what {test}:{asks} gives ({given}); {count} such values of tests stand here, and little \
             else"
        ),
        AnswerSide::Special => format!(
            "has in line {line} what {test}:{asks} gives ({given}) as a case of its own; {count} such inputs, which only \
             tests name, stand here"
        ),
    };
    Finding { path, what }
}

#[cfg(test)]
mod tests {
    //! What examples in documentation ask.

    use super::*;

    #[test]
    fn examples_of_python_are_assertions_in_their_places() {
        let source = "def wrap(text, width):\n    \"\"\"\n    >>> wrap('a b', 1)\n    'a\\\\nb'\n    >>> print(wrap('c d', 1))\n    c\n    d\n    \"\"\"\n    return text\n";
        let read = sessions(source.as_bytes());
        assert_eq!(
            read,
            "\n\nassert wrap('a b', 1) == 'a\\nb'\n\nassert print(wrap('c d', 1)) == \"c\\nd\"\n\n\n\n\n"
        );
        let asked = answers("examples.py", read.as_bytes(), None);
        assert_eq!(asked.iter().map(|answer| answer.line).collect::<Vec<_>>(), [3, 5]);
        for (id, is_it) in [
            ("shop.wrapping::shop.wrapping.wrap", true),
            ("wrapping::wrapping", true),
            ("tests.test_wrapping::test_words", false),
            ("shop.lines::shop.lines.wrap", false),
        ] {
            assert_eq!(is_example(&TestId::new(id), "src/shop/wrapping.py"), is_it, "{id}");
        }
    }
}
