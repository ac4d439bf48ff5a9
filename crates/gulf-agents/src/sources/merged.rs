//! Tests of the base that are gone, and whose questions others ask now: several made into a table, one taken up by another.

use std::collections::BTreeMap;

use super::blocks::{Part, blocks};
use super::changes::{ChangeKind, NewTest, part_of, test_changes};
use super::tokens::tokens;
use super::{Changed, lines_of};

/// So many lines hold one row of a table, or one assertion.
const ROW_LINES_MAX: usize = 6;

type ValuesByLine = BTreeMap<usize, Vec<String>>;

/// The tests of the base that are gone, where the values of each of their lines stand together in tests of the candidate; none
/// where that is not so of each, or a test is skipped.
pub fn merged(files: &BTreeMap<String, Changed>) -> Vec<NewTest> {
    let mut gone = Vec::new();
    for (path, file) in files {
        for change in test_changes(path, file.base.as_deref(), file.candidate.as_deref()) {
            match (change.kind, change.name) {
                (ChangeKind::Changed, _) => {}
                (ChangeKind::Removed, Some(name)) => gone.push((path.as_str(), name)),
                (ChangeKind::Removed, None) | (ChangeKind::Skipped, _) => return Vec::new(),
            }
        }
    }
    let of_candidate = |(path, file): (&String, &Changed)| values_by_line(path, file.candidate.as_ref()?);
    let asked: Vec<ValuesByLine> = files.iter().filter_map(of_candidate).collect();
    let taken_up = |(path, name): &(&str, String)| {
        let base = files[*path].base.as_ref()?;
        let text = std::str::from_utf8(base).ok()?;
        let found = blocks(path, base, part_of(path)?)?;
        let mut tests = found.iter().filter(|block| block.test_name() == Some(name.as_str()));
        let test = NewTest::from_block(path, text, tests.next()?)?;
        let mut lines = values_by_line(path, base)?;
        // What is only said of a failure asks nothing.
        let is_said =
            |line: usize| text.lines().nth(line - 1).is_some_and(|line| line.trim().starts_with("t."));
        lines.retain(|line, _| test.lines.contains(*line) && !is_said(*line));
        let is_asked = |row: &Vec<String>| asked.iter().any(|lines| stand_together(row, lines));
        (!lines.is_empty() && lines.values().all(is_asked)).then_some(test)
    };
    gone.iter().map(taken_up).collect::<Option<_>>().unwrap_or_default()
}

/// The literals of a file's tests, by their lines.
fn values_by_line(path: &str, source: &[u8]) -> Option<ValuesByLine> {
    let text = std::str::from_utf8(source).ok()?;
    let part = part_of(path)?;
    let found = blocks(path, source, part)?;
    let is_test =
        |line| part == Part::Whole || found.iter().any(|block| lines_of(text, &block.bytes).contains(line));
    let mut lines = ValuesByLine::new();
    for token in tokens(path, text) {
        let Some(value) = token.literal().filter(|_| is_test(token.line)) else { continue };
        // The sign before a number is none of its token.
        lines.entry(token.line).or_default().push(value.trim_start_matches('-').to_owned());
    }
    Some(lines)
}

fn stand_together(values: &[String], lines: &ValuesByLine) -> bool {
    lines.keys().any(|first| {
        let row: Vec<&String> = lines.range(*first..first + ROW_LINES_MAX).flat_map(|(_, row)| row).collect();
        values.iter().all(|value| row.contains(&value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(base: &str, candidate: &str) -> Vec<String> {
        let changed =
            Changed { base: Some(base.as_bytes().to_vec()), candidate: Some(candidate.as_bytes().to_vec()) };
        let files = BTreeMap::from([("tests/eval.rs".to_owned(), changed)]);
        merged(&files).into_iter().map(|test| test.name).collect()
    }

    const BASE: &str = "
        #[test]
        fn sums() {
            assert_eq!(eval(\"1 + 2\"), Ok(3));
            assert_eq!(eval(\"2 * -4\"), Ok(-8));
        }

        #[test]
        fn errors() {
            assert!(matches!(eval(\"1 +\"), Err(Error::Syntax(_))));
        }
    ";

    #[test]
    fn a_table_that_asks_all_of_it_takes_tests_up() {
        let table = "
            const CASES: &[(&str, i64)] = &[(\"1 + 2\", 3), (\"2 * -4\", -8)];

            #[test]
            fn values() {
                for (text, value) in CASES {
                    assert_eq!(eval(text), Ok(*value));
                }
                assert!(matches!(eval(\"1 +\"), Err(Error::Syntax(_))));
            }
        ";
        assert_eq!(names(BASE, table), ["sums", "errors"]);
    }

    #[test]
    fn a_value_that_nobody_gives_or_expects_any_more_is_missed() {
        let table = "
            const CASES: &[(&str, i64)] = &[(\"1 + 2\", 3), (\"2 * -4\", 8 - 1)];
            const OTHERS: &[&str] = &[\"1 -\"];
        ";
        assert!(names(BASE, table).is_empty());
        assert!(names(BASE, &table.replace("1 -", "1 +").replace("8 - 1", "9")).is_empty());
    }

    #[test]
    fn a_skipped_test_takes_nothing_up() {
        let skipped = BASE
            .replace("fn sums", "fn both")
            .replace("#[test]\n        fn errors", "#[test]\n        #[ignore]\n        fn errors");
        assert!(names(BASE, &skipped).is_empty());
        assert_eq!(names(BASE, &BASE.replace("fn sums", "fn both")), ["sums"]);
    }

    #[test]
    fn a_test_without_a_value_is_not_taken_up() {
        let base = "#[test]\nfn works() {\n    assert!(run().is_ok());\n}\n";
        assert!(names(base, "#[test]\nfn other() {\n    assert!(run().is_ok());\n}\n").is_empty());
    }
}
