//! Kills a process at each of its crash points, and again at each while it goes on, and looks at what is left.

use std::fs;
use std::process::Command;

use camino::Utf8PathBuf;
use gulf_host::crash::{AT_VARIABLE, COUNT_VARIABLE};
use gulf_host::journal::{self, JournalError};
use tempfile::TempDir;

struct Place {
    folder: TempDir,
    /// The last number that a process said was on disk.
    acknowledged: u64,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), acknowledged: 0 }
    }

    fn join(&self, name: &str) -> Utf8PathBuf {
        Utf8PathBuf::from_path_buf(self.folder.path().join(name)).unwrap()
    }

    /// Runs the process, killed at its crash point of this number; says whether it came to its end.
    fn write(&mut self, crash_at: usize) -> bool {
        let count = self.join("count");
        let _ = fs::remove_file(&count);
        let output = Command::new(env!("CARGO_BIN_EXE_gulf-storage-fixture"))
            .args(["write", self.join("집 home").as_str()])
            .env(COUNT_VARIABLE, &count)
            .env(AT_VARIABLE, crash_at.to_string())
            .output()
            .unwrap();
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "",
            "it is killed or succeeds, and never complains"
        );
        let said = String::from_utf8(output.stdout).unwrap();
        self.acknowledged = said.lines().last().map_or(self.acknowledged, |last| last.parse().unwrap());
        output.status.success()
    }

    fn check(&self) {
        let home = self.join("집 home/repositories/key/loops/loop");
        let records = match journal::read(&home) {
            Err(JournalError::Failed { .. }) if self.acknowledged == 0 => return,
            other => other.unwrap(),
        };
        assert!(records.len() as u64 >= self.acknowledged, "what was acknowledged is there");
        for (index, record) in records.iter().enumerate() {
            assert_eq!(record.line, format!(r#"{{"number":{}}}"#, index + 1).into_bytes());
        }
        if let Ok(state) = fs::read_to_string(home.join("state.json")) {
            let state: serde_json::Value = serde_json::from_str(&state).expect("it is never torn");
            let last = state["last"].as_u64().unwrap() as usize;
            assert!(last > 0 && last <= records.len(), "a snapshot is whole and never ahead of the journal");
        }
    }
}

/// Numbers from 1, until the process is no longer killed because it has fewer crash points.
fn at_each_point(mut run: impl FnMut(usize) -> bool) -> usize {
    (1..).take_while(|crash_at| !run(*crash_at)).count()
}

// proves: L8, REQ-PERSIST-004
#[test]
fn whatever_the_crash_point_the_journal_is_a_prefix_with_all_that_was_acknowledged() {
    let points = at_each_point(|crash_at| {
        let mut place = Place::new();
        let is_complete = place.write(crash_at);
        place.check();
        assert!(place.write(0), "the next process goes on");
        place.check();
        is_complete
    });
    assert!(points >= 30, "only {points} crash points were hit");
}

#[test]
fn a_journal_survives_being_killed_at_each_point_one_after_the_other() {
    let mut place = Place::new();
    at_each_point(|crash_at| {
        let is_complete = place.write(crash_at);
        place.check();
        is_complete
    });
    assert!(place.acknowledged > 4, "it went on after crashes");
}
