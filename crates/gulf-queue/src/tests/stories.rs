//! Single cases, told from the first fact to the last.

use super::given::*;
use super::tale::Tale;
use crate::*;
use gulf_engine::Digest;

fn red(together: &[&'static str]) -> Nature {
    Nature { red: vec![together.to_vec()], ..PEACE }
}

#[test]
fn several_lanes_test_prefixes_side_by_side_and_one_move_lands_all_that_are_green() {
    let mut tale = Tale::of(PEACE, terms(4, 8), &["1", "2", "3"]);
    assert_eq!(tale.settles().tests(), ["base+1", "base+1+2", "base+1+2+3"]);
    tale.tested("base+1+2", QueueResult::Green).tested("base+1", QueueResult::Green).finishes();
    assert_eq!(tale.endings(), ["1 landed", "2 landed", "3 landed"]);
    assert_eq!(
        tale.moves,
        [("base", "base+1+2"), ("base+1+2", "base+1+2+3")].map(|(from, to)| (from.into(), to.into()))
    );
}

#[test]
fn a_trial_goes_on_when_the_base_moves_onto_an_earlier_one() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1", "2"]);
    tale.settles();
    let second = tale.effects()[1].clone();
    tale.begins(&second).tested("base+1", QueueResult::Green);
    let landing = tale.effects()[0].clone();
    assert!(matches!(landing.work, QueueWork::Move { .. }));
    tale.ends(&landing, QueueResult::Moved).settles();
    assert_eq!(tale.effects(), [second]);
}

#[test]
fn one_lane_tests_the_window_as_a_batch_and_halves_it_until_the_culprit_is_found() {
    let mut tale = Tale::of(red(&["3"]), terms(1, 8), &["1", "2", "3", "4"]);
    tale.finishes();
    assert_eq!(tale.endings(), ["1 landed", "2 landed", "3 red", "4 landed"]);
    let tested = ["base+1+2+3+4", "base+1+2", "base+1+2+3", "base+1+2+3", "base+1+2+4"];
    assert_eq!(tale.tested, tested);
}

#[test]
fn the_culprit_is_evicted_with_evidence_and_the_rest_goes_on() {
    for lanes in [1, 2, 4] {
        let mut tale = Tale::of(red(&["2"]), terms(lanes, 8), &["1", "2", "3"]);
        tale.finishes();
        assert_eq!(tale.endings(), ["1 landed", "2 red", "3 landed"]);
        let why =
            Eviction::Red { tip: tip("base+1").commit, merged: tip("base+1+2").commit, evidence: evidence() };
        assert_eq!(tale.state.settled()[1].ending, EntryEnding::Evicted { why });
        assert_eq!(tale.base, tip("base+1+3"));
    }
}

#[test]
fn of_two_that_are_red_together_the_later_one_is_evicted() {
    for lanes in [1, 2, 4] {
        let mut tale = Tale::of(red(&["1", "3"]), terms(lanes, 8), &["1", "2", "3"]);
        assert_eq!(tale.finishes().endings(), ["1 landed", "2 landed", "3 red"]);
    }
}

#[test]
fn while_a_suspect_is_tested_again_those_behind_it_are_tried_without_it() {
    let mut tale = Tale::of(red(&["1"]), terms(3, 8), &["1", "2", "3"]);
    tale.settles().tested("base+1", QueueResult::Red(evidence())).settles();
    assert_eq!(tale.tests(), ["base+1", "base+2", "base+2+3"]);
    tale.tested("base+2", QueueResult::Green);
    tale.tested("base+1", QueueResult::Red(evidence())).finishes();
    assert_eq!(tale.endings(), ["1 red", "2 landed", "3 landed"]);
    assert_eq!(tale.tested.iter().filter(|commit| *commit == "base+2").count(), 1);
}

#[test]
fn a_no_stands_when_those_before_it_land_and_fewer_checks_are_asked() {
    let no =
        |check: &str| QueueResult::Red(FailureEvidence { failed: [Digest::new(check)].into(), ..evidence() });
    let landed_before = |said: &str| {
        let mut tale = Tale::of(PEACE, terms(2, 8), &["5", "6"]);
        tale.settles().tested("base+5+6", no(said)).tested("base+5", QueueResult::Green);
        let landing = tale.effects()[0].clone();
        tale.ends(&landing, QueueResult::Moved).settles();
        tale
    };
    let mut flaky = landed_before("6");
    flaky.finishes();
    assert_eq!((flaky.endings(), flaky.flakes), (vec!["5 landed".into(), "6 landed".into()], 1));
    let mut red = landed_before("6");
    red.tested("base+5+6", no("6")).finishes();
    assert_eq!(red.endings(), ["5 landed", "6 red"]);
    // What only the one that landed asks is no word about the other.
    let mut other = landed_before("5");
    other.finishes();
    assert_eq!((other.endings(), other.flakes), (vec!["5 landed".into(), "6 landed".into()], 0));
}

#[test]
fn a_red_test_that_is_green_the_second_time_is_told_of_and_lands() {
    for lanes in [1, 4] {
        let mut tale = Tale::of(PEACE, terms(lanes, 8), &["1"]);
        tale.settles().tested("base+1", QueueResult::Red(evidence()));
        tale.finishes();
        assert_eq!((tale.endings(), tale.flakes), (vec![String::from("1 landed")], 1));
    }
}

#[test]
fn a_red_trial_whose_predecessor_is_unknown_accuses_nobody_and_begins_nothing_new() {
    let mut tale = Tale::of(PEACE, terms(3, 8), &["1", "2", "3", "4"]);
    tale.settles();
    let effects = tale.effects();
    tale.begins(&effects[0]).begins(&effects[1]).begins(&effects[2]);
    tale.tested("base+1+2", QueueResult::Red(evidence()));
    assert_eq!(tale.tests(), ["base+1", "base+1+2+3"]);
}

#[test]
fn who_conflicts_with_an_entry_ahead_waits_until_that_one_has_landed() {
    let nature = Nature { conflicts: vec![("1", "2")], ..PEACE };
    for lanes in [1, 2] {
        let mut tale = Tale::of(nature.clone(), terms(lanes, 8), &["1", "2", "3"]);
        tale.finishes();
        assert_eq!(tale.endings(), ["1 landed", "2 in conflict", "3 landed"]);
        let why = Eviction::Conflict { tip: tip("base+1").commit, paths: vec![String::from("2.txt")] };
        assert_eq!(tale.state.settled()[1].ending, EntryEnding::Evicted { why });
    }
}

#[test]
fn who_conflicts_with_an_entry_ahead_lands_when_that_one_is_evicted() {
    let nature = Nature { conflicts: vec![("1", "2")], red: vec![vec!["1"]] };
    for lanes in [1, 2] {
        let mut tale = Tale::of(nature.clone(), terms(lanes, 8), &["1", "2"]);
        assert_eq!(tale.finishes().endings(), ["1 red", "2 landed"]);
    }
}

#[test]
fn what_the_base_holds_already_lands_without_a_move_and_without_a_test() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    tale.base = tip("base+1");
    tale.finishes();
    let commit = tip("base+1").commit;
    let landed = EntryEnding::Landed { commit: commit.clone(), from: commit.clone(), to: commit };
    assert_eq!(tale.state.settled()[0].ending, landed);
    assert!(tale.tested.is_empty() && tale.moves.is_empty());
}

#[test]
fn a_base_that_was_moved_by_somebody_else_is_built_upon() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1", "2"]);
    tale.settles();
    tale.base = tip("base+x");
    tale.finishes();
    assert_eq!(tale.base, tip("base+x+1+2"));
    assert_eq!(tale.moves[0], (String::from("base+x"), String::from("base+x+1")));
}

#[test]
fn a_base_that_cannot_be_moved_sends_the_verified_ones_away_and_evicts_nobody() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1", "2", "3"]);
    tale.settles().tested("base+1+2", QueueResult::Green).tested("base+1", QueueResult::Green);
    let landing = tale.effects()[0].clone();
    tale.ends(&landing, QueueResult::NotReady { reason: String::from("dirty") }).settles();
    assert_eq!(tale.endings(), ["1 not ready", "2 not ready"]);
    assert_eq!(tale.tests(), ["base+3"]);
}

#[test]
fn the_same_tree_is_not_tested_twice() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    tale.settles().tested("base+1", QueueResult::Green);
    let landing = tale.effects()[0].clone();
    tale.ends(&landing, QueueResult::NotReady { reason: String::from("dirty") }).settles();
    tale.asks(QueueRequest::Join(again("1"))).finishes();
    assert_eq!(tale.endings(), ["1 not ready", "1 landed"]);
    assert_eq!(tale.tested, ["base+1"]);
}

#[test]
fn who_was_evicted_and_joins_again_is_tested_again() {
    let mut tale = Tale::of(red(&["1"]), terms(2, 8), &["1"]);
    tale.finishes();
    tale.asks(QueueRequest::Join(again("1"))).finishes();
    assert_eq!(tale.endings(), ["1 red", "1 red"]);
    assert_eq!(tale.tested.len(), 4);
}

#[test]
fn a_request_that_a_crash_left_behind_is_no_other_turn() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    assert_eq!(admit(&tale.state, QueueRequest::Join(entry("1"))), Err(QueueRefusal::Moot));
    tale.happens(QueueFact::Joined { entry: entry("1") });
    assert_eq!(tale.state.line().len(), 1);
    tale.finishes();
    assert_eq!(admit(&tale.state, QueueRequest::Join(entry("1"))), Err(QueueRefusal::Moot));
    tale.happens(QueueFact::Joined { entry: entry("1") });
    assert_eq!(tale.wants(), QueueDecision::Rest);
}

#[test]
fn who_leaves_takes_its_trial_away_and_nobody_elses_place() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1", "2", "3"]);
    tale.settles().asks(QueueRequest::Leave(id("1")));
    assert_eq!(tale.finishes().endings(), ["1 left", "2 landed", "3 landed"]);
    assert_eq!(tale.base, tip("base+2+3"));
    assert_eq!(admit(&tale.state, QueueRequest::Leave(id("1"))), Err(QueueRefusal::Moot));
}

#[test]
fn who_is_being_landed_cannot_leave() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1", "2"]);
    tale.settles().tested("base+1", QueueResult::Green);
    let landing = tale.effects()[0].clone();
    tale.begins(&landing);
    assert_eq!(admit(&tale.state, QueueRequest::Leave(id("1"))), Err(QueueRefusal::NotNow));
    tale.asks(QueueRequest::Leave(id("2"))).settles();
    assert_eq!(tale.effects(), [landing]);
}

#[test]
fn what_the_host_cannot_do_is_tried_again_and_then_told_as_a_failure() {
    let failed = || QueueResult::Failed { reason: String::from("disk full") };
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1", "2"]);
    tale.settles().tested("base+1", failed()).tested("base+1", failed()).finishes();
    assert_eq!(tale.endings(), ["1 failed", "2 landed"]);
}

#[test]
fn a_move_that_the_host_cannot_make_fails_in_the_end() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    tale.settles().tested("base+1", QueueResult::Green);
    for attempt in [1, 2] {
        let landing = tale.effects()[0].clone();
        assert_eq!(landing.attempt, attempt);
        tale.ends(&landing, QueueResult::Failed { reason: String::from("locked") });
    }
    assert_eq!(tale.finishes().endings(), ["1 failed"]);
}

#[test]
fn a_new_leader_asks_first_what_became_of_a_move_and_then_where_the_base_is() {
    for (result, endings) in [(QueueResult::Moved, "1 landed"), (QueueResult::Interrupted, "1 landed")] {
        let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
        tale.settles().tested("base+1", QueueResult::Green);
        let landing = tale.effects()[0].clone();
        tale.begins(&landing).attaches(terms(2, 8));
        assert_eq!(tale.wants(), QueueDecision::Recover(landing.clone()));
        tale.ends(&landing, result).finishes();
        assert_eq!(tale.endings(), [endings]);
        assert_eq!(tale.base, tip("base+1"));
        assert_eq!(tale.tested.len(), 1);
    }
}

#[test]
fn in_other_surroundings_everything_is_tested_again() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    tale.settles().tested("base+1", QueueResult::Green);
    let environment = gulf_engine::Digest::new("there");
    tale.happens(QueueFact::Attached { leader: String::from("you"), terms: terms(2, 8), environment });
    assert_eq!(tale.settles().tests(), ["base+1"]);
}

#[test]
fn the_window_grows_by_one_with_every_landing_and_halves_with_every_red_one() {
    let names = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let mut tale = Tale::of(Nature { red: vec![vec!["7"], vec!["8"]], ..PEACE }, terms(2, 6), &names);
    assert_eq!(tale.state.window, WINDOW_START);
    tale.finishes();
    assert_eq!(tale.endings().len(), 8);
    assert_eq!(tale.state.window, 1);
}

/// The same candidate with one check more.
fn stricter() -> Entry {
    let mut entry = again("1");
    entry.checks.insert(gulf_engine::Digest::new("lint"));
    entry
}

#[test]
fn a_yes_of_fewer_checks_is_none_of_more() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    tale.settles().tested("base+1", QueueResult::Green);
    let landing = tale.effects()[0].clone();
    tale.ends(&landing, QueueResult::NotReady { reason: String::from("dirty") }).settles();
    tale.asks(QueueRequest::Join(stricter()));
    assert_eq!(tale.settles().tests(), ["base+1"]);
}

#[test]
fn a_no_of_more_checks_is_none_of_fewer() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &[]);
    tale.asks(QueueRequest::Join(stricter())).settles();
    let red = || QueueResult::Red(evidence());
    tale.tested("base+1", red()).tested("base+1", red()).asks(QueueRequest::Leave(id("1"))).settles();
    tale.asks(QueueRequest::Join(entry("1"))).finishes();
    assert_eq!(tale.endings(), ["1 left", "1 landed"]);
    assert_eq!((tale.tested.len(), tale.flakes), (3, 0));
}

#[test]
fn a_look_at_the_base_while_it_is_being_moved_changes_nothing() {
    let mut tale = Tale::of(PEACE, terms(2, 8), &["1"]);
    tale.settles().tested("base+1", QueueResult::Green);
    let landing = tale.effects()[0].clone();
    tale.begins(&landing).happens(QueueFact::BaseSeen { tip: tip("base+1") });
    assert_eq!(tale.state.base(), Some(&tip("base")));
    assert_eq!(tale.effects(), [landing]);
}
