//! Decisions made once more: as journalled, otherwise under the same rules, otherwise under others, and cut short.

use crate::golden;
use crate::scene::{Scene, facts};
use gulf_engine::*;
use gulf_views::{Damage, Look, Replay, ReplayStop, replay, replay_json};

/// An honest loop as its driver journals it, the words about decisions included.
fn journal() -> Vec<Event> {
    let proofs = vec![Proof::BaseRed { check: CheckName::new("test") }];
    told(&Scene::honest().finished(End::Verified { proofs }).events)
}

/// Writes before each turn and each end what a driver would have written there.
fn told(events: &[Event]) -> Vec<Event> {
    let mut state = State::default();
    let mut told: Vec<Event> = Vec::new();
    for event in events {
        let next = told.len() as u64 + 1;
        let begins = matches!(&event.fact, Fact::Began { key } if key.work == EffectKind::Turn);
        let is_decided = begins || matches!(event.fact, Fact::Finished { .. } | Fact::Paused { .. });
        let word = if is_decided { decide(&state).explanation(&state) } else { None };
        if let Some((word, reason)) = word {
            let fact = Fact::Decided { word, reason, engine_version: ENGINE_VERSION };
            told.push(Event { sequence: next, fact, ..event.clone() });
        }
        let event = Event { sequence: told.len() as u64 + 1, ..event.clone() };
        told.push(event);
        // What was seen is skipped.
        told.iter().for_each(|event| state.apply(event));
    }
    told
}

/// The same journal, its last decision as rules of this version had it.
fn otherwise(version: u32) -> Vec<Event> {
    let mut events = journal();
    if let Some(last) = events.iter_mut().rev().find(|event| matches!(event.fact, Fact::Decided { .. })) {
        let reason = "attested".to_owned();
        last.fact = Fact::Decided { word: Word::Complete, reason, engine_version: version };
    }
    events
}

#[track_caller]
fn shown(name: &str, replayed: &Replay) {
    golden!(format!("replay_{name}"), steady(&replay(&facts().handle, replayed, Look::piped())));
}

/// Whatever the version of the rules is by now.
fn steady(text: &str) -> String {
    let named = |text: &str, version: u32, name: &str| {
        let text = text.replace(&format!("version {version}"), &format!("version {name}"));
        text.replace(&format!("version\": {version}"), &format!("version\": {name}"))
    };
    let text = text.replace("\"version\": 1,", "\"version\": ONE,");
    named(&named(&text, ENGINE_VERSION, "NOW"), ENGINE_VERSION - 1, "BEFORE")
}

#[test]
fn each_decision_is_shown_with_what_it_rests_on() {
    let replayed = Replay::from_events(&journal(), None);
    assert_eq!((replayed.differences().count(), replayed.exit_code()), (0, 0));
    shown("agrees", &replayed);
    golden!("replay_json", steady(&format!("{:#}", replay_json(&facts().loop_id, &replayed))));
}

#[test]
fn a_difference_under_the_same_rules_is_a_bug_and_under_others_a_report() {
    let same = Replay::from_events(&otherwise(ENGINE_VERSION), None);
    assert_eq!((same.differences().count(), same.exit_code()), (1, 1));
    shown("differs", &same);
    let older = Replay::from_events(&otherwise(ENGINE_VERSION - 1), None);
    assert_eq!((older.differences().count(), older.exit_code()), (1, 0));
    shown("differs_across_versions", &older);
}

#[test]
fn a_settlement_that_no_rule_asks_for_differs() {
    let mut events = journal();
    let settled = events.iter_mut().find(|event| matches!(event.fact, Fact::Settled { .. })).unwrap();
    settled.fact = Fact::Settled { settlement: Settlement::Unclaimed };
    let replayed = Replay::from_events(&events, None);
    let first = replayed.differences().next().unwrap();
    assert_eq!(
        (first.journalled.as_str(), first.computed.as_str()),
        ("settle: goes on", "settle: refused by the checks")
    );
}

#[test]
fn time_that_passes_while_a_decision_is_written_down_changes_nothing() {
    let mut contract = crate::scene::contract();
    contract.policy.limits.active_ms_max = Some(1_500);
    // The turn is decided on in the second before the deadline, and its beginning is written after it.
    let (scene, _) = Scene::sealed_as(contract).begun(EffectKind::Turn);
    let replayed = Replay::from_events(&told(&scene.events), None);
    assert_eq!(replayed.differences().count(), 0, "{replayed:?}");
    assert_eq!(replayed.decisions.len(), 1, "{replayed:?}");
}

#[test]
fn a_journal_that_is_cut_or_out_of_order_is_replayed_up_to_there() {
    let events = journal();
    let cut = &events[..12];
    let unfinished =
        |damage| Some(ReplayStop { after: 12, why: "the last line is unfinished".into(), damage });
    let replayed = Replay::from_events(cut, unfinished(Damage::UnfinishedLine));
    assert_eq!((replayed.events, replayed.exit_code()), (12, 0));
    shown("cut", &replayed);
    assert_eq!(Replay::from_events(cut, unfinished(Damage::Corrupt)).exit_code(), 1);
    let mut gap = events;
    gap.remove(5);
    let replayed = Replay::from_events(&gap, None);
    let stop = replayed.stop.clone().unwrap();
    assert_eq!((replayed.events, stop.damage, replayed.exit_code()), (5, Damage::Corrupt, 1), "{}", stop.why);
}

#[test]
fn every_journal_of_the_other_views_tests_can_be_replayed() {
    for reason in [PauseReason::Asked, PauseReason::HumanGate, PauseReason::Question, PauseReason::Denied] {
        let replayed = Replay::from_events(&Scene::resting(reason).events, None);
        assert_eq!(replayed.stop, None, "{reason:?}");
    }
}
