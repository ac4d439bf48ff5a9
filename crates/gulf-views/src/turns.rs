//! A turn's end in one phrase: how it ended, what the worker says, what it was not allowed to do, what it read and cost.
//!
//! A turn has the most ways to end, and each must read as what it is: a provider that asks to wait has not failed, and a
//! question is no claim. What cannot be measured must never read like a small number (SPEC G4, G24).

use crate::cost::Cost;
use crate::phrase::{Phrase, attention, failed, say, secondary};
use crate::question::QuestionKind;
use crate::{text, wording};
use gulf_engine::{
    Brief, Claim, Decision, Denial, Orientation, OrientationEnd, PauseReason, Remainder, Research, State,
    StepEnd, StepWord, Turn, TurnOutcome, decide,
};

/// One turn may have to read much; the second in a row reads what the first one read.
const COLD_STARTS_MIN: u32 = 2;
/// Basis points of a percent.
const PERCENT_BP: u32 = 100;

/// A turn's end with its price. The claim may have come by `gulf claim` before the final message: then the state knows it.
pub(crate) fn over(what: &str, turn: &Turn, state: &State) -> Phrase {
    let claim = turn.claim.as_ref().or(state.unit.claim.as_ref());
    of_state(what, turn, claim, state).and(too_much(turn, state)).and(spent(state))
}

/// The same without its price. What the brief lacks is said where the loop waits for it.
pub(crate) fn of_state(what: &str, turn: &Turn, claim: Option<&Claim>, state: &State) -> Phrase {
    let is_worth_a_word = is_brief_demanded(state) || turn.brief == Brief::Complete;
    briefed(what, turn, claim, brief(&turn.brief).filter(|_| is_worth_a_word))
}

/// The same for a turn that was over long ago.
pub(crate) fn describe(what: &str, turn: &Turn, claim: Option<&Claim>) -> Phrase {
    briefed(what, turn, claim, brief(&turn.brief))
}

fn briefed(what: &str, turn: &Turn, claim: Option<&Claim>, brief: Option<Phrase>) -> Phrase {
    let parts = [outcome(&turn.outcome), word(turn, claim), brief, denied(&turn.denials)];
    let over = say(format!("{what} over after {}: ", text::duration(turn.duration_ms)));
    let mut parts = parts.into_iter().flatten();
    over.join(parts.next().unwrap_or_default()).and(parts)
}

/// A step's end: what it came to, for whoever watches.
pub(crate) fn thought(what: &str, end: &StepEnd, state: &State) -> Phrase {
    let word = match &end.word {
        StepWord::Said => None,
        StepWord::Incomplete { missing } => {
            let what = format!("not in the requested form: {}", wording::names(missing));
            Some(attention(what))
        }
        StepWord::Objected { objections } => {
            let what = text::count(*objections, "objection", "objections");
            Some(attention(format!("{what}: planned again")))
        }
    };
    let is_over = end.outcome == TurnOutcome::Completed;
    let parts = [outcome(&end.outcome), word.filter(|_| is_over), denied(&end.denials), spent(state)];
    say(format!("{what} over after {}", text::duration(end.duration_ms))).and(parts.into_iter().flatten())
}

/// What the iteration has cost so far, where anything is known of it.
pub(crate) fn spent(state: &State) -> Option<Phrase> {
    let cost = Cost::of_one(&state.spending.iteration)?;
    Some(secondary(cost.whole()))
}

/// What the worker does by saying this.
pub(crate) fn claimed(claim: &Claim) -> Phrase {
    match claim {
        Claim::Done { no_test: None } => say("claims done"),
        Claim::Done { no_test: Some(reason) } => say(format!("claims done without a test: {reason}")),
        Claim::Blocked { task } => {
            attention("says that something else must come first").say(format!(": {}", text::first_line(task)))
        }
        // The question itself stands where the iteration is settled, with its number.
        Claim::Cannot(_) | Claim::Conflict(_) | Claim::NeedDecision(_) => {
            attention(QuestionKind::from_claim(claim).map_or("", |kind| kind.present))
        }
    }
}

/// What follows on a model that declined.
pub(crate) fn declined(state: &State) -> Phrase {
    let is_over = matches!(decide(state), Decision::Pause(PauseReason::Declined));
    let next = if is_over { "not tried again" } else { "trying again in a fresh session" };
    attention(next).say(": the model declined")
}

/// Somebody else's words after a sentence.
pub(crate) fn quoted(words: &str) -> String {
    let words = text::first_line(words);
    if words.is_empty() { String::new() } else { format!(": \u{201c}{words}\u{201d}") }
}

/// Nothing where the turn just came to its end.
fn outcome(outcome: &TurnOutcome) -> Option<Phrase> {
    Some(match outcome {
        TurnOutcome::Completed => return None,
        TurnOutcome::Failed { exit: Some(exit) } => failed(format!("FAILED exit {exit}")),
        TurnOutcome::Failed { exit: None } => failed("FAILED"),
        TurnOutcome::TimedOut => failed("TIMED OUT"),
        TurnOutcome::RateLimited { .. } => attention("the agent's provider asks to wait"),
        TurnOutcome::ContextFull => attention("the agent's context is full"),
        TurnOutcome::OutOfBudget => attention("the budget is used up"),
        TurnOutcome::NeedsPerson { why } => failed("COULD NOT WORK").say(format!(": {why}")),
        TurnOutcome::Declined { why } => {
            let why = text::first_line(why);
            let quoted = if why.is_empty() { String::new() } else { format!(": {why}") };
            failed("THE MODEL DECLINED").say(quoted)
        }
    })
}

/// Nobody expects a claim of a turn that could not work.
fn word(turn: &Turn, claim: Option<&Claim>) -> Option<Phrase> {
    let could_not_work = matches!(
        turn.outcome,
        TurnOutcome::RateLimited { .. } | TurnOutcome::NeedsPerson { .. } | TurnOutcome::Declined { .. }
    );
    let silent = match turn.remainder {
        Remainder::Unnamed => "no claim",
        Remainder::Named => "no claim, and progress.txt says what remains",
    };
    claim.map(claimed).or_else(|| (!could_not_work).then(|| say(silent)))
}

fn brief(brief: &Brief) -> Option<Phrase> {
    match brief {
        Brief::NotAsked => None,
        Brief::Complete => Some(say("the brief is complete")),
        Brief::Incomplete { missing } => Some(attention(brief_lacks(missing))),
    }
}

/// All parts at once are one thing to say: there is no brief.
fn brief_lacks(missing: &[String]) -> String {
    match missing {
        [_, _, _, ..] => format!(
            "the research brief in progress.txt lacks {}",
            text::count(missing.len(), "part", "parts")
        ),
        few => format!("the brief is incomplete: {}", few.join(", ")),
    }
}

fn denied(denials: &[Denial]) -> Option<Phrase> {
    if denials.is_empty() {
        return None;
    }
    let each: Vec<String> = denials.iter().map(|one| wording::denied(&one.what, one.times)).collect();
    let setting =
        if denials.iter().any(|one| wording::is_allowable(&one.what)) { " ([agent] allow)" } else { "" };
    Some(attention(format!("not allowed: {}", wording::names(&each))).attention(setting))
}

/// How much of a fresh context was read before the first edit: of any turn, also where nothing can be said.
pub(crate) fn measured(turn: &Turn) -> Phrase {
    match turn.orientation {
        Some(orientation) => say(read_of_context(orientation)),
        None => secondary(
            "what it read before its first edit is not measurable: its agent does not tell, or its session went on",
        ),
    }
}

/// Of a turn that read more than was wanted.
fn too_much(turn: &Turn, state: &State) -> Option<Phrase> {
    let orientation = turn.orientation.filter(|one| bp_max(state).is_some_and(|max| one.used_bp > max))?;
    Some(attention(read_of_context(orientation)))
}

/// Of turns in a row that read more than was wanted.
pub(crate) fn cold_starts(state: &State) -> Option<String> {
    let turns = state.unit.streaks.cold_starts;
    let percent = bp_max(state).filter(|_| turns >= COLD_STARTS_MIN)? / PERCENT_BP;
    Some(format!(
        "Each of the last {turns} turns that began with a fresh context filled more than {percent} % of it before the \
         first edit (stuck.orientation). The next one is told to begin with progress.txt."
    ))
}

fn bp_max(state: &State) -> Option<u32> {
    state.contract()?.policy.stuck.orientation_bp_max
}

fn read_of_context(orientation: Orientation) -> String {
    let percent = orientation.used_bp / PERCENT_BP;
    match orientation.until {
        OrientationEnd::Edit => format!("{percent} % of a fresh context read before the first edit"),
        OrientationEnd::Turn => format!("{percent} % of a fresh context read, and nothing edited by a tool"),
    }
}

/// Does the loop go on only with a brief? Elsewhere one is welcome, and no word is lost about its absence.
fn is_brief_demanded(state: &State) -> bool {
    let demanded = [Research::Gate, Research::Brief];
    state.contract().is_some_and(|contract| demanded.contains(&contract.policy.research))
}

/// `2 of 5: the brief lacks RISKS, GAPS`, for an iteration that repeats.
pub fn research_gap(state: &State) -> String {
    let most = state.contract().map_or(0, |contract| contract.policy.retries.research_max.get());
    let asked = state.unit.streaks.research.min(most);
    let gap = match state.unit.last.as_ref().map(|(turn, _)| &turn.brief) {
        Some(Brief::Incomplete { missing }) => {
            let names: Vec<&str> = missing.iter().map(|sentence| name(sentence)).collect();
            format!("the brief lacks {}", names.join(", "))
        }
        Some(Brief::Complete) => "the brief is complete, but iteration 1 may change no other file".to_owned(),
        Some(Brief::NotAsked) | None => "it needs a complete brief".to_owned(),
    };
    format!("{asked} of {most}: {gap}")
}

/// The field's name, which a sentence about it has in backticks; else the sentence.
fn name(sentence: &str) -> &str {
    let quoted = sentence.split('`').nth(1).and_then(|quoted| quoted.strip_suffix(':'));
    quoted.unwrap_or(sentence)
}
