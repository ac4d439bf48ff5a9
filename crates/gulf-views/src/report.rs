//! The report for the person (SPEC B11): what was asked, done, proven and *not* proven, and where to look first.
//!
//! Half of it lies outside of the journal: the judge's words, the worker's notes and the changed files are handed in as
//! plain values.

mod brief;
mod look_first;
mod markdown;
mod page;
mod story;
mod words;

use crate::changed_files::{ChangedFile, PatchPlace, sort_by_size};
use crate::cost::Cost;
use crate::facts::Facts;
use crate::gates::is_judged;
use crate::history::{History, Iteration, PersonalAct};
use crate::json::VERSION;
use crate::language::ScreenLanguage;
use crate::question::QuestionReport;
use crate::summary::{Summary, denials};
use gulf_engine::{Base, CheckName, Denial, Finding, State, TreeId};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub use brief::brief;
pub use markdown::report;
pub use page::{PageCriterion, ReportPage, RiskyFile};
pub(crate) use story::strips;
pub use story::{MomentWord, RedToGreen, StoryOutcome, StoryPoint, StoryStrip};
pub(crate) use words::check as check_said;

/// What the journal does not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportTexts {
    /// The rubric's, each with the last word about it.
    pub criteria: Vec<CriterionLine>,
    /// DECISIONS of progress.txt, in the worker's words.
    pub decisions: Vec<String>,
    /// UNCERTAINTIES of progress.txt, in the worker's words.
    pub doubts: Vec<String>,
    /// From the base to the candidate.
    pub changed_files: Vec<ChangedFile>,
    /// What a stranger types to repeat the verdict; the first one is enough.
    pub reproduce: Vec<String>,
    /// None where no judge spoke, or nobody computed it.
    pub risk: Option<Risk>,
    /// The last line that a failing check printed about a tree, where no report of its tests says what failed.
    pub check_words: CheckWords,
    /// How the outputs of checks end, of green ones, too, as far as somebody looked them up.
    pub outputs: CheckWords,
    /// How the output of the new tests on the base's code ends.
    pub new_tests_on_base: Option<String>,
    /// What the worker said at the end of an iteration, by its number.
    pub messages: BTreeMap<u32, String>,
    /// How many lines an iteration added and removed, by its number.
    pub lines_changed: BTreeMap<u32, u64>,
    /// The places where a file was changed, by its path.
    pub places: BTreeMap<String, Vec<PatchPlace>>,
    /// Of each changed file whose coverage a check measured, the changed lines that no check ran, from and to.
    pub untested: BTreeMap<String, Vec<(u32, u32)>>,
}

/// What checks printed, by the tree that they spoke about.
pub type CheckWords = BTreeMap<(TreeId, CheckName), String>;

/// One criterion and the judge's word about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CriterionLine {
    /// Counted from 1.
    pub number: u32,
    pub text: String,
    pub word: CriterionVerdict,
    /// Quotes, named checks and files, as they were found in the candidate.
    pub evidence: Vec<String>,
    /// The judge's, above all for a no.
    pub reason: Option<String>,
}

/// SPEC B4's words, and none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CriterionVerdict {
    Met,
    Unmet,
    Unsure,
    NotJudged,
}

/// That a judge approved what it should not, at least once (SPEC B4); in basis points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Risk {
    /// How often it could have.
    pub tries: u32,
    /// Assumed of a single try.
    pub per_try_bp: u32,
    pub false_approval_bp: u32,
}

/// Something a person should see before anything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LookFirst {
    /// A file, where it is about one.
    pub path: Option<String>,
    pub why: String,
}

/// Everything that a report says, before anyone decided how it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How the loop stands.
    pub summary: Summary,
    /// In the person's words, whole.
    pub goal: String,
    pub base: Option<Base>,
    pub texts: ReportTexts,
    pub look_first: Vec<LookFirst>,
    /// The iterations as a picture tells them.
    pub story: Vec<StoryPoint>,
    /// What said no and says yes now.
    pub red_to_green: Vec<RedToGreen>,
    /// Changes of the base's tests and of what decides about them, in the last candidate.
    pub findings: Vec<Finding>,
    /// Open and answered ones, the oldest first.
    pub questions: Vec<QuestionReport>,
    /// What a person did besides answering.
    pub acts: Vec<PersonalAct>,
    /// Since the start.
    pub denials: Vec<Denial>,
    pub judge_cost: Option<Cost>,
    /// Does the contract ask a judge? Without one nobody misses its risk.
    pub asks_judge: bool,
    /// In which a person reads it; programs, and files that a project keeps, are told in English.
    pub language: ScreenLanguage,
}

impl Report {
    /// `summary` is of the same loop; it may have been explained.
    pub fn new(
        mut summary: Summary,
        facts: &Facts,
        history: &History,
        state: &State,
        mut texts: ReportTexts,
    ) -> Report {
        // Whoever reads it has it.
        summary.next.retain(|step| !step.command.starts_with("gulf report"));
        sort_by_size(&mut texts.changed_files);
        Report {
            look_first: look_first::look_first(&summary, history, &texts),
            story: story::story(history, state, &texts),
            red_to_green: story::red_to_green(history, state, &summary.proofs, &texts),
            findings: history.last_evaluated().map_or(&[][..], Iteration::findings).to_vec(),
            summary,
            goal: facts.goal.clone(),
            base: state.contract().map(|contract| contract.base.clone()),
            questions: QuestionReport::all(history, state),
            acts: history.acts.clone(),
            denials: denials(&history.denials),
            judge_cost: history.judge_cost.unless_nothing(),
            asks_judge: is_judged(state),
            language: ScreenLanguage::English,
            texts,
        }
    }

    /// The same for somebody who reads this language.
    #[must_use]
    pub fn in_language(self, language: ScreenLanguage) -> Report {
        Report { language, ..self }
    }

    pub(crate) fn in_brief(&self) -> ReportBrief {
        let files = &self.texts.changed_files;
        let told = |first: &LookFirst| match &first.path {
            Some(path) => format!("{path}: {}", self.tell(&first.why)),
            None => self.tell(&first.why),
        };
        ReportBrief {
            proven: words::proven_in_brief(self),
            not_proven: words::unproven_in_brief(self),
            spent: words::spent_in_brief(self),
            changed: (!files.is_empty()).then(|| words::changed(self)),
            look_first: self.look_first.first().map(told),
        }
    }

    /// A text of gulf's own.
    fn tell(&self, text: impl AsRef<str>) -> String {
        self.language.tell(text.as_ref()).into_owned()
    }
}

/// The report in a few sentences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportBrief {
    pub proven: String,
    pub not_proven: String,
    pub spent: String,
    /// `2 files were changed, +12 −3`; null where nothing did.
    pub changed: Option<String>,
    pub look_first: Option<String>,
}

/// The report for programs: everything that the Markdown says, each thing under its name.
pub fn report_json(report: &Report) -> Value {
    let Report { summary, texts, story, .. } = report;
    let line = |one: &StoryPoint| {
        let StoryPoint { unit, number, what, duration_ms, spent, .. } = one;
        json!({ "unit": unit, "number": number, "what": what, "duration_ms": duration_ms, "cost": spent })
    };
    json!({
        "version": VERSION,
        "loop": summary.loop_id,
        "standing": summary.standing,
        "exit_code": summary.standing.exit_code(),
        "meaning": summary.meaning,
        "failure": summary.failure,
        "advice": summary.advice,
        "goal": report.goal,
        "base": report.base,
        "candidate": summary.candidate,
        "tasks": summary.tasks,
        "changed_files": texts.changed_files,
        "iterations": story.iter().map(line).collect::<Vec<_>>(),
        "story": story,
        "red_to_green": report.red_to_green,
        "max_iterations": summary.iterations_max,
        "active_ms": summary.active_ms,
        "checks": summary.checks,
        "criteria": texts.criteria,
        "seen_to_fail": summary.proofs,
        "cleared": summary.cleared,
        "not_proven": summary.unproven,
        "flaky": summary.flaky,
        "look_first": report.look_first,
        "untested_lines": texts.untested,
        "rejected": summary.rejected,
        "questions": report.questions,
        "acts": report.acts,
        "denials": report.denials,
        "decisions": texts.decisions,
        "doubts": texts.doubts,
        "cost": summary.cost,
        "judge_cost": report.judge_cost,
        "claims": summary.claims,
        "risk": texts.risk,
        "reproduce": texts.reproduce,
        "next": summary.next,
    })
}
