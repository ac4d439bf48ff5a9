//! Whether the work is too much for one loop (SPEC G25).
//!
//! Apart because a start asks the same question.

use std::fmt;

use crate::config::{Config, Key, SettingLayer};

/// From so many criteria on, several short loops do better than a long one.
pub const CRITERIA_SPLIT_MIN: usize = 8;

/// From about so many iterations on, what was decided early is lost in the middle of the context.
pub const ITERATIONS_SPLIT_MIN: u32 = 40;

/// Why the work should be split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SplitSignal {
    Criteria {
        count: usize,
    },
    /// Somebody expects that so many may be needed.
    Iterations {
        limit: u32,
        /// `gulf.toml:3:1`, `--max-iterations`
        place: String,
    },
}

/// The signals, none of which forbids anything.
///
/// A limit of iterations is a sign of what is expected only where somebody set it for this project or this start: the
/// default of a preset (50 and more) says nothing about the work, and a person's own gulf.toml nothing about the
/// project.
pub fn split_signals(criteria: usize, config: Option<&Config>) -> Vec<SplitSignal> {
    let mut signals = Vec::new();
    if criteria >= CRITERIA_SPLIT_MIN {
        signals.push(SplitSignal::Criteria { count: criteria });
    }
    if let Some(config) = config
        && config.iterations_max.get() >= ITERATIONS_SPLIT_MIN
        && let Some(origin) = config.origin(Key::LimitsMaxIterations)
    {
        match origin.layer {
            SettingLayer::Project | SettingLayer::Environment | SettingLayer::Flag => {
                let place = origin.to_string();
                signals.push(SplitSignal::Iterations { limit: config.iterations_max.get(), place });
            }
            SettingLayer::Default | SettingLayer::User => {}
        }
    }
    signals
}

impl SplitSignal {
    /// Where it stands, if it stands at one place.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::Criteria { .. } => None,
            Self::Iterations { place, .. } => Some(place),
        }
    }
}

impl fmt::Display for SplitSignal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Criteria { count } => {
                write!(
                    formatter,
                    "{count} criteria are a lot for one loop: from {CRITERIA_SPLIT_MIN} on, split the work"
                )
            }
            Self::Iterations { limit, .. } => write!(
                formatter,
                "{limit} iterations are a lot for one loop: from {ITERATIONS_SPLIT_MIN} on, early decisions get lost"
            ),
        }
    }
}
