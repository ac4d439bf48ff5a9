//! What there is to tell of a loop: its open questions, its pause, its end; and what was answered to that.
//!
//! What a person reads in a chat is what they would read here, in the same words.

use std::sync::Arc;

use gulf_agents::channels::{Notice, NoticeKind, Takes};
use gulf_engine::{EndNature, Event, Fact, PauseReason, Stage, State};
use gulf_host::clock::Clock;
use gulf_runner::agreement::Agreement;
use gulf_runner::book;
use gulf_runner::channels::admission::{unheard, would_mean};
use gulf_runner::channels::{ChannelAnswer, Channels};
use gulf_runner::folder::LoopPaths;
use gulf_runner::start::KnownLoop;
use gulf_spec::goal::goal_title;
use gulf_views::{
    ChannelFacts, CheckoutChange, DriverPresence, History, LoopAddress, LoopStatus, QuestionReport, Rejected,
    Summary, UnreadFacts, one_line,
};

use crate::failure::{Failure, Result};
use crate::{place, verdicts};

/// Everything that a person should know now, each under a key of its own.
pub(super) fn notices(
    agreement: &Agreement,
    home: &LoopPaths,
    events: &[Event],
    state: &State,
) -> Vec<Notice> {
    let plain = |key: String, kind: NoticeKind, takes: Takes| Notice {
        takes,
        ..without_reply(agreement, home, state, key, kind)
    };
    let explained =
        || Some(explained(agreement, home, events, state)).filter(|explained| !explained.is_empty());
    match &state.stage {
        Stage::Ended(end) => {
            // A success explains itself, and so does what a person ended.
            let text = if end.nature() == EndNature::Failed { explained() } else { None };
            let end = plain("end".to_owned(), NoticeKind::End, Takes::Nothing);
            vec![Notice { command: "gulf report".to_owned(), text, ..end }]
        }
        Stage::Paused(reason, _) => {
            let ask = |question: QuestionReport| Notice {
                says: format!("in iteration {} the worker {}", question.iteration, question.kind.present),
                command: question.command(),
                text: Some(question.text),
                evidence: question.evidence,
                options: question.options,
                ..plain(format!("question-{}", question.number), NoticeKind::Question, Takes::Answer)
            };
            let mut all: Vec<Notice> = QuestionReport::open(state).into_iter().map(ask).collect();
            match (takes(*reason), pause(events)) {
                (takes @ (Takes::GoOn | Takes::Verdict), Some(paused)) => {
                    let pause = plain(format!("pause-{}", paused.sequence), NoticeKind::Pause, takes);
                    all.push(Notice { text: explained(), ..pause });
                }
                // Its questions are told, or there is nothing to tell.
                (Takes::Answer | Takes::Nothing, _) | (_, None) => {}
            }
            all
        }
        Stage::Unsealed | Stage::Between(_) | Stage::Turn | Stage::Settling(_) => Vec::new(),
        Stage::Gates(..) | Stage::FollowUp(..) => Vec::new(),
    }
}

/// That gulf itself could not go on, and why: the loop is as it was, and goes on when somebody resumes it.
pub(super) fn stopped(
    agreement: &Agreement,
    home: &LoopPaths,
    events: &[Event],
    state: &State,
    why: &Failure,
) -> Notice {
    let key = format!("stopped-{}", events.last().map_or(0, |event| event.sequence));
    let says = "gulf itself could not continue; the work is kept".to_owned();
    let why = why.in_one_line() + &why.hint().map(|hint| format!("\n{hint}")).unwrap_or_default();
    Notice { says, text: Some(why), ..without_reply(agreement, home, state, key, NoticeKind::Pause) }
}

/// Where the loop stands, and nothing that can be said to it.
fn without_reply(
    agreement: &Agreement,
    home: &LoopPaths,
    state: &State,
    key: String,
    kind: NoticeKind,
) -> Notice {
    let standing = LoopStatus::new(state, DriverPresence::Absent);
    let folder = agreement.stated_in();
    Notice {
        key,
        kind,
        loop_id: agreement.loop_id.as_str().to_owned(),
        goal: goal_title(&agreement.goal).to_owned(),
        project: folder.file_name().unwrap_or(folder.as_str()).to_owned(),
        standing: standing.word().to_owned(),
        says: standing.meaning(),
        text: None,
        evidence: None,
        options: Vec::new(),
        takes: Takes::Nothing,
        command: "gulf resume".to_owned(),
        page: page(agreement, home),
    }
}

fn page(agreement: &Agreement, home: &LoopPaths) -> Option<String> {
    let web = agreement.notify.as_ref()?.web.as_ref()?;
    let address = LoopAddress::new(home.repository_key(), agreement.loop_id.as_str());
    Some(format!("{web}/loops/{}", address.in_url()))
}

/// What somebody must know to lead on who sees neither the last screen nor the project: what helps, what was rejected and
/// why, what is red.
fn explained(agreement: &Agreement, home: &LoopPaths, events: &[Event], state: &State) -> String {
    let (mut facts, history) = (place::facts(agreement, home.root()), History::fold(events));
    place::add_end(&mut facts, home, &history, state);
    let summary = Summary::new(&facts, &history, state, DriverPresence::Absent, &CheckoutChange::Clean);
    let summary = verdicts::explained(summary, home);
    let is_red =
        |check: &&gulf_views::CheckReport| check.candidate.as_ref().is_some_and(|run| !run.is_green());
    let red = summary.checks.iter().filter(is_red).map(|check| format!("{}: failed", check.command));
    let mut lines = summary.advice;
    if let Some(failure) = &summary.failure {
        lines.push(format!("the agent, in iteration {}: {}", failure.iteration, failure.sentence()));
        lines.extend(failure.last_words.iter().map(|line| format!("- {line}")));
    }
    // The newest one: it is what a person's word would be about.
    if let Some(Rejected { iteration, commit, reasons }) = summary.rejected.last() {
        lines.push(format!("rejected in iteration {iteration}, commit {}:", commit.as_str()));
        lines.extend(reasons.iter().map(|reason| format!("- {}", one_line(reason))));
    }
    lines.extend(red);
    lines.join("\n")
}

/// The pause that lasts.
pub(super) fn pause(events: &[Event]) -> Option<&Event> {
    events.iter().rev().find(|event| matches!(event.fact, Fact::Paused { .. }))
}

/// What leads on from a pause; nothing that could be said elsewhere where a person asked for it here.
pub fn takes(reason: PauseReason) -> Takes {
    if matches!(reason, PauseReason::HumanGate | PauseReason::NoVerdict | PauseReason::TestsChanged) {
        return Takes::Verdict;
    }
    if reason == PauseReason::Question {
        return Takes::Answer;
    }
    if reason == PauseReason::Asked { Takes::Nothing } else { Takes::GoOn }
}

// Answers that lie in a channel and nobody has taken in, shown by commands that only look: they count from the next
// `gulf resume` on.

/// What lies in the channels of a paused loop, by the channel's name. What cannot be read is as if it were not there: its
/// trouble is shown with the channel.
pub fn unread(known: &KnownLoop, agreement: &Agreement) -> Result<Vec<(String, UnreadFacts)>> {
    if !matches!(&known.fold.state.stage, Stage::Paused(..)) {
        return Ok(Vec::new());
    }
    let root = known.home.root();
    let clock = Arc::new(Clock::new());
    let Some(channels) = Channels::from_agreement(agreement, root, clock)? else { return Ok(Vec::new()) };
    let mut channels = channels.only_looking();
    let asked = notices(agreement, &known.home, &book::read(root)?, &known.fold.state);
    let heard = unheard(root, channels.hear(&asked)?)?;
    let counts = |one: &ChannelAnswer| {
        let notice = asked.iter().find(|notice| notice.key == one.key);
        notice.is_some_and(|notice| would_mean(notice, one).is_some())
    };
    let told =
        |one: ChannelAnswer| (one.by.channel, UnreadFacts { key: one.key, who: one.by.who, text: one.text });
    Ok(heard.into_iter().filter(counts).map(told).collect())
}

/// The same, put where the channels are shown.
pub fn look_at_unread(known: &KnownLoop, agreement: &Agreement, channels: &mut [ChannelFacts]) -> Result<()> {
    if channels.is_empty() {
        return Ok(());
    }
    for (name, facts) in unread(known, agreement)? {
        if let Some(channel) = channels.iter_mut().find(|channel| channel.name == name) {
            channel.unread.push(facts);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
