//! Runs the git program: one call, typed, bounded, with nothing inherited that could steer it.
//!
//! It stands apart so that how git is started is decided once: `GIT_*` scrubbed, `LC_ALL=C`, stdin closed unless
//! it carries input, a process group of its own, a wall limit, and configuration that runs nobody's programs.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::error::{GitError, Result};
use super::names::TreePath;
use crate::platform::{self, Heard, HearingLimits, Pipes};
use crate::programs;

/// The most a git program may print: listings and blobs of a large repository fit, a runaway does not.
const OUTPUT_BYTES_MAX: usize = 1 << 30;
/// How much of what git complains about is kept.
const COMPLAINT_BYTES_MAX: usize = 64 << 10;
/// The longest a git program may take, global content filters such as git-lfs included.
const WALL_SECONDS_MAX: u64 = 900;
/// Where the PATH has git: looked for once, not by every call anew.
static PROGRAM: LazyLock<Utf8PathBuf> = LazyLock::new(|| {
    // A folder of the PATH that is not absolute is another one wherever git runs.
    programs::find(NAME).filter(|path| path.is_absolute()).unwrap_or_else(|| NAME.into())
});
const NAME: &str = "git";

/// Switches off what would run programs of others, write behind our back, or make results depend on more than the
/// bytes: given on the command line, they win over every configuration file.
const NEUTRAL: [&str; 17] = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false", "core.splitIndex=false",
    "core.trustctime=true", "core.checkStat=default",
    // Larger files are stored as a stream, not held in memory; in a difference they are binary.
    "core.bigFileThreshold=16m", "core.safecrlf=false", "core.commitGraph=false",
    "core.logAllRefUpdates=false", "index.skipHash=false", "index.sparse=false", "submodule.recurse=false",
    "diff.ignoreSubmodules=all", "gc.auto=0", "maintenance.auto=false", "i18n.commitEncoding=UTF-8",
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

    /// What it lists with `-z`, where nothing in it is empty.
    pub(super) fn entries(&self) -> impl Iterator<Item = &[u8]> {
        self.stdout.split(|byte| *byte == 0).filter(|entry| !entry.is_empty())
    }

    /// What it lists with `-z` and a letter, and a blank, before each path.
    pub(super) fn tagged(&self) -> impl Iterator<Item = (u8, &[u8])> {
        self.entries().filter_map(|entry| Some((*entry.first()?, entry.get(2..)?)))
    }

    /// The paths it lists with `-z`, those of folders without the slash behind them.
    pub(super) fn paths(&self) -> Result<Vec<TreePath>> {
        self.entries().map(|path| TreePath::parse(path.strip_suffix(b"/").unwrap_or(path))).collect()
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
        let mut command = Command::new(PROGRAM.as_std_path());
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

    /// Runs in this folder, whatever it is about.
    pub(super) fn in_directory(mut self, directory: &Utf8Path) -> Self {
        self.command.current_dir(directory);
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

    pub(super) fn wall_max(mut self, limit: Duration) -> Self {
        self.wall_max = limit;
        self
    }

    pub(super) fn run(mut self) -> Result<Answer> {
        let (verb, accepted, input) = (self.verb, self.accepted, self.input.take());
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        let (status, stdout, complaints) =
            self.spawn(stdin, Duration::ZERO)?.end(input.unwrap_or_default())?;
        match status.code() {
            Some(code) if accepted.contains(&code) => Ok(Answer { code, stdout, complaints }),
            Some(_) | None => Err(GitError::of_exit(verb, status, complaints)),
        }
    }

    /// Starts a git that is spoken with; its limit on time is one for each answer.
    pub(super) fn converse(self, patience: Duration) -> Result<Conversation> {
        self.spawn(Stdio::piped(), patience)
    }

    fn spawn(mut self, stdin: Stdio, patience: Duration) -> Result<Conversation> {
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        self.command.process_group(0);
        let mut child = self.command.spawn().map_err(|source| self.cannot_start(source))?;
        let pipes = Pipes::from_child(&mut child).map_err(|source| {
            platform::kill_own_process_group(&mut child);
            let _ = child.wait();
            self.cannot_start(source)
        })?;
        Ok(Conversation { verb: self.verb, child, pipes, wall_max: self.wall_max, patience })
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

// A git program that runs: it is heard to its end, or answers each question before it gets the next. It holds a lock on
// a reference, and only while it runs: when gulf dies its input ends, and it ends by itself.

/// A running git.
#[derive(Debug)]
pub(super) struct Conversation {
    verb: &'static str,
    pub(super) child: Child,
    pipes: Pipes,
    /// The longest it may take to answer, or to end when nothing more is said to it.
    wall_max: Duration,
    /// How long it may take to end once nobody listens any more.
    patience: Duration,
}

impl Conversation {
    /// Says these last bytes and hears all: how it ended, what it wrote, and what it complained about.
    fn end(&mut self, bytes: Vec<u8>) -> Result<(ExitStatus, Vec<u8>, String)> {
        let heard = self.pipes.end(bytes, limits(self.wall_max));
        self.ended(heard)
    }

    /// Says these bytes and waits for this line.
    pub(super) fn say(&mut self, bytes: &[u8], expected: &str) -> Result<()> {
        let answer = self.ask(bytes.to_vec(), |answer| answer.ends_with(b"\n"))?;
        let answer = String::from_utf8_lossy(&answer).trim_end_matches('\n').to_owned();
        if answer == expected { Ok(()) } else { Err(GitError::answer(self.verb, answer)) }
    }

    /// Says these bytes and gives what is answered, once it is whole. A program that ends instead is an error.
    pub(super) fn ask(&mut self, bytes: Vec<u8>, is_whole: impl FnMut(&[u8]) -> bool) -> Result<Vec<u8>> {
        let heard = match self.pipes.ask(bytes, is_whole, limits(self.wall_max)) {
            Ok(Heard::Answer(answer)) => return Ok(answer),
            heard => heard,
        };
        let (status, _, complaints) = self.ended(heard)?;
        Err(GitError::of_exit(self.verb, status, complaints))
    }

    /// How it ended, where both outputs were heard to their end.
    fn ended(&mut self, heard: io::Result<Heard>) -> Result<(ExitStatus, Vec<u8>, String)> {
        let verb = self.verb.to_owned();
        let error = match heard {
            Ok(Heard::Everything { stdout, stderr }) => {
                let status = self.child.wait().map_err(|source| GitError::Start { verb, source })?;
                return Ok((status, stdout, String::from_utf8_lossy(&stderr).trim().to_owned()));
            }
            Ok(Heard::TooMuch) => GitError::OutputTooLarge { verb, bytes_max: OUTPUT_BYTES_MAX },
            Ok(Heard::TimedOut) if platform::ASKED_TO_END.get().is_some() => GitError::Silent { verb },
            Ok(Heard::TimedOut | Heard::Answer(_)) => {
                GitError::TimedOut { verb, seconds: self.wall_max.as_secs() }
            }
            Err(source) => GitError::Start { verb, source },
        };
        // Whoever was not heard to the end is not waited for.
        self.patience = Duration::ZERO;
        Err(error)
    }
}

/// The end of its input makes git let go of what it holds; only one that does not is ended.
impl Drop for Conversation {
    fn drop(&mut self) {
        if !matches!(self.pipes.end(Vec::new(), limits(self.patience)), Ok(Heard::Everything { .. })) {
            platform::kill_own_process_group(&mut self.child);
        }
        let _ = self.child.wait();
    }
}

fn limits(time_max: Duration) -> HearingLimits {
    let (stdout_bytes_max, stderr_bytes_max) = (OUTPUT_BYTES_MAX, COMPLAINT_BYTES_MAX);
    HearingLimits { stdout_bytes_max, stderr_bytes_max, until: Instant::now() + time_max }
}
