//! Words of a prompt for which there is a preset (SPEC A1): "끝까지" is ralph, "최대 성능" is autopilot.
//!
//! Apart because a word is an offer and never a command: it only counts where the person says it in words of their own.
//! What stands in code or in quotes is somebody else's, or is talked about.

use crate::markdown::{lines_without_code, without_comments};

/// What was noticed, and what there is for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    /// As it is usually written.
    pub words: &'static str,
    pub preset: &'static str,
    /// What the preset is good for, after its name.
    pub what: &'static str,
}

/// Between the parts of their words a person may put one blank or several, or none.
const OFFERS: [Offer; 2] = [
    Offer {
        words: "끝까지",
        preset: "ralph",
        what: "works until it is complete, and asks you where others give up",
    },
    Offer {
        words: "최대 성능",
        preset: "autopilot",
        what: "works on independent steps of its plan side by side",
    },
];

/// What Korean may put behind a word that means "in this way".
const PARTICLES: [&str; 5] = ["", "으로", "로", "만", "요"];

/// Quotes that open, and what closes each.
const QUOTES: [(char, char); 8] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('«', '»')];

/// What a prompt's own words offer, each once.
pub fn offers(prompt: &str) -> Vec<Offer> {
    // Nearly all prompts have none of them: nothing else is looked at then.
    let is_possible = |offer: &&Offer| offer.words.split(' ').all(|word| prompt.contains(word));
    let possible: Vec<_> = OFFERS.iter().filter(is_possible).collect();
    if possible.is_empty() {
        return Vec::new();
    }
    let own = own_words(prompt);
    possible.into_iter().filter(|offer| is_said(&own, offer.words)).copied().collect()
}

/// The prompt without what is quoted: code, comments, other people's lines, texts in quotes.
fn own_words(prompt: &str) -> String {
    let (visible, _) = without_comments(prompt);
    let own = lines_without_code(&visible);
    let own = own.map(|line| if line.trim_start().starts_with('>') { "" } else { line });
    let own = own.collect::<Vec<_>>().join("\n");
    own.split("\n\n").map(unquoted).collect::<Vec<_>>().join("\n")
}

/// A paragraph without texts in quotes. A quote that is not closed in it is none, nor is one within a word.
fn unquoted(paragraph: &str) -> String {
    let mut own = String::new();
    let mut rest = paragraph;
    while let Some(character) = rest.chars().next() {
        let after = &rest[character.len_utf8()..];
        let opens = !own.ends_with(char::is_alphanumeric);
        let closing = QUOTES.iter().find(|(open, _)| opens && *open == character).map(|(_, close)| *close);
        match closing.and_then(|close| behind(after, close)) {
            Some(behind) => {
                own.push(' ');
                rest = behind;
            }
            None => {
                own.push(character);
                rest = after;
            }
        }
    }
    own
}

/// What follows the quote that is closed so; a Korean particle may stand right behind it.
fn behind(text: &str, close: char) -> Option<&str> {
    let is_apostrophe =
        |rest: &str| close == '\'' && rest.starts_with(|next: char| next.is_ascii_alphanumeric());
    let ends = text.match_indices(close).map(|(at, found)| &text[at + found.len()..]);
    ends.into_iter().find(|rest| !is_apostrophe(rest))
}

/// As words of their own, one after the other.
fn is_said(text: &str, words: &str) -> bool {
    let mut others = words.split(' ');
    let Some(first) = others.next() else { return false };
    text.match_indices(first).any(|(at, found)| {
        let begins = !text[..at].ends_with(char::is_alphanumeric);
        let behind = &text[at + found.len()..];
        let rest = others.clone().try_fold(behind, |rest, word| rest.trim_start().strip_prefix(word));
        begins && rest.is_some_and(is_ended)
    })
}

fn is_ended(rest: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    PARTICLES.iter().any(|particle| rest.strip_prefix(particle).is_some_and(ends))
}

#[cfg(test)]
mod tests;
