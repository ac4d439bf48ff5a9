//! An iteration on a terminal or in a pipe: in the order in which it happened.

use super::{Changed, CheckWord, IterationReport};
use crate::excerpt::excerpt;
use crate::history::Act;
use crate::look::Look;
use crate::phrase::{Phrase, attention, say, secondary};
use crate::question::block;
use crate::result::{heading, item, next_step};
use crate::{feedback, landing, orientation, tell, text, turns};

/// So many files are listed before it is said how many more there are.
const FILES_LISTED_MAX: usize = 20;
/// How far a line stands in that belongs to the one above it.
const INNER_INDENT: usize = 6;

/// The iteration as lines, each with its line end.
pub fn iteration(report: &IterationReport, look: Look) -> String {
    let mut screen = head(report, look);
    if report.number == 0 {
        screen.extend(report.checks.iter().map(|check| on_base(check, look)));
    } else {
        screen.push_str(&asked(report, look));
        screen.push_str(&did(report, look));
        screen.push_str(&gates(report, look));
        screen.push_str(&came_to(report, look));
    }
    screen.push_str(&left(report, look));
    for changed in [&report.changed_since_last, &report.changed_since_start].into_iter().flatten() {
        screen.push_str(&changes(changed, look));
    }
    screen.push('\n');
    screen.extend(report.next.iter().map(|step| next_step(step, look)));
    screen
}

fn head(report: &IterationReport, look: Look) -> String {
    let of = if report.number == 0 {
        format!("the start of {}", report.handle)
    } else {
        let attempts =
            if report.attempts > 1 { format!(", {} attempts", report.attempts) } else { String::new() };
        format!("iteration {} of {}{attempts} (the last is {})", report.number, report.handle, report.last)
    };
    let goal = secondary(format!("goal: {}", report.goal)).fit(look.columns());
    format!("{}{}\n", say(of).paragraph(look, 2), goal.render(look.palette))
}

fn asked(report: &IterationReport, look: Look) -> String {
    let mut screen = heading(say("asked"), look);
    let after = report.asked.after.as_deref();
    let after = after.map_or_else(
        || "to reach the goal".to_owned(),
        |after| format!("iteration {} came to this: {after}", report.number.saturating_sub(1)),
    );
    screen.push_str(&item(say(after), look));
    for act in &report.asked.acts {
        screen.push_str(&item(personal(act), look));
    }
    for question in &report.asked.answered {
        screen.push_str(&block(question, look));
    }
    screen
}

/// What a person did before it, in their words.
fn personal(act: &Act) -> Phrase {
    match act {
        Act::Steered { note } => say(format!("a person's note: {note}")),
        Act::Approved { reason } => say(format!("a person approved what lay there: {reason}")),
        Act::Rejected { reason } => say(format!("a person said no: {reason}")),
        Act::Edited { paths, more } => say(tell::edited(paths, *more)),
        Act::Amended => say("a person changed the contract"),
        Act::Landed { by, base, .. } => say(format!("{by} wanted it on {}", landing::short(base))),
    }
}

fn did(report: &IterationReport, look: Look) -> String {
    let mut screen = heading(say("did"), look);
    let Some(turn) = &report.turn else {
        return screen + &item(attention("its turn is not over"), look);
    };
    let mut line = turns::told("turn", turn, report.claim.as_ref());
    if let Some(calls) = turn.tool_calls {
        line = line.say(format!(" · {}", text::count(calls, "tool call", "tool calls")));
    }
    if let Some(cost) = &report.cost {
        line = line.say(" · ").secondary(cost.whole());
    }
    screen.push_str(&item(line, look));
    screen.push_str(&item(orientation::measured(turn), look));
    screen + &quoted(&report.message, look)
}

/// Others' words below a line, as the log shows them.
fn quoted(words: &str, look: Look) -> String {
    excerpt(words, look).into_iter().map(|line| line + "\n").collect()
}

fn gates(report: &IterationReport, look: Look) -> String {
    let mut screen = heading(say("what the gates said"), look);
    let before = screen.len();
    for check in &report.checks {
        screen.push_str(&check_word(check, look));
    }
    let others = [
        report.integrity.as_ref().map(tell::integrity),
        report.overlay.as_ref().map(tell::overlay),
        report.judge.as_ref().map(|word| say("judge: ").join(tell::judge_word(word))),
    ];
    screen.extend(others.into_iter().flatten().map(|line| item(line, look)));
    for reason in &report.reasons {
        screen.push_str(&say(format!("    {reason}")).paragraph(look, INNER_INDENT));
    }
    if let Some(resembles) = &report.resembles {
        screen.push_str(&item(attention(landing::resemblance(resembles)), look));
    }
    if let Some(word) = &report.landing {
        screen.push_str(&item(landing::told(word), look));
    }
    if let Some(reason) = &report.waived {
        let waived = attention("a person overruled the judge");
        screen.push_str(&item(waived.say(format!(": {reason}")), look));
    }
    if screen.len() == before {
        screen.push_str(&item(say("nothing: none was asked"), look));
    }
    screen
}

/// A failure there is no bad news: it shows that the check can say no.
fn on_base(check: &CheckWord, look: Look) -> String {
    item(say(format!("check {} ", check.name)).join(tell::base_run(&check.run)), look)
}

fn check_word(check: &CheckWord, look: Look) -> String {
    let mut line = say(format!("check {}: ", check.name)).join(tell::check_run(&check.run));
    if !check.command.is_empty() && check.command != check.name.as_str() {
        line = line.say(" · ").secondary(&check.command);
    }
    item(line, look) + &quoted(check.output.as_deref().unwrap_or_default(), look)
}

fn came_to(report: &IterationReport, look: Look) -> String {
    let word = match (&report.end, report.settlement) {
        (Some(end), _) => format!("the end: {}", end.word()),
        (None, Some(settlement)) => feedback::settled(settlement).to_owned(),
        (None, None) => "it is under way".to_owned(),
    };
    heading(say(format!("came to: {word}")), look)
}

fn left(report: &IterationReport, look: Look) -> String {
    let Some(candidate) = &report.candidate else {
        return heading(attention("left no tree yet"), look);
    };
    let what = if report.number == 0 { "started from commit " } else { "left commit " };
    let commit = say(what).literal(candidate.commit.as_str());
    let tree = format!(" (tree {})", text::short(candidate.tree.as_str()));
    let mut screen = heading(commit.secondary(tree), look);
    for (label, texts) in [("not in it", &report.left_out), ("drifted, ignored", &report.drifted)] {
        for text in texts {
            screen.push_str(&item(attention(format!("{label}: {text}")), look));
        }
    }
    screen
}

fn changes(changed: &Changed, look: Look) -> String {
    let since = match changed.since {
        0 => "the start".to_owned(),
        number => format!("iteration {number}"),
    };
    if changed.files.is_empty() {
        return heading(say(format!("since {since}: nothing changed")), look);
    }
    let number = changed.files.len();
    let mut screen = heading(say(format!("since {since}: {}", text::count(number, "file", "files"))), look);
    for file in changed.files.iter().take(FILES_LISTED_MAX) {
        let path = text::one_line(&file.path);
        screen.push_str(&item(say(path).secondary(format!("  {}", file.counts())), look));
    }
    if let Some(more) = changed.files.len().checked_sub(FILES_LISTED_MAX).filter(|more| *more > 0) {
        screen.push_str(&item(say(format!("and {more} more")), look));
    }
    screen
}
