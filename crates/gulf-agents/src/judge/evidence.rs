//! Looks for a judge's evidence in what it was shown (SPEC B4): mechanically, white space aside.
//!
//! Apart because it is what a persuaded judge cannot get around. Only files of the candidate and outputs of passed
//! checks are looked at: what the worker says of its work, and its commit messages, prove nothing.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answer::{Answer, CriterionAnswer, Evidence, Word};
use super::exhibits::{CheckExhibit, Exhibits, FileExhibit};
use super::fence::name;
use super::parts::ExhibitRef;
use crate::sources::LineRange;

/// Characters that a quote must have, white space not counted: less stands everywhere.
pub const QUOTE_CHARS_MIN: usize = 12;
/// Letters and digits among them: brackets stand everywhere, too.
pub const QUOTE_LETTERS_MIN: usize = 4;

/// A criterion after its evidence was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CriterionWord {
    /// From 1.
    pub number: u32,
    /// What counts.
    pub word: Word,
    /// What the judge said; `met` without evidence counts as `unsure`.
    pub said: Word,
    /// The judge's, or why its word does not count.
    pub reason: String,
    pub evidence: Vec<Weighed>,
}

/// A piece of evidence and what was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighed {
    pub evidence: Evidence,
    pub finding: Finding,
}

/// What was found of a piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Finding {
    /// It is there, and every place where it stands is inside the change.
    Inside,
    /// It is there.
    Counts,
    /// It may be there, but would prove nothing.
    Weak { why: String },
    /// It is not there.
    Absent { why: String },
}

/// The word of each criterion after its evidence was looked for, in the answer's order.
///
/// `met` stays where some of its evidence counts and none is absent; else it becomes `unsure`.
pub fn check(answer: &Answer, exhibits: &Exhibits) -> Vec<CriterionWord> {
    let mut search = Search { exhibits, texts: BTreeMap::new() };
    answer.criteria.iter().map(|said| search.criterion(said)).collect()
}

impl CriterionWord {
    /// Is it met, with evidence inside the change?
    pub fn is_inside(&self) -> bool {
        self.word == Word::Met && self.evidence.iter().any(|weighed| weighed.finding == Finding::Inside)
    }
}

impl Finding {
    /// None where it counts.
    fn shortcoming(&self) -> Option<&str> {
        match self {
            Self::Inside | Self::Counts => None,
            Self::Weak { why } | Self::Absent { why } => Some(why),
        }
    }
}

/// The exhibits, and those of their texts that were quoted already.
struct Search<'e> {
    exhibits: &'e Exhibits,
    texts: BTreeMap<ExhibitRef, Compact>,
}

impl<'e> Search<'e> {
    fn criterion(&mut self, said: &CriterionAnswer) -> CriterionWord {
        let weighed =
            |evidence: &Evidence| Weighed { evidence: evidence.clone(), finding: self.find(evidence) };
        let evidence: Vec<Weighed> = said.evidence.iter().map(weighed).collect();
        let (word, reason) = match said.word {
            Word::Met => match unproven(&evidence) {
                None => (Word::Met, said.reason.clone()),
                Some(why) => (Word::Unsure, format!("said to be met, but {why}")),
            },
            Word::Unmet | Word::Unsure | Word::NotHere => (said.word, said.reason.clone()),
        };
        CriterionWord { number: said.number, word, said: said.word, reason, evidence }
    }

    fn find(&mut self, evidence: &Evidence) -> Finding {
        match evidence {
            Evidence::Quote { path, text } => self.quote(path, text),
            Evidence::Check { name } => self.check_named(name).map_or_else(absent, |_| Finding::Counts),
            // That somebody looked at a file shows nothing that only the change could have made.
            Evidence::Examined { path } => match self.file_named(path) {
                Err(why) => absent(why),
                Ok((_, file)) if file.is_unseen() => {
                    absent(format!("the content of `{}` was not shown", name(path)))
                }
                Ok(_) => Finding::Counts,
            },
        }
    }

    fn quote(&mut self, path: &str, text: &str) -> Finding {
        let wanted: String = text.chars().filter(|character| !character.is_whitespace()).collect();
        if wanted.chars().count() < QUOTE_CHARS_MIN || letters(&wanted) < QUOTE_LETTERS_MIN {
            let why = format!("the quote from `{}` is too short to prove it", name(path));
            return Finding::Weak { why };
        }
        let (of, text, inside) = match self.quotable(path) {
            Ok(found) => found,
            Err(why) => return absent(why),
        };
        let looked_at = self.texts.entry(of).or_insert_with(|| Compact::new(text, inside));
        let missing = || absent(format!("the quote does not stand in `{}`", name(path)));
        looked_at.find(&wanted).unwrap_or_else(missing)
    }

    /// The text that is known by this name: a file's, else that of a check that passed.
    fn quotable(&self, path: &str) -> Result<(ExhibitRef, &'e str, &'e [LineRange]), String> {
        match self.file_named(path) {
            Ok((index, file)) => {
                let (text, inside) = file.text().unwrap_or_default();
                Ok((ExhibitRef::File(index), text, inside))
            }
            Err(no_file) => {
                let (index, check) = self.check_named(path).map_err(|_| no_file)?;
                Ok((ExhibitRef::Check(index), &check.tail, &[]))
            }
        }
    }

    fn file_named(&self, path: &str) -> Result<(usize, &'e FileExhibit), String> {
        let asked = path.trim();
        let asked = asked.strip_prefix("./").unwrap_or(asked);
        let files = || self.exhibits.files.iter().enumerate();
        if let Some(found) = files().find(|(_, file)| file.path == asked) {
            return Ok(found);
        }
        let mut shown = files().filter(|(_, file)| name(&file.path) == asked);
        match (shown.next(), shown.next()) {
            (Some(found), None) => Ok(found),
            (Some(_), Some(_)) => Err(format!("two files are shown as `{}`", name(asked))),
            (None, _) => Err(format!("no file `{}` was shown", name(asked))),
        }
    }

    fn check_named(&self, asked: &str) -> Result<(usize, &'e CheckExhibit), String> {
        let asked = asked.trim();
        let mut checks = self.exhibits.checks.iter().enumerate();
        let found = checks.find(|(_, check)| check.name == asked || name(&check.name) == asked);
        match found {
            None => Err(format!("there is no check `{}`", name(asked))),
            Some((_, check)) if !check.passed => Err(format!("the check `{}` did not pass", name(asked))),
            Some(found) => Ok(found),
        }
    }
}

fn absent(why: String) -> Finding {
    Finding::Absent { why }
}

/// Why this evidence does not hold, if it does not.
fn unproven(evidence: &[Weighed]) -> Option<String> {
    let is_absent = |weighed: &&Weighed| matches!(weighed.finding, Finding::Absent { .. });
    let absent = evidence.iter().find(is_absent).and_then(|weighed| weighed.finding.shortcoming());
    if let Some(why) = absent {
        return Some(why.to_owned());
    }
    if evidence.iter().any(|weighed| weighed.finding.shortcoming().is_none()) {
        return None;
    }
    let weak = evidence.iter().find_map(|weighed| weighed.finding.shortcoming());
    Some(weak.map_or_else(|| "without evidence".to_owned(), str::to_owned))
}

/// A text without white space, and where its lines begin in it.
struct Compact {
    text: String,
    lines: Vec<Line>,
}

struct Line {
    start: usize,
    changed: bool,
}

impl Compact {
    fn new(text: &str, inside: &[LineRange]) -> Self {
        let mut ranges = inside.to_vec();
        ranges.sort_unstable();
        let mut ranges = ranges.into_iter().peekable();
        let mut compacted = Self { text: String::with_capacity(text.len()), lines: Vec::new() };
        for (number, line) in (1..).zip(text.split('\n')) {
            while ranges.next_if(|range| range.last < number).is_some() {}
            let changed = ranges.peek().is_some_and(|range| range.contains(number));
            compacted.lines.push(Line { start: compacted.text.len(), changed });
            compacted.text.extend(line.chars().filter(|character| !character.is_whitespace()));
        }
        compacted
    }

    /// Inside only if every place where it stands is: elsewhere it stood without the change.
    fn find(&self, wanted: &str) -> Option<Finding> {
        let mut places = self.text.match_indices(wanted).map(|(start, _)| start).peekable();
        places.peek()?;
        let is_inside = places.all(|start| self.is_inside(start, start + wanted.len()));
        Some(if is_inside { Finding::Inside } else { Finding::Counts })
    }

    /// Do changed lines hold enough of it to say something? A closing bracket is no evidence.
    fn is_inside(&self, start: usize, end: usize) -> bool {
        let first = self.lines.partition_point(|line| line.start <= start).saturating_sub(1);
        let after = self.lines.partition_point(|line| line.start < end);
        let changed = (first..after).filter(|index| self.lines[*index].changed).map(|index| {
            let next = self.lines.get(index + 1).map_or(self.text.len(), |line| line.start);
            letters(&self.text[self.lines[index].start.max(start)..next.min(end)])
        });
        changed.sum::<usize>() >= QUOTE_LETTERS_MIN
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|character| character.is_alphanumeric()).count()
}
