//! The words of what is made of the program itself: completion scripts and reference pages.
//!
//! They stand apart because no person types them twice.

use camino::Utf8PathBuf;
use clap::{Args, ValueEnum};

/// Flags of `gulf completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  gulf completions bash > ~/.local/share/bash-completion/completions/gulf")]
pub struct CompletionsArguments {
    /// The shell to complete for
    pub shell: clap_complete::Shell,
}

/// Flags of `gulf __man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// Where the pages are written
    pub folder: Utf8PathBuf,
}

/// Flags of `gulf __reference`.
#[derive(Debug, Args)]
pub struct ReferenceArguments {
    pub page: ReferencePage,
}

/// The pages that are made of the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReferencePage {
    Cli,
    Config,
    Glossary,
    Schema,
}
