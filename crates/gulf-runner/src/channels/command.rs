//! A notice as the standard input of a program, and its output as an answer.
//!
//! It stands apart because a program may take its time to answer, and the other channels are asked meanwhile.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use camino::Utf8Path;
use gulf_agents::channels::Notice;
use gulf_host::files::{self, Durability};
use gulf_host::process::{
    self, Canceller, Ending, ProcessOutcome, ProcessRequest, Program, ShimProgram, Stdin, Stop,
};
use gulf_host::watch::Waker;

use crate::agreement::CommandTerms;
use crate::environment::Environment;
use crate::error::{RunError, in_full};
use crate::workshop::mark_prefix;

/// More than any answer.
const OUTPUT_BYTES_MAX: u64 = 1 << 20;
/// As much of it is an answer.
const ANSWER_BYTES_MAX: usize = 16 * 1024;

/// A program that was told something and has not ended.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) key: String,
    canceller: Canceller,
    ended: Receiver<ProcessOutcome>,
    thread: Option<JoinHandle<()>>,
}

/// What came of it.
pub(super) enum Came {
    NotYet,
    /// What it printed, without blanks around it.
    Said(String),
    /// Why it says nothing.
    Failed(String),
}

/// Starts the program. `waker` is woken when it has ended.
pub(super) fn ask(
    folder: &Utf8Path,
    terms: &CommandTerms,
    notice: &Notice,
    wall_max: Duration,
    (secrets, waker): (&[&str], Option<Waker>),
) -> Result<Asked, String> {
    let failed = |error: RunError| in_full(&error);
    let logs = folder.join("channels");
    files::create_private_directories(&logs, Durability::Buffered).map_err(|error| failed(error.into()))?;
    let shim = ShimProgram::this_program().map_err(|source| failed(RunError::OwnProgram { source }))?;
    let request = ProcessRequest {
        program: Program::Exec { program: terms.program.clone(), arguments: terms.arguments.clone() },
        directory: logs.clone(),
        environment: Environment::of_this_process().without(secrets).as_it_is(),
        stdin: Stdin::Bytes(notice.json()),
        wall_max,
        idle_max: None,
        stdout_log: logs.join(format!("command-{}.log", notice.key)),
        stderr_log: Some(logs.join(format!("command-{}-stderr.log", notice.key))),
        output_bytes_max: OUTPUT_BYTES_MAX,
        tail_bytes_max: ANSWER_BYTES_MAX + 1,
        mark: format!("{}channel/{}", mark_prefix(folder), notice.key),
    };
    let running = process::spawn(&shim, request).map_err(|error| in_full(&error))?;
    let canceller = running.canceller();
    let (sender, ended) = mpsc::channel();
    let thread = thread::spawn(move || {
        // Whoever asked may be gone.
        let _ = sender.send(running.wait());
        if let Some(waker) = waker {
            waker.wake();
        }
    });
    Ok(Asked { key: notice.key.clone(), canceller, ended, thread: Some(thread) })
}

impl Asked {
    /// Has it ended?
    pub(super) fn look(&self) -> Came {
        match self.ended.try_recv() {
            Ok(outcome) => came(&outcome),
            Err(TryRecvError::Empty) => Came::NotYet,
            Err(TryRecvError::Disconnected) => Came::Failed("it was lost".to_owned()),
        }
    }

    /// Waits for its end, which its time-out bounds.
    pub(super) fn wait(&self) -> Came {
        self.ended.recv().map_or_else(|_| Came::Failed("it was lost".to_owned()), |outcome| came(&outcome))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.canceller.cancel(Stop::Gracefully);
        if let Some(thread) = self.thread.take() {
            // A panic there was printed there.
            let _ = thread.join();
        }
    }
}

fn came(outcome: &ProcessOutcome) -> Came {
    match &outcome.ending {
        Ending::Exited(0) if outcome.stdout_tail.len() > ANSWER_BYTES_MAX => {
            Came::Failed("it printed more than an answer".to_owned())
        }
        Ending::Exited(0) => Came::Said(String::from_utf8_lossy(&outcome.stdout_tail).trim().to_owned()),
        Ending::Exited(code) => Came::Failed(format!("it exited with {code}")),
        Ending::Signalled(signal) => Came::Failed(format!("signal {signal} ended it")),
        Ending::TimedOut(_) => Came::Failed("it did not end in time".to_owned()),
        Ending::TooMuchOutput => Came::Failed("it printed too much".to_owned()),
        Ending::Cancelled => Came::Failed("it was stopped".to_owned()),
        Ending::NotStarted(why) => Came::Failed(why.clone()),
        Ending::Lost => Came::Failed("its shim was killed".to_owned()),
    }
}
