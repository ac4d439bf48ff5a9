//! The flags that a person types into a session: those of the command line, and clap reads them there as here.
//!
//! A hook answers within milliseconds: only the flags of the command that was typed are built.

use clap::{ArgAction, Args, Command, error::ErrorKind};
use gulf_spec::slash_commands::{CommandWords, Flag, FlagTakes, Flagged};

use crate::cli::{CleanArguments, ResumeArguments, StartArguments};
use crate::failure::{Failure, Result};

/// They are about a worker that gulf starts itself; so is a list.
const OF_RUN: [&str; 8] =
    ["turns-per-hour", "agent", "model", "allow", "context", "tasks", "task", "on-task-limit"];

/// About processes of gulf's own, and what a resume of them is asked.
const NOT_OF_RESUME: [&str; 5] = ["here", "keep-contract", "iterations", "wait", "json"];

/// What was typed, as the command line reads it.
pub fn arguments<A: Args>(typed: &CommandWords) -> Result<A> {
    let command = A::augment_args(Command::new("gulf").no_binary_name(true));
    let matches = command.try_get_matches_from(typed.to_arguments());
    matches.and_then(|matches| A::from_arg_matches(&matches)).map_err(|error| {
        let told = error.to_string();
        let line = told.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let contradicts = error.kind() == ErrorKind::ArgumentConflict;
        let hint = if contradicts { "keep one of them" } else { "`/gulf-loop:help` shows what can be typed" };
        Failure::usage(line.to_owned(), hint)
    })
}

/// The flags of a command that mean something in a session, or are refused there with a reason.
pub fn flags(of: Flagged) -> Vec<Flag> {
    let command = Command::new("gulf");
    let (mut command, absent): (Command, &[&str]) = match of {
        // What a person types into a session needs no second yes.
        Flagged::Start => (StartArguments::augment_args(command), &["yes"]),
        Flagged::Resume => (ResumeArguments::augment_args(command), &NOT_OF_RESUME),
        Flagged::Clean => (CleanArguments::augment_args(command), &[]),
    };
    // It adds `--help`.
    command.build();
    let flags = command.get_arguments().filter_map(|flag| {
        let long = flag.get_long().filter(|long| !absent.contains(long))?;
        let names = std::iter::once(long).chain(flag.get_all_aliases().unwrap_or_default());
        let action = flag.get_action();
        let takes = match (OF_RUN.contains(&long), action.takes_values()) {
            (true, _) => FlagTakes::OnlyRun,
            (false, true) if matches!(action, ArgAction::Append) => FlagTakes::Values,
            (false, true) => FlagTakes::Value,
            (false, false) => FlagTakes::Nothing,
        };
        let short = flag.get_short().map(|short| format!("-{short}"));
        Some(Flag { names: names.map(|name| format!("--{name}")).collect(), short, takes })
    });
    flags.collect()
}

#[cfg(test)]
mod tests;
