//! A Ralph project's texts: where each of them lies, in both layouts (SPEC K6, K7).
//!
//! Apart from `.ralphrc` because a project may have none, and because where a text lies is a question about folders.

use crate::environment::leaves;
use crate::ralphrc::Files;

/// The settings of such a project.
pub const RALPHRC: &str = ".ralphrc";
/// The folder of the newer layout.
const FOLDER: &str = ".ralph";

/// What lies where, relative to the project, with `/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RalphLayout {
    /// The goal.
    pub prompt: String,
    /// The list of tasks, where there is one.
    pub plan: Option<String>,
    /// How the project is built and tested.
    pub agent: Option<String>,
    /// The folder of specifications.
    pub specs: Option<String>,
    /// The folder of logs, where the project has one.
    pub logs: Option<String>,
    /// Where the project's `status.json` lies or belongs; none where it never had one.
    pub status: Option<String>,
}

/// Is there something of this kind at a path of the project?
type IsThere<'p> = &'p dyn Fn(&str) -> bool;

/// Finds the texts of a Ralph project; none in any other. `files` are the names that its `.ralphrc` gives.
pub fn layout(files: &Files, is_file: IsThere<'_>, is_folder: IsThere<'_>) -> Option<RalphLayout> {
    let prompt = prompts(files).find(|path| is_file(path))?;
    let plan = plans(files).find(|path| is_file(path));
    // A PROMPT.md alone is gulf's own.
    if plan.is_none() && !is_file(RALPHRC) && !prompt.starts_with(".ralph/") {
        return None;
    }
    let in_folder = |name: &str| is_folder(FOLDER).then(|| format!("{FOLDER}/{name}"));
    let folder = |name: &str| {
        let own = in_folder(name).filter(|path| is_folder(path));
        own.or_else(|| is_folder(name).then(|| name.to_owned()))
    };
    let status = "status.json";
    let status = in_folder(status).or_else(|| is_file(status).then(|| status.to_owned()));
    let agent = paths(files.agent.as_deref(), &["AGENT.md", "@AGENT.md"]).find(|path| is_file(path));
    Some(RalphLayout { agent, specs: folder("specs"), logs: folder("logs"), status, prompt, plan })
}

/// Where the goal may lie.
pub fn prompts(files: &Files) -> impl Iterator<Item = String> {
    paths(files.prompt.as_deref(), &["PROMPT.md"])
}

/// Where the list of tasks may lie.
pub fn plans(files: &Files) -> impl Iterator<Item = String> {
    paths(files.plan.as_deref(), &["fix_plan.md", "@fix_plan.md"])
}

/// A text of that name, else of one of the usual names; each in the newer folder first. A name that leads out of the
/// project names nothing.
fn paths(named: Option<&str>, usual: &'static [&str]) -> impl Iterator<Item = String> {
    let names = named.into_iter().filter(|name| !leaves(name)).chain(usual.iter().copied());
    names.flat_map(|name| [format!("{FOLDER}/{name}"), name.to_owned()])
}

#[cfg(test)]
mod tests;
