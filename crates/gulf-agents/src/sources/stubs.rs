//! The functions that a change added or changed, with a stub in place of each: tests that prove the work notice that (SPEC B3).
//!
//! It asks for less: not whether every line is seen, but whether the tests that came with the work run any of it.
//! Tests of a mock, of a name or of a source's text do not.

mod bodies;
mod unread;

use std::collections::{BTreeMap, BTreeSet};

use self::bodies::{Body, bodies};
pub use self::unread::unread;
use super::aware::is_product;
use super::blocks::{Part, blocks};
use super::graft::{Changed, Edit};
use super::mutants::is_prose;
use super::scan::{Scanned, code_lines};
use super::tokens::{Lexeme, LexemeKind, tokens};
use super::{Language, Sighting, has_word, lines_of, places_of, spliced};
use crate::differing::hunks;

/// What a stub does. A test that something is refused passes where everything is, so one kind alone is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StubKind {
    /// As what is not implemented fails.
    Fails,
    /// Nothing, or the type's own nothing; where it has none, that does not build.
    ReturnsNothing,
    /// In Rust, where a type may have no nothing: whoever calls it ends there.
    Ends,
    /// What it was given first.
    ReturnsArgument,
}

/// A change of which nothing is implemented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubbedChange {
    /// Files in place of the candidate's.
    pub edits: Vec<Edit>,
    /// Then it tells nothing, and the next one does.
    pub may_not_build: bool,
    /// All of its functions are new: tests that pass where they do nothing, or give back what they were given, see no work.
    pub tells_alone: bool,
}

/// The product of a change as stubs, for each kind that tells. `tests` is the text of its new tests.
///
/// Empty where no function was changed, or where the tests may see something else of the change: a value, a file of data, a
/// language that is not read here.
pub fn stubs(files: &BTreeMap<String, Changed>, tests: &str) -> Vec<StubbedChange> {
    use StubKind::{Ends, Fails, ReturnsArgument, ReturnsNothing};
    let mut changes = Vec::new();
    for (path, file) in files.iter().filter(|(path, _)| is_product(path) && !is_prose(path)) {
        let may_be_seen = |found: &[Lexeme], line: usize, base: &str| {
            is_value(found, line, |name| [base, tests].iter().any(|text| has_word(text, name)))
        };
        let Some(change) = ProductChange::from_change(path, file, may_be_seen) else { return Vec::new() };
        changes.extend((!change.bodies.is_empty()).then_some(change));
    }
    if changes.is_empty() {
        return Vec::new();
    }
    // What is a stub already may be tested as one: then to do nothing is what would be new.
    let is_stub = changes.iter().any(ProductChange::is_stub);
    let is_of = |language| changes.iter().any(|change| change.language == language);
    let are_new = changes.iter().flat_map(|change| &change.bodies).all(|body| body.is_new);
    let is_untyped = is_of(Language::Python) || is_of(Language::Script);
    let kinds: &[StubKind] = match (is_stub, is_of(Language::Rust)) {
        (true, _) => &[Fails],
        (false, true) => &[Fails, ReturnsNothing, Ends],
        (false, false) if are_new && is_untyped => &[Fails, ReturnsNothing, ReturnsArgument],
        (false, false) => &[Fails, ReturnsNothing],
    };
    let stubbed = |kind: &StubKind| StubbedChange {
        edits: changes.iter().map(|change| change.stubbed(*kind)).collect(),
        may_not_build: *kind == ReturnsNothing && (is_of(Language::Rust) || is_of(Language::Go)),
        tells_alone: are_new && [ReturnsNothing, ReturnsArgument].contains(kind),
    };
    kinds.iter().map(stubbed).collect()
}

/// The new functions that look at nothing of what they are given, although these tests give them values. What a decorator, a
/// class or a trait asks for, and what is one of several or handed on, may have to be given something for nothing.
pub fn heedless(files: &BTreeMap<String, Changed>, tests: &str) -> Vec<Sighting> {
    let changes: Vec<ProductChange<'_>> = ProductChange::all(files).collect();
    let mut found = Vec::new();
    for change in &changes {
        for body in change.bodies.iter().filter(|body| body.is_new) {
            let head = body.head(change.text);
            let Some((name, arguments)) = bodies::name(head).zip(bodies::arguments(head)) else { continue };
            if !arguments.is_empty()
                && !change.looks_at(body, &arguments, |_| false)
                && !change.is_asked_for(body)
                && is_given(tests, name)
                && !changes.iter().any(|change| change.is_of_several(name))
            {
                found.push(Sighting::new(change.path, body.lines.first, name));
            }
        }
    }
    found
}

/// Do these tests call it with a value: `gross(19)`, `slug("a b")`?
fn is_given(tests: &str, name: &str) -> bool {
    let begins_value = |first: char| first.is_ascii_digit() || "\"'`-".contains(first);
    let mut calls = places_of(tests, name).filter_map(|at| tests[at + name.len()..].strip_prefix('('));
    calls.any(|rest| rest.starts_with(begins_value))
}

/// One changed source, and what was changed of its functions.
pub(super) struct ProductChange<'text> {
    path: &'text str,
    language: Language,
    text: &'text str,
    tokens: Vec<Lexeme>,
    bodies: Vec<Body>,
}

impl<'text> ProductChange<'text> {
    /// All of a change, whatever else the tests may see of it.
    pub(super) fn all(files: &'text BTreeMap<String, Changed>) -> impl Iterator<Item = Self> {
        files.iter().filter_map(|(path, file)| Self::from_change(path, file, |_, _, _| false))
    }

    /// None where tests may see something else of it than its functions: `may_be_seen` says whether they see a line outside.
    fn from_change(
        path: &'text str,
        file: &'text Changed,
        may_be_seen: impl Fn(&[Lexeme], usize, &str) -> bool,
    ) -> Option<Self> {
        let language =
            Language::from_path(path).filter(|language| bodies::is_read(*language) && is_product(path))?;
        let text = std::str::from_utf8(file.candidate.as_deref()?).ok()?;
        let [base, _] = file.texts();
        let own_tests = blocks(path, text.as_bytes(), Part::InlineTests)?;
        let own_tests: Vec<_> = own_tests.iter().map(|block| lines_of(text, &block.bytes)).collect();
        let in_tests = |line: usize| own_tests.iter().any(|lines| lines.contains(line));
        let tokens = tokens(path, text);
        let mut bodies = bodies(language, text, &tokens);
        bodies.retain(|body| !in_tests(body.lines.first));
        let added = touched_lines(&numbered(&base), &numbered(text));
        // A function that only lost a comment is no work.
        let code = |text: &str| -> Vec<(usize, String)> {
            let source = Scanned::read(text, language);
            let lines = (1..).zip(code_lines(text, source.as_ref()).map(|line| line.trim_end().to_owned()));
            lines.filter(|(_, line)| !line.is_empty()).collect()
        };
        let worked = touched_lines(&code(&base), &code(text));
        let outside = |line: &&usize| {
            !in_tests(**line) && !bodies.iter().any(|body: &Body| body.lines.contains(**line))
        };
        if added.iter().filter(outside).any(|line| may_be_seen(&tokens, *line, &base)) {
            return None;
        }
        bodies.retain(|body| worked.iter().any(|line| body.lines.contains(*line)));
        let is_known = |name: &str| has_word(&base, name);
        let is_new = |body: &Body| {
            let is_within = |other: &Body| other.lines.contains(body.lines.first) && other.at < body.at;
            bodies.iter().any(is_within)
                || (body.lines.first..=body.lines.last).all(|line| added.contains(&line))
                    && bodies::name(body.head(text)).is_some_and(|name| !is_known(name))
        };
        let new: Vec<bool> = bodies.iter().map(is_new).collect();
        bodies.iter_mut().zip(new).for_each(|(body, is_new)| body.is_new = is_new);
        Some(Self { path, language, text, tokens, bodies })
    }

    /// Does this function name one of its arguments, but at places that count for nothing?
    fn looks_at(&self, body: &Body, arguments: &[&str], is_nothing: impl Fn(usize) -> bool) -> bool {
        let tokens = &self.tokens;
        let is_inside = |token: &Lexeme| token.bytes.start >= body.at && token.line <= body.lines.last;
        // `let _ = percent;` looks at nothing.
        let is_dropped = |at: usize| at >= 2 && tokens[at - 1].is("=") && tokens[at - 2].word() == Some("_");
        // `random.seed(0)` does not look at `seed`, and `...rest` does at `rest`.
        let is_member = |at: usize| at >= 2 && tokens[at - 1].is(".") && !tokens[at - 2].is("..");
        let counts =
            |at: &usize| is_inside(&tokens[*at]) && !is_dropped(*at) && !is_member(*at) && !is_nothing(*at);
        let inside = || (0..tokens.len()).filter(counts);
        let words: BTreeSet<&str> = inside().filter_map(|at| tokens[at].word()).collect();
        // `f"{n} items"`
        let texts = inside().filter(|at| tokens[*at].literal().is_some());
        let texts: Vec<&str> = texts.map(|at| &self.text[tokens[at].bytes.clone()]).collect();
        let is_shown = |name: &str| texts.iter().any(|text| text.contains('{') && has_word(text, name));
        arguments.iter().any(|argument| words.contains(argument) || is_shown(argument))
    }

    /// Did this function take an argument of this name on the base?
    fn was_given(&self, file: &Changed, function: &str, argument: &str) -> bool {
        let [base, _] = file.texts();
        let of_base = bodies(self.language, &base, &tokens(self.path, &base));
        of_base.iter().map(|body| body.head(&base)).any(|head| {
            bodies::name(head) == Some(function)
                && bodies::arguments(head).is_some_and(|given| given.contains(&argument))
        })
    }

    /// Do several functions have this name, or is it handed on: `{"flat": flat_rate}`?
    fn is_of_several(&self, name: &str) -> bool {
        const KEYWORDS: [&str; 4] = ["def", "fn", "func", "function"];
        const NAMING: [&str; 6] = ["import", "export", "from", "use", "pub use", "module.exports"];
        let places = self.tokens.iter().enumerate().filter(|(_, token)| token.word() == Some(name));
        let (mut definitions, mut is_handed_on) = (0, false);
        for (at, token) in places {
            let line = self.text.lines().nth(token.line - 1).unwrap_or_default().trim_end();
            let before = at.checked_sub(1).map(|before| &self.tokens[before]);
            let is_after_keyword = before.and_then(Lexeme::word).is_some_and(|word| KEYWORDS.contains(&word));
            let is_method = line.starts_with("func (") && before.is_some_and(|token| token.is(")"));
            let is_of_class = line.trim_start().starts_with(name) && line.ends_with('{');
            let calls = |next: &Lexeme| ["(", "=", ":", "<"].iter().any(|sign| next.is(sign));
            let is_called = self.tokens.get(at + 1).is_none_or(calls);
            if is_after_keyword || is_method || (is_of_class && is_called) {
                // The last one of a name takes the place of those before it.
                definitions += usize::from(definitions == 0 || !line.starts_with("def "));
            } else if !is_called && !NAMING.iter().any(|word| line.trim_start().starts_with(word)) {
                is_handed_on = true;
            }
        }
        definitions > 1 || is_handed_on
    }

    /// Does somebody else than the work say what this function is given?
    fn is_asked_for(&self, body: &Body) -> bool {
        let above: Vec<&str> = self.text.lines().take(body.lines.first - 1).collect();
        let is_inner = |line: &&&str| line.starts_with([' ', '\t']) || line.trim().is_empty();
        let outer = above.iter().rev().find(|line| !is_inner(line));
        let is_decorated = above.last().is_some_and(|line| line.trim().starts_with(['@', '#']));
        let is_of_class = outer.is_some_and(|line| match self.language {
            Language::Rust => line.contains(" for "),
            Language::Python => line.starts_with("class ") && line.contains('('),
            Language::Script | Language::Go | Language::Java | Language::Ruby => {
                line.contains(" extends ") || line.contains(" implements ")
            }
        });
        is_decorated || is_of_class || body.head(self.text).contains("override")
    }

    fn is_stub(&self) -> bool {
        const SAYS_SO: [&str; 5] =
            ["notimplementederror", "todo!(", "unimplemented!(", "not implemented", "not yet implemented"];
        let lines: Vec<&str> = self.text.lines().collect();
        let texts = self.bodies.iter().filter_map(|body| lines.get(body.lines.first - 1..body.lines.last));
        texts.flatten().any(|line| {
            let line = line.to_ascii_lowercase();
            SAYS_SO.iter().any(|word| line.contains(word))
        })
    }

    fn stubbed(&self, kind: StubKind) -> Edit {
        let stubs = self.bodies.iter().map(|body| (body, body.stub(self.language, kind, self.text)));
        self.beginning(stubs)
    }

    /// With such a statement at the beginning of each function for whose head there is one; none where there is none.
    pub(super) fn with(&self, statement: impl Fn(Language, &str) -> Option<String>) -> Option<Edit> {
        let with = |body| Some((body, statement(self.language, Body::head(body, self.text))?));
        let statements: Vec<_> = self.bodies.iter().filter_map(with).collect();
        (!statements.is_empty()).then(|| self.beginning(statements.into_iter()))
    }

    fn beginning<'body>(&self, statements: impl Iterator<Item = (&'body Body, String)>) -> Edit {
        let places: BTreeMap<usize, String> =
            statements.map(|(body, statement)| (body.at, body.beginning(&statement))).collect();
        let text = spliced(self.text, places.into_iter().map(|(at, statement)| (at..at, statement)));
        Edit { path: self.path.to_owned(), bytes: Some(text.into_bytes()) }
    }
}

fn numbered(text: &str) -> Vec<(usize, String)> {
    (1..).zip(text.lines().map(str::to_owned)).collect()
}

/// The numbers of the lines that are new, and of those beside which one is gone.
fn touched_lines(old: &[(usize, String)], new: &[(usize, String)]) -> BTreeSet<usize> {
    let [old, lines] = [old, new].map(|all| all.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>());
    let touched = hunks(&old, &lines).into_iter().flat_map(|[_, added]| match added.is_empty() {
        true => added.start.saturating_sub(1)..(added.start + 1).min(new.len()),
        false => added,
    });
    touched.map(|index| new[index].0).collect()
}

/// Does this line, outside of all functions, say a value that somebody may see? `is_known` says whether a name is known to
/// tests, or was there before.
fn is_value(tokens: &[Lexeme], line: usize, is_known: impl Fn(&str) -> bool) -> bool {
    const HEADS: [&str; 17] = [
        "import", "from", "use", "package", "mod", "class", "struct", "trait", "impl", "enum", "interface",
        "type", "def", "async", "func", "fn", "function",
    ];
    let here: Vec<&Lexeme> = tokens.iter().filter(|token| token.line == line).collect();
    let is_head = here.first().is_some_and(|first| {
        first.word().is_some_and(|word| HEADS.contains(&word)) || matches!(first.kind, LexemeKind::Sign("?"))
    });
    let loads = here.iter().any(|token| token.word().is_some_and(|word| ["require", "from"].contains(&word)));
    if is_head || loads || !here.iter().any(|token| token.literal().is_some()) {
        return false;
    }
    // The name that the value belongs to: in this line, or in the one in which a list of values begins.
    let up_to: Vec<&Lexeme> = tokens.iter().take_while(|token| token.line <= line).collect();
    let before = up_to.iter().take_while(|token| token.line < line);
    let opened = before.clone().filter(|token| token.opens()).count();
    let is_within = opened > before.filter(|token| token.closes()).count();
    let sets = |place: &usize| {
        (up_to[*place].is("=") || up_to[*place].is(":=")) && (is_within || up_to[*place].line == line)
    };
    let Some(sign) = (0..up_to.len()).rev().find(sets) else { return true };
    let of_line = up_to[..sign].iter().filter(|token| token.line == up_to[sign].line);
    const KINDS: [&str; 9] = ["export", "const", "let", "var", "pub", "static", "mut", "default", "readonly"];
    let name = of_line.filter_map(|token| token.word()).find(|word| !KINDS.contains(word));
    name.is_none_or(|name| name != "__all__" && is_known(name))
}

#[cfg(test)]
mod tests;
