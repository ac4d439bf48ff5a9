//! What the live screen shows: a line for each loop, and one loop in full. Plain data: which key does what, and how it
//! looks, is nobody's business here.

use crate::acts::ActKind;
use crate::facts::WorkerFacts;
use crate::landing;
use crate::look::Tone;
use crate::loop_status::LoopStatus;
use crate::question::QuestionReport;
use crate::report::{Report, StoryPoint, StoryStrip, check_said, strips};
use crate::screen::NextStep;
use crate::summary::CheckReport;
use crate::table::Row;
use crate::trend::Trend;
use crate::{text, wording};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;

/// By what a face asks for a loop: its id, behind its repository's key where several are watched: the same goal, begun in
/// the same minute in two of them, has one id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoopAddress(String);

impl LoopAddress {
    pub fn new(repository: Option<&str>, loop_id: &str) -> LoopAddress {
        // No name of a folder of gulf's holds a colon.
        LoopAddress(repository.map_or_else(|| loop_id.to_owned(), |key| format!("{key}:{loop_id}")))
    }

    /// As a header or a link may hold it: a loop is called by its goal's words, in any script.
    pub fn in_url(&self) -> String {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
        let spelt =
            |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        self.0.bytes().map(spelt).collect()
    }

    /// As a page sent it back.
    pub fn received(text: String) -> LoopAddress {
        LoopAddress(text)
    }
}

impl fmt::Display for LoopAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One loop in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardRow {
    pub address: LoopAddress,
    /// What people call it.
    pub handle: String,
    /// The goal's title, behind the name of its branch where it has one, and of its project where there are several.
    pub title: String,
    pub standing: LoopStatus,
    /// What runs and for how long; else what its standing means.
    pub now: String,
    pub iteration: u32,
    pub iterations_max: u32,
    pub trend: Option<Trend>,
    pub cost: Option<String>,
    /// What nobody has answered.
    pub questions: Vec<BoardQuestion>,
    /// Where others work on the same goal.
    pub worker: Option<WorkerFacts>,
    #[serde(skip)]
    pub updated_at_ms: u64,
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
    /// The same as sparklines.
    pub strips: Vec<StoryStrip>,
    pub gates: Vec<BoardGate>,
    pub next: Vec<NextStep>,
    /// What a person may ask for now.
    pub acts: Vec<ActKind>,
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
    pub fn map(mut self, shown: impl Fn(&str) -> String) -> BoardTexts {
        let BoardTexts { turn, prompt, diff, verdict, journal } = &mut self;
        let lines = [turn, prompt, diff, verdict, journal].into_iter().flatten();
        lines.for_each(|line| *line = shown(line));
        self
    }
}

/// What a gate said of the last candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardGate {
    pub name: String,
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

    /// `project` names where it works, where that is not plain; `under_way` says what runs, where something does.
    pub fn new(row: &Row, address: LoopAddress, project: Option<&str>, under_way: Option<String>) -> Self {
        let branch = row.branch.as_ref();
        let name = branch.map(|branch| branch.name.as_str());
        let worker = branch.and_then(|branch| branch.worker.clone());
        let queued =
            branch.zip(row.queue).map(|(branch, queue)| landing::queued(&branch.base, queue).to_plain_text());
        let under_way = queued.or(under_way);
        let title = [project, name, Some(&row.title)].into_iter().flatten().map(text::one_line);
        Self {
            address,
            handle: row.handle.clone(),
            title: title.collect::<Vec<_>>().join(" · "),
            now: under_way.filter(|_| row.standing.is_running()).unwrap_or_else(|| row.standing.meaning()),
            standing: row.standing.clone(),
            iteration: row.iteration,
            iterations_max: row.iterations_max,
            trend: row.trend.clone(),
            cost: row.cost.map(|cost| cost.of_budget(row.microdollars_max)),
            // Nobody waits for what a loop asked that is over.
            questions: match row.standing.end() {
                Some(_) => Vec::new(),
                None => row.open_questions.iter().map(asked).collect(),
            },
            worker,
            updated_at_ms: row.updated_at_ms,
        }
    }

    fn group(&self) -> Option<&str> {
        self.worker.as_ref().map(|worker| worker.group.as_str())
    }
}

/// What needs a person or runs stands above what is over; then the newest first. Workers of one goal stand together, where
/// the first of them would.
pub fn in_order(mut rows: Vec<BoardRow>) -> Vec<BoardRow> {
    let rank = |row: &BoardRow| (row.standing.end().is_some(), Reverse(row.updated_at_ms));
    let mut firsts = BTreeMap::new();
    for row in &rows {
        if let Some(group) = row.group() {
            let first = firsts.entry(group.to_owned()).or_insert_with(|| rank(row));
            *first = (*first).min(rank(row));
        }
    }
    let number = |row: &BoardRow| row.worker.as_ref().map_or(0, |worker| worker.number);
    rows.sort_by_cached_key(|row| {
        let group = row.group().map(str::to_owned);
        let first = group.as_ref().and_then(|group| firsts.get(group).copied());
        (first.unwrap_or_else(|| rank(row)), group, number(row))
    });
    rows
}

/// One goal's rows at a time: workers that stand together, or one loop.
pub fn by_group(rows: &[BoardRow]) -> impl Iterator<Item = &[BoardRow]> {
    rows.chunk_by(|one, other| one.group().is_some() && one.group() == other.group())
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
            let word = wording::judge_word(&one.word).to_plain_text();
            BoardGate { name: one.by.to_owned(), tone: Tone::Plain, word }
        });
        BoardLoop {
            row,
            proven: brief.proven,
            not_proven: brief.not_proven,
            spent: brief.spent,
            story: report.story.clone(),
            strips: strips(&report.story),
            gates: checks.chain(verdicts).collect(),
            next: report.summary.next.clone(),
            acts: report.summary.acts.clone(),
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
