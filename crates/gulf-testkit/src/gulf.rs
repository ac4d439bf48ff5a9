//! Runs a program to its end, or stops it when it does not come to one; what it said is kept whole.
//!
//! Every test needs the same three words of a command: stdout, stderr and exit code.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::journal::parse_lines;
use crate::platform;
#[cfg(unix)]
use crate::terminal::{Size, Terminal};

/// Only a command that hangs takes so long; no test asserts how long one takes.
const PATIENCE: Duration = Duration::from_secs(240);

/// A stream that stays open after the command's end is held by something that outlived it.
const STREAM_PATIENCE: Duration = Duration::from_secs(20);

/// A command that was not run yet.
#[derive(Debug)]
pub struct Invocation {
    command: Command,
    stdin: Option<Vec<u8>>,
}

/// A command that runs. Killed when dropped.
#[derive(Debug)]
pub struct Started {
    said: String,
    process: u32,
    ended: Receiver<Finished>,
    has_ended: bool,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The command, for messages.
    pub said: String,
    /// `None` when a signal ended it.
    pub exit: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Invocation {
    pub(crate) fn new(command: Command) -> Invocation {
        Invocation { command, stdin: None }
    }

    pub fn arguments<'a>(mut self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.command.args(arguments);
        self
    }

    pub fn variable(mut self, name: &str, value: impl AsRef<str>) -> Invocation {
        self.command.env(name, value.as_ref());
        self
    }

    /// Several at once: what [`RealAgents`](crate::RealAgents) need.
    pub fn variables<'a>(mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Invocation {
        self.command.envs(pairs);
        self
    }

    pub fn directory(mut self, path: impl AsRef<std::path::Path>) -> Invocation {
        self.command.current_dir(path);
        self
    }

    /// Without this, stdin is empty.
    pub fn stdin(mut self, text: impl Into<Vec<u8>>) -> Invocation {
        self.stdin = Some(text.into());
        self
    }

    /// To its end.
    #[track_caller]
    pub fn run(self) -> Finished {
        self.start().finish()
    }

    /// On a terminal instead of three streams.
    #[cfg(unix)]
    pub fn on_terminal(self, size: Size) -> Terminal {
        Terminal::start(&self.command, size)
    }

    #[track_caller]
    pub fn start(mut self) -> Started {
        let said = format!("{:?}", self.command.get_args().collect::<Vec<_>>());
        self.command.stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.stdin(if self.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        let mut child = self.command.spawn().unwrap_or_else(|error| {
            panic!("cannot start {}: {error}", self.command.get_program().to_string_lossy())
        });
        if let (Some(text), Some(mut stdin)) = (self.stdin, child.stdin.take()) {
            // A program may end without having read everything.
            thread::spawn(move || drop(stdin.write_all(&text)));
        }
        Started::watch(said, child)
    }
}

impl Started {
    fn watch(said: String, mut child: Child) -> Started {
        let process = child.id();
        let streams = (drain(child.stdout.take().unwrap()), drain(child.stderr.take().unwrap()));
        let (sender, ended) = mpsc::channel();
        let its_words = said.clone();
        thread::spawn(move || {
            let status = child.wait().unwrap();
            let finished =
                Finished { said: its_words, exit: status.code(), stdout: streams.0(), stderr: streams.1() };
            // Nobody listens any more when the test has failed.
            drop(sender.send(finished));
        });
        Started { said, process, ended, has_ended: false }
    }

    /// Its process number.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// As Ctrl-C does.
    pub fn interrupt(&self) {
        platform::interrupt(self.process);
    }

    /// As nothing survives.
    pub fn kill(&self) {
        platform::kill(self.process);
    }

    /// Waits for the end.
    #[track_caller]
    pub fn finish(mut self) -> Finished {
        let ended = self.ended.recv_timeout(PATIENCE);
        if let Ok(finished) = ended {
            self.has_ended = true;
            return finished;
        }
        self.kill();
        self.has_ended = true;
        let finished = self.ended.recv_timeout(PATIENCE);
        panic!("{} did not end within {PATIENCE:?}: {finished:#?}", self.said);
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        if !self.has_ended {
            self.kill();
        }
    }
}

impl Finished {
    /// The exit code must be this; else everything it said is shown.
    #[track_caller]
    pub fn expect_exit(self, code: i32) -> Finished {
        if self.exit != Some(code) {
            panic!("expected exit {code}, not {:?}, of {}\n{}", self.exit, self.said, self.words());
        }
        self
    }

    /// Both streams must not know of a panic, and one of them must say this.
    #[track_caller]
    pub fn says(self, text: &str) -> Finished {
        let words = self.words();
        assert!(words.contains(text), "{} does not say {text:?}\n{words}", self.said);
        self.does_not_panic()
    }

    #[track_caller]
    pub fn does_not_say(self, text: &str) -> Finished {
        let words = self.words();
        assert!(!words.contains(text), "{} says {text:?}\n{words}", self.said);
        self
    }

    #[track_caller]
    pub fn does_not_panic(self) -> Finished {
        let words = self.words();
        // What a check printed is quoted behind a bar, and a test that panicked is none of gulf's panics.
        let own = words.lines().filter(|line| !line.trim_start().starts_with('│'));
        let panicked = own.into_iter().any(|line| line.contains("panicked at"));
        assert!(!panicked && self.exit != Some(101), "{} panicked\n{words}", self.said);
        self
    }

    /// Every line of stdout as JSON.
    #[track_caller]
    pub fn json_lines(&self) -> Vec<serde_json::Value> {
        parse_lines(&self.stdout)
    }

    fn words(&self) -> String {
        format!("stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr)
    }
}

/// Everything until the last holder of the stream has closed it; one that never does is named in the text.
fn drain(mut stream: impl Read + Send + 'static) -> impl FnOnce() -> String {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        drop(stream.read_to_end(&mut bytes));
        drop(sender.send(bytes));
    });
    move || match receiver.recv_timeout(STREAM_PATIENCE) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => "<held open by a process that outlived the command>".to_owned(),
    }
}
