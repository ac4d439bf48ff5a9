//! What nobody wants to land any more does not land: requests that come late, early, or while the base is being moved.

use std::fs;

use crate::support::{Ground, said};

/// Ends the loop that nobody drives, as `gulf cancel` does.
fn cancel(ground: &Ground, name: &str) {
    said(&ground.command("cancel", 1, &[name]).output().unwrap());
}

/// Runs the loop, and kills it at this place.
fn killed_at(ground: &Ground, name: &str, place: &str) {
    let count = ground.root.join("count");
    let mut command = ground.gulf(1, &[name]);
    let output =
        command.env("GULF_CRASH_COUNT", count.as_str()).env("GULF_CRASH_AT", place).output().unwrap();
    assert!(!output.status.success(), "it came by {place} alive");
    let points = fs::read_to_string(count).unwrap();
    assert!(points.lines().any(|point| point == place), "{points}");
}

fn with_two() -> Ground {
    let ground = Ground::with(&[("README", "hi\n")]);
    for name in ["one", "two"] {
        ground.worker(name, &format!("test -f {name}.txt"), &[&format!("echo {name} > {name}.txt")]);
    }
    ground
}

/// The one landed, the other did not, and nothing else stands there.
#[track_caller]
fn only_two_landed(ground: &Ground) {
    assert_eq!((ground.landings("one"), ground.landings("two")), (0, 1), "{}", ground.queue());
    assert_eq!(ground.titles().len(), 2);
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_cancelled_loop_is_let_go_while_another_process_tests_what_it_brought() {
    let ground = Ground::with(&[("README", "hi\n")]);
    let [at_one, hold_one, at_two, hold_two] =
        ["at-one", "hold-one", "at-two", "hold-two"].map(|name| ground.fifo(name));
    let alone = format!(
        "case $PWD in *lanes*) test -f one.txt || {{ {}; {}; }};; esac",
        at_two.reached(),
        hold_two.held()
    );
    let together = format!("case $PWD in *lanes*) {}; {};; esac", at_one.reached(), hold_one.held());
    ground.worker("two", &format!("test -f two.txt && {alone}"), &["echo two > two.txt"]);
    ground.worker("one", &format!("test -f one.txt && {together}"), &["echo one > one.txt"]);
    let leader = ground.start("loops", 2, &["two"]);
    at_two.wait();
    let mut other = ground.start("loops", 2, &["one"]);
    at_one.wait();
    other.kill().unwrap();
    other.wait().unwrap();
    cancel(&ground, "one");
    hold_two.release();
    assert!(said(&leader.wait_with_output().unwrap()).contains("Verified"));
    only_two_landed(&ground);
    assert!(ground.queue().contains("\"kind\":\"left\""));
}

#[test]
fn a_loop_that_is_cancelled_before_anybody_heard_of_it_does_not_land() {
    let ground = with_two();
    killed_at(&ground, "one", "landing.joined");
    cancel(&ground, "one");
    // The clock was put back meanwhile: the request to leave looks older than the one to join.
    let requests = "home/repositories/*/queues/*/requests";
    let back = format!(
        "set -e; cd {}/{requests}; test $(ls | wc -l) = 2; mv $(grep -l leave *) {:020}-0.json",
        ground.root, 0
    );
    said(&std::process::Command::new("sh").args(["-c", &back]).output().unwrap());
    assert!(ground.run(1, &["two"]).contains("Verified"));
    only_two_landed(&ground);
}

#[test]
fn a_loop_that_is_cancelled_in_the_middle_of_a_move_leaves_when_that_came_to_nothing() {
    let ground = with_two();
    killed_at(&ground, "one", "landing.move");
    cancel(&ground, "one");
    assert!(ground.run(1, &["two"]).contains("Verified"));
    only_two_landed(&ground);
}

#[test]
fn a_loop_that_is_cancelled_after_its_move_has_landed_all_the_same() {
    let ground = with_two();
    killed_at(&ground, "one", "landing.moved");
    cancel(&ground, "one");
    assert!(ground.run(1, &["two"]).contains("Verified"));
    assert_eq!((ground.landings("one"), ground.landings("two")), (1, 1), "{}", ground.queue());
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

#[test]
fn requests_that_were_lost_or_cannot_be_read_keep_nobody_waiting() {
    let ground = with_two();
    killed_at(&ground, "one", "landing.joined");
    let spoil = format!(
        "set -e; cd {}/home/repositories/*/queues/*; rm orders/$(grep -o '[0-9a-f]\\{{64\\}}' requests/*).json; \
         echo nonsense > requests/1.json; echo '{{}}' > orders/none.json",
        ground.root
    );
    said(&std::process::Command::new("sh").args(["-c", &spoil]).output().unwrap());
    let said = ground.run(2, &["two", "one"]);
    assert_eq!(said.matches("Verified").count(), 2, "{said}");
    assert_eq!((ground.landings("one"), ground.landings("two")), (1, 1), "{}", ground.queue());
}
