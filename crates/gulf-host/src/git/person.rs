//! What a person's own git would do with a commit: who makes it, which hooks would run, whether it is signed; and what they
//! have staged.
//!
//! It stands apart because gulf commits by plumbing, runs none of it, and owes the person a word about what was left out.

use std::fs;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use super::Repository;
use super::error::GitError;
use super::names::TreeId;
use super::objects::Committer;
use super::program::Call;
use super::standing::copy_index;
use super::temporary_folder;
use crate::programs;

/// The hooks that `git commit` runs.
const HOOKS: [&str; 4] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

/// What `git commit` would have done besides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOutOfCommit {
    /// By name.
    pub hooks: Vec<String>,
    pub signature: bool,
}

/// What the person's own git says of a setting that is a path, whatever a repository says.
pub fn own_setting(name: &str) -> Result<Option<String>, GitError> {
    // There is no repository whose settings could be read.
    let call = Call::new(Path::new("/"), &[], "config").variable("GIT_DIR", "/nonexistent");
    let answer = call.args(["--includes", "--type=path", "--get", name]).accept(&[0, 1]).run()?;
    let value = answer.text();
    Ok((answer.code == 0 && !value.trim().is_empty()).then_some(value))
}

impl Repository {
    /// Who commits here; none where nobody said.
    pub fn committer(&self) -> Result<Option<Committer>, GitError> {
        let (name, email) = (self.setting("user.name")?, self.setting("user.email")?);
        Ok(name.zip(email).map(|(name, email)| Committer { name, email }))
    }

    /// What gulf does not do when it commits, and a person may expect.
    pub fn left_out_of_commit(&self) -> Result<LeftOutOfCommit, GitError> {
        let folder = self.hooks_folder()?;
        let is_there = |name: &&str| programs::is_executable(&folder.join(name));
        let hooks = HOOKS.into_iter().filter(is_there).map(str::to_owned).collect();
        let signs = self.setting("commit.gpgSign")?.unwrap_or_default().to_lowercase();
        Ok(LeftOutOfCommit { hooks, signature: matches!(signs.as_str(), "true" | "yes" | "on" | "1") })
    }

    /// What is staged, all of it, as a tree; none where conflicts are not resolved.
    pub fn staged_tree(&self) -> Result<Option<TreeId>, GitError> {
        let (_kept, folder) = temporary_folder()?;
        let index = self.copied_index(&folder)?;
        let call = |verb| self.store.call_in(self.work_tree(), &index, verb);
        if !call("ls-files").args(["-z", "-u"]).run()?.stdout.is_empty() {
            return Ok(None);
        }
        TreeId::parse(&call("write-tree").run()?.text()).map(Some)
    }

    /// How many files of the worktree no commit holds as they are, those that git ignores left out. Nothing is written.
    pub fn count_uncommitted(&self) -> Result<usize, GitError> {
        let (_kept, folder) = temporary_folder()?;
        let index = self.copied_index(&folder)?;
        self.store.refresh_info(&self.layout.common_dir)?;
        let call = |verb| self.store.call_in(self.work_tree(), &index, verb);
        // It ends with 1 where something has changed.
        call("update-index").args(["-q", "--refresh"]).accept(&[0, 1]).run()?;
        let head = self.head_with_tree(None)?.map_or_else(|| self.empty_tree(), |head| head.tree);
        let changed = call("diff-index").args(["--name-only", "-z", head.as_str()]).run()?.stdout;
        let new = call("ls-files").args(["-z", "--others", "--exclude-standard"]).run()?.stdout;
        let count = |paths: &[u8]| paths.iter().filter(|byte| **byte == 0).count();
        Ok(count(&changed) + count(&new))
    }

    /// The person's index, to look into without writing theirs.
    fn copied_index(&self, folder: &Utf8Path) -> Result<Utf8PathBuf, GitError> {
        let index = folder.join("index");
        copy_index(&self.layout.git_dir.join("index"), &index)?;
        // A split index names another file beside it.
        let shared = self.layout.git_dir.read_dir_utf8();
        for entry in shared.into_iter().flatten().flatten() {
            if entry.file_name().starts_with("sharedindex.") {
                let to = folder.join(entry.file_name());
                fs::copy(entry.path(), &to).map_err(GitError::file("copy", entry.path()))?;
            }
        }
        Ok(index)
    }

    fn hooks_folder(&self) -> Result<Utf8PathBuf, GitError> {
        let call = self.person_call("config")?.args(["--includes", "--path", "--get-all", "core.hooksPath"]);
        let said = call.accept(&[0, 1]).run()?.text();
        // The last one is gulf's own, which switches all of them off.
        let theirs = said.lines().rfind(|path| *path != "/dev/null");
        // A relative one counts from where hooks run.
        Ok(theirs.map_or_else(|| self.layout.common_dir.join("hooks"), |path| self.work_tree().join(path)))
    }

    /// Of these settings of the person's, local ones first.
    fn setting(&self, name: &str) -> Result<Option<String>, GitError> {
        let answer = self.person_call("config")?.args(["--includes", "--get", name]).accept(&[0, 1]).run()?;
        let value = answer.text();
        Ok((answer.code == 0 && !value.trim().is_empty()).then_some(value))
    }
}
