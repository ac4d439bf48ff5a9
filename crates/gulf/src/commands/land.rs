//! `gulf land`: finished work comes onto its base branch because a person says so.
//!
//! Most of what it lands is over: nothing is driven, and the loop stays as it ended. Where a loop rests because
//! something was in the way of its landing, it is what `resume` would do.

mod pull_request;

use std::io::IsTerminal;
use std::sync::Arc;

use gulf_engine::{
    Act, Closing, CommitId, End, LandingWord, PAUSED_EXIT_CODE, PauseReason, Stage, Worker, admit,
};
use gulf_host::clock::Clock;
use gulf_host::git::BranchName;
use gulf_host::signals;
use gulf_runner::agreement::{Agreement, RepositoryKind};
use gulf_runner::branching::{self, BranchingError, short};
use gulf_runner::claims::{Caller, RequestFile};
use gulf_runner::cleanup;
use gulf_runner::landing::{LandingIntent, LateError, land_late, with_present_address};
use gulf_runner::place::PlaceOfWork;
use gulf_runner::start::{Held, KnownLoop, StartError};
use gulf_runner::stop::Stop;
use gulf_runner::{error, group, keeping, uncommitted};
use gulf_spec::config::{Key, LandingPlace, LandingSettings, Push};
use gulf_views::{DriverPresence, merge_by_hand, refusal};

use crate::cli::LandArguments;
use crate::drive::{DriveStyle, go_on_with};
use crate::failure::{ERROR, Failure, INTERRUPTED, Result};
use crate::out::say_note;
use crate::place::{self, driver_of};
use crate::report;
use crate::screen::{self, TellingStyle};
use crate::{ending, in_session, requests, settings};

pub fn land(arguments: &LandArguments) -> Result<u8> {
    let place = place::here()?;
    let meant = meant(&place, arguments.id.as_deref())?;
    let Some(first) = meant.first() else { return Err(StartError::NoLoop.into()) };
    if Caller::of_this_process() != Caller::Person {
        // Act like any other act, so that the refusal is written down.
        return requests::put(&place, first, &nobodys_wish());
    }
    if driver_of(first)? == DriverPresence::Present {
        let id = first.handle();
        let (what, hint) = match first.agreement()?.landing {
            Some(_) => {
                ("lands by itself once every gate has passed", "`gulf status` shows its state".to_owned())
            }
            None => (
                "nothing of it can land yet",
                format!("once it has ended, `gulf land {id}` commits its change"),
            ),
        };
        return Err(Failure::usage(format!("{id} is running, and {what}"), hint));
    }
    if let Some(tool) = arguments.pull_request {
        has_git(first, &first.agreement()?)?;
        if matches!(&first.fold.state.stage, Stage::Ended(_)) {
            holds_work(&place, first)?;
        }
        needs_terminal(&place, first)?;
        return pull_request::ask_for(&place, first, tool, arguments);
    }
    if matches!(&first.fold.state.stage, Stage::Ended(_)) {
        return afterwards(&place, first, arguments);
    }
    go_on(&place, &meant, arguments)
}

/// The loop that is named, or all that wait for their way here, or else the foremost.
fn meant(place: &PlaceOfWork, id: Option<&str>) -> Result<Vec<KnownLoop>> {
    let here = place::known_here(place, id)?;
    if here.is_empty() && id.is_none() {
        place::tell_of_earlier(place);
    }
    let waits_for_way =
        |one: &&KnownLoop| matches!(&one.fold.state.stage, Stage::Paused(PauseReason::ReadyToLand, _));
    let waiting: Vec<KnownLoop> = here.iter().filter(waits_for_way).cloned().collect();
    match (id, waiting.last()) {
        (Some(id), _) => Ok(vec![place::meant(place, Some(id))?]),
        (None, None) => of_no_name(here),
        (None, Some(last)) => {
            let group = group::together(last, &waiting);
            if group.len() == waiting.len() {
                return Ok(group);
            }
            let names: Vec<String> = waiting.iter().map(KnownLoop::handle).collect();
            let what = format!("several loops are ready to land: {}", names.join(", "));
            Err(Failure::usage(what, format!("name one: `gulf land {}`", last.handle())))
        }
    }
}

/// The foremost; where that has nothing to land and others have, a person says which.
fn of_no_name(here: Vec<KnownLoop>) -> Result<Vec<KnownLoop>> {
    let is_ready = |one: &&KnownLoop| matches!(one.fold.state.landing(), Some(LandingWord::NotReady { .. }));
    let ready: Vec<String> = here.iter().filter(is_ready).map(KnownLoop::handle).collect();
    let Some(foremost) = place::foremost(here)? else { return Ok(Vec::new()) };
    if let Some(first) = ready.first()
        && report::landed(&foremost).is_none()
        && admit(&foremost.fold.state, request()).is_err()
    {
        let what = format!("{} has nothing to land; ready to land: {}", foremost.handle(), ready.join(", "));
        return Err(Failure::usage(what, format!("name one: `gulf land {first}`")));
    }
    Ok(vec![foremost])
}

/// What is not over goes on, and lands on its way to its end.
fn go_on(place: &PlaceOfWork, meant: &[KnownLoop], arguments: &LandArguments) -> Result<u8> {
    let clock = Arc::new(Clock::new());
    for known in meant {
        admit(&known.fold.state, request())?;
        let is_to_push = known.agreement()?.landing.is_some_and(|landing| landing.push.is_some());
        if arguments.base_branch.is_some() || (arguments.push && !is_to_push) {
            return Err(Failure::usage(
                format!("{} has not ended, and its base branch was sealed at its start", known.handle()),
                "drop `--base-branch` and `--push`",
            ));
        }
    }
    let (sessions, meant): (Vec<_>, Vec<_>) =
        meant.iter().cloned().partition(|one| matches!(&one.fold.state.worker, Worker::Session { .. }));
    for known in &sessions {
        in_session::go_on(&place::of_loop(place, known)?, known, arguments.json)?;
    }
    if meant.is_empty() {
        return Ok(0);
    }
    let manner = DriveStyle::usual(TellingStyle::from_json_flag(arguments.json));
    go_on_with(place, (&meant, &[]), &manner, &clock, |held| may_land(place, held, arguments.push, &clock))
}

fn may_land(place: &PlaceOfWork, held: &mut Held, push: bool, clock: &Clock) -> Result<()> {
    // Looked at again: it is this process's only now.
    let fact = admit(held.book.state(), request())?;
    // A worker can have changed the address: only who says it again means the one that git has now.
    if push && let Some(url) = with_present_address(place, &mut held.resources)? {
        say_note(format!("it is pushed to {url}: the address that was sealed at the start is another one"));
    }
    Ok(held.book.add(vec![fact], clock.wall_ms())?)
}

/// What is asked before it is known where it lands: may it at all?
fn nobodys_wish() -> Act {
    Act::Land { by: String::new(), base: String::new(), push: None }
}

fn request() -> gulf_engine::Request {
    RequestFile::by_this_process(nobodys_wish()).request()
}

/// What is over stays as it ended, and its work lands all the same.
fn afterwards(place: &PlaceOfWork, known: &KnownLoop, arguments: &LandArguments) -> Result<u8> {
    let (agreement, id) = (known.agreement()?, known.handle());
    let landed = report::landed(known).map(|commit| format!("has landed already, as {commit}"));
    let told = landed.or_else(|| {
        let last = last_of_list(known, &agreement)?;
        Some(format!("has committed its tasks already, each as it was finished, the last one as {last}"))
    });
    if let (Some(told), None) = (told, &arguments.base_branch) {
        outln!("{id} {told}");
        return Ok(0);
    }
    has_git(known, &agreement)?;
    holds_work(place, known)?;
    needs_terminal(place, known)?;
    if let Some(branch) = checked_out_here(place, &agreement, arguments)? {
        return keep(place, known, branch.as_str(), arguments);
    }
    let settings = LandingSettings {
        base: arguments.base_branch.clone(),
        place: LandingPlace::Worktree,
        push: if arguments.push { Push::Asked } else { Push::Never },
    };
    let terms =
        branching::lands_on(place, &agreement, &settings).map_err(|error| on_no_branch(known, error))?;
    if let Some(there) = uncommitted_in(place, known, &agreement, &terms.base)? {
        return keep(&there, known, &terms.base, arguments);
    }
    is_apart(&agreement)?;
    place::tell_if_moved(known);
    errln!("{id} is to land on {}", short(&terms.base));
    let (stop, clock) = (Stop::default(), Clock::new());
    let its_stop = stop.clone();
    let _listening = signals::listen(move |_| its_stop.ask()).map_err(Failure::broken)?;
    let wish = LandingIntent { by: requests::person(), terms };
    let word = match land_late(place, known, &wish, &stop, &clock) {
        Ok((word, notes)) => {
            notes.iter().for_each(say_note);
            word
        }
        Err(LateError::Refused(refusal)) => return Err(refusal.into()),
        Err(LateError::Undone(error::Failure::Stopped)) => return Ok(INTERRUPTED),
        Err(LateError::Undone(error::Failure::World(error))) => return Err(error.into()),
        Err(LateError::Undone(failure @ error::Failure::Refused(_))) => {
            return Err(Failure::world(&failure, Some("`gulf land` tries it again".to_owned())));
        }
    };
    if let LandingWord::Landed { .. } = word {
        put_away(place, known, &agreement);
    }
    show(place, known, TellingStyle::from_json_flag(arguments.json))?;
    Ok(match word {
        LandingWord::Landed { .. } => 0,
        LandingWord::NotReady { .. } => PAUSED_EXIT_CODE,
        LandingWord::Refused { .. } => ERROR,
    })
}

/// The last task's commit, where the tasks of a list were committed in this checkout and a branch still holds that.
fn last_of_list<'known>(known: &'known KnownLoop, agreement: &Agreement) -> Option<&'known CommitId> {
    let state = &known.fold.state;
    let candidate = state.finished_work().filter(|_| agreement.landing.is_none())?;
    let Some(Closing::Done { commit: Some(commit), .. }) = &state.unit.closing else { return None };
    uncommitted::find(agreement, &known.home, candidate, Some(commit)).is_none().then_some(commit)
}

fn on_no_branch(known: &KnownLoop, error: BranchingError) -> Failure {
    let BranchingError::Nowhere { why, hint } = &error else { return error.into() };
    let id = known.handle();
    let hint = format!("{hint}; then `gulf land {id}`; or name a branch: `--base-branch NAME`");
    Failure::usage(format!("{id} has no branch to land on: {why}"), hint)
}

/// Did every gate pass, and is there something that could land? Where another loop made it, that one is named.
fn holds_work(place: &PlaceOfWork, known: &KnownLoop) -> Result<()> {
    let id = known.handle();
    if let Err(refusal) = admit(&known.fold.state, request()) {
        did_not_land(known).map_or(Ok(()), Err)?;
        let hint = format!(
            "`gulf restore {id} --to DIR` writes its last candidate; `gulf run` starts a new loop, `gulf fork` one from an iteration"
        );
        return Err(Failure::usage(refusal.to_string(), hint));
    }
    if !report::changed_nothing(known) {
        return Ok(());
    }
    let hint = match report::unlanded_behind(known, &place::known_here(place, None)?) {
        Some(one) => format!("the work of {0} has not landed: `gulf land {0}`", one.handle()),
        None => "`gulf list` shows all loops".to_owned(),
    };
    Err(Failure::usage(format!("{id} changed nothing, so there is nothing to land"), hint))
}

/// It is over, and the base branch alone said no: a person merges it.
pub fn did_not_land(known: &KnownLoop) -> Option<Failure> {
    let state = &known.fold.state;
    let step = merge_by_hand(state)?;
    let what = format!("{} has ended, and its work did not land: {}", known.handle(), refusal(state));
    Some(Failure::usage(what, format!("`{}`, {}", step.command, step.purpose)))
}

fn needs_terminal(place: &PlaceOfWork, known: &KnownLoop) -> Result<()> {
    let is_attested = matches!(&known.fold.state.stage, Stage::Ended(End::Attested { .. }));
    if !is_attested || std::io::stdin().is_terminal() {
        return Ok(());
    }
    let is_accepted =
        settings::load(place, Vec::new()).is_ok_and(|one| one.text(Key::LandingAccept) == "attested");
    let more = match is_accepted {
        true => "`landing.accept` only counts for what a loop lands itself as it ends",
        false => "loops that land by themselves may land such work where `landing.accept = \"attested\"`",
    };
    Err(Failure::usage(
        "this work is not proven: only a person at a terminal may land it, and standard input is not a terminal",
        format!("type it in a terminal of your own; {more}"),
    ))
}

/// The checkout in which the loop worked without a branch of its own, where this branch is checked out there.
fn uncommitted_in(
    place: &PlaceOfWork,
    known: &KnownLoop,
    agreement: &Agreement,
    base: &str,
) -> Result<Option<PlaceOfWork>> {
    let is_own = agreement.repository == RepositoryKind::Own && agreement.landing.is_none();
    if !is_own || !branching::stands_on(place, agreement, base)? {
        return Ok(None);
    }
    place::of_loop(place, known).map(Some)
}

/// The branch that stands in the very checkout in which the loop worked, where no other one is meant; it may have no commit
/// yet.
fn checked_out_here(
    place: &PlaceOfWork,
    agreement: &Agreement,
    arguments: &LandArguments,
) -> Result<Option<BranchName>> {
    if agreement.landing.is_some() || agreement.project != place.project {
        return Ok(None);
    }
    let branch = branching::checked_out(place)?;
    let base = arguments.base_branch.as_deref();
    let is_meant =
        |branch: &BranchName| base.is_none_or(|base| [branch.as_str(), branch.short()].contains(&base));
    Ok(branch.filter(is_meant))
}

/// One commit of the change, and nothing else.
fn keep(there: &PlaceOfWork, known: &KnownLoop, base: &str, arguments: &LandArguments) -> Result<u8> {
    if arguments.push {
        let hint = "drop `--push` and push it yourself: `git push`";
        return Err(Failure::usage("what is committed in a checkout is not pushed by gulf", hint));
    }
    let branch = BranchName::parse(base)?;
    let notes = keeping::keep(there, known, &requests::person(), &branch, &Clock::new())?;
    notes.iter().for_each(say_note);
    show(there, known, TellingStyle::from_json_flag(arguments.json)).map(|()| 0)
}

fn has_git(known: &KnownLoop, agreement: &Agreement) -> Result<()> {
    let id = known.handle();
    if agreement.repository == RepositoryKind::Own {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{id} worked without git, so there is no branch it could land on"),
        format!("`gulf restore {id} --to DIR` writes its files to a folder"),
    ))
}

/// Would nothing but the loop's work be merged?
fn is_apart(agreement: &Agreement) -> Result<()> {
    let dirty = agreement.dirty_paths.first().filter(|_| agreement.landing.is_none());
    let Some(first) = dirty else { return Ok(()) };
    Err(Failure::usage(
        format!(
            "the loop began with uncommitted changes, such as {first}, and they would land with its work"
        ),
        "`gulf land` commits its work alone where the branch is checked out on which it was done",
    ))
}

/// Once its work stands on the branch, worktree and branch of its own are of no use to anybody. It has landed all the same
/// where they stay: then that is said.
fn put_away(place: &PlaceOfWork, known: &KnownLoop, agreement: &Agreement) {
    let Some(person) = place::person(agreement).filter(|path| **path != agreement.project) else { return };
    let kept = match PlaceOfWork::find(person, place.home.clone()) {
        Ok(there) => cleanup::put_away(&there, &known.name).and_then(Result::err),
        Err(error) => Some(Failure::from(error).in_one_line()),
    };
    if let Some(why) = kept {
        say_note(format!("its worktree stays: {why}"));
    }
}

/// The loop as it is now, with its receipt and report.
fn show(place: &PlaceOfWork, known: &KnownLoop, telling: TellingStyle) -> Result<()> {
    let now = KnownLoop::read(known.name.clone(), known.home.clone())?;
    ending::write(place, &now)?;
    let summary = ending::summary(&now, place::facts_of(&now)?, DriverPresence::Absent)?;
    screen::show_result(&summary, telling, "");
    Ok(())
}
