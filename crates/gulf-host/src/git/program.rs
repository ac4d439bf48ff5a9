//! Runs the git program: one call, typed, bounded, with nothing inherited that could steer it.
//!
//! It stands apart so that how git is started is decided once: `GIT_*` scrubbed, `LC_ALL=C`, stdin closed unless
//! it carries input, a process group of its own, a wall limit, and configuration that runs nobody's programs.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::error::GitError;
use crate::platform::{self, Heard, HearingLimits};

/// The longest a git program may take, global content filters such as git-lfs included.
const WALL_SECONDS_MAX: u64 = 900;
/// The most a git program may print: listings and blobs of a large repository fit, a runaway does not.
const OUTPUT_BYTES_MAX: usize = 1 << 30;
/// How much of what git complains about is kept.
const COMPLAINT_BYTES_MAX: usize = 64 << 10;

/// Switches off what would run programs of others, write behind our back, or make results depend on more than the
/// bytes: given on the command line, they win over every configuration file.
const NEUTRAL: [&str; 17] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.trustctime=true",
    "core.checkStat=default",
    // Larger files are stored as a stream, not held in memory; in a difference they are binary.
    "core.bigFileThreshold=16m",
    "core.safecrlf=false",
    "core.commitGraph=false",
    "core.logAllRefUpdates=false",
    "index.skipHash=false",
    "index.sparse=false",
    "submodule.recurse=false",
    "diff.ignoreSubmodules=all",
    "gc.auto=0",
    "maintenance.auto=false",
    "i18n.commitEncoding=UTF-8",
];

/// What a git program said.
pub(super) struct Answer {
    pub(super) code: i32,
    pub(super) stdout: Vec<u8>,
    pub(super) complaints: String,
}

impl Answer {
    /// Standard output as text without the final newline.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).trim_end_matches('\n').to_owned()
    }
}

/// One call of git that has not run yet.
pub(super) struct Call {
    command: Command,
    verb: &'static str,
    input: Option<Vec<u8>>,
    accepted: &'static [i32],
    wall_max: Duration,
}

impl Call {
    pub(super) fn new(directory: &Path, settings: &[String], verb: &'static str) -> Self {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                command.env_remove(name);
            }
        }
        command
            .env("LC_ALL", "C")
            .env("LANGUAGE", "C")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ADVICE", "0")
            .current_dir(directory)
            .arg("--no-pager");
        for setting in NEUTRAL.into_iter().chain(settings.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        command.arg(verb);
        Self { command, verb, input: None, accepted: &[0], wall_max: Duration::from_secs(WALL_SECONDS_MAX) }
    }

    pub(super) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(super) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(super) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs in this folder, with the files in it as the worktree.
    pub(super) fn with_work_tree(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory).env("GIT_WORK_TREE", directory);
        self
    }

    pub(super) fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = Some(bytes);
        self
    }

    /// The exit codes that are answers, not failures.
    pub(super) fn accept(mut self, codes: &'static [i32]) -> Self {
        self.accepted = codes;
        self
    }

    pub(super) fn verb(&self) -> &'static str {
        self.verb
    }

    /// For a git that is spoken with.
    pub(super) fn into_command(self) -> Command {
        self.command
    }

    pub(super) fn wall_max(mut self, limit: Duration) -> Self {
        self.wall_max = limit;
        self
    }

    pub(super) fn run(mut self) -> Result<Answer, GitError> {
        let stdin = if self.input.is_some() { Stdio::piped() } else { Stdio::null() };
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        platform::own_process_group(&mut self.command);
        let mut child = self.command.spawn().map_err(|source| self.cannot_start(source))?;
        let input = self.input.take();
        let (stdout, complaints) = match self.hear(&mut child, input) {
            Ok(outputs) => outputs,
            Err(error) => {
                platform::kill_own_process_group(&mut child);
                let _ = child.wait();
                return Err(error);
            }
        };
        let status = child.wait().map_err(|source| self.cannot_start(source))?;
        let complaints = String::from_utf8_lossy(&complaints).trim().to_owned();
        match status.code() {
            Some(code) if self.accepted.contains(&code) => Ok(Answer { code, stdout, complaints }),
            Some(_) | None => Err(GitError::of_exit(self.verb, status, complaints)),
        }
    }

    /// Waits until both outputs are at their end.
    fn hear(&self, child: &mut Child, input: Option<Vec<u8>>) -> Result<(Vec<u8>, Vec<u8>), GitError> {
        let limits = HearingLimits {
            stdout_bytes_max: OUTPUT_BYTES_MAX,
            stderr_bytes_max: COMPLAINT_BYTES_MAX,
            until: Instant::now() + self.wall_max,
        };
        let verb = || self.verb.to_owned();
        match platform::hear(child, input, limits).map_err(|source| self.cannot_start(source))? {
            Heard::Everything { stdout, stderr } => Ok((stdout, stderr)),
            Heard::TooMuch => Err(GitError::OutputTooLarge { verb: verb(), bytes_max: OUTPUT_BYTES_MAX }),
            Heard::TimedOut => Err(GitError::TimedOut { verb: verb(), seconds: self.wall_max.as_secs() }),
        }
    }

    fn cannot_start(&self, source: io::Error) -> GitError {
        let verb = self.verb.to_owned();
        // A missing working directory gives the same error as a missing program.
        let gone = self.command.get_current_dir().filter(|directory| !directory.is_dir());
        match (source.kind(), gone) {
            (io::ErrorKind::NotFound, None) => GitError::ProgramMissing,
            (_, Some(folder)) => GitError::FolderGone { verb, folder: folder.display().to_string() },
            (_, None) => GitError::Start { verb, source },
        }
    }
}
