//! The command that starts a new loop on the goal of one that is over, whole, so that it can be pasted.
//!
//! A command with a gap is no command: what the first one was given on its line is said again.

use std::collections::BTreeMap;

use camino::Utf8Path;
use gulf_engine::Exhaustion;
use gulf_host::files;
use gulf_runner::agreement::Agreement;
use gulf_runner::plan::{RUBRIC, TEXT_BYTES_MAX, flags};
use gulf_spec::config::Key;

use crate::cli::typed;
use crate::paths::{quoted, word};

/// A longer goal is offered by its file, where one in the project's own folder holds it.
const GOAL_BYTES_MAX: usize = 200;
/// So many files are looked at for it.
const ENTRIES_MAX: usize = 200;

const LIMITS: [(Key, Exhaustion); 4] = [
    (Key::LimitsMaxIterations, Exhaustion::Iterations),
    (Key::LimitsMaxDuration, Exhaustion::Time),
    (Key::LimitsMaxCost, Exhaustion::Money),
    (Key::LimitsMaxTokens, Exhaustion::Tokens),
];

/// `gulf run 'the goal' --agent claude --check 'cargo test'`, and behind it each limit.
pub fn command(agreement: &Agreement) -> (String, BTreeMap<Exhaustion, String>) {
    let said = flags(&agreement.said);
    let is_said = |key: Key| said.iter().any(|(one, _)| *one == key);
    let mut command = "gulf run".to_owned();
    if let Some(list) = &agreement.list {
        for (key, value) in [(Key::Preset, "tasks"), (Key::TasksFile, list.path.as_str())] {
            if !is_said(key) {
                command.push_str(&typed(key, value));
            }
        }
    } else if let Some(spec) = &agreement.spec {
        command.push_str(&format!(" --spec {}", word(&spec.id)));
    } else {
        let of_file = file_of(agreement).map(|file| format!("-f {}", word(&file)));
        let goal = of_file.unwrap_or_else(|| quoted(agreement.goal.trim()));
        // What begins with a dash would be taken for a flag.
        let goal = goal.strip_prefix("'-").map_or(goal.clone(), |rest| format!("' -{rest}"));
        command.push_str(&format!(" {goal}"));
    }
    if !is_said(Key::AgentTool) {
        // As this machine had it, where nobody said who works.
        let tool = &agreement.agent.tool;
        let known = tool.known().map(|(agent, _)| agent.name().to_owned());
        command.push_str(&typed(Key::AgentTool, &known.unwrap_or_else(|| format!("command:{tool}"))));
    }
    let mut limits = BTreeMap::new();
    for (key, value) in said {
        match LIMITS.iter().find(|(one, _)| *one == key) {
            Some((_, limit)) => drop(limits.insert(*limit, typed(key, &value))),
            None => command.push_str(&typed(key, &value)),
        }
    }
    if agreement.rubric != RUBRIC {
        command.push_str(&format!(" --rubric {}", word(agreement.rubric.as_str())));
    }
    if agreement.checks.is_empty() {
        command.push_str(" --unverified");
    }
    (command, limits)
}

/// The file of the project that holds the goal: PROMPT.md, or where the goal is long, whichever it was given by.
fn file_of(agreement: &Agreement) -> Option<String> {
    let goal = agreement.goal.trim();
    let is_long = goal.len() > GOAL_BYTES_MAX || goal.contains('\n');
    let entries = is_long.then(|| agreement.project.read_dir_utf8().ok()).flatten();
    let texts = entries.into_iter().flatten().take(ENTRIES_MAX).filter_map(Result::ok);
    let names = texts.map(|one| one.file_name().to_owned());
    let holds = |name: &String| {
        let is_text = ["md", "txt"].contains(&Utf8Path::new(name).extension().unwrap_or_default());
        let read = || files::read_text(&agreement.project.join(name), TEXT_BYTES_MAX);
        is_text && read().is_ok_and(|text| text.content.trim() == goal)
    };
    std::iter::once("PROMPT.md".to_owned()).chain(names).find(holds)
}

/// Where a loop works that goes on from another one's iteration.
pub fn fork(agreement: &Agreement) -> Option<[String; 2]> {
    let branch = agreement.forked_from.as_ref()?.branch.clone()?;
    agreement.project.exists().then(|| [branch, agreement.project.to_string()])
}
