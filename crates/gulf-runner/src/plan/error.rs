//! Why nothing can be sealed, each with what to do about it.
//!
//! It stands apart because every command that looks at a project says the same.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::ReadError;
use gulf_host::isolation::Unavailable;
use gulf_spec::alignment::AlignmentProblem;
use gulf_spec::problem::Located;
use gulf_spec::rubric::RubricProblem;
use gulf_spec::tasks::TaskProblem;

use super::preflight::Missing;
use crate::agreement::NotifyError;
use crate::error::RunError;
use crate::tasks::ListError;

/// Why nothing can be sealed.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("the goal is blank")]
    BlankGoal,
    #[error("no agent is named")]
    NoAgent,
    #[error("a judge is required, but none is named or installed")]
    NoJudge,
    #[error("a judge is required, but {path} has no criteria")]
    NoCriteria { path: Utf8PathBuf },
    #[error("{path} cannot be read completely, so a question in it may be missed")]
    Alignment { path: Utf8PathBuf, problems: Vec<Located<AlignmentProblem>> },
    #[error("{path} has open questions: {}", questions.join("; "))]
    OpenQuestions { path: Utf8PathBuf, questions: Vec<String> },
    /// Of the worker or the judge, as its flag calls it.
    #[error("the {who}'s program was not found: {program}")]
    AgentMissing { who: &'static str, program: String },
    /// What is there and cannot run here is named with its place.
    #[error("{}", no_check(project, missing))]
    NoCheck { project: Utf8PathBuf, missing: Vec<String>, install: Option<String> },
    /// Somebody else's program runs only on a person's word.
    #[error("no check is named; found, but used only if you agree: {}", found.join("; "))]
    OnlyProposed { found: Vec<String>, example: String },
    #[error("the check `{check}` cannot run: {why}")]
    CheckCannotRun { check: String, why: Missing },
    #[error("{path} is to be held out from the worker, but is inside the project")]
    HeldOutInProject { path: Utf8PathBuf },
    #[error("numbers steer the loop, but every check is held out")]
    NoOpenCheck,
    #[error("the folder {path} has no executable file `run`")]
    HeldOutWithoutRun { path: Utf8PathBuf },
    #[error("{path} exists but is not executable")]
    AutochecksNotExecutable { path: Utf8PathBuf },
    #[error("{path} has mistakes")]
    Rubric { path: Utf8PathBuf, problems: Vec<Located<RubricProblem>> },
    #[error("{path} has mistakes")]
    TaskList { path: Utf8PathBuf, problems: Vec<Located<TaskProblem>> },
    #[error("two checks are called {name}: {first} and {second}")]
    DuplicateCheck { name: String, first: String, second: String },
    #[error("`{setting}` names the check {name}, and there is no such check")]
    UnknownCheck { setting: &'static str, name: String },
    #[error("`isolated` was asked for: {0}")]
    NotIsolated(#[source] Unavailable),
    #[error(transparent)]
    Notify(#[from] NotifyError),
    #[error(transparent)]
    List(#[from] ListError),
    #[error(transparent)]
    Run(#[from] RunError),
}

impl PlanError {
    /// What the person can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::BlankGoal => {
                "say what should be done: `gulf run \"add a --json flag\"`, `gulf run -f PROMPT.md`"
            }
            Self::NoAgent => {
                "install Claude Code (`claude`) or Codex (`codex`), or name another: `--agent 'command:my-agent'`; \
                 `gulf demo` needs none"
            }
            Self::NoJudge => {
                "name one: `--judge claude`, `--judge codex`, `--judge 'command:my-judge'`; of ralph and autopilot, \
                 `--level 1` needs none"
            }
            Self::NoCriteria { .. } => {
                "write `## Judge criteria` with one line `- criterion` each; `gulf init` writes a first RUBRIC.md"
            }
            Self::Alignment { .. } => "fix the places above; `gulf align` checks the whole text",
            Self::OpenQuestions { .. } => {
                "answer them there (`Answer: …` below each); or continue without answers with `--ignore-questions`, which the \
                 journal records"
            }
            Self::AgentMissing { who, .. } => {
                return Some(format!(
                    "install it, or name another with `--{who}`; `gulf doctor` checks everything"
                ));
            }
            Self::NoCheck { install: Some(install), .. } => {
                return Some(format!("`{install}` installs it; or name another check: `--check COMMAND`"));
            }
            Self::NoCheck { missing, .. } if !missing.is_empty() => {
                "install that, or name a check: `--check COMMAND`; or accept an unproven end with \
                 `--unverified`"
            }
            Self::NoCheck { .. } => {
                "name a check: `--check COMMAND`, or `gulf init`; or accept an unproven end with \
                 `--unverified`"
            }
            Self::OnlyProposed { example, .. } => {
                return Some(format!(
                    "`--detected` uses that; or name a check: `--check {example}`; or accept an unproven end with \
                     `--unverified`"
                ));
            }
            Self::CheckCannotRun { check, why } => return Some(why.hint(check)),
            Self::NoOpenCheck => "add one that the worker may know: `--check COMMAND`",
            Self::HeldOutInProject { .. } => {
                "move it out of the project: the worker can read everything in there"
            }
            Self::HeldOutWithoutRun { .. } => {
                "write one that exits with 0 if the work is right: it is started in the checkout, and                  $GULF_ACCEPTANCE is its own folder; or name a command: `--acceptance COMMAND`"
            }
            Self::AutochecksNotExecutable { path } => {
                return Some(format!("`chmod +x {path}`, or remove it"));
            }
            Self::Rubric { .. } => "fix the places above; they would not count",
            Self::TaskList { .. } => "fix the places above; a task that cannot be read could never be ticked",
            Self::DuplicateCheck { .. } => "give one of them another `name` in gulf.toml",
            Self::UnknownCheck { .. } => "`gulf config explain` lists the checks",
            Self::NotIsolated(error) => error.hint(),
            Self::List(error) => return error.hint(),
            Self::Notify(error) => return Some(error.hint()),
            Self::Run(error) => return error.hint(),
        };
        Some(hint.to_owned())
    }
}

impl From<ReadError> for PlanError {
    fn from(error: ReadError) -> Self {
        Self::Run(error.into())
    }
}

fn no_check(project: &Utf8Path, missing: &[String]) -> String {
    if missing.is_empty() {
        return format!("no check was found in {project}");
    }
    let its_program = if missing.len() == 1 { "its program is" } else { "their programs are" };
    format!("no check can run here; found, and {its_program} not installed: {}", missing.join("; "))
}
