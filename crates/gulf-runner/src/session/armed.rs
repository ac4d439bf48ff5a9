//! What is kept of a checkout whose loop a session works on: where the loop lies, and what the session was last told.
//!
//! It must be found in a moment, also where there is nothing to find, and nothing in it decides: a lost one costs a
//! repeated answer, and the next command writes it anew.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_engine::EffectKey;
use gulf_host::digest::Digest;
use gulf_host::files::{self, Durability};
use gulf_host::git::{Layout, ObjectFormat};
use gulf_host::home::{Home, Name};
use gulf_host::journal::JournalError;
use gulf_host::lock::Lock;
use serde::{Deserialize, Serialize};

use crate::book::Fold;
use crate::error::{Failure, RunError};
use crate::place::PlaceOfWork;
use crate::project_folder::put_own;
use crate::resources::{AgentEffect, Resources};
use crate::spending::SpendingMeter;
use crate::start::{self, Held, StartError};
use crate::stop::Stop;
use crate::{known, records};

/// As many hexadecimal digits tell the checkouts of one machine apart.
const KEY_DIGITS: usize = 16;
/// What the record is, for people.
const WHAT: &str = "what is kept of a session";

/// A checkout with a loop that a session works on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Armed {
    pub version: u32,
    pub project: Utf8PathBuf,
    /// The repository's key in gulf's home.
    pub repository: String,
    /// None without git.
    pub git: Option<GitPlaces>,
    /// What tells the repository from another one at this path; earlier versions did not ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    pub loop_id: String,
    pub host: String,
    /// None until a session has stopped.
    pub session: Option<String>,
    /// How far the session's file was read, and what the next reading must know of it.
    pub read_bytes: u64,
    pub read_mark: Option<String>,
    /// How often the host was kept from ending the turn since it began to count.
    pub blocks: u32,
    /// Iteration and attempt that the session was last told to begin.
    pub handed: Option<(u32, u32)>,
    pub last: Option<Answered>,
    /// The person's last command, which a hook that is registered twice hears twice.
    pub commanded: Option<Answered>,
    /// Failures of gulf's own in a row.
    pub failures: u32,
    /// Has it rested before?
    pub rested: bool,
    /// Was the session told that its background work is waited for?
    pub waited: bool,
    /// Was the session asked to say why the loop rests, since it rests?
    #[serde(default)]
    pub parted: bool,
    /// The session that had the loop before, until it has heard that it has it no more.
    pub moved_from: Option<String>,
}

/// Where git keeps what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitPlaces {
    pub git_dir: Utf8PathBuf,
    pub common_dir: Utf8PathBuf,
    pub is_sha256: bool,
}

/// What a stop was answered with: the same stop gets it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// What tells one stop from another, as the host has it.
    pub occasion: String,
    /// Digest of the final message.
    pub message: String,
    pub at_ms: u64,
    /// How long the session's file was.
    pub file_bytes: u64,
    pub stdout: Option<String>,
    pub stderr: String,
}

impl Answered {
    /// What a person's last command was answered with that armed nothing in this checkout; none where that cannot be
    /// read.
    pub fn read(home: &Home, project: &Utf8Path) -> Option<Self> {
        records::find(&Self::path(home, project))
    }

    pub fn keep(&self, home: &Home, project: &Utf8Path) -> Result<(), RunError> {
        records::keep(&Self::path(home, project), "what a session was told", self, Durability::Buffered)
    }

    fn path(home: &Home, project: &Utf8Path) -> Utf8PathBuf {
        Armed::path(home, project).with_extension("answered")
    }
}

impl Armed {
    /// Where it is kept for this checkout.
    pub fn path(home: &Home, project: &Utf8Path) -> Utf8PathBuf {
        let digest = Digest::of_bytes(project.as_str().as_bytes()).to_string();
        home.sessions().join(format!("{}.json", &digest[..KEY_DIGITS]))
    }

    /// What is kept of this checkout, if a session works on a loop there.
    pub fn read(home: &Home, project: &Utf8Path) -> Result<Option<Self>, RunError> {
        let armed: Option<Self> = records::read(&Self::path(home, project), WHAT)?;
        Ok(armed.filter(|armed| armed.project == project))
    }

    pub(super) fn new(place: &PlaceOfWork, loop_id: &str, host: &str, session: Option<String>) -> Self {
        Self {
            version: crate::FORMAT_VERSION,
            project: place.project.clone(),
            repository: place.repository.root().file_name().unwrap_or_default().to_owned(),
            git: place.layout.as_ref().map(|layout| GitPlaces {
                git_dir: layout.git_dir.clone(),
                common_dir: layout.common_dir.clone(),
                is_sha256: layout.object_format == ObjectFormat::Sha256,
            }),
            mark: place.mark().ok().map(|mark| mark.as_str().to_owned()),
            loop_id: loop_id.to_owned(),
            host: host.to_owned(),
            session,
            ..Self::default()
        }
    }

    /// Writes it down, whoever else may do the same: for counts only.
    pub fn keep(&self, home: &Home) -> Result<(), RunError> {
        records::keep(&Self::path(home, &self.project), WHAT, self, Durability::Buffered)
    }

    /// The place of work, without asking git for it.
    pub fn place(&self, home: &Home) -> Result<PlaceOfWork, RunError> {
        let key = Name::parse(&self.repository).map_err(|source| RunError::Name { source })?;
        let layout = self.git.as_ref().map(|git| Layout {
            work_tree: self.project.clone(),
            git_dir: git.git_dir.clone(),
            common_dir: git.common_dir.clone(),
            object_format: if git.is_sha256 { ObjectFormat::Sha256 } else { ObjectFormat::Sha1 },
        });
        let repository = home.repository(&key);
        Ok(PlaceOfWork { project: self.project.clone(), layout, home: home.clone(), repository })
    }
}

// The one process at a time that answers for a checkout's session.

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
        self.armed.keep(&self.home)
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
                    drop(Lock::wait(&place.loop_home(&name).lock(), b"hook").map_err(RunError::from)?);
                }
                held => return held,
            }
        }
        Err(StartError::Driven { id: known::handle(place.loop_home(&name).root()) })
    }
}

/// Forgets what is kept of a checkout.
pub(super) fn clear(home: &Home, project: &Utf8Path) -> Result<(), RunError> {
    Ok(files::remove_file(&Armed::path(home, project))?)
}

fn lock_path(home: &Home, project: &Utf8Path) -> Utf8PathBuf {
    Armed::path(home, project).with_extension("lock")
}

// What a session is told when it is to go on: a long text in a file of the project, and the news of it at once.

/// Relative to the project.
pub const BRIEF: &str = ".gulf/brief.md";

/// Writes the brief of a turn, and gives what the session's model is told of it.
pub(super) fn hand(resources: &Resources, fold: &Fold, key: &EffectKey) -> Result<String, RunError> {
    let project = resources.project();
    let (stop, meter) = (&Stop::default(), &SpendingMeter::default());
    let turn = AgentEffect { resources, key, fold, stop, meter };
    let (whole, news) = turn.session_prompt(&project.join(BRIEF)).map_err(in_the_world)?;
    resources.folder.write_log(key, "prompt.md", &whole)?;
    turn.keep_feedback().map_err(in_the_world)?;
    // Where nothing can be written, it is told in full.
    let is_written = put_own(project, BRIEF, &whole).unwrap_or(false);
    Ok(if is_written { news } else { format!("{news}\n\n---\n\n{whole}") })
}

/// No effect runs here that could be refused or stopped.
pub(super) fn in_the_world(failure: Failure) -> RunError {
    match failure {
        Failure::World(error) => error,
        Failure::Refused(_) | Failure::Stopped => RunError::NoContract,
    }
}
