//! What a person can do to a loop, and what of it makes sense as the loop stands. Nothing is forbidden here: whoever asks
//! for something else is told by the command why not.

use gulf_engine::{Act, Author, Request, State, admit};
use serde::Serialize;
use strum::VariantArray as _;

use crate::facts::{CheckoutChange, Facts};
use crate::loop_status::{self, LoopStatus};

/// What a person can do to a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ActKind {
    Answer,
    Steer,
    Approve,
    Reject,
    Pause,
    Resume,
    Skip,
    Land,
    Discard,
    Cancel,
}

impl ActKind {
    pub const ALL: &[ActKind] = Self::VARIANTS;

    /// What a person types for it on the live screen.
    pub fn key(self) -> char {
        match self {
            ActKind::Answer => 'a',
            ActKind::Steer => 's',
            ActKind::Approve => 'A',
            ActKind::Reject => 'R',
            ActKind::Pause => 'p',
            ActKind::Resume => 'r',
            ActKind::Skip => 'S',
            ActKind::Land => 'l',
            ActKind::Discard => 'D',
            ActKind::Cancel => 'C',
        }
    }

    /// As the command is called.
    pub fn word(self) -> &'static str {
        self.into()
    }

    pub fn of_key(key: char) -> Option<ActKind> {
        ActKind::ALL.iter().copied().find(|act| act.key() == key)
    }

    /// Does a person say something with it?
    pub fn takes_words(self) -> bool {
        matches!(self, ActKind::Answer | ActKind::Steer | ActKind::Approve | ActKind::Reject)
    }

    /// Can it not be taken back? Then it is asked about once more.
    pub fn is_final(self) -> bool {
        !matches!(self, ActKind::Answer | ActKind::Steer | ActKind::Pause | ActKind::Resume)
    }
}

/// The engine's own word, and what only a driver or a checkout knows.
pub(crate) fn possible(
    standing: &LoopStatus,
    facts: &Facts,
    state: &State,
    lies: &CheckoutChange,
) -> Vec<ActKind> {
    let words = || "words".to_owned();
    let admitted = |act: Act| admit(state, Request { author: Author::Person, act }).is_ok();
    let is_left = matches!(standing, LoopStatus::Interrupted | LoopStatus::LedOn);
    let is_possible = |act: &ActKind| match act {
        ActKind::Answer => state.open_questions().next().is_some() && standing.end().is_none(),
        ActKind::Steer => admitted(Act::Steer { note: words() }),
        ActKind::Approve => admitted(Act::Approve { reason: words() }),
        ActKind::Reject => admitted(Act::Reject { reason: words() }),
        ActKind::Pause => standing.is_running() && admitted(Act::Pause),
        ActKind::Resume => (is_left && loop_status::host(state).is_none()) || admitted(Act::Resume),
        ActKind::Skip => admitted(Act::Skip),
        ActKind::Land if facts.branch.is_some() => {
            admitted(Act::Land { by: words(), base: words(), push: None })
        }
        ActKind::Land => {
            let lies_ready = matches!(lies, CheckoutChange::Uncommitted { entangled, before_landing: None, .. } if entangled.is_empty());
            standing.is_success() && lies_ready
        }
        ActKind::Discard => {
            let is_blocked = matches!(lies, CheckoutChange::Uncommitted { before_discarding: Some(_), .. });
            (facts.has_worktree() || (*lies != CheckoutChange::Clean && !is_blocked))
                && admitted(Act::Discard { by: words() })
        }
        ActKind::Cancel => admitted(Act::Cancel),
    };
    ActKind::ALL.iter().copied().filter(is_possible).collect()
}
