//! A replay for people: iteration by iteration, each decision with what it rests on.

use super::{Redecided, Replay};
use crate::look::Look;
use crate::phrase::{Phrase, attention, failed, say, secondary, verified};
use crate::screen::heading;
use crate::text;
use gulf_engine::ENGINE_VERSION;

/// How far what a decision rests on stands in.
const GROUNDS_INDENT: usize = 6;

/// The replay as lines, each with its line end; the verdict on it comes first.
pub fn replay(handle: &str, replay: &Replay, look: Look) -> String {
    let mut screen = verdict(replay, look);
    let counts = format!(
        "{handle}: {}, {}",
        text::count(replay.events, "event", "events"),
        text::count(replay.decisions.len(), "decision", "decisions")
    );
    screen.push_str(&secondary(counts).paragraph(look, 2));
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
