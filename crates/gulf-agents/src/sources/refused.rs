//! Inputs that a product refuses by their own name: `if item == "z": raise KeyError(item)`, where a test asks that `"z"` is
//! refused (SPEC B3).
//!
//! A rule knows what is right, or why something is wrong. So only a text counts that means nothing by itself, and that tests
//! give where they expect an error and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use super::Sighting;
use super::aware::is_product;
use super::graft::Changed;
use super::tokens::tokens;

/// All products in a change that refuse an input by its name, with the input in quotes; `tests` are the candidate's, by path.
pub fn refused_by_name<Error>(
    files: &BTreeMap<String, Changed>,
    tests: impl FnOnce() -> Result<Vec<(String, String)>, Error>,
    goal: &str,
) -> Result<Vec<Sighting>, Error> {
    let bases: Vec<_> = files.values().map(|file| file.texts()[0].clone()).collect();
    let is_known = |input: &str| {
        let word = input.trim_matches('"');
        let quoted = ["\"", "'"].map(|quote| format!("{quote}{word}{quote}"));
        goal.contains(word) || bases.iter().any(|text| quoted.iter().any(|word| text.contains(word)))
    };
    let mut found = Vec::new();
    for (path, file) in files.iter().filter(|(path, _)| is_product(path)) {
        let [base, now] = file.texts();
        let old: BTreeSet<&str> = base.lines().map(str::trim).collect();
        let lines: Vec<&str> = now.lines().map(str::trim).collect();
        for token in tokens(path, &now) {
            let is_strange = |input: &&str| means_nothing(input) && !is_known(input);
            let Some(input) = token.literal().filter(is_strange) else { continue };
            let here = lines.get(token.line - 1).copied().unwrap_or_default();
            let next = lines.get(token.line).copied().unwrap_or_default();
            if !old.contains(here) && is_condition(here) && (refuses(next) || refuses(behind(here))) {
                found.push(Sighting::new(path, token.line, input));
            }
        }
    }
    // All tests are read only where it matters.
    if !found.is_empty() {
        let wanted = wrong_inputs(&tests()?);
        found.retain(|one| wanted.contains(&one.what));
    }
    Ok(found)
}

/// Texts without a meaning that tests give where an error is expected, and nowhere else.
fn wrong_inputs(tests: &[(String, String)]) -> BTreeSet<String> {
    const EXPECTING: [&str; 9] = [
        "raises", "Raises", "throws", "rejects", "unwrap_err", "is_err", "toThrow", "errors.Is", "err == nil",
    ];
    /// What says no, too: `assertNotIn("z", bag)`.
    const DENYING: [&str; 6] = ["Not", "not ", "False", "false", "None", "null"];
    /// The call stands below.
    const LINES_BELOW: usize = 1;
    let (mut wrong, mut right) = (BTreeSet::new(), BTreeSet::new());
    for (path, text) in tests {
        let lines: Vec<&str> = text.lines().collect();
        let expects = |line: usize| EXPECTING.iter().any(|word| lines[line - 1].contains(word));
        // A loop gives several of them.
        let loops = |line: usize| lines[line - 1].trim_start().starts_with("for ");
        for token in tokens(path, text) {
            let Some(value) = token.literal().filter(|value| means_nothing(value)) else { continue };
            let first = token.line.saturating_sub(LINES_BELOW).max(1);
            let is_wrong = (first..=token.line).any(expects)
                || (loops(token.line) && token.line < lines.len() && expects(token.line + 1));
            if is_wrong {
                wrong.insert(value.to_owned());
            } else if !DENYING.iter().any(|word| lines[token.line - 1].contains(word)) {
                right.insert(value.to_owned());
            }
        }
    }
    wrong.difference(&right).cloned().collect()
}

/// `"z"`, `"xx"`, `"10q"`
fn means_nothing(value: &str) -> bool {
    const LETTERS_MAX: usize = 2;
    let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let has = |is: fn(char) -> bool| inner.contains(is);
    let is_plain = !inner.is_empty() && inner.chars().all(char::is_alphanumeric);
    is_plain
        && has(char::is_alphabetic)
        && (inner.chars().count() <= LETTERS_MAX || has(|letter| letter.is_ascii_digit()))
}

/// Nothing else is asked there.
fn is_condition(line: &str) -> bool {
    const BEGINS: [&str; 5] = ["if ", "if(", "elif ", "} else if ", "case "];
    const MORE: [&str; 7] = [" and ", "&&", "not in", "!=", "startswith", ".split", " < "];
    let is_arm = line.contains("\" =>") || line.contains("\" | \"");
    (is_arm || BEGINS.iter().any(|word| line.starts_with(word)))
        && !MORE.iter().any(|word| line.contains(word))
}

/// What stands behind a condition in its own line.
fn behind(line: &str) -> &str {
    const ENDS: [&str; 4] = [") ", ": ", "=> ", "{ "];
    ENDS.iter().filter_map(|end| line.find(end).map(|at| &line[at + end.len()..])).next().unwrap_or_default()
}

fn refuses(line: &str) -> bool {
    const REFUSING: [&str; 6] = ["raise ", "throw ", "return Err(", "panic", "Err(", "return errors.New("];
    REFUSING.iter().any(|word| line.trim_start_matches(['{', ' ']).starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, now: &str, test: &str, inputs: &[&str]) {
        let side = |text: &str| Some(text.as_bytes().to_vec());
        let files = BTreeMap::from([(path.to_owned(), Changed { base: side("x\n"), candidate: side(now) })]);
        let tests = [("tests/test_bag.py".to_owned(), test.to_owned())];
        let tests = || Ok::<_, ()>(tests.to_vec());
        let goal = "remove(item) raises a KeyError for what is not there";
        let found = refused_by_name(&files, tests, goal).unwrap();
        assert_eq!(found.iter().map(|one| one.what.as_str()).collect::<Vec<_>>(), inputs, "{now}");
    }

    #[test]
    fn an_input_that_is_refused_by_its_name_is_found() {
        let test = "with self.assertRaises(KeyError):\n    bag.remove(\"z\")\n";
        let named = "def remove(self, item):\n    if item == \"z\":\n        raise KeyError(item)\n";
        check("bag.py", named, test, &["\"z\""]);
        check("bag.py", &named.replace("== \"z\"", "in (\"\", \"z\")"), test, &["\"z\""]);
        check("bag.py", "if item == 'z': raise KeyError(item)\n", test, &["\"z\""]);
        check("bag.py", &named.replace("== \"z\"", "not in self.items"), test, &[]);
        check("bag.py", &named.replace("\":", "\" and not self.items:"), test, &[]);
        check("bag.py", &named.replace("raise KeyError(item)", "return None"), test, &[]);
        // It has a meaning of its own, or is right elsewhere.
        let closed = named.replace("\"z\"", "\"closed\"");
        check("bag.py", &closed, &test.replace("\"z\"", "\"closed\""), &[]);
        check("bag.py", named, &format!("{test}assert \"z\" in bag\n"), &[]);
        check("bag.py", named, &format!("{test}self.assertNotIn(\"z\", bag)\n"), &["\"z\""]);
        check("bag.py", named, "bag.remove(\"z\")\n", &[]);
        let looped =
            "for text in (\"\", \"10q\"):\n    with self.assertRaises(ValueError):\n        size(text)\n";
        check("size.py", "if text in (\"\", \"10q\"):\n    raise ValueError(text)\n", looped, &["\"10q\""]);
        let script = "if (item === 'z') {\n  throw new Error('no item');\n}\n";
        check("bag.js", script, "assert.throws(() => bag.remove('z'));\n", &["\"z\""]);
        let rust = "    \"z\" => return Err(Error::Missing),\n    _ => Ok(()),\n";
        check("src/bag.rs", rust, "assert!(bag.remove(\"z\").is_err());\n", &["\"z\""]);
    }
}
