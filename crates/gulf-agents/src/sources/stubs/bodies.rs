//! Where the bodies of functions begin in a source, and what a stub in them is.
//!
//! It is all that a language differs in. A body that is read wrong makes a source that does not build, and what does
//! not build is noticed.

use super::super::scan::{close_of, first_word, indent_of, is_word, last_word};
use super::super::tokens::{Lexeme, closing, outside_brackets};
use super::super::{Language, LineRange};
use super::StubKind;

/// The body of one function.
pub(super) struct Body {
    /// From its head to its end.
    pub(super) lines: LineRange,
    /// Where the stub goes, in bytes.
    pub(super) at: usize,
    /// The function was not there before.
    pub(super) is_new: bool,
    form: BodyForm,
}

enum BodyForm {
    Block,
    /// `=> value`
    Value,
    /// A line of Python in its own indentation, or behind the colon.
    Line(Option<String>),
    /// Go and Rust: what it returns, as written.
    Returns(String),
}

pub(super) fn is_read(language: Language) -> bool {
    matches!(language, Language::Python | Language::Script | Language::Rust | Language::Go)
}

pub(super) fn bodies(language: Language, text: &str, tokens: &[Lexeme]) -> Vec<Body> {
    let body = |place: usize| match language {
        Language::Python => of_python(text, tokens, place),
        Language::Rust => of_rust(text, tokens, place),
        Language::Go => of_go(text, tokens, place),
        Language::Script => of_script(tokens, place),
        Language::Java | Language::Ruby => None,
    };
    (0..tokens.len()).filter_map(body).collect()
}

impl Body {
    /// What stands before it, from the beginning of its first line.
    pub(super) fn head<'text>(&self, text: &'text str) -> &'text str {
        let line = text.split_inclusive('\n').take(self.lines.first - 1).map(str::len).sum();
        text[line..self.at].trim_start()
    }

    pub(super) fn stub(&self, language: Language, kind: StubKind, text: &str) -> String {
        let given = first_argument(self.head(text)).filter(|_| kind == StubKind::ReturnsArgument);
        let fails = !matches!(kind, StubKind::ReturnsNothing | StubKind::ReturnsArgument);
        match (language, &self.form) {
            (Language::Python, _) if let Some(given) = given => format!("return {given}"),
            (Language::Script, BodyForm::Value) if let Some(given) = given => format!("true ? {given} :"),
            (Language::Script, _) if let Some(given) = given => format!("if (true) return {given};"),
            (Language::Python, _) if fails => "raise NotImplementedError(\"not implemented\")".to_owned(),
            (Language::Python, _) => "return".to_owned(),
            (Language::Rust, _) if kind == StubKind::Ends => "if true { ::std::process::abort() }".to_owned(),
            (Language::Rust, _) if fails => "if true { ::core::panic!(\"not implemented\") }".to_owned(),
            (Language::Rust, BodyForm::Returns(results)) if results.contains("Result<") => {
                "if true { return Ok(::core::default::Default::default()); }".to_owned()
            }
            (Language::Rust, _) => "if true { return ::core::default::Default::default(); }".to_owned(),
            (Language::Go, _) if fails => "if true { panic(\"not implemented\") };".to_owned(),
            (Language::Go, BodyForm::Returns(results)) => {
                format!("if true {{ return {} }};", nothing(results))
            }
            (_, BodyForm::Value) if fails => {
                "true ? (() => { throw new Error(\"not implemented\"); })() :".to_owned()
            }
            (_, BodyForm::Value) => "true ? undefined :".to_owned(),
            _ if fails => "if (true) throw new Error(\"not implemented\");".to_owned(),
            _ => "if (true) return;".to_owned(),
        }
    }

    /// As it stands at the beginning of the body.
    pub(super) fn beginning(&self, statement: &str) -> String {
        match &self.form {
            BodyForm::Line(Some(indent)) => format!("{indent}{statement}\n"),
            BodyForm::Line(None) => format!(" {statement};"),
            BodyForm::Value => format!(" {statement}"),
            BodyForm::Block | BodyForm::Returns(_) => format!(" {statement} "),
        }
    }
}

/// The name that stands in a head: `def name(`, `func (t T) Name(`, `fn name<T>(`, `const name = (a) =>`.
pub(super) fn name(head: &str) -> Option<&str> {
    let rest = match head.split_once("fn ").or_else(|| head.split_once("def ")) {
        Some((_, rest)) => rest,
        None => {
            // What a bracket or a sign follows at once.
            let sets =
                |at: &usize| head[..*at].ends_with(is_word) && head[*at..].starts_with(['(', '[', '<']);
            let end = head.char_indices().map(|(at, _)| at).find(sets);
            let end = end.or_else(|| head.find('=').map(|at| head[..at].trim_end().len()))?;
            last_word(&head[..end])
        }
    };
    Some(first_word(rest)).filter(|name| !name.is_empty() && !["function", "async"].contains(name))
}

/// The names of what a function with a name is given, but for the value whose method it is.
pub(super) fn arguments(head: &str) -> Option<Vec<&str>> {
    let name = name(head)?;
    let behind = head.find(name)? + name.len();
    let generic = head[behind..].starts_with('<').then(|| close_of(head, behind, ['<', '>'])).flatten();
    let open = generic.unwrap_or(behind) + head[generic.unwrap_or(behind)..].find('(')?;
    let close = close_of(head, open, ['(', ')'])?;
    let names =
        head[open + 1..close].split(',').map(|one| one.trim().trim_start_matches(['&', '*', '.', '{', ' ']));
    let names = names.map(|one| one.strip_prefix("mut ").unwrap_or(one)).map(first_word);
    Some(names.filter(|name| !name.is_empty() && !["self", "cls", "this"].contains(name)).collect())
}

/// What is given first, where it has a name: of `(self, text: str = "")` it is `text`, of `a => b` it is `a`.
fn first_argument(head: &str) -> Option<String> {
    let arrow = head.trim_end().strip_suffix("=>").map(str::trim_end);
    if let Some(bare) = arrow.filter(|head| !head.ends_with(')')) {
        return Some(last_word(bare).to_owned()).filter(|name| !name.is_empty());
    }
    let close = head.rfind(')')?;
    let mut opening = head[..close].rmatch_indices('(').map(|(at, _)| at);
    let open = opening.find(|open| close_of(head, *open, ['(', ')']) == Some(close))?;
    let mut arguments = head[open + 1..close].split(',').map(str::trim);
    let argument = arguments.find(|one| !["self", "cls"].contains(one))?;
    // `*parts`, `...parts`
    let rest = argument.strip_prefix("...").or_else(|| argument.strip_prefix('*'));
    let name = first_word(rest.unwrap_or(argument));
    (!name.is_empty()).then(|| if rest.is_some() { format!("{name}[0]") } else { name.to_owned() })
}

/// `(int, error)`: `*new(int), *new(error)`. Named ones need no value.
fn nothing(results: &str) -> String {
    let inner = results.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(results);
    let types: Vec<&str> = inner.split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
    const OF_TYPES: [&str; 5] = ["func", "chan", "struct", "interface", "<-chan"];
    let is_named = results.starts_with('(')
        && types.iter().any(|one| {
            one.split_once(' ').is_some_and(|(first, _)| !OF_TYPES.iter().any(|word| first.starts_with(word)))
        });
    if is_named {
        return String::new();
    }
    types.iter().map(|one| format!("*new({one})")).collect::<Vec<_>>().join(", ")
}

/// The first token at this depth of brackets that is wanted, from a place on; none where one ends the search.
fn next_at_depth(
    tokens: &[Lexeme],
    from: usize,
    is_wanted: impl Fn(usize) -> bool,
    ends: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut ahead = outside_brackets(tokens, from..tokens.len());
    ahead.find(|at| is_wanted(*at) || ends(*at) || tokens[*at].closes()).filter(|at| is_wanted(*at))
}

fn block(tokens: &[Lexeme], head: usize, open: usize, form: BodyForm) -> Option<Body> {
    let last = tokens[closing(tokens, open)?].line;
    let lines = LineRange { first: tokens[head].line, last };
    Some(Body { lines, at: tokens[open].bytes.end, is_new: false, form })
}

fn of_rust(text: &str, tokens: &[Lexeme], head: usize) -> Option<Body> {
    if tokens[head].word() != Some("fn") || tokens.get(head + 1)?.word().is_none() {
        return None;
    }
    let opens = |place: usize| tokens[place].is("{");
    let open = next_at_depth(tokens, head + 1, opens, |place| tokens[place].is(";"))?;
    let results = text[tokens[head].bytes.end..tokens[open].bytes.start].rsplit_once("->");
    let form = results.map_or(BodyForm::Block, |(_, results)| BodyForm::Returns(results.trim().to_owned()));
    block(tokens, head, open, form)
}

fn of_go(text: &str, tokens: &[Lexeme], head: usize) -> Option<Body> {
    if tokens[head].word() != Some("func") {
        return None;
    }
    let is_type =
        |place: usize| ["interface", "struct"].iter().any(|word| tokens[place - 1].word() == Some(word));
    let opens = |place: usize| tokens[place].is("{") && !is_type(place);
    let open = next_at_depth(tokens, head + 1, opens, |place| tokens[place].word() == Some("func"))?;
    // Of a method the first brackets hold whose it is.
    let first = (head + 1..open).find(|place| tokens[*place].is("("))?;
    let after = closing(tokens, first)?;
    let is_method = first == head + 1 && tokens.get(after + 2)?.is("(") && after + 2 < open;
    let inputs = if is_method { after + 2 } else { first };
    let results = text[tokens[closing(tokens, inputs)?].bytes.end..tokens[open].bytes.start].trim();
    block(tokens, head, open, BodyForm::Returns(results.to_owned()))
}

fn of_script(tokens: &[Lexeme], head: usize) -> Option<Body> {
    const CONTROLS: [&str; 7] = ["if", "for", "while", "switch", "catch", "with", "return"];
    // Where no semicolon ends a value, the next statement does.
    const STATEMENTS: [&str; 9] =
        ["const", "let", "var", "export", "function", "class", "import", "return", "async"];
    const BEFORE: [&str; 9] =
        ["async", "static", "get", "set", "public", "private", "protected", "override", "readonly"];
    if tokens[head].is("=>") {
        let next = tokens.get(head + 1)?;
        if next.is("{") {
            return block(tokens, head, head + 1, BodyForm::Block);
        }
        let begins = |place: usize| {
            let token = &tokens[place];
            let is_first = token.line > tokens[place - 1].line;
            is_first && token.word().is_some_and(|word| STATEMENTS.contains(&word))
        };
        let closes = |place: usize| tokens[place].is(",") || tokens[place].is(";") || tokens[place].closes();
        let ends = |place: usize| closes(place) || begins(place);
        let end = next_at_depth(tokens, head + 1, ends, |_| false).unwrap_or(head + 2);
        let lines = LineRange { first: tokens[head].line, last: tokens.get(end - 1)?.line };
        return Some(Body { lines, at: tokens[head].bytes.end, is_new: false, form: BodyForm::Value });
    }
    let word = tokens[head].word()?;
    let begins_line = || {
        let mut before = tokens[..head].iter().rev().take_while(|token| token.line == tokens[head].line);
        before.all(|token| token.word().is_some_and(|word| BEFORE.contains(&word)) || token.is("*"))
    };
    let is_method = tokens.get(head + 1)?.is("(") && !CONTROLS.contains(&word) && begins_line();
    if word != "function" && !is_method {
        return None;
    }
    let inputs = (head + 1..tokens.len().min(head + 4)).find(|place| tokens[*place].is("("))?;
    let after = closing(tokens, inputs)? + 1;
    // What stands between is a type.
    let ends = |place: usize| tokens[place].is(";") || tokens[place].is("=") || tokens[place].is("=>");
    let open = next_at_depth(tokens, after, |place| tokens[place].is("{"), ends)?;
    let is_close =
        tokens[open].line <= tokens[after - 1].line + 3 && (open == after || tokens[after].is(":"));
    is_close.then(|| block(tokens, head, open, BodyForm::Block)).flatten()
}

fn of_python(text: &str, tokens: &[Lexeme], head: usize) -> Option<Body> {
    if tokens[head].word() != Some("def") {
        return None;
    }
    let colon = next_at_depth(tokens, head + 1, |place| tokens[place].is(":"), |_| false)?;
    let all: Vec<&str> = text.lines().collect();
    let (first, own) = (tokens[head].line, indent_of(all.get(tokens[head].line - 1)?));
    let head_end = tokens[colon].line;
    let deeper = (head_end + 1..).zip(all.iter().skip(head_end));
    let deeper = deeper.take_while(|(_, line)| line.trim().is_empty() || indent_of(line) > own);
    let last = deeper.filter(|(_, line)| !line.trim().is_empty()).last().map_or(head_end, |(last, _)| last);
    let lines = LineRange { first, last };
    let body = |at, indent| Body { lines, at, is_new: false, form: BodyForm::Line(indent) };
    let mut next = colon + 1;
    if tokens.get(next).is_some_and(|token| token.line == head_end) {
        return Some(body(tokens[colon].bytes.end, None));
    }
    // A text alone in its line says what the function does.
    let is_text = |place: usize| {
        let token: &Lexeme = &tokens[place];
        let follows = tokens.get(place + 1).is_none_or(|after| after.line > token.line);
        follows && token.literal().is_some_and(|value| value.starts_with('"'))
    };
    if next < tokens.len() && tokens[next].line == head_end + 1 && is_text(next) {
        next += 1;
    }
    let line = tokens.get(next).filter(|token| token.line <= last)?.line;
    let statement = all.get(line - 1)?;
    let at: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    Some(body(at, Some(statement[..indent_of(statement)].to_owned())))
}
