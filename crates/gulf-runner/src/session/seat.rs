//! The one process at a time that answers for a checkout's session.
//!
//! It stands apart because a host calls its hooks side by side, and twice where they are registered twice: who comes
//! second waits here, and then sees what the first one did.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::home::{Home, Name};
use gulf_host::journal::JournalError;
use gulf_host::lock::Lock;

use super::armed::Armed;
use crate::error::RunError;
use crate::handles;
use crate::place::PlaceOfWork;
use crate::start::{self, Held, StartError};

/// So often somebody else may hold the journal for a moment when it is looked for.
const MOMENTS_MAX: u32 = 100;

/// What is kept of a checkout, held by this process.
#[derive(Debug)]
pub struct Seat {
    _lock: Lock,
    home: Home,
    pub armed: Armed,
}

impl Seat {
    /// Waits for whoever answers for this checkout, and takes over; none where no session works on a loop there.
    pub fn take(home: &Home, project: &Utf8Path) -> Result<Option<Self>, RunError> {
        if Armed::read(home, project)?.is_none() {
            return Ok(None);
        }
        let lock = Lock::wait(&lock_path(home, project), b"hook")?;
        Ok(Armed::read(home, project)?.map(|armed| Self { _lock: lock, home: home.clone(), armed }))
    }

    /// Keeps everybody else out of a checkout's sessions until it is dropped, whether one works there or not.
    pub fn close(home: &Home, project: &Utf8Path) -> Result<Lock, RunError> {
        files::create_private_directories(&home.sessions(), Durability::Buffered)?;
        Ok(Lock::wait(&lock_path(home, project), b"hook")?)
    }

    /// Takes a checkout of which nothing is kept yet, or something that no longer counts.
    pub(super) fn make(place: &PlaceOfWork, armed: Armed, closed: Lock) -> Result<Self, RunError> {
        let seat = Self { _lock: closed, home: place.home.clone(), armed };
        seat.save()?;
        Ok(seat)
    }

    /// Where the loop works.
    pub fn place(&self) -> Result<PlaceOfWork, RunError> {
        self.armed.place(&self.home)
    }

    /// Writes down what changed.
    pub fn save(&self) -> Result<(), RunError> {
        self.armed.write(&self.home)
    }

    /// No session works here any more.
    pub fn clear(self) -> Result<(), RunError> {
        clear(&self.home, &self.armed.project)
    }

    /// The loop, held to be driven by this process.
    pub fn hold(&self) -> Result<Held, StartError> {
        let place = self.place()?;
        let name = Name::parse(&self.armed.loop_id).map_err(|source| RunError::Name { source })?;
        for _ in 0..MOMENTS_MAX {
            let checkout =
                Lock::wait(&place.checkout_lock(), name.as_str().as_bytes()).map_err(RunError::from)?;
            match start::hold(&place, &name, checkout) {
                Err(StartError::Run(RunError::Journal(JournalError::Locked(_)))) => {
                    // Somebody looks in, to pause it or to leave a note.
                    let lock = place.loop_home(&name).lock();
                    drop(Lock::wait(&lock, b"hook").map_err(RunError::from)?);
                }
                held => return held,
            }
        }
        Err(StartError::Driven { id: handles::of(place.loop_home(&name).root()) })
    }
}

/// Forgets what is kept of a checkout.
pub(super) fn clear(home: &Home, project: &Utf8Path) -> Result<(), RunError> {
    Ok(files::remove_file(&Armed::path(home, project))?)
}

fn lock_path(home: &Home, project: &Utf8Path) -> Utf8PathBuf {
    Armed::path(home, project).with_extension("lock")
}
