//! What the person reads of a stop: one line when the session goes on, more when it rests or the loop is over.
//!
//! It stands apart because hosts show it beside what the model hears, and it must say where the loop stands.

use std::fmt::Write as _;

use gulf_engine::{Clash, ForceMax, Gate, LandingWord, PauseReason, Policy, Settlement, State};
use gulf_runner::folder::Folder;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::Driven;
use gulf_runner::start::Known;
use gulf_views::{Driver, History, Look, Summary, result};

use crate::commands::resume::worktree;
use crate::failure::Failure;
use crate::{place, verdicts};

/// `Gulf Loop | Iter 3/50 | …`
pub fn going_on(driven: &Driven) -> String {
    let state = &driven.fold.state;
    let unit = state.unit();
    let policy = policy(driven);
    let judged = driven.agreement.judge.is_some();
    let news = match driven.fold.last_settlement {
        _ if driven.fold.strategy_reset => "STRATEGY RESET — rethink approach".to_owned(),
        None => "begins".to_owned(),
        Some(Settlement::Unclaimed) if judged => "no claim yet".to_owned(),
        Some(Settlement::Unclaimed) => {
            format!("To stop: output <promise>{}</promise>", driven.agreement.completion_promise)
        }
        Some(Settlement::Research) => "Research phase incomplete — see reason".to_owned(),
        Some(Settlement::Approved) if judged => "Judge APPROVED — force-max continues".to_owned(),
        Some(Settlement::Approved) => "Promise received — force-max continues".to_owned(),
        Some(Settlement::Refused { gate: Gate::Judge }) => format!(
            "Judge REJECTED ({}/{}) — see JUDGE_FEEDBACK.md",
            unit.streaks.rejections, policy.rejections.threshold
        ),
        Some(Settlement::Refused { gate: Gate::Tasks }) => "Tasks are OPEN — see reason".to_owned(),
        Some(Settlement::Refused { gate: Gate::Checks }) => "Checks FAILED — fix required".to_owned(),
        Some(Settlement::Refused { gate: Gate::Integrity }) => "Tests were changed — see reason".to_owned(),
        Some(Settlement::Refused { gate: Gate::Feedback }) => "Numbers below what was agreed".to_owned(),
        Some(Settlement::Refused { gate: Gate::Approach }) => {
            "A rejected approach again — see reason".to_owned()
        }
        Some(Settlement::Refused { gate: Gate::Landing }) => landing(state).to_owned(),
        Some(Settlement::Asked) => "a test or a reason is asked for".to_owned(),
        Some(Settlement::Unjudged) => "Judge UNAVAILABLE — goes on meanwhile".to_owned(),
        Some(Settlement::Questioned) => "your answer is passed on".to_owned(),
        Some(Settlement::Blocked) => "another task comes first".to_owned(),
        Some(Settlement::Rejected) => "a person said no — see reason".to_owned(),
        Some(Settlement::AgentFailed | Settlement::RateLimited) => "tried again".to_owned(),
        Some(Settlement::NeedsPerson | Settlement::Declined) => "tried again".to_owned(),
    };
    self::news(driven, &news)
}

/// The same with other news.
pub fn news(driven: &Driven, news: &str) -> String {
    let policy = policy(driven);
    let force_max = if policy.force_max == ForceMax::On { " (force-max)" } else { "" };
    let iteration = driven.fold.state.unit().iteration;
    format!("Gulf Loop | Iter {iteration}/{}{force_max} | {news}", driven.fold.state.iterations_max())
}

fn policy(driven: &Driven) -> &Policy {
    driven.fold.state.contract().map_or(&driven.agreement.policy, |contract| &contract.policy)
}

/// In the seed's words: what stands between the work and its base branch.
fn landing(state: &State) -> &'static str {
    match state.landing() {
        Some(LandingWord::Refused { by: Clash::Conflict, .. }) => "Merge CONFLICT — resolve autonomously",
        Some(LandingWord::Refused { by: Clash::Red, .. }) => "Merge OK — tests FAILED",
        Some(LandingWord::Refused { by: Clash::Tests, .. }) => "Merge OK — tests were changed or lost",
        Some(LandingWord::Refused { by: Clash::Untested, .. }) => "Merge OK — nothing can test it",
        Some(LandingWord::Landed { .. } | LandingWord::NotReady { .. }) | None => {
            "Merge refused — see reason"
        }
    }
}

/// Why it rests, and how it goes on.
pub fn paused(reason: PauseReason, known: &Known, place: &PlaceOfWork) -> Result<String, Failure> {
    let what = match reason {
        PauseReason::Milestone => "Loop is paused at milestone checkpoint.",
        PauseReason::HumanGate => "Loop is paused (HITL gate). Check JUDGE_FEEDBACK.md.",
        PauseReason::Asked
        | PauseReason::Research
        | PauseReason::NoVerdict
        | PauseReason::Question
        | PauseReason::Denied
        | PauseReason::NeedsPerson
        | PauseReason::HostLimit
        | PauseReason::Idle
        | PauseReason::Step
        | PauseReason::Stuck
        | PauseReason::Limit => "Loop is paused.",
        PauseReason::Declined => "Loop is paused: the model declined the work.",
        PauseReason::Review => "Loop is paused for your review of what was measured.",
        PauseReason::TaskLimit | PauseReason::ReadyToClose => "Loop is paused at a task of its list.",
        PauseReason::CheckCannotRun => "Loop is paused: a check cannot run.",
        PauseReason::ReadyToLand => "Loop is paused: its work is ready to land.",
    };
    let mut text = format!("{what} Go on: /gulf-loop:resume; end it: /gulf-loop:cancel.\n");
    text.push_str(&screen(known, place)?);
    Ok(text)
}

/// How it ended.
pub fn ended(known: &Known, place: &PlaceOfWork) -> Result<String, Failure> {
    screen(known, place)
}

/// Where it stands, as a person asks for it in a session.
pub fn status(known: &Known, place: &PlaceOfWork) -> Result<String, Failure> {
    Ok(format!("{}{}", progress(known)?, screen(known, place)?))
}

/// The iteration and the promise, as users of the original look for them.
pub fn progress(known: &Known) -> Result<String, Failure> {
    let agreement = known.agreement()?;
    let state = &known.fold.state;
    let iteration = gulf_runner::session::iteration(state);
    let mut text = format!("Iteration   : {iteration} / {}\n", state.iterations_max());
    let _ = writeln!(text, "Completion  : <promise>{}</promise>", agreement.completion_promise);
    Ok(text)
}

/// The last screen of `gulf run`, without colour.
pub fn screen(known: &Known, place: &PlaceOfWork) -> Result<String, Failure> {
    let agreement = known.agreement()?;
    let events = gulf_runner::book::read(known.home.root())?;
    let history = History::of(&events);
    let mut facts = place::facts(&agreement, known.home.root());
    let state = &known.fold.state;
    facts.last_words = place::last_words(&known.home, &history, state);
    if let (Some(LandingWord::Landed { .. }), Some(branch)) = (state.landing(), &mut facts.branch)
        && branch.worktree.is_some()
    {
        branch.kept = Some(
            "this session stands in it; when it is closed, `gulf clean` or the next loop takes it away"
                .to_owned(),
        );
    }
    let tree = worktree(&agreement, &history, state);
    let mut summary = Summary::new(&facts, &history, state, Driver::Absent, &tree);
    verdicts::explain(&mut summary, &Folder::new(known.home.root()));
    let mut text = String::new();
    let _ = write!(text, "{}", result(&summary, Look::piped()));
    debug_assert!(place.project == agreement.project, "a session's loop works in the session's checkout");
    Ok(text.trim_end().to_owned())
}
