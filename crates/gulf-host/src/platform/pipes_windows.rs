//! Listens to a child on both its outputs while it is given its input.
//!
//! It stands apart because nothing here waits for several pipes at once: each has a thread that ends when its pipe does.
//! After a kill nobody waits for them: whoever was started by the child may hold a pipe open.

use std::io::{self, Read, Write};
use std::process::Child;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use super::{Heard, HearingLimits};

enum Part {
    Stdout(io::Result<Vec<u8>>),
    Stderr(io::Result<Vec<u8>>),
}

/// Gives the child its input and returns what it wrote, once both of its outputs are at their end.
pub(crate) fn hear(child: &mut Child, input: Option<Vec<u8>>, limits: HearingLimits) -> io::Result<Heard> {
    let (sender, receiver) = mpsc::channel();
    if let Some(pipe) = child.stdout.take() {
        read_apart(pipe, limits.stdout_bytes_max.saturating_add(1), sender.clone(), Part::Stdout);
    }
    if let Some(pipe) = child.stderr.take() {
        read_apart(pipe, limits.stderr_bytes_max, sender, Part::Stderr);
    }
    if let (Some(mut stdin), Some(bytes)) = (child.stdin.take(), input) {
        // A child that ends without reading all says why on its own; the broken pipe adds nothing.
        thread::spawn(move || stdin.write_all(&bytes).ok());
    }
    let (mut stdout, mut stderr) = (None, None);
    loop {
        if let (Some(stdout), Some(stderr)) = (&mut stdout, &mut stderr) {
            return Ok(Heard::Everything { stdout: std::mem::take(stdout), stderr: std::mem::take(stderr) });
        }
        match receiver.recv_timeout(limits.until.saturating_duration_since(Instant::now())) {
            Ok(Part::Stdout(bytes)) => {
                let bytes = bytes?;
                if bytes.len() > limits.stdout_bytes_max {
                    return Ok(Heard::TooMuch);
                }
                stdout = Some(bytes);
            }
            Ok(Part::Stderr(bytes)) => stderr = Some(bytes?),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(Heard::TimedOut),
        }
    }
}

fn read_apart(
    mut pipe: impl Read + Send + 'static,
    bytes_max: usize,
    sender: Sender<Part>,
    part: fn(io::Result<Vec<u8>>) -> Part,
) {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = pipe.by_ref().take(bytes_max as u64).read_to_end(&mut bytes);
        // What is over the limit is read and dropped, lest the child waits for a full pipe.
        let rest = io::copy(&mut pipe, &mut io::sink());
        let _ = sender.send(part(result.and(rest).map(|_| bytes)));
    });
}
