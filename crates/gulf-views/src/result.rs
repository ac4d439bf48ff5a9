//! The last screen: the decisive fact first, then what was checked, what is not proven, and what to do next.
//!
//! The log is brief and this is complete: lines wrap, and only the goal is cut.

use crate::facts::{ChannelFacts, UnreadFacts};
use crate::landing::LandingReport;
use crate::look::{Look, Tone};
use crate::loop_status::LoopStatus;
use crate::numbers::feedback_table;
use crate::phrase::{Phrase, attention, failed, say, secondary, verified};
use crate::question::block;
use crate::screen::{INDENT, cut, details, heading, item, section, titled};
use crate::summary::{CheckReport, Rejected, Summary, VerdictReport};
use crate::unproven::Statement;
use crate::{failing, parts, refused, review, tasks, text, wording};
use gulf_engine::{Finding, PauseReason, Proof};

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
    screen.push_str(&cleared(&summary.cleared, look));
    screen.push_str(&not_proven(&summary.unproven, look));
    screen.push('\n');
    screen.push_str(&spent(summary, look));
    screen.extend(summary.next.iter().map(|step| step.lines(look)));
    screen
}

/// The decisive fact, why it came to that, and what to do about it.
fn head(summary: &Summary, look: Look) -> String {
    let standing = &summary.standing;
    let decisive = Phrase::new().tone(standing.tone(), standing.word()).say(format!(": {}", summary.meaning));
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
    let goal = (!summary.goal.is_empty()).then(|| format!("goal: {}", summary.goal));
    let note = summary.note.iter().map(|note| format!("the worker notes: {note}"));
    let mut head: String = goal.into_iter().chain(note).map(|line| cut(secondary(line), look)).collect();
    let mut lines = Vec::new();
    if let Some(branch) = &summary.branch {
        lines.push(secondary(format!("branch: {} → {}", branch.name, branch.base)));
    }
    if let Some([branch, worktree]) = &summary.fork {
        lines.push(secondary(format!("branch: {branch}")));
        lines.push(secondary(format!("worktree: {worktree}")));
    }
    // At a pause for it, that is said already.
    let is_advised = summary.standing == LoopStatus::Paused(PauseReason::ReadyToLand);
    lines.extend(summary.landing.as_ref().filter(|_| !is_advised).and_then(LandingReport::last_line));
    if let Some(branch) = &summary.branch {
        lines.extend(branch.worktree.iter().map(|place| secondary(format!("worktree: {place}"))));
        lines.extend(branch.kept.iter().map(|why| attention("kept").say(": ").say(why)));
    }
    head.extend(lines.into_iter().map(|line| line.paragraph(look, INDENT)));
    head
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
            lines.push(attention(said).say("`gulf resume` accepts it"));
        }
    }
    section(say("channels"), lines, look)
}

fn rejected(summary: &Summary, look: Look) -> String {
    let each = summary.rejected.iter().map(|Rejected { iteration, commit, reasons }| {
        let about = say(format!("iteration {iteration}: commit ")).literal(commit.as_str());
        item(about, look) + &details(reasons, look)
    });
    titled(failed("rejected"), each.collect(), look)
}

fn measured(summary: &Summary, look: Look) -> String {
    let table = feedback_table(&summary.feedback, look.narrower(INDENT));
    titled(say("measured"), table.lines().map(|line| format!("{:INDENT$}{line}\n", "")).collect(), look)
}

fn checked(summary: &Summary, look: Look) -> String {
    let Some(candidate) = &summary.candidate else {
        return heading(say("checked: nothing, no candidate was built"), look);
    };
    let none = summary.checks.is_empty().then(|| attention("there is no check"));
    let verdict =
        |VerdictReport { by, word }: &VerdictReport| say(format!("{by}: ")).join(wording::judge_word(word));
    let lines = none.into_iter().chain(summary.checks.iter().map(check_line));
    let lines = lines.chain(summary.verdicts.iter().map(verdict));
    section(wording::candidate("checked: commit ", candidate), lines, look)
}

pub(crate) fn check_line(check: &CheckReport) -> Phrase {
    let mut line = Phrase::new().quote(Tone::Plain, format!("{}: ", check.name));
    line = match &check.candidate {
        Some(run) => line.join(wording::check_run(run)),
        None => line.attention("did not run on this commit"),
    };
    if let Some(base) = &check.base {
        line = line.say(wording::beside_the_base(base));
    }
    let is_told = wording::is_worth_telling(&check.command, &check.name);
    if is_told { line.say(" · ").secondary(&check.command) } else { line }
}

pub(crate) fn seen_to_fail(proofs: &[Proof], look: Look) -> String {
    let each = proofs.iter().map(|proof| say(wording::proof(proof)));
    section(verified("seen to fail without the change"), each, look)
}

pub(crate) fn cleared(cleared: &[Finding], look: Look) -> String {
    const LINES_MAX: usize = 6;
    let mut lines = alike_once(&cleared.iter().map(wording::finding).collect::<Vec<_>>());
    let more = lines.len().saturating_sub(LINES_MAX);
    lines.truncate(LINES_MAX);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    section(say("changes to existing tests that hide nothing"), lines.iter().map(say), look)
}

pub(crate) fn not_proven(unproven: &[Statement], look: Look) -> String {
    let each = unproven.iter().map(|unproven| unproven_item(unproven, look));
    titled(attention("not proven"), each.collect(), look)
}

fn unproven_item(unproven: &Statement, look: Look) -> String {
    match unproven.each.as_slice() {
        [] => item(say(&unproven.what), look),
        [one] => item(say(&unproven.what).say(": ").say(one), look),
        several => item(say(&unproven.what).say(":"), look) + &details(&alike_once(several), look),
    }
}

/// A renamed file of tests is the same finding for each of them: the first, and how many more there are.
fn alike_once(lines: &[String]) -> Vec<String> {
    const MORE_MIN: usize = 3;
    let shown = lines.chunk_by(|one, next| are_alike(one, next)).flat_map(|alike| match alike {
        [first, more @ ..] if more.len() >= MORE_MIN => vec![format!("{first}; {} more like it", more.len())],
        few => few.to_vec(),
    });
    shown.collect()
}

/// Do they differ in one place only, and tell more than that?
fn are_alike(one: &str, other: &str) -> bool {
    const WORDS_MIN: usize = 4;
    let same = |(one, other): &(&str, &str)| one == other;
    let before = one.split(' ').zip(other.split(' ')).take_while(same).count();
    let after = one.rsplit(' ').zip(other.rsplit(' ')).take_while(same).count();
    before + after >= WORDS_MIN
}

fn spent(summary: &Summary, look: Look) -> String {
    let (iterations, time) = (summary.iterations_begun(), text::duration(summary.active_ms));
    let mut spent = format!("loop {} · {iterations} · {time}", summary.handle);
    let (finished, units) = summary.units;
    if units > 1 {
        spent.push_str(&format!(" · {finished} of {units} tasks"));
    }
    if let Some(cost) = &summary.cost {
        // `~$1.24 of $5.00, $0.62 a claim, 120k tokens`
        let money = cost.with_tokens(cost.measured(summary.microdollars_max, summary.claims));
        spent.push_str(&format!(" · {money}"));
    }
    let mut text = say(spent).paragraph(look, INDENT);
    if !summary.logs.is_empty() {
        let logs = secondary(format!("logs: {}", summary.logs_shown)).told_in(look.language);
        text.push_str(&(logs.render(look.palette) + "\n"));
    }
    text
}

#[cfg(test)]
mod tests;
