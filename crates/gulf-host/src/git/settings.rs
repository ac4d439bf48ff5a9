//! The two things gulf writes beside the person's repository: its identity, and lines of `info/exclude`.
//!
//! Here, and in `refs`, gulf touches the person's own git directory.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::error::{GitError, Result};
use super::names::TreePath;
use super::snapshot::nul_terminated;
use super::store::{GLOBAL, quoted, read_info, replace_file, replace_persons_file};
use super::worktree_view::WorktreeView;
use super::{Layout, Repository};
use crate::crash;

const IDENTITY: &str = "gulf.repository";
const EXCLUDE: &str = "info/exclude";
/// Beside those rules: the paths that they, and those in the worktree, had git ignore when a loop began.
const IGNORED: &str = "info/ignored";
const EXCLUDE_COMMENT: &str = "# gulf: what loops write beside the person's work";

impl Layout {
    /// What `gulf.repository` in the local git configuration says. Git is asked only where the file speaks of gulf.
    pub fn identity(&self) -> Result<Option<String>> {
        if !self.speaks_of(&["[gulf"]) {
            return Ok(None);
        }
        let call = self.person_call("config")?.args(["--local", "--no-includes", "--get", IDENTITY]);
        let answer = call.accept(&[0, 1]).run()?;
        Ok(if answer.code == 0 { Some(answer.text()) } else { None })
    }

    /// Writes `gulf.repository` into the local git configuration.
    pub fn set_identity(&self, identity: &str) -> Result<()> {
        crash::point("git.config");
        self.person_call("config")?.args(["--local", IDENTITY, identity]).run()?;
        Ok(())
    }

    /// Git 2.54 runs hooks that are named in configuration; each is switched off by name. Reading the names costs a
    /// call, so it is made only where the files speak of hooks or of other files.
    pub(super) fn hook_switches(&self) -> Result<Vec<String>> {
        if !self.speaks_of(&["[hook", "[include"]) {
            return Ok(Vec::new());
        }
        let answer = super::program::Call::new(self.work_tree.as_std_path(), &[], "config")
            .variable("GIT_DIR", &self.git_dir)
            .args(["--includes", "--list", "--name-only", "-z"])
            .run()?;
        let names = String::from_utf8_lossy(&answer.stdout).into_owned();
        let hook = |name: &str| {
            let (middle, _) = name.strip_prefix("hook.")?.rsplit_once('.')?;
            (!middle.contains('=')).then(|| format!("hook.{middle}.enabled=false"))
        };
        Ok(names.split('\0').filter_map(hook).collect())
    }

    /// Does a file of the repository's configuration have one of these beginnings of sections, in whatever letters?
    fn speaks_of(&self, sections: &[&str]) -> bool {
        let files = [self.common_dir.join("config"), self.git_dir.join("config.worktree")];
        let texts = files.iter().filter_map(|path| fs::read(path).ok());
        let mut texts = texts.map(|bytes| String::from_utf8_lossy(&bytes).to_ascii_lowercase());
        texts.any(|text| sections.iter().any(|section| text.contains(section)))
    }
}

impl Repository {
    /// Adds the missing ones of `patterns` to the repository's `info/exclude`; other lines keep their bytes.
    pub fn exclude(&self, patterns: &[&str]) -> Result<()> {
        if let Some(bad) = patterns.iter().find(|pattern| pattern.trim().is_empty() || pattern.contains('\n'))
        {
            return Err(GitError::Invalid { wanted: "one line of an ignore file", text: (*bad).to_owned() });
        }
        let own = self.store.sealed.as_ref().map(|sealed| sealed.join(EXCLUDE));
        // Where somebody put a link, it may lead to any file of the person's.
        let theirs = Some(self.layout.common_dir.join(EXCLUDE)).filter(|path| !path.is_symlink());
        for path in theirs.into_iter().chain(own) {
            if let Some(changed) = with_patterns(&read_info(&path)?, patterns) {
                replace_persons_file(&path, &changed)?;
            }
        }
        Ok(())
    }

    /// Takes over the person's global settings, ignore rules and attributes as they are now. What is written there later, by
    /// a worker or by what it had run, counts for the next loop only.
    pub fn seal_settings(&mut self) -> Result<()> {
        if self.store.sealed.is_some() {
            return Ok(());
        }
        self.store.refresh_info(&self.layout.common_dir)?;
        let (mut global, named) = self.global_settings(None)?;
        let directory = self.store.directory.clone();
        let mut config = read_info(&directory.join("config"))?;
        for (name, default) in [("excludesfile", "ignore"), ("attributesfile", "attributes")] {
            let path = match named.get(name) {
                Some(path) => in_home(path),
                None => settings_folder().map(|folder| folder.join("git").join(default)),
            };
            let text = path.map_or(Ok(Vec::new()), |path| read_info(&self.work_tree().join(path)))?;
            let kept = directory.join("info").join(name);
            replace_file(&kept, &text)?;
            let line = format!("[core]\n\t{name} = {}\n", quoted(kept.as_str()));
            config.extend_from_slice(line.as_bytes());
            global.push_str(&line);
        }
        replace_file(&directory.join("config"), &config)?;
        let mut ignored = WorktreeView::unlisted(self, self.work_tree(), &self.layout.git_dir)?.ignored()?;
        // git also lists a folder that no rule names, before all that is ignored in it: what comes new into it is work.
        ignored.reverse();
        ignored.dedup_by(|folder, within| within.is_at_or_below(folder));
        replace_file(&directory.join(IGNORED), &nul_terminated(&ignored))?;
        // Written last: with it, all of them are sealed.
        replace_file(&directory.join(GLOBAL), global.as_bytes())?;
        self.store.sealed = Some(directory);
        Ok(())
    }

    /// What lay there, and was ignored, when the loop began; a folder that a rule names as one.
    pub fn ignored_at_start(&self) -> Result<Vec<TreePath>> {
        let path = self.store.sealed.as_ref().map(|sealed| sealed.join(IGNORED)).filter(|path| path.exists());
        let read = |path: Utf8PathBuf| fs::read(&path).map_err(GitError::file("read", &path));
        let listed = path.map_or(Ok(Vec::new()), read)?;
        listed.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(TreePath::parse).collect()
    }

    /// Global settings as one file that includes nothing, and the files that settings of any kind name.
    pub(super) fn global_settings(
        &self,
        global: Option<&Utf8Path>,
    ) -> Result<(String, BTreeMap<&'static str, String>)> {
        let mut call = self.person_call("config")?.args(["--includes", "--list", "--show-scope", "-z"]);
        if let Some(global) = global {
            call = call.variable("GIT_CONFIG_GLOBAL", global);
        }
        Ok(settings_listed(&call.run()?.stdout))
    }

    /// Where the settings of a loop's start are kept.
    pub fn sealed_settings(&self) -> Option<&Utf8Path> {
        self.store.sealed.as_deref()
    }

    /// With the settings that a loop was started with.
    pub fn under(mut self, sealed: Option<&Utf8Path>) -> Self {
        self.store.sealed = sealed.map(Utf8Path::to_owned);
        self
    }

    /// The local configuration without what it includes: names in lower case, in order.
    pub(super) fn local_settings(&self) -> Result<Vec<(String, String)>> {
        let answer = self.person_call("config")?.args(["--local", "--no-includes", "--list", "-z"]).run()?;
        let pair = |entry: &[u8]| {
            let text = String::from_utf8_lossy(entry).into_owned();
            // A name alone means true.
            let (name, value) = text.split_once('\n').unwrap_or((&text, "true"));
            (name.to_lowercase(), value.to_owned())
        };
        Ok(answer.entries().map(pair).collect())
    }

    /// Those of `paths` below a folder that rules which stand there ignore, and that `index` does not track.
    pub fn ignored(&self, folder: &Utf8Path, index: &Utf8Path, paths: &[TreePath]) -> Result<Vec<TreePath>> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let call = self.store.call_in(folder, index, "check-ignore").args(["-z", "--stdin"]);
        let answer = call.input(nul_terminated(paths)).accept(&[0, 1]).run()?;
        answer.paths()
    }
}

fn settings_listed(listed: &[u8]) -> (String, BTreeMap<&'static str, String>) {
    let (mut text, mut named) = (String::new(), BTreeMap::new());
    let mut fields = listed.split(|byte| *byte == 0);
    while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
        let entry = String::from_utf8_lossy(entry);
        // A name alone means true.
        let (name, value) = match entry.split_once('\n') {
            Some((name, value)) => (name, Some(value)),
            None => (entry.as_ref(), None),
        };
        let file = ["excludesfile", "attributesfile"].into_iter().find(|file| name == format!("core.{file}"));
        if let (Some(file), Some(value)) = (file, value) {
            named.insert(file, value.to_owned());
        } else if scope == b"global" && !name.starts_with("include") {
            text.push_str(&setting(name, value));
        }
    }
    (text, named)
}

/// `filter.lfs.smudge` as lines of a file of settings.
fn setting(name: &str, value: Option<&str>) -> String {
    let (section, rest) = name.split_once('.').unwrap_or((name, ""));
    let (middle, key) = rest.rsplit_once('.').map_or((None, rest), |(middle, key)| (Some(middle), key));
    let escape = |middle: &str| middle.replace('\\', "\\\\").replace('"', "\\\"");
    let middle = middle.map_or_else(String::new, |middle| format!(" \"{}\"", escape(middle)));
    let value = value.map_or_else(String::new, |value| format!(" = {}", quoted(value)));
    format!("[{section}{middle}]\n\t{key}{value}\n")
}

/// Where programs keep settings, unless a variable says otherwise.
fn settings_folder() -> Option<Utf8PathBuf> {
    let named = std::env::var("XDG_CONFIG_HOME").ok().filter(|folder| !folder.is_empty());
    named.map(Utf8PathBuf::from).or_else(|| in_home("~/.config"))
}

fn in_home(path: &str) -> Option<Utf8PathBuf> {
    match path.strip_prefix("~/") {
        Some(rest) => std::env::var("HOME").ok().map(|home| Utf8PathBuf::from(home).join(rest)),
        None => Some(path.into()),
    }
}

/// A path as a line of an ignore file that means this path and no other.
pub fn exclude_line(path: &str) -> String {
    let mut text = String::from("/");
    for character in path.chars() {
        if "\\*?[]!# ".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}

/// The file with the missing patterns under gulf's comment; `None` when none is missing.
fn with_patterns(bytes: &[u8], patterns: &[&str]) -> Option<Vec<u8>> {
    let has_line = |wanted: &str| {
        bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line.strip_suffix(b"\r").unwrap_or(line) == wanted.as_bytes())
    };
    let missing: Vec<&&str> = patterns.iter().filter(|pattern| !has_line(pattern)).collect();
    if missing.is_empty() {
        return None;
    }
    let mut changed = bytes.to_vec();
    if !changed.is_empty() && !changed.ends_with(b"\n") {
        changed.push(b'\n');
    }
    let comment = (!has_line(EXCLUDE_COMMENT)).then_some(EXCLUDE_COMMENT);
    for line in comment.into_iter().chain(missing.into_iter().copied()) {
        changed.extend_from_slice(line.as_bytes());
        changed.push(b'\n');
    }
    Some(changed)
}
