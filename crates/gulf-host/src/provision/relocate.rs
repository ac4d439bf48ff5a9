//! Makes what names the worktree name the checkout: links, and the text files of Python environments.
//!
//! A check that imports the worktree's code judges what the worker is editing now, not the candidate.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use camino::Utf8Path;
use walkdir::WalkDir;

use super::canonical;

/// Larger files of an environment are programs and data, not scripts that hold a path.
const TEXT_BYTES_MAX: u64 = 4 << 20;

/// From where to where.
pub(super) struct Relocation {
    /// The worktree's path as given and as resolved; the longer first, lest one is replaced inside the other.
    from: Vec<String>,
    to: String,
}

impl Relocation {
    pub(super) fn new(work_tree: &Utf8Path, checkout: &Utf8Path) -> Self {
        let mut from = vec![work_tree.to_string(), canonical(work_tree).to_string()];
        from.sort_by_key(|path| std::cmp::Reverse(path.len()));
        from.dedup();
        Self { from, to: canonical(checkout).to_string() }
    }

    /// Where a link at `place`, relative to the worktree, must point in the checkout.
    pub(super) fn link_target(&self, place: &Path, target: &Path) -> PathBuf {
        if target.is_absolute() {
            let inside = self.from.iter().find_map(|from| target.strip_prefix(from).ok());
            return match inside {
                Some(rest) if rest.as_os_str().is_empty() => PathBuf::from(&self.to),
                Some(rest) => Path::new(&self.to).join(rest),
                None => target.to_owned(),
            };
        }
        // A relative link means the same in the checkout, unless it climbs out of the worktree.
        let directory = place.parent().unwrap_or(Path::new(""));
        match (climbs_out(&directory.join(target)), self.from.first()) {
            (true, Some(from)) => Path::new(from).join(directory).join(target),
            (true, None) | (false, _) => target.to_owned(),
        }
    }

    /// Rewrites the files of every Python environment in a staged folder.
    pub(super) fn rewrite_python(&self, folder: &Path) -> io::Result<()> {
        let environments = WalkDir::new(folder).max_depth(3).into_iter().filter_map(Result::ok);
        let environments = environments.filter(|entry| entry.file_name() == "pyvenv.cfg");
        let roots: Vec<PathBuf> =
            environments.filter_map(|entry| entry.path().parent().map(Path::to_owned)).collect();
        for root in roots {
            for entry in WalkDir::new(&root).into_iter().filter_map(Result::ok) {
                if entry.file_type().is_file() && may_hold_path(&root, entry.path()) {
                    self.rewrite(entry.path())?;
                }
            }
        }
        Ok(())
    }

    fn rewrite(&self, path: &Path) -> io::Result<()> {
        let metadata = fs::symlink_metadata(path)?;
        if metadata.len() > TEXT_BYTES_MAX {
            return Ok(());
        }
        let bytes = fs::read(path)?;
        // A launcher with a program inside keeps offsets that a path of another length would break.
        if bytes.contains(&0) {
            return Ok(());
        }
        let mut changed = bytes.clone();
        for from in &self.from {
            changed = replace_path(&changed, from.as_bytes(), self.to.as_bytes());
            let encoded = percent_encoded(from);
            if encoded != *from {
                let to = percent_encoded(&self.to);
                changed = replace_path(&changed, encoded.as_bytes(), to.as_bytes());
            }
        }
        if changed == bytes {
            return Ok(());
        }
        // The new time stamp is meant: byte code compiled from the old text must not be taken for current.
        let permissions = metadata.permissions();
        fs::remove_file(path)?;
        fs::write(path, changed)?;
        fs::set_permissions(path, permissions)
    }
}

fn climbs_out(path: &Path) -> bool {
    let mut depth = 0_i64;
    for component in path.components() {
        match component {
            Component::ParentDir => depth -= 1,
            Component::Normal(_) => depth += 1,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

/// The files in which pip, uv, setuptools and hatch write the project's path.
fn may_hold_path(root: &Path, path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_script =
        path.parent().is_some_and(|parent| parent == root.join("bin") || parent == root.join("Scripts"));
    let ends = |suffix: &str| name.ends_with(suffix);
    is_script
        || ends(".pth")
        || ends(".egg-link")
        || (name.starts_with("__editable__") && ends(".py"))
        || (name.starts_with("_editable_impl") && ends(".py"))
        || name == "direct_url.json"
        || name == "pyvenv.cfg"
}

/// Replaces a path where it stands whole: `/a/project` is not in `/a/project-2` nor in `/b/a/project`.
fn replace_path(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.%".contains(byte) || !byte.is_ascii();
    let mut changed = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(from.len().max(1)).position(|window| window == from) {
        let (before, found) = rest.split_at(at);
        let after = &found[from.len()..];
        changed.extend_from_slice(before);
        let whole = !after.first().is_some_and(goes_on) && !changed.last().is_some_and(goes_on);
        changed.extend_from_slice(if whole { to } else { from });
        rest = after;
    }
    changed.extend_from_slice(rest);
    changed
}

/// A path as it stands in a `file://` address.
fn percent_encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
