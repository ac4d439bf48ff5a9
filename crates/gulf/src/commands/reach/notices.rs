//! What there is to tell of a loop: its open questions, its pause, its end.
//!
//! It stands apart because what a person reads in a chat is what they would read here, in the same words.

use camino::Utf8Path;
use gulf_agents::channels::{Notice, NoticeKind, Takes};
use gulf_engine::{Event, Fact, PauseReason, Stage, State};
use gulf_runner::agreement::Agreement;
use gulf_runner::folder::Folder;
use gulf_spec::goal::goal_title;
use gulf_views::{Driver, History, QuestionReport, Rejected, Standing, Summary, Worktree, one_line};

use crate::{place, verdicts};

/// Everything that a person should know now, each under a key of its own.
pub(super) fn notices(
    agreement: &Agreement,
    root: &Utf8Path,
    events: &[Event],
    state: &State,
) -> Vec<Notice> {
    let standing = Standing::of(state, Driver::Absent);
    let folder = agreement.stated_in();
    let plain = |key: String, kind: NoticeKind, takes: Takes| Notice {
        key,
        kind,
        loop_id: agreement.loop_id.as_str().to_owned(),
        goal: goal_title(&agreement.goal).to_owned(),
        project: folder.file_name().unwrap_or(Utf8Path::as_str(folder)).to_owned(),
        standing: standing.word().to_owned(),
        says: standing.meaning(),
        text: None,
        evidence: None,
        options: Vec::new(),
        takes,
        command: "gulf resume".to_owned(),
    };
    match state.stage() {
        Stage::Ended(_) => {
            let end = plain("end".to_owned(), NoticeKind::End, Takes::Nothing);
            vec![Notice { command: "gulf report".to_owned(), ..end }]
        }
        Stage::Paused(reason, _) => {
            let ask = |question: QuestionReport| Notice {
                says: format!("in iteration {} the worker {}", question.iteration, question.kind.told()),
                command: question.command(),
                text: Some(question.text),
                evidence: question.evidence,
                options: question.options,
                ..plain(format!("question-{}", question.number), NoticeKind::Question, Takes::Answer)
            };
            let mut all: Vec<Notice> = QuestionReport::open(state).into_iter().map(ask).collect();
            if let (Some(takes), Some(paused)) = (takes(*reason), pause(events)) {
                let pause = plain(format!("pause-{}", paused.sequence), NoticeKind::Pause, takes);
                let text = Some(explained(agreement, root, events, state)).filter(|text| !text.is_empty());
                all.push(Notice { text, ..pause });
            }
            all
        }
        Stage::Unsealed | Stage::Between(_) | Stage::Turn | Stage::Settling(_) => Vec::new(),
        Stage::Gates(..) | Stage::FollowUp(..) => Vec::new(),
    }
}

/// What somebody must know to lead on who sees neither the last screen nor the project: what helps, what was rejected and
/// why, what is red.
fn explained(agreement: &Agreement, root: &Utf8Path, events: &[Event], state: &State) -> String {
    let (facts, history) = (place::facts(agreement, root), History::of(events));
    let mut summary = Summary::new(&facts, &history, state, Driver::Absent, &Worktree::Clean);
    verdicts::explain(&mut summary, &Folder::new(root));
    let is_red =
        |check: &&gulf_views::CheckReport| check.candidate.as_ref().is_some_and(|run| !run.is_green());
    let red = summary.checks.iter().filter(is_red).map(|check| format!("{}: failed", check.command));
    let mut lines = summary.advice;
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

/// What leads on from a pause; none where a person asked for it, or its questions are told.
fn takes(reason: PauseReason) -> Option<Takes> {
    match reason {
        PauseReason::Asked | PauseReason::Question => None,
        PauseReason::HumanGate | PauseReason::NoVerdict => Some(Takes::Verdict),
        PauseReason::Milestone
        | PauseReason::Review
        | PauseReason::Step
        | PauseReason::Research
        | PauseReason::Denied
        | PauseReason::NeedsPerson
        | PauseReason::HostLimit
        | PauseReason::Idle
        | PauseReason::ReadyToLand
        | PauseReason::Stuck
        | PauseReason::Limit
        | PauseReason::TaskLimit
        | PauseReason::ReadyToClose => Some(Takes::GoOn),
    }
}

#[cfg(test)]
mod tests;
