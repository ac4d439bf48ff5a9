//! Drives several loops at once, one thread each.
//!
//! No loop knows of the others: each has its journal, its lock and its worktree, and all they share is the process
//! that a person can stop.

use std::panic::resume_unwind;
use std::thread;

use gulf_engine::{Act, Digest};
use gulf_host::clock::Clock;

use crate::FORMAT_VERSION;
use crate::agreement::{Agreement, GroupSelection, GroupWorker, engine_digest};
use crate::claims::{Caller, RequestFile};
use crate::error::RunError;
use crate::known::KnownLoop;

/// The unfinished loops of the same group as this one, in their order; one without a group is alone.
pub fn together(one: &KnownLoop, among: &[KnownLoop]) -> Vec<KnownLoop> {
    if worker_of(one).is_none() {
        return vec![one.clone()];
    }
    members(one, among).into_iter().filter(KnownLoop::is_unfinished).collect()
}

/// All loops of the same group as this one, whatever became of them; none where it has no group.
pub fn members(one: &KnownLoop, among: &[KnownLoop]) -> Vec<KnownLoop> {
    let Some(GroupWorker { group, .. }) = worker_of(one) else { return Vec::new() };
    let number = |known: &KnownLoop| Some(worker_of(known).filter(|worker| worker.group == group)?.number);
    let mut members: Vec<(u32, &KnownLoop)> =
        among.iter().filter_map(|known| Some((number(known)?, known))).collect();
    members.sort_by_key(|(number, _)| *number);
    members.into_iter().map(|(_, known)| known.clone()).collect()
}

fn worker_of(known: &KnownLoop) -> Option<GroupWorker> {
    worker(&known.agreement().ok()?).cloned()
}

/// Which of several workers it is, if any.
pub fn worker(agreement: &Agreement) -> Option<&GroupWorker> {
    agreement.branching.as_ref()?.worker.as_ref()
}

/// Is one that has landed enough?
pub fn is_over_with_first(agreement: &Agreement) -> bool {
    worker(agreement).is_some_and(|worker| worker.selection == GroupSelection::First)
}

/// What tells the queue of which loops one is enough.
pub(crate) fn choice(agreement: &Agreement) -> Option<Digest> {
    let worker = worker(agreement).filter(|_| is_over_with_first(agreement))?;
    Some(engine_digest(worker.group.as_bytes()))
}

/// Does this for each at the same time, and waits for all. A thread that panics takes the process along, as one that
/// drives a single loop does.
pub fn side_by_side<T: Send, R: Send>(members: Vec<T>, work: impl Fn(usize, T) -> R + Sync) -> Vec<R> {
    let work = &work;
    thread::scope(|scope| {
        let start = |(index, member)| scope.spawn(move || work(index, member));
        let threads: Vec<_> = members.into_iter().enumerate().map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Asks a loop to stop: another one of its group has landed. That this is enough a person said at the start, whatever
/// process finds out.
pub fn stop(known: &crate::folder::LoopPaths, clock: &Clock) -> Result<(), RunError> {
    let request = RequestFile { v: FORMAT_VERSION, author: Caller::Person, act: Act::Outrun };
    request.leave(&known.requests(), clock.wall_ms()).map(drop)
}
