//! What a check expects, where it stands in no assertion: in data and golden files, in a script, in its own command
//! (SPEC B3).
//!
//! No form is read here, only words: those of these texts that a failing run shows beside something that nobody wrote down
//! are what it expected, and what it gave.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::answers::is_trivial;
use super::canary::flipped;
use super::each_value::unquoted;
use super::paths::is_program_text;
use super::scan::lines_within;
use super::support::file_of;
use super::tokens::tokens;
use super::varied::{Distance, other, with_next_digit};
use super::{is_source, line_of, places_of, spliced};

mod recurring;
mod whole;

pub use recurring::recurring_words;
pub use whole::{are_shown_alike, compared_files, comparisons, roles, under_other_names};

/// A text that a check reads, and that is no product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckText {
    /// Empty for the check's own command.
    pub path: String,
    pub text: String,
}

/// A word in one of several such texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextWord {
    /// Which text.
    pub text: usize,
    /// Where it stands there.
    pub at: Range<usize>,
    pub word: String,
}

impl CheckText {
    /// With another word at this place.
    pub fn with(&self, at: &Range<usize>, word: &str) -> Self {
        Self { path: self.path.clone(), text: spliced(&self.text, [(at.clone(), word)]) }
    }

    /// With another text wherever this word stands by itself; a shell takes it for one word, too.
    pub fn replaced(&self, was: &str, is: &str) -> String {
        let text = &self.text;
        if !is_one_word(was) {
            return text.replace(was, is);
        }
        let one_word = if is_prose_like(&self.path) { is.into() } else { shell_words::quote(is) };
        let other = |at: usize| if is_within_quotes(line_up_to(text, at)) { is } else { &one_word };
        let words = word_ranges(text).filter(|at| &text[at.clone()] == was);
        spliced(text, words.map(|at| (at.clone(), other(at.start))))
    }

    /// The word at this place, of the text with this index.
    pub fn word(&self, text: usize, at: Range<usize>) -> TextWord {
        TextWord { text, word: self.text[at.clone()].to_owned(), at }
    }

    /// The line, from 1, in which a word of it stands.
    pub fn line_of(&self, word: &TextWord) -> usize {
        line_of(&self.text, word.at.start)
    }

    /// A shell script or a makefile that tells each command that it runs; none where it is neither.
    pub fn traced(&self, is_shell: bool) -> Option<Self> {
        if self.path.to_lowercase().ends_with("makefile") {
            let text = format!("{}\n.SHELLFLAGS = -xc\n", whole::telling(&self.text));
            return Some(Self { path: self.path.clone(), text });
        }
        let first = self.text.lines().next().unwrap_or_default();
        let is_script = first.starts_with("#!") && first.trim_end().ends_with("sh");
        if !(is_script || is_shell || self.path.ends_with(".sh")) {
            return None;
        }
        let start = if first.starts_with("#!") { first.len() + 1 } else { 0 };
        let (head, rest) = self.text.split_at(start.min(self.text.len()));
        // In the same line, so that each line stands where it stood.
        Some(Self { path: self.path.clone(), text: format!("{head}set -x; {}", whole::telling(rest)) })
    }
}

impl TextWord {
    /// Another word of the same kind, so that what expected the first cannot expect this one.
    pub fn flipped(&self) -> String {
        let quoted = || flipped(&format!("\"{}\"", self.word));
        flipped(&self.word).or_else(quoted).unwrap_or_default().trim_matches('"').to_owned()
    }

    /// Other inputs that end as this one does, or are multiples of it.
    pub fn alike(&self) -> Vec<String> {
        let number = self.word.parse::<u64>().ok().filter(|number| *number < 1 << 32);
        let others = number.map(|number| [number + 10, number + 100, number * 7, number * 10]);
        others.into_iter().flatten().map(|other| other.to_string()).collect()
    }

    pub fn is_text(&self) -> bool {
        !self.word.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
    }

    /// Another input. Further away a text is longer, too: it may be counted.
    pub fn other(&self, distance: Distance) -> Option<String> {
        if distance == Distance::Far && self.is_text() {
            return Some(self.flipped());
        }
        // `2h`, `2024-01-31`: the first number counts more than the rest.
        if let Some(other) = with_next_digit(&self.word).filter(|_| self.is_text()) {
            return Some(other);
        }
        let quoted = || other(&format!("\"{}\"", self.word), distance);
        other(&self.word, distance).or_else(quoted).map(|other| other.trim_matches('"').to_owned())
    }
}

/// Is this a text that computes nothing?
pub fn is_prose(path: &str) -> bool {
    const ENDINGS: [&str; 12] =
        ["txt", "md", "rst", "json", "toml", "yaml", "yml", "csv", "html", "css", "ini", "lock"];
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Words of the texts, each there once, that a failing run shows near something that stands neither there nor in the
/// product, or that a passing run does not show: what it expected, and what it was given. The nearest first, and texts
/// before numbers. In a file that is `compared`, a word is there once where no other of these has it.
pub fn shown_words(
    texts: &[CheckText],
    products: &[String],
    compared: &BTreeSet<usize>,
    [output, passing]: [&str; 2],
) -> Vec<TextWord> {
    /// So many lines apart a runner shows both.
    const LINES_MAX: usize = 3;
    let of_texts = texts.iter().flat_map(|one| word_ranges(&one.text).map(|at| &one.text[at]));
    let of_products = products.iter().flat_map(|text| word_ranges(text).map(|at| &text[at]));
    let written: BTreeSet<&str> = of_texts.chain(of_products).collect();
    let lines: Vec<Vec<&str>> =
        output.lines().map(|line| word_ranges(line).map(|at| &line[at]).collect()).collect();
    let passing: BTreeSet<&str> = passing.lines().map(str::trim).collect();
    let is_new = |line: &str| !passing.is_empty() && !passing.contains(line.trim());
    let strange = output.lines().zip(&lines);
    let strange = strange.map(|(line, said)| is_new(line) || said.iter().any(|word| !written.contains(word)));
    let strange: Vec<bool> = strange.collect();
    // How many lines away the nearest such word stands.
    let mut near: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let distance = (0..=LINES_MAX).find(|distance| {
            let is_there = |at: Option<usize>| at.and_then(|at| strange.get(at)).is_some_and(|is| *is);
            is_there(at.checked_sub(*distance)) || is_there(Some(at + distance))
        });
        let Some(distance) = distance else { continue };
        for word in line {
            let known = near.entry(word).or_insert(distance);
            *known = distance.min(*known);
        }
    }
    let mut times: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (index, one) in texts.iter().enumerate() {
        for at in word_ranges(&one.text) {
            let [all, of_compared] = times.entry(&one.text[at]).or_default();
            *all += 1;
            *of_compared += usize::from(compared.contains(&index));
        }
    }
    let all = all_values(texts);
    // Of several places it is the one behind a word that is shown, too.
    let is_behind_shown = |one: &TextWord| {
        let before = line_up_to(&texts[one.text].text, one.at.start);
        word_ranges(before).last().is_some_and(|at| near.contains_key(&before[at]))
    };
    let is_only_shown = |word: &TextWord| {
        let mut same = all.iter().filter(|one| one.word == word.word && is_behind_shown(one));
        same.next() == Some(word) && same.next().is_none()
    };
    let is_one = |word: &&TextWord| match times.get(word.word.as_str()) {
        Some([times, of_compared]) => {
            *times == 1 || (compared.contains(&word.text) && *of_compared == 1) || is_only_shown(word)
        }
        None => texts.iter().map(|one| one.text.matches(&word.word).count()).sum::<usize>() == 1,
    };
    let distance = |word: &str| {
        near.get(word).copied().or_else(|| {
            let line = output.lines().position(|line| line.contains(word) && !is_one_word(word))?;
            lines[line].iter().filter_map(|word| near.get(word)).min().copied()
        })
    };
    let is_shown =
        |word: &&TextWord| distance(&word.word).is_some() && !is_trivial(&word.word.to_lowercase());
    let mut found: Vec<TextWord> = all.iter().filter(is_shown).filter(is_one).cloned().collect();
    found.sort_by_key(|word| (distance(&word.word), !word.is_text(), std::cmp::Reverse(word.word.len())));
    found
}

/// Where what gives this may stand: in texts whose names differ by their ending or folder, in its line, nearest first, in
/// the lines around it, and as a number in any other text, but in a script only where no such texts are.
pub fn inputs_of(texts: &[CheckText], expected: &TextWord) -> Vec<TextWord> {
    const EACH_MAX: usize = 4;
    let line_of = |word: &TextWord| texts[word.text].line_of(word);
    let line = line_of(expected);
    let all = all_values(texts);
    let others = || all.iter().filter(|word| word.word != expected.word);
    let here = |lines: Range<usize>| {
        let is_here = move |word: &&TextWord| word.text == expected.text && lines.contains(&line_of(word));
        let mut found: Vec<TextWord> = others().filter(is_here).cloned().collect();
        found.sort_by_key(|word| word.at.start.abs_diff(expected.at.start));
        found.truncate(EACH_MAX);
        found
    };
    let stem = |at: usize| whole::stem(&texts[at].path).to_owned();
    let own = stem(expected.text);
    let away = || others().filter(|word| word.text != expected.text);
    let mut found: Vec<TextWord> =
        away().filter(|word| stem(word.text) == own).take(EACH_MAX).cloned().collect();
    let may_ask = |word: &&TextWord| found.is_empty() || is_prose_like(&texts[word.text].path);
    let numbers = away().filter(|word| stem(word.text) != own && !word.is_text()).filter(may_ask);
    let numbers: Vec<TextWord> = numbers.take(EACH_MAX).cloned().collect();
    found.extend(here(line..line + 1));
    found.extend(here(line.saturating_sub(2)..line));
    found.extend(here(line + 1..line + 2));
    found.extend(numbers);
    found
}

/// What the input may be otherwise as a whole: the file of the same name with its last line many times, for what counts lines
/// or adds them up, and with all of its values others; else the lines around.
pub fn whole_inputs(texts: &[CheckText], expected: &TextWord) -> Vec<(TextWord, String)> {
    let own = whole::stem(&texts[expected.text].path);
    let is_input = |index: &usize| *index != expected.text && whole::stem(&texts[*index].path) == own;
    let beside = (0..texts.len()).find(is_input).filter(|_| !own.is_empty());
    let (text, line) = (beside.unwrap_or(expected.text), texts[expected.text].line_of(expected));
    let one = &texts[text];
    let is_around =
        |word: &&TextWord| word.text == text && (beside.is_some() || one.line_of(word).abs_diff(line) == 1);
    let mut others = one.clone();
    for word in all_values(texts).iter().filter(is_around).rev() {
        others = others.with(&word.at, &word.other(Distance::Near).unwrap_or_default());
    }
    let word = || TextWord { text, at: 0..one.text.len(), word: one.path.clone() };
    let longer = beside.map(|_| (word(), one.longer().text));
    longer.into_iter().chain([(word(), others.text)]).collect()
}

/// Does the word stand in data, in a file of its own or in a line of plain text, so that it is no name of a class?
pub fn is_of_text(texts: &[CheckText], word: &TextWord) -> bool {
    let one = &texts[word.text];
    let line = one.text.lines().nth(one.line_of(word) - 1).unwrap_or_default();
    let has_input =
        texts.iter().filter(|other| whole::stem(&other.path) == whole::stem(&one.path)).count() > 1;
    let is_plain = !line.contains(['"', ':', ',', '{', '[', '|', '=', ';', '(']);
    let is_long = |text: &str| word_ranges(text).count() > 1;
    !is_source(&one.path)
        && is_prose_like(&one.path)
        && if has_input {
            is_long(&one.text) || (!word.is_text() && word.word.len() > 1)
        } else {
            is_plain && is_long(line)
        }
}

/// Neither a command nor a script.
fn is_prose_like(path: &str) -> bool {
    path.contains('.') && !path.ends_with("sh")
}

/// Is a quotation mark open at the end of this, be it around a `$(…)` in which others are open or not?
fn is_within_quotes(line: &str) -> bool {
    let (mut around, mut quote) = (Vec::new(), None);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => drop(letters.next()),
            ('$', None | Some('"')) if letters.next_if_eq(&'(').is_some() => around.push(quote.take()),
            (')', None) => quote = around.pop().flatten(),
            ('"' | '\'', None) => quote = Some(letter),
            (_, Some(open)) if open == letter => quote = None,
            _ => {}
        }
    }
    quote.is_some() || around.iter().any(Option::is_some)
}

/// Does this word stand by itself in one of these texts?
pub fn is_word_of<'a>(word: &str, texts: impl IntoIterator<Item = &'a str>) -> bool {
    texts.into_iter().any(|text| word_ranges(text).any(|at| &text[at] == word))
}

/// Is a program of these given this file, in what the texts run? Then it is an input, and expected by nobody.
pub fn is_given(texts: &[CheckText], path: &str, programs: &[String]) -> bool {
    let mut commands = texts.iter().flat_map(|one| one.text.split(['\n', '|', ';', '&', '(', ')', '`']));
    commands.any(|command| {
        let program = programs.iter().find_map(|program| command.find(file_of(program)));
        program.is_some_and(|at| command[at..].contains(file_of(path)))
    })
}

/// Does something in this text look like a way to read files, or to run what was not written as code?
pub fn may_read(product: &str) -> bool {
    const WAYS: [&str; 14] = [
        "open", "read", "load", "exec", "eval", "include", "require", "glob", "import(", "import_module",
        "input", "subprocess", "system", "popen",
    ];
    let text = product.to_lowercase();
    WAYS.iter().any(|way| text.contains(way))
}

/// What may be a value of these texts, apart from a yes or a no: in a script what stands in quotes, and numbers.
pub fn values_in_texts(texts: &[CheckText]) -> Vec<TextWord> {
    let is_free = |word: &TextWord| {
        let one = &texts[word.text];
        let line = line_up_to(&one.text, word.at.start);
        let is_quoted = || is_within_quotes(line) && !line.ends_with('(');
        (is_prose_like(&one.path) && !one.text.contains([';', '(']))
            || is_source(&one.path)
            || !word.is_text()
            || is_quoted()
    };
    let is_value = |word: &TextWord| !is_trivial(&word.word.to_lowercase()) && is_free(word);
    all_values(texts).into_iter().filter(is_value).collect()
}

/// What may be a value: in a source only within literals, in a script not what it prints or calls by a variable.
fn all_values(texts: &[CheckText]) -> Vec<TextWord> {
    const LITERAL_BYTES_MAX: usize = 60;
    let mut found = Vec::new();
    for (index, one) in texts.iter().enumerate() {
        if is_code(one) {
            // Each is one value, however many words it has.
            for token in tokens(&one.path, &one.text).iter().filter(|token| token.literal().is_some()) {
                let at = unquoted(&one.text, &token.bytes);
                let is_plain = !at.is_empty() && at.len() <= LITERAL_BYTES_MAX;
                if is_plain && !is_file_name(&one.text[at.clone()]) && !is_told(&one.text, at.start) {
                    found.push(one.word(index, at));
                }
            }
            continue;
        }
        for (start, line) in lines_within(&one.text, 0..one.text.len()) {
            let is_told = !is_prose_like(&one.path) && is_told(&one.text, start);
            for at in word_ranges(line).filter(|_| !is_told) {
                let is_key = line[at.end..].starts_with("\":") || line[at.end..].starts_with("':");
                let is_named = ["$", "-", "${", "$("].iter().any(|sign| line[..at.start].ends_with(sign));
                let is_of_shell = !is_prose_like(&one.path) && is_of_shell(line, &at);
                if !is_key && !is_named && !is_of_shell && !is_file_name(&line[at.clone()]) {
                    found.push(one.word(index, start + at.start..start + at.end));
                }
            }
        }
    }
    found
}

/// A number of a shell's own: `2>&1`, `exit 1`.
fn is_of_shell(line: &str, at: &Range<usize>) -> bool {
    let before = &line[..at.start];
    line[at.end..].starts_with(['>', '<'])
        || [">&", "exit ", "return "].iter().any(|end| before.ends_with(end))
}

/// May something be expected to be this word? Not what names a variable of a shell, nor what stands only in comments, in the
/// titles of tests (`expect "lists all" "$(list)" "1 a"`), in names of files that a script puts together, and in what a
/// makefile builds with.
pub fn may_be_expected_word(texts: &[CheckText], word: &str) -> bool {
    let places = || texts.iter().flat_map(|one| places_of(&one.text, word).map(move |at| (one, at)));
    let is_variable = |(CheckText { text, .. }, at): (&CheckText, usize)| {
        let (line, rest) = (line_up_to(text, at), &text[at + word.len()..]);
        let is_set = rest.starts_with('=') && line.split_whitespace().all(|one| one == "export");
        line.ends_with(['$']) || line.ends_with("${") || is_set
    };
    !places().any(is_variable) && places().any(|(one, at)| !is_aside(one, at))
}

/// Does what stands here say nothing of what is expected?
fn is_aside(one: &CheckText, at: usize) -> bool {
    let (line, rest) = (line_up_to(&one.text, at), one.text[at..].lines().next().unwrap_or_default());
    let is_script = !is_prose_like(&one.path);
    // `"$folder/nowhere"`
    let around = |letter: char| letter.is_whitespace() || "\"'`()=".contains(letter);
    let ends = [line.rsplit(around).next(), rest.split(around).next()].map(Option::unwrap_or_default);
    let is_of_path = ['/', '$'].iter().all(|sign| ends.iter().any(|end| end.contains(*sign)));
    // `CC = gcc`, and `$(CC) -std=c11 -o $@ app.c`
    let is_built = [line, rest].iter().any(|part| part.contains(" -o "));
    let is_of_make = one.path.to_lowercase().ends_with("makefile") && (!line.starts_with('\t') || is_built);
    let is_comment = line.trim_start().starts_with('#');
    let is_of_script = is_script && (is_comment || is_of_path);
    is_of_script || is_of_make || is_in_comment(line) || is_in_title(line, rest)
}

/// Is this in the title of a test, as the first thing that its own command is given? The command may stand behind another one
/// in its line: `sh app.sh; is "no arguments" $? 2`.
fn is_in_title(line: &str, rest: &str) -> bool {
    let mut ends = line.match_indices([';', '&', '|']).rev().map(|(at, _)| at);
    let end = ends.find(|at| !is_within_quotes(&line[..*at]));
    let own = end.map_or(line, |at| &line[at + 1..]).trim_start();
    own.find(['"', '\'']).is_some_and(|open| {
        let call = own[..open].trim_end();
        let quote = &own[open..=open];
        let behind = rest.split_once(quote).filter(|_| own.matches(quote).count() == 1);
        call.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
            && !call.is_empty()
            && behind.is_some_and(|(_, behind)| behind.contains('$'))
    })
}

/// Does a comment of JSON or of a source begin in this line, and not end?
fn is_in_comment(line: &str) -> bool {
    ["//", "/*"].iter().any(|sign| {
        line.rsplit_once(sign).is_some_and(|(before, comment)| {
            let begins = before.is_empty() || before.ends_with([' ', '\t', ',', ';', '{', '}', '[', ']']);
            begins && !is_within_quotes(before) && !comment.contains("*/")
        })
    })
}

/// The line in which this place stands, from its beginning to there.
fn line_up_to(text: &str, at: usize) -> &str {
    &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at]
}

/// A source: what stands in no literal is a name there.
fn is_code(one: &CheckText) -> bool {
    const STATEMENTS_MIN: usize = 3;
    let ends = one.text.lines().filter(|line| line.trim_end().ends_with([';', '{', '}']));
    is_program_text(&one.path)
        || (is_prose_like(&one.path) && !is_prose(&one.path) && ends.count() >= STATEMENTS_MIN)
}

/// Does the line at this place print something?
fn is_told(text: &str, at: usize) -> bool {
    const PRINTING: [&str; 6] = ["echo", "print", "console.", "log", "fail ", "<<"];
    let line = text[at - line_up_to(text, at).len()..].lines().next().unwrap_or_default();
    PRINTING.iter().any(|word| line.contains(word)) && !line.contains("$(")
}

/// Letters and digits, with what may stand between them: `2024-01-31`, `3.14`, `snake_case`.
fn word_ranges(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text[rest..].find(char::is_alphanumeric)?;
        let mut end = start;
        let mut letters = text[start..].char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let goes_on = letters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
            if !(letter.is_alphanumeric() || ("-._".contains(letter) && goes_on)) {
                break;
            }
            end = start + at + letter.len_utf8();
        }
        rest = end;
        Some(start..end)
    })
}

fn is_one_word(text: &str) -> bool {
    word_ranges(text).next() == Some(0..text.len())
}

/// `check.sh`
fn is_file_name(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with(char::is_alphabetic))
}

#[cfg(test)]
mod tests;
