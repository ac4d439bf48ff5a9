//! Runs one program so that nothing it starts outlives it, and says exactly how it ended.
//!
//! Agents, checks and set-up commands all need the same promise (DESIGN invariant 6), and the promise takes a second
//! process to keep: a shim, this same binary, which sits between gulf and the program. gulf may be killed at any
//! moment; the shim notices and clears away the tree.
//!
//! ```text
//! gulf ──request, then one byte per stop──▶ shim (own session, subreaper) ──▶ program ──▶ whatever it starts
//!      ◀──── reports, one JSON line each ──      │ stdout, stderr
//!      ◀──────────── log files ◀─────────────────┘
//! ```
//!
//! The shim writes the logs, so they are complete up to the last byte even when gulf dies; gulf reads them back from
//! there, so a slow or stopped gulf never blocks the program, and nothing but the log grows with the output.

mod driver;
mod frame;
mod shim;
mod sweep;

use std::time::Duration;

use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

pub use driver::{Canceller, Output, Running, ShimProgram, SpawnError, Stream, spawn};
pub use frame::{STDIN_BYTES_MAX, StopMode};
pub use shim::shim_main;
pub use sweep::{SweepReport, SweptProcess, find, sweep};

/// Every process below a shim carries this variable, by which a later gulf finds it.
pub const MARK_VARIABLE: &str = "GULF_MARK";

/// No other program of the same user can trace this process from here on, or read and write its memory: whoever could, would
/// decide what gulf says and exits with. Where the system knows no such thing, nothing changes.
pub fn refuse_tracers() {
    // Refused by no kernel that knows the call; without it, all else holds as before.
    let _ = crate::platform::refuse_tracers();
}

/// What to run, where, with what, and how long.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProcessRequest {
    pub program: Program,
    pub directory: Utf8PathBuf,
    /// The complete environment: nothing of gulf's own is inherited. [`MARK_VARIABLE`] is added, and the variables of
    /// [`crate::crash`] never pass.
    pub environment: Vec<(String, String)>,
    #[serde(skip)]
    pub stdin: Stdin,
    /// From the program's start; its time while the machine sleeps does not count.
    pub wall_max: Duration,
    /// Since the last byte of output.
    pub idle_max: Option<Duration>,
    /// Created anew; its folder exists.
    pub stdout_log: Utf8PathBuf,
    /// `None`: both streams go to `stdout_log` in the order in which they were written.
    pub stderr_log: Option<Utf8PathBuf>,
    /// Both streams together; more ends the program, since a log must not fill the disk.
    pub output_bytes_max: u64,
    /// How much of the end of each stream the outcome carries.
    pub tail_bytes_max: usize,
    /// Unique to this run of the program; a prefix of it names the loop for [`sweep`].
    pub mark: String,
}

/// What to execute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Program {
    /// Runs under `bash -c`, under `sh -c` where there is no bash.
    Shell(String),
    Exec {
        /// A path, or a name that is looked up in the PATH of the request's environment.
        program: String,
        arguments: Vec<String>,
    },
}

/// What the program reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Stdin {
    /// End of file at the first read.
    #[default]
    Closed,
    /// At most [`STDIN_BYTES_MAX`]; a program may ignore them.
    Bytes(Vec<u8>),
}

/// What became of the program; by default of what took no time and wrote nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProcessOutcome {
    pub ending: Ending,
    /// From the program's start to its end.
    pub duration: Duration,
    /// The shim leaves the tails to whoever reads its logs.
    #[serde(skip)]
    pub stdout_tail: Vec<u8>,
    pub stdout_bytes: u64,
    /// Of them, what had come when it was first asked to stop; nothing where it ended by itself.
    pub stdout_bytes_at_stop: Option<u64>,
    /// Empty when both streams share one log.
    #[serde(skip)]
    pub stderr_tail: Vec<u8>,
    pub stderr_bytes: u64,
    /// Processes other than the program itself that were still there and had to be stopped.
    pub leftovers_killed: u32,
    /// Processes that even SIGKILL did not end in time: another user's, or stuck in the kernel.
    pub survivors: u32,
    /// Why the log is shorter than the output, if it is: a full disk, usually.
    pub log_failure: Option<String>,
}

/// How the program ended; the first cause counts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    Exited(i32),
    Signalled(i32),
    TimedOut(TimeOut),
    /// It wrote more than `output_bytes_max`.
    TooMuchOutput,
    Cancelled,
    /// Nothing ran; the text says why, for a person.
    NotStarted(String),
    /// The shim died: how the program ended is unknown. What it left behind was swept.
    #[default]
    Lost,
}

/// Which limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeOut {
    Wall,
    Idle,
}
