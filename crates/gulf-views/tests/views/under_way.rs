//! A loop that is under way, as somebody sees it who looks from elsewhere.

use crate::scene::{self, Scene, turn};
use gulf_engine::*;
use gulf_views::{DriverPresence, History, status_json, still_at, under_way};

const HOUR_MS: u64 = 3_600_000;

/// What is said so long after the last event.
fn said(scene: &Scene, later_ms: u64) -> Option<String> {
    let last_ms = scene.events.last()?.at_ms;
    under_way(&scene.events, &scene.state, last_ms + later_ms, |_| "22:41".to_owned())
}

#[test]
fn what_it_is_at_and_for_how_long_is_said_hours_later() {
    let scene = Scene::sealed().begun(EffectKind::Turn).0;
    assert_eq!(said(&scene, 3 * HOUR_MS).unwrap(), "It is at the turn in iteration 1, for 3h 0m so far.");
    let over = Scene::honest().finished(End::Cancelled);
    assert_eq!(said(&over, HOUR_MS), None);
    // A clock that was set back says nothing of yesterday.
    assert_eq!(
        under_way(&scene.events, &scene.state, 0, |_| String::new()).unwrap(),
        "It is at the turn in iteration 1, for 0.0s so far."
    );
}

#[test]
fn what_takes_long_is_named_with_what_is_seen_of_it() {
    let scene = Scene::sealed().begun(EffectKind::Probe { name: CheckName::new("test") }).0;
    assert_eq!(still_at(&scene.state, "", 65_000).unwrap(), "01:05 still at check test on the base");
    let scene = scene.begun(EffectKind::Turn).0;
    let said = still_at(&scene.state, "Edit\u{7} src/login.rs ", 65_000).unwrap();
    assert_eq!(said, "01:05 still at the turn: Edit  src/login.rs");
    assert_eq!(still_at(&Scene::honest().finished(End::Cancelled).state, "", 65_000), None);
}

#[test]
fn a_wait_for_the_provider_says_how_much_of_it_is_left() {
    let limited = Turn { outcome: TurnOutcome::RateLimited { wait_ms: 8 * HOUR_MS }, ..turn(None) };
    let scene = Scene::sealed()
        .probe("test", scene::green(None))
        .probe("lint", scene::green(None))
        .done(EffectKind::Turn, EffectResult::Turn(limited))
        .done(EffectKind::Snapshot, EffectResult::Snapshot(scene::snapshot("aaaaaaaaaaaa")))
        .then(Fact::Settled { settlement: Settlement::RateLimited });
    let waits = said(&scene, 2 * HOUR_MS).unwrap();
    assert!(
        waits.starts_with("It waits for the provider, 5h 59m")
            || waits.starts_with("It waits for the provider, 6h 0m"),
        "{waits}"
    );
    assert!(waits.ends_with("m more, until 22:41."), "{waits}");
    assert_eq!(said(&scene, 9 * HOUR_MS).unwrap(), "It waits for the provider, 0.0s more, until 22:41.");
    let history = History::fold(&scene.events);
    let status = status_json(&scene::facts(), &history, &scene.state, DriverPresence::Present);
    assert_eq!(status["wait"]["for"], "provider");
    assert!(status["wait"]["until"].as_str().unwrap().ends_with('Z'));
    let free = status_json(&scene::facts(), &history, &Scene::sealed().state, DriverPresence::Present);
    assert_eq!(free["wait"], serde_json::Value::Null);
}
