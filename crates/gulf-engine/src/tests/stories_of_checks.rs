//! Checks that cannot run, and checks that say now this and now that, told as stories.

use super::given::*;
use super::stories::probed;
use super::stories_of_standstill::stalled;
use super::tale::Tale;
use crate::*;

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
    assert_eq!(
        tale.works(),
        [EffectKind::Probe { name: check_name("test") }],
        "no turn is paid for meanwhile"
    );
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
    let probe = EffectKind::Probe { name: check_name("test") };
    tale.begins(&probe);
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.works(), [probe]);
    tale.probed(red());
    assert_eq!(tale.works(), [EffectKind::Turn]);
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
    assert_eq!(tale.works(), [EffectKind::Turn]);
    let mut tale = resting(contract());
    tale.works_out(claiming(), "a").checked(never_begun());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn what_did_not_come_to_its_end_is_no_check_that_cannot_run() {
    let mut tale = Tale::of(requiring(|_| {}));
    tale.probed(unrunnable()).works_out(claiming(), "a").checked(unrunnable());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn a_session_is_not_kept_waiting_for_the_base_but_rests_where_nothing_can_run() {
    let mut tale = Tale::of(requiring(|_| {}));
    tale.happens(Fact::Bound { worker: in_host(Some("one")) });
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.works_out(claiming(), "a").checked(never_begun()).probed(never_begun());
    tale.pauses(PauseReason::CheckCannotRun);
}

/// Red on a claim, and the same tree is claimed again.
fn claimed_again() -> Tale {
    let mut tale = probed(contract());
    tale.state.0.probes.insert(check_name("test"), red());
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
    assert_eq!(tale.works(), [EffectKind::Check { name: check_name("test") }]);
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
