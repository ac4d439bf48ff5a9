//! An iteration on a terminal or in a pipe: in the order in which it happened.

use super::{CandidateChange, CheckWord, IterationReport};
use crate::changed_files::{listed, number};
use crate::history::{Iteration, PersonAct};
use crate::lines::excerpt;
use crate::look::{Look, Tone};
use crate::phrase::{Phrase, attention, say, secondary};
use crate::question::block;
use crate::screen::{cut, details, heading, item, titled};
use crate::text::up_to_cause;
use crate::{landing, text, turns, wording};

/// So many files are listed before it is said how many more there are.
const FILES_LISTED_MAX: usize = 20;

/// The iteration as lines, each with its line end.
pub fn iteration(report: &IterationReport, look: Look) -> String {
    let mut screen = head(report, look);
    if report.iteration.number == 0 {
        screen.extend(report.checks.iter().map(|check| on_base(check, look)));
    } else {
        screen.push_str(&asked(report, look));
        screen.push_str(&did(report, look));
        screen.push_str(&gates(report, look));
        screen.push_str(&came_to(report, look));
    }
    screen.push_str(&left(report, look));
    for changed in [&report.texts.changed_since_last, &report.texts.changed_since_start].into_iter().flatten()
    {
        screen.push_str(&changes(changed, look));
    }
    screen.push('\n');
    screen.extend(report.next.iter().map(|step| step.lines(look)));
    screen
}

fn title(number: u32, handle: &str) -> Phrase {
    say(format!("iteration {number}")).say(" of ").quote(Tone::Plain, handle)
}

fn head(report: &IterationReport, look: Look) -> String {
    let IterationReport { iteration: Iteration { number, attempts, .. }, handle, last, .. } = report;
    let of = match (number, attempts) {
        (0, _) => say(format!("the start of {handle}")),
        (_, 0 | 1) => title(*number, handle),
        (_, attempts) => title(*number, handle).say(format!(", {attempts} attempts")),
    };
    let of = if *number == 0 { of } else { of.say(format!(" (the last is {last})")) };
    of.paragraph(look, 2) + &cut(secondary(format!("goal: {}", report.goal)), look)
}

fn asked(report: &IterationReport, look: Look) -> String {
    let mut screen = heading(say("asked"), look);
    let after = report.asked.after.as_deref();
    let after = after.map_or_else(
        || "to reach the goal".to_owned(),
        |after| format!("iteration {} ended: {after}", report.iteration.number.saturating_sub(1)),
    );
    screen.push_str(&item(say(after), look));
    screen.extend(report.asked.acts.iter().map(|act| item(say(personal(act)), look)));
    for question in &report.asked.answered {
        screen.push_str(&block(question, look));
    }
    screen
}

/// What a person did, in their words.
pub(crate) fn personal(act: &PersonAct) -> String {
    match act {
        PersonAct::Steered { note } => format!("a person's note: {note}"),
        PersonAct::Approved { reason } => format!("approved by a person: {reason}"),
        PersonAct::Rejected { reason } => format!("rejected by a person: {reason}"),
        PersonAct::Edited { paths, more } => wording::edited(paths, *more),
        PersonAct::Amended => "a person changed the contract".to_owned(),
        PersonAct::Landed { by, base, .. } => format!("{by} wanted it on {}", landing::short(base)),
    }
}

fn did(report: &IterationReport, look: Look) -> String {
    let mut screen = heading(say("did"), look);
    let Some(turn) = &report.iteration.turn else {
        return screen + &item(attention("its turn is not over"), look);
    };
    let mut line = turns::describe("turn", turn, report.iteration.claim.as_ref());
    if let Some(calls) = turn.tool_calls {
        line = line.say(format!(" · {}", text::count(calls, "tool call", "tool calls")));
    }
    if let Some(cost) = &report.iteration.cost {
        line = line.say(" · ").secondary(cost.whole());
    }
    screen.push_str(&item(line, look));
    screen.push_str(&item(turns::measured(turn), look));
    screen + &quoted(&report.texts.message, look)
}

/// Others' words below a line, as the log shows them.
fn quoted(words: &str, look: Look) -> String {
    excerpt(words, look).into_iter().map(|line| line + "\n").collect()
}

fn gates(report: &IterationReport, look: Look) -> String {
    let Iteration { integrity, overlay, judge, landing, .. } = &report.iteration;
    let items = |lines: [Option<Phrase>; 3]| lines.into_iter().flatten().map(|line| item(line, look));
    let mut said: String = report.checks.iter().map(|check| check_word(check, look)).collect();
    said.extend(items([
        integrity.as_ref().map(wording::integrity),
        overlay.as_ref().map(wording::overlay),
        judge.as_ref().map(|word| say("judge: ").join(wording::judge_word(word))),
    ]));
    said.push_str(&details(&report.texts.reasons, look));
    said.extend(items([
        report.resembles().map(|resembles| attention(landing::resemblance(&resembles))),
        landing.as_ref().map(landing::describe),
        report.iteration.approval().map(attention),
    ]));
    if said.is_empty() {
        said = item(say("none was asked"), look);
    }
    titled(say("what the gates said"), said, look)
}

/// A failure there is no bad news: it shows that the check can say no.
fn on_base(check: &CheckWord, look: Look) -> String {
    item(say(format!("check {} ", check.name)).join(wording::base_run(&check.run)), look)
}

fn check_word(check: &CheckWord, look: Look) -> String {
    let mut line = say(format!("check {}: ", check.name)).join(wording::check_run(&check.run));
    if wording::is_worth_telling(&check.command, &check.name) {
        line = line.say(" · ").secondary(&check.command);
    }
    item(line, look) + &quoted(&up_to_cause(check.output.as_deref().unwrap_or_default()), look)
}

fn came_to(report: &IterationReport, look: Look) -> String {
    let word = match (&report.iteration.end, report.iteration.settlement) {
        (Some(end), _) => format!("the end: {}", end.word()),
        (None, Some(settlement)) => wording::settled(settlement).to_owned(),
        (None, None) => "it is running".to_owned(),
    };
    heading(say(format!("came to: {word}")), look)
}

fn left(report: &IterationReport, look: Look) -> String {
    let Some(candidate) = &report.candidate else {
        return heading(attention("left no tree yet"), look);
    };
    let what = if report.iteration.number == 0 { "started from commit " } else { "left commit " };
    let left_out = report.iteration.left_out().iter().map(|path| format!("not in it: {path}"));
    let drifted = report.iteration.drifted().iter().map(|path| format!("drifted, ignored: {path}"));
    let beside = left_out.chain(drifted).map(|line| item(attention(line), look));
    heading(wording::candidate(what, candidate), look) + &beside.collect::<String>()
}

fn changes(changed: &CandidateChange, look: Look) -> String {
    let since = match changed.since {
        0 => "the start".to_owned(),
        number => format!("iteration {number}"),
    };
    if changed.files.is_empty() {
        return heading(say(format!("since {since}: nothing changed")), look);
    }
    let head = heading(say(format!("since {since}: {}", number(&changed.files))), look);
    head + &listed(&changed.files, FILES_LISTED_MAX, look)
}
