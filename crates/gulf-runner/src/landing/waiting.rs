//! A loop waits in the queue: it reads the journal that the leader writes, until that tells how the waiting ended.
//!
//! It is all that most loops ever do there, and what the journal says in the end is the result, whoever was asked to
//! stop meanwhile.

use std::time::Duration;

use camino::Utf8PathBuf;
use gulf_engine::{Candidate, CommitId, Digest, LandingWord, QueueDoing, QueueFacts};
use gulf_host::clock::Clock;
use gulf_host::watch::Watch;
use gulf_queue::{EntryEnding, EntryId, QueueState, QueueWork, Ticket};

use super::entry_id;
use super::leader_lease::QueueWait;
use super::place::QueuePlace;
use super::request::{LandingAct, LandingRequest};
use crate::agreement::Agreement;
use crate::error::{Failure, Result, RunError};
use crate::folder::LoopPaths;
use crate::stop::Stop;

/// The kernel tells nobody when a leader's lock falls.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(1);

/// One loop that waits, or is about to.
#[derive(Debug)]
pub(crate) struct Waiting<'a> {
    pub(crate) place: &'a QueuePlace,
    pub(crate) id: EntryId,
}

impl Waiting<'_> {
    /// Joins, and follows the journal.
    pub(crate) fn until_it_ended(
        &self,
        order: &LandingRequest,
        seat: &QueueWait,
        stop: &Stop,
    ) -> Result<EntryEnding> {
        let watch = Watch::start(&self.place.root)
            .map_err(|source| RunError::Watch { path: self.place.root.clone(), source })?;
        stop.wakes(watch.waker());
        let request = order.request()?;
        let mut asked = Asked::default();
        gulf_host::crash::point("landing.join");
        loop {
            // Before the journal: of what is gone from the dropbox by now it tells what came of it.
            asked.forget_answered();
            let state = self.place.state()?;
            if let Some(ending) = state.ending_of(&self.id, &request) {
                return Ok(ending.clone());
            }
            let is_stopped = stop.is_asked();
            // Asked again where it was answered and has not come true: a request may be lost.
            match state.place_of(&self.id) {
                // Its ending comes next.
                Some(place) if place.ending.is_some() => {}
                // What is being landed lands: the leader keeps the request, and the ending comes all the same.
                Some(place) if is_stopped || place.entry.request != request => self.leave(&mut asked)?,
                Some(_) => {}
                None if is_stopped && asked.join.is_some() => self.leave(&mut asked)?,
                None if is_stopped => return Err(Failure::Stopped),
                None if asked.join.is_some() => {}
                None => asked.join = Some(self.join(&request)?),
            }
            if let Some(why) = seat.failure() {
                return Err(Failure::Refused(format!("the queue of the base branch cannot be led: {why}")));
            }
            watch.wait_at_most(LOOK_EVERY);
        }
    }

    fn join(&self, request: &Digest) -> Result<Utf8PathBuf> {
        let unreadable = || Failure::Refused("what was to land cannot be read any more".to_owned());
        LandingRequest::joined_with(self.place, request)?.ok_or_else(unreadable)?;
        let path = LandingAct::Join { request: request.clone() }.leave(self.place, Clock::new().wall_ms())?;
        gulf_host::crash::point("landing.joined");
        Ok(path)
    }

    fn leave(&self, asked: &mut Asked) -> Result<()> {
        if asked.leave.is_none() {
            let act = LandingAct::Leave { entry: self.id.clone() };
            asked.leave = Some(act.leave(self.place, Clock::new().wall_ms())?);
        }
        Ok(())
    }
}

/// The requests that nobody has answered yet.
#[derive(Debug, Default)]
struct Asked {
    join: Option<Utf8PathBuf>,
    leave: Option<Utf8PathBuf>,
}

impl Asked {
    fn forget_answered(&mut self) {
        for request in [&mut self.join, &mut self.leave] {
            request.take_if(|path| !path.exists());
        }
    }
}

/// Where this candidate landed, for whoever finds its loop cut off while it waited. Where it is to be pushed too, only the
/// next attempt can tell whether it was.
pub(crate) fn landed_before(
    agreement: &Agreement,
    folder: &LoopPaths,
    candidate: &Candidate,
) -> Option<LandingWord> {
    let terms = agreement.landing.as_ref().filter(|terms| terms.push.is_none())?;
    let place = QueuePlace::for_loop(folder, terms);
    // A journal that cannot be read tells of no landing; the next attempt says why.
    let state = place.state().ok()?;
    let id = entry_id(agreement, candidate);
    let mut own = state.settled().iter().rev().filter(|settled| settled.entry.id == id);
    let EntryEnding::Landed { from, to, .. } = &own.next()?.ending else { return None };
    Some(LandingWord::Landed { commit: to.clone(), onto: from.clone() })
}

/// Nobody drives this loop any more: what it wanted to land waits no longer, unless it is being landed already.
pub(crate) fn withdraw(
    agreement: &Agreement,
    folder: &LoopPaths,
    candidate: &Candidate,
    wall_ms: u64,
) -> Result<(), RunError> {
    let Some(terms) = &agreement.landing else { return Ok(()) };
    let place = QueuePlace::for_loop(folder, terms);
    if !place.requests().directory().is_dir() {
        return Ok(());
    }
    LandingAct::Leave { entry: entry_id(agreement, candidate) }.leave(&place, wall_ms).map(drop)
}

// Looks at a queue from outside: where a loop waits in it, and what is being done for it.

/// What a queue's journal says of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub place: Option<QueueFacts>,
    /// Where the base branch was moved to with its work, the last time that it was.
    pub moved_to: Option<CommitId>,
    /// Its own merge below that.
    pub merge: Option<CommitId>,
}

/// Where this loop waits, and whether its work was landed before.
pub fn seen(agreement: &Agreement, folder: &LoopPaths) -> Seen {
    let Some(terms) = &agreement.landing else { return Seen::default() };
    let place = QueuePlace::for_loop(folder, terms);
    let Ok(state) = place.state() else { return Seen::default() };
    let is_own = |id: &EntryId| id.loop_id == agreement.loop_id;
    let line = state.line();
    let place = line.iter().zip(1..).find(|(place, _)| is_own(&place.entry.id));
    let of = u64::try_from(line.len()).unwrap_or(u64::MAX);
    let place =
        place.map(|(place, position)| QueueFacts { position, of, doing: doing(&state, place.ticket) });
    let moved = state.settled().iter().rev().filter(|one| is_own(&one.entry.id)).find_map(|one| {
        let EntryEnding::Landed { to, commit, .. } = &one.ending else { return None };
        Some((to.clone(), commit.clone()))
    });
    let (moved_to, merge) = moved.unzip();
    Seen { place, moved_to, merge }
}

/// A test is of all who wait before its last one, too.
fn doing(state: &QueueState, own: Ticket) -> QueueDoing {
    let doings = state.running().iter().map(|key| match &key.work {
        QueueWork::Move { landing, .. } if landing.iter().any(|one| one.ticket == own) => QueueDoing::Moving,
        QueueWork::Test { ticket, .. } if *ticket >= own => QueueDoing::Testing,
        QueueWork::Merge { ticket, .. } if *ticket == own => QueueDoing::Merging,
        QueueWork::Move { .. } | QueueWork::Test { .. } | QueueWork::Merge { .. } => QueueDoing::Nothing,
    });
    doings.max().unwrap_or(QueueDoing::Nothing)
}
