//! Single stories of how a loop ends: judges, findings, proofs, units.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn judged_contract() -> Contract {
    contract_with(|contract| contract.policy.gates.push(Gate::Judge))
}

fn probed(contract: Contract, run: CheckRun) -> Tale {
    let mut tale = Tale::of(contract);
    tale.probed(run);
    tale
}

fn ends_as(tale: &Tale, end: End) {
    assert_eq!(tale.wants(), Decision::End(end));
}

fn base_red() -> Proof {
    Proof::BaseRed { check: check_name("test") }
}

#[test]
fn a_check_red_on_the_base_and_green_on_the_candidate_verifies() {
    let mut tale = probed(contract(), red());
    tale.works_out(claiming(), "a").checked(green()).compared(intact());
    ends_as(&tale, End::Verified { proofs: vec![base_red()] });
}

#[test]
fn a_check_that_could_not_run_on_the_base_proves_nothing() {
    let mut tale = probed(contract(), unrunnable());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(not_shown());
    tale.settles(Settlement::Asked);
}

#[test]
fn a_new_test_red_on_the_bases_code_verifies() {
    let mut tale = probed(contract(), green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(new_test_red());
    ends_as(&tale, End::Verified { proofs: vec![Proof::NewTest { tests: vec![String::from("new")] }] });
}

#[test]
fn an_accepted_failure_proves_something_only_when_it_passes_now() {
    let baselined = || contract_with(|contract| contract.checks[0].baseline = Baseline::Accepted);
    let mut tale = probed(baselined(), red());
    tale.works_out(claiming(), "a").checked(repaired()).compared(intact());
    ends_as(&tale, End::Verified { proofs: vec![Proof::Repaired { check: check_name("test") }] });
    let mut tale = probed(baselined(), red());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(not_shown());
    tale.settles(Settlement::Asked);
}

#[test]
fn an_accepted_failure_is_known_before_the_candidate_is_checked() {
    let mut tale = Tale::of(contract_with(|contract| contract.checks[0].baseline = Baseline::Accepted));
    tale.works_out(claiming(), "a");
    assert_eq!(tale.works(), [EffectKind::Probe { name: check_name("test") }]);
}

#[test]
fn tests_are_compared_only_when_the_base_has_spoken() {
    let mut tale = Tale::of(contract());
    tale.works_out(claiming(), "a").checked(green());
    assert_eq!(tale.works(), [EffectKind::Probe { name: check_name("test") }]);
    tale.probed(green());
    assert_eq!(tale.works(), [EffectKind::Integrity]);
}

#[test]
fn an_empty_change_has_nothing_to_compare_with_the_base() {
    let mut tale = Tale::of(contract());
    tale.works_out(claiming(), "base").checked(green());
    assert_eq!(tale.works(), [EffectKind::Integrity]);
}

#[test]
fn the_worker_is_asked_once_for_a_test_or_a_reason() {
    let mut tale = probed(contract(), green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(not_shown());
    tale.settles(Settlement::Asked);
    assert!(tale.state.unit.is_asked);
    tale.works_out(claiming(), "a");
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingCouldFail { reason: None }] });
}

#[test]
fn a_reason_for_having_no_test_is_told_and_spares_the_question() {
    let mut tale = probed(contract(), green());
    tale.begins(&EffectKind::Turn);
    let claim = admit(&tale.state, by_worker(1, Act::Claim { claim: done_without_test() })).unwrap();
    tale.happens(claim).works_out(claiming(), "a");
    tale.checked(green()).compared(intact()).overlaid(not_shown());
    let reason = Some(String::from("only a comment changed"));
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingCouldFail { reason }] });
}

#[test]
fn the_newest_reason_counts() {
    let mut tale = probed(contract(), green());
    tale.begins(&EffectKind::Turn);
    let claim = admit(&tale.state, by_worker(1, Act::Claim { claim: done_without_test() })).unwrap();
    let no_test = Some(String::from("better"));
    let turn = Turn { claim: Some(Claim::Done { no_test: no_test.clone() }), ..turn() };
    tale.happens(claim).works_out(turn, "a");
    assert_eq!(tale.state.unit.claim, Some(Claim::Done { no_test }));
}

#[test]
fn who_expects_everything_to_stay_green_is_not_asked_for_a_test() {
    let contract = contract_with(|contract| contract.policy.expectation = Expectation::StayGreen);
    let mut tale = probed(contract, green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(not_shown());
    let reason = Some(String::from("the person expects everything to stay green"));
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingCouldFail { reason }] });
}

#[test]
fn checks_that_see_every_error_in_the_changed_lines_prove_a_refactoring() {
    let contract = contract_with(|contract| contract.policy.expectation = Expectation::StayGreen);
    let mut tale = probed(contract, green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(noticed());
    ends_as(&tale, End::Verified { proofs: vec![Proof::Mutants { errors: 2 }] });
}

#[test]
fn an_error_that_no_check_sees_is_asked_about_once() {
    let contract = contract_with(|contract| contract.policy.expectation = Expectation::StayGreen);
    let mut tale = probed(contract, green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).overlaid(unnoticed());
    tale.settles(Settlement::Asked);
    tale.works_out(claiming(), "a");
    let places = vec![String::from("a.rs:1")];
    ends_as(&tale, End::Attested { causes: vec![Cause::Unnoticed { places }] });
}

#[test]
fn an_empty_change_is_attested_at_most_whatever_a_check_says() {
    let mut tale = probed(contract(), red());
    tale.works_out(claiming(), "base").checked(green()).compared(intact());
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingChanged] });
}

#[test]
fn an_empty_change_costs_no_run_on_the_bases_code() {
    let mut tale = probed(contract(), green());
    tale.works_out(claiming(), "base").checked(green()).compared(intact());
    tale.settles(Settlement::Asked);
}

#[test]
fn changed_tests_are_asked_about_once_and_counted() {
    let mut tale = probed(contract(), red());
    tale.works_out(claiming(), "a").checked(green()).compared(tampered()).settles(Settlement::Asked);
    tale.works_out(claiming(), "a");
    ends_as(&tale, End::Attested { causes: vec![Cause::Findings { count: 1 }] });
}

#[test]
fn changed_tests_end_the_loop_where_the_policy_says_stop() {
    let stopping = contract_with(|contract| contract.policy.findings = FindingsPolicy::Stop);
    let mut tale = probed(stopping, red());
    tale.works_out(claiming(), "a").checked(green()).compared(tampered());
    ends_as(&tale, End::Violated);
}

#[test]
fn what_is_known_to_be_unproven_is_named_and_not_asked_about() {
    let capped = contract_with(|contract| contract.policy.caps = vec![Cause::CriteriaNotProven { count: 2 }]);
    let mut tale = probed(capped, red());
    tale.works_out(claiming(), "a").checked(green()).compared(intact());
    ends_as(&tale, End::Attested { causes: vec![Cause::CriteriaNotProven { count: 2 }] });
}

#[test]
fn with_no_gate_at_all_nothing_could_fail() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.gates.clear()));
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.works_out(claiming(), "a").settles(Settlement::Asked);
    tale.works_out(claiming(), "b");
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingCouldFail { reason: None }] });
}

#[test]
fn a_judge_who_found_the_evidence_in_the_change_verifies() {
    let mut tale = probed(judged_contract(), green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).judged(approved());
    ends_as(&tale, End::Verified { proofs: vec![Proof::Criterion] });
}

#[test]
fn a_judge_without_evidence_in_the_change_proves_nothing() {
    let mut tale = probed(judged_contract(), green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).judged(approved_without_evidence());
    assert_eq!(tale.works(), [EffectKind::Overlay]);
}

// proves: G9
#[test]
fn two_rejections_in_a_row_reach_a_person_and_the_same_candidate_counts_once() {
    let mut patient = judged_contract();
    patient.policy.stuck.same_failure_max = times(9);
    let mut tale = probed(patient, green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).judged(rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge });
    tale.works_out(claiming(), "a").settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!(tale.state.unit.streaks.rejections, 1);
    tale.works_out(claiming(), "b").checked(green()).compared(intact()).judged(rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge }).pauses(PauseReason::HumanGate).asks(Act::Resume);
    tale.works_out(claiming(), "b").settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!(tale.state.unit.streaks.rejections, 0);
}

#[test]
fn rejections_of_ever_new_candidates_are_no_standstill_but_claims_on_a_rejected_one_are() {
    let mut tale = probed(
        contract_with(|contract| {
            contract.policy.gates.push(Gate::Judge);
            contract.policy.rejections.threshold = times(9);
            contract.policy.limits.iterations_max = times(9);
        }),
        green(),
    );
    for name in ["a", "b", "c"] {
        tale.works_out(claiming(), name).checked(green()).compared(intact()).judged(rejected());
        tale.settles(Settlement::Refused { gate: Gate::Judge });
    }
    assert_eq!(tale.works(), [EffectKind::Turn], "rejections have a counter and a gate of their own");
    tale.works_out(claiming(), "c").settles(Settlement::Refused { gate: Gate::Judge });
    tale.works_out(claiming(), "c").settles(Settlement::Refused { gate: Gate::Judge });
    ends_as(&tale, End::Stalled { by: Stall::SameCandidate });
}

// proves: G10
#[test]
fn rejections_reset_the_strategy_where_nobody_is_there() {
    let contract = contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge];
        contract.policy.rejections = RejectionPolicy { threshold: times(1), then: Rejections::ResetStrategy };
    });
    let mut tale = Tale::of(contract);
    tale.works_out(claiming(), "a").judged(rejected()).settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!(tale.wants(), Decision::ResetStrategy);
    tale.happens(Fact::StrategyReset);
    tale.works_out(claiming(), "a").settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!(tale.works(), [EffectKind::Turn], "a repeated claim is no further rejection");
}

// proves: B4
#[test]
fn a_judge_without_a_verdict_is_asked_three_times_then_a_person_is() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.gates = vec![Gate::Judge]));
    tale.works_out(claiming(), "a");
    for _ in 0..2 {
        tale.judged(JudgeWord::NoVerdict).judged(JudgeWord::NoVerdict).judged(JudgeWord::NoVerdict);
        tale.pauses(PauseReason::NoVerdict).asks(Act::Resume);
    }
    tale.judged(approved());
    ends_as(&tale, End::Verified { proofs: vec![Proof::Criterion] });
}

#[test]
fn a_judge_out_of_reach_is_asked_again_after_a_wait_and_never_counts_as_a_yes() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge];
        contract.policy.retries.backoff_ms = 10;
    }));
    let waits = |tale: &Tale| matches!(tale.wants(), Decision::Run { effects, .. } if effects.is_empty());
    tale.works_out(claiming(), "a").judged(unreachable());
    assert!(waits(&tale));
    tale.active_ms = 10;
    tale.happens(Fact::Woke).judged(JudgeWord::NoVerdict);
    tale.judged(unreachable());
    assert!(waits(&tale), "an answer in between ends the row");
    tale.active_ms = 20;
    tale.happens(Fact::Woke).judged(unreachable());
    let reason = String::from("out of reach");
    ends_as(&tale, End::Unavailable { party: Party::Judge, reason });
}

#[test]
fn an_outage_that_is_over_keeps_nobody_from_the_judge() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge, Gate::Checks];
        contract.policy.retries.backoff_ms = 10;
    }));
    tale.begins(&EffectKind::Turn);
    tale.ends(&EffectKind::Probe { name: check_name("test") }, failed());
    tale.works_out(claiming(), "a");
    assert_eq!(tale.works(), [EffectKind::Judge]);
}

#[test]
fn a_verdict_ends_the_rows_of_silence_and_absence() {
    let mut tale =
        Tale::of(contract_with(|contract| contract.policy.gates = vec![Gate::Judge, Gate::Checks]));
    tale.probed(green());
    tale.works_out(claiming(), "a");
    tale.judged(JudgeWord::NoVerdict).judged(JudgeWord::NoVerdict).judged(unreachable());
    tale.judged(approved()).checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.works_out(claiming(), "b").judged(unreachable()).judged(JudgeWord::NoVerdict);
    assert_eq!(tale.works(), [EffectKind::Judge]);
}

#[test]
fn a_judge_at_every_stop_needs_no_claim() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge];
        contract.policy.judge = JudgeWhen::Every;
    }));
    tale.works_out(turn(), "a").judged(approved_without_evidence());
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingCouldFail { reason: None }] });
}

#[test]
fn to_force_the_maximum_is_to_go_on_after_an_approval_until_the_limit() {
    let mut tale = probed(
        contract_with(|contract| {
            contract.policy.force_max = ForceMax::On;
            contract.policy.limits.iterations_max = times(4);
            contract.policy.stuck.same_failure_max = times(2);
            contract.policy.stuck.same_candidate_max = times(2);
        }),
        red(),
    );
    tale.is_refused("a", "x");
    tale.works_out(claiming(), "b").checked(green()).compared(intact()).settles(Settlement::Approved);
    assert_eq!(tale.state.unit.approved, Some(candidate("b")));
    tale.is_refused("a", "x");
    assert_eq!(tale.works(), [EffectKind::Turn], "an approval breaks the row");
    tale.works_out(turn(), "b");
    ends_as(&tale, End::Verified { proofs: vec![base_red()] });
}

#[test]
fn an_approval_zeroes_the_rejections() {
    let mut tale = probed(judged_contract(), green());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).judged(rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge });
    tale.works_out(claiming(), "b").checked(green()).compared(intact()).judged(approved_without_evidence());
    tale.overlaid(not_shown()).settles(Settlement::Asked);
    assert_eq!(tale.state.unit.streaks.rejections, 0);
}

#[test]
fn a_unit_that_is_finished_makes_way_for_the_next_one_and_the_end_names_all_proofs() {
    let mut tale = probed(contract_with(|contract| contract.tasks = listed(&[&[], &[]])), red());
    tale.ends(&EffectKind::Turn, failed());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).closed();
    let end = End::Verified { proofs: vec![base_red()] };
    assert_eq!(tale.wants(), Decision::FinishUnit(end.clone()));
    tale.happens(Fact::UnitFinished { end: end.clone() });
    assert_eq!(tale.state.finished, [end]);
    assert_eq!((tale.state.unit.id, tale.key(&EffectKind::Turn).iteration), (UnitId(1), 2));
    tale.ends(&EffectKind::Turn, failed());
    assert_eq!(tale.works(), [EffectKind::Turn], "the unit before has no part in this row");
    tale.works_out(failing(), "a").settles(Settlement::AgentFailed);
    assert_eq!(tale.wants(), {
        let reason = String::from("the agent failed and changed nothing");
        Decision::End(End::Unavailable { party: Party::Agent, reason })
    });
}

#[test]
fn an_empty_second_unit_is_not_verified() {
    let mut tale = probed(contract_with(|contract| contract.tasks = listed(&[&[], &[]])), red());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).closed();
    tale.happens(Fact::UnitFinished { end: End::Verified { proofs: vec![base_red()] } });
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).settles(Settlement::Asked);
    tale.works_out(claiming(), "a").closed();
    let nothing = Cause::NothingCouldFail { reason: None };
    ends_as(&tale, End::Attested { causes: vec![Cause::NothingChanged, nothing] });
}

#[test]
fn a_second_unit_cannot_be_proven_by_what_the_first_one_repaired() {
    let mut tale = probed(contract_with(|contract| contract.tasks = listed(&[&[], &[]])), red());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).closed();
    tale.happens(Fact::UnitFinished { end: End::Verified { proofs: vec![base_red()] } });
    assert_eq!(tale.state.base().unwrap().tree, candidate("a").tree);
    assert!(
        tale.state.probes.values().all(CheckRun::is_green),
        "what the first one left was checked already"
    );
    tale.works_out(claiming(), "b").checked(green()).compared(intact());
    assert_eq!(tale.works(), [EffectKind::Overlay], "red on the loop's base says nothing of this unit");
    let mut shown = tale.clone();
    shown.overlaid(new_test_red()).closed();
    let new_test = Proof::NewTest { tests: vec![String::from("new")] };
    ends_as(&shown, End::Verified { proofs: vec![base_red(), new_test] });
    tale.overlaid(not_shown()).settles(Settlement::Asked);
}
