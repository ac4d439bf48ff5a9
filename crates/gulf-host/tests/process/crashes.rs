//! gulf or its shim dies at every numbered place.
//!
//! Here the death is ours, and exact.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output};

use gulf_host::crash::{AT_VARIABLE, COUNT_VARIABLE};
use gulf_host::process::sweep;

use crate::{FIXTURE, Room, text};

fn fixture(room: &Room, crash_at: usize, arguments: &[&str]) -> Output {
    let mut command = Command::new(FIXTURE);
    command.args(arguments).env(COUNT_VARIABLE, room.file("count")).env(AT_VARIABLE, crash_at.to_string());
    command.output().unwrap()
}

fn places(room: &Room) -> Vec<String> {
    fs::read_to_string(room.file("count")).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_process_dies_at_the_numbered_place_and_not_before() {
    for (crash_at, reached) in [(1, 1), (2, 2), (3, 2)] {
        let room = Room::new();
        let output = fixture(&room, crash_at, &["crash-twice"]);
        assert_eq!(places(&room), ["fixture.first", "fixture.second"][..reached]);
        assert_eq!(output.status.signal(), (crash_at < 3).then_some(9));
    }
}

#[test]
fn driver_and_shim_share_one_numbering() {
    let room = Room::new();
    let output = fixture(&room, 1_000, &["drive", room.path().as_str(), "exit 0"]);
    assert_eq!(text(&output.stdout), "Exited(0)\n");
    let mut places = places(&room);
    // The driver goes on while its shim starts: which of the two comes first is open.
    places.sort_unstable();
    let expected =
        ["process.log", "process.spawn", "process.spawned", "shim.report", "shim.spawn", "shim.spawned"];
    assert_eq!(places, expected);
}

#[test]
fn a_crash_anywhere_leaves_nothing_running() {
    for crash_at in 1..=6 {
        let room = Room::new();
        let output = fixture(&room, crash_at, &["drive", room.path().as_str(), "sleep 0.1"]);
        let place = places(&room)[crash_at - 1].clone();
        if place.starts_with("process.") {
            assert_eq!(output.status.signal(), Some(9), "{place}");
        } else {
            assert_eq!(text(&output.stdout), "Lost\n", "{place}");
        }
        assert_eq!(sweep(&format!("driven:{}", room.path())).survivors, [], "{place}");
    }
}
