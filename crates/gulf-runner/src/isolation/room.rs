//! What a check sees of the machine: its checkout and the tools it is run with, and nothing else that anybody may write.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::isolation::{Inhabitant, Mount, MountAccess, Network, Walls};
use gulf_host::provision;

use super::home::WorkerHome;
use crate::agreement::{SealedCheck, WorkerWalls};
use crate::checks::Checks;
use crate::environment::{Environment, Variables};
use crate::error::{Failure, Result};
use crate::held_out;
use crate::resources::Resources;
use crate::room::CheckCheckout;

/// Where a check's caches of the home are looked for, and what the room has of them.
const CACHES: [(&str, &str); 2] = [(".cache/go-build", "go-build"), (".cargo/registry/src", "cargo-src")];
/// What tools write in one of these all the same.
const CACHES_OF_NODE: [&str; 7] =
    [".astro", ".cache", ".tmp", ".vite", ".vite-temp", ".vitest", ".vue-global-types"];
/// Set for every check: no downloads, and none is tried again for minutes.
const SET: [(&str, &str); 2] = [("CARGO_NET_OFFLINE", "true"), ("npm_config_fetch_retries", "0")];
/// What these name is not in the room.
const ELSEWHERE: [&str; 10] = [
    "TMPDIR", "TMP", "TEMP", "GOCACHE", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK",
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
];

impl Checks<'_> {
    /// What a check in this room sees and may do.
    pub(crate) fn walls_of_room(
        &self,
        room: CheckCheckout,
        checkout: &Utf8Path,
        check: &SealedCheck,
    ) -> Result<Walls> {
        provision::remove_byte_code(checkout, &self.resources.terms().dependency_folders)
            .map_err(|error| Failure::Refused(format!("cannot remove byte code in {checkout}: {error}")))?;
        let home = WorkerHome::in_loop(self.resources);
        let machine = &home.machine;
        // The worker's checkout is nobody's tool.
        let own = [self.resources.project(), &self.resources.terms().person, &self.resources.home];
        let is_own = |path: &Utf8Path| own.iter().any(|own| path.starts_with(own) || own.starts_with(path));
        let hidden = real(SHARED.map(Utf8Path::new).into_iter().chain(own).chain(machine.home.as_deref()));
        let mut visible = machine.programs();
        if self.resources.agreement.agent.sandbox == WorkerWalls::On {
            visible.extend(machine.of_home(&SETTINGS_OF_TOOLS));
        }
        let named = self.resources.agreement.verification.visible.iter();
        visible.extend(named.map(|path| self.resources.spelled_out(path)));
        visible.extend(held_out::named_paths(&check.command));
        visible.retain(|path| !is_own(path) && !hidden.contains(path));
        visible.extend(self.resources.repository.object_folders());
        visible.push(held_out::brought(&self.resources.folder, check.name.as_str()));
        visible
            .extend(self.resources.terms().links.iter().map(|link| self.resources.terms().person.join(link)));
        let is_made = self.resources.is_made_by_worker()?;
        visible.retain(|path| {
            !is_made(path) && path.exists() && hidden.iter().any(|folder| path.starts_with(folder))
        });
        visible.sort();
        visible.dedup();
        let downloads = machine.of_home(&DOWNLOADS).filter(|path| !is_own(path));
        let downloads = downloads
            .filter_map(|at| Some(Mount::Instead { from: home.found(&at)?, at, access: MountAccess::Read }));
        let caches = caches(self.resources, room, &home)?;
        let written = [checkout.to_owned(), self.resources.beside(room, "reports")];
        let places = hidden.into_iter().map(Mount::Empty).chain(visible.into_iter().map(Mount::Read));
        let places = places.chain(downloads).chain(caches).chain(written.map(Mount::Write));
        let places = places.chain(self.dependencies(checkout)?).collect();
        let directory = checkout.join(&check.directory);
        Ok(Walls { places, directory, network: Network::Loopback, inhabitant: Inhabitant::Check })
    }

    /// What one run leaves there, no later one may find: it could be a test that makes the next candidate pass.
    fn dependencies(&self, checkout: &Utf8Path) -> Result<Vec<Mount>> {
        let terms = self.resources.terms();
        let mut folders: Vec<_> =
            terms.dependency_folders.iter().map(|folder| checkout.join(folder)).collect();
        if terms.setup.is_some() {
            // The set-up made what was not there at the start.
            let made = provision::installed_folders(checkout)?.into_iter();
            let made =
                made.filter(|folder| folder.file_name() != b"vendor").map(|folder| folder.below(checkout));
            folders.extend(made.filter_map(|folder| Utf8PathBuf::try_from(folder).ok()));
        }
        folders.retain(|folder| {
            provision::INSTALLED.contains(&folder.file_name().unwrap_or_default())
                && folder.is_dir()
                && !folder.is_symlink()
        });
        folders.sort();
        folders.dedup();
        let mut places = Vec::new();
        for folder in folders {
            places.push(Mount::Read(folder.clone()));
            for cache in CACHES_OF_NODE.iter().filter(|_| folder.file_name() == Some("node_modules")) {
                files::create_private_directories(&folder.join(cache), Durability::Buffered)?;
                places.push(Mount::Empty(folder.join(cache)));
            }
        }
        Ok(places)
    }
}

/// The variables of a check behind walls.
pub(crate) fn variables(mut environment: Variables) -> Variables {
    let is_set = |name: &str| SET.iter().any(|(set, _)| *set == name) || ELSEWHERE.contains(&name);
    environment.retain(|name, _| !is_set(name));
    environment.extend(SET.map(|(name, value)| (name.to_owned(), value.to_owned())));
    environment
}

// What lies where on a machine, for walls: what programs are run with, what they download, what nobody else needs.

/// What others write for a program to find; behind walls each has its own.
pub(super) const SHARED: [&str; 4] = ["/dev/shm", "/run", "/tmp", "/var/tmp"];
/// Of the home, where toolchains lie. Settings do not: a worker could write them.
const PROGRAMS: [&str; 17] = [
    ".cargo/bin", ".rustup", "go/bin", ".local/bin", ".local/lib", ".local/share/pipx", ".local/share/mise",
    ".local/share/fnm", ".pyenv", ".nvm/versions", ".volta", ".bun/bin", ".deno/bin", ".rbenv",
    ".sdkman/candidates", ".asdf", ".dotnet",
];
/// What they have downloaded.
pub(super) const DOWNLOADS: [&str; 12] = [
    ".cargo/registry", ".cargo/git", "go/pkg/mod", ".local/share/uv", ".local/share/pnpm", ".gem",
    ".m2/repository", ".nuget/packages", ".cache/ms-playwright", ".cache/deno", ".cache/node/corepack",
    ".yarn/berry",
];
/// What tools are set to there. Checks see it where no worker could write it.
pub(super) const SETTINGS_OF_TOOLS: [&str; 9] = [
    ".gitconfig", ".config/git", ".cargo/config.toml", ".cargo/config", ".npmrc", ".yarnrc.yml",
    ".config/pip", ".m2/settings.xml", ".gradle/gradle.properties",
];
/// Variables that name a toolchain, or where it looks.
const VARIABLES: [&str; 18] = [
    "PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "RUSTUP_HOME",
    "GOROOT", "GOMODCACHE", "JAVA_HOME", "PYENV_ROOT", "NVM_BIN", "VOLTA_HOME", "GEM_HOME", "GEM_PATH",
    "DOTNET_ROOT", "PLAYWRIGHT_BROWSERS_PATH", "ANDROID_HOME",
];
/// Where a person's home is, and what their variables say.
pub(super) struct Machine<'a> {
    /// In the system's own words.
    pub(super) home: Option<Utf8PathBuf>,
    pub(super) environment: &'a Environment,
}

impl Machine<'_> {
    /// Folders that hold what programs are run with, and what lies beside them; each is there.
    pub(super) fn programs(&self) -> Vec<Utf8PathBuf> {
        let mut folders = Vec::new();
        let values = VARIABLES.iter().filter_map(|name| self.environment.value(name));
        for folder in values.flat_map(|value| value.split(':')).map(Utf8Path::new) {
            let is_of_programs = matches!(folder.file_name(), Some("bin" | "sbin" | "shims"));
            let around = folder.parent().filter(|_| is_of_programs);
            folders.extend(around.filter(|parent| !self.keeps_settings(parent)).map(Utf8Path::to_owned));
            folders.push(folder.to_owned());
        }
        folders.extend(self.of_home(&PROGRAMS));
        let is_around_home =
            |folder: &Utf8PathBuf| self.home.as_ref().is_some_and(|home| home.starts_with(folder));
        folders.retain(|folder| folder.is_absolute() && folder.exists() && !is_around_home(folder));
        folders
    }

    pub(super) fn of_home<'b>(&'b self, paths: &'b [&str]) -> impl Iterator<Item = Utf8PathBuf> + 'b {
        self.home.iter().flat_map(move |home| paths.iter().map(move |path| home.join(path)))
    }

    /// Such as `~/.local` and `~/.codex`, beside whose programs something else lies.
    fn keeps_settings(&self, folder: &Utf8Path) -> bool {
        let is_hidden = folder.file_name().is_some_and(|name| name.starts_with('.'));
        is_hidden && folder.parent() == self.home.as_deref()
    }
}

/// In the system's own words, parents first: what is mounted over a link hides nothing. None for the root.
pub(super) fn real<'a>(folders: impl IntoIterator<Item = &'a Utf8Path>) -> Vec<Utf8PathBuf> {
    let folders = folders.into_iter().filter_map(|folder| folder.canonicalize_utf8().ok());
    let mut folders: Vec<_> = folders.filter(|folder| folder.parent().is_some()).collect();
    folders.sort();
    folders.dedup();
    folders
}

pub(super) fn machine(resources: &Resources) -> Machine<'_> {
    let home = resources.environment.value("HOME").map(Utf8Path::new);
    let home = home.map(|home| home.canonicalize_utf8().unwrap_or_else(|_| home.to_owned()));
    Machine { home, environment: &resources.environment }
}

/// What a build may keep of its own beside the checkout. Sources of crates are unpacked here, by what the lock file
/// says of their archives.
fn caches(resources: &Resources, room: CheckCheckout, home: &WorkerHome<'_>) -> Result<Vec<Mount>> {
    let mut places = Vec::new();
    for (cache, name) in CACHES {
        for at in home.machine.of_home(&[cache]) {
            let is_wanted = home.found(&at).is_some() || name == "go-build";
            let from = resources.beside(room, "cache").join(name);
            if is_wanted {
                files::create_private_directories(&from, Durability::Buffered)?;
                places.push(Mount::Instead { at, from, access: MountAccess::Write });
            }
        }
    }
    Ok(places)
}
