//! The real agents that tests run, from npm and pinned by a lock file; apart from the rest because their installer must
//! be called by hand: no package's scripts are run, but the one that puts the program of Claude Code in place.

use super::{Tool, why_not};
use crate::failure::Failure;
use crate::program;
use std::path::{Path, PathBuf};
use std::process::Command;

const LOCK: &str = "package-lock.json";
const AGENTS: [&str; 5] = ["claude", "codex", "copilot", "opencode", "gemini"];

/// Installs once per content of the lock file: its copy among the installed is written last and says that they are whole.
pub(super) fn prepare() -> Result<Tool, Failure> {
    let wanted = program::root().join("xtask/tools/agents");
    let lock_path = wanted.join(LOCK);
    let lock = std::fs::read(&lock_path).map_err(Failure::file(&lock_path))?;
    let installed = modules().join("installed-lock.json");
    if std::fs::read(&installed).is_ok_and(|known| known == lock) {
        return Ok(Tool::Ready(modules().join(".bin")));
    }
    clear()?;
    for name in ["package.json", LOCK] {
        let copy = folder().join(name);
        std::fs::copy(wanted.join(name), &copy).map_err(Failure::file(&copy))?;
    }
    let steps = [npm_ci(&folder()), place_claude()].into_iter().chain(AGENTS.map(version));
    for (number, command) in steps.enumerate() {
        if number == 1 {
            place_opencode()?;
        }
        if let Some(reason) = why_not(command) {
            clear()?;
            return Ok(Tool::Missing {
                tool: "Claude Code, Codex, Copilot CLI, OpenCode or Gemini CLI",
                reason,
            });
        }
    }
    std::fs::write(&installed, lock).map_err(Failure::file(&installed))?;
    Ok(Tool::Ready(modules().join(".bin")))
}

/// Where an agent is, when it is prepared.
pub(super) fn program(name: &str) -> Option<PathBuf> {
    Some(path(name)).filter(|path| path.is_file())
}

fn path(name: &str) -> PathBuf {
    modules().join(".bin").join(name)
}

/// Nothing is left that a test could take for the pinned agents.
fn clear() -> Result<(), Failure> {
    if modules().exists() {
        std::fs::remove_dir_all(modules()).map_err(Failure::file(&modules()))?;
    }
    std::fs::create_dir_all(folder()).map_err(Failure::file(&folder()))
}

fn folder() -> PathBuf {
    program::root().join("target/tools/agents")
}

fn modules() -> PathBuf {
    folder().join("node_modules")
}

/// What the lock file in this folder says, without running any package's scripts.
pub(super) fn npm_ci(folder: &Path) -> Command {
    let mut command = Command::new("npm");
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    command.current_dir(folder);
    command
}

fn place_claude() -> Command {
    let mut command = Command::new("node");
    command.arg("install.cjs").current_dir(modules().join("@anthropic-ai/claude-code"));
    command
}

/// It comes for two kinds of processors, each in a package of its own that names no program; the first that starts here is
/// linked among the others. Its package for all machines names some that the registry does not have.
fn place_opencode() -> Result<(), Failure> {
    let place = path("opencode");
    for package in ["opencode-linux-x64", "opencode-linux-x64-baseline"] {
        let program = modules().join(package).join("bin/opencode");
        let mut starts = Command::new(&program);
        starts.arg("--version");
        if why_not(starts).is_none() {
            return std::fs::hard_link(&program, &place).map_err(Failure::file(&place));
        }
    }
    Ok(())
}

/// A program for another machine, or none, is noticed here and not in a test. Copilot CLI unpacks itself at its first
/// start: into a cache that the tests share, and not into the person's home.
fn version(name: &str) -> Command {
    let mut command = Command::new(path(name));
    command.arg("--version").env("XDG_CACHE_HOME", folder().join("cache"));
    command.env("COPILOT_AUTO_UPDATE", "false");
    command
}
