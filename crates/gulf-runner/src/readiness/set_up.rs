//! The set-up of a checkout: when it is due, how it is run, and what is said when it fails.
//!
//! It stands apart because a failure means something else in a worktree, where nothing starts, than in a room, where it
//! may be a word about the candidate.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::process::{Ending, ProcessOutcome, ProcessRequest, Program, ShimProgram, Stdin};
use gulf_host::provision::{How, Provided};

use crate::agreement::{EnvironmentTerms, engine_digest};
use crate::error::{Failure, ReadyError};
use crate::program::{self, OUTPUT_BYTES_MAX};
use crate::stop::Stop;

/// How much of a set-up's output's end is searched for the line that says why.
const SAID_BYTES_MAX: u64 = 4 << 10;
/// How much of a lockfile is read.
const LOCKFILE_BYTES_MAX: u64 = 64 << 20;

/// What the project's lockfiles say, in one digest.
pub(crate) fn lockfiles(terms: &EnvironmentTerms, directory: &Utf8Path) -> String {
    let mut locks = Vec::new();
    for name in &terms.lockfiles {
        locks.extend(files::read_bytes(&directory.join(name), LOCKFILE_BYTES_MAX).unwrap_or_default());
    }
    engine_digest(&locks).to_string()
}

pub(crate) fn has_dependencies(provided: &[Provided]) -> bool {
    provided.iter().any(Provided::is_dependencies)
}

/// Is a folder too large to be copied?
pub(crate) fn is_incomplete(provided: &[Provided]) -> bool {
    provided.iter().any(|folder| matches!(folder.how, How::NeedsSetUp { .. }))
}

/// A set-up command that is to run in a checkout.
pub(crate) struct SetUp<'request> {
    pub(crate) command: &'request str,
    pub(crate) checkout: &'request Utf8Path,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) timeout: Duration,
    pub(crate) log: &'request Utf8Path,
    pub(crate) mark: String,
}

/// A set-up command that failed.
#[derive(Clone, Debug)]
pub(crate) struct Unprepared {
    pub(crate) outcome: ProcessOutcome,
    pub(crate) log: Utf8PathBuf,
    command: String,
    timeout: Duration,
}

impl SetUp<'_> {
    /// Runs it below the shim, its output in the log; none where it succeeded.
    pub(crate) fn run(self, shim: &ShimProgram, stop: &Stop) -> Result<Option<Unprepared>, Failure> {
        if let Some(folder) = self.log.parent() {
            files::create_private_directories(folder, Durability::Buffered)?;
        }
        let outcome = program::run(
            shim,
            ProcessRequest {
                program: Program::Shell(self.command.to_owned()),
                directory: self.checkout.to_owned(),
                environment: self.environment,
                stdin: Stdin::Closed,
                wall_max: self.timeout,
                idle_max: None,
                stdout_log: self.log.to_owned(),
                stderr_log: None,
                output_bytes_max: OUTPUT_BYTES_MAX,
                tail_bytes_max: 4096,
                mark: self.mark,
            },
            stop,
        )?;
        match outcome.ending {
            Ending::Exited(0) => Ok(None),
            Ending::Cancelled | Ending::Lost => Err(Failure::Stopped),
            Ending::Exited(_)
            | Ending::Signalled(_)
            | Ending::TimedOut(_)
            | Ending::TooMuchOutput
            | Ending::NotStarted(_) => Ok(Some(Unprepared {
                outcome,
                log: self.log.to_owned(),
                command: self.command.to_owned(),
                timeout: self.timeout,
            })),
        }
    }
}

impl Unprepared {
    pub(crate) fn error(&self) -> ReadyError {
        ReadyError::SetUp { command: self.command.clone(), why: self.why(), log: self.log.clone() }
    }

    /// How it failed, with what it said last.
    fn why(&self) -> String {
        let how = match &self.outcome.ending {
            Ending::Exited(code) => format!("exit code {code}"),
            Ending::Signalled(signal) => format!("ended by signal {signal}"),
            Ending::TimedOut(_) => format!("not done within {} seconds", self.timeout.as_secs()),
            Ending::TooMuchOutput => "it printed too much".to_owned(),
            Ending::NotStarted(why) => format!("could not be started: {why}"),
            Ending::Cancelled | Ending::Lost => "it was stopped".to_owned(),
        };
        let output = files::read_end(&self.log, SAID_BYTES_MAX).map(|(bytes, _)| bytes).unwrap_or_default();
        let output = String::from_utf8_lossy(&output);
        // Node closes with its own version, whatever failed.
        let is_word = |line: &&str| !line.is_empty() && !line.starts_with("Node.js v");
        let is_named = |line: &&str| line.contains("rror: ") || line.starts_with("npm error ");
        let named = output.lines().map(str::trim).rfind(is_named);
        let last = named.or_else(|| output.lines().map(str::trim).rfind(is_word));
        let said = last.map(|line| format!(": {line}")).unwrap_or_default();
        format!("{how}{said}")
    }

    /// In one line.
    pub(crate) fn in_full(&self) -> String {
        self.error().to_string()
    }
}
