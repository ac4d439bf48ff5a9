//! gulf's end of a running program: starts the shim, follows its reports, can stop it.
//!
//! It lives in another process, and holds no thread of its own: whoever waits does the work.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::frame::{self, ShimReport, StopMode};
use super::{MARK_VARIABLE, ProcessOutcome, ProcessRequest, STDIN_BYTES_MAX, Stdin, sweep};
use crate::{crash, platform};

/// Past the wall limit the shim needs some ten seconds at most to end everything; one that is silent for longer was
/// stopped (SIGSTOP) or hangs, and no loop may wait for it.
const SHIM_DELAY_MAX: Duration = Duration::from_secs(30);

/// What is executed to become the shim.
#[derive(Debug, Clone)]
pub struct ShimProgram {
    program: PathBuf,
    arguments: Vec<String>,
}

/// A program under way. Dropping it stops the program and waits until its tree is gone.
#[derive(Debug)]
pub struct Running {
    shim: ShimProcess,
    reports: BufReader<ChildStdout>,
    stdout: Log,
    stderr: Option<Log>,
    /// Without its input, which the shim has.
    request: ProcessRequest,
    started: Instant,
}

/// Stops a program from another thread; outliving it does no harm.
#[derive(Debug, Clone)]
pub struct Canceller(Arc<Mutex<Option<ChildStdin>>>);

/// A piece of what the program wrote, as it comes; pieces end anywhere, also within a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output<'bytes> {
    pub stream: Stream,
    pub bytes: &'bytes [u8],
}

/// Where a piece of output went; always stdout when both share one log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// Why no shim is running. What keeps the program itself from starting is [`super::Ending::NotStarted`].
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    #[error("cannot create the log {path}")]
    Log { path: Utf8PathBuf, source: io::Error },
    #[error("the program's input has {bytes} bytes, more than {STDIN_BYTES_MAX}")]
    StdinTooLong { bytes: usize },
    #[error("cannot start the process shim {program}")]
    Shim { program: String, source: io::Error },
    #[error("the process shim {program} did not take its request")]
    Request { program: String, source: io::Error },
}

#[derive(Debug)]
struct ShimProcess {
    child: Child,
    control: Canceller,
}

/// A log as gulf sees it: its own handle, so a log that was moved or deleted meanwhile still tells its end.
#[derive(Debug)]
struct Log {
    file: File,
    listened_bytes: u64,
}

impl ShimProgram {
    /// This very binary as `gulf __shim`; also after its file was replaced by an upgrade, where the system allows it.
    pub fn this_program() -> io::Result<Self> {
        Ok(Self { program: platform::own_program()?, arguments: vec!["__shim".to_owned()] })
    }

    /// Another program that calls [`super::shim_main`].
    pub fn other(program: impl Into<PathBuf>, arguments: Vec<String>) -> Self {
        Self { program: program.into(), arguments }
    }

    fn name(&self) -> String {
        self.program.display().to_string()
    }
}

/// Starts the program under a shim of its own.
pub fn spawn(shim: &ShimProgram, mut request: ProcessRequest) -> Result<Running, SpawnError> {
    if let Stdin::Bytes(bytes) = &request.stdin
        && bytes.len() > STDIN_BYTES_MAX
    {
        return Err(SpawnError::StdinTooLong { bytes: bytes.len() });
    }
    let stdout = Log::create(&request.stdout_log)?;
    let stderr = request.stderr_log.as_deref().map(Log::create).transpose()?;

    crash::point("process.spawn");
    let started = Instant::now();
    let mut child = Command::new(&shim.program)
        .args(&shim.arguments)
        .env(MARK_VARIABLE, &request.mark)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|source| SpawnError::Shim { program: shim.name(), source })?;
    crash::point("process.spawned");
    let (mut control, reports) = (child.stdin.take(), child.stdout.take());
    let sent = control.as_mut().ok_or(io::ErrorKind::BrokenPipe.into());
    let sent = sent.and_then(|control| frame::write_request(control, &request));
    // From here on it is ended where anything fails.
    let shim_process = ShimProcess { child, control: Canceller(Arc::new(Mutex::new(control))) };
    let reports = sent.and_then(|()| reports.ok_or(io::ErrorKind::BrokenPipe.into()));
    let reports = reports.map_err(|source| SpawnError::Request { program: shim.name(), source })?;
    request.stdin = Stdin::Closed;
    Ok(Running { shim: shim_process, reports: BufReader::new(reports), stdout, stderr, request, started })
}

impl Running {
    pub fn canceller(&self) -> Canceller {
        self.shim.control.clone()
    }

    /// Waits until the program and everything it started is gone.
    pub fn wait(self) -> ProcessOutcome {
        self.follow(None)
    }

    /// Waits likewise, and hands every piece of output on as it comes. A slow listener delays nobody but itself.
    pub fn watch(self, listener: &mut dyn FnMut(Output<'_>)) -> ProcessOutcome {
        self.follow(Some(listener))
    }

    fn follow(mut self, mut listener: Option<&mut dyn FnMut(Output<'_>)>) -> ProcessOutcome {
        let mut outcome = loop {
            let (stdout_bytes, stderr_bytes, end) = match self.next_report() {
                Some(ShimReport::Output { stdout_bytes, stderr_bytes }) => (stdout_bytes, stderr_bytes, None),
                Some(ShimReport::Ended(end)) => (end.stdout_bytes, end.stderr_bytes, Some(end)),
                None => break self.lost(),
            };
            if let Some(listener) = &mut listener {
                self.stdout.hand_on(stdout_bytes, Stream::Stdout, *listener);
                if let Some(stderr) = &mut self.stderr {
                    stderr.hand_on(stderr_bytes, Stream::Stderr, *listener);
                }
            }
            if let Some(end) = end {
                break end;
            }
        };
        let tail_bytes_max = self.request.tail_bytes_max;
        outcome.stdout_tail = self.stdout.tail(tail_bytes_max);
        outcome.stderr_tail = self.stderr.as_mut().map(|log| log.tail(tail_bytes_max)).unwrap_or_default();
        outcome
    }

    /// `None` when the shim will not speak again; a line that is no report counts as silence.
    fn next_report(&mut self) -> Option<ShimReport> {
        let max = self.request.wall_max.checked_add(SHIM_DELAY_MAX);
        let until = max.and_then(|max| self.started.checked_add(max));
        let at_hand = !self.reports.buffer().is_empty();
        if !at_hand && !platform::wait_readable(&[self.reports.get_ref().as_fd()], until) {
            return None;
        }
        let mut line = Vec::new();
        (&mut self.reports).take(frame::REPORT_BYTES_MAX).read_until(b'\n', &mut line).ok()?;
        serde_json::from_slice(&line).ok()
    }

    /// The shim is dead, or not in its right mind: makes sure of the former, then clears away what it watched over.
    fn lost(&mut self) -> ProcessOutcome {
        let shim = self.shim.child.id();
        let _ = self.shim.child.kill();
        let _ = self.shim.child.wait();
        let swept = sweep::sweep_lost(&self.request.mark, shim);
        ProcessOutcome {
            duration: self.started.elapsed(),
            stdout_bytes: self.stdout.length(),
            stderr_bytes: self.stderr.as_ref().map_or(0, Log::length),
            leftovers_killed: count(swept.killed.len()),
            survivors: count(swept.survivors.len()),
            ..ProcessOutcome::default()
        }
    }
}

impl Canceller {
    /// Asks the shim to stop the program; without effect once it has ended. May be repeated with more haste.
    pub fn cancel(&self, stop: StopMode) {
        if let Some(control) = self.control().as_mut() {
            // A shim that is gone has nothing left to stop; whoever waits learns of it from the reports.
            let _ = control.write_all(&[stop.byte()]);
        }
    }

    fn control(&self) -> MutexGuard<'_, Option<ChildStdin>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ShimProcess {
    /// The end of the control pipe is the stop request that cannot be lost; waiting leaves no zombie.
    fn drop(&mut self) {
        drop(self.control.control().take());
        let _ = self.child.wait();
    }
}

impl Log {
    fn create(path: &Utf8Path) -> Result<Self, SpawnError> {
        crash::point("process.log");
        let mut options = OpenOptions::new();
        // What a program prints may be secret.
        options.read(true).write(true).create(true).truncate(true).mode(0o600);
        let file = options.open(path).map_err(|source| SpawnError::Log { path: path.to_owned(), source })?;
        Ok(Self { file, listened_bytes: 0 })
    }

    fn length(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| metadata.len())
    }

    /// Hands on what lies between the last call and `until`; less if the log is shorter, as on a full disk.
    fn hand_on(&mut self, until: u64, stream: Stream, listener: &mut dyn FnMut(Output<'_>)) {
        let mut buffer = vec![0; 64 * 1024];
        while self.listened_bytes < until {
            let wanted = usize::try_from(until - self.listened_bytes).unwrap_or(usize::MAX).min(buffer.len());
            let position = self.file.seek(SeekFrom::Start(self.listened_bytes));
            let Ok(read) = position.and_then(|_| self.file.read(&mut buffer[..wanted])) else { return };
            if read == 0 {
                return;
            }
            self.listened_bytes += u64::try_from(read).unwrap_or(0);
            listener(Output { stream, bytes: &buffer[..read] });
        }
    }

    fn tail(&mut self, bytes_max: usize) -> Vec<u8> {
        let bytes_max = u64::try_from(bytes_max).unwrap_or(u64::MAX);
        let start = self.length().saturating_sub(bytes_max);
        let mut tail = Vec::new();
        if self.file.seek(SeekFrom::Start(start)).is_ok() {
            // What cannot be read back is missing from the tail; how the program ended does not hang on it.
            let _ = (&mut self.file).take(bytes_max).read_to_end(&mut tail);
        }
        tail
    }
}

fn count(processes: usize) -> u32 {
    u32::try_from(processes).unwrap_or(u32::MAX)
}
