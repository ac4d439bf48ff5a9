//! What a person may ask of a running loop, what a worker may not, and that both are written down.

use std::fs;

use gulf_testkit::{FakeAgent, Key, Meeting, Sample, Sandbox, Size, Started, Step};

use crate::{RIGHT, exit, handle, mend, run_right};

/// A loop whose first attempt at iteration 1 is held in the middle of its turn.
struct InTurn {
    sandbox: Sandbox,
    agent: FakeAgent,
    started: Started,
    go_on: Meeting,
}

impl InTurn {
    fn with(
        arguments: &[&str],
        after: impl IntoIterator<Item = Step>,
        later: impl IntoIterator<Item = Step>,
    ) -> InTurn {
        let sandbox = Sandbox::with(&Sample::shell());
        let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
        let steps = [here.reached(), go_on.held()].into_iter().chain(after);
        let agent = FakeAgent::new(&sandbox).attempt(1, 1, steps).otherwise(later);
        let started = run_right(&sandbox, &agent, arguments).start();
        here.wait();
        InTurn { sandbox, agent, started, go_on }
    }
}

#[test]
fn a_loop_whose_project_was_moved_says_where_it_works_and_how_it_goes_on() {
    let InTurn { sandbox, started, .. } = InTurn::with(&[], [], mend());
    sandbox.gulf(["pause"]).run().expect_exit(0);
    started.finish().expect_exit(exit::PAUSED);
    let (here, moved) = (sandbox.repository(), sandbox.path("moved"));
    let id = sandbox.only_loop().id().to_owned();
    fs::rename(&here, &moved).unwrap();
    let there = |arguments: &[&str]| sandbox.gulf(arguments.iter().copied()).directory(&moved).run();
    let none = there(&["status"]);
    none.says("there is no loop here").says(&format!("works in {here}, which is not there any more"));
    there(&["resume", &id]).expect_exit(exit::REFUSED_START).says("move it back").says("gulf restore ");
    there(&["steer", "--loop", &id, "later"]).expect_exit(0);
    assert!(!here.exists(), "{here} was made anew");
    fs::rename(&moved, &here).unwrap();
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
}

// proves: A9
#[test]
fn finished_work_of_a_project_that_was_moved_is_named_and_stays_until_a_person_lets_it_go() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let (moved, id) = (sandbox.path("moved"), handle(&sandbox));
    fs::rename(sandbox.repository(), &moved).unwrap();
    let there = |arguments: &[&str]| sandbox.gulf(arguments.iter().copied()).directory(&moved).run();
    let shows = format!("gulf status {id}");
    there(&["status"]).expect_exit(0).says("there is no loop here").says(&shows);
    there(&[]).expect_exit(0).says("which is not there any more").says(&shows);
    there(&["status", &id]).expect_exit(0).says(&format!("gulf report {id}"));
    let left = there(&["clean", "--yes"]).expect_exit(0);
    left.says(&format!("`gulf restore {id} --to DIR`")).says("Nothing to remove");
    there(&["restore", &id, "--to", "../again"]).expect_exit(0);
    there(&["clean", "--yes", "--unlanded"]).expect_exit(0).says("Removed 1 folder");
}

// proves: L1, REQ-LOOP-002, REQ-LOOP-003
#[test]
fn a_pause_in_the_middle_of_a_turn_stops_it_and_resume_repeats_it_as_attempt_two() {
    let InTurn { sandbox, agent, started, .. } = InTurn::with(&[], [], mend());
    sandbox.gulf(["pause"]).run().expect_exit(0);
    started.finish().expect_exit(exit::PAUSED).says("gulf resume");
    sandbox.assert_nothing_left();
    sandbox.gulf(["status"]).run().expect_exit(0).says("paused");
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (1, 2)]);
    assert!(agent.tally().prompt(2).contains("interrupted"), "attempt 2 is not told that it is one");
}

// proves: A9, A9/cancel, L1, REQ-LOOP-004
#[test]
fn a_cancel_in_the_middle_of_a_turn_ends_the_loop_for_good() {
    let InTurn { sandbox, agent, started, .. } = InTurn::with(&[], [], mend());
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    started.finish().expect_exit(exit::CANCELLED).says("cancelled");
    sandbox.assert_nothing_left();
    let refused = sandbox.gulf(["resume"]).run();
    assert_ne!(refused.exit, Some(exit::VERIFIED));
    refused.says("hint:");
    assert_eq!(agent.tally().turns(), [(1, 1)]);
}

// proves: A9, A9/cancel, L1
#[test]
fn a_paused_loop_can_be_cancelled_without_anybody_driving_it() {
    let InTurn { sandbox, started, .. } = InTurn::with(&[], [], []);
    sandbox.gulf(["pause"]).run().expect_exit(0);
    started.finish().expect_exit(exit::PAUSED);
    sandbox.gulf(["cancel"]).run().expect_exit(0);
    assert_eq!(sandbox.only_loop().end().unwrap()["kind"], "cancelled");
}

#[test]
fn a_note_reaches_the_next_iteration_to_the_byte() {
    let note = "keep the old flag — as an alias, \"quoted\"";
    let InTurn { sandbox, agent, started, go_on } = InTurn::with(&[], [], mend());
    sandbox.gulf(["steer", note]).run().expect_exit(0);
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED);
    assert!(!agent.tally().prompt(1).contains(note));
    assert!(agent.tally().prompt(2).contains(note), "{}", agent.tally().prompt(2));
}

#[test]
fn a_note_for_a_paused_loop_waits_for_it() {
    let InTurn { sandbox, agent, started, .. } = InTurn::with(&[], [], mend());
    sandbox.gulf(["pause"]).run().expect_exit(0);
    started.finish().expect_exit(exit::PAUSED);
    sandbox.gulf(["steer", "from the person, while it rests"]).run().expect_exit(0);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED);
    assert!(agent.tally().prompt(2).contains("from the person, while it rests"));
}

#[test]
fn the_acts_of_a_person_are_refused_to_a_worker_and_written_down() {
    let sandbox = Sandbox::with(&Sample::shell());
    let hidden = "env -u GULF_LOOP -u GULF_ITERATION -u GULF_ATTEMPT -u GULF_MARK gulf cancel";
    let acts = ["gulf pause", "gulf resume", "gulf cancel", "gulf steer 'be content'", hidden];
    let steps = acts.iter().map(|act| Step::run(act)).chain(mend());
    let agent = FakeAgent::new(&sandbox).turn(1, steps);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    for (command, code, output) in
        agent.tally().commands().iter().filter(|(command, ..)| acts.contains(&command.as_str()))
    {
        assert_ne!(*code, Some(0), "{command} was granted: {output}");
        assert!(output.contains("person"), "{command} is not told why: {output}");
    }
    let kept = sandbox.only_loop();
    let refused: Vec<String> =
        kept.facts_of("refused").iter().map(|fact| fact["request"].as_str().unwrap().to_owned()).collect();
    assert_eq!(refused, ["pause", "resume", "cancel", "steer", "cancel"]);
    assert!(kept.facts_of("pause-asked").is_empty() && kept.facts_of("cancel-asked").is_empty());
}

#[test]
fn a_worker_cannot_start_a_loop_of_its_own() {
    let sandbox = Sandbox::with(&Sample::shell());
    let start = Step::run("gulf run other --agent 'command:true' --check true --replace");
    let agent = FakeAgent::new(&sandbox).turn(1, [start].into_iter().chain(mend()));
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    assert_ne!(agent.tally().commands()[0].1, Some(0));
    assert_eq!(sandbox.loops().len(), 1);
}

#[test]
fn a_claim_that_belongs_to_an_earlier_iteration_is_stale_and_says_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    let stale = Step::run("GULF_ITERATION=1 gulf claim done");
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::append("other", "x")])
        .turn(2, [Step::append("other", "x"), stale])
        .turn(3, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let kept = sandbox.only_loop();
    assert_eq!(kept.facts_of("claimed").len(), 1);
    let refused = kept.facts_of("refused");
    assert!(refused[0]["reason"].as_str().unwrap().contains("iteration 1"), "{refused:?}");
}

#[test]
fn a_person_cannot_claim() {
    let InTurn { sandbox, started, go_on, .. } = InTurn::with(&[], [], mend());
    let refused = sandbox.gulf(["claim", "done"]).run();
    assert_ne!(refused.exit, Some(0));
    refused.says("worker");
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED);
}

#[test]
fn acts_on_a_loop_that_is_over_say_so() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    for arguments in [&["pause"][..], &["cancel"], &["steer", "note"]] {
        let told = sandbox.gulf(arguments.iter().copied()).run().does_not_panic();
        told.expect_exit(0).says("no unfinished loop");
    }
}

#[test]
fn a_request_that_no_gulf_wrote_is_refused_and_the_loop_goes_on() {
    let InTurn { sandbox, started, go_on, .. } = InTurn::with(&[], [], mend());
    let requests = sandbox.only_loop().path("requests");
    for (name, bytes) in
        [("a", &b"\xff\xfe\x00"[..]), ("b.json", b"{\"v\":1"), ("c.json", b"[]"), ("d.json", b"")]
    {
        std::fs::write(requests.join(name), bytes).unwrap();
    }
    sandbox.gulf(["steer", "and this one is good"]).run().expect_exit(0);
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED).does_not_panic();
    assert_eq!(sandbox.only_loop().facts_of("steered").len(), 1);
}

/// Not the worker's, on every page that tells what a loop came to.
fn named_everywhere(sandbox: &Sandbox, screen: &str, path: &str) {
    let what = "not by the worker: changed while no turn ran";
    assert!(screen.contains(what) && screen.contains(path), "{screen}");
    let status = sandbox.gulf(["status"]).run().expect_exit(0).says(what).says(path);
    drop(status);
    sandbox.gulf(["report"]).run().expect_exit(0).says("changed while no turn ran").says(path);
    let only = sandbox.only_loop();
    assert_eq!(only.facts_of("edited")[0]["paths"], serde_json::json!([path]));
    let receipt: serde_json::Value =
        serde_json::from_slice(&std::fs::read(only.path("receipt.json")).unwrap()).unwrap();
    assert_eq!(receipt["edited_between_turns"], serde_json::json!([path]));
}

#[test]
fn what_a_person_changes_while_a_loop_rests_is_named_and_not_called_the_workers() {
    let InTurn { sandbox, started, .. } = InTurn::with(&[], [], mend());
    sandbox.gulf(["pause"]).run().expect_exit(0);
    started.finish().expect_exit(exit::PAUSED);
    sandbox.write("by hand.txt", "mine\n");
    let finished = sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED).says("by hand.txt");
    named_everywhere(&sandbox, &finished.stdout, "by hand.txt");
}

#[test]
fn what_a_worker_left_in_a_turn_that_was_stopped_is_no_edit_of_a_persons() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let steps = [Step::write("half.txt", "half\n"), here.reached(), go_on.held()];
    let agent = FakeAgent::new(&sandbox).attempt(1, 1, steps).otherwise(mend());
    let started = run_right(&sandbox, &agent, &[]).start();
    here.wait();
    started.interrupt();
    started.finish().expect_exit(exit::INTERRUPTED);
    sandbox.gulf(["resume"]).run().expect_exit(exit::VERIFIED).does_not_say("half.txt");
    assert!(sandbox.only_loop().facts_of("edited").is_empty());
}

#[test]
fn what_is_changed_while_the_checks_run_is_named_before_the_next_turn() {
    let sandbox = Sandbox::with(&Sample::shell());
    let (here, go_on) = (Meeting::new(&sandbox, "here"), Meeting::new(&sandbox, "go on"));
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "still wrong\n"), Step::claim()])
        .otherwise(mend());
    // On the base nobody waits for it.
    let check = format!(
        "grep -q still value.txt && echo > {} && cat {} > /dev/null; sh check.sh",
        gulf_testkit::quote(here.path().as_str()),
        gulf_testkit::quote(go_on.path().as_str())
    );
    let started = crate::run(&sandbox, &agent, &["--check", &check]).start();
    here.wait();
    sandbox.write("한글 note.txt", "mine\n");
    go_on.release();
    let finished = started.finish().expect_exit(exit::VERIFIED);
    named_everywhere(&sandbox, &finished.stdout, "한글 note.txt");
}

#[test]
fn ctrl_c_at_a_question_leaves_at_once_and_answers_nothing() {
    let sandbox = Sandbox::with(&Sample::shell());
    let asks = Step::run("gulf claim cannot 'which value?' --option right --option wrong");
    let agent = FakeAgent::new(&sandbox).otherwise([asks]);
    let gulf = run_right(&sandbox, &agent, &[]).on_terminal(Size { rows: 40, columns: 120 });
    gulf.wait_for("Your answer to question 1");
    gulf.press(Key::Control('c'));
    assert_eq!(gulf.finish(), u32::try_from(exit::INTERRUPTED).unwrap());
    sandbox.gulf(["inbox"]).run().expect_exit(0).says("which value?");
    assert!(sandbox.only_loop().facts_of("answered").is_empty());
}

#[test]
fn what_a_loop_was_started_with_is_said_again_for_the_next_one() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise([Step::claim()]);
    sandbox.write("a rubric.md", "## Checks\n- true\n");
    let flags = ["-n", "1", "--max-cost", "7", "--max-duration", "1h", "--acceptance", "test -f never.txt"];
    let run = run_right(&sandbox, &agent, &flags).arguments(["--rubric", "a rubric.md"]);
    run.run()
        .expect_exit(exit::EXHAUSTED)
        .says("--acceptance 'test -f never.txt' --rubric 'a rubric.md' --max-iterations 2 --max-duration 1h --max-cost 7")
        .says("starts a new loop on the same goal with a higher limit");
}

#[test]
fn work_that_is_still_under_way_is_neither_landed_nor_discarded_and_says_what_is_first() {
    let held = InTurn::with(&[], mend(), mend());
    let land = held.sandbox.gulf(["land"]).run().expect_exit(exit::REFUSED_START);
    land.says("is running, and nothing of it can land yet").says("once it has ended, `gulf land ");
    let discard = held.sandbox.gulf(["discard", "--yes"]).run().expect_exit(exit::REFUSED_START);
    discard.says("has not ended, and only the work of an ended loop").says("`gulf cancel ");
    held.go_on.release();
    held.started.finish().expect_exit(exit::VERIFIED);
}

#[test]
fn what_cannot_be_written_is_no_success() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).otherwise(mend());
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    let gulf = gulf_testkit::quote(gulf_testkit::gulf().as_str());
    for (where_to, code) in [("/dev/full", 1), ("/dev/null", 0)] {
        let finished = sandbox.program("sh", ["-c", &format!("{gulf} status > {where_to}")]).run();
        let finished = finished.expect_exit(code);
        assert_eq!(finished.stderr.contains("cannot write to standard output: "), code == 1, "{finished:#?}");
    }
}

#[test]
fn a_loop_that_nobody_can_be_told_of_goes_on() {
    let sandbox = Sandbox::with(&Sample::shell());
    let agent = FakeAgent::new(&sandbox).turn(1, [Step::run("true")]).otherwise(mend());
    let [gulf, flag] = [gulf_testkit::gulf().as_str(), &agent.flag()].map(gulf_testkit::quote);
    let run = format!("{gulf} run 'make it right' --check '{RIGHT}' --agent {flag} 2> /dev/full");
    sandbox.program("sh", ["-c", &run]).run().expect_exit(exit::VERIFIED);
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
}

#[test]
fn a_note_left_while_the_worker_claims_is_read_before_the_loop_is_over() {
    let InTurn { sandbox, agent, started, go_on } = InTurn::with(&[], mend(), mend());
    sandbox.gulf(["steer", "say it twice"]).run().expect_exit(0);
    go_on.release();
    started.finish().expect_exit(exit::VERIFIED).says("a person's note is not read yet");
    assert!(agent.tally().prompt(2).contains("say it twice"), "{}", agent.tally().prompt(2));
    assert_eq!(agent.tally().turns(), [(1, 1), (2, 1)]);
}
