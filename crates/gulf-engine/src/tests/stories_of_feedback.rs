//! Single stories of what was measured: a success nobody claimed, a plateau, a person's look, what others tell.

use super::given::*;
use super::stories_of_people::probed;
use super::tale::Tale;
use crate::*;

fn measured_by(change: impl FnOnce(&mut FeedbackPolicy)) -> Tale {
    probed(measured_contract(change))
}

fn verified() -> End {
    End::Verified { proofs: vec![Proof::BaseRed { check: check_name("test") }] }
}

fn told(change: impl FnOnce(&mut RecordedFeedback)) -> Act {
    let feedback = Feedback {
        phase: Phase::Review,
        iteration: 1,
        tests_passed: Some(3),
        tests_failed: Some(0),
        lint_errors: None,
        build_success: None,
        coverage_bp: Some(9_000),
        duration_ms: 0,
    };
    let mut told = RecordedFeedback { by: String::from("ci"), feedback, notes: String::new() };
    change(&mut told);
    Act::Tell { told }
}

// proves: L2, REQ-SM-001, REQ-SM-002
#[test]
fn of_all_transitions_only_the_four_of_the_round_are_allowed() {
    let phases = [Phase::Analyze, Phase::Implement, Phase::Test, Phase::Review];
    for (place, from) in phases.into_iter().enumerate() {
        for (other, to) in phases.into_iter().enumerate() {
            assert_eq!(from.next() == to, other == (place + 1) % 4, "{from:?} to {to:?}");
        }
    }
}

// proves: L2, REQ-SM-001, REQ-SM-003, REQ-LOOP-001
#[test]
fn a_loop_goes_from_phase_to_phase_and_a_new_round_is_a_new_iteration() {
    let mut tale = Tale::of(measured_contract(|_| {}));
    let phase = |tale: &Tale| (Phase::from_state(&tale.state), tale.state.unit.iteration);
    assert_eq!(phase(&tale), (Phase::Analyze, 0));
    tale.probed(red()).begins(&EffectKind::Turn);
    assert_eq!(phase(&tale), (Phase::Implement, 1));
    tale.works_out(turn(), "a");
    assert_eq!(phase(&tale), (Phase::Test, 1));
    tale.checked(measured(3, 0, None)).settles(Settlement::Unclaimed);
    assert_eq!(phase(&tale), (Phase::Review, 1));
    tale.begins(&EffectKind::Turn);
    assert_eq!(phase(&tale), (Phase::Implement, 2));
}

// proves: L2, REQ-SM-001, REQ-SM-003
#[test]
fn an_analysis_is_the_first_phase_of_its_own_iteration_and_nothing_goes_back() {
    let mut contract = measured_contract(|policy| policy.human_review = true);
    contract.policy.steps = steps(&[(Step::Analyze, StepWhen::Every)]);
    let mut tale = probed(contract);
    let at = |tale: &Tale| (Phase::from_state(&tale.state), Phase::iteration(&tale.state));
    let analysis = EffectKind::Step { step: Step::Analyze };
    let key = tale.begins(&analysis);
    assert_eq!(at(&tale), (Phase::Analyze, 1));
    tale.happens(Fact::Ended { key, result: EffectResult::Step(thought(StepWord::Said)) });
    assert_eq!(at(&tale), (Phase::Analyze, 1), "until the turn begins");
    tale.works_out(turn(), "a");
    assert_eq!(at(&tale), (Phase::Test, 1));
    tale.checked(measured(3, 0, None)).pauses(PauseReason::Review);
    assert_eq!(at(&tale), (Phase::Review, 1));
    tale.asks(Act::Resume);
    assert_eq!(at(&tale), (Phase::Review, 1), "it was looked at");
    tale.settles(Settlement::Unclaimed);
    assert_eq!(at(&tale), (Phase::Review, 1));
    tale.begins(&analysis);
    assert_eq!(at(&tale), (Phase::Analyze, 2));
}

// proves: L1, REQ-LOOP-002, REQ-LOOP-003
#[test]
fn a_pause_that_somebody_asks_for_changes_no_phase() {
    let mut tale = measured_by(|_| {});
    let key = tale.begins(&EffectKind::Turn);
    tale.asks(Act::Pause).happens(Fact::Ended { key, result: EffectResult::Interrupted });
    tale.pauses(PauseReason::Asked);
    assert_eq!(Phase::from_state(&tale.state), Phase::Implement);
    tale.asks(Act::Resume).works_out(turn(), "a").asks(Act::Pause).pauses(PauseReason::Asked);
    assert_eq!(Phase::from_state(&tale.state), Phase::Test);
}

// proves: L4, REQ-CONV-003, REQ-DE-001
#[test]
fn numbers_that_are_as_agreed_on_go_to_the_gates_though_nobody_claimed() {
    let mut tale = measured_by(|_| {});
    tale.works_out(turn(), "a").checked(measured(3, 0, None)).settles(Settlement::Unclaimed);
    tale.works_out(turn(), "b").checked(measured(1, 2, None)).settles(Settlement::Unclaimed);
    tale.works_out(turn(), "c").checked(measured(0, 0, Some(8_500))).compared(intact());
    assert_eq!(tale.wants(), Decision::End(verified()));
}

// proves: L4
#[test]
fn a_worker_that_claims_goes_to_the_gates_and_the_numbers_are_one_of_them() {
    let mut tale = measured_by(|_| {});
    tale.works_out(claiming(), "a").checked(measured(0, 0, Some(8_499)));
    tale.settles(Settlement::Refused { gate: Gate::Feedback });
    tale.works_out(claiming(), "b").checked(CheckRun { lint_errors: Some(1), ..green() });
    tale.settles(Settlement::Refused { gate: Gate::Feedback });
    tale.works_out(claiming(), "c").checked(measured(0, 0, Some(8_500))).compared(intact());
    assert_eq!(tale.wants(), Decision::End(verified()));
    let mut unmeasured = measured_by(|_| {});
    unmeasured.works_out(claiming(), "a").checked(green()).compared(intact());
    assert_eq!(unmeasured.wants(), Decision::End(verified()), "what nobody measures is shown, and no more");
}

// proves: L4
#[test]
fn coverage_that_nobody_measured_is_no_success_where_it_is_required() {
    let mut tale = measured_by(|policy| policy.coverage = CoverageNeed::Required);
    tale.works_out(turn(), "a").checked(measured(0, 0, None)).settles(Settlement::Unclaimed);
    tale.works_out(turn(), "b").checked(measured(0, 0, Some(9_000))).compared(intact());
    assert_eq!(tale.wants(), Decision::End(verified()));
}

// proves: L4
#[test]
fn coverage_that_was_measured_once_and_is_not_any_more_is_no_success() {
    let mut tale = measured_by(|_| {});
    tale.works_out(turn(), "a").checked(measured(1, 0, Some(9_000))).settles(Settlement::Unclaimed);
    tale.works_out(turn(), "b").checked(measured(0, 0, None)).settles(Settlement::Unclaimed);
    tale.works_out(claiming(), "c").checked(measured(0, 0, None));
    tale.settles(Settlement::Refused { gate: Gate::Feedback });
    let mut of_the_base = Tale::of(measured_contract(|_| {}));
    of_the_base.probed(CheckRun { coverage_bp: Some(4_000), ..red() });
    of_the_base.works_out(turn(), "a").checked(measured(0, 0, None)).settles(Settlement::Unclaimed);
    of_the_base.works_out(turn(), "b").checked(measured(0, 0, Some(9_000))).compared(intact());
    assert_eq!(of_the_base.wants(), Decision::End(verified()));
}

#[test]
fn numbers_about_nothing_are_no_success() {
    let mut tale = measured_by(|_| {});
    tale.works_out(turn(), "base").checked(measured(0, 0, Some(9_000))).settles(Settlement::Unclaimed);
}

// proves: L4, REQ-CONV-001
#[test]
fn two_iterations_in_a_row_without_progress_are_a_plateau_and_no_success() {
    let mut tale = measured_by(|_| {});
    for (tree, run) in [
        ("a", measured(3, 0, Some(5_000))),
        ("b", measured(3, 0, Some(5_001))),
        // Back to what was reached before is no progress.
        ("c", measured(4, 0, Some(5_000))),
        ("d", measured(3, 1, Some(5_001))),
    ] {
        tale.works_out(turn(), tree).checked(run).settles(Settlement::Unclaimed);
    }
    let end = End::Stalled { by: Stall::Plateau };
    assert_eq!((end.exit_code(), tale.wants()), (11, Decision::End(end)));
}

#[test]
fn a_plateau_is_seen_while_the_held_out_checks_wait_for_a_claim() {
    let mut contract = measured_contract(|policy| policy.auto_converge = true);
    contract.checks.push(CheckTerms { disclosure: Disclosure::HeldOut, ..terms("held out") });
    let mut tale = probed(contract);
    for tree in ["a", "b", "c"] {
        tale.works_out(turn(), tree).checked(measured(3, 1, None)).settles(Settlement::Unclaimed);
    }
    assert_eq!(tale.wants(), Decision::End(End::Stalled { by: Stall::Plateau }));
}

// proves: L4
#[test]
fn without_auto_converge_only_the_limit_ends_a_plateau() {
    let mut tale = measured_by(|policy| policy.auto_converge = false);
    for tree in ["a", "b", "c", "d", "e"] {
        tale.works_out(turn(), tree).checked(measured(1, 0, None));
        let at_limit = tree == "e";
        let refused = Settlement::Refused { gate: Gate::Checks };
        tale.settles(if at_limit { refused } else { Settlement::Unclaimed });
    }
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Iterations }));
}

// proves: L4, L6, REQ-HIL-001, REQ-LOOP-003
#[test]
fn a_person_reviews_what_is_no_success_before_a_plateau_is_one() {
    let mut tale = measured_by(|policy| policy.human_review = true);
    for tree in ["a", "b", "c"] {
        tale.works_out(turn(), tree).checked(measured(1, 0, None)).pauses(PauseReason::Review);
        assert_eq!(Phase::from_state(&tale.state), Phase::Review);
        tale.asks(Act::Resume).settles(Settlement::Unclaimed);
    }
    assert_eq!(tale.key(&EffectKind::Turn).iteration, 4);
    tale.works_out(turn(), "d").checked(measured(0, 0, None)).compared(intact());
    assert_eq!(tale.wants(), Decision::End(verified()), "a success waits for nobody");
}

#[test]
fn a_person_who_approves_at_a_review_overrules_the_numbers_and_never_a_check() {
    let mut tale = measured_by(|policy| policy.human_review = true);
    tale.works_out(claiming(), "a").checked(measured(1, 0, None)).pauses(PauseReason::Review);
    assert_eq!(admit(&tale.state, by_person(approval())), Err(Refusal::ChecksSayNo));
    tale.asks(Act::Resume).settles(Settlement::Refused { gate: Gate::Checks });
    tale.works_out(claiming(), "b").checked(measured(0, 0, Some(1))).pauses(PauseReason::Review);
    tale.asks(approval()).compared(intact());
    assert_eq!(tale.wants(), Decision::End(End::Attested { causes: vec![Cause::Waived] }));
}

#[test]
fn what_a_baseline_accepts_is_no_failure() {
    let mut contract = measured_contract(|_| {});
    contract.checks[0].baseline = Baseline::Accepted;
    let mut tale = probed(contract);
    let forgiven = CheckRun { tests: Some(TestCounts { passed: 1, failed: 2, skipped: 0 }), ..repaired() };
    tale.works_out(turn(), "a").checked(forgiven).compared(intact());
    let proofs = vec![Proof::Repaired { check: check_name("test") }];
    assert_eq!(tale.wants(), Decision::End(End::Verified { proofs }));
}

// proves: L3, REQ-FB-001
#[test]
fn a_red_check_that_no_number_explains_is_a_build_that_failed() {
    let mut contract = measured_contract(|_| {});
    contract.checks.push(terms("lint"));
    let of = |runs: &[(&str, CheckRun)]| {
        let runs = runs.iter().map(|(name, run)| (check_name(name), run.clone())).collect();
        Feedback::from_runs(&contract, 2, &runs)
    };
    let well = of(&[("test", measured(0, 0, Some(9_000))), ("lint", measured(0, 3, Some(8_000)))]);
    assert_eq!((well.tests_passed, well.tests_failed, well.lint_errors), (Some(10), Some(0), Some(3)));
    assert_eq!((well.build_success, well.coverage_bp, well.iteration), (Some(true), Some(8_000), 2));
    assert_eq!(of(&[("test", red()), ("lint", green())]).build_success, Some(false));
    assert_eq!(of(&[("test", unrunnable())]).build_success, Some(false));
    assert_eq!(of(&[("test", green())]).build_success, None, "one of them has not spoken");
    let uncovered = CheckRun { coverage_bp: Some(8_000), ..red() };
    assert_eq!(of(&[("test", uncovered), ("lint", green())]).build_success, Some(true));
}

// proves: L1, REQ-FB-002
#[test]
fn what_others_measured_is_written_down_and_decides_nothing() {
    let mut tale = measured_by(|policy| policy.human_review = true);
    tale.works_out(turn(), "a").checked(measured(1, 0, None)).pauses(PauseReason::Review);
    let before = tale.state.clone();
    tale.asks(told(|_| {}));
    assert_eq!(tale.state.sequence, before.sequence + 1);
    assert_eq!(decide(&tale.state), decide(&before));
    assert_eq!(&tale.state.unit, &before.unit);
}

// proves: L1, L2, REQ-SM-002
#[test]
fn what_is_told_of_another_phase_or_iteration_or_out_of_range_is_refused() {
    let mut tale = measured_by(|policy| policy.human_review = true);
    tale.works_out(turn(), "a").checked(measured(1, 0, None)).pauses(PauseReason::Review);
    let ask = |change: fn(&mut RecordedFeedback)| admit(&tale.state, by_person(told(change)));
    let wrong_phase = Refusal::Transition { from: Phase::Review, to: Phase::Test };
    assert_eq!(ask(|told| told.feedback.phase = Phase::Test), Err(wrong_phase));
    assert_eq!(ask(|told| told.feedback.iteration = 2), Err(Refusal::Stale { made_in: 2, now: 1 }));
    let range = |what, max| Err(Refusal::OutOfRange { what, max });
    assert_eq!(ask(|told| told.feedback.coverage_bp = Some(10_001)), range("coverage", COVERAGE_BP_MAX));
    assert_eq!(
        ask(|told| told.feedback.tests_passed = Some(u32::MAX)),
        range("tests_passed", COUNT_TOLD_MAX)
    );
    assert_eq!(
        ask(|told| told.feedback.tests_failed = Some(u32::MAX)),
        range("tests_failed", COUNT_TOLD_MAX)
    );
    assert_eq!(ask(|told| told.feedback.lint_errors = Some(u32::MAX)), range("lint_errors", COUNT_TOLD_MAX));
    let bytes = NOTE_BYTES_MAX + 1;
    assert_eq!(ask(|told| told.notes = "x".repeat(NOTE_BYTES_MAX + 1)), Err(Refusal::TooLong { bytes }));
    assert_eq!(ask(|told| told.by = "x".repeat(NOTE_BYTES_MAX + 1)), Err(Refusal::TooLong { bytes }));
    assert_eq!(admit(&tale.state, by_worker(1, told(|_| {}))), Err(Refusal::PersonOnly));
    let mut ended = tale.state.clone();
    ended.0.stage = Stage::Ended(End::Cancelled);
    assert_eq!(admit(&ended, by_person(told(|_| {}))), Err(Refusal::Ended));
    assert_eq!(admit(&State::default(), by_person(told(|_| {}))), Err(Refusal::NotStarted));
}

// proves: L2
#[test]
fn what_the_numbers_do_not_accept_is_looked_at_by_whoever_reviews_before_the_next_round() {
    let mut contract = measured_contract(|_| {});
    contract.policy.steps = steps(&[(Step::Cause, StepWhen::AfterRefusal)]);
    let mut tale = probed(contract);
    tale.works_out(turn(), "a").checked(measured(3, 0, None)).settles(Settlement::Unclaimed);
    let review = EffectKind::Step { step: Step::Cause };
    assert_eq!(tale.works(), std::slice::from_ref(&review));
    tale.ends(&review, EffectResult::Step(thought(StepWord::Said)));
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.works_out(turn(), "b").checked(measured(0, 0, Some(8_500))).compared(intact());
    assert_eq!(tale.wants(), Decision::End(verified()));
}
