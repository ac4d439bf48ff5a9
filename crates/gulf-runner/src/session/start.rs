//! Beginning a loop in a session, taking over one that a state file tells of, and moving one to a session or away.
//!
//! Here a person acts: what is begun is announced before the session hears of it.

use gulf_agents::sessions::Host;
use gulf_engine::{EffectKind, Fact, PauseReason, Rejections, Stage, State, Worker};
use gulf_host::clock::Clock;
use gulf_host::journal::Durability;
use gulf_host::lock::Lock;
use gulf_spec::marker as markers;
use gulf_spec::marker::{Autonomy, Marker, MarkerActivity};

use super::armed::{self, Armed, Seat};
use super::marker;
use super::stop::{Means, Now, Outcome, drive};
use crate::agreement::WorkerTerms;
use crate::error::RunError;
use crate::known::KnownLoop;
use crate::place::PlaceOfWork;
use crate::plan::Plan;
use crate::start::{self, Held, StartError};

/// The session that is to work.
#[derive(Clone, Debug)]
pub struct Bound {
    pub host: Host,
    /// None: the first that stops.
    pub id: Option<String>,
    /// How long its file is by now: what is older is not the loop's.
    pub file_bytes: u64,
}

/// Takes over the loop of a state file: it is a loop like any other from now on, on the seed's terms.
pub fn adopt(
    place: &PlaceOfWork,
    plan: Plan,
    marker: &Marker,
    bound: &Bound,
    clock: &Clock,
) -> Result<(), StartError> {
    let mut held = start::start(place, plan, clock)?;
    let worker = Worker::Session { host: bound.host.name().to_owned(), id: bound.id.clone() };
    let limit = marker.iterations_max;
    // Nothing was finished before the first iteration, and a limit of none ends at once.
    let finished = if limit == 0 { u32::MAX } else { marker.iteration.min(limit).saturating_sub(1) };
    let mut facts = vec![
        Fact::Bound { worker },
        Fact::Adopted { iteration: finished, rejections: marker.consecutive_rejections },
    ];
    if marker.standing == MarkerActivity::Paused {
        facts.push(Fact::Paused { reason: reason(marker.pause_reason.as_ref()) });
    }
    held.book.add(facts, clock.wall_ms())?;
    // Whoever adopts has closed the checkout already.
    let armed = armed_of(place, &held, bound);
    armed.keep(&place.home)?;
    let ours = marker::compose(&held.resources.agreement, held.book.state(), armed.rested);
    Ok(marker::write(&place.project, &ours)?)
}

fn reason(found: Option<&markers::MarkerPause>) -> PauseReason {
    match found {
        Some(markers::MarkerPause::Milestone) => PauseReason::Milestone,
        Some(markers::MarkerPause::Hitl) => PauseReason::HumanGate,
        Some(markers::MarkerPause::None | markers::MarkerPause::Other(_)) | None => PauseReason::Asked,
    }
}

/// The terms on which a state file's loop is taken over.
pub fn terms_of(marker: &Marker, host: Host) -> WorkerTerms {
    WorkerTerms::Adopted {
        host: host.name().to_owned(),
        then: match marker.autonomy {
            Autonomy::Attended => Rejections::Pause,
            Autonomy::Autonomous => Rejections::ResetStrategy,
        },
        branch: marker.branch.clone(),
        base_branch: marker.base_branch.clone(),
        worktree_path: marker.worktree_path.clone(),
    }
}

/// Lets a session go on with a loop, wherever it was worked on before.
pub fn hand_on(
    place: &PlaceOfWork,
    known: &KnownLoop,
    bound: &Bound,
    closed: Lock,
    means: Means,
) -> Result<(Seat, Outcome), StartError> {
    let checkout = start::take_checkout(place, known.name.as_str())?;
    begin(place, start::hold(place, &known.name, checkout)?, bound, closed, means)
}

/// Tells the session that this seat is kept for of the turn that it begins.
pub fn tell(mut seat: Seat, bound: &Bound, means: Means) -> Result<(Seat, Outcome), StartError> {
    let mut held = seat.hold()?;
    let now = Now { worked_ms: 0, ..Now::read(&held.book, &means.clock) };
    let worker = Worker::Session { host: bound.host.name().to_owned(), id: bound.id.clone() };
    let is_new = held.book.state().worker != worker;
    let facts = is_new.then_some(Fact::Bound { worker }).into_iter().collect();
    held.book.record(facts, now.stamp(&held.book), Durability::Synced, |_, _| {})?;
    seat.armed.session.clone_from(&bound.id);
    bound.host.name().clone_into(&mut seat.armed.host);
    seat.armed.read_bytes = bound.file_bytes;
    seat.armed.read_mark = None;
    let outcome = drive(&mut seat, held, means, now)?;
    seat.armed.blocks = 0;
    Ok((seat, outcome))
}

/// Wakes a loop that rests, where its session is not there to hear of it: it is told at its next prompt or stop.
pub fn wake(place: &PlaceOfWork, known: &KnownLoop, means: Means) -> Result<(Seat, Outcome), StartError> {
    let mut seat = match Seat::take(&place.home, &place.project)? {
        Some(seat) => seat,
        None => {
            let Worker::Session { host, id } = known.fold.state.worker.clone() else {
                return Err(RunError::NoContract.into());
            };
            let closed = Seat::close(&place.home, &place.project)?;
            Seat::make(place, Armed::new(place, known.name.as_str(), &host, id), closed)?
        }
    };
    let mut held = seat.hold()?;
    let now = Now { worked_ms: 0, ..Now::read(&held.book, &means.clock) };
    if is_resumable(held.book.state()) {
        held.book.record(vec![Fact::Resumed], now.stamp(&held.book), Durability::Synced, |_, _| {})?;
    }
    seat.armed.rested = true;
    let outcome = drive(&mut seat, held, means, now)?;
    seat.armed.blocks = 0;
    seat.armed.handed = None;
    seat.save()?;
    Ok((seat, outcome))
}

/// Binds a held loop to a session, goes on from a pause, and drives it to the session's turn.
pub fn begin(
    place: &PlaceOfWork,
    mut held: Held,
    bound: &Bound,
    closed: Lock,
    means: Means,
) -> Result<(Seat, Outcome), StartError> {
    // Whoever worked before has left: what lies between says nothing of this session.
    let now = Now { worked_ms: 0, ..Now::read(&held.book, &means.clock) };
    let was_paused = matches!(&held.book.state().stage, Stage::Paused(..));
    let worker = Worker::Session { host: bound.host.name().to_owned(), id: bound.id.clone() };
    let mut facts = vec![Fact::Bound { worker }];
    if is_resumable(held.book.state()) {
        facts.push(Fact::Resumed);
    }
    held.book.record(facts, now.stamp(&held.book), Durability::Synced, |_, _| {})?;
    let before = Armed::read(&place.home, &place.project)?;
    let mut armed = armed_of(place, &held, bound);
    armed.moved_from = before.and_then(|before| left_behind(&before, &armed));
    let mut seat = Seat::make(place, armed, closed)?;
    seat.armed.rested |= was_paused;
    let outcome = drive(&mut seat, held, means, now)?;
    seat.armed.blocks = 0;
    seat.save()?;
    Ok((seat, outcome))
}

/// The session that worked on the same loop until now, if that is another one.
fn left_behind(before: &Armed, now: &Armed) -> Option<String> {
    let is_other = before.loop_id == now.loop_id && before.session != now.session;
    before.session.clone().filter(|_| is_other)
}

fn is_resumable(state: &State) -> bool {
    matches!(&state.stage, Stage::Paused(..)) && state.open_questions().next().is_none()
}

fn armed_of(place: &PlaceOfWork, held: &Held, bound: &Bound) -> Armed {
    let id = held.resources.agreement.loop_id.as_str();
    let mut armed = Armed::new(place, id, bound.host.name(), bound.id.clone());
    armed.read_bytes = bound.file_bytes;
    armed.rested = matches!(&held.book.state().stage, Stage::Paused(..));
    armed
}

/// Gives a loop to agent processes of gulf's own: the session stops untouched from now on.
pub fn move_here(place: &PlaceOfWork, held: &mut Held, clock: &Clock) -> Result<(), RunError> {
    if matches!(&held.book.state().worker, Worker::Session { .. }) {
        held.book.add(vec![Fact::Bound { worker: Worker::Processes }], clock.wall_ms())?;
    }
    let_go(place)
}

/// Clears away what tells a session of a loop: it is over, or somebody else's.
pub fn let_go(place: &PlaceOfWork) -> Result<(), RunError> {
    if Armed::read(&place.home, &place.project)?.is_some() {
        marker::remove(&place.project);
    }
    armed::clear(&place.home, &place.project)
}

/// Writes the marker of a loop whose standing a command has changed.
pub fn show(place: &PlaceOfWork, known: &KnownLoop) -> Result<(), RunError> {
    let Some(mut seat) = Seat::take(&place.home, &place.project)? else { return Ok(()) };
    let state = &known.fold.state;
    if matches!(&state.stage, Stage::Paused(..)) {
        seat.armed.rested = true;
        seat.save()?;
    }
    marker::write(&place.project, &marker::compose(&known.agreement()?, state, seat.armed.rested))
}

/// Does a marker name a loop that gulf knows here?
pub fn is_known(place: &PlaceOfWork, marker: &Marker) -> bool {
    let name = marker.loop_id.as_deref().and_then(|id| gulf_host::home::Name::parse(id).ok());
    name.is_some_and(|name| place.loop_home(&name).journal().is_file())
}

/// Is the turn that the session has the one that it was told of?
pub fn was_told(armed: &Armed, state: &State) -> bool {
    let runs = state.running.iter().find(|key| key.work == EffectKind::Turn);
    runs.is_some_and(|key| armed.handed == Some((key.iteration, key.attempt)))
}
