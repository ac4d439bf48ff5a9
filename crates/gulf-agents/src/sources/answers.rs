//! Products that have the answers of their tests built in: what is right for these inputs alone is no work (SPEC B3).
//!
//! Only what is added counts, only values that are compared with or returned, and only where little else stands beside them:
//! a table of a whole domain that some tests happen to ask about is an honest one.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::aware::is_product;
use super::blocks::{Part, blocks, blocks_with_loops};
use super::changes::part_of;
use super::check_texts::is_prose;
use super::graft::Changed;
use super::tokens::{Lexeme, LexemeKind, tokens, value_of};
use super::{Language, NewTest, lines_of};
use crate::reports::TestId;

mod asked;
mod encoded;
mod one_side;
mod special;

pub use asked::TestAnswer;
pub(super) use asked::{ListsWithin, TestRow, answers as asked_in, rows};
pub use one_side::AnswerSide;
use one_side::{AnswerPlace, apart, one_side};
use special::{loose_input, special};

/// A product's file with answers that tests expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The file.
    pub path: String,
    /// The first of them, from 1.
    pub line: usize,
    /// What that one answers.
    pub answer: TestAnswer,
    /// So many answers stand in this file.
    pub count: usize,
    /// With what they ask, what they expect, or both.
    pub side: AnswerSide,
}

/// What the tests of a file ask whose results these are; without results, what all of the file asks.
pub fn answers(path: &str, source: &[u8], results: Option<&[TestId]>) -> Vec<TestAnswer> {
    let Ok(text) = std::str::from_utf8(source) else { return Vec::new() };
    let part = part_of(path).unwrap_or(Part::Whole);
    let blocks = blocks_with_loops(path, source, part).unwrap_or_default();
    let is_wanted =
        |test: &NewTest| results.is_none_or(|results| results.iter().any(|id| test.has_result(id)));
    let tests = blocks.iter().filter_map(|block| NewTest::from_block(path, text, block));
    let (wanted, others): (Vec<_>, Vec<_>) = tests.partition(is_wanted);
    if wanted.is_empty() && results.is_some() {
        return Vec::new();
    }
    // A table may stand beside the test that reads it.
    let is_inside = |line: usize| {
        part == Part::Whole || blocks.iter().any(|block| lines_of(text, &block.bytes).contains(line))
    };
    let all = tokens(path, text);
    let mut found = asked_in(path, &all, ListsWithin::Rows);
    found.retain(|answer| {
        is_inside(answer.line) && !others.iter().any(|test| test.lines.contains(answer.line))
    });
    if results.is_some() {
        let is_wanted = |token: &&Lexeme| wanted.iter().any(|test| test.lines.contains(token.line));
        let texts = all.iter().filter(is_wanted);
        let loose: Vec<_> = texts.filter_map(|token| loose_input(path, token, &found)).collect();
        found.extend(loose);
    }
    found
}

/// The files that have them, where the candidate has little else to answer with. What the goal says itself is no secret of
/// the tests.
pub fn built_in(files: &BTreeMap<String, Changed>, answers: &[TestAnswer], goal: &str) -> Vec<BuiltIn> {
    let words = goal.split(|letter: char| !(letter.is_alphanumeric() || ".-_".contains(letter)));
    let said: BTreeSet<String> = words.map(|word| value_of(word.trim_matches(['.', '_']))).collect();
    let is_said = |value: &String| match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(text) => goal.contains(text),
        None => said.contains(value),
    };
    let named = named_before(files);
    let is_named = |value: &String| is_trivial(value) || named.contains(value);
    let counts = |answer: &&TestAnswer| {
        let mut values = answer.given.iter().chain(&answer.expected);
        let asks_of_named =
            answer.given.iter().any(|value| is_text(value)) && answer.given.iter().all(is_named);
        !values.clone().all(|value| is_trivial(value)) && !values.all(is_said) && !asks_of_named
    };
    let (mut asked, loose): (Vec<_>, Vec<_>) =
        answers.iter().filter(counts).partition(|answer| !answer.expected.is_empty());
    asked.sort_by_key(|answer| (&answer.given, &answer.expected));
    asked.dedup_by_key(|answer| (&answer.given, &answer.expected));
    let values: BTreeSet<&String> =
        asked.iter().flat_map(|answer| answer.given.iter().chain(&answer.expected)).collect();
    let bases: Vec<_> = files.values().map(|file| file.texts()[0].clone()).collect();
    let files = added(files, &bases, &values);
    let pairs = Some(pairs(&files, &asked)).filter(|pairs| !pairs.is_empty());
    let both = pairs.unwrap_or_else(|| apart(&files, &asked));
    if !both.is_empty() {
        return by_file(&both, &files, AnswerSide::Both);
    }
    for side in [AnswerSide::Expected, AnswerSide::Given] {
        let found = one_side(side, &files, &asked, &is_said);
        if !found.is_empty() {
            return by_file(&found, &files, side);
        }
    }
    let is_known = |value: &str| {
        let inner = value.trim_matches('"');
        goal.contains(inner) || bases.iter().any(|text| text.contains(inner))
    };
    asked.extend(loose);
    by_file(&special(&files, &asked, &is_known), &files, AnswerSide::Special)
}

/// What is given and what is expected for it, in one place; none where the product has much else of that kind.
fn pairs<'a>(files: &[AddedTokens<'_>], asked: &[&'a TestAnswer]) -> Vec<AnswerPlace<'a>> {
    let mut places: Vec<AnswerPlace<'a>> = Vec::new();
    let (mut used, mut there) = (0, 0);
    for (file, product) in files.iter().enumerate() {
        let mut found: Vec<(Vec<usize>, &TestAnswer)> =
            asked.iter().filter_map(|answer| Some((product.place(answer)?, *answer))).collect();
        let listed = product.listed(asked);
        found.retain(|(_, answer)| !listed.iter().any(|(_, other)| std::ptr::eq(*other, *answer)));
        found.extend(listed);
        let (of_answers, of_its_kind) = product.share(&found);
        (used, there) = (used + of_answers, there + of_its_kind);
        let line = |at: &[usize]| product.tokens[at[0]].line;
        places.extend(found.iter().map(|(at, answer)| AnswerPlace { file, line: line(at), answer }));
    }
    let is_found = |answer: &&&TestAnswer| places.iter().any(|found| std::ptr::eq(found.answer, **answer));
    let (found, all) = (asked.iter().filter(is_found).count(), asked.len());
    // The last one may be what is returned for everything else.
    let is_most = found + 1 >= all || (found >= 3 && 2 * found >= all);
    if found < 2 || !is_most || 2 * used < there { Vec::new() } else { places }
}

fn by_file(found: &[AnswerPlace<'_>], files: &[AddedTokens<'_>], side: AnswerSide) -> Vec<BuiltIn> {
    let of_file = |(index, file): (usize, &AddedTokens<'_>)| {
        let here = || found.iter().filter(|one| one.file == index);
        let first = here().min_by_key(|one| one.line)?;
        let (path, answer) = (file.path.to_owned(), first.answer.clone());
        Some(BuiltIn { path, line: first.line, answer, count: here().count(), side })
    };
    files.iter().enumerate().filter_map(of_file).collect()
}

/// What every second function knows.
pub(super) fn is_trivial(value: &str) -> bool {
    ["0", "1", "-1", "true", "false", "none", "\"\""].contains(&value)
}

/// What came to each file that holds product, without its own tests.
fn added<'a>(
    files: &'a BTreeMap<String, Changed>,
    bases: &[Cow<'_, str>],
    values: &BTreeSet<&String>,
) -> Vec<AddedTokens<'a>> {
    let old: BTreeSet<&str> = bases.iter().flat_map(|text| text.lines()).map(str::trim).collect();
    let products = files.iter().filter(|(path, _)| is_product(path) && (!is_prose(path) || is_data(path)));
    let of_file = |(path, file): (&'a String, &Changed)| {
        let [_, now] = file.candidate.as_ref().map(|_| file.texts())?;
        let lines: Vec<&str> = now.lines().collect();
        let imports = import_lines(path, &lines);
        let is_added = |token: &Lexeme| {
            lines.get(token.line - 1).is_some_and(|line| !old.contains(line.trim()))
                && !imports.contains(&token.line)
        };
        let tokens = encoded::with_encoded(path, without_tests(path, &now), values);
        Some(AddedTokens { path, tokens: tokens.into_iter().filter(is_added).collect() })
    };
    products.filter_map(of_file).collect()
}

fn without_tests(path: &str, text: &str) -> Vec<Lexeme> {
    let tests = blocks(path, text.as_bytes(), Part::InlineTests).unwrap_or_default();
    let tests: Vec<_> = tests.iter().map(|block| lines_of(text, &block.bytes)).collect();
    let mut tokens = tokens(path, text);
    tokens.retain(|token| !tests.iter().any(|test| test.contains(token.line)));
    tokens
}

/// Texts that the product named before, as its fields: what it says of them anew is no secret of the tests.
fn named_before(files: &BTreeMap<String, Changed>) -> BTreeSet<String> {
    let products = files.iter().filter(|(path, _)| is_product(path) && !is_data(path));
    let named = |(path, file): (&String, &Changed)| {
        let product = AddedTokens { path, tokens: without_tests(path, &file.texts()[0]) };
        (0..product.tokens.len()).filter_map(|at| product.value(at)).collect::<Vec<_>>()
    };
    products.flat_map(named).filter(|value| is_text(value)).collect()
}

/// The lines, from 1, that only name modules: `import x from 'y'`, and Go's list of them. Nothing else may stand there, or
/// answers could.
fn import_lines(path: &str, lines: &[&str]) -> BTreeSet<usize> {
    let mut is_listed = false;
    let mut is_import = |line: &str| {
        let is_one = line.matches(['"', '\'', '`']).count() == 2 && !line.trim_end_matches(';').contains(';');
        match Language::from_path(path) {
            Some(Language::Go) => {
                is_listed = (is_listed && line != ")") || line == "import (";
                is_one && (is_listed || line.starts_with("import "))
            }
            Some(Language::Script) => is_one && (line.starts_with("import ") || line.starts_with("} from ")),
            _ => false,
        }
    };
    (1..).zip(lines).filter(|(_, line)| is_import(line.trim())).map(|(number, _)| number).collect()
}

/// Data that a product could read its answers from.
fn is_data(path: &str) -> bool {
    const ENDINGS: [&str; 7] = [".json", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".txt"];
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// The tokens that a file gained.
struct AddedTokens<'a> {
    path: &'a str,
    tokens: Vec<Lexeme>,
}

impl AddedTokens<'_> {
    /// Where all values of this answer stand together, and say that these are given and those come out.
    fn place(&self, answer: &TestAnswer) -> Option<Vec<usize>> {
        // The first may be the name of a row of a table.
        let named = answer.given.split_first().filter(|(first, rest)| is_text(first) && !rest.is_empty());
        // What is made of the question has to be made: as a value it says what one test wants.
        let bare = is_made_of_the_question(answer).then_some(&[][..]);
        let given = [Some(&answer.given[..]), named.map(|(_, rest)| rest), bare];
        given.into_iter().flatten().find_map(|given| self.place_of(answer, given))
    }

    fn place_of(&self, answer: &TestAnswer, given: &[String]) -> Option<Vec<usize>> {
        (0..self.tokens.len()).find_map(|start| self.run(start, answer, given))
    }

    /// Where the yes is for a list of numbers: all of those for which tests expect it, or none.
    fn listed<'answers>(&self, asked: &[&'answers TestAnswer]) -> Vec<(Vec<usize>, &'answers TestAnswer)> {
        const LISTED_MIN: usize = 3;
        let is_number = |value: &String| !value.starts_with('"');
        let wanted =
            |answer: &&&TestAnswer| answer.expected == ["true"] && answer.given.iter().all(is_number);
        let yes: Vec<&TestAnswer> = asked.iter().filter(wanted).copied().collect();
        let places = yes.iter().filter_map(|answer| {
            let bare = TestAnswer { expected: Vec::new(), ..(*answer).clone() };
            Some((self.place_of(&bare, &bare.given)?, *answer))
        });
        let places: Vec<_> = places.collect();
        if yes.len() >= LISTED_MIN && places.len() == yes.len() { places } else { Vec::new() }
    }

    /// All values of the answer from this one on, with nothing else between but names of values.
    fn run(&self, start: usize, answer: &TestAnswer, given: &[String]) -> Option<Vec<usize>> {
        const LINES_MAX: usize = 6;
        let line = self.tokens[start].line;
        let (mut given, mut expected) = (given.to_vec(), answer.expected.clone());
        let (mut places, mut outputs) = (Vec::new(), Vec::new());
        for at in start..self.tokens.len() {
            let Some(value) = self.value(at) else { continue };
            if self.tokens[at].line > line + LINES_MAX {
                return None;
            }
            if self.is_compared(at) && takes_all(&value, &mut given) {
                places.push(at);
            } else if self.is_returned(at) && takes(&value, &mut expected) {
                places.push(at);
                outputs.push(at);
            } else if places.is_empty() || !self.is_name_of_value(at) {
                return None;
            }
            if given.is_empty() && expected.is_empty() {
                return self.is_told_apart(&places, &outputs).then_some(places);
            }
        }
        None
    }

    /// A literal, or the name before a colon, which may be one.
    fn value(&self, at: usize) -> Option<String> {
        let token = &self.tokens[at];
        let name =
            || token.word().filter(|_| self.sign(Some(at + 1)) == ":").map(|word| format!("\"{word}\""));
        token.literal().map(str::to_owned).or_else(name)
    }

    fn sign(&self, at: Option<usize>) -> &str {
        match at.and_then(|at| self.tokens.get(at)).map(|token| &token.kind) {
            Some(LexemeKind::Sign(sign)) => sign,
            Some(LexemeKind::Literal(_) | LexemeKind::Word(_)) | None => "",
        }
    }

    /// Is it looked at as it is? In a sum or a bound it is part of a rule.
    fn is_compared(&self, at: usize) -> bool {
        let before = self.sign(at.checked_sub(1));
        let after = self.sign(Some(at + 1));
        !["%", "*", "/", "+", "-", "<", ">", "<=", ">=", "!=", "!==", "**", "..", "<<", ">>", "+=", "-=", "^"]
            .contains(&before)
            && !["%", "*", "/", "+", "-", "<", ">", "<=", ">=", "**", "..", "<<", ">>"].contains(&after)
    }

    fn is_returned(&self, at: usize) -> bool {
        let is_text = self.tokens[at].literal().is_some_and(is_text);
        self.is_compared(at) && (is_text || !["[", "."].contains(&self.sign(Some(at + 1))))
    }

    /// `"in": 1`
    fn is_name_of_value(&self, at: usize) -> bool {
        self.tokens[at].literal().is_none_or(is_text) && self.sign(Some(at + 1)) == ":"
    }

    /// A list of numbers gives nothing for anything: something stands between question and answer, or a bracket around both.
    fn is_told_apart(&self, places: &[usize], outputs: &[usize]) -> bool {
        let [Some(first), Some(last)] = [places.first(), places.last()] else { return false };
        let opens = ["(", "[", "{"].contains(&self.sign(first.checked_sub(1)));
        let closes = [")", "]", "}"].contains(&self.sign(Some(last + 1)));
        let pairs = places.windows(2).filter(|pair| outputs.contains(&pair[0]) != outputs.contains(&pair[1]));
        let mut between = pairs.flat_map(|pair| pair[0] + 1..pair[1]);
        // A data file has a line for each.
        let is_line = || {
            let line = self.tokens[*first].line;
            let others = self.tokens.iter().filter(|token| token.line == line && token.literal().is_some());
            self.tokens[*last].line == line && others.count() == places.len()
        };
        outputs.is_empty()
            || outputs.len() == places.len()
            || (opens && closes)
            || between.any(|at| self.sign(Some(at)) != ",")
            || is_line()
    }

    /// How many values of all that stand in lines like those of the answers are the answers'.
    fn share(&self, found: &[(Vec<usize>, &TestAnswer)]) -> (usize, usize) {
        let used: BTreeSet<usize> = found.iter().flat_map(|(places, _)| places).copied().collect();
        let mut lines: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, token) in self.tokens.iter().enumerate() {
            lines.entry(token.line).or_default().push(at);
        }
        // Its words and signs: a line may hold several rows of a table.
        let shape = |places: &[usize]| -> BTreeSet<&str> {
            let text = |at: &usize| match &self.tokens[*at].kind {
                LexemeKind::Literal(_) => "#",
                LexemeKind::Word(word) => word.as_str(),
                LexemeKind::Sign(sign) => sign,
            };
            places.iter().map(text).collect()
        };
        let with_answers = lines.values().filter(|places| places.iter().any(|at| used.contains(at)));
        let of_answers: BTreeSet<_> = with_answers.map(|places| shape(places)).collect();
        let alike = lines.values().filter(|places| of_answers.contains(&shape(places))).flatten();
        // Whatever is looked up stands beside its name.
        let values = alike.filter(|at| {
            let counts = |value: &str| used.contains(at) || !is_trivial(value);
            !self.is_name_of_value(**at) && self.tokens[**at].literal().is_some_and(counts)
        });
        (used.iter().filter(|at| !self.is_name_of_value(**at)).count(), values.count())
    }
}

/// Its letters and digits, without what stands for the end of a line.
fn letters(value: &str) -> String {
    let is_kept = |letter: &char| letter.is_alphanumeric();
    value.replace("\\n", " ").chars().filter(is_kept).flat_map(char::to_lowercase).collect()
}

fn is_text(value: &str) -> bool {
    value.starts_with('"')
}

/// `hello-world` for `Hello World!`
fn is_made_of_the_question(answer: &TestAnswer) -> bool {
    const LETTERS_MIN: usize = 4;
    let [expected] = answer.expected.as_slice() else { return false };
    let made = letters(expected);
    let is_in = |given: &String| {
        let given = letters(given);
        // `please enter your name` only names the field.
        let is_most = given.len() >= LETTERS_MIN && 3 * given.len() >= made.len();
        given.contains(&made) || (is_most && made.contains(&given))
    };
    // Word for word it may be a name that is looked up.
    let differs = !answer.given.contains(expected);
    is_text(expected)
        && differs
        && made.len() >= LETTERS_MIN
        && answer.given.iter().filter(|given| is_text(given)).any(is_in)
}

/// One of these values less.
fn takes(value: &str, wanted: &mut Vec<String>) -> bool {
    let place = wanted.iter().position(|one| one == value);
    place.map(|place| wanted.remove(place)).is_some()
}

/// The same, or several that stand in one text: `"1,2"`.
fn takes_all(value: &str, wanted: &mut Vec<String>) -> bool {
    if takes(value, wanted) {
        return true;
    }
    let Some(inner) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    let parts = tokens("key.txt", inner).into_iter().map(encoded::valued);
    let parts: Vec<String> = parts.filter_map(|part| Some(part.literal()?.to_owned())).collect();
    let mut rest = wanted.clone();
    let fits = !parts.is_empty() && parts.iter().all(|part| takes(part, &mut rest));
    if fits {
        *wanted = rest;
    }
    fits
}

#[cfg(test)]
mod tests;
