//! The command that starts a new loop on the goal of one that is over, whole, so that it can be pasted.
//!
//! A command with a gap is no command: what the first one was given on its line is said again.

use gulf_host::files;
use gulf_runner::agreement::{Agreement, Tool};
use gulf_runner::plan::TEXT_BYTES_MAX;

use crate::paths::quoted;

/// The origin of a check that was given as a flag.
const FLAG: &str = "--check";

/// `gulf run 'the goal' --agent claude --check 'cargo test'`.
pub fn command(agreement: &Agreement) -> String {
    if let Some(list) = &agreement.list {
        return format!("gulf run --preset tasks --tasks {}", word(&list.path));
    }
    let of_file = files::read_text(&agreement.project.join("PROMPT.md"), TEXT_BYTES_MAX);
    let is_of_file = of_file.is_ok_and(|text| text.content.trim() == agreement.goal.trim());
    let goal = if is_of_file { "-f PROMPT.md".to_owned() } else { quoted(agreement.goal.trim()) };
    let checks = agreement.checks.iter().filter(|check| check.origin == FLAG);
    let checks = checks.map(|check| format!(" --check {}", quoted(&check.command)));
    format!("gulf run {goal} --agent {}{}", agent(&agreement.agent.tool), checks.collect::<String>())
}

fn agent(tool: &Tool) -> String {
    match tool.known() {
        Some((agent, None)) => agent.name().to_owned(),
        Some((agent, Some(model))) => format!("{} --model {}", agent.name(), word(model)),
        None => word(&format!("command:{tool}")),
    }
}

/// Only what a shell would take apart is put in quotes.
fn word(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=+".contains(character);
    if text.chars().all(is_plain) { text.to_owned() } else { quoted(text) }
}
