//! Waits until something changes in a directory, or until another thread has something to say.
//!
//! It stands apart so that nobody sleeps and looks: a driver that waits for a person blocks here, and answers within
//! a moment. On Linux the kernel tells of changes (inotify; not of those made on another machine over a network file
//! system). Elsewhere, and where the kernel has no watch left to give, the directory is looked at every 500 ms. So it is
//! everywhere, every 25 ms, in the first 100: the kernel takes as long as that to end a watch, and a hook is over by then.
//!
//! Whoever waits does the work; there is no thread.

use std::cell::RefCell;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use rustix::io::ioctl_fionbio;

use crate::platform;

#[cfg(test)]
mod tests;

const LOOK_EVERY: Duration = Duration::from_millis(500);

const FIRST_LOOK_EVERY: Duration = Duration::from_millis(25);
const FIRST_LOOKS: u32 = 4;
/// More directories are the kernel's from the beginning: to look at all of them so often costs more.
const FEW: usize = 4;
/// So many notices of wakers are taken from the pipe at once.
const NOTICES_AT_ONCE: usize = 1024;

/// Watches directories, not those below them.
#[derive(Debug)]
pub struct Watch {
    directories: Vec<Utf8PathBuf>,
    waker: Waker,
    looks: RefCell<Looks>,
}

/// Who tells of changes at the moment.
#[derive(Debug)]
struct Looks {
    /// What lay in the directories when they were last looked at.
    before: Vec<FolderEntries>,
    /// When the kernel is asked, and how; none once it was.
    asks_kernel: Option<(Instant, Open)>,
    kernel: Option<OwnedFd>,
}

/// How the kernel is asked to watch.
type Open = fn(&[Utf8PathBuf]) -> io::Result<OwnedFd>;

/// Ends a wait from another thread. It has both ends of a pipe, so that one that outlives its watch writes to somebody.
#[derive(Clone, Debug)]
pub struct Waker(Arc<(PipeReader, PipeWriter)>);

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// Something changed, or a waker fired, since the last wait: look at everything again. Several are told as one,
    /// and there may be nothing to see.
    Notified,
    TimedOut,
}

impl Waker {
    fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        ioctl_fionbio(&reader, true)?;
        ioctl_fionbio(&writer, true)?;
        Ok(Self(Arc::new((reader, writer))))
    }

    pub fn wake(&self) {
        // A full pipe already holds notices that nobody has taken.
        let _ = (&self.0.1).write(&[0]);
    }

    /// Did it wake since this was asked last?
    fn has_woken(&self) -> bool {
        let (mut notices, mut has_woken) = ([0; NOTICES_AT_ONCE], false);
        while let Ok(1..) = (&self.0.0).read(&mut notices) {
            has_woken = true;
        }
        has_woken
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
        Self::begin(directories, platform::open_changes)
    }

    fn begin(directories: &[&Utf8Path], open: Open) -> io::Result<Watch> {
        for directory in directories {
            if !std::fs::metadata(directory)?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
        }
        let directories: Vec<Utf8PathBuf> = directories.iter().map(|one| (*one).to_owned()).collect();
        let kernel = if directories.len() > FEW { open(&directories).ok() } else { None };
        let (before, asks_kernel) = match kernel {
            Some(_) => (Vec::new(), None),
            None => (entries(&directories), Some((Instant::now() + FIRST_LOOK_EVERY * FIRST_LOOKS, open))),
        };
        let looks = RefCell::new(Looks { before, asks_kernel, kernel });
        Ok(Watch { directories, waker: Waker::new()?, looks })
    }

    /// Something that ends waits, for other threads.
    pub fn waker(&self) -> Waker {
        self.waker.clone()
    }

    /// Blocks until something happens.
    pub fn wait(&self) {
        self.wait_until(None);
    }

    /// Blocks until something happens, but not longer than this.
    pub fn wait_at_most(&self, at_most: Duration) -> Wake {
        self.wait_until(Instant::now().checked_add(at_most))
    }

    fn wait_until(&self, until: Option<Instant>) -> Wake {
        let mut looks = self.looks.borrow_mut();
        loop {
            // Both are asked, so that neither tells the same once more.
            if looks.have_changed(&self.directories) | self.waker.has_woken() {
                return Wake::Notified;
            }
            if until.is_some_and(|until| until <= Instant::now()) {
                return Wake::TimedOut;
            }
            let next = looks.pause().map(|pause| Instant::now() + pause);
            let heard = [Some(self.waker.0.0.as_fd()), looks.kernel.as_ref().map(AsFd::as_fd)];
            let heard: Vec<_> = heard.into_iter().flatten().collect();
            platform::wait_readable(&heard, next.into_iter().chain(until).min());
        }
    }
}

impl Looks {
    /// Has anything changed since this was asked last?
    fn have_changed(&mut self, directories: &[Utf8PathBuf]) -> bool {
        match self.kernel.as_ref().map(platform::take_changes) {
            Some(Ok(has_changed)) => return has_changed,
            // After an error nothing more will come.
            Some(Err(_)) => self.kernel = None,
            None => {}
        }
        if let Some((_, open)) = self.asks_kernel.take_if(|(when, _)| *when <= Instant::now()) {
            self.kernel = open(directories).ok();
        }
        // Also where the kernel was asked just now: of what came before it tells nothing.
        let now = entries(directories);
        let have_changed = now != self.before;
        self.before = now;
        have_changed
    }

    /// How long until the directories are looked at again; nothing where the kernel tells.
    fn pause(&self) -> Option<Duration> {
        let pause = if self.asks_kernel.is_some() { FIRST_LOOK_EVERY } else { LOOK_EVERY };
        self.kernel.is_none().then_some(pause)
    }
}

type FolderEntries = Option<Vec<(Utf8PathBuf, u64, Option<SystemTime>)>>;

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
