//! What the tests of a file ask, and the answers they expect, as far as both are literals.

mod rows;

use std::ops::Range;

use super::super::Language;
use super::super::tokens::{Lexeme, LexemeKind, closing};
pub(in super::super) use rows::TestRow;

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
        // Whatever it is compared with: `deepEqual(await response.json(), { status: 404, error: "Not Found" })` asks for nothing.
        let compares = || reader.word(at).is_some_and(|word| is_comparison(&word.to_lowercase()));
        if answer.is_some() || (reader.is(at + 1, "(") && compares()) {
            asserted = asserted.max(reader.end_of(at, ";"));
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

/// The name of a call that compares, in small letters.
fn is_comparison(name: &str) -> bool {
    let compares = ["equal", "equals", "_eq", "deepequal", "eq", "eql", "tobe", "toeql", "is"];
    let ends = ["equal", "equals", "_eq", "isequalto", "assertsame"];
    (compares.contains(&name) || ends.iter().any(|end| name.ends_with(end))) && !name.contains("not")
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
            return if word == "assert" { self.truth(side) } else { self.alternative(&side, at) };
        };
        self.of_sides([side.start..middle, middle + 1..side.end], at)
    }

    /// `if code != 200 || body != "no such page" {`: of several values the one that says most.
    fn alternative(&self, side: &Range<usize>, at: usize) -> Option<TestAnswer> {
        let ends = self.outside_brackets(side.clone()).filter(|at| self.is(*at, "||")).chain([side.end]);
        // `if got, err := add(1, 2); …`
        let begun = self.outside_brackets(side.clone()).find(|at| self.is(*at, ";"));
        let mut start = side.start;
        let answers = ends.into_iter().filter_map(|end| {
            let part = std::mem::replace(&mut start, end + 1)..end;
            let middle = self.outside_brackets(part.clone()).find(|at| self.is(*at, "!="))?;
            let asks = begun.map_or(part.start..middle, |end| side.start..end);
            let answer = self.answer(&asks, &self.value(&(middle + 1..part.end), at)?, at)?;
            (answer.expected != ["none"]).then_some(answer)
        });
        answers.max_by_key(|answer| answer.expected.iter().map(String::len).sum::<usize>())
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
            Some(self.asks(at, vec![key], vec![value?.to_owned()]))
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
                Some(self.asks(at, vec![given.literal()?.to_owned()], vec![expected.literal()?.to_owned()]))
            }
            _ => None,
        }
    }

    /// Does one of these signs or words stand there?
    fn compares(&self, at: usize, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.is(at, sign) || self.word(at) == Some(*sign))
    }

    /// `assert is_leap(2000)`, `assert not is_leap(1900)`
    fn truth(&self, side: Range<usize>) -> Option<TestAnswer> {
        let is_not = self.word(side.start) == Some("not") || self.is(side.start, "!");
        const MORE: [&str; 12] = ["and", "or", "if", "in", "is", "<", ">", "<=", ">=", "!=", "&&", "||"];
        let is_simple = !side.clone().any(|at| self.compares(at, &MORE));
        let given = self.literals(&side);
        (is_simple && !given.is_empty()).then(|| self.asks(side.start, given, vec![(!is_not).to_string()]))
    }

    /// `assertEqual(add(1, 2), 3)` and its like, `expect(add(1, 2)).toBe(3)` and its like.
    fn call(&self, at: usize) -> Option<TestAnswer> {
        // In Rust that is no assertion.
        let name = self.word(at).filter(|word| *word != "Ok")?.to_lowercase();
        let open = if self.is(at + 1, "!") { at + 2 } else { at + 1 };
        let arguments = self.arguments(open).or_else(|| self.bare_arguments(at, &name))?;
        let is_comparison = is_comparison(&name);
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
        side.clone().find(|at| self.compares(*at, &["==", "==="]))
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

    /// A word that says of a value what it is: `Some`, `cents:`, `Money(`, `MoneyError::Empty`, `map[string]int{`.
    fn wraps(&self, at: usize) -> bool {
        const TYPES: [&str; 8] = ["map", "string", "int", "int64", "float64", "bool", "byte", "rune"];
        let Some(word) = self.word(at) else { return false };
        let is_go = self.path.ends_with(".go");
        // There a function has such a name and is called.
        let opens = if is_go { &["{"][..] } else { &["(", "{", "::"] };
        let is_type = word.starts_with(|first: char| first.is_uppercase())
            && (opens.iter().any(|sign| self.is(at + 1, sign)) || (at > 0 && self.is(at - 1, "::")));
        // `Money::cents(5)`
        let is_maker = || {
            let of = at.checked_sub(2).and_then(|of| self.word(of)).filter(|_| self.is(at - 1, "::"));
            self.path.ends_with(".rs")
                && self.is(at + 1, "(")
                && of.is_some_and(|of| of.starts_with(|first: char| first.is_uppercase()))
        };
        let is_known = WRAPPERS.contains(&word) || (is_go && TYPES.contains(&word));
        is_known || is_type || self.is(at + 1, ":") || is_maker()
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
            let asserts = |word: &str| word.to_lowercase().contains("assert") || word == "expect";
            let above = (0..at).rev().take_while(is_near);
            let above: Vec<usize> =
                above.take_while(|above| !self.word(*above).is_some_and(asserts)).collect();
            let above = above.iter().rev().filter(|at| !expects.contains(at));
            given = above.filter_map(|at| self.literal(*at)).collect();
        }
        let expected = self.literals(expects);
        let is_one = !given.is_empty() && !expected.is_empty();
        is_one.then(|| self.asks(at, given, expected))
    }

    /// What the line of this token gives and expects.
    fn asks(&self, at: usize, given: Vec<String>, expected: Vec<String>) -> TestAnswer {
        TestAnswer { path: self.path.to_owned(), line: self.tokens[at].line, given, expected }
    }

    fn literals(&self, side: &Range<usize>) -> Vec<String> {
        side.clone().filter_map(|at| self.literal(at)).collect()
    }

    fn literal(&self, at: usize) -> Option<String> {
        self.tokens[at].literal().map(str::to_owned)
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
