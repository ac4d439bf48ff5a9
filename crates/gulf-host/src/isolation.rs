//! Programs in namespaces of their own, by bubblewrap (`bwrap`): what they see of the machine, where they may write,
//! and whether they have a network.
//!
//! Nothing here knows what a check is. The whole machine is there to read, but for folders that are hidden; nothing can be
//! written but what is named; processes, sockets, shared memory and the network of the machine are out of reach.

#[cfg(test)]
mod tests;

use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use camino::{Utf8Path, Utf8PathBuf};

use crate::process::Program;

/// Where systems put it. A folder of the person's own is not looked in: an agent that works there could put another
/// program in its place.
const PLACES: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];
/// What every program behind walls gets.
const BARE: [&str; 11] = [
    "--unshare-all", "--new-session", "--hostname", "gulf", "--ro-bind", "/", "/", "--proc", "/proc",
    "--dev", "/dev",
];
/// What root may set of the whole machine there, whatever its namespaces.
const OF_THE_MACHINE: [&str; 4] = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"];
/// How deep sockets are looked for: `/tmp/tmux-1000/default`, `/tmp/ssh-XXXX/agent.1`.
const SOCKET_DEPTH: usize = 3;
/// And among how many files in each depth.
const ENTRIES_MAX: usize = 50_000;
/// More is not quoted of what bwrap says.
const SAID_CHARS_MAX: usize = 200;

/// A `bwrap` where systems have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bubblewrap {
    program: Utf8PathBuf,
}

/// Why there are no walls on this machine.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum Unavailable {
    #[error("bubblewrap (`bwrap`) is not installed")]
    #[diagnostic(help(
        "install it: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`, `apk add bubblewrap` \
         (Linux only)"
    ))]
    Missing,
    #[error("{program} cannot be run")]
    #[diagnostic(help("install bubblewrap anew"))]
    NotRun { program: Utf8PathBuf, source: io::Error },
    #[error("{program} cannot make namespaces here: {said}")]
    #[diagnostic(help(
        "allow unprivileged user namespaces (`sysctl kernel.unprivileged_userns_clone`, on Ubuntu \
         `kernel.apparmor_restrict_unprivileged_userns`; in a container, its seccomp profile)"
    ))]
    Refused { program: Utf8PathBuf, said: String },
}

/// What a program sees and may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// Where it sees something else than the machine has there, to read; put in place one after the other.
    pub places: Vec<Mount>,
    /// Where it runs, as it sees it.
    pub directory: Utf8PathBuf,
    pub network: Network,
    pub inhabitant: Inhabitant,
}

/// What is seen at one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mount {
    /// An empty folder of its own to write in.
    Empty(Utf8PathBuf),
    /// What the machine has there, to read.
    Read(Utf8PathBuf),
    /// What the machine has there, to write.
    Write(Utf8PathBuf),
    /// A link.
    Link { at: Utf8PathBuf, to: Utf8PathBuf },
    /// What lies elsewhere.
    Instead { at: Utf8PathBuf, from: Utf8PathBuf, access: MountAccess },
}

impl Mount {
    pub fn path(&self) -> &Utf8Path {
        match self {
            Self::Empty(path) | Self::Read(path) | Self::Write(path) => path,
            Self::Instead { at, .. } | Self::Link { at, .. } => at,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MountAccess {
    Read,
    Write,
}

/// Who lives behind the walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inhabitant {
    /// Has no rights at all; where it is stopped, everything is gone at once.
    Check,
    /// Is asked to end, and may put walls of its own around what it runs.
    Agent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// An interface of its own that leads nowhere.
    Loopback,
    Machine,
}

impl Bubblewrap {
    /// The system's, untried: where it cannot make namespaces, nothing begins behind it.
    pub fn installed() -> Result<Self, Unavailable> {
        let program = PLACES.iter().map(Utf8Path::new).find(|path| path.is_file());
        Ok(Self { program: program.ok_or(Unavailable::Missing)?.to_owned() })
    }

    /// The system's, tried until it was seen to work, and then by nobody else in this process.
    pub fn find() -> Result<Self, Unavailable> {
        static FOUND: OnceLock<Bubblewrap> = OnceLock::new();
        let found = FOUND.get().cloned().map_or_else(Self::tried, Ok)?;
        Ok(FOUND.get_or_init(|| found).clone())
    }

    fn tried() -> Result<Self, Unavailable> {
        let Self { program } = Self::installed()?;
        let mut trial = Command::new(&program);
        trial.args(BARE).args(["--", "/bin/sh", "-c", ":"]).env_clear().stdin(Stdio::null());
        match trial.output() {
            Ok(tried) if tried.status.success() => Ok(Self { program }),
            Ok(tried) => {
                let said = String::from_utf8_lossy(&tried.stderr);
                let said = said.lines().last().unwrap_or("it says nothing").chars().take(SAID_CHARS_MAX);
                Err(Unavailable::Refused { program, said: said.collect() })
            }
            Err(source) => Err(Unavailable::NotRun { program, source }),
        }
    }

    /// The same program behind walls. A shell's script is run by bash where the machine has it, as without walls, and by
    /// that name: it stands before whatever bash itself has to say.
    pub fn around(&self, program: Program, walls: &Walls) -> Program {
        let mut arguments: Vec<String> = BARE.map(str::to_owned).into();
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(|word| (*word).to_owned()));
        for path in OF_THE_MACHINE {
            add(&["--ro-bind-try", path, path]);
        }
        if walls.network == Network::Machine {
            add(&["--share-net"]);
        }
        if walls.inhabitant == Inhabitant::Check {
            add(&["--die-with-parent"]);
        }
        for place in &walls.places {
            match place {
                Mount::Empty(path) => add(&["--tmpfs", path.as_str()]),
                // It may be gone by now: what lies in `/tmp` comes and goes.
                Mount::Read(path) => add(&["--ro-bind-try", path.as_str(), path.as_str()]),
                Mount::Write(path) => add(&["--bind-try", path.as_str(), path.as_str()]),
                Mount::Link { at, to } => add(&["--symlink", to.as_str(), at.as_str()]),
                Mount::Instead { at, from, access } => {
                    let bind = if *access == MountAccess::Read { "--ro-bind" } else { "--bind" };
                    add(&[bind, from.as_str(), at.as_str()]);
                }
            }
        }
        let own = ["--", self.program.as_str(), "--unshare-user", "--dev-bind", "/", "/"];
        if walls.inhabitant == Inhabitant::Agent && rustix::process::geteuid().is_root() {
            // Root without rights can make no namespaces. It has them in one of its own, where none of them reaches what
            // was put in place around that.
            add(&own);
        } else {
            add(&["--cap-drop", "ALL"]);
        }
        add(&["--chdir", walls.directory.as_str(), "--"]);
        match program {
            Program::Shell(script) => {
                let shells = ["/bin/bash", "/usr/bin/bash", "/run/current-system/sw/bin/bash"];
                let has_bash = shells.into_iter().any(|shell| Utf8Path::new(shell).exists());
                let shell = if has_bash { "bash" } else { "sh" };
                arguments.extend([shell.to_owned(), "-c".to_owned(), script]);
            }
            Program::Exec { program, arguments: own } => {
                arguments.extend([program].into_iter().chain(own));
            }
        }
        Program::Exec { program: self.program.to_string(), arguments }
    }
}

/// What bwrap said instead of running a program, if that is all that there is: such an exit is no word of the program's.
pub fn instead_of_running(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let said = text.trim_end();
    (said.starts_with("bwrap: ") && !said.contains('\n')).then(|| said.chars().take(SAID_CHARS_MAX).collect())
}

/// What somebody listens on below a folder: a terminal multiplexer, an agent of keys, a display. Whoever reaches one of
/// these acts outside of the walls.
pub fn sockets(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let (mut sockets, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    // Not by walkdir: it opens the folders in the last depth, which are most of them, too.
    for _ in 0..SOCKET_DEPTH {
        let entries = folders.iter().filter_map(|folder| folder.read_dir_utf8().ok()).flatten().flatten();
        let typed = entries.filter_map(|entry| Some((entry.file_type().ok()?, entry.into_path())));
        let typed: Vec<_> = typed.take(ENTRIES_MAX).collect();
        sockets.extend(typed.iter().filter(|(kind, _)| kind.is_socket()).map(|(_, path)| path.clone()));
        folders = typed.into_iter().filter(|(kind, _)| kind.is_dir()).map(|(_, path)| path).collect();
    }
    sockets
}
