//! Takes a shell script apart in one pass, whatever it is: what is not closed ends with the text.
//!
//! It stands apart because it decides nothing. It never fails and never looks back further than it may look ahead, so
//! the time it takes grows with the text and with nothing else.

mod words;

use super::tree::{Body, Command, Direction, Part, Redirection, Script, Step, Word};

/// Substitutions within substitutions; what is deeper is read as if it stood outside.
const DEPTH_MAX: u8 = 24;

/// A command may follow these on the same line.
pub(super) const OPENERS: [&str; 11] =
    ["then", "do", "else", "elif", "if", "while", "until", "{", "!", "time", "coproc"];

/// Scans a whole script. When no parts are left, the text is taken to end there.
pub(super) fn script<'text>(text: &'text str, parts_left: &mut usize) -> Script<'text> {
    let mut scanner = Scanner::new(text, *parts_left);
    let steps = scanner.steps(Ends::WithText);
    *parts_left = scanner.parts_left;
    Script { steps, bodies: scanner.bodies }
}

/// Scans text as between double quotes, where only substitutions count.
pub(super) fn quoted<'text>(text: &'text str, parts_left: &mut usize) -> (Word<'text>, Vec<Body<'text>>) {
    let mut scanner = Scanner::new(text, *parts_left);
    let mut word = Word::default();
    scanner.double_quoted(&mut word, Ends::WithText);
    *parts_left = scanner.parts_left;
    (word, scanner.bodies)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    WithText,
    AtItsMark,
}

struct Scanner<'text> {
    text: &'text str,
    at: usize,
    depth: u8,
    /// Commands, words and parts of words that are still to be read.
    parts_left: usize,
    bodies: Vec<Body<'text>>,
    /// Here-documents whose bodies begin on the next line.
    awaited: Vec<Awaited>,
}

struct Awaited {
    delimiter: String,
    is_literal: bool,
    strips_tabs: bool,
    number: usize,
}

impl<'text> Scanner<'text> {
    fn new(text: &'text str, parts_left: usize) -> Self {
        Self { text, at: 0, depth: 0, parts_left, bodies: Vec::new(), awaited: Vec::new() }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// The byte with which another part begins; after the last part there is none any more.
    fn begin(&mut self) -> Option<u8> {
        self.parts_left = self.parts_left.checked_sub(1)?;
        self.byte(0)
    }

    fn starts(&self, text: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(text.as_bytes())
    }

    fn take(&mut self, text: &str) -> bool {
        let starts = self.starts(text);
        if starts {
            self.at += text.len();
        }
        starts
    }

    /// Commands up to the end, or to the bracket that closes what this began with.
    fn steps(&mut self, ends: Ends) -> Vec<Step<'text>> {
        let mut steps = Vec::new();
        let mut command = Command::default();
        // For each open bracket the `case`s that are open in it: there, `)` ends a pattern.
        let mut cases = vec![0_u32];
        loop {
            self.skip_blanks();
            let Some(byte) = self.begin() else { break };
            match byte {
                b'\n' => {
                    self.at += 1;
                    push(&mut steps, &mut command);
                    self.read_bodies();
                }
                b';' => {
                    self.at += 1;
                    push(&mut steps, &mut command);
                }
                b'|' => {
                    let is_or = self.take("||");
                    push(&mut steps, &mut command);
                    if !is_or {
                        self.at += if self.starts("|&") { 2 } else { 1 };
                        command.is_fed = true;
                    }
                }
                b'&' if !self.starts("&>") => {
                    self.at += if self.starts("&&") { 2 } else { 1 };
                    push(&mut steps, &mut command);
                }
                b'(' => {
                    self.at += 1;
                    let is_fed = command.is_fed && command.is_empty();
                    push(&mut steps, &mut command);
                    command.is_fed = is_fed;
                    steps.push(Step::Enter);
                    cases.push(0);
                }
                b')' => {
                    self.at += 1;
                    push(&mut steps, &mut command);
                    let is_pattern = cases.last().is_some_and(|open| *open > 0);
                    if !is_pattern && cases.len() > 1 {
                        cases.pop();
                        steps.push(Step::Leave);
                    } else if !is_pattern && ends == Ends::AtItsMark {
                        return steps;
                    }
                }
                b'&' => self.redirection(&mut command),
                b'<' | b'>' if self.byte(1) != Some(b'(') => self.redirection(&mut command),
                _ => self.word_of(&mut command, &mut cases),
            }
        }
        push(&mut steps, &mut command);
        steps
    }

    fn word_of(&mut self, command: &mut Command<'text>, cases: &mut [u32]) {
        let word = self.word();
        let is_descriptor = matches!(self.byte(0), Some(b'<' | b'>'))
            && word.bare().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        if is_descriptor {
            return;
        }
        let opens = command.openers == command.words.len();
        if opens {
            command.openers += usize::from(word.bare().is_some_and(|text| OPENERS.contains(&text)));
        }
        if opens && let Some(open) = cases.last_mut() {
            match word.bare() {
                Some("case") => *open = open.saturating_add(1),
                Some("esac") => *open = open.saturating_sub(1),
                Some(_) | None => {}
            }
        }
        let is_test = opens && word.bare() == Some("[[");
        command.words.push(word);
        if is_test {
            self.test(command);
        }
    }

    /// Within `[[ … ]]`, `<`, `>`, `&&`, `||` and brackets mean something else.
    fn test(&mut self, command: &mut Command<'text>) {
        loop {
            self.skip_blanks();
            match self.begin() {
                None | Some(b'\n' | b';') => return,
                Some(b'&' | b'|' | b'<' | b'>' | b'(' | b')') => self.at += 1,
                Some(_) => {
                    let word = self.word();
                    let is_end = word.bare() == Some("]]");
                    command.words.push(word);
                    if is_end {
                        return;
                    }
                }
            }
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.byte(0) {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\\') if self.byte(1) == Some(b'\n') => self.at += 2,
                Some(b'#') => self.at = self.line_end(),
                _ => return,
            }
        }
    }

    fn line_end(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        self.at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
    }

    fn redirection(&mut self, command: &mut Command<'text>) {
        let direction = match () {
            () if self.take("<<<") => Direction::Text,
            () if self.starts("<<") => return self.here_document(command),
            () if self.take("<>") || self.take("&>>") || self.take("&>") => Direction::Write,
            () if self.take(">>") || self.take(">|") || self.take(">&") => Direction::Write,
            () if self.take(">") => Direction::Write,
            () => {
                self.at += if self.starts("<&") { 2 } else { 1 };
                Direction::Read
            }
        };
        let is_copy = self.text.as_bytes()[..self.at].ends_with(b"&");
        self.skip_blanks();
        let target = self.word();
        let names_descriptor =
            |text: &str| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        let is_descriptor = is_copy && target.bare().is_some_and(names_descriptor);
        if !target.parts.is_empty() && !is_descriptor {
            command.redirections.push(Redirection { direction, target });
        }
    }

    fn here_document(&mut self, command: &mut Command<'text>) {
        self.at += 2;
        let strips_tabs = self.take("-");
        self.skip_blanks();
        let (delimiter, is_literal) = self.word().delimiter();
        let number = self.bodies.len();
        self.bodies.push(Body { text: "", is_literal });
        self.awaited.push(Awaited { delimiter, is_literal, strips_tabs, number });
        let target = Word::default();
        command.redirections.push(Redirection { direction: Direction::Body(number), target });
    }

    fn read_bodies(&mut self) {
        for awaited in std::mem::take(&mut self.awaited) {
            let start = self.at;
            let mut end = self.text.len();
            while self.at < self.text.len() {
                let line_start = self.at;
                let line_end = self.line_end();
                self.at = (line_end + 1).min(self.text.len());
                let line = self.text[line_start..line_end].trim_end_matches('\r');
                let line = if awaited.strips_tabs { line.trim_start_matches('\t') } else { line };
                if line == awaited.delimiter {
                    end = line_start;
                    break;
                }
            }
            if let Some(body) = self.bodies.get_mut(awaited.number) {
                *body = Body { text: &self.text[start..end], is_literal: awaited.is_literal };
            }
        }
    }

    /// A script within this one, up to its `)`; nothing if it is too deep.
    fn nested(&mut self) -> Option<Part<'text>> {
        if self.depth >= DEPTH_MAX {
            return None;
        }
        self.depth += 1;
        let steps = self.steps(Ends::AtItsMark);
        self.depth -= 1;
        Some(Part::Output(steps))
    }
}

/// A pipe at the end of a line feeds the first command of the next.
fn push<'text>(steps: &mut Vec<Step<'text>>, command: &mut Command<'text>) {
    if !command.is_empty() {
        steps.push(Step::Run(std::mem::take(command)));
    }
}
