//! Several loops on one goal, driven in one process: each in a thread of its own, one Ctrl-C for all of them, one last
//! screen (SPEC G19).

use gulf_runner::folder::LoopPaths;
use std::sync::Arc;

use gulf_host::clock::Clock;
use gulf_host::signals;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::group;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{Held, KnownLoop};
use gulf_runner::stop::Stop;
use gulf_views::{DriverPresence, Member, group_json, group_result};

use super::notify::{self, Patience};
use super::{DriveOptions, DriveStyle, DrivenLoop, exit_code};
use crate::failure::{ERROR, Failure, INTERRUPTED, Result};
use crate::screen::{self, Board, ScreenWorker, TellingStyle};
use crate::{ending, place};

/// What belongs to a group and is not driven with it: each had ended before, or does not go on, and why.
pub type RestOfGroup = Vec<(KnownLoop, Option<Failure>)>;

/// Those of the same group that have ended.
pub fn over(one: &KnownLoop, among: &[KnownLoop]) -> Vec<KnownLoop> {
    group::members(one, among).into_iter().filter(|known| !known.is_unfinished()).collect()
}

/// Drives all of them until each has ended or rests, and shows what became of them.
pub fn drive(
    members: Vec<(PlaceOfWork, Held)>,
    rest: RestOfGroup,
    manner: &DriveStyle,
    clock: &Arc<Clock>,
) -> Result<u8> {
    let DriveStyle { telling, patience, .. } = *manner;
    let board = Arc::new(Board::new(members.len()));
    let leaves: Vec<Stop> = members.iter().map(|_| Stop::default()).collect();
    let all = leaves.clone();
    let listening =
        signals::listen(move |interruption| all.iter().for_each(|leave| leave.obey(interruption)));
    let _listening = listening.map_err(Failure::broken)?;
    let resources = || members.iter().map(|(_, held)| &held.resources);
    let homes: Vec<LoopPaths> = resources().map(|one| one.folder.clone()).collect();
    let first_is_enough = resources().any(|one| group::is_over_with_first(&one.agreement));
    let driven = group::side_by_side(members, |seat, (place, held)| {
        let number = Some(group::worker(&held.resources.agreement).map_or(1, |worker| worker.number));
        let worker = ScreenWorker { number, seat, board: board.clone() };
        let driving = DriveOptions { telling, clock, leave: &leaves[seat], worker: Some(&worker), seen: 0 };
        let driven = on_and_on(&place, held, driving, patience);
        if first_is_enough && driven.as_ref().is_ok_and(|driven| driven.state.landed_as().is_some()) {
            // One has landed: the others are stopped, and their branches and worktrees stay.
            for (_, home) in homes.iter().enumerate().filter(|(other, _)| *other != seat) {
                // One that is over already has nobody to hear it.
                if let Err(error) = group::stop(home, clock) {
                    worker.board.say(&format!("note: cannot stop {}: {error}", home.root()));
                }
            }
        }
        driven
    });
    conclude(driven, rest, first_is_enough, telling)
}

/// Drives one of them, also over pauses from which a person leads on.
fn on_and_on(
    place: &PlaceOfWork,
    mut held: Held,
    mut driving: DriveOptions<'_>,
    patience: Patience,
) -> Result<DrivenLoop> {
    loop {
        let mut driven = super::drive(place, held, driving)?;
        if let Some(again) = notify::wait(place, &mut driven, &driving, patience)? {
            (held, driving.seen) = (again, driven.seen);
            continue;
        }
        if matches!(driven.left, DriveOutcome::Ended(_)) {
            notify::tell(&mut driven, &driving);
        }
        return Ok(driven);
    }
}

/// The last screen of all, and the exit code: 0 where all that was wanted has landed, else that of the worst end.
fn conclude(
    driven: Vec<Result<DrivenLoop>>,
    rest: RestOfGroup,
    first_is_enough: bool,
    telling: TellingStyle,
) -> Result<u8> {
    let mut failures = Vec::new();
    let mut members = Vec::new();
    let mut codes = Vec::new();
    let mut goal = String::new();
    for (known, failure) in rest {
        let (member, _) = place::member(&known, DriverPresence::Absent)?;
        let has_landed = failure.is_none() && member.has_landed();
        codes.push(if has_landed { 0 } else { member.standing.exit_code() });
        members.push(Member { left_behind: failure.as_ref().map(Failure::in_one_line), ..member });
        failures.extend(failure);
    }
    for one in driven {
        match one {
            Ok(driven) => {
                let code = if driven.state.landed_as().is_some() { 0 } else { exit_code(&driven.left) };
                let is_told = code != 0 || ending::stands(&driven.home, &driven.state).is_ok();
                codes.push(if is_told { code } else { ERROR });
                let DrivenLoop { screen, state, .. } = &driven;
                members.push(Member::new(&screen.facts, &screen.history, state, DriverPresence::Absent));
                goal.clone_from(&screen.facts.title);
            }
            Err(failure) => failures.push(failure),
        }
    }
    members.sort_by_key(Member::number);
    let is_enough = first_is_enough && members.iter().any(Member::has_landed);
    let worst = codes.into_iter().max_by_key(|code| severity(*code)).unwrap_or(0);
    let code = if is_enough && failures.is_empty() { 0 } else { worst };
    match telling {
        TellingStyle::Json => outln!("{}", group_json(&goal, &members, code)),
        TellingStyle::Lines => out!("\n{}", group_result(&goal, &members, screen::stdout_look())),
    }
    failures.pop().map_or(Ok(code), Err)
}

/// An error outranks every end, and a loop that was left outranks those that are over.
fn severity(code: u8) -> u16 {
    match code {
        ERROR => u16::MAX,
        INTERRUPTED => u16::MAX - 1,
        other => u16::from(other),
    }
}
