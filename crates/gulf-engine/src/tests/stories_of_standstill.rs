//! What counts as a standstill, and who is asked then, told as stories.

use super::given::*;
use super::stories::probed;
use super::tale::Tale;
use crate::*;

pub(super) fn stalled(by: Stall) -> Decision {
    Decision::End(End::Stalled { by })
}

#[test]
fn the_same_candidate_claimed_again_and_again_is_a_standstill() {
    let mut tale = probed(contract_with(|contract| contract.policy.stuck.same_failure_max = times(9)));
    tale.is_refused("a", "x").is_refused("b", "x").is_refused("b", "x").is_refused("b", "x");
    assert_eq!(tale.wants(), stalled(Stall::SameCandidate));
}

#[test]
fn the_same_failure_again_and_again_is_a_standstill() {
    let mut tale = probed(contract());
    tale.is_refused("a", "x").is_refused("b", "y").is_refused("c", "y");
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.is_refused("d", "y");
    assert_eq!(tale.wants(), stalled(Stall::SameFailure));
}

#[test]
fn a_check_that_cannot_run_fails_alike_each_time() {
    let mut tale = probed(contract());
    for name in ["a", "b", "c"] {
        tale.works_out(claiming(), name).checked(unrunnable());
        tale.settles(Settlement::Refused { gate: Gate::Checks });
    }
    assert_eq!(tale.wants(), stalled(Stall::SameFailure));
}

// proves: G24/convergence-failure
#[test]
fn back_and_forth_between_two_trees_is_a_standstill() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.limits.iterations_max = times(20);
        contract.policy.stuck.oscillations_max = times(2);
    }));
    let goes_to = |tale: &mut Tale, name: &str| {
        tale.works_out(turn(), name);
        if tale.works_to_check() {
            tale.checked(red());
        }
        tale.settles(Settlement::Unclaimed);
    };
    // A third tree breaks the row; a rest on one of the two does not.
    for name in ["a", "b", "a", "c", "b", "b", "b", "c", "b", "b", "c"] {
        goes_to(&mut tale, name);
        assert_eq!(tale.works(), [EffectKind::Turn], "not yet at {name}");
    }
    goes_to(&mut tale, "b");
    assert_eq!(tale.wants(), stalled(Stall::Oscillation));
}

#[test]
fn turns_without_a_trace_are_a_standstill() {
    let mut tale = probed(contract_with(|contract| contract.policy.limits.iterations_max = times(20)));
    let rests = |tale: &mut Tale, turn: Turn| {
        tale.works_out(turn, "base").settles(Settlement::Unclaimed);
    };
    for turn in [idling(), idling(), turn(), idling(), idling(), briefed_idly(), idling(), idling()] {
        rests(&mut tale, turn);
        assert_eq!(tale.works(), [EffectKind::Turn]);
    }
    rests(&mut tale, idling());
    assert_eq!(tale.wants(), stalled(Stall::Idle));
}

fn briefed_idly() -> Turn {
    Turn { tool_calls: None, ..briefed() }
}

#[test]
fn a_change_without_a_tool_call_or_a_refused_claim_is_no_idling() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.limits.iterations_max = times(20);
        contract.policy.stuck.idle_max = times(2);
    }));
    tale.works_out(idling(), "base").settles(Settlement::Unclaimed);
    tale.works_out(idling(), "a").checked(red()).settles(Settlement::Unclaimed);
    tale.works_out(idling(), "a").settles(Settlement::Unclaimed);
    tale.is_refused("a", "x");
    tale.works_out(idling(), "a").settles(Settlement::Unclaimed);
    assert_eq!(tale.works()[0], EffectKind::Turn);
}

#[test]
fn a_person_who_resumes_forgives_what_counted_and_what_may_have_been_the_surroundings_fault() {
    let mut tale = Tale::of(contract());
    tale.probed(unrunnable());
    tale.is_refused("a", "x").is_refused("a", "x");
    tale.asks(Act::Pause).pauses(PauseReason::Asked).asks(Act::Resume);
    let probe = EffectKind::Probe { name: check_name("test") };
    assert_eq!(tale.works(), [EffectKind::Turn, probe]);
    tale.works_out(claiming(), "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.probed(red());
    assert_eq!(tale.works(), [EffectKind::Turn]);
    assert_eq!(tale.state.unit.streaks.same_candidate, 1);
}

fn asking_a_person(change: impl FnOnce(&mut Contract)) -> Tale {
    Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Checks];
        contract.policy.stuck.then = Standstill::Ask;
        change(contract);
    }))
}

fn next(tale: &Tale) -> EffectKind {
    tale.works().into_iter().find(|work| !matches!(work, EffectKind::Probe { .. })).unwrap()
}

// proves: A5, A5/repeated
#[test]
fn the_same_error_three_times_in_a_row_reaches_a_person_and_counts_anew_afterwards() {
    let mut tale = asking_a_person(|_| {});
    for tree in ["a", "b", "c"] {
        tale.is_refused(tree, "boom");
    }
    assert_eq!(tale.state.stall(), Some(Stall::SameFailure));
    tale.pauses(PauseReason::Stuck).asks(Act::Resume);
    assert_eq!(next(&tale), EffectKind::Turn);
    tale.is_refused("d", "boom");
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: A5
#[test]
fn a_candidate_claimed_again_and_again_reaches_a_person_too() {
    let mut tale = asking_a_person(|contract| contract.policy.stuck.same_failure_max = times(9));
    for _ in 0..3 {
        tale.is_refused("a", "boom");
    }
    tale.pauses(PauseReason::Stuck);
}

// proves: A5, A5/limit
#[test]
fn the_last_iteration_reaches_a_person_whose_go_on_means_as_many_again() {
    let mut tale = asking_a_person(|contract| contract.policy.limits.iterations_max = times(1));
    tale.is_refused("a", "boom").pauses(PauseReason::Limit).asks(Act::Resume);
    assert_eq!(tale.state.iterations_max(), 2);
    assert_eq!(tale.key(&EffectKind::Turn).iteration, 2);
    tale.is_refused("b", "other").pauses(PauseReason::Limit);
}

// proves: A5
#[test]
fn a_limit_that_a_person_raised_is_not_raised_once_more_by_their_go_on() {
    let limited = |most| {
        contract_with(|contract| {
            contract.policy.gates = vec![Gate::Checks];
            contract.policy.stuck.then = Standstill::Ask;
            contract.policy.limits.iterations_max = times(most);
        })
    };
    let mut tale = Tale::of(limited(1));
    tale.is_refused("a", "boom").pauses(PauseReason::Limit);
    tale.happens(Fact::Amended { contract: Box::new(limited(4)) }).asks(Act::Resume);
    assert_eq!(tale.state.iterations_max(), 4);
}

// proves: A5
#[test]
fn work_that_nobody_claimed_at_the_limit_rests_for_a_person_where_nothing_proves_it() {
    let mut tale = asking_a_person(|contract| contract.policy.limits.iterations_max = times(1));
    tale.works_out(turn(), "a").checked(green()).probed(green()).overlaid(not_shown());
    tale.settles(Settlement::Unclaimed).pauses(PauseReason::Limit);
}

// proves: A7, A7/five-retries
#[test]
fn a_failure_is_tried_again_five_times_whatever_comes_in_between_and_then_a_person_is_asked() {
    let mut tale = asking_a_person(|contract| {
        contract.policy.limits.iterations_max = times(50);
        contract.policy.stuck.recurrences_max = Some(times(6));
    });
    for (index, failure) in ["x", "y"].iter().cycle().take(11).enumerate() {
        assert_eq!(next(&tale), EffectKind::Turn, "after {index} refusals");
        tale.is_refused(&format!("tree {index}"), failure);
    }
    assert_eq!(tale.state.stall(), Some(Stall::Recurrence));
    tale.pauses(PauseReason::Stuck);
}

// proves: A7
#[test]
fn progress_gives_every_failure_its_retries_back() {
    let two = |first: &str, second: CheckRun| {
        let mut tale = asking_a_person(|contract| {
            contract.checks.push(terms("lint"));
            contract.policy.stuck.recurrences_max = Some(times(3));
        });
        for (index, failure) in [first, "y", first].into_iter().enumerate() {
            tale.works_out(claiming(), &format!("tree {index}")).checked(red_like(failure));
            let lint = EffectKind::Check { name: check_name("lint") };
            let run = if index == 2 { second.clone() } else { red_like("lint") };
            tale.ends(&lint, EffectResult::Check(run)).settles(Settlement::Refused { gate: Gate::Checks });
        }
        tale.state.unit.streaks.recurrences()
    };
    assert_eq!(two("x", red_like("lint")), 2);
    assert_eq!(two("x", green()), 1, "one check less fails");
}

#[test]
fn where_nobody_wants_to_be_asked_a_standstill_ends_the_loop() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.gates = vec![Gate::Checks]));
    for tree in ["a", "b", "c"] {
        tale.is_refused(tree, "boom");
    }
    assert_eq!(tale.wants(), Decision::End(End::Stalled { by: Stall::SameFailure }));
}

// proves: R8
#[test]
fn the_same_failure_three_times_in_a_row_is_sought_the_cause_of_and_no_other_is() {
    let mut tale = asking_a_person(|contract| {
        contract.policy.stuck.same_failure_max = times(9);
        contract.policy.limits.iterations_max = times(50);
        contract.policy.steps = steps(&[(Step::Cause, StepWhen::AfterRepeatedFailure)]);
    });
    tale.is_refused("a", "boom").is_refused("b", "boom");
    assert_eq!(next(&tale), EffectKind::Turn);
    tale.is_refused("c", "boom");
    let cause = EffectKind::Step { step: Step::Cause };
    assert_eq!(next(&tale), cause);
    tale.ends(&cause, EffectResult::Step(thought(StepWord::Said)));
    tale.is_refused("d", "other");
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: R8
#[test]
fn a_cause_that_nobody_finds_is_asked_for_once_more_and_holds_nobody_up() {
    let mut tale = asking_a_person(|contract| {
        contract.policy.stuck.same_failure_max = times(9);
        contract.policy.steps = steps(&[(Step::Cause, StepWhen::AfterRepeatedFailure)]);
    });
    for tree in ["a", "b", "c"] {
        tale.is_refused(tree, "boom");
    }
    let vague = StepWord::Incomplete { missing: vec![String::from("ROOT CAUSE")] };
    for _ in 0..2 {
        let cause = EffectKind::Step { step: Step::Cause };
        tale.ends(&cause, EffectResult::Step(thought(vague.clone())));
    }
    assert_eq!(next(&tale), EffectKind::Turn);
}

/// One change, and then nothing more until the loop stands still.
fn changed_and_silent(change: impl FnOnce(&mut Contract), on_base: CheckRun, run: CheckRun) -> Tale {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.limits.iterations_max = times(20);
        change(contract);
    }));
    tale.probed(on_base);
    tale.works_out(idling(), "a").checked(run).settles(Settlement::Unclaimed);
    for _ in 0..2 {
        tale.works_out(idling(), "a").settles(Settlement::Unclaimed);
    }
    tale.works_out(idling(), "a");
    tale
}

// proves: G1
#[test]
fn work_that_nobody_claimed_goes_to_the_gates_before_it_stands_still() {
    let proofs = vec![Proof::BaseRed { check: check_name("test") }];
    let mut tale = changed_and_silent(|_| {}, red(), green());
    tale.compared(intact());
    assert_eq!(tale.wants(), Decision::End(End::Verified { proofs: proofs.clone() }));

    let mut asking =
        changed_and_silent(|contract| contract.policy.stuck.then = Standstill::Ask, red(), green());
    asking.compared(intact());
    assert_eq!(asking.wants(), Decision::End(End::Verified { proofs }));

    let listed = |contract: &mut Contract| contract.tasks = listed(&[&[], &[]]);
    let mut list = changed_and_silent(listed, red(), green());
    list.compared(intact());
    assert_eq!(list.works(), [EffectKind::Close]);
}

#[test]
fn a_no_to_what_nobody_claimed_or_a_yes_without_proof_leaves_it_a_standstill() {
    let mut failing = changed_and_silent(|_| {}, red(), red());
    failing.settles(Settlement::Unclaimed);
    assert_eq!(failing.wants(), stalled(Stall::Idle));

    let mut unproven = changed_and_silent(|_| {}, green(), green());
    unproven.compared(intact()).overlaid(not_shown()).settles(Settlement::Unclaimed);
    assert_eq!(unproven.wants(), stalled(Stall::Idle));

    let judged = |contract: &mut Contract| contract.policy.gates.push(Gate::Judge);
    let mut refused = changed_and_silent(judged, red(), green());
    refused.compared(intact()).judged(rejected()).settles(Settlement::Unclaimed);
    assert_eq!(refused.wants(), stalled(Stall::Idle));
}

#[test]
fn where_every_iteration_is_used_and_where_silence_is_no_signal_a_standstill_asks_no_gate() {
    let forced = |contract: &mut Contract| contract.policy.force_max = ForceMax::On;
    for change in [forced, with_exit] {
        let mut tale = changed_and_silent(change, red(), green());
        tale.settles(Settlement::Unclaimed);
        assert_eq!(tale.wants(), stalled(Stall::Idle));
    }
}
