//! What follows when an agent, a host or a check on the base fails, told as stories.

use super::given::*;
use super::stories::probed;
use super::tale::Tale;
use crate::*;

fn unavailable(party: Party, reason: &str) -> Decision {
    Decision::End(End::Unavailable { party, reason: String::from(reason) })
}

fn waits_until(tale: &Tale, expected_ms: u64) {
    let effects = Vec::new();
    assert_eq!(tale.wants(), Decision::Run { effects, until_ms: Some(expected_ms) });
}

#[test]
fn an_agent_that_fails_is_tried_again_after_twice_the_wait_each_time_and_not_for_ever() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.retries.backoff_ms = 10;
        contract.policy.retries.failures_max = times(9);
    }));
    for wait_ms in [10, 20, 40, 80, 160, 320, 640, 640] {
        tale.ends(&EffectKind::Turn, failed());
        waits_until(&tale, tale.active_ms + wait_ms);
        tale.active_ms += wait_ms - 1;
        tale.happens(Fact::Woke);
        waits_until(&tale, tale.active_ms + 1);
        tale.active_ms += 1;
        tale.happens(Fact::Woke);
    }
    assert_eq!(tale.key(&EffectKind::Turn).attempt, 9);
    tale.ends(&EffectKind::Turn, failed());
    assert_eq!(tale.wants(), unavailable(Party::Agent, "out of order"));
}

#[test]
fn a_wait_ends_with_the_loops_time() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.limits.active_ms_max = Some(7);
        contract.policy.retries.backoff_ms = 10;
    }));
    tale.ends(&EffectKind::Turn, failed());
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
            assert_eq!(
                (tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt),
                (1, attempt)
            );
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
    tale.ends(&EffectKind::Turn, failed());
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.ends(&EffectKind::Turn, failed());
    assert_eq!(tale.key(&EffectKind::Turn).attempt, 2);
}

#[test]
fn a_host_that_fails_is_tried_again_after_a_wait_and_not_for_ever() {
    let mut tale = probed(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
    tale.ends(&EffectKind::Snapshot, failed());
    waits_until(&tale, 10);
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert_eq!(tale.key(&EffectKind::Snapshot).attempt, 2);
    tale.ends(&EffectKind::Snapshot, failed());
    assert_eq!(tale.wants(), unavailable(Party::Host, "out of order"));
}

#[test]
fn a_host_that_works_again_ends_its_row_of_failures() {
    let mut tale = probed(contract());
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()));
    tale.ends(&EffectKind::Snapshot, failed())
        .ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a")));
    let check = || EffectKind::Check { name: check_name("test") };
    tale.ends(&check(), failed());
    assert_eq!(tale.works(), [check()]);
}

#[test]
fn a_check_on_the_base_that_cannot_run_waits_and_is_given_up_beside_a_turn() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    tale.begins(&EffectKind::Turn);
    let probe = || EffectKind::Probe { name: check_name("test") };
    tale.ends(&probe(), failed());
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert_eq!(tale.works(), [EffectKind::Turn, probe()]);
    tale.ends(&probe(), failed());
    tale.active_ms = 100;
    tale.happens(Fact::Woke);
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn a_wait_lets_a_check_on_the_base_go_on() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    let probe = tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.ends(&EffectKind::Turn, failed());
    assert_eq!(tale.wants(), Decision::Run { effects: vec![probe], until_ms: Some(10) });
}
