//! Clears away what an earlier gulf could not: every process that carries a mark, and everything below it.
//!
//! It works when there is no shim any more: after the shim was killed, or the machine's memory ran out under both.

use std::time::Duration;

use crate::platform::{self, Marked, Target, Then};

/// Each round kills what the one before could not see yet.
const ROUNDS_MAX: u32 = 100;
const ROUND_TIME_MAX: Duration = Duration::from_millis(100);

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SweepReport {
    pub killed: Vec<SweptProcess>,
    /// Still there after SIGKILL: another user's, or stuck in the kernel.
    pub survivors: Vec<SweptProcess>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweptProcess {
    pub id: u32,
    /// As it was started, its arguments with spaces between.
    pub command: String,
}

/// Kills every process whose [`super::MARK_VARIABLE`] begins with the prefix, and its descendants; never the caller
/// or what it descends from. Let the prefix end where a name ends: `loop-1` is also a prefix of `loop-10`.
///
/// Where the system does not show other processes' environments, nothing is found (see [`platform::limits`]).
pub fn sweep(mark_prefix: &str) -> SweepReport {
    sweep_marked(&Marked::Prefix(mark_prefix))
}

/// What [`sweep`] would kill; nothing is done to it.
pub fn find(mark_prefix: &str) -> Vec<SweptProcess> {
    processes(platform::find_marked(&Marked::Prefix(mark_prefix), Then::Tell))
}

/// After a shim's death: what carries exactly its mark, or cleared its environment but stayed in its session.
pub(super) fn sweep_lost(mark: &str, shim: u32) -> SweepReport {
    sweep_marked(&Marked::Exactly { mark, session: shim })
}

fn sweep_marked(marked: &Marked<'_>) -> SweepReport {
    let mut killed: Vec<SweptProcess> = Vec::new();
    let mut left = platform::find_marked(marked, Then::Kill);
    for _round in 0..ROUNDS_MAX {
        if left.is_empty() {
            break;
        }
        for target in &left {
            target.kill();
            if killed.iter().all(|swept| swept.id != target.process.id) {
                killed.push(target.process.clone());
            }
        }
        platform::wait_for_death(&left, ROUND_TIME_MAX);
        left = platform::find_marked(marked, Then::Kill);
    }
    let survivors = processes(left);
    killed.retain(|swept| !survivors.contains(swept));
    SweepReport { killed, survivors }
}

fn processes(targets: Vec<Target>) -> Vec<SweptProcess> {
    targets.into_iter().map(|target| target.process).collect()
}
