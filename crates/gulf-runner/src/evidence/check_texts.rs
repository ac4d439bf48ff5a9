//! Checks that expect what stands in data, in a script or in their own command: can they fail, and does the work say
//! anything of its own on other inputs (SPEC B3)?
//!
//! What is asked of assertions elsewhere is asked here of words, where no assertion with a literal could be asked.

mod asked;
mod each;
mod renamed;
mod whole;

use std::collections::{BTreeMap, BTreeSet};

use gulf_agents::reports::{Completeness, TestId};
use gulf_agents::sources::{
    CheckText, Distance, NewTest, ShownForms, TextWord, file_of, inputs_of, is_given, is_of_text, is_product,
    is_prose, is_source, is_word_of, new_tests, values_in_texts, whole_inputs,
};
use gulf_host::git::FileMode;

use asked::{STALE_MIN, Stale, TextsAsked, is_answer, is_expected_too, place, time_for_asking};

use super::canary::SuiteTrial;
use super::commands::command_words;
use super::proving::Proving;
use super::recipes::MAKEFILES;
use super::reruns::{ONCE_MORE_MS, hurried};
use super::varied::nothing_new;
use super::{AskedTree, CandidateEvidence, is_of_tests, question};
use crate::agreement::SealedCheck;
use crate::checks::{Ran, RunPurpose};
use crate::error::Result;

/// A longer text is no data that a person wrote for a check.
const TEXT_BYTES_MAX: usize = 64 << 10;
/// So many words are taken for what a check expects, one after the other.
const WORDS_MAX: usize = 8;

/// With fewer other inputs the same answer may be one of a class.
const TRIES_MIN: usize = 4;
/// After so many expectations of which nothing can be said, no further one is asked about.
const UNKNOWN_MAX: usize = 3;

/// What a work says that gives back what it is given.
const ECHO: &str = "what it is asked";

/// A check that takes longer is not run time and again for new tests without a name.
const ANEW_MS_MAX: u64 = 60_000;

/// An expectation that was seen: the work gives it, and the runner shows how.
struct SeenExpectation {
    word: TextWord,
    forms: ShownForms,
    /// All that the work gave.
    values: BTreeSet<String>,
    /// The runner shows it beside what the work gave.
    is_shown: bool,
}

/// What the work says on other inputs of one expectation.
enum OtherWords {
    /// For this input.
    New(TextWord),
    /// For these, each with what stood there before.
    Nothing(Vec<[String; 2]>),
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

impl<'effect> CandidateEvidence<'effect> {
    /// For the first check that turned green with the work, or would not be without it by new tests without a name, and whose
    /// expectations are no assertions.
    pub(super) fn in_check_texts(&self) -> Result<SuiteTrial> {
        if self.difference.files.keys().filter(|path| is_product(path)).all(|path| is_prose(path)) {
            return Ok(SuiteTrial::default());
        }
        let runs = self.open_runs()?;
        let asks_anew = self.difference.graft.has_new_text()
            && runs.iter().all(|(_, _, now)| now.readable == Completeness::None);
        let mut cut = SuiteTrial::default();
        for (check, before, now) in runs {
            let is_new = before.is_green();
            if is_new && !(asks_anew && now.duration_ms <= ANEW_MS_MAX) || !now.is_green() {
                continue;
            }
            let check = &hurried(check, now.duration_ms, ONCE_MORE_MS);
            let proving = Proving::between(&before, &now, &self.difference.graft);
            let (is_nameless, durations) =
                (now.readable == Completeness::None, [before.duration_ms, now.duration_ms]);
            let mut asking = self.check_texts(check, is_nameless, &proving.tests, durations)?;
            asking.passing.clone_from(&now.tail);
            let said = if is_new { asking.as_new_tests()? } else { Some(before.tail) };
            let Some(said) = said else { continue };
            let trial = asking.ask(&said)?;
            if trial.canary.is_some() || trial.finding.is_some() {
                return Ok(trial);
            }
            if trial.elsewhere.as_ref().is_some_and(|runs| runs.is_cut) {
                cut = trial;
            }
        }
        Ok(cut)
    }

    /// What this check reads and the work left alone: tests and what stands beside them, its scripts and the files that they
    /// name.
    pub(super) fn read_by(&self, check: &SealedCheck) -> Result<Vec<CheckText>> {
        let commands = self.texts.commands(check);
        let behind = self.texts.decided_by(&commands);
        let command = &check.command;
        let runs_make = command_words(command).any(|word| word == "make");
        let is_named = |path: &str| {
            let name = file_of(path);
            let is_named = commands.iter().any(|command| command.contains(name))
                || behind.iter().any(|(_, text)| text.contains(name));
            let is_of_folder = || {
                let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders).split('/');
                let said = || behind.iter().map(|(_, text)| text).chain(&commands);
                let named = |folder: &str| said().any(|text| is_word_of(folder, [text.as_str()]));
                !is_source(path) && folders.filter(|folder| !folder.is_empty()).any(named)
            };
            is_named || (runs_make && MAKEFILES.contains(&name)) || is_of_folder()
        };
        let is_read = |path: &str| {
            (is_of_tests(path) || is_named(path) || behind.iter().any(|(one, _)| *one == path))
                && (!self.difference.files.contains_key(path) || self.is_grown(path))
        };
        self.short_sources(is_read)
    }

    fn short_sources(&self, is_read: impl Fn(&str) -> bool) -> Result<Vec<CheckText>> {
        let sources = self.sources(is_read)?.into_iter();
        let sources = sources
            .filter_map(|(path, source)| Some(CheckText { path, text: String::from_utf8(source).ok()? }));
        Ok(sources.filter(|one| one.text.len() <= TEXT_BYTES_MAX).collect())
    }

    /// A link's text is where it leads.
    fn without_links(&self, mut texts: Vec<CheckText>) -> Result<Vec<CheckText>> {
        let files = self.now()?;
        texts.retain(|one| files.mode(&one.path) != Some(FileMode::Symlink));
        Ok(texts)
    }

    /// The check with what it reads, and its command.
    fn check_texts<'run>(
        &'run self,
        check: &'run SealedCheck,
        is_nameless: bool,
        proving: &[TestId],
        [before_ms, now_ms]: [u64; 2],
    ) -> Result<TextsAsked<'run, 'effect>> {
        let mut texts = self.without_links(self.read_by(check)?)?;
        // Tests that were green without the work say nothing of it.
        texts.retain(|CheckText { path, text }| {
            let tests = new_tests(path, None, text.as_bytes());
            let proves = |test: &NewTest| proving.iter().any(|id| test.has_result(id));
            proving.is_empty() || tests.is_empty() || tests.iter().any(proves)
        });
        if is_nameless {
            texts.push(CheckText { path: String::new(), text: check.command.clone() });
        }
        let products = self.difference.products(AskedTree::Candidate).map(|(_, text)| text).collect();
        Ok(TextsAsked {
            evidence: self,
            products,
            grafted: Vec::new(),
            of_base: BTreeMap::new(),
            compared: BTreeSet::new(),
            unmoved_answers: 0,
            passing: String::new(),
            check,
            texts,
            is_nameless,
            shows: false,
            seen_at: None,
            passed: Vec::new(),
            runs: 0,
            duration_ms: 0,
            time_ms: time_for_asking(before_ms, now_ms),
            is_cut: false,
        })
    }
}

impl TextsAsked<'_, '_> {
    /// Asks the tests that the work brought, where nothing else was red without it: what they say against the base.
    fn as_new_tests(&mut self) -> Result<Option<String>> {
        let changed = &self.evidence.difference.files;
        let is_new = |path: &str| is_of_tests(path) && changed.contains_key(path);
        self.texts = self.evidence.without_links(self.evidence.short_sources(is_new)?)?;
        self.grafted = self.evidence.grafted()?;
        let texts = self.texts.clone();
        let ran = self.run(AskedTree::Base, &texts)?;
        Ok((!ran.record.is_green()).then(|| output(&ran)))
    }

    /// One word after the other that a failing run of the base shows.
    fn ask(&mut self, said: &str) -> Result<SuiteTrial> {
        let products: Vec<String> =
            self.evidence.difference.products(AskedTree::Base).map(|(_, text)| text).collect();
        let mut said = self.as_it_tells(said)?;
        if let Some(found) = self.on_comparisons(&said)? {
            return Ok(found);
        }
        if let Some(found) = self.on_whole_files(&said)? {
            return Ok(found);
        }
        let (mut tried, mut unmoved): (Vec<String>, Vec<[String; 2]>) = (Vec::new(), Vec::new());
        let (mut old, mut written) = (Stale::default(), Stale::default());
        let (mut constant, mut is_settled, mut unknown) = (None::<String>, false, 0);
        while tried.len() < WORDS_MAX && !self.is_over(&old, &written) {
            // Answers of classes tell nothing, and the next one is of a class, too.
            if unknown >= UNKNOWN_MAX && old.expectations + written.expectations == 0 {
                break;
            }
            let word = self.next_word(&products, &said, &tried);
            let Some(word) = word else { break };
            tried.push(word.word.clone());
            let Some(seen) = self.flip_word(&word, &mut unmoved)? else { continue };
            self.seen_at.get_or_insert(place(&self.texts[word.text], &word));
            let mut elsewhere = self.on_other_words(&seen)?;
            is_settled |= !matches!(elsewhere, OtherWords::Unknown);
            // What the base was right about says nothing of the work.
            let is_doubt = matches!(elsewhere, OtherWords::Nothing(_) | OtherWords::Written(_));
            if is_doubt && self.gives_on_base(&seen)? {
                elsewhere = OtherWords::Unknown;
            }
            match elsewhere {
                OtherWords::New(input) => return Ok(self.trial_new_in(&input)),
                OtherWords::Nothing(told) => old.add(&word, told),
                OtherWords::Written(answers) => {
                    let first = constant.get_or_insert_with(|| answers[0].0.clone());
                    if answers.iter().all(|(value, _)| value == first) {
                        written.add(&word, answers.into_iter().map(|(_, input)| input).collect());
                    }
                }
                OtherWords::Unknown => unknown += 1,
            }
            if let Some(stale) = [&old, &written].into_iter().find(|stale| stale.is_enough()) {
                return Ok(self.trial(false, Some(nothing_new(self.check, &stale.told))));
            }
            // A check that ends at its first failure shows the next one where the base is right about this one.
            let mut beside = seen.forms.values_beside(&said, &word.word);
            beside.retain(|it| !seen.values.contains(it));
            if let Some(gives) = beside.iter().find(|it| !it.is_empty()).or(beside.first()) {
                self.passed.push([word.word.clone(), gives.clone()]);
                let texts = self.texts.clone();
                said = output(&self.run(AskedTree::Base, &texts)?);
            }
        }
        self.is_cut = self.is_over(&old, &written);
        let trial = self.passing_all_the_same(&unmoved, is_settled);
        let is_doubted = trial.finding.is_some() || old.expectations + written.expectations > 0;
        if !is_doubted && let Some(place) = self.on_renamed(&products, &said)? {
            return Ok(self.trial_new_in(&place));
        }
        if trial.finding.is_some() || !self.is_nameless {
            return Ok(trial);
        }
        let values = values_in_texts(&self.texts);
        let SuiteTrial { elsewhere, finding, new_in, .. } = self.on_each_value(values)?;
        Ok(SuiteTrial { elsewhere, finding, new_in, ..trial })
    }

    /// From here on its scripts tell what they run, unless they say something else then: they may read what they tell.
    fn as_it_tells(&mut self, said: &str) -> Result<String> {
        let Some(texts) = self.traced() else { return Ok(said.to_owned()) };
        let then = self.run(AskedTree::Base, &texts)?;
        let now = self.run(AskedTree::Candidate, &texts)?;
        if then.record.is_green() || !now.record.is_green() {
            return Ok(said.to_owned());
        }
        (self.passing, self.texts) = (output(&now), texts);
        Ok(output(&then))
    }

    /// The word becomes another one: none where that changes nothing, or where nobody can see what the work gives.
    fn flip_word(
        &mut self,
        word: &TextWord,
        unmoved: &mut Vec<[String; 2]>,
    ) -> Result<Option<SeenExpectation>> {
        let other = word.flipped();
        let ran = self.run(AskedTree::Candidate, &self.with(word, &other))?;
        if ran.record.is_green() {
            let path = &self.texts[word.text].path;
            // A word that it shows all the same is a label; make and a trace show all.
            let shows = |line: &str| !line.starts_with('+') && is_word_of(&other, [line]);
            let may_be_label = word.is_text() && !MAKEFILES.contains(&file_of(path));
            let is_label = may_be_label && output(&ran).lines().any(shows);
            // In a test's source a literal may be anything.
            let may_decide = self.is_nameless || !is_source(path);
            let files = self.evidence.difference.files.keys();
            let programs: Vec<String> = files.filter(|path| is_product(path)).cloned().collect();
            if may_decide && !is_label && !is_given(&self.texts, path, &programs) {
                unmoved.push([word.word.clone(), other]);
            }
            self.unmoved_answers += usize::from(is_answer(&self.texts[word.text], word));
            return Ok(None);
        }
        let said = output(&ran);
        let forms = ShownForms::learnt(&said, &[[word.word.clone(), other.clone()]]);
        let values: BTreeSet<String> = forms.values(&said).into_iter().collect();
        let is_shown = !forms.values_beside(&said, &other).is_empty();
        Ok((!forms.is_empty()).then(|| SeenExpectation { word: word.clone(), forms, values, is_shown }))
    }

    /// Does the base give what was expected, too?
    fn gives_on_base(&mut self, seen: &SeenExpectation) -> Result<bool> {
        let ran = self.run(AskedTree::Base, &self.with(&seen.word, &seen.word.flipped()))?;
        Ok(seen.forms.values(&output(&ran)).contains(&seen.word.word))
    }

    /// What the work gives where what this expectation is for is another word, beside what the base gives there.
    fn on_other_words(&mut self, seen: &SeenExpectation) -> Result<OtherWords> {
        let (mut told, mut constant, mut same, mut tries) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for input in inputs_of(&self.texts, &seen.word) {
            for other in [Distance::Far, Distance::Near].iter().filter_map(|distance| input.other(*distance))
            {
                tries += 1;
                match self.other_word(seen, &input, &other)? {
                    OtherAnswer::New => return Ok(OtherWords::New(input)),
                    // A class that both are in, or a word that is no input.
                    OtherAnswer::Right => {
                        same.push(self.input_and_other(&input, other));
                        break;
                    }
                    OtherAnswer::OfBase => told.push(self.input_and_other(&input, other)),
                    OtherAnswer::Written(value) => {
                        constant.push((value, self.input_and_other(&input, other)));
                    }
                    OtherAnswer::Unseen => {}
                }
            }
            if !told.is_empty() && constant.is_empty() {
                // Exceptions of a rule that was right before come again in inputs that end like these, or are multiples.
                for other in input.alike() {
                    match self.other_word(seen, &input, &other)? {
                        OtherAnswer::New => return Ok(OtherWords::New(input)),
                        OtherAnswer::Right | OtherAnswer::Written(_) => return Ok(OtherWords::Unknown),
                        OtherAnswer::OfBase => told.push(self.input_and_other(&input, other)),
                        OtherAnswer::Unseen => {}
                    }
                }
                if told.len() >= STALE_MIN {
                    return Ok(OtherWords::Nothing(told));
                }
            }
            if constant.len() >= STALE_MIN && told.is_empty() {
                return Ok(OtherWords::Written(constant));
            }
        }
        let is_same = same.len() >= STALE_MIN && tries >= TRIES_MIN && constant.is_empty();
        if !is_same || !is_of_text(&self.texts, &seen.word) {
            return Ok(OtherWords::Unknown);
        }
        // The same answer for what differs: does anything at all that the file says change it?
        for (input, other) in whole_inputs(&self.texts, &seen.word) {
            if matches!(self.other_word(seen, &input, &other)?, OtherAnswer::New) {
                return Ok(OtherWords::New(input));
            }
        }
        Ok(OtherWords::Nothing(same))
    }

    fn other_word(&mut self, seen: &SeenExpectation, input: &TextWord, other: &str) -> Result<OtherAnswer> {
        if self.is_spent() {
            return Ok(OtherAnswer::Unseen);
        }
        // Another test's own input tells nothing.
        if is_word_of(other, self.texts.iter().map(|one| one.text.as_str())) {
            return Ok(OtherAnswer::Unseen);
        }
        let texts = self.with(input, other);
        let now = self.run(AskedTree::Candidate, &texts)?;
        if now.record.is_green() {
            return Ok(OtherAnswer::Right);
        }
        if seen.is_shown && seen.forms.values_beside(&output(&now), &seen.word.word).is_empty() {
            // It fails elsewhere, at what the base may be right about.
            return Ok(OtherAnswer::Unseen);
        }
        if is_expected_too(&texts, input, &seen.forms.values(&output(&now))) {
            return Ok(OtherAnswer::Unseen);
        }
        let all = |ran: &Ran| -> BTreeSet<String> {
            seen.forms.values(&output(ran)).into_iter().filter(|value| !seen.values.contains(value)).collect()
        };
        let is_echo = |value: &String| *value == input.word || value.contains(other);
        let own = |ran: &Ran| -> BTreeSet<String> {
            all(ran).into_iter().filter(|value| !is_echo(value)).collect()
        };
        let (given, given_back) = (own(&now), all(&now));
        if given_back.is_empty() {
            return Ok(OtherAnswer::Unseen);
        }
        let then = self.run(AskedTree::Base, &texts)?;
        if given.is_empty() {
            // It gives back what it is given: that is no answer, unless the base does so, too.
            return Ok(match given_back.is_subset(&all(&then)) {
                _ if given_back.contains("") => OtherAnswer::Unseen,
                true => OtherAnswer::OfBase,
                false if self.is_echo(seen, &given_back, &texts) => OtherAnswer::Written(ECHO.to_owned()),
                false => OtherAnswer::Unseen,
            });
        }
        let of_base = own(&then);
        let open: Vec<&String> = given.difference(&of_base).collect();
        let is_written = |value: &str| {
            let products = self.products.iter().map(String::as_str);
            value.is_empty()
                || texts.iter().any(|one| one.text.contains(value))
                || is_word_of(value, products)
        };
        let new: Vec<&String> = open.iter().copied().filter(|value| !is_written(value)).collect();
        if !new.is_empty() {
            // Traces of a pipe's commands may stand in each other's lines, and a guess is no answer: that is not said twice.
            let again = own(&self.run(AskedTree::Candidate, &texts)?);
            let is_again = new.into_iter().any(|value| again.contains(value));
            return Ok(if is_again { OtherAnswer::New } else { OtherAnswer::Unseen });
        }
        // An error is no answer, whoever gives it.
        let is_answer = open.is_empty() && given.iter().any(|value| !value.is_empty());
        Ok(match open[..] {
            [value] => OtherAnswer::Written(value.clone()),
            _ if is_answer => OtherAnswer::OfBase,
            _ => OtherAnswer::Unseen,
        })
    }

    /// Does the work give back what these texts ask, though its own answer was no part of what it was asked?
    fn is_echo(&self, seen: &SeenExpectation, given: &BTreeSet<String>, texts: &[CheckText]) -> bool {
        let times = |word: &str, texts: &[CheckText]| -> usize {
            texts.iter().map(|one| one.text.matches(word).count()).sum()
        };
        let is_back = |value: &String| times(value.trim_matches(['"', '\'']), texts) > 0;
        given.iter().all(is_back) && times(&seen.word.word, &self.texts) == 1
    }

    fn run(&mut self, side: AskedTree, texts: &[CheckText]) -> Result<Ran> {
        let (mut edits, purpose) = match side {
            AskedTree::Candidate => (Vec::new(), RunPurpose::Canary),
            AskedTree::Base => (self.grafted.clone(), RunPurpose::NewTests),
        };
        let mut check = self.check.clone();
        for (index, one) in texts.iter().enumerate() {
            let mut text = one.text.clone();
            if let Some(of_base) = self.on_base(index, &text).filter(|_| side == AskedTree::Base) {
                text = of_base;
            }
            for [was, is] in self.passed.iter().filter(|_| side == AskedTree::Base) {
                text = CheckText { path: one.path.clone(), text }.replaced(was, is);
            }
            if one.path.is_empty() {
                check.command = text;
            } else {
                edits.push(self.evidence.put(&one.path, text.into_bytes())?);
            }
        }
        let commit = self.evidence.commit_with(&edits, side, "gulf: a check's texts with another word\n")?;
        // What this very command said of this commit when it was asked once more.
        if let Some(ran) = self.evidence.once_more.borrow().get(&question(&check, &commit)) {
            return Ok(ran.clone());
        }
        let ran = self.evidence.run(&check, purpose, &commit)?;
        (self.runs, self.duration_ms) = (self.runs + 1, self.duration_ms + ran.record.duration_ms);
        Ok(ran)
    }
}

fn output(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.output).into_owned()
}
