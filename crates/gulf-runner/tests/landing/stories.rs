//! How single loops fare on their way onto the base branch.

use std::fs;

use crate::support::Ground;

/// Green when somebody did it, red on the base.
const HAS_A: &str = "test -f a.txt";

#[test]
fn a_verified_loop_lands_with_one_merge_that_names_it() {
    let ground = Ground::with(&[("README", "hi\n")]);
    ground.worker("one", HAS_A, &["echo a > a.txt; echo notes > progress.txt"]);
    let before = ground.git(&["rev-parse", "main"]);
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(ground.titles(), ["merge(gulf-loop): gulf/auto-one → main [autonomous]", "first"]);
    assert_eq!(ground.git(&["rev-parse", "main^1"]), before);
    let trailers = ground.git(&["log", "-1", "--format=%(trailers)", "main"]);
    for name in ["Gulf-Loop: ", "Gulf-Candidate: ", "Gulf-Receipt: sha256:", "Gulf-Goal: do the work of one"]
    {
        assert!(trailers.contains(name), "{trailers}");
    }
    assert_eq!(ground.git(&["ls-tree", "--name-only", "main"]), "README\na.txt");
    let note = ground.git(&["notes", "--ref", "gulf", "show", "main"]);
    assert!(note.contains(&before) && note.contains("\"checks\""), "{note}");
    assert_eq!(fs::read_to_string(ground.project().join("a.txt")).unwrap(), "a\n");
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_conflict_is_a_task_and_what_comes_of_it_lands() {
    let ground = Ground::with(&[("value.txt", "wrong\n")]);
    ground.worker(
        "one",
        "grep -q one value.txt",
        &[
            "git -C ../project commit -q --allow-empty -m nothing; sed -i s/wrong/two/ ../project/value.txt; \
             git -C ../project commit -qam 'value: two'; sed -i s/wrong/one/ value.txt",
            "git add -A; git commit -qm mine; git merge -q main >/dev/null; \
             echo 'one and two' > value.txt; git add -A; git commit -qm merged",
        ],
    );
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(ground.on_main("value.txt"), "one and two");
    assert_eq!(ground.landings("one"), 1);
    let prompt = ground.prompt("one", 2);
    let tip = ground.git(&["rev-parse", "main^1"]);
    for part in ["- value.txt", "do the work of one", "value: two", &format!("git merge {tip}"), "yours.diff"]
    {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

// proves: B10
#[test]
fn what_is_green_alone_and_red_together_never_stands_on_the_base() {
    let ground = Ground::with(&[("README", "hi\n")]);
    // Each is content alone; both files together are too many.
    for (name, other) in [("one", "two"), ("two", "one")] {
        ground.worker(
            name,
            &format!("test -f {name}.txt && test $(ls *.txt | wc -l) -lt 2"),
            &[
                &format!("echo {name} > {name}.txt"),
                &format!(
                    "git add -A; git commit -qm mine; git merge -q main >/dev/null; git rm -q {other}.txt"
                ),
            ],
        );
    }
    let said = ground.run(2, &["one", "two"]);
    assert_eq!(said.matches("Verified").count(), 2, "{said}");
    assert_eq!(ground.landings("one") + ground.landings("two"), 2);
    let prompts: Vec<String> = ["one", "two"]
        .iter()
        .filter_map(|name| fs::read_to_string(ground.root.join(format!("prompt-{name}-2.md"))).ok())
        .collect();
    assert_eq!(prompts.len(), 1, "one of them was told");
    assert!(prompts[0].contains("Git can merge it, but the merged commit fails"), "{}", prompts[0]);
    for commit in ground.git(&["rev-list", "--first-parent", "main"]).lines() {
        let files = ground.git(&["ls-tree", "--name-only", commit]);
        assert!(files.lines().filter(|name| name.ends_with(".txt")).count() < 2, "{files}");
    }
}

/// Room for a test in the middle, and for a comment around it.
const MODULE: &str = "\
mod room {
    fn first() {}

    fn second() {}

    fn third() {}

    fn fourth() {}
}
";

#[test]
fn a_test_that_only_the_merge_loses_keeps_it_from_landing_and_is_named_to_the_worker() {
    let ground = Ground::with(&[("src/lib.rs", MODULE)]);
    ground.begin("two");
    let adds =
        "sed -i 's|fn second|#[test]\\n    fn lost_if_nobody_looks() {}\\n\\n    fn second|' src/lib.rs";
    ground.worker("one", HAS_A, &[&format!("echo a > a.txt; {adds}")]);
    assert!(ground.run(1, &["one"]).contains("Verified"));
    // Around what it found: no test of its base is in there.
    let comments = "sed -i 's|fn first|/* fn first|; s|fn fourth() {}|fn fourth() {} */|' src/lib.rs";
    ground.worker(
        "two",
        "test -f b.txt",
        &[
            &format!("echo b > b.txt; {comments}; git add -A; git commit -qm mine"),
            "git merge -q main >/dev/null; git checkout -q main -- src/lib.rs; git add -A; git commit -qm both",
        ],
    );
    let said = ground.run(1, &["two"]);
    assert!(said.contains("Verified"), "{said}");
    let prompt = ground.prompt("two", 2);
    for part in ["Merged, tests that main has are changed or gone:", "src/lib.rs: ", "lost_if_nobody_looks"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    assert!(ground.queued().contains("tests_lost\":[\"src/lib.rs"), "{}", ground.queued());
    assert_eq!(ground.landings("two"), 1);
    assert!(ground.on_main("src/lib.rs").contains("#[test]"));
    assert!(!ground.on_main("src/lib.rs").contains("/*"));
}

#[test]
fn a_dirty_checkout_of_the_base_is_waited_for_and_never_touched() {
    let ground = Ground::with(&[("README", "hi\n")]);
    ground.worker("one", HAS_A, &["echo a > a.txt"]);
    fs::write(ground.project().join("README"), "mine\n").unwrap();
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Paused(ReadyToLand)"), "{said}");
    assert_eq!(ground.titles(), ["first"]);
    assert_eq!(fs::read_to_string(ground.project().join("README")).unwrap(), "mine\n");
    ground.commit(&[], "what was uncommitted");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(ground.landings("one"), 1);
    assert_eq!(ground.on_main("README"), "mine");
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_base_that_others_move_meanwhile_is_landed_on_where_it_is() {
    let ground = Ground::with(&[("README", "hi\n")]);
    ground.worker(
        "one",
        "test -f a.txt && { test -f ../moved || case $PWD in *lanes*) touch ../moved; \
         git -C \"$GROUND/project\" commit -q --allow-empty -m meanwhile;; esac; }",
        &["echo a > a.txt"],
    );
    let mut command = ground.gulf(1, &["one"]);
    let said = crate::support::said(&command.env("GROUND", ground.root.as_str()).output().unwrap());
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(
        ground.titles(),
        ["merge(gulf-loop): gulf/auto-one → main [autonomous]", "meanwhile", "first"]
    );
}

#[test]
fn loops_of_several_processes_land_one_after_another_and_each_once() {
    let rounds: usize =
        std::env::var("GULF_TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let ground = Ground::with(&[("README", "hi\n")]);
    let names = |side: &str| (1..=rounds).map(|number| format!("{side}{number}")).collect::<Vec<_>>();
    let (left, right) = (names("left"), names("right"));
    for name in left.iter().chain(&right) {
        ground.worker(name, &format!("test -f {name}.txt"), &[&format!("echo {name} > {name}.txt")]);
    }
    let as_words = |names: &[String]| names.iter().map(String::as_str).map(str::to_owned).collect::<Vec<_>>();
    let start = |names: &[String]| {
        let names = as_words(names);
        ground.start("in-turn", 2, &names.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let running = [start(&left), start(&right)];
    for child in running {
        let said = crate::support::said(&child.wait_with_output().unwrap());
        assert_eq!(said.matches("Verified").count(), rounds, "{said}");
    }
    for name in left.iter().chain(&right) {
        assert_eq!(ground.landings(name), 1, "{name}");
        assert_eq!(ground.on_main(&format!("{name}.txt")), *name);
    }
    assert_eq!(ground.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_landed_is_pushed_where_that_was_asked_for_and_a_failed_push_takes_nothing_back() {
    let ground = Ground::with(&[("README", "hi\n")]);
    let remote = ground.root.join("remote.git");
    ground.git(&["clone", "-q", "--bare", ".", remote.as_str()]);
    ground.worker("one", HAS_A, &["echo a > a.txt"]);
    let mut command = ground.gulf(1, &["one"]);
    let said = crate::support::said(&command.env("PUSH_TO", remote.as_str()).output().unwrap());
    assert!(said.contains("Verified"), "{said}");
    let there = crate::support::git(&remote, &["rev-parse", "main"]);
    assert_eq!(there, ground.git(&["rev-parse", "main"]));
    fs::rename(&remote, ground.root.join("away")).unwrap();
    ground.worker("two", "test -f b.txt", &["echo b > b.txt"]);
    let mut command = ground.gulf(1, &["two"]);
    let said = crate::support::said(&command.env("PUSH_TO", remote.as_str()).output().unwrap());
    assert!(said.contains("Paused(ReadyToLand)"), "{said}");
    assert_eq!(ground.landings("two"), 1);
    fs::rename(ground.root.join("away"), &remote).unwrap();
    let said = ground.run(1, &["two"]);
    assert!(said.contains("Verified"), "{said}");
    assert_eq!(ground.landings("two"), 1);
    let there = crate::support::git(&remote, &["rev-parse", "main"]);
    assert_eq!(there, ground.git(&["rev-parse", "main"]));
}
