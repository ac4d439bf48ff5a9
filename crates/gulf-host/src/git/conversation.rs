//! A git program that is spoken with: it answers each line before it gets the next.
//!
//! It stands apart from plain calls because what it holds, a lock on a reference, is held only while it runs; when
//! gulf dies its input ends, and it lets go by itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use super::error::GitError;
use super::program::Call;
use crate::platform;

/// The longest a git may think about one line.
const ANSWER_SECONDS_MAX: u64 = 120;
/// How much of an answer, and of what git complains about, is read.
const ANSWER_BYTES_MAX: u64 = 64 << 10;

/// A running git that holds what it was told to hold.
#[derive(Debug)]
pub(super) struct Conversation {
    verb: &'static str,
    child: Child,
    stdin: Option<ChildStdin>,
    answers: Receiver<String>,
    complaints: Receiver<String>,
}

impl Conversation {
    pub(super) fn begin(call: Call) -> Result<Self, GitError> {
        let verb = call.verb();
        let mut command = call.into_command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::own_process_group(&mut command);
        let mut child =
            command.spawn().map_err(|source| GitError::Start { verb: verb.to_owned(), source })?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (answer, answers) = mpsc::channel();
        let (complaint, complaints) = mpsc::channel();
        thread::spawn(move || {
            let lines =
                stdout.into_iter().flat_map(|pipe| BufReader::new(pipe.take(ANSWER_BYTES_MAX)).lines());
            for line in lines.map_while(Result::ok) {
                let _ = answer.send(line);
            }
        });
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(pipe) = stderr {
                let _ = pipe.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes);
            }
            let _ = complaint.send(String::from_utf8_lossy(&bytes).trim().to_owned());
        });
        let stdin = child.stdin.take();
        Ok(Self { verb, child, stdin, answers, complaints })
    }

    /// Says these bytes and waits for this line.
    pub(super) fn say(&mut self, bytes: &[u8], expected: &str) -> Result<(), GitError> {
        if let Some(stdin) = &mut self.stdin {
            // A git that has ended says why on its own; the broken pipe adds nothing.
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
        match self.answers.recv_timeout(Duration::from_secs(ANSWER_SECONDS_MAX)) {
            Ok(answer) if answer == expected => Ok(()),
            Ok(answer) => Err(GitError::Answer { verb: self.verb.to_owned(), answer }),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                Err(GitError::TimedOut { verb: self.verb.to_owned(), seconds: ANSWER_SECONDS_MAX })
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Why it ended before it was told to.
    fn ended(&mut self) -> GitError {
        self.stdin = None;
        let said = self.complaints.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        match self.child.wait() {
            Ok(status) => GitError::of_exit(self.verb, status, said),
            Err(source) => GitError::Start { verb: self.verb.to_owned(), source },
        }
    }
}

/// The end of its input makes git let go of what it holds; only one that does not is ended.
impl Drop for Conversation {
    fn drop(&mut self) {
        self.stdin = None;
        while self.answers.recv_timeout(Duration::from_secs(ANSWER_SECONDS_MAX)).is_ok() {}
        if !matches!(self.child.try_wait(), Ok(Some(_)))
            && self.complaints.recv_timeout(Duration::from_secs(1)).is_err()
        {
            platform::kill_own_process_group(&mut self.child);
        }
        let _ = self.child.wait();
    }
}
