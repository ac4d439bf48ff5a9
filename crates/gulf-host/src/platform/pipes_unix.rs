//! Listens to a child on both its outputs while it is given its input, all from one thread.
//!
//! It stands apart because git is called often, and a thread for each pipe costs about as much as a small git call's own
//! work: each has to be made, woken and waited for.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{Child, ChildStdin};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::{Heard, HearingLimits};

#[cfg(test)]
mod tests;

const CHUNK_BYTES: usize = 64 << 10;

/// A pipe from the child until its end, and what came of it.
struct Output<Pipe> {
    pipe: Option<Pipe>,
    bytes: Vec<u8>,
}

/// The pipe to the child until all is written, or nobody reads.
struct Input {
    pipe: Option<ChildStdin>,
    bytes: Vec<u8>,
    written: usize,
}

/// Gives the child its input and returns what it wrote, once both of its outputs are at their end.
pub(crate) fn hear(child: &mut Child, input: Option<Vec<u8>>, limits: HearingLimits) -> io::Result<Heard> {
    let mut stdout = Output { pipe: child.stdout.take(), bytes: Vec::new() };
    let mut stderr = Output { pipe: child.stderr.take(), bytes: Vec::new() };
    let mut stdin = Input { pipe: child.stdin.take(), bytes: input.unwrap_or_default(), written: 0 };
    if let Some(pipe) = &stdin.pipe {
        // A child may write before it reads: neither may wait for the other.
        ioctl_fionbio(pipe, true)?;
    }
    stdin.close_if_written();
    let mut chunk = vec![0; CHUNK_BYTES];
    while stdout.pipe.is_some() || stderr.pipe.is_some() {
        let pipes = [stdin.descriptor(), stdout.descriptor(), stderr.descriptor()];
        let Some([writable, out, complaints]) = wait(pipes, limits.until)? else {
            return Ok(Heard::TimedOut);
        };
        if writable {
            stdin.write()?;
        }
        if out {
            stdout.read(&mut chunk, usize::MAX)?;
            if stdout.bytes.len() > limits.stdout_bytes_max {
                return Ok(Heard::TooMuch);
            }
        }
        if complaints {
            stderr.read(&mut chunk, limits.stderr_bytes_max)?;
        }
    }
    Ok(Heard::Everything { stdout: stdout.bytes, stderr: stderr.bytes })
}

/// Which of the pipes can go on; the first is written to. None when the time is over.
fn wait(pipes: [Option<BorrowedFd<'_>>; 3], until: Instant) -> io::Result<Option<[bool; 3]>> {
    loop {
        let flags = [PollFlags::OUT, PollFlags::IN, PollFlags::IN];
        let open =
            pipes.iter().zip(flags).filter_map(|(pipe, flag)| Some(PollFd::from_borrowed_fd((*pipe)?, flag)));
        let mut polled: Vec<PollFd<'_>> = open.collect();
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        match poll(&mut polled, Some(&left)) {
            Ok(0) => return Ok(None),
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

impl<Pipe: Read + AsFd> Output<Pipe> {
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Takes what is there, and keeps up to `bytes_max` of all: the rest is read and dropped, lest the child waits.
    fn read(&mut self, chunk: &mut [u8], bytes_max: usize) -> io::Result<()> {
        let Some(pipe) = &mut self.pipe else { return Ok(()) };
        match pipe.read(chunk) {
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
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
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
        self.close_if_written();
        Ok(())
    }

    fn close_if_written(&mut self) {
        if self.written == self.bytes.len() {
            self.pipe = None;
        }
    }
}
