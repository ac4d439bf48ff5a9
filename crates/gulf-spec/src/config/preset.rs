//! The named settings of the one system, and what each gives to keys of which nobody said anything.
//!
//! They are the one place where a name means numbers.

use serde::Deserialize;

use super::Key;

/// A named setting of the one system.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, strum::IntoStaticStr, strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Preset {
    /// Judge where RUBRIC.md has criteria, else basic (SPEC G2).
    #[default]
    Auto,
    Basic,
    Judge,
    /// On a branch of its own, and from there onto the base branch (SPEC G17).
    Autonomous,
    /// Several of them at once, on one goal (SPEC G19).
    Parallel,
    /// A list, one task after the other (SPEC R).
    Tasks,
    /// Steered by what gulf measures (SPEC L).
    Feedback,
    /// Analyzed, planned, criticized, verified, and with a person instead of an end (SPEC A1, A3, A5).
    Ralph,
    /// The same in a hurry: on a branch of its own, independent steps of the plan side by side (SPEC A1).
    Autopilot,
}

/// When a judge is asked, as far as a preset says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetJudge {
    Never,
    Always,
    WhereCriteria,
    /// From a level of verification on.
    ByLevel,
}

/// What ralph and autopilot have in common: thought comes first, and a person instead of an end.
const THOUGHTFUL: [(Key, &str); 8] = [
    // Analysis, plan and critic stand in its place.
    (Key::Research, "off"),
    (Key::StepsAnalyze, "first"),
    (Key::StepsPlan, "first"),
    (Key::StepsCritic, "first"),
    (Key::StepsCause, "after-refusal"),
    // The first time, and five retries.
    (Key::StuckRecurrences, "6"),
    (Key::StuckThen, "ask"),
    (Key::LoopFolder, "true"),
];

impl Preset {
    /// Does its work come onto a base branch by way of a branch of its own?
    pub fn lands(self) -> bool {
        matches!(self, Self::Autonomous | Self::Parallel | Self::Autopilot)
    }

    pub fn judge(self) -> PresetJudge {
        match self {
            Self::Basic => PresetJudge::Never,
            Self::Judge => PresetJudge::Always,
            Self::Ralph | Self::Autopilot => PresetJudge::ByLevel,
            Self::Auto | Self::Autonomous | Self::Parallel => PresetJudge::WhereCriteria,
            Self::Tasks | Self::Feedback => PresetJudge::WhereCriteria,
        }
    }

    /// Who ticks the project's list and says that nothing is left? Where gulf takes task after task and ticks each itself, or
    /// takes what it measured for a claim, no end waits for that.
    pub fn leaves_the_list_to_the_worker(self) -> bool {
        !matches!(self, Self::Tasks | Self::Feedback)
    }

    /// Does it have levels of verification (SPEC A4)?
    pub fn has_levels(self) -> bool {
        matches!(self, Self::Ralph | Self::Autopilot)
    }

    /// Values that it gives to keys of which nobody said anything (SPEC G5, G10, G15, A1, A2, A3, A5, A7).
    pub(super) fn values(self) -> impl Iterator<Item = (Key, &'static str)> {
        let of_both: &[_] = if self.has_levels() { &THOUGHTFUL } else { &[] };
        self.of_its_own().iter().chain(of_both).copied()
    }

    fn of_its_own(self) -> &'static [(Key, &'static str)] {
        match self {
            Self::Autonomous | Self::Parallel => {
                &[(Key::LimitsMaxIterations, "200"), (Key::HitlThreshold, "10"), (Key::Research, "gate")]
            }
            // Each iteration begins with an analysis of its own, and measured numbers ask no questions.
            Self::Feedback => &[
                (Key::LimitsMaxIterations, "5"),
                (Key::Research, "off"),
                (Key::AgentFollowUp, "false"),
                (Key::StepsAnalyze, "every"),
            ],
            Self::Tasks => {
                &[(Key::CompletionPromise, "TASK_DONE"), (Key::Research, "off"), (Key::AgentContext, "fresh")]
            }
            Self::Ralph => &[(Key::LimitsMaxIterations, "10"), (Key::StuckSameFailure, "3")],
            Self::Autopilot => {
                &[(Key::LimitsMaxIterations, "3"), (Key::StuckSameFailure, "2"), (Key::StepsParallel, "4")]
            }
            Self::Auto | Self::Basic | Self::Judge => &[],
        }
    }

    /// For people.
    pub fn word(self) -> &'static str {
        self.into()
    }
}
