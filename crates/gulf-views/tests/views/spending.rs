//! What a loop costs, and what it waits for, wherever a person or a program sees it (SPEC B12).

use crate::golden;
use crate::scene::{self, Scene, contract, done, snapshot, spent, turn};
use gulf_engine::*;
use gulf_views::{
    DriverPresence, Look, Palette, end_json, line, result, state_json, status_json, status_line,
};
use unicode_width::UnicodeWidthStr;

const WIDE: Look = Look::terminal(Palette::Plain, 80);

fn live(scene: &Scene, columns_max: u16) -> String {
    let look = Look::terminal(Palette::Plain, columns_max);
    status_line(&scene.state, &scene.history, "", scene.state.active_ms, look)
}

/// The log and the live line after each step, as they stand on a wide terminal.
fn story(scene: &Scene) -> String {
    let mut seen = Scene::default();
    let mut story = String::new();
    for event in &scene.events {
        seen = seen.then(event.fact.clone());
        story.extend(line(event, &seen.state, WIDE).map(|line| line + "\n"));
        story.push_str(&format!("        > {}\n", live(&seen, 71)));
    }
    story
}

fn limited(wait_ms: u64) -> EffectResult {
    EffectResult::Turn(Turn { outcome: TurnOutcome::RateLimited { wait_ms }, ..turn(None) })
}

fn verified() -> End {
    End::Verified { proofs: vec![Proof::Criterion] }
}

#[test]
fn the_log_tells_what_an_iteration_cost_and_the_live_line_what_all_did() {
    golden!("story_judged", story(&Scene::judged().finished(verified())));
}

#[test]
fn a_limit_on_money_stands_beside_what_was_spent() {
    let mut contract = contract();
    contract.policy.limits.microdollars_max = Some(5_000_000);
    let scene = Scene::sealed_as(contract);
    assert_eq!(live(&scene, 80), "iteration 0/50 · analyze · 00:01", "nothing where nothing was spent");
    let claims = EffectResult::Turn(turn(Some(done())));
    let scene = scene.paid(EffectKind::Turn, claims, spent(124, 90, Basis::Told));
    assert_eq!(live(&scene, 80), "iteration 1/50 · test · 00:04 · $1.24 of $5.00");
    assert_eq!(live(&scene, 50), "1/50 · test · 00:04 · $1.24");
}

#[test]
fn a_figure_that_nobody_told_says_so_in_the_live_line() {
    let silent = || EffectResult::Turn(turn(None));
    let check = |basis, expected: &str| {
        let scene = Scene::sealed().paid(EffectKind::Turn, silent(), spent(124, 90, basis));
        assert_eq!(live(&scene, 80), format!("iteration 1/50 · test · 00:04 · {expected}"));
    };
    check(Basis::Told, "$1.24");
    check(Basis::Priced, "~$1.24");
    check(Basis::Assumed, "$1.24 assumed");
    let mixed = Scene::sealed()
        .paid(EffectKind::Turn, silent(), spent(100, 90, Basis::Told))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("aaaaaaaaaaaa")))
        .then(Fact::Settled { settlement: Settlement::Unclaimed })
        .paid(EffectKind::Turn, silent(), spent(50, 90, Basis::Assumed));
    assert!(live(&mixed, 80).ends_with(" · ~$1.50 ($0.50 assumed)"), "{}", live(&mixed, 80));
}

#[test]
fn a_wait_for_the_provider_is_told_in_time_that_is_left() {
    let scene = Scene::sealed()
        .paid(EffectKind::Turn, limited(840_000), spent(3, 2, Basis::Told))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("000000000000")))
        .then(Fact::Settled { settlement: Settlement::RateLimited });
    golden!("story_rate_limited", story(&scene));
    let later = status_line(&scene.state, &scene.history, "", 600_000, WIDE);
    assert!(later.starts_with("iteration 1/50 · waiting 4m 4s for the provider · 10:00"), "{later}");
    let tried_again = scene.begun(EffectKind::Turn).0;
    assert!(!live(&tried_again, 80).contains("waiting"), "{}", live(&tried_again, 80));
}

#[test]
fn a_wait_after_a_failure_is_no_providers() {
    let failed = EffectResult::Failed { reason: "no such file".into() };
    let scene = Scene::sealed().done(EffectKind::Turn, failed);
    assert_eq!(live(&scene, 80), "iteration 1/50 · waiting 1.0s before the next try · 00:03");
}

#[test]
fn a_deadline_beside_a_running_turn_is_no_wait() {
    let mut contract = contract();
    contract.policy.limits.active_ms_max = Some(3_600_000);
    let scene = Scene::sealed_as(contract).begun(EffectKind::Turn).0;
    assert_eq!(live(&scene, 80), "iteration 1/50 · implement · 00:02");
}

#[test]
fn an_interrupted_turn_tells_what_it_cost_all_the_same() {
    let scene = Scene::sealed().paid(EffectKind::Turn, EffectResult::Interrupted, spent(7, 5, Basis::Told));
    let told = line(&scene.events[scene.events.len() - 1], &scene.state, WIDE).unwrap();
    assert_eq!(told, "00:04 the turn was interrupted; the worktree stays as it is · $0.07, 5.0k tokens");
}

#[test]
fn the_live_line_fits_whatever_was_spent() {
    let assumed = spent(123_456, 99_000, Basis::Assumed);
    let scene = Scene::judged().then(Fact::Settled { settlement: Settlement::Approved });
    let scene = scene.paid(EffectKind::Turn, EffectResult::Turn(turn(Some(done()))), assumed);
    for columns in [1, 8, 40, 59, 60, 80] {
        let line = live(&scene, columns);
        assert!(line.width() < usize::from(columns), "{line:?} in {columns} columns");
    }
}

#[test]
fn a_result_tells_cost_per_claim_and_which_budget_is_used_up() {
    let mut contract = scene::judged_contract();
    let limits = &mut contract.policy.limits;
    (limits.microdollars_max, limits.tokens_max) = (Some(1_500_000), Some(200_000));
    limits.reserve = Reserve::DearestIteration;
    let claims = EffectResult::Turn(turn(Some(done())));
    let scene = Scene::sealed_as(contract)
        .paid(EffectKind::Turn, claims, spent(131, 120, Basis::Told))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(snapshot("aaaaaaaaaaaa")))
        .passed();
    let screen = |limit| result(&scene.clone().finished(End::Exhausted { limit }).summary(), WIDE);
    golden!("result_80_out_of_money", screen(Exhaustion::Money));
    assert!(screen(Exhaustion::Tokens).starts_with("exhausted: the --max-tokens budget is spent"));
    let told = "Spent: 120k of 200k tokens.\nThe most expensive iteration cost 120k tokens,";
    assert!(screen(Exhaustion::Tokens).contains(told), "{}", screen(Exhaustion::Tokens));
}

#[test]
fn a_new_loop_is_offered_more_than_was_spent_where_one_turn_cost_more_than_the_limit() {
    let mut contract = contract();
    contract.policy.limits.microdollars_max = Some(400_000);
    let turn = EffectResult::Turn(turn(Some(done())));
    let scene = Scene::sealed_as(contract).paid(EffectKind::Turn, turn, spent(81, 120, Basis::Assumed));
    let screen = result(&scene.finished(End::Exhausted { limit: Exhaustion::Money }).summary(), WIDE);
    assert!(screen.contains(" --max-cost 1.62"), "{screen}");
}

#[test]
fn programs_get_the_cost_or_null() {
    let scene = Scene::judged().finished(verified());
    let facts = scene::facts();
    let cost = serde_json::json!({
        "microdollars": 1_240_000, "tokens": 173_000, "basis": "priced", "assumed_microdollars": 0,
    });
    let status = status_json(&facts, &scene.history, &scene.state, DriverPresence::Absent);
    assert_eq!((&status["cost"], &status["claims"]), (&cost, &2.into()));
    assert_eq!(state_json(&facts, &scene.history, &scene.state)["cost"], cost);
    assert_eq!(end_json(&scene.summary())["cost"], cost);
    let nothing = Scene::honest();
    let status = status_json(&facts, &nothing.history, &nothing.state, DriverPresence::Absent);
    assert_eq!(status["cost"], serde_json::Value::Null, "unknown is not zero");
}
