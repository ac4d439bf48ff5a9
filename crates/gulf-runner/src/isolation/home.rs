//! A worker's home: the person's to read, what agents and tools keep there to write, and all that is new in a folder of the
//! loop's. So nothing that a worker leaves in a home is run or obeyed when a person works.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_agents::agents::{AgentHome, Descriptor, Tool};
use gulf_host::files::{self, Durability};
use gulf_host::isolation::{Mount, MountAccess};

use super::room::{DOWNLOADS, Machine, machine, real};
use crate::error::Result;
use crate::folder::file_name;
use crate::resources::Resources;

/// What package managers and builds keep in a home, beside their downloads.
const CACHES: [&str; 23] = [
    ".android", ".bun/install/cache", ".bundle", ".cabal", ".cache", ".cargo/.global-cache",
    ".cargo/.package-cache", ".cargo/.package-cache-mutate", ".composer", ".gradle", ".hex", ".ivy2",
    ".konan", ".m2/wrapper", ".mix", ".npm", ".nuget", ".opam", ".pub-cache", ".sbt", ".stack", ".yarn",
    "go/pkg",
];
/// What they are set to there.
const SETTINGS_WITHIN: [&str; 6] = [
    ".bundle/config", ".composer/auth.json", ".gradle/gradle.properties", ".gradle/init.d",
    ".gradle/init.gradle", ".sbt/repositories",
];
/// Variables that name such a folder, with what of it is written where that is not all.
const ELSEWHERE: [&str; 11] = [
    "CARGO_HOME/git", "CARGO_HOME/registry", "GOCACHE", "GOMODCACHE", "GOPATH/pkg", "GRADLE_USER_HOME",
    "PIP_CACHE_DIR", "TMPDIR", "UV_CACHE_DIR", "XDG_CACHE_HOME", "npm_config_cache",
];
/// Where programs make folders when they first run, and the variables that name these.
const BASES: [(&str, &str); 3] =
    [("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share"), ("XDG_STATE_HOME", ".local/state")];
/// Of these, agents write in all but the one in which a person sets what they do.
const SET_THERE: &str = "XDG_CONFIG_HOME";
/// Of more entries of a folder, files that are not hidden are left out first.
const ENTRIES_MAX: usize = 256;
/// An agent writes it anew and moves it into place, which cannot be done with a mount.
const REPLACED: &str = ".claude.json";

pub(super) struct WorkerHome<'a> {
    pub(super) machine: Machine<'a>,
    /// Where what is new lies.
    new: Utf8PathBuf,
    /// Where folders of settings lie that it makes in an agent's.
    made: Utf8PathBuf,
}

impl<'a> WorkerHome<'a> {
    pub(super) fn in_loop(resources: &'a Resources) -> Self {
        let made = resources.folder.root().join("made-in-agents");
        Self { machine: machine(resources), new: resources.folder.worker_home(), made }
    }

    /// What a worker sees of it, parents first. What stands around the paths that are `needed` is seen however full it is.
    pub(super) fn places(&self, needed: &[Utf8PathBuf]) -> Result<Vec<Mount>> {
        let Some(home) = real(self.machine.home.as_deref()).pop() else { return Ok(Vec::new()) };
        let written = written();
        let mut divided = divided(&written);
        // What leads elsewhere is seen as the link that it is.
        divided.retain(|folder| is_itself(&home.join(folder)));
        self.prepare(&home, &divided)?;
        let mut places =
            vec![Mount::Instead { at: home.clone(), from: self.new.clone(), access: MountAccess::Write }];
        for folder in &divided {
            let entries = home.join(folder).read_dir_utf8().into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| folder.join(entry.file_name())).collect();
            names.retain(|name| !divided.contains(name));
            // Each costs the more time the more there are.
            let is_aside = |name: &Utf8PathBuf| !home.join(name).is_dir() && !is_hidden(name);
            let is_needed = |name: &Utf8PathBuf| needed.iter().any(|path| path.starts_with(home.join(name)));
            names.sort_by_cached_key(|name| {
                (!written.contains(name) && !is_needed(name), is_aside(name), name.clone())
            });
            names.truncate(ENTRIES_MAX);
            places.extend(names.iter().filter_map(|name| self.seen(&home, name, written.contains(name))));
        }
        let settings = self.machine.of_home(&SETTINGS_WITHIN).chain(self.settings_of_agents());
        let settings =
            settings.filter_map(|path| self.held(&path).transpose()).collect::<Result<Vec<_>, _>>()?;
        let linked = written.iter().map(|name| home.join(name)).filter(|path| !is_itself(path));
        let elsewhere: Vec<_> = self.elsewhere().into_iter().chain(linked).collect();
        let elsewhere = real(elsewhere.iter().map(Utf8PathBuf::as_path));
        places.extend(elsewhere.into_iter().filter(|path| !home.starts_with(path)).map(Mount::Write));
        places.extend(settings);
        Ok(places)
    }

    /// To read where it is there; a folder that is not lies with the loop, if there is one around it for a worker to write.
    fn held(&self, path: &Utf8Path) -> Result<Option<Mount>> {
        if let Ok(real) = path.canonicalize_utf8() {
            return Ok(Some(Mount::Read(real)));
        }
        let at = Utf8Path::new(path.as_str().trim_end_matches('/'));
        let around = at.parent().and_then(|around| around.canonicalize_utf8().ok());
        let (Some(around), false, true) = (around, at.is_symlink(), at != path) else { return Ok(None) };
        let from = self.made.join(file_name(at.as_str()));
        files::create_private_directories(&from, Durability::Buffered)?;
        let at = around.join(at.file_name().unwrap_or_default());
        Ok(Some(Mount::Instead { at, from, access: MountAccess::Write }))
    }

    /// Where a worker may write, there or not.
    pub(super) fn writable(&self) -> Vec<Utf8PathBuf> {
        let written = written();
        let of_home = self.machine.home.iter().flat_map(|home| written.iter().map(|name| home.join(name)));
        of_home.chain(self.elsewhere()).collect()
    }

    /// Where it lies what a path of the home is for a worker. What leads out of its own home is nothing.
    pub(super) fn found(&self, at: &Utf8Path) -> Option<Utf8PathBuf> {
        if at.exists() {
            return Some(at.to_owned());
        }
        let new =
            self.new.join(at.strip_prefix(self.machine.home.as_ref()?).ok()?).canonicalize_utf8().ok()?;
        new.starts_with(self.new.canonicalize_utf8().ok()?).then_some(new)
    }

    /// With a mount for each entry of the folders that are divided; one that a worker took apart is made anew. Nothing of gulf's
    /// writes further down, where a link may stand.
    fn prepare(&self, home: &Utf8Path, divided: &BTreeSet<Utf8PathBuf>) -> Result<()> {
        let is_whole = |folder: &Utf8PathBuf| {
            self.new.join(folder).symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
        };
        if divided.iter().any(|folder| self.new.join(folder).symlink_metadata().is_ok() && !is_whole(folder))
        {
            files::remove_directory(&self.new)?;
        }
        files::create_private_directories(&self.new, Durability::Buffered)?;
        let (theirs, own) = (home.join(REPLACED), self.new.join(REPLACED));
        let written = |path: &Utf8Path| path.symlink_metadata().and_then(|metadata| metadata.modified()).ok();
        match std::fs::read(&theirs) {
            Ok(text) if written(&own) < written(&theirs) => {
                Ok(files::replace(&own, &text, Durability::Buffered)?)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn seen(&self, home: &Utf8Path, name: &Utf8Path, is_written: bool) -> Option<Mount> {
        let (at, new) = (home.join(name), self.new.join(name).symlink_metadata().ok());
        let kind = at.symlink_metadata().ok()?.file_type();
        if kind.is_symlink() {
            return new.is_none().then(|| Some(Mount::Link { to: at.read_link_utf8().ok()?, at }))?;
        }
        let is_free = new.is_none_or(|new| new.file_type() == kind);
        let is_seen = kind.is_dir() || kind.is_file() && name != REPLACED;
        (is_free && is_seen).then_some(if is_written { Mount::Write(at) } else { Mount::Read(at) })
    }

    fn elsewhere(&self) -> Vec<Utf8PathBuf> {
        let value = |variable: &str| self.machine.environment.value(variable).map(Utf8PathBuf::from);
        let named = ELSEWHERE.into_iter().filter_map(|path| {
            let (variable, below) = path.split_once('/').unwrap_or((path, ""));
            Some(value(variable)?.join(below))
        });
        let own = Tool::ALL.iter().map(|tool| tool.descriptor()).filter(|agent| !is_by_base(agent));
        let own = own.filter_map(|agent| Some(value(agent.home.variable)?.join(agent.home.within)));
        // Any agent may keep its own there.
        let home = self.machine.home.as_ref();
        let is_in_home = |path: &Utf8PathBuf| {
            let path = path.canonicalize_utf8().unwrap_or_else(|_| path.clone());
            home.is_some_and(|home| path.starts_with(home))
        };
        let bases = written_bases().filter_map(|(variable, _)| value(variable));
        let bases = bases.filter(|path| !is_in_home(path));
        named.chain(own).chain(bases).filter(|path| path.is_absolute()).collect()
    }

    pub(super) fn settings_of_agents(&self) -> impl Iterator<Item = Utf8PathBuf> {
        Tool::ALL.iter().map(|tool| tool.descriptor()).flat_map(|agent| {
            let AgentHome { variable, within, default } = agent.home;
            let named =
                self.machine.environment.value(variable).map(|value| Utf8Path::new(value).join(within));
            let folders =
                named.into_iter().chain(self.machine.home.iter().map(move |home| home.join(default)));
            folders.flat_map(|folder| agent.settings.iter().map(move |name| folder.join(name)))
        })
    }
}

/// Is it there, and reached by no link?
fn is_itself(path: &Utf8Path) -> bool {
    path.canonicalize_utf8().is_ok_and(|real| real == *path)
}

fn is_hidden(name: &Utf8Path) -> bool {
    name.file_name().is_some_and(|name| name.starts_with('.'))
}

/// Does it keep what is its own below such a folder, by its name?
fn is_by_base(agent: &Descriptor) -> bool {
    BASES.iter().any(|(variable, _)| *variable == agent.home.variable)
}

fn written_bases() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    BASES.iter().filter(|(variable, _)| *variable != SET_THERE)
}

/// What is written in a home.
fn written() -> BTreeSet<Utf8PathBuf> {
    let agents = Tool::ALL.iter().map(|tool| tool.descriptor());
    let agents = agents.flat_map(|agent| match is_by_base(agent) {
        true => written_bases().map(|(_, base)| format!("{base}/{}", agent.name)).collect(),
        false => vec![agent.home.default.to_owned()],
    });
    CACHES.into_iter().chain(DOWNLOADS).map(str::to_owned).chain(agents).map(Utf8PathBuf::from).collect()
}

/// Folders of the home of which a worker sees each entry, beside what it makes itself: others cannot be added to.
fn divided(written: &BTreeSet<Utf8PathBuf>) -> BTreeSet<Utf8PathBuf> {
    let bases = BASES.iter().map(|(_, base)| Utf8PathBuf::from(base));
    let within = bases.clone().chain(written.iter().cloned());
    let around = within.flat_map(|path| path.ancestors().skip(1).map(Utf8Path::to_owned).collect::<Vec<_>>());
    let is_written = |folder: &Utf8PathBuf| folder.ancestors().any(|above| written.contains(above));
    around.chain(bases).filter(|folder| !is_written(folder)).collect()
}
