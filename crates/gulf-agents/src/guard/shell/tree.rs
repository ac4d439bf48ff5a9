//! A shell script as it is scanned: simple commands in their order, with the brackets around them.
//!
//! It stands apart because scanning knows nothing of what commands do, and judging them nothing of quotes. Loops and
//! conditions are words like any other: whether a branch is taken is not known, so all are looked at.

use std::borrow::Cow;

/// A scanned script.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script<'text> {
    pub(crate) steps: Vec<Step<'text>>,
    /// What stands behind `<<`, by number.
    pub(crate) bodies: Vec<Body<'text>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step<'text> {
    /// `(`: what changes from here on ends with it.
    Enter,
    Leave,
    Run(Command<'text>),
}

/// A simple command, or a keyword with what follows on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Command<'text> {
    pub(crate) words: Vec<Word<'text>>,
    pub(crate) redirections: Vec<Redirection<'text>>,
    /// It reads what the command before it says.
    pub(crate) is_fed: bool,
    /// How many of the words are keywords behind which a command begins.
    pub(super) openers: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Redirection<'text> {
    pub(crate) direction: Direction,
    pub(crate) target: Word<'text>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Write,
    Read,
    /// `<<<`: the target is what is read.
    Text,
    /// `<<`: the body with this number is what is read.
    Body(usize),
}

/// A here-document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'text> {
    pub(crate) text: &'text str,
    /// Nothing in it is replaced.
    pub(crate) is_literal: bool,
}

/// A word before anything is replaced.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word<'text> {
    pub(crate) parts: Vec<Part<'text>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Part<'text> {
    /// As it stands: patterns, braces and a `~` count in it.
    Bare(Cow<'text, str>),
    Quoted(Cow<'text, str>),
    Variable {
        name: &'text str,
        is_quoted: bool,
        /// What stands for it where it has no value.
        otherwise: Option<&'text str>,
    },
    /// `$(…)`, `<(…)` and `>(…)`.
    Output(Vec<Step<'text>>),
    /// The same between backticks, one level of quoting taken off.
    Backticks(Cow<'text, str>),
    /// `(…)` behind `name=`.
    List(Vec<Word<'text>>),
    Unknown,
}

impl Word<'_> {
    /// The word, if nothing in it is quoted or replaced.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Bare(text)] => Some(text),
            _ => None,
        }
    }

    /// What ends a here-document: the word without its quotes, and whether it had any.
    pub(super) fn delimiter(&self) -> (String, bool) {
        let mut text = String::new();
        let mut is_quoted = false;
        for part in &self.parts {
            match part {
                Part::Bare(piece) => text.push_str(piece),
                Part::Quoted(piece) => {
                    text.push_str(piece);
                    is_quoted = true;
                }
                Part::Variable { name, .. } => {
                    text.push('$');
                    text.push_str(name);
                }
                Part::Output(_) | Part::Backticks(_) | Part::List(_) | Part::Unknown => {}
            }
        }
        (text, is_quoted)
    }
}

impl Command<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.redirections.is_empty()
    }
}
