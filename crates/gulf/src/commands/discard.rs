//! `gulf discard`: the opposite of `gulf land`.
//!
//! What would go is shown first, and a person says yes. A change goes out of the checkout that it was made in; of a loop
//! with a branch of its own, worktree and branch go. Of several workers on one goal all that are left are meant.

use gulf_engine::{Act, LandingWord, Stage};
use gulf_host::clock::Clock;
use gulf_runner::agreement::Agreement;
use gulf_runner::book;
use gulf_runner::claims::Caller;
use gulf_runner::cleanup::{ThrowAway, throw_away, to_throw_away};
use gulf_runner::group;
use gulf_runner::keeping::{self, TakeOut};
use gulf_runner::landing;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::KnownLoop;
use gulf_spec::text::listed;
use gulf_views::{DriverPresence, History, comes_back};

use crate::cli::DiscardArguments;
use crate::failure::{Failure, Result};
use crate::place::driver_of;
use crate::report::{landed, worktree};
use crate::requests::person;
use crate::screen::say;
use crate::{ending, input, place, requests};

/// Lines of one kind that are shown.
const SHOWN_MAX: usize = 12;

/// What would go.
enum Going {
    Change(Box<TakeOut>),
    Ground(Box<ThrowAway>),
}

pub fn discard(arguments: &DiscardArguments) -> Result<u8> {
    let place = place::here()?;
    let meant = meant(&place, arguments.id.as_deref())?;
    let Some(first) = meant.first() else {
        // The one that is meant may not be over.
        let newest = place::open_here(&place)?.into_iter().max_by_key(|one| one.fold.last_at_ms);
        newest.map_or(Ok(()), |one| may_go(&one))?;
        let last = place::known_here(&place, None)?.into_iter().max_by_key(|one| one.fold.last_at_ms);
        let landed = last.map(|one| landing_of(&one)).transpose()?.flatten();
        let why = landed.map(|(what, hint)| format!(": {what}; {hint}")).unwrap_or_default();
        say(&format!("There is nothing to discard here{why}.\n"))?;
        return Ok(0);
    };
    if Caller::of_this_process() != Caller::Person {
        // Act like any other act, so that the refusal is written down.
        return requests::put(&place, first, &Act::Discard { by: String::new() });
    }
    let mut going = Vec::new();
    for known in &meant {
        may_go(known)?;
        going.push((known, inspect(&place, known)?));
    }
    for (known, going) in &going {
        say(&summary(known, going))?;
    }
    if !arguments.yes && !is_agreed(&meant)? {
        say("Nothing was discarded.\n")?;
        return Ok(0);
    }
    for (known, going) in &going {
        carry_out(&place, known, going)?;
        say(&kept(known)?)?;
    }
    Ok(0)
}

/// The loop of this id, or the last that is over here and left something; with it the others of its group that did.
fn meant(place: &PlaceOfWork, id: Option<&str>) -> Result<Vec<KnownLoop>> {
    if let Some(id) = id {
        return Ok(vec![place::meant(place, Some(id))?]);
    }
    let here = place::known_here(place, None)?;
    if here.is_empty() {
        place::tell_of_earlier(place);
    }
    let is_left = |one: &KnownLoop| {
        let state = &one.fold.state;
        matches!(&state.stage, Stage::Ended(_)) && !state.is_discarded && landed(one).is_none()
    };
    // The end tells which was last, not the beginning.
    let Some(last) = here.iter().max_by_key(|one| one.fold.last_at_ms) else { return Ok(Vec::new()) };
    let of_group: Vec<KnownLoop> = group::members(last, &here).into_iter().filter(is_left).collect();
    Ok(if of_group.is_empty() && is_left(last) { vec![last.clone()] } else { of_group })
}

fn may_go(known: &KnownLoop) -> Result<()> {
    let id = known.handle();
    if driver_of(known)? == DriverPresence::Present || known.is_unfinished() {
        let what = format!("{id} has not ended, and only the work of an ended loop can be discarded");
        return Err(Failure::usage(what, format!("`gulf cancel {id}` ends it")));
    }
    landing_of(known)?.map_or(Ok(()), |(what, hint)| Err(Failure::usage(what, hint)))
}

/// As what it has landed, and what takes that back.
fn landing_of(known: &KnownLoop) -> Result<Option<(String, String)>> {
    let Some(commit) = landed(known) else { return Ok(None) };
    let merge = landing::seen(&known.agreement()?, &known.home).merge;
    let commit = merge.as_ref().unwrap_or(commit).as_str();
    let hint =
        format!("`git revert {commit}` takes it back; where it is a merge, `git revert -m 1 {commit}`");
    Ok(Some((format!("{} has landed, as {commit}", known.handle()), hint)))
}

fn inspect(place: &PlaceOfWork, known: &KnownLoop) -> Result<Going> {
    let agreement = known.agreement()?;
    if agreement.landing.is_some() || is_fork(&agreement) {
        return Ok(Going::Ground(Box::new(to_throw_away(place, known)?)));
    }
    Ok(Going::Change(Box::new(keeping::planned(&place::of_loop(place, known)?, known)?)))
}

fn carry_out(place: &PlaceOfWork, known: &KnownLoop, going: &Going) -> Result<()> {
    let there = match going {
        Going::Ground(away) => {
            throw_away(place, known, &person(), &Clock::new())?;
            away.out.as_ref().map(|_| place::of_loop(place, known)).transpose()?
        }
        Going::Change(_) => {
            let there = place::of_loop(place, known)?;
            keeping::take_out(&there, known, &person(), &Clock::new())?;
            Some(there)
        }
    };
    let now = KnownLoop::read(known.name.clone(), known.home.clone())?;
    there.map_or(Ok(()), |there| ending::write(&there, &now))
}

/// A fork has a worktree and a branch of its own, and lands nowhere.
fn is_fork(agreement: &Agreement) -> bool {
    agreement.forked_from.as_ref().is_some_and(|from| from.branch.is_some())
}

fn summary(known: &KnownLoop, going: &Going) -> String {
    let lines: Vec<String> = match going {
        Going::Change(out) if out.is_nothing() => vec!["its change is no longer in the checkout".to_owned()],
        Going::Change(out) => lines_of(out),
        Going::Ground(away) if away.is_nothing() => {
            vec!["its worktree and branch are gone already".to_owned()]
        }
        Going::Ground(away) => {
            let worktree = away.worktree.as_ref().map(|path| format!("worktree that is removed: {path}"));
            let branch = away.branch.as_ref().map(|branch| format!("branch that is deleted: {branch}"));
            let lost = some("lost for good, since git ignores it", &away.lost);
            let change = away.out.iter().flat_map(lines_of);
            change.chain([worktree, branch, lost].into_iter().flatten()).collect()
        }
    };
    lines.iter().fold(format!("{}\n", known.handle()), |text, line| format!("{text}  {line}\n"))
}

fn lines_of(out: &TakeOut) -> Vec<String> {
    let commits = out.commits.iter().map(|one| format!("  {:.7} {}", one.commit.as_str(), one.title));
    let removed = |branch: &String| format!("commits that are removed from {branch}:");
    let files = some("files that are reverted", &out.files).into_iter();
    let lines = files.chain(some("of these changed while no turn ran, so not by the worker", &out.edited));
    let lines = lines.chain(out.branch.as_ref().map(removed)).chain(commits);
    let lines = lines.chain(some("commits of the loop stay on", &out.also_on));
    let lines = lines.chain(some("changed while no turn ran, and left as they are", &out.left));
    lines.chain(some("in no candidate, and left as they are", &out.not_held)).collect()
}

fn some(what: &str, paths: &[String]) -> Option<String> {
    (!paths.is_empty()).then(|| format!("{what}: {}", listed(paths, SHOWN_MAX)))
}

/// A pipe has nobody who could say yes.
fn is_agreed(meant: &[KnownLoop]) -> Result<bool> {
    let those = if meant.len() == 1 { "it".to_owned() } else { format!("these {}", meant.len()) };
    input::confirms(&format!("Discard {those}?"), "discarded", "`gulf discard --yes` discards what is listed")
}

/// How to get it back, and until when.
fn kept(known: &KnownLoop) -> Result<String> {
    let (id, agreement) = (known.handle(), known.agreement()?);
    let state = &known.fold.state;
    if let (Some(LandingWord::NotReady { .. }), Some(commit)) =
        (state.landing(), landing::seen(&agreement, &known.home).moved_to)
    {
        return Ok(format!("{id}: its worktree and branch are deleted; what landed stays, as {commit}\n"));
    }
    let history = History::fold(&book::read(known.home.root())?);
    let lies = worktree(&agreement, &known.home, &history, state);
    let back = if state.finished_work().is_some() && comes_back(&lies) {
        format!("`gulf land {id}` brings it back")
    } else {
        format!("`gulf restore {id} --to DIR` writes its last candidate")
    };
    Ok(format!("discarded {id}: its candidates are kept until `gulf clean` removes the loop; {back}\n"))
}
