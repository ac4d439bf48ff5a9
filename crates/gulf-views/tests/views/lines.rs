//! The log and the status line, in the order in which a person sees them grow.

use crate::golden;
use crate::scene::{self, Scene, contract, done, findings, green, red, snapshot, turn, unrunnable};
use gulf_engine::*;
use gulf_views::{ERASE, History, Look, Palette, line, redraw, status_line};
use std::num::NonZeroU32;
use unicode_width::UnicodeWidthStr;

/// Folds the events again, and shows each as it looked then.
fn log(scene: &Scene, look: Look) -> String {
    let mut state = State::default();
    let mut log = String::new();
    for event in &scene.events {
        state.apply(event);
        log.extend(line(event, &state, look).map(|line| line + "\n"));
    }
    log
}

/// The last event, as it looks in a pipe.
fn last_line(scene: &Scene) -> Option<String> {
    line(scene.events.last()?, &scene.state, Look::piped())
}

/// One event after a prefix: its line, or that there is none.
pub(crate) fn check(scene: Scene, fact: Fact, expected: &str) {
    let scene = scene.then(fact);
    let told = last_line(&scene);
    let told =
        told.as_deref().map_or("(no line)", |line| line.split_once(' ').map_or(line, |(_, told)| told));
    assert_eq!(told, expected);
}

/// As [`check`], for what an effect of the current iteration came to.
pub(crate) fn check_result(scene: Scene, work: EffectKind, result: EffectResult, expected: &str) {
    let (scene, key) = scene.begun(work);
    check(scene, Fact::Ended { key, result }, expected);
}

pub(crate) fn gates() -> Scene {
    Scene::sealed().turn(Some(done()), "aaaaaaaaaaaa")
}

fn test() -> EffectKind {
    EffectKind::Check { name: CheckName::new("test") }
}

fn end() -> End {
    End::Verified { proofs: vec![Proof::BaseRed { check: CheckName::new("test") }] }
}

#[test]
fn a_loop_reads_as_a_story_on_every_terminal() {
    let scene = Scene::honest().finished(end());
    golden!("log_80_plain", log(&scene, Look::terminal(Palette::Plain, 80)));
    golden!("log_80_colour", log(&scene, Look::terminal(Palette::Colour, 80)));
    golden!("log_40_plain", log(&scene, Look::terminal(Palette::Plain, 40)));
    golden!("log_piped", log(&scene, Look::piped()));
}

#[test]
fn no_line_is_wider_than_its_terminal() {
    let snapshot = Snapshot {
        left_out: vec!["자료/큰파일.bin: too large".into(), "b.sock: a socket".into()],
        drifted: vec!["RUBRIC.md".into()],
        ..snapshot("aaaaaaaaaaaa")
    };
    let scene = Scene::sealed()
        .done(EffectKind::Turn, EffectResult::Turn(turn(None)))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot))
        .check("test", red("로그인::빈_비밀번호를_거절한다 panicked at tests/login.rs"))
        .done(EffectKind::Integrity, EffectResult::Integrity(findings()))
        .then(Fact::Steered {
            note: "더 작은 단계로 나누어서 하세요, 그리고 테스트부터 쓰세요".into()
        });
    for columns in [1, 2, 7, 20, 40, 80] {
        for line in log(&scene, Look::terminal(Palette::Plain, columns)).lines() {
            assert!(line.width() <= usize::from(columns), "{line:?} in {columns} columns");
        }
    }
}

#[test]
fn the_start_is_told_with_base_checks_and_limits() {
    let sealed = |contract| Fact::Sealed { contract: Box::new(contract) };
    let two = "sealed: goal 60a160a · base ba5eba5 · checks test, lint · at most 50 iterations";
    check(Scene::default(), sealed(contract()), two);
    let mut bare = contract();
    bare.checks.clear();
    bare.policy.limits =
        Limits { iterations_max: NonZeroU32::MIN, active_ms_max: Some(3_720_000), ..scene::limits() };
    let none = "sealed: goal 60a160a · base ba5eba5 · no check · at most 1 iteration, 1h 2m";
    check(Scene::default(), sealed(bare), none);
}

#[test]
fn a_driver_is_news_only_when_it_takes_something_up() {
    let attached = || Fact::Attached { driver: "run".into(), environment: Digest::new("e0e0e0e0") };
    check(Scene::sealed(), attached(), "(no line)");
    check(gates(), attached(), "resumed at iteration 1");
    let (scene, key) = Scene::sealed().begun(EffectKind::Turn);
    let orphan = "resumed after an interruption: the turn of iteration 1 was running";
    check(scene.clone(), attached(), orphan);
    let scene = scene.then(attached());
    let over = "the turn was interrupted; the worktree stays as it is";
    check(scene.clone(), Fact::Ended { key: key.clone(), result: EffectResult::Interrupted }, over);
    let scene = scene.then(Fact::Ended { key: key.clone(), result: EffectResult::Interrupted });
    check(scene, Fact::Began { key: EffectKey { attempt: 2, ..key } }, "iteration 1/50, attempt 2, begins");
}

#[test]
fn a_turn_tells_how_it_ended_and_whether_it_claims() {
    let check = |turn: Turn, expected: &str| {
        check_result(Scene::sealed(), EffectKind::Turn, EffectResult::Turn(turn), expected);
    };
    let no_test = Claim::Done { no_test: Some("only a comment".into()) };
    check(turn(Some(done())), "turn over after 12s: claims done");
    check(turn(Some(no_test)), "turn over after 12s: claims done without a test: only a comment");
    check(turn(None), "turn over after 12s: no claim");
    let failed = |exit| Turn { outcome: TurnOutcome::Failed { exit }, ..turn(None) };
    check(failed(Some(3)), "turn over after 12s: FAILED exit 3 · no claim");
    check(failed(None), "turn over after 12s: FAILED · no claim");
    let timed_out = Turn { outcome: TurnOutcome::TimedOut, ..turn(Some(done())) };
    check(timed_out, "turn over after 12s: TIMED OUT · claims done");
    let missing = vec!["RISKS".into(), "GAPS".into()];
    let brief = |brief| Turn { brief, ..turn(None) };
    check(brief(Brief::Complete), "turn over after 12s: no claim · the brief is complete");
    check(brief(Brief::Incomplete { missing }), "turn over after 12s: no claim");
}

#[test]
fn a_candidate_tells_what_is_not_in_it() {
    let turned = || Scene::sealed().done(EffectKind::Turn, EffectResult::Turn(turn(None)));
    let check = |snapshot, expected: &str| {
        check_result(turned(), EffectKind::Snapshot, EffectResult::Snapshot(snapshot), expected);
    };
    check(snapshot("aaaaaaaaaaaa"), "candidate caaaaaa (tree aaaaaaa)");
    check(snapshot("000000000000"), "candidate c000000 (tree 0000000) · nothing differs from the base");
    let left_out = (1..=5).map(|index| format!("big{index}.bin: too large")).collect();
    let drifted = vec!["RUBRIC.md".into()];
    check(
        Snapshot { left_out, drifted, ..snapshot("aaaaaaaaaaaa") },
        "candidate caaaaaa (tree aaaaaaa) · not in it: big1.bin: too large, big2.bin: too large, \
         big3.bin: too large and 2 more · drifted, ignored: RUBRIC.md",
    );
}

#[test]
fn a_check_tells_its_verdict_counts_and_time() {
    let check = |run, expected: &str| check_result(gates(), test(), EffectResult::Check(run), expected);
    check(green(Some(12)), "check test: passed · 12 tests · 3.1s");
    check(green(None), "check test: passed · 3.1s");
    let silent = CheckRun { summary: "all files formatted".into(), ..green(None) };
    check(silent, "check test: passed · 3.1s · all files formatted");
    let skipped = CheckRun { tests: Some(TestCounts { passed: 1, failed: 0, skipped: 4 }), ..green(None) };
    check(skipped, "check test: passed · 1 test, 4 skipped · 3.1s");
    let repaired = CheckRun { verdict: CheckVerdict::Green { repaired: 2 }, ..green(Some(12)) };
    check(repaired, "check test: passed · 2 known failures of the base repaired · 12 tests · 3.1s");
    check(red("tests::adds"), "check test: FAILED exit 101 · 1 failed, 12 passed · 3.1s · tests::adds");
    check(CheckRun { exit: None, ..red("") }, "check test: FAILED · 1 failed, 12 passed · 3.1s");
    check(unrunnable(), "check test: COULD NOT RUN · 3.1s · sh: cargo: not found");
}

#[test]
fn a_check_on_the_base_is_told_without_alarm() {
    let probe = || EffectKind::Probe { name: CheckName::new("test") };
    let check = |run, expected: &str| {
        check_result(Scene::sealed(), probe(), EffectResult::Check(run), expected);
    };
    check(green(Some(12)), "on the base: check test passes · 12 tests · 3.1s");
    check(red(""), "on the base: check test fails, exit 101 · 1 failed, 12 passed · 3.1s");
    check(CheckRun { exit: None, ..red("") }, "on the base: check test fails · 1 failed, 12 passed · 3.1s");
    check(unrunnable(), "on the base: check test could not run · 3.1s · sh: cargo: not found");
    check_result(Scene::sealed(), probe(), EffectResult::Interrupted, "(no line)");
}

#[test]
fn the_other_gates_tell_their_word() {
    let check = |work, result, expected: &str| check_result(gates(), work, result, expected);
    let untouched = Integrity::default();
    check(
        EffectKind::Integrity,
        EffectResult::Integrity(untouched),
        "existing tests and runner configuration are unchanged",
    );
    check(
        EffectKind::Integrity,
        EffectResult::Integrity(findings()),
        "2 findings in tests, runner settings or code: tests/login.rs: the test \
         `rejects_a_blank_password` is gone; package.json: scripts.test is `true`",
    );
    let seen = Overlay::Red { by: vec!["tests::adds".into()] };
    check(EffectKind::Overlay, EffectResult::Overlay(seen), "seen to fail without the change: tests::adds");
    let unseen = Overlay::NotShown { why: "there is no new test".into() };
    check(
        EffectKind::Overlay,
        EffectResult::Overlay(unseen),
        "no new test fails without the change: there is no new test",
    );
    let judge = |word, expected: &str| check(EffectKind::Judge, EffectResult::Judge(word), expected);
    judge(
        JudgeWord::Approved { evidence_inside: 1, findings: OnFindings::Silent },
        "judge: approved · 1 criterion with evidence inside the change",
    );
    let fingerprint = Digest::new("f3f3");
    judge(JudgeWord::Rejected { fingerprint }, "judge: REJECTED · see JUDGE_FEEDBACK.md");
    judge(JudgeWord::NoVerdict, "judge: no verdict · counts as neither approval nor rejection");
    judge(JudgeWord::Unreachable { why: "it failed".to_owned() }, "judge: out of reach");
    check(test(), EffectResult::Interrupted, "check test was interrupted; it runs again");
    let (cut, key) = gates().begun(test());
    let ended = Fact::Ended { key, result: EffectResult::Interrupted };
    self::check(cut.then(Fact::CancelAsked), ended, "check test was interrupted");
    let reason = "no space left on device".into();
    check(
        test(),
        EffectResult::Failed { reason },
        "check test could not be completed: no space left on device",
    );
}

#[test]
fn a_settled_iteration_tells_what_the_worker_is_told() {
    let check = |scene, settlement, expected: &str| check(scene, Fact::Settled { settlement }, expected);
    check(gates(), Settlement::Unclaimed, "(no line)");
    check(gates(), Settlement::Research, "iteration 1 repeats, 1 of 5: it needs a complete brief");
    check(gates(), Settlement::AgentFailed, "trying again in 1.0s: the agent failed and changed nothing");
    check(gates(), Settlement::Approved, "approved; --force-max continues to the last iteration");
    let one = gates().check("test", red("")).check("lint", green(None));
    let refused = |gate| Settlement::Refused { gate };
    check(one, refused(Gate::Checks), "refused: check test failed");
    let both = gates().check("test", red("")).check("lint", unrunnable());
    check(both, refused(Gate::Checks), "refused: checks lint, test failed");
    check(gates(), refused(Gate::Integrity), "refused: existing tests or runner configuration were changed");
    check(gates(), refused(Gate::Judge), "refused: rejected by the judge");
    let tallies = [
        (None, "the list of tasks is gone or cannot be read"),
        (Some((0, 0)), "the turn that claimed it failed"),
        (Some((2, 0)), "open in the list of tasks: 2"),
        (Some((0, 1)), "open in the list of tasks: 0; missing or reworded: 1"),
    ];
    for (tally, said) in tallies {
        let tasks = tally.map(|(open, missing)| TaskTally { open, ticked: 1, missing });
        let left = Snapshot { tasks, ..snapshot("aaaaaaaaaaaa") };
        let scene = Scene::sealed().done(EffectKind::Turn, EffectResult::Turn(turn(Some(done()))));
        let scene = scene.done(EffectKind::Snapshot, EffectResult::Snapshot(left));
        check(scene, refused(Gate::Tasks), &format!("refused: {said}"));
    }
    check(
        gates(),
        Settlement::Asked,
        "asked: for a test that fails without the change, or a reason why there is none",
    );
    let alike = "refused: it returns to an approach that was rejected before the reset";
    check(gates(), refused(Gate::Approach), alike);
    let word = |by, summary: &str| LandingWord::Refused {
        by,
        base: CommitId::new("d".repeat(40)),
        summary: summary.into(),
        fingerprint: Digest::new("f1"),
    };
    for (word, said) in [
        (word(Clash::Conflict, "app.py"), "it conflicts with the base branch: app.py"),
        (word(Clash::Red, "check test"), "merged into the base branch, a check fails: check test"),
    ] {
        let landed = gates().done(EffectKind::Land, EffectResult::Landing(word));
        check(landed, refused(Gate::Landing), &format!("refused: {said}"));
    }
    let found = gates().done(EffectKind::Integrity, EffectResult::Integrity(findings()));
    check(found, Settlement::Asked, "asked: to look at what was found, or to claim again");
}

#[test]
fn what_a_person_or_a_worker_asks_for_shows() {
    let working = || Scene::sealed().begun(EffectKind::Turn).0;
    let claim = |no_test| Fact::Claimed { claim: Claim::Done { no_test } };
    check(working(), claim(None), "the worker claims done");
    check(working(), claim(Some("a comment".into())), "the worker claims done without a test: a comment");
    let note = "\n  smaller steps\nand more".into();
    check(working(), Fact::Steered { note }, "a note for the next iteration: smaller steps");
    check(working(), Fact::PauseAsked, "pause requested");
    check(working(), Fact::CancelAsked, "cancel requested");
    let refused = Fact::Refused { request: "cancel".into(), reason: "only a person may do this".into() };
    check(working(), refused, "request cancel refused: only a person may do this");
}

#[test]
fn a_pause_tells_why_and_how_to_go_on() {
    let told: Vec<String> =
        scene::PAUSES.into_iter().map(Scene::resting).map(|scene| last_line(&scene).unwrap()).collect();
    golden!("pauses", told.join("\n"));
    let paused = gates().then(Fact::Paused { reason: PauseReason::Asked });
    check(paused, Fact::Resumed, "resumed");
}

#[test]
fn the_rest_is_told_in_one_line_or_not_at_all() {
    check(Scene::sealed(), Fact::Woke, "(no line)");
    let reason = "iteration 1, attempt 1".into();
    let decided = Fact::Decided { word: Word::Continue, reason, engine_version: 1 };
    check(Scene::sealed(), decided, "(no line)");
    check(Scene::sealed(), Fact::Taken { request: "7".into() }, "(no line)");
    let reset = "too many rejections in a row: asking for a different approach";
    check(Scene::sealed(), Fact::StrategyReset, reset);
    let dropped = "the journal's unfinished last line was set aside (1 byte)";
    check(Scene::sealed(), Fact::TailDropped { bytes: 1 }, dropped);
    let close = || EffectResult::Closed { closing: scene::committed() };
    let first = || {
        Scene::sealed_as(scene::listed(3)).turn(Some(done()), "aaaaaaaaaaaa").done(EffectKind::Close, close())
    };
    check(first(), Fact::UnitFinished { end: end() }, "task 1/3 finished: verified");
    let second = first().then(Fact::UnitFinished { end: end() });
    let key = EffectKey { unit: UnitId(1), iteration: 2, attempt: 1, work: EffectKind::Turn };
    check(second, Fact::Began { key }, "T2 (task 2/3), iteration 1/50 begins");
}

#[test]
fn every_end_is_told_with_its_meaning() {
    let told: Vec<String> = scene::ends()
        .into_iter()
        .map(|(_, end)| gates().finished(end))
        .map(|scene| last_line(&scene).unwrap())
        .collect();
    golden!("ends", told.join("\n"));
}

#[test]
fn a_worker_cannot_repaint_a_line() {
    let summary = "\u{1b}[2K\r\u{1b}[32mpassed\u{202e}\nnext".into();
    let scene = gates().check("test", CheckRun { summary, ..red("") });
    let told = last_line(&scene).unwrap();
    assert!(!told.contains(['\u{1b}', '\r', '\n', '\u{202e}']), "{told:?}");
}

/// The status line after each step of a loop, without repetitions.
fn statuses(look: Look) -> String {
    let scene = Scene::honest().finished(end());
    let mut state = State::default();
    let mut history = History::default();
    let mut lines = vec![status_line(&state, &history, "", 0, look)];
    for event in &scene.events {
        state.apply(event);
        history.apply(event);
        lines.push(status_line(&state, &history, "", event.active_ms, look));
    }
    lines.join("\n")
}

#[test]
fn the_status_line_follows_the_loop() {
    golden!("status_80_plain", statuses(Look::terminal(Palette::Plain, 80)));
    golden!("status_40_colour", statuses(Look::terminal(Palette::Colour, 40)));
}

#[test]
fn the_status_line_leaves_the_last_column_free() {
    for columns in [1, 8, 40, 80] {
        for line in statuses(Look::terminal(Palette::Plain, columns)).lines() {
            assert!(line.width() < usize::from(columns), "{line:?} in {columns} columns");
        }
    }
}

#[test]
fn phases_follow_research_judge_and_pause() {
    let look = Look::piped();
    let mut researched = contract();
    researched.policy.research = Research::Gate;
    let scene = Scene::sealed_as(researched).begun(EffectKind::Turn).0;
    assert_eq!(status_line(&scene.state, &scene.history, "", 5000, look), "iteration 1/50 · analyze · 00:05");
    let (scene, _) = gates().begun(EffectKind::Judge);
    assert_eq!(
        status_line(&scene.state, &scene.history, "", 5000, look),
        "iteration 1/50 · review · 00:05 · judge"
    );
    let scene = gates().then(Fact::Paused { reason: PauseReason::Asked });
    assert_eq!(
        status_line(&scene.state, &scene.history, "", 5000, look),
        "iteration 1/50 · test · 00:05 · paused"
    );
}

#[test]
fn the_last_gates_word_is_a_no_before_any_yes() {
    let word = |scene: Scene| {
        let status = status_line(&scene.state, &scene.history, "", 0, Look::piped());
        status.splitn(4, " · ").nth(3).unwrap_or("").to_owned()
    };
    assert_eq!(word(gates()), "");
    let checked = gates().check("test", green(Some(2))).check("lint", green(None));
    assert_eq!(word(checked.clone()), "lint passed");
    assert_eq!(word(gates().check("test", red("")).check("lint", green(None))), "test FAILED exit 101");
    let judged = JudgeWord::Rejected { fingerprint: Digest::new("f3f3") };
    let judged = checked.clone().done(EffectKind::Judge, EffectResult::Judge(judged));
    assert_eq!(word(judged), "judge REJECTED");
    let found = checked.clone().done(EffectKind::Integrity, EffectResult::Integrity(findings()));
    assert!(word(found).starts_with("2 findings in tests"));
    let seen = Overlay::Red { by: vec!["tests::adds".into()] };
    let seen = checked.done(EffectKind::Overlay, EffectResult::Overlay(seen));
    assert_eq!(word(seen), "seen to fail without the change: tests::adds");
}

#[test]
fn the_log_grows_above_the_status_line() {
    assert_eq!(redraw(Some("00:12 resumed"), "iteration 1/50"), "\r\u{1b}[2K00:12 resumed\niteration 1/50");
    assert_eq!(redraw(None, "iteration 1/50"), "\r\u{1b}[2Kiteration 1/50");
    assert_eq!(ERASE, "\r\u{1b}[2K");
}

#[test]
fn the_status_line_says_what_the_agent_does_as_long_as_it_works() {
    let line =
        |scene: &Scene| status_line(&scene.state, &scene.history, "Bash cargo\ntest", 5000, Look::piped());
    let works = line(&Scene::sealed().begun(EffectKind::Turn).0);
    assert!(works.ends_with(" · Bash cargo test"), "{works}");
    let judged = line(&gates().begun(EffectKind::Judge).0);
    assert!(!judged.contains("Bash"), "{judged}");
    let (scene, _) = gates().begun(EffectKind::Check { name: CheckName::new("test") });
    let prepared = status_line(&scene.state, &scene.history, "set-up: npm ci", 5000, Look::piped());
    assert!(prepared.ends_with(" · check test · set-up: npm ci"), "{prepared}");
}
