//! What is known of a check whose texts are asked otherwise, and what is said in the end.

use std::collections::{BTreeMap, BTreeSet};

use gulf_agents::sources::{
    CheckText, TextWord, answers, is_word_of, may_be_expected_word, may_read, shown_words, values_in_texts,
    with_tests,
};
use gulf_engine::{Canary, ElsewhereRuns, Finding};
use gulf_host::git::{TreeEdit, TreePath};

use super::{CandidateEvidence, SuiteTrial};
use crate::agreement::SealedCheck;

/// So many runs may be asked for, however long one takes, but for no less time than this and for no more.
const RUNS_MAX: u64 = 40;
const TIME_MS_MIN: u64 = 10_000;
const TIME_MS_MAX: u64 = 60_000;
/// A product that only takes its time is asked no less.
const SLOWED_TIME_MS_MAX: u64 = 300_000;
/// Of so many expectations the work has nothing of its own to say.
pub(super) const STALE_MIN: usize = 2;
/// As many where they are numbers: two may be exceptions of a rule that was right before.
const STALE_NUMBERS_MIN: usize = 3;

/// A check and what it reads, as its scripts tell what they run.
pub(super) struct TextsAsked<'run, 'effect> {
    pub(super) evidence: &'run CandidateEvidence<'effect>,
    pub(super) check: &'run SealedCheck,
    pub(super) texts: Vec<CheckText>,
    /// It names no tests, so any of these texts may be what decides.
    pub(super) is_nameless: bool,
    /// Is it known that a failing run shows what the work gives?
    pub(super) shows: bool,
    /// Where the first expectation stands that was seen: `tests/data.json:4`.
    pub(super) seen_at: Option<String>,
    /// The files of the product that the work changed, as they are now.
    pub(super) products: Vec<String>,
    /// What the base gets so that new tests run there.
    pub(super) grafted: Vec<(TreePath, TreeEdit)>,
    /// What stands on the base in place of a text that is product, too.
    pub(super) of_base: BTreeMap<usize, String>,
    /// Which of the texts the check compares with what the work gives.
    pub(super) compared: BTreeSet<usize>,
    /// So many words that a test plainly expects could be others, and the check passed.
    pub(super) unmoved_answers: usize,
    /// What the check says of the work.
    pub(super) passing: String,
    /// Expectations that the base is let pass, so that it goes on to the next one: what stood there, and what it gives.
    pub(super) passed: Vec<[String; 2]>,
    pub(super) runs: u32,
    pub(super) duration_ms: u64,
    /// So long its runs may take where nothing is doubted.
    pub(super) time_ms: u64,
    /// There was more to ask when that was over.
    pub(super) is_cut: bool,
}

/// How long a check may be asked that takes so long on the base and with the work.
pub(super) fn time_for_asking(before_ms: u64, now_ms: u64) -> u64 {
    const TIMES: u64 = 4;
    let is_slowed = now_ms > before_ms.saturating_mul(TIMES).saturating_add(TIME_MS_MIN);
    let most = if is_slowed { SLOWED_TIME_MS_MAX } else { TIME_MS_MAX };
    now_ms.saturating_mul(RUNS_MAX).clamp(TIME_MS_MIN, most)
}

/// Expectations of which the work has nothing of its own to say elsewhere.
#[derive(Default)]
pub(super) struct Stale {
    pub(super) expectations: usize,
    pub(super) is_text: bool,
    /// The inputs that were tried, each with what stood there before.
    pub(super) told: Vec<[String; 2]>,
}

impl TextsAsked<'_, '_> {
    /// With scripts that tell each command that they run; none where it names its tests, or there is no script.
    pub(super) fn traced(&self) -> Option<Vec<CheckText>> {
        let traced = |one: &CheckText| one.traced(one.path.is_empty()).filter(|_| self.is_nameless);
        let all: Vec<Option<CheckText>> = self.texts.iter().map(traced).collect();
        let is_any = all.iter().any(Option::is_some);
        let each = all.into_iter().zip(&self.texts);
        is_any.then(|| each.map(|(traced, plain)| traced.unwrap_or_else(|| plain.clone())).collect())
    }

    /// The text of a product's file on the base, where its tests are those of this text.
    pub(super) fn on_base(&self, index: usize, text: &str) -> Option<String> {
        let base = self.of_base.get(&index)?;
        let with_tests = with_tests(&self.texts[index].path, Some(base.as_bytes()), text.as_bytes());
        Some(with_tests.map_or_else(|| base.clone(), |bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    pub(super) fn with(&self, word: &TextWord, other: &str) -> Vec<CheckText> {
        let mut texts = self.texts.clone();
        texts[word.text] = texts[word.text].with(&word.at, other);
        texts
    }

    /// What stood in the place of an input, and where: `7 in tests/one.in:2`; and what stands there.
    pub(super) fn input_and_other(&self, input: &TextWord, other: String) -> [String; 2] {
        let place = place(&self.texts[input.text], input);
        let is_named = place != input.word;
        [if is_named { format!("{} in {place}", input.word) } else { place }, other]
    }

    /// The line of this input.
    pub(super) fn line_of(&self, input: &TextWord) -> String {
        let one = &self.texts[input.text];
        one.text.lines().nth(one.line_of(input) - 1).unwrap_or_default().to_owned()
    }

    /// The next word that may be expected. Where a number was none, a text may be.
    pub(super) fn next_word(&self, products: &[String], said: &str, tried: &[String]) -> Option<TextWord> {
        let mut shown = shown_words(&self.texts, products, &self.compared, [said, &self.passing]);
        shown.retain(|word| !tried.contains(&word.word) && may_be_expected_word(&self.texts, &word.word));
        let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
        let was_number = self.seen_at.is_none() && tried.last().is_some_and(is_number);
        let text = shown.iter().position(TextWord::is_text).filter(|_| was_number);
        (!shown.is_empty()).then(|| shown.remove(text.unwrap_or(0)))
    }

    /// The work says something new where this input is another one.
    pub(super) fn trial_new_in(&self, input: &TextWord) -> SuiteTrial {
        SuiteTrial { new_in: Some(self.line_of(input)), ..self.trial(true, None) }
    }

    /// A product that reads what is expected of it gives whatever stands there.
    pub(super) fn passing_all_the_same(&self, unmoved: &[[String; 2]], is_settled: bool) -> SuiteTrial {
        let may_read = self.products.iter().any(|text| may_read(text));
        let cannot_fail = may_read || self.unmoved_answers >= STALE_MIN;
        if is_settled || unmoved.len() < STALE_MIN || !cannot_fail {
            return self.trial(false, None);
        }
        let place = |was: &str, one: &CheckText| {
            let line = one.text.lines().position(|line| is_word_of(was, [line]))?;
            Some(format!(" in {}:{}", one.path, line + 1)).filter(|_| !one.path.is_empty())
        };
        let place = |was: &str| self.texts.iter().find_map(|one| place(was, one)).unwrap_or_default();
        let changes = unmoved.iter().map(|[was, is]| format!("{is} stands for {was}{}", place(was)));
        let changes: Vec<String> = changes.collect();
        self.green(format!("passes all the same where {}", changes.join(", where ")))
    }

    /// Where something was found, it may take longer to be certain.
    pub(super) fn is_over(&self, old: &Stale, written: &Stale) -> bool {
        let is_doubted = old.expectations + written.expectations > 0;
        if is_doubted { self.is_spent() } else { self.duration_ms >= self.time_ms }
    }

    /// Nobody waits for a further run, whatever it would tell.
    pub(super) fn is_spent(&self) -> bool {
        self.duration_ms >= 2 * self.time_ms
    }

    pub(super) fn trial(&self, is_new: bool, finding: Option<Finding>) -> SuiteTrial {
        let (runs, duration_ms) = (self.runs, self.duration_ms);
        let of_one_ms = duration_ms / u64::from(runs.max(1));
        let canary = self.seen_at.clone().map(|test| Canary::Red { test, runs: 1, duration_ms: of_one_ms });
        let is_learnt = is_new || finding.is_some();
        let runs = ElsewhereRuns { runs, duration_ms, is_new, is_cut: self.is_cut && !is_learnt };
        let elsewhere = (is_learnt || runs.is_cut).then_some(runs);
        SuiteTrial { canary, elsewhere, finding, new_in: None }
    }
}

impl Stale {
    pub(super) fn add(&mut self, word: &TextWord, told: Vec<[String; 2]>) {
        (self.expectations, self.is_text) = (self.expectations + 1, self.is_text || word.is_text());
        self.told.extend(told);
    }

    pub(super) fn is_enough(&self) -> bool {
        self.expectations >= if self.is_text { STALE_MIN } else { STALE_NUMBERS_MIN }
    }
}

/// `tests/data.json:4`
pub(super) fn place(text: &CheckText, word: &TextWord) -> String {
    if text.path.is_empty() { word.word.clone() } else { format!("{}:{}", text.path, text.line_of(word)) }
}

/// Is it plainly what a test expects?
pub(super) fn is_answer(text: &CheckText, word: &TextWord) -> bool {
    let line = text.line_of(word);
    let value = [word.word.clone(), format!("\"{}\"", word.word)];
    let mut answers = answers(&text.path, text.text.as_bytes(), None).into_iter();
    answers
        .any(|answer| answer.line == line && answer.expected.iter().any(|expected| value.contains(expected)))
}

/// Does the work give what stood in the place of this value, which stands nowhere any more? Then that was no input.
pub(super) fn is_expected_too(texts: &[CheckText], input: &TextWord, given: &[String]) -> bool {
    given.contains(&input.word) && values_in_texts(texts).iter().all(|value| value.word != input.word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_asked_by_the_run_and_one_that_the_work_makes_slow_is_asked_no_less() {
        assert_eq!(time_for_asking(10, 100), TIME_MS_MIN, "what is quick is asked more often");
        assert_eq!(time_for_asking(900, 1_000), 40_000);
        assert_eq!(
            time_for_asking(20_000, 30_000),
            TIME_MS_MAX,
            "nobody waits longer for what may be nothing"
        );
        assert_eq!(time_for_asking(300, 6_000), TIME_MS_MAX);
        assert_eq!(time_for_asking(300, 12_000), SLOWED_TIME_MS_MAX);
    }
}
