//! Single stories of sessions that people opened: armed, stopped, looked at, cut off, moved, taken over.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn judged_contract() -> Contract {
    contract_with(|contract| contract.policy.gates = vec![Gate::Checks, Gate::Judge])
}

/// In the hands of a session from the start on.
fn armed(contract: Contract) -> Tale {
    let mut tale = Tale::of(contract);
    tale.happens(Fact::Bound { worker: in_host(Some("one")) });
    tale
}

/// The session has a turn in hand and stops: gulf comes, and hears what it was.
fn stops(tale: &mut Tale, turn: Turn) {
    let key = tale.key(&EffectKind::Turn);
    if !tale.state.running.contains(&key) {
        tale.happens(Fact::Began { key: key.clone() });
    }
    tale.happens(attached("here"));
    assert_eq!(tale.wants(), Decision::Recover(key.clone()));
    tale.happens(Fact::Ended { key, result: EffectResult::Turn(turn) });
    assert_eq!(tale.state.anomaly(), None);
}

fn leaves(tale: &mut Tale, tree: &str) {
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot(tree)));
}

/// A judge was asked three times at this stop, and said nothing.
fn is_silent(tale: &mut Tale, word: &JudgeWord) {
    for _ in 0..3 {
        tale.judged(word.clone());
    }
}

fn next_turn(tale: &Tale) -> (u32, u32) {
    let key = tale.key(&EffectKind::Turn);
    (key.iteration, key.attempt)
}

#[test]
fn a_session_is_armed_researches_is_refused_is_judged_and_ends_verified() {
    let mut tale = armed(contract_with(|contract| {
        contract.policy.gates.push(Gate::Judge);
        contract.policy.research = Research::Brief;
    }));
    assert_eq!(tale.works(), [EffectKind::Turn], "nothing runs beside a session's turn");
    stops(&mut tale, unbriefed());
    leaves(&mut tale, "base");
    tale.settles(Settlement::Research);
    assert_eq!(next_turn(&tale), (1, 2));
    stops(&mut tale, briefed());
    leaves(&mut tale, "a");
    tale.checked(green()).settles(Settlement::Unclaimed);
    assert_eq!(next_turn(&tale), (2, 1));
    stops(&mut tale, claiming());
    leaves(&mut tale, "b");
    tale.checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    stops(&mut tale, claiming());
    leaves(&mut tale, "c");
    tale.checked(green()).probed(red()).compared(intact()).judged(approved());
    let proofs = vec![Proof::BaseRed { check: check_name("test") }, Proof::Criterion];
    assert_eq!(tale.wants(), Decision::End(End::Verified { proofs }));
}

#[test]
fn a_brief_is_enough_where_nothing_else_is_asked_for_and_a_gate_wants_nothing_changed() {
    for (research, wanted) in
        [(Research::Brief, Settlement::Unclaimed), (Research::Gate, Settlement::Research)]
    {
        let mut tale = armed(contract_with(|contract| {
            contract.policy.gates.clear();
            contract.policy.research = research;
        }));
        stops(&mut tale, briefed());
        leaves(&mut tale, "a");
        tale.settles(wanted);
    }
}

#[test]
fn a_look_that_was_cut_off_in_the_middle_of_the_judge_says_nothing_about_what_lies_there_later() {
    let mut tale = armed(judged_contract());
    stops(&mut tale, claiming());
    leaves(&mut tale, "a");
    tale.checked(green());
    let key = tale.begins(&EffectKind::Judge);
    tale.happens(attached("here"));
    assert_eq!(tale.wants(), Decision::Recover(key.clone()));
    tale.happens(Fact::Ended { key, result: EffectResult::Interrupted });
    tale.happens(Fact::Reopened { turn: turn() });
    leaves(&mut tale, "b");
    assert_eq!(tale.state.unit.iteration, 1, "it is the same turn");
    tale.checked(green()).judged(approved_without_evidence()).probed(green()).overlaid(not_shown());
    tale.settles(Settlement::Asked);
    assert_eq!(next_turn(&tale), (2, 1));
    assert_eq!(tale.state.unit.words[&tree("a")].judge, None);
}

#[test]
fn what_was_declined_twice_reaches_a_person_also_where_the_session_went_on_in_between() {
    let mut tale = armed(contract());
    stops(&mut tale, declining());
    leaves(&mut tale, "a");
    tale.settles(Settlement::Declined);
    stops(&mut tale, turn());
    tale.happens(Fact::Reopened { turn: declining() });
    leaves(&mut tale, "b");
    tale.settles(Settlement::Declined).pauses(PauseReason::Declined);
}

#[test]
fn a_turn_in_hand_is_another_attempt_when_the_loop_moves_and_no_other_iteration() {
    let mut tale = armed(contract());
    let key = tale.begins(&EffectKind::Turn);
    for worker in [Worker::Processes, in_host(Some("two"))] {
        let mut moved = Tale { state: tale.state.clone(), active_ms: 0 };
        moved.happens(attached("here")).happens(Fact::Bound { worker });
        assert_eq!(moved.wants(), Decision::Recover(key.clone()));
        moved.happens(Fact::Ended { key: key.clone(), result: EffectResult::Interrupted });
        assert_eq!(next_turn(&moved), (1, 2));
    }
}

#[test]
fn processes_check_the_base_beside_a_turn_and_a_session_is_left_alone() {
    let mut tale = Tale::of(contract());
    let probe = EffectKind::Probe { name: check_name("test") };
    assert_eq!(tale.works(), [EffectKind::Turn, probe.clone()]);
    tale.begins(&probe);
    tale.happens(Fact::Bound { worker: in_host(None) });
    assert_eq!(
        tale.works(),
        [EffectKind::Turn],
        "what runs already is stopped before the session is handed its turn"
    );
}

#[test]
fn a_human_gate_rests_a_session_and_its_person_leads_it_on() {
    let mut tale = armed(judged_contract());
    for (number, name) in ["a", "b"].into_iter().enumerate() {
        stops(&mut tale, claiming());
        leaves(&mut tale, name);
        tale.checked(green()).judged(rejected()).settles(Settlement::Refused { gate: Gate::Judge });
        assert_eq!(tale.state.unit.streaks.rejections, u32::try_from(number).unwrap() + 1);
    }
    tale.pauses(PauseReason::HumanGate).asks(Act::Resume);
    assert_eq!(next_turn(&tale), (3, 1));
}

#[test]
fn a_file_that_stands_at_its_last_iteration_completes_on_a_claim() {
    let five = judged_contract();
    let mut tale = armed(five.clone());
    tale.happens(Fact::Adopted { iteration: 4, rejections: 1 });
    assert_eq!(next_turn(&tale), (5, 1));
    stops(&mut tale, claiming());
    leaves(&mut tale, "a");
    tale.checked(green()).judged(approved_without_evidence()).probed(green()).overlaid(not_shown());
    let causes = vec![Cause::NothingCouldFail { reason: None }];
    assert_eq!(tale.wants(), Decision::End(End::Attested { causes }), "the seed asks for no test");
    let mut silent = armed(five);
    silent.happens(Fact::Adopted { iteration: 4, rejections: 0 });
    stops(&mut silent, turn());
    leaves(&mut silent, "base");
    silent.settles(Settlement::Unclaimed);
    assert_eq!(silent.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Iterations }));
}

#[test]
fn a_file_that_is_over_its_limit_begins_nothing() {
    for iteration in [5, 6, u32::MAX] {
        let mut tale = armed(contract());
        tale.happens(Fact::Adopted { iteration, rejections: 0 });
        assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Iterations }));
        assert_eq!(tale.state.unit.iteration, 5);
    }
}

#[test]
fn rejections_of_a_file_go_on_counting() {
    let mut tale = armed(judged_contract());
    tale.happens(Fact::Adopted { iteration: 1, rejections: 1 });
    stops(&mut tale, claiming());
    leaves(&mut tale, "a");
    tale.checked(green()).judged(rejected()).settles(Settlement::Refused { gate: Gate::Judge });
    tale.pauses(PauseReason::HumanGate);
    let mut at_once = armed(judged_contract());
    at_once.happens(Fact::Adopted { iteration: 1, rejections: 7 });
    at_once.pauses(PauseReason::HumanGate);
}

#[test]
fn a_file_that_rests_is_taken_over_at_rest() {
    let mut tale = armed(contract());
    tale.happens(Fact::Adopted { iteration: 2, rejections: 0 });
    tale.happens(Fact::Paused { reason: PauseReason::Milestone });
    assert_eq!((tale.wants(), tale.state.anomaly()), (Decision::Rest, None));
    tale.asks(Act::Resume);
    assert_eq!(next_turn(&tale), (3, 1));
}

#[test]
fn a_session_goes_on_twice_without_a_verdict_and_a_person_is_asked_at_the_third_stop() {
    let mut tale = armed(judged_contract());
    for name in ["a", "b"] {
        stops(&mut tale, claiming());
        leaves(&mut tale, name);
        tale.checked(green());
        is_silent(&mut tale, &unreachable());
        tale.settles(Settlement::Unjudged);
    }
    assert_eq!(tale.state.unit.streaks.unjudged, 2);
    let mut again = Tale { state: tale.state.clone(), active_ms: 0 };
    for one in [&mut tale, &mut again] {
        stops(one, claiming());
        leaves(one, "c");
        one.checked(green());
    }
    is_silent(&mut tale, &JudgeWord::NoVerdict);
    tale.pauses(PauseReason::NoVerdict).asks(Act::Resume);
    assert_eq!(tale.works(), [EffectKind::Judge], "a person looked: it is asked about the same candidate");
    again.judged(JudgeWord::NoVerdict).judged(unreachable()).judged(rejected());
    again.settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!((again.state.unit.streaks.unjudged, again.state.unit.streaks.rejections), (0, 1));
}

#[test]
fn a_session_asks_its_judge_three_times_at_a_stop_whatever_keeps_it_silent() {
    let mut tale = armed(judged_contract());
    stops(&mut tale, claiming());
    leaves(&mut tale, "a");
    tale.checked(green()).judged(unreachable()).judged(JudgeWord::NoVerdict).judged(unreachable());
    tale.settles(Settlement::Unjudged);
}

#[test]
fn a_session_does_not_sit_out_its_judges_rate_limit() {
    let mut tale = armed(judged_contract());
    stops(&mut tale, claiming());
    leaves(&mut tale, "a");
    tale.checked(green()).judged(JudgeWord::RateLimited { wait_ms: 3_600_000 });
    tale.settles(Settlement::Unjudged);
    assert_eq!(tale.works(), [EffectKind::Turn]);
    stops(&mut tale, claiming());
    leaves(&mut tale, "b");
    tale.checked(green());
    assert_eq!(tale.works(), [EffectKind::Judge]);
}

#[test]
fn a_judge_that_cannot_be_reached_ends_the_loop_of_processes_and_rests_that_of_a_session() {
    let mut contract = judged_contract();
    contract.policy.limits.iterations_max = times(1);
    for (worker, calls) in [(Worker::Processes, 2), (in_host(Some("one")), 3)] {
        let mut tale = Tale::of(contract.clone());
        tale.happens(Fact::Bound { worker: worker.clone() });
        tale.works_out(claiming(), "a").checked(green());
        for _ in 0..calls {
            tale.judged(unreachable());
        }
        if worker == Worker::Processes {
            let reason = String::from("out of reach");
            assert_eq!(tale.wants(), Decision::End(End::Unavailable { party: Party::Judge, reason }));
        } else {
            // At its last iteration nobody could claim again.
            tale.pauses(PauseReason::NoVerdict);
        }
    }
}

#[test]
fn a_host_that_would_end_the_turn_is_foreseen_and_a_person_lets_it_count_anew() {
    let mut tale = armed(contract());
    stops(&mut tale, with_blocks_left(turn(), 1));
    leaves(&mut tale, "a");
    tale.checked(red()).settles(Settlement::Unclaimed);
    stops(&mut tale, with_blocks_left(turn(), 0));
    leaves(&mut tale, "b");
    tale.checked(red()).settles(Settlement::Unclaimed);
    let mut moved = Tale { state: tale.state.clone(), active_ms: 0 };
    tale.pauses(PauseReason::HostLimit).asks(Act::Resume);
    assert_eq!(next_turn(&tale), (3, 1));
    moved.happens(Fact::Bound { worker: Worker::Processes });
    assert_eq!(next_turn(&moved), (3, 1));
}

#[test]
fn a_session_that_is_known_by_its_name_now_has_the_same_host() {
    let mut tale = Tale::of(contract());
    tale.happens(Fact::Bound { worker: in_host(None) });
    stops(&mut tale, with_blocks_left(turn(), 0));
    leaves(&mut tale, "a");
    tale.happens(Fact::Bound { worker: in_host(Some("one")) });
    tale.checked(red()).settles(Settlement::Unclaimed).pauses(PauseReason::HostLimit);
}

#[test]
fn who_claims_at_a_hosts_last_stop_is_judged_first() {
    let mut tale = armed(judged_contract());
    stops(&mut tale, with_blocks_left(claiming(), 0));
    leaves(&mut tale, "a");
    tale.checked(green()).judged(approved());
    assert_eq!(tale.wants(), Decision::End(End::Verified { proofs: vec![Proof::Criterion] }));
}

#[test]
fn a_session_that_only_talks_rests_and_processes_that_do_nothing_are_stalled() {
    for worker in [in_host(Some("one")), Worker::Processes] {
        let mut tale = Tale::of(contract_with(|contract| contract.policy.gates.clear()));
        tale.happens(Fact::Bound { worker: worker.clone() });
        for _ in 0..3 {
            tale.works_out(idling(), "base").settles(Settlement::Unclaimed);
        }
        let stalled = Decision::End(End::Stalled { by: Stall::Idle });
        let expected = if worker == Worker::Processes { stalled } else { Decision::Pause(PauseReason::Idle) };
        assert_eq!(tale.wants(), expected);
    }
}

#[test]
fn a_session_is_asked_nothing_beside_its_turns() {
    let mut tale = armed(contract_with(|contract| contract.policy.follow_up = FollowUp::Once));
    stops(&mut tale, in_session());
    leaves(&mut tale, "a");
    tale.checked(green()).settles(Settlement::Unclaimed);
}

#[test]
fn a_pause_while_a_session_works_keeps_what_it_claimed() {
    let mut tale = armed(judged_contract());
    tale.begins(&EffectKind::Turn);
    tale.asks(Act::Pause);
    assert_eq!(tale.works(), [], "nothing is handed to it any more");
    tale.happens(attached("here"));
    let Decision::Recover(key) = tale.wants() else { panic!("the turn is over: {:?}", tale.wants()) };
    tale.happens(Fact::Ended { key, result: EffectResult::Turn(claiming()) });
    tale.pauses(PauseReason::Asked).asks(Act::Resume);
    leaves(&mut tale, "a");
    tale.checked(green()).judged(approved());
    assert_eq!(tale.wants(), Decision::End(End::Verified { proofs: vec![Proof::Criterion] }));
}

#[test]
fn a_limit_that_is_lowered_when_a_session_stops_counts_at_once() {
    let mut tale = armed(judged_contract());
    tale.happens(Fact::Adopted { iteration: 2, rejections: 0 });
    stops(&mut tale, turn());
    let mut lower = judged_contract();
    lower.policy.limits.iterations_max = times(1);
    tale.happens(Fact::Amended { contract: Box::new(lower) });
    assert_eq!(tale.state.anomaly(), None);
    leaves(&mut tale, "base");
    tale.settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Iterations }));
}

#[test]
fn what_is_told_twice_changes_nothing() {
    let mut tale = armed(judged_contract());
    tale.happens(Fact::Adopted { iteration: 1, rejections: 1 });
    stops(&mut tale, with_blocks_left(claiming(), 3));
    let before = tale.state.clone();
    for fact in [
        Fact::Bound { worker: Worker::Processes },
        Fact::Adopted { iteration: 4, rejections: 0 },
        Fact::Reopened { turn: turn() },
    ] {
        tale.state.apply(&Event { sequence: before.sequence, at_ms: 0, active_ms: 0, fact });
        assert_eq!(tale.state, before);
    }
}
