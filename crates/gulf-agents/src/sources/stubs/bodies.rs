//! Where the bodies of functions begin in a source, and what a stub in them is.
//!
//! It is all that a language differs in. A body that is read wrong makes a source that does not build, and what does
//! not build is noticed.

use super::super::tokens::{Lexeme, closing, outside_brackets};
use super::super::{Language, LineRange};
use super::StubKind;

/// The body of one function.
pub(in super::super) struct Body {
    /// From its head to its end.
    pub(super) lines: LineRange,
    /// Where the stub goes, in bytes.
    pub(super) at: usize,
    /// The function was not there before.
    pub(super) is_new: bool,
    /// What it is called; of one that is given to another, what that one is called.
    pub(in super::super) name: Option<String>,
    /// What it is given, but for the value whose method it is.
    pub(in super::super) inputs: Vec<GivenInput>,
    form: BodyForm,
}

/// What a function is given, by its name there.
pub(in super::super) struct GivenInput {
    pub(in super::super) name: String,
    /// `*parts`, `...parts`
    is_list: bool,
}

enum BodyForm {
    Block,
    /// `=> value`
    Value,
    /// A line of Python in its own indentation, or behind the colon.
    Line {
        indent: Option<String>,
    },
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

    pub(super) fn stub(&self, language: Language, kind: StubKind) -> String {
        let argument = self.inputs.first().filter(|_| kind == StubKind::ReturnsArgument);
        let argument = argument.map(|one| format!("{}{}", one.name, if one.is_list { "[0]" } else { "" }));
        let fails = !matches!(kind, StubKind::ReturnsNothing | StubKind::ReturnsArgument);
        match (language, &self.form) {
            (Language::Python, _) if let Some(argument) = argument => format!("return {argument}"),
            (Language::Script, BodyForm::Value) if let Some(argument) = argument => {
                format!("true ? {argument} :")
            }
            (Language::Script, _) if let Some(argument) = argument => format!("if (true) return {argument};"),
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
            BodyForm::Line { indent: Some(indent) } => format!("{indent}{statement}\n"),
            BodyForm::Line { indent: None } => format!(" {statement};"),
            BodyForm::Value => format!(" {statement}"),
            BodyForm::Block | BodyForm::Returns(_) => format!(" {statement} "),
        }
    }
}

/// What a function is given in the brackets that open here, but for the value whose method it is.
fn inputs(tokens: &[Lexeme], open: usize) -> Vec<GivenInput> {
    let Some(close) = closing(tokens, open) else { return Vec::new() };
    let commas = outside_brackets(tokens, open + 1..close).filter(|at| tokens[*at].is(",")).chain([close]);
    let (mut start, mut found) = (open + 1, Vec::new());
    for end in commas {
        let part = &tokens[std::mem::replace(&mut start, end + 1)..end];
        let is_list = part.first().is_some_and(|first| first.is("*") || first.is(".."));
        let is_first = |one: &Lexeme| one.opens() || one.word().is_some_and(|word| word != "mut");
        let Some(first) = part.iter().position(is_first) else { continue };
        // `{ a, b }`, `(a, b): (Text, Text)`
        let last = closing(part, first).filter(|_| part[first].opens()).unwrap_or(first);
        let names = part[first..=last].iter().filter_map(Lexeme::word);
        let names = names.filter(|name| !["self", "cls", "this"].contains(name));
        found.extend(names.map(|name| GivenInput { name: name.to_owned(), is_list }));
    }
    found
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
    let (name, inputs) = (None, Vec::new());
    Some(Body { lines, at: tokens[open].bytes.end, is_new: false, name, inputs, form })
}

fn of_rust(text: &str, tokens: &[Lexeme], head: usize) -> Option<Body> {
    let name = tokens.get(head + 1)?.word().filter(|_| tokens[head].word() == Some("fn"))?;
    let opens = |place: usize| tokens[place].is("{");
    let open = next_at_depth(tokens, head + 1, opens, |place| tokens[place].is(";"))?;
    let results = text[tokens[head].bytes.end..tokens[open].bytes.start].rsplit_once("->");
    let form = results.map_or(BodyForm::Block, |(_, results)| BodyForm::Returns(results.trim().to_owned()));
    // Those of a type stand within its own brackets.
    let begins = |at: &usize| *at == head + 2 || tokens[at - 1].is(">") || tokens[at - 1].is(">>");
    let mut brackets = outside_brackets(tokens, head + 2..open).filter(|at| tokens[*at].is("("));
    let inputs = brackets.find(begins).map_or_else(Vec::new, |open| inputs(tokens, open));
    Some(Body { name: Some(name.to_owned()), inputs, ..block(tokens, head, open, form)? })
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
    let mut brackets = (head + 1..open).filter(|place| tokens[*place].is("("));
    let first = brackets.next()?;
    let after = closing(tokens, first)?;
    let is_method = first == head + 1 && tokens.get(after + 2)?.is("(") && after + 2 < open;
    let (named, given) = if is_method { (after + 1, after + 2) } else { (head + 1, first) };
    let results = text[tokens[closing(tokens, given)?].bytes.end..tokens[open].bytes.start].trim();
    let body = block(tokens, head, open, BodyForm::Returns(results.to_owned()))?;
    Some(Body { name: tokens[named].word().map(str::to_owned), inputs: inputs(tokens, given), ..body })
}

fn of_script(tokens: &[Lexeme], head: usize) -> Option<Body> {
    const CONTROLS: [&str; 7] = ["if", "for", "while", "switch", "catch", "with", "return"];
    // Where no semicolon ends a value, the next statement does.
    const STATEMENTS: [&str; 9] =
        ["const", "let", "var", "export", "function", "class", "import", "return", "async"];
    const BEFORE: [&str; 9] =
        ["async", "static", "get", "set", "public", "private", "protected", "override", "readonly"];
    if tokens[head].is("=>") {
        let (name, inputs) = of_arrow(tokens, head);
        if tokens.get(head + 1)?.is("{") {
            return Some(Body { name, inputs, ..block(tokens, head, head + 1, BodyForm::Block)? });
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
        let (at, form) = (tokens[head].bytes.end, BodyForm::Value);
        return Some(Body { lines, at, is_new: false, name, inputs, form });
    }
    let word = tokens[head].word()?;
    let begins_line = || {
        let before = tokens[..head].iter().rev().take_while(|token| token.line == tokens[head].line);
        let mut before = before;
        before.all(|token| token.word().is_some_and(|word| BEFORE.contains(&word)) || token.is("*"))
    };
    let is_method = tokens.get(head + 1)?.is("(") && !CONTROLS.contains(&word) && begins_line();
    if word != "function" && !is_method {
        return None;
    }
    let given = (head + 1..tokens.len().min(head + 4)).find(|place| tokens[*place].is("("))?;
    let after = closing(tokens, given)? + 1;
    // What stands between is a type.
    let ends = |place: usize| tokens[place].is(";") || tokens[place].is("=") || tokens[place].is("=>");
    let open = next_at_depth(tokens, after, |place| tokens[place].is("{"), ends)?;
    let is_close =
        tokens[open].line <= tokens[after - 1].line + 3 && (open == after || tokens[after].is(":"));
    let name = if is_method { Some(word) } else { tokens[head + 1].word() }.map(str::to_owned);
    let body = block(tokens, head, open, BodyForm::Block).filter(|_| is_close)?;
    Some(Body { name, inputs: inputs(tokens, given), ..body })
}

/// What a function with an arrow is called, and what it is given: `const name = async (a) =>`, `each(a =>`.
fn of_arrow(tokens: &[Lexeme], arrow: usize) -> (Option<String>, Vec<GivenInput>) {
    let is = |back: usize, sign: &str| arrow.checked_sub(back).is_some_and(|at| tokens[at].is(sign));
    let Some(last) = arrow.checked_sub(if is(2, ":") && is(3, ")") { 3 } else { 1 }) else {
        return (None, Vec::new());
    };
    let opens = |open: &usize| tokens[*open].is("(") && closing(tokens, *open) == Some(last);
    let open = (0..last).rev().find(opens).filter(|_| tokens[last].is(")"));
    let bare = |name: &str| GivenInput { name: name.to_owned(), is_list: false };
    let given = match open {
        Some(open) => inputs(tokens, open),
        None => tokens[last].word().map(bare).into_iter().collect(),
    };
    let mut before =
        tokens[..open.unwrap_or(last)].iter().rev().skip_while(|one| one.word() == Some("async"));
    let sets = before.next().is_some_and(|one| one.is("=") || one.is("("));
    (before.next().filter(|_| sets).and_then(Lexeme::word).map(str::to_owned), given)
}

fn of_python(text: &str, tokens: &[Lexeme], head: usize) -> Option<Body> {
    let name = tokens.get(head + 1)?.word().filter(|_| tokens[head].word() == Some("def"))?.to_owned();
    let colon = next_at_depth(tokens, head + 1, |place| tokens[place].is(":"), |_| false)?;
    let lines: Vec<&str> = text.lines().collect();
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let (first, own) = (tokens[head].line, indent_of(lines.get(tokens[head].line - 1)?));
    let head_end = tokens[colon].line;
    let deeper =
        lines.iter().skip(head_end).take_while(|line| line.trim().is_empty() || indent_of(line) > own);
    let deeper: Vec<&&str> = deeper.collect();
    let last =
        head_end + deeper.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |place| place + 1);
    let given = (head + 1..colon).find(|at| tokens[*at].is("("));
    let inputs = given.map_or_else(Vec::new, |open| inputs(tokens, open));
    let body = |at, indent| Body {
        lines: LineRange { first, last },
        at,
        is_new: false,
        name: Some(name.clone()),
        inputs,
        form: BodyForm::Line { indent },
    };
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
    let statement = lines.get(line - 1)?;
    let at: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    Some(body(at, Some(statement[..indent_of(statement)].to_owned())))
}
