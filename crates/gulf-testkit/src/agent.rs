//! The fake worker as a test sees it: a script on disk, the `--agent` that performs it, and its tally.

use std::fs;

use camino::Utf8PathBuf;

use crate::programs::{self, quote};
use crate::sandbox::Sandbox;
use crate::script::{Script, Step, Turn};
use crate::tally::Tally;

/// A worker that does what it is told, turn by turn.
#[derive(Debug, Clone)]
pub struct FakeAgent {
    script: Script,
    path: Utf8PathBuf,
}

impl FakeAgent {
    /// One that does nothing in any turn. Its script and tally lie in the sandbox, outside of repository and state.
    pub fn new(sandbox: &Sandbox) -> FakeAgent {
        FakeAgent::with(sandbox.path("tally.jsonl"), sandbox.path("agent script.json"))
    }

    /// One of several in the sandbox, each with a script and a tally of its own.
    pub fn named(sandbox: &Sandbox, name: &str) -> FakeAgent {
        let path = sandbox.path(&format!("agent {name}.json"));
        FakeAgent::with(sandbox.path(&format!("tally {name}.jsonl")), path)
    }

    fn with(tally: Utf8PathBuf, path: Utf8PathBuf) -> FakeAgent {
        let agent = FakeAgent { script: Script { tally, ..Script::default() }, path };
        agent.save();
        agent
    }

    /// In this iteration, whatever the attempt.
    pub fn turn(self, iteration: u32, steps: impl IntoIterator<Item = Step>) -> FakeAgent {
        self.add(Turn { iteration, attempt: None, steps: steps.into_iter().collect() })
    }

    /// In this attempt of this iteration; say it before what holds for all attempts.
    pub fn attempt(self, iteration: u32, attempt: u32, steps: impl IntoIterator<Item = Step>) -> FakeAgent {
        self.add(Turn { iteration, attempt: Some(attempt), steps: steps.into_iter().collect() })
    }

    /// In every turn for which nothing else was said.
    pub fn otherwise(mut self, steps: impl IntoIterator<Item = Step>) -> FakeAgent {
        self.script.otherwise = steps.into_iter().collect();
        self.save();
        self
    }

    /// The value of `--agent`.
    pub fn flag(&self) -> String {
        format!("command:{}", self.command())
    }

    /// The shell command.
    pub fn command(&self) -> String {
        format!("{} {}", quote(programs::fake_agent().as_str()), quote(self.path.as_str()))
    }

    pub fn tally(&self) -> Tally {
        Tally::at(self.script.tally.clone())
    }

    fn add(mut self, turn: Turn) -> FakeAgent {
        self.script.turns.push(turn);
        self.save();
        self
    }

    fn save(&self) {
        fs::write(&self.path, serde_json::to_vec_pretty(&self.script).unwrap()).unwrap();
    }
}
