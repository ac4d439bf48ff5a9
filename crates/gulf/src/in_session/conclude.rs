//! How a session's loop was left: what the session hears, and what is written and told elsewhere.

use std::fmt::Write as _;
use std::sync::Arc;

use gulf_agents::sessions::{Answer, Host, spelled_for};
use gulf_engine::{
    Clash, Decision, EffectKey, EffectKind, ForceMax, Gate, LandingWord, PauseReason, Policy, Settlement,
    State, decide,
};
use gulf_host::clock::Clock;
use gulf_host::home::Name;
use gulf_runner::drive::DriveOutcome;
use gulf_runner::group;
use gulf_runner::place::PlaceOfWork;
use gulf_runner::session::{DrivenSession, Outcome, Seat};
use gulf_runner::start::{self, KnownLoop};
use gulf_runner::stop::Stop;
use gulf_views::{DriverPresence, Look, Summary, left_line, one_line, research_gap, result};

use super::SessionMessage;
use crate::drive::notify;
use crate::failure::{Failure, Result};
use crate::{ending, language, place};

/// So often in a row a session is sent on because its host's time was not enough.
const OVERTIMES_MAX: u32 = 3;

/// Writes what shows how the loop was left, where nobody hears an answer.
pub fn concluded(seat: &mut Seat, driven: &DrivenSession) -> Result<()> {
    conclude(seat, driven)?;
    Ok(seat.save()?)
}

/// The same for a command in a terminal; says how the loop was left, unless the session has the next turn.
pub fn shown(mut seat: Seat, outcome: &Outcome) -> Result<Option<String>> {
    let Outcome::Driven(driven) = outcome else { return Ok(None) };
    let said = conclude(&mut seat, driven)?;
    let host = Host::from_name(&seat.armed.host).unwrap_or(Host::Other);
    match &driven.left {
        DriveOutcome::Ended(_) => seat.clear()?,
        DriveOutcome::HandedOver(_) | DriveOutcome::Paused(_) | DriveOutcome::Interrupted => seat.save()?,
    }
    let Answer::LetStop { told } = said.answer else { return Ok(None) };
    Ok(Some(spelled_for(host, &told)))
}

/// What the session hears, and what is written when the loop was left.
pub fn conclude(seat: &mut Seat, driven: &DrivenSession) -> Result<SessionMessage> {
    let known = known(seat, driven)?;
    let place = seat.place()?;
    let mut said = match &driven.left {
        DriveOutcome::HandedOver(_) => {
            ending::project(&place, &known.home, driven);
            let news = driven.news.clone().unwrap_or_default();
            let told = going_on(driven);
            SessionMessage::go_on(news, told.clone(), told)
        }
        DriveOutcome::Paused(reason) => {
            ending::project(&place, &known.home, driven);
            SessionMessage::let_stop(paused(*reason, &known)?)
        }
        DriveOutcome::Ended(_) => {
            ending::write(&place, &known)?;
            stop_others(&place, &known)?;
            SessionMessage::let_stop(ended(&known)?)
        }
        DriveOutcome::Interrupted => overtime(seat, driven),
    };
    if matches!(driven.left, DriveOutcome::Paused(_) | DriveOutcome::Ended(_)) {
        told_elsewhere(&known, &mut said);
    }
    if !driven.notes.is_empty() {
        let notes: Vec<String> = driven.notes.iter().map(|note| format!("note: {note}")).collect();
        let _ = write!(said.talk, "\n{}", notes.join("\n"));
        if let Answer::Continue { told, .. } | Answer::LetStop { told } = &mut said.answer {
            let _ = write!(told, " · {}", one_line(&notes.join(" · ")));
        }
    }
    Ok(said)
}

/// Whoever is away from the session is told by the channels, once and without waiting for an answer.
fn told_elsewhere(known: &KnownLoop, said: &mut SessionMessage) {
    // Nobody listens for a signal: one ends this process.
    let (clock, leave) = (Arc::new(Clock::new()), Stop::default());
    let agreement = known.agreement().map_err(Failure::from);
    let notes =
        agreement.and_then(|agreement| notify::tell_of(&agreement, &known.home, (&leave, &clock), 1, None));
    let notes = notes.unwrap_or_else(|failure| vec![failure.in_one_line()]);
    notes.iter().for_each(|note| said.talk.push_str(&format!("\nnote: {note}")));
}

/// Where the first that lands is enough, the others of its group hear so at their next stop.
fn stop_others(place: &PlaceOfWork, landed: &KnownLoop) -> Result<()> {
    if landed.fold.state.landed_as().is_none() || !group::is_over_with_first(&landed.agreement()?) {
        return Ok(());
    }
    for other in group::together(landed, &start::loops(place)?.known) {
        group::stop(&other.home, &Clock::new())?;
    }
    Ok(())
}

/// The gates, or others that land first, need longer than the host allows.
fn overtime(seat: &mut Seat, driven: &DrivenSession) -> SessionMessage {
    seat.armed.failures = seat.armed.failures.saturating_add(1);
    let is_over = seat.armed.failures > OVERTIMES_MAX;
    if waits_to_land(driven) {
        return queued(driven, is_over);
    }
    if is_over {
        return SessionMessage::let_stop(
            "gulf could not finish looking at this: the checks take longer than the agent's program waits. The \
             loop is NOT over and nothing was verified. `gulf resume --here` goes on without that limit."
                .to_owned(),
        );
    }
    let why = "the checks and the judge took longer than the time that gulf has for one stop";
    let brief = format!(
        "gulf has not finished looking at your work: {why}. This is neither a yes nor a no. What was said so far is \
         kept: finish your turn again, and gulf goes on from there."
    );
    SessionMessage::go_on(brief, language::translated(format!("Gulf Loop | not finished: {why}")), why)
}

/// Did every gate say yes, and what is left is the way onto the base branch?
fn waits_to_land(driven: &DrivenSession) -> bool {
    let lands = |key: &EffectKey| key.work == EffectKind::Land;
    matches!(decide(&driven.fold.state), Decision::Run { effects, .. } if effects.iter().any(lands))
}

/// The work keeps its place by being asked for again: nothing is left to do for the session (CONTRACT R8).
fn queued(driven: &DrivenSession, is_over: bool) -> SessionMessage {
    let news = news(driven, "Merge queued — waiting for its turn");
    if is_over {
        return SessionMessage::let_stop(format!(
            "{news}\nEvery gate has passed, but the work has NOT landed yet: others land first, or the tests of the \
             merge take longer than the agent's program waits. The loop is not over: say \"go on\" later, or \
             `gulf resume --here`, which waits as long as it takes."
        ));
    }
    let brief = "## Merge Queued\n\nEvery gate has passed, and your work waits for its turn to land on the base \
                 branch: others land first, or the tests of the merge are still running. Nothing is left to do for you: \
                 change nothing, and end your message with the same word again. gulf goes on from there.";
    SessionMessage::go_on(brief, news.clone(), news)
}

/// The name of the loop that the session works on.
pub fn name(seat: &Seat) -> Result<Name> {
    Name::parse(&seat.armed.loop_id).map_err(Failure::broken)
}

fn known(seat: &Seat, driven: &DrivenSession) -> Result<KnownLoop> {
    let name = name(seat)?;
    let home = seat.place()?.loop_home(&name);
    Ok(KnownLoop { name, home, fold: driven.fold.clone() })
}

// What the person reads of a stop: one line, whether the session goes on, rests or is over.

/// `Gulf Loop | Iter 3/50 | …`
pub fn going_on(driven: &DrivenSession) -> String {
    let state = &driven.fold.state;
    let unit = &state.unit;
    let policy = policy(driven);
    let judged = driven.agreement.judge.is_some();
    let news = match driven.fold.last_settlement {
        _ if driven.fold.strategy_reset => "STRATEGY RESET: a different approach is asked for".to_owned(),
        None => "begins".to_owned(),
        Some(Settlement::Unclaimed) => "no claim yet, goes on".to_owned(),
        Some(Settlement::Research) => format!("research phase incomplete, {}", research_gap(state)),
        Some(Settlement::Approved) if judged => "judge APPROVED; force-max continues".to_owned(),
        Some(Settlement::Approved) => "every gate passed; force-max continues".to_owned(),
        Some(Settlement::Refused { gate: Gate::Judge }) => format!(
            "judge REJECTED ({}/{}), see JUDGE_FEEDBACK.md",
            unit.streaks.rejections, policy.rejections.threshold
        ),
        Some(Settlement::Refused { gate: Gate::Tasks }) => "tasks are OPEN".to_owned(),
        Some(Settlement::Refused { gate: Gate::Checks }) => format!("checks FAILED{}", failing(state)),
        Some(Settlement::Refused { gate: Gate::Integrity }) => "tests were changed".to_owned(),
        Some(Settlement::Refused { gate: Gate::Feedback }) => "numbers below what was agreed".to_owned(),
        Some(Settlement::Refused { gate: Gate::Approach }) => "a rejected approach again".to_owned(),
        Some(Settlement::Refused { gate: Gate::Landing }) => landing(state).to_owned(),
        Some(Settlement::Asked) => "checks pass; a test or a reason is asked for".to_owned(),
        Some(Settlement::Unjudged) => "judge UNAVAILABLE, goes on meanwhile".to_owned(),
        Some(Settlement::Questioned) => "your answer is passed on".to_owned(),
        Some(Settlement::Steered) => "every gate passed; your note is read first".to_owned(),
        Some(Settlement::Blocked) => "another task comes first".to_owned(),
        Some(Settlement::Rejected) => "rejected by a person".to_owned(),
        Some(Settlement::AgentFailed | Settlement::RateLimited) => "tried again".to_owned(),
        Some(Settlement::NeedsPerson | Settlement::Declined) => "tried again".to_owned(),
    };
    self::news(driven, &news)
}

/// The checks that said no about what the worker left last.
fn failing(state: &State) -> String {
    let unit = &state.unit;
    let words = unit.trees.last().and_then(|tree| unit.words.get(tree));
    let runs = words.into_iter().flat_map(|words| &words.checks).filter(|(_, run)| !run.is_green());
    let red: Vec<String> = runs
        .map(|(name, run)| match run.exit {
            Some(code) => format!("{} (exit {code})", one_line(name.as_str())),
            None => one_line(name.as_str()),
        })
        .collect();
    if red.is_empty() { String::new() } else { format!(": {}", red.join(", ")) }
}

/// The same with other news.
pub fn news(driven: &DrivenSession, news: &str) -> String {
    let force_max = if policy(driven).force_max == ForceMax::On { " (force-max)" } else { "" };
    format!("{}{force_max} | {}", head(&driven.fold.state), language::translated(news))
}

fn policy(driven: &DrivenSession) -> &Policy {
    driven.fold.state.contract().map_or(&driven.agreement.policy, |contract| &contract.policy)
}

/// In the seed's words: what stands between the work and its base branch.
fn landing(state: &State) -> &'static str {
    match state.landing() {
        Some(LandingWord::Refused { by: Clash::Conflict, .. }) => "Merge CONFLICT — the worker resolves it",
        Some(LandingWord::Refused { by: Clash::Red, .. }) => "Merge OK — tests FAILED",
        Some(LandingWord::Refused { by: Clash::Tests, .. }) => "Merge OK — tests were changed or lost",
        Some(LandingWord::Refused { by: Clash::Untested, .. }) => "Merge OK — nothing can test it",
        Some(LandingWord::Landed { .. } | LandingWord::NotReady { .. }) | None => "merge refused",
    }
}

/// Why it rests, and how it goes on, in one line.
pub fn paused(reason: PauseReason, known: &KnownLoop) -> Result<String> {
    let usual = "Go on: /gulf-loop:resume; all of it: /gulf-loop:status; end it: /gulf-loop:cancel.";
    let terminal = "In a terminal: `gulf approve` or `gulf reject`; all of it: /gulf-loop:status.";
    let research = "Go on: /gulf-loop:resume; `--no-research` at a start leaves this phase out.";
    let known_ways = [
        (PauseReason::Milestone, " (milestone checkpoint)", usual),
        (PauseReason::HumanGate, " (HITL gate, see JUDGE_FEEDBACK.md)", usual),
        (PauseReason::TestsChanged, " (changed tests)", terminal),
        (PauseReason::NoVerdict, " (the judge, or a review beside it)", usual),
        (PauseReason::Question, "", "Your next prompt is the answer."),
        (PauseReason::Research, "", research),
    ];
    let own = known_ways.into_iter().find(|(of, ..)| *of == reason);
    let (_, what, next) = own.unwrap_or((reason, "", usual));
    let (what, next) = (language::translated(what), language::translated(next));
    Ok(format!("{} | {}{what}. {next}", head(&known.fold.state), left(known)?))
}

/// How it ended, in one line.
pub fn ended(known: &KnownLoop) -> Result<String> {
    let all = language::translated("All of it: /gulf-loop:status.");
    Ok(format!("{}: {}. {all}", head(&known.fold.state), left(known)?))
}

fn left(known: &KnownLoop) -> Result<String> {
    Ok(left_line(&summary(known, DriverPresence::Absent)?, language::language()))
}

fn head(state: &State) -> String {
    language::translated(format!("Gulf Loop | Iter {}/{}", state.unit.iterations, state.iterations_max()))
}

/// Where it stands, as a person asks for it in a session: the last screen of `gulf run`, without colour.
pub fn status(known: &KnownLoop) -> Result<String> {
    let summary = summary(known, place::driver_of(known)?)?;
    let screen = result(&summary, Look::piped().in_language(language::language()));
    Ok(format!("{}{}", progress(known)?, screen.trim_end()))
}

/// The iteration and the promise, as users of the original look for them.
pub fn progress(known: &KnownLoop) -> Result<String> {
    let agreement = known.agreement()?;
    let state = &known.fold.state;
    let iteration = gulf_runner::session::iteration(state);
    let mut text = format!("Iteration   : {iteration} / {}\n", state.iterations_max());
    let _ = writeln!(text, "Completion  : <promise>{}</promise>", agreement.completion_promise);
    Ok(text)
}

fn summary(known: &KnownLoop, driver: DriverPresence) -> Result<Summary> {
    let (mut facts, agreement) = place::facts_of(known)?;
    if let (Some(_), Some(branch)) = (known.fold.state.landed_as(), &mut facts.branch)
        && branch.worktree.is_some()
    {
        let why = "this session stands in it; when it is closed, `gulf clean` or the next loop takes it away";
        branch.kept = Some(why.to_owned());
    }
    ending::summary(known, (facts, agreement), driver)
}
