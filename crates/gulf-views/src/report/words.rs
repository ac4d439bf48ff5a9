//! The report's plain sentences, before anyone decided whether they become Markdown or a page.

use super::{CriterionLine, CriterionVerdict, Report};
use crate::changed_files::total;
use crate::cost::dollars;
use crate::look::Tone;
use crate::loop_status::LoopStatus;
use crate::question::QuestionReport;
use crate::summary::CheckReport;
use crate::unproven::Statement;
use crate::{text, wording};
use gulf_engine::{CheckRun, End};

/// The sentence of the standing, as a sentence.
pub(super) fn meaning(report: &Report) -> String {
    sentence(&report.tell(&report.summary.meaning))
}

pub(super) fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", characters.as_str())
}

pub(super) fn is_green(check: &CheckReport) -> bool {
    check.candidate.as_ref().is_some_and(CheckRun::is_green)
}

pub(super) fn proven_in_brief(report: &Report) -> String {
    let checks = &report.summary.checks;
    let mut parts = vec![match checks.len() {
        0 => "there is no check".to_owned(),
        of => format!("{} of {of} checks passed", checks.iter().filter(|one| is_green(one)).count()),
    }];
    let criteria = &report.texts.criteria;
    if !criteria.is_empty() {
        let met = criteria.iter().filter(|criterion| criterion.word == CriterionVerdict::Met).count();
        parts.push(format!("{met} of {} criteria met", criteria.len()));
    }
    parts.extend(report.summary.proofs.first().map(wording::proof));
    parts.iter().map(|part| report.tell(part)).collect::<Vec<_>>().join("; ")
}

pub(super) fn unproven_in_brief(report: &Report) -> String {
    match report.summary.unproven.as_slice() {
        [] => report.tell("nothing known"),
        [one] => in_one_line(report, one),
        [first, rest @ ..] => {
            let more = report.tell(format!("and {} more below", rest.len()));
            format!("{}; {more}", in_one_line(report, first))
        }
    }
}

fn in_one_line(report: &Report, Statement { what, each }: &Statement) -> String {
    match each.as_slice() {
        [] => report.tell(what),
        several => format!("{}: {}", report.tell(what), report.tell(wording::names(several))),
    }
}

/// `3 files were changed, +120 −4`
pub(super) fn changed(report: &Report) -> String {
    let files = &report.texts.changed_files;
    let number = text::count(files.len(), "file was changed", "files were changed");
    format!("{}, {}", report.tell(number), total(files))
}

/// So many places are named.
const UNTESTED_NAMED_MAX: usize = 5;

/// Changed lines that no check ran.
pub(super) fn untested(lines: &[(u32, u32)]) -> String {
    let number: usize = lines.iter().map(|(from, to)| (to - from + 1) as usize).sum();
    let place =
        |(from, to): &(u32, u32)| if from == to { from.to_string() } else { format!("{from}–{to}") };
    let named: Vec<String> = lines.iter().take(UNTESTED_NAMED_MAX).map(place).collect();
    let more = if lines.len() > UNTESTED_NAMED_MAX { " …" } else { "" };
    let counted = text::count(number, "changed line that no check ran", "changed lines that no check ran");
    format!("{counted}: {}{more}", named.join(", "))
}

pub(super) fn spent_in_brief(report: &Report) -> String {
    let summary = &report.summary;
    let mut spent = format!("{}, {}", summary.iterations_begun(), text::duration(summary.active_ms));
    if let Some(cost) = &summary.cost {
        spent.push_str(&format!(", {}", cost.measured(summary.microdollars_max, summary.claims)));
    }
    report.tell(spent)
}

/// What a check said of the candidate, and of the base.
pub(crate) fn check(check: &CheckReport) -> String {
    let said = match &check.candidate {
        None => "did not run on this commit".to_owned(),
        Some(run) => check_run(run),
    };
    said + check.base.as_ref().map_or("", wording::beside_the_base)
}

/// The same with its name, and with its command where that is another one.
pub(super) fn named_check(report: &Report, one: &CheckReport) -> String {
    let is_told = wording::is_worth_telling(&one.command, &one.name);
    let command = if is_told { format!(" · {}", one.command) } else { String::new() };
    format!("{}: {}{command}", report.tell(format!("check {}", one.name)), report.tell(check(one)))
}

pub(super) fn verdict(word: CriterionVerdict) -> (&'static str, Tone) {
    match word {
        CriterionVerdict::Met => ("met", Tone::Verified),
        CriterionVerdict::Unmet => ("unmet", Tone::Failed),
        CriterionVerdict::Unsure => ("unsure", Tone::Attention),
        CriterionVerdict::NotJudged => ("not judged", Tone::Secondary),
    }
}

pub(super) fn criterion(report: &Report, one: &CriterionLine) -> String {
    let word = report.tell(verdict(one.word).0);
    format!("{}, {word}: {}", report.tell(format!("criterion {}", one.number)), one.text)
}

/// `passed, exit 0 · 12 tests · 0.8s`
pub(crate) fn check_run(run: &CheckRun) -> String {
    // The word of a failed one has its exit code already.
    let exit = run.exit.filter(|_| run.is_green()).map(|exit| format!(", exit {exit}"));
    wording::check_word(run).say(exit.unwrap_or_default()).join(wording::details(run)).to_plain_text()
}

pub(super) fn asked(report: &Report, question: &QuestionReport) -> String {
    let QuestionReport { number, iteration, kind, text, .. } = question;
    let who = report.tell(format!("question {number}, iteration {iteration}: the worker {}", kind.present));
    format!("{who}: {text}")
}

pub(super) fn cost(report: &Report) -> Vec<String> {
    let summary = &report.summary;
    let Some(total) = &summary.cost else { return Vec::new() };
    let is_verified = matches!(summary.standing, LoopStatus::Ended(End::Verified { .. }));
    let parts = [
        Some(total.whole()),
        summary.microdollars_max.map(|max| format!("of at most {}", dollars(max))),
        is_verified.then(|| "for one verified result".to_owned()),
    ];
    let parts: Vec<String> = parts.iter().flatten().map(|part| report.tell(part)).collect();
    let mut lines = vec![format!("{}: {}", report.tell("all"), parts.join(", "))];
    if let Some(each) = total.each(summary.claims).filter(|_| summary.claims > 1) {
        let claims = text::count(summary.claims, "claim", "claims");
        lines.push(report.tell(format!("a claim: {each} on average, {claims}")));
    }
    let judge = report.judge_cost.iter();
    lines.extend(judge.map(|judge| report.tell(format!("the judge's part: {}", judge.whole()))));
    lines
}

/// Rounded up to a tenth, so that no risk is understated.
pub(super) fn percent(basis_points: u32) -> String {
    let tenths = basis_points.div_ceil(10);
    match tenths % 10 {
        0 => format!("{} %", tenths / 10),
        tenth => format!("{}.{tenth} %", tenths / 10),
    }
}

/// What is known of the risk that a judge approved what it should not; none where no judge is asked.
pub(super) fn risk(report: &Report) -> Option<String> {
    let Some(risk) = &report.texts.risk else {
        return report.asks_judge.then(|| report.tell("Not computed."));
    };
    let words = format!(
        "If the judge approves wrong work in {} of its tries, the risk that it did so at least once in {} is",
        percent(risk.per_try_bp),
        text::count(risk.tries, "try", "tries"),
    );
    Some(format!("{} {}.", report.tell(words), percent(risk.false_approval_bp)))
}
