//! Where protected things lie, and whether a path is one of them, within one, or above one.
//!
//! It stands apart because paths come from tools, from commands and out of code, and all are to be read alike: without
//! looking at the disk, without regard to case, and with `..` taken as text.

use std::rc::Rc;

use super::glob::{self, Dots};
use super::value::Value;
use super::{Keeper, Offence, Protected};

/// A folder by the names on the way to it, in lower case.
pub(super) type Folder = Rc<[String]>;

/// One protected thing.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) names: Vec<String>,
    pub(super) is_folder: bool,
    label: String,
    keeper: Keeper,
}

/// All protected things.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    entries: Vec<Entry>,
    free: Vec<Entry>,
    project: Option<Folder>,
    home: Option<Folder>,
    outside: Option<String>,
}

/// A path to compare with: names, or patterns of the shell.
type Route = Vec<Step>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Name(String),
    Pattern(String),
}

/// How a path lies to a protected thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    Above,
    Same,
    Below,
    Apart,
}

impl Ground {
    pub(super) fn new(protected: &Protected) -> Self {
        let project = folder(&protected.project);
        let within = |keeper: Keeper, paths: &[String]| -> Vec<Entry> {
            let base = project.as_deref().unwrap_or_default();
            let known = paths.iter().filter(|_| !base.is_empty());
            known.filter_map(|path| Entry::new(base, path, keeper)).collect()
        };
        let mut entries = within(Keeper::Seal, &protected.sealed);
        entries.extend(within(Keeper::Gulf, &protected.state));
        entries.extend(protected.outside.iter().filter_map(|path| Entry::outside(path)));
        let free = within(Keeper::Gulf, &protected.free);
        let home = protected.home.as_deref().and_then(folder);
        let outside = protected.outside.first().cloned();
        Self { entries, free, project, home, outside }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn project(&self) -> Option<&Folder> {
        self.project.as_ref()
    }

    pub(super) fn home(&self) -> Option<&Folder> {
        self.home.as_ref()
    }

    /// The folder that gulf keeps for itself.
    pub(super) fn outside(&self) -> Option<&str> {
        self.outside.as_deref()
    }

    /// The protected thing that a write to this path is a write to.
    pub(super) fn written(&self, path: &Value, folder: Option<&Folder>) -> Option<&Entry> {
        let route = self.route(path, folder)?;
        self.find(&route, |entry, lie| lie == Lie::Same || (lie == Lie::Below && entry.is_folder))
    }

    /// The same, and what goes when the path goes with all below it.
    pub(super) fn taken(&self, path: &Value, folder: Option<&Folder>) -> Option<&Entry> {
        let route = self.route(path, folder)?;
        self.find(&route, |entry, lie| {
            matches!(lie, Lie::Same | Lie::Above) || (lie == Lie::Below && entry.is_folder)
        })
    }

    /// Whether the path is a protected folder itself, so that a file of the same name would land within.
    pub(super) fn is_protected_folder(&self, path: &Value, folder: Option<&Folder>) -> bool {
        self.route(path, folder).is_some_and(|route| {
            self.find(&route, |entry, lie| lie == Lie::Same && entry.is_folder).is_some()
        })
    }

    /// Whether the path may be written for all that lies around it.
    pub(super) fn is_free(&self, path: &Value, folder: Option<&Folder>) -> bool {
        self.route(path, folder).is_some_and(|route| self.frees(&route))
    }

    /// Every protected thing that lies at this path, below it or around it, and how many names further down.
    pub(super) fn all_below(&self, path: &Value, folder: Option<&Folder>) -> Vec<(&Entry, usize)> {
        let Some(route) = self.route(path, folder) else { return Vec::new() };
        let below = self.entries.iter().filter_map(|entry| match entry.lie(&route) {
            Lie::Above | Lie::Same => Some((entry, entry.names.len() - route.len())),
            Lie::Below if entry.is_folder => Some((entry, 0)),
            Lie::Below | Lie::Apart => None,
        });
        below.collect()
    }

    /// The folder that `cd` goes to.
    pub(super) fn enter(&self, path: &Value, folder: Option<&Folder>) -> Option<Folder> {
        let route = self.route(path, folder)?;
        let names = route.into_iter().map(|step| match step {
            Step::Name(name) => Some(name),
            Step::Pattern(_) => None,
        });
        names.collect::<Option<Vec<String>>>().map(Folder::from)
    }

    fn find(&self, route: &Route, counts: impl Fn(&Entry, Lie) -> bool) -> Option<&Entry> {
        let entry = self.entries.iter().find(|entry| counts(entry, entry.lie(route)))?;
        (!self.frees(route)).then_some(entry)
    }

    fn frees(&self, route: &Route) -> bool {
        self.free.iter().any(|free| match free.lie(route) {
            Lie::Same => route.iter().all(|step| matches!(step, Step::Name(_))),
            Lie::Below => free.is_folder,
            Lie::Above | Lie::Apart => false,
        })
    }

    /// Nothing where it is not known where the path leads.
    fn route(&self, path: &Value, folder: Option<&Folder>) -> Option<Route> {
        if !path.may_be_path() {
            return None;
        }
        let (text, is_pattern) =
            path.pattern().map_or((path.text.as_str(), false), |pattern| (pattern, true));
        let text = if path.is_below_home { text.strip_prefix('~')? } else { text };
        let mut route: Route = if path.is_below_home {
            (text.is_empty() || text.starts_with('/')).then(|| steps(self.home.as_ref()))??
        } else if is_absolute(text) {
            Route::new()
        } else {
            steps(folder)?
        };
        // In a pattern a backslash quotes; elsewhere it is the separator of another system.
        let is_separator = |character| character == '/' || (!is_pattern && character == '\\');
        for name in text.split(is_separator) {
            match name {
                "" | "." => {}
                ".." => {
                    route.pop();
                }
                _ if is_pattern && name.contains(['*', '?', '[', '\\']) => {
                    route.push(Step::Pattern(name.to_lowercase()));
                }
                _ => route.push(Step::Name(name.to_lowercase())),
            }
            if let Some(real) = process_link(&route) {
                route = if real == "cwd" { steps(folder)? } else { Route::new() };
            }
        }
        Some(route)
    }
}

impl Entry {
    fn new(base: &[String], path: &str, keeper: Keeper) -> Option<Self> {
        let below = names(path);
        let names: Vec<String> = base.iter().cloned().chain(below.iter().cloned()).collect();
        (!below.is_empty()).then(|| Self {
            names,
            is_folder: path.ends_with('/'),
            label: path.to_owned(),
            keeper,
        })
    }

    fn outside(path: &str) -> Option<Self> {
        let names = names(path);
        let label = path.to_owned();
        (is_absolute(path) && !names.is_empty()).then_some(Self {
            names,
            is_folder: true,
            label,
            keeper: Keeper::Gulf,
        })
    }

    pub(super) fn is_gulfs(&self) -> bool {
        self.keeper == Keeper::Gulf
    }

    pub(super) fn offence(&self, how: impl Into<String>) -> Offence {
        Offence { path: self.label.clone(), keeper: self.keeper, how: how.into() }
    }

    fn lie(&self, route: &Route) -> Lie {
        if !route.iter().zip(&self.names).all(|(step, name)| step.fits(name)) {
            return Lie::Apart;
        }
        match route.len().cmp(&self.names.len()) {
            std::cmp::Ordering::Less => Lie::Above,
            std::cmp::Ordering::Equal => Lie::Same,
            std::cmp::Ordering::Greater => Lie::Below,
        }
    }
}

impl Step {
    fn fits(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Pattern(pattern) => glob::matches(pattern, name, Dots::Named),
        }
    }
}

/// An absolute folder; nothing if it is not.
pub(super) fn folder(path: &str) -> Option<Folder> {
    is_absolute(path).then(|| names(path).into())
}

/// The folder as a path.
pub(super) fn text(folder: &[String]) -> String {
    let has_drive = folder.first().is_some_and(|name| name.ends_with(':'));
    format!("{}{}", if has_drive { "" } else { "/" }, folder.join("/"))
}

fn names(path: &str) -> Vec<String> {
    let mut names = Vec::new();
    for name in path.split(['/', '\\']) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            _ => names.push(name.to_lowercase()),
        }
    }
    names
}

fn steps(folder: Option<&Folder>) -> Option<Route> {
    Some(folder?.iter().cloned().map(Step::Name).collect())
}

fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    let has_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.get(1) == Some(&b':');
    path.starts_with('/') || (has_drive && matches!(bytes.get(2), Some(b'/' | b'\\')))
}

/// `/proc/self/cwd` and `/proc/self/root` are other names of two folders.
fn process_link(route: &[Step]) -> Option<&str> {
    match route {
        [Step::Name(top), Step::Name(process), Step::Name(link)] => {
            let is_process = process == "self" || process.bytes().all(|byte| byte.is_ascii_digit());
            (top == "proc" && is_process && (link == "cwd" || link == "root")).then_some(link)
        }
        _ => None,
    }
}
