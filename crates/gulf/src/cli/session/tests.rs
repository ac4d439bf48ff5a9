//! Whether a flag that is typed into a session is one of the command line's, and the other way round.

use std::collections::BTreeSet;

use clap::CommandFactory;
use gulf_spec::spoken::{FlagForm, FlagTakes, resume_flags, start_flags};

use crate::cli::Cli;

/// Name, short name, and whether a value stands behind it.
type Form = (String, Option<String>, FlagTakes);

fn of_session(flags: impl Iterator<Item = FlagForm>) -> BTreeSet<Form> {
    flags.map(|flag| (flag.name.to_owned(), flag.short.map(str::to_owned), flag.takes)).collect()
}

/// The flags of a command in a terminal, other names of a flag among them.
fn of_terminal(name: &str) -> BTreeSet<Form> {
    let mut cli = Cli::command();
    cli.build();
    let command = cli.find_subcommand(name).unwrap();
    let forms = command.get_arguments().filter(|flag| !flag.is_positional()).flat_map(|flag| {
        let takes = if flag.get_action().takes_values() { FlagTakes::Value } else { FlagTakes::Nothing };
        let short = flag.get_short().map(|short| format!("-{short}"));
        let others = flag.get_all_aliases().unwrap_or_default();
        let others = others.into_iter().map(move |other| (format!("--{other}"), None, takes));
        flag.get_long().map(|long| (format!("--{long}"), short, takes)).into_iter().chain(others)
    });
    forms.collect()
}

#[test]
fn a_start_has_the_same_flags_in_a_session_and_in_a_terminal() {
    let (session, terminal) = (of_session(start_flags()), of_terminal("start"));
    let others: Vec<&str> = session.symmetric_difference(&terminal).map(|(name, ..)| name.as_str()).collect();
    assert_eq!(others, ["--yes"], "what a person types in a session needs no second yes");
}

#[test]
fn every_flag_of_a_resume_in_a_session_is_one_in_a_terminal() {
    let (session, terminal) = (of_session(resume_flags()), of_terminal("resume"));
    assert_eq!(session.difference(&terminal).collect::<Vec<_>>(), Vec::<&Form>::new());
    let others: Vec<&str> = terminal.difference(&session).map(|(name, ..)| name.as_str()).collect();
    assert_eq!(
        others,
        ["--allow", "--here", "--iterations", "--json", "--keep-contract", "--turns-per-hour", "--wait"],
        "these are about processes of gulf's own"
    );
}

#[test]
fn the_help_of_a_session_names_flags_that_there_are() {
    let help = include_str!("../../commands/hook/help.txt");
    let flags = of_session(start_flags());
    let is_there =
        |word: &str| flags.iter().any(|(name, short, _)| name == word || short.as_deref() == Some(word));
    let own = help.lines().filter(|line| !line.contains("gulf --help"));
    let words = own.flat_map(str::split_whitespace).filter(|word| word.starts_with('-'));
    let missing: Vec<&str> = words.filter(|word| !is_there(word)).collect();
    assert_eq!(missing, [""; 0]);
}
