//! What the worker noted of itself, outside of everything gulf keeps: the witness of the crash laws.
//!
//! It must not be believed less than gulf's own journal, and must not depend on it.

use std::fs::{self, OpenOptions};
use std::io::Write;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// A file to which lines are only ever added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    path: Utf8PathBuf,
}

/// One note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TallyLine {
    /// A turn began, with this prompt on stdin.
    Began { iteration: u32, attempt: u32, process: u32, prompt: String },
    /// A command ended.
    Ran { iteration: u32, attempt: u32, command: String, exit: Option<i32>, output: String },
    /// A process was left behind.
    Lingers { process: u32 },
    /// The last step of a turn was done.
    Finished { iteration: u32, attempt: u32 },
}

impl Tally {
    pub fn at(path: impl Into<Utf8PathBuf>) -> Tally {
        Tally { path: path.into() }
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Adds a line in one write: a worker that is killed leaves a whole line or none.
    pub fn add(&self, line: &TallyLine) {
        let mut text = serde_json::to_string(line).unwrap();
        text.push('\n');
        let mut file = OpenOptions::new().append(true).create(true).open(&self.path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// All lines; none before the first.
    pub fn lines(&self) -> Vec<TallyLine> {
        let text = fs::read_to_string(&self.path).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The turns that began, as (iteration, attempt).
    pub fn turns(&self) -> Vec<(u32, u32)> {
        let began = |line: &TallyLine| match line {
            TallyLine::Began { iteration, attempt, .. } => Some((*iteration, *attempt)),
            TallyLine::Ran { .. } | TallyLine::Lingers { .. } | TallyLine::Finished { .. } => None,
        };
        self.lines().iter().filter_map(began).collect()
    }

    /// The prompt of the n-th turn, counted from 1.
    #[track_caller]
    pub fn prompt(&self, number: usize) -> String {
        let mut prompts = self.lines().into_iter().filter_map(|line| match line {
            TallyLine::Began { prompt, .. } => Some(prompt),
            TallyLine::Ran { .. } | TallyLine::Lingers { .. } | TallyLine::Finished { .. } => None,
        });
        let prompt = prompts.nth(number - 1);
        prompt.unwrap_or_else(|| panic!("there was no turn {number}: {:?}", self.turns()))
    }

    /// Every command that was run, with its exit code and what it said.
    pub fn commands(&self) -> Vec<(String, Option<i32>, String)> {
        let ran = |line| match line {
            TallyLine::Ran { command, exit, output, .. } => Some((command, exit, output)),
            TallyLine::Began { .. } | TallyLine::Lingers { .. } | TallyLine::Finished { .. } => None,
        };
        self.lines().into_iter().filter_map(ran).collect()
    }

    /// Processes that a turn left behind.
    pub fn lingering(&self) -> Vec<u32> {
        let lingers = |line| match line {
            TallyLine::Lingers { process } => Some(process),
            TallyLine::Began { .. } | TallyLine::Ran { .. } | TallyLine::Finished { .. } => None,
        };
        self.lines().into_iter().filter_map(lingers).collect()
    }
}
