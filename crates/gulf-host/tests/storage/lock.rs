//! Locks between real processes.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, Command, Stdio};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::lock::{Holder, Lock, LockError};

struct Contender {
    process: Child,
    /// Closing it asks the process to let go.
    input: Option<ChildStdin>,
}

impl Contender {
    fn start(path: &Utf8Path, note: &str) -> Contender {
        let mut process = Command::new(env!("CARGO_BIN_EXE_gulf-storage-fixture"))
            .args(["lock", path.as_str(), note])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take();
        Contender { process, input }
    }

    /// Blocks until the process knows whether it has the lock.
    fn answer(&mut self) -> String {
        let mut line = String::new();
        BufReader::new(self.process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

impl Drop for Contender {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.wait();
    }
}

fn lock_in(folder: &tempfile::TempDir) -> Utf8PathBuf {
    Utf8PathBuf::from_path_buf(folder.path().join("잠금 lock")).unwrap()
}

#[test]
fn of_processes_that_race_for_a_lock_exactly_one_gets_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = lock_in(&folder);
    let mut contenders: Vec<_> = (0..6).map(|number| Contender::start(&path, &number.to_string())).collect();
    let mut answers: Vec<_> = contenders.iter_mut().map(Contender::answer).collect();
    answers.sort();
    assert_eq!(answers, ["held", "held", "held", "held", "held", "taken"]);
}

#[test]
fn a_process_that_is_killed_loses_its_lock_and_its_note_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    let path = lock_in(&folder);
    let mut holder = Contender::start(&path, "pid 77");
    assert_eq!(holder.answer(), "taken");
    assert_eq!(Lock::holder(&path).unwrap(), Holder::Process { note: b"pid 77".to_vec() });
    let refused = Lock::try_acquire(&path, b"").unwrap_err();
    assert!(matches!(&refused, LockError::Held { note, .. } if note == b"pid 77"), "{refused:?}");
    holder.process.kill().unwrap();
    holder.process.wait().unwrap();
    assert_eq!(Lock::holder(&path).unwrap(), Holder::Nobody);
    Lock::try_acquire(&path, b"mine").unwrap();
}

#[test]
fn a_lock_whose_file_was_removed_guards_nothing_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = lock_in(&folder);
    let mut first = Contender::start(&path, "first");
    assert_eq!(first.answer(), "taken");
    std::fs::remove_file(&path).unwrap();
    // Removing the file is what only `clean` does, for loops that nobody drives; the new lock is a whole one.
    let _second = Lock::try_acquire(&path, b"second").unwrap();
    let third = Lock::try_acquire(&path, b"third").unwrap_err();
    assert!(matches!(&third, LockError::Held { note, .. } if note == b"second"), "{third:?}");
}
