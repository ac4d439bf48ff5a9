//! The temporary repository and `$GULF_HOME` in which bench runs gulf, and the single measurements taken there.

use crate::failure::Failure;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The size of repository at which DESIGN's known cost of a snapshot was measured.
pub(super) const TRACKED_FILES: usize = 300;

/// How `gulf run` ends when the iterations are used up.
const EXHAUSTED: i32 = 12;

/// An idle agent must not count as stuck before its iterations are over.
const SETTINGS: &str = "\
[stuck]
same_candidate = 1000000
same_failure = 1000000
oscillations = 1000000
idle_iterations = 1000000
";

/// How variables begin that would steer gulf or git, or make gulf take an agent's session for the one it is called by.
const FOREIGN: [&str; 6] = ["GULF_", "GIT_", "CLAUDE", "CODEX_", "COPILOT_", "PLUGIN_"];

/// How often the running gulf is asked for its high-water mark.
const MEMORY_INTERVAL: Duration = Duration::from_millis(2);

pub(super) struct Sandbox {
    gulf: PathBuf,
    folder: tempfile::TempDir,
}

/// One whole `gulf run`.
pub(super) struct LoopRun {
    pub(super) elapsed: Duration,
    /// The driver's own high-water mark, not that of its children.
    pub(super) memory_bytes: u64,
    pub(super) journal: PathBuf,
    /// Lines of its journal.
    pub(super) events: usize,
}

impl Sandbox {
    pub(super) fn new(gulf: PathBuf) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
        let sandbox = Self { gulf, folder };
        sandbox.fill()?;
        for arguments in
            [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message", "base"]]
        {
            succeed(sandbox.git(arguments))?;
        }
        Ok(sandbox)
    }

    /// The unit: what so many agents cost by themselves.
    pub(super) fn idle_agents(&self, count: u32) -> Result<Duration, Failure> {
        let mut elapsed = Duration::ZERO;
        for _ in 0..count {
            let mut command = self.command("bash");
            command.args(["-c", ":"]);
            elapsed += time(command)?;
        }
        Ok(elapsed)
    }

    /// `gulf status` in a repository that has loops.
    pub(super) fn status(&self) -> Result<Duration, Failure> {
        let mut command = self.gulf();
        command.arg("status");
        time(command)
    }

    /// A loop of so many idle iterations, in a fresh `$GULF_HOME`: no run pays for the ones before it.
    pub(super) fn run_loop(&self, iterations: u32) -> Result<LoopRun, Failure> {
        self.run_loop_in(self.gulf(), iterations)
    }

    /// How often such a loop starts git: by a git before the real one on the PATH, so nothing is timed meanwhile.
    #[cfg(unix)]
    pub(super) fn git_calls(&self, iterations: u32) -> Result<usize, Failure> {
        use std::os::unix::fs::PermissionsExt;
        let (folder, tally) = (self.beside("counting"), self.beside("calls"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let real = folders.iter().map(|folder| folder.join("git")).find(|git| git.is_file());
        let real = real.ok_or_else(|| Failure::Found {
            what: "there is no git on the PATH".to_owned(),
            hint: "install git",
        })?;
        fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        let script = format!("#!/bin/sh\necho >> '{}'\nexec '{}' \"$@\"\n", tally.display(), real.display());
        let program = folder.join("git");
        fs::write(&program, script)
            .and_then(|()| fs::set_permissions(&program, fs::Permissions::from_mode(0o755)))
            .and_then(|()| fs::write(&tally, ""))
            .map_err(Failure::file(&program))?;
        folders.insert(0, folder);
        let mut command = self.gulf();
        command.env("PATH", std::env::join_paths(folders).unwrap_or(path));
        self.run_loop_in(command, iterations)?;
        Ok(fs::read_to_string(&tally).map_err(Failure::file(&tally))?.lines().count())
    }

    fn run_loop_in(&self, mut command: Command, iterations: u32) -> Result<LoopRun, Failure> {
        let home = self.home();
        if home.exists() {
            fs::remove_dir_all(&home).map_err(Failure::file(&home))?;
        }
        command.args(["run", "wait", "--agent", "command:bash -c :", "--check", "true", "--research", "off"]);
        command.args(["--max-iterations", &iterations.to_string()]);
        let started = Instant::now();
        let (status, memory_bytes) = watch(command)?;
        let elapsed = started.elapsed();
        if status.code() != Some(EXHAUSTED) {
            let what =
                format!("gulf run of {iterations} idle iterations ended with {status}, not with {EXHAUSTED}");
            return Err(Failure::Found {
                what,
                hint: "an idle loop must end exhausted; see SETTINGS in bench/sandbox.rs",
            });
        }
        let hint = "a loop keeps its journal.jsonl below $GULF_HOME";
        let missing = || Failure::Found { what: "gulf run left no journal".to_owned(), hint };
        let journal = find_journal(&home)?.ok_or_else(missing)?;
        let events = fs::read_to_string(&journal).map_err(Failure::file(&journal))?.lines().count();
        Ok(LoopRun { elapsed, memory_bytes, journal, events })
    }

    /// What gulf's snapshot is measured by: plain git, in four calls, where nothing changed.
    pub(super) fn snapshot(&self) -> Result<Duration, Failure> {
        let started = Instant::now();
        succeed(self.git(&["add", "--all"]))?;
        let tree = succeed(self.git(&["write-tree"]))?;
        let commit = succeed(self.git(&["commit-tree", "-m", "snapshot", tree.trim()]))?;
        succeed(self.git(&["update-ref", "refs/bench/snapshot", commit.trim()]))?;
        Ok(started.elapsed())
    }

    /// What a journal must pay for each step, whoever writes it.
    pub(super) fn append_synced(&self) -> Result<Duration, Failure> {
        let path = self.folder.path().join("append.jsonl");
        let mut file = File::options().create(true).append(true).open(&path).map_err(Failure::file(&path))?;
        let started = Instant::now();
        file.write_all(&[b'x'; 200]).and_then(|()| file.sync_data()).map_err(Failure::file(&path))?;
        Ok(started.elapsed())
    }

    fn fill(&self) -> Result<(), Failure> {
        let sources = self.repository().join("src");
        fs::create_dir_all(&sources).map_err(Failure::file(&sources))?;
        let settings = self.repository().join("gulf.toml");
        fs::write(&settings, SETTINGS).map_err(Failure::file(&settings))?;
        for number in 1..TRACKED_FILES {
            let path = sources.join(format!("{number}.txt"));
            fs::write(&path, format!("{number}\n").repeat(100)).map_err(Failure::file(&path))?;
        }
        Ok(())
    }

    pub(super) fn repository(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    /// A file that is in no repository.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// gulf in the repository.
    pub(super) fn gulf(&self) -> Command {
        self.command(&self.gulf)
    }

    /// A program in the repository that sees nothing of the person's gulf and git settings, nor of an agent around it.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.repository())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        for (name, _) in std::env::vars_os() {
            if FOREIGN.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        command.env("GULF_HOME", self.home()).env("HOME", self.folder.path());
        command
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.folder.path().join("gitconfig"));
        command
    }

    fn git(&self, arguments: &[&str]) -> Command {
        let mut command = self.command("git");
        command.args(["-c", "user.name=bench", "-c", "user.email=bench@localhost"]).args(arguments);
        command
    }
}

fn succeed(command: Command) -> Result<String, Failure> {
    crate::program::stdout(command)
}

fn time(mut command: Command) -> Result<Duration, Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let started = Instant::now();
    let status = command.status().map_err(|source| Failure::Start { program: program.clone(), source })?;
    let elapsed = started.elapsed();
    if status.success() {
        return Ok(elapsed);
    }
    Err(Failure::Program { program, output: status.to_string() })
}

/// Waits for the end and asks for VmHWM meanwhile: the rusage of a child would count its git and agents as well.
fn watch(mut command: Command) -> Result<(ExitStatus, u64), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let start = |source| Failure::Start { program: program.clone(), source };
    let child = command.spawn().map_err(start)?;
    let process = child.id();
    let (sender, receiver) = mpsc::channel();
    let waiter = std::thread::spawn(move || wait(child, &sender));
    let mut memory_bytes = 0;
    while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(MEMORY_INTERVAL) {
        memory_bytes = memory_bytes.max(high_water_mark(process));
    }
    let status = waiter.join().map_err(|_| start(std::io::Error::other("the waiting thread panicked")))?;
    Ok((status.map_err(start)?, memory_bytes))
}

fn wait(mut child: Child, ended: &mpsc::Sender<()>) -> std::io::Result<ExitStatus> {
    let status = child.wait();
    // The receiver is gone only if bench itself is ending.
    let _ = ended.send(());
    status
}

/// Zero where the system does not tell, and once the process has ended.
fn high_water_mark(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

/// The journal of the only loop below a folder.
fn find_journal(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    for entry in fs::read_dir(folder).map_err(Failure::file(folder))? {
        let path = entry.map_err(Failure::file(folder))?.path();
        if path.file_name() == Some(OsStr::new("journal.jsonl")) {
            return Ok(Some(path));
        }
        if path.is_dir() && !path.is_symlink() {
            let found = find_journal(&path)?;
            if found.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(None)
}
