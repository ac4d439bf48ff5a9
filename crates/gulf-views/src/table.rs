//! `gulf list`: one loop per line where the terminal is wide enough, else a few short lines for each. A handle stays whole,
//! so that it can be copied: everything else gives way.

use crate::cost::Cost;
use crate::facts::BranchFacts;
use crate::json::{VERSION, extended, serialize_timestamp};
use crate::look::{Look, Tone};
use crate::loop_status::LoopStatus;
use crate::phrase::{Phrase, say};
use crate::question::QuestionReport;
use crate::screen::cut;
use crate::text;
use crate::trend::Trend;
use gulf_engine::{LoopId, QueueFacts};
use serde::Serialize;
use serde_json::{Value, json};

/// With less room for the goal than this, each loop takes several lines.
const GOAL_COLUMNS_MIN: usize = 12;

/// Between two columns.
const GAP: &str = "  ";

/// One loop in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    #[serde(rename = "loop")]
    pub loop_id: LoopId,
    /// What people call it.
    pub handle: String,
    /// In the person's words, whole.
    pub goal: String,
    /// The line of it that names it.
    #[serde(skip)]
    pub title: String,
    pub standing: LoopStatus,
    /// Where the loop has a branch of its own.
    pub branch: Option<BranchFacts>,
    pub iteration: u32,
    #[serde(rename = "max_iterations")]
    pub iterations_max: u32,
    /// None of what is over, and before there is anything to compare.
    pub trend: Option<Trend>,
    /// While it waits to land.
    pub queue: Option<QueueFacts>,
    /// Of the loop so far.
    pub cost: Option<Cost>,
    #[serde(rename = "max_microdollars")]
    pub microdollars_max: Option<u64>,
    /// [`QuestionReport::open`] of the loop.
    pub open_questions: Vec<QuestionReport>,
    /// Wall clock of the last event, milliseconds since 1970.
    #[serde(rename = "updated_at", serialize_with = "serialize_timestamp")]
    pub updated_at_ms: u64,
}

/// `gulf list` for programs.
pub fn list_json(rows: &[Row]) -> Value {
    let listed =
        |row: &Row| extended(row, json!({ "end": row.standing.end(), "pause": row.standing.pause() }));
    json!({ "version": VERSION, "loops": rows.iter().map(listed).collect::<Vec<_>>() })
}

/// The loops in the order given, each line with its line end; nothing at all for no loop.
pub fn table(rows: &[Row], now_ms: u64, look: Look) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let cells: Vec<Cells> =
        [Cells::head(look)].into_iter().chain(rows.iter().map(|row| Cells::new(row, now_ms, look))).collect();
    let widest =
        |place: usize| cells.iter().map(|cells| text::columns(&cells.texts[place])).max().unwrap_or(0);
    let mut widths: [usize; 5] = std::array::from_fn(widest);
    let all_but_goal = widths.iter().sum::<usize>() - widths[GOAL] + GAP.len() * (widths.len() - 1);
    let room = look.columns().saturating_sub(all_but_goal);
    if room < GOAL_COLUMNS_MIN {
        return cells[1..].iter().map(|cells| cells.stacked(look)).collect();
    }
    widths[GOAL] = widths[GOAL].min(room);
    cells.iter().map(|cells| cells.in_line(&widths, look)).collect()
}

/// Where the goal stands in a row, and the loop's standing.
const GOAL: usize = 1;
const STANDING: usize = 2;

/// A row's texts: handle, goal, standing, iteration, age; and the tone of its standing, and of all else.
struct Cells {
    texts: [String; 5],
    tone: Tone,
    rest: Tone,
}

impl Cells {
    fn new(row: &Row, now_ms: u64, look: Look) -> Cells {
        let title = text::one_line(&row.title);
        let goal = match &row.branch {
            // The loops of a group have one goal: the branch is what tells them apart.
            Some(branch) => format!("{} · {title}", text::one_line(&branch.name)),
            None => title,
        };
        let iteration = format!("{}/{}", row.iteration, row.iterations_max);
        let standing = row.standing.word().to_owned();
        let age = look.language.tell(&text::age(row.updated_at_ms, now_ms)).into_owned();
        let texts = [row.handle.clone(), goal, standing, iteration, age];
        Cells { texts, tone: row.standing.tone(), rest: Tone::Plain }
    }

    fn head(look: Look) -> Cells {
        let texts = ["loop", "goal", "stands", "iteration", "last event"];
        let texts = texts.map(|text| look.language.tell(text).into_owned());
        Cells { texts, tone: Tone::Secondary, rest: Tone::Secondary }
    }

    fn in_line(&self, widths: &[usize; 5], look: Look) -> String {
        let mut line = Phrase::new();
        for (place, (text, width)) in self.texts.iter().zip(widths).enumerate() {
            let tone = if place == STANDING { self.tone } else { self.rest };
            let gap = if place + 1 < widths.len() { GAP } else { "" };
            line = line.tone(tone, text::padded(&text::cut_columns(text, *width), *width) + gap);
        }
        line.render(look.palette) + "\n"
    }

    fn stacked(&self, look: Look) -> String {
        let [handle, goal, standing, iteration, age] = &self.texts;
        let details = say("  ").tone(self.tone, standing).say(format!(" · {iteration} · {age}"));
        let goal = if goal.is_empty() { String::new() } else { cut(say(format!("  {goal}")), look) };
        format!("{handle}\n{}{goal}", cut(details, look))
    }
}
