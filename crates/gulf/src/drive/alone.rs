//! One loop, or several that were found unfinished, driven until they end or rest; the person at the terminal is asked
//! at once where the loop waits for them.

use std::io::IsTerminal;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gulf_agents::channels::Takes;
use gulf_engine::{Act, Fact, PauseReason, Question, Stage, State, admit};
use gulf_host::clock::Clock;
use gulf_host::signals;
use gulf_runner::claims::RequestFile;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::check_program;
use gulf_runner::start::{self, Held, KnownLoop};
use gulf_runner::stop::Stop;
use gulf_runner::tasks::TaskBooks;
use gulf_runner::{amend, session};
use gulf_views::{DriverPresence, NextStep, Summary, one_line};

use super::notify::{self, Patience, takes};
use super::together::{self, RestOfGroup};
use super::{DriveOptions, DrivenLoop, drive, exit_code, name_of};
use crate::failure::{Failure, INTERRUPTED, Result};
use crate::out::say_note;
use crate::screen::{self, TellingStyle};
use crate::{ending, input, place, verdicts};

/// How a loop is driven: how it is told, what it offers in the end, and how long a person is waited for.
#[derive(Clone, Debug)]
pub struct DriveStyle {
    pub telling: TellingStyle,
    pub parting: ClosingOffer,
    pub patience: Patience,
}

impl DriveStyle {
    /// As most commands drive.
    pub fn usual(telling: TellingStyle) -> Self {
        Self { telling, parting: ClosingOffer::Usual, patience: Patience::AsSealed }
    }
}

/// What the last screen offers to do next.
#[derive(Clone, Debug)]
pub enum ClosingOffer {
    /// What fits the loop, in the project where it ran.
    Usual,
    /// This instead: the loop lies where a person would not look for it.
    Elsewhere(Vec<NextStep>),
    /// This instead, and no path: nothing of the loop stays.
    Gone(Vec<NextStep>),
}

/// Takes these loops, one or all of a group, as a driver in processes of gulf's own, and drives them. `over` are those of
/// the group that have ended before: what the group came to is theirs, too. One that cannot go on keeps no other one.
pub fn go_on_with(
    place: &PlaceOfWork,
    (members, over): (&[KnownLoop], &[KnownLoop]),
    manner: &DriveStyle,
    clock: &Arc<Clock>,
    settle: impl Fn(&mut Held) -> Result<()>,
) -> Result<u8> {
    let take = |known: &KnownLoop| -> Result<(PlaceOfWork, Held)> {
        let there = place::of_loop(place, known)?;
        let checkout = start::take_checkout(&there, known.name.as_str())?;
        let mut held = start::hold(&there, &known.name, checkout)?;
        check_program("agent", &held.resources.agreement.agent.tool, &there)?;
        session::move_here(&there, &mut held, clock)?;
        notify::take_answers(&mut held, clock)?.into_iter().for_each(say_note);
        settle(&mut held)?;
        Ok((there, held))
    };
    let mut all = Vec::new();
    let mut rest: RestOfGroup = over.iter().map(|known| (known.clone(), None)).collect();
    for known in members {
        match take(known) {
            Ok(taken) => all.push(taken),
            Err(failure) if members.len() == 1 => return Err(failure),
            Err(failure) => {
                say_note(format!("{} does not continue: {}", known.handle(), failure.in_one_line()));
                rest.push((known.clone(), Some(failure)));
            }
        }
    }
    if all.is_empty()
        && let Some(failure) = rest.iter_mut().find_map(|(_, failure)| failure.take())
    {
        return Err(failure);
    }
    match (all.pop(), all.is_empty()) {
        (Some((there, held)), true) if rest.is_empty() => drive_and_show(&there, held, manner, clock),
        (last, _) => {
            all.extend(last);
            together::drive(all, rest, manner, clock)
        }
    }
}

/// Drives a held loop, shows how it was left, and gives the exit code.
pub fn drive_and_show(
    place: &PlaceOfWork,
    mut held: Held,
    manner: &DriveStyle,
    clock: &Arc<Clock>,
) -> Result<u8> {
    let DriveStyle { telling, ref parting, patience } = *manner;
    let (leave, is_asking) = (Stop::default(), Arc::new(AtomicBool::new(false)));
    let (its_leave, its_asking) = (leave.clone(), Arc::clone(&is_asking));
    let listening = signals::listen(move |interruption| {
        if its_asking.load(Ordering::SeqCst) {
            // The loop rests, with all of it on disk; what is typed from here on is meant for the shell.
            errln!("");
            std::process::exit(INTERRUPTED.into());
        }
        if interruption == signals::Interruption::Orderly {
            errln!("\n{}", crate::language::translated("stopping; Ctrl-C again stops at once"));
        }
        its_leave.obey(interruption);
    });
    let _listening = listening.map_err(Failure::broken)?;
    let mut seen = 0;
    loop {
        let driving = DriveOptions { telling, clock, leave: &leave, worker: None, seen };
        let mut driven = drive(place, held, driving)?;
        let is_asked_here =
            telling == TellingStyle::Lines && patience == Patience::AsSealed && input::can_ask();
        if !is_asked_here && let Some(again) = notify::wait(place, &mut driven, &driving, patience)? {
            (held, seen) = (again, driven.seen);
            continue;
        }
        conclude(&driven, parting);
        if is_asked_here || matches!(driven.left, DriveOutcome::Ended(_)) {
            notify::tell(&mut driven, &driving);
        }
        seen = driven.seen;
        let DrivenLoop { left, agreement, state, checkout, home, .. } = driven;
        if let (DriveOutcome::Paused(reason), Some(checkout)) = (&left, checkout)
            && is_asked_here
            && let Some(typed) = {
                is_asking.store(true, Ordering::SeqCst);
                let typed = ask(*reason, &state)?;
                is_asking.store(false, Ordering::SeqCst);
                typed
            }
        {
            held = start::hold(place, &name_of(&agreement)?, checkout)?;
            carry_out(&mut held, typed, clock)?;
            continue;
        }
        let code = exit_code(&left);
        if code == 0 {
            ending::stands(&home, &state)?;
        }
        return Ok(code);
    }
}

/// The last screen.
fn conclude(driven: &DrivenLoop, parting: &ClosingOffer) {
    let DrivenLoop { screen, home, state, lies, .. } = driven;
    let summary = Summary::new(&screen.facts, &screen.history, state, DriverPresence::Absent, lies);
    let mut summary = verdicts::explained(summary, home);
    match parting {
        ClosingOffer::Usual => {}
        ClosingOffer::Elsewhere(steps) => summary.next.clone_from(steps),
        ClosingOffer::Gone(steps) => {
            summary.next.clone_from(steps);
            summary.logs.clear();
        }
    }
    screen::show_result(&summary, screen.telling, "\n");
}

/// What the person typed at a pause.
fn carry_out(held: &mut Held, typed: Typed, clock: &Clock) -> Result<()> {
    let agreement = &held.resources.agreement;
    let (acts, agreed) = match typed {
        Typed::Acts(acts) => (acts, None),
        Typed::More(more) => (vec![], Some(amend::with_more_iterations(agreement, held.book.state(), more))),
        Typed::Stop => (vec![], Some(amend::with_stop_at_limit(agreement))),
    };
    if let Some(agreed) = agreed {
        amend::amend(held, agreed, clock.wall_ms())?;
    }
    for asked in acts {
        match admit(held.book.state(), RequestFile::by_this_process(asked).request()) {
            Ok(Fact::UnitSkipped { why, .. }) => {
                let (set_aside, note) =
                    TaskBooks { resources: &held.resources, fold: held.book.fold() }.give_task_up(&why, None);
                note.iter().for_each(say_note);
                held.book.add(vec![Fact::UnitSkipped { why, set_aside }], clock.wall_ms())?;
            }
            Ok(fact) => held.book.add(vec![fact], clock.wall_ms())?,
            // The loop stays as it is, and the person is asked again.
            Err(refusal) => {
                say_note(refusal);
                return Ok(());
            }
        }
    }
    go_on(held, clock)
}

/// A paused loop is resumed; an interrupted one just goes on. One that waits for an answer stays paused.
pub fn go_on(held: &mut Held, clock: &Clock) -> Result<()> {
    let state = held.book.state();
    if matches!(&state.stage, Stage::Paused(..)) && state.open_questions().next().is_none() {
        held.book.add(vec![Fact::Resumed], clock.wall_ms())?;
    }
    Ok(())
}

// A paused loop on a terminal: the person is asked at once what an unattended command would leave for later.

/// What the person typed at a pause.
#[derive(Debug)]
enum Typed {
    /// The loop goes on after these.
    Acts(Vec<Act>),
    /// So many more iterations for the task in hand.
    More(NonZeroU32),
    /// The loop ends with this task.
    Stop,
}

/// What the person wants done before the loop goes on; none where it is left as it is.
fn ask(reason: PauseReason, state: &State) -> Result<Option<Typed>> {
    if reason == PauseReason::TaskLimit {
        return at_limit();
    }
    let acts = match takes(reason) {
        Takes::Answer => answers(state),
        Takes::Verdict => verdict(),
        Takes::GoOn | Takes::Nothing => {
            let answer = input::line("Continue now? [y/N]")?;
            Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes").then(Vec::new))
        }
    };
    Ok(acts?.map(Typed::Acts))
}

/// A task came to no end (SPEC R5).
fn at_limit() -> Result<Option<Typed>> {
    loop {
        let choice = input::line("How many more iterations, skip the task, stop, or leave it? [N/s/x/L]")?;
        return Ok(match choice.to_lowercase().as_str() {
            "s" | "skip" => Some(Typed::Acts(vec![Act::Skip])),
            "x" | "stop" => Some(Typed::Stop),
            "" | "l" | "leave" => None,
            number => match number.parse() {
                Ok(more) => Some(Typed::More(more)),
                Err(_) => continue,
            },
        });
    }
}

/// One answer for each open question; a blank one leaves the rest for later, and keeps what was answered.
fn answers(state: &State) -> Result<Option<Vec<Act>>> {
    let mut answers = Vec::new();
    for asked in state.open_questions() {
        let Some(question) = asked.claim.question() else { continue };
        repeat(question);
        let Some(answer) = typed_answer(asked.number, &question.options)? else { break };
        answers.push(Act::Answer { question: Some(asked.number), answer });
    }
    Ok((!answers.is_empty()).then_some(answers))
}

/// None for later.
fn typed_answer(number: u32, options: &[String]) -> Result<Option<String>> {
    let prompt = if options.is_empty() {
        format!("Your answer to question {number} (blank: later):")
    } else {
        format!("Your answer to question {number}, or the number of an option (blank: later):")
    };
    loop {
        let said = input::line(&prompt)?;
        if said.is_empty() {
            return Ok(None);
        }
        match input::chosen(options, &said) {
            Ok(answer) => return Ok(Some(answer)),
            Err(failure) => errln!("{}", failure.in_one_line()),
        }
    }
}

/// The last screen shows the question; where it went into a file, it is shown here.
fn repeat(question: &Question) {
    if std::io::stdout().is_terminal() {
        return;
    }
    errln!("\n{}", one_line(&question.text));
    for (number, option) in (1..).zip(&question.options) {
        errln!("  {number}. {}", one_line(option));
    }
}

/// The judge said no too often, or nothing.
fn verdict() -> Result<Option<Vec<Act>>> {
    loop {
        let choice = input::line("Go on, approve, reject, or leave it? [g/a/r/L]")?;
        return Ok(match choice.to_lowercase().as_str() {
            "g" | "go on" | "go" => Some(Vec::new()),
            "a" | "approve" => reason("Why is it good enough?")?.map(|reason| vec![Act::Approve { reason }]),
            "r" | "reject" => reason("What should be different?")?.map(|reason| vec![Act::Reject { reason }]),
            "" | "l" | "leave" => None,
            _ => continue,
        });
    }
}

fn reason(question: &str) -> Result<Option<String>> {
    let reason = input::line(&format!("{question} (blank: leave it)"))?;
    Ok((!reason.is_empty()).then_some(reason))
}
