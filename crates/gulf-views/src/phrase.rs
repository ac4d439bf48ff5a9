//! A line of text whose parts have a tone: cut and wrapped first, coloured last, since text that holds colours can be
//! neither measured nor cut.

#[cfg(test)]
mod tests;

use crate::language::ScreenLanguage;
use crate::look::{Look, Palette, Tone};
use crate::text;

/// Parts of one line, each with its tone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phrase {
    spans: Vec<PhrasePart>,
}

/// A text with its tone; what somebody else said is in no language of ours.
type PhrasePart = (Tone, Speaker, String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Gulf,
    Other,
}

pub(crate) fn say(text: impl AsRef<str>) -> Phrase {
    Phrase::new().say(text)
}

pub(crate) fn verified(text: impl AsRef<str>) -> Phrase {
    Phrase::new().tone(Tone::Verified, text)
}

pub(crate) fn failed(text: impl AsRef<str>) -> Phrase {
    Phrase::new().tone(Tone::Failed, text)
}

pub(crate) fn attention(text: impl AsRef<str>) -> Phrase {
    Phrase::new().tone(Tone::Attention, text)
}

pub(crate) fn secondary(text: impl AsRef<str>) -> Phrase {
    Phrase::new().tone(Tone::Secondary, text)
}

impl Phrase {
    pub(crate) fn new() -> Phrase {
        Phrase::default()
    }

    /// Adds plain text.
    pub(crate) fn say(self, text: impl AsRef<str>) -> Phrase {
        self.tone(Tone::Plain, text)
    }

    /// Adds text with a tone; whatever could move the cursor is taken out. Blanks at its ends are kept.
    pub(crate) fn tone(self, tone: Tone, text: impl AsRef<str>) -> Phrase {
        self.span(tone, Speaker::Gulf, text)
    }

    /// Adds what somebody else said, or the name of something.
    pub(crate) fn quote(self, tone: Tone, text: impl AsRef<str>) -> Phrase {
        self.span(tone, Speaker::Other, text)
    }

    fn span(mut self, tone: Tone, speaker: Speaker, text: impl AsRef<str>) -> Phrase {
        let text = text::cut_bytes(text.as_ref(), text::TEXT_BYTES_MAX);
        let inner = text::one_line(&text);
        let leading = text.len() - text.trim_start_matches(' ').len();
        let trailing = if inner.is_empty() { 0 } else { text.len() - text.trim_end_matches(' ').len() };
        let shown = format!("{}{inner}{}", " ".repeat(leading), " ".repeat(trailing));
        if !shown.is_empty() {
            self.spans.push((tone, speaker, shown));
        }
        self
    }

    pub(crate) fn attention(self, text: impl AsRef<str>) -> Phrase {
        self.tone(Tone::Attention, text)
    }

    pub(crate) fn literal(self, text: impl AsRef<str>) -> Phrase {
        self.span(Tone::Literal, Speaker::Other, text)
    }

    pub(crate) fn secondary(self, text: impl AsRef<str>) -> Phrase {
        self.tone(Tone::Secondary, text)
    }

    /// Adds another phrase.
    pub(crate) fn join(mut self, other: Phrase) -> Phrase {
        self.spans.extend(other.spans);
        self
    }

    /// Adds phrases, each after a ` · `.
    pub(crate) fn and(self, others: impl IntoIterator<Item = Phrase>) -> Phrase {
        others.into_iter().fold(self, |phrase, other| phrase.say(" · ").join(other))
    }

    pub(crate) fn columns(&self) -> usize {
        self.spans.iter().map(|(_, _, text)| text::columns(text)).sum()
    }

    /// One line that fits, with `…` where something is missing.
    pub(crate) fn fit(self, columns_max: usize) -> Phrase {
        if self.columns() <= columns_max {
            return self;
        }
        let mut left = columns_max;
        let mut fitted = Phrase::new();
        for (tone, speaker, text) in self.spans {
            let width = text::columns(&text);
            // One column stays free for the `…` of what follows and does not fit.
            if width < left {
                left -= width;
                fitted.spans.push((tone, speaker, text));
                continue;
            }
            let cut = format!("{}…", text::prefix(&text, left.saturating_sub(1)).trim_end());
            fitted.spans.push((tone, speaker, text::cut_columns(&cut, left).into_owned()));
            break;
        }
        fitted
    }

    /// Lines that fit; all but the first begin with `indent` blanks.
    pub(crate) fn wrap(self, columns_max: usize, indent: usize) -> Vec<Phrase> {
        let indent = indent.min(columns_max / 2);
        let mut wrapping = Wrapping { lines: vec![Phrase::new()], used: 0, columns_max, indent };
        for (tone, _, text) in &self.spans {
            for word in text.split_inclusive(' ') {
                wrapping.add(*tone, word);
            }
        }
        wrapping.lines
    }

    pub(crate) fn render(&self, palette: Palette) -> String {
        let mut rendered = String::new();
        for (index, (tone, _, text)) in self.spans.iter().enumerate() {
            let is_last = index + 1 == self.spans.len();
            rendered.push_str(&tone.paint(if is_last { text.trim_end() } else { text }, palette));
        }
        rendered
    }

    /// Text alone, in one line.
    pub(crate) fn to_plain_text(&self) -> String {
        self.render(Palette::Plain)
    }

    /// What gulf says, in the language of whoever reads it.
    pub(crate) fn told_in(mut self, language: ScreenLanguage) -> Phrase {
        for (_, _, text) in self.spans.iter_mut().filter(|(_, speaker, _)| *speaker == Speaker::Gulf) {
            *text = language.tell(text).into_owned();
        }
        self
    }

    /// In the reader's language, and without what is secret: nothing is cut or wrapped before.
    pub(crate) fn shown_in(self, look: Look) -> Phrase {
        let mut phrase = self.told_in(look.language);
        phrase.spans.iter_mut().for_each(|(_, _, text)| *text = (look.mask)(text).into_owned());
        phrase
    }

    /// On one line that fits.
    pub(crate) fn line(self, look: Look) -> String {
        self.shown_in(look).fit(look.columns()).render(look.palette)
    }

    /// Wrapped, coloured, and with a line end after each line.
    pub(crate) fn paragraph(self, look: Look, indent: usize) -> String {
        let lines = self.shown_in(look).wrap(look.columns(), indent);
        lines.iter().map(|line| line.render(look.palette) + "\n").collect()
    }
}

/// Lines so far, and how far the last one reaches.
struct Wrapping {
    lines: Vec<Phrase>,
    used: usize,
    columns_max: usize,
    indent: usize,
}

impl Wrapping {
    fn add(&mut self, tone: Tone, word: &str) {
        let bare = text::columns(word.trim_end());
        let is_at_start = self.lines.len() > 1 && self.used == self.indent || self.used == 0;
        if self.used + bare > self.columns_max && !is_at_start {
            self.break_line();
        }
        let mut rest = word;
        while self.used + text::columns(rest.trim_end()) > self.columns_max {
            let room = self.columns_max.saturating_sub(self.used);
            let part = text::prefix(rest, room);
            // A character wider than a line stands alone, or this would never end.
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let (part, after) = rest.split_at(part.len().max(first));
            self.push(tone, part);
            rest = after;
            if rest.trim_end().is_empty() {
                return;
            }
            self.break_line();
        }
        self.push(tone, rest);
    }

    fn push(&mut self, tone: Tone, text: &str) {
        self.used += text::columns(text);
        if let Some(line) = self.lines.last_mut() {
            match line.spans.last_mut() {
                Some((last, _, before)) if *last == tone => before.push_str(text),
                Some(_) | None => line.spans.push((tone, Speaker::Gulf, text.to_owned())),
            }
        }
    }

    fn break_line(&mut self) {
        self.lines.push(Phrase { spans: vec![(Tone::Plain, Speaker::Gulf, " ".repeat(self.indent))] });
        self.used = self.indent;
    }
}
