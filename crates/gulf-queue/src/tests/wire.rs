//! What a queue's journal looks like: public, and versioned. A change here is a change for everybody who reads one.

use super::given::*;
use crate::*;
use gulf_engine::Digest;

/// A fact's form on the wire, there and back.
fn check(fact: QueueFact, json: &str) {
    let event = Event { sequence: 7, at_ms: 8, fact };
    let written = serde_json::to_string(&event).unwrap();
    assert_eq!(written, format!(r#"{{"sequence":7,"at_ms":8,"fact":{json}}}"#));
    assert_eq!(serde_json::from_str::<Event>(&written).unwrap(), event);
}

fn check_end(work: QueueWork, result: QueueResult, work_json: &str, json: &str) {
    let key = QueueKey { attempt: 2, work };
    let key_json = format!(r#"{{"attempt":2,"work":{work_json}}}"#);
    check(QueueFact::Began { key: key.clone() }, &format!(r#"{{"type":"began","key":{key_json}}}"#));
    check(
        QueueFact::Ended { key, result },
        &format!(r#"{{"type":"ended","key":{key_json},"result":{json}}}"#),
    );
}

fn merge() -> QueueWork {
    QueueWork::Merge { ticket: Ticket(1), onto: tip("base").commit }
}

fn test() -> QueueWork {
    QueueWork::Test { ticket: Ticket(1), tip: tip("base+1"), checks: entry("1").checks }
}

fn moving() -> QueueWork {
    let landing = vec![EntryLanding { ticket: Ticket(1), commit: tip("base+1").commit }];
    QueueWork::Move { from: tip("base").commit, to: tip("base+1"), landing }
}

const MERGE: &str = r#"{"kind":"merge","ticket":1,"onto":"base"}"#;
const TEST: &str =
    r#"{"kind":"test","ticket":1,"tip":{"commit":"base+1","tree":"1 base"},"checks":["test"]}"#;
const MOVE: &str = concat!(
    r#"{"kind":"move","from":"base","to":{"commit":"base+1","tree":"1 base"},"#,
    r#""landing":[{"ticket":1,"commit":"base+1"}]}"#
);

#[test]
fn who_leads_and_who_waits_keeps_its_form_on_the_wire() {
    check(
        QueueFact::Attached {
            leader: String::from("me"),
            terms: terms(2, 8),
            environment: Digest::new("here"),
        },
        concat!(
            r#"{"type":"attached","leader":"me","terms":{"lanes":2,"window_max":8,"tries_max":2},"#,
            r#""environment":"here"}"#
        ),
    );
    check(
        QueueFact::Joined { entry: entry("1") },
        concat!(
            r#"{"type":"joined","entry":{"id":{"loop_id":"loop-1","candidate":"1"},"#,
            r#""request":"1","checks":["test"]}}"#
        ),
    );
    check(
        QueueFact::Joined { entry: entry("a1") },
        concat!(
            r#"{"type":"joined","entry":{"id":{"loop_id":"loop-a1","candidate":"a1"},"#,
            r#""request":"a1","checks":["a1","test"],"one_of":"a"}}"#
        ),
    );
    check(
        QueueFact::Left { entry: id("1") },
        r#"{"type":"left","entry":{"loop_id":"loop-1","candidate":"1"}}"#,
    );
    check(
        QueueFact::BaseSeen { tip: tip("base") },
        r#"{"type":"base-seen","tip":{"commit":"base","tree":"base"}}"#,
    );
    check(QueueFact::TailDropped { bytes: 3 }, r#"{"type":"tail-dropped","bytes":3}"#);
}

#[test]
fn a_merge_keeps_its_form_on_the_wire() {
    let merged = QueueResult::Merged(tip("base+1"));
    check_end(merge(), merged, MERGE, r#"{"kind":"merged","commit":"base+1","tree":"1 base"}"#);
    let conflict = QueueResult::Conflict { paths: vec![String::from("a.txt")] };
    check_end(merge(), conflict, MERGE, r#"{"kind":"conflict","paths":["a.txt"]}"#);
}

#[test]
fn a_test_keeps_its_form_on_the_wire() {
    check_end(test(), QueueResult::Green, TEST, r#"{"kind":"green"}"#);
    check_end(
        test(),
        QueueResult::Red(FailureEvidence { log: Some(Digest::new("log")), ..evidence() }),
        TEST,
        concat!(
            r#"{"kind":"red","checks":["test"],"tests_lost":[],"summary":"1 failed","#,
            r#""log":"log"}"#
        ),
    );
    check_end(test(), QueueResult::Interrupted, TEST, r#"{"kind":"interrupted"}"#);
    let failed = QueueResult::Failed { reason: String::from("disk full") };
    check_end(test(), failed, TEST, r#"{"kind":"failed","reason":"disk full"}"#);
}

#[test]
fn a_move_keeps_its_form_on_the_wire() {
    check_end(moving(), QueueResult::Moved, MOVE, r#"{"kind":"moved"}"#);
    check_end(
        moving(),
        QueueResult::BaseMoved { tip: tip("x") },
        MOVE,
        r#"{"kind":"base-moved","tip":{"commit":"x","tree":"x"}}"#,
    );
    let not_ready = QueueResult::NotReady { reason: String::from("dirty") };
    check_end(moving(), not_ready, MOVE, r#"{"kind":"not-ready","reason":"dirty"}"#);
}

#[test]
fn a_flake_keeps_its_form_on_the_wire() {
    check(
        QueueFact::Flaked { flake: Flake { ticket: Ticket(1), tip: tip("base+1"), evidence: evidence() } },
        concat!(
            r#"{"type":"flaked","flake":{"ticket":1,"tip":{"commit":"base+1","tree":"1 base"},"#,
            r#""evidence":{"checks":["test"],"tests_lost":[],"summary":"1 failed","log":null}}}"#
        ),
    );
}

#[test]
fn how_waiting_ended_keeps_its_form_on_the_wire() {
    let (base, merged) = (tip("base").commit, tip("base+1").commit);
    let red = Eviction::Red { tip: base.clone(), merged: merged.clone(), evidence: evidence() };
    let conflict = Eviction::Conflict { tip: base.clone(), paths: vec![String::from("a.txt")] };
    for (ending, json) in [
        (
            EntryEnding::Landed { commit: merged.clone(), from: base, to: merged },
            r#"{"kind":"landed","commit":"base+1","from":"base","to":"base+1"}"#,
        ),
        (
            EntryEnding::Evicted { why: red },
            concat!(
                r#"{"kind":"evicted","why":{"kind":"red","tip":"base","merged":"base+1","#,
                r#""evidence":{"checks":["test"],"tests_lost":[],"summary":"1 failed","log":null}}}"#
            ),
        ),
        (
            EntryEnding::Evicted { why: conflict },
            r#"{"kind":"evicted","why":{"kind":"conflict","tip":"base","paths":["a.txt"]}}"#,
        ),
        (EntryEnding::NotReady { reason: String::from("x") }, r#"{"kind":"not-ready","reason":"x"}"#),
        (EntryEnding::Failed { reason: String::from("x") }, r#"{"kind":"failed","reason":"x"}"#),
        (EntryEnding::Left, r#"{"kind":"left"}"#),
        (
            EntryEnding::Outrun { by: id("2") },
            r#"{"kind":"outrun","by":{"loop_id":"loop-2","candidate":"2"}}"#,
        ),
    ] {
        let id_json = r#"{"loop_id":"loop-1","candidate":"1"}"#;
        check(
            QueueFact::Settled { ticket: Ticket(1), entry: id("1"), ending },
            &format!(r#"{{"type":"settled","ticket":1,"entry":{id_json},"ending":{json}}}"#),
        );
    }
}
