//! Several loops on one goal, each in a worktree of its own, for sessions that a person opens there (CONTRACT §1.3).
//!
//! It stands apart because the session in which this is typed works on none of them: it hears where they are.

use std::fmt::Write as _;
use std::sync::Arc;

use gulf_agents::sessions::Host;
use gulf_host::clock::Clock;
use gulf_runner::branching::{self, Begun};
use gulf_runner::drive::Leave;
use gulf_runner::group;
use gulf_runner::observer::Unobserved;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::remains;
use gulf_runner::session::{self, Bound, Means, Outcome, Seat};
use gulf_runner::start::{self, Held, Known, Loops};
use gulf_spec::config::Preset;
use gulf_views::resume_command;

use super::conclude::concluded;
use super::seal::agreed;
use crate::ending::{self, Replacing};
use crate::failure::Failure;
use crate::paths::quoted;
use crate::starting::{RunRequest, apart, composed_of};
use crate::trusting::{self, Word};
use crate::{place, settings};

/// Are several loops asked for?
pub fn is_meant(place: &PlaceOfWork, request: &RunRequest) -> Result<bool, Failure> {
    Ok(settings::heard(place, request.heard, request.flags.clone())?.preset == Preset::Parallel)
}

/// Makes the worktrees, seals a loop in each, and says what a person is to type there.
pub fn prepare(
    place: &PlaceOfWork,
    request: &RunRequest,
    (host, word): (Host, Word<'_>),
    clock: &Arc<Clock>,
) -> Result<String, Failure> {
    refuse_in_linked(place)?;
    let mut notes = branching::clear_away(place)?.told();
    notes.extend(remains::put_all_away(place));
    let same = same_goal(place, request)?;
    let config = settings::heard(place, request.heard, request.flags.clone())?;
    let plan = composed_of(place, request, config.clone())?;
    trusting::give_at(place, word, &trusting::commands(&place.project, &config, &plan.terms.checks))?;
    let (from, planned) = apart::beside(place, &config, plan, clock.wall_ms())?;
    notes.extend(planned.first().map(|(_, plan)| plan.notes.clone()).unwrap_or_default());
    let agreed = planned.first().map(|(_, plan)| agreed(plan)).unwrap_or_default();
    for one in &same {
        ending::may_end(one, request.replacing)?;
    }
    for one in &same {
        ending::replace(place, one, clock)?;
        session::let_go(&place.of_loop(&one.agreement()?))?;
    }
    let Begun { held, notes: more } = branching::begin(place, &from, planned, clock)?;
    notes.extend(from.notes.into_iter().chain(more));
    let mut told =
        format!("gulf: {} loops are ready, each in a worktree of its own.\n{agreed}\n", held.len());
    for one in held {
        let _ = write!(told, "\n{}", worker(&one, host));
        if let Err(failure) = wait_for_session(place, one, host, clock) {
            // Sealed it is: what is typed there begins it all the same.
            notes.push(failure.in_one_line());
        }
    }
    let _ = write!(
        told,
        "\nEach is for a session of its own, in another terminal. Here `gulf status` shows all of them, `gulf cancel` ends \
         them, and `gulf resume --here` gives them to agents that gulf starts itself."
    );
    for note in notes {
        let _ = write!(told, "\nnote: {note}");
    }
    Ok(told)
}

/// Worktrees of worktrees are what nobody finds again.
fn refuse_in_linked(place: &PlaceOfWork) -> Result<(), Failure> {
    match &place.layout {
        Some(layout) if layout.git_dir != layout.common_dir => Err(Failure::usage(
            format!("already inside a worktree: {}", place.project),
            "type it in a session in the repository's own checkout; or `gulf run --preset parallel …` in a terminal",
        )),
        Some(_) | None => Ok(()),
    }
}

/// The unfinished loops on this goal, which the person lets go.
fn same_goal(place: &PlaceOfWork, request: &RunRequest) -> Result<Vec<Known>, Failure> {
    let Loops { known, .. } = start::loops(place)?;
    let open: Vec<Known> =
        known.into_iter().filter(|one| one.is_unfinished() && one.is_of(&place.project)).collect();
    let Some(one) = start::same_goal(&open, &request.goal) else { return Ok(Vec::new()) };
    if request.replacing != Replacing::Refused {
        return Ok(group::together(one, &open));
    }
    Err(Failure::usage(
        format!("this goal has an unfinished loop: {}", one.handle()),
        "`gulf status` says where; go on there, end it with `gulf cancel`, or say `--replace`",
    ))
}

/// One of them, as the person reads it.
fn worker(held: &Held, host: Host) -> String {
    let agreement = &held.workshop.agreement;
    let number = group::worker(agreement).map_or(1, |worker| worker.number);
    let branch = place::branch(agreement);
    let way = branch.map(|branch| format!("{} → {}", branch.name, branch.base)).unwrap_or_default();
    let enter = format!("cd {}", quoted(agreement.project.as_str()));
    let typed = resume_command(host.name());
    let typed = match host {
        Host::Claude => format!("{enter} && claude '{typed}'"),
        Host::Codex | Host::Copilot => format!("{enter} && {}\n  {typed}", host.name()),
        Host::Other => format!("{enter}\n  {typed}"),
    };
    format!("worker {number}: {way}\n  {typed}\n")
}

/// The first session that is opened there works on it.
fn wait_for_session(place: &PlaceOfWork, held: Held, host: Host, clock: &Arc<Clock>) -> Result<(), Failure> {
    let there = apart::of_held(place, &held)?;
    let closed = Seat::close(&there.home, &there.project)?;
    let bound = Bound { host, id: None, file_bytes: 0 };
    let mut unobserved = Unobserved;
    let means = Means { clock: clock.clone(), leave: Leave::default(), observer: &mut unobserved };
    let (mut seat, outcome) = session::begin(&there, held, &bound, closed, means)?;
    match outcome {
        Outcome::Driven(driven) => concluded(&mut seat, &driven),
        Outcome::NotOurs | Outcome::Moved | Outcome::Again(_) | Outcome::Waits { .. } => Ok(()),
    }
}
