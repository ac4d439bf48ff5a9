//! Single stories of work on its way onto the base branch.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn landing(landing: Landing) -> Contract {
    contract_with(|contract| contract.policy.landing = Some(landing))
}

/// A loop whose first candidate every gate has said yes to, with proof.
fn proven() -> Tale {
    let mut tale = Tale::of(landing(Landing::Verified));
    tale.probed(red());
    tale.works_out(claiming(), "a").checked(green()).compared(intact());
    tale
}

fn verified() -> Decision {
    Decision::End(End::Verified { proofs: vec![Proof::BaseRed { check: check_name("test") }] })
}

#[test]
fn verified_work_lands_before_the_loop_ends() {
    let mut tale = proven();
    assert_eq!(tale.works(), [EffectKind::Land]);
    tale.lands(landed());
    assert_eq!(tale.wants(), verified());
}

#[test]
fn attested_work_lands_only_where_a_person_said_so() {
    for (landing_policy, lands) in [(Landing::Verified, false), (Landing::OrAttested, true)] {
        let mut tale = Tale::of(landing(landing_policy));
        tale.probed(green());
        let claim = Turn { claim: Some(done_without_test()), ..turn() };
        tale.works_out(claim, "a").checked(green()).compared(intact()).overlaid(not_shown());
        let ends = matches!(tale.wants(), Decision::End(End::Attested { .. }));
        assert_eq!(ends, !lands);
        if lands {
            tale.lands(landed());
            assert!(matches!(tale.wants(), Decision::End(End::Attested { .. })));
        }
    }
}

#[test]
fn a_clash_is_the_next_iterations_task() {
    let mut tale = proven();
    tale.lands(clashing(Clash::Conflict)).settles(Settlement::Refused { gate: Gate::Landing });
    tale.works_out(claiming(), "b").checked(green()).compared(intact()).lands(landed());
    assert_eq!(tale.wants(), verified());
}

#[test]
fn claiming_the_same_after_a_clash_lands_again_and_is_stuck_in_the_end() {
    let mut tale = proven();
    for _ in 0..3 {
        tale.lands(clashing(Clash::Red)).settles(Settlement::Refused { gate: Gate::Landing });
        if matches!(tale.wants(), Decision::Run { .. }) {
            tale.works_out(claiming(), "a");
        }
    }
    assert_eq!(tale.wants(), Decision::End(End::Stalled { by: Stall::SameCandidate }));
}

#[test]
fn what_only_a_person_may_change_rests_the_loop_and_the_landing_is_tried_again() {
    let mut tale = proven();
    tale.lands(not_ready()).pauses(PauseReason::ReadyToLand);
    tale.asks(Act::Resume);
    assert_eq!(tale.works(), [EffectKind::Land]);
    tale.lands(landed());
    assert_eq!(tale.wants(), verified());
}

#[test]
fn what_landed_is_verified_though_a_cancel_came_meanwhile() {
    for act in [Act::Cancel, Act::Pause] {
        let mut tale = proven();
        let key = tale.begins(&EffectKind::Land);
        tale.asks(act);
        assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
        tale.happens(Fact::Ended { key, result: EffectResult::Landing(landed()) });
        assert_eq!(tale.wants(), verified());
    }
}

#[test]
fn a_landing_that_a_driver_left_is_looked_up_and_begun_again() {
    let mut tale = proven();
    let key = tale.begins(&EffectKind::Land);
    tale.happens(attached("here"));
    assert_eq!(tale.wants(), Decision::Recover(key.clone()));
    tale.happens(Fact::Ended { key, result: EffectResult::Interrupted });
    assert_eq!(tale.key(&EffectKind::Land).attempt, 2);
}

#[test]
fn what_landed_stands_on_what_was_said_where_it_was_judged() {
    for is_known in [false, true] {
        let mut tale = proven();
        tale.happens(attached("here"));
        let key = tale.begins(&EffectKind::Land);
        let ended = Fact::Ended { key: key.clone(), result: EffectResult::Landing(landed()) };
        // Before a driver elsewhere took over, or by its look at the base branch.
        if is_known {
            tale.happens(ended).happens(attached("there"));
        } else {
            tale.happens(attached("there"));
            assert_eq!(tale.wants(), Decision::Recover(key));
            tale.happens(ended);
        }
        assert_eq!(tale.wants(), verified());
    }
}

#[test]
fn what_did_not_land_is_checked_again_in_other_surroundings() {
    let mut tale = proven();
    tale.happens(attached("here"));
    let key = tale.begins(&EffectKind::Land);
    tale.happens(attached("there")).happens(Fact::Ended { key, result: EffectResult::Interrupted });
    assert_eq!(tale.works(), [EffectKind::Check { name: check_name("test") }]);
}

#[test]
fn work_that_holds_a_newer_base_is_compared_with_that() {
    let mut tale = proven();
    tale.lands(clashing(Clash::Conflict)).settles(Settlement::Refused { gate: Gate::Landing });
    let merged = Snapshot { base: Some(base("newer")), ..snapshot("b") };
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(merged));
    tale.checked(green());
    assert_eq!(tale.state.base(), Some(&base("newer")));
    assert_eq!(
        tale.works(),
        [EffectKind::Probe { name: check_name("test") }],
        "the newer base is asked anew"
    );
    tale.probed(green()).compared(intact()).overlaid(new_test_red()).lands(landed());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn a_check_on_a_base_that_was_left_says_nothing_any_more() {
    let mut tale = Tale::of(landing(Landing::Verified));
    let turn = tale.begins(&EffectKind::Turn);
    let probe = tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.happens(Fact::Ended { key: turn, result: EffectResult::Turn(claiming()) });
    let merged = Snapshot { base: Some(base("newer")), ..snapshot("b") };
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(merged));
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
    tale.happens(Fact::Ended { key: probe, result: EffectResult::Check(red()) });
    assert!(tale.state.probes.is_empty());
    tale.checked(green());
    assert_eq!(tale.works(), [EffectKind::Probe { name: check_name("test") }]);
}

#[test]
fn a_return_to_a_rejected_approach_is_named_and_after_a_reset_refused() {
    let contract = contract_with(|contract| {
        contract.policy.gates.push(Gate::Judge);
        contract.policy.rejections = RejectionPolicy { threshold: times(2), then: Rejections::ResetStrategy };
    });
    let mut tale = Tale::of(contract);
    tale.probed(red());
    for candidate in ["a", "b"] {
        tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
        let alike = Snapshot { resembles: resembling(1), ..snapshot(candidate) };
        tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(alike));
        tale.checked(green()).compared(intact()).judged(rejected());
        tale.settles(Settlement::Refused { gate: Gate::Judge });
    }
    assert_eq!(tale.wants(), Decision::ResetStrategy);
    tale.happens(Fact::StrategyReset);
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
    let alike = Snapshot { resembles: resembling(2), ..snapshot("c") };
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(alike));
    tale.settles(Settlement::Refused { gate: Gate::Approach });
    tale.works_out(claiming(), "d").checked(green()).compared(intact()).judged(approved());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn a_return_to_a_rejected_approach_is_reviewed_before_the_next_round_like_any_other_no() {
    let mut contract = measured_contract(|policy| policy.human_review = true);
    contract.policy.gates.push(Gate::Judge);
    contract.policy.rejections = RejectionPolicy { threshold: times(1), then: Rejections::ResetStrategy };
    let mut tale = Tale::of(contract);
    tale.probed(red()).works_out(claiming(), "a").checked(measured(0, 0, Some(9_000)));
    tale.compared(intact()).judged(rejected()).pauses(PauseReason::Review).asks(Act::Resume);
    tale.settles(Settlement::Refused { gate: Gate::Judge }).happens(Fact::StrategyReset);
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
    let alike = Snapshot { resembles: resembling(1), ..snapshot("b") };
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(alike));
    tale.pauses(PauseReason::Review).asks(Act::Resume);
    tale.settles(Settlement::Refused { gate: Gate::Approach });
}

fn to_land() -> Act {
    Act::Land { by: String::from("Ada"), base: String::from("refs/heads/main"), push: None }
}

fn asked(state: &State) -> Result<Fact, Refusal> {
    admit(state, Request { author: Author::Person, act: to_land() })
}

/// A loop that nobody wanted to land, over as attested.
fn attested() -> Tale {
    let mut tale = Tale::of(landing(Landing::Verified));
    tale.probed(green());
    let claim = Turn { claim: Some(done_without_test()), ..turn() };
    tale.works_out(claim, "a").checked(green()).compared(intact()).overlaid(not_shown());
    let Decision::End(end) = tale.wants() else { panic!("{:?}", tale.wants()) };
    tale.happens(Fact::Finished { end });
    tale
}

#[test]
fn finished_work_lands_after_the_end_where_a_person_says_so_and_once() {
    let mut tale = attested();
    assert_eq!(tale.state.finished_work(), Some(&candidate("a")));
    for word in [LandingWord::NotReady { why: String::from("dirty") }, clashing(Clash::Red), landed()] {
        let fact = asked(&tale.state).unwrap();
        assert!(matches!(fact, Fact::LandingAsked { .. }));
        tale.happens(fact).happens(Fact::LandingTold { word: word.clone() });
        assert_eq!(tale.state.landing(), Some(&word));
        assert_eq!(tale.wants(), Decision::Rest);
    }
    let elsewhere = LandingWord::NotReady { why: String::from("a hook") };
    tale.happens(Fact::LandingTold { word: elsewhere });
    assert_eq!(
        (tale.state.landing(), tale.state.anomaly()),
        (Some(&landed()), None),
        "once landed, it has landed"
    );
}

#[test]
fn what_is_not_finished_or_not_proven_does_not_land_on_a_persons_word() {
    let mut tale = proven();
    assert_eq!(asked(&tale.state), Err(Refusal::NothingToLand));
    tale.lands(LandingWord::NotReady { why: String::from("dirty") }).pauses(PauseReason::ReadyToLand);
    assert_eq!(asked(&tale.state), Ok(Fact::Resumed));
    let worker = Request { author: Author::Worker { iteration: 1 }, act: to_land() };
    assert_eq!(admit(&tale.state, worker), Err(Refusal::PersonOnly));
    let mut cancelled = proven();
    cancelled.asks(Act::Cancel).happens(Fact::Finished { end: End::Cancelled });
    assert_eq!(asked(&cancelled.state), Err(Refusal::NothingToLand));
    cancelled.happens(Fact::LandingTold { word: landed() });
    assert!(cancelled.state.anomaly().is_some());
}

#[test]
fn only_what_is_over_and_has_not_landed_is_thrown_away_and_a_landing_brings_it_back() {
    let discard = || Act::Discard { by: String::from("Ada") };
    let asked_to = |state: &State, act: Act| admit(state, Request { author: Author::Person, act });
    let going_on = proven();
    assert_eq!(asked_to(&going_on.state, discard()), Err(Refusal::NotOver));
    let mut tale = attested();
    let worker = Request { author: Author::Worker { iteration: 1 }, act: discard() };
    assert_eq!(admit(&tale.state, worker), Err(Refusal::Ended));
    let fact = asked_to(&tale.state, discard()).unwrap();
    tale.happens(fact);
    assert!(tale.state.is_discarded);
    assert_eq!((tale.wants(), tale.state.anomaly()), (Decision::Rest, None));
    let fact = asked(&tale.state).unwrap();
    tale.happens(fact).happens(Fact::LandingTold { word: landed() });
    assert!(!tale.state.is_discarded);
    assert_eq!(asked_to(&tale.state, discard()), Err(Refusal::HasLanded));
}
