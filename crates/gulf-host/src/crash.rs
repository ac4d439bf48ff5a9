//! Crash points: places where a test may kill this process as hard as the kernel can.
//!
//! Every module that writes, syncs, renames, spawns or moves a ref names its places here, and all of it disappears
//! from release builds: there `point` is an empty inline function.
//!
//! The places are numbered at run time, over all gulf processes of one run. Each hit appends one line with its name
//! to the file in `GULF_CRASH_COUNT`; the line's position in that file is the hit's number, so a driver and its
//! shims share one numbering without talking to each other. The process that writes line `GULF_CRASH_AT` dies there.
//! Both variables reach the shim and no further: agents and checks never see them.

/// Names the file to which each hit appends a line.
pub const COUNT_VARIABLE: &str = "GULF_CRASH_COUNT";
/// Names the hit, counted from 1, at which the process kills itself, or a place: then it dies at the first hit there.
/// Needs [`COUNT_VARIABLE`].
pub const AT_VARIABLE: &str = "GULF_CRASH_AT";

/// Marks a place where a crash must do no harm: `crash::point("journal.fsync")`.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn point(_name: &'static str) {}

/// Marks a place where a crash must do no harm: `crash::point("journal.fsync")`.
#[cfg(debug_assertions)]
pub fn point(name: &'static str) {
    plan::hit(name);
}

#[cfg(debug_assertions)]
mod plan {
    use std::fs::OpenOptions;
    use std::io::{self, Read, Seek, Write};
    use std::path::{Path, PathBuf};
    use std::sync::OnceLock;

    struct Plan {
        count: PathBuf,
        /// A hit's number, or the name of a place.
        at: Option<String>,
    }

    pub(super) fn hit(name: &'static str) {
        let Some(plan) = plan() else { return };
        // A plan that cannot count must not pretend that a run without crash points was a run that survived them.
        let number = record(&plan.count, name).unwrap_or_else(|error| {
            panic!("crash points cannot be counted in {}: {error}", plan.count.display())
        });
        if plan.at.as_ref().is_some_and(|at| at == name || *at == number.to_string()) {
            crate::platform::die();
        }
    }

    fn plan() -> Option<&'static Plan> {
        static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
        PLAN.get_or_init(|| {
            let count = PathBuf::from(std::env::var_os(super::COUNT_VARIABLE)?);
            Some(Plan { count, at: std::env::var(super::AT_VARIABLE).ok() })
        })
        .as_ref()
    }

    /// Appends the name in one write and says which line it became, also while other processes append theirs.
    fn record(count: &Path, name: &str) -> io::Result<usize> {
        // Opened anew for each hit: the position after an appending write is where this line ended, which holds only
        // while nobody else moves the same handle.
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(count)?;
        file.write_all(format!("{name}\n").as_bytes())?;
        let end = file.stream_position()?;
        file.rewind()?;
        let mut lines = Vec::new();
        file.take(end).read_to_end(&mut lines)?;
        Ok(lines.iter().filter(|byte| **byte == b'\n').count())
    }

    #[cfg(test)]
    mod tests {
        use super::record;

        #[test]
        fn each_hit_learns_its_own_line_number_while_others_append() {
            let folder = tempfile::tempdir().unwrap();
            let count = folder.path().join("count");
            let mut numbers: Vec<usize> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8)
                    .map(|_| {
                        scope
                            .spawn(|| (0..50).map(|_| record(&count, "a.place").unwrap()).collect::<Vec<_>>())
                    })
                    .collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            numbers.sort_unstable();
            assert_eq!(numbers, (1..=400).collect::<Vec<_>>());
        }
    }
}
