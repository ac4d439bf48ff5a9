//! Killed at every point of a landing, and again while the next process recovers: landed once, with nothing lost.

use std::fs;
use std::process::Output;

use gulf_testkit::in_turn;

use crate::support::Ground;

/// Groups are tried beside each other, the points of one after another.
const GROUPS: usize = 4;
/// One point of so many is tried in a run.
const EVERY: usize = 6;
/// While recovering, one point of so many is tried.
const RECOVERY_SAMPLE: usize = 11;

fn ground() -> Ground {
    let ground = Ground::with(&[("README", "hi\n")]);
    ground.worker("one", "test -f a.txt", &["echo a > a.txt; git add -A; git commit -qm work"]);
    ground
}

/// Runs the loop; it dies where it is told to, and says by which points it came.
fn run(ground: &Ground, count: &str, at: Option<usize>) -> (Output, Vec<String>) {
    let count = ground.root.join(count);
    let mut command = ground.gulf(1, &["one"]);
    command.env("GULF_CRASH_COUNT", count.as_str());
    if let Some(at) = at {
        command.env("GULF_CRASH_AT", at.to_string());
    }
    let output = command.output().unwrap();
    let points = fs::read_to_string(&count).unwrap_or_default();
    (output, points.lines().map(str::to_owned).collect())
}

/// Whatever happened before: the same command once more brings it to its end.
#[track_caller]
fn holds(ground: &Ground, told: &str) {
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{told}: {said}");
    assert_eq!(ground.landings("one"), 1, "{told}: {:?}", ground.titles());
    assert_eq!(ground.titles().len(), 2, "{told}");
    assert_eq!(ground.on_main("a.txt"), "a", "{told}");
    assert_eq!(ground.git(&["status", "--porcelain"]), "", "{told}");
    assert_eq!(fs::read_to_string(ground.project().join("a.txt")).unwrap(), "a\n", "{told}");
}

/// The numbers of the points of a landing, with their names.
fn points_of_landing() -> Vec<(usize, String)> {
    let ground = ground();
    let (output, points) = run(&ground, "count", None);
    crate::support::said(&output);
    let join = points.iter().position(|name| name == "landing.join").unwrap();
    assert!(points.iter().any(|name| name == "landing.move") && points.len() > join + 20, "{points:?}");
    (1..).zip(points).skip(join).collect()
}

fn killed_everywhere(group: usize) {
    for (at, name) in in_turn(EVERY, points_of_landing()).into_iter().skip(group).step_by(GROUPS) {
        let ground = ground();
        let told = format!("killed at {at} ({name})");
        let (_, points) = run(&ground, "count", Some(at));
        holds(&ground, &told);
        if (at / EVERY).is_multiple_of(RECOVERY_SAMPLE) {
            killed_again(at, points.len(), &told);
        }
    }
}

/// The same once more, and killed at points of the recovery.
fn killed_again(at: usize, before: usize, told: &str) {
    let recovery = ground();
    run(&recovery, "count", Some(at));
    let (_, points) = run(&recovery, "again", None);
    for again in (1..=points.len()).step_by(RECOVERY_SAMPLE) {
        let ground = ground();
        run(&ground, "count", Some(at));
        run(&ground, "again", Some(again));
        holds(&ground, &format!("{told} of {before}, and again at {again} ({})", points[again - 1]));
    }
}

#[test]
fn killed_at_any_point_it_lands_once_group_1() {
    killed_everywhere(0);
}

#[test]
fn killed_at_any_point_it_lands_once_group_2() {
    killed_everywhere(1);
}

#[test]
fn killed_at_any_point_it_lands_once_group_3() {
    killed_everywhere(2);
}

#[test]
fn killed_at_any_point_it_lands_once_group_4() {
    killed_everywhere(3);
}
