//! What a person's own git would do with a commit: who makes it, which hooks would run, whether it is signed; and what they
//! have staged.
//!
//! Gulf commits by plumbing, runs none of it, and owes the person a word about what was left out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use super::Repository;
use super::error::Result;
use super::names::TreeId;
use super::objects::Committer;
use super::program::Call;
use super::worktree_view::WorktreeView;
use crate::digest::Digest;
use crate::{files, programs};

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
pub fn own_setting(name: &str) -> Result<Option<String>> {
    // There is no repository whose settings could be read.
    let call = Call::new(Path::new("/"), &[], "config").variable("GIT_DIR", "/nonexistent");
    value_of(call.args(["--includes", "--type=path", "--get", name]))
}

/// What such a question is answered with; none where nothing is set.
fn value_of(asked: Call) -> Result<Option<String>> {
    let value = asked.accept(&[0, 1]).run()?.text();
    Ok(Some(value).filter(|value| !value.trim().is_empty()))
}

impl Repository {
    /// Who commits here; none where nobody said.
    pub fn committer(&self) -> Result<Option<Committer>> {
        let (name, email) = (self.setting("user.name")?, self.setting("user.email")?);
        Ok(name.zip(email).map(|(name, email)| Committer { name, email }))
    }

    /// What gulf does not do when it commits, and a person may expect.
    pub fn left_out_of_commit(&self) -> Result<LeftOutOfCommit> {
        let folder = self.hooks_folder()?;
        let is_there = |name: &&str| programs::is_executable(&folder.join(name));
        let hooks = HOOKS.into_iter().filter(is_there).map(str::to_owned).collect();
        let signs = self.setting("commit.gpgSign")?.unwrap_or_default().to_lowercase();
        Ok(LeftOutOfCommit { hooks, signature: matches!(signs.as_str(), "true" | "yes" | "on" | "1") })
    }

    /// What is staged, all of it, as a tree; none where conflicts are not resolved.
    pub fn staged_tree(&self) -> Result<Option<TreeId>> {
        let view = WorktreeView::unlisted(self, self.work_tree(), &self.layout.git_dir)?;
        if !view.call("ls-files").args(["-z", "-u"]).run()?.stdout.is_empty() {
            return Ok(None);
        }
        Ok(Some(TreeId::parse(&view.call("write-tree").run()?.text())?))
    }

    /// How many files of the worktree no commit holds as they are, those that git ignores left out. Nothing is written.
    pub fn count_uncommitted(&self) -> Result<usize> {
        self.store.refresh_info(&self.layout.common_dir)?;
        let view = WorktreeView::unlisted(self, self.work_tree(), &self.layout.git_dir)?;
        view.refresh()?;
        let head = self.head_with_tree(None)?.map_or_else(|| self.empty_tree(), |head| head.tree);
        let changed = view.call("diff-index").args(["--name-only", "-z", head.as_str()]).run()?.stdout;
        let new = view.call("ls-files").args(["-z", "--others", "--exclude-standard"]).run()?.stdout;
        let count = |paths: &[u8]| paths.iter().filter(|byte| **byte == 0).count();
        Ok(count(&changed) + count(&new))
    }

    fn hooks_folder(&self) -> Result<Utf8PathBuf> {
        let call = self.person_call("config")?.args(["--includes", "--path", "--get-all", "core.hooksPath"]);
        let said = call.accept(&[0, 1]).run()?.text();
        // The last one is gulf's own, which switches all of them off.
        let theirs = said.lines().rfind(|path| *path != "/dev/null");
        // A relative one counts from where hooks run.
        Ok(theirs.map_or_else(|| self.layout.common_dir.join("hooks"), |path| self.work_tree().join(path)))
    }

    /// Of these settings of the person's as they are now, local ones first.
    fn setting(&self, name: &str) -> Result<Option<String>> {
        value_of(self.layout.person_call("config")?.args(["--includes", "--get", name]))
    }
}

// What a repository's own settings and hooks are, read from git's files.

/// Far more than any repository's settings take; what is behind it is not looked at.
const CONFIG_BYTES_MAX: u64 = 1 << 20;
const HOOK_BYTES_MAX: u64 = 16 << 20;
/// So many settings and hooks are compared.
const NAMES_MAX: usize = 10_000;

/// Settings and hooks by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configured {
    /// `remote.origin.url`; of one that stands several times all values, a line each.
    pub settings: BTreeMap<String, String>,
    /// The digest of each hook that git could run.
    pub hooks: BTreeMap<String, String>,
}

impl Repository {
    /// What stands there by now; what cannot be read counts as not there.
    pub fn configured(&self) -> Configured {
        let mut settings = BTreeMap::new();
        let layout = &self.layout;
        for path in [layout.common_dir.join("config"), layout.git_dir.join("config.worktree")] {
            if let Ok(bytes) = files::read_bytes(&path, CONFIG_BYTES_MAX) {
                read_settings(&String::from_utf8_lossy(&bytes), &mut settings);
            }
        }
        Configured { settings, hooks: hooks(&layout.common_dir.join("hooks")) }
    }
}

fn hooks(folder: &Utf8Path) -> BTreeMap<String, String> {
    let entries = folder.read_dir_utf8().into_iter().flatten().filter_map(Result::ok).take(NAMES_MAX);
    let found = entries.filter(|entry| !entry.file_name().ends_with(".sample")).filter_map(|entry| {
        let is_file = fs::metadata(entry.path()).is_ok_and(|found| found.is_file());
        let digest = || match files::read_bytes(entry.path(), HOOK_BYTES_MAX) {
            Ok(bytes) => Digest::of_bytes(&bytes).to_string(),
            Err(error) => error.to_string(),
        };
        is_file.then(|| (entry.file_name().to_owned(), digest()))
    });
    found.collect()
}

/// As far as comparing needs it: what stands in quotes stays in quotes.
fn read_settings(text: &str, settings: &mut BTreeMap<String, String>) {
    let text = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        let rest = match line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            Some((header, rest)) => {
                section = section_name(header);
                rest.trim()
            }
            None => line,
        };
        if rest.is_empty() || rest.starts_with(['#', ';']) || settings.len() >= NAMES_MAX {
            continue;
        }
        // A name alone switches something on.
        let (name, value) = rest.split_once('=').unwrap_or((rest, "true"));
        let name = format!("{section}.{}", name.trim().to_lowercase());
        let earlier = settings.get(&name).map(|earlier| format!("{earlier}\n")).unwrap_or_default();
        settings.insert(name, earlier + value.trim());
    }
}

/// `[remote "Origin"]` is `remote.Origin`: only what is in quotes is told by its letters' size.
fn section_name(header: &str) -> String {
    match header.split_once('"') {
        Some((section, name)) => {
            format!("{}.{}", section.trim().to_lowercase(), name.trim_end().trim_end_matches('"'))
        }
        None => header.trim().to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    //! Settings in the forms in which git writes them, and people do.

    use super::*;

    #[test]
    fn settings_are_found_in_every_form_that_git_takes() {
        let text = "[core]\n\tbare = false\n\thooksPath=/tmp/x\n[remote \"Evil]\"]\n";
        let mut found = BTreeMap::new();
        read_settings(text, &mut found);
        assert_eq!(found["core.hookspath"], "/tmp/x");
        let text = "[Remote \"Up\"] url = a # b\n# no = 1\n fetch = \\\nx\nfetch = y\n[gc]\nauto\n";
        let mut found = BTreeMap::new();
        read_settings(text, &mut found);
        let pairs: Vec<String> = found.iter().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(pairs, ["gc.auto=true", "remote.Up.fetch=x\ny", "remote.Up.url=a # b"]);
    }
}
