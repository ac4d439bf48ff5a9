//! What gulf and its shim say to each other, byte for byte.
//!
//! Both ends must agree on it. They are the same binary, started from the same file, so the version only guards
//! against a person who calls `gulf __shim` by hand.
//!
//! To the shim: the header's length in bytes (4, little endian), the header as JSON, the program's stdin as it is;
//! from then on one byte per [`StopMode`], and the end of the file when gulf is gone. From the shim: one JSON
//! [`ShimReport`] a line.

#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use super::{ProcessOutcome, ProcessRequest, Stdin};

/// How much a program can be given to read.
pub const STDIN_BYTES_MAX: usize = 256 * 1024 * 1024;

/// A report is a few numbers and at most one error's text.
pub(super) const REPORT_BYTES_MAX: u64 = 64 * 1024;

const VERSION: u32 = 1;
/// Arguments and environment together; the kernel takes 2 MiB.
const HEADER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// How a program is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopMode {
    /// SIGTERM to the whole tree, two seconds, SIGKILL.
    Gracefully,
    /// SIGKILL at once.
    Now,
}

impl StopMode {
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Gracefully => b'c',
            Self::Now => b'k',
        }
    }

    pub(super) fn from_byte(byte: u8) -> Self {
        // Anything unknown can only mean that the other end is broken, which is no reason to let the tree run on.
        if byte == Self::Gracefully.byte() { Self::Gracefully } else { Self::Now }
    }
}

/// What the shim tells gulf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ShimReport {
    /// This much of each log is on disk by now.
    Output { stdout_bytes: u64, stderr_bytes: u64 },
    /// The last word.
    Ended(ProcessOutcome),
}

#[derive(Debug, Serialize, Deserialize)]
struct Header<Request> {
    version: u32,
    stdin: StdinLength,
    request: Request,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StdinLength {
    Closed,
    Bytes(usize),
}

pub(super) fn write_request(to: &mut impl Write, request: &ProcessRequest) -> io::Result<()> {
    let (stdin, bytes) = match &request.stdin {
        Stdin::Closed => (StdinLength::Closed, [].as_slice()),
        Stdin::Bytes(bytes) => (StdinLength::Bytes(bytes.len()), bytes.as_slice()),
    };
    let header = Header { version: VERSION, stdin, request };
    let header = serde_json::to_vec(&header)?;
    let length = u32::try_from(header.len()).ok().filter(|_| header.len() <= HEADER_BYTES_MAX);
    let length = length.ok_or_else(|| invalid("arguments and environment exceed 16 MiB"))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&header)?;
    to.write_all(bytes)?;
    to.flush()
}

pub(super) fn read_request(from: &mut impl Read) -> io::Result<ProcessRequest> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
    if length > HEADER_BYTES_MAX {
        return Err(invalid("the header is too long"));
    }
    let mut header = vec![0; length];
    from.read_exact(&mut header)?;
    let header: Header<ProcessRequest> = serde_json::from_slice(&header)?;
    if header.version != VERSION {
        return Err(invalid("the request has another version"));
    }
    let mut request = header.request;
    request.stdin = match header.stdin {
        StdinLength::Closed => Stdin::Closed,
        StdinLength::Bytes(length) if length > STDIN_BYTES_MAX => return Err(invalid("stdin is too long")),
        StdinLength::Bytes(length) => {
            let mut bytes = vec![0; length];
            from.read_exact(&mut bytes)?;
            Stdin::Bytes(bytes)
        }
    };
    Ok(request)
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
