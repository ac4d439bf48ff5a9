//! Whether this process was started, however indirectly, by an agent: one that works for a loop, or a session's.
//!
//! It guards the acts of a person (DESIGN invariant 8): a worker must not approve itself. A worker that wants to can
//! clear its environment; it cannot choose its ancestors. Only on Linux are those visible; elsewhere gulf's own
//! environment has to do.

use crate::platform;
use crate::process::MARK_VARIABLE;

/// gulf sets it for every agent it starts: the loop's id.
pub const LOOP_VARIABLE: &str = "GULF_LOOP";

/// What agents' programs set for all that they start in a session: Claude Code, Codex, Copilot CLI.
pub const SESSION_VARIABLES: [&str; 3] = ["CLAUDECODE", "CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID"];

/// Far more than any real chain, and an end to one that changes while it is followed.
const ANCESTORS_MAX: usize = 1_000;

/// The nearest trace of an agent, from this process upwards: a variable with its value.
pub fn agent_above() -> Option<String> {
    nearest(|variable| {
        let mut names = [LOOP_VARIABLE, MARK_VARIABLE].into_iter().chain(SESSION_VARIABLES);
        names.find_map(|name| Some(format!("{name}={}", variable(name)?)))
    })
}

/// Does a shell that an agent has opened stand above this process, or gulf's own agent?
///
/// A hook is started by the agent's program itself: what that tells its hooks differs from what it tells its shells.
/// Only so can a person's prompt be told from one that a worker makes up. A worker can hide its own environment, and
/// not its ancestors'; where those cannot be seen (not Linux), this can be got round.
pub fn agent_shell_above() -> bool {
    nearest(|variable| is_shell(variable).then_some(())).is_some()
}

/// What is to be seen in this process's own environment, else in what it, or one above it, was started with.
fn nearest<Seen>(see: impl Fn(&dyn Fn(&str) -> Option<String>) -> Option<Seen>) -> Option<Seen> {
    let own = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let mut processes =
        std::iter::successors(Some(std::process::id()), |process| platform::parent_of(*process))
            .take(ANCESTORS_MAX);
    let above = || processes.find_map(|process| see(&|name| platform::variable_of(process, name)));
    see(&own).or_else(above)
}

/// Claude Code tells both who runs them; Codex and Copilot CLI tell their shells the session's id.
fn is_shell(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("AI_AGENT").is_some_and(|agent| agent.ends_with("_agent"))
        || [LOOP_VARIABLE, MARK_VARIABLE, "CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID"]
            .iter()
            .any(|name| variable(name).is_some())
}
