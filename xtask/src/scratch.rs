//! Where tests keep what they make: in memory where there is room for it, since the disk would be a third of their time. A
//! soak goes to the disk.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::program;

const MEMORY: &str = "/dev/shm";
/// Where temporary files lie otherwise, for `gulf_testkit::Sandbox`: agents that are kept in a box see nothing of /dev.
const DISK_VARIABLE: &str = "GULF_TEST_DISK";
/// Sample projects that are built take the most of it.
const KIB_MIN: u64 = 4 << 20;

/// A folder in memory, removed when it is dropped; none where the machine has too little.
#[derive(Debug)]
pub(crate) struct Scratch(Option<TempDir>);

impl Scratch {
    pub(crate) fn in_memory() -> Self {
        let mut df = Command::new("df");
        df.args(["-Pk", MEMORY]);
        let is_large = program::stdout(df).is_ok_and(|told| available(&told) >= Some(KIB_MIN));
        // Short: sockets lie below it.
        let folder = || tempfile::Builder::new().prefix("g").rand_bytes(4).tempdir_in(MEMORY).ok();
        Self(is_large.then(folder).flatten().filter(|folder| runs_programs(folder.path())))
    }

    /// What the command starts makes its temporary files here.
    pub(crate) fn lend(&self, command: &mut Command) {
        if let Some(folder) = &self.0 {
            command.env(DISK_VARIABLE, std::env::temp_dir()).env("TMPDIR", folder.path());
        }
    }
}

/// Containers often mount it so that nothing there can be executed.
fn runs_programs(folder: &Path) -> bool {
    let mut trial = Command::new("sh");
    trial.args(["-c", r#"printf '#!/bin/sh\n' > "$0/try" && chmod +x "$0/try" && "$0/try" && rm "$0/try""#]);
    trial.arg(folder);
    program::stdout(trial).is_ok()
}

/// The fourth word of the second line of `df -P`.
fn available(told: &str) -> Option<u64> {
    told.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}
