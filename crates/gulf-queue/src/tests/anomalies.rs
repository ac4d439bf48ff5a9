//! Facts that no leader writes: each is an anomaly, and nothing is decided afterwards.

use super::given::*;
use super::tale::Tale;
use crate::*;
use gulf_engine::CommitId;

fn check(tale: &Tale, fact: QueueFact, what: &str) {
    let mut state = tale.state.clone();
    state.apply(&Event { sequence: state.sequence() + 1, at_ms: 0, fact });
    assert_eq!(state.anomaly().map(|anomaly| anomaly.what), Some(what));
    assert_eq!(decide(&state), QueueDecision::Rest);
    assert_eq!(state.line(), tale.state.line());
}

fn began(work: QueueWork) -> QueueFact {
    QueueFact::Began { key: QueueKey { attempt: 1, work } }
}

fn moving(to: &str, landing: &[(u32, &str)]) -> QueueWork {
    let landing = landing
        .iter()
        .map(|(ticket, commit)| EntryLanding { ticket: Ticket(*ticket), commit: CommitId::new(*commit) });
    QueueWork::Move { from: tip("base").commit, to: tip(to), landing: landing.collect() }
}

/// Two wait, and only both together are green.
fn two() -> Tale {
    let mut tale = Tale::of(PEACE, terms(2, 4), &["1", "2"]);
    tale.settles().tested("base+1+2", QueueResult::Green);
    tale
}

#[test]
fn a_gap_in_the_journal() {
    let mut state = QueueState::default();
    state.apply(&Event { sequence: 2, at_ms: 0, fact: QueueFact::TailDropped { bytes: 1 } });
    assert_eq!(state.anomaly().map(|anomaly| anomaly.what), Some("events are missing before it"));
}

#[test]
fn an_effect_without_a_leader() {
    let mut state = QueueState::default();
    let work = QueueWork::Merge { ticket: Ticket(1), onto: tip("base").commit };
    state.apply(&Event { sequence: 1, at_ms: 0, fact: began(work) });
    assert_eq!(state.anomaly().map(|anomaly| anomaly.what), Some("nobody leads the queue"));
}

#[test]
fn a_move_to_what_was_not_tested() {
    let untested = moving("base+1", &[(1, "base+1")]);
    check(&two(), began(untested), "what was not tested cannot land");
    check(&two(), began(moving("base", &[])), "what was not tested cannot land");
}

#[test]
fn a_move_that_leaves_somebody_out() {
    check(&two(), began(moving("base+1+2", &[(2, "base+1+2")])), "another entry came first");
}

#[test]
fn a_move_to_another_commit_than_was_merged() {
    check(&two(), began(moving("base+2+1", &[(1, "base+2")])), "this is not what was merged");
}

#[test]
fn a_move_of_what_was_never_merged() {
    let tale = Tale::of(PEACE, terms(2, 4), &["1"]);
    check(&tale, began(moving("base+1", &[(1, "base+1")])), "the base is not there");
    let mut tale = tale;
    tale.happens(QueueFact::BaseSeen { tip: tip("base") });
    check(&tale, began(moving("base+1", &[(1, "base+1")])), "this entry was not merged");
}

#[test]
fn a_second_move_beside_the_first() {
    let mut tale = two();
    tale.tested("base+1", QueueResult::Green);
    let key = tale.effects()[0].clone();
    tale.begins(&key);
    check(&tale, began(moving("base+1", &[(1, "base+1")])), "the base is being moved already");
}

#[test]
fn an_attempt_that_was_used_or_that_runs() {
    let mut tale = two();
    let key = tale.effects()[0].clone();
    tale.begins(&key);
    check(&tale, QueueFact::Began { key: key.clone() }, "this effect runs already");
    tale.ends(&key, QueueResult::Interrupted);
    check(&tale, QueueFact::Began { key }, "this attempt is not the next one");
}

#[test]
fn an_effect_for_somebody_who_does_not_wait() {
    let work = QueueWork::Merge { ticket: Ticket(7), onto: tip("base").commit };
    check(&two(), began(work), "this entry does not wait");
}

#[test]
fn a_result_of_another_effect() {
    let mut tale = two();
    let key = tale.effects()[0].clone();
    tale.begins(&key);
    check(&tale, QueueFact::Ended { key, result: QueueResult::Moved }, "this result is not of that effect");
}

#[test]
fn an_ending_of_somebody_who_does_not_wait() {
    let settled = |ending| QueueFact::Settled { ticket: Ticket(7), entry: id("1"), ending };
    check(&two(), settled(EntryEnding::Left), "this entry does not wait");
}

#[test]
fn a_landing_that_is_not_on_the_base() {
    let commit = tip("base+1").commit;
    let ending = EntryEnding::Landed { commit: commit.clone(), from: tip("base").commit, to: commit };
    let fact = QueueFact::Settled { ticket: Ticket(1), entry: id("1"), ending };
    check(&two(), fact, "the base does not hold this entry");
}

#[test]
fn an_ending_or_a_withdrawal_while_the_move_is_announced() {
    let mut tale = two();
    tale.tested("base+1", QueueResult::Green);
    let key = tale.effects()[0].clone();
    tale.begins(&key);
    let what = "a move that was announced holds this entry";
    check(&tale, QueueFact::Settled { ticket: Ticket(1), entry: id("1"), ending: EntryEnding::Left }, what);
    check(&tale, QueueFact::Left { entry: id("2") }, what);
}

#[test]
fn a_result_of_what_does_not_run_is_no_anomaly() {
    let tale = two();
    let key = tale.effects()[0].clone();
    let mut state = tale.state.clone();
    let fact = QueueFact::Ended { key, result: QueueResult::Green };
    state.apply(&Event { sequence: state.sequence() + 1, at_ms: 0, fact });
    assert_eq!((state.anomaly(), decide(&state)), (None, tale.wants()));
}
