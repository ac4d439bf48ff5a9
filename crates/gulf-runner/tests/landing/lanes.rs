//! Several lanes on real git: failures among them, and a leader that is killed while they run.

use crate::support::{Ground, said};

/// What somebody finds who looks at each commit of the base alone: content that the check would have called green.
#[track_caller]
fn every_landing_holds(ground: &Ground, check: &str) {
    for commit in ground.git(&["rev-list", "--first-parent", "main"]).lines() {
        let clone = ground.root.join(format!("clean-{commit}"));
        ground.git(&["worktree", "add", "-q", "--detach", clone.as_str(), commit]);
        let ran = std::process::Command::new("sh").current_dir(&clone).args(["-c", check]).status().unwrap();
        assert!(ran.success(), "{commit} is not green: {}", ground.queue());
    }
}

/// A worker whose check is red at its first run in a trial, and never again.
fn flaky(ground: &Ground) {
    let check =
        format!("test -f flaky.txt && case $PWD in *lanes*) ! mkdir {}/once 2>&-;; esac", ground.root);
    ground.worker("flaky", &check, &["echo flaky > flaky.txt"]);
}

#[test]
fn a_flaky_check_is_asked_again_and_told_of_in_the_receipt() {
    let ground = Ground::with(&[("README", "hi\n")]);
    flaky(&ground);
    assert!(ground.run(2, &["flaky"]).contains("Verified"));
    assert_eq!(ground.landings("flaky"), 1, "{}", ground.queue());
    assert!(ground.queue().contains("\"type\":\"flaked\""), "{}", ground.queue());
    let receipt = ground.git(&["notes", "--ref", "gulf", "show", "main"]);
    assert!(receipt.contains("\"flaky\"") && receipt.contains("check: exit code 1"), "{receipt}");
}

#[test]
fn a_check_that_hangs_once_it_is_merged_is_cut_and_lands_nothing() {
    let ground = Ground::with(&[("README", "hi\n")]);
    ground.worker(
        "one",
        "test -f one.txt && case $PWD in *lanes*) test -f mended.txt || exec tail -f /dev/null;; esac",
        &["echo one > one.txt", "echo x > mended.txt"],
    );
    let settings = ground.root.join("one.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, format!("{text}timeout = \"1s\"\n")).unwrap();
    let said = ground.run(2, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!((ground.titles().len(), ground.on_main("mended.txt")), (2, "x".to_owned()));
    assert_eq!(ground.queue().matches("\"kind\":\"evicted\"").count(), 1, "{}", ground.queue());
}

#[test]
fn with_several_lanes_the_one_that_is_red_goes_and_all_others_land() {
    let ground = Ground::with(&[("README", "hi\n")]);
    let names = ["one", "two", "three", "four"];
    for name in names {
        ground.worker(name, &format!("test -f {name}.txt"), &[&format!("echo {name} > {name}.txt")]);
    }
    flaky(&ground);
    // Green alone; with anybody else it is red, until it has merged what they brought.
    ground.worker(
        "lonely",
        "test -f lonely.txt && test $(ls *.txt | wc -l) -le $(cat lonely.txt)",
        &["echo 1 > lonely.txt", "git add -A; git commit -qm mine; git merge -q main; echo 9 > lonely.txt"],
    );
    let said = ground.run(3, &["one", "lonely", "two", "flaky", "three", "four"]);
    assert_eq!(said.matches("Verified").count(), 6, "{said}");
    for name in names.into_iter().chain(["flaky", "lonely"]) {
        assert_eq!(ground.landings(name), 1, "{name}: {}", ground.queue());
    }
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
    // Whoever lands after it is none of its business.
    let is_its_own = "git log -1 --format=%s | grep -q gulf/auto-lonely";
    every_landing_holds(
        &ground,
        &format!("! {{ {is_its_own}; }} || test $(ls *.txt | wc -l) -le $(cat lonely.txt)"),
    );
}

#[test]
fn a_leader_that_is_killed_with_several_lanes_at_work_leaves_all_of_it_to_the_next() {
    let ground = Ground::with(&[("README", "hi\n")]);
    // By what is in a lane, not by whose check it is: both lanes run the first one's.
    let lanes = ["alone", "both"].map(|lane| {
        let [at, hold] = ["at", "hold"].map(|what| ground.fifo(&format!("{what}-{lane}")));
        (lane, at, hold)
    });
    let waits = lanes.each_ref().map(|(lane, at, hold)| {
        let once = format!("mkdir {}/once-{lane} 2>&-", ground.root);
        format!("if {once}; then {}; {}; fi", at.reached(), hold.held())
    });
    let [alone, both] = &waits;
    let waits = format!(
        "case $PWD in *lanes*) if test -f one.txt -a -f two.txt; then {both}; else {alone}; fi;; esac"
    );
    for name in ["one", "two"] {
        ground.worker(
            name,
            &format!("test -f {name}.txt && {waits}"),
            &[&format!("echo {name} > {name}.txt")],
        );
    }
    ground.worker("three", "test -f three.txt", &["echo three > three.txt"]);
    let mut leader = ground.start("loops", 2, &["one", "two"]);
    lanes.iter().for_each(|(_, at, _)| at.wait());
    let next = ground.start("loops", 2, &["three"]);
    leader.kill().unwrap();
    leader.wait().unwrap();
    assert!(said(&next.wait_with_output().unwrap()).contains("Verified"));
    let said = ground.run(2, &["one", "two"]);
    assert_eq!(said.matches("Verified").count(), 2, "{said}");
    for name in ["one", "two", "three"] {
        assert_eq!(ground.landings(name), 1, "{name}: {}", ground.queue());
    }
    assert_eq!(ground.titles().len(), 4);
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
    every_landing_holds(&ground, "true");
}
