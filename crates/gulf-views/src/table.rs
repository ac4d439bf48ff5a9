//! `gulf list`: one loop per line where the terminal is wide enough, else a few short lines for each.
//!
//! It stands apart because a loop's handle must stay whole, so that it can be copied: everything else gives way.

use crate::cost::Cost;
use crate::facts::BranchFacts;
use crate::json::{VERSION, extended, serialize_timestamp};
use crate::look::{Look, Tone};
use crate::phrase::{Phrase, say};
use crate::question::QuestionReport;
use crate::standing::Standing;
use crate::text;
use gulf_engine::LoopId;
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
    pub standing: Standing,
    /// Where the loop has a branch of its own.
    pub branch: Option<BranchFacts>,
    pub iteration: u32,
    #[serde(rename = "max_iterations")]
    pub iterations_max: u32,
    /// [`Cost::of`] the loop's spending.
    pub cost: Option<Cost>,
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
    let cells: Vec<Cells> = rows.iter().map(|row| Cells::of(row, now_ms)).collect();
    let head = Cells::head();
    let widest = |part: fn(&Cells) -> &str| {
        let all = cells.iter().chain([&head]);
        all.map(|cells| text::columns(part(cells))).max().unwrap_or(0)
    };
    let mut widths = Widths {
        id: widest(|cells| &cells.id),
        goal: widest(|cells| &cells.goal),
        standing: widest(|cells| cells.standing),
        iteration: widest(|cells| &cells.iteration),
        age: widest(|cells| &cells.age),
    };
    let room = look.columns().saturating_sub(widths.all_but_goal());
    if room < GOAL_COLUMNS_MIN {
        return cells.iter().map(|cells| cells.stacked(look)).collect();
    }
    widths.goal = widths.goal.min(room);
    cells.iter().fold(head.in_line(&widths, look), |table, cells| table + &cells.in_line(&widths, look))
}

/// A row's texts.
struct Cells {
    id: String,
    goal: String,
    standing: &'static str,
    iteration: String,
    age: String,
    tone: Tone,
    rest: Tone,
}

struct Widths {
    id: usize,
    goal: usize,
    standing: usize,
    iteration: usize,
    age: usize,
}

impl Widths {
    fn all_but_goal(&self) -> usize {
        self.id + self.standing + self.iteration + self.age + 4 * GAP.len()
    }
}

impl Cells {
    fn of(row: &Row, now_ms: u64) -> Cells {
        Cells {
            id: row.handle.clone(),
            goal: match &row.branch {
                // The loops of a group have one goal: the branch is what tells them apart.
                Some(branch) => format!("{} · {}", text::one_line(&branch.name), text::one_line(&row.title)),
                None => text::one_line(&row.title),
            },
            standing: row.standing.word(),
            iteration: format!("{}/{}", row.iteration, row.iterations_max),
            age: text::age(row.updated_at_ms, now_ms),
            tone: row.standing.tone(),
            rest: Tone::Plain,
        }
    }

    fn head() -> Cells {
        Cells {
            id: "loop".to_owned(),
            goal: "goal".to_owned(),
            standing: "stands",
            iteration: "iteration".to_owned(),
            age: "last event".to_owned(),
            tone: Tone::Secondary,
            rest: Tone::Secondary,
        }
    }

    fn in_line(&self, widths: &Widths, look: Look) -> String {
        let goal = text::cut_columns(&self.goal, widths.goal);
        let cell = |text: &str, columns: usize| text::padded(text, columns) + GAP;
        Phrase::new()
            .tone(self.rest, cell(&self.id, widths.id))
            .tone(self.rest, cell(&goal, widths.goal))
            .tone(self.tone, cell(self.standing, widths.standing))
            .tone(self.rest, cell(&self.iteration, widths.iteration))
            .tone(self.rest, &self.age)
            .render(look.palette)
            + "\n"
    }

    fn stacked(&self, look: Look) -> String {
        let details =
            say("  ").tone(self.tone, self.standing).say(format!(" · {} · {}", self.iteration, self.age));
        let goal = say(format!("  {}", self.goal));
        let fitted = |phrase: Phrase| phrase.fit(look.columns()).render(look.palette) + "\n";
        let goal = if self.goal.is_empty() { String::new() } else { fitted(goal) };
        format!("{}\n{}{goal}", self.id, fitted(details))
    }
}
