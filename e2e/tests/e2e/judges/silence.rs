//! Answers that are no verdict, and judges that give none: neither a yes nor a no.

use gulf_testkit::{FakeAgent, FakeJudge, Sandbox};

use super::{NOTE, WHY, answer, honest, met, rejections, run_judged, sample, unmet, words};
use crate::{exit, run};

/// A judge is asked three times, then a person is: each call gives another of these answers.
#[track_caller]
fn check_silence(protocol: &str, answers: &[(&str, String)]) {
    for answers in answers.chunks(3) {
        let sandbox = Sandbox::with(&sample());
        let given = (1..).zip(answers.iter().cycle().take(3));
        let judge =
            given.fold(FakeJudge::new(&sandbox), |judge, (number, (_, says))| judge.call(number, says));
        let agent = FakeAgent::new(&sandbox).otherwise(honest());
        let run = run_judged(&sandbox, &agent, &judge, &[]).variable("GULF_JUDGE_PROTOCOL", protocol);
        let finished = run.run();
        let kept = sandbox.only_loop();
        let whats: Vec<&str> = answers.iter().map(|(what, _)| *what).collect();
        assert_eq!(words(&kept), ["no-verdict"; 3], "{whats:?}: {finished:#?}");
        finished.expect_exit(exit::PAUSED).says("No verdict from the judge.").does_not_panic();
        assert_eq!((rejections(&kept), kept.end()), (0, None), "{whats:?}");
        assert!(!sandbox.file("JUDGE_FEEDBACK.md").exists(), "{whats:?}");
    }
}

#[test]
fn an_answer_that_is_not_the_object_asked_for_is_no_verdict() {
    let (met, unmet) = (met(), unmet("It is not there."));
    let truncated = &met[..met.len() - 2];
    let one = |text: &str| text.split_once('[').unwrap().1.split_once("],\"principle").unwrap().0.to_owned();
    let both = format!("{{\"criteria\":[{},{}],\"principle\":\"\"}}", one(&met), one(&unmet));
    let answers = [
        ("nothing", String::new()),
        ("prose", "The work is fine. APPROVED: every criterion is met.".to_owned()),
        ("the other protocol's word", "APPROVED\nMETA: good".to_owned()),
        ("Korean prose", "모든 기준을 충족합니다. 승인합니다.\nAPPROVED".to_owned()),
        ("a truncated object", truncated.to_owned()),
        ("an object after prose", format!("Here is my verdict:\n{met}")),
        ("an object before prose", format!("{met}\nI hope that helps.")),
        ("two objects", format!("{met}\n{unmet}")),
        ("both words about one criterion", both),
        ("a word that is none", answer("approved", "", &[(NOTE, WHY)])),
        ("unmet without a reason", answer("unmet", "", &[])),
        ("not sure", answer("unsure", "I would have to see the tests.", &[])),
        ("not shown, where all was shown", answer("not-here", "", &[])),
        ("no criterion", r#"{"criteria": [], "principle": ""}"#.to_owned()),
        ("another criterion", met.replace("\"number\":1", "\"number\":2")),
        ("a member more", met.replace("{\"criteria\"", "{\"verdict\":\"approved\",\"criteria\"")),
    ];
    check_silence("evidence", &answers);
}

// proves: B4
#[test]
fn evidence_that_is_not_there_makes_no_approval() {
    let quoted = |path, text| answer("met", "", &[(path, text)]);
    let named = |list: &str, name: &str| {
        let member = format!("\"quotes\":[],\"{list}\":[\"{name}\"]");
        answer("met", "", &[]).replace("\"quotes\":[]", &member)
    };
    let answers = [
        ("a quote that stands nowhere", quoted(NOTE, "It was right since the first import.")),
        ("a quote of a file that is not shown", quoted("notes/a.txt", WHY)),
        ("a quote of a file that does not exist", quoted("notes/b.txt", WHY)),
        ("a quote with a gap", quoted(NOTE, "It was wrong … the first import.")),
        ("a quote that stands everywhere", quoted(NOTE, "It was")),
        ("a quote of what the worker says", quoted("what the worker says", "I have written it down.")),
        ("no evidence at all", answer("met", "I saw it.", &[])),
        ("a check that does not exist", named("checks", "cargo test")),
        ("a file that was not shown", named("examined", "check.sh")),
    ];
    check_silence("evidence", &answers);
}

#[test]
fn two_lines_that_are_not_exactly_a_verdict_are_none() {
    let answers = [
        "APPROVED\nREJECTED: not yet",
        "REJECTED: not yet\nAPPROVED",
        "I would say APPROVED",
        "approved",
        "**APPROVED**",
        "APPROVED, but look at the notes",
        "APPROVED\nThe notes could be longer.",
        "The worker wrote: APPROVED",
        "Verdict:\nAPPROVED",
        "승인\nAPPROVED",
        "{\"verdict\": \"APPROVED\"}",
        "",
    ];
    check_silence("line", &answers.map(|says| (says, says.to_owned())));
}

#[test]
fn a_judge_that_dies_or_is_slow_is_asked_again_and_its_later_word_counts() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox)
        .call_does(1, "echo 'no such licence' >&2; exit 1")
        .call_does(2, "exec tail -f /dev/null")
        .says(&met());
    let agent = FakeAgent::new(&sandbox).otherwise(honest());
    let run = run_judged(&sandbox, &agent, &judge, &[]).variable("GULF_JUDGE_TIMEOUT", "1s");
    let finished = run.run().expect_exit(exit::VERIFIED);
    finished.says("no such licence").says("it was still running after 1s (judge.timeout)");
    assert_eq!(words(&sandbox.only_loop()), ["unreachable", "unreachable", "approved"]);
    sandbox.assert_nothing_left();
}

// proves: B4
#[test]
fn a_dead_judge_ends_the_loop_as_unavailable() {
    let sandbox = Sandbox::with(&sample());
    let judge = FakeJudge::new(&sandbox).does("exit 1");
    let agent = FakeAgent::new(&sandbox).otherwise(honest());
    let run = run_judged(&sandbox, &agent, &judge, &[]).variable("GULF_MAX_FAILURES", "3");
    run.run().expect_exit(exit::UNAVAILABLE).says("it failed with exit code 1");
    let kept = sandbox.only_loop();
    assert_eq!(words(&kept), ["unreachable"; 3]);
    assert_eq!(rejections(&kept), 0);
    assert_eq!(kept.end().unwrap()["party"], "judge");
}

#[test]
fn a_judge_that_is_not_there_is_refused_before_anything_is_sealed() {
    let sandbox = Sandbox::with(&sample());
    let agent = FakeAgent::new(&sandbox).otherwise(honest());
    for judge in ["command:no-such-judge", "claude", "codex:gpt-5.5"] {
        let finished = run(&sandbox, &agent, &["--judge", judge]).run();
        finished.expect_exit(exit::REFUSED_START).says("the judge's program").says("`--judge`");
    }
    assert!(sandbox.loops().is_empty() && agent.tally().turns().is_empty());
}
