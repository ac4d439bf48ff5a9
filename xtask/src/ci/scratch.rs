//! Where tests put their temporary files: in memory where the machine has room, because gulf waits for the disk at
//! every turn, and a disk that is waited for shows nothing more than one that is not.

#[cfg(all(test, unix))]
mod tests;

use crate::failure::Failure;
use crate::program;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A file system in memory, on Linux.
const MEMORY: &str = "/dev/shm";

/// Several times what the tests need at once.
const FREE_KIBIBYTES_MIN: u64 = 4 << 20;

/// A folder of its own in memory, gone when dropped; nothing where there is little room, as in containers, or where no
/// program may be started.
pub(super) fn in_memory() -> Result<Option<TempDir>, Failure> {
    let memory = Path::new(MEMORY);
    let has_room = free_kibibytes(memory).is_some_and(|free| free >= FREE_KIBIBYTES_MIN)
        && available_memory_kibibytes().is_some_and(|free| free >= FREE_KIBIBYTES_MIN);
    if !has_room {
        return Ok(None);
    }
    // A short name: sockets lie below, whose paths have a hundred characters at most.
    let folder = tempfile::Builder::new().prefix("g").tempdir_in(memory).map_err(Failure::file(memory))?;
    Ok(starts_programs(folder.path()).then_some(folder))
}

/// As `df` says it.
fn free_kibibytes(folder: &Path) -> Option<u64> {
    let mut command = Command::new("df");
    command.args(["-P", "-k"]).arg(folder);
    let table = program::stdout(command).ok()?;
    table.lines().last()?.split_whitespace().nth(3)?.parse().ok()
}

/// What lies in such a file system takes memory from programs.
fn available_memory_kibibytes() -> Option<u64> {
    let table = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Containers often mount it so that nothing in it can be executed.
fn starts_programs(folder: &Path) -> bool {
    let program = folder.join("true");
    let copied = std::fs::copy("/bin/true", &program);
    let starts = copied.is_ok() && program::stdout(Command::new(&program)).is_ok();
    starts && std::fs::remove_file(&program).is_ok()
}
