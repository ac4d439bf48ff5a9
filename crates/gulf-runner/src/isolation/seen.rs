//! What lies where on a machine, for walls: what programs are run with, what they download, what nobody else needs.

use camino::{Utf8Path, Utf8PathBuf};

use crate::environment::Environment;

/// What others write for a program to find; behind walls each has its own.
pub(super) const SHARED: [&str; 4] = ["/dev/shm", "/run", "/tmp", "/var/tmp"];
/// Of the home, where toolchains lie. Settings do not: a worker could write them.
const PROGRAMS: [&str; 17] = [
    ".cargo/bin", ".rustup", "go/bin", ".local/bin", ".local/lib", ".local/share/pipx", ".local/share/mise",
    ".local/share/fnm", ".pyenv", ".nvm/versions", ".volta", ".bun/bin", ".deno/bin", ".rbenv",
    ".sdkman/candidates", ".asdf", ".dotnet",
];
/// What they have downloaded.
const DOWNLOADS: [&str; 12] = [
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
    pub(super) home: Option<&'a Utf8Path>,
    pub(super) environment: &'a Environment,
}

impl Machine<'_> {
    /// Folders that hold what programs are run with, and what lies beside them; each is there.
    pub(super) fn programs(&self) -> Vec<Utf8PathBuf> {
        let mut folders = Vec::new();
        for folder in VARIABLES
            .iter()
            .filter_map(|name| self.environment.value(name))
            .flat_map(|value| value.split(':'))
        {
            let folder = Utf8Path::new(folder);
            let is_of_programs = matches!(folder.file_name(), Some("bin" | "sbin" | "shims"));
            let around = folder.parent().filter(|_| is_of_programs);
            folders.extend(around.filter(|parent| !self.keeps_settings(parent)).map(Utf8Path::to_owned));
            folders.push(folder.to_owned());
        }
        folders.extend(self.of_home(&PROGRAMS));
        folders.retain(|folder| folder.is_absolute() && folder.exists() && !self.is_around_home(folder));
        folders
    }

    /// What they have downloaded, where it lies.
    pub(super) fn downloads(&self) -> Vec<Utf8PathBuf> {
        self.of_home(&DOWNLOADS).filter(|path| path.exists()).collect()
    }

    pub(super) fn of_home<'b>(&'b self, paths: &'b [&str]) -> impl Iterator<Item = Utf8PathBuf> + 'b {
        self.home.into_iter().flat_map(move |home| paths.iter().map(move |path| home.join(path)))
    }

    /// Such as `~/.local` and `~/.codex`, beside whose programs something else lies.
    fn keeps_settings(&self, folder: &Utf8Path) -> bool {
        let is_hidden = folder.file_name().is_some_and(|name| name.starts_with('.'));
        is_hidden && folder.parent() == self.home
    }

    fn is_around_home(&self, folder: &Utf8Path) -> bool {
        self.home.is_some_and(|home| home.starts_with(folder))
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
