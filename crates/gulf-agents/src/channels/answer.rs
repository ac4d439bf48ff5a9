//! What a person's words in a chat mean: a decision, or nothing that can be acted upon.
//!
//! It is the one place where prose becomes an act of a person's. Whatever may be chatter is no answer: where options
//! are offered, only one of them is, or a text that says of itself that it is an answer.

use super::notice::{Notice, Takes};

/// What was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Understood {
    /// An option's own text, or the person's words.
    Answer(String),
    GoOn,
    /// The judge is overruled, for this reason.
    Approve(String),
    Reject(String),
    /// It may mean several things, or none; why, for the person.
    Unclear(String),
}

/// Before a text in the person's own words.
const OWN_WORDS: [&str; 3] = ["answer", "other", "답"];
/// Ways to let a loop go on.
const GO_ON: [&str; 5] = ["go on", "go", "continue", "resume", "계속"];
/// Where nothing else can be said, a yes is enough.
const YES: [&str; 5] = ["yes", "ok", "예", "네", "응"];
/// Before a reason for a verdict.
const APPROVE: [&str; 2] = ["approve", "승인"];
const REJECT: [&str; 2] = ["reject", "거절"];

/// Reads what somebody said to a notice.
pub fn understand(notice: &Notice, said: &str) -> Understood {
    let said = unquoted(said);
    if is_blank(said) {
        return unclear("that was blank");
    }
    match notice.takes {
        Takes::Nothing => unclear("nothing was asked"),
        Takes::Answer if notice.options.is_empty() => Understood::Answer(said.to_owned()),
        Takes::Answer => of_options(&notice.options, said),
        Takes::GoOn if YES.contains(&said.to_lowercase().as_str()) => Understood::GoOn,
        Takes::GoOn => go_on(said).unwrap_or_else(|| unclear("it is not clear whether to go on")),
        Takes::Verdict => verdict(said),
    }
}

/// Marks that a keyboard or a chat puts around a word.
const MARKS: &str = "`\"'*_“”‘’";

/// What nobody can see says nothing.
fn is_blank(said: &str) -> bool {
    said.chars().all(|character| character.is_whitespace() || character.is_control())
}

/// Quotes, code marks and stars around all of a reply are a keyboard's; those within it, or at one end only, are the
/// person's.
fn unquoted(said: &str) -> &str {
    let mut said = said.trim();
    while let Some(inside) = between_marks(said) {
        said = inside.trim();
    }
    said
}

fn between_marks(said: &str) -> Option<&str> {
    let first = said.chars().next().filter(|first| MARKS.contains(*first))?;
    let last = match first {
        '“' => '”',
        '‘' => '’',
        other => other,
    };
    let inside = said.strip_prefix(first)?.strip_suffix(last)?;
    // `"a" or "b"` has two of them.
    (!inside.contains([first, last])).then_some(inside)
}

/// As two texts are compared: without marks at their ends, in any case, with straight quotes.
fn folded(text: &str) -> String {
    let bare = text.trim_matches(|character: char| character.is_whitespace() || MARKS.contains(character));
    bare.to_lowercase().replace(['“', '”'], "\"").replace(['‘', '’'], "'")
}

fn of_options(options: &[String], said: &str) -> Understood {
    if let Some(own) = OWN_WORDS.iter().find_map(|word| after(said, word)) {
        return if is_blank(own) { unclear("that was blank") } else { Understood::Answer(own.to_owned()) };
    }
    let bare = folded(said);
    let named: Vec<&String> = options.iter().filter(|option| folded(option) == bare).collect();
    // Two options that differ in the case of a letter: told apart by that, or not at all.
    if let Some(option) = named.iter().find(|option| named.len() == 1 || option.trim() == said) {
        return Understood::Answer((*option).clone());
    }
    if !named.is_empty() {
        return unclear("several options read like that");
    }
    match number(&bare).map(|number| number.checked_sub(1).and_then(|index| options.get(index))) {
        Some(Some(option)) => Understood::Answer(option.clone()),
        Some(None) => unclear("there is no option of that number"),
        None => unclear("it is not clear which option is meant"),
    }
}

/// `2`, `2.`, `#2`, `(2)`, `option 2`, `2번`, and `b` for the second.
fn number(said: &str) -> Option<usize> {
    let bare = said.strip_prefix("option").map_or(said, str::trim_start);
    let bare = bare.trim_matches(|character: char| "#().:!".contains(character));
    let bare = bare.strip_suffix("번").map_or(bare, str::trim_end);
    match bare.as_bytes() {
        [letter] if letter.is_ascii_lowercase() => Some(usize::from(letter - b'a') + 1),
        _ if bare.len() <= 3 && bare.bytes().all(|byte| byte.is_ascii_digit()) => bare.parse().ok(),
        _ => None,
    }
}

fn go_on(said: &str) -> Option<Understood> {
    let folded = said.trim_end_matches(['.', '!']).to_lowercase();
    GO_ON.contains(&folded.as_str()).then_some(Understood::GoOn)
}

fn verdict(said: &str) -> Understood {
    let act = |words: &[&str], act: fn(String) -> Understood| {
        let (word, reason) = words.iter().find_map(|word| Some((word, after(said, word)?)))?;
        let why = format!("say why, as in `{word}: …`");
        Some(if reason.is_empty() { unclear(&why) } else { act(reason.to_owned()) })
    };
    let acted = act(&APPROVE, Understood::Approve).or_else(|| act(&REJECT, Understood::Reject));
    acted.or_else(|| go_on(said)).unwrap_or_else(|| unclear("it is not clear what is meant"))
}

/// What follows a word that begins the text, in any case; with a colon or without one where nothing follows.
fn after<'said>(said: &'said str, word: &str) -> Option<&'said str> {
    let head = said.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
    let rest = &said[head.len()..];
    match rest.trim_start().strip_prefix(':') {
        Some(own) => Some(own.trim()),
        None if rest.trim().is_empty() => Some(""),
        None => None,
    }
}

fn unclear(why: &str) -> Understood {
    Understood::Unclear(why.to_owned())
}
