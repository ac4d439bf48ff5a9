//! Listens to a child on both its outputs while it is given its input, all from one thread.
//!
//! Git is called often, and a thread for each pipe costs about as much as a small git call's own work: each has to be
//! made, woken and waited for.

use std::io::{self, Read, Write};
use std::mem::take;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::{ASKED_TO_END, Heard, HearingLimits, work_of};

#[cfg(test)]
mod tests;

const CHUNK_BYTES: usize = 64 << 10;
/// How long a child may neither say nor do anything once this process was asked to end: whoever presses Ctrl-C waits so
/// long.
const SILENCE_MAX: Duration = Duration::from_secs(5);
/// How often it is looked whether it was.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A pipe from the child until its end, and what came of it.
#[derive(Debug)]
struct PipeOutput<Pipe> {
    pipe: Option<Pipe>,
    bytes: Vec<u8>,
}

/// The pipe to the child until its end is wanted, or nobody reads.
#[derive(Debug)]
struct Input {
    pipe: Option<ChildStdin>,
    bytes: Vec<u8>,
    written: usize,
}

/// What leads to and from a child, whole conversations long.
#[derive(Debug)]
pub(crate) struct Pipes {
    stdin: Input,
    stdout: PipeOutput<ChildStdout>,
    stderr: PipeOutput<ChildStderr>,
    child: u32,
}

impl Pipes {
    pub(crate) fn from_child(child: &mut Child) -> io::Result<Self> {
        let stdin = Input { pipe: child.stdin.take(), bytes: Vec::new(), written: 0 };
        if let Some(pipe) = &stdin.pipe {
            // A child may write before it reads: neither may wait for the other.
            ioctl_fionbio(pipe, true)?;
        }
        let stdout = PipeOutput { pipe: child.stdout.take(), bytes: Vec::new() };
        let stderr = PipeOutput { pipe: child.stderr.take(), bytes: Vec::new() };
        Ok(Self { stdin, stdout, stderr, child: child.id() })
    }

    /// Gives the child its last input and returns what it wrote, once both of its outputs are at their end.
    pub(crate) fn end(&mut self, input: Vec<u8>, limits: HearingLimits) -> io::Result<Heard> {
        self.stdin.give(input);
        self.stdin.close_if_written();
        while self.stdout.pipe.is_some() || self.stderr.pipe.is_some() {
            if let Some(broken_off) = self.go_on(limits)? {
                return Ok(broken_off);
            }
            self.stdin.close_if_written();
        }
        Ok(Heard::Everything { stdout: take(&mut self.stdout.bytes), stderr: take(&mut self.stderr.bytes) })
    }

    /// Gives the child some input and returns what it wrote as soon as that is whole; if it ends before, everything.
    pub(crate) fn ask(
        &mut self,
        input: Vec<u8>,
        mut is_whole: impl FnMut(&[u8]) -> bool,
        limits: HearingLimits,
    ) -> io::Result<Heard> {
        self.stdin.give(input);
        while self.stdout.pipe.is_some() {
            if let Some(broken_off) = self.go_on(limits)? {
                return Ok(broken_off);
            }
            if is_whole(&self.stdout.bytes) {
                return Ok(Heard::Answer(take(&mut self.stdout.bytes)));
            }
        }
        self.end(Vec::new(), limits)
    }

    /// Waits until there is something to read or room to write; tells why nothing more is waited for.
    fn go_on(&mut self, limits: HearingLimits) -> io::Result<Option<Heard>> {
        let pipes = [self.stdin.descriptor(), self.stdout.descriptor(), self.stderr.descriptor()];
        let Some([writable, out, complaints]) = wait(pipes, limits.until, self.child)? else {
            return Ok(Some(Heard::TimedOut));
        };
        if writable {
            self.stdin.write()?;
        }
        if out {
            self.stdout.read(usize::MAX)?;
            if self.stdout.bytes.len() > limits.stdout_bytes_max {
                return Ok(Some(Heard::TooMuch));
            }
        }
        if complaints {
            self.stderr.read(limits.stderr_bytes_max)?;
        }
        Ok(None)
    }
}

/// Which of the pipes can go on; the first is written to. None when the time is over.
fn wait(pipes: [Option<BorrowedFd<'_>>; 3], until: Instant, child: u32) -> io::Result<Option<[bool; 3]>> {
    let (mut idle_since, mut work) = (Instant::now(), None);
    loop {
        let flags = [PollFlags::OUT, PollFlags::IN, PollFlags::IN];
        let open =
            pipes.iter().zip(flags).filter_map(|(pipe, flag)| Some(PollFd::from_borrowed_fd((*pipe)?, flag)));
        let mut polled: Vec<PollFd<'_>> = open.collect();
        let asked_at = ASKED_TO_END.get().copied();
        if asked_at.is_some() && work != Some(work_of(child)) {
            (idle_since, work) = (Instant::now(), Some(work_of(child)));
        }
        let until = asked_at.map_or(until, |asked| until.min(asked.max(idle_since) + SILENCE_MAX));
        let left = until.saturating_duration_since(Instant::now());
        let left = left.min(LOOK_EVERY);
        let left = Timespec::try_from(left).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        match poll(&mut polled, Some(&left)) {
            Ok(0) if Instant::now() >= until => return Ok(None),
            Ok(0) => {}
            Ok(_) => {
                // An end and an error are news as well: reading or writing tells which.
                let mut ready = polled.iter().map(|one| !one.revents().is_empty());
                return Ok(Some(pipes.map(|pipe| pipe.is_some() && ready.next().unwrap_or(false))));
            }
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl<Pipe: Read + AsFd> PipeOutput<Pipe> {
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Takes what is there, and keeps up to `bytes_max` of all: the rest is read and dropped, lest the child waits.
    fn read(&mut self, bytes_max: usize) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        let mut chunk = [0; CHUNK_BYTES];
        match pipe.read(&mut chunk) {
            Ok(0) => self.pipe = None,
            Ok(read) => {
                let kept = read.min(bytes_max.saturating_sub(self.bytes.len()));
                self.bytes.extend_from_slice(&chunk[..kept]);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl Input {
    /// Only while something is to be written: there is always room for nothing.
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().filter(|_| self.written < self.bytes.len()).map(AsFd::as_fd)
    }

    fn give(&mut self, bytes: Vec<u8>) {
        self.bytes.drain(..self.written);
        self.bytes.extend(bytes);
        self.written = 0;
    }

    fn write(&mut self) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        match pipe.write(&self.bytes[self.written..]) {
            Ok(written) => self.written += written,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A child that ends without reading all says why on its own; the broken pipe adds nothing.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.pipe = None,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn close_if_written(&mut self) {
        if self.written == self.bytes.len() {
            self.pipe = None;
        }
    }
}
