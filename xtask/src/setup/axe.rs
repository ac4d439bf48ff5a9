//! axe-core, which tests put into our pages: one file from npm, pinned by a lock file.

use super::{Tool, agents, why_not};
use crate::failure::Failure;
use crate::program;
use std::path::PathBuf;

const LOCK: &str = "package-lock.json";

/// Installs once per content of the lock file: its copy is written last and says that the script is whole.
pub(super) fn prepare() -> Result<Tool, Failure> {
    let wanted = program::root().join("xtask/tools/axe");
    let lock_path = wanted.join(LOCK);
    let lock = std::fs::read(&lock_path).map_err(Failure::file(&lock_path))?;
    let installed = folder().join("installed-lock.json");
    if std::fs::read(&installed).is_ok_and(|known| known == lock)
        && let Some(script) = script()
    {
        return Ok(Tool::Ready(script));
    }
    std::fs::create_dir_all(folder()).map_err(Failure::file(&folder()))?;
    for name in ["package.json", LOCK] {
        let copy = folder().join(name);
        std::fs::copy(wanted.join(name), &copy).map_err(Failure::file(&copy))?;
    }
    let missing = |reason: String| Tool::Missing { tool: "axe-core", reason };
    if let Some(reason) = why_not(agents::npm_ci(&folder())) {
        return Ok(missing(reason));
    }
    std::fs::write(&installed, lock).map_err(Failure::file(&installed))?;
    Ok(script().map_or_else(|| missing("npm installed no axe-core".to_owned()), Tool::Ready))
}

/// Where the script is, when it is prepared.
pub(super) fn script() -> Option<PathBuf> {
    Some(folder().join("node_modules/axe-core/axe.min.js")).filter(|script| script.is_file())
}

fn folder() -> PathBuf {
    program::root().join("target/tools/axe")
}
