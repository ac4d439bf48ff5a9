//! Single stories of budgets, waits that a provider asks for, sessions, and what follows a turn up.

use super::given::*;
use super::stories_of_people::probed;
use super::tale::Tale;
use crate::*;

fn broke(limit: Exhaustion) -> Decision {
    Decision::End(End::Exhausted { limit })
}

fn dollars(max: u64, reserve: Reserve) -> Contract {
    contract_with(|contract| {
        contract.policy.limits.microdollars_max = Some(max);
        contract.policy.limits.reserve = reserve;
    })
}

fn followed_up() -> Contract {
    contract_with(|contract| contract.policy.follow_up = FollowUp::Once)
}

impl Tale {
    /// It begins, unless it runs, and costs so much.
    fn costs(&mut self, work: &EffectKind, spent: Spent) -> &mut Self {
        let key = self.key(work);
        if !self.state.running.contains(&key) {
            self.happens(Fact::Began { key: key.clone() });
        }
        self.happens(Fact::Spent { key, spent })
    }
}

fn waits_until(tale: &Tale, expected_ms: u64) {
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: Some(expected_ms) });
}

#[test]
fn what_is_spent_is_summed_up_and_what_nobody_told_is_named() {
    let mut tale = probed(contract());
    tale.costs(&EffectKind::Turn, cost(3, 5)).works_out(turn(), "base").settles(Settlement::Unclaimed);
    let assumed = Spent { basis: Basis::Assumed, ..cost(4, 1) };
    tale.costs(&EffectKind::Turn, assumed).costs(&EffectKind::Turn, cost(u64::MAX, 1));
    let spending = &tale.state.spending;
    assert_eq!((spending.total.microdollars, spending.total.tokens), (u64::MAX, 7));
    assert_eq!(spending.total.basis, Basis::Assumed);
    assert_eq!(spending.assumed, assumed);
    assert_eq!((spending.iteration.tokens, spending.dearest), (2, cost(3, 5)));
}

// proves: B12
#[test]
fn no_turn_begins_when_the_money_or_the_tokens_are_used_up() {
    let mut tale = probed(dollars(5, Reserve::Nothing));
    tale.costs(&EffectKind::Turn, cost(4, 0)).works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.costs(&EffectKind::Turn, cost(1, 0)).works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), broke(Exhaustion::Money));
    let mut tale = probed(contract_with(|contract| contract.policy.limits.tokens_max = Some(5)));
    tale.costs(&EffectKind::Turn, cost(9, 5)).works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), broke(Exhaustion::Tokens));
}

const HOUR_MS: u64 = 3_600_000;

// proves: K6
#[test]
fn no_more_turns_begin_within_an_hour_than_may_and_waiting_is_neither_a_failure_nor_an_iteration() {
    let mut tale = probed(contract_with(|contract| contract.policy.limits.turns_per_hour = Some(times(2))));
    for _ in 0..2 {
        tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
        tale.active_ms += 600_000;
        tale.happens(Fact::Woke);
    }
    waits_until(&tale, HOUR_MS);
    assert_eq!(tale.state.paced_until_ms(), Some(HOUR_MS));
    assert_eq!(tale.state.unit.iterations, 2);
    let mut paused = tale.clone();
    paused.asks(Act::Pause).pauses(PauseReason::Asked).asks(Act::Resume);
    waits_until(&paused, HOUR_MS);
    let mut cancelled = tale.clone();
    assert_eq!(cancelled.asks(Act::Cancel).wants(), Decision::End(End::Cancelled));
    tale.active_ms = HOUR_MS;
    tale.happens(Fact::Woke);
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.begins(&EffectKind::Turn);
    assert_eq!(tale.state.turns_begun_ms, [600_000, HOUR_MS], "only as many are kept as may begin");
}

#[test]
fn with_a_reserve_no_turn_begins_that_could_exceed_the_budget() {
    let mut tale = probed(dollars(10, Reserve::DearestIteration));
    for amount in [4, 2] {
        assert_eq!(tale.works(), [EffectKind::Turn]);
        tale.costs(&EffectKind::Turn, cost(amount, 0))
            .works_out(turn(), "base")
            .settles(Settlement::Unclaimed);
    }
    assert_eq!(tale.works(), [EffectKind::Turn], "6 and 4 are 10");
    tale.costs(&EffectKind::Turn, cost(1, 0)).works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), broke(Exhaustion::Money));
}

#[test]
fn a_turn_that_was_interrupted_has_cost_what_it_cost() {
    let mut tale = probed(dollars(5, Reserve::Nothing));
    tale.costs(&EffectKind::Turn, cost(5, 0)).ends(&EffectKind::Turn, EffectResult::Interrupted);
    assert_eq!(tale.wants(), broke(Exhaustion::Money));
}

#[test]
fn an_agent_that_says_that_all_is_spent_is_believed_until_a_person_changes_the_contract() {
    let mut tale = probed(contract());
    tale.works_out(ending_as(TurnOutcome::OutOfBudget), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), broke(Exhaustion::Money));
    tale.asks(Act::Pause).pauses(PauseReason::Asked);
    tale.happens(Fact::Amended { contract: Box::new(dollars(9, Reserve::Nothing)) }).asks(Act::Resume);
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn the_last_money_leaves_a_change_that_is_evaluated_unasked() {
    let mut tale = probed(dollars(5, Reserve::Nothing));
    tale.costs(&EffectKind::Turn, cost(5, 0)).works_out(turn(), "a").checked(green()).compared(intact());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
    let mut tale = probed(dollars(5, Reserve::Nothing));
    tale.costs(&EffectKind::Turn, cost(5, 0)).works_out(turn(), "a").checked(red());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.wants(), broke(Exhaustion::Money));
}

#[test]
fn the_worker_is_not_asked_for_a_test_that_nobody_can_pay() {
    let mut tale = Tale::of(dollars(5, Reserve::Nothing));
    tale.probed(green());
    tale.costs(&EffectKind::Turn, cost(5, 0)).works_out(claiming(), "a");
    tale.checked(green()).compared(intact()).overlaid(not_shown());
    let causes = vec![Cause::NothingCouldFail { reason: None }];
    assert_eq!(tale.wants(), Decision::End(End::Attested { causes }));
}

#[test]
fn a_judge_that_nobody_can_pay_is_not_asked_and_one_that_is_paid_is_heard() {
    let judged = |max| {
        let mut contract = dollars(max, Reserve::Nothing);
        contract.policy.gates = vec![Gate::Judge];
        contract
    };
    let mut tale = Tale::of(judged(5));
    tale.costs(&EffectKind::Turn, cost(5, 0)).works_out(claiming(), "a");
    assert_eq!(tale.wants(), broke(Exhaustion::Money));
    let mut tale = Tale::of(judged(6));
    tale.costs(&EffectKind::Turn, cost(5, 0))
        .works_out(claiming(), "a")
        .costs(&EffectKind::Judge, cost(1, 0));
    assert_eq!(tale.works(), [EffectKind::Judge], "its word is paid for");
    tale.judged(approved());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn a_judge_that_is_paid_is_heard_though_the_host_fails_beside_it() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge, Gate::Checks];
        contract.policy.retries.failures_max = times(1);
    }));
    let probe = tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.works_out(claiming(), "a").begins(&EffectKind::Judge);
    tale.happens(Fact::Ended { key: probe, result: failed() });
    assert_eq!(tale.works(), [EffectKind::Judge]);
    tale.judged(approved());
    assert_eq!(tale.works(), [EffectKind::Check { name: check_name("test") }]);
}

// proves: B12
#[test]
fn a_wait_that_the_provider_asks_for_is_waited_out_and_costs_no_iteration() {
    let mut tale = probed(contract());
    tale.works_out(limited(50), "a").settles(Settlement::RateLimited);
    waits_until(&tale, 50);
    tale.active_ms = 50;
    tale.happens(Fact::Woke);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
}

#[test]
fn a_wait_grows_with_each_one_in_a_row_and_is_never_nothing() {
    let mut tale = probed(contract());
    tale.works_out(limited(0), "base").settles(Settlement::RateLimited);
    waits_until(&tale, 1);
    let mut tale = probed(contract_with(|contract| contract.policy.retries.backoff_ms = 10));
    for wait_ms in [10, 20, 40] {
        tale.works_out(limited(3), "base").settles(Settlement::RateLimited);
        waits_until(&tale, tale.active_ms + wait_ms);
        tale.active_ms += wait_ms;
        tale.happens(Fact::Woke);
    }
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.works_out(limited(3), "base").settles(Settlement::RateLimited);
    waits_until(&tale, tale.active_ms + 10);
}

#[test]
fn a_wait_for_which_nobody_named_a_time_grows_from_a_minute_to_half_an_hour() {
    const MINUTE_MS: u64 = 60_000;
    let mut tale = probed(contract_with(|contract| contract.policy.retries.backoff_ms = 1_000));
    for minutes in [1, 2, 4, 8, 16, 32, 32] {
        tale.works_out(limited(0), "base").settles(Settlement::RateLimited);
        waits_until(&tale, tale.active_ms + minutes * MINUTE_MS);
        tale.active_ms += minutes * MINUTE_MS;
        tale.happens(Fact::Woke);
    }
    assert_eq!(
        (tale.state.unit.iteration, tale.key(&EffectKind::Turn).attempt),
        (1, 8),
        "no iteration is counted"
    );
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.state.unit.iterations, 1);
}

// proves: B12
#[test]
fn whoever_starts_gulf_again_sits_out_no_wait_of_before() {
    for wait in [limited(3_600_000), failing()] {
        let settlement = if wait == failing() { Settlement::AgentFailed } else { Settlement::RateLimited };
        let mut tale = probed(contract_with(|contract| contract.policy.retries.backoff_ms = 1_000));
        tale.works_out(wait, "base").settles(settlement);
        assert!(matches!(tale.wants(), Decision::Run { effects, .. } if effects.is_empty()), "it waits");
        tale.happens(attached("here"));
        assert_eq!(tale.works(), [EffectKind::Turn]);
        assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
    }
}

#[test]
fn what_the_model_declined_is_tried_once_more_afresh_and_then_a_person_is_asked() {
    let mut tale = probed(contract_with(|contract| contract.policy.context = ContextPolicy::Continue));
    tale.works_out(in_session(), "base").settles(Settlement::Unclaimed);
    assert!(tale.state.session().is_some());
    let declining = || Turn { session: in_session().session, ..declining() };
    tale.works_out(declining(), "b").settles(Settlement::Declined);
    assert_eq!(tale.state.declined(), Some("I will not"));
    assert_eq!((tale.works(), tale.state.session()), (vec![EffectKind::Turn], None));
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (2, 2));
    tale.works_out(declining(), "b").settles(Settlement::Declined).pauses(PauseReason::Declined);
    assert_eq!(tale.state.declined(), Some("I will not"), "the pause quotes it");
    tale.asks(Act::Resume);
    assert_eq!((tale.works(), tale.state.declined()), (vec![EffectKind::Turn], None));
}

#[test]
fn what_was_declined_is_forgotten_when_something_comes_of_the_work() {
    let mut tale = probed(contract());
    for _ in 0..2 {
        tale.works_out(declining(), "base").settles(Settlement::Declined);
        assert_eq!(tale.works(), [EffectKind::Turn]);
        tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    }
    assert_eq!(tale.state.declined(), None);
}

#[test]
fn a_step_that_the_model_declines_twice_rests_the_loop() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.steps = vec![StepTerms { step: Step::Analyze, when: StepWhen::First }];
    }));
    let declined = thoughtless(TurnOutcome::Declined { why: String::from("I will not") });
    let analyze = EffectKind::Step { step: Step::Analyze };
    for _ in 0..2 {
        tale.begins(&analyze);
        tale.ends(&analyze, EffectResult::Step(declined.clone()));
    }
    tale.pauses(PauseReason::Declined);
}

#[test]
fn a_provider_that_asks_to_wait_a_thousand_times_is_waited_for_and_then_out_of_reach() {
    let mut tale = probed(contract());
    for _ in 0..1000 {
        tale.works_out(limited(1), "base").settles(Settlement::RateLimited);
        waits_until(&tale, tale.active_ms + 1);
        tale.active_ms += 1;
        tale.happens(Fact::Woke);
    }
    tale.works_out(limited(1), "base").settles(Settlement::RateLimited);
    let reason = String::from("its provider asks to wait");
    assert_eq!(tale.wants(), Decision::End(End::Unavailable { party: Party::Agent, reason }));
}

#[test]
fn a_claim_that_is_refused_does_not_shorten_the_providers_wait() {
    let mut tale = probed(contract());
    tale.works_out(Turn { claim: Some(done()), ..limited(50) }, "a").checked(red());
    tale.settles(Settlement::Refused { gate: Gate::Checks });
    waits_until(&tale, 50);
}

#[test]
fn a_host_that_fails_does_not_shorten_the_providers_wait() {
    let mut tale = Tale::of(contract());
    tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.works_out(limited(50), "base").settles(Settlement::RateLimited);
    tale.ends(&EffectKind::Probe { name: check_name("test") }, failed());
    waits_until(&tale, 50);
}

#[test]
fn a_judges_provider_that_asks_to_wait_is_waited_for() {
    let mut tale = Tale::of(contract_with(|contract| contract.policy.gates = vec![Gate::Judge]));
    tale.works_out(claiming(), "a").judged(JudgeWord::RateLimited { wait_ms: 50 });
    waits_until(&tale, 50);
    tale.active_ms = 50;
    tale.happens(Fact::Woke).judged(approved());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn a_context_that_is_full_is_a_failure_only_when_nothing_came_of_the_turn() {
    let full = || Turn { session: session(None), ..ending_as(TurnOutcome::ContextFull) };
    let mut tale = probed(contract_with(|contract| {
        contract.policy.context = ContextPolicy::Continue;
        contract.policy.retries.failures_max = times(1);
    }));
    tale.works_out(full(), "a").checked(red()).settles(Settlement::Unclaimed);
    assert_eq!(tale.state.session(), None, "the next turn begins afresh");
    tale.works_out(full(), "a").settles(Settlement::AgentFailed);
    let reason = String::from("the prompt does not fit into the agent's context");
    assert_eq!(tale.wants(), Decision::End(End::Unavailable { party: Party::Agent, reason }));
}

// proves: B13
#[test]
fn a_session_goes_on_where_the_contract_lets_it() {
    let session_after = |context: ContextPolicy, used_bp: Option<u32>| {
        let mut tale = probed(contract_with(|contract| contract.policy.context = context));
        tale.works_out(Turn { session: session(used_bp), ..turn() }, "base").settles(Settlement::Unclaimed);
        tale.state.session().is_some()
    };
    assert!(!session_after(ContextPolicy::Fresh, Some(1)));
    assert!(session_after(ContextPolicy::Continue, None));
    let auto = ContextPolicy::Auto { used_bp_max: 6000 };
    assert!(session_after(auto, Some(5999)));
    assert!(!session_after(auto, Some(6000)));
    assert!(!session_after(auto, None), "what was not measured may be anything");
}

#[test]
fn a_session_ends_with_its_strategy_and_with_a_turn_that_was_cut() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.context = ContextPolicy::Continue;
        contract.policy.gates = vec![Gate::Judge];
        contract.policy.rejections = RejectionPolicy { threshold: times(1), then: Rejections::ResetStrategy };
    }));
    tale.works_out(Turn { claim: Some(done()), ..in_session() }, "a").judged(rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge });
    assert!(tale.state.session().is_some());
    tale.happens(Fact::StrategyReset);
    assert_eq!(tale.state.session(), None);
    for result in
        [EffectResult::Interrupted, EffectResult::Turn(Turn { session: session(None), ..failing() })]
    {
        let mut tale = probed(contract_with(|contract| contract.policy.context = ContextPolicy::Continue));
        tale.works_out(in_session(), "base").settles(Settlement::Unclaimed);
        tale.ends(&EffectKind::Turn, result);
        assert_eq!(tale.state.session(), None);
    }
}

// proves: B6
#[test]
fn a_turn_that_changed_things_and_left_the_rest_unsaid_is_followed_up_once() {
    let mut tale = probed(followed_up());
    tale.works_out(in_session(), "a").checked(red());
    assert_eq!(tale.works(), [EffectKind::FollowUp]);
    tale.ends(&EffectKind::FollowUp, EffectResult::Turn(in_session()));
    assert_eq!(tale.works(), [EffectKind::Snapshot], "it may have changed something");
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a"))).settles(Settlement::Unclaimed);
    tale.works_out(in_session(), "b").checked(red());
    assert_eq!(tale.works(), [EffectKind::FollowUp], "another iteration has one of its own");
}

#[test]
fn a_claim_in_the_follow_up_is_evaluated() {
    let mut tale = probed(followed_up());
    tale.works_out(in_session(), "a").checked(green());
    tale.ends(&EffectKind::FollowUp, EffectResult::Turn(claiming()));
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a"))).compared(intact());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn nobody_is_followed_up_who_said_what_remains_or_changed_nothing_or_has_no_session() {
    for (turn, tree) in [
        (Turn { remainder: Remainder::Named, ..in_session() }, "a"),
        (in_session(), "base"),
        (turn(), "a"),
        (Turn { session: session(None), ..ending_as(TurnOutcome::TimedOut) }, "a"),
    ] {
        let mut tale = probed(followed_up());
        tale.works_out(turn, tree);
        if matches!(tale.wants(), Decision::Run { .. }) {
            tale.checked(red());
        }
        tale.settles(Settlement::Unclaimed);
    }
}

#[test]
fn a_follow_up_that_came_to_nothing_leaves_its_turn_as_it_was() {
    let wishes = [limited(50), needing_a_person(), failing(), ending_as(TurnOutcome::ContextFull)];
    let ends = wishes.map(EffectResult::Turn).into_iter().chain([EffectResult::Interrupted, failed()]);
    for result in ends {
        let waits = matches!(&result, EffectResult::Turn(turn) if *turn == limited(50));
        let mut tale = probed(followed_up());
        tale.works_out(in_session(), "a").checked(red()).ends(&EffectKind::FollowUp, result);
        tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a")))
            .settles(Settlement::Unclaimed);
        if waits {
            waits_until(&tale, 50);
            tale.active_ms = 50;
            tale.happens(Fact::Woke);
        }
        assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (2, 1));
    }
}

#[test]
fn a_follow_up_is_not_stopped_by_what_runs_beside_it() {
    let mut tale = Tale::of(followed_up());
    tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.works_out(in_session(), "a")
        .ends(&EffectKind::Probe { name: check_name("test") }, EffectResult::Interrupted);
    tale.checked(red()).settles_after_follow_up("a");
    tale.begins(&EffectKind::Turn);
    let probe = tale.begins(&EffectKind::Probe { name: check_name("test") });
    tale.works_out(in_session(), "base").begins(&EffectKind::FollowUp);
    tale.happens(Fact::Ended { key: probe, result: EffectResult::Interrupted });
    assert_eq!(tale.works(), [EffectKind::FollowUp]);
}

#[test]
fn a_follow_up_ends_with_the_loops_time() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.follow_up = FollowUp::Once;
        contract.policy.limits.active_ms_max = Some(10);
    }));
    tale.works_out(in_session(), "a").checked(red());
    let follow_up = tale.begins(&EffectKind::FollowUp);
    assert!(matches!(tale.wants(), Decision::Run { until_ms: Some(10), .. }));
    tale.active_ms = 10;
    tale.happens(Fact::Woke);
    assert_eq!(tale.wants(), Decision::Run { effects: Vec::new(), until_ms: None });
    tale.happens(Fact::Ended { key: follow_up, result: EffectResult::Interrupted });
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a")));
    assert_eq!(tale.wants(), broke(Exhaustion::Time));
}

#[test]
fn a_follow_up_whose_driver_died_is_looked_at_and_not_asked_again() {
    let mut tale = probed(followed_up());
    tale.works_out(in_session(), "a").checked(red());
    let follow_up = tale.begins(&EffectKind::FollowUp);
    tale.happens(attached("here"));
    assert_eq!(tale.wants(), Decision::Recover(follow_up.clone()));
    tale.happens(Fact::Ended { key: follow_up, result: EffectResult::Interrupted });
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a"))).settles(Settlement::Unclaimed);
}

#[test]
fn nobody_is_followed_up_when_nothing_can_be_paid() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.follow_up = FollowUp::Once;
        contract.policy.limits.tokens_max = Some(5);
    }));
    tale.works_out(in_session(), "a").checked(red()).settles_after_follow_up("a");
    tale.costs(&EffectKind::Turn, cost(0, 5)).works_out(in_session(), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.wants(), broke(Exhaustion::Tokens));
}

#[test]
fn a_lower_limit_of_a_new_contract_holds_for_a_further_attempt_too() {
    let mut tale = probed(contract());
    tale.works_out(turn(), "base").settles(Settlement::Unclaimed);
    tale.ends(&EffectKind::Turn, EffectResult::Interrupted).asks(Act::Pause).pauses(PauseReason::Asked);
    let amended = contract_with(|contract| contract.policy.limits.iterations_max = times(1));
    tale.happens(Fact::Amended { contract: Box::new(amended) }).asks(Act::Resume);
    assert_eq!(tale.wants(), broke(Exhaustion::Iterations));
}

impl Tale {
    fn settles_after_follow_up(&mut self, tree: &str) -> &mut Self {
        self.ends(&EffectKind::FollowUp, EffectResult::Turn(in_session()));
        self.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot(tree)))
            .settles(Settlement::Unclaimed)
    }
}
