//! Whose sessions know gulf on this machine, and what keeps gulf from being called there.

use super::Finding;
use crate::commands::install::{InstallFinding, standings};

/// Every host that is here; nothing is said of the others.
pub(super) fn hosts() -> Vec<Finding> {
    let told = |seen: InstallFinding| match seen {
        InstallFinding::AsItShould { message } => Finding::ok("sessions", message),
        InstallFinding::InTheWay { message, hint } => Finding::warning("sessions", message, hint),
    };
    standings().into_iter().map(told).collect()
}
