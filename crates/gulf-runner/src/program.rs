//! A program below the shim, run or followed to its end, unless a stop reaches it.
//!
//! Agents, checks and set-ups are stopped alike, and what they came to is asked only of what ended.

use std::ops::ControlFlow;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::process::{
    self, Ending, ProcessOutcome, ProcessRequest, Program, Running, ShimProgram, Stdin, Stream,
};

use crate::environment::Variables;
use crate::error::{Failure, Result, in_full};
use crate::stop::Stop;

/// More output than this ends a program.
pub(crate) const OUTPUT_BYTES_MAX: u64 = 4 << 30;

/// A program with nothing to read and all of its output in one log, of which nobody asks for the end.
pub(crate) fn request(
    program: Program,
    directory: &Utf8Path,
    environment: Variables,
    (stdout_log, mark): (Utf8PathBuf, String),
    wall_max: Duration,
) -> ProcessRequest {
    ProcessRequest {
        program,
        directory: directory.to_owned(),
        environment: environment.into_iter().collect(),
        stdin: Stdin::Closed,
        wall_max,
        idle_max: None,
        stdout_log,
        stderr_log: None,
        output_bytes_max: OUTPUT_BYTES_MAX,
        tail_bytes_max: 0,
        mark,
    }
}

/// Runs it, and waits until it is gone.
pub(crate) fn run(shim: &ShimProgram, request: ProcessRequest, stop: &Stop) -> Result<ProcessOutcome> {
    ended(begin(shim, request, stop)?.wait())
}

/// The same, and hands on what it prints; whoever listens may end it.
pub(crate) fn follow(
    shim: &ShimProgram,
    request: ProcessRequest,
    stop: &Stop,
    listener: &mut dyn FnMut(Stream, &[u8]) -> ControlFlow<()>,
) -> Result<ProcessOutcome> {
    let running = begin(shim, request, stop)?;
    let canceller = running.canceller();
    let mut flow = ControlFlow::Continue(());
    let outcome = running.watch(&mut |output| {
        if flow.is_continue() {
            flow = listener(output.stream, output.bytes);
            if flow.is_break() {
                canceller.cancel(process::StopMode::Gracefully);
            }
        }
    });
    if flow.is_break() && !stop.is_asked() && outcome.ending == Ending::Cancelled {
        return Ok(outcome);
    }
    ended(outcome)
}

fn begin(shim: &ShimProgram, request: ProcessRequest, stop: &Stop) -> Result<Running> {
    if stop.is_asked() {
        return Err(Failure::Stopped);
    }
    let running = process::spawn(shim, request).map_err(|error| Failure::Refused(in_full(&error)))?;
    stop.covers(running.canceller());
    Ok(running)
}

fn ended(outcome: ProcessOutcome) -> Result<ProcessOutcome> {
    match outcome.ending {
        Ending::Cancelled => Err(Failure::Stopped),
        Ending::Lost => Err(Failure::Refused(
            "gulf's own process that watches over the program was killed: somebody ended it, or the system ran out of \
             memory (`dmesg` says so)"
                .to_owned(),
        )),
        Ending::Exited(_) | Ending::Signalled(_) | Ending::TimedOut(_) => Ok(outcome),
        Ending::TooMuchOutput | Ending::NotStarted(_) => Ok(outcome),
    }
}
