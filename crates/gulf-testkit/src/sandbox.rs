//! A machine of one's own in a temporary folder: repository, home, state, and an environment built from nothing.
//!
//! A test must neither see nor touch what belongs to the person who runs it.
//!
//! ```text
//! <root>/repository   the person's checkout
//!        home         HOME, with a fixed git identity
//!        state        GULF_HOME
//!        tmp          TMPDIR
//! ```

use std::env;
use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

use crate::gulf::Invocation;
use crate::journal::LoopFolder;
use crate::platform::{self, Leftover};
use crate::programs;
use crate::samples::Sample;

/// Where LLVM writes which lines have run.
const COUNTS: &str = "LLVM_PROFILE_FILE";
const GIT_CONFIG: &str = "\
[user]
\tname = Person
\temail = person@example.invalid
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
[maintenance]
\tauto = false
";

/// Gone when dropped, with everything in it.
#[derive(Debug)]
pub struct Sandbox {
    root: Utf8PathBuf,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    /// With a committed sample as its repository.
    pub fn with(sample: &Sample) -> Sandbox {
        let sandbox = Sandbox::empty("gulf-", &temporary());
        sandbox.fill(sample);
        sandbox
    }

    /// The same where an agent that is kept in a box of its own can write: not below /dev.
    pub fn for_agents(sample: &Sample) -> Sandbox {
        let sandbox = Sandbox::empty("gulf-", &disk());
        sandbox.fill(sample);
        sandbox
    }

    /// The same in memory where the machine allows it: a test that runs gulf hundreds of times need not wait for a disk.
    pub fn in_memory(sample: &Sample) -> Sandbox {
        let memory = Utf8Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.to_owned() } else { temporary() };
        let sandbox = Sandbox::empty("gulf-", &folder);
        sandbox.fill(sample);
        sandbox
    }

    /// The same at a path with spaces, Korean and a quote in it.
    pub fn awkward(sample: &Sample) -> Sandbox {
        let sandbox = Sandbox::empty("gulf 시험 'a b' ", &temporary());
        sandbox.fill(sample);
        sandbox
    }

    /// Where the repository is an ordinary empty folder.
    pub fn without_git() -> Sandbox {
        Sandbox::empty("gulf-", &temporary())
    }

    /// A path in the sandbox, outside of repository, home and state.
    pub fn path(&self, name: &str) -> Utf8PathBuf {
        self.root.join(name)
    }

    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    pub fn repository(&self) -> Utf8PathBuf {
        self.path("repository")
    }

    pub fn home(&self) -> Utf8PathBuf {
        self.path("home")
    }

    /// `$GULF_HOME`
    pub fn state(&self) -> Utf8PathBuf {
        self.path("state")
    }

    /// The path of a file in the repository.
    pub fn file(&self, path: &str) -> Utf8PathBuf {
        self.repository().join(path)
    }

    /// Writes a file of the repository.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.file(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file of the repository.
    #[track_caller]
    pub fn read(&self, path: &str) -> String {
        let path = self.file(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// gulf in the repository.
    pub fn gulf<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        self.program(programs::gulf().as_str(), arguments)
    }

    /// Any program in the repository.
    pub fn program<'a>(&self, program: &str, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        Invocation::new(self.command(program)).arguments(arguments)
    }

    /// git in the repository; its output, without the last line end.
    #[track_caller]
    pub fn git<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        let finished = self.program("git", arguments).run().expect_exit(0);
        finished.stdout.trim_end().to_owned()
    }

    /// Commits everything.
    #[track_caller]
    pub fn commit(&self, message: &str) {
        self.git(["add", "--all"]);
        self.git(["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    /// All loops that gulf keeps, the oldest first.
    pub fn loops(&self) -> Vec<LoopFolder> {
        LoopFolder::all_in(&self.state())
    }

    #[track_caller]
    pub fn only_loop(&self) -> LoopFolder {
        let mut loops = self.loops();
        assert_eq!(loops.len(), 1, "not exactly one loop: {loops:?}");
        loops.remove(0)
    }

    /// Processes that were started in this sandbox and are still there: by environment and by working directory.
    pub fn leftovers(&self) -> Vec<Leftover> {
        platform::leftovers(&self.root)
    }

    /// Waits until nothing of this sandbox runs; a failing test only waits in vain.
    #[track_caller]
    pub fn assert_nothing_left(&self) {
        let left = platform::wait_until_gone(&self.root);
        assert!(left.is_empty(), "still running: {left:?}");
    }

    /// A program with the sandbox's environment and nothing else.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.repository()).env_clear();
        command
            .env("PATH", programs::search_path())
            .env("HOME", self.home())
            .env("GULF_HOME", self.state())
            .env("TMPDIR", self.path("tmp"))
            .env("LANG", "C.UTF-8")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            // Here tests and what gulf runs meet at files; what walls keep apart has tests of its own.
            .env("GULF_VERIFY_ISOLATION", env::var("GULF_TEST_ISOLATION").unwrap_or("none".to_owned()))
            .env("GULF_AGENT_SANDBOX", env::var("GULF_TEST_SANDBOX").unwrap_or("off".to_owned()))
            // Without it, a program built to count its lines writes the counts into the repository.
            .envs(env::var_os(COUNTS).map(|place| (COUNTS, place)));
        command
    }

    fn empty(prefix: &str, parent: &Utf8Path) -> Sandbox {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent).unwrap();
        // Canonical, because a temporary folder may be named by way of a link.
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let sandbox = Sandbox { root, _folder: folder };
        for name in ["repository", "home", "tmp"] {
            fs::create_dir(sandbox.path(name)).unwrap();
        }
        fs::write(sandbox.home().join(".gitconfig"), GIT_CONFIG).unwrap();
        sandbox
    }

    fn fill(&self, sample: &Sample) {
        self.git(["init", "--quiet"]);
        for (path, text) in sample.files() {
            self.write(path, text);
        }
        self.commit("base");
    }
}

/// Not in memory, where `cargo xtask` may have put the temporary folder of all tests.
fn disk() -> Utf8PathBuf {
    std::env::var("GULF_TEST_DISK").map_or_else(|_| temporary(), Utf8PathBuf::from)
}

fn temporary() -> Utf8PathBuf {
    Utf8PathBuf::from_path_buf(std::env::temp_dir()).unwrap()
}
