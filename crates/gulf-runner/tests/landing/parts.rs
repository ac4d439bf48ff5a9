//! The steps of a plan, worked on side by side and joined into the loop's branch: real processes, real git, scripted workers.

use std::fs;

use crate::support::{Ground, said};

/// A worker for the preset autopilot: what it plans, and what it does in each step and iteration.
fn party(ground: &Ground, check: &str, plan: &str, does: &[(&str, &str)], settings: &str) {
    let root = &ground.root;
    fs::write(root.join("plan.md"), plan).unwrap();
    let mut script = format!("prompt=$(cat)\ncase $prompt in\n*'# Plan, before'*) cat '{root}/plan.md' ;;\n");
    for (heading, what) in does {
        let file = heading.replace(' ', "-");
        script.push_str(&format!(
            "*'\n# {heading} '*) printf '%s\\n' \"$prompt\" > '{root}/prompt-{file}.md'; echo begun >> '{root}/{file}'\n{what} ;;\n"
        ));
    }
    script.push_str("*) exit 9 ;;\nesac\n");
    fs::write(root.join("one.sh"), script).unwrap();
    let settings = format!(
        "preset = \"autopilot\"\ncompletion_promise = \"DONE\"\n[verify]\nlevel = 1\n[steps]\nanalyze = \"off\"\n\
         critic = \"off\"\ncause = \"off\"\n[agent]\ntool = \"command:sh {root}/one.sh\"\n{settings}\n[[check]]\n\
         name = \"check\"\ncommand = '''{check}'''\n"
    );
    fs::write(root.join("one.toml"), settings).unwrap();
}

fn ground() -> Ground {
    Ground::with(&[("README", "hi\n")])
}

/// How often the worker was called under this heading.
fn calls(ground: &Ground, heading: &str) -> usize {
    fs::read_to_string(ground.root.join(heading.replace(' ', "-"))).map_or(0, |text| text.lines().count())
}

fn prompt(ground: &Ground, heading: &str) -> String {
    fs::read_to_string(ground.root.join(format!("prompt-{}.md", heading.replace(' ', "-")))).unwrap()
}

/// Every line of the loop's journal.
fn journal(ground: &Ground) -> String {
    let find = ["-c", "cat home/repositories/*/loops/*/journal.jsonl"];
    said(&std::process::Command::new("sh").current_dir(&ground.root).args(find).output().unwrap())
}

/// What is left of worktrees and branches, besides the person's own.
fn remains(ground: &Ground) -> String {
    let worktrees = ground.git(&["worktree", "list", "--porcelain"]);
    let parts = worktrees.lines().filter(|line| line.contains("-part-"));
    parts.chain(ground.git(&["branch", "--list", "*-part-*"]).lines()).collect::<Vec<_>>().join("\n")
}

const PLAN: &str = "- [ ] S1: one (files: a)\n- [ ] S2: two (files: b)\n- [ ] S3: three (files: c)\n\
                    - [ ] S4: all (depends: S1, S2, S3) (files: d)\n";

// proves: A1/parallel, A4/parallel-files, A1
#[test]
fn independent_steps_run_side_by_side_and_what_waits_for_them_begins_when_they_are_joined() {
    let ground = ground();
    let root = &ground.root;
    for name in ["1", "2", "3"] {
        ground.fifo(name);
    }
    // Each waits for another that only one beside it can be: a ring, so that all three are there at once.
    let one = format!("echo > '{root}/1'; cat '{root}/3' > /dev/null; echo a > a");
    let two =
        format!("cat '{root}/1' > /dev/null; echo > '{root}/2'; echo b > b; git add b; git commit -qm two");
    let three = format!("cat '{root}/2' > /dev/null; echo > '{root}/3'; echo c > c");
    let four = "cat a b c > d; echo 'put together'";
    let does = [("Step S1", one.as_str()), ("Step S2", &two), ("Step S3", &three), ("Step S4", four)];
    party(&ground, "test -f d", PLAN, &does, "");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}\n{}", journal(&ground));
    assert_eq!(ground.on_main("d"), "a\nb\nc");
    let mine = prompt(&ground, "Step S2");
    assert!(mine.contains("**S2: two (files: b)**") && mine.contains("- S3: three (files: c)"), "{mine}");
    assert!(mine.contains("## Plan") && !mine.contains("- S2: two"), "{mine}");
    let last = prompt(&ground, "Step S4");
    assert!(last.contains("What it builds on stands here already: S1, S2, S3."), "{last}");
    assert_eq!(remains(&ground), "");
    let journal = journal(&ground);
    for id in ["S1", "S2", "S3", "S4"] {
        assert!(journal.contains(&format!(r#""id":"{id}","word":{{"word":"joined"}}"#)), "{journal}");
    }
}

/// Two steps that nobody waits for, and one that waits for both.
const SMALL: &str = "- [ ] S1: one\n- [ ] S2: two\n- [ ] S3: both (depends: S1, S2)\n";

// proves: A4/parallel-files, A1/purpose
#[test]
fn a_step_that_conflicts_stays_out_and_the_next_turn_has_its_diff() {
    let ground = ground();
    let finish = "test -f a && echo d > d; echo '<promise>DONE</promise>'";
    let does = [("Step S1", "echo eins > a"), ("Step S2", "echo zwei > a"), ("Iteration 2", finish)];
    party(&ground, "test -f d", SMALL, &does, "");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}\n{}", journal(&ground));
    let told = prompt(&ground, "Iteration 2");
    assert!(told.contains("it does not go together with what was joined before: a"), "{told}");
    assert!(
        told.contains("of the plan stays out") && told.contains("+eins") != told.contains("+zwei"),
        "{told}"
    );
    assert!(told.contains("which stays out.\n\nNothing of it is there"), "{told}");
    assert_eq!((calls(&ground, "Step S1"), calls(&ground, "Step S2"), calls(&ground, "Step S3")), (1, 1, 0));
    assert_eq!(remains(&ground), "");
}

// proves: A4/parallel-files
#[test]
fn a_step_whose_worker_fails_stays_out_and_its_word_counts_for_nothing() {
    let ground = ground();
    let finish = "cat b; echo d > d; echo '<promise>DONE</promise>'";
    let does = [
        ("Step S1", "echo halb > a; echo '<promise>DONE</promise>'; exit 7"),
        ("Step S2", "echo b > b; echo '<promise>DONE</promise>'"),
        ("Iteration 2", "echo e > e"),
        ("Iteration 3", finish),
    ];
    party(&ground, "test -f d", SMALL, &does, "");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}\n{}", journal(&ground));
    let told = prompt(&ground, "Iteration 2");
    assert!(
        told.contains("its worker did not come to an end: exit code 7") && told.contains("+halb"),
        "{told}"
    );
    assert!(told.contains("it waits for S1, which stays out"), "{told}");
    // Whether the worker in between did it, nobody knows: it is not forgotten.
    let later = prompt(&ground, "Iteration 3");
    assert!(
        later.contains("Step S1 of the plan stays out") && later.contains("Look whether it is done"),
        "{later}"
    );
    assert!(later.contains("left-out/S1.diff") && !later.contains("+halb"), "{later}");
    assert_eq!(ground.on_main("b"), "b");
    assert!(!ground.git(&["ls-tree", "-r", "--name-only", "main"]).contains("a\n"), "{told}");
}

// proves: A1
#[test]
fn a_plan_that_cannot_be_divided_is_one_workers_and_that_is_told() {
    let ground = ground();
    let plan = "- [ ] S1: one (depends: S2)\n- [ ] S2: two (depends: S1)\n";
    party(&ground, "test -f d", plan, &[("Iteration 1", "echo d > d; echo '<promise>DONE</promise>'")], "");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{said}");
    let why = r#""parts":[],"why":"in the plan, these tasks depend on each other: S1 → S2 → S1""#;
    assert!(journal(&ground).contains(why), "{}", journal(&ground));
}

// proves: B12, A1/parallel
#[test]
fn no_step_begins_that_the_money_does_not_reach_for() {
    let ground = ground();
    let does = [
        ("Step S1", "echo a > a"),
        ("Step S2", "echo b > b"),
        ("Step S3", "echo c > c"),
        ("Step S4", "true"),
    ];
    // The plan counts two, and each of two steps.
    party(&ground, "test -f d", PLAN, &does, "[limits]\nmax_cost = \"$6\"\nassumed_cost = \"$2\"");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Exhausted { limit: Money }"), "{said}\n{}", journal(&ground));
    let begun = ["Step S1", "Step S2", "Step S3", "Step S4"].map(|heading| calls(&ground, heading));
    assert_eq!(begun, [1, 1, 0, 0]);
    assert!(journal(&ground).contains("what is left of the money is not enough for it"));
    assert_eq!(remains(&ground), "");
}

// proves: A9/cancel, B8
#[test]
fn a_cancelled_loop_stops_all_its_workers_and_keeps_what_they_left() {
    let ground = ground();
    let (one, two, never) = (ground.fifo("one-is-here"), ground.fifo("two-is-here"), ground.fifo("never"));
    let at_work = |file: &str, reached: String| {
        format!("echo half > {file}; echo $$ >> '{}/pids'; {reached}; {}", ground.root, never.held())
    };
    let (first, second) = (at_work("a", one.reached()), at_work("b", two.reached()));
    party(&ground, "test -f d", SMALL, &[("Step S1", first.as_str()), ("Step S2", &second)], "");
    let child = ground.start("loops", 1, &["one"]);
    one.wait();
    two.wait();
    said(&ground.command("stop", 1, &["one"]).output().unwrap());
    let output = said(&child.wait_with_output().unwrap());
    assert!(output.contains("Cancelled"), "{output}");
    let pids = fs::read_to_string(ground.root.join("pids")).unwrap();
    for pid in pids.lines() {
        let alive = std::process::Command::new("kill").args(["-0", pid]).status().unwrap().success();
        assert!(!alive, "{pid} outlives its loop");
    }
    let kept = ground.git(&["for-each-ref", "--format=%(refname)", "refs/gulf"]);
    assert_eq!(kept.lines().filter(|name| name.contains("-unfinished-")).count(), 2, "{kept}");
    assert_eq!(remains(&ground), "");
}

/// Dies at the first hit of a place, and is run again.
fn killed_at(place: &str) {
    let ground = ground();
    let does = [("Step S1", "echo a > a"), ("Step S2", "echo b > b"), ("Step S3", "cat a b > d")];
    party(&ground, "test -f d", SMALL, &does, "");
    let mut command = ground.gulf(1, &["one"]);
    command.env("GULF_CRASH_COUNT", ground.root.join("count").as_str()).env("GULF_CRASH_AT", place);
    assert!(!command.output().unwrap().status.success(), "{place} is never reached");
    let said = ground.run(1, &["one"]);
    assert!(said.contains("Verified"), "{place}: {said}\n{}", journal(&ground));
    assert_eq!(ground.on_main("d"), "a\nb", "{place}");
    assert_eq!(ground.landings("one"), 1, "{place}");
    assert_eq!(remains(&ground), "", "{place}");
    // At most those that were under way are begun anew; one whose work is kept is not.
    let calls = calls(&ground, "Step S1") + calls(&ground, "Step S2");
    let is_kept =
        place.starts_with("git.move") || ["parts.kept", "parts.announced", "parts.moved"].contains(&place);
    assert!(calls <= if is_kept { 3 } else { 4 }, "{place}: {calls} calls");
    let merges = ground.git(&["log", "--format=%s", "main"]);
    assert_eq!(merges.lines().filter(|title| *title == "join S1: one").count(), 1, "{place}: {merges}");
}

// proves: B8, A1/parallel
#[test]
fn killed_while_worktrees_are_made_every_step_is_joined_once() {
    ["git.worktree.registered", "git.worktree.filled", "parts.ready"].into_iter().for_each(killed_at);
}

// proves: B8, A1/parallel
#[test]
fn killed_while_work_is_joined_every_step_is_joined_once() {
    ["parts.kept", "parts.announced", "git.move.index", "parts.moved"].into_iter().for_each(killed_at);
}

// proves: B8, A1/parallel
#[test]
fn killed_while_worktrees_go_every_step_is_joined_once() {
    ["git.worktree.removed", "parts.removed"].into_iter().for_each(killed_at);
}
