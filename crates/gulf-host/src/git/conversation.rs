//! A git program that runs: it is heard to its end, or answers each question before it gets the next.
//!
//! It holds a lock on a reference, and only while it runs: when gulf dies its input ends, and it ends by itself.

use std::io;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use super::error::GitError;
use crate::platform::{self, Heard, HearingLimits, Pipes};

/// The most a git program may print: listings and blobs of a large repository fit, a runaway does not.
const OUTPUT_BYTES_MAX: usize = 1 << 30;
/// How much of what git complains about is kept.
const COMPLAINT_BYTES_MAX: usize = 64 << 10;

/// A running git.
#[derive(Debug)]
pub(super) struct Conversation {
    pub(super) verb: &'static str,
    pub(super) child: Child,
    pub(super) pipes: Pipes,
    /// The longest it may take to answer, or to end when nothing more is said to it.
    pub(super) wall_max: Duration,
    /// How long it may take to end once nobody listens any more.
    pub(super) patience: Duration,
}

impl Conversation {
    /// Says these last bytes and hears all: how it ended, what it wrote, and what it complained about.
    pub(super) fn end(&mut self, bytes: Vec<u8>) -> Result<(ExitStatus, Vec<u8>, String), GitError> {
        let heard = self.pipes.end(bytes, limits(self.wall_max));
        self.heard(heard).and_then(|(stdout, stderr)| self.ended(stdout, &stderr))
    }

    /// Says these bytes and waits for this line.
    pub(super) fn say(&mut self, bytes: &[u8], expected: &str) -> Result<(), GitError> {
        let answer = self.ask(bytes.to_vec(), |answer| answer.ends_with(b"\n"))?;
        let answer = String::from_utf8_lossy(&answer).trim_end_matches('\n').to_owned();
        if answer == expected { Ok(()) } else { Err(GitError::answer(self.verb, answer)) }
    }

    /// Says these bytes and gives what is answered, once it is whole. A program that ends instead is an error.
    pub(super) fn ask(
        &mut self,
        bytes: Vec<u8>,
        is_whole: impl FnMut(&[u8]) -> bool,
    ) -> Result<Vec<u8>, GitError> {
        let heard = match self.pipes.ask(bytes, is_whole, limits(self.wall_max)) {
            Ok(Heard::Answer(answer)) => return Ok(answer),
            heard => heard,
        };
        let (stdout, stderr) = self.heard(heard)?;
        let (status, _, complaints) = self.ended(stdout, &stderr)?;
        Err(GitError::of_exit(self.verb, status, complaints))
    }

    /// Both outputs, to their end.
    fn heard(&mut self, heard: io::Result<Heard>) -> Result<(Vec<u8>, Vec<u8>), GitError> {
        let verb = self.verb.to_owned();
        let error = match heard {
            Ok(Heard::Everything { stdout, stderr }) => return Ok((stdout, stderr)),
            Ok(Heard::TooMuch) => GitError::OutputTooLarge { verb, bytes_max: OUTPUT_BYTES_MAX },
            Ok(Heard::TimedOut) if platform::ASKED_TO_END.get().is_some() => GitError::Silent { verb },
            Ok(Heard::TimedOut | Heard::Answer(_)) => {
                GitError::TimedOut { verb, seconds: self.wall_max.as_secs() }
            }
            Err(source) => GitError::Start { verb, source },
        };
        // Whoever was not heard to the end is not waited for.
        self.patience = Duration::ZERO;
        Err(error)
    }

    fn ended(&mut self, stdout: Vec<u8>, stderr: &[u8]) -> Result<(ExitStatus, Vec<u8>, String), GitError> {
        let started = |source| GitError::Start { verb: self.verb.to_owned(), source };
        let status = self.child.wait().map_err(started)?;
        Ok((status, stdout, String::from_utf8_lossy(stderr).trim().to_owned()))
    }
}

/// The end of its input makes git let go of what it holds; only one that does not is ended.
impl Drop for Conversation {
    fn drop(&mut self) {
        if !matches!(self.pipes.end(Vec::new(), limits(self.patience)), Ok(Heard::Everything { .. })) {
            platform::kill_own_process_group(&mut self.child);
        }
        let _ = self.child.wait();
    }
}

fn limits(time_max: Duration) -> HearingLimits {
    HearingLimits {
        stdout_bytes_max: OUTPUT_BYTES_MAX,
        stderr_bytes_max: COMPLAINT_BYTES_MAX,
        until: Instant::now() + time_max,
    }
}
