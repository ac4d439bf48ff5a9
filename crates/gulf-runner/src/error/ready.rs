//! Why a checkout cannot be made ready, and what to do about it.

use camino::Utf8PathBuf;
use gulf_host::files::{ReadError, WriteError};
use gulf_host::git::GitError;
use gulf_host::ports::PortError;
use gulf_host::provision::private::PrivateError;
use gulf_spec::environment::{PatternError, WORKTREE_INCLUDE};

/// So many private files are copied.
pub(crate) const FILES_MAX: usize = 10_000;

/// Why a checkout cannot be made ready.
#[derive(Debug, thiserror::Error)]
pub enum ReadyError {
    #[error("{path} is to be copied into fresh checkouts, but git does not ignore it")]
    NotIgnored { path: String },
    #[error("{path} is to be linked into fresh checkouts, but git tracks it")]
    LinkTracked { path: String },
    #[error("{path} is to be linked into fresh checkouts, but git does not ignore it")]
    LinkNotIgnored { path: String },
    #[error("more than {FILES_MAX} files are to be copied into fresh checkouts")]
    TooMany,
    #[error("the files to be copied into fresh checkouts are larger than {bytes_max} bytes together")]
    TooLarge { bytes_max: u64 },
    #[error("{WORKTREE_INCLUDE} has a line that is not a pattern: `{}`", source.pattern)]
    Pattern { source: PatternError },
    #[error("{path} is no longer what it was at the start")]
    Changed { path: Utf8PathBuf },
    #[error("the set-up command `{command}` failed: {why}")]
    SetUp { command: String, why: String, log: Utf8PathBuf },
    #[error("stopped while the checkout was being made ready")]
    Stopped,
    #[error(transparent)]
    Private(#[from] PrivateError),
    #[error(transparent)]
    Port(#[from] PortError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("cannot provide dependency folders")]
    Folders { source: std::io::Error },
    #[error("cannot run the set-up command: {why}")]
    NotRun { why: String },
}

impl ReadyError {
    /// What the person can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotIgnored { path } => {
                return Some(format!(
                    "it would become part of the work: name `/{path}` in .gitignore, or leave it out of \
                     `environment.copy`"
                ));
            }
            Self::LinkTracked { .. } => {
                "every checkout has it from its commit: leave it out of `environment.link`"
            }
            Self::LinkNotIgnored { path } => {
                return Some(format!("name `/{path}` in .gitignore, or leave it out of `environment.link`"));
            }
            Self::TooMany | Self::TooLarge { .. } => {
                "share large data with `environment.link`, or raise `environment.copy_limit`"
            }
            Self::Pattern { .. } => "write patterns as in .gitignore",
            Self::Changed { .. } => {
                "somebody wrote to gulf's own folder; start a new loop with `gulf run --replace`"
            }
            Self::SetUp { log, .. } => {
                return Some(format!(
                    "its whole output: {log}; `environment.setup` in gulf.toml names another command"
                ));
            }
            Self::Private(PrivateError::LeadsOut { .. }) => {
                "copy what it points at into the checkout, or share that with `environment.link`"
            }
            Self::Private(error) => return error.hint(),
            Self::Port(PortError::Exhausted { .. }) => {
                "stop what listens there, or widen `environment.port_range`"
            }
            Self::Port(error) => return error.hint(),
            Self::Git(error) => return error.hint(),
            Self::Read(error) => return error.hint(),
            Self::Write(error) => return error.hint(),
            Self::Stopped | Self::Folders { .. } | Self::NotRun { .. } => return None,
        };
        Some(hint.to_owned())
    }
}
