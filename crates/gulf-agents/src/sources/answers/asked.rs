//! What the tests of a file ask, and the answers they expect, as far as both are literals.

use std::ops::Range;

use super::super::Language;
use super::super::tokens::{Lexeme, LexemeKind, closing};

/// What a test gives, and what it expects for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestAnswer {
    /// The file of the test.
    pub path: String,
    /// The line of the expectation, from 1.
    pub line: usize,
    /// The values that it gives, in order.
    pub given: Vec<String>,
    /// The values that it expects for them.
    pub expected: Vec<String>,
}

impl TestAnswer {
    /// Wherever either stands.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.given == other.given && self.expected == other.expected
    }
}

/// So many lines above an expectation may hold what it gives.
const LINES_ABOVE_MAX: usize = 3;

/// Words that wrap a value and say nothing else.
const WRAPPERS: [&str; 16] = [
    "vec", "Some", "Ok", "Err", "set", "list", "tuple", "dict", "String", "from", "to_string", "to_owned",
    "into", "Decimal", "new", "of",
];

/// Arguments whose name says that they are no part of the question.
const NAMES_OF_ROWS: [&str; 6] = ["name", "desc", "description", "title", "id", "msg"];
const QUESTIONS: [&str; 5] = ["given", "in", "input", "args", "arguments"];

/// A row of a table of tests.
pub(in super::super) struct TestRow {
    /// The token that opens it.
    at: usize,
    pub(in super::super) answer: TestAnswer,
    /// Where in the source the value stands that it expects.
    pub(in super::super) expected: Range<usize>,
    /// Its name, as `want: 3` has one.
    pub(in super::super) key: Option<String>,
    /// Else it stands in a list or the like.
    pub(in super::super) is_alone: bool,
}

pub(in super::super) fn rows(path: &str, tokens: &[Lexeme]) -> Vec<TestRow> {
    Reader { path, tokens }.rows()
}

/// Lists within what a test expects, such as `[["a", "b"]]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ListsWithin {
    /// Pairs of values, wherever they stand.
    Rows,
    /// Parts of one value: nothing is asked there.
    Values,
}

pub(in super::super) fn answers(path: &str, tokens: &[Lexeme], lists: ListsWithin) -> Vec<TestAnswer> {
    let reader = Reader { path, tokens };
    let mut rows = reader.rows().into_iter().map(|row| (row.at, row.answer)).peekable();
    let (mut found, mut asserted) = (Vec::new(), 0);
    for at in 0..tokens.len() {
        let row = rows.next_if(|(opens, _)| *opens == at).map(|(_, row)| row);
        let row = row.filter(|_| lists == ListsWithin::Rows || at >= asserted);
        let answer = reader.statement(at).or_else(|| reader.call(at));
        if answer.is_some() {
            asserted = reader.end_of(at, ";");
        }
        found.extend(answer.or(row));
    }
    found.extend((0..tokens.len()).filter_map(|at| reader.cases(at)).flatten());
    if Language::from_path(path).is_none() {
        found.extend((0..tokens.len()).filter_map(|at| reader.comparison(at).or_else(|| reader.line(at))));
    }
    found.dedup();
    found
}

/// Is this the name of what a row expects?
fn is_of_answer(key: &str) -> bool {
    let key = key.to_lowercase();
    ["want", "expect", "result", "output"].iter().any(|word| key.starts_with(word))
}

struct Reader<'a> {
    path: &'a str,
    tokens: &'a [Lexeme],
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Option<&str> {
        self.tokens.get(at)?.word()
    }

    fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    /// `assert add(1, 2) == 3`, `if got := Add(1, 2); got != 3 {`
    fn statement(&self, at: usize) -> Option<TestAnswer> {
        let word = self.word(at)?;
        let (side, wanted): (Range<usize>, &[&str]) = match word {
            "assert" if self.path.ends_with(".py") => (at + 1..self.end_of(at + 1, ","), &["==", "is"]),
            "if" if self.is(at + 1, "(") => (at + 2..self.close_of(at + 1)?, &["!=", "!=="]),
            "if" => (at + 1..self.end_of(at + 1, "{"), &["!=", "!=="]),
            _ => return None,
        };
        let mut compared = self.outside_brackets(side.clone()).filter(|at| self.compares(*at, wanted));
        let (Some(middle), None) = (compared.next(), compared.next()) else {
            return (word == "assert").then(|| self.truth(side)).flatten();
        };
        self.of_sides([side.start..middle, middle + 1..side.end], at)
    }

    /// What is compared, whichever side is expected.
    fn of_sides(&self, [one, other]: [Range<usize>; 2], at: usize) -> Option<TestAnswer> {
        let sides = [(one.clone(), other.clone()), (other, one)];
        let (asks, expects) =
            sides.into_iter().find_map(|(asks, side)| Some((asks, self.value(&side, at)?)))?;
        self.answer(&asks, &expects, at)
    }

    /// The value that stands there, or that a name has which stands there alone: `want := "cba"`, a few lines above.
    fn value(&self, side: &Range<usize>, at: usize) -> Option<Range<usize>> {
        const TOKENS_MAX: usize = 80;
        if self.is_value(side) {
            return Some(side.clone());
        }
        let start = side.start + usize::from(self.is(side.start, "&") || self.is(side.start, "*"));
        let name = self.word(start).filter(|_| start + 1 == side.end)?;
        let sets = |place: &usize| {
            let line = self.tokens[*place].line;
            // `const expected: string[] = [`
            let of_type = (*place + 1..at).take_while(|after| self.tokens[*after].line == line);
            let mut of_type = of_type.take_while(|after| !self.is(*after, "{"));
            let is_set = |after: &usize| self.is(*after, "=") || self.is(*after, ":=");
            if self.word(*place) != Some(name) || (*place > 0 && self.is(*place - 1, ".")) {
                return None;
            }
            if is_set(&(*place + 1)) { Some(*place + 2) } else { of_type.find(is_set).map(|sign| sign + 1) }
        };
        let first = (at.saturating_sub(TOKENS_MAX)..at).rev().find_map(|place| sets(&place))?;
        let value = first..self.end_of(first, ";");
        self.is_value(&value).then_some(value)
    }

    /// `{61: "1m 1s", …}`, gone through entry by entry.
    fn cases(&self, open: usize) -> Option<Vec<TestAnswer>> {
        const CASES_MIN: usize = 3;
        let close = self.close_of(open).filter(|_| self.is(open, "{"))?;
        let line = self.tokens[open].line;
        let before = (0..open).rev().take_while(|at| self.tokens[*at].line == line).take(8);
        let sets = |at: &usize| self.is(*at, "=") || self.is(*at, ":=");
        let name = before.clone().find(sets).and_then(|sign| self.word(sign.checked_sub(1)?));
        let goes_through = |at: usize, name: &str| {
            self.word(at) == Some(name)
                && ((self.is(at + 1, ".") && self.word(at + 2) == Some("items"))
                    || at.checked_sub(1).is_some_and(|before| self.word(before) == Some("range"))
                    || at.checked_sub(2).is_some_and(|before| self.word(before) == Some("entries")))
        };
        let is_gone_through = (self.is(close + 1, ".") && self.word(close + 2) == Some("items"))
            || before.clone().any(|at| ["range", "entries"].iter().any(|word| self.word(at) == Some(*word)))
            || name.is_some_and(|name| (0..self.tokens.len()).any(|at| goes_through(at, name)));
        if !is_gone_through {
            return None;
        }
        let entry = |at: usize| {
            let [key, value] = [at, at + 2].map(|at| self.tokens.get(at).and_then(Lexeme::literal));
            let ends = self.is(at + 3, ",") || at + 3 == close;
            let key = key.filter(|_| self.is(at + 1, ":") && ends)?.to_owned();
            let (path, line) = (self.path.to_owned(), self.tokens[at].line);
            Some(TestAnswer { path, line, given: vec![key], expected: vec![value?.to_owned()] })
        };
        let found: Vec<TestAnswer> = (open + 1..close).filter_map(entry).collect();
        (found.len() >= CASES_MIN).then_some(found)
    }

    /// `digits(19) != 10`, in a language that is not read otherwise.
    fn comparison(&self, at: usize) -> Option<TestAnswer> {
        let is_one = self.compares(at, &["==", "!="]) && self.is(at.checked_sub(1)?, ")");
        let open = (0..at).rev().find(|open| self.is(*open, "(")).filter(|_| is_one)?;
        self.tokens.get(at + 1)?.literal()?;
        self.answer(&(open..at), &(at + 1..at + 2), at)
    }

    /// A line of data with two values and a sign between: `19: 10`
    fn line(&self, at: usize) -> Option<TestAnswer> {
        let line = self.tokens[at].line;
        let is_of_line = |token: &&Lexeme| token.line == line;
        let own: Vec<&Lexeme> = self.tokens[at..].iter().take_while(is_of_line).collect();
        let is_first = at == 0 || self.tokens[at - 1].line != line;
        match own.as_slice() {
            [given, sign, expected] if is_first && matches!(sign.kind, LexemeKind::Sign(_)) => {
                Some(TestAnswer {
                    path: self.path.to_owned(),
                    line,
                    given: vec![given.literal()?.to_owned()],
                    expected: vec![expected.literal()?.to_owned()],
                })
            }
            _ => None,
        }
    }

    fn compares(&self, at: usize, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.is(at, sign) || self.word(at) == Some(*sign))
    }

    /// `assert is_leap(2000)`, `assert not is_leap(1900)`
    fn truth(&self, side: Range<usize>) -> Option<TestAnswer> {
        let is_not = self.word(side.start) == Some("not") || self.is(side.start, "!");
        let is_simple =
            side.clone().all(|at| !matches!(self.word(at), Some("and" | "or" | "if" | "in" | "is")))
                && side
                    .clone()
                    .all(|at| !["<", ">", "<=", ">=", "!=", "&&", "||"].iter().any(|sign| self.is(at, sign)));
        let given = self.literals(&side);
        (is_simple && !given.is_empty()).then(|| TestAnswer {
            path: self.path.to_owned(),
            line: self.tokens[side.start].line,
            given,
            expected: vec![(!is_not).to_string()],
        })
    }

    /// `assertEqual(add(1, 2), 3)` and its like, `expect(add(1, 2)).toBe(3)` and its like.
    fn call(&self, at: usize) -> Option<TestAnswer> {
        // In Rust that is no assertion.
        let name = self.word(at).filter(|word| *word != "Ok")?.to_lowercase();
        let open = if self.is(at + 1, "!") { at + 2 } else { at + 1 };
        let arguments = self.arguments(open).or_else(|| self.bare_arguments(at, &name))?;
        let compares = ["equal", "equals", "_eq", "deepequal", "eq", "eql", "tobe", "toeql", "is"];
        let is_comparison = (compares.contains(&name.as_str())
            || ["equal", "equals", "_eq", "isequalto", "assertsame"].iter().any(|end| name.ends_with(end)))
            && !name.contains("not");
        match (name.as_str(), arguments.as_slice()) {
            ("asserttrue" | "assertfalse", [asks, ..]) => {
                let mut answer = self.truth(asks.clone())?;
                if name == "assertfalse" {
                    answer.expected = vec!["false".to_owned()];
                }
                Some(answer)
            }
            ("assert" | "ok", [asks, ..]) if self.compared(asks).is_none() => self.truth(asks.clone()),
            ("assert" | "ok", [asks, ..]) => {
                let middle = self.compared(asks)?;
                let right = self.value(&(middle + 1..asks.end), at)?;
                self.answer(&(asks.start..middle), &right, at)
            }
            (_, [one]) if is_comparison => self.answer(&self.before(at)?, &self.value(one, at)?, at),
            (_, [one, other, ..]) if is_comparison && arguments.len() <= 3 => {
                self.of_sides([one.clone(), other.clone()], at)
            }
            _ => None,
        }
    }

    fn compared(&self, side: &Range<usize>) -> Option<usize> {
        side.clone().find(|at| ["==", "==="].iter().any(|sign| self.is(*at, sign)))
    }

    /// The arguments of what `.toBe(…)` is said of, with no `not` between.
    fn before(&self, at: usize) -> Option<Range<usize>> {
        let mut close = at.checked_sub(1)?;
        while !self.is(close, ")") {
            let word = self.word(close);
            let goes_on = self.is(close, ".") || word.is_some();
            if !goes_on || word.is_some_and(|word| word.contains("not")) || at - close > 8 {
                return None;
            }
            close = close.checked_sub(1)?;
        }
        let open = (0..close).rev().find(|open| self.close_of(*open) == Some(close))?;
        Some(open + 1..close)
    }

    /// The rows that stand in no other one.
    fn rows(&self) -> Vec<TestRow> {
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
        let is_within = at > 0
            && (["(", "[", "{", ",", "param", "case"]
                .iter()
                .any(|sign| self.is(at - 1, sign) || (self.word(at - 1) == Some(sign)))
                || self.is_named_row(at));
        let row = at + 1..close;
        // Rows within: this is the table.
        let mut elements = self.outside_brackets(row.clone()).filter(|at| !self.is(*at, ","));
        if elements.all(|at| self.close_of(at).is_some()) {
            return None;
        }
        if !is_within || !row.clone().all(|at| self.is_of_row(at)) {
            return None;
        }
        let mut values: Vec<usize> = row.clone().filter(|at| self.counts_in_row(*at)).collect();
        let key = |at: &usize| at.checked_sub(2).and_then(|key| self.key(key)).map(str::to_owned);
        let is_expected = |at: &usize| is_of_answer(&key(at).unwrap_or_default());
        if values.len() < 2 {
            return None;
        }
        let expected = values.remove(values.iter().position(is_expected).unwrap_or(values.len() - 1));
        let value = |at: &usize| self.tokens[*at].literal().unwrap_or_default().to_owned();
        Some(TestRow {
            at,
            answer: TestAnswer {
                path: self.path.to_owned(),
                line: self.tokens[at].line,
                given: values.iter().map(value).collect(),
                expected: vec![value(&expected)],
            },
            expected: self.tokens[expected].bytes.clone(),
            key: key(&expected),
            is_alone: self.outside_brackets(row).any(|at| at == expected),
        })
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
        let value = |at: usize| self.tokens[at].literal().unwrap_or_default().to_owned();
        let answer = TestAnswer {
            path: self.path.to_owned(),
            line: self.tokens[at].line,
            given: given.iter().map(|(at, _)| value(*at)).collect(),
            expected: vec![value(*expected)],
        };
        Some(TestRow {
            at,
            answer,
            expected: self.tokens[*expected].bytes.clone(),
            key: None,
            is_alone: true,
        })
    }

    /// `"odd": ([1], 1)`, where each of several has a name.
    fn is_named_row(&self, at: usize) -> bool {
        const ROWS_MIN: usize = 2;
        let open = (0..at).rev().find(|open| self.close_of(*open).is_some_and(|close| close > at));
        let Some(open) = open.filter(|open| self.is(at - 1, ":") && self.is(*open, "{")) else {
            return false;
        };
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
            || [",", ":", "=", "&", ".", "!", "(", ")", "[", "]", "{", "}", "::"]
                .iter()
                .any(|sign| token.is(sign))
    }

    /// A word that says of a value what it is: `Some`, `cents:`, `Money(`, `MoneyError::Empty`, `map[string]int{`.
    fn wraps(&self, at: usize) -> bool {
        const TYPES: [&str; 8] = ["map", "string", "int", "int64", "float64", "bool", "byte", "rune"];
        let Some(word) = self.word(at) else { return false };
        let is_go = self.path.ends_with(".go");
        // There a function has such a name and is called.
        let opens = if is_go { &["{"][..] } else { &["(", "{", "::"] };
        let is_type = word.starts_with(|first: char| first.is_uppercase())
            && (opens.iter().any(|sign| self.is(at + 1, sign)) || (at > 0 && self.is(at - 1, "::")));
        WRAPPERS.contains(&word) || is_type || (is_go && TYPES.contains(&word)) || self.is(at + 1, ":")
    }

    /// A value, and neither a key nor the row's name.
    fn counts_in_row(&self, at: usize) -> bool {
        let named = at >= 2 && self.key(at - 2).is_some_and(|key| NAMES_OF_ROWS.contains(&key));
        let is_key =
            self.tokens[at].literal().is_some_and(|value| value.starts_with('"')) && self.is(at + 1, ":");
        self.tokens[at].literal().is_some() && !named && !is_key
    }

    /// The name before `:` or `=`.
    fn key(&self, at: usize) -> Option<&str> {
        let token = self.tokens.get(at)?;
        let name = token.word().or_else(|| token.literal())?.trim_matches('"');
        (self.is(at + 1, ":") || self.is(at + 1, "=")).then_some(name)
    }

    fn answer(&self, asks: &Range<usize>, expects: &Range<usize>, at: usize) -> Option<TestAnswer> {
        let line = self.tokens[at].line;
        let mut given = self.literals(asks);
        if given.is_empty() {
            let is_near = |above: &usize| self.tokens[*above].line + LINES_ABOVE_MAX >= line;
            let is_asked = |above: &usize| {
                self.word(*above)
                    .is_some_and(|word| word.to_lowercase().contains("assert") || word == "expect")
            };
            let above: Vec<usize> =
                (0..at).rev().take_while(is_near).take_while(|above| !is_asked(above)).collect();
            let above = above.iter().rev().filter(|at| !expects.contains(at));
            given = above.filter_map(|at| self.tokens[*at].literal()).map(str::to_owned).collect();
        }
        let expected = self.literals(expects);
        let is_one = !given.is_empty() && !expected.is_empty();
        is_one.then(|| TestAnswer { path: self.path.to_owned(), line, given, expected })
    }

    fn literals(&self, side: &Range<usize>) -> Vec<String> {
        self.tokens[side.clone()].iter().filter_map(Lexeme::literal).map(str::to_owned).collect()
    }

    /// Nothing but values, and what holds them together.
    fn is_value(&self, side: &Range<usize>) -> bool {
        let tokens = &self.tokens[side.clone()];
        tokens.iter().any(|token| token.literal().is_some())
            && (side.start..).zip(tokens).all(|(at, token)| match &token.kind {
                LexemeKind::Literal(_) => true,
                LexemeKind::Word(_) => self.wraps(at),
                LexemeKind::Sign(sign) => {
                    ["(", ")", "[", "]", "{", "}", ",", ":", "::", "&", ".", "!", ";", "-"].contains(sign)
                }
            })
    }

    /// Where a statement ends that begins here: at this sign outside of brackets, or with its line.
    fn end_of(&self, start: usize, sign: &str) -> usize {
        let mut ahead = self.outside_brackets(start..self.tokens.len());
        let is_over = |at: &usize| {
            self.is(*at, sign) || (*at > start && self.tokens[*at].line > self.tokens[*at - 1].line)
        };
        ahead.find(is_over).unwrap_or(self.tokens.len())
    }

    /// The places that stand in no bracket which opens here; a bracket that opens is one of them.
    fn outside_brackets(&self, side: Range<usize>) -> impl Iterator<Item = usize> {
        let next = move |at: &usize| Some(self.close_of(*at).map_or(*at + 1, |close| close + 1));
        std::iter::successors(Some(side.start), next).take_while(move |at| *at < side.end)
    }

    fn close_of(&self, open: usize) -> Option<usize> {
        const CLOSE_MAX: usize = 400;
        self.tokens.get(open).filter(|token| token.opens())?;
        closing(&self.tokens[..self.tokens.len().min(open + CLOSE_MAX)], open)
    }

    /// `assert_equal 3, add(1, 2)`, `expect(add(1, 2)).to eq 3`
    fn bare_arguments(&self, at: usize, name: &str) -> Option<Vec<Range<usize>>> {
        let is_ruby =
            self.path.ends_with(".rb") && ["assert_equal", "eq", "eql", "must_equal"].contains(&name);
        is_ruby.then(|| self.separated(at + 1..self.end_of(at + 1, ";")))
    }

    /// The arguments of a call whose bracket opens here.
    fn arguments(&self, open: usize) -> Option<Vec<Range<usize>>> {
        let close = self.close_of(open).filter(|_| self.is(open, "("))?;
        Some(self.separated(open + 1..close))
    }

    /// What stands between commas; nothing behind the last one is none.
    fn separated(&self, side: Range<usize>) -> Vec<Range<usize>> {
        let (mut found, mut start) = (Vec::new(), side.start);
        for comma in self.outside_brackets(side.clone()).filter(|at| self.is(*at, ",")) {
            found.push(start..comma);
            start = comma + 1;
        }
        found.extend((start < side.end).then_some(start..side.end));
        found
    }
}
