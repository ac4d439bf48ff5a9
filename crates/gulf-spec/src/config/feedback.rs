//! What a loop measures, and what follows from it (SPEC L4, L6); apart from the other settings as one design's own.

use super::{Key, Resolved};

/// What follows from what was measured; it counts with the preset feedback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedbackSettings {
    pub auto_converge: bool,
    pub human_review: bool,
    pub coverage_percent_min: u32,
    pub coverage: CoverageNeed,
}

/// What is made of coverage that nobody measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageNeed {
    Shown,
    Required,
}

/// What the numbers of a check mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckMeasure {
    Tests,
    Lint,
    Build,
    Coverage,
}

impl CheckMeasure {
    /// None for what is to be recognised.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "tests" => Some(Self::Tests),
            "lint" => Some(Self::Lint),
            "build" => Some(Self::Build),
            "coverage" => Some(Self::Coverage),
            _ => None,
        }
    }
}

impl Resolved<'_> {
    pub(super) fn feedback(&self) -> FeedbackSettings {
        FeedbackSettings {
            auto_converge: self.switch(Key::FeedbackAutoConverge),
            human_review: self.switch(Key::FeedbackHumanReview),
            coverage_percent_min: self.count(Key::FeedbackCoverageMin),
            coverage: if self.text(Key::FeedbackCoverage) == "required" {
                CoverageNeed::Required
            } else {
                CoverageNeed::Shown
            },
        }
    }
}
