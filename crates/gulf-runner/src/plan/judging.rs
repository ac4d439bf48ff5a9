//! Whether a judge is asked, and what that means for a start without checks.
//!
//! It stands apart because presets and a setting of its own decide it together.

use gulf_spec::config::{Config, JudgeNeed, Preset};

use super::Evidence;

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
    if judging(config) == Judging::OrOwn && criteria.is_empty() {
        notes
            .push(format!("no criteria are written down: the judge is asked by gulf's own: {OWN_CRITERION}"));
        criteria.push(OWN_CRITERION.to_owned());
    }
}

/// From this level of verification on a judge is asked.
const LEVEL_WITH_JUDGE: u32 = 2;

pub(super) fn judging(config: &Config) -> Judging {
    match config.preset {
        Preset::Basic => Judging::Never,
        Preset::Judge => Judging::Always,
        Preset::Ralph | Preset::Autopilot if config.verify.level < LEVEL_WITH_JUDGE => Judging::Never,
        Preset::Ralph | Preset::Autopilot => Judging::OrOwn,
        Preset::Auto | Preset::Autonomous | Preset::Parallel | Preset::Feedback | Preset::Tasks
            if config.judge_need == JudgeNeed::Required =>
        {
            Judging::Always
        }
        Preset::Auto | Preset::Autonomous | Preset::Parallel | Preset::Feedback | Preset::Tasks => {
            Judging::Where
        }
    }
}

/// Where a judge is asked, criteria are evidence too.
pub(super) fn evidence(asked: Evidence, judging: Judging) -> Evidence {
    match (asked, judging) {
        (Evidence::Required, Judging::Where | Judging::Always | Judging::OrOwn) => Evidence::OrCriteria,
        (Evidence::Required, Judging::Never) | (Evidence::OrCriteria | Evidence::Waived, _) => asked,
    }
}
