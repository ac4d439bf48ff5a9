//! A replay for people: iteration by iteration, each decision with what it rests on.

use super::{Redecided, Replay};
use crate::look::{Look, Tone};
use crate::phrase::Phrase;
use crate::result::heading;
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
        text::count(u64::try_from(replay.decisions.len()).unwrap_or(u64::MAX), "decision", "decisions")
    );
    screen.push_str(&Phrase::new().tone(Tone::Secondary, counts).paragraph(look, 2));
    let mut iteration = None;
    for decision in &replay.decisions {
        if iteration.replace(decision.iteration) != Some(decision.iteration) {
            screen.push_str(&heading(Phrase::new().say(format!("iteration {}", decision.iteration)), look));
        }
        screen.push_str(&line(decision, look));
    }
    if let Some(stop) = &replay.stop {
        let stopped = Phrase::new().tone(Tone::Attention, format!("stopped after event {}", stop.after));
        screen.push_str(&heading(stopped.say(format!(": {}", stop.why)), look));
    }
    screen
}

fn verdict(replay: &Replay, look: Look) -> String {
    let differences = u64::try_from(replay.differences().count()).unwrap_or(u64::MAX);
    let phrase = if differences == 0 && replay.stop.is_some() {
        Phrase::new().tone(Tone::Attention, "every decision that can be read comes out as it was journalled")
    } else if differences == 0 {
        Phrase::new().tone(Tone::Verified, "every decision comes out as it was journalled")
    } else {
        let what =
            format!("{} otherwise", text::count(differences, "decision comes out", "decisions come out"));
        if replay.is_bug() {
            let rules =
                format!(": these are the very rules (version {ENGINE_VERSION}), so it is a bug of gulf's");
            Phrase::new().tone(Tone::Failed, what).say(rules)
        } else {
            let rules = format!(": the rules have changed since (version {ENGINE_VERSION} now)");
            Phrase::new().tone(Tone::Attention, what).say(rules)
        }
    };
    phrase.paragraph(look, 2)
}

fn line(decision: &Redecided, look: Look) -> String {
    let place = format!("  {} #{} ", text::clock(decision.active_ms), decision.sequence);
    let mut screen =
        Phrase::new().tone(Tone::Secondary, place).say(&decision.journalled).paragraph(look, GROUNDS_INDENT);
    let indented = |phrase: Phrase| {
        Phrase::new().say(" ".repeat(GROUNDS_INDENT)).join(phrase).paragraph(look, GROUNDS_INDENT + 2)
    };
    if !decision.agrees {
        let now = Phrase::new()
            .tone(Tone::Failed, "now")
            .say(format!(": {} (decided then by version {})", decision.computed, decision.engine_version));
        screen.push_str(&indented(now));
    }
    for ground in &decision.grounds {
        screen.push_str(&indented(Phrase::new().tone(Tone::Secondary, ground)));
    }
    screen
}
