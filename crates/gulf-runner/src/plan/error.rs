//! Why nothing can be sealed, each with what to do about it.
//!
//! Every command that looks at a project says the same.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::ReadError;
use gulf_host::isolation::Unavailable;
use gulf_spec::alignment::AlignmentProblem;
use gulf_spec::problem::{Located, Mistake};
use gulf_spec::tasks::{LIST_NAMES, TaskProblem};

use super::preflight::Missing;
use crate::agreement::NotifyError;
use crate::error::{RunError, of_the_world};

/// Where no other error is named, it is a [`PlanError`].
pub(crate) type Result<T, E = PlanError> = std::result::Result<T, E>;

/// Why nothing can be sealed.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PlanError {
    #[error("the goal is blank")]
    #[diagnostic(help("say what should be done: `gulf run \"add a --json flag\"`, `gulf run -f PROMPT.md`"))]
    BlankGoal,
    #[error("no agent is named")]
    #[diagnostic(help(
        "install Claude Code (`claude`) or Codex (`codex`), or name another: `--agent 'command:my-agent'`; `gulf demo` needs none"
    ))]
    NoAgent,
    #[error("a judge is required, but none is named or installed")]
    #[diagnostic(help(
        "name one: `--judge claude`, `--judge codex`, `--judge 'command:my-judge'`; `--preset basic` needs none, nor does `--level 1` of ralph and autopilot"
    ))]
    NoJudge,
    #[error("a judge is required, but {path} has no criteria")]
    #[diagnostic(help(
        "write `## Judge criteria` with one line `- criterion` each; `gulf init` writes a first RUBRIC.md"
    ))]
    NoCriteria { path: Utf8PathBuf },
    #[error("`{flag}` has no effect, because no judge is asked: {why}")]
    #[diagnostic(help("{help}, or leave `{flag}` out"))]
    Unjudged { flag: &'static str, why: String, help: &'static str },
    #[error("{path} cannot be read completely, so a question in it may be missed")]
    #[diagnostic(help("fix the places above; `gulf align` checks the whole text"))]
    Alignment { path: Utf8PathBuf, problems: Vec<Located<AlignmentProblem>> },
    #[error("{path} has open questions: {}", questions.join("; "))]
    #[diagnostic(help(
        "answer them there (`Answer: …` below each); or continue without answers with `--ignore-questions`, which the journal records"
    ))]
    OpenQuestions { path: Utf8PathBuf, questions: Vec<String> },
    /// Of the worker or the judge, as its flag calls it.
    #[error("the {who}'s program was not found: {program}")]
    #[diagnostic(help(
        "install it, or name another with `--{who}`; a path is looked up from the project's top folder; `gulf doctor` checks everything"
    ))]
    AgentMissing { who: &'static str, program: String },
    #[error("the {who}'s program is not executable: {program}")]
    #[diagnostic(help("`chmod +x {program}`, or run it with its interpreter"))]
    AgentNotExecutable { who: &'static str, program: String },
    /// What is there and cannot run here is named with its place.
    #[error("{}", no_check(project, missing))]
    #[diagnostic(help("{}", instead_of_checks(install.as_deref(), missing)))]
    NoCheck { project: Utf8PathBuf, missing: Vec<String>, install: Option<String> },
    /// Somebody else's program runs only on a person's word.
    #[error("no check is named; found, but used only if you agree: {}", found.join("; "))]
    #[diagnostic(help(
        "`--detected` uses that; or name a check: `--check {example}`; or accept an unproven end with `--unverified`"
    ))]
    OnlyProposed { found: Vec<String>, example: String },
    #[error("the check `{check}` cannot run: {why}")]
    #[diagnostic(help("{}", why.hint((!is_held_out).then_some(check.as_str()))))]
    CheckCannotRun { check: String, is_held_out: bool, why: Missing },
    #[error("{path} is to be held out from the worker, but is inside the project")]
    #[diagnostic(help("move it out of the project: the worker can read everything in there"))]
    HeldOutInProject { path: Utf8PathBuf },
    #[error("numbers steer the loop, but every check is held out")]
    #[diagnostic(help("add one that the worker may know: `--check COMMAND`"))]
    NoOpenCheck,
    #[error("the folder {path} has no executable file `run`")]
    #[diagnostic(help(
        "write one that exits with 0 if the work is right: it is started in the checkout, and $GULF_ACCEPTANCE is its own folder; or name a command: `--acceptance COMMAND`"
    ))]
    HeldOutWithoutRun { path: Utf8PathBuf },
    #[error("{path} exists but is not executable")]
    #[diagnostic(help("`chmod +x {path}`, or remove it"))]
    AutochecksNotExecutable { path: Utf8PathBuf },
    #[error("{path} has mistakes")]
    #[diagnostic(help("fix the places above; they would not count"))]
    Rubric { path: Utf8PathBuf, problems: Vec<Located<Mistake>> },
    #[error("{path} has mistakes")]
    #[diagnostic(help("fix the places above; a task that cannot be read could never be ticked"))]
    TaskList { path: Utf8PathBuf, problems: Vec<Located<TaskProblem>> },
    #[error("two checks are called {name}: {first} and {second}")]
    #[diagnostic(help("give one of them another `name` in gulf.toml"))]
    DuplicateCheck { name: String, first: String, second: String },
    #[error("`{setting}` names the check {name}, and there is no such check")]
    #[diagnostic(help("`gulf config explain` lists the checks"))]
    UnknownCheck { setting: &'static str, name: String },
    #[error("`isolated` was asked for: {0}")]
    #[diagnostic(transparent)]
    NotIsolated(#[source] Unavailable),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Notify(#[from] NotifyError),
    #[error("there is no list of tasks in {project}")]
    #[diagnostic(help(
        "name one: `--tasks FILE`; looked for: {}. A list is lines such as `- [ ] T0.1: what to do`",
        LIST_NAMES.join(", ")
    ))]
    NoList { project: Utf8PathBuf },
    #[error("the list {path} does not exist")]
    #[diagnostic(help("`--tasks FILE` is a path as seen from {project}"))]
    NoListFile { path: Utf8PathBuf, project: Utf8PathBuf },
    #[error("the list {name} is outside the project: {path}")]
    #[diagnostic(help("choose a file of the project, or a link to one: gulf writes ticks nowhere else"))]
    ListOutside { name: String, path: Utf8PathBuf },
    #[error("the list {path} is gone, and its open tasks with it")]
    #[diagnostic(help("bring it back: {ways}; it counts for no goal of your own, `gulf run \"…\"`"))]
    ListLost { path: String, ways: String },
    #[error("`{id}` is not the id of a spec")]
    #[diagnostic(help("write letters, digits, `-`, `_` and `.`, such as LOGIN-001"))]
    NoSpecId { id: String },
    #[error("there is no spec {id}: neither {} is there", paths.join(" nor "))]
    #[diagnostic(help("write the spec there; its text is the goal"))]
    NoSpec { id: String, paths: Vec<String> },
    #[error("{path} is blank")]
    #[diagnostic(help("write down what is to be done, and how one sees that it is"))]
    BlankSpec { path: Utf8PathBuf },
    /// SPEC L7.
    #[error("the loop {loop_id} works on the spec {id} already, and it is not over")]
    #[diagnostic(help("continue it: `gulf resume {loop_id}`; or end it: `gulf cancel {loop_id}`"))]
    SpecBusy { id: String, loop_id: String },
    #[error("every task of {path} is ticked")]
    #[diagnostic(help("add a line `- [ ] what to do`, or untick one"))]
    NothingToDo { path: String },
    #[error("{path} has no open task called {id}")]
    #[diagnostic(help("{}", named_instead(suggestion.as_deref())))]
    NoSuchTask { path: String, id: String, suggestion: Option<String> },
    #[error("finished tasks are committed on a branch, and there is none: {why}")]
    #[diagnostic(help("{hint}"))]
    NoBranch { why: String, hint: &'static str },
    #[error("finished tasks are committed here, and {words} is in progress")]
    #[diagnostic(help("finish or abort it first: `git status` says how"))]
    InProgress { words: &'static str },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Run(#[from] RunError),
}

of_the_world!(PlanError::Run: ReadError);

fn named_instead(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("did you mean `--task {name}`?"),
        None => "leave `--task` out to do all of them".to_owned(),
    }
}

fn instead_of_checks(install: Option<&str>, missing: &[String]) -> String {
    const UNPROVEN: &str = "or accept an unproven end with `--unverified`";
    match install {
        Some(install) => format!("`{install}` installs it; or name another check: `--check COMMAND`"),
        None if missing.is_empty() => format!(
            "name a check: `--check COMMAND`, `--new-check COMMAND` where the work brings it, or `gulf init`; {UNPROVEN}"
        ),
        None => format!("install that, or name a check: `--check COMMAND`; {UNPROVEN}"),
    }
}

fn no_check(project: &Utf8Path, missing: &[String]) -> String {
    if missing.is_empty() {
        return format!("no check was found in {project}");
    }
    let its_program = if missing.len() == 1 { "its program is" } else { "their programs are" };
    format!("no check can run here; found, and {its_program} not installed: {}", missing.join("; "))
}
