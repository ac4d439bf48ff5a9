//! Random walks: longer queues with everything in them, and journals that no leader wrote. For a long search, such as after
//! a change of a rule: `PROPTEST_CASES=40000 cargo test --release -p gulf-queue walks`.

use super::given::*;
use super::world::{Luck, World};
use crate::*;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeSet;

const NAMES: [&str; 10] = ["1", "2", "3", "4", "5", "6", "7", "8", "a1", "a2"];

fn any_name() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(NAMES.as_slice())
}

fn any_nature() -> impl Strategy<Value = Nature> {
    let conflicts = vec((any_name(), any_name()), 0..3);
    let red = vec(vec(any_name(), 1..4), 0..4);
    (conflicts, red).prop_map(|(mut conflicts, red)| {
        conflicts.retain(|(one, other)| one != other);
        Nature { conflicts, red }
    })
}

fn any_luck() -> impl Strategy<Value = Luck> {
    let small = || 0..3_u8;
    (small(), small(), small(), small(), 0..5_u8, small(), 0..6_u8).prop_map(|luck| {
        let (deaths, strangers, leaves, agains, flakes, not_ready, failures) = luck;
        Luck { deaths, strangers, leaves, agains, flakes, not_ready, failures }
    })
}

/// A run until nothing can happen any more; each choice picks among what can.
fn walk(nature: &Nature, mut world: World, choices: &[Index]) -> (World, Vec<Event>) {
    let mut events = Vec::new();
    for count in 0.. {
        assert!(count < 10_000, "every run comes to an end");
        let steps = world.steps(nature).unwrap_or_else(|law| panic!("broken: {law}\n{events:#?}"));
        if steps.is_empty() {
            break;
        }
        // Without choices the leader goes on undisturbed.
        let step = choices.get(count).map_or(0, |choice| choice.index(steps.len()));
        let step = &steps[step];
        world.joined(step);
        let event = world.step(nature, step);
        let event = event.unwrap_or_else(|law| panic!("broken: {law}\nby {step:?}\n{events:#?}"));
        events.extend(event);
    }
    (world, events)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(400)))]

    #[test]
    fn the_laws_hold_on_long_walks(
        nature in any_nature(),
        lanes in 1..5_u32,
        window_max in 1..9_u32,
        luck in any_luck(),
        waiting in 0..8_usize,
        choices in vec(any::<Index>(), 0..200),
    ) {
        let (waiting, coming) = NAMES.split_at(waiting);
        let world = World::new(terms(lanes, window_max), waiting, coming, luck);
        let start = world.state.clone();
        let (world, events) = walk(&nature, world, &choices);
        prop_assert!(world.state.line().is_empty());
        prop_assert!(world.endings.len() >= NAMES.len());

        let mut begun = BTreeSet::new();
        let mut replayed = start;
        for event in &events {
            if let QueueFact::Began { key } = &event.fact {
                prop_assert!(begun.insert(key.clone()), "no key runs twice: {key:?}");
            }
            let line = serde_json::to_string(event).unwrap();
            replayed.apply(&serde_json::from_str(&line).unwrap());
        }
        prop_assert_eq!(replayed, world.state);
    }

    #[test]
    fn a_journal_in_any_order_is_folded_without_a_panic_and_moves_nothing_untested(
        nature in any_nature(),
        choices in vec(any::<Index>(), 0..60),
        order in vec(any::<Index>(), 0..200),
    ) {
        let luck = Luck { deaths: 1, flakes: 1, ..Luck::default() };
        let (world, events) = walk(&nature, World::new(terms(2, 4), &NAMES[..3], &[], luck), &choices);
        let mut state = QueueState::default();
        let mut green = BTreeSet::new();
        for pick in order {
            let Some(fact) = events.get(pick.index(events.len().max(1))).map(|event| event.fact.clone()) else { break };
            let before = state.clone();
            state.apply(&Event { sequence: state.sequence() + 1, at_ms: 0, fact: fact.clone() });
            if let QueueFact::Ended { key: QueueKey { work: QueueWork::Test { tip, .. }, .. }, result } = &fact
                && *result == QueueResult::Green
            {
                green.insert(tip.tree.clone());
            }
            if state.anomaly().is_some() {
                prop_assert_eq!(decide(&state), QueueDecision::Rest);
                prop_assert_eq!(state.line(), before.line());
                state = before;
            } else if let QueueFact::Began { key: QueueKey { work: QueueWork::Move { to, .. }, .. } } = &fact {
                prop_assert!(green.contains(&to.tree));
            }
        }
        prop_assert_eq!(world.endings.len(), 3);
    }
}
