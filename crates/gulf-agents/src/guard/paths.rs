//! Where protected things lie, and whether a path is one of them, lies within one, or above one.

use super::{GULF, GuardVerdict, Keeper, Offence, Protected, SEAL, ToolUse};

/// Longer is no path on any system.
const PATH_BYTES_MAX: usize = 4096;

/// What a tool or a command does to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    Writes,
    /// With all that lies below.
    Takes,
}

/// One protected thing, by the names on the way to it in lower case.
#[derive(Debug)]
struct Entry {
    names: Vec<String>,
    is_folder: bool,
    label: String,
    keeper: Keeper,
}

/// All protected things, as seen from the folder where a tool works.
#[derive(Debug)]
pub(super) struct Paths {
    entries: Vec<Entry>,
    free: Vec<Entry>,
    home: Option<Vec<String>>,
    /// Where relative paths begin; nothing where that is not known.
    pub(super) folder: Option<Vec<String>>,
}

impl Paths {
    pub(super) fn new(protected: &Protected, tool_use: &ToolUse<'_>) -> Self {
        let project = absolute(&protected.project);
        let within = |keeper: Keeper, paths: &[String]| -> Vec<Entry> {
            let base = project.as_deref().unwrap_or_default();
            let known = paths.iter().filter(|path| !base.is_empty() && !path.is_empty());
            known.map(|path| Entry::new(follow(base.to_vec(), path), path, keeper)).collect()
        };
        let outside = protected.outside.iter().filter_map(|path| {
            let names = absolute(path).filter(|names| !names.is_empty())?;
            Some(Entry { is_folder: true, ..Entry::new(names, path, GULF) })
        });
        let mut entries = within(SEAL, &protected.sealed);
        entries.extend(within(GULF, &protected.state));
        entries.extend(outside);
        let (free, home) = (within(GULF, &protected.free), protected.home.as_deref().and_then(absolute));
        Self { entries, free, home, folder: absolute(tool_use.cwd) }
    }

    /// Objects if that is done to this path; `how` says by what.
    pub(super) fn check(&self, path: &str, touch: Touch, how: impl FnOnce() -> String) -> GuardVerdict {
        let Some(names) = self.resolve(path) else { return Ok(()) };
        let touches =
            |entry: &Entry| entry.holds(&names) || (touch == Touch::Takes && entry.names.starts_with(&names));
        let is_free = self.free.iter().any(|entry| entry.holds(&names));
        match self.entries.iter().find(|entry| touches(entry)).filter(|_| !is_free) {
            Some(entry) => Err(Offence { path: entry.label.clone(), keeper: entry.keeper, how: how() }),
            None => Ok(()),
        }
    }

    /// The names on the way to a path; `..` is taken as text, for nothing is looked up on the disk.
    pub(super) fn resolve(&self, path: &str) -> Option<Vec<String>> {
        if path.is_empty() || path.len() > PATH_BYTES_MAX {
            return None;
        }
        if let Some(rest) = path.strip_prefix('~') {
            let is_own = rest.is_empty() || rest.starts_with('/');
            return self.home.clone().filter(|_| is_own).map(|home| follow(home, rest));
        }
        absolute(path).or_else(|| Some(follow(self.folder.clone()?, path)))
    }
}

impl Entry {
    fn new(names: Vec<String>, path: &str, keeper: Keeper) -> Self {
        Self { names, is_folder: path.ends_with('/'), label: path.to_owned(), keeper }
    }

    fn holds(&self, names: &[String]) -> bool {
        self.names == names || (self.is_folder && names.starts_with(&self.names))
    }
}

fn absolute(path: &str) -> Option<Vec<String>> {
    path.starts_with('/').then(|| follow(Vec::new(), path))
}

fn follow(mut names: Vec<String>, path: &str) -> Vec<String> {
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            _ => names.push(name.to_lowercase()),
        }
    }
    names
}
