//! What was green is asked again: a product that is right now and then is not right (SPEC B3).
//!
//! The tests that prove the work run again, alone, as often as this takes no longer than the check itself or a few seconds.
//! Where tests have no names, the whole check runs once more, and only where it said no to nearly the same work.

use std::time::{Duration, Instant};

use gulf_agents::differing::hunks;
use gulf_agents::reports::{Completeness, TestOutcome};
use gulf_agents::sources::Changed;
use gulf_engine::{Again, Finding};

use super::proving::Proving;
use super::{CandidateEvidence, Difference, difference, finding_of, is_of_tests, short};
use crate::agreement::SealedCheck;
use crate::checks::{RunPurpose, RunRecord};
use crate::error::Result;

/// So often where there is time, and so often more for each time that nearly the same work was found wanting.
const RUNS: u32 = 3;
const RUNS_MAX: u32 = 9;
/// So often where that is quick.
const RUNS_QUICK: u32 = 6;
/// It is, until so long after the first.
const QUICK_MAX: Duration = Duration::from_secs(1);
/// Tests that fail alone may need the others, so the whole check is asked so often.
const WHOLE_RUNS: u32 = 2;
/// After so long nothing is asked once more, where the check itself takes no longer.
const TIME_MAX: Duration = Duration::from_secs(3);
/// Two products that differ in no more lines are nearly the same.
const LINES_MAX: usize = 20;

/// What is asked, and what it cost.
struct Asking<'run> {
    check: &'run SealedCheck,
    /// What the check said of the candidate.
    first: RunRecord,
    again: &'run mut Again,
    began: Instant,
}

impl Asking<'_> {
    fn time_max(&self) -> Duration {
        TIME_MAX.max(Duration::from_millis(self.first.duration_ms))
    }
}

impl CandidateEvidence<'_> {
    /// What the checks say that prove the work when they are asked again; none where there is nothing to ask.
    pub(super) fn again(&self) -> Result<(Option<Again>, Option<Finding>)> {
        let mut again = Again { runs: 0, duration_ms: 0, failed: false };
        for (check, before, first) in self.open_runs()? {
            let proving = Proving::between(&before, &first, &self.difference.graft).tests;
            let proving: Vec<String> = proving.iter().map(ToString::to_string).collect();
            let doubts = self.doubts(check)?;
            let few = if proving.is_empty() { None } else { self.selected(check, &proving) };
            let mut asking = Asking { check, first, again: &mut again, began: Instant::now() };
            let failed = match few {
                Some(few) => {
                    self.fails_alone(&mut asking, &few, &proving, (RUNS * (1 + doubts)).min(RUNS_MAX))?
                }
                None if doubts > 0 => self.fails_whole(&mut asking, 1)?,
                None => None,
            };
            if let Some(failed) = failed {
                again.failed = true;
                let what = format!("said yes of this very work, and no when it was asked again{failed}");
                return Ok((Some(again), Some(finding_of(check, what))));
            }
        }
        Ok(((again.runs > 0).then_some(again), None))
    }

    /// What fails among these tests when they run without the others. Those that fail each time may need them.
    fn fails_alone(
        &self,
        asking: &mut Asking<'_>,
        few: &SealedCheck,
        names: &[String],
        runs: u32,
    ) -> Result<Option<String>> {
        let (mut passed, mut failed) = (false, None);
        for run in 0..runs.max(RUNS_QUICK) {
            let time_max = if run < runs { asking.time_max() } else { QUICK_MAX };
            if run > 0 && asking.began.elapsed() > time_max {
                break;
            }
            let said = self.run_again(asking, few)?;
            let is_seen = said.readable == Completeness::FailuresOnly
                || names.iter().any(|id| said.tests.contains_key(id));
            if !is_seen {
                // Nothing was asked, so nothing is said to have passed.
                asking.again.runs -= 1;
                return Ok(None);
            }
            match failing(&said, &asking.first) {
                Some(names) => failed = Some(names),
                None => passed = true,
            }
            if passed && failed.is_some() {
                return Ok(failed);
            }
        }
        if failed.is_some() { self.fails_whole(asking, WHOLE_RUNS) } else { Ok(None) }
    }

    fn fails_whole(&self, asking: &mut Asking<'_>, runs: u32) -> Result<Option<String>> {
        for run in 0..runs {
            if run > 0 && asking.began.elapsed() > asking.time_max() {
                break;
            }
            if let Some(names) = failing(&self.run_again(asking, asking.check)?, &asking.first) {
                return Ok(Some(names));
            }
        }
        Ok(None)
    }

    fn run_again(&self, asking: &mut Asking<'_>, check: &SealedCheck) -> Result<RunRecord> {
        let ran = self.run(check, RunPurpose::Again, &self.candidate.commit)?;
        asking.again.runs += 1;
        asking.again.duration_ms += ran.record.duration_ms;
        Ok(ran.record)
    }

    /// How often nearly the same work was found wanting in this unit of work: by this check, or when it was asked again.
    fn doubts(&self, check: &SealedCheck) -> Result<u32> {
        let unit = &self.fold.state.unit;
        let mut doubts = 0;
        for tree in unit.trees.iter().filter(|tree| **tree != self.candidate.tree) {
            let record = self.resources.record(check, tree.as_str())?;
            let was_red = record.is_some_and(|record| !record.is_green());
            let integrity = unit.words.get(tree).and_then(|words| words.integrity.as_ref());
            let was_unsteady =
                integrity.and_then(|word| word.again.as_ref()).is_some_and(|again| again.failed);
            if was_red || was_unsteady {
                let difference = difference(&self.resources.repository, tree, &self.candidate.tree)?;
                doubts += u32::from(difference.unread.is_empty() && changed_lines(&difference) <= LINES_MAX);
            }
        }
        Ok(doubts)
    }
}

/// The tests that fail now and did not at first, in words; none where all is as it was.
fn failing(said: &RunRecord, first: &RunRecord) -> Option<String> {
    if said.is_green() {
        return None;
    }
    if said.failed().next().is_none() {
        return first.is_green().then(String::new);
    }
    let is_new = |id: &&str| first.tests.get(*id) != Some(&TestOutcome::Failed);
    let new: Vec<&str> = said.failed().filter(is_new).collect();
    (!new.is_empty()).then(|| format!(": {}", short(&new.join(", "))))
}

/// Lines of the product that one of two trees has and the other has not.
fn changed_lines(difference: &Difference) -> usize {
    let product = difference.files.iter().filter(|(path, _)| !is_of_tests(path));
    let count = |file: &Changed| {
        let texts = file.texts();
        let lines =
            |text| str::lines(text).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
        let [old, new] = texts.each_ref().map(|text| lines(text));
        hunks(&old, &new).iter().map(|[old, new]| old.len().max(new.len())).sum::<usize>()
    };
    product.map(|(_, file)| count(file)).sum()
}
