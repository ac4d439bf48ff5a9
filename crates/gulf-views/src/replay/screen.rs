//! A replay for people: iteration by iteration, each decision with what it rests on.

use gulf_engine::{
    Decision, ENGINE_VERSION, EffectKey, EffectKind, End, PersonWord, Settlement, Stage, State, Turn,
};

use super::{Redecided, Replay};
use crate::look::Look;
use crate::loop_status::{end_meaning, pause_meaning};
use crate::phrase::{Phrase, attention, failed, say, secondary, verified};
use crate::screen::heading;
use crate::{landing, text, turns, wording};

/// How far what a decision rests on stands in.
const GROUNDS_INDENT: usize = 6;

/// The replay as lines, each with its line end; the verdict on it comes first.
pub fn replay(handle: &str, replay: &Replay, look: Look) -> String {
    let mut screen = verdict(replay, look);
    let events = text::count(replay.events, "event", "events");
    let decisions = text::count(replay.decisions.len(), "decision", "decisions");
    screen.push_str(&secondary(format!("{handle}: {events}, {decisions}")).paragraph(look, 2));
    let mut iteration = None;
    for decision in &replay.decisions {
        if iteration.replace(decision.iteration) != Some(decision.iteration) {
            screen.push_str(&heading(say(format!("iteration {}", decision.iteration)), look));
        }
        screen.push_str(&line(decision, look));
    }
    if let Some(stop) = &replay.stop {
        let stopped = attention(format!("stopped after event {}", stop.after));
        screen.push_str(&heading(stopped.say(format!(": {}", stop.why)), look));
    }
    screen
}

fn verdict(replay: &Replay, look: Look) -> String {
    let differences = replay.differences().count();
    let phrase = if differences == 0 && replay.stop.is_some() {
        attention("every readable decision matches the journal")
    } else if differences == 0 {
        verified("every decision matches the journal")
    } else {
        let what =
            format!("{} otherwise", text::count(differences, "decision comes out", "decisions come out"));
        if replay.is_bug() {
            let rules =
                format!(": the rules are the same (version {ENGINE_VERSION}), so this is a bug in gulf");
            failed(what).say(rules)
        } else {
            let rules = format!(": the rules have changed since (version {ENGINE_VERSION} now)");
            attention(what).say(rules)
        }
    };
    phrase.paragraph(look, 2)
}

fn line(decision: &Redecided, look: Look) -> String {
    let place = format!("  {} #{} ", text::clock(decision.active_ms), decision.sequence);
    let mut screen = secondary(place).say(&decision.journalled).paragraph(look, GROUNDS_INDENT);
    let indented =
        |phrase: Phrase| say(" ".repeat(GROUNDS_INDENT)).join(phrase).paragraph(look, GROUNDS_INDENT + 2);
    if !decision.agrees {
        let now = failed("now")
            .say(format!(": {} (decided then by version {})", decision.computed, decision.engine_version));
        screen.push_str(&indented(now));
    }
    for ground in &decision.grounds {
        screen.push_str(&indented(secondary(ground)));
    }
    screen
}

// What a decision rests on: the gates' words about the candidate, or what was counted.

/// A line each; none for what needs no reason.
pub(super) fn grounds(decision: &Decision, state: &State) -> Vec<String> {
    match decision {
        Decision::Run { effects, .. } => beginning(effects, state),
        Decision::Settle(settlement) => settled(*settlement, state),
        Decision::Pause(reason) => vec![pause_meaning(*reason).to_owned()],
        Decision::ResetStrategy => vec![rejections(state)],
        Decision::FinishUnit(end) | Decision::SkipUnit(end) | Decision::End(end) => ended(end, state),
        Decision::Recover(_) | Decision::Rest => Vec::new(),
    }
}

fn settled(settlement: Settlement, state: &State) -> Vec<String> {
    match settlement {
        Settlement::Unclaimed => turn(state).into_iter().chain(gate_words(state)).collect(),
        Settlement::Research | Settlement::AgentFailed | Settlement::RateLimited => turn(state),
        Settlement::NeedsPerson | Settlement::Questioned | Settlement::Declined => turn(state),
        Settlement::Blocked => turn(state),
        Settlement::Refused { .. } | Settlement::Asked | Settlement::Approved => gate_words(state),
        Settlement::Rejected | Settlement::Unjudged | Settlement::Steered => gate_words(state),
    }
}

/// Why a turn begins: what the one before it came to.
fn beginning(effects: &[EffectKey], state: &State) -> Vec<String> {
    let Some(next) = effects.iter().find(|key| key.work == EffectKind::Turn) else { return Vec::new() };
    let limit = state.contract().map(|_| state.iterations_max());
    let of = limit.map(|limit| format!("iteration {} of at most {limit}", next.iteration));
    let notes = state.notes.iter().map(|note| format!("a person's note: {}", text::first_line(note)));
    of.into_iter().chain(notes).collect()
}

fn turn(state: &State) -> Vec<String> {
    let last = state.unit.last.as_ref();
    let claim = state.unit.claim.as_ref();
    let in_hand = turn_in_hand(state).or(last.map(|(turn, _)| turn));
    in_hand.map(|turn| turns::of_state("turn", turn, claim, state).to_plain_text()).into_iter().collect()
}

fn turn_in_hand(state: &State) -> Option<&Turn> {
    match state.innermost_stage() {
        Stage::Settling(turn) | Stage::Gates(turn, _) | Stage::FollowUp(turn, _) => Some(turn),
        Stage::Unsealed | Stage::Between(_) | Stage::Turn | Stage::Paused(..) | Stage::Ended(_) => None,
    }
}

/// What the gates said about the candidate in hand.
fn gate_words(state: &State) -> Vec<String> {
    let Some(words) = wording::words_in_hand(state) else { return Vec::new() };
    let mut lines = Vec::new();
    let checks = words.checks.iter();
    lines.extend(
        checks.map(|(name, run)| format!("check {name}: {}", wording::check_run(run).to_plain_text())),
    );
    lines.extend(words.integrity.as_ref().map(|word| wording::integrity(word).to_plain_text()));
    lines.extend(words.overlay.as_ref().map(|word| wording::overlay(word).to_plain_text()));
    let judge = words.judge.as_ref().map(wording::judge_word);
    lines.extend(judge.map(|word| format!("judge: {}", word.to_plain_text())));
    lines.extend(state.landing().map(|word| format!("landing: {}", landing::describe(word).to_plain_text())));
    lines.extend(words.person.map(|word| match word {
        PersonWord::Approved => "a person approved it".to_owned(),
        PersonWord::Rejected => "rejected by a person".to_owned(),
    }));
    lines
}

fn ended(end: &End, state: &State) -> Vec<String> {
    match end {
        End::Verified { proofs } => {
            let mut lines = gate_words(state);
            lines.extend(proofs.iter().map(|proof| format!("seen to fail: {}", wording::proof(proof))));
            lines
        }
        End::Attested { .. } | End::Violated => gate_words(state),
        End::Stalled { .. } | End::Exhausted { .. } | End::Unavailable { .. } | End::Cancelled => {
            vec![end_meaning(end)]
        }
    }
}

fn rejections(state: &State) -> String {
    let number = state.unit.streaks.rejections;
    format!("{} in a row", text::count(number, "rejection", "rejections"))
}
