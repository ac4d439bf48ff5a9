//! The parts of a screen: headings, the items below them, others' words in a margin, and commands that lead on.

use crate::language::ScreenLanguage;
use crate::look::{Look, Tone};
use crate::phrase::{Phrase, say, secondary};
use crate::text;
use serde::Serialize;

/// How far the lines under a heading stand in.
pub(crate) const INDENT: usize = 2;

/// A command for the person, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextStep {
    pub command: String,
    pub purpose: String,
}

impl NextStep {
    pub(crate) fn new(command: impl Into<String>, purpose: impl Into<String>) -> NextStep {
        NextStep { command: command.into(), purpose: purpose.into() }
    }

    pub(crate) fn told_in(&self, language: ScreenLanguage) -> NextStep {
        NextStep::new(self.command.clone(), language.tell(&self.purpose))
    }

    /// The command on a line of its own where both do not fit: it is to be copied, so nothing may break it.
    pub fn lines(&self, look: Look) -> String {
        let command = Tone::Literal.paint(&self.command, look.palette);
        let purpose = look.language.tell(&self.purpose);
        let fits = text::columns(&self.command) + INDENT + text::columns(&purpose) <= look.columns();
        let purpose = secondary(format!("  {purpose}")).paragraph(look, INDENT);
        if fits { format!("{command}{purpose}") } else { format!("{command}\n{purpose}") }
    }
}

/// What something is about, in a column of its own, and how it is.
pub fn labelled(about: &str, how: &str, columns: usize, look: Look) -> String {
    let about = text::padded(&look.language.tell(about), columns);
    secondary(format!("{about}  ")).say(how).paragraph(look, columns + INDENT)
}

/// What a person should know before anything happens.
pub fn note(text: &str, look: Look) -> String {
    secondary("note: ").say(text).paragraph(look, 2 * INDENT)
}

/// A heading with a blank line before it.
pub(crate) fn heading(heading: Phrase, look: Look) -> String {
    format!("\n{}", heading.paragraph(look, INDENT))
}

pub(crate) fn item(item: Phrase, look: Look) -> String {
    say("  ").join(item).paragraph(look, 2 * INDENT)
}

/// Lines that belong to the item above them.
pub(crate) fn details(lines: &[String], look: Look) -> String {
    lines.iter().map(|line| say("    ").say(line).paragraph(look, 3 * INDENT)).collect()
}

/// A heading and the lines below it; nothing at all where there are none.
pub(crate) fn titled(title: Phrase, lines: String, look: Look) -> String {
    if lines.is_empty() { lines } else { heading(title, look) + &lines }
}

/// A heading and its items.
pub(crate) fn section(title: Phrase, items: impl IntoIterator<Item = Phrase>, look: Look) -> String {
    titled(title, items.into_iter().map(|one| item(one, look)).collect(), look)
}

/// One line that is cut where it does not fit.
pub(crate) fn cut(line: Phrase, look: Look) -> String {
    line.line(look) + "\n"
}
