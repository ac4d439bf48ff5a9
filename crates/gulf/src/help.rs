//! The help pages in groups, and what is said of a command line that cannot be meant.
//!
//! What a beginner is shown is a choice, and not a property of a flag.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use gulf_spec::problem::nearest;

use crate::cli::{self, Cli};
use crate::failure::{Failure, Result};
use crate::paths::word;

/// The commands in the order in which a loop needs them. Hooks and servers are for programs: their own `--help` has them.
const COMMANDS: [(&str, &[&str]); 5] = [
    ("Start", &["demo", "run", "start", "resume", "fork"]),
    (
        "Watch",
        &[
            "status", "ui", "web", "list", "log", "show", "diff", "report", "stats", "inbox", "feedback",
            "replay",
        ],
    ),
    ("Steer", &["pause", "cancel", "steer", "answer", "approve", "reject", "skip"]),
    ("After", &["land", "discard", "restore", "verify", "clean"]),
    ("Set up", &["init", "doctor", "trust", "config", "lint", "align", "import", "install", "completions"]),
];

/// What `gulf run -h` shows; `--help` shows all.
const FLAGS_THAT_MATTER: [&str; 12] = [
    "prompt", "file", "agent", "model", "check", "judge", "preset", "max-iterations", "max-duration",
    "max-cost", "allow", "dry-run",
];

/// The other flags by what they are about; what is named nowhere stands under clap's own heading.
const FLAGS: [(&str, &[&str]); 6] = [
    ("What is to be done", &["file", "spec", "prd", "tasks", "task", "on-task-limit", "ignore-questions"]),
    (
        "Who does it",
        &[
            "agent", "model", "allow", "sandbox", "context", "structured-memory", "workers", "select",
            "strategy",
        ],
    ),
    (
        "When it is done",
        &[
            "check", "new-check", "acceptance", "judge", "with-judge", "reviewers", "level", "rubric",
            "baseline", "detected", "expect", "tests-may-change", "count-as-tests", "on-test-change",
            "isolation", "verify-from-clean", "unverified", "completion-promise", "coverage-min",
            "auto-converge",
        ],
    ),
    (
        "How far it goes",
        &[
            "max-iterations", "max-duration", "max-cost", "max-tokens", "turns-per-hour", "milestone-every",
            "hitl-threshold", "human-review", "force-max", "wait",
        ],
    ),
    ("How it works", &["preset", "research", "no-research", "replace", "yes", "json", "ui", "dry-run"]),
    ("Where it works and lands", &["base-branch", "in-place", "push"]),
];

const RUN_EXAMPLES: &str = "Examples:\n  gulf run \"add a --json flag\" --check 'cargo test'\n  gulf run -f PROMPT.md --agent claude --max-cost 5\n  gulf run \"add a --json flag\" --dry-run        show what would be sealed; run nothing\n\n`gulf run --help` shows all flags, in groups.";

/// Commands of one text: more words than one are a forgotten pair of quotes.
const OF_ONE_TEXT: [&str; 3] = ["run", "start", "steer"];

/// The command line as it is shown: the same as [`Cli`] reads, in groups.
pub fn command() -> Command {
    let command = Cli::command();
    let groups = in_groups(&command);
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n\nOptions:\n{{options}}{{after-help}}"
    );
    command.help_template(template).mut_subcommand("run", run).mut_subcommand("start", grouped)
}

fn run(command: Command) -> Command {
    let all = command.get_after_help().cloned().unwrap_or_default();
    let command = grouped(command).after_help(RUN_EXAMPLES).after_long_help(all);
    command.mut_args(|arg| {
        let is_shown = FLAGS_THAT_MATTER.contains(&name(&arg));
        arg.hide_short_help(!is_shown)
    })
}

fn grouped(command: Command) -> Command {
    command.mut_args(|arg: Arg| {
        let group = FLAGS.iter().find(|(_, flags)| flags.contains(&name(&arg)));
        arg.help_heading(group.map(|(heading, _)| *heading))
    })
}

/// As it is typed, without dashes.
fn name(arg: &Arg) -> &str {
    arg.get_long().unwrap_or(arg.get_id().as_str())
}

/// Each group with its commands, a line each.
fn in_groups(command: &Command) -> StyledStr {
    let width = command.get_subcommands().map(|one| one.get_name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for (group, names) in COMMANDS {
        text.push_str(&format!("{group}:\n"));
        for one in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {:width$}  {about}\n", one.get_name()));
        }
        text.push('\n');
    }
    text.trim_end().to_owned().into()
}

/// Reads the command line. A mistake is told as every other one, where there is more to say than which word is wrong.
pub fn parse() -> Result<Cli> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    // As sessions call it, at every stop and before every tool: who waits there does not pay for the table of commands.
    if matches!(typed.as_slice(), [_, word] if word == "hook") {
        return Ok(Cli { command: Some(cli::Command::Hook { event: None }) });
    }
    let parsed = command().try_get_matches_from(&typed).and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let words: Vec<String> =
            typed.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
        unquoted(&error, &words).or_else(|| misspelt(&error)).unwrap_or_else(|| error.exit())
    })
}

/// `gulf run add a flag`: the text that was meant, in quotes.
fn unquoted(error: &clap::Error, typed: &[String]) -> Option<Failure> {
    let (verb, words) = typed.split_first()?;
    let Some(ContextValue::String(surplus)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_word = error.kind() == ErrorKind::UnknownArgument && !surplus.starts_with('-');
    if !is_word || !OF_ONE_TEXT.contains(&verb.as_str()) {
        return None;
    }
    let before = words.iter().position(|word| word == surplus).and_then(|at| words.get(at.checked_sub(1)?));
    if before.is_some_and(|flag| flag == "--baseline") {
        return Some(Failure::usage(
            format!("`--baseline` takes no value, and `{surplus}` stands behind it"),
            "`--baseline` alone tolerates the tests that fail before the work begins",
        ));
    }
    let first = words.iter().position(|word| !word.starts_with('-'))?;
    let text: Vec<&str> =
        words[first..].iter().map(String::as_str).take_while(|word| !word.starts_with('-')).collect();
    let flags: String = words[first + text.len()..].iter().map(|flag| format!(" {}", word(flag))).collect();
    let text = text.join(" ").replace('"', "\\\"");
    Some(Failure::usage(
        format!("`gulf {verb}` takes one text, and `{surplus}` stands outside of it"),
        format!("put it in quotes: `gulf {verb} \"{text}\"{flags}`"),
    ))
}

/// What other tools call it.
const MEANT: [(&[&str], &str); 7] = [
    (&["explain"], "help TERM"),
    (&["watch", "tail", "top"], "ui"),
    (&["continue", "retry"], "resume"),
    (&["version"], "--version"),
    (&["revert", "reset", "undo", "rollback"], "discard"),
    (&["stop", "abort", "kill", "end"], "cancel"),
    (&["merge", "apply", "commit"], "land"),
];

/// `gulf rnu`: two letters that changed places are the likeliest slip, and clap's measure does not know them.
fn misspelt(error: &clap::Error) -> Option<Failure> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let all = command();
    let names = all.get_subcommands().filter(|one| !one.is_hide_set()).map(Command::get_name);
    let meant = MEANT.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, meant)| *meant);
    let near = meant.or_else(|| nearest(word, names))?;
    Some(Failure::usage(
        format!("gulf has no command `{word}`"),
        format!("did you mean `gulf {near}`? `gulf --help` shows all"),
    ))
}

#[cfg(test)]
mod tests {
    //! That no command and no flag is forgotten, and what is said of words without quotes.

    use super::{COMMANDS, FLAGS, FLAGS_THAT_MATTER, command, misspelt, name, unquoted};

    /// What programs call, within a turn or a session.
    const FOR_PROGRAMS: [&str; 4] = ["hook", "mcp", "claim", "ask"];

    #[test]
    fn every_command_stands_in_one_group_or_is_for_programs() {
        let groups: Vec<&str> = COMMANDS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let help = command().render_help().to_string();
        for one in command().get_subcommands().filter(|one| !one.is_hide_set()) {
            let name = one.get_name();
            let places = groups.iter().chain(&FOR_PROGRAMS).filter(|listed| **listed == name).count();
            assert_eq!(places, 1, "{name} stands in {places} groups");
            let is_shown = help.contains(&format!("\n  {name} "));
            assert_eq!(is_shown, !FOR_PROGRAMS.contains(&name), "{name}:\n{help}");
        }
    }

    #[test]
    fn the_short_help_of_run_has_a_dozen_flags_and_the_long_one_all_in_groups() {
        let mut command = command();
        let run = command.find_subcommand_mut("run").unwrap();
        let flags: Vec<String> = run.get_arguments().map(|arg| name(arg).to_owned()).collect();
        for named in FLAGS.iter().flat_map(|(_, flags)| flags.iter()).chain(&FLAGS_THAT_MATTER) {
            assert!(flags.contains(&(*named).to_owned()), "there is no flag {named}");
        }
        let (short, long) = (run.render_help().to_string(), run.render_long_help().to_string());
        assert!(short.lines().count() < 45, "{short}");
        assert!(short.contains("--max-cost") && !short.contains("--coverage-min"), "{short}");
        for (heading, _) in FLAGS {
            assert!(long.contains(&format!("\n{heading}:\n")), "{long}");
        }
        let options = long.split_once("\nOptions:\n").map_or("", |(_, options)| options);
        let options = options.split_once(FLAGS[0].0).map_or("", |(options, _)| options);
        assert_eq!(options.matches("--").count(), 1, "only --help is in no group: {options}");
    }

    #[test]
    fn a_command_whose_letters_changed_places_is_known_again() {
        for (typed, meant) in [("rnu", "run"), ("stauts", "status"), ("satrt", "start")] {
            let error = command().try_get_matches_from(["gulf", typed]).unwrap_err();
            let hint = misspelt(&error).unwrap().hint().map(str::to_owned).unwrap();
            assert_eq!(hint, format!("did you mean `gulf {meant}`? `gulf --help` shows all"));
        }
        for (typed, meant) in [
            ("revert", "discard"),
            ("undo", "discard"),
            ("stop", "cancel"),
            ("watch", "ui"),
            ("explain", "help TERM"),
        ] {
            let error = command().try_get_matches_from(["gulf", typed]).unwrap_err();
            let hint = misspelt(&error).unwrap().hint().map(str::to_owned).unwrap();
            assert!(hint.starts_with(&format!("did you mean `gulf {meant}`?")), "{hint}");
        }
        let error = command().try_get_matches_from(["gulf", "nothing-like-it"]).unwrap_err();
        assert!(misspelt(&error).is_none());
    }

    #[test]
    fn words_without_quotes_are_given_back_in_quotes() {
        let told = |typed: &[&str]| {
            let all = ["gulf"].iter().chain(typed).copied();
            let error = command().try_get_matches_from(all).unwrap_err();
            let typed: Vec<String> = typed.iter().map(|word| (*word).to_owned()).collect();
            unquoted(&error, &typed).and_then(|failure| failure.hint().map(str::to_owned))
        };
        let hint = told(&["run", "add", "a", "flag"]).unwrap();
        assert_eq!(hint, "put it in quotes: `gulf run \"add a flag\"`");
        let hint = told(&["run", "add", "a", "flag", "--check", "cargo test"]).unwrap();
        assert_eq!(hint, "put it in quotes: `gulf run \"add a flag\" --check 'cargo test'`");
        assert_eq!(told(&["run", "add", "--no-such-flag"]), None);
        assert_eq!(told(&["log", "one", "two"]), None);
    }
}
