//! What the work does on other inputs than its tests' own (SPEC B3).
//!
//! Nobody knows what is right there. A product that has its answers built in, in whatever form, does there what the
//! base did, or says nothing that is not written down already; one that does the work says something new.

use std::collections::BTreeSet;

use gulf_agents::reports::{Completeness, TestId, TestOutcome};
use gulf_agents::sources::{
    Distance, ShownForms, VariedTest, file_of, is_product, is_test_path, is_word_of, values_in, varied,
    with_tests,
};
use gulf_engine::{ElsewhereRuns, Finding};
use gulf_host::git::{TreeEdit, TreePath};

use super::canary::SuiteTrial;
use super::proving::Proving;
use super::{AskedTree, CandidateEvidence, Difference, finding_of};
use crate::agreement::SealedCheck;
use crate::checks::{Ran, RunPurpose};
use crate::error::Result;

/// Two answers may be all that a change is about.
const ANSWERS_MIN: usize = 2;
/// Of numbers, and of texts that stand in the change.
const NUMBERS_MIN: usize = 3;
/// More tests than this say no more.
const TESTS_MAX: usize = 12;
/// Inputs that a finding names.
const TOLD_MAX: usize = 3;

/// The suite whose form of showing values is known.
pub(super) struct ReadableSuite {
    /// Waited for briefly: without the work it may hang.
    pub(super) check: SealedCheck,
    pub(super) forms: ShownForms,
    /// Its tests have tables.
    pub(super) has_rows: bool,
    /// So long one run of it took.
    pub(super) run_ms: u64,
}

/// The tests that prove the work, with other inputs.
#[derive(Default)]
struct OtherInputs {
    /// Of some classes they may all be: what passes there tells nothing before others are tried.
    is_near: bool,
    edits: Vec<(TreePath, TreeEdit)>,
    /// The same on the base, whose product stays where tests stand beside it.
    on_base: Vec<(TreePath, TreeEdit)>,
    tests: Vec<VariedTest>,
    /// The sources of the tests.
    texts: Vec<String>,
}

/// What one product did when it was asked.
#[derive(Default)]
struct SaidElsewhere {
    passed: BTreeSet<String>,
    failed: usize,
    /// Those of a test with rows count one by one.
    results: usize,
    values: Vec<String>,
    /// Where it failed otherwise.
    errors: BTreeSet<String>,
}

impl CandidateEvidence<'_> {
    /// Whether the work says anything of its own on other inputs; none where that cannot be asked.
    pub(super) fn elsewhere(&self, readable: &ReadableSuite) -> Result<SuiteTrial> {
        let Some((before, now)) = self.both_runs(&readable.check)? else { return Ok(SuiteTrial::default()) };
        let mut proving = Proving::between(&before, &now, &self.difference.graft);
        proving.tests.truncate(TESTS_MAX);
        let mut cost = ElsewhereRuns { runs: 0, duration_ms: 0, is_new: false, is_cut: false };
        let mut tests = Vec::new();
        for distance in [Distance::Near, Distance::Far] {
            let asked = self.asked_elsewhere(&proving, &before.tail, distance)?;
            if asked.answers() < ANSWERS_MIN || !asked.has_own_answers() {
                return Ok(SuiteTrial::default());
            }
            match self.says_anything_new(readable, &asked, &mut cost)? {
                None => return Ok(SuiteTrial::default()),
                Some(true) => {
                    let elsewhere = Some(ElsewhereRuns { is_new: true, ..cost });
                    return Ok(SuiteTrial { elsewhere, ..SuiteTrial::default() });
                }
                Some(false) => tests.extend(asked.tests),
            }
        }
        // Of a name of the project's own nobody knows another.
        let sources = self.texts_in(|path| is_product(path) && !self.difference.files.contains_key(path))?;
        let is_name = |word: &str| !word.starts_with(char::is_numeric);
        let named = |word: &str| is_name(word) && is_word_of(word, sources.iter().map(String::as_str));
        let told = |VariedTest { test, inputs, .. }: VariedTest| {
            let inputs = inputs.into_iter().filter(|[was, _]| !named(was.trim_matches(['"', '\'', '`'])));
            inputs.map(move |[was, is]| [format!("{was} in {}:{}", test.path, test.lines.first), is])
        };
        let told: Vec<[String; 2]> = tests.into_iter().flat_map(told).collect();
        let finding = (told.len() >= ANSWERS_MIN).then(|| nothing_new(&readable.check, &told));
        Ok(SuiteTrial { elsewhere: finding.is_some().then_some(cost), finding, ..SuiteTrial::default() })
    }

    fn asked_elsewhere(&self, proving: &Proving, output: &str, distance: Distance) -> Result<OtherInputs> {
        let mut asked = OtherInputs { is_near: distance == Distance::Near, ..OtherInputs::default() };
        let products = |of| self.difference.products(of).collect::<Vec<_>>();
        let (base, products) = (products(AskedTree::Base), products(AskedTree::Candidate));
        let files = self.sources(|path: &str| is_test_path(path) || path.ends_with(".rs"))?;
        for (path, source) in files {
            let failed = lines_named(output, &path);
            let asked_before = proving.known(&path, &self.difference.files);
            let tests = (&proving.tests[..], &asked_before[..]);
            let varied = varied(&path, &source, tests, &failed, distance, [&base, &products]);
            let Some(varied) = varied else { continue };
            asked.texts.push(String::from_utf8_lossy(&varied.bytes).into_owned());
            asked.tests.extend(varied.tests);
            let base = self.difference.files.get(&path).map_or(Some(&source), |file| file.base.as_ref());
            if let Some(on_base) = with_tests(&path, base.map(Vec::as_slice), &varied.bytes) {
                asked.on_base.push(self.put(&path, on_base)?);
            }
            asked.edits.push(self.put(&path, varied.bytes)?);
        }
        Ok(asked)
    }

    /// None where what came cannot be read.
    fn says_anything_new(
        &self,
        readable: &ReadableSuite,
        asked: &OtherInputs,
        cost: &mut ElsewhereRuns,
    ) -> Result<Option<bool>> {
        let written = written(&self.difference, asked);
        // So few numbers may be exceptions of a rule that was right before.
        if written.is_none() && asked.answers() < NUMBERS_MIN {
            return Ok(None);
        }
        let mut said = |on| self.said_elsewhere(readable, (asked, on), cost);
        let Some(now) = said(AskedTree::Candidate)? else { return Ok(None) };
        let is_known = |value: &&String| {
            written.as_ref().is_some_and(|texts| texts.iter().any(|text| text.contains(*value)))
        };
        let open: BTreeSet<&String> = now.values.iter().filter(|value| !is_known(value)).collect();
        let is_told = asked.is_near || asked.answers_without(&now.passed) >= ANSWERS_MIN;
        let is_unseen = now.values.is_empty() && !now.errors.is_empty();
        // `failing(3)` of a test is no answer of the work.
        if is_unseen && asked.raises_itself() {
            return Ok(None);
        }
        // What fails without a value, or passes all the same, tells something only of texts, or where the base fails so, too.
        if written.is_none() && (!now.passed.is_empty() || now.values.len() < now.failed) {
            let may_be_old = now.passed.is_empty() && is_unseen;
            if !may_be_old || !is_told || !has_open_numbers(&self.difference, asked) {
                return Ok(None);
            }
            let then = said(AskedTree::Base)?;
            let is_old = |then: SaidElsewhere| then.values.is_empty() && now.errors.is_subset(&then.errors);
            return Ok(then.is_some_and(is_old).then_some(false));
        }
        // One value for each of them is what is said where nothing is known: these tests expect each its own.
        let times = now.values.iter().filter(|value| open.contains(value)).count();
        let shown: BTreeSet<&String> = now.values.iter().collect();
        let is_each = now.results >= NUMBERS_MIN
            || (readable.forms.lines_each == 1 && times >= asked.answers().max(NUMBERS_MIN));
        let is_one = open.len() == 1 && shown.len() == 1 && is_each && now.passed.is_empty();
        if open.is_empty() || is_one {
            return Ok(is_told.then_some(false));
        }
        let of_base = said(AskedTree::Base)?.map(|then| then.values).unwrap_or_default();
        let new: Vec<&String> = open.into_iter().filter(|value| !of_base.contains(value)).collect();
        if new.is_empty() {
            return Ok(is_told.then_some(false));
        }
        // What other inputs of these tests get is of a class, or a value that is written down.
        let expected = asked.tests.iter().flat_map(|test| &test.expected);
        let expected: BTreeSet<&str> = expected.map(|value| value.trim_matches(['"', '\'', '`'])).collect();
        if new.iter().all(|value| expected.contains(value.as_str())) {
            return Ok(None);
        }
        // A guess is no answer: that is not said twice.
        let again = said(AskedTree::Candidate)?;
        Ok(again.map(|again| new.iter().any(|value| again.values.contains(value))))
    }

    /// The tests alone where the runner can be told, the whole check where it is short.
    fn said_elsewhere(
        &self,
        readable: &ReadableSuite,
        (asked, on): (&OtherInputs, AskedTree),
        cost: &mut ElsewhereRuns,
    ) -> Result<Option<SaidElsewhere>> {
        const RUN_MS_MAX: u64 = 10_000;
        let names: Vec<String> = asked.tests.iter().map(|varied| varied.test.name.clone()).collect();
        let few = self.selected(&readable.check, &names);
        if few.is_none() && readable.run_ms > RUN_MS_MAX {
            return Ok(None);
        }
        let (edits, purpose) = match on {
            AskedTree::Candidate => (&asked.edits, RunPurpose::Canary),
            AskedTree::Base => (&asked.on_base, RunPurpose::NewTests),
        };
        let commit = self.commit_with(edits, on, "gulf: tests with other inputs\n")?;
        let ran = self.run(few.as_ref().unwrap_or(&readable.check), purpose, &commit)?;
        (cost.runs, cost.duration_ms) = (cost.runs + 1, cost.duration_ms + ran.record.duration_ms);
        Ok(read_answers(&ran, asked, &readable.forms))
    }
}

/// The work fits its tests alone: on these inputs, each with what stood there before and where, it has nothing of its own to
/// say.
pub(super) fn nothing_new(check: &SealedCheck, told: &[[String; 2]]) -> Finding {
    let mut inputs: Vec<String> = told.iter().map(|[was, is]| format!("{is} for {was}")).collect();
    inputs.dedup();
    inputs.truncate(TOLD_MAX);
    let inputs = inputs.join(", ");
    let what = format!(
        "what the change does fits its tests' own inputs only: given others ({inputs}), it does what the base did or says \
         nothing that is not written down already"
    );
    finding_of(check, what)
}

impl OtherInputs {
    fn answers(&self) -> usize {
        self.answers_without(&BTreeSet::new())
    }

    /// Do its tests raise errors of their own?
    fn raises_itself(&self) -> bool {
        const RAISING: [&str; 4] = ["throw ", "raise ", "reject(", "panic"];
        self.texts.iter().any(|text| RAISING.iter().any(|word| text.contains(word)))
    }

    fn answers_without(&self, passed: &BTreeSet<String>) -> usize {
        self.tests.iter().filter(|test| !passed.contains(&test.test.name)).map(|test| test.inputs.len()).sum()
    }

    /// Each input has an answer of its own; else they are classes, of which the next input is often in the same.
    fn has_own_answers(&self) -> bool {
        let expected = || self.tests.iter().flat_map(|test| &test.expected);
        expected().collect::<BTreeSet<_>>().len() == expected().count()
    }
}

/// The lines of a file that an output names, as runners do: `tests/test_a.py:12`.
fn lines_named(output: &str, path: &str) -> Vec<usize> {
    let name = format!("{}:", file_of(path));
    let line = |(at, _): (usize, &str)| {
        let rest = &output[at + name.len()..];
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    output.match_indices(&name).filter_map(line).collect()
}

/// None where a test was not seen: it may not build with such an input.
fn read_answers(ran: &Ran, asked: &OtherInputs, forms: &ShownForms) -> Option<SaidElsewhere> {
    let (mut said, record) = (SaidElsewhere::default(), &ran.record);
    // What it does not name has passed, then.
    let names_failures =
        record.readable == Completeness::FailuresOnly && record.ran.is_some_and(|ran| ran > 0);
    for VariedTest { test, .. } in &asked.tests {
        let results = record.tests.iter().filter(|(id, _)| test.has_result(&TestId::new(id.as_str())));
        let words: Vec<TestOutcome> = results.map(|(_, word)| *word).collect();
        said.results += words.iter().filter(|word| **word == TestOutcome::Failed).count();
        if words.contains(&TestOutcome::Failed) {
            said.failed += 1;
        } else if words.contains(&TestOutcome::Passed) || names_failures {
            said.passed.insert(test.name.clone());
        } else {
            return None;
        }
    }
    let output = String::from_utf8_lossy(&ran.output);
    (said.values, said.errors) = (forms.values(&output), errors_in(&output));
    Some(said)
}

/// The lines that tell of an error, and what follows on a panic, whatever numbers they have.
fn errors_in(output: &str) -> BTreeSet<String> {
    const WORDS: [&str; 4] = ["Error", "Exception", "panic: ", "panicked at"];
    // An assertion that fails saw a value, whether or not it can be read.
    if output.contains("ssertion") {
        return BTreeSet::new();
    }
    let lines: Vec<&str> = output.lines().map(str::trim).collect();
    let masked = |line: &&str| line.replace(|letter: char| letter.is_ascii_digit(), "");
    let tells = |line: Option<&&str>| line.is_some_and(|line| WORDS.iter().any(|word| line.contains(word)));
    let is_told = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        tells(lines.get(at)) || before.is_some_and(|before| before.contains("panicked at"))
    };
    lines.iter().enumerate().filter(|(at, _)| is_told(*at)).map(|(_, line)| masked(line)).collect()
}

/// Are there so many numbers among the answers that do not stand in the change?
fn has_open_numbers(difference: &Difference, asked: &OtherInputs) -> bool {
    let values = values_in(&difference.products(AskedTree::Candidate).collect::<Vec<_>>());
    let is_open = |test: &&VariedTest| !test.expected.iter().any(|value| values.contains(value));
    asked.tests.iter().filter(is_open).map(|test| test.inputs.len()).sum::<usize>() >= NUMBERS_MIN
}

/// What stands in the change and in its tests; none where an answer could stand there by chance, or as a value of a rule.
fn written(difference: &Difference, asked: &OtherInputs) -> Option<Vec<String>> {
    let products: Vec<_> = difference.products(AskedTree::Candidate).collect();
    let values = values_in(&products);
    let is_open =
        |test: &VariedTest| test.expects_texts() && !test.expected.iter().any(|value| values.contains(value));
    let products = products.into_iter().map(|(_, text)| text);
    let open = asked.tests.iter().filter(|test| is_open(test)).map(|test| test.inputs.len());
    let is_enough = open.sum::<usize>() >= ANSWERS_MIN;
    is_enough.then(|| products.chain(asked.texts.iter().cloned()).collect())
}

#[cfg(test)]
mod tests;
