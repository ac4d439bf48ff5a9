//! A journal cut anywhere: what is whole counts, what is torn is set aside and kept, and the loop goes on.

use std::fs;

use gulf_testkit::{FakeAgent, LoopFolder, Sample, Sandbox, Step, in_turn};

use crate::{exit, run_right};

/// One byte of so many is a cut.
const BYTES_SAMPLE: usize = 997;

/// After one line of so many the loop is driven on.
const RESUME_SAMPLE: usize = 9;

fn finished() -> (Sandbox, FakeAgent) {
    let sandbox = Sandbox::in_memory(&Sample::shell());
    let agent = FakeAgent::new(&sandbox)
        .turn(1, [Step::write("value.txt", "almost\n"), Step::claim()])
        .otherwise([Step::write("value.txt", "right\n"), Step::claim()]);
    run_right(&sandbox, &agent, &[]).run().expect_exit(exit::VERIFIED);
    (sandbox, agent)
}

fn cut(kept: &LoopFolder, journal: &[u8], at: usize) {
    fs::write(kept.journal_path(), &journal[..at]).unwrap();
    // A snapshot of the fold, ahead of a journal that lost its end, must not be believed.
    assert!(kept.journal_path().is_file());
}

#[test]
fn every_reader_reads_a_journal_cut_after_any_line_or_within_one() {
    let (sandbox, _) = finished();
    let kept = sandbox.only_loop();
    let journal = fs::read(kept.journal_path()).unwrap();
    let ends = journal.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    let cuts: Vec<usize> = ends.chain((0..journal.len()).step_by(BYTES_SAMPLE)).collect();
    for at in &in_turn(4, cuts) {
        cut(&kept, &journal, *at);
        for arguments in [&["status"][..], &["status", "--json"], &["log", "--json"], &["list"]] {
            let finished = sandbox.gulf(arguments.iter().copied()).run().does_not_panic();
            assert!(
                [Some(0), Some(1), Some(2)].contains(&finished.exit),
                "cut at {at}, {arguments:?}: {finished:#?}"
            );
        }
        assert_eq!(fs::read(kept.journal_path()).unwrap(), journal[..*at], "a reader changed the journal");
    }
}

#[test]
fn a_loop_whose_journal_was_cut_goes_on_to_the_same_end_and_keeps_what_was_torn() {
    let (_, agent) = finished();
    drop(agent);
    let lines = {
        let (sandbox, _) = finished();
        fs::read_to_string(sandbox.only_loop().journal_path()).unwrap().lines().count()
    };
    for line in in_turn(RESUME_SAMPLE, 2..lines) {
        let (sandbox, _) = finished();
        let kept = sandbox.only_loop();
        let journal = fs::read(kept.journal_path()).unwrap();
        let ends: Vec<usize> =
            journal.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
        let Some(at) = ends.get(line - 1) else { continue };
        let torn = (at + 20).min(journal.len() - 1);
        cut(&kept, &journal, torn);
        let finished = sandbox.gulf(["resume"]).run().does_not_panic();
        assert_eq!(finished.exit, Some(exit::VERIFIED), "cut after line {line}: {finished:#?}");
        assert_eq!(kept.facts_of("tail-dropped").len(), 1, "cut after line {line}");
        finished.says("unfinished last line");
        sandbox.assert_nothing_left();
    }
}

// proves: L7, REQ-UW-003
#[test]
fn a_line_in_the_middle_that_is_no_event_is_an_error_with_its_place_and_nothing_is_changed() {
    for damage in
        [&b"\xff\xfe\x00binary"[..], b"{}", b"null", b"{\"v\":1,\"event\":{\"sequence\":\"three\"}}"]
    {
        let (sandbox, agent) = finished();
        let kept = sandbox.only_loop();
        let journal = fs::read(kept.journal_path()).unwrap();
        let mut lines: Vec<&[u8]> = journal.split(|byte| *byte == b'\n').collect();
        lines[2] = damage;
        let damaged = lines.join(&b'\n');
        fs::write(kept.journal_path(), &damaged).unwrap();
        for arguments in [&["status"][..], &["log"], &["resume"], &["list"]] {
            let refused = sandbox.gulf(arguments.iter().copied()).run().does_not_panic();
            assert!([Some(1), Some(2)].contains(&refused.exit), "{arguments:?}: {refused:#?}");
            refused.says("error:").says("hint:").says("3");
        }
        assert_eq!(fs::read(kept.journal_path()).unwrap(), damaged, "a damaged journal is evidence");
        drop(agent);
    }
}

#[test]
fn a_journal_of_a_newer_gulf_is_refused_and_left_alone() {
    let (sandbox, _) = finished();
    let kept = sandbox.only_loop();
    let newer = fs::read_to_string(kept.journal_path()).unwrap().replacen("{\"v\":1,", "{\"v\":999,", 2);
    fs::write(kept.journal_path(), &newer).unwrap();
    let refused = sandbox.gulf(["status"]).run().does_not_panic();
    assert!([Some(1), Some(2)].contains(&refused.exit), "{refused:#?}");
    refused.says("newer").says("hint:");
    assert_eq!(fs::read_to_string(kept.journal_path()).unwrap(), newer);
}

#[test]
fn a_damaged_loop_of_yesterday_does_not_keep_a_new_one_from_starting() {
    let (sandbox, agent) = finished();
    let kept = sandbox.only_loop();
    fs::write(kept.journal_path(), b"not a journal\nat all\n").unwrap();
    sandbox.write("value.txt", "wrong\n");
    let flag = agent.flag();
    let finished = sandbox.gulf(["run", "another goal", "--agent", &flag, "--check", crate::RIGHT]).run();
    finished.does_not_panic().expect_exit(exit::VERIFIED).says(kept.id());
}

#[test]
fn one_damaged_journal_hides_no_other_loop_and_is_named_with_what_to_do() {
    for damage in [&b"not a journal\nat all\n"[..], b"", b"\x00\x01\xff\n{}\n"] {
        let (sandbox, agent) = finished();
        let broken = sandbox.only_loop();
        fs::write(broken.journal_path(), damage).unwrap();
        sandbox.write("value.txt", "wrong\n");
        let flag = agent.flag();
        let resting = ["run", "rest at once", "--agent", &flag, "--check", crate::RIGHT, "-m", "1"];
        sandbox.gulf(resting).run().does_not_panic().expect_exit(exit::PAUSED);
        let whole = sandbox.loops().into_iter().find(|kept| kept.id() != broken.id()).unwrap();
        sandbox
            .gulf(["list"])
            .run()
            .does_not_panic()
            .expect_exit(0)
            .says("rest at once")
            .does_not_say("days ago");
        sandbox.gulf(["list", "--json"]).run().does_not_panic().expect_exit(0).says(whole.id());
        for arguments in [&["status"][..], &["report"], &["status", whole.id()]] {
            sandbox
                .gulf(arguments.iter().copied())
                .run()
                .does_not_panic()
                .expect_exit(0)
                .says("rest at once");
        }
        for arguments in [&["status"][..], &["status", "--exit-code"], &["cancel"]] {
            let told = sandbox.gulf(arguments.iter().copied()).run().does_not_panic();
            let notes = told.stderr.matches("passing over").count();
            assert_eq!(notes, usize::from(!damage.is_empty()), "{arguments:?}: {}", told.stderr);
        }
        let named = sandbox.gulf(["status", broken.id()]).run().does_not_panic();
        named.expect_exit(exit::ERROR).says("error:").says("hint:");
        assert_eq!(
            fs::read(broken.journal_path()).unwrap(),
            damage,
            "nothing is mended behind the person's back"
        );
    }
}
