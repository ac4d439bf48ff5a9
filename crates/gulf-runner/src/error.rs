//! What keeps a loop from being started or driven: the world's failures, each with what to do about it.

use std::error::Error;
use std::fmt::Write as _;

use camino::Utf8PathBuf;
use gulf_host::files::{self, ReadError, WriteError};
use gulf_host::git::GitError;
use gulf_host::hint::Hint as _;
use gulf_host::home::HomeError;
use gulf_host::journal::JournalError;
use gulf_host::lock::LockError;
use gulf_host::ports::PortError;
use gulf_host::provision::private::PrivateError;
use gulf_spec::environment::{PatternError, WORKTREE_INCLUDE};
use gulf_spec::prompts::TemplateError;

/// Of a journal that no gulf can have written.
const REPORT: &str = "gulf cannot tell what this loop changed, `git status` shows what lies there; start a new one with \
                      `gulf run`, and please report how this came about";

/// The world did not let a loop be driven.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum RunError {
    #[error(transparent)]
    #[diagnostic(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Home(#[from] HomeError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Ready(#[from] ReadyError),
    #[error("cannot read event {sequence} of the journal")]
    #[diagnostic(help("{REPORT}"))]
    Event { sequence: u64, source: serde_json::Error },
    #[error("event {sequence} of the journal was written by a newer gulf (format {version})")]
    #[diagnostic(help("use the gulf that wrote it, or a newer one"))]
    NewerJournal { sequence: u64, version: u32 },
    #[error("the journal holds an event that no gulf writes there: event {sequence}, {what}")]
    #[diagnostic(help("{REPORT}"))]
    Anomaly { sequence: u64, what: &'static str },
    #[error("the journal holds no contract: the loop was never started")]
    #[diagnostic(help("{REPORT}"))]
    NoContract,
    #[error("{path} is not the contract that was sealed")]
    #[diagnostic(help("somebody wrote to gulf's own folder; start a new loop with `gulf run --replace`"))]
    ContractChanged { path: Utf8PathBuf },
    #[error("the contract was changed too often: there is no room for another one")]
    #[diagnostic(help("start a new loop with `gulf run --replace`"))]
    TooManyContracts,
    #[error("another version of gulf sealed this loop, in a form that this one does not read: {path}")]
    #[diagnostic(help(
        "the version of gulf that began it can continue it; or `gulf cancel`, start the goal again with `gulf run`, and \
         `gulf clean` takes it away"
    ))]
    ForeignContract { path: Utf8PathBuf, source: serde_json::Error },
    #[error("cannot read {path} as {what}")]
    #[diagnostic(help("nothing was changed; start a new loop with `gulf run --replace`"))]
    Decode { path: Utf8PathBuf, what: &'static str, source: Box<dyn Error + Send + Sync> },
    #[error("cannot write {what} as JSON")]
    #[diagnostic(help("this is a fault of gulf's: please report it; `gulf resume` tries again"))]
    Encode { what: &'static str, source: serde_json::Error },
    #[error("cannot open the directory {path}")]
    #[diagnostic(help("{}", files::system_hint(source).unwrap_or_default()))]
    Directory { path: Utf8PathBuf, source: std::io::Error },
    #[error("not a name")]
    Name { source: gulf_host::home::NameError },
    #[error("cannot find gulf's own program")]
    #[diagnostic(help("was gulf moved, or replaced, while it ran? Start it again"))]
    OwnProgram { source: std::io::Error },
    #[error("cannot hold {path} out from the worker")]
    #[diagnostic(help(
        "a folder of `--acceptance` holds plain files, at most 10000 and 256 MiB together; or name a command there"
    ))]
    HeldOut { path: Utf8PathBuf, source: std::io::Error },
    #[error("cannot watch {path}")]
    #[diagnostic(help("{}", files::system_hint(source).unwrap_or_default()))]
    Watch { path: Utf8PathBuf, source: std::io::Error },
    #[error("there are too many loops called {name}")]
    #[diagnostic(help("`gulf clean` takes away those that are finished"))]
    NoFreeName { name: String },
    #[error("an effect's thread died: {key}")]
    #[diagnostic(help("this is a fault of gulf's: please report it; `gulf resume` tries again"))]
    ThreadDied { key: String },
    #[error("the base branch {branch} does not exist")]
    #[diagnostic(help("make it again: `git branch {branch} COMMIT`, then `gulf resume`"))]
    BaseGone { branch: String },
    #[error("the repository of the loop {id} is gone: {git_dir} was removed since the loop began")]
    #[diagnostic(help(
        "the files of the checkout are as they were left; bring its .git back, then `gulf resume {id}`; or end the \
         loop: `gulf cancel {id}`"
    ))]
    RepositoryGone { git_dir: Utf8PathBuf, id: String },
    #[error("{why}")]
    RepositoryLost { why: String },
    #[error("the prompt cannot be written")]
    #[diagnostic(help("mend the template that gulf.toml names, or take it out"))]
    Prompt { source: Box<TemplateError> },
}

impl From<TemplateError> for RunError {
    fn from(source: TemplateError) -> Self {
        Self::Prompt { source: Box::new(source) }
    }
}

impl RunError {
    /// Is it so until a person puts something right, however often it is tried?
    pub(crate) fn needs_person(&self) -> bool {
        matches!(self, Self::Git(error) if error.needs_person())
            // In a room it was tried before.
            || matches!(self, Self::Ready(ReadyError::SetUp { .. }))
            || matches!(self, Self::BaseGone { .. } | Self::Decode { .. } | Self::ContractChanged { .. })
            || matches!(self, Self::RepositoryGone { .. } | Self::RepositoryLost { .. })
    }

    /// Is it something that the project or the machine lacks, so that a start is refused?
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Git(_) | Self::Home(_) | Self::Read(_) | Self::Lock(_) | Self::Directory { .. })
            || matches!(self, Self::HeldOut { .. } | Self::Name { .. } | Self::NoFreeName { .. })
            || matches!(self, Self::Prompt { .. } | Self::Ready(_) | Self::Journal(JournalError::Locked(_)))
            // It is what it was; only this gulf cannot go on with it.
            || matches!(self, Self::ForeignContract { .. })
    }
}

/// What needs the world and no effect.
pub type RunResult<T> = Result<T, RunError>;

/// What an effect gives: where no other error is named, it is a [`Failure`].
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why an effect came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    World(#[from] RunError),
    #[error("{0}")]
    Refused(String),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

/// Lets `?` take every error that is one of the world's.
macro_rules! of_the_world {
    ($own:ident::$variant:ident: $($source:ty),+) => {
        $(impl From<$source> for $own {
            fn from(error: $source) -> Self {
                Self::$variant(error.into())
            }
        })+
    };
}

pub(crate) use of_the_world;

of_the_world!(Failure::World: GitError, ReadError, WriteError, JournalError, ReadyError, LockError, TemplateError);

/// An error with everything behind it, in one line.
pub fn in_full(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

// Why a checkout cannot be made ready, and what to do about it.

/// So many private files are copied.
pub(crate) const FILES_MAX: usize = 10_000;

const TOO_MUCH: &str = "share large data with `environment.link`, or raise `environment.copy_limit`";

fn of_private(error: &PrivateError) -> String {
    if let PrivateError::LeadsOut { .. } = error {
        return "copy what it points at into the checkout, or share that with `environment.link`".to_owned();
    }
    error.hint().unwrap_or_default()
}

fn of_port(error: &PortError) -> String {
    if let PortError::Exhausted { .. } = error {
        return "stop what listens there, or widen `environment.port_range`".to_owned();
    }
    error.hint().unwrap_or_default()
}

/// Why a checkout cannot be made ready.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum ReadyError {
    #[error("{path} is to be copied into fresh checkouts, but git does not ignore it")]
    #[diagnostic(help(
        "it would become part of the work: name `/{path}` in .gitignore, or leave it out of `environment.copy`"
    ))]
    NotIgnored { path: String },
    #[error("{path} is to be linked into fresh checkouts, but git tracks it")]
    #[diagnostic(help("every checkout has it from its commit: leave it out of `environment.link`"))]
    LinkTracked { path: String },
    #[error("{path} is to be linked into fresh checkouts, but git does not ignore it")]
    #[diagnostic(help("name `/{path}` in .gitignore, or leave it out of `environment.link`"))]
    LinkNotIgnored { path: String },
    #[error("more than {FILES_MAX} files are to be copied into fresh checkouts")]
    #[diagnostic(help("{TOO_MUCH}"))]
    TooMany,
    #[error("the files to be copied into fresh checkouts are larger than {bytes_max} bytes together")]
    #[diagnostic(help("{TOO_MUCH}"))]
    TooLarge { bytes_max: u64 },
    #[error("{WORKTREE_INCLUDE} has a line that is not a pattern: `{}`", source.pattern)]
    #[diagnostic(help("write patterns as in .gitignore"))]
    Pattern { source: PatternError },
    #[error("{path} is no longer what it was at the start")]
    #[diagnostic(help("somebody wrote to gulf's own folder; start a new loop with `gulf run --replace`"))]
    Changed { path: Utf8PathBuf },
    #[error("the set-up command `{command}` failed: {why}")]
    #[diagnostic(help(
        "its whole output: {log}; where the command itself is wrong, a new loop takes another one from `environment.setup` in gulf.toml"
    ))]
    SetUp { command: String, why: String, log: Utf8PathBuf },
    #[error("stopped while the checkout was being made ready")]
    Stopped,
    #[error(transparent)]
    #[diagnostic(help("{}", of_private(.0)))]
    Private(#[from] PrivateError),
    #[error(transparent)]
    #[diagnostic(help("{}", of_port(.0)))]
    Port(#[from] PortError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Write(#[from] WriteError),
    #[error("cannot provide dependency folders")]
    Folders { source: std::io::Error },
    #[error("cannot run the set-up command: {why}")]
    NotRun { why: String },
}
