//! What is wrong in a text, where, and what to do about it.
//!
//! Apart from the parsers because each of them reports the same way: all problems at once, each with its kind,
//! its place and a hint, renderable by miette or as one line.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

use crate::text::{Source, Span};

/// The kinds of problem one parser knows.
pub trait Problem: Diagnostic + 'static {
    /// What to do about it; a blank help is none.
    fn hint(&self) -> Option<String> {
        self.help().map(|help| help.to_string()).filter(|help| !help.is_empty())
    }

    /// Whether something that may have been meant is not in force.
    fn weight(&self) -> Weight {
        if self.severity() == Some(Severity::Warning) { Weight::Warning } else { Weight::Error }
    }
}

/// What is wrong, where nobody asks of which kind it is: two texts and how much it matters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("{what}")]
#[diagnostic(help("{help}"))]
pub struct Mistake {
    what: String,
    /// What to do about it; blank where `what` says it all.
    help: String,
    weight: Weight,
}

/// How much a problem matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// What stands there is not in force: do not start.
    Error,
    /// What stands there is in force, but is probably not what was meant.
    Warning,
}

/// A problem and the bytes it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located<P> {
    pub problem: P,
    pub source: Source,
    pub span: Span,
}

/// One or more problems, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    first: Vec<Located<Mistake>>,
    /// How many more there are than [`PROBLEMS_MAX`].
    pub left_out: usize,
}

/// Problems that are kept of one reading; who meets so many fixes the first ones first.
pub const PROBLEMS_MAX: usize = 50;

impl Mistake {
    pub fn error(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into(), weight: Weight::Error }
    }

    pub(crate) fn warning(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { weight: Weight::Warning, ..Self::error(what, help) }
    }
}

impl Problem for Mistake {
    fn weight(&self) -> Weight {
        self.weight
    }
}

impl<P: Problem> Located<P> {
    /// `gulf.toml:3:1`
    pub fn place(&self) -> String {
        self.source.place(self.span)
    }

    /// Place, problem and hint.
    pub fn in_one_line(&self) -> String {
        let hint = self.problem.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{}: {}{hint}", self.place(), self.problem)
    }
}

impl Problems {
    /// `Ok(value)` where nothing is wrong, all of the problems otherwise.
    pub(crate) fn check<T>(value: T, mut problems: Vec<Located<Mistake>>) -> Result<T, Self> {
        if problems.is_empty() {
            return Ok(value);
        }
        problems.sort_by(|one, other| (one.source.name(), one.span).cmp(&(other.source.name(), other.span)));
        let left_out = problems.len().saturating_sub(PROBLEMS_MAX);
        problems.truncate(PROBLEMS_MAX);
        Err(Self { first: problems, left_out })
    }

    pub fn iter(&self) -> impl Iterator<Item = &Located<Mistake>> {
        self.first.iter()
    }
}

impl<P: Problem> fmt::Display for Located<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.problem, formatter)
    }
}

impl<P: Problem> std::error::Error for Located<P> {}

impl<P: Problem> Diagnostic for Located<P> {
    fn severity(&self) -> Option<Severity> {
        Some(match self.problem.weight() {
            Weight::Error => Severity::Error,
            Weight::Warning => Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.hint().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::underline(self.span))))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> =
            self.iter().map(|located| format!("{}: {}", located.place(), located.problem)).collect();
        lines.extend((self.left_out > 0).then(|| format!("and {} more", self.left_out)));
        formatter.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for Problems {}

/// Keeps so many of each weight that warnings never crowd out an error.
pub(crate) fn keep<P: Problem>(found: &mut Vec<Located<P>>, problem: P, source: &Source, span: Span) {
    let weight = problem.weight();
    if found.iter().filter(|located| located.problem.weight() == weight).count() < PROBLEMS_MAX {
        found.push(Located { problem, source: source.clone(), span });
    }
}

/// The help that names what was probably meant; blank where nothing is near.
pub(crate) fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|meant| format!("did you mean `{meant}`?")).unwrap_or_default()
}

/// The candidate that a misspelt word most probably stands for.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1.max(candidate.chars().count() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
pub(crate) mod tests;
