//! Single stories of a loop: limits, retries, standstill, pauses and notes.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn stalled(by: Stall) -> Decision {
    Decision::End(End::Stalled { by })
}

fn unavailable(party: Party, reason: &str) -> Decision {
    Decision::End(End::Unavailable { party, reason: String::from(reason) })
}

fn probed(contract: Contract) -> Tale {
    let mut tale = Tale::of(contract);
    tale.probed(green());
    tale
}

fn waits_until(tale: &Tale, expected_ms: u64) {
    let effects = Vec::new();
    assert_eq!(tale.wants(), Decision::Run { effects, until_ms: Some(expected_ms) });
}

#[test]
fn without_a_contract_nothing_is_wanted() {
    assert_eq!(decide(&State::default()), Decision::Rest);
}

#[test]
fn a_check_on_the_base_runs_beside_the_first_turn() {
    let tale = Tale::of(contract());
    assert_eq!(tale.works(), [Work::Turn, Work::Probe { name: check_name("test") }]);
}

#[test]
fn a_candidate_is_checked_only_when_the_base_is_done() {
    let mut tale = Tale::of(contract());
    tale.begins(&Work::Probe { name: check_name("test") });
    tale.works_out(claiming(), "a");
    assert_eq!(tale.works(), [Work::Probe { name: check_name("test") }]);
    tale.probed(red());
    assert_eq!(tale.works(), [Work::Check { name: check_name("test") }]);
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
    tale.ends(&Work::Turn, EffectResult::Turn(claiming()));
    assert!(matches!(tale.wants(), Decision::Run { until_ms: Some(10), .. }));
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert!(matches!(tale.wants(), Decision::Run { until_ms: None, .. }), "nobody wakes in the past");
    tale.ends(&Work::Snapshot, EffectResult::Snapshot(snapshot("a")));
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Time }));
}

#[test]
fn the_time_that_runs_out_during_a_check_cancels_it() {
    let mut tale = probed(contract_with(|contract| contract.policy.limits.active_ms_max = Some(10)));
    tale.works_out(claiming(), "a").begins(&Work::Check { name: check_name("test") });
    assert!(matches!(tale.wants(), Decision::Run { until_ms: Some(10), .. }));
    tale.active_ms = 11;
    tale.happens(Fact::Woke);
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
}

#[test]
fn an_agent_that_fails_is_tried_again_after_twice_the_wait_each_time_and_not_for_ever() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.retries.backoff_ms = 10;
        contract.policy.retries.failures_max = times(9);
    }));
    for wait_ms in [10, 20, 40, 80, 160, 320, 640, 640] {
        tale.ends(&Work::Turn, failed());
        waits_until(&tale, tale.active_ms + wait_ms);
        tale.active_ms += wait_ms - 1;
        tale.happens(Fact::Woke);
        waits_until(&tale, tale.active_ms + 1);
        tale.active_ms += 1;
        tale.happens(Fact::Woke);
    }
    assert_eq!(tale.key(&Work::Turn).attempt, 9);
    tale.ends(&Work::Turn, failed());
    assert_eq!(tale.wants(), unavailable(Party::Agent, "out of order"));
}

#[test]
fn a_wait_ends_with_the_loops_time() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.limits.active_ms_max = Some(7);
        contract.policy.retries.backoff_ms = 10;
    }));
    tale.ends(&Work::Turn, failed());
    waits_until(&tale, 7);
}

#[test]
fn a_turn_that_fails_and_changes_nothing_costs_no_iteration() {
    for (outcome, reason) in [
        (TurnOutcome::TimedOut, "the turn timed out and changed nothing"),
        (TurnOutcome::Failed { exit: None }, "the agent failed and changed nothing"),
    ] {
        let mut tale = probed(contract());
        for attempt in [1, 2] {
            assert_eq!((tale.key(&Work::Turn).iteration, tale.key(&Work::Turn).attempt), (1, attempt));
            tale.works_out(Turn { outcome: outcome.clone(), ..turn() }, "base")
                .settles(Settlement::AgentFailed);
        }
        assert_eq!(tale.wants(), unavailable(Party::Agent, reason));
    }
}

#[test]
fn a_turn_that_fails_but_leaves_a_change_or_a_claim_counts() {
    let mut tale = probed(contract());
    tale.works_out(failing(), "a").checked(red()).settles(Settlement::Unclaimed);
    tale.works_out(Turn { claim: Some(done()), ..failing() }, "a").checked(red());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
}

#[test]
fn a_turn_that_counts_ends_a_row_of_failures() {
    let mut tale = probed(contract());
    tale.ends(&Work::Turn, failed());
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.ends(&Work::Turn, failed());
    assert_eq!(tale.key(&Work::Turn).attempt, 2);
}

#[test]
fn a_host_that_fails_is_tried_again_after_a_wait_and_not_for_ever() {
    let mut tale = probed(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    tale.ends(&Work::Turn, EffectResult::Turn(claiming()));
    tale.ends(&Work::Snapshot, failed());
    waits_until(&tale, 10);
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert_eq!(tale.key(&Work::Snapshot).attempt, 2);
    tale.ends(&Work::Snapshot, failed());
    assert_eq!(tale.wants(), unavailable(Party::Host, "out of order"));
}

#[test]
fn a_host_that_works_again_ends_its_row_of_failures() {
    let mut tale = probed(contract());
    tale.ends(&Work::Turn, EffectResult::Turn(claiming()));
    tale.ends(&Work::Snapshot, failed()).ends(&Work::Snapshot, EffectResult::Snapshot(snapshot("a")));
    let check = || Work::Check { name: check_name("test") };
    tale.ends(&check(), failed());
    assert_eq!(tale.works(), [check()]);
}

#[test]
fn a_check_on_the_base_that_cannot_run_waits_and_is_given_up_beside_a_turn() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    tale.begins(&Work::Turn);
    let probe = || Work::Probe { name: check_name("test") };
    tale.ends(&probe(), failed());
    assert_eq!(tale.works(), [Work::Turn]);
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert_eq!(tale.works(), [Work::Turn, probe()]);
    tale.ends(&probe(), failed());
    tale.active_ms = 100;
    tale.happens(Fact::Woke);
    assert_eq!(tale.works(), [Work::Turn]);
}

#[test]
fn a_wait_lets_a_check_on_the_base_go_on() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    let probe = tale.begins(&Work::Probe { name: check_name("test") });
    tale.ends(&Work::Turn, failed());
    assert_eq!(tale.wants(), Decision::Run { effects: vec![probe], until_ms: Some(10) });
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
    assert_eq!(tale.works(), [Work::Turn]);
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
        assert_eq!(tale.works(), [Work::Turn], "not yet at {name}");
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
        assert_eq!(tale.works(), [Work::Turn]);
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
    assert_eq!(tale.works()[0], Work::Turn);
}

#[test]
fn a_person_who_resumes_forgives_what_counted_and_what_may_have_been_the_surroundings_fault() {
    let mut tale = Tale::of(contract());
    tale.probed(unrunnable());
    tale.is_refused("a", "x").is_refused("a", "x");
    tale.asks(Act::Pause).pauses(PauseReason::Asked).asks(Act::Resume);
    let probe = Work::Probe { name: check_name("test") };
    assert_eq!(tale.works(), [Work::Turn, probe]);
    tale.works_out(claiming(), "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.probed(red());
    assert_eq!(tale.works(), [Work::Turn]);
    assert_eq!(tale.state.unit().streaks.same_candidate, 1);
}

#[test]
fn a_pause_in_the_middle_of_a_turn_stops_it_and_its_iteration_goes_on() {
    let mut tale = probed(contract());
    let turn = tale.begins(&Work::Turn);
    tale.asks(Act::Pause);
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
    tale.happens(Fact::Ended { key: turn, result: EffectResult::Interrupted });
    tale.pauses(PauseReason::Asked);
    assert_eq!(tale.wants(), Decision::Rest);
    tale.asks(Act::Resume);
    assert_eq!((tale.key(&Work::Turn).iteration, tale.key(&Work::Turn).attempt), (1, 2));
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
    assert_eq!((tale.key(&Work::Turn).iteration, tale.key(&Work::Turn).attempt), (1, 3));
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
    assert_eq!((tale.key(&Work::Turn).iteration, tale.key(&Work::Turn).attempt), (2, 1));
}

#[test]
fn research_that_is_asked_for_inline_stops_nobody() {
    let mut tale = probed(contract_with(|contract| contract.policy.research = Research::Inline));
    tale.works_out(unbriefed(), "a").checked(red()).settles(Settlement::Unclaimed);
}

#[test]
fn a_note_reaches_every_turn_until_one_came_to_something() {
    let note = |text: &str| Act::Steer(String::from(text));
    let mut tale = probed(contract());
    tale.asks(note("first"));
    tale.ends(&Work::Turn, EffectResult::Interrupted);
    tale.begins(&Work::Turn);
    tale.asks(note("second"));
    tale.works_out(failing(), "base").settles(Settlement::AgentFailed);
    assert_eq!(tale.state.notes(), ["first", "second"]);
    tale.begins(&Work::Turn);
    tale.asks(note("third"));
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.state.notes(), ["third"]);
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert!(tale.state.notes().is_empty());
}

#[test]
fn what_a_lost_driver_had_begun_is_looked_at_before_anything_else() {
    let mut tale = probed(contract());
    let turn_key = tale.begins(&Work::Turn);
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
    assert!(tale.state.probes().is_empty());
    tale.checked(green()).settles(Settlement::Refused { gate: Gate::Judge });
}

impl Tale {
    fn works_to_check(&self) -> bool {
        matches!(self.wants(), Decision::Run { .. })
    }
}

fn requiring(change: impl FnOnce(&mut Contract)) -> Contract {
    contract_with(|contract| {
        contract.checks[0].runnable = Runnable::Required;
        change(contract);
    })
}

fn resting(contract: Contract) -> Tale {
    let mut tale = Tale::of(contract);
    tale.probed(never_begun());
    tale
}

#[test]
fn a_check_that_can_run_nowhere_rests_the_loop_at_the_first_claim_and_keeps_the_claim() {
    let mut tale = resting(requiring(|_| {}));
    tale.works_out(claiming(), "a").checked(never_begun()).pauses(PauseReason::CheckCannotRun);
    tale.asks(Act::Resume).checked(green());
    assert_eq!(tale.works(), [Work::Probe { name: check_name("test") }], "no turn is paid for meanwhile");
}

#[test]
fn what_was_never_claimed_rests_too_before_a_second_turn() {
    let mut tale = resting(requiring(|_| {}));
    tale.works_out(turn(), "a").checked(never_begun()).pauses(PauseReason::CheckCannotRun);
    let mut tale = resting(requiring(|_| {}));
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed).pauses(PauseReason::CheckCannotRun);
    tale.asks(Act::Resume).probed(never_begun()).pauses(PauseReason::CheckCannotRun);
}

#[test]
fn before_a_second_turn_the_base_is_waited_for_where_no_check_was_seen_to_run() {
    let mut tale = Tale::of(requiring(|_| {}));
    let probe = Work::Probe { name: check_name("test") };
    tale.begins(&probe);
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.works(), [probe]);
    tale.probed(red());
    assert_eq!(tale.works(), [Work::Turn]);
}

#[test]
fn at_the_last_iteration_a_check_that_cannot_run_rests_the_loop_and_does_not_end_it() {
    let mut tale = resting(requiring(|contract| contract.policy.limits.iterations_max = times(1)));
    tale.works_out(turn(), "a").checked(never_begun()).pauses(PauseReason::CheckCannotRun);
}

#[test]
fn a_check_that_ran_on_the_base_or_that_the_work_is_to_create_is_the_workers_to_mend() {
    let mut tale = probed(requiring(|_| {}));
    tale.works_out(claiming(), "a").checked(never_begun());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.works(), [Work::Turn]);
    let mut tale = resting(contract());
    tale.works_out(claiming(), "a").checked(never_begun());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.works(), [Work::Turn]);
}

#[test]
fn what_did_not_come_to_its_end_is_no_check_that_cannot_run() {
    let mut tale = Tale::of(requiring(|_| {}));
    tale.probed(unrunnable()).works_out(claiming(), "a").checked(unrunnable());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.works(), [Work::Turn]);
}

#[test]
fn a_session_is_not_kept_waiting_for_the_base_but_rests_where_nothing_can_run() {
    let mut tale = Tale::of(requiring(|_| {}));
    tale.happens(Fact::Bound { worker: in_host(Some("one")) });
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.works(), [Work::Turn]);
    tale.works_out(claiming(), "a").checked(never_begun()).probed(never_begun());
    tale.pauses(PauseReason::CheckCannotRun);
}

/// Red on a claim, and the same tree is claimed again.
fn claimed_again() -> Tale {
    let mut tale = probed(contract());
    tale.state.probes.insert(check_name("test"), red());
    tale.is_refused("a", "boom").works_out(claiming(), "a");
    tale
}

#[test]
fn a_red_check_is_asked_once_more_when_its_tree_is_claimed_unchanged_and_a_second_no_is_final() {
    let mut tale = claimed_again();
    tale.checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.works_out(claiming(), "a").settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.wants(), stalled(Stall::SameCandidate));
}

#[test]
fn nobody_asks_again_for_who_claims_nothing() {
    let mut tale = probed(contract());
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Unclaimed);
    tale.works_out(turn(), "a").settles(Settlement::Unclaimed);
    tale.works_out(claiming(), "a");
    assert_eq!(tale.works(), [Work::Check { name: check_name("test") }]);
}

#[test]
fn a_yes_after_a_no_counts_when_it_is_said_three_times_and_is_attested_at_most() {
    let mut tale = claimed_again();
    tale.checked(green()).checked(green()).checked(green()).compared(intact());
    let flaky = Cause::Flaky { check: check_name("test"), no_in: 1, yes_in: 2 };
    assert_eq!(tale.wants(), Decision::End(End::Attested { causes: vec![flaky] }));
}

#[test]
fn a_no_among_the_confirmations_is_final() {
    let mut tale = claimed_again();
    tale.checked(green()).checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.works_out(claiming(), "a").settles(Settlement::Refused { gate: Gate::Checks });
}

#[test]
fn a_check_that_was_flaky_once_proves_nothing_about_another_tree() {
    let mut tale = claimed_again();
    tale.checked(green()).checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.works_out(claiming(), "b").checked(green()).compared(intact());
    let flaky = Cause::Flaky { check: check_name("test"), no_in: 1, yes_in: 2 };
    assert_eq!(tale.wants(), Decision::End(End::Attested { causes: vec![flaky] }));
}
