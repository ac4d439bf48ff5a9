//! The last screen: the decisive fact first, then what was checked, what is not proven, and what to do next.
//!
//! It stands apart from the log because it is complete where the log is brief: lines wrap, and only the goal is cut.

use crate::cost::{Cost, tokens};
use crate::facts::{ChannelFacts, UnreadFacts};
use crate::landing::LandingReport;
use crate::look::{Look, Tone};
use crate::numbers::feedback_table;
use crate::parts;
use crate::phrase::{Phrase, attention, failed, say, secondary, verified};
use crate::question::block;
use crate::standing::Standing;
use crate::summary::{CheckReport, NextStep, Rejected, Summary, VerdictReport};
use crate::tasks;
use crate::unproven::Unproven;
use crate::{failing, refused, review, tell, text};
use gulf_engine::{CheckVerdict, PauseReason, Proof};

/// How far the lines under a heading stand in.
const INDENT: usize = 2;

/// The result as lines, each with its line end. A command is never broken, however narrow the terminal is.
pub fn result(summary: &Summary, look: Look) -> String {
    let mut screen = head(summary, look);
    screen.push_str(&review::block(summary.review.as_ref(), look));
    screen.push_str(&asked(summary, look));
    screen.push_str(&channels(&summary.channels, look));
    screen.push_str(&tasks::block(&summary.tasks, look));
    screen.push_str(&parts::block(&summary.parts, summary.undivided.as_deref(), &summary.standing, look));
    screen.push_str(&checked(summary, look));
    screen.push_str(&measured(summary, look));
    screen.push_str(&seen_to_fail(&summary.proofs, look));
    screen.push_str(&not_proven(&summary.unproven, look));
    screen.push('\n');
    screen.push_str(&spent(summary, look));
    screen.extend(summary.next.iter().map(|step| next_step(step, look)));
    screen
}

/// The decisive fact, why it came to that, and what to do about it.
fn head(summary: &Summary, look: Look) -> String {
    let standing = &summary.standing;
    let decisive =
        Phrase::new().tone(standing.tone(), standing.word()).say(format!(": {}", summary.meaning()));
    let decisive = decisive.paragraph(look, INDENT);
    let advice: String = summary.advice.iter().map(|sentence| say(sentence).paragraph(look, 0)).collect();
    let about = about(summary, look);
    let why = refused::block(summary.refusal.as_ref(), look)
        + &rejected(summary, look)
        + &failing::block(summary.failure.as_ref(), look);
    match (why.as_str(), advice.as_str()) {
        ("", advice) => format!("{decisive}{advice}{about}"),
        (why, "") => format!("{decisive}{about}{why}"),
        (why, advice) => format!("{decisive}{about}{why}\n{advice}"),
    }
}

/// What the loop is for, and where it works.
fn about(summary: &Summary, look: Look) -> String {
    let mut head = String::new();
    if !summary.goal.is_empty() {
        let goal = secondary(format!("goal: {}", summary.goal));
        head.push_str(&goal.fit(look.columns()).render(look.palette));
        head.push('\n');
    }
    if let Some(note) = &summary.note {
        let note = secondary(format!("the worker notes: {note}"));
        head.push_str(&note.fit(look.columns()).render(look.palette));
        head.push('\n');
    }
    if let Some(branch) = &summary.branch {
        let way = secondary(format!("branch: {} → {}", branch.name, branch.base));
        head.push_str(&way.paragraph(look, INDENT));
    }
    // At a pause for it, that is said already.
    let is_advised = summary.standing == Standing::Paused(PauseReason::ReadyToLand);
    if let Some(told) = summary.landing.as_ref().filter(|_| !is_advised).and_then(LandingReport::told) {
        head.push_str(&told.paragraph(look, INDENT));
    }
    if let Some(branch) = &summary.branch {
        if let Some(worktree) = &branch.worktree {
            let place = secondary(format!("worktree: {worktree}"));
            head.push_str(&place.paragraph(look, INDENT));
        }
        if let Some(why) = &branch.kept {
            let kept = attention("kept").say(format!(": {why}"));
            head.push_str(&kept.paragraph(look, INDENT));
        }
    }
    head
}

pub(crate) fn heading(heading: Phrase, look: Look) -> String {
    format!("\n{}", heading.paragraph(look, INDENT))
}

pub(crate) fn item(item: Phrase, look: Look) -> String {
    say("  ").join(item).paragraph(look, 2 * INDENT)
}

fn asked(summary: &Summary, look: Look) -> String {
    summary.questions.iter().map(|question| format!("\n{}", block(question, look))).collect()
}

/// Where a person was reached, what is wrong there, and what lies there.
fn channels(channels: &[ChannelFacts], look: Look) -> String {
    let mut lines = Vec::new();
    for ChannelFacts { name, told, trouble, unread } in channels {
        if let Some(why) = trouble {
            lines.push(attention(name.as_str()).say(format!(": {why}")));
        } else if !told.is_empty() {
            lines.push(say(format!("{name}: told {}", told.join(", "))));
        }
        for UnreadFacts { key, who, text } in unread {
            let said = format!("{name}: {} answers {key}: {}; ", text::one_line(who), text::one_line(text));
            lines.push(attention(said).say("`gulf resume` takes it"));
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let mut screen = heading(say("channels"), look);
    screen.extend(lines.into_iter().map(|line| item(line, look)));
    screen
}

fn rejected(summary: &Summary, look: Look) -> String {
    if summary.rejected.is_empty() {
        return String::new();
    }
    let mut text = heading(failed("rejected"), look);
    for Rejected { iteration, commit, reasons } in &summary.rejected {
        let about = say(format!("iteration {iteration}: commit ")).literal(commit.as_str());
        text.push_str(&item(about, look));
        for reason in reasons {
            text.push_str(&say(format!("    {reason}")).paragraph(look, 3 * INDENT));
        }
    }
    text
}

fn measured(summary: &Summary, look: Look) -> String {
    if summary.feedback.is_empty() {
        return String::new();
    }
    let table = feedback_table(&summary.feedback, look.narrower(INDENT));
    let lines: String = table.lines().map(|line| format!("{:INDENT$}{line}\n", "")).collect();
    heading(say("measured"), look) + &lines
}

fn checked(summary: &Summary, look: Look) -> String {
    let Some(candidate) = &summary.candidate else {
        return heading(say("checked: nothing, no candidate was built"), look);
    };
    let about = say("checked: commit ")
        .literal(candidate.commit.as_str())
        .secondary(format!(" (tree {})", text::short(candidate.tree.as_str())));
    let mut checked = heading(about, look);
    if summary.checks.is_empty() {
        checked.push_str(&item(attention("there is no check"), look));
    }
    checked.extend(summary.checks.iter().map(|check| item(check_line(check), look)));
    checked.extend(
        summary.verdicts.iter().map(|VerdictReport { by, word }| {
            item(say(format!("{by}: ")).join(tell::judge_word(word)), look)
        }),
    );
    checked
}

pub(crate) fn check_line(check: &CheckReport) -> Phrase {
    let mut line = say(format!("{}: ", check.name));
    line = match &check.candidate {
        Some(run) => line.join(tell::check_run(run)),
        None => line.attention("did not run on this commit"),
    };
    if let Some(base) = &check.base {
        let on_base = match base.verdict {
            CheckVerdict::Green { .. } => " · passes on the base too",
            CheckVerdict::Red { .. } => " · fails on the base",
            CheckVerdict::Unrunnable { .. } => " · could not run on the base",
        };
        line = line.say(on_base);
    }
    let is_named_so = check.command.is_empty() || check.command == check.name.as_str();
    if is_named_so { line } else { line.say(" · ").secondary(&check.command) }
}

pub(crate) fn seen_to_fail(proofs: &[Proof], look: Look) -> String {
    if proofs.is_empty() {
        return String::new();
    }
    let mut seen = heading(verified("seen to fail without the change"), look);
    seen.extend(proofs.iter().map(|proof| item(say(tell::proof(proof)), look)));
    seen
}

pub(crate) fn not_proven(unproven: &[Unproven], look: Look) -> String {
    if unproven.is_empty() {
        return String::new();
    }
    let mut text = heading(attention("not proven"), look);
    text.extend(unproven.iter().map(|unproven| unproven_item(unproven, look)));
    text
}

fn unproven_item(unproven: &Unproven, look: Look) -> String {
    match unproven.each.as_slice() {
        [] => item(say(&unproven.what), look),
        [one] => item(say(format!("{}: {one}", unproven.what)), look),
        several => {
            let mut text = item(say(format!("{}:", unproven.what)), look);
            for one in several {
                text.push_str(&say(format!("    {one}")).paragraph(look, 3 * INDENT));
            }
            text
        }
    }
}

fn spent(summary: &Summary, look: Look) -> String {
    // The limit is a task's own where there is a list.
    let iterations = if summary.tasks.is_empty() {
        format!("iteration {} of {}", summary.iteration, summary.iterations_max)
    } else {
        text::count(summary.iteration, "iteration", "iterations")
    };
    let mut spent = format!("loop {} · {iterations} · {}", summary.handle, text::duration(summary.active_ms));
    let (finished, units) = summary.units;
    if units > 1 {
        spent.push_str(&format!(" · {finished} of {units} tasks"));
    }
    if let Some(cost) = &summary.cost {
        spent.push_str(&format!(" · {}", spent_money(cost, summary)));
    }
    let mut text = say(spent).paragraph(look, INDENT);
    if !summary.logs.is_empty() {
        text.push_str(&secondary(format!("logs: {}", summary.logs_shown)).render(look.palette));
        text.push('\n');
    }
    text
}

/// `~$1.24 of $5.00, $0.62 a claim, 120k tokens`.
pub(crate) fn spent_money(cost: &Cost, summary: &Summary) -> String {
    let measured = cost.measured(summary.microdollars_max, summary.claims);
    if cost.microdollars == 0 || cost.tokens == 0 {
        return measured;
    }
    format!("{measured}, {}", tokens(cost.tokens))
}

/// The command on a line of its own where both do not fit: it is to be copied, so nothing may break it.
pub(crate) fn next_step(step: &NextStep, look: Look) -> String {
    let command = Tone::Literal.paint(&step.command, look.palette);
    let fits = text::columns(&step.command) + INDENT + text::columns(&step.purpose) <= look.columns();
    let purpose = secondary(format!("  {}", step.purpose));
    let purpose = purpose.paragraph(look, INDENT);
    if fits { format!("{command}{purpose}") } else { format!("{command}\n{purpose}") }
}
