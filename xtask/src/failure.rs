//! Why a chore failed: one enum, so that every chore reports in the same three lines (error, cause, hint).

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("no such chore: `cargo xtask {given}`")]
    Usage { given: String, usage: &'static str },
    #[error("cannot start {program}")]
    Start { program: String, source: std::io::Error },
    #[error("{program} failed: {output}")]
    Program { program: String, output: String },
    #[error("cannot use {}", path.display())]
    File { path: PathBuf, source: std::io::Error },
    #[error("{tool} is missing, and CI must not skip what needs it")]
    ToolMissing { tool: &'static str, reason: String },
    #[error("{what}")]
    Found { what: String, hint: &'static str },
}

impl Failure {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }

    pub(crate) fn print(&self) {
        eprintln!("error: {self}");
        match self {
            Self::Usage { usage, .. } => eprintln!("{usage}"),
            Self::Start { source, .. } | Self::File { source, .. } => eprintln!("caused by: {source}"),
            Self::ToolMissing { reason, .. } => eprintln!("caused by: {reason}"),
            Self::Found { hint, .. } => eprintln!("hint: {hint}"),
            Self::Program { .. } => {}
        }
    }

    /// 2 for a command line nobody understands, as gulf itself answers; 1 for everything that went wrong.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage { .. } => 2,
            Self::Start { .. }
            | Self::Program { .. }
            | Self::File { .. }
            | Self::ToolMissing { .. }
            | Self::Found { .. } => 1,
        }
    }
}
