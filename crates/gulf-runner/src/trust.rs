//! Which repositories a person trusts: in these alone hooks take over a loop that they find, and run its commands.
//!
//! A cloned repository must gain nothing by what lies in it. Trust is given by a person, kept in gulf's home, and
//! bound to the folder that git's directory is (`gulf_host::birthmark`): no path, no key in a configuration and no
//! file that somebody ships names it. A worker that runs as the same user can write there; it is the first step of a
//! stranger that is kept out, not a worker that was let in.
//!
//! ```text
//! <home>/trust/<mark>.json        given
//!              <mark>.told/…      what a hook has said once of a repository
//! ```

use std::{fs, io};

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::birthmark::Birthmark;
use gulf_host::digest::Digest;
use gulf_host::files::{self, Durability};
use gulf_host::git::{self, Layout};
use gulf_host::home::Home;
use serde::{Deserialize, Serialize};

use crate::error::RunError;
use crate::place::{PlaceOfWork, Project};
use crate::session::STATE_FILES;
use crate::{FORMAT_VERSION, records};

/// So many commands are remembered; what is more is shown again.
const COMMANDS_MAX: usize = 1_000;
/// How much is read of the file by which an added worktree is known.
const BACK_POINTER_BYTES_MAX: u64 = 64 << 10;

/// What a person trusts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trust {
    pub version: u32,
    /// Where it was when trust was given: for people, nothing is decided on it.
    pub project: Utf8PathBuf,
    pub given_at_ms: u64,
    /// The command by which it was given.
    pub by: String,
    /// What hooks may run there.
    pub commands: Vec<String>,
    /// The digests of state files that lay there already and that nobody has looked at: they begin nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed_over: Vec<String>,
}

/// What the person did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenOn {
    /// They looked at what lies there: this is trusted, and nothing else.
    Looking,
    /// They went on with what lies there.
    GoingOn,
    /// They began something of their own: more commands are trusted, and no state file that came along.
    Beginning,
}

/// What lies where a repository was when it was trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustedPlace {
    Itself,
    Another,
    Nothing,
}

/// All trust that was given on this machine.
#[derive(Clone, Debug)]
pub struct TrustStore {
    folder: Utf8PathBuf,
}

impl TrustStore {
    pub fn open(home: &Home) -> Self {
        Self { folder: home.root().join("trust") }
    }

    /// What is trusted under this mark; what cannot be read is not trusted.
    pub fn find(&self, mark: &Birthmark) -> Option<Trust> {
        records::find(&self.path(mark.as_str()))
    }

    /// Writes down that a repository is trusted; what was trusted before is added where it stays so.
    pub fn give(&self, mark: &Birthmark, given: Trust, occasion: GivenOn) -> Result<(), RunError> {
        let before = self.find(mark);
        let mut trust = Trust { version: FORMAT_VERSION, ..given };
        if let Some(before) = before.as_ref().filter(|_| occasion != GivenOn::Looking) {
            let kept = before.commands.iter().filter(|command| !trust.commands.contains(command));
            let kept: Vec<String> = kept.cloned().collect();
            trust.commands.extend(kept);
        }
        trust.commands.truncate(COMMANDS_MAX);
        trust.passed_over = match (occasion, &before) {
            (GivenOn::Looking | GivenOn::GoingOn, _) => Vec::new(),
            (GivenOn::Beginning, None) => {
                STATE_FILES.iter().filter_map(|path| digest(&trust.project.join(path))).collect()
            }
            (GivenOn::Beginning, Some(before)) => before.passed_over.clone(),
        };
        let says_the_same = |before: &Trust| {
            before.project == trust.project
                && before.commands == trust.commands
                && before.passed_over == trust.passed_over
        };
        if occasion != GivenOn::Looking && before.as_ref().is_some_and(says_the_same) {
            return Ok(());
        }
        records::keep(&self.path(mark.as_str()), "what is trusted", &trust, Durability::Synced)?;
        // What was said of it before may be news again.
        Ok(files::remove_directory(&self.notice_path(mark))?)
    }

    /// Takes back the trust in whatever was at this path, also where nothing is there any more.
    pub fn revoke_at(&self, project: &Utf8Path) -> Result<bool, RunError> {
        let mut was_there = false;
        for (mark, trust) in self.marked() {
            if trust.project == project {
                was_there |= self.revoke(&mark)?;
            }
        }
        Ok(was_there)
    }

    /// All that is trusted, by path, and what lies there now.
    pub fn all(&self) -> Vec<(Trust, TrustedPlace)> {
        let seen = |(mark, trust): (String, Trust)| {
            let lies = match Project::find(&trust.project).and_then(|project| project.mark()) {
                Ok(now) if now.as_str() == mark => TrustedPlace::Itself,
                Ok(_) => TrustedPlace::Another,
                Err(_) => TrustedPlace::Nothing,
            };
            (trust, lies)
        };
        let mut all: Vec<(Trust, TrustedPlace)> = self.marked().into_iter().map(seen).collect();
        all.sort_by(|(one, _), (other, _)| one.project.cmp(&other.project));
        all
    }

    /// Is this said for the first time of the repository with this mark? It is from now on said.
    pub fn says_first(&self, mark: &Birthmark, text: &str) -> bool {
        let path = self.notice_path(mark).join(&Digest::of_bytes(text.as_bytes()).to_string()[..16]);
        if path.exists() {
            return false;
        }
        // Where it cannot be kept, it is said again.
        let _ = files::keep(&path, b"", Durability::Buffered);
        true
    }

    /// Takes trust in what has this mark back; says whether there was any.
    pub fn revoke(&self, mark: &str) -> Result<bool, RunError> {
        let path = self.path(mark);
        files::remove_directory(&self.folder.join(format!("{mark}.told")))?;
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(RunError::Directory { path, source }),
        }
    }

    fn marked(&self) -> Vec<(String, Trust)> {
        let Ok(entries) = self.folder.read_dir_utf8() else { return Vec::new() };
        let marked = |path: &Utf8Path| {
            Some((path.file_name()?.strip_suffix(".json")?.to_owned(), records::find(path)?))
        };
        entries.filter_map(|entry| marked(entry.ok()?.path())).collect()
    }

    fn path(&self, mark: &str) -> Utf8PathBuf {
        self.folder.join(format!("{mark}.json"))
    }

    fn notice_path(&self, mark: &Birthmark) -> Utf8PathBuf {
        self.folder.join(format!("{}.told", mark.as_str()))
    }
}

impl Trust {
    /// Those of these commands that nobody has trusted yet.
    pub fn unknown<'c>(&self, commands: &'c [String]) -> Vec<&'c str> {
        commands.iter().filter(|command| !self.commands.contains(command)).map(String::as_str).collect()
    }

    /// Did this state file lie there before the repository was trusted?
    pub fn passes_over(&self, file: &Utf8Path) -> bool {
        digest(file).is_some_and(|digest| self.passed_over.contains(&digest))
    }
}

fn digest(file: &Utf8Path) -> Option<String> {
    Digest::of_file(file).ok().map(|digest| digest.to_string())
}

impl Project {
    /// By what its repository is known: git's directory that all its worktrees share, or the folder itself without git.
    ///
    /// A checkout can claim to belong to any repository, by what it writes into `.git`. Where git's directory does not
    /// know it in turn, it is that checkout of that repository which is trusted, and no other.
    pub fn mark(&self) -> Result<Birthmark, RunError> {
        let of = |path: &Utf8Path| {
            Birthmark::read(path).map_err(|source| RunError::Directory { path: path.to_owned(), source })
        };
        let Some(layout) = &self.layout else { return of(&self.directory) };
        let shared = of(&layout.common_dir)?;
        Ok(if is_its_own(layout) { shared } else { shared.with(&of(&self.directory)?) })
    }
}

impl PlaceOfWork {
    /// By what its repository is known.
    pub fn mark(&self) -> Result<Birthmark, RunError> {
        self.as_project().mark()
    }

    /// Does a person trust what lies here?
    pub fn trust(&self) -> Option<Trust> {
        TrustStore::open(&self.home).find(&self.mark().ok()?)
    }
}

/// Does git's directory lie in this checkout, or name it as one that was added?
fn is_its_own(layout: &Layout) -> bool {
    let dot_git = layout.work_tree.join(".git");
    if dot_git.is_symlink() {
        return false;
    }
    if layout.git_dir == layout.common_dir {
        return dot_git.is_dir() && is_same(&dot_git, &layout.common_dir);
    }
    let is_below =
        layout.git_dir.parent().is_some_and(|parent| is_same(parent, &layout.common_dir.join("worktrees")));
    let back = files::read_text(&layout.git_dir.join("gitdir"), BACK_POINTER_BYTES_MAX);
    is_below && back.is_ok_and(|back| is_same(&layout.git_dir.join(back.content.trim_end()), &dot_git))
}

fn is_same(one: &Utf8Path, other: &Utf8Path) -> bool {
    matches!((one.canonicalize_utf8(), other.canonicalize_utf8()), (Ok(one), Ok(other)) if one == other)
}

/// Did somebody other than the person who works here put this file there? So it is with what git tracks, and with what
/// lies behind a link or in a repository within. `folder` is one of the project's.
pub fn came_along(project: &Project, folder: &Utf8Path, path: &str) -> Result<bool, RunError> {
    let file = folder.join(path);
    let within = file.ancestors().take_while(|above| *above != folder);
    if within.into_iter().any(|above| above.is_symlink() || above.join(".git").exists()) {
        return Ok(true);
    }
    Ok(project.layout.is_some() && git::tracks(folder, path)?)
}

#[cfg(test)]
mod tests;
