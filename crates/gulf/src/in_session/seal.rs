//! Seals a loop for a session, where nothing is under way or what is may be ended.

use std::fmt::Write as _;
use std::sync::Arc;

use gulf_agents::sessions::Host;
use gulf_engine::{Research, Stage, Worker};
use gulf_host::clock::Clock;
use gulf_runner::agreement::MemoryForm;
use gulf_runner::branching;
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::Plan;
use gulf_runner::session::{self, Bound, Means, Outcome, Seat};
use gulf_runner::start::{self, Held, KnownLoop, Loops};
use gulf_runner::stop::Stop;
use gulf_runner::{cleanup, group};
use gulf_spec::config::{LandingPlace, LandingSettings, Preset};
use gulf_views::resume_command;

use super::adopt::{self, AdoptedFor};
use super::conclude::{concluded, shown};
use crate::cli::ResumeArguments;
use crate::drive::{notify, terms};
use crate::ending::{self, Replacing};
use crate::failure::{Failure, Result};
use crate::out::say_note;
use crate::paths::quoted;
use crate::starting::{RunRequest, composed_of, preview};
use crate::trusting::{self, Word};
use crate::{place, settings};

/// A loop for a session: sealed, and not begun.
#[derive(Debug)]
pub struct SealedSession {
    pub held: Held,
    /// What was agreed, as the person reads it.
    pub agreed: String,
    pub notes: Vec<String>,
}

/// Seals what is asked for, on a branch of its own where it lands; ends what was under way here before.
pub fn seal(place: &PlaceOfWork, request: &RunRequest, word: Word, clock: &Clock) -> Result<SealedSession> {
    let mut notes = branching::clear_away(place)?;
    notes.extend(cleanup::put_all_away(place));
    let (config, plan) = composed_of(place, request)?;
    trusting::give_at(place, word, &trusting::commands(&place.project, &config, &plan.terms.checks))?;
    notes.extend(plan.notes.iter().cloned());
    if !config.preset.lands() {
        make_room(place, clock)?;
        let agreed = agreed(&plan);
        return Ok(SealedSession { held: start::start(place, plan, clock)?, agreed, notes });
    }
    // A session works where it was opened.
    let landing = LandingSettings { place: LandingPlace::InPlace, ..config.landing() };
    let (from, planned) = preview::beside(place, (&config, &landing), plan, clock.wall_ms())?;
    let agreed = planned.first().map(|(_, plan)| agreed(plan)).unwrap_or_default();
    make_room(place, clock)?;
    let (mut held, more) = branching::begin(place, &from, planned, clock)?;
    notes.extend(from.notes.into_iter().chain(more));
    let held = held.pop().ok_or(RunError::NoContract)?;
    Ok(SealedSession { held, agreed, notes })
}

pub fn agreed(plan: &Plan) -> String {
    let limits = &plan.terms.policy.limits;
    let mut text = format!("  Iterations : 1 / {} max", limits.iterations_max);
    let _ = write!(text, "\n  Completion : <promise>{}</promise>", plan.terms.completion_promise);
    if let Some(told) = research(plan.terms.policy.research) {
        let _ = write!(text, "\n  Research   : {told}; `--no-research` leaves that out");
    }
    if let Some(landing) = &plan.terms.landing {
        let (branch, base) = (branching::short(&landing.branch), branching::short(&landing.base));
        let _ = write!(text, "\n  Branch     : {branch} → {base}");
    }
    for check in &plan.terms.checks {
        let _ = write!(text, "\n  Check      : {}", check.command);
    }
    if let Some(judge) = &plan.terms.judge {
        let _ = write!(text, "\n  Judge model: {}", judge.tool);
        let _ = write!(text, "\n  HITL threshold: {}", plan.terms.policy.rejections.threshold);
    }
    if let Some(every) = plan.terms.policy.milestone_every {
        let every = if every.get() == 1 { "iteration".to_owned() } else { format!("{every} iterations") };
        let _ = write!(text, "\n  Milestone  : every {every}");
    }
    if plan.terms.memory == MemoryForm::Structured {
        text.push_str("\n  Memory wiki: .claude/memory/");
    }
    text
}

/// What comes before the work, where something does.
fn research(form: Research) -> Option<&'static str> {
    match form {
        Research::Gate => Some("iteration 1 writes a brief into progress.txt and changes nothing else"),
        Research::Brief => Some("iteration 1 lasts until a brief stands in progress.txt"),
        Research::Inline => Some("iteration 1 begins with a brief in progress.txt"),
        Research::Off => None,
    }
}

/// A loop that is under way here is not overwritten, unless that is said.
pub fn refuse_if_busy(place: &PlaceOfWork, replacing: Replacing) -> Result<()> {
    let _closed = Seat::close(&place.home, &place.project)?;
    refuse_if_busy_here(place, replacing)
}

/// The same, where this process has closed the project's sessions already.
pub fn refuse_if_busy_here(place: &PlaceOfWork, replacing: Replacing) -> Result<()> {
    // A state file that no stop has seen yet is a loop as well.
    match (adopt::in_closed(place, AdoptedFor::Acting, &Clock::new()), replacing) {
        (Ok(_), _) => {}
        (Err(failure), Replacing::Refused) => return Err(failure),
        (Err(_), Replacing::Asked | Replacing::Agreed) => {
            session::set_aside(&place.project, session::MARKER, Clock::new().wall_ms())?;
        }
    }
    let mut unfinished = adopt::unfinished_here(place)?.into_iter();
    match (replacing, unfinished.next()) {
        (Replacing::Refused, Some(one)) => Err(Failure::usage(
            format!("the loop {} is unfinished in this checkout", one.handle()),
            "`/gulf-loop:resume` goes on with it, `/gulf-loop:cancel` ends it, and `--replace` ends it and begins this \
             one; in a terminal: `gulf resume`, `gulf cancel`",
        )),
        (Replacing::Refused | Replacing::Asked | Replacing::Agreed, _) => Ok(()),
    }
}

/// Ends what is under way here.
fn make_room(place: &PlaceOfWork, clock: &Clock) -> Result<()> {
    for one in adopt::unfinished_here(place)? {
        ending::replace(place, &one, clock)?;
        session::let_go(place)?;
    }
    Ok(())
}

// Several loops on one goal, each in a worktree of its own, for sessions that a person opens there (CONTRACT §1.3).

/// Are several loops asked for?
pub fn is_meant(place: &PlaceOfWork, request: &RunRequest) -> Result<bool> {
    Ok(settings::heard(place, request.heard, request.flags.clone())?.preset == Preset::Parallel)
}

/// Makes the worktrees, seals a loop in each, and says what a person is to type there.
pub fn prepare(
    place: &PlaceOfWork,
    request: &RunRequest,
    (host, word): (Host, Word<'_>),
    clock: &Arc<Clock>,
) -> Result<String> {
    refuse_in_linked(place)?;
    let mut notes = branching::clear_away(place)?;
    notes.extend(cleanup::put_all_away(place));
    let same = same_goal(place, request)?;
    let (config, plan) = composed_of(place, request)?;
    trusting::give_at(place, word, &trusting::commands(&place.project, &config, &plan.terms.checks))?;
    let (from, planned) = preview::beside(place, (&config, &config.landing()), plan, clock.wall_ms())?;
    notes.extend(planned.first().map(|(_, plan)| plan.notes.clone()).unwrap_or_default());
    let agreed = planned.first().map(|(_, plan)| agreed(plan)).unwrap_or_default();
    for one in &same {
        ending::may_end(one, request.replacing)?;
    }
    for one in &same {
        ending::replace(place, one, clock)?;
        session::let_go(&place.of_loop(&one.agreement()?))?;
    }
    let (held, more) = branching::begin(place, &from, planned, clock)?;
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
fn refuse_in_linked(place: &PlaceOfWork) -> Result<()> {
    match &place.layout {
        Some(layout) if layout.git_dir != layout.common_dir => Err(Failure::usage(
            format!("already inside a worktree: {}", place.project),
            "type it in a session in the repository's own checkout; or `gulf run --preset parallel …` in a terminal",
        )),
        Some(_) | None => Ok(()),
    }
}

/// The unfinished loops on this goal, which the person lets go.
fn same_goal(place: &PlaceOfWork, request: &RunRequest) -> Result<Vec<KnownLoop>> {
    let Loops { known, .. } = start::loops(place)?;
    let open: Vec<KnownLoop> =
        known.into_iter().filter(|one| one.is_unfinished() && one.is_of(&place.project)).collect();
    let Some(one) = start::same_goal(&open, &request.plan.goal) else { return Ok(Vec::new()) };
    if request.replacing != Replacing::Refused {
        return Ok(group::together(one, &open));
    }
    let what = format!("this goal has an unfinished loop: {}", one.handle());
    let hint = "`gulf status` says where; go on there, end it with `gulf cancel`, or say `--replace`";
    Err(Failure::usage(what, hint))
}

/// One of them, as the person reads it.
fn worker(held: &Held, host: Host) -> String {
    let agreement = &held.resources.agreement;
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
fn wait_for_session(place: &PlaceOfWork, held: Held, host: Host, clock: &Arc<Clock>) -> Result<()> {
    let there = preview::of_held(place, &held)?;
    let closed = Seat::close(&there.home, &there.project)?;
    let bound = Bound { host, id: None, file_bytes: 0 };
    let means = Means { clock: clock.clone(), leave: Stop::default() };
    let (mut seat, outcome) = session::begin(&there, held, &bound, closed, means)?;
    match outcome {
        Outcome::Driven(driven) => concluded(&mut seat, &driven),
        Outcome::NotOurs | Outcome::Moved | Outcome::Again(_) | Outcome::Waits { .. } => Ok(()),
    }
}

// A session's loop goes on in its session.

/// A loop whose work is ready to land goes on in its session, on the same terms.
pub fn go_on(place: &PlaceOfWork, known: &KnownLoop, json: bool) -> Result<()> {
    let id = Some(known.name.as_str().to_owned());
    wake(place, known, &ResumeArguments { id, json, ..ResumeArguments::default() })
}

/// A session's loop goes on in its session: it is awake again, and nothing is driven here.
pub fn wake(place: &PlaceOfWork, known: &KnownLoop, arguments: &ResumeArguments) -> Result<()> {
    let clock = Arc::new(Clock::new());
    let was_paused = matches!(&known.fold.state.stage, Stage::Paused(..));
    let checkout = start::take_checkout(place, known.name.as_str())?;
    let mut held = start::hold(place, &known.name, checkout)?;
    notify::take_answers(&mut held, &clock)?.into_iter().for_each(say_note);
    let is_open = held.book.state().open_questions().next().is_some();
    if matches!(&held.book.state().stage, Stage::Paused(..)) {
        terms::settle(place, &mut held, arguments, &clock)?;
    }
    drop(held);
    if is_open {
        outln!("Loop stays paused: a question waits for an answer; see `gulf inbox`.");
        return Ok(());
    }
    if was_paused {
        outln!("[gulf] Loop resumed from iteration {}.", session::iteration(&known.fold.state));
        let means = Means { clock, leave: Stop::default() };
        let (seat, outcome) = session::wake(place, known, means)?;
        if let Some(told) = shown(seat, &outcome)? {
            outln!("{told}");
            return Ok(());
        }
    } else {
        outln!("Loop is already active (not paused).");
    }
    if place::branch(&known.agreement()?).is_some_and(|branch| branch.worktree.is_some()) {
        outln!("It works in {}.", place.project);
    }
    let host = if let Worker::Session { host, .. } = &known.fold.state.worker { host } else { "" };
    let typed = resume_command(host);
    outln!("Say \"go on\" in its session, type {typed} in another, or drive it here: `gulf resume --here`.");
    Ok(())
}
