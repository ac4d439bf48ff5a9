//! The report as Markdown: the decisive fact in its first lines, then one section for each question a person has.

use super::{CriterionLine, CriterionVerdict, Report, words};
use crate::changed_files::{FileKind, total};
use crate::look::Look;
use crate::markdown::{block, code, heading, item, paragraph, prose, quoted, section, sub_item};
use crate::numbers::feedback_table;
use crate::question::QuestionReport;
use crate::screen::NextStep;
use crate::summary::{CheckReport, Rejected, VerdictReport};
use crate::unproven::Unproven;
use crate::{failing, refused, tasks, text, wording};
use gulf_engine::{Denial, JudgeWord, Proof};

/// How much of the goal stands in the title.
const TITLE_COLUMNS_MAX: usize = 60;

/// The smaller ones are counted.
const FILES_LISTED_MAX: usize = 20;

/// The report as Markdown that reads at 80 columns, without colours.
pub fn report(report: &Report) -> String {
    // Where a person must act, this comes first.
    let next = next(report);
    let (first, last) =
        if report.summary.standing.is_success() { (String::new(), next) } else { (next, String::new()) };
    let sections = [
        head(report),
        refused::passage(report.summary.refusal.as_ref()),
        failing::passage(report.summary.failure.as_ref()),
        first,
        questions(report),
        rejected(report),
        asked(report),
        tasks::passage(&report.summary.tasks),
        done(report),
        measured(report),
        proven(report),
        not_proven(report),
        look_first(report),
        by_a_person(report),
        denied(report),
        decided(report),
        cost(report),
        risk(report),
        last,
        reproduce(report),
    ];
    sections.concat()
}

fn head(report: &Report) -> String {
    let summary = &report.summary;
    let goal = text::cut_columns(&summary.goal, TITLE_COLUMNS_MAX);
    let title = format!("# {}: {}\n\n", summary.standing.word(), prose(&goal));
    let mut head = title + &paragraph(&prose(&words::meaning(report))) + "\n";
    head.push_str(&item(&format!("**Proven:** {}", prose(&words::proven_in_brief(report)))));
    head.push_str(&item(&format!("**Not proven:** {}", prose(&words::unproven_in_brief(report)))));
    if let Some(first) = report.look_first.first() {
        head.push_str(&item(&format!("**Look first:** {}", place(first))));
    }
    head.push_str(&item(&format!("**Spent:** {}", words::spent_in_brief(report))));
    if let Some(command) = report.texts.reproduce.first() {
        head.push_str(&item(&format!("**Repeat it:** {}", code(command))));
    }
    head
}

fn place(first: &super::LookFirst) -> String {
    match &first.path {
        Some(path) => format!("{}: {}", code(path), prose(&first.why)),
        None => prose(&first.why),
    }
}

fn next(report: &Report) -> String {
    let summary = &report.summary;
    let step = |NextStep { command, purpose }: &NextStep| format!("{}: {}", code(command), prose(purpose));
    let advice = summary.advice.iter().map(|sentence| prose(sentence));
    section("What to do now", advice.chain(summary.next.iter().map(step)).map(|line| item(&line)))
}

/// As a table of its own, which reads alike in a terminal and on a page.
fn measured(report: &Report) -> String {
    let table = feedback_table(&report.summary.feedback, Look::piped()).replace('`', "'");
    if table.is_empty() { table } else { format!("{}```text\n{table}```\n", heading("What was measured")) }
}

fn questions(report: &Report) -> String {
    section("What the worker asked", report.questions.iter().map(asked_one))
}

fn asked_one(question: &QuestionReport) -> String {
    let mut asked = item(&prose(&words::asked(question)));
    if let Some(evidence) = &question.evidence {
        asked.push_str(&sub_item(&format!("it saw: {}", prose(evidence))));
    }
    for (index, option) in question.options.iter().enumerate() {
        asked.push_str(&sub_item(&format!("option {}: {}", index + 1, prose(option))));
    }
    let answer = question.signed_answer().map(|answer| format!("**answer:** {}", prose(&answer)));
    asked + &sub_item(&answer.unwrap_or_else(|| format!("**open:** {}", code(&question.command()))))
}

fn rejected(report: &Report) -> String {
    let each = report.summary.rejected.iter().map(|Rejected { iteration, commit, reasons }| {
        let about = item(&format!("iteration {iteration}, commit {}", code(commit.as_str())));
        about + &reasons.iter().map(|reason| sub_item(&prose(reason))).collect::<String>()
    });
    section("What was rejected", each)
}

fn asked(report: &Report) -> String {
    if report.goal.trim().is_empty() {
        return String::new();
    }
    heading("What was asked") + &quoted(&report.goal)
}

fn done(report: &Report) -> String {
    let mut section = heading("What was done");
    if let (Some(candidate), Some(base)) = (&report.summary.candidate, &report.base) {
        let (commit, base) = (code(candidate.commit.as_str()), code(base.commit.as_str()));
        section.push_str(&paragraph(&format!("Commit {commit}, made from {base}.")));
        section.push('\n');
    }
    section.push_str(&files(report));
    section.push_str(&iterations(report));
    section
}

fn files(report: &Report) -> String {
    let files = &report.texts.changed_files;
    if files.is_empty() {
        return String::new();
    }
    let mut section = paragraph(&format!("{}:", words::changed(files))) + "\n";
    section.extend(files.iter().take(FILES_LISTED_MAX).map(|file| {
        let test = if file.kind == FileKind::Test { ", test" } else { "" };
        item(&format!("{}: {}{test}", code(&file.path), file.counts()))
    }));
    if let Some(smaller) = files.get(FILES_LISTED_MAX..).filter(|smaller| !smaller.is_empty()) {
        let changes = text::count(smaller.len(), "smaller change", "smaller changes");
        section.push_str(&item(&format!("{changes}: {}", total(smaller))));
    }
    section + "\n"
}

fn iterations(report: &Report) -> String {
    if report.iterations.is_empty() {
        return paragraph("No iteration has begun.");
    }
    let number = text::count(report.iterations.len(), "iteration", "iterations");
    let mut section = paragraph(&format!("{number}:")) + "\n";
    section.extend(report.iterations.iter().map(|one| {
        let task = if report.summary.units.1 > 1 { format!("task {}, ", one.unit) } else { String::new() };
        let about = format!("{task}iteration {}, {}", one.number, text::duration(one.duration_ms));
        item(&format!("{about}: {}", prose(&one.what)))
    }));
    section
}

fn proven(report: &Report) -> String {
    let green = report.summary.checks.iter().filter(|one| words::is_green(one)).map(check);
    let met = report.texts.criteria.iter().filter(|one| one.word == CriterionVerdict::Met);
    let seen =
        |proof: &Proof| item(&format!("seen to fail without the change: {}", prose(&wording::proof(proof))));
    let proofs = report.summary.proofs.iter().map(seen);
    let approved = |one: &&VerdictReport| matches!(one.word, JudgeWord::Approved { .. });
    let approved = report.summary.verdicts.iter().filter(approved);
    let approved = approved.map(|one| item(&format!("{}: approved", one.by)));
    let cleared = report.summary.cleared.iter();
    let cleared = cleared.map(|one| item(&format!("hides nothing: {}", prose(&wording::finding(one)))));
    let proven: String =
        green.chain(proofs).chain(cleared).chain(approved).chain(met.map(criterion)).collect();
    heading("What is proven") + &if proven.is_empty() { paragraph("Nothing.") } else { proven }
}

fn check(check: &CheckReport) -> String {
    let mut line = format!("check {}: {}", code(check.name.as_str()), prose(&words::check(check)));
    if wording::is_worth_telling(&check.command, &check.name) {
        line.push_str(&format!(" · {}", code(&check.command)));
    }
    item(&line)
}

fn criterion(criterion: &CriterionLine) -> String {
    let word = match criterion.word {
        CriterionVerdict::Met => "met",
        CriterionVerdict::Unmet => "**unmet**",
        CriterionVerdict::Unsure => "**unsure**",
        CriterionVerdict::NotJudged => "not judged",
    };
    let mut lines = item(&format!("criterion {}, {word}: {}", criterion.number, prose(&criterion.text)));
    lines.extend(criterion.reason.iter().map(|reason| sub_item(&format!("the judge: {}", prose(reason)))));
    lines.extend(criterion.evidence.iter().map(|seen| sub_item(&format!("evidence: {}", prose(seen)))));
    lines
}

fn not_proven(report: &Report) -> String {
    let checks = report.summary.checks.iter().filter(|one| !words::is_green(one)).map(check);
    let open = report.texts.criteria.iter().filter(|one| one.word != CriterionVerdict::Met).map(criterion);
    let open: String = checks.chain(open).chain(report.summary.unproven.iter().map(unproven)).collect();
    let nothing = || paragraph("Nothing known.");
    heading("What is not proven") + &if open.is_empty() { nothing() } else { open }
}

fn unproven(Unproven { what, each }: &Unproven) -> String {
    match each.as_slice() {
        [] => item(&prose(what)),
        [one] => item(&format!("{}: {}", prose(what), prose(one))),
        several => {
            let each = several.iter().map(|one| sub_item(&prose(one)));
            item(&format!("{}:", prose(what))) + &each.collect::<String>()
        }
    }
}

fn look_first(report: &Report) -> String {
    section("Where to look first", report.look_first.iter().map(|first| item(&place(first))))
}

fn by_a_person(report: &Report) -> String {
    let each = report
        .acts
        .iter()
        .map(|one| item(&format!("in iteration {}: {}", one.iteration, prose(&words::act(&one.act)))));
    section("What a person decided", each)
}

fn denied(report: &Report) -> String {
    let times = |denial: &Denial| text::count(denial.times, "time", "times");
    let each = report.denials.iter().map(|one| item(&format!("{}: {}", code(&one.what), times(one))));
    section("What the agent was not allowed to do", each)
}

fn decided(report: &Report) -> String {
    let listed = |title: &str, lines: &[String]| section(title, lines.iter().map(|line| item(&prose(line))));
    listed("What the worker decided, in its own words", &report.texts.decisions)
        + &listed("What the worker doubts, in its own words", &report.texts.doubts)
}

fn cost(report: &Report) -> String {
    let lines = words::cost(report);
    if lines.is_empty() {
        return String::new();
    }
    let mut section = heading("What it cost") + &lines.iter().map(|line| item(line)).collect::<String>();
    section.extend(report.iterations.iter().filter_map(|one| {
        let cost = one.cost.as_ref()?;
        Some(item(&format!("iteration {}: {}", one.number, cost.whole())))
    }));
    let legend = legend(&section);
    section + &legend
}

/// Of the marks that stand in it.
fn legend(section: &str) -> String {
    let inexact = "`~`: not exact: a price table made money of tokens, or a part is assumed.";
    let assumed = "`assumed`: not reported, so the highest plausible price was taken.";
    let marks = [("~", inexact), ("assumed", assumed)];
    let shown = marks.iter().filter(|(mark, _)| section.contains(mark));
    shown.map(|(_, words)| format!("\n{}", paragraph(words))).collect()
}

fn risk(report: &Report) -> String {
    let Some((words, risk)) = words::risk(report) else { return String::new() };
    let risk = risk.map_or_else(String::new, |risk| format!(" **{risk}**."));
    heading("The risk of a false approval") + &paragraph(&(words + &risk))
}

fn reproduce(report: &Report) -> String {
    if report.texts.reproduce.is_empty() {
        return String::new();
    }
    heading("How to repeat it") + &block(&report.texts.reproduce)
}
