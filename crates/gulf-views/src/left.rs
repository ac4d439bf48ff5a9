//! How a loop was left, in one line: the decisive word, why, and what to type.
//!
//! Hosts of sessions show it in the middle of a conversation. All else is one command away.

use crate::landing::LandingReport;
use crate::language::ScreenLanguage;
use crate::loop_status::LoopStatus;
use crate::question::QuestionReport;
use crate::summary::{CheckReport, Summary};
use crate::text;
use gulf_engine::{CheckRun, CheckVerdict, End, PauseReason};

/// Of a question or a reason.
const WORDS_COLUMNS_MAX: usize = 400;

/// One line, without a line end.
pub fn left_line(summary: &Summary, language: ScreenLanguage) -> String {
    let standing = &summary.standing;
    let mut parts = vec![format!("{}: {}", standing.word().to_uppercase(), language.tell(&summary.meaning))];
    parts.extend(summary.review.iter().map(|review| language.tell(&review.counts()).into_owned()));
    parts.extend(summary.questions.first().map(|asked| question(asked, language)));
    parts.extend(summary.rejected.last().and_then(|one| one.reasons.first()).map(|reason| brief(reason)));
    if standing.is_success() {
        parts.extend(unproven(summary).map(|told| language.tell(&told).into_owned()));
        let next = summary.next.first();
        parts.extend(next.map(|step| format!("`{}` {}", step.command, language.tell(&step.purpose))));
    } else if *standing != LoopStatus::Ended(End::Cancelled) {
        parts.extend(checked(summary, language));
    }
    let is_said = *standing == LoopStatus::Paused(PauseReason::ReadyToLand);
    let landing = summary.landing.as_ref().filter(|_| !is_said).and_then(LandingReport::last_line);
    parts.extend(landing.map(|told| told.told_in(language).to_plain_text()));
    let kept = summary.branch.iter().filter_map(|branch| branch.kept.as_deref());
    parts.extend(kept.map(|why| language.tell(why).into_owned()));
    if is_said {
        parts.extend(summary.advice.iter().map(|sentence| brief(&language.tell(sentence))));
    }
    parts.join(" · ")
}

/// With its options; an answer may be another one.
pub fn question(asked: &QuestionReport, language: ScreenLanguage) -> String {
    let number = format!("question {}: ", asked.number);
    let mut told = format!("{}{}", language.tell(&number), brief(&asked.text));
    for (number, option) in (1..).zip(&asked.options) {
        told.push_str(&format!(" ({number}) {}", brief(option)));
    }
    if let Some(evidence) = &asked.evidence {
        told.push_str(&format!("{}{}", language.tell(" · it saw: "), brief(evidence)));
    }
    told
}

fn brief(words: &str) -> String {
    text::cut_columns(&text::one_line(words), WORDS_COLUMNS_MAX).into_owned()
}

/// Which checks say no about the candidate, or that all say yes.
fn checked(summary: &Summary, language: ScreenLanguage) -> Option<String> {
    let runs = summary.checks.iter().filter_map(|check| Some((check, check.candidate.as_ref()?)));
    let told = |(check, run): (&CheckReport, &CheckRun)| match run.verdict {
        CheckVerdict::Green { .. } | CheckVerdict::Red { .. } => format!("{} fails", check.name),
        CheckVerdict::Unrunnable { .. } => format!("{} cannot run", check.name),
    };
    let red = runs.clone().filter(|(_, run)| !run.is_green()).map(told);
    let red: Vec<String> = red.map(|told| language.tell(&told).into_owned()).collect();
    if !red.is_empty() {
        return Some(red.join(", "));
    }
    let ran = runs.count();
    let is_whole = ran > 0 && ran == summary.checks.len();
    is_whole.then(|| language.tell("all checks pass").into_owned())
}

fn unproven(summary: &Summary) -> Option<String> {
    let first = summary.unproven.first()?;
    let what = brief(&first.what);
    Some(match summary.unproven.len() - 1 {
        0 => format!("not proven: {what}"),
        more => format!("not proven: {what} and {more} more"),
    })
}
