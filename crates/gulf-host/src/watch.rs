//! Waits until something changes in a directory, or until another thread has something to say.
//!
//! It stands apart so that nobody sleeps and looks: a driver that waits for a person blocks here, and answers within
//! a moment. On Linux the kernel tells of changes (inotify; not of those made on another machine over a network file
//! system). Elsewhere, and where the kernel has no watch left to give, the directory is looked at every 500 ms. So it is
//! everywhere, every 25 ms, in the first 100: the kernel takes as long as that to end a watch, and a hook is over by then.

use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use crate::platform::{self, Change, Changes};

#[cfg(test)]
mod tests;

const LOOK_EVERY: Duration = Duration::from_millis(500);

const FIRST_LOOK_EVERY: Duration = Duration::from_millis(25);
const FIRST_LOOKS: u32 = 4;
/// More directories are the kernel's from the beginning: to look at all of them so often costs more.
const FEW: usize = 4;

/// Watches directories, not those below them; ends its thread when it is dropped.
#[derive(Debug)]
pub struct Watch {
    notices: Receiver<()>,
    waker: Waker,
    /// Dropping both ends the thread.
    stop: Option<Sender<()>>,
    kernel: KernelStop,
    thread: Option<JoinHandle<()>>,
}

/// What ends the kernel's watch, once there is one.
type KernelStop = Arc<Mutex<Option<platform::Stop>>>;

/// How the kernel is asked to watch.
type Open = fn(&[&Utf8Path]) -> io::Result<(Changes, platform::Stop)>;

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
        Self::begin(directories, Changes::open)
    }

    fn begin(directories: &[&Utf8Path], open: Open) -> io::Result<Watch> {
        for directory in directories {
            if !std::fs::metadata(directory)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        // Room for one notice: many are the same as one.
        let (sender, notices) = mpsc::sync_channel(1);
        let (stop, stopped) = mpsc::channel();
        let opened = if directories.len() > FEW { open(directories).ok() } else { None };
        let (opened, kernel_stop) = opened.unzip();
        let (waker, kernel) = (Waker(sender), Arc::new(Mutex::new(kernel_stop)));
        let directories: Vec<Utf8PathBuf> = directories.iter().map(|one| (*one).to_owned()).collect();
        let before = if opened.is_some() { Vec::new() } else { entries(&directories) };
        let watching = WatchThread { directories, before, opened, stopped, waker: waker.clone() };
        let slot = kernel.clone();
        let thread = std::thread::Builder::new().name("watch".to_owned());
        let thread = thread.spawn(move || watching.run(open, &slot))?;
        Ok(Watch { notices, waker, stop: Some(stop), kernel, thread: Some(thread) })
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
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.stop.take());
        drop(self.kernel.lock().unwrap_or_else(PoisonError::into_inner).take());
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

/// What the thread looks at.
struct WatchThread {
    directories: Vec<Utf8PathBuf>,
    before: Vec<FolderEntries>,
    opened: Option<Changes>,
    stopped: Receiver<()>,
    waker: Waker,
}

impl WatchThread {
    fn run(mut self, open: Open, kernel: &Mutex<Option<platform::Stop>>) {
        if let Some(changes) = self.opened.take() {
            return listen(changes, &self.waker);
        }
        for _ in 0..FIRST_LOOKS {
            if !self.goes_on(FIRST_LOOK_EVERY) {
                return;
            }
        }
        let directories: Vec<&Utf8Path> = self.directories.iter().map(Utf8PathBuf::as_path).collect();
        let Ok((changes, stop)) = open(&directories) else {
            while self.goes_on(LOOK_EVERY) {}
            return;
        };
        *kernel.lock().unwrap_or_else(PoisonError::into_inner) = Some(stop);
        self.compare();
        // Whoever dropped the watch before it could end this one left word here.
        if self.stopped.try_recv() == Err(TryRecvError::Empty) {
            listen(changes, &self.waker);
        }
    }

    /// Waits and looks; not where the watch was dropped.
    fn goes_on(&mut self, pause: Duration) -> bool {
        let goes_on = self.stopped.recv_timeout(pause) == Err(RecvTimeoutError::Timeout);
        if goes_on {
            self.compare();
        }
        goes_on
    }

    fn compare(&mut self) {
        let now = entries(&self.directories);
        if now != self.before {
            self.waker.wake();
        }
        self.before = now;
    }
}

fn entries(directories: &[Utf8PathBuf]) -> Vec<FolderEntries> {
    directories.iter().map(|one| read_entries(one)).collect()
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
