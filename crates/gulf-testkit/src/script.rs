//! The language in which a test tells the fake worker what to do.
//!
//! Both sides read it: the tests write a script, `gulf-fake-agent` performs it.

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

/// What the worker does in each of its turns.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Script {
    /// Where it notes what it does; outside of everything gulf knows.
    pub tally: Utf8PathBuf,
    /// The first that fits is performed.
    pub turns: Vec<Turn>,
    /// Performed where none fits.
    pub otherwise: Vec<Step>,
}

/// The steps of one turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    pub iteration: u32,
    /// `None`: every attempt.
    pub attempt: Option<u32>,
    pub steps: Vec<Step>,
}

/// One thing the worker does. Paths are relative to where it was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Step {
    Write {
        path: Utf8PathBuf,
        text: String,
    },
    Append {
        path: Utf8PathBuf,
        text: String,
    },
    /// A file or a folder; nothing there is fine.
    Delete {
        path: Utf8PathBuf,
    },
    /// By `sh -c`; what it said is noted in the tally.
    Run {
        command: String,
    },
    /// `gulf claim done`; what it said is noted in the tally.
    Claim {
        no_test: Option<String>,
    },
    /// A line on stdout.
    Print {
        line: String,
    },
    /// A line on stderr.
    Complain {
        line: String,
    },
    /// `<promise>WORD</promise>`, alone on its line.
    Promise {
        word: String,
    },
    /// So many bytes on stdout.
    Flood {
        bytes: u64,
    },
    /// Waits at a FIFO until the test has read that it is there.
    Meet {
        fifo: Utf8PathBuf,
    },
    /// Waits at a FIFO until the test lets it go on.
    Await {
        fifo: Utf8PathBuf,
    },
    /// Leaves a process behind that did everything to be forgotten: two new sessions, no parent, no streams.
    Linger,
    /// Does nothing, for ever.
    Hang,
    Exit {
        code: i32,
    },
}

impl Step {
    pub fn write(path: &str, text: &str) -> Step {
        Step::Write { path: path.into(), text: text.to_owned() }
    }

    pub fn append(path: &str, text: &str) -> Step {
        Step::Append { path: path.into(), text: text.to_owned() }
    }

    pub fn delete(path: &str) -> Step {
        Step::Delete { path: path.into() }
    }

    pub fn run(command: &str) -> Step {
        Step::Run { command: command.to_owned() }
    }

    pub fn claim() -> Step {
        Step::Claim { no_test: None }
    }

    pub fn print(line: &str) -> Step {
        Step::Print { line: line.to_owned() }
    }

    pub fn promise(word: &str) -> Step {
        Step::Promise { word: word.to_owned() }
    }
}

impl Script {
    /// What to do in this turn.
    pub fn steps(&self, iteration: u32, attempt: u32) -> &[Step] {
        let fits =
            |turn: &&Turn| turn.iteration == iteration && turn.attempt.is_none_or(|only| only == attempt);
        self.turns.iter().find(fits).map_or(&self.otherwise, |turn| &turn.steps)
    }
}
