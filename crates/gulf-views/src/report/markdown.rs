//! The report as Markdown: the decisive fact in its first lines, then one section for each question a person has.

use super::{CriterionLine, CriterionVerdict, JudgeAsked, Report};
use crate::changed_files::{FileKind, total};
use crate::cost::dollars;
use crate::history::Act;
use crate::look::Look;
use crate::markdown::{block, code, heading, item, paragraph, prose, quoted, section, sub_item};
use crate::numbers::feedback_table;
use crate::question::QuestionReport;
use crate::screen::NextStep;
use crate::standing::Standing;
use crate::summary::{CheckReport, Rejected, VerdictReport};
use crate::unproven::Unproven;
use crate::{failing, landing, refused, tasks, text, wording};
use gulf_engine::{CheckRun, Denial, End, JudgeWord, Proof};

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
    let mut head = title + &paragraph(&prose(&sentence(&summary.meaning()))) + "\n";
    head.push_str(&item(&format!("**Proven:** {}", proven_in_brief(report))));
    head.push_str(&item(&format!("**Not proven:** {}", unproven_in_brief(report))));
    if let Some(first) = report.look_first.first() {
        head.push_str(&item(&format!("**Look first:** {}", place(first))));
    }
    head.push_str(&item(&format!("**Spent:** {}", spent_in_brief(report))));
    if let Some(command) = report.texts.reproduce.first() {
        head.push_str(&item(&format!("**Repeat it:** {}", code(command))));
    }
    head
}

fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", characters.as_str())
}

fn proven_in_brief(report: &Report) -> String {
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
    // Before the gates have said yes, nobody asked.
    let is_attested = matches!(report.summary.standing, Standing::Ended(End::Attested { .. }));
    match report.summary.proofs.first() {
        Some(first) => parts.push(prose(&wording::proof(first))),
        None if is_attested => parts.push("nothing was seen to fail without the change".to_owned()),
        None => {}
    }
    parts.join("; ")
}

fn is_green(check: &CheckReport) -> bool {
    check.candidate.as_ref().is_some_and(CheckRun::is_green)
}

fn unproven_in_brief(report: &Report) -> String {
    match report.summary.unproven.as_slice() {
        [] => "nothing that gulf knows of".to_owned(),
        [one] => prose(&in_one_line(&one.what, &one.each)),
        [first, rest @ ..] => {
            format!("{}; and {} more below", prose(&in_one_line(&first.what, &first.each)), rest.len())
        }
    }
}

fn in_one_line(what: &str, each: &[String]) -> String {
    match each {
        [] => what.to_owned(),
        several => format!("{what}: {}", wording::names(several)),
    }
}

fn place(first: &super::LookFirst) -> String {
    match &first.path {
        Some(path) => format!("{}: {}", code(path), prose(&first.why)),
        None => prose(&first.why),
    }
}

fn spent_in_brief(report: &Report) -> String {
    let summary = &report.summary;
    let iterations = format!("iteration {} of {}", summary.iteration, summary.iterations_max);
    let mut spent = format!("{iterations}, {}", text::duration(summary.active_ms));
    if let Some(cost) = &summary.cost {
        spent.push_str(&format!(", {}", cost.measured(summary.microdollars_max, summary.claims)));
    }
    spent
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
    let QuestionReport { number, iteration, kind, .. } = question;
    let about = format!("question {number}, iteration {iteration}: the worker {}", kind.told());
    let mut asked = item(&format!("{about}: {}", prose(&question.text)));
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
    let changed = text::count(files.len(), "file was changed", "files were changed");
    let mut section = paragraph(&format!("{changed}, {}:", total(files))) + "\n";
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
    let green = report.summary.checks.iter().filter(|one| is_green(one)).map(check);
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
    let mut line = format!("check {}: ", code(check.name.as_str()));
    match &check.candidate {
        None => line.push_str("did not run on this commit"),
        Some(run) => {
            // The word of a failed one has its exit code already.
            let exit = run.exit.filter(|_| run.is_green()).map(|exit| format!(", exit {exit}"));
            let word = wording::check_word(run).say(exit.unwrap_or_default()).join(wording::details(run));
            line.push_str(&prose(&word.plain()));
        }
    }
    if let Some(base) = &check.base {
        line.push_str(wording::beside_the_base(base));
    }
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
    let checks = report.summary.checks.iter().filter(|one| !is_green(one)).map(check);
    let open = report.texts.criteria.iter().filter(|one| one.word != CriterionVerdict::Met).map(criterion);
    let open: String = checks.chain(open).chain(report.summary.unproven.iter().map(unproven)).collect();
    let nothing = || paragraph("Nothing that gulf knows of.");
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
    let each = report.acts.iter().map(|act| {
        let told = match &act.act {
            Act::Steered { note } => format!("left a note: {}", prose(note)),
            Act::Approved { reason } => format!("overruled the judge: {}", prose(reason)),
            Act::Rejected { reason } => format!("said no to the candidate: {}", prose(reason)),
            Act::Edited { paths, more } => prose(&wording::edited(paths, *more)),
            Act::Amended => "changed the contract".to_owned(),
            Act::Landed { by, base, .. } => {
                format!("{} wanted the finished work on {}", prose(by), code(landing::short(base)))
            }
        };
        item(&format!("in iteration {}: {told}", act.iteration))
    });
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
    let summary = &report.summary;
    let Some(total) = &summary.cost else { return String::new() };
    let limit = summary.microdollars_max.map(|max| format!(", of at most {}", dollars(max)));
    let is_verified = matches!(summary.standing, Standing::Ended(End::Verified { .. }));
    let result = if is_verified { ", for one verified result" } else { "" };
    let mut section = heading("What it cost");
    section.push_str(&item(&format!("all: {}{}{result}", total.whole(), limit.unwrap_or_default())));
    if let Some(each) = total.each(summary.claims).filter(|_| summary.claims > 1) {
        let claims = text::count(summary.claims, "claim", "claims");
        section.push_str(&item(&format!("a claim: {each} on average, {claims}")));
    }
    section
        .extend(report.judge_cost.iter().map(|judge| item(&format!("the judge's part: {}", judge.whole()))));
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
    let assumed = "`assumed`: nobody told, so the dearest that is plausible was taken.";
    let marks = [("~", inexact), ("assumed", assumed)];
    let shown = marks.iter().filter(|(mark, _)| section.contains(mark));
    shown.map(|(_, words)| format!("\n{}", paragraph(words))).collect()
}

fn risk(report: &Report) -> String {
    let words = match (&report.texts.risk, report.judge) {
        (None, JudgeAsked::No) => return String::new(),
        (None, JudgeAsked::Yes) => "Not known: nobody computed it.".to_owned(),
        (Some(risk), _) => format!(
            "If the judge approves wrong work in {} of its tries, the risk that it did so at least once in {} is \
             **{}**.",
            percent(risk.per_try_bp),
            text::count(risk.tries, "try", "tries"),
            percent(risk.false_approval_bp),
        ),
    };
    heading("The risk of a false approval") + &paragraph(&words)
}

/// Rounded up to a tenth, so that no risk is understated.
fn percent(basis_points: u32) -> String {
    let tenths = basis_points.div_ceil(10);
    match tenths % 10 {
        0 => format!("{} %", tenths / 10),
        tenth => format!("{}.{tenth} %", tenths / 10),
    }
}

fn reproduce(report: &Report) -> String {
    if report.texts.reproduce.is_empty() {
        return String::new();
    }
    heading("How to repeat it") + &block(&report.texts.reproduce)
}
