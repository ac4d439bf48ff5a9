//! The last screen of every way in which a command can stop.

use crate::golden;
use crate::scene::{self, Scene, contract, done, ends, facts, findings, snapshot, turn};
use gulf_engine::*;
use gulf_views::{
    BranchFacts, CheckoutChange, DriverPresence, Facts, LandingFacts, Look, LoopStatus, Palette, Summary,
    result,
};
use unicode_width::UnicodeWidthStr;

const WIDE: Look = Look::terminal(Palette::Plain, 80);
const NARROW: Look = Look::terminal(Palette::Plain, 40);
const COLOUR: Look = Look::terminal(Palette::Colour, 80);

/// Everything that can stand under *not proven*.
fn doubtful() -> (Scene, Facts) {
    let snapshot = Snapshot {
        left_out: vec!["자료/큰파일.bin: 120 MB, over the limit".into(), "app.sock: a socket".into()],
        drifted: vec!["RUBRIC.md".into()],
        ..snapshot("bbbbbbbbbbbb")
    };
    let scene = Scene::sealed()
        .done(EffectKind::Turn, EffectResult::Turn(turn(Some(done()))))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot))
        .check("test", scene::green(Some(12)))
        .done(EffectKind::Integrity, EffectResult::Integrity(findings()));
    let criteria = vec!["한국어 오류 메시지가 분명하다".into(), "the API stays as it is".into()];
    (scene, Facts { criteria, ..facts() })
}

fn summary_of(end: &End) -> Summary {
    match end {
        End::Attested { .. } => {
            let (scene, facts) = doubtful();
            scene.finished(end.clone()).summary_of(&facts, &scene::dirty())
        }
        End::Verified { .. }
        | End::Stalled { .. }
        | End::Exhausted { .. }
        | End::Unavailable { .. }
        | End::Violated
        | End::Cancelled => Scene::honest().finished(end.clone()).summary(),
    }
}

/// Every summary there is, by name.
pub(crate) fn summaries() -> Vec<(String, Summary)> {
    let mut summaries: Vec<(String, Summary)> =
        ends().into_iter().map(|(name, end)| (name.to_owned(), summary_of(&end))).collect();
    for reason in scene::PAUSES {
        let paused = Scene::resting(reason).summary();
        summaries.push((format!("paused-{reason:?}").to_lowercase(), paused));
    }
    summaries.push(("interrupted".into(), Scene::sealed().begun(EffectKind::Turn).0.summary()));
    summaries
}

#[test]
fn what_landed_is_said_and_needs_no_commit() {
    let word = LandingWord::Landed {
        commit: CommitId::new("e1e1e1e1e1e1e1e1"),
        onto: CommitId::new("d0d0d0d0d0d0d0d0"),
    };
    let (_, verified) = ends().into_iter().next().unwrap();
    let scene = Scene::honest().done(EffectKind::Land, EffectResult::Landing(word)).finished(verified);
    let branch = BranchFacts {
        kept: None,
        name: "gulf/auto-20260213-143000".into(),
        base: "main".into(),
        worktree: Some("/work/shop-gulf-auto-20260213-143000".into()),
        unchecked_when_merged: Vec::new(),
        worker: None,
    };
    let landing = LandingFacts { base: "main".into(), ..LandingFacts::default() };
    let facts = Facts { branch: Some(branch), landing: Some(landing), ..facts() };
    let summary = scene.summary_of(&facts, &scene::dirty());
    let text = result(&summary, WIDE);
    assert!(!text.contains("git commit"), "{text}");
    golden!("result_80_landed", text);
}

#[test]
fn what_the_base_branch_refused_is_not_proven_for_this_reason() {
    let word = LandingWord::Refused {
        by: Clash::Red,
        base: CommitId::new("d0d0d0d0d0d0d0d0"),
        summary: "test: exit code 1".into(),
        fingerprint: Digest::new("f1"),
    };
    let exhausted = End::Exhausted { limit: Exhaustion::Iterations };
    let scene = Scene::honest().done(EffectKind::Land, EffectResult::Landing(word));
    let refused = Fact::Settled { settlement: Settlement::Refused { gate: Gate::Landing } };
    let text = result(&scene.then(refused).finished(exhausted).summary(), WIDE);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "that it works together with the base branch";
    assert!(text.contains(told) && text.contains("a check fails: test"), "{text}");
}

#[test]
fn every_end_has_a_last_screen() {
    for (name, summary) in summaries() {
        golden!(format!("result_80_{name}"), result(&summary, WIDE));
    }
}

#[test]
fn the_last_screen_fits_a_narrow_terminal_and_has_colours_with_a_meaning() {
    for name in ["verified", "attested", "exhausted-iterations", "paused-humangate", "paused-question"] {
        let (_, summary) = summaries().into_iter().find(|(known, _)| known == name).unwrap();
        golden!(format!("result_40_{name}"), result(&summary, NARROW));
        golden!(format!("result_colour_{name}"), result(&summary, COLOUR));
    }
}

#[test]
fn the_decisive_fact_stands_first_and_a_command_is_never_broken() {
    for (name, summary) in summaries() {
        let screen = result(&summary, NARROW);
        assert!(screen.starts_with(summary.standing.word()), "{name}");
        assert!(!summary.next.is_empty(), "{name} names no next command");
        for step in &summary.next {
            assert!(screen.contains(&step.command), "{name} breaks {}", step.command);
        }
        for line in screen.lines() {
            let is_command = summary.next.iter().any(|step| line == step.command);
            let is_path = line.starts_with("logs: ");
            assert!(is_command || is_path || line.width() <= 40, "{name}: {line:?}");
        }
    }
}

#[test]
fn an_approved_candidate_is_named_when_the_iterations_are_used_up() {
    let mut forced = contract();
    forced.policy.force_max = ForceMax::On;
    let end = End::Exhausted { limit: Exhaustion::Iterations };
    let summary = Scene::sealed_as(forced)
        .turn(Some(done()), "aaaaaaaaaaaa")
        .then(Fact::Settled { settlement: Settlement::Approved })
        .turn(None, "bbbbbbbbbbbb")
        .finished(end)
        .summary();
    assert_eq!(summary.advice, ["The last approved candidate is caaaaaaaaaaa."]);
}

#[test]
fn a_clean_worktree_has_nothing_to_commit() {
    let scene = Scene::honest().finished(End::Verified { proofs: Vec::new() });
    let summary = scene.summary_of(&facts(), &CheckoutChange::Clean);
    let commands: Vec<&str> = summary.next.iter().map(|step| step.command.as_str()).collect();
    assert_eq!(commands, ["gulf report k3v9"]);
}

#[test]
fn an_attested_end_begins_with_what_keeps_it_from_proof() {
    let scene = Scene::sealed().turn(Some(done()), "aaaaaaaaaaaa");
    let meaning = |causes: &[Cause]| {
        let end = End::Attested { causes: causes.to_vec() };
        scene.clone().finished(end).summary().meaning
    };
    let (none, found) = (Cause::NothingCouldFail { reason: None }, Cause::Findings { count: 1 });
    assert_eq!(meaning(&[none.clone(), Cause::NothingChanged]), "every gate passed, but nothing was changed");
    assert_eq!(
        meaning(&[found, none.clone()]),
        "every gate passed, but something was found in tests, runner settings or code"
    );
    let unjudged = Cause::CriteriaNotProven { count: 2 };
    assert_eq!(meaning(&[unjudged]), "every gate passed, but something keeps it from being proof");
    assert_eq!(meaning(&[none]), "every gate passed, but nothing proves that the change made the difference");
}

#[test]
fn why_nothing_was_seen_to_fail_is_said_with_it() {
    let why = "the new tests (tests/login.rs) also pass on a stub of the work";
    let overlay = Overlay::NotShown { why: why.into() };
    let scene = Scene::honest().done(EffectKind::Overlay, EffectResult::Overlay(overlay));
    let screen = |scene: &Scene, end: End| {
        let screen = result(&scene.clone().finished(end).summary(), WIDE);
        screen.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let cause = Cause::NothingCouldFail { reason: None };
    let told = format!("nothing was seen to fail without the change: {why}");
    assert!(screen(&scene, End::Attested { causes: vec![cause] }).contains(&told));
    let asked = scene.then(Fact::Settled { settlement: Settlement::Asked });
    let stalled = screen(&asked, End::Stalled { by: Stall::SameCandidate });
    assert!(stalled.contains(&format!("no new test fails without the change: {why}")), "{stalled}");
}

#[test]
fn where_nothing_was_changed_what_the_agent_was_not_allowed_to_do_stands_at_the_top() {
    let denials = vec![Denial { what: "python3".into(), times: 2 }];
    let turn = Turn { denials, ..turn(Some(done())) };
    let scene = Scene::sealed().done(EffectKind::Turn, EffectResult::Turn(turn));
    let screen =
        |cause| result(&scene.clone().finished(End::Attested { causes: vec![cause] }).summary(), WIDE);
    let nothing = screen(Cause::NothingChanged);
    assert!(nothing.contains("\nNot allowed: python3 2 times.\n"), "{nothing}");
    assert!(nothing.contains("under [agent], allow ="), "{nothing}");
    assert!(!screen(Cause::NothingCouldFail { reason: None }).contains("Not allowed"));
}

#[test]
fn a_loop_without_a_check_and_a_goal_says_so() {
    let mut bare = contract();
    bare.checks.clear();
    let end = End::Attested { causes: vec![Cause::NoCheck] };
    let scene = Scene::sealed_as(bare).turn(Some(done()), "aaaaaaaaaaaa").finished(end);
    let facts = Facts {
        goal: String::new(),
        title: String::new(),
        checks: Default::default(),
        logs: String::new(),
        ..facts()
    };
    golden!("result_80_no_check", result(&scene.summary_of(&facts, &CheckoutChange::Clean), WIDE));
}

#[test]
fn tasks_are_counted_where_there_are_several() {
    let first = End::Verified { proofs: vec![Proof::Criterion] };
    let scene = Scene::sealed_as(scene::listed(2))
        .turn(Some(done()), "aaaaaaaaaaaa")
        .done(EffectKind::Close, EffectResult::Closed { closing: scene::committed() })
        .then(Fact::UnitFinished { end: first })
        .turn(Some(done()), "bbbbbbbbbbbb");
    let screen = |scene: Scene, end| result(&scene.finished(end).summary(), WIDE);
    assert!(screen(scene.clone(), End::Cancelled).contains("2 iterations · 13s · 1 of 2 tasks"));
    let scene = scene.done(EffectKind::Close, EffectResult::Closed { closing: scene::committed() });
    // The second showed nothing, so the loop has no proof of all.
    let end = End::Attested { causes: vec![Cause::NothingCouldFail { reason: None }] };
    golden!("result_80_tasks", screen(scene, end));
}

#[test]
fn a_journal_out_of_order_is_an_error_and_says_where() {
    let mut scene = Scene::sealed();
    let misplaced = Event { sequence: 3, at_ms: 0, active_ms: 0, fact: Fact::Resumed };
    scene.state.apply(&misplaced);
    let summary = scene.summary();
    assert_eq!((summary.standing.word(), summary.standing.exit_code()), ("error", 1));
    golden!("result_80_broken", result(&summary, WIDE));
}

#[test]
fn exit_codes_are_the_table_of_the_design() {
    let codes = [0, 3, 11, 11, 11, 11, 11, 11, 12, 12, 12, 12, 13, 13, 13, 14, 15];
    let ends: Vec<u8> = ends().into_iter().map(|(_, end)| LoopStatus::Ended(end).exit_code()).collect();
    assert_eq!(ends, codes);
    assert_eq!(LoopStatus::Paused(PauseReason::Asked).exit_code(), 10);
    let scene = Scene::sealed();
    assert_eq!(LoopStatus::new(&scene.state, DriverPresence::Absent).exit_code(), 130);
    assert_eq!(LoopStatus::new(&scene.state, DriverPresence::Present).exit_code(), 0);
}

#[test]
fn a_running_loop_can_be_looked_at_too() {
    let scene = Scene::honest();
    let summary =
        Summary::new(&facts(), &scene.history, &scene.state, DriverPresence::Present, &CheckoutChange::Clean);
    golden!("result_80_running", result(&summary, WIDE));
}

#[test]
fn a_command_needs_no_name_where_a_loop_is_the_only_one() {
    let facts = Facts { is_alone: true, ..facts() };
    let steps = |reason| Scene::resting(reason).summary_of(&facts, &CheckoutChange::Clean).next;
    let commands: Vec<String> = steps(PauseReason::Stuck).into_iter().map(|step| step.command).collect();
    assert_eq!(commands, ["gulf steer \"…\"", "gulf resume", "gulf cancel"]);
}

#[test]
fn what_is_the_same_for_every_loop_stands_in_the_receipt_alone() {
    let facts = facts();
    for scene in [Scene::resting(PauseReason::Stuck), Scene::sealed()] {
        let screen = result(&scene.summary_of(&facts, &CheckoutChange::Clean), Look::piped());
        assert!(!screen.contains("not isolated"), "{screen}");
    }
}
