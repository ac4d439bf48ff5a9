//! The report as a page draws it: words and numbers in the order in which a reader needs them, and nothing of how they look.

use std::collections::BTreeSet;

use gulf_engine::{Denial, Finding, JudgeWord};
use serde::Serialize;

use super::story::{RedToGreen, StoryPoint};
use super::{CriterionLine, CriterionVerdict, Report, ReportBrief, look_first, words};
use crate::changed_files::{ChangedFile, FileKind, PatchPlace};
use crate::history::PersonalAct;
use crate::iteration_report::personal;
use crate::json::VERSION;
use crate::look::Tone;
use crate::question::QuestionReport;
use crate::screen::NextStep;
use crate::unproven::Statement;
use crate::{tasks, text, wording};

/// The files behind these are counted.
const FILES_MAX: usize = 60;
/// From so many places on, a change of a file is no small one.
const PLACES_MIN: usize = 5;
/// From so many lines on, likewise.
const LINES_MIN: u64 = 200;

/// Everything on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportPage {
    pub version: u32,
    pub handle: String,
    /// The goal's title.
    pub title: String,
    pub goal: String,
    /// How the loop stands, in its word.
    pub word: &'static str,
    pub tone: Tone,
    pub meaning: String,
    pub brief: ReportBrief,
    pub advice: Vec<String>,
    pub next: Vec<NextStep>,
    /// Why the last candidate was refused, or how the agent failed, where the loop did not get there.
    pub refused: Vec<Statement>,
    pub proven: Vec<Statement>,
    pub unproven: Vec<Statement>,
    pub questions: Vec<Statement>,
    /// What is about no single file.
    pub look_first: Vec<String>,
    /// By risk.
    pub files: Vec<RiskyFile>,
    pub files_more: usize,
    /// In English, like what follows: it is told where it is drawn.
    pub story: Vec<StoryPoint>,
    pub red_to_green: Vec<RedToGreen>,
    pub criteria: Vec<PageCriterion>,
    pub tasks: Vec<Statement>,
    pub acts: Vec<String>,
    pub denials: Vec<String>,
    pub decisions: Vec<String>,
    pub doubts: Vec<String>,
    pub cost: Vec<String>,
    pub risk: Option<String>,
    pub commit: Option<String>,
    pub base: Option<String>,
    pub reproduce: Vec<String>,
}

/// A criterion with the judge's word, its reason and what it quotes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageCriterion {
    pub tone: Tone,
    #[serde(flatten)]
    pub said: Statement,
}

/// A changed file, and why a reader should open it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RiskyFile {
    pub path: String,
    /// `+120 −4`
    pub counts: String,
    /// `code`, `test`, `other`
    pub kind: FileKind,
    /// The worst first; empty where nothing stands out.
    pub why: Vec<String>,
    pub tone: Tone,
    /// Where it changed, the riskiest first.
    pub places: Vec<PatchPlace>,
    /// In a sentence, what of them is not here.
    pub places_left_out: Option<String>,
}

impl ReportPage {
    pub fn new(report: &Report) -> ReportPage {
        let Report { summary, texts, .. } = report;
        let mut files = risky_files(report);
        let files_more = files.len().saturating_sub(FILES_MAX);
        files.truncate(FILES_MAX);
        look_first::fill(&mut files, &texts.places, &summary.handle, report.language);
        let of_no_file = report.look_first.iter().filter(|one| one.path.is_none());
        ReportPage {
            version: VERSION,
            handle: summary.handle.clone(),
            title: summary.goal.clone(),
            goal: report.goal.clone(),
            word: summary.standing.word(),
            tone: summary.standing.tone(),
            meaning: words::meaning(report),
            brief: report.in_brief(),
            advice: summary.advice.iter().map(|line| report.tell(line)).collect(),
            next: summary.next.iter().map(|step| step.told_in(report.language)).collect(),
            refused: refused(report),
            proven: proven(report),
            unproven: unproven(report),
            questions: report.questions.iter().map(|one| asked(report, one)).collect(),
            look_first: of_no_file.map(|one| report.tell(&one.why)).collect(),
            files,
            files_more,
            story: report.story.clone(),
            red_to_green: report.red_to_green.clone(),
            criteria: texts.criteria.iter().map(|one| judged(report, one)).collect(),
            tasks: tasks::describe(&summary.tasks, report.language),
            acts: report.acts.iter().map(|one| acted(report, one)).collect(),
            denials: report.denials.iter().map(|one| denied(report, one)).collect(),
            decisions: texts.decisions.clone(),
            doubts: texts.doubts.clone(),
            cost: words::cost(report),
            risk: words::risk(report),
            commit: summary.candidate.as_ref().map(|candidate| candidate.commit.to_string()),
            base: report.base.as_ref().map(|base| base.commit.to_string()),
            reproduce: texts.reproduce.clone(),
        }
    }
}

fn refused(report: &Report) -> Vec<Statement> {
    let refused = report.summary.refusal.iter().flat_map(|refusal| {
        let reasons = refusal.reasons.iter();
        let reasons = reasons.map(|one| Statement::new(report.tell(&one.what), &one.words));
        std::iter::once(Statement::alone(report.tell(refusal.heading()))).chain(reasons)
    });
    let failed = report.summary.failure.iter().map(|failure| {
        let heading = failure.heading().told_in(report.language).to_plain_text();
        Statement::new(heading, &failure.last_words)
    });
    let rejected = report.summary.rejected.iter().map(|one| {
        let about = format!("iteration {}, commit {}", one.iteration, text::short(one.commit.as_str()));
        Statement::new(report.tell(about), &one.reasons)
    });
    refused.chain(failed).chain(rejected).collect()
}

fn proven(report: &Report) -> Vec<Statement> {
    let summary = &report.summary;
    let green = summary.checks.iter().filter(|one| words::is_green(one));
    let green = green.map(|one| words::named_check(report, one));
    let proofs = summary.proofs.iter();
    let proofs = proofs.map(|proof| format!("seen to fail without the change: {}", wording::proof(proof)));
    let cleared = summary.cleared.iter();
    let cleared = cleared.map(|one| format!("hides nothing: {}", wording::finding(one)));
    let approved = summary.verdicts.iter().filter(|one| matches!(one.word, JudgeWord::Approved { .. }));
    let approved = approved.map(|one| format!("{}: approved", one.by));
    let approved = proofs.chain(cleared).chain(approved).map(|line| report.tell(line));
    let met = report.texts.criteria.iter().filter(|one| one.word == CriterionVerdict::Met);
    let met = met.map(|one| words::criterion(report, one));
    green.chain(approved).chain(met).map(Statement::alone).collect()
}

fn unproven(report: &Report) -> Vec<Statement> {
    let red = report.summary.checks.iter().filter(|one| !words::is_green(one));
    let red = red.map(|one| Statement::alone(words::named_check(report, one)));
    let open = report.texts.criteria.iter().filter(|one| one.word != CriterionVerdict::Met);
    let open = open.map(|one| Statement::alone(words::criterion(report, one)));
    let unproven = report.summary.unproven.iter();
    let unproven = unproven.map(|Statement { what, each }| match each.as_slice() {
        [one] => Statement::alone(format!("{}: {}", report.tell(what), report.tell(one))),
        each => Statement::new(report.tell(what), each.iter().map(|one| report.tell(one))),
    });
    red.chain(open).chain(unproven).collect()
}

fn asked(report: &Report, question: &QuestionReport) -> Statement {
    let said = |about: &str, words: &str| format!("{}: {words}", report.tell(about));
    let evidence = question.evidence.iter().map(|evidence| said("it saw", evidence));
    let options = (1..).zip(&question.options);
    let options = options.map(|(number, option)| said(&format!("option {number}"), option));
    let answer = question.signed_answer().map(|answer| said("answer", &answer));
    let answer = answer.unwrap_or_else(|| said("open", &question.command()));
    Statement::new(words::asked(report, question), evidence.chain(options).chain([answer]))
}

fn denied(report: &Report, Denial { what, times }: &Denial) -> String {
    format!("{what}: {}", report.tell(text::count(*times, "time", "times")))
}

fn acted(report: &Report, one: &PersonalAct) -> String {
    let when = report.tell(format!("in iteration {}", one.iteration));
    format!("{when}: {}", report.tell(personal(&one.act)))
}

fn judged(report: &Report, one: &CriterionLine) -> PageCriterion {
    let said = Statement::new(words::criterion(report, one), one.reason.iter().chain(&one.evidence));
    PageCriterion { tone: words::verdict(one.word).1, said }
}

/// Findings first, then changed tests, then what is large; the order of the rest is that of their size.
fn risky_files(report: &Report) -> Vec<RiskyFile> {
    let mut ranked: Vec<(u32, RiskyFile)> =
        report.texts.changed_files.iter().map(|file| risky(file, report)).collect();
    let known = |path: &str| report.texts.changed_files.iter().any(|file| file.path == path);
    // A finding may be about what is no file of the change, such as a setting of the repository.
    for Finding { path, what } in report.findings.iter().filter(|one| !known(&one.path)) {
        match ranked.iter_mut().find(|(_, file)| file.path == *path) {
            Some((_, file)) => file.why.push(what.clone()),
            None => ranked.push((FINDING, beside(path, what))),
        }
    }
    ranked.sort_by_key(|(risk, _)| std::cmp::Reverse(*risk));
    let told =
        |file: RiskyFile| RiskyFile { why: file.why.iter().map(|why| report.tell(why)).collect(), ..file };
    ranked.into_iter().map(|(_, file)| told(file)).collect()
}

/// What each reason weighs: a finding more than all others together.
const FINDING: u32 = 100;
const NAMED: u32 = 40;
const UNTESTED: u32 = 30;
const TEST: u32 = 20;
const LARGE: u32 = 10;

fn beside(path: &str, what: &str) -> RiskyFile {
    let (path, counts, why) = (path.to_owned(), String::new(), vec![what.to_owned()]);
    let (kind, tone) = (FileKind::Other, Tone::Failed);
    RiskyFile { path, counts, kind, why, tone, places: Vec::new(), places_left_out: None }
}

fn risky(file: &ChangedFile, report: &Report) -> (u32, RiskyFile) {
    let findings = report.findings.iter().filter(|one| one.path == file.path);
    let named = report.look_first.iter().filter(|one| one.path.as_deref() == Some(file.path.as_str()));
    let untested = report.texts.untested.get(&file.path).filter(|lines| !lines.is_empty());
    let test = (file.kind == FileKind::Test).then(|| "it holds tests".to_owned());
    let places = report.texts.places.get(&file.path).map_or(0, Vec::len);
    let large = match () {
        () if places >= PLACES_MIN => Some(format!("changed in {}", text::count(places, "place", "places"))),
        () => (file.size() >= LINES_MIN).then(|| "a large change".to_owned()),
    };
    let reasons: [(u32, Vec<String>); 5] = [
        (FINDING, findings.map(|one| one.what.clone()).collect()),
        (NAMED, named.map(|one| one.why.clone()).collect()),
        (UNTESTED, untested.map(|lines| words::untested(lines)).into_iter().collect()),
        (TEST, test.into_iter().collect()),
        (LARGE, large.into_iter().collect()),
    ];
    let risk: u32 = reasons.iter().filter(|(_, said)| !said.is_empty()).map(|(weight, _)| weight).sum();
    let mut seen = BTreeSet::new();
    let said = reasons.into_iter().flat_map(|(_, said)| said);
    let why: Vec<String> = said.filter(|one| seen.insert(one.clone())).collect();
    let tone = match risk {
        FINDING.. => Tone::Failed,
        TEST.. => Tone::Attention,
        _ => Tone::Plain,
    };
    let (path, counts, kind) = (file.path.clone(), file.counts(), file.kind);
    (risk, RiskyFile { path, counts, kind, why, tone, places: Vec::new(), places_left_out: None })
}
