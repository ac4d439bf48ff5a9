//! Real programs under the real shim: every promise of the `process` module, kept or broken.
//!
//! Each test needs processes that really die.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails; clippy only knows the test functions themselves"
)]

mod crashes;
mod endings;
mod neighbours;
mod streams;
mod trees;

use std::fs;
use std::io::Read;
use std::process::Command;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::process::{self, ProcessOutcome, ProcessRequest, Program, Running, ShimProgram, Stdin};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

const FIXTURE: &str = env!("CARGO_BIN_EXE_gulf-shim-fixture");

/// How long a test waits for what must happen; reached only by a failing test.
const PATIENCE_SECONDS: i64 = 30;

/// A folder of its own, with a name that breaks careless quoting.
struct Room {
    folder: tempfile::TempDir,
}

impl Room {
    fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("방 하나 ").tempdir().unwrap() }
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    fn file(&self, name: &str) -> Utf8PathBuf {
        self.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    fn mark(&self) -> String {
        format!("test:{}", self.path())
    }

    fn shell(&self, script: &str) -> ProcessRequest {
        self.request(Program::Shell(script.to_owned()))
    }

    fn request(&self, program: Program) -> ProcessRequest {
        ProcessRequest {
            program,
            directory: self.path().to_owned(),
            environment: vec![("PATH".to_owned(), std::env::var("PATH").unwrap())],
            stdin: Stdin::Closed,
            wall_max: Duration::from_secs(120),
            idle_max: None,
            stdout_log: self.file("stdout.log"),
            stderr_log: None,
            output_bytes_max: u64::MAX,
            tail_bytes_max: 1_000,
            mark: self.mark(),
        }
    }

    fn run(&self, script: &str) -> ProcessOutcome {
        spawn(self.shell(script)).wait()
    }

    /// A script writes into it, the test reads: the one who comes first waits for the other.
    fn meeting_point(&self, name: &str) -> MeetingPoint {
        let path = self.file(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        MeetingPoint { path }
    }
}

struct MeetingPoint {
    path: Utf8PathBuf,
}

impl MeetingPoint {
    /// All that is written until every writer has closed.
    fn read(&self) -> String {
        let mut text = String::new();
        fs::File::open(&self.path).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    fn read_process(&self) -> u32 {
        self.read().trim().parse().unwrap()
    }
}

fn spawn(request: ProcessRequest) -> Running {
    process::spawn(&ShimProgram::other(FIXTURE, vec!["__shim".to_owned()]), request).unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn last_number(outcome: &ProcessOutcome) -> u32 {
    text(&outcome.stdout_tail).split_whitespace().last().unwrap().parse().unwrap()
}

fn is_alive(process: u32) -> bool {
    let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return false };
    poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap() == 0
}

fn assert_dies(process: u32) {
    let pid = Pid::from_raw(process.try_into().unwrap()).unwrap();
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else { return };
    let patience = Timespec { tv_sec: PATIENCE_SECONDS, tv_nsec: 0 };
    let died = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&patience)).unwrap();
    assert_eq!(died, 1, "process {process} lives on");
}
