//! Waits until something changes in a directory, or until another thread has something to say.
//!
//! It stands apart so that nobody sleeps and looks: a driver that waits for a person blocks here, and answers within
//! a moment. On Linux the kernel tells of changes (inotify; not of those made on another machine over a network file
//! system). Elsewhere, and where the kernel has no watch left to give, the directory is looked at every 500 ms.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use crate::platform::{self, Change, Changes};

#[cfg(test)]
mod tests;

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Watches directories, not those below them; ends its thread when it is dropped.
#[derive(Debug)]
pub struct Watch {
    notices: Receiver<()>,
    waker: Waker,
    stop: Option<Stop>,
    thread: Option<JoinHandle<()>>,
}

/// Ends a wait from another thread.
#[derive(Clone, Debug)]
pub struct Waker(SyncSender<()>);

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Something changed, or a waker fired, since the last wait: look at everything again. Several are told as one,
    /// and there may be nothing to see.
    Notified,
    TimedOut,
}

#[derive(Debug)]
enum Stop {
    /// Dropping either ends the thread.
    Kernel {
        _stop: platform::Stop,
    },
    Polling {
        _stop: Sender<()>,
    },
}

impl Waker {
    pub fn wake(&self) {
        // A full channel already holds a notice that nobody has taken; a closed one has nobody to wake.
        let _ = self.0.try_send(());
    }
}

impl Watch {
    /// Begins to watch: changes from now on are noticed, also before the first wait. A directory that goes away is
    /// told once, as a change.
    pub fn start(directory: &Utf8Path) -> io::Result<Watch> {
        Self::all_of(&[directory])
    }

    /// The same of several.
    pub fn all_of(directories: &[&Utf8Path]) -> io::Result<Watch> {
        for directory in directories {
            if !std::fs::metadata(directory)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        match Changes::open(directories) {
            Ok((changes, stop)) => {
                Watch::spawn(Stop::Kernel { _stop: stop }, |waker| listen(changes, &waker))
            }
            Err(_) => Watch::start_polling(directories),
        }
    }

    /// Something that ends waits, for other threads.
    pub fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Blocks until something happens.
    pub fn wait(&self) {
        // The watch holds a waker of its own, so the channel cannot close.
        let _ = self.notices.recv();
    }

    /// Blocks until something happens, but not longer than this.
    pub fn wait_at_most(&self, at_most: Duration) -> Wake {
        match self.notices.recv_timeout(at_most) {
            Ok(()) => Wake::Notified,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Wake::TimedOut,
        }
    }

    fn start_polling(directories: &[&Utf8Path]) -> io::Result<Watch> {
        let (stop, stopped) = mpsc::channel();
        let directories: Vec<Utf8PathBuf> = directories.iter().map(|one| (*one).to_owned()).collect();
        let before = directories.iter().map(|one| read_entries(one)).collect();
        Watch::spawn(Stop::Polling { _stop: stop }, move |waker| poll(&directories, before, &stopped, &waker))
    }

    fn spawn(stop: Stop, run: impl FnOnce(Waker) + Send + 'static) -> io::Result<Watch> {
        // Room for one notice: many are the same as one.
        let (sender, notices) = mpsc::sync_channel(1);
        let waker = Waker(sender);
        let own = waker.clone();
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(move || run(own))?;
        Ok(Watch { notices, waker, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic in the thread was printed there; there is no one here to hand it to.
            let _ = thread.join();
        }
    }
}

fn listen(mut changes: Changes, waker: &Waker) {
    loop {
        match changes.next() {
            Ok(Change::Changed) => waker.wake(),
            // After an error nothing more will come either; the wake lets the owner look and find out.
            Ok(Change::Gone) | Err(_) => return waker.wake(),
            Ok(Change::Stopped) => return,
        }
    }
}

type FolderEntries = Option<Vec<(Utf8PathBuf, u64, Option<SystemTime>)>>;

fn poll(directories: &[Utf8PathBuf], mut before: Vec<FolderEntries>, stopped: &Receiver<()>, waker: &Waker) {
    while stopped.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        let now = directories.iter().map(|one| read_entries(one)).collect();
        if now != before {
            waker.wake();
        }
        before = now;
    }
}

/// Name, size and time of each entry; `None` when the directory cannot be read.
fn read_entries(directory: &Utf8Path) -> FolderEntries {
    let mut entries: Vec<_> = directory
        .read_dir_utf8()
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some((entry.into_path(), metadata.len(), metadata.modified().ok()))
        })
        .collect();
    entries.sort();
    Some(entries)
}
