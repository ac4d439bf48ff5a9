//! What is kept of a checkout whose loop a session works on: where the loop lies, and what the session was last told.
//!
//! It stands apart from the journal because it must be found in a moment, also where there is nothing to find, and
//! because nothing in it decides: a lost one costs a repeated answer, and the next command writes it anew.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::digest::Digest;
use gulf_host::files::{self, Durability};
use gulf_host::git::{Layout, ObjectFormat};
use gulf_host::home::{Home, Name};
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::place::PlaceOfWork;
use crate::records;

/// As many hexadecimal digits tell the checkouts of one machine apart.
const KEY_DIGITS: usize = 16;
/// What the record is, for people.
const WHAT: &str = "what is kept of a session";

/// A checkout with a loop that a session works on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    #[serde(default)]
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
    #[serde(default)]
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
        files::create_private_directories(&home.sessions(), Durability::Buffered)?;
        let path = Self::path(home, project);
        records::write(&path, "what a session was told", self, Durability::Buffered)
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
            read_bytes: 0,
            read_mark: None,
            blocks: 0,
            handed: None,
            last: None,
            commanded: None,
            failures: 0,
            rested: false,
            waited: false,
            parted: false,
            moved_from: None,
        }
    }

    /// Writes it down, whoever else may do the same: for counts only.
    pub fn keep(&self, home: &Home) -> Result<(), RunError> {
        self.write(home)
    }

    pub(super) fn write(&self, home: &Home) -> Result<(), RunError> {
        files::create_private_directories(&home.sessions(), Durability::Buffered)?;
        records::write(&Self::path(home, &self.project), WHAT, self, Durability::Buffered)
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
