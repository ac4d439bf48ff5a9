//! Seals a loop for a session, where nothing is under way or what is may be ended.

use std::fmt::Write as _;

use gulf_engine::Research;
use gulf_host::clock::Clock;
use gulf_runner::agreement::MemoryForm;
use gulf_runner::branching;
use gulf_runner::error::RunError;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::plan::Plan;
use gulf_runner::remains;
use gulf_runner::session::{self, Seat};
use gulf_runner::start::{self, Held};

use super::adopt::{self, AdoptedFor};
use crate::ending::{self, Replacing};
use crate::failure::Failure;
use crate::settings;
use crate::starting::{RunRequest, apart, composed_of};
use crate::trusting::{self, Word};

/// A loop for a session: sealed, and not begun.
#[derive(Debug)]
pub struct SealedSession {
    pub held: Held,
    /// What was agreed, as the person reads it.
    pub agreed: String,
    pub notes: Vec<String>,
}

/// Seals what is asked for, on a branch of its own where it lands; ends what was under way here before.
pub fn seal(
    place: &PlaceOfWork,
    request: &RunRequest,
    word: Word<'_>,
    clock: &Clock,
) -> Result<SealedSession, Failure> {
    let mut notes = branching::clear_away(place)?.told();
    notes.extend(remains::put_all_away(place));
    let config = settings::heard(place, request.heard, request.flags.clone())?;
    let plan = composed_of(place, request, config.clone())?;
    trusting::give_at(place, word, &trusting::commands(&place.project, &config, &plan.terms.checks))?;
    notes.extend(plan.notes.iter().cloned());
    if !config.preset.lands() {
        make_room(place, clock)?;
        let agreed = agreed(&plan);
        return Ok(SealedSession { held: start::start(place, plan, clock)?, agreed, notes });
    }
    let (from, planned) = apart::here(place, &config, plan, clock.wall_ms())?;
    let agreed = planned.first().map(|(_, plan)| agreed(plan)).unwrap_or_default();
    make_room(place, clock)?;
    let mut begun = branching::begin(place, &from, planned, clock)?;
    notes.extend(from.notes.into_iter().chain(begun.notes));
    let held = begun.held.pop().ok_or(RunError::NoContract)?;
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
pub fn refuse_if_busy(place: &PlaceOfWork, replacing: Replacing) -> Result<(), Failure> {
    let _closed = Seat::close(&place.home, &place.project)?;
    refuse_if_busy_here(place, replacing)
}

/// The same, where this process has closed the project's sessions already.
pub fn refuse_if_busy_here(place: &PlaceOfWork, replacing: Replacing) -> Result<(), Failure> {
    // A state file that no stop has seen yet is a loop as well.
    match (adopt::in_closed(place, AdoptedFor::Acting, &Clock::new()), replacing) {
        (Ok(_), _) => {}
        (Err(failure), Replacing::Refused) => return Err(failure),
        (Err(_), Replacing::Asked | Replacing::Agreed) => {
            session::set_aside(place, session::AdoptedFrom::Marker, Clock::new().wall_ms())?;
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
fn make_room(place: &PlaceOfWork, clock: &Clock) -> Result<(), Failure> {
    for one in adopt::unfinished_here(place)? {
        ending::replace(place, &one, clock)?;
        session::let_go(place)?;
    }
    Ok(())
}
