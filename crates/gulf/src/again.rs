//! The command that starts a new loop on the goal of one that is over, whole, so that it can be pasted.
//!
//! A command with a gap is no command: what the first one was given on its line is said again.

use gulf_host::files;
use gulf_runner::agreement::{Agreement, Tool};
use gulf_runner::plan::{RUBRIC, TEXT_BYTES_MAX, flags};
use gulf_spec::config::Key;

use crate::cli::typed;
use crate::paths::{quoted, word};

/// `gulf run 'the goal' --agent claude --check 'cargo test'`.
pub fn command(agreement: &Agreement) -> String {
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
        let of_file = files::read_text(&agreement.project.join("PROMPT.md"), TEXT_BYTES_MAX);
        let is_of_file = of_file.is_ok_and(|text| text.content.trim() == agreement.goal.trim());
        let goal = if is_of_file { "-f PROMPT.md".to_owned() } else { quoted(agreement.goal.trim()) };
        command.push_str(&format!(" {goal}"));
    }
    if !is_said(Key::AgentTool) {
        command.push_str(&agent(&agreement.agent.tool));
    }
    command.extend(said.iter().map(|(key, value)| typed(*key, value)));
    if agreement.rubric != RUBRIC {
        command.push_str(&format!(" --rubric {}", word(agreement.rubric.as_str())));
    }
    if agreement.checks.is_empty() {
        command.push_str(" --unverified");
    }
    command
}

/// As this machine had it, where nobody said who works.
fn agent(tool: &Tool) -> String {
    match tool.known() {
        Some((agent, _)) => typed(Key::AgentTool, agent.name()),
        None => typed(Key::AgentTool, &format!("command:{tool}")),
    }
}
