//! What the live screen shows: a line for each loop, and one loop in full. Plain data: which key does what, and how it
//! looks, is nobody's business here.

use crate::look::Tone;
use crate::question::QuestionReport;
use crate::report::{Report, StoryPoint, check_said};
use crate::screen::NextStep;
use crate::standing::Standing;
use crate::summary::CheckReport;
use crate::table::Row;
use crate::{text, wording};
use gulf_engine::LoopId;
use serde::Serialize;

/// One loop in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardRow {
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    /// What people call it.
    pub handle: String,
    /// The goal's title, behind the name of its branch where it has one.
    pub title: String,
    pub standing: Standing,
    #[serde(skip)]
    pub tone: Tone,
    /// What runs and for how long; else what its standing means.
    pub now: String,
    pub iteration: u32,
    pub iterations_max: u32,
    pub cost: Option<String>,
    /// What nobody has answered.
    pub questions: Vec<BoardQuestion>,
}

/// What a worker asks, in brief.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardQuestion {
    pub number: u32,
    pub text: String,
    /// Answers to choose from, as the worker offers them.
    pub options: Vec<String>,
}

/// One loop in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardLoop {
    pub row: BoardRow,
    pub proven: String,
    pub not_proven: String,
    pub spent: String,
    pub story: Vec<StoryPoint>,
    pub gates: Vec<BoardGate>,
    pub next: Vec<NextStep>,
    pub texts: BoardTexts,
}

/// What the journal does not hold, a line each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BoardTexts {
    /// The turn as it happens: how the agent's output ends, and a check's while that runs.
    pub turn: Vec<String>,
    /// What the worker was told last.
    pub prompt: Vec<String>,
    pub diff: Vec<String>,
    pub verdict: Vec<String>,
    pub journal: Vec<String>,
}

impl BoardTexts {
    /// Every line as `shown` makes it.
    #[must_use]
    pub fn map(self, shown: impl Fn(&str) -> String) -> BoardTexts {
        let each = |lines: Vec<String>| lines.iter().map(|line| shown(line)).collect();
        BoardTexts {
            turn: each(self.turn),
            prompt: each(self.prompt),
            diff: each(self.diff),
            verdict: each(self.verdict),
            journal: each(self.journal),
        }
    }
}

/// What a gate said of the last candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardGate {
    pub name: String,
    #[serde(skip)]
    pub tone: Tone,
    pub word: String,
}

impl BoardRow {
    /// Every word of somebody else's as `shown` makes it.
    #[must_use]
    pub fn map(mut self, shown: impl Fn(&str) -> String) -> BoardRow {
        let own = |text: &mut String| *text = shown(text);
        [&mut self.title, &mut self.now].into_iter().for_each(own);
        for BoardQuestion { text, options, .. } in &mut self.questions {
            own(text);
            options.iter_mut().for_each(own);
        }
        self
    }

    /// `under_way` says what runs, where something does.
    pub fn new(row: &Row, under_way: Option<String>) -> BoardRow {
        let title = text::one_line(&row.title);
        BoardRow {
            loop_id: row.loop_id.clone(),
            handle: row.handle.clone(),
            title: row.branch.as_ref().map_or(title.clone(), |branch| format!("{} · {title}", branch.name)),
            tone: row.standing.tone(),
            now: under_way.filter(|_| row.standing.is_running()).unwrap_or_else(|| row.standing.meaning()),
            standing: row.standing.clone(),
            iteration: row.iteration,
            iterations_max: row.iterations_max,
            cost: row.cost.map(|cost| cost.brief()),
            // Nobody waits for what a loop asked that is over.
            questions: match row.standing.end() {
                Some(_) => Vec::new(),
                None => row.open_questions.iter().map(asked).collect(),
            },
        }
    }
}

fn asked(question: &QuestionReport) -> BoardQuestion {
    let QuestionReport { number, options, .. } = question;
    BoardQuestion { number: *number, text: text::one_line(&question.text), options: options.clone() }
}

impl BoardLoop {
    /// Every word of somebody else's as `shown` makes it; the row and the texts have been.
    #[must_use]
    pub fn map(mut self, shown: impl Fn(&str) -> String) -> BoardLoop {
        let own = |text: &mut String| *text = shown(text);
        [&mut self.proven, &mut self.not_proven, &mut self.spent].into_iter().for_each(own);
        self.story.iter_mut().flat_map(|one| [&mut one.what, &mut one.message]).for_each(own);
        self.gates.iter_mut().flat_map(|one| [&mut one.name, &mut one.word]).for_each(own);
        self.next.iter_mut().flat_map(|one| [&mut one.command, &mut one.purpose]).for_each(own);
        self
    }

    pub fn new(row: BoardRow, report: &Report, texts: BoardTexts) -> BoardLoop {
        let brief = report.in_brief();
        let checks = report.summary.checks.iter().map(gate);
        let verdicts = report.summary.verdicts.iter().map(|one| {
            let word = wording::judge_word(&one.word).plain();
            BoardGate { name: one.by.to_owned(), tone: Tone::Plain, word }
        });
        BoardLoop {
            row,
            proven: brief.proven,
            not_proven: brief.not_proven,
            spent: brief.spent,
            story: report.story.clone(),
            gates: checks.chain(verdicts).collect(),
            next: report.summary.next.clone(),
            texts,
        }
    }
}

fn gate(check: &CheckReport) -> BoardGate {
    let tone = match &check.candidate {
        None => Tone::Secondary,
        Some(run) if run.is_green() => Tone::Verified,
        Some(_) => Tone::Failed,
    };
    BoardGate { name: check.name.to_string(), tone, word: check_said(check) }
}
