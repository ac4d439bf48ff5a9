//! From words to a verdict, over the parts that a judge was asked about (SPEC B4).
//!
//! Apart from reading and checking because of the one rule that it keeps: an approval needs every part and every
//! criterion, a rejection a single reason, and whatever is missing gives neither.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::answer::{Answer, NoVerdict, Word};
use super::evidence::{CriterionWord, check};
use super::exhibits::Exhibits;
use super::line::{LineAnswer, LineWord};

/// What a judge said about a part.
type PartAnswer<Said> = Result<Said, NoVerdict>;

/// One judge's verdict about the candidate, over all parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// Its name for people: agent and model, or the command.
    pub judge: String,
    pub verdict: Verdict,
    /// By number; empty with protocol "line".
    pub criteria: Vec<CriterionWord>,
    /// One sentence for later judges (SPEC G23).
    pub principle: Option<String>,
    /// Parts without a verdict.
    pub silent: Vec<Silence>,
}

/// What a judge's words come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Verdict {
    /// Every criterion is met, with evidence that is there.
    Approved {
        /// Criteria with evidence inside the change.
        inside: BTreeSet<u32>,
    },
    /// At least one criterion is unmet.
    Rejected { unmet: Vec<Unmet> },
    /// Neither.
    NoVerdict {
        /// What an approval or a rejection would have needed, for people.
        missing: Vec<String>,
    },
}

/// Why something was rejected.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unmet {
    /// None where protocol "line" speaks of all at once.
    pub criterion: Option<u32>,
    pub reason: String,
}

/// A part about which a judge gave no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Silence {
    /// From 1.
    pub part: u32,
    pub why: String,
}

/// How many of how many judges had to approve: one is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Votes {
    needed: u32,
    of: u32,
}

/// What a verdict comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "word", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    Approved {
        /// Criteria with evidence inside the change.
        evidence_inside: u32,
    },
    Rejected {
        /// The same criteria give the same text, in whatever words; hash it.
        fingerprint: String,
        /// By criterion.
        unmet: Vec<Unmet>,
    },
    NoVerdict {
        /// For people.
        missing: Vec<String>,
    },
}

/// One judge's verdict, protocol "evidence": its answer to each of the parts, in their order.
///
/// `parts` is how many were asked about; a part without an answer is a missing one.
pub fn judged(judge: &str, parts: u32, answers: &[PartAnswer<Answer>], exhibits: &Exhibits) -> Judgement {
    let spoken: Vec<&Answer> = answers.iter().filter_map(|answer| answer.as_ref().ok()).collect();
    let words: Vec<Vec<CriterionWord>> = spoken.iter().map(|answer| check(answer, exhibits)).collect();
    let criteria = joined(words);
    let unmet = criteria.iter().filter(|criterion| criterion.word == Word::Unmet);
    let unmet =
        unmet.map(|said| Unmet { criterion: Some(said.number), reason: said.reason.clone() }).collect();
    let silent = silences(parts, answers);
    let mut missing = untold(&silent, parts);
    missing.extend(criteria.iter().filter_map(undecided));
    if missing.is_empty() {
        missing.extend(unjudged(&criteria, exhibits.criteria.len()));
    }
    let inside = criteria.iter().filter(|criterion| criterion.is_inside());
    let verdict = verdict(unmet, missing, inside.map(|criterion| criterion.number).collect());
    let rejects = |answer: &&&Answer| answer.criteria.iter().any(|said| said.word == Word::Unmet);
    let deciding = spoken.iter().find(rejects).into_iter().chain(&spoken);
    let principle = deciding.filter_map(|answer| answer.principle.clone()).next();
    Judgement { judge: judge.to_owned(), verdict, criteria, principle, silent }
}

/// One judge's verdict, protocol "line": its answer to each of the parts, in their order.
pub fn judged_by_line(judge: &str, parts: u32, answers: &[PartAnswer<LineAnswer>]) -> Judgement {
    let spoken = answers.iter().filter_map(|answer| answer.as_ref().ok());
    let unmet = spoken.clone().filter_map(|answer| match &answer.word {
        LineWord::Rejected { reason } => Some(Unmet { criterion: None, reason: reason.clone() }),
        LineWord::Approved | LineWord::NotHere => None,
    });
    let unmet: Vec<Unmet> = unmet.collect();
    let silent = silences(parts, answers);
    let mut missing = untold(&silent, parts);
    if missing.is_empty() && !spoken.clone().any(|answer| answer.word == LineWord::Approved) {
        missing.push("nothing in any part decided".to_owned());
    }
    let verdict = verdict(unmet, missing, BTreeSet::new());
    let principle = spoken.filter_map(|answer| answer.principle.clone()).next();
    Judgement { judge: judge.to_owned(), verdict, criteria: Vec::new(), principle, silent }
}

/// A single reason rejects, and whatever is missing keeps from approving.
fn verdict(unmet: Vec<Unmet>, missing: Vec<String>, inside: BTreeSet<u32>) -> Verdict {
    if !unmet.is_empty() {
        Verdict::Rejected { unmet }
    } else if missing.is_empty() {
        Verdict::Approved { inside }
    } else {
        Verdict::NoVerdict { missing }
    }
}

impl Judgement {
    pub fn outcome(&self) -> Outcome {
        match &self.verdict {
            Verdict::Approved { inside } => {
                Outcome::Approved { evidence_inside: u32::try_from(inside.len()).unwrap_or(u32::MAX) }
            }
            Verdict::Rejected { unmet } => {
                Outcome::Rejected { fingerprint: fingerprint(unmet), unmet: unmet.clone() }
            }
            Verdict::NoVerdict { missing } => {
                let told = missing.iter().map(|what| format!("{}: {what}", self.judge));
                Outcome::NoVerdict { missing: told.collect() }
            }
        }
    }
}

impl Votes {
    pub(super) const ONE: Self = Self { needed: 1, of: 1 };
}

/// Each criterion's word over the parts: the worst one, `not-here` aside; evidence of all of them.
fn joined(parts: Vec<Vec<CriterionWord>>) -> Vec<CriterionWord> {
    let mut criteria: BTreeMap<u32, CriterionWord> = BTreeMap::new();
    for word in parts.into_iter().flatten() {
        match criteria.get_mut(&word.number) {
            None => drop(criteria.insert(word.number, word)),
            Some(known) => join(known, word),
        }
    }
    criteria.into_values().collect()
}

fn join(known: &mut CriterionWord, word: CriterionWord) {
    known.evidence.extend(word.evidence);
    if word.word > known.word {
        (known.word, known.said, known.reason) = (word.word, word.said, word.reason);
    } else if word.word == known.word && !word.reason.is_empty() && known.reason != word.reason {
        let gap = if known.reason.is_empty() { "" } else { "; " };
        known.reason.push_str(gap);
        known.reason.push_str(&word.reason);
    }
}

fn silences<A>(parts: u32, answers: &[PartAnswer<A>]) -> Vec<Silence> {
    let asked = (1..=parts).zip(answers.iter().map(Some).chain(std::iter::repeat(None)));
    let silence = |(part, answer): (u32, Option<&PartAnswer<A>>)| {
        let why = match answer {
            None => "it was not answered".to_owned(),
            Some(Err(silent)) => silent.why.clone(),
            Some(Ok(_)) => return None,
        };
        Some(Silence { part, why })
    };
    asked.filter_map(silence).collect()
}

fn untold(silent: &[Silence], parts: u32) -> Vec<String> {
    if parts == 0 {
        return vec!["nothing was asked".to_owned()];
    }
    let told = |Silence { part, why }: &Silence| match parts {
        1 => why.clone(),
        _ => format!("part {part} of {parts}: {why}"),
    };
    silent.iter().map(told).collect()
}

fn undecided(criterion: &CriterionWord) -> Option<String> {
    let CriterionWord { number, reason, .. } = criterion;
    match criterion.word {
        Word::Met | Word::Unmet => None,
        Word::Unsure if reason.is_empty() => Some(format!("criterion {number}: unsure")),
        Word::Unsure => Some(format!("criterion {number}: unsure, {reason}")),
        Word::NotHere => Some(format!("criterion {number}: no part of the material says anything about it")),
    }
}

/// Criteria about which there is no word at all.
fn unjudged(criteria: &[CriterionWord], count: usize) -> Vec<String> {
    let known: BTreeSet<u32> = criteria.iter().map(|criterion| criterion.number).collect();
    if count == 0 {
        return vec!["there is no criterion to judge".to_owned()];
    }
    let unknown = (1..).take(count).filter(|number| !known.contains(number));
    unknown.map(|number| format!("criterion {number}: nobody spoke of it")).collect()
}

/// The unmet criteria; of protocol "line", which names none, the words of the reason.
fn fingerprint(unmet: &[Unmet]) -> String {
    let numbers: BTreeSet<u32> = unmet.iter().filter_map(|unmet| unmet.criterion).collect();
    if !numbers.is_empty() {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        return format!("unmet criteria: {}", numbers.join(", "));
    }
    let words = |unmet: &Unmet| -> String {
        let reason = unmet.reason.to_lowercase();
        let words = reason.split(|character: char| !character.is_alphanumeric());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let reasons: BTreeSet<String> = unmet.iter().map(words).collect();
    format!("rejected: {}", reasons.into_iter().collect::<Vec<_>>().join("; "))
}

// The risk that a judge approves once what it should not, in basis points and without floats (SPEC B4).

/// Assumed risk of one false approval, where nobody has measured the judge: 5 %.
pub const FALSE_APPROVAL_BP: u32 = 500;

const WHOLE_BP: u32 = 10_000;
/// The fixed point of the calculation; its square fits into 128 bits.
const ONE: u128 = 1_000_000_000_000_000_000;

/// The risk of at least one false approval in so many tries, rounded up: `1 - (1 - p)^t`.
///
/// It takes the tries as independent. A risk above 10 000 counts as that.
pub fn false_approval_risk_bp(tries: u32, per_try_bp: u32) -> u32 {
    let right = ONE - share(per_try_bp);
    round_up(ONE - power(right, tries))
}

fn share(basis_points: u32) -> u128 {
    u128::from(basis_points.min(WHOLE_BP)) * ONE / u128::from(WHOLE_BP)
}

/// By squaring: `base` is at most one, and each step rounds it down, so that a risk is never understated.
fn power(base: u128, exponent: u32) -> u128 {
    let (mut result, mut square, mut left) = (ONE, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result = result * square / ONE;
        }
        square = square * square / ONE;
        left /= 2;
    }
    result
}

fn round_up(share: u128) -> u32 {
    let basis_points = (share * u128::from(WHOLE_BP)).div_ceil(ONE);
    u32::try_from(basis_points).unwrap_or(WHOLE_BP)
}
