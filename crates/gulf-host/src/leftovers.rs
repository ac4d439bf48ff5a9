//! What git ignores in a worktree that is to go: built again at any time, held elsewhere, or perhaps wanted by somebody.
//!
//! Git calls all of it ignored, and only some of it is worth nothing: a worker's `.env` is in no commit and in no
//! build. Whatever is not known to be replaceable counts as wanted.

#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};
use walkdir::WalkDir;

use crate::git::TreePath;
use crate::platform;
use crate::provision::DEPENDENCY_FOLDERS;

/// Folders that builds, test runners and tools fill, beside those of dependencies.
const OUTPUT_FOLDERS: [&str; 27] = [
    "__pycache__", "build", "dist", "out", "bin", "obj", "coverage", "htmlcov", "test-results",
    "playwright-report", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".eggs", ".cache",
    ".next", ".nuxt", ".svelte-kit", ".turbo", ".vite", ".parcel-cache", ".nyc_output", ".zig-cache",
    "zig-out", ".dart_tool", ".build",
];
/// Endings of names that such tools give.
const OUTPUT_ENDINGS: [&str; 20] = [
    ".egg-info", ".pyc", ".pyo", ".o", ".obj", ".a", ".so", ".dylib", ".dll", ".rlib", ".class", ".log",
    ".tsbuildinfo", ".profraw", ".gcda", ".gcno", ".swp", "~", ".tmp", ".pid",
];
/// Whole names.
const OUTPUT_FILES: [&str; 6] =
    [".coverage", "coverage.xml", "junit.xml", ".eslintcache", ".DS_Store", "Thumbs.db"];
/// Of files that are looked at one by one; where there are more, nobody knows what they are.
const FILES_MAX: usize = 10_000;
/// So many are named.
const NAMED_MAX: usize = 3;
const BUFFER_BYTES: usize = 64 * 1024;

/// A worktree with what git ignores in it, and where else the same may be.
#[derive(Debug)]
pub struct Leftovers<'a> {
    pub worktree: &'a Utf8Path,
    /// From `Repository::ignored_in`.
    pub ignored: &'a [TreePath],
    /// Folders that somebody named as rebuilt at any time.
    pub caches: &'a [String],
    /// Checkouts that may hold a file of the same name and content.
    pub copies: &'a [Utf8PathBuf],
    /// A checkout in which nobody but the checks has worked: what they made there they can make again.
    pub rebuilt_in: &'a Utf8Path,
    /// Paths that such a checkout was given.
    pub given: &'a [String],
}

impl Leftovers<'_> {
    /// The first files that would be lost.
    pub fn wanted(&self) -> Vec<String> {
        let mut wanted = Vec::new();
        let mut looked_at = 0;
        for path in self.ignored {
            let Some(path) = path.as_utf8() else {
                wanted.push(path.to_string());
                continue;
            };
            if self.is_output(path) {
                continue;
            }
            let walk = WalkDir::new(self.worktree.join(path)).sort_by_file_name();
            let mut walk = walk.into_iter();
            while let Some(entry) = walk.next() {
                looked_at += 1;
                if looked_at > FILES_MAX {
                    wanted.push(format!("{path} and more than {FILES_MAX} files"));
                    return wanted;
                }
                let relative = entry.as_ref().ok().and_then(|entry| self.relative(entry.path()));
                let (Ok(entry), Some(relative)) = (entry, relative) else {
                    wanted.push(path.to_string());
                    break;
                };
                if self.is_output(&relative) {
                    if entry.file_type().is_dir() {
                        walk.skip_current_dir();
                    }
                } else if entry.file_type().is_file() && !self.is_elsewhere(&relative) {
                    wanted.push(relative.to_string());
                }
                // A link holds nothing, and what it leads to stays.
            }
            if wanted.len() >= NAMED_MAX {
                break;
            }
        }
        wanted.truncate(NAMED_MAX);
        wanted
    }

    fn relative(&self, path: &Path) -> Option<Utf8PathBuf> {
        Some(Utf8Path::from_path(path.strip_prefix(self.worktree).ok()?)?.to_owned())
    }

    fn is_output(&self, path: &Utf8Path) -> bool {
        let named = |part: &str| {
            DEPENDENCY_FOLDERS.contains(&part)
                || OUTPUT_FOLDERS.contains(&part)
                || OUTPUT_FILES.contains(&part)
                || OUTPUT_ENDINGS.iter().any(|ending| part.ends_with(ending))
        };
        path.components().any(|part| named(part.as_str()))
            || self.caches.iter().any(|cache| path.starts_with(cache.trim_end_matches('/')))
    }

    fn is_elsewhere(&self, path: &Utf8Path) -> bool {
        let there = self.worktree.join(path);
        let is_copy = |checkout: &Utf8PathBuf| is_same(&there, &checkout.join(path)).unwrap_or(false);
        let is_given = self.given.iter().any(|given| path.starts_with(given));
        self.copies.iter().any(is_copy) || (!is_given && self.rebuilt_in.join(path).is_file())
    }
}

/// Does [`programs_in`] find any at all on this system?
pub const PROGRAMS_ARE_SEEN: bool = platform::PROGRAMS_ARE_SEEN;

/// Programs that stand in this folder or below it, each with its number; this one is not meant. Only on Linux can they be
/// seen.
pub fn programs_in(folder: &Utf8Path) -> Vec<String> {
    let folder = folder.canonicalize_utf8().unwrap_or_else(|_| folder.to_owned());
    let others = platform::programs_in(folder.as_std_path()).into_iter();
    let others = others.filter(|(process, _)| *process != std::process::id());
    others
        .map(|(process, command)| {
            let program = command.split(' ').next().unwrap_or_default();
            format!("{} ({process})", program.rsplit('/').next().unwrap_or(program))
        })
        .collect()
}

/// Two files with the same bytes.
fn is_same(one: &Utf8Path, other: &Utf8Path) -> io::Result<bool> {
    if other.is_symlink() || fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (fs::File::open(one)?, fs::File::open(other)?);
    let (mut left, mut right) = (vec![0; BUFFER_BYTES], vec![0; BUFFER_BYTES]);
    loop {
        let read = one.read(&mut left)?;
        if read == 0 {
            return Ok(other.read(&mut right)? == 0);
        }
        other.read_exact(&mut right[..read])?;
        if left[..read] != right[..read] {
            return Ok(false);
        }
    }
}
