//! What an HTTP status of the model's servers means, whichever agent passes it on.
//!
//! It stands apart because the statuses are one table, and the agents are several. Where an agent tells more than the
//! status, its own table comes before this one.

use super::{FailureKind, Need};

/// Nothing where the status says no more than that it failed.
pub(super) fn of_status(status: u16) -> Option<FailureKind> {
    match status {
        401 | 403 => Some(FailureKind::NeedsPerson { need: Need::SignIn }),
        402 => Some(FailureKind::NeedsPerson { need: Need::Billing }),
        404 => Some(FailureKind::NeedsPerson { need: Need::Model }),
        413 => Some(FailureKind::ContextFull),
        status if asks_for_patience(status) => Some(FailureKind::Overloaded),
        408 | 500.. => Some(FailureKind::Unreachable),
        _ => None,
    }
}

/// Too many requests, too much to do: nothing is broken.
pub(super) fn asks_for_patience(status: u16) -> bool {
    [429, 503, 529].contains(&status)
}
