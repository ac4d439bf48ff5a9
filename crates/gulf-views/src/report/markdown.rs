//! The report as Markdown: the decisive fact in its first lines, then one section for each question a person has.
//!
//! It stands apart from what a report says, so that the words can become better without anything else changing.

use super::{ChangedFile, ChangedLines, CriterionLine, CriterionVerdict, FileKind, JudgeAsked, Report};
use crate::cost::dollars;
use crate::history::Act;
use crate::look::{Look, Palette};
use crate::markdown::{block, code, heading, item, paragraph, prose, quoted, sub_item};
use crate::numbers::feedback_table;
use crate::question::QuestionReport;
use crate::standing::Standing;
use crate::summary::{CheckReport, NextStep};
use crate::{failing, landing, refused, tell, text};
use gulf_engine::{CheckVerdict, End, JudgeWord};

/// How much of the goal stands in the title.
const TITLE_COLUMNS_MAX: usize = 60;

/// The smaller ones are counted.
const FILES_LISTED_MAX: usize = 20;

/// The report as Markdown that reads at 80 columns, without colours.
pub fn report(report: &Report) -> String {
    let (first, last) = match &report.summary.standing {
        Standing::Ended(End::Verified { .. } | End::Attested { .. }) => (String::new(), next(report)),
        Standing::Ended(_) | Standing::Outrun | Standing::Paused(_) | Standing::Broken(_) => {
            (next(report), String::new())
        }
        Standing::Running | Standing::InSession { .. } | Standing::Interrupted | Standing::LedOn => {
            (next(report), String::new())
        }
    };
    let sections = [
        head(report),
        refused::passage(report.summary.refusal.as_ref()),
        failing::passage(report.summary.failure.as_ref()),
        first,
        questions(report),
        rejected(report),
        asked(report),
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
    match (&report.summary.standing, report.summary.proofs.as_slice()) {
        (_, [first, ..]) => parts.push(prose(&tell::proof(first))),
        (Standing::Ended(End::Attested { .. }), []) => {
            parts.push("nothing was seen to fail without the change".to_owned());
        }
        // Before the gates have said yes, nobody asked.
        (Standing::Ended(_) | Standing::Outrun | Standing::Paused(_) | Standing::Broken(_), [])
        | (Standing::Running | Standing::InSession { .. } | Standing::Interrupted | Standing::LedOn, []) => {}
    }
    parts.join("; ")
}

fn is_green(check: &CheckReport) -> bool {
    check.candidate.as_ref().is_some_and(|run| matches!(run.verdict, CheckVerdict::Green { .. }))
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
        several => format!("{what}: {}", tell::names(several)),
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

/// Where a person must act, this comes first.
fn next(report: &Report) -> String {
    let summary = &report.summary;
    if summary.next.is_empty() && summary.advice.is_empty() {
        return String::new();
    }
    let mut next = heading("What to do now");
    next.extend(summary.advice.iter().map(|sentence| item(&prose(sentence))));
    next.extend(
        summary
            .next
            .iter()
            .map(|NextStep { command, purpose }| item(&format!("{}: {}", code(command), prose(purpose)))),
    );
    next
}

/// As a table of its own, which reads alike in a terminal and on a page.
fn measured(report: &Report) -> String {
    let table = feedback_table(&report.summary.feedback, Look::piped()).replace('`', "'");
    if table.is_empty() { table } else { format!("{}```text\n{table}```\n", heading("What was measured")) }
}

fn questions(report: &Report) -> String {
    if report.questions.is_empty() {
        return String::new();
    }
    let mut section = heading("What the worker asked");
    for question in &report.questions {
        section.push_str(&asked_one(question));
    }
    section
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
    asked.push_str(&match question.signed_answer() {
        Some(answer) => sub_item(&format!("**answer:** {}", prose(&answer))),
        None => sub_item(&format!("**open:** {}", code(&question.command()))),
    });
    asked
}

fn rejected(report: &Report) -> String {
    if report.summary.rejected.is_empty() {
        return String::new();
    }
    let mut section = heading("What was rejected");
    for one in &report.summary.rejected {
        section.push_str(&item(&format!(
            "iteration {}, commit {}",
            one.iteration,
            code(one.commit.as_str())
        )));
        section.extend(one.reasons.iter().map(|reason| sub_item(&prose(reason))));
    }
    section
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
    let number = files.len();
    let changed = text::count(number, "file was changed", "files were changed");
    let mut section = paragraph(&format!("{changed}, {}:", sum(files))) + "\n";
    section.extend(files.iter().take(FILES_LISTED_MAX).map(|file| {
        let test = if file.kind == FileKind::Test { ", test" } else { "" };
        item(&format!("{}: {}{test}", code(&file.path), file.counts()))
    }));
    if let Some(smaller) = files.get(FILES_LISTED_MAX..).filter(|smaller| !smaller.is_empty()) {
        let number = smaller.len();
        let changes = text::count(number, "smaller change", "smaller changes");
        section.push_str(&item(&format!("{changes}: {}", sum(smaller))));
    }
    section + "\n"
}

/// `+120 −4`, of all that have lines.
fn sum(files: &[ChangedFile]) -> String {
    let (mut all_added, mut all_removed) = (0_u64, 0_u64);
    for file in files {
        match file.lines {
            ChangedLines::Counted { added, removed } => {
                all_added += u64::from(added);
                all_removed += u64::from(removed);
            }
            ChangedLines::Binary => {}
        }
    }
    format!("+{all_added} −{all_removed}")
}

fn iterations(report: &Report) -> String {
    let number = report.iterations.len();
    if number == 0 {
        return paragraph("No iteration has begun.");
    }
    let mut section = paragraph(&format!("{}:", text::count(number, "iteration", "iterations"))) + "\n";
    section.extend(report.iterations.iter().map(|one| {
        let task = if report.summary.units.1 > 1 { format!("task {}, ", one.unit) } else { String::new() };
        let about = format!("{task}iteration {}, {}", one.number, text::duration(one.duration_ms));
        item(&format!("{about}: {}", prose(&one.what)))
    }));
    section
}

fn proven(report: &Report) -> String {
    let mut section = heading("What is proven");
    let green: Vec<String> = report.summary.checks.iter().filter(|one| is_green(one)).map(check).collect();
    let met = report.texts.criteria.iter().filter(|one| one.word == CriterionVerdict::Met);
    let met: Vec<String> = met.map(criterion).collect();
    let proofs = report
        .summary
        .proofs
        .iter()
        .map(|proof| item(&format!("seen to fail without the change: {}", prose(&tell::proof(proof)))));
    let proofs: Vec<String> = proofs.collect();
    let approved =
        report.summary.verdicts.iter().filter(|one| matches!(one.word, JudgeWord::Approved { .. }));
    let approved: Vec<String> = approved.map(|one| item(&format!("{}: approved", one.by))).collect();
    if [&green, &met, &proofs, &approved].into_iter().all(Vec::is_empty) {
        section.push_str(&paragraph("Nothing."));
    }
    section.extend(green.into_iter().chain(proofs).chain(approved).chain(met));
    section
}

fn check(check: &CheckReport) -> String {
    let mut line = format!("check {}: ", code(check.name.as_str()));
    match &check.candidate {
        None => line.push_str("did not run on this commit"),
        Some(run) => {
            // The word of a failed one has its exit code already.
            let exit = match (&run.verdict, run.exit) {
                (CheckVerdict::Green { .. }, Some(exit)) => format!(", exit {exit}"),
                (CheckVerdict::Green { .. }, None)
                | (CheckVerdict::Red { .. } | CheckVerdict::Unrunnable { .. }, _) => String::new(),
            };
            let word = tell::check_word(run).say(exit).join(tell::details(run));
            line.push_str(&prose(&word.render(Palette::Plain)));
        }
    }
    if let Some(base) = &check.base {
        line.push_str(match base.verdict {
            CheckVerdict::Green { .. } => " · passes on the base too",
            CheckVerdict::Red { .. } => " · fails on the base",
            CheckVerdict::Unrunnable { .. } => " · could not run on the base",
        });
    }
    if !check.command.is_empty() && check.command != check.name.as_str() {
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
    lines.extend(
        criterion.evidence.iter().map(|evidence| sub_item(&format!("evidence: {}", prose(evidence)))),
    );
    lines
}

fn not_proven(report: &Report) -> String {
    let mut section = heading("What is not proven");
    section.extend(report.summary.checks.iter().filter(|one| !is_green(one)).map(check));
    let open = report.texts.criteria.iter().filter(|one| one.word != CriterionVerdict::Met);
    section.extend(open.map(criterion));
    for unproven in &report.summary.unproven {
        match unproven.each.as_slice() {
            [] => section.push_str(&item(&prose(&unproven.what))),
            [one] => section.push_str(&item(&format!("{}: {}", prose(&unproven.what), prose(one)))),
            several => {
                section.push_str(&item(&format!("{}:", prose(&unproven.what))));
                section.extend(several.iter().map(|one| sub_item(&prose(one))));
            }
        }
    }
    if section == heading("What is not proven") {
        section.push_str(&paragraph("Nothing that gulf knows of."));
    }
    section
}

fn look_first(report: &Report) -> String {
    if report.look_first.is_empty() {
        return String::new();
    }
    let mut section = heading("Where to look first");
    section.extend(report.look_first.iter().map(|first| item(&place(first))));
    section
}

fn by_a_person(report: &Report) -> String {
    if report.acts.is_empty() {
        return String::new();
    }
    let mut section = heading("What a person decided");
    section.extend(report.acts.iter().map(|act| {
        let told = match &act.act {
            Act::Steered { note } => format!("left a note: {}", prose(note)),
            Act::Approved { reason } => format!("overruled the judge: {}", prose(reason)),
            Act::Rejected { reason } => format!("said no to the candidate: {}", prose(reason)),
            Act::Edited { paths, more } => prose(&tell::edited(paths, *more)),
            Act::Amended => "changed the contract".to_owned(),
            Act::Landed { by, base, .. } => {
                format!("{} wanted the finished work on {}", prose(by), code(landing::short(base)))
            }
        };
        item(&format!("in iteration {}: {told}", act.iteration))
    }));
    section
}

fn denied(report: &Report) -> String {
    if report.denials.is_empty() {
        return String::new();
    }
    let mut section = heading("What the agent was not allowed to do");
    section.extend(report.denials.iter().map(|denial| {
        item(&format!("{}: {}", code(&denial.what), text::count(denial.times, "time", "times")))
    }));
    section
}

fn decided(report: &Report) -> String {
    let listed = |title: &str, lines: &[String]| {
        if lines.is_empty() {
            return String::new();
        }
        let items: String = lines.iter().map(|line| item(&prose(line))).collect();
        heading(title) + &items
    };
    listed("What the worker decided, in its own words", &report.texts.decisions)
        + &listed("What the worker doubts, in its own words", &report.texts.doubts)
}

fn cost(report: &Report) -> String {
    let summary = &report.summary;
    let Some(total) = &summary.cost else { return String::new() };
    let limit = summary.microdollars_max.map(|max| format!(", of at most {}", dollars(max)));
    let result = match &summary.standing {
        Standing::Ended(End::Verified { .. }) => ", for one verified result",
        Standing::Ended(_) | Standing::Outrun | Standing::Paused(_) | Standing::Broken(_) => "",
        Standing::Running | Standing::InSession { .. } | Standing::Interrupted | Standing::LedOn => "",
    };
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
