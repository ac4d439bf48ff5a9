//! One case, tried: a repository of its own, a worker that does what the case says, and how `gulf run` ends.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::case::Case;
use crate::failure::Failure;
use crate::program;

/// How long one loop may take.
const SECONDS: &str = "240";
/// Answers every criterion and every finding with yes.
const YES: &str = "#!/bin/sh\ncat > /dev/null\necho APPROVED\n";
const RUBRIC: &str = "## Judge criteria\n\n- The goal is reached.\n";
/// How variables begin that would steer gulf or git, or make gulf take an agent's session for the one it is called by.
const FOREIGN: [&str; 6] = ["GULF_", "GIT_", "CLAUDE", "CODEX_", "COPILOT_", "PLUGIN_"];
/// Where tools keep what is the same for everybody, below a home.
const CACHES: [(&str, &str); 4] =
    [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup"), ("GOPATH", "go"), ("GOCACHE", ".cache/go-build")];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judge {
    None,
    Yes,
}

/// How a loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Verified,
    Attested,
    Refused,
}

#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) end: End,
    /// Whether the check is green on what the worker made, run by hand: else nothing was tried.
    pub(super) is_green: bool,
    /// The last screen.
    pub(super) said: Vec<String>,
}

/// With the programs of `shims` ahead of all others, where gulf looks for them.
pub(super) fn run(gulf: &Path, case: &Case, judge: Judge, shims: Option<&Path>) -> Result<Outcome, Failure> {
    let place = tempfile::tempdir().map_err(Failure::file(std::env::temp_dir()))?;
    let mut case = case.clone();
    if judge == Judge::Yes {
        // Without criteria no judge is asked.
        case.base.insert("RUBRIC.md".to_owned(), RUBRIC.to_owned());
    }
    let trial = Trial { place: place.path(), case: &case };
    let worker = trial.worker()?;
    let project = trial.project("project")?;
    let mut command = trial.command("timeout", &project);
    if let Some(shims) = shims {
        let path = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, value)| value);
        let path = path.map(std::ffi::OsStr::to_owned).unwrap_or_default();
        let folders = std::iter::once(shims.to_owned()).chain(std::env::split_paths(&path));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
    }
    command.args(["--kill-after=20", SECONDS]).arg(gulf);
    command.args(["run", &case.goal, "--max-iterations", "2", "--research", "off", "--check", &case.check]);
    command.arg("--agent").arg(format!("command:sh {}", worker.display())).args(&case.flags);
    if judge == Judge::Yes {
        let path = trial.place.join("judge.sh");
        fs::write(&path, YES).map_err(Failure::file(&path))?;
        command
            .arg("--judge")
            .arg(format!("command:sh {}", path.display()))
            .env("GULF_JUDGE_PROTOCOL", "line");
    }
    let finished = program::run(command, program::Echo::Never)?;
    let end = match finished.code {
        Some(0) => End::Verified,
        Some(3) => End::Attested,
        _ => End::Refused,
    };
    Ok(Outcome {
        end,
        is_green: !case.by_hand || shims.is_some() || trial.is_green(&worker)?,
        said: finished.lines.into_iter().collect(),
    })
}

struct Trial<'case> {
    place: &'case Path,
    case: &'case Case,
}

impl Trial<'_> {
    /// Reads its prompt, does the case's edit, and claims to be done.
    fn worker(&self) -> Result<PathBuf, Failure> {
        let mut script = "cat > /dev/null\n".to_owned();
        for (path, text) in &self.case.files {
            let path = quoted(path);
            // Writing to a String cannot fail.
            let _ = if text.is_empty() {
                writeln!(script, "rm -rf {path}")
            } else {
                writeln!(script, "mkdir -p \"$(dirname {path})\"\nprintf %s {} > {path}", quoted(text))
            };
        }
        script += &self.case.script;
        script += "\necho '<promise>COMPLETE</promise>'\n";
        let path = self.place.join("worker.sh");
        fs::write(&path, script).map_err(Failure::file(&path))?;
        Ok(path)
    }

    /// A repository with the base's files.
    fn project(&self, name: &str) -> Result<PathBuf, Failure> {
        let project = self.place.join(name);
        write_all(&project, &self.case.base)?;
        let home = self.place.join("home");
        write_all(&home, &BTreeMap::from([(".gitconfig".to_owned(), GITCONFIG.to_owned())]))?;
        for arguments in
            [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message", "base"]]
        {
            let mut git = self.command("git", &project);
            git.args(arguments);
            program::stdout(git)?;
        }
        Ok(project)
    }

    /// In a second copy, by hand.
    fn is_green(&self, worker: &Path) -> Result<bool, Failure> {
        let project = self.project("by-hand")?;
        let mut work = self.command("sh", &project);
        work.arg(worker);
        program::run(work, program::Echo::Never)?;
        let mut check = self.command("timeout", &project);
        check.args(["60", "sh", "-c", &self.case.check]);
        Ok(program::run(check, program::Echo::Never)?.exit == program::Exit::Success)
    }

    /// A program with a home of its own, that sees nothing of the person's gulf and git settings.
    fn command(&self, name: &str, folder: &Path) -> Command {
        let mut command = Command::new(name);
        command.current_dir(folder);
        for (name, _) in std::env::vars_os() {
            if FOREIGN.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                command.env_remove(name);
            }
        }
        for (variable, below) in CACHES {
            if std::env::var_os(variable).is_none()
                && let Some(home) = std::env::var_os("HOME")
            {
                command.env(variable, Path::new(&home).join(below));
            }
        }
        // pytest and its Python, as `cargo xtask setup` installs them.
        let tools = program::root().join("target/tools/venv/bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(tools).chain(std::env::split_paths(&path));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
        command.env("HOME", self.place.join("home")).env("GULF_HOME", self.place.join("state"));
        command.env("NO_COLOR", "1").env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }
}

const GITCONFIG: &str =
    "[user]\n\tname = trust\n\temail = trust@example.invalid\n[init]\n\tdefaultBranch = main\n";

fn write_all(folder: &Path, files: &BTreeMap<String, String>) -> Result<(), Failure> {
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(Failure::file(parent))?;
        }
        fs::write(&path, text).map_err(Failure::file(&path))?;
    }
    Ok(())
}

/// One word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
