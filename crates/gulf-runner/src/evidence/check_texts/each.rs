//! One value of the tests after the other, whatever form the tests have: does the work do anything that the base did not where
//! it is another (SPEC B3)?
//!
//! Nothing is read of an assertion, nor of how a runner shows values: two runs are compared, of the work and of the base. What
//! was built in does what the base did as soon as a value is another; and a work that knows a value by its own name has that
//! name in its source, so such values are left out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

use gulf_agents::reports::{Completeness, TestOutcome};
use gulf_agents::sources::{
    CheckText, TextWord, ValueDifference, is_product, is_test_path, is_word_of, others, said_of_value, says,
    values_in_texts, values_of,
};

use super::asked::{TextsAsked, is_answer, place, time_for_asking};
use super::{AskedTree, CandidateEvidence, SuiteTrial, nothing_new, output};
use crate::checks::{Ran, RunEnd};
use crate::error::Result;
use crate::evidence::finding_of;
use crate::evidence::proving::Proving;
use crate::evidence::reruns::{ONCE_MORE_MS, hurried};

/// In so many lines values are accepted whatever they are.
const ACCEPTED_MIN: usize = 3;
/// Values that a finding names.
const TOLD_MAX: usize = 3;
/// So many values are asked.
const VALUES_MAX: usize = 16;
/// Of so many texts, in lines of their own, the work does what the base did.
const TEXTS_MIN: usize = 2;
/// As many where there are numbers among them.
const VALUES_MIN: usize = 3;

/// What became of one value.
enum ValueTrial {
    /// Something that stands nowhere else: the work does something of its own.
    New,
    /// What the base does.
    Stale { told: [String; 2] },
    /// The check accepts whatever stands there.
    Accepted { other: String },
    /// The same, whatever it is: it is expected, or does not count.
    Still,
    /// Something that is known, and not the same each time.
    Moves,
}

/// What no test expects and no work can know: it is made of the commit that holds the work.
fn nobodys(commit: &str) -> String {
    commit.chars().take(8).filter_map(|digit| char::from_digit(digit.to_digit(16)? + 16, 32)).collect()
}

impl CandidateEvidence<'_> {
    /// For tests whose form nobody could read.
    pub(in crate::evidence) fn in_each_value(&self, is_shown: bool) -> Result<SuiteTrial> {
        for (check, before, now) in self.open_runs()? {
            let proving = Proving::between(&before, &now, &self.difference.graft);
            if now.readable == Completeness::None || proving.tests.is_empty() || !now.is_green() {
                continue;
            }
            // The base may hang there.
            let check = &hurried(check, now.duration_ms, ONCE_MORE_MS);
            let mut asking = self.check_texts(check, false, &[], [before.duration_ms, now.duration_ms])?;
            asking.shows = is_shown;
            let (values, names) = asking.proving_values(&proving)?;
            let few = self.selected(check, &names);
            asking.check = few.as_ref().unwrap_or(check);
            asking.passing = now.tail;
            return asking.on_each_value(values);
        }
        Ok(SuiteTrial::default())
    }
}

impl TextsAsked<'_, '_> {
    /// The values of the tests that prove the work, wherever the work put them; those tests stand on the base, too.
    fn proving_values(&mut self, proving: &Proving) -> Result<(Vec<TextWord>, Vec<String>)> {
        let files = self.evidence.sources(|path: &str| is_test_path(path) || path.ends_with(".rs"))?;
        let (mut values, mut names) = (Vec::new(), Vec::new());
        for (path, source) in files {
            let found = values_of(&path, &source, &proving.tests);
            let Some(text) = String::from_utf8(source).ok().filter(|_| !found.at.is_empty()) else {
                continue;
            };
            let index = self.texts.iter().position(|one| one.path == path).unwrap_or_else(|| {
                if is_product(&path) {
                    let changed = self.evidence.difference.files.get(&path);
                    let base = changed.and_then(|file| file.base.as_deref()).unwrap_or(text.as_bytes());
                    self.of_base.insert(self.texts.len(), String::from_utf8_lossy(base).into_owned());
                }
                self.texts.push(CheckText { path, text: text.clone() });
                self.texts.len() - 1
            });
            values.extend(found.at.into_iter().map(|at| self.texts[index].word(index, at)));
            names.extend(found.names);
        }
        Ok((values, names))
    }

    pub(super) fn on_each_value(&mut self, mut values: Vec<TextWord>) -> Result<SuiteTrial> {
        // A work that knows a value by its name says so; and a text that stands in many places is one.
        let mut keys = BTreeSet::new();
        values.retain(|value| {
            !is_written(value, &self.products)
                && (!self.is_key(value) || keys.insert((value.text, value.word.clone())))
        });
        // For a finding it takes some; that the work says something new, one of them shows.
        if values.is_empty() || (self.grafted.is_empty() && !self.may_tell(&values)) {
            return Ok(SuiteTrial::default());
        }
        let (began, plain) = (self.duration_ms, self.texts.clone());
        let now = self.run(AskedTree::Candidate, &plain)?;
        let then = self.run(AskedTree::Base, &plain)?;
        let is_silent = matches!(then.record.end, RunEnd::TimedOut { .. } | RunEnd::Exited { code: 0 });
        if !now.record.is_green() || is_silent {
            return Ok(SuiteTrial::default());
        }
        // Selected tests take less time than the whole check.
        let duration_ms = time_for_asking(then.record.duration_ms, now.record.duration_ms);
        let usual = [format!("{}\n{}", self.passing, output(&now)), output(&then)];
        let mut stale: Vec<(TextWord, [String; 2])> = Vec::new();
        let (mut accepted, mut beside) = (Vec::new(), Vec::new());
        self.is_cut = false;
        let mut in_turn = self.in_turn(values, &usual[1]).into_iter();
        for value in in_turn.by_ref().take(VALUES_MAX) {
            if self.duration_ms >= began + duration_ms {
                self.is_cut = true;
                beside.push(value);
                break;
            }
            if stale.iter().any(|(other, _)| self.line(other) == self.line(&value)) {
                beside.push(value);
                continue;
            }
            match self.with_other_value(&value, &usual)? {
                ValueTrial::New => return Ok(self.trial_new_in(&value)),
                ValueTrial::Moves => return Ok(SuiteTrial::default()),
                // What the base does right already, its failing run does not show: that is not what the work did.
                ValueTrial::Stale { .. }
                    if self.is_nameless && !is_word_of(&value.word, [usual[1].as_str()]) => {}
                ValueTrial::Stale { told } => stale.push((value, told)),
                ValueTrial::Accepted { other } => accepted.push((value, other)),
                ValueTrial::Still => {}
            }
        }
        if stale.is_empty() && self.is_nameless && !self.is_cut {
            // What a failing run does not show may be prose.
            accepted.retain(|(value, _): &(TextWord, String)| is_word_of(&value.word, [usual[1].as_str()]));
            return self.with_all_others(&plain, accepted);
        }
        let is_of_texts = stale.iter().all(|(value, _)| value.is_text());
        let least = if is_of_texts { TEXTS_MIN } else { VALUES_MIN };
        if stale.len() < least || self.is_of_project(&stale)? {
            return Ok(self.trial(false, None));
        }
        beside.extend(in_turn);
        if let Some(trial) = self.with_values_beside(beside, duration_ms, &usual)? {
            return Ok(trial);
        }
        if !self.shows_answers(&stale, &usual[1])? {
            return Ok(self.trial(false, None));
        }
        let at = |value: &TextWord| place(&self.texts[value.text], value);
        let told = stale.iter().map(|(value, [was, is])| [format!("{was} in {}", at(value)), is.clone()]);
        let told: Vec<[String; 2]> = told.collect();
        Ok(self.trial(false, Some(nothing_new(self.check, &told))))
    }

    /// An exception to a rule is one no longer where a value is another, but may still be where one beside it is; and what a
    /// name leads to that nothing leads to any more says less than a number that is added.
    fn with_values_beside(
        &mut self,
        mut beside: Vec<TextWord>,
        duration_ms: u64,
        usual: &[String; 2],
    ) -> Result<Option<SuiteTrial>> {
        beside.sort_by_key(TextWord::is_text);
        let began = self.duration_ms;
        for value in beside {
            if self.duration_ms >= began + duration_ms {
                break;
            }
            match self.with_other_value(&value, usual)? {
                ValueTrial::New => return Ok(Some(self.trial_new_in(&value))),
                ValueTrial::Moves => return Ok(Some(SuiteTrial::default())),
                ValueTrial::Stale { .. } | ValueTrial::Accepted { .. } | ValueTrial::Still => {}
            }
        }
        Ok(None)
    }

    /// Where a run fails, does it show what the work gives? Then it shows what was expected, where something else is.
    fn shows_answers(&mut self, stale: &[(TextWord, [String; 2])], shown: &str) -> Result<bool> {
        const TRIES_MAX: usize = 6;
        let nobodys = nobodys(self.evidence.candidate.commit.as_str());
        let is_of_test = |value: &TextWord| stale.iter().any(|(one, _)| one.text == value.text);
        let mut tried: Vec<TextWord> = values_in_texts(&self.texts);
        tried.retain(|value| is_of_test(value) && stale.iter().all(|(one, _)| one.at != value.at));
        tried.sort_by_key(|value| (!value.is_text(), !is_word_of(&value.word, [shown])));
        for value in tried.into_iter().take(TRIES_MAX) {
            if self.shows {
                break;
            }
            let other = if value.is_text() { Some(nobodys.clone()) } else { others(&value.word).pop() };
            let texts = self.with(&value, &other.unwrap_or_default());
            let ran = self.run(AskedTree::Candidate, &texts)?;
            self.shows |= shows_old(&ran, &texts, &value, value.is_text());
        }
        Ok(self.shows)
    }

    /// Nothing that the check asks with changes what it gets, neither one value nor all of them, nor more lines.
    fn with_all_others(
        &mut self,
        plain: &[CheckText],
        mut accepted: Vec<(TextWord, String)>,
    ) -> Result<SuiteTrial> {
        let lines: BTreeSet<(usize, usize)> = accepted.iter().map(|(value, _)| self.line(value)).collect();
        if lines.len() < ACCEPTED_MIN {
            return Ok(SuiteTrial::default());
        }
        accepted.sort_by_key(|(value, _)| Reverse((value.text, value.at.start)));
        let mut texts = plain.to_vec();
        for (value, other) in &accepted {
            texts[value.text] = texts[value.text].with(&value.at, other);
        }
        let mut longer = plain.to_vec();
        for index in accepted.iter().map(|(value, _)| value.text).collect::<BTreeSet<_>>() {
            longer[index] = longer[index].longer();
        }
        for texts in [texts, longer] {
            if !self.run(AskedTree::Candidate, &texts)?.record.is_green() {
                return Ok(SuiteTrial::default());
            }
        }
        let told = accepted.iter().rev().take(TOLD_MAX);
        let told: Vec<String> = told.map(|(value, other)| format!("{other} for {}", value.word)).collect();
        let what = format!("gets the same, whatever it asks with ({})", told.join(", "));
        Ok(self.trial(false, Some(finding_of(self.check, what))))
    }

    fn with_other_value(&mut self, value: &TextWord, usual: &[String; 2]) -> Result<ValueTrial> {
        let others = others(&value.word);
        let last = others.last().cloned().unwrap_or_default();
        let mut said = SaidOfOthers { is_number: !value.is_text(), last, ..SaidOfOthers::default() };
        for other in others {
            let texts = self.with_key(value, &other);
            let now = self.run(AskedTree::Candidate, &texts)?;
            if now.record.is_green() {
                said.accepted += 1;
                continue;
            }
            if matches!(now.record.end, RunEnd::TimedOut { .. }) {
                // `while (7)`, where a zero stood: none but the test itself is asked.
                return Ok(ValueTrial::Still);
            }
            self.shows |= shows_old(&now, &texts, value, false);
            let has_failed = now.record.tests.values().any(|word| *word == TestOutcome::Failed);
            if now.record.readable != Completeness::None && !has_failed {
                // It does not build.
                continue;
            }
            let then = self.run(AskedTree::Base, &texts)?;
            let [now, then] = [output(&now), output(&then)];
            let known = self.texts.iter().chain(&texts).map(|one| one.text.as_str());
            let known: Vec<&str> = known.chain(self.products.iter().map(String::as_str)).collect();
            let usual = [usual[0].as_str(), usual[1].as_str()];
            match said_of_value([&now, &then], usual, &known, [&value.word, &other]) {
                ValueDifference::Nothing => continue,
                ValueDifference::Same => said.told = Some([value.word.clone(), other]),
                ValueDifference::Known(lines) => said.known.push(lines),
                ValueDifference::New(words) => said.new.push((texts, words)),
            }
            said.outputs.push(now);
            // What one of them shows and not the other is no word of the runner's.
            let is_own = |word: &String| !said.outputs.iter().all(|output| says(output, word));
            if let Some((texts, words)) = said.new.iter().find(|(_, words)| words.iter().any(is_own)) {
                // A guess is no answer: that is not said twice.
                let again = output(&self.run(AskedTree::Candidate, texts)?);
                let is_again = words.iter().any(|word| says(&again, word));
                return Ok(if is_again { ValueTrial::New } else { ValueTrial::Moves });
            }
        }
        Ok(said.trial())
    }

    /// Are these names of the project's own, which stand somewhere in its sources or data?
    fn is_of_project(&self, stale: &[(TextWord, [String; 2])]) -> Result<bool> {
        let is_read = |path: &str| is_product(path) && self.texts.iter().all(|one| one.path != path);
        let texts = self.evidence.texts_in(is_read)?;
        Ok(stale.iter().any(|(value, _)| is_written(value, &texts)))
    }
}

/// Does a failing run show a value that stands nowhere any more, or, where nobody's word took its place, words of it beside the
/// lines of the tests? So the work gives it.
fn shows_old(ran: &Ran, texts: &[CheckText], value: &TextWord, is_nobodys: bool) -> bool {
    const BYTES_MIN: usize = 8;
    let shown = output(ran);
    let is_of_tests = |line: &&str| {
        let line = line.trim();
        let mut lines = texts.iter().flat_map(|one| one.text.lines().map(str::trim));
        lines.any(|source| source.len() > BYTES_MIN && (source.contains(line) || line.contains(source)))
    };
    let beside = || shown.lines().filter(|line| !is_of_tests(line)).collect::<Vec<_>>().join("\n");
    let mut words = value.word.split("\\n").flat_map(str::split_whitespace);
    let stands = texts.iter().any(|one| is_word_of(&value.word, [one.text.as_str()]));
    !ran.record.is_green()
        && (!stands && is_word_of(&value.word, [shown.as_str()])
            || is_nobodys && words.any(|word| is_word_of(word, [beside().as_str()])))
}

fn is_written(value: &TextWord, products: &[String]) -> bool {
    let products = || products.iter().map(String::as_str);
    if value.is_text() {
        products().any(|text| text.contains(&value.word))
    } else {
        is_word_of(&value.word, products())
    }
}

/// What a work says where a value is another, and another.
#[derive(Default)]
struct SaidOfOthers {
    told: Option<[String; 2]>,
    known: Vec<BTreeSet<String>>,
    new: Vec<(Vec<CheckText>, BTreeSet<String>)>,
    outputs: Vec<String>,
    accepted: usize,
    last: String,
    is_number: bool,
}

impl SaidOfOthers {
    fn trial(self) -> ValueTrial {
        let is_one = self.known.windows(2).all(|pair| pair[0] == pair[1]);
        match self.told {
            // Nobody knows whose word it is that is always there.
            _ if self.outputs.len() == 1 && !self.new.is_empty() => ValueTrial::Moves,
            _ if !self.new.is_empty() => ValueTrial::Still,
            None if self.outputs.is_empty() && self.accepted > 1 => ValueTrial::Accepted { other: self.last },
            // Numbers of which some are accepted are of classes.
            Some(_) if self.accepted > 0 && self.is_number => ValueTrial::Still,
            Some(told) if self.known.is_empty() => ValueTrial::Stale { told },
            None if self.known.is_empty() || (is_one && self.known.len() + self.accepted > 1) => {
                ValueTrial::Still
            }
            _ => ValueTrial::Moves,
        }
    }
}

impl TextsAsked<'_, '_> {
    /// A text may be a name that the test gives twice: once to set something, once to ask for that.
    fn is_key(&self, value: &TextWord) -> bool {
        value.is_text() && !self.is_nameless
    }

    /// With another value, wherever its file gives it.
    fn with_key(&self, value: &TextWord, other: &str) -> Vec<CheckText> {
        let one = &self.texts[value.text];
        let mut places = if self.is_key(value) { values_in_texts(slice::from_ref(one)) } else { Vec::new() };
        places.retain(|at| at.word == value.word && at.at != value.at && !is_answer(one, at));
        places.push(value.clone());
        places.sort_by_key(|at| Reverse(at.at.start));
        let mut texts = self.texts.clone();
        texts[value.text] = places.iter().fold(one.clone(), |text, place| text.with(&place.at, other));
        texts
    }

    /// The first value of each line before the second ones, and before others those that the base shows as it fails.
    fn in_turn(&self, values: Vec<TextWord>, shown: &str) -> Vec<TextWord> {
        let mut seen: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut ranked: Vec<(usize, TextWord)> = Vec::new();
        for value in values {
            let rank = seen.entry(self.line(&value)).or_default();
            ranked.push((*rank, value));
            *rank += 1;
        }
        ranked.sort_by_key(|(rank, value)| (*rank, !shown.contains(&value.word)));
        ranked.into_iter().map(|(_, value)| value).collect()
    }

    /// Are there enough of them, each in a line of its own, for a finding?
    fn may_tell(&self, values: &[TextWord]) -> bool {
        let lines = |is_text: bool| {
            let lines =
                values.iter().filter(|value| value.is_text() || !is_text).map(|value| self.line(value));
            lines.collect::<BTreeSet<_>>().len()
        };
        lines(true) >= TEXTS_MIN || lines(false) >= VALUES_MIN
    }

    fn line(&self, value: &TextWord) -> (usize, usize) {
        (value.text, self.texts[value.text].line_of(value))
    }
}
