//! Finds the repository a directory belongs to, or makes the shadow one for a project without git.
//!
//! It is the only place where git searches; everything later names its directories.

use camino::{Utf8Path, Utf8PathBuf};

use super::Repository;
use super::error::{GitError, Result};
use super::named_references::no_file_in;
use super::names::ObjectFormat;
use super::program::{Answer, Call};
use super::store::{config_head, replace_file, write_skeleton};
use super::version::GitVersion;
use crate::provision::DEPENDENCY_FOLDERS;
use crate::{crash, files};

/// The file that stands for the git directory in an added worktree holds a path.
const POINTER_BYTES_MAX: u64 = 64 << 10;
/// So many paths stand on one command line.
const PATHS_AT_ONCE_MAX: usize = 200;

/// Where a repository lies; all paths absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub work_tree: Utf8PathBuf,
    /// Holds HEAD and the index of this worktree.
    pub git_dir: Utf8PathBuf,
    /// Holds objects, references and configuration; differs from `git_dir` in an added worktree.
    pub common_dir: Utf8PathBuf,
    pub object_format: ObjectFormat,
}

impl Repository {
    /// Asks git which repository `directory` belongs to; loops where there is none use a shadow one (`shadow`).
    pub fn discover(directory: &Utf8Path) -> Result<Option<Layout>> {
        discover_with(directory, &[])
    }

    /// A repository in `shadow_git_dir` with `project` as its worktree, made at the first call.
    pub fn shadow(project: &Utf8Path, shadow_git_dir: &Utf8Path, private: &Utf8Path) -> Result<Self> {
        let work_tree = project.canonicalize_utf8().map_err(GitError::file("find", project))?;
        let config = shadow_git_dir.join("config");
        if !config.is_file() {
            crash::point("git.shadow");
            write_skeleton(shadow_git_dir, "ref: refs/heads/gulf\n", &[])?;
            // Nobody wrote ignore rules for a project without git; its dependencies are not its text.
            let folders: String = DEPENDENCY_FOLDERS.iter().map(|name| format!("{name}/\n")).collect();
            let exclude = format!("# gulf: dependencies and caches\n{folders}__pycache__/\n");
            replace_file(&shadow_git_dir.join("info/exclude"), exclude.as_bytes())?;
            replace_file(&config, config_head(ObjectFormat::Sha1).as_bytes())?;
        }
        let git_dir = shadow_git_dir.canonicalize_utf8().map_err(GitError::file("find", shadow_git_dir))?;
        let common_dir = git_dir.clone();
        Self::open(Layout { work_tree, git_dir, common_dir, object_format: ObjectFormat::Sha1 }, private)
    }
}

/// Those of `paths`, relative to `directory`, that git ignores and does not track there: they are in no commit. Where
/// there is no repository nothing is ignored.
pub fn ignored_paths(directory: &Utf8Path, paths: &[String]) -> Result<Vec<String>> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let paths = paths.iter().flat_map(|path| [path.as_bytes(), &[0]].concat()).collect();
    let call = Call::new(directory.as_std_path(), &[], "check-ignore").args(["-z", "--stdin"]);
    let answer = call.input(paths).accept(&[0, 1, 128]).run()?;
    Ok(answer.entries().map(|path| String::from_utf8_lossy(path).into_owned()).collect())
}

/// Those of `paths`, relative to `directory`, that git tracks there.
pub fn tracked_paths(directory: &Utf8Path, paths: &[String]) -> Result<Vec<String>> {
    let mut tracked = Vec::new();
    // Few enough at once for any system's limit on arguments.
    for some in paths.chunks(PATHS_AT_ONCE_MAX) {
        let call = Call::new(directory.as_std_path(), &[], "ls-files");
        let call = call.variable("GIT_LITERAL_PATHSPECS", "1").args(["-z", "--cached", "--"]);
        let answer = call.args(some).accept(&[0, 128]).run()?;
        tracked.extend(answer.entries().map(|path| String::from_utf8_lossy(path).into_owned()));
    }
    Ok(tracked)
}

/// Does git track this path of a repository, relative to `directory`, in whatever letters?
pub fn tracks(directory: &Utf8Path, path: &str) -> Result<bool> {
    let answer = Call::new(directory.as_std_path(), &[], "ls-files")
        .args(["-z", "--cached", "--"])
        // A file system that knows no capital letters opens both.
        .arg(format!(":(icase){path}"))
        .run()?;
    Ok(!answer.stdout.is_empty())
}

pub(super) fn discover_with(directory: &Utf8Path, environment: &[(&str, &str)]) -> Result<Option<Layout>> {
    let directory = directory.canonicalize_utf8().map_err(GitError::file("find", directory))?;
    if let Some(path) = no_file_around(&directory) {
        return Err(GitError::NoFile { path });
    }
    let mut call = Call::new(directory.as_std_path(), &[], "rev-parse")
        .args(["--path-format=absolute", "--is-bare-repository", "--is-inside-git-dir"])
        .args(["--show-object-format", "--git-dir", "--git-common-dir", "--show-toplevel"])
        .accept(&[0, 128]);
    for (name, value) in environment {
        call = call.variable(name, value);
    }
    let answer = call.run()?;
    let text = answer.text();
    let lines: Vec<&str> = text.lines().collect();
    match lines.as_slice() {
        ["true", _, _, _, _, ..] => Err(GitError::Bare { directory }),
        ["false", "true", ..] => Err(GitError::InsideGitDirectory { directory }),
        ["false", "false", format, git_dir, common_dir, work_tree] => {
            let layout = Layout {
                work_tree: (*work_tree).into(),
                git_dir: (*git_dir).into(),
                common_dir: (*common_dir).into(),
                object_format: ObjectFormat::parse(format)?,
            };
            // `core.worktree` may point anywhere; a loop works where it was started.
            if directory.starts_with(&layout.work_tree) {
                Ok(Some(layout))
            } else {
                let said = format!("its worktree is {work_tree}");
                Err(GitError::Broken { directory, said })
            }
        }
        _ => explain_failure(directory, &answer),
    }
}

/// What git would read first there, and wait for.
fn no_file_around(directory: &Utf8Path) -> Option<Utf8PathBuf> {
    let git = directory.ancestors().map(|above| above.join(".git")).find(|path| path.exists())?;
    let folder = match git.is_file() {
        false => git,
        true => {
            let text = files::read_text(&git, POINTER_BYTES_MAX).ok()?.content;
            git.parent()?.join(text.strip_prefix("gitdir:")?.trim())
        }
    };
    // An added worktree's lies in `worktrees` of the other one's.
    let common = folder.join("../..");
    let is_added = folder.join("commondir").exists();
    no_file_in(&folder, 1).or_else(|| no_file_in(&common, 1).filter(|_| is_added))
}

/// Nobody's repository: the sandbox of an agent leaves such a folder where it was told that it may write, `/tmp/.git` too.
fn is_empty_folder(path: &Utf8Path) -> bool {
    path.read_dir_utf8().is_ok_and(|mut entries| entries.next().is_none())
}

/// Git found nothing it would open: because there is nothing, because of its owner, or because it is broken.
fn explain_failure(directory: Utf8PathBuf, answer: &Answer) -> Result<Option<Layout>> {
    let above = directory.ancestors().map(|above| above.join(".git"));
    let Some(found) = above.into_iter().find(|path| path.exists() && !is_empty_folder(path)) else {
        return Ok(None);
    };
    // Named outright, a repository is opened whoever owns it; so the owner was what git minded.
    let call = Call::new(directory.as_std_path(), &[], "rev-parse").variable("GIT_DIR", &found);
    let named = call.arg("--git-dir").accept(&[0, 128]).run()?;
    if named.code == 0 && answer.code != 0 {
        let directory = found.parent().map_or(directory, Utf8Path::to_owned);
        return Err(GitError::Ownership { directory });
    }
    // It takes what it does not know for a word, and fails later or without one.
    if let Some(version) = GitVersion::of_program().ok().filter(|version| !version.is_enough()) {
        return Err(GitError::TooOld { version: version.to_string() });
    }
    let said = answer.complaints.lines().next().unwrap_or_default().to_owned();
    Err(GitError::Broken { directory: found, said })
}
