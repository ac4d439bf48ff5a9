//! What can be decided, and what every rule that decides asks of the state.

use crate::contract::Contract;
use crate::effect::{EffectKey, EffectKind};
use crate::end::End;
use crate::event::{PauseReason, Settlement, Word};
use crate::state::StateFields;
use alloc::{format, string::String, vec::Vec};

/// A provider that asks to wait so often in a row is out of reach: more than a night, also where it names half a minute.
pub(crate) const PROVIDER_WAITS_MAX: u32 = 1000;

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Exactly these effects run, no others; at `until_ms` (active time), if it comes first, decide again.
    Run {
        /// Keys of what runs already are among them.
        effects: Vec<EffectKey>,
        /// A wait's end, or the loop's.
        until_ms: Option<u64>,
    },
    /// This effect was begun by a driver that is gone: look at the world, then report how it ended.
    Recover(EffectKey),
    /// The iteration is settled.
    Settle(Settlement),
    /// Rest until a person says *go on*.
    Pause(PauseReason),
    /// Ask for a fundamentally different approach.
    ResetStrategy,
    /// This unit is finished; go on with the next one.
    FinishUnit(End),
    /// This unit comes to no end; go on with the next one that can begin.
    SkipUnit(End),
    /// The loop is over.
    End(End),
    /// Nothing is wanted: there is no loop yet, it is paused, it is over, or its journal is not in order.
    Rest,
}

impl Decision {
    /// The decision in one word and with its reason, for people; none for bookkeeping between decisions.
    pub fn explanation(&self, state: &StateFields) -> Option<(Word, String)> {
        match self {
            Self::Run { effects, .. } => {
                let is_new = |key: &&EffectKey| !state.running.contains(*key);
                let told = effects.iter().filter(is_new).find_map(|key| match key.work {
                    EffectKind::Turn => Some(format!("iteration {}, attempt {}", key.iteration, key.attempt)),
                    EffectKind::Step { step } => {
                        Some(format!("iteration {}: {}", key.iteration, step.word()))
                    }
                    EffectKind::FollowUp | EffectKind::Snapshot | EffectKind::Check { .. } => None,
                    EffectKind::Probe { .. } | EffectKind::Integrity | EffectKind::Overlay => None,
                    EffectKind::Judge | EffectKind::Review { .. } => None,
                    EffectKind::Land | EffectKind::Close => None,
                });
                told.map(|told| (Word::Continue, told))
            }
            Self::Recover(_) | Self::Settle(_) | Self::Rest => None,
            Self::Pause(reason) => Some((Word::Pause, format!("{reason:?}"))),
            Self::ResetStrategy => Some((Word::ResetStrategy, String::from("too many rejections in a row"))),
            Self::FinishUnit(end) => Some((Word::NextTask, String::from(end.word()))),
            Self::SkipUnit(end) => Some((Word::NextTask, format!("given up: {}", end.word()))),
            Self::End(end) if end.has_passed() => Some((Word::Complete, String::from(end.word()))),
            Self::End(end) => Some((Word::Abort, String::from(end.word()))),
        }
    }
}

/// A state together with its contract.
#[derive(Clone, Copy)]
pub(crate) struct Evaluation<'a> {
    pub(crate) state: &'a StateFields,
    pub(crate) contract: &'a Contract,
}

/// Which check on the base may run beside.
#[derive(Clone, Copy)]
pub(crate) enum Beside {
    /// The next one that is missing.
    Probe,
    /// Only one that runs already.
    RunningProbe,
}
