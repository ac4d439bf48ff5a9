//! Rows of tables: what each gives, and what it expects.

use std::ops::Range;

use super::{Reader, TestAnswer};

/// Arguments whose name says that they are no part of the question.
const NAMES_OF_ROWS: [&str; 6] = ["name", "desc", "description", "title", "id", "msg"];
const QUESTIONS: [&str; 5] = ["given", "in", "input", "args", "arguments"];

/// A row of a table of tests.
pub(in super::super::super) struct TestRow {
    /// The token that opens it.
    pub(super) at: usize,
    pub(in super::super::super) answer: TestAnswer,
    /// Where in the source the value stands that it expects.
    pub(in super::super::super) expected: Range<usize>,
    /// Its name, as `want: 3` has one.
    pub(in super::super::super) key: Option<String>,
    /// Else it stands in a list or the like.
    pub(in super::super::super) is_alone: bool,
}

/// Is this the name of what a row expects?
fn is_of_answer(key: &str) -> bool {
    let key = key.to_lowercase();
    ["want", "expect", "result", "output"].iter().any(|word| key.starts_with(word))
}

impl Reader<'_> {
    /// The rows that stand in no other one.
    pub(super) fn rows(&self) -> Vec<TestRow> {
        let (mut found, mut end): (Vec<TestRow>, usize) = (Vec::new(), 0);
        for at in 0..self.tokens.len() {
            if let Some(row) = self.row(at).or_else(|| self.row_of_template(at)).filter(|_| at >= end) {
                end = self.close_of(at).unwrap_or(end);
                found.push(row);
            }
        }
        found
    }

    /// A row of a table: `(1, 2, 3)`, `{a: 1, b: 2, want: 3}` within other brackets.
    fn row(&self, at: usize) -> Option<TestRow> {
        let close = self.close_of(at)?;
        const BEFORE: [&str; 6] = ["(", "[", "{", ",", "param", "case"];
        let is_within = at > 0 && (self.compares(at - 1, &BEFORE) || self.is_named_row(at));
        let row = at + 1..close;
        // Rows within: this is the table.
        let mut elements = self.outside_brackets(row.clone()).filter(|at| !self.is(*at, ","));
        let are_rows = elements.all(|at| self.close_of(at).is_some());
        if are_rows || !is_within || !row.clone().all(|at| self.is_of_row(at)) {
            return None;
        }
        let mut values: Vec<usize> = row.clone().filter(|at| self.counts_in_row(*at)).collect();
        let key = |at: &usize| at.checked_sub(2).and_then(|key| self.key(key)).map(str::to_owned);
        let is_expected = |at: &usize| is_of_answer(&key(at).unwrap_or_default());
        // `("fine", 7, [])` expects none of its values.
        let last = self.outside_brackets(row.clone()).filter(|at| !self.is(*at, ",")).last();
        let last = last.and_then(|at| self.close_of(at).map(|close| at..close));
        let has_value = |mut last: Range<usize>| last.any(|at| self.counts_in_row(at));
        let is_read = last.is_none_or(has_value) || values.iter().any(is_expected);
        if values.len() < 2 || !is_read {
            return None;
        }
        let expected = values.remove(values.iter().position(is_expected).unwrap_or(values.len() - 1));
        let given = values.iter().filter_map(|at| self.literal(*at)).collect();
        let (answer, key) = (self.asks(at, given, vec![self.literal(expected)?]), key(&expected));
        let is_alone = self.outside_brackets(row).any(|at| at == expected);
        Some(TestRow { at, answer, expected: self.tokens[expected].bytes.clone(), key, is_alone })
    }

    /// A row of a table that is a template: `${1} | ${2} | ${3}`
    fn row_of_template(&self, at: usize) -> Option<TestRow> {
        let cell = |at: usize| {
            let close = self.close_of(at + 1).filter(|_| self.is(at, "?") && self.is(at + 1, "{"))?;
            let mut values = (at + 2..close).filter(|at| self.tokens[*at].literal().is_some());
            Some((values.next().filter(|_| values.next().is_none())?, close))
        };
        let next = |(_, close): &(usize, usize)| cell(close + 2).filter(|_| self.is(close + 1, "|"));
        let is_first = !at.checked_sub(1).is_some_and(|before| self.is(before, "|"));
        let cells: Vec<_> = std::iter::successors(cell(at).filter(|_| is_first), next).collect();
        let ((expected, _), given) = cells.split_last().filter(|(_, given)| !given.is_empty())?;
        let given = given.iter().filter_map(|(at, _)| self.literal(*at)).collect();
        let answer = self.asks(at, given, vec![self.literal(*expected)?]);
        let expected = self.tokens[*expected].bytes.clone();
        Some(TestRow { at, answer, expected, key: None, is_alone: true })
    }

    /// `"odd": ([1], 1)`, where each of several has a name.
    fn is_named_row(&self, at: usize) -> bool {
        const ROWS_MIN: usize = 2;
        let open = (0..at).rev().find(|open| self.close_of(*open).is_some_and(|close| close > at));
        let is_table = |open: &usize| self.is(at - 1, ":") && self.is(*open, "{");
        let Some(open) = open.filter(is_table) else { return false };
        let close = self.close_of(open).unwrap_or(open);
        let mut keys = 0;
        let mut elements = self.outside_brackets(open + 1..close);
        elements.all(|at| {
            let name = self.key(at).filter(|_| self.is(at + 1, ":"));
            keys += usize::from(name.is_some());
            name.is_some_and(|name| !QUESTIONS.contains(&name) && !is_of_answer(name))
                || [":", ","].iter().any(|sign| self.is(at, sign))
                || self.close_of(at).is_some()
        }) && keys >= ROWS_MIN
    }

    fn is_of_row(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        let is_name = self.wraps(at) || (token.word().is_some() && self.is(at + 1, "="));
        token.literal().is_some()
            || is_name
            || self.compares(at, &[",", ":", "=", "&", ".", "!", "(", ")", "[", "]", "{", "}", "::"])
    }

    /// A value, and neither a key nor the row's name.
    fn counts_in_row(&self, at: usize) -> bool {
        let named = at >= 2 && self.key(at - 2).is_some_and(|key| NAMES_OF_ROWS.contains(&key));
        let is_key =
            self.tokens[at].literal().is_some_and(|value| value.starts_with('"')) && self.is(at + 1, ":");
        self.tokens[at].literal().is_some() && !named && !is_key
    }
}
