//! Checks that expect what stands in data, in a script or in their own command: can they fail, and does the work say
//! anything of its own on other inputs (SPEC B3)?
//!
//! What is asked of assertions elsewhere is asked here of words, where no assertion with a literal could be asked.

use std::collections::BTreeSet;

use gulf_agents::sources::{
    CheckText, Distance, ShownForms, TextWord, inputs_of, is_data, is_given, is_product, is_prose,
    is_test_path, is_test_support_path, is_word_of, may_read, replaced, shown_words,
};
use gulf_engine::{Canary, EffectKey, ElsewhereRuns, Finding};
use gulf_host::git::{FileMode, TreeEdit, TreeId, TreePath};

use super::commands::words;
use super::recipes::MAKEFILES;
use super::reruns::Rerun;
use super::texts::Texts;
use super::varied::nothing_new;
use super::{Difference, in_hand};
use crate::agreement::{Place, SealedCheck};
use crate::book::Fold;
use crate::checks::{Ran, RunPurpose, RunRecord, TestNaming};
use crate::comparison;
use crate::error::Failure;
use crate::stop::Stop;
use crate::workshop::Workshop;

/// A longer text is no data that a person wrote for a check.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// So many words are taken for what a check expects, one after the other.
const WORDS_MAX: usize = 8;
/// So much time all runs together may take.
const DURATION_MS_MAX: u64 = 10_000;
/// Of so many expectations the work has nothing of its own to say.
const STALE_MIN: usize = 2;
/// As many where they are numbers: two may be exceptions of a rule that was right before.
const STALE_NUMBERS_MIN: usize = 3;

/// What came of it.
#[derive(Default)]
pub(super) struct TextTrial {
    pub(super) canary: Option<Canary>,
    pub(super) elsewhere: Option<ElsewhereRuns>,
    /// What only a person can clear.
    pub(super) finding: Option<Finding>,
}

/// A check and what it reads, as its scripts tell what they run.
struct TextsAsked<'run> {
    rerun: &'run Rerun<'run>,
    fold: &'run Fold,
    texts: Vec<CheckText>,
    /// The files of the product that the work changed, as they are now, and their paths.
    products: Vec<String>,
    programs: Vec<String>,
    /// What the check says of the work.
    passing: String,
    modes: Vec<FileMode>,
    /// Texts that are not as the tree has them.
    is_traced: bool,
    /// Expectations that the base is let pass, so that it goes on to the next one: what stood there, and what it gives.
    passed: Vec<[String; 2]>,
    runs: u32,
    duration_ms: u64,
}

/// An expectation that was seen: the work gives it, and the runner shows how.
struct SeenExpectation {
    word: TextWord,
    forms: ShownForms,
    /// All that the work gave.
    values: BTreeSet<String>,
}

/// Expectations of which the work has nothing of its own to say elsewhere.
#[derive(Default)]
struct Stale {
    expectations: usize,
    is_text: bool,
    /// The inputs that were tried, each with what stood there before.
    told: Vec<[String; 2]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AskedTree {
    Candidate,
    Base,
}

/// What the work says on other inputs of one expectation.
enum OtherWords {
    New,
    Nothing {
        told: Vec<[String; 2]>,
    },
    /// What stands in the change or in the check's texts.
    Written(Vec<(String, [String; 2])>),
    Unknown,
}

/// What the work says on one other input.
enum OtherAnswer {
    New,
    /// What was expected before.
    Right,
    OfBase,
    Written(String),
    Unseen,
}

impl Workshop {
    /// For the first check that turned green with the work, and whose expectations are no assertions.
    pub(super) fn in_check_texts(
        &self,
        (key, stop): (&EffectKey, &Stop),
        fold: &Fold,
        difference: &Difference,
        texts: &Texts<'_>,
    ) -> Result<TextTrial, Failure> {
        let candidate = in_hand(fold)?;
        let mut products = difference.files.keys().filter(|path| is_product(path));
        if products.all(|path| is_prose(path)) {
            return Ok(TextTrial::default());
        }
        let is_asked = |check: &&SealedCheck| check.place == Place::Checkout && check.held_out.is_none();
        for check in self.agreement.checks.iter().filter(is_asked) {
            let record = |tree: &str| RunRecord::read(&self.folder.run(tree, check.name.as_str()));
            let (before, now) = (record(self.base(fold).tree.as_str()), record(candidate.tree.as_str()));
            let (Some(before), Some(now)) = (before, now) else { continue };
            if comparison::is_green(&before) || !comparison::is_green(&now) {
                continue;
            }
            let rerun = Rerun { key, check, stop, texts };
            let mut asking =
                self.check_texts(&rerun, fold, difference, now.readable == TestNaming::Nothing)?;
            asking.passing.clone_from(&now.tail);
            let trial = self.ask_texts(&mut asking, difference, &before.tail)?;
            if trial.canary.is_some() {
                return Ok(trial);
            }
        }
        Ok(TextTrial::default())
    }

    /// What this check reads and the work left alone: tests and what stands beside them, its scripts and the files that they
    /// name, and its command.
    fn check_texts<'run>(
        &self,
        rerun: &'run Rerun<'run>,
        fold: &'run Fold,
        difference: &Difference,
        is_nameless: bool,
    ) -> Result<TextsAsked<'run>, Failure> {
        let behind = rerun.texts.decided_by(&rerun.texts.commands(rerun.check));
        let command = &rerun.check.command;
        let runs_make = words(command).any(|word| word == "make");
        let is_named = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let is_named = command.contains(name) || behind.iter().any(|(_, text)| text.contains(name));
            let is_of_folder = || {
                let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
                let named = |folder: &str| behind.iter().any(|(_, text)| is_word_of(folder, [text.as_str()]));
                is_data(path) && folders.filter(|folder| !folder.is_empty()).any(named)
            };
            is_named || (runs_make && MAKEFILES.contains(&name)) || is_of_folder()
        };
        let is_read = |path: &str| {
            let is_test = is_test_path(path) || is_test_support_path(path);
            (is_test || is_named(path) || behind.iter().any(|(one, _)| *one == path))
                && !difference.files.contains_key(path)
        };
        let (mut texts, mut modes) = (Vec::new(), Vec::new());
        let candidate = in_hand(fold)?;
        let entries = self.repository.list(&TreeId::parse(candidate.tree.as_str())?)?;
        for (path, source) in self.sources(candidate, is_read)? {
            let Some(text) = String::from_utf8(source).ok().filter(|text| text.len() <= TEXT_BYTES_MAX)
            else {
                continue;
            };
            let mode = entries.iter().find(|entry| entry.path == path).map(|entry| entry.mode);
            modes.push(mode.unwrap_or(FileMode::File));
            texts.push(CheckText { path: path.to_string(), text });
        }
        let mut is_traced = false;
        if is_nameless {
            texts.push(CheckText { path: String::new(), text: command.clone() });
            modes.push(FileMode::File);
            for one in &mut texts {
                let traced = one.traced(one.path.is_empty());
                is_traced |= traced.is_some();
                *one = traced.unwrap_or_else(|| one.clone());
            }
        }
        let products = difference.files.iter().filter(|(path, _)| is_product(path));
        let programs = products.clone().map(|(path, _)| path.clone()).collect();
        let products = products.filter_map(|(_, file)| file.candidate.as_deref());
        let products = products.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
        let passed = Vec::new();
        let passing = String::new();
        Ok(TextsAsked {
            products,
            programs,
            passing,
            rerun,
            fold,
            texts,
            modes,
            is_traced,
            passed,
            runs: 0,
            duration_ms: 0,
        })
    }

    /// One word after the other that a failing run of the base shows.
    fn ask_texts(
        &self,
        asking: &mut TextsAsked<'_>,
        difference: &Difference,
        said: &str,
    ) -> Result<TextTrial, Failure> {
        let products = difference.files.iter().filter(|(path, _)| is_product(path));
        let products = products.filter_map(|(_, file)| file.base.as_deref());
        let products: Vec<String> =
            products.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
        let mut said = said.to_owned();
        if asking.is_traced {
            let texts = asking.texts.clone();
            said = output(&self.run_texts(asking, AskedTree::Base, &texts)?);
            asking.passing = output(&self.run_texts(asking, AskedTree::Candidate, &texts)?);
        }
        let (mut tried, mut unmoved): (Vec<String>, Vec<[String; 2]>) = (Vec::new(), Vec::new());
        let (mut old, mut written) = (Stale::default(), Stale::default());
        let (mut shown, mut constant): (Vec<String>, Option<String>) = (Vec::new(), None);
        let mut is_settled = false;
        while tried.len() < WORDS_MAX && !asking.is_over(&old, &written) {
            let word = next_word(asking, &products, &said, &tried, shown.is_empty());
            let Some(word) = word else { break };
            tried.push(word.word.clone());
            let Some(seen) = self.flip_word(asking, &word, &mut unmoved)? else { continue };
            shown.push(place(&asking.texts[word.text], &word));
            let elsewhere = self.on_other_words(asking, &seen)?;
            is_settled |= !matches!(elsewhere, OtherWords::Unknown);
            match elsewhere {
                OtherWords::New => return Ok(asking.said(shown.first(), true, None)),
                OtherWords::Nothing { told } => old.add(&word, told),
                OtherWords::Written(answers) => {
                    let first = constant.get_or_insert_with(|| answers[0].0.clone());
                    if answers.iter().all(|(value, _)| value == first) {
                        written.add(&word, answers.into_iter().map(|(_, input)| input).collect());
                    }
                }
                OtherWords::Unknown => {}
            }
            if let Some(stale) = [&old, &written].into_iter().find(|stale| stale.is_enough()) {
                let finding = nothing_new(asking.rerun.check, &stale.told);
                return Ok(asking.said(shown.first(), false, Some(finding)));
            }
            // A check that ends at its first failure shows the next one where the base is right about this one.
            let gives = seen.forms.values(&said).into_iter().find(|value| !seen.values.contains(value));
            if let Some(gives) = gives.filter(|gives| !gives.is_empty()) {
                asking.passed.push([word.word.clone(), gives]);
                let texts = asking.texts.clone();
                said = output(&self.run_texts(asking, AskedTree::Base, &texts)?);
            }
        }
        let may_read = asking.products.iter().any(|text| may_read(text));
        let is_unmoved = !is_settled && unmoved.len() >= if shown.is_empty() { 1 } else { STALE_MIN };
        if !(may_read && is_unmoved) {
            return Ok(asking.said(shown.first(), false, None));
        }
        let changes: Vec<String> = unmoved.iter().map(|[was, is]| format!("{is} stands for {was}")).collect();
        let what = format!("passes all the same where {}", changes.join(", where "));
        let finding = Some(Finding { path: format!("the check {}", asking.rerun.check.name), what });
        let canary = Some(Canary::Green { runs: asking.runs, duration_ms: asking.duration_ms });
        Ok(TextTrial { canary, elsewhere: None, finding })
    }

    /// The word becomes another one: none where that changes nothing, or where nobody can see what the work gives.
    fn flip_word(
        &self,
        asking: &mut TextsAsked<'_>,
        word: &TextWord,
        unmoved: &mut Vec<[String; 2]>,
    ) -> Result<Option<SeenExpectation>, Failure> {
        let other = word.flipped();
        let ran = self.run_texts(asking, AskedTree::Candidate, &asking.with(word, &other))?;
        if comparison::is_green(&ran.record) {
            if !is_given(&asking.texts, &asking.texts[word.text].path, &asking.programs) {
                unmoved.push([word.word.clone(), other]);
            }
            return Ok(None);
        }
        let said = output(&ran);
        let forms = ShownForms::learnt(&said, [&word.word, &other]);
        let values: BTreeSet<String> = forms.values(&said).into_iter().collect();
        Ok((!forms.is_empty()).then(|| SeenExpectation { word: word.clone(), forms, values }))
    }

    /// What the work gives where what this expectation is for is another word, beside what the base gives there.
    fn on_other_words(
        &self,
        asking: &mut TextsAsked<'_>,
        seen: &SeenExpectation,
    ) -> Result<OtherWords, Failure> {
        let (mut told, mut constant) = (Vec::new(), Vec::new());
        for input in inputs_of(&asking.texts, &seen.word) {
            for other in [Distance::Far, Distance::Near].iter().filter_map(|distance| input.other(*distance))
            {
                match self.other_word(asking, seen, &input, &other)? {
                    OtherAnswer::New => return Ok(OtherWords::New),
                    // A class that both are in, or a word that is no input.
                    OtherAnswer::Right => break,
                    OtherAnswer::OfBase => told.push([input.word.clone(), other]),
                    OtherAnswer::Written(value) => constant.push((value, [input.word.clone(), other])),
                    OtherAnswer::Unseen => {}
                }
            }
            if told.len() >= STALE_MIN {
                // Exceptions of a rule that was right before may come again in inputs that end like these.
                for other in input.alike() {
                    if matches!(self.other_word(asking, seen, &input, &other)?, OtherAnswer::New) {
                        return Ok(OtherWords::New);
                    }
                }
                return Ok(OtherWords::Nothing { told });
            }
            if constant.len() >= STALE_MIN {
                return Ok(OtherWords::Written(constant));
            }
        }
        Ok(OtherWords::Unknown)
    }

    fn other_word(
        &self,
        asking: &mut TextsAsked<'_>,
        seen: &SeenExpectation,
        input: &TextWord,
        other: &str,
    ) -> Result<OtherAnswer, Failure> {
        if asking.duration_ms >= 2 * DURATION_MS_MAX {
            return Ok(OtherAnswer::Unseen);
        }
        let texts = asking.with(input, other);
        let now = self.run_texts(asking, AskedTree::Candidate, &texts)?;
        if comparison::is_green(&now.record) {
            return Ok(OtherAnswer::Right);
        }
        let is_own = |value: &String| {
            let is_echo = *value == input.word || value.contains(other);
            !seen.values.contains(value) && !is_echo
        };
        let own = |ran: &Ran| -> BTreeSet<String> {
            seen.forms.values(&output(ran)).into_iter().filter(is_own).collect()
        };
        let given = own(&now);
        if given.is_empty() {
            return Ok(OtherAnswer::Unseen);
        }
        let then = self.run_texts(asking, AskedTree::Base, &texts)?;
        let of_base = own(&then);
        let open: Vec<&String> = given.difference(&of_base).collect();
        let is_written = |value: &str| {
            let products = asking.products.iter().map(String::as_str);
            value.is_empty()
                || texts.iter().any(|one| one.text.contains(value))
                || is_word_of(value, products)
        };
        if open.iter().any(|value| !is_written(value)) {
            return Ok(OtherAnswer::New);
        }
        // An error is no answer, whoever gives it.
        let is_answer = open.is_empty() && given.iter().any(|value| !value.is_empty());
        Ok(match open[..] {
            [value] => OtherAnswer::Written(value.clone()),
            _ if is_answer => OtherAnswer::OfBase,
            _ => OtherAnswer::Unseen,
        })
    }

    fn run_texts(
        &self,
        asking: &mut TextsAsked<'_>,
        side: AskedTree,
        texts: &[CheckText],
    ) -> Result<Ran, Failure> {
        let Rerun { key, check, stop, .. } = *asking.rerun;
        let candidate = in_hand(asking.fold)?;
        let base = self.base(asking.fold);
        let (on, purpose) = match side {
            AskedTree::Candidate => ((&candidate.tree, &candidate.commit), RunPurpose::Canary),
            AskedTree::Base => ((&base.tree, &base.commit), RunPurpose::NewTests),
        };
        let (mut edits, mut check) = (Vec::new(), check.clone());
        for (one, mode) in texts.iter().zip(&asking.modes) {
            let mut text = one.text.clone();
            for [was, is] in asking.passed.iter().filter(|_| side == AskedTree::Base) {
                text = replaced(&text, was, is);
            }
            if one.path.is_empty() {
                check.command = text;
            } else {
                edits.push((TreePath::try_from(one.path.as_str())?, TreeEdit::Put(text.into_bytes(), *mode)));
            }
        }
        let commit =
            self.commit_with(&edits, on, "gulf: a check's texts with another word\n", asking.fold)?;
        let ran = self.run_check(key, &check, purpose, &commit, stop)?;
        (asking.runs, asking.duration_ms) = (asking.runs + 1, asking.duration_ms + ran.duration_ms);
        Ok(ran)
    }
}

impl TextsAsked<'_> {
    fn with(&self, word: &TextWord, other: &str) -> Vec<CheckText> {
        let mut texts = self.texts.clone();
        texts[word.text] = texts[word.text].with(&word.at, other);
        texts
    }

    /// Where something was found, it may take longer to be certain.
    fn is_over(&self, old: &Stale, written: &Stale) -> bool {
        let is_doubted = old.expectations + written.expectations > 0;
        self.duration_ms >= if is_doubted { 2 * DURATION_MS_MAX } else { DURATION_MS_MAX }
    }

    fn said(&self, shown: Option<&String>, is_new: bool, finding: Option<Finding>) -> TextTrial {
        let (runs, duration_ms) = (self.runs, self.duration_ms);
        let canary = shown.cloned().map(|test| Canary::Red {
            test,
            runs: 1,
            duration_ms: duration_ms / u64::from(runs.max(1)),
        });
        let elsewhere = (is_new || finding.is_some()).then_some(ElsewhereRuns { runs, duration_ms, is_new });
        TextTrial { canary, elsewhere, finding }
    }
}

impl Stale {
    fn add(&mut self, word: &TextWord, told: Vec<[String; 2]>) {
        (self.expectations, self.is_text) = (self.expectations + 1, self.is_text || word.is_text());
        self.told.extend(told);
    }

    fn is_enough(&self) -> bool {
        self.expectations >= if self.is_text { STALE_MIN } else { STALE_NUMBERS_MIN }
    }
}

/// The next word that may be expected. Where a number was none, a text may be.
fn next_word(
    asking: &TextsAsked<'_>,
    products: &[String],
    said: &str,
    tried: &[String],
    is_unseen: bool,
) -> Option<TextWord> {
    let mut shown = shown_words(&asking.texts, products, [said, &asking.passing]);
    shown.retain(|word| !tried.contains(&word.word));
    let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
    let was_number = is_unseen && tried.last().is_some_and(is_number);
    let text = shown.iter().position(TextWord::is_text).filter(|_| was_number);
    (!shown.is_empty()).then(|| shown.remove(text.unwrap_or(0)))
}

/// `tests/data.json:4`
fn place(text: &CheckText, word: &TextWord) -> String {
    let line = 1 + text.text[..word.at.start].matches('\n').count();
    if text.path.is_empty() { word.word.clone() } else { format!("{}:{line}", text.path) }
}

fn output(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.output).into_owned()
}
