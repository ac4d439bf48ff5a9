//! Places where a test and a process under gulf wait for each other, so that nobody has to wait by the clock.

use std::fs::{self, File};
use std::io::Read;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::programs::quote;
use crate::sandbox::Sandbox;
use crate::script::Step;

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(180);

/// A FIFO: whoever comes first waits for the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    path: Utf8PathBuf,
}

impl Meeting {
    pub fn new(sandbox: &Sandbox, name: &str) -> Meeting {
        let path = sandbox.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Meeting { path }
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The worker's step that says *here I am*.
    pub fn reached(&self) -> Step {
        Step::Meet { fifo: self.path.clone() }
    }

    /// The worker's step that waits to be let go.
    pub fn held(&self) -> Step {
        Step::Await { fifo: self.path.clone() }
    }

    /// A shell command that says *here I am*.
    pub fn reached_by_shell(&self) -> String {
        format!("echo here > {}", quote(self.path.as_str()))
    }

    /// A shell command that waits to be let go.
    pub fn held_by_shell(&self) -> String {
        format!("cat {} > /dev/null", quote(self.path.as_str()))
    }

    /// Waits until the other side says that it is there, and returns what it said.
    #[track_caller]
    pub fn wait(&self) -> String {
        let path = self.path.clone();
        self.patiently("reached", move || fs::read_to_string(path).unwrap())
    }

    /// Lets the other side go on, once it waits.
    #[track_caller]
    pub fn release(&self) {
        let path = self.path.clone();
        self.patiently("waited at", move || fs::write(path, "go on").unwrap());
    }

    #[track_caller]
    fn patiently<T: Send + 'static>(&self, what: &str, act: impl FnOnce() -> T + Send + 'static) -> T {
        patiently(act).unwrap_or_else(|| panic!("{} was never {what}", self.path))
    }
}

/// A FIFO whose ends the test holds: who rings need not wait, who listens takes one ring, and what was killed in the
/// middle of it leaves the others free.
#[derive(Debug)]
pub struct Bell {
    path: Utf8PathBuf,
    ends: File,
}

impl Bell {
    pub fn new(sandbox: &Sandbox, name: &str) -> Bell {
        let Meeting { path } = Meeting::new(sandbox, name);
        let ends = File::options().read(true).write(true).open(&path).unwrap();
        Bell { path, ends }
    }

    /// A shell command that rings so often.
    pub fn rung_by_shell(&self, times: u32) -> String {
        let rings = "ring ".repeat(usize::try_from(times).unwrap());
        format!("printf '%s\\n' {rings}> {}", quote(self.path.as_str()))
    }

    /// A shell command that waits for a ring.
    pub fn heard_by_shell(&self) -> String {
        format!("read ring < {}", quote(self.path.as_str()))
    }

    /// Waits for a ring.
    #[track_caller]
    pub fn wait(&self) {
        let mut ends = self.ends.try_clone().unwrap();
        let rung = patiently(move || {
            let mut byte = [0];
            while byte != *b"\n" {
                ends.read_exact(&mut byte).unwrap();
            }
        });
        assert!(rung.is_some(), "{} was never rung", self.path);
    }
}

/// Nothing where it does not come to an end.
fn patiently<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || drop(sender.send(act())));
    receiver.recv_timeout(PATIENCE).ok()
}
