//! Where a project lies, and where gulf keeps what belongs to it.

use crate::folder::LoopPaths;

use camino::{Utf8DirEntry, Utf8Path, Utf8PathBuf};
use gulf_host::birthmark::Birthmark;
use gulf_host::digest::Digest;
use gulf_host::files::{self, Durability};
use gulf_host::git::{Layout, Repository};
use gulf_host::home::{Home, Name, RepositoryHome};
use gulf_host::lock::Lock;
use serde::{Deserialize, Serialize};

use crate::agreement::{Agreement, RepositoryKind};
use crate::error::RunError;
use crate::records;

/// As many hexadecimal digits tell one machine's repositories apart.
const KEY_DIGITS: usize = 16;
/// How the locks of checkouts begin.
const CHECKOUT_PREFIX: &str = "checkout-";

/// A project and its home.
#[derive(Clone, Debug)]
pub struct PlaceOfWork {
    /// The checkout: git's top level, or the directory itself where there is no git.
    pub project: Utf8PathBuf,
    /// None without git.
    pub layout: Option<Layout>,
    pub home: Home,
    pub repository: RepositoryHome,
}

/// A project without its home: nothing is written to find it.
#[derive(Clone, Debug)]
pub struct Project {
    /// As [`PlaceOfWork::project`].
    pub directory: Utf8PathBuf,
    pub layout: Option<Layout>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    version: u32,
    /// The git directory that all worktrees share, or the project without git.
    path: Utf8PathBuf,
    /// What tells it from another one that lay, or will lie, at this path; earlier versions did not ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<String>,
}

impl Project {
    /// Finds the project that a directory belongs to.
    pub fn find(directory: &Utf8Path) -> Result<Self, RunError> {
        let failed = |source| RunError::Directory { path: directory.to_owned(), source };
        let directory = directory.canonicalize_utf8().map_err(failed)?;
        let layout = Repository::discover(&directory)?;
        Ok(Self { directory: layout.as_ref().map_or(directory, |layout| layout.work_tree.clone()), layout })
    }
}

impl PlaceOfWork {
    /// There is no git any more where a loop of this name began with one.
    pub fn git_is_gone(&self, id: &str) -> RunError {
        RunError::RepositoryGone { git_dir: self.project.join(".git"), id: id.to_owned() }
    }

    /// Finds the project that a directory belongs to, and its home.
    pub fn find(directory: &Utf8Path, home: Home) -> Result<Self, RunError> {
        Self::of_project(Project::find(directory)?, home)
    }

    /// The home of a project that was just found.
    pub fn of_project(Project { directory: project, layout }: Project, home: Home) -> Result<Self, RunError> {
        home.refuse_inside(&project)?;
        let repository = match &layout {
            Some(layout) => own_home(layout, &home)?,
            None => match home_of_lost(&project, &home)? {
                Some(kept) => kept,
                None => home_without_git(&project, &home)?,
            },
        };
        Ok(Self { project, layout, home, repository })
    }

    /// The same repository, where this loop works: a worktree of its own may be another than this one, or gone.
    pub fn of_loop(&self, agreement: &Agreement) -> Self {
        Self { project: agreement.project.clone(), ..self.clone() }
    }

    /// The project alone.
    pub fn as_project(&self) -> Project {
        Project { directory: self.project.clone(), layout: self.layout.clone() }
    }

    pub fn kind(&self) -> RepositoryKind {
        if self.layout.is_some() { RepositoryKind::Own } else { RepositoryKind::Shadow }
    }

    /// The repository as a loop uses it.
    pub fn open(&self, private: &Utf8Path) -> Result<Repository, RunError> {
        Ok(match &self.layout {
            Some(layout) => Repository::open(layout.clone(), private)?,
            None => Repository::shadow(&self.project, &self.shadow(), private)?,
        })
    }

    /// Locked by whoever works in this checkout; the worktrees of one repository do not exclude each other.
    pub fn checkout_lock(&self) -> Utf8PathBuf {
        self.lock_of(&self.project)
    }

    /// The same of another checkout of this repository, also of one that is not there yet.
    pub fn lock_of(&self, checkout: &Utf8Path) -> Utf8PathBuf {
        let digest = Digest::of_bytes(checkout.as_str().as_bytes()).to_string();
        self.repository.root().join(format!("{CHECKOUT_PREFIX}{}.lock", &digest[..KEY_DIGITS]))
    }

    /// The locks of all checkouts of this repository that were ever worked in.
    pub fn checkout_locks(&self) -> Result<Vec<Utf8PathBuf>, RunError> {
        let root = self.repository.root();
        let entries =
            files::entries(root).map_err(|source| RunError::Directory { path: root.to_owned(), source })?;
        let is_lock = |entry: &Utf8DirEntry| {
            entry.file_name().starts_with(CHECKOUT_PREFIX) && entry.path().extension() == Some("lock")
        };
        Ok(entries.into_iter().filter(is_lock).map(Utf8DirEntry::into_path).collect())
    }

    /// What is kept of other repositories that lay where this one lies: they were removed, or replaced by this one.
    pub fn earlier_repositories(&self) -> Result<Vec<RepositoryHome>, RunError> {
        let path = self.layout.as_ref().map_or(&self.project, |layout| &layout.common_dir);
        let is_earlier = |kept: &RepositoryHome| *kept != self.repository && known_at(kept, path).is_some();
        Ok(self.home.repositories()?.into_iter().filter(is_earlier).collect())
    }

    /// Was a repository made for a project without git?
    pub fn has_shadow(&self) -> bool {
        self.shadow().is_dir()
    }

    /// The folder of one loop.
    pub fn loop_home(&self, name: &Name) -> LoopPaths {
        LoopPaths::new(self.repository.loop_root(name))
    }

    fn shadow(&self) -> Utf8PathBuf {
        shadow_in(self.repository.root())
    }
}

/// Where the repository of a project without git lies, in this home.
pub(crate) fn shadow_in(home: &Utf8Path) -> Utf8PathBuf {
    home.join("shadow.git")
}

/// The home of a repository with git: by the key in its configuration, which moves with it.
fn own_home(layout: &Layout, home: &Home) -> Result<RepositoryHome, RunError> {
    if let Some(kept) = kept_home(layout, home)? {
        return Ok(kept);
    }
    match claimed_home(layout, home) {
        // Whoever only looks needs none: what has to write in it says soon enough why it cannot.
        Err(RunError::Write(_) | RunError::Lock(_) | RunError::Git(_)) => {
            let known = known_by_path(home, &layout.common_dir)?.map(|(kept, _)| kept);
            known.map_or_else(|| Ok(home.repository(&fresh_key(&layout.common_dir)?)), Ok)
        }
        claimed => claimed,
    }
}

fn claimed_home(layout: &Layout, home: &Home) -> Result<RepositoryHome, RunError> {
    let by_path = key_of(&layout.common_dir)?;
    let identities = home.root().join("identities");
    files::create_private_directories(&identities, Durability::Synced)?;
    // Git waits for nobody who writes the same configuration, and several may come here at once for the first time.
    let _alone = Lock::wait(&identities.join(format!("{by_path}.lock")), by_path.as_str().as_bytes())?;
    if let Some(kept) = kept_home(layout, home)? {
        return Ok(kept);
    }
    let path = &layout.common_dir;
    let fresh = fresh_key(path)?;
    let (fresh, key) = known_by_path(home, path)?.unwrap_or_else(|| (home.repository(&fresh), fresh));
    write_identity(&fresh, path)?;
    layout.set_identity(key.as_str())?;
    Ok(fresh)
}

/// The home of a repository whose git directory was taken away from this project: its loops are found all the same.
fn home_of_lost(project: &Utf8Path, home: &Home) -> Result<Option<RepositoryHome>, RunError> {
    let git = project.join(".git");
    let is_its = |kept: &RepositoryHome| known_at(kept, &git).is_some();
    if git.exists() {
        return Ok(None);
    }
    // Several may have lain here, one after the other.
    let newest = |kept: &RepositoryHome| kept.loop_names().ok().and_then(|names| names.last().cloned());
    let kept = home.repositories()?.into_iter().filter(is_its);
    let begun = kept.filter_map(|kept| Some((newest(&kept)?, kept)));
    Ok(begun.max_by(|one, other| one.0.cmp(&other.0)).map(|(_, kept)| kept))
}

/// The home of a project without git: a folder made anew at the path of another one has a home of its own.
fn home_without_git(project: &Utf8Path, home: &Home) -> Result<RepositoryHome, RunError> {
    let earlier = home.repository(&key_of(project)?);
    if earlier.root().is_dir() {
        if !earlier.identity().is_file() {
            // Of a version that asked for the path only.
            write_identity(&earlier, project)?;
        }
        if is_known_as(&earlier, project) {
            return Ok(earlier);
        }
    }
    Ok(home.repository(&fresh_key(project)?))
}

fn kept_home(layout: &Layout, home: &Home) -> Result<Option<RepositoryHome>, RunError> {
    let Some(key) = layout.identity()?.and_then(|key| Name::parse(&key).ok()) else { return Ok(None) };
    let kept = home.repository(&key);
    let path = &layout.common_dir;
    // A worker can write the key. One that nobody knows here hides no loops of the repository at this path.
    if !kept.identity().is_file() && known_by_path(home, path)?.is_some() {
        return Ok(None);
    }
    Ok(is_of(&kept, path)?.then_some(kept))
}

/// The home that the very repository at this path has already.
fn known_by_path(home: &Home, path: &Utf8Path) -> Result<Option<(RepositoryHome, Name)>, RunError> {
    let mut homes = [fresh_key(path)?, key_of(path)?].into_iter().map(|key| (home.repository(&key), key));
    Ok(homes.find(|(kept, _)| is_known_as(kept, path)))
}

fn is_known_as(home: &RepositoryHome, path: &Utf8Path) -> bool {
    known_at(home, path).is_some_and(|identity| is_marked(&identity, path))
}

/// Its identity, where that can be read and is of this path.
fn known_at(home: &RepositoryHome, path: &Utf8Path) -> Option<Identity> {
    read_identity(home).ok().flatten().filter(|identity| identity.path == path)
}

fn read_identity(home: &RepositoryHome) -> Result<Option<Identity>, RunError> {
    records::read(&home.identity(), "a repository's identity")
}

/// Is what lies at this path the very thing that the identity was written for? Earlier versions did not ask.
fn is_marked(identity: &Identity, path: &Utf8Path) -> bool {
    identity.mark.is_none() || identity.mark == mark_at(path)
}

pub(crate) fn mark_at(path: &Utf8Path) -> Option<String> {
    Birthmark::read(path).ok().map(|mark| mark.as_str().to_owned())
}

/// Does what is kept under this key belong to the repository at this path? It does when the repository was moved
/// here; a copy of a repository that is still where it was gets a home of its own.
fn is_of(kept: &RepositoryHome, path: &Utf8Path) -> Result<bool, RunError> {
    let Some(identity) = read_identity(kept)? else {
        write_identity(kept, path)?;
        return Ok(true);
    };
    let is_here = identity.path == path;
    let is_marked_so = identity.mark.is_some() && identity.mark == mark_at(path);
    if is_here && is_marked_so {
        return Ok(true);
    }
    // Restored, or brought from another disk, it has another mark; the key in its configuration says which it is.
    let is_original_gone = is_here || !identity.path.exists() || !is_marked(&identity, &identity.path);
    let is_its = is_marked_so || is_original_gone;
    if is_its {
        write_identity(kept, path)?;
    }
    Ok(is_its)
}

fn write_identity(home: &RepositoryHome, path: &Utf8Path) -> Result<(), RunError> {
    home.create()?;
    let identity = Identity { version: crate::FORMAT_VERSION, path: path.to_owned(), mark: mark_at(path) };
    records::keep(&home.identity(), "an identity", &identity, Durability::Buffered)
}

/// A key that no earlier repository at this path has.
fn fresh_key(path: &Utf8Path) -> Result<Name, RunError> {
    let mark = mark_at(path).unwrap_or_default();
    key_of(&Utf8PathBuf::from(format!("{path}\n{mark}")))
}

fn key_of(path: &Utf8Path) -> Result<Name, RunError> {
    let digest = Digest::of_bytes(path.as_str().as_bytes()).to_string();
    Name::parse(&digest[..KEY_DIGITS]).map_err(|source| RunError::Name { source })
}

#[cfg(test)]
mod tests;
