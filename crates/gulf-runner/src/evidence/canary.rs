//! A suite that cannot fail proves nothing: one expectation of a test that proves the work is changed, and the check has to
//! turn red (SPEC B3).
//!
//! It asks the suite and not the work: a product that equals everything, brings assertions of its own or ends the
//! runner is found here, however right its tests are.

use gulf_agents::reports::{TestId, TestOutcome};
use gulf_agents::sources::{Flip, ShownForms, flips, is_test_path};
use gulf_engine::{Baseline, Canary, ElsewhereRuns, Finding};

use super::proving::Proving;
use super::reruns::{BUILD_MS, hurried};
use super::varied::ReadableSuite;
use super::{AskedTree, CandidateEvidence, SOURCE_BYTES_MAX, finding_of};
use crate::agreement::SealedCheck;
use crate::checks::{RunPurpose, RunRecord};
use crate::error::Result;

/// So many expectations are tried before a suite is said to be unable to fail: one may stand where nothing comes by.
const TRIES_MAX: usize = 3;
/// So many files are searched for tests.
const FILES_MAX: usize = 500;

/// What came of a suite that was asked something else.
#[derive(Default)]
pub(super) struct SuiteTrial {
    /// None where no test proves anything.
    pub(super) canary: Option<Canary>,
    pub(super) elsewhere: Option<ElsewhereRuns>,
    /// What only a person can clear.
    pub(super) finding: Option<Finding>,
    /// The line of a check with another input, to which the work said something new.
    pub(super) new_in: Option<String>,
}

impl SuiteTrial {
    /// It cannot fail.
    pub(super) fn green(check: &SealedCheck, what: String, (runs, duration_ms): (u32, u64)) -> Self {
        let canary = Some(Canary::Green { runs, duration_ms });
        Self { canary, finding: Some(finding_of(check, what)), ..Self::default() }
    }

    fn nothing() -> Self {
        Self { canary: Some(Canary::Nothing), ..Self::default() }
    }
}

impl CandidateEvidence<'_> {
    /// Can the suite fail on which the proof hangs? And how does it show what the product gave; none where it does not.
    pub(super) fn canary(&self) -> Result<(SuiteTrial, Option<ReadableSuite>)> {
        let mut trial = SuiteTrial::default();
        for (check, before, now) in self.open_runs()? {
            let proving = Proving::between(&before, &now, &self.difference.graft);
            if proving.tests.is_empty() {
                continue;
            }
            let flips = self.flips(&proving.tests)?;
            if !flips.is_empty() {
                return self.with_flips(check, &flips, &now);
            }
            trial = SuiteTrial::nothing();
        }
        Ok((trial, None))
    }

    /// Expectations of these tests, each with its file and its test's name in the runner's results.
    fn flips(&self, proving: &[TestId]) -> Result<Vec<(String, TestId, Flip)>> {
        let files = self.sources(|path: &str| is_test_path(path) || path.ends_with(".rs"))?.into_iter();
        let found = files.flat_map(|(path, source)| {
            flips(&path, &source).into_iter().filter_map(move |flip| {
                let id = proving.iter().find(|id| flip.test.has_result(id))?.clone();
                Some((path.clone(), id, flip))
            })
        });
        let (of_lists, mut plain): (Vec<_>, Vec<_>) = found.partition(|(_, _, flip)| flip.is_of_list);
        plain.sort_by_key(|(_, _, flip)| !flip.is_certain);
        Ok(if plain.is_empty() { of_lists } else { plain }.into_iter().take(TRIES_MAX).collect())
    }

    /// The files of the candidate at such paths, as far as they are small enough to be sources.
    pub(super) fn sources(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<(String, Vec<u8>)>> {
        let mut files = self.now()?.wanted(is_wanted);
        files.truncate(FILES_MAX);
        self.now()?.bytes(&files, SOURCE_BYTES_MAX)
    }

    /// The texts of these sources.
    pub(super) fn texts_in(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let text = |(_, bytes): (String, Vec<u8>)| String::from_utf8_lossy(&bytes).into_owned();
        Ok(self.sources(is_wanted)?.into_iter().map(text).collect())
    }

    /// The test alone where its runner can be told, and the whole check where it alone stays green.
    fn with_flips(
        &self,
        check: &SealedCheck,
        flips: &[(String, TestId, Flip)],
        now: &RunRecord,
    ) -> Result<(SuiteTrial, Option<ReadableSuite>)> {
        let (mut runs, mut duration_ms) = (0, 0);
        // What fails on the candidate as it is says nothing; what failed on the base and is changed here must fail again.
        let accepted = Some(now).filter(|_| check.baseline == Baseline::Accepted);
        for (path, id, flip) in flips {
            let message = "gulf: one expectation is another one\n";
            let with = |bytes: &[u8]| {
                self.commit_with(&[self.put(path, bytes.to_vec())?], AskedTree::Candidate, message)
            };
            let commit = with(&flip.bytes)?;
            let few = self.selected(check, std::slice::from_ref(&flip.test.name));
            for asked in few.iter().chain([check]) {
                let ran = self.run(asked, RunPurpose::Canary, &commit)?;
                (runs, duration_ms) = (runs + 1, duration_ms + ran.record.duration_ms);
                // Every row expects something else.
                if some_row_passes(flip, &ran.record) {
                    let told = format!("passes in some rows where {id} {}", flip.description());
                    return Ok((SuiteTrial::green(check, told, (runs, duration_ms)), None));
                }
                if !ran.record.is_green() && !ran.record.is_forgiven(accepted) {
                    if flip.is_of_list || is_loop(flip, &ran.record) {
                        // It can fail, and nobody learns from it how one value is shown.
                        return Ok((SuiteTrial::nothing(), None));
                    }
                    let forms = ShownForms::learnt(&String::from_utf8_lossy(&ran.output), &flip.literals);
                    // What equals an answer and is not shown as one may equal others that look like it.
                    let alike = flip.alike.as_deref().filter(|_| forms.is_empty() && flip.is_certain);
                    if let Some(alike) = alike {
                        let ran = self.run(asked, RunPurpose::Canary, &with(alike)?)?;
                        (runs, duration_ms) = (runs + 1, duration_ms + ran.record.duration_ms);
                        if ran.record.is_green() {
                            let told = format!(
                                "passes all the same where {id} expects another value like {}",
                                flip.literals[0][0]
                            );
                            return Ok((SuiteTrial::green(check, told, (runs, duration_ms)), None));
                        }
                    }
                    let test = id.to_string();
                    let readable = ReadableSuite {
                        check: hurried(check, now.duration_ms, BUILD_MS),
                        forms,
                        has_rows: flip.literals.len() > 1,
                        run_ms: ran.record.duration_ms,
                    };
                    let canary = Some(Canary::Red { test, runs, duration_ms });
                    let readable = Some(readable).filter(|readable| !readable.forms.is_empty());
                    return Ok((SuiteTrial { canary, ..SuiteTrial::default() }, readable));
                }
            }
        }
        let certain = flips.iter().filter(|(_, _, flip)| flip.is_certain);
        let told: Vec<String> = certain.map(|(_, id, flip)| format!("{id} {}", flip.description())).collect();
        if told.is_empty() {
            return Ok((SuiteTrial::nothing(), None));
        }
        let told = format!("passes all the same where {}", told.join(", where "));
        Ok((SuiteTrial::green(check, told, (runs, duration_ms)), None))
    }
}

/// Does a row of the test pass, although each expects something else, and has a result of its own?
fn some_row_passes(flip: &Flip, record: &RunRecord) -> bool {
    let words = results_of(flip, record);
    flip.is_certain
        && words.len() > 1
        && words.len() == flip.literals.len()
        && words.contains(&TestOutcome::Passed)
}

fn results_of(flip: &Flip, record: &RunRecord) -> Vec<TestOutcome> {
    let results = record.tests.iter().filter(|(id, _)| flip.test.has_result(&TestId::new(id.as_str())));
    results.map(|(_, word)| *word).collect()
}

/// Rows without results of their own: only the first that fails is shown.
fn is_loop(flip: &Flip, record: &RunRecord) -> bool {
    flip.literals.len() > 1 && results_of(flip, record).len() <= 1
}
