//! Which project a session is in, found without starting any program.
//!
//! It is all that happens in the many sessions without a loop: a few looks at the disk.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::home::Home;
use gulf_runner::session::{Armed, MARKER, RALPH_MARKER};

/// Where the session is, and what may be there.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    /// The checkout's top level; the folder itself where there is no git.
    pub project: Utf8PathBuf,
    /// Where the host says that the project is: a marker may lie there.
    pub named: Utf8PathBuf,
    /// Where the session stands.
    pub cwd: Utf8PathBuf,
    /// None where gulf has no home.
    pub home: Option<Home>,
}

impl Whereabouts {
    /// CLAUDE_PROJECT_DIR, else the git top level above the event's folder, else that folder.
    pub fn from_cwd(cwd: Option<&str>) -> Self {
        let here = std::env::current_dir().ok().and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
        let cwd = cwd.map(Utf8PathBuf::from).or(here).unwrap_or_default();
        let told =
            std::env::var("CLAUDE_PROJECT_DIR").ok().filter(|path| !path.is_empty()).map(Utf8PathBuf::from);
        let start = told.clone().unwrap_or_else(|| cwd.clone());
        let start = start.canonicalize_utf8().unwrap_or(start);
        let project = top_level(&start).unwrap_or_else(|| start.clone());
        let named = if told.is_some() { start } else { project.clone() };
        // What lies in the worktree is whoever's, also where it calls itself gulf's home.
        let home = Home::from_environment().ok().filter(|home| home.refuse_inside(&project).is_ok());
        Self { project, named, cwd, home }
    }

    /// Is there anything in this checkout that a hook must look at more closely?
    pub fn may_have_loop(&self) -> bool {
        self.is_armed() || self.has_marker()
    }

    /// A session works on a loop here.
    pub fn is_armed(&self) -> bool {
        self.home.as_ref().is_some_and(|home| Armed::path(home, &self.project).is_file())
    }

    /// A state file lies here, whoever wrote it.
    pub fn has_marker(&self) -> bool {
        let lies = |marker: &&str| self.project.join(marker).is_file() || self.named.join(marker).is_file();
        [MARKER, RALPH_MARKER].iter().any(lies)
    }
}

/// The nearest folder upwards that git would take for a worktree: one whose `.git` is a repository, or leads to one.
fn top_level(start: &Utf8Path) -> Option<Utf8PathBuf> {
    let is_top = |folder: &&Utf8Path| {
        let git = folder.join(".git");
        git.is_file() || git.join("HEAD").is_file()
    };
    start.ancestors().find(is_top).map(Utf8Path::to_owned)
}
