//! Single stories of a loop: limits, pauses, research and notes.

use super::given::*;
use super::tale::Tale;
use crate::*;

pub(super) fn probed(contract: Contract) -> Tale {
    let mut tale = Tale::of(contract);
    tale.probed(green());
    tale
}

#[test]
fn without_a_contract_nothing_is_wanted() {
    assert_eq!(decide(&State::default()), Decision::Rest);
}

#[test]
fn a_check_on_the_base_runs_beside_the_first_turn() {
    let tale = Tale::of(contract());
    assert_eq!(tale.works(), [EffectKind::Turn, EffectKind::Probe { name: check_name("test") }]);
}

#[test]
fn a_candidate_is_checked_only_when_the_base_is_done() {
    let mut tale = Tale::of(contract());
    tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.works_out(claiming(), "a");
    assert_eq!(tale.works(), [EffectKind::Probe { name: check_name("test") }]);
    tale.probed(red());
    assert_eq!(tale.works(), [EffectKind::Check { name: check_name("test") }]);
}

#[test]
fn an_unclaimed_change_is_checked_and_an_unclaimed_nothing_is_not() {
    let mut tale = probed(contract());
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Unclaimed);
}

#[test]
fn the_iterations_are_used_up_to_the_limit() {
    let mut tale = probed(contract_with(|contract| contract.policy.limits.iterations_max = times(2)));
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Iterations }));
}

#[test]
fn at_the_limit_a_change_is_evaluated_without_a_claim_but_only_proof_counts() {
    for (overlay, proven) in [(new_test_red(), true), (not_shown(), false)] {
        let mut tale = probed(contract_with(|contract| contract.policy.limits.iterations_max = times(1)));
        tale.works_out(turn(), "a").checked(green()).compared(intact()).overlaid(overlay);
        let Decision::End(end) = tale.wants() else { panic!("{:?}", tale.wants()) };
        assert_eq!(matches!(end, End::Verified { .. }), proven);
        assert_eq!(end == End::Exhausted { limit: Exhaustion::Iterations }, !proven);
    }
}

#[test]
fn the_time_that_is_over_ends_the_loop_after_its_candidate_is_built() {
    let mut tale = probed(contract_with(|contract| contract.policy.limits.active_ms_max = Some(10)));
    assert_eq!(tale.state.deadline_ms(), Some(10));
    assert!(matches!(tale.wants(), Decision::Run { until_ms: None, .. }), "a turn brings its own time-out");
    tale.active_ms = 9;
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
    assert!(matches!(tale.wants(), Decision::Run { until_ms: Some(10), .. }));
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert!(matches!(tale.wants(), Decision::Run { until_ms: None, .. }), "nobody wakes in the past");
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a")));
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Time }));
}

#[test]
fn the_time_that_runs_out_during_a_check_cancels_it() {
    let mut tale = probed(contract_with(|contract| contract.policy.limits.active_ms_max = Some(10)));
    tale.works_out(claiming(), "a").begins(&EffectKind::Check { name: check_name("test") });
    assert!(matches!(tale.wants(), Decision::Run { until_ms: Some(10), .. }));
    tale.active_ms = 11;
    tale.happens(Fact::Woke);
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
}

#[test]
fn a_pause_in_the_middle_of_a_turn_stops_it_and_its_iteration_goes_on() {
    let mut tale = probed(contract());
    let turn = tale.begins(&EffectKind::Turn);
    tale.asks(Act::Pause);
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
    tale.happens(Fact::Ended { key: turn, result: EffectResult::Interrupted });
    tale.pauses(PauseReason::Asked);
    assert_eq!(tale.wants(), Decision::Rest);
    tale.asks(Act::Resume);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
}

#[test]
fn a_cancel_is_stronger_than_a_pause_whichever_comes_first() {
    for acts in [[Act::Pause, Act::Cancel], [Act::Cancel, Act::Pause]] {
        let mut tale = probed(contract());
        for act in acts {
            tale.asks(act);
        }
        assert_eq!(tale.wants(), Decision::End(End::Cancelled));
    }
}

// proves: G3
#[test]
fn a_claim_made_at_a_milestone_is_kept() {
    let mut tale = probed(contract_with(|contract| contract.policy.milestone_every = Some(times(2))));
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.works_out(claiming(), "a").checked(red()).pauses(PauseReason::Milestone).asks(Act::Resume);
    tale.checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
}

// proves: G3
#[test]
fn at_a_milestone_the_checks_have_spoken_whether_or_not_anything_was_claimed() {
    for (worked, run) in [(claiming(), green()), (turn(), red()), (turn(), never_begun())] {
        let mut tale = probed(contract_with(|contract| {
            contract.policy.milestone_every = Some(times(1));
            contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        }));
        tale.works_out(worked, "a").checked(run).pauses(PauseReason::Milestone);
    }
    let mut unchecked = Tale::of(contract_with(|contract| {
        contract.policy.milestone_every = Some(times(1));
        contract.policy.gates = vec![Gate::Judge];
    }));
    unchecked.works_out(claiming(), "a").pauses(PauseReason::Milestone);
}

#[test]
fn research_that_stays_incomplete_pauses_and_costs_no_iteration() {
    let mut tale = probed(contract_with(|contract| contract.policy.research = Research::Gate));
    tale.works_out(unbriefed(), "base").settles(Settlement::Research);
    tale.works_out(briefed(), "a").settles(Settlement::Research);
    tale.pauses(PauseReason::Research).asks(Act::Resume);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 3));
    tale.works_out(briefed(), "base").settles(Settlement::Unclaimed);
    tale.works_out(unbriefed(), "a").checked(red()).settles(Settlement::Unclaimed);
}

// proves: G3, G5
#[test]
fn a_claim_without_a_brief_goes_to_the_gates_and_what_passes_them_ends() {
    for research in [Research::Gate, Research::Brief] {
        let mut tale = Tale::of(contract_with(|contract| contract.policy.research = research));
        tale.probed(red());
        let claimed = Turn { claim: Some(done()), ..unbriefed() };
        tale.works_out(claimed, "a").checked(green()).compared(intact());
        let proofs = vec![Proof::BaseRed { check: check_name("test") }];
        assert_eq!(tale.wants(), Decision::End(End::Verified { proofs }));
    }
}

// proves: G3, G5
#[test]
fn a_refused_claim_without_a_brief_is_an_iteration_like_any_other() {
    let mut tale = probed(contract_with(|contract| contract.policy.research = Research::Gate));
    let claimed = Turn { claim: Some(done()), ..unbriefed() };
    tale.works_out(claimed, "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (2, 1));
}

#[test]
fn research_that_is_asked_for_inline_stops_nobody() {
    let mut tale = probed(contract_with(|contract| contract.policy.research = Research::Inline));
    tale.works_out(unbriefed(), "a").checked(red()).settles(Settlement::Unclaimed);
}

#[test]
fn a_note_reaches_every_turn_until_one_came_to_something() {
    let note = |text: &str| Act::Steer { note: String::from(text) };
    let mut tale = probed(contract());
    tale.asks(note("first"));
    tale.ends(&EffectKind::Turn, EffectResult::Interrupted);
    tale.begins(&EffectKind::Turn);
    tale.asks(note("second"));
    tale.works_out(failing(), "base").settles(Settlement::AgentFailed);
    assert_eq!(tale.state.notes, ["first", "second"]);
    tale.begins(&EffectKind::Turn);
    tale.asks(note("third"));
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.state.notes, ["third"]);
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert!(tale.state.notes.is_empty());
}

#[test]
fn a_note_left_while_the_work_is_looked_at_is_read_before_it_is_over() {
    let note = Act::Steer { note: String::from("in Korean") };
    let mut tale = probed(contract());
    tale.works_out(claiming(), "a").checked(green()).asks(note.clone());
    tale.compared(intact()).overlaid(new_test_red()).settles(Settlement::Steered);
    tale.works_out(claiming(), "b").checked(green()).compared(intact()).overlaid(new_test_red());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));

    let mut last = probed(contract_with(|contract| contract.policy.limits.iterations_max = times(1)));
    last.works_out(claiming(), "a").checked(green()).asks(note);
    last.compared(intact()).overlaid(new_test_red());
    assert!(matches!(last.wants(), Decision::End(End::Verified { .. })));
    assert_eq!(last.state.unread_notes(), ["in Korean"]);
}

#[test]
fn what_a_lost_driver_had_begun_is_looked_at_before_anything_else() {
    let mut tale = probed(contract());
    let turn_key = tale.begins(&EffectKind::Turn);
    tale.happens(attached("here")).asks(Act::Cancel);
    assert_eq!(tale.wants(), Decision::Recover(turn_key.clone()));
    tale.happens(Fact::Ended { key: turn_key, result: EffectResult::Turn(claiming()) });
    assert_eq!(tale.wants(), Decision::End(End::Cancelled));
}

#[test]
fn checks_speak_again_in_other_surroundings_and_the_judge_does_not() {
    let mut tale =
        Tale::of(contract_with(|contract| contract.policy.gates = vec![Gate::Checks, Gate::Judge]));
    tale.happens(attached("here")).probed(green());
    tale.works_out(claiming(), "a").checked(green()).judged(rejected()).happens(attached("here"));
    assert_eq!(tale.wants(), Decision::Settle(Settlement::Refused { gate: Gate::Judge }));
    tale.happens(attached("there"));
    assert!(tale.state.probes.is_empty());
    tale.checked(green()).settles(Settlement::Refused { gate: Gate::Judge });
}
