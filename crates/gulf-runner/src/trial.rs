//! Runs a command once in the project itself, to see whether it could be a check.
//!
//! There is no loop yet: no candidate, no contract, and no folder for the log, which goes when the trial is over.

use std::io;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::reports;
use gulf_host::files;
use gulf_host::process::{self, Ending, ProcessRequest, Program, ShimProgram};

use crate::environment::{Environment, activate, python_environment, unattended};
use crate::error::in_full;
use crate::program;
use crate::stop::Stop;

/// A command that writes more than this while it is tried is no check.
const OUTPUT_BYTES_MAX: u64 = 256 << 20;
/// How much of the output is searched for what its runner counted.
const REPORT_BYTES_MAX: u64 = 16 << 20;
/// How much of an output is kept.
const TAIL_CHARS_MAX: usize = 2_000;
/// What a person gets to see of a command that is not green.
const TELLING_LINES_MAX: usize = 4;
const TELLING_CHARS_MAX: usize = 100;

/// How it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialResult {
    pub word: TrialWord,
    pub duration: Duration,
    /// The end of what it wrote.
    pub tail: String,
    /// Of what it wrote, the lines that tell why it is not green.
    pub telling: Vec<String>,
}

/// Does its report name the tests that fail? Only they can be accepted as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureNaming {
    Named,
    Unnamed,
}

/// What a trial says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialWord {
    /// Exit code 0.
    Green,
    /// Exit code 0, but its runner says that there was nothing to run: it could never be red.
    GreenWithoutTests,
    /// It ran, and said no; or it did not come to its end. In words.
    Red { why: String, failing: FailureNaming },
    /// There was nothing to run, in words.
    CannotRun { why: String },
    /// The person said stop.
    Stopped,
}

/// Runs a shell command to its end, with closed input and the person's own variables.
pub fn attempt(
    shim: &ShimProgram,
    command: &str,
    directory: &Utf8Path,
    wall_max: Duration,
    stop: &Stop,
) -> io::Result<TrialResult> {
    let folder = tempfile::Builder::new().prefix("gulf-").tempdir().map_err(|error| {
        io::Error::other(format!("cannot make a temporary folder for the output: {error}"))
    })?;
    let log = Utf8PathBuf::from_path_buf(folder.path().join("output.log"))
        .map_err(|_| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let mut environment = Environment::of_this_process().as_it_is();
    if let Some(root) = python_environment(command) {
        activate(&mut environment, &directory.join(root));
    }
    unattended(&mut environment);
    let (program, mark) = (Program::Shell(command.to_owned()), format!("trial/{}/", std::process::id()));
    let request = program::request(program, directory, environment, (log.clone(), mark), wall_max);
    let running = process::spawn(shim, ProcessRequest { output_bytes_max: OUTPUT_BYTES_MAX, ..request })
        .map_err(|error| io::Error::other(format!("cannot start `{command}`: {}", in_full(&error))))?;
    stop.covers(running.canceller());
    let outcome = running.wait();
    let output = files::read_end(&log, REPORT_BYTES_MAX).map(|(bytes, _)| bytes).unwrap_or_default();
    Ok(TrialResult {
        word: word(&outcome.ending, &output, command, wall_max),
        duration: outcome.duration,
        tail: reports::tail_for_worker(&output, TAIL_CHARS_MAX),
        telling: reports::telling_lines(&output, TELLING_LINES_MAX, TELLING_CHARS_MAX),
    })
}

fn word(ending: &Ending, output: &[u8], command: &str, wall_max: Duration) -> TrialWord {
    if let Ending::Exited(1..) = ending
        && let Some(why) = reports::unbegun(command, output, &reports::read(output))
    {
        return TrialWord::CannotRun { why };
    }
    let cannot_run = |why: &str| TrialWord::CannotRun { why: why.to_owned() };
    let mut failing = FailureNaming::Unnamed;
    let why = match ending {
        Ending::Exited(0) if reports::read(output).ran_no_tests() => return TrialWord::GreenWithoutTests,
        Ending::Exited(0) => return TrialWord::Green,
        Ending::Cancelled => return TrialWord::Stopped,
        Ending::Exited(126) => return cannot_run("exit code 126: its program cannot be executed"),
        Ending::Exited(127) => return cannot_run("exit code 127: its program was not found"),
        Ending::Exited(code) => {
            let report = reports::read(output);
            if report.counts.total() == 0
                && let Some(line) = reports::breakdown(output)
            {
                return cannot_run(&format!("exit code {code}: it broke down itself: {line}"));
            }
            if report.failed().next().is_some() {
                failing = FailureNaming::Named;
            }
            match report.counts.failed {
                0 => format!("exit code {code}"),
                failed => format!("exit code {code}, {failed} failed"),
            }
        }
        Ending::Signalled(signal) => format!("ended by signal {signal}"),
        Ending::TimedOut(_) => format!("not done within {} s", wall_max.as_secs()),
        Ending::TooMuchOutput => format!("it wrote more than {} MiB", OUTPUT_BYTES_MAX >> 20),
        Ending::NotStarted(why) => return cannot_run(&format!("could not be started: {why}")),
        Ending::Lost => "its end is not known: the process shim was killed".to_owned(),
    };
    TrialWord::Red { why, failing }
}

#[cfg(test)]
mod tests;
