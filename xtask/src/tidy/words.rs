//! Words that must not stand in the code, found among tokens and not in text: a string may say what it likes.

use super::rule::{Rule, Violation};
use super::source::Source;
use super::tree::Tree;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Files that may wait by the clock, each with the reason why there is no event to wait for.
const SLEEPS_ALLOWED: &[(&str, &str)] = &[
    (
        "crates/gulf-host/src/lock.rs",
        "nobody is told when a lock goes that a dead holder's child still has a copy of",
    ),
    ("xtask/src/bench/faces.rs", "what a time of watching costs is measured in that time"),
    ("crates/gulf/src/commands/web.rs", "nobody is told when a file descriptor is free again"),
    (
        "crates/gulf/src/commands/web/changes.rs",
        "loops of many projects come and go: their files are looked at together, while a page is open",
    ),
];

const LEFTOVERS: [&str; 3] = ["todo", "unimplemented", "dbg"];

/// Put together, so that this file does not accuse itself.
const UNFINISHED: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];

/// Macros left over, ignored tests and sleeps, also inside other macros.
pub(super) fn check(source: &Source<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    walk(source.tokens.clone(), &mut |rule, line, message| {
        let allowed = rule == Rule::Sleep && SLEEPS_ALLOWED.iter().any(|(path, _)| *path == source.file.path);
        if !allowed {
            found.push(Violation::new(&source.file.path, line, rule, message));
        }
    });
    found
}

/// Notes to oneself in comments: Rust, TOML, shell and the like.
pub(super) fn check_unfinished(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in tree.files().iter().filter(|file| !file.is_data()) {
        let Some(mark) = comment_mark(&file.path) else { continue };
        for (index, line) in file.text.lines().enumerate() {
            let comment = line.split_once(mark).map_or("", |(_, comment)| comment);
            if let Some(word) = UNFINISHED.into_iter().find(|word| is_note(comment, word)) {
                let message = format!("{word} in a comment");
                found.push(Violation::new(&file.path, index + 1, Rule::Unfinished, message));
            }
        }
    }
    found
}

/// The word opens the comment, or a colon or bracket follows it; elsewhere it may be what a format is about.
fn is_note(comment: &str, word: &str) -> bool {
    let opened = comment.trim_start_matches(['/', '!', '#', '*', ' ']);
    comment.match_indices(word).any(|(at, _)| {
        let before = comment.get(..at).unwrap_or_default();
        let after = comment.get(at + word.len()..).unwrap_or_default();
        let whole = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
        whole && (comment.len() - at == opened.len() || after.starts_with([':', '(']))
    })
}

fn comment_mark(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("rs" | "js" | "mjs") => Some("//"),
        Some("toml" | "sh" | "py" | "yml" | "yaml") => Some("#"),
        Some(_) => None,
        None => (path == ".ci/run").then_some("#"),
    }
}

fn walk(tokens: TokenStream, report: &mut impl FnMut(Rule, usize, String)) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, tree) in trees.iter().enumerate() {
        let previous = index.checked_sub(1).and_then(|previous| trees.get(previous));
        match tree {
            TokenTree::Ident(word) => {
                if let Some((rule, message)) = judge_word(&word.to_string(), previous, trees.get(index + 1)) {
                    report(rule, word.span().start().line, message);
                }
            }
            TokenTree::Group(group) => {
                if group.delimiter() == Delimiter::Bracket
                    && is_mark(previous, '#')
                    && ignores(group.stream())
                {
                    report(Rule::IgnoredTest, group.span_open().start().line, "#[ignore]".to_owned());
                }
                walk(group.stream(), report);
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// A call of `sleep` (not its definition), or a macro that must not stay.
fn judge_word(word: &str, previous: Option<&TokenTree>, next: Option<&TokenTree>) -> Option<(Rule, String)> {
    let defined = matches!(previous, Some(TokenTree::Ident(keyword)) if keyword == "fn");
    let called = matches!(next, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
    if word == "sleep" && called && !defined {
        return Some((
            Rule::Sleep,
            "sleep(…): wait for the event, or list the file in SLEEPS_ALLOWED".to_owned(),
        ));
    }
    (LEFTOVERS.contains(&word) && is_mark(next, '!')).then(|| (Rule::Leftover, format!("{word}!")))
}

/// `#[ignore]`, `#[ignore = "…"]` and `#[cfg_attr(…, ignore)]`.
fn ignores(attribute: TokenStream) -> bool {
    let mut words = attribute.into_iter();
    match words.next() {
        Some(TokenTree::Ident(name)) if name == "ignore" => true,
        Some(TokenTree::Ident(name)) if name == "cfg_attr" => words.any(|tree| match tree {
            TokenTree::Group(group) => group
                .stream()
                .into_iter()
                .any(|word| matches!(word, TokenTree::Ident(name) if name == "ignore")),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        }),
        _ => false,
    }
}

fn is_mark(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}
