//! One expectation of a test, changed so that it cannot hold: a suite that can fail fails then (SPEC B3).
//!
//! Nothing is compared here. What is changed is a literal that something is asserted to equal; a tolerance, a message
//! or an inequality might hold all the same.

use std::ops::Range;

use super::answers::{TestRow, is_trivial, rows};
use super::blocks::{Block, blocks_with_loops, tables_of};
use super::changes::part_of;
use super::scan::lines_within;
use super::tokens::{Lexeme, tokens};
use super::{Language, NewTest, places_of, spliced};
use crate::patterns::form;

/// A source in which one expectation is another one, or those of all rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// Where it stands.
    pub test: NewTest,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// The whole file with other values that are as long as those that stood there; none where there are none.
    pub alike: Option<Vec<u8>>,
    /// What stood there, and what stands there now.
    pub literals: Vec<[String; 2]>,
    /// It stands in a list of them, and a runner shows lists otherwise than one value.
    pub is_of_list: bool,
    /// A suite that can fail does so: what a row has may be no expectation.
    pub is_certain: bool,
}

impl Flip {
    /// Of values in these places, which stand one behind the other; none where one of them cannot be another.
    fn new(text: &str, test: NewTest, places: &[Range<usize>]) -> Option<Self> {
        let values = places.iter().map(|place| &text[place.clone()]);
        let with = |others: Vec<String>| spliced(text, places.iter().cloned().zip(others));
        let flips: Vec<String> = values.clone().map(flipped).collect::<Option<_>>()?;
        // A source of the same length might be taken for the one before.
        let alike = values.clone().map(alike).collect::<Option<_>>();
        let alike = alike.map(|others| format!("{}\n", with(others)).into_bytes());
        let literals = values.map(str::to_owned).zip(flips.iter().cloned()).map(<[String; 2]>::from);
        let literals = literals.collect();
        let bytes = with(flips).into_bytes();
        Some(Self { test, bytes, alike, literals, is_of_list: false, is_certain: true })
    }

    /// In words.
    pub fn description(&self) -> String {
        let [was, is] = &self.literals[0];
        format!("expects {is} for {was}")
    }
}

/// The first expectation of each test of a file that is a literal, each changed on its own; else those of its rows.
pub fn flips(path: &str, source: &[u8]) -> Vec<Flip> {
    let Some((part, text)) = part_of(path).zip(std::str::from_utf8(source).ok()) else { return Vec::new() };
    let blocks = blocks_with_loops(path, source, part).unwrap_or_default();
    let tokens = tokens(path, text);
    let (rows, code) = (rows(path, &tokens), code_alone(text, &tokens));
    let flips = blocks.iter().filter_map(|block| {
        let test = NewTest::from_block(path, text, block)?;
        let literal = |line: &str, place| literal_in(path, line, place);
        let Some(place) = comparison(&code, block.bytes.clone(), &literal) else {
            return of_rows(text, &rows, &blocks, (block, test));
        };
        let is_of_list = is_of_list(path, [&text[..place.start], &text[place.end..]]);
        // What a type calls equal may leave it out.
        let is_certain = !is_part(path, &text[..place.start]);
        Some(Flip { is_of_list, is_certain, ..Flip::new(text, test, &[place])? })
    });
    flips.collect()
}

/// The text, in which blanks stand for comments behind the last word of a line, and for lines without any.
fn code_alone(text: &str, tokens: &[Lexeme]) -> String {
    let mut code = String::with_capacity(text.len());
    let mut tokens = tokens.iter().peekable();
    for (start, line) in lines_within(text, 0..text.len()) {
        let mut end = start;
        while let Some(token) = tokens.next_if(|token| token.bytes.start < start + line.len()) {
            end = token.bytes.end.min(start + line.len());
        }
        let rest = line[end - start..].trim_start();
        let is_comment = ["#", "//", "/*"].iter().any(|sign| rest.starts_with(sign));
        let is_code = end > start && !is_comment;
        let (kept, rest) = line.split_at(if is_code { line.len() } else { end - start });
        code.push_str(kept);
        code.extend(rest.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    code
}

/// Another text or number of the same length. Of one with a point it is far from it, since it may be allowed to differ a little.
fn alike(literal: &str) -> Option<String> {
    let is_one = !literal.starts_with(|first: char| first.is_alphabetic());
    let is_decimal = literal.contains('.') && !literal.contains(['"', '\'']);
    let counts = |letter: char| letter.is_ascii_alphanumeric();
    let at = if is_decimal { literal.find(counts) } else { literal.rfind(counts) };
    let at = at.filter(|_| is_one)?;
    let next = match literal.as_bytes()[at] {
        last @ (b'9' | b'z' | b'Z') => last - 1,
        letter => letter + 1,
    };
    Some(format!("{}{}{}", &literal[..at], char::from(next), &literal[at + 1..]))
}

fn is_of_list(path: &str, [before, after]: [&str; 2]) -> bool {
    let is_in_object =
        Language::from_path(path) == Some(Language::Script) && after.trim_start().starts_with('}');
    before.trim_end().ends_with(['[', '{', ',', ':']) && (after.trim_start().starts_with(']') || is_in_object)
}

/// Does a value follow that is given to a type of the project's own: `Money(5, "`? In Go a function has such a name, too.
fn is_part(path: &str, before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let mut depth = 0_usize;
    let open = line.char_indices().rev().find(|(_, letter)| {
        let is_inner = depth > 0;
        depth += usize::from(")]}".contains(*letter));
        depth -= usize::from(is_inner && "([{".contains(*letter));
        !is_inner && ("[{".contains(*letter) || (*letter == '(' && !path.ends_with(".go")))
    });
    let opens = open.map_or("", |(at, _)| line[..at].trim_end());
    let name = opens.rsplit(|letter: char| !(letter.is_alphanumeric() || letter == '_')).next();
    name.is_some_and(|name| {
        name.starts_with(|first: char| first.is_uppercase()) && !["Ok", "Err", "Some"].contains(&name)
    })
}

/// What the rows of a test's table expect, where the test has no literal to equal.
fn of_rows(text: &str, rows: &[TestRow], blocks: &[Block], (block, test): (&Block, NewTest)) -> Option<Flip> {
    let is_flippable = |row: &&TestRow| flipped(&text[row.expected.clone()]).is_some();
    let of_range = |range: Range<usize>| -> Vec<&TestRow> {
        rows.iter().filter(|row| range.contains(&row.expected.start)).filter(is_flippable).collect()
    };
    let own = tables_of(blocks, block).into_iter().map(of_range).find(|own| !own.is_empty())?;
    // A one stands in many lines of an output, and teaches nobody how it shows a value.
    let tells = |row: &&TestRow| !row.answer.expected.iter().all(|value| is_trivial(value));
    let (telling, trivial): (Vec<&TestRow>, Vec<&TestRow>) = own.into_iter().partition(tells);
    let own = if telling.is_empty() { trivial } else { telling };
    let (alone, of_lists): (Vec<&TestRow>, Vec<&TestRow>) = own.iter().partition(|row| row.is_alone);
    let is_of_list = alone.is_empty();
    let taken = if is_of_list { of_lists } else { alone };
    let body = &text[block.bytes.clone()];
    let is_certain = taken.iter().all(|row| is_compared(body, row.key.as_deref()));
    let places: Vec<Range<usize>> = taken.iter().map(|row| row.expected.clone()).collect();
    Some(Flip { is_of_list, is_certain, ..Flip::new(text, test, &places)? })
}

/// Does the test say that something equals what its rows have under this name, or else under their last one, and only that?
fn is_compared(test: &str, key: Option<&str>) -> bool {
    // What makes Go's tests fail stands behind the condition.
    let with_next =
        |at: usize| at..at + test[at..].split_inclusive('\n').take(3).map(str::len).sum::<usize>();
    let compared = |(at, line): (usize, &str)| {
        let place = comparison(test, with_next(at), &name_in).filter(|place| place.end <= at + line.len())?;
        Some((test[place].to_owned(), at))
    };
    let names: Vec<(String, usize)> = lines_within(test, 0..test.len()).filter_map(compared).collect();
    names.iter().any(|(name, at)| {
        let here = &test[*at..].lines().next().unwrap_or_default();
        let is_once = places_of(here, name).count() == 1;
        // Neither where it is compared, nor as a parameter, whose order says nothing.
        let is_elsewhere = |place: &usize| {
            let line = test[..*place].rfind('\n').map_or(0, |end| end + 1);
            let is_parameter = test[line..*place].trim_start().starts_with("def ");
            !is_parameter && !names.iter().any(|(_, compared)| *compared == line)
        };
        let mut bindings = places_of(test, name).filter(is_elsewhere);
        is_once && key.map_or_else(|| bindings.any(|at| is_last(test, at, name)), |key| key == name)
    })
}

/// `(values, expected)`, `"values, expected"`, `want string }`, `n, expected in`
fn is_last(text: &str, at: usize, name: &str) -> bool {
    let rest = &text[at + name.len()..];
    // `text: &str)`
    let of_parameter = rest.strip_prefix(": ").and_then(|kind| kind.split_once([')', ',', '=', '{', '\n']));
    if of_parameter.is_some_and(|(kind, _)| rest[2 + kind.len()..].starts_with(')')) {
        return true;
    }
    let rest = rest.strip_prefix(": ").or_else(|| rest.strip_prefix(' ')).unwrap_or(rest);
    let of_type =
        rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || "_.[]*".contains(letter));
    let is_field = of_type.len() < rest.len() && of_type.trim_start().starts_with('}');
    !text[..at].ends_with('.')
        && (is_field || rest.starts_with(['"', '\'', ')', ']', '|', '}']) || rest.starts_with("in "))
}

/// A part of a line that may stand on one side of a comparison, and what of it counts.
type ComparedSide<'file> = dyn Fn(&str, Range<usize>) -> Option<Range<usize>> + 'file;

/// Where in these lines something stands that something must equal.
fn comparison(text: &str, within: Range<usize>, side: &ComparedSide<'_>) -> Option<Range<usize>> {
    let end = within.end;
    lines_within(text, within).find_map(|(at, line)| {
        let place = of_statement(line, side)
            .or_else(|| of_condition(line, &text[at + line.len()..end], side))
            .or_else(|| of_call(line, side))?;
        Some(at + place.start..at + place.end)
    })
}

/// `assert add(1, 2) == 3`, and of Ruby `assert_equal 3, add(1, 2)` and `expect(add(1, 2)).to eq 3`
fn of_statement(line: &str, side: &ComparedSide<'_>) -> Option<Range<usize>> {
    let statement = line.trim();
    if let Some(compared) = statement.strip_prefix("assert_equal ") {
        let start = line.find(compared)?;
        let mut commas = compared.match_indices(", ");
        return commas.find_map(|(at, _)| side(line, start..start + at));
    }
    let behind = [").to eq ", ").to eql "].iter().find_map(|sign| statement.split_once(sign));
    if let Some((_, compared)) = behind {
        let start = line.find(compared)?;
        return side(line, start..start + compared.len());
    }
    let is_plain = statement.starts_with("assert ")
        && ![" and ", " or ", " not ", " if "].iter().any(|word| statement.contains(word));
    let (before, after) = line.rsplit_once("==").filter(|_| is_plain)?;
    let start = before.len() + 2 + (after.len() - after.trim_start().len());
    let whole = after.trim();
    // A message may follow.
    let compared =
        [", \"", ", '", ", f\""].iter().find_map(|sign| whole.split_once(sign)).map(|(compared, _)| compared);
    side(line, start..start + whole.len()).or_else(|| side(line, start..start + compared?.len()))
}

/// The name that stands there, without what has it: `*expected`, `tt.want`
fn name_in(line: &str, place: Range<usize>) -> Option<Range<usize>> {
    let text = line[place.clone()].trim_start_matches(['&', '*']);
    let name = text.rsplit('.').next().unwrap_or(text);
    let is_path = text.chars().all(|letter| letter.is_alphanumeric() || "_.".contains(letter));
    let is_one = name.starts_with(|first: char| first.is_lowercase() || first == '_')
        && !["true", "false", "null", "nil", "undefined"].contains(&name);
    (is_path && is_one).then(|| place.end - name.len()..place.end)
}

/// The literal that stands there, or the last one of a list of them: `["x", "y"]`, `{ town: 'Bath' }`
fn literal_in(path: &str, line: &str, place: Range<usize>) -> Option<Range<usize>> {
    let text = &line[place.clone()];
    let is_literal = |text: &str| flipped(text).is_some();
    if is_literal(text) {
        return Some(place);
    }
    let text = text.trim_start_matches("new ");
    let place = place.end - text.len()..place.end;
    // In Go it is a function that has such a name and is called.
    let ends = if path.ends_with(".go") { &['}'][..] } else { &[')', '}'] };
    let is_made = text.starts_with(|first: char| first.is_uppercase()) && text.ends_with(ends);
    let opens =
        is_made || text.trim_start_matches(['&']).trim_start_matches("vec!").starts_with(['[', '{', '(']);
    let at = text.rfind(['[', '{', '(', ',', ':']).filter(|_| opens)? + 1;
    let last = text[at..].trim_end_matches([' ', ']', '}', ')']);
    let start = place.start + at + (last.len() - last.trim_start().len());
    is_literal(last.trim()).then(|| start..start + last.trim().len())
}

/// `if got := Add(1, 2); got != 3 {` and its like, where the test fails in the lines that follow.
fn of_condition(line: &str, following: &str, side: &ComparedSide<'_>) -> Option<Range<usize>> {
    const LINES_MAX: usize = 2;
    let fails = |line: &str| ["t.Error", "t.Fatal", "t.Fail"].iter().any(|call| line.contains(call));
    following.lines().take(LINES_MAX).find(|line| fails(line))?;
    // `math.Abs(got-3.5) > 1e-9`, `got != 3`
    let compared = form!(r"math\.Abs\([^)]*-[ \t]*([^)-]*?)[ \t]*\)[ \t]*>|!=[ \t]*(.*?)[ \t]*$");
    let condition = form!(r"^[ \t]*if (.*)\{[ \t\r\n]*$").captures(line)?.get(1)?;
    if condition.as_str().contains("&&") {
        return None;
    }
    let mut start = condition.start();
    // Of several the longest says most: `code != 200 || body != "no such page"`.
    let places = condition.as_str().split("||").filter_map(|part| {
        let at = start;
        start += part.len() + 2;
        let found = compared.captures(part)?;
        let found = found.get(1).or(found.get(2))?;
        (found.as_str() != "nil").then(|| at + found.start()..at + found.end())
    });
    side(line, places.max_by_key(Range::len)?)
}

/// `assertEqual(add(1, 2), 3)`, `assert_eq!(…)`, `t.is(…)` of two; `expect(…).toBe(3)` and its like of one.
fn of_call(line: &str, side: &ComparedSide<'_>) -> Option<Range<usize>> {
    let opens = line.match_indices('(').map(|(at, _)| at);
    let is_of_callee = |letter: char| letter.is_alphanumeric() || "_.!".contains(letter);
    opens.filter_map(|open| Some((open, arguments(line, open)?))).find_map(|(open, arguments)| {
        let own = line[..open].rsplit(|letter| !is_of_callee(letter)).next()?;
        let (callee, before) = (own.to_lowercase(), line[..open - own.len()].trim_end());
        let says_not = callee.contains("not") || line.contains(".not.");
        let last = callee.rsplit('.').next().unwrap_or_default();
        // `expect(a).to.equal(3)`, `a.should.eql(3)`, and of Ruby `expect(a).to eq(3)`
        let is_chained = callee.starts_with('.') || callee.contains(".should.") || before.ends_with(").to");
        let wanted = match last {
            "tobe" | "toequal" | "tostrictequal" => 1,
            "tocontain" | "tohavelength" | "tohavetextcontent" | "tohavevalue" => 1,
            "tohavebeencalledtimes" | "tohavebeencalledwith" | "tohavebeenlastcalledwith" => 1,
            "equal" | "equals" | "eql" | "eq" if is_chained => 1,
            "is" | "same" if callee.starts_with("t.") => 2,
            _ if last.ends_with("equal") || last.ends_with("equals") || last.ends_with("_eq!") => 2,
            _ => return None,
        };
        // `assert.Equal(t, 3, add(1, 2))`; behind the two stands a message.
        let skipped = usize::from(arguments.first().is_some_and(|first| line[first.clone()] == *"t"));
        let arguments: Vec<_> = arguments.into_iter().skip(skipped).collect();
        let is_it =
            !says_not && !last.contains("almost") && (wanted..=2 * wanted - 1).contains(&arguments.len());
        arguments.into_iter().take(wanted).rev().filter(|_| is_it).find_map(|place| side(line, place))
    })
}

/// The arguments of the call that opens here, where it closes in this line.
fn arguments(line: &str, open: usize) -> Option<Vec<Range<usize>>> {
    let (mut depth, mut quote, mut start, mut found) = (0_usize, None, open + 1, Vec::new());
    let trimmed = |range: Range<usize>| {
        let text = &line[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    };
    let mut letters = line.char_indices().skip_while(|(at, _)| *at <= open);
    while let Some((at, letter)) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (None, '\\') => return None,
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth > 0 => depth -= 1,
            (None, ')') => {
                found.push(trimmed(start..at));
                return Some(found);
            }
            (None, ',') if depth == 0 => {
                found.push(trimmed(start..at));
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    None
}

/// Each truth, and its opposite.
pub(super) const TRUTHS: [(&str, &str); 4] =
    [("true", "false"), ("false", "true"), ("True", "False"), ("False", "True")];

/// Another value of the same kind, and never as long: Python knows a source that it compiled by its time and its length.
pub(super) fn flipped(literal: &str) -> Option<String> {
    if let Some((_, other)) = TRUTHS.iter().find(|(one, _)| *one == literal) {
        return Some((*other).to_owned());
    }
    if let Some(quote) = literal.chars().next().filter(|first| "\"'".contains(*first)) {
        let inner = literal.strip_prefix(quote)?.strip_suffix(quote)?;
        let is_plain = !inner.contains(quote) && !inner.contains(['\\', '{', '%', '$']);
        // One more of its last letter: a product that equals every word of an alphabet equals this one, too.
        let last = inner.chars().next_back().unwrap_or('~');
        return is_plain.then(|| format!("{quote}{inner}{last}{quote}"));
    }
    let (sign, digits) = literal.strip_prefix('-').map_or(("", literal), |digits| ("-", digits));
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        && digits.matches('.').count() <= 1;
    is_number.then(|| format!("{sign}1{digits}"))
}

#[cfg(test)]
mod tests;
