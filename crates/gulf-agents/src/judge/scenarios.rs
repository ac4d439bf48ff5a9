//! What a reviewer wants to see the work do: commands as a user would type them, and what must come of each (SPEC A4).
//!
//! Apart from verdicts because nothing is decided here: gulf runs the commands itself, in a checkout of its own, and
//! what came of them is put before the reviewer as checks that passed or failed.

use serde::Deserialize;
use serde_json::json;

use super::answer::{NoVerdict, closed, in_one_line, read_object};
use super::exhibits::CheckExhibit;

/// More commands than this are not run.
pub const SCENARIOS_MAX: usize = 8;
/// A longer command is no line that a user types.
const COMMAND_BYTES_MAX: usize = 4_096;
/// So many texts are looked for in one command's output.
const TEXTS_MAX: usize = 20;

/// One use of the work.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// For people: what is tried.
    pub tries: String,
    /// A shell command, run at the top of the project.
    pub command: String,
    pub exit: i32,
    /// Texts that its output must hold.
    #[serde(default)]
    pub shows: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioWire {
    scenarios: Vec<Scenario>,
}

/// The schema of such a list, as JSON text.
pub fn scenario_schema() -> String {
    let shows = json!({
        "type": "array",
        "items": {"type": "string"},
        "description": "texts that its output must hold, verbatim; may be empty",
    });
    let scenario = closed(&json!({
        "tries": {"type": "string", "description": "what a user does here, in a few words"},
        "command": {"type": "string", "description": "one shell command, run at the top of the project"},
        "exit": {"type": "integer", "description": "the exit code it must have"},
        "shows": shows,
    }));
    closed(&json!({"scenarios": {"type": "array", "items": scenario}})).to_string()
}

/// Reads a list of scenarios.
pub fn read_scenarios(answer: &str) -> Result<Vec<Scenario>, NoVerdict> {
    let wire: ScenarioWire = read_object(answer)?;
    let count = wire.scenarios.len();
    if count == 0 || count > SCENARIOS_MAX {
        let why = format!("{count} scenarios were named, and 1 to {SCENARIOS_MAX} are run");
        return Err(NoVerdict::new(why));
    }
    for scenario in &wire.scenarios {
        let command = &scenario.command;
        if command.trim().is_empty() || command.contains('\0') || command.len() > COMMAND_BYTES_MAX {
            return Err(NoVerdict::new("a scenario's command is blank, or no line that a user types"));
        }
        if scenario.shows.len() > TEXTS_MAX {
            return Err(NoVerdict::new(format!("a scenario looks for more than {TEXTS_MAX} texts")));
        }
    }
    Ok(wire.scenarios)
}

impl Scenario {
    /// As it is put before the reviewer, with what came of it.
    pub fn exhibit(&self, number: usize, exit: Option<i32>, output: &str, tail: &str) -> CheckExhibit {
        let missing: Vec<&String> =
            self.shows.iter().filter(|text| !output.contains(text.as_str())).collect();
        let passed = exit == Some(self.exit) && missing.is_empty();
        let code = exit.map_or_else(|| "no exit code".to_owned(), |code| format!("exit code {code}"));
        let mut lines = vec![format!("# {} — {code}, {} expected", in_one_line(&self.tries), self.exit)];
        lines.extend(missing.iter().map(|text| format!("# not in the output: {}", in_one_line(text))));
        lines.push(tail.to_owned());
        let (name, command) = (format!("scenario {number}"), self.command.clone());
        CheckExhibit { name, command, passed, tail: lines.join("\n") }
    }
}

#[cfg(test)]
mod tests;
