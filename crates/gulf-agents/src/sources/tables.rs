//! Tables of cases: a test whose table only grew has a case more, and is no changed test.
//!
//! It must not be a way around the comparison: all that stands around the cases is the base's to the letter, every
//! old case is still there, a new one is data, and none of them can keep the others from running.

use std::ops::Range;

use super::blocks::Block;
use super::scan::{Matter, Scanned, is_word, last_word, runs};
use super::{Language, spliced};

/// Words that end a loop or a run before its last case, outside of a function that is given to `t.Run`.
const STOPPING: [&str; 10] =
    ["return", "break", "goto", "Skip", "Skipf", "SkipNow", "Exit", "Goexit", "continue", "FailNow"];
/// Words by which a case would be more than data.
const ACTING: [&str; 22] = [
    "func", "function", "lambda", "await", "yield", "go", "t", "b", "panic", "os", "sys", "runtime",
    "syscall", "testing", "unsafe", "process", "exit", "skip", "xfail", "importorskip", "marks", "eval",
];
/// Functions that make a value of another, in any of the languages.
const MAKING: [&str; 33] = [
    "string", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
    "float", "float32", "float64", "byte", "rune", "bool", "len", "make", "new", "append", "str", "bytes",
    "list", "dict", "set", "tuple", "frozenset", "range", "BigInt", "Date", "Map", "Set",
];

/// Does this block differ from the base's by nothing but further cases?
pub(super) fn has_grown(language: Language, old: &Block, new: &Block, others: &[Block]) -> bool {
    // An item is compared without its blanks, and its attributes are read by whoever compiles it.
    if language == Language::Java {
        return false;
    }
    let read = |text| Scanned::read(text, language);
    let (Some(old_source), Some(source)) = (read(&old.text), read(&new.text)) else { return false };
    let (before, now) = (old_source.tables(), source.tables());
    if before.is_empty() || before.len() != now.len() || old_source.around(&before) != source.around(&now) {
        return false;
    }
    let mut grown = before.iter().zip(&now).filter(|(before, now)| before.cases != now.cases).peekable();
    grown.peek().is_some()
        && grown.all(|(before, now)| {
            added(&before.cases, &now.cases).is_some_and(|added| {
                added.iter().all(|case| is_data(case, &before.cases, old_source.text, language))
                    && (language != Language::Go || source.runs_every_case(now, new, others))
            })
        })
}

/// What the new table has besides all that the old one has, in its order; none where anything is gone or moved.
fn added<'case>(before: &[String], now: &'case [String]) -> Option<Vec<&'case str>> {
    let mut before = before.iter().peekable();
    let added = now.iter().filter(|case| before.next_if_eq(case).is_none()).map(String::as_str).collect();
    before.next().is_none().then_some(added)
}

/// Nothing but values, under a name that no other case has.
fn is_data(case: &str, before: &[String], old: &str, language: Language) -> bool {
    let Some(source) = Scanned::read(case, language) else { return false };
    if before.iter().any(|old| old == case) {
        return false;
    }
    let name = source.first_string();
    let is_taken = |old: &String| Scanned::read(old, language).is_some_and(|old| old.first_string() == name);
    if language == Language::Go && name.is_some() && before.iter().any(is_taken) {
        return false;
    }
    source.word_ranges().iter().all(|word| {
        let text = &case[word.clone()];
        let is_call = case[word.end..].starts_with('(');
        let is_qualified = case[..word.start].ends_with('.');
        let is_known = || is_qualified || MAKING.contains(&text) || old.contains(&format!("{text}("));
        !ACTING.contains(&text) && (!is_call || is_known())
    })
}

/// A list of cases within a block.
struct Table {
    /// Within its brackets.
    inside: Range<usize>,
    /// Without blanks that say nothing.
    cases: Vec<String>,
    /// What Go's loops call it; none where the loop stands around it.
    name: Option<String>,
}

impl<'text> Scanned<'text> {
    /// The first of these brackets from here on that closes what stands open at `depth`.
    fn close(&self, from: usize, closing: u8) -> Option<usize> {
        self.find(from + 1..self.text.len(), closing, self.depth(from)?)
    }

    fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        for byte in 0..self.text.len() {
            if tables.last().is_some_and(|last| byte < last.inside.end) {
                continue;
            }
            let Some((closing, name)) = self.begins_table(byte) else { continue };
            let Some(close) = self.close(byte, closing) else { continue };
            let inside = byte + 1..close;
            tables.push(Table { cases: self.cases(inside.clone()), inside, name });
        }
        tables
    }

    /// Does a table open here? With what closes it, and what it is called.
    fn begins_table(&self, byte: usize) -> Option<(u8, Option<String>)> {
        match self.language {
            Language::Go if self.places[byte].is_code(b'{') => {
                let head = self.before_type(byte)?.trim_end();
                if head.ends_with("range") {
                    return Some((b'}', None));
                }
                let head = head.strip_suffix(":=").or_else(|| head.strip_suffix('='))?.trim_end();
                let name = last_word(head);
                let is_new = self.text[head.len()..].trim_start().starts_with(":=")
                    || head[..head.len() - name.len()].trim_end().ends_with("var");
                (is_new && !name.is_empty()).then(|| (b'}', Some(name.to_owned())))
            }
            // Directly within the brackets of the decorator, above the function.
            Language::Python if self.places[byte].is_code(b'[') && self.places[byte].depth == 1 => {
                let line = self.text[..byte].rfind("\n@").map_or(0, |at| at + 1);
                let head = &self.text[line..byte];
                let is_decorator = head.starts_with('@')
                    && head.split('(').next().is_some_and(|call| call.ends_with("parametrize"))
                    && !head.contains("\ndef ")
                    && !head.contains("\nasync def ");
                is_decorator.then_some((b']', None))
            }
            Language::Script if self.places[byte].is_code(b'[') && self.places[byte].depth == 1 => {
                self.text[..byte].trim_end().ends_with(".each(").then_some((b']', None))
            }
            Language::Go | Language::Python | Language::Script => None,
            Language::Java | Language::Rust | Language::Ruby => None,
        }
    }

    /// What stands before the type of Go's literal that opens here, where it is a slice or a map.
    fn before_type(&self, open: usize) -> Option<&'text str> {
        let before = self.text[..open].trim_end();
        let element = if before.ends_with('}') {
            let close = before.len() - 1;
            let depth = self.places[close].depth;
            let begin = (0..close).rev().find(|byte| self.find(*byte..byte + 1, b'{', depth).is_some())?;
            self.text[..begin].trim_end().strip_suffix("struct")?
        } else {
            before.trim_end_matches(|letter: char| is_word(letter) || ".*".contains(letter))
        };
        let element = element.trim_end().trim_end_matches('*');
        let list = element.strip_suffix("[]").or_else(|| element.strip_suffix("[...]"));
        list.or_else(|| {
            let key = element.strip_suffix(']')?;
            let begin = key.rfind("map[")?;
            key[begin + 4..].chars().all(|letter| is_word(letter) || letter == '.').then_some(&key[..begin])
        })
    }

    fn cases(&self, inside: Range<usize>) -> Vec<String> {
        let Some(depth) = self.depth(inside.start) else { return Vec::new() };
        let is_comma = |byte: &usize| self.places[*byte].is_code(b',') && self.places[*byte].depth == depth;
        let mut start = inside.start;
        let ends = inside.clone().filter(is_comma).chain([inside.end]);
        let cases = ends.map(|end| self.even(std::mem::replace(&mut start, end + 1)..end));
        cases.filter(|case| !case.is_empty()).collect()
    }

    /// With one blank for many, but in texts.
    fn even(&self, range: Range<usize>) -> String {
        let mut even = String::new();
        for (at, letter) in self.text[range.clone()].char_indices() {
            let is_text = self.places[range.start + at].matter == Matter::Text;
            if is_text || !letter.is_whitespace() {
                even.push(letter);
            } else if !even.ends_with(' ') {
                even.push(' ');
            }
        }
        even.trim().trim_end_matches(',').to_owned()
    }

    /// All but the cases.
    fn around(&self, tables: &[Table]) -> String {
        spliced(self.text, tables.iter().map(|table| (table.inside.clone(), "…")))
    }

    fn first_string(&self) -> Option<&str> {
        let start = (0..self.text.len()).find(|byte| self.places[*byte].matter == Matter::Text)?;
        let end = (start..self.text.len()).find(|byte| self.places[*byte].matter != Matter::Text);
        self.text.get(start..end.unwrap_or(self.text.len()))
    }

    /// Every word of the code.
    fn word_ranges(&self) -> Vec<Range<usize>> {
        runs(self.text, |byte, letter| self.places[byte].matter == Matter::Code && is_word(letter))
    }

    /// Whoever uses the table goes through all of it, and nothing in the loop ends it early.
    fn runs_every_case(&self, table: &Table, own: &Block, others: &[Block]) -> bool {
        let Some(name) = &table.name else {
            return self.text[..table.inside.start].contains("range")
                && self.is_whole_loop(table.inside.end + 1);
        };
        if own.test_name().is_some() {
            return self.uses(name, Some(table.inside.start)).is_some_and(|uses| uses > 0);
        }
        let others = others.iter().filter(|other| **other != *own);
        let uses = others.map(|other| Scanned::read(&other.text, self.language)?.uses(name, None));
        uses.sum::<Option<usize>>().is_some_and(|uses| uses > 0)
    }

    /// How often a table of this name is gone through; none where it is used in any other way.
    fn uses(&self, name: &str, table: Option<usize>) -> Option<usize> {
        let mut words = self.word_ranges();
        words.retain(|word| &self.text[word.clone()] == name);
        // Its own definition, the last before its cases.
        let defined = table.and_then(|table| words.iter().rposition(|word| word.end < table));
        if let Some(defined) = defined {
            words.remove(defined);
        }
        words.iter().all(|word| self.is_loop_over(word)).then_some(words.len())
    }

    /// `range NAME {`, with a loop that runs to its end.
    fn is_loop_over(&self, word: &Range<usize>) -> bool {
        self.text[..word.start].trim_end().ends_with("range") && self.is_whole_loop(word.end)
    }

    fn is_whole_loop(&self, after: usize) -> bool {
        let rest = &self.text[after..];
        let open = after + (rest.len() - rest.trim_start().len());
        if open >= self.text.len() || !self.places[open].is_code(b'{') {
            return false;
        }
        let Some(close) = self.close(open, b'}') else { return false };
        let mut words = self.word_ranges();
        words.retain(|word| open < word.start && word.end < close);
        let is_run = |word: &Range<usize>| {
            &self.text[word.clone()] == "Run"
                && self.text[..word.start].ends_with('.')
                && self.text[word.end..].starts_with('(')
        };
        let calls = words.iter().filter(|word| is_run(word)).map(|word| word.end);
        let runs: Vec<_> = calls.filter_map(|open| Some(open..self.close(open, b')')?)).collect();
        let is_within_run = |word: &Range<usize>| runs.iter().any(|run| run.contains(&word.start));
        words.iter().filter(|word| !is_within_run(word)).all(|word| {
            let text = &self.text[word.clone()];
            // A bare one ends its own case only.
            let is_bare = text == "continue" && self.text[word.end..].starts_with('\n');
            is_bare || !STOPPING.contains(&text)
        })
    }
}
