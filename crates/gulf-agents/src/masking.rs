//! Stars in the place of secrets, in every text that leaves for a prompt, a judge, a channel or a page.
//!
//! There must be one answer to what is secret: the values of variables whose names say so, what stands beside such a
//! name, and the forms in which well-known services write their tokens. Logs stay whole; what is made of them is
//! masked. Masking keeps the number of lines, so that what a judge points to stays where it was, and masking twice
//! changes nothing.

mod forms;
mod named;
mod names;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use forms::Form;

pub use names::is_secret_name;

/// What stands where a secret stood.
pub const STARS: &str = "***";
/// More secrets than this are not looked for: no environment holds as many.
const SECRETS_MAX: usize = 10_000;

/// Knows the secrets of one environment, and the forms of everybody's.
#[derive(Clone)]
pub struct Mask {
    /// None where it could not be built, which no input is known to bring about: then only whole texts are stars.
    anchors: Option<AhoCorasick>,
    meanings: Vec<Meaning>,
}

/// What an anchor that was found stands for.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// The whole of it is secret.
    Value,
    /// Its end is, so many bytes before the secret begins; more of a word behind it makes it another one.
    Assigned { secret_at: usize },
    /// What follows, or stands before it, may be.
    Form(Form),
}

impl fmt::Debug for Mask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Mask(***)")
    }
}

impl Default for Mask {
    fn default() -> Self {
        Self::new([])
    }
}

impl Mask {
    /// Knows the values of those of the variables whose names say that they are secret.
    pub fn new<'variable>(variables: impl IntoIterator<Item = (&'variable str, &'variable str)>) -> Self {
        let anchors = variables.into_iter().flat_map(|(name, value)| names::anchors(name, value));
        let mut anchors: Vec<(String, Meaning)> = anchors.collect();
        anchors.truncate(SECRETS_MAX);
        anchors.extend(forms::anchors().map(|(text, form)| (text.to_owned(), Meaning::Form(form))));
        let (texts, meanings): (Vec<String>, Vec<Meaning>) = anchors.into_iter().unzip();
        // Every process of gulf builds one: the kind that is built quickly.
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).kind(kind).build(&texts);
        Self { anchors: built.ok(), meanings }
    }

    /// The text with stars wherever a secret stood.
    pub fn text<'text>(&self, text: &'text str) -> Cow<'text, str> {
        // What stands beside a name that says it is secret comes last.
        match self.known(text) {
            Cow::Borrowed(text) => starred(text, |kept| named::next(text, kept)),
            Cow::Owned(text) => Cow::Owned(starred(&text, |kept| named::next(&text, kept)).into_owned()),
        }
    }

    /// Without the values and forms that are known wherever they stand.
    fn known<'text>(&self, text: &'text str) -> Cow<'text, str> {
        let Some(anchors) = &self.anchors else {
            return if text.is_empty() { Cow::Borrowed(text) } else { Cow::Borrowed(STARS) };
        };
        let mut from = 0;
        starred(text, |kept| {
            while let Some(found) = anchors.find(Input::new(text).range(from..)) {
                let secret = match self.meanings[found.pattern().as_usize()] {
                    Meaning::Value => Some(found.range()),
                    Meaning::Assigned { secret_at } => {
                        let is_longer = text[found.end()..].starts_with(names::is_of_a_word);
                        (!is_longer).then(|| found.start() + secret_at..found.end())
                    }
                    Meaning::Form(form) => form.secret(text, &found.range()),
                };
                let secret = secret.and_then(|secret| some(secret.start.max(kept)..secret.end));
                // Another anchor may begin within this one.
                let next = secret.as_ref().map_or(0, |secret| secret.end).max(found.start() + 1);
                from = text.ceil_char_boundary(next);
                if secret.is_some() {
                    return secret;
                }
            }
            None
        })
    }

    /// The same for a text that is handed over.
    pub fn owned(&self, text: String) -> String {
        match self.text(&text) {
            Cow::Borrowed(_) if self.anchors.is_some() => text,
            Cow::Borrowed(masked) => masked.to_owned(),
            Cow::Owned(masked) => masked,
        }
    }

    /// The same for every string in a value; names of fields stay.
    pub fn value(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => *text = self.owned(std::mem::take(text)),
            serde_json::Value::Array(values) => values.iter_mut().for_each(|value| self.value(value)),
            serde_json::Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| {
                if value.as_str().is_some_and(|text| named::is_secret_field(name, text)) {
                    *value = STARS.into();
                } else {
                    self.value(value);
                }
            }),
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
        }
    }
}

/// With stars in place of each secret that `next` finds behind the last one.
fn starred(text: &str, mut next: impl FnMut(usize) -> Option<Range<usize>>) -> Cow<'_, str> {
    let mut masked = String::new();
    let mut kept = 0;
    while let Some(secret) = next(kept) {
        masked.push_str(&text[kept..secret.start]);
        masked.push_str(&stars(&text[secret.clone()]));
        kept = secret.end;
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[kept..]);
    Cow::Owned(masked)
}

/// Stars for each line of a secret.
fn stars(secret: &str) -> String {
    let lines = secret.split('\n').map(|line| if line.trim().is_empty() { "" } else { STARS });
    lines.collect::<Vec<_>>().join("\n")
}

/// A part of a text, where there is one.
fn some(range: Range<usize>) -> Option<Range<usize>> {
    (range.start < range.end).then_some(range)
}
