//! All that gulf knows of an agent, in one value for each: [`Tool`] names them, and everybody else asks here.

use std::fmt::Debug;

use serde_json::Value;

use super::course::Course;
use super::{
    Invocation, ProcessEnd, Tool, TurnReport, TurnRequest, claude, codex, copilot, gemini, opencode,
};

/// One agent. To add one: a folder with such a value, and its name in [`Tool`].
#[derive(Debug)]
pub struct Descriptor {
    /// In gulf.toml, in a contract, and of its program.
    pub name: &'static str,
    /// The version that its contract was taken from, and that tests run.
    pub tested_version: &'static str,
    /// The file of a project in which lessons for it are written down: it takes instructions from there.
    pub instructions: &'static str,
    pub tools: ToolsBy,
    pub spending: SpendingIn,
    /// The flag that holds it to an amount of money within a turn, if it has one.
    pub budget_flag: Option<&'static str>,
    pub writes: Writes,
    pub models: Models,
    /// The folder of its settings and sign-in.
    pub home: AgentHome,
    /// What of it a person sets or says to every session, and what runs in each; folders with a slash at their end.
    pub settings: &'static [&'static str],
    /// The file in there that is there only when somebody is signed in.
    pub signed_in: Option<&'static str>,
    /// Variables that stand in for a sign-in.
    pub keys: &'static [&'static str],
    /// Files and folders of a project, in any folder and case, from which it takes instructions or settings: what a worker
    /// writes there would speak to its judge.
    pub obeys: &'static [&'static str],
    /// Where else than in its folders it keeps who is signed in; behind walls it needs that, too.
    pub signed_in_by: &'static [&'static str],
    pub(crate) troubles: &'static [(&'static str, AgentTrouble)],
    pub(crate) invocation: fn(&TurnRequest) -> Invocation,
    pub(crate) stream: fn() -> Box<dyn TurnProtocol>,
}

/// Where an agent keeps what is its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentHome {
    pub variable: &'static str,
    /// Of the folder that the variable names; nothing where it is that one.
    pub within: &'static str,
    /// Of the home, where the variable is not set.
    pub default: &'static str,
}

/// How a worker's tools reach an agent for one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolsBy {
    Arguments,
    /// What the person set it to would be lost.
    Variable(&'static str),
    /// It reads servers from the files of the person, of the project and of root alone.
    Nothing,
}

/// Where an agent tells what a turn has cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpendingIn {
    Stream,
    /// In the file that it keeps of each session.
    SessionFile,
    /// In a file of what its session used so far, written when it ends.
    UsageFile,
}

/// Where an agent's own sandbox lets it write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    Anywhere,
    /// In the project, `.git` not included, and in folders that are named.
    NamedFolders,
}

/// Whose models a rubric's front matter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Models {
    /// This agent's.
    OfRubrics,
    Own,
}

/// The events of one turn, in the agent's own form.
pub(crate) trait TurnProtocol: Debug + Send {
    fn read(&mut self, event: &Value, course: &mut Course);

    /// What became of the turn, when its process is gone.
    fn finish(self: Box<Self>, course: Course, end: ProcessEnd) -> TurnReport {
        course.report(end)
    }
}

/// What a line on an agent's stderr, known by how it begins, says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AgentTrouble {
    /// A number follows, and further on a status.
    Retry,
    RulesRefused,
    /// A flag or setting of its command line, before it does anything.
    FlagRefused,
}

impl Tool {
    /// What is known of it.
    pub fn descriptor(self) -> &'static Descriptor {
        match self {
            Self::Claude => &claude::DESCRIPTOR,
            Self::Codex => &codex::DESCRIPTOR,
            Self::Copilot => &copilot::DESCRIPTOR,
            Self::OpenCode => &opencode::DESCRIPTOR,
            Self::Gemini => &gemini::DESCRIPTOR,
        }
    }
}
