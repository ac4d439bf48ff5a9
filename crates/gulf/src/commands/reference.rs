//! Pages made of the program itself: shell completions, and the reference that `cargo xtask gen` writes.

mod events;
mod exit_codes;
mod pages;

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArguments, ReferenceArguments, ReferencePage};
use crate::failure::Failure;
use crate::screen::say;

pub fn completions(arguments: &CompletionsArguments) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "gulf", &mut script);
    say(&String::from_utf8_lossy(&script))?;
    Ok(0)
}

pub fn reference(arguments: &ReferenceArguments) -> Result<u8, Failure> {
    let page = match arguments.page {
        ReferencePage::Cli => pages::cli(),
        ReferencePage::Config => pages::config(),
        ReferencePage::Events => events::page(),
        ReferencePage::ExitCodes => exit_codes::page(),
    };
    say(&page)?;
    Ok(0)
}
