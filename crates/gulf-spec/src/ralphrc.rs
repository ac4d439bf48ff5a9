//! `.ralphrc`: the settings of a Ralph project, read and never run (SPEC K6).
//!
//! Apart from gulf.toml because it is a shell file that a repository brings along: only plain assignments are taken,
//! what a shell would run or look up is named, and each setting either has a counterpart here or is said to have none.

mod assignment;

use std::collections::BTreeMap;

use assignment::{Assignment, Blocks};

use crate::config::Key;
use crate::problem::{Located, Mistake, keep};
use crate::text::{Source, Span, lines};

/// What is taken over; of everything else it does not matter what its value is.
const COUNTERPARTS: [&str; 10] = [
    "CLAUDE_TIMEOUT_MINUTES", "CB_NO_PROGRESS_THRESHOLD", "CB_SAME_ERROR_THRESHOLD", "SESSION_CONTINUITY",
    "CLAUDE_MODEL", "ALLOWED_TOOLS", "CLAUDE_ALLOWED_TOOLS", "PROMPT_FILE", "FIX_PLAN_FILE", "AGENT_FILE",
];

/// What a `.ralphrc` says in gulf's words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ralphrc {
    /// As they would be written in a variable.
    pub settings: Vec<Imported>,
    /// What has no counterpart, in the order of the text.
    pub left_out: Vec<LeftOutSetting>,
    pub files: Files,
    pub problems: Vec<Located<Mistake>>,
}

/// A setting, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub key: Key,
    pub value: String,
    /// The name in the `.ralphrc`.
    pub from: String,
    /// Its assignment.
    pub span: Span,
}

/// A setting that gulf does not take over, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOutSetting {
    pub name: String,
    pub value: String,
    pub why: &'static str,
}

/// The project's texts, relative to its folder `.ralph`; none where the usual name counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Files {
    pub prompt: Option<String>,
    pub plan: Option<String>,
    pub agent: Option<String>,
}

/// Reads a `.ralphrc`; of an assignment that comes twice the last one counts, as in a shell.
pub fn parse(source: &Source) -> Ralphrc {
    let mut ralphrc = Ralphrc::default();
    let mut last: BTreeMap<String, (usize, Assignment)> = BTreeMap::new();
    let mut blocks = Blocks::default();
    for (order, line) in lines(source.text()).enumerate() {
        match assignment::read(line) {
            Ok(None) => {}
            Ok(Some(Assignment { name, span, .. })) if blocks.are_open() => {
                let what = format!(
                    "`{name}` is set inside an `if`, a loop, a function or a string, so only a shell could evaluate it"
                );
                let help = "write it outside of it, on a line of its own, as `NAME=\"value\"`";
                ralphrc.problem(unevaluated(&name, what, help), source, span);
            }
            Ok(Some(assignment)) => _ = last.insert(assignment.name.clone(), (order, assignment)),
            Err((problem, span)) => ralphrc.problem(problem, source, span),
        }
        blocks.read(line.text);
    }
    let mut assignments: Vec<_> = last.into_values().collect();
    assignments.sort_by_key(|(order, _)| *order);
    for (_, assignment) in assignments {
        ralphrc.take(source, assignment);
    }
    ralphrc.problems.sort_by_key(|located| located.span);
    ralphrc
}

impl Ralphrc {
    fn take(&mut self, source: &Source, Assignment { name, value, span }: Assignment) {
        if let Err(expected) = self.imported(&name, &value, span) {
            let what = format!("`{name}` must be {expected}, not `{value}`");
            self.problem(Mistake::error(what, "correct it there"), source, span);
        }
    }

    /// Fails with what the value should be.
    fn imported(&mut self, name: &str, value: &str, span: Span) -> Result<(), &'static str> {
        let (key, value) = match name {
            "CLAUDE_TIMEOUT_MINUTES" => (Key::AgentTimeout, format!("{}m", count(value)?)),
            "MAX_CALLS_PER_HOUR" => (Key::LimitsTurnsPerHour, count(value)?.to_string()),
            "CB_NO_PROGRESS_THRESHOLD" => (Key::StuckIdleIterations, count(value)?.to_string()),
            "CB_SAME_ERROR_THRESHOLD" => (Key::StuckSameFailure, count(value)?.to_string()),
            "SESSION_CONTINUITY" if yes_or_no(value)? => (Key::AgentContext, "continue".to_owned()),
            "SESSION_CONTINUITY" => (Key::AgentContext, "fresh".to_owned()),
            "CLAUDE_MODEL" => (Key::AgentModel, value.to_owned()),
            "ALLOWED_TOOLS" | "CLAUDE_ALLOWED_TOOLS" => match self.tools(name, value) {
                commands if commands.is_empty() => return Ok(()),
                commands => (Key::AgentAllow, commands.join(",")),
            },
            _ => {
                self.name_file(name, value);
                return Ok(());
            }
        };
        self.settings.push(Imported { key, value, from: name.to_owned(), span });
        Ok(())
    }

    fn name_file(&mut self, name: &str, value: &str) {
        let place = match name {
            "PROMPT_FILE" => &mut self.files.prompt,
            "FIX_PLAN_FILE" => &mut self.files.plan,
            "AGENT_FILE" => &mut self.files.agent,
            _ => return self.leave_out(name, value),
        };
        *place = Some(value.to_owned());
    }

    /// The commands of `Bash(npm *)`; files are read and written anyway.
    fn tools(&mut self, name: &str, value: &str) -> Vec<String> {
        let mut commands = Vec::new();
        for tool in list(value) {
            let command = if tool == "Bash" {
                Some("*")
            } else {
                tool.strip_prefix("Bash(").and_then(|rest| rest.strip_suffix(')'))
            };
            let Some(command) = command else {
                if !["Write", "Read", "Edit", "MultiEdit", "Grep", "Glob", "LS", "TodoWrite"].contains(&tool)
                {
                    self.left_out.push(left_out(name, tool, "gulf allows commands only"));
                }
                continue;
            };
            let command = command.trim_end_matches('*').trim_end_matches([' ', ':']).trim();
            let why = match command.split_whitespace().collect::<Vec<_>>()[..] {
                [] => Some("a worker gets no leave to run anything"),
                [folder] if folder.ends_with('/') => Some("a folder is no command"),
                // What is not committed is part of the candidate, and the person's branches stay where they are.
                ["git"]
                | [
                    "git",
                    "push" | "pull" | "checkout" | "switch" | "reset" | "clean" | "rm" | "rebase" | "branch"
                    | "stash",
                    ..,
                ] => Some("it moves branches, or takes work away"),
                _ => None,
            };
            match why {
                Some(why) => self.left_out.push(left_out(name, tool, why)),
                None if commands.iter().any(|known| known == command) => {}
                None => commands.push(command.to_owned()),
            }
        }
        commands
    }

    fn leave_out(&mut self, name: &str, value: &str) {
        let why = match name {
            "PROJECT_NAME" | "PROJECT_TYPE" => "gulf looks at the project itself",
            "MAX_TOKENS_PER_HOUR" => {
                "gulf waits as long as the provider asks, and has budgets for a whole loop: --max-tokens, --max-cost"
            }
            "MAX_ITERATIONS" | "MAX_LOOPS" => {
                "how long a loop may be is said with --max-iterations; 50 unless you do"
            }
            "CLAUDE_OUTPUT_FORMAT" => "gulf reads the agent's own events",
            "CLAUDE_CODE_CMD" => "a repository does not say which program runs: see `agent.tool`",
            "SESSION_EXPIRY_HOURS" | "CLAUDE_SESSION_EXPIRY_HOURS" => {
                "how long a session goes on is measured by its context: `agent.context`"
            }
            "TASK_SOURCES" | "GITHUB_TASK_LABEL" | "BEADS_FILTER" => {
                "tasks are read from files: --tasks FILE"
            }
            "CB_OUTPUT_DECLINE_THRESHOLD" => "how much an agent writes says nothing about its work",
            "CB_COOLDOWN_MINUTES" | "CB_AUTO_RESET" | "CB_PERMISSION_DENIAL_THRESHOLD" => {
                "a loop that is stuck ends or asks, and is started again by a person"
            }
            _ if name.starts_with("SANDBOX_") => "there are no sandboxes of that kind",
            _ => "it has no counterpart",
        };
        self.left_out.push(left_out(name, value, why));
    }

    fn problem(&mut self, problem: Mistake, source: &Source, span: Span) {
        keep(&mut self.problems, problem, source, span);
    }
}

fn left_out(name: &str, value: &str, why: &'static str) -> LeftOutSetting {
    LeftOutSetting { name: name.to_owned(), value: value.to_owned(), why }
}

/// What only a shell could find out is wrong only where it would count.
fn unevaluated(name: &str, what: String, help: &str) -> Mistake {
    if COUNTERPARTS.contains(&name) { Mistake::error(what, help) } else { Mistake::warning(what, help) }
}

/// The parts between commas that stand in no brackets.
fn list(value: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, character) in value.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&value[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&value[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn count(value: &str) -> Result<u32, &'static str> {
    let count = value.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or("a whole number from 1 to 1000000")
}

fn yes_or_no(value: &str) -> Result<bool, &'static str> {
    value.parse().map_err(|_| "true or false")
}

#[cfg(test)]
mod tests;
