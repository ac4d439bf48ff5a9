//! The report as Markdown: the decisive fact in its first lines, then one section for each question a person has.

use super::{CriterionLine, CriterionVerdict, Report, words};
use crate::changed_files::{FileKind, total};
use crate::look::{Look, Tone};
use crate::markdown::{block, code, heading, item, paragraph, prose, quoted, section, sub_item};
use crate::numbers::feedback_table;
use crate::question::QuestionReport;
use crate::screen::NextStep;
use crate::summary::{CheckReport, Rejected, VerdictReport};
use crate::unproven::Statement;
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
        refused::passage(report.summary.refusal.as_ref(), report.language),
        failing::passage(report.summary.failure.as_ref(), report.language),
        first,
        questions(report),
        rejected(report),
        asked(report),
        tasks::passage(&report.summary.tasks, report.language),
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
    let mut add = |about: &str, words: String| {
        head.push_str(&item(&format!("**{}:** {words}", report.tell(about))));
    };
    add("Proven", prose(&words::proven_in_brief(report)));
    add("Not proven", prose(&words::unproven_in_brief(report)));
    if let Some(first) = report.look_first.first() {
        add("Look first", place(report, first));
    }
    add("Spent", words::spent_in_brief(report));
    if let Some(command) = report.texts.reproduce.first() {
        add("Repeat it", code(command));
    }
    head
}

fn place(report: &Report, first: &super::LookFirst) -> String {
    let why = prose(&report.tell(&first.why));
    match &first.path {
        Some(path) => format!("{}: {why}", code(path)),
        None => why,
    }
}

/// A section with a title of gulf's own.
fn titled(report: &Report, title: &str, items: impl Iterator<Item = String>) -> String {
    section(&report.tell(title), items)
}

fn next(report: &Report) -> String {
    let summary = &report.summary;
    let told = |text: &String| prose(&report.tell(text));
    let step = |NextStep { command, purpose }: &NextStep| format!("{}: {}", code(command), told(purpose));
    let advice = summary.advice.iter().map(told);
    titled(report, "What to do now", advice.chain(summary.next.iter().map(step)).map(|line| item(&line)))
}

/// As a table of its own, which reads alike in a terminal and on a page.
fn measured(report: &Report) -> String {
    let look = Look::piped().in_language(report.language);
    let table = feedback_table(&report.summary.feedback, look).replace('`', "'");
    let title = || heading(&report.tell("What was measured"));
    if table.is_empty() { table } else { format!("{}```text\n{table}```\n", title()) }
}

fn questions(report: &Report) -> String {
    titled(report, "What the worker asked", report.questions.iter().map(|one| asked_one(report, one)))
}

fn asked_one(report: &Report, question: &QuestionReport) -> String {
    let said = |about: &str, words: String| sub_item(&format!("{}: {words}", report.tell(about)));
    let mut asked = item(&prose(&words::asked(report, question)));
    asked.extend(question.evidence.iter().map(|evidence| said("it saw", prose(evidence))));
    for (index, option) in question.options.iter().enumerate() {
        asked.push_str(&said(&format!("option {}", index + 1), prose(option)));
    }
    let marked = |about: &str, words: String| sub_item(&format!("**{}:** {words}", report.tell(about)));
    asked
        + &question.signed_answer().map_or_else(
            || marked("open", code(&question.command())),
            |answer| marked("answer", prose(&answer)),
        )
}

fn rejected(report: &Report) -> String {
    let each = report.summary.rejected.iter().map(|Rejected { iteration, commit, reasons }| {
        let about = item(&report.tell(format!("iteration {iteration}, commit {}", code(commit.as_str()))));
        about + &reasons.iter().map(|reason| sub_item(&prose(reason))).collect::<String>()
    });
    titled(report, "What was rejected", each)
}

fn asked(report: &Report) -> String {
    if report.goal.trim().is_empty() {
        return String::new();
    }
    heading(&report.tell("What was asked")) + &quoted(&report.goal)
}

fn done(report: &Report) -> String {
    let mut section = heading(&report.tell("What was done"));
    if let (Some(candidate), Some(base)) = (&report.summary.candidate, &report.base) {
        let (commit, base) = (code(candidate.commit.as_str()), code(base.commit.as_str()));
        section.push_str(&paragraph(&report.tell(format!("Commit {commit}, made from {base}."))));
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
    let mut section = paragraph(&format!("{}:", words::changed(report))) + "\n";
    section.extend(files.iter().take(FILES_LISTED_MAX).map(|file| {
        let test = if file.kind == FileKind::Test { report.tell(", test") } else { String::new() };
        item(&format!("{}: {}{test}", code(&file.path), file.counts()))
    }));
    if let Some(smaller) = files.get(FILES_LISTED_MAX..).filter(|smaller| !smaller.is_empty()) {
        let changes = text::count(smaller.len(), "smaller change", "smaller changes");
        section.push_str(&item(&format!("{}: {}", report.tell(changes), total(smaller))));
    }
    section + "\n"
}

fn iterations(report: &Report) -> String {
    if report.iterations.is_empty() {
        return paragraph(&report.tell("No iteration has begun."));
    }
    let number = text::count(report.iterations.len(), "iteration", "iterations");
    let mut section = paragraph(&format!("{}:", report.tell(number))) + "\n";
    section.extend(report.iterations.iter().map(|one| {
        let task = if report.summary.units.1 > 1 { format!("task {}, ", one.unit) } else { String::new() };
        let about = format!("{task}iteration {}, {}", one.number, text::duration(one.duration_ms));
        item(&format!("{}: {}", report.tell(about), prose(&report.tell(&one.what))))
    }));
    section
}

fn proven(report: &Report) -> String {
    let green = report.summary.checks.iter().filter(|one| words::is_green(one)).map(|one| check(report, one));
    let met = report.texts.criteria.iter().filter(|one| one.word == CriterionVerdict::Met);
    let said =
        |about: &str, words: String| item(&format!("{}: {}", report.tell(about), prose(&report.tell(words))));
    let seen = |proof: &Proof| said("seen to fail without the change", wording::proof(proof));
    let proofs = report.summary.proofs.iter().map(seen);
    let approved = |one: &&VerdictReport| matches!(one.word, JudgeWord::Approved { .. });
    let approved = report.summary.verdicts.iter().filter(approved);
    let approved = approved.map(|one| item(&report.tell(format!("{}: approved", one.by))));
    let cleared = report.summary.cleared.iter();
    let cleared = cleared.map(|one| said("hides nothing", wording::finding(one)));
    let proven: String = green
        .chain(proofs)
        .chain(cleared)
        .chain(approved)
        .chain(met.map(|one| criterion(report, one)))
        .collect();
    let nothing = || paragraph(&report.tell("Nothing."));
    heading(&report.tell("What is proven")) + &if proven.is_empty() { nothing() } else { proven }
}

fn check(report: &Report, check: &CheckReport) -> String {
    let name = report.tell(format!("check {}", code(check.name.as_str())));
    let mut line = format!("{name}: {}", prose(&report.tell(words::check(check))));
    if wording::is_worth_telling(&check.command, &check.name) {
        line.push_str(&format!(" · {}", code(&check.command)));
    }
    item(&line)
}

fn criterion(report: &Report, criterion: &CriterionLine) -> String {
    let (word, tone) = words::verdict(criterion.word);
    let mark = if matches!(tone, Tone::Failed | Tone::Attention) { "**" } else { "" };
    let word = format!("{mark}{}{mark}", report.tell(word));
    let number = report.tell(format!("criterion {}", criterion.number));
    let mut lines = item(&format!("{number}, {word}: {}", prose(&criterion.text)));
    let said = |about: &str, words: &String| sub_item(&format!("{}: {}", report.tell(about), prose(words)));
    lines.extend(criterion.reason.iter().map(|reason| said("the judge", reason)));
    lines.extend(criterion.evidence.iter().map(|seen| said("evidence", seen)));
    lines
}

fn not_proven(report: &Report) -> String {
    let checks = report.summary.checks.iter().filter(|one| !words::is_green(one));
    let open = report.texts.criteria.iter().filter(|one| one.word != CriterionVerdict::Met);
    let open = checks.map(|one| check(report, one)).chain(open.map(|one| criterion(report, one)));
    let open: String = open.chain(report.summary.unproven.iter().map(|one| unproven(report, one))).collect();
    let nothing = || paragraph(&report.tell("Nothing known."));
    heading(&report.tell("What is not proven")) + &if open.is_empty() { nothing() } else { open }
}

fn unproven(report: &Report, Statement { what, each }: &Statement) -> String {
    let told = |text: &String| prose(&report.tell(text));
    match each.as_slice() {
        [] => item(&told(what)),
        [one] => item(&format!("{}: {}", told(what), told(one))),
        several => {
            let each = several.iter().map(|one| sub_item(&told(one)));
            item(&format!("{}:", told(what))) + &each.collect::<String>()
        }
    }
}

fn look_first(report: &Report) -> String {
    titled(report, "Where to look first", report.look_first.iter().map(|first| item(&place(report, first))))
}

fn by_a_person(report: &Report) -> String {
    let when = |number: u32| report.tell(format!("in iteration {number}"));
    let each = report.acts.iter();
    let each =
        each.map(|one| item(&format!("{}: {}", when(one.iteration), prose(&words::act(report, &one.act)))));
    titled(report, "What a person decided", each)
}

fn denied(report: &Report) -> String {
    let times = |denial: &Denial| report.tell(text::count(denial.times, "time", "times"));
    let each = report.denials.iter().map(|one| item(&format!("{}: {}", code(&one.what), times(one))));
    titled(report, "What the agent was not allowed to do", each)
}

fn decided(report: &Report) -> String {
    let listed =
        |title: &str, lines: &[String]| titled(report, title, lines.iter().map(|line| item(&prose(line))));
    listed("What the worker decided, in its own words", &report.texts.decisions)
        + &listed("What the worker doubts, in its own words", &report.texts.doubts)
}

fn cost(report: &Report) -> String {
    let lines = words::cost(report);
    if lines.is_empty() {
        return String::new();
    }
    let mut section =
        heading(&report.tell("What it cost")) + &lines.iter().map(|line| item(line)).collect::<String>();
    section.extend(report.iterations.iter().filter_map(|one| {
        let cost = one.cost.as_ref()?;
        Some(item(&report.tell(format!("iteration {}: {}", one.number, cost.whole()))))
    }));
    let legend = legend(report, &section);
    section + &legend
}

/// Of the marks that stand in it.
fn legend(report: &Report, section: &str) -> String {
    let inexact = "`~`: not exact: a price table made money of tokens, or a part is assumed.";
    let assumed = "`assumed`: not reported, so the highest plausible price was taken.";
    let marks = [("~", inexact), ("assumed", assumed)];
    let shown = marks.iter().filter(|(mark, _)| section.contains(&report.tell(mark)));
    shown.map(|(_, words)| format!("\n{}", paragraph(&report.tell(words)))).collect()
}

fn risk(report: &Report) -> String {
    let Some((words, risk)) = words::risk(report) else { return String::new() };
    let risk = risk.map_or_else(String::new, |risk| format!(" **{risk}**."));
    heading(&report.tell("The risk of a false approval")) + &paragraph(&(words + &risk))
}

fn reproduce(report: &Report) -> String {
    if report.texts.reproduce.is_empty() {
        return String::new();
    }
    heading(&report.tell("How to repeat it")) + &block(&report.texts.reproduce)
}
