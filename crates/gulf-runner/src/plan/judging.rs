//! Whether a judge is asked, and what that means for a start without checks.
//!
//! It stands apart because presets and a setting of its own decide it together.

use camino::Utf8Path;
use gulf_spec::config::{Config, JudgeNeed, Preset, PresetJudge};

use super::{CheckNeed, PlanError, Stated, tools};
use crate::agreement::{JudgeTerms, Tool, WorkerTerms};
use crate::place::PlaceOfWork;

/// When a judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judging {
    Never,
    /// Where there are criteria.
    Where,
    /// Without criteria there is no start.
    Always,
    /// Where nobody wrote criteria, by gulf's own.
    OrOwn,
}

/// What a judge looks at where nobody wrote criteria down, and one is to be asked all the same (SPEC A4).
const OWN_CRITERION: &str =
    "Everything that the goal asks for is done: nothing is stubbed, left out or put off.";

/// Gulf's own criterion, where one is needed and nobody wrote any.
pub(super) fn or_own(config: &Config, criteria: &mut Vec<String>, notes: &mut Vec<String>) {
    // Tasks of a list bring criteria of their own; where one has none, gulf's is asked about.
    let is_asked = judging(config) == Judging::Always || config.judge.tool.is_some();
    let is_list = is_asked && config.preset == Preset::Tasks;
    if (judging(config) == Judging::OrOwn || is_list) && criteria.is_empty() {
        notes
            .push(format!("no criteria are written down: the judge is asked by gulf's own: {OWN_CRITERION}"));
        criteria.push(OWN_CRITERION.to_owned());
    }
}

/// From this level of verification on a judge is asked.
const LEVEL_WITH_JUDGE: u32 = 2;

pub(super) fn judging(config: &Config) -> Judging {
    match config.preset.judge() {
        PresetJudge::Never => Judging::Never,
        PresetJudge::Always => Judging::Always,
        PresetJudge::ByLevel if config.verify.level < LEVEL_WITH_JUDGE => Judging::Never,
        PresetJudge::ByLevel => Judging::OrOwn,
        PresetJudge::WhereCriteria if config.judge_need == JudgeNeed::Required => Judging::Always,
        PresetJudge::WhereCriteria => Judging::Where,
    }
}

/// Who judges what is stated in `rubric`, if anybody does.
pub(super) fn judge(
    place: &PlaceOfWork,
    config: &Config,
    worker: &WorkerTerms,
    agent: &Tool,
    rubric: &Utf8Path,
    stated: &mut Stated,
) -> Result<Option<JudgeTerms>, PlanError> {
    let has_checks = !stated.checks.is_empty();
    let mut named = || tools::judge(place, config, agent, stated.model.as_ref(), worker, &mut stated.notes);
    match (judging(config), stated.criteria.is_empty()) {
        (Judging::Never, _) | (Judging::Where, true) => Ok(None),
        // The seed's judge has nothing to say there, and its checks decide.
        (Judging::Always, true) if worker.is_adopted() && has_checks => Ok(None),
        (Judging::Always, true) => Err(PlanError::NoCriteria { path: rubric.to_owned() }),
        (Judging::Always, false) | (Judging::OrOwn, _) => named().map(Some),
        (Judging::Where, false) => match named() {
            Err(PlanError::NoJudge) if has_checks => {
                stated.notes.push(format!(
                    "{rubric} has criteria, but no judge is installed: they stay unproven (`--judge` names one)"
                ));
                Ok(None)
            }
            judge => judge.map(Some),
        },
    }
}

/// Where a judge is asked, criteria are evidence too.
pub(super) fn evidence(asked: CheckNeed, judging: Judging) -> CheckNeed {
    match (asked, judging) {
        (CheckNeed::Required, Judging::Where | Judging::Always | Judging::OrOwn) => CheckNeed::OrCriteria,
        (CheckNeed::Required, Judging::Never) | (CheckNeed::OrCriteria | CheckNeed::Waived, _) => asked,
    }
}
