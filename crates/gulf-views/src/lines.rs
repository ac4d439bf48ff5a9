//! The append-only log: one line for each event that matters to a person.
//!
//! It is read while it grows, also in a pipe and months later: a line never changes, and what only the machinery needs has
//! none.

use gulf_engine::{
    CONFIRMATIONS, CheckName, CheckRun, CheckVerdict, Contract, Decision, Doubt, EffectKey, EffectKind,
    EffectResult, End, Event, Fact, PauseReason, Settlement, Snapshot, State, Worker, decide,
};

use crate::look::{Look, Tone};
use crate::loop_status::{self, LoopStatus, end_meaning, how_it_ended, pause_meaning, stall_meaning};
use crate::phrase::{Phrase, attention, failed, say, secondary, verified};
use crate::wording::{self, reviewing, sender, thinking, work};
use crate::{gates, landing, numbers, parts, tasks, text, turns, wait};

/// The event as one line with the elapsed time before it, or none if a person need not know.
/// `state_after` has the event folded in already.
pub fn line(event: &Event, state_after: &State, look: Look) -> Option<String> {
    let told = fact(&event.fact, state_after)?;
    let clock = format!("{} ", text::clock(event.active_ms));
    Some(secondary(clock).join(told).line(look))
}

fn fact(fact: &Fact, state: &State) -> Option<Phrase> {
    Some(match fact {
        Fact::Sealed { contract } => say("sealed: ").join(agreed(contract)),
        Fact::Attached { .. } => attached(state)?,
        Fact::Bound { worker } => bound(worker),
        Fact::Adopted { iteration, rejections: _ } => {
            say(format!("adopted after iteration {iteration} of a state file"))
        }
        Fact::Reopened { turn } => turns::over("the session went on, and its turn is", turn, state),
        Fact::Began { key } => began(key, state)?,
        Fact::Ended { key, result } => ended(key, result, state)?,
        Fact::Claimed { claim } => say("the worker ").join(turns::claimed(claim)),
        Fact::Answered { question, answer, by } => {
            attention(format!("question {question} answered{}: ", sender(by))).say(text::first_line(answer))
        }
        Fact::Approved { reason, by } => {
            let act = if gates::is_judged(state) { "overrules the judge" } else { "approves the candidate" };
            attention(format!("a person{} {act}: ", sender(by))).say(text::first_line(reason))
        }
        Fact::Rejected { reason, by } => {
            let said = format!("a person{} rejects the last candidate: ", sender(by));
            attention(&said).say(text::first_line(reason))
        }
        Fact::Amended { contract } => attention("amended by a person: ").join(agreed(contract)),
        Fact::Steered { note } => attention("a note for the next iteration: ").say(text::first_line(note)),
        Fact::FeedbackTold { told } => attention("told: ").say(numbers::describe_recorded(told)),
        Fact::PauseAsked => attention("pause requested"),
        Fact::CancelAsked | Fact::Outrun => attention("cancel requested"),
        Fact::Paused { reason } => paused(*reason, state),
        Fact::Resumed => say("resumed"),
        Fact::Settled { settlement } => settled(*settlement, state)?,
        Fact::StrategyReset => attention("too many rejections in a row: asking for a different approach"),
        Fact::UnitFinished { end } => unit_finished(end, state),
        Fact::UnitSkipped { why, set_aside } => tasks::given_up(&end_meaning(why), set_aside.as_ref()),
        Fact::Refused { request, reason } => attention(format!("request {request} refused: ")).say(reason),
        Fact::TailDropped { bytes } => attention(wording::tail_dropped(*bytes)),
        Fact::LandingAsked { by, base, .. } => {
            attention(format!("landing on {} was asked for by {by}", landing::short(base)))
        }
        Fact::LandingTold { word } => landing::describe(word),
        Fact::Discarded { by } => attention(format!("discarded by {by}")),
        Fact::Divided { parts, why } => parts::division(parts, why),
        Fact::PartTold { id, word } => parts::line(id, word),
        Fact::Edited { paths, more } => attention(wording::edited(paths, *more)),
        Fact::Researched { changed, more } => attention(wording::researched(changed, *more)?),
        Fact::Finished { end } => end_word(end).say(format!(": {}", how_it_ended(end, state))),
        // A wait's end changes nothing to see; what was decided or asked for shows as the fact that follows, and what
        // was spent stands where the effect ends.
        Fact::Taken { request } => attention(wording::marker_edit(request)?),
        Fact::Woke | Fact::Spent { .. } | Fact::Decided { .. } => return None,
    })
}

fn bound(worker: &Worker) -> Phrase {
    match worker {
        Worker::Processes => say("continues outside of the session"),
        Worker::Session { host, id } => {
            say(format!("goes on in a session: {}", loop_status::name(host, id.as_deref())))
        }
    }
}

fn end_word(end: &End) -> Phrase {
    Phrase::new().tone(LoopStatus::Ended(end.clone()).tone(), end.word())
}

fn agreed(contract: &Contract) -> Phrase {
    let checks = if contract.checks.is_empty() {
        "no check".to_owned()
    } else {
        let names: Vec<&str> = contract.checks.iter().map(|terms| terms.name.as_str()).collect();
        format!("checks {}", names.join(", "))
    };
    let limits = contract.policy.limits;
    let iterations = text::iterations(limits.iterations_max.get());
    let time = limits.active_ms_max.map_or_else(String::new, |time| format!(", {}", text::duration(time)));
    let bounds = iterations + &time;
    say(format!(
        "goal {} · base {} · {checks} · at most {bounds}",
        text::short(contract.goal.as_str()),
        text::short(contract.base.commit.as_str()),
    ))
}

/// Only a driver that finds something under way is news; that a session stopped is told by what its turn came to.
fn attached(state: &State) -> Option<Phrase> {
    let iteration = state.unit.iteration;
    if loop_status::host(state).is_some() && state.running.iter().all(|key| key.work == EffectKind::Turn) {
        return None;
    }
    if let Some(orphan) = state.running.first() {
        let what = work(&orphan.work);
        return Some(
            attention("resumed after an interruption: ")
                .say(format!("{what} of iteration {iteration} was running")),
        );
    }
    (iteration > 0).then(|| say(format!("resumed at iteration {iteration}")))
}

fn began(key: &EffectKey, state: &State) -> Option<Phrase> {
    Some(match key.work {
        EffectKind::Turn => {
            let unit = tasks::prefix(key, state);
            let number = state.unit.iterations;
            let iterations_max = state.iterations_max();
            let attempt = if key.attempt > 1 { format!(", attempt {},", key.attempt) } else { String::new() };
            // What the gates say of the work is no secret to the worker: it stands in the prompt.
            let told = match (gates::red_checks(state).is_empty(), gates::is_rejected(state)) {
                (false, _) => ", with the check's failure",
                (true, true) => ", with the judge's reasons",
                (true, false) => "",
            };
            say(format!("{unit}iteration {number}/{iterations_max}")).say(attempt).say(" begins").say(told)
        }
        EffectKind::Step { step } => {
            let unit = tasks::prefix(key, state);
            say(format!("{unit}before iteration {}: {}", key.iteration, thinking(step)))
        }
        EffectKind::FollowUp => say("follow-up in the same session: done, or what remains?"),
        EffectKind::Judge => {
            let again = if key.attempt > 1 { " again" } else { "" };
            say(format!("asking the judge{again}"))
        }
        EffectKind::Review { by } => {
            let again = if key.attempt > 1 { " again" } else { "" };
            say(format!("{} begins{again}", reviewing(by)))
        }
        EffectKind::Land => say("every gate passed; waiting to land"),
        EffectKind::Snapshot | EffectKind::Check { .. } | EffectKind::Probe { .. } => return None,
        EffectKind::Overlay => say("looking for a new test that fails on the base's code"),
        EffectKind::Integrity | EffectKind::Close => return None,
    })
}

fn ended(key: &EffectKey, result: &EffectResult, state: &State) -> Option<Phrase> {
    Some(match result {
        EffectResult::Turn(turn) => {
            let what = if key.work == EffectKind::FollowUp { "follow-up" } else { "turn" };
            turns::over(what, turn, state)
        }
        EffectResult::Step(end) => turns::thought(&work(&key.work), end, state),
        EffectResult::Snapshot(snapshot) => candidate(snapshot, state),
        EffectResult::Check(run) => {
            if let EffectKind::Probe { name } = &key.work {
                on_base(state, name, run)
            } else {
                let told = say(format!("{}: ", work(&key.work))).join(wording::check_run(run));
                told.join(asked_again(&key.work, state))
            }
        }
        EffectResult::Integrity(integrity) => wording::integrity(integrity),
        EffectResult::Overlay(overlay) => wording::overlay(overlay),
        EffectResult::Judge(word) => {
            let who = if let EffectKind::Review { by } = &key.work { reviewing(*by) } else { "judge" };
            say(format!("{who}: ")).join(wording::judge(word))
        }
        EffectResult::Landing(word) => landing::describe(word),
        EffectResult::Closed { closing } => tasks::closed(closing, state),
        EffectResult::Interrupted => interrupted(key, state)?,
        EffectResult::Failed { reason } | EffectResult::NeedsPerson { why: reason } => {
            failed(wording::undone(&key.work)).say(format!(": {reason}"))
        }
    })
}

/// A probe runs beside the work and is stopped with it; that is no news.
fn interrupted(key: &EffectKey, state: &State) -> Option<Phrase> {
    Some(match key.work {
        EffectKind::Probe { .. } => return None,
        EffectKind::Step { .. } => attention(format!("{} was interrupted", work(&key.work))),
        EffectKind::Turn | EffectKind::FollowUp => {
            let over = attention(format!("{} was interrupted", work(&key.work)));
            over.say("; the worktree stays as it is").and(turns::spent(state))
        }
        EffectKind::Snapshot | EffectKind::Check { .. } | EffectKind::Integrity | EffectKind::Overlay => {
            again(key, state)
        }
        EffectKind::Judge | EffectKind::Review { .. } | EffectKind::Land | EffectKind::Close => {
            again(key, state)
        }
    })
}

fn again(key: &EffectKey, state: &State) -> Phrase {
    let over = attention(format!("{} was interrupted", work(&key.work)));
    let ends = matches!(decide(state), Decision::End(_));
    if ends { over } else { over.say("; it runs again") }
}

fn candidate(snapshot: &Snapshot, state: &State) -> Phrase {
    let candidate = &snapshot.candidate;
    let (commit, tree) = (text::short(candidate.commit.as_str()), text::short(candidate.tree.as_str()));
    let is_base = state.base().is_some_and(|base| base.tree == candidate.tree);
    let base = snapshot.base.as_ref().map(|base| text::short(base.commit.as_str()));
    let listed = |label: &str, texts: &[String]| {
        let named = || attention(label).attention(": ").quote(Tone::Attention, wording::names(texts));
        (!texts.is_empty()).then(named)
    };
    say("candidate ")
        .literal(commit)
        .secondary(format!(" (tree {tree})"))
        .and(is_base.then(|| attention("nothing differs from the base")))
        .and(base.map(|base| say(format!("compared with {base} of the base branch, which it holds"))))
        .and(snapshot.resembles.map(|resembles| attention(landing::resemblance(&resembles))))
        .and(listed("not in it", &snapshot.left_out))
        .and(listed("drifted, ignored", &snapshot.drifted))
}

fn paused(reason: PauseReason, state: &State) -> Phrase {
    let question = state.open_questions().next().filter(|_| reason == PauseReason::Question);
    let command = question.map_or_else(
        || loop_status::host(state).map_or("gulf resume", loop_status::resume_command).to_owned(),
        |open| format!("gulf answer {} \"…\"", open.number),
    );
    let other = [(PauseReason::ReadyToLand, "gulf land"), (PauseReason::TestsChanged, "gulf approve \"…\"")];
    let other = other.into_iter().find(|(one, _)| *one == reason).map(|(_, other)| other.to_owned());
    attention("paused until ")
        .literal(other.unwrap_or(command))
        .say(format!(": {}", pause_meaning(reason)))
        .say(pause_detail(reason, state))
}

/// What the sentence about the pause leaves open.
fn pause_detail(reason: PauseReason, state: &State) -> String {
    match reason {
        PauseReason::Milestone => format!(" after iteration {}", state.unit.iteration),
        PauseReason::Denied => format!(": {}", wording::names(&wording::all_denied(state))),
        PauseReason::NeedsPerson => {
            gates::needs(state).map_or_else(String::new, |why| format!("; the {why}"))
        }
        PauseReason::Declined => state.declined().map_or_else(String::new, turns::quoted),
        PauseReason::Question => asked(state).unwrap_or_default(),
        PauseReason::ReadyToLand => because(landing::in_the_way(state)),
        PauseReason::Review => because(numbers::in_hand(state)),
        PauseReason::ReadyToClose => because(tasks::in_the_way(state)),
        PauseReason::TaskLimit => {
            tasks::in_hand(state).map_or_else(String::new, |task| format!(": {}: {}", task.name, task.title))
        }
        PauseReason::Stuck => because(state.stall().map(stall_meaning)),
        PauseReason::CheckCannotRun => {
            gates::unrunnable(state).first().map_or_else(String::new, |first| format!(": {first}"))
        }
        PauseReason::NoVerdict | PauseReason::HostLimit | PauseReason::Idle => String::new(),
        PauseReason::Asked | PauseReason::Research | PauseReason::HumanGate => String::new(),
        PauseReason::Step | PauseReason::Limit | PauseReason::TestsChanged => String::new(),
    }
}

fn because(why: Option<impl std::fmt::Display>) -> String {
    why.map_or_else(String::new, |why| format!(": {why}"))
}

/// The oldest open question, and how many wait behind it.
fn asked(state: &State) -> Option<String> {
    let first = state.open_questions().next()?;
    let text = first.claim.question().map_or("", |question| text::first_line(&question.text));
    let more = match state.open_questions().count() {
        0 | 1 => String::new(),
        number => format!(" · {} more", number - 1),
    };
    Some(format!(": {text}{more}"))
}

fn settled(settlement: Settlement, state: &State) -> Option<Phrase> {
    Some(match settlement {
        Settlement::Unclaimed => {
            attention("thresholds not met").say(format!(": {}", numbers::goes_on(state)?))
        }
        Settlement::Declined => turns::declined(state),
        // The turn's own line said so, and a pause's says the rest.
        Settlement::NeedsPerson | Settlement::Questioned => return None,
        Settlement::Rejected => failed("refused").say(": rejected by a person"),
        Settlement::Blocked => blocked(state),
        Settlement::RateLimited => tried_again(state),
        Settlement::Unjudged => {
            attention("not judged").say(": the judge gave no verdict; the session continues")
        }
        Settlement::Research => {
            attention("iteration 1 repeats").say(format!(", {}", turns::research_gap(state)))
        }
        Settlement::AgentFailed => after_a_failure(state),
        Settlement::Refused { gate } => failed("refused").say(format!(": {}", gates::refusal(gate, state))),
        Settlement::Asked => attention("asked").say(format!(": {}", gates::question(state))),
        Settlement::Steered => {
            attention("not over yet").say(": every gate passed, and a person's note is not read yet")
        }
        Settlement::Approved => verified("approved").say("; --force-max continues to the last iteration"),
    })
}

fn after_a_failure(state: &State) -> Phrase {
    let next = match wait::left(state) {
        Some(left) => format!("trying again in {left}"),
        None if matches!(decide(state), Decision::End(_)) => "not tried again".to_owned(),
        None => "tried again".to_owned(),
    };
    attention(&next).say(": the agent failed and changed nothing")
}

fn tried_again(state: &State) -> Phrase {
    let left = wait::left(state).map_or_else(String::new, |left| format!(" {left}"));
    attention(format!("waiting{left}")).say(" for the provider, then the same iteration again")
}

/// The state has moved on to the next unit already.
fn unit_finished(end: &End, state: &State) -> Phrase {
    let (_, units) = tasks::counted(state);
    say(format!("task {}/{units} finished: ", state.finished.len())).join(end_word(end))
}

/// What comes first is in hand already.
fn blocked(state: &State) -> Phrase {
    let first =
        tasks::in_hand(state).map_or_else(String::new, |task| format!(": {}: {}", task.name, task.title));
    attention("the task is postponed: another comes first").say(first)
}

/// A check's word about the base, as a line has it.
fn on_base(state: &State, name: &CheckName, run: &CheckRun) -> Phrase {
    let told = say(format!("on the base: check {name} ")).join(wording::base_run(run));
    told.join(known_before(state, name, run))
}

/// What follows a check's red word about the base, where it names tests: without names there is nothing to accept.
fn known_before(state: &State, name: &CheckName, run: &CheckRun) -> Phrase {
    let is_red = matches!(run.verdict, CheckVerdict::Red { .. });
    if !is_red || run.failed.is_empty() {
        return Phrase::new();
    }
    attention(match (wording::is_acceptable(run), wording::is_accepted(state, name)) {
        (false, _) => " · failed before the loop: they must pass in the end",
        (true, true) => " · failed before the loop, accepted by --baseline",
        (true, false) => " · failed before the loop: they must pass in the end; `--baseline` accepts them",
    })
}

/// The check was asked again about the same tree.
fn asked_again(work: &EffectKind, state: &State) -> Phrase {
    let words = wording::words_in_hand(state);
    let EffectKind::Check { name } = work else { return Phrase::new() };
    let Some(Doubt::Asked { iteration, greens }) = words.and_then(|words| words.doubts.get(name)) else {
        return Phrase::new();
    };
    let told = match (greens, state.flaky.contains_key(name)) {
        (0, false) => format!(" · asked once more, as in iteration {iteration}"),
        (0, true) => " · FLAKY: it passed on the same files before".to_owned(),
        (greens, _) => {
            format!(" · FLAKY: it failed on the same files before; passed {greens} of {CONFIRMATIONS} times")
        }
    };
    attention(told)
}

// What a program said, under the line of its event: the worker's last words, the end of a failing check's output.

/// How many lines of one text are shown.
const LINES_MAX: usize = 6;

/// Stands before each line, as wide as the clock of the log's lines.
const MARGIN: &str = "    │ ";

/// The text's last lines that say something, each cut to fit and none with a line end.
pub fn excerpt(words: &str, look: Look) -> Vec<String> {
    let lines = text::spoken_lines(words);
    let unseen = lines.len().saturating_sub(LINES_MAX);
    // A line that says how much is missing takes the place of one that could be shown.
    let first = if unseen > 0 { unseen + 1 } else { 0 };
    let missing = (first > 0).then(|| say(format!("… {} before", text::count(first, "line", "lines"))));
    let shown = lines[first..].iter().map(|line| Phrase::new().quote(Tone::Plain, text::quoted_line(line)));
    missing.into_iter().chain(shown).map(|line| secondary(MARGIN).join(line).line(look)).collect()
}
