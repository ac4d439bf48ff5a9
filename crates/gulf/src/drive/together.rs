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
use crate::failure::{ERROR, Failure, INTERRUPTED};
use crate::screen::{self, Board, ScreenWorker, TellingStyle};
use crate::{ending, place};

/// A loop of the group, where it works, and what stops it.
struct GroupMember {
    place: PlaceOfWork,
    held: Held,
    worker: ScreenWorker,
    leave: Stop,
}

/// What belongs to a group and is not driven with it.
#[derive(Debug, Default)]
pub struct RestOfGroup {
    /// They had ended before.
    pub over: Vec<KnownLoop>,
    /// Those that do not go on, and why.
    pub failures: Vec<(KnownLoop, Failure)>,
}

/// Those of the same group that have ended.
pub fn over(one: &KnownLoop, among: &[KnownLoop]) -> Vec<KnownLoop> {
    group::members(one, among).into_iter().filter(|known| !known.is_unfinished()).collect()
}

/// Drives all of them until each has ended or rests, and shows what became of them.
pub fn drive(
    members: Vec<(PlaceOfWork, Held)>,
    beside: RestOfGroup,
    manner: &DriveStyle,
    clock: &Arc<Clock>,
) -> Result<u8, Failure> {
    let DriveStyle { telling, patience, .. } = *manner;
    let board = Arc::new(Board::new(members.len()));
    let seat = |(index, (place, held)): (usize, (PlaceOfWork, Held))| {
        let number = Some(group::worker(&held.resources.agreement).map_or(1, |worker| worker.number));
        let worker = ScreenWorker { number, seat: index, board: board.clone() };
        GroupMember { place, held, worker, leave: Stop::default() }
    };
    let seated: Vec<GroupMember> = members.into_iter().enumerate().map(seat).collect();
    let leaves: Vec<Stop> = seated.iter().map(|one| one.leave.clone()).collect();
    let _listening = signals::listen(move |interruption| {
        for leave in &leaves {
            leave.obey(interruption);
        }
    })
    .map_err(Failure::broken)?;
    let homes: Vec<LoopPaths> = seated.iter().map(|one| one.held.resources.folder.clone()).collect();
    let first_is_enough = seated.iter().any(|one| group::is_over_with_first(&one.held.resources.agreement));
    let driven = group::side_by_side(seated, |index, one| {
        let worker = Some(&one.worker);
        let driving = DriveOptions { telling, clock, leave: &one.leave, worker, seen: 0 };
        let driven = on_and_on(&one.place, one.held, driving, patience);
        if first_is_enough && driven.as_ref().is_ok_and(|driven| driven.state.landed_as().is_some()) {
            stop_others(&homes, index, clock, &one.worker);
        }
        driven
    });
    conclude(driven, beside, first_is_enough, telling)
}

/// Drives one of them, also over pauses from which a person leads on.
fn on_and_on(
    place: &PlaceOfWork,
    mut held: Held,
    mut driving: DriveOptions<'_>,
    patience: Patience,
) -> Result<DrivenLoop, Failure> {
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

/// One has landed: the others are stopped, and their branches and worktrees stay.
fn stop_others(homes: &[LoopPaths], landed: usize, clock: &Arc<Clock>, worker: &ScreenWorker) {
    let others = homes.iter().enumerate().filter(|(index, _)| *index != landed);
    for (_, home) in others {
        // One that is over already has nobody to hear it.
        if let Err(error) = group::stop(home, clock) {
            worker.board.say(&format!("note: cannot stop {}: {error}", home.root()));
        }
    }
}

/// The last screen of all, and the exit code: 0 where all that was wanted has landed, else that of the worst end.
fn conclude(
    driven: Vec<Result<DrivenLoop, Failure>>,
    beside: RestOfGroup,
    first_is_enough: bool,
    telling: TellingStyle,
) -> Result<u8, Failure> {
    let RestOfGroup { over, failures: left_behind } = beside;
    let mut failures = Vec::new();
    let mut members = Vec::new();
    let mut codes = Vec::new();
    let mut goal = String::new();
    for known in over {
        let (member, _) = place::member(&known, DriverPresence::Absent)?;
        codes.push(if member.has_landed() { 0 } else { member.standing.exit_code() });
        members.push(member);
    }
    for (known, failure) in left_behind {
        let (member, _) = place::member(&known, DriverPresence::Absent)?;
        codes.push(member.standing.exit_code());
        members.push(Member { left_behind: Some(failure.in_one_line()), ..member });
        failures.push(failure);
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
