//! Events that no driver writes: each is noticed, and named for whoever repairs the journal.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn key(unit: u32, iteration: u32, attempt: u32, work: EffectKind) -> EffectKey {
    EffectKey { unit: UnitId(unit), iteration, attempt, work }
}

fn between() -> Tale {
    Tale::of(contract())
}

fn in_a_turn() -> Tale {
    let mut tale = between();
    tale.begins(&EffectKind::Turn);
    tale
}

fn at_the_gates() -> Tale {
    let mut tale = between();
    tale.probed(red()).works_out(claiming(), "a");
    tale
}

fn paused() -> Tale {
    let mut tale = between();
    tale.asks(Act::Pause).pauses(PauseReason::Asked);
    tale
}

fn over() -> Tale {
    let mut tale = between();
    tale.happens(Fact::Finished { end: End::Violated });
    tale
}

/// After this, that fact is out of place, and so; it is not believed, and neither is anything after it.
fn check(mut tale: Tale, fact: Fact, what: &str) {
    assert_eq!(tale.state.anomaly(), None);
    let sequence = tale.state.sequence + 1;
    tale.happens(fact);
    let anomaly = tale.state.anomaly().expect("nothing was noticed").clone();
    assert_eq!((anomaly.sequence, anomaly.what), (sequence, what));
    assert_eq!(tale.wants(), Decision::Rest);
    let stage = tale.state.stage.clone();
    tale.happens(Fact::Finished { end: End::Cancelled });
    assert_eq!((&tale.state.stage, tale.state.sequence), (&stage, sequence));
}

fn began(key: EffectKey) -> Fact {
    Fact::Began { key }
}

#[test]
fn an_effect_begins_in_its_turn_and_place_only() {
    check(paused(), began(key(0, 1, 1, EffectKind::Turn)), "nothing can begin here");
    check(over(), began(key(0, 1, 1, EffectKind::Turn)), "nothing can begin here");
    check(in_a_turn(), began(key(0, 1, 1, EffectKind::Turn)), "this effect runs already");
    check(at_the_gates(), began(key(0, 2, 1, EffectKind::Turn)), "a turn cannot begin here");
    for wrong in
        [key(0, 2, 1, EffectKind::Turn), key(0, 1, 2, EffectKind::Turn), key(1, 1, 1, EffectKind::Turn)]
    {
        check(between(), began(wrong), "this turn is not the next one");
    }
    check(at_the_gates(), began(key(0, 1, 2, EffectKind::Judge)), "this attempt is not the next one");
}

#[test]
fn an_effect_ends_when_it_runs_and_with_a_result_of_its_own() {
    let ended = |work, result| Fact::Ended { key: key(0, 1, 1, work), result };
    check(between(), ended(EffectKind::Turn, EffectResult::Interrupted), "this effect does not run");
    let wrong = EffectResult::Judge(approved());
    check(in_a_turn(), ended(EffectKind::Turn, wrong), "this result is not of that effect");
    let mut early = between();
    early.happens(began(key(0, 1, 1, EffectKind::Snapshot)));
    let result = EffectResult::Snapshot(snapshot("a"));
    check(early, ended(EffectKind::Snapshot, result), "no turn waits for its candidate");
    let mut early = between();
    early.happens(began(key(0, 1, 1, EffectKind::Integrity)));
    check(early, ended(EffectKind::Integrity, EffectResult::Integrity(intact())), "no candidate is in hand");
}

#[test]
fn a_claim_needs_a_turn() {
    for tale in [between(), at_the_gates(), paused(), over()] {
        check(tale, Fact::Claimed { claim: done() }, "no turn can claim here");
    }
}

#[test]
fn a_loop_pauses_and_resumes_where_it_can() {
    let paused_now = || Fact::Paused { reason: PauseReason::Asked };
    check(in_a_turn(), paused_now(), "an effect still runs");
    check(paused(), paused_now(), "a loop cannot pause here");
    check(over(), paused_now(), "a loop cannot pause here");
    check(between(), Fact::Resumed, "a loop that is not paused cannot be resumed");
    check(over(), Fact::Resumed, "a loop that is not paused cannot be resumed");
}

#[test]
fn a_loop_is_sealed_once_and_ends_once_with_nothing_running() {
    check(between(), Fact::Sealed { contract: Box::new(contract()) }, "the contract is sealed already");
    let finished = || Fact::Finished { end: End::Violated };
    check(over(), finished(), "a loop cannot end here");
    check(in_a_turn(), finished(), "an effect still runs");
    check(Tale { state: State::default(), active_ms: 0 }, finished(), "a loop cannot end here");
}

#[test]
fn iterations_units_and_strategies_end_at_their_place() {
    let settled = Fact::Settled { settlement: Settlement::Unclaimed };
    check(between(), settled, "no iteration waits to be settled");
    let finished = Fact::UnitFinished { end: End::Violated };
    check(between(), finished, "no unit waits to be finished");
    check(at_the_gates(), Fact::StrategyReset, "a strategy is reset between turns");
}

#[test]
fn a_gap_in_the_journal_is_noticed() {
    let mut state = between().state;
    state.apply(&Event { sequence: 3, at_ms: 0, active_ms: 0, fact: Fact::Woke });
    let what = "events are missing before it";
    assert_eq!(state.anomaly(), Some(&Anomaly { sequence: 3, what }));
}

#[test]
fn time_does_not_run_backwards() {
    let mut state = between().state;
    for (sequence, active_ms) in [(2, 9), (3, 4)] {
        state.apply(&Event { sequence, at_ms: 0, active_ms, fact: Fact::Woke });
    }
    assert_eq!((state.active_ms, state.sequence), (9, 3));
}

#[test]
fn a_step_precedes_its_own_iterations_turn() {
    let step = || EffectKind::Step { step: Step::Plan };
    check(in_a_turn(), began(key(0, 1, 1, step())), "a step comes before a turn");
    check(between(), began(key(0, 2, 1, step())), "this step belongs to another iteration");
    check(between(), began(key(1, 1, 1, step())), "this step belongs to another iteration");
}

#[test]
fn a_follow_up_follows_a_turn() {
    check(between(), began(key(0, 0, 1, EffectKind::FollowUp)), "a follow-up follows a turn");
    check(in_a_turn(), began(key(0, 1, 1, EffectKind::FollowUp)), "a follow-up follows a turn");
}

#[test]
fn what_a_person_says_has_something_to_be_about() {
    let reason = || String::from("x");
    let answered = |question| Fact::Answered { question, answer: reason(), by: None };
    check(between(), answered(1), "no such question is open");
    let mut asked = between();
    asked.works_out(asking(), "a").settles(Settlement::Questioned);
    check(asked, answered(2), "no such question is open");
    let mut twice = between();
    twice.works_out(asking(), "a").settles(Settlement::Questioned).happens(answered(1));
    check(twice, answered(1), "no such question is open");
    check(paused(), Fact::Approved { reason: reason(), by: None }, "there is no candidate to approve");
    let unpaused = "a loop that is not paused cannot be resumed";
    check(at_the_gates(), Fact::Approved { reason: reason(), by: None }, unpaused);
    check(at_the_gates(), Fact::Rejected { reason: reason(), by: None }, unpaused);
}

#[test]
fn a_contract_is_amended_at_rest_and_keeps_its_base() {
    let amended = || Fact::Amended { contract: Box::new(contract()) };
    let live = "a contract is amended while the loop lives and nothing runs";
    check(Tale { state: State::default(), active_ms: 0 }, amended(), "there is no contract to amend");
    check(in_a_turn(), amended(), live);
    check(over(), amended(), live);
    let moved = contract_with(|contract| contract.base.tree = tree("elsewhere"));
    let moved = Fact::Amended { contract: Box::new(moved) };
    check(paused(), moved, "an amended contract has the same base");
}

#[test]
fn a_loop_has_a_worker_while_it_lives() {
    let bound = || Fact::Bound { worker: in_host(None) };
    let what = "only a loop that lives has a worker";
    check(Tale { state: State::default(), active_ms: 0 }, bound(), what);
    check(over(), bound(), what);
}

#[test]
fn a_loop_goes_on_from_elsewhere_before_it_began() {
    let adopted = || Fact::Adopted { iteration: 1, rejections: 0 };
    let what = "only a loop that has not begun goes on from elsewhere";
    let mut second = Tale::of(contract_with(|contract| contract.tasks = listed(&[&[], &[]])));
    second
        .works_out(claiming(), "a")
        .checked(green())
        .probed(red())
        .compared(intact())
        .closed()
        .happens(Fact::UnitFinished { end: End::Attested { causes: Vec::new() } });
    let unsealed = Tale { state: State::default(), active_ms: 0 };
    for tale in [unsealed, in_a_turn(), at_the_gates(), paused(), over(), second] {
        check(tale, adopted(), what);
    }
}

#[test]
fn a_turn_goes_on_when_it_is_over_and_nobody_looks_at_it() {
    let reopened = || Fact::Reopened { turn: turn() };
    let mut checking = at_the_gates();
    checking.begins(&EffectKind::Check { name: check_name("test") });
    for tale in [between(), in_a_turn(), checking, paused(), over()] {
        check(tale, reopened(), "no turn that is over can go on here");
    }
}
