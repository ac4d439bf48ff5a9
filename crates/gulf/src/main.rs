//! gulf keeps a coding agent working in a loop until the work is verified.
//!
//! The binary only wires: arguments to commands, errors to exit codes, views to a terminal.
#![expect(
    unreachable_pub,
    reason = "a binary's modules speak to each other only; `pub(crate)` everywhere says no more"
)]

#[macro_use]
mod out;

mod again;
mod cli;
mod commands;
mod drive;
mod ending;
mod excerpts;
mod failure;
mod findings;
mod glossary;
mod help;
mod hints;
mod in_session;
mod input;
mod interruption;
mod iterations;
mod language;
mod paths;
mod place;
mod projections;
mod report;
mod requests;
mod reviewing;
mod screen;
mod settings;
mod starting;
mod trusting;
mod turn;
mod verdicts;
mod watched;
mod whereabouts;

use std::process::ExitCode;

use cli::Command;
use failure::Failure;

fn main() -> ExitCode {
    gulf_host::process::refuse_tracers();
    // The shim must not look at anything a person may have written on its command line.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "__shim") {
        gulf_host::process::shim_main();
    }
    if let Some(word) = glossary_word() {
        return glossary::explain(&word).map_or_else(|failure| failure.report(), ExitCode::from);
    }
    let parsed = help::parse();
    match parsed.and_then(|cli| cli.command.map_or_else(commands::glance::glance, dispatch)) {
        Ok(0) => out::lost().map_or(ExitCode::SUCCESS, |error| Failure::broken(error).report()),
        Ok(code) => ExitCode::from(code),
        Err(failure) => failure.report(),
    }
}

/// `gulf help verified`: commands that are no term have pages of their own.
fn glossary_word() -> Option<String> {
    // Hooks call gulf often: only who asks for help pays for the table of commands.
    let typed: Vec<_> = std::env::args_os().skip(1).collect();
    let [help, word] = typed.as_slice() else { return None };
    let word = word.to_str().filter(|word| help == "help" && !word.starts_with('-'))?;
    (glossary::has(word) || help::command().find_subcommand(word).is_none()).then(|| word.to_owned())
}

fn dispatch(command: Command) -> Result<u8, Failure> {
    match command {
        Command::Run(arguments) => commands::run::run(&arguments),
        Command::Start(arguments) => commands::run::start(&arguments),
        Command::Hook { event } => commands::hook::hook(event.as_deref()),
        Command::Resume(arguments) => commands::act::resume(&arguments),
        Command::Land(arguments) => commands::land::land(&arguments),
        Command::Discard(arguments) => commands::discard::discard(&arguments),
        Command::Status(arguments) => commands::status::status(&arguments),
        Command::Ui(arguments) => commands::ui::ui(&arguments),
        Command::Web(arguments) => commands::web::web(&arguments),
        Command::List(arguments) => commands::status::list(&arguments),
        Command::Log(arguments) => commands::log::log(&arguments),
        Command::Show(arguments) => commands::travel::show(&arguments),
        Command::Diff(arguments) => commands::travel::diff(&arguments),
        Command::Restore(arguments) => commands::travel::restore(&arguments),
        Command::Fork(arguments) => commands::travel::fork(&arguments),
        Command::Replay(arguments) => commands::travel::replay(&arguments),
        Command::Pause(arguments) => commands::act::pause(&arguments),
        Command::Cancel(arguments) => commands::act::cancel(&arguments),
        Command::Steer(arguments) => commands::act::steer(&arguments),
        Command::Skip(arguments) => commands::act::skip(&arguments),
        Command::Report(arguments) => commands::report::report(&arguments),
        Command::Stats(arguments) => commands::report::stats(&arguments),
        Command::Verify(arguments) => commands::verify::verify(&arguments),
        Command::Feedback(command) => commands::feedback::feedback(&command),
        Command::Claim(claim) => commands::claim::claim(&claim),
        Command::Ask(arguments) => commands::claim::ask(&arguments),
        Command::Mcp => commands::mcp::mcp(),
        Command::Inbox(arguments) => commands::act::inbox(&arguments),
        Command::Answer(arguments) => commands::act::answer(&arguments),
        Command::Approve(arguments) => commands::act::approve(&arguments),
        Command::Reject(arguments) => commands::act::reject(&arguments),
        Command::Demo(arguments) => commands::demo::demo(&arguments),
        Command::Init(arguments) => commands::init::init(&arguments),
        Command::Import(arguments) => commands::import::import(&arguments),
        Command::Align(arguments) => commands::align::align(&arguments),
        Command::Lint(arguments) => commands::lint::lint(&arguments),
        Command::Trust(arguments) => commands::trust::trust(&arguments),
        Command::Doctor(arguments) => commands::doctor::doctor(&arguments),
        Command::Install(arguments) => commands::install::install(&arguments),
        Command::Clean(arguments) => commands::clean::clean(&arguments),
        Command::Config { command } => commands::config::config(command.as_ref()),
        Command::Completions { shell } => commands::reference::completions(shell),
        Command::Loops => commands::reference::loops(),
        Command::Man { folder } => commands::reference::man(&folder),
        Command::Reference { page } => commands::reference::reference(page),
    }
}
