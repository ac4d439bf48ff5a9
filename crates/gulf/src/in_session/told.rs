//! What the person reads of a stop: one line, whether the session goes on, rests or is over.
//!
//! It stands apart because hosts show it beside what the model hears, and it must say where the loop stands.

use std::fmt::Write as _;

use gulf_engine::{Clash, ForceMax, Gate, LandingWord, PauseReason, Policy, Settlement, State};
use gulf_runner::session::DrivenSession;
use gulf_runner::start::Known;
use gulf_views::{DriverPresence, History, Look, Summary, left_line, one_line, research_gap, result};

use crate::failure::Failure;
use crate::report::worktree;
use crate::{language, place, reviewing, verdicts};

/// `Gulf Loop | Iter 3/50 | …`
pub fn going_on(driven: &DrivenSession) -> String {
    let state = &driven.fold.state;
    let unit = state.unit();
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
        Some(Settlement::Blocked) => "another task comes first".to_owned(),
        Some(Settlement::Rejected) => "rejected by a person".to_owned(),
        Some(
            Settlement::AgentFailed
            | Settlement::RateLimited
            | Settlement::NeedsPerson
            | Settlement::Declined,
        ) => "tried again".to_owned(),
    };
    self::news(driven, &news)
}

/// The checks that said no about what the worker left last.
fn failing(state: &State) -> String {
    let unit = state.unit();
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
    format!("{}{force_max} | {}", head(&driven.fold.state), language::told(news))
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
pub fn paused(reason: PauseReason, known: &Known) -> Result<String, Failure> {
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
    let (what, next) = (language::told(what), language::told(next));
    Ok(format!("{} | {}{what}. {next}", head(&known.fold.state), left(known)?))
}

/// How it ended, in one line.
pub fn ended(known: &Known) -> Result<String, Failure> {
    let all = language::told("All of it: /gulf-loop:status.");
    Ok(format!("{}: {}. {all}", head(&known.fold.state), left(known)?))
}

fn left(known: &Known) -> Result<String, Failure> {
    Ok(left_line(&summary(known, DriverPresence::Absent)?, language::language()))
}

fn head(state: &State) -> String {
    language::told(format!("Gulf Loop | Iter {}/{}", state.unit().iteration, state.iterations_max()))
}

/// Where it stands, as a person asks for it in a session: the last screen of `gulf run`, without colour.
pub fn status(known: &Known) -> Result<String, Failure> {
    let screen =
        result(&summary(known, place::driver_of(known)?)?, Look::piped().in_language(language::language()));
    Ok(format!("{}{}", progress(known)?, screen.trim_end()))
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

fn summary(known: &Known, driver: DriverPresence) -> Result<Summary, Failure> {
    let agreement = known.agreement()?;
    let events = gulf_runner::book::read(known.home.root())?;
    let history = History::of(&events);
    let mut facts = place::facts(&agreement, known.home.root());
    let state = &known.fold.state;
    facts.last_words = place::last_words(&known.home, &history, state);
    facts.review = reviewing::of(&agreement, known.home.root(), &history, state);
    if let (Some(LandingWord::Landed { .. }), Some(branch)) = (state.landing(), &mut facts.branch)
        && branch.worktree.is_some()
    {
        branch.kept = Some(
            "this session stands in it; when it is closed, `gulf clean` or the next loop takes it away"
                .to_owned(),
        );
    }
    let tree = worktree(&agreement, &known.home, &history, state);
    let mut summary = Summary::new(&facts, &history, state, driver, &tree);
    verdicts::explain(&mut summary, &known.home);
    Ok(summary)
}
