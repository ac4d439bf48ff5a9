//! Taking in what a session and its person left since the last stop: the turn itself, and edits of the marker.
//!
//! Each becomes a fact before the engine is asked, and none is looked at twice.

use std::num::NonZeroU32;

use gulf_engine::{EffectKey, EffectKind, EffectResult, Fact, LandingWord, Next, Policy, Stage};
use gulf_host::journal::Durability;
use gulf_host::process::sweep;
use gulf_spec::marker::{MarkerActivity, MarkerEdit, edits};

use super::armed::Seat;
use super::marker::{self, Found, MARKER, find};
use super::stop::{Now, Outcome, Stopped};
use super::turn;
use crate::agreement::Agreement;
use crate::amend::amend;
use crate::drive::is_turn_wanted;
use crate::error::RunResult;
use crate::recovery::recovered;
use crate::start::Held;

/// While something runs in the background there is nothing to judge yet. It wakes the session when it is over; only a
/// session that claims already is told to see to it, once.
pub(super) fn waits(seat: &mut Seat, held: &Held, stopped: &Stopped) -> RunResult<Option<Outcome>> {
    if stopped.background.is_empty() {
        return Ok(None);
    }
    let message = stopped.message.as_deref().unwrap_or_default();
    let promised = turn::is_promised(message, &held.resources.agreement);
    if promised && seat.armed.waited {
        // It was told, and says that it is done all the same: a server may stay.
        return Ok(None);
    }
    if promised {
        seat.armed.waited = true;
        seat.armed.blocks = seat.armed.blocks.saturating_add(1);
        seat.save()?;
    }
    Ok(Some(Outcome::Waits { tasks: stopped.background.clone(), is_claimed: promised }))
}

/// The turn that is over, whatever was known of it.
pub(super) fn record_turn(seat: &mut Seat, held: &mut Held, stopped: &Stopped, now: Now) -> RunResult<()> {
    let stage = held.book.state().stage.clone();
    let orphans: Vec<EffectKey> = held.book.state().running.iter().cloned().collect();
    let work = &held.resources;
    let cut_off = orphans.iter().filter(|key| key.work != EffectKind::Turn);
    let facts = cut_off.flat_map(|key| recovered(&work.agreement, &work.folder, held.book.state(), key));
    let mut facts: Vec<Fact> = facts.collect();
    if !facts.is_empty() {
        // gulf was killed in the middle of it: nothing that it had started goes on alone.
        sweep(&work.mark_prefix());
    }
    let key = match (&stage, orphans.into_iter().find(|key| key.work == EffectKind::Turn)) {
        (Stage::Turn, Some(running)) => running,
        // At a limit, or about to rest: no further turn counts.
        (Stage::Between(_), _) if !is_turn_wanted(held.book.state()) => return Ok(()),
        (Stage::Between(next), _) => {
            // The session went on without having been told: this was a turn as well.
            let key = key_of_turn(held, Some(*next));
            facts.push(Fact::Began { key: key.clone() });
            key
        }
        // gulf was killed while it looked at the last turn, and the session went on since.
        (Stage::Turn | Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..), _) => {
            key_of_turn(held, None)
        }
        (Stage::Unsealed | Stage::Paused(..) | Stage::Ended(_), _) => return Ok(()),
    };
    let landed = |result: &EffectResult| matches!(result, EffectResult::Landing(LandingWord::Landed { .. }));
    let has_landed = |fact: &Fact| matches!(fact, Fact::Ended { result, .. } if landed(result));
    if held.book.state().landed_as().is_some() || facts.iter().any(has_landed) {
        // Whatever the session did since, the loop is over.
        held.book.record(facts, now.stamp(&held.book), Durability::Synced, |_, _| {})?;
        return seat.save();
    }
    let (turn, spent) = turn::ended(work, held.book.fold(), &key, &mut seat.armed, stopped, now.worked_ms)?;
    facts.extend(spent.map(|spent| Fact::Spent { key: key.clone(), spent }));
    facts.push(match stage {
        Stage::Settling(_) | Stage::Gates(..) | Stage::FollowUp(..) => Fact::Reopened { turn },
        Stage::Turn | Stage::Between(_) | Stage::Unsealed | Stage::Paused(..) | Stage::Ended(_) => {
            Fact::Ended { key, result: EffectResult::Turn(turn) }
        }
    });
    // The driver waits for the disk: before anything that takes long, and when the next turn begins.
    held.book.record(facts, now.stamp(&held.book), Durability::Buffered, |_, _| {})?;
    seat.save()
}

/// The last turn, or the one that came next without having been announced.
fn key_of_turn(held: &Held, next: Option<Next>) -> EffectKey {
    let unit = &held.book.state().unit;
    let (iteration, attempt) = match next {
        None => (unit.iteration, unit.attempt),
        Some(Next::Advance) => (unit.iteration + 1, 1),
        Some(Next::Repeat) => (unit.iteration, unit.attempt + 1),
    };
    EffectKey { unit: unit.id, iteration, attempt, work: EffectKind::Turn }
}

/// What a person or a worker did to the marker since it was written: what tightens counts (SPEC G21).
pub(super) fn take_edits(held: &mut Held, seat: &Seat, now: Now) -> RunResult<()> {
    let project = seat.armed.project.clone();
    let stamp = now.stamp(&held.book);
    let asked = |what: &str| vec![Fact::Taken { request: format!("marker: {what}") }, Fact::PauseAsked];
    match find(&project, MARKER)? {
        Found::Nothing => {
            held.book.record(asked("taken away"), stamp, Durability::Synced, |_, _| {})?;
        }
        Found::Corrupt { problem } => {
            let kept = marker::set_aside(&project, MARKER, now.at_ms)?;
            let note =
                format!("{MARKER} could not be read ({problem}); it is kept as {kept}, and written anew");
            held.notes.push(note);
        }
        Found::Marker(found) => {
            // It was written when the turn began; what it says of that has not changed. Nobody reads who is bound there.
            let mut ours = marker::compose(&held.resources.agreement, held.book.state(), seat.armed.rested);
            ours.session.clone_from(&found.marker.session);
            for edit in edits(&ours, &found) {
                match edit {
                    MarkerEdit::Paused => {
                        held.book.record(asked("active: false"), stamp, Durability::Synced, |_, _| {})?;
                    }
                    MarkerEdit::LowerIterationsMax(most) => {
                        held.notes
                            .push(format!("max_iterations was lowered to {most} in {MARKER}: that counts"));
                        let agreement = with_limit(&held.resources.agreement, most);
                        amend(held, agreement, now.at_ms)?;
                    }
                    MarkerEdit::Loosened { what } => held.notes.push(undoing(&what)),
                }
            }
        }
    }
    Ok(())
}

/// Edits of the marker while the loop rests: none of them counts.
pub(super) fn undone(seat: &Seat, held: &Held) -> RunResult<Vec<String>> {
    let project = &seat.armed.project;
    let Found::Marker(found) = find(project, MARKER)? else { return Ok(Vec::new()) };
    let mut ours = marker::compose(&held.resources.agreement, held.book.state(), seat.armed.rested);
    ours.session.clone_from(&found.marker.session);
    let loosened = |edit| if let MarkerEdit::Loosened { what } = edit { Some(undoing(&what)) } else { None };
    let notes: Vec<String> = edits(&ours, &found).into_iter().filter_map(loosened).collect();
    if !notes.is_empty() && ours.standing == MarkerActivity::Paused {
        marker::write(project, &ours)?;
    }
    Ok(notes)
}

fn undoing(what: &str) -> String {
    format!("in {MARKER} {what}: that does not count, and is undone")
}

/// At least one iteration is agreed on; it is over by now.
fn with_limit(sealed: &Agreement, most: u32) -> Agreement {
    let iterations_max = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
    let limits = gulf_engine::Limits { iterations_max, ..sealed.policy.limits };
    Agreement { policy: Policy { limits, ..sealed.policy.clone() }, ..sealed.clone() }
}
