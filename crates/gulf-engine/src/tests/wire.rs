//! What a journal looks like: public, and versioned. A change here is a change for everybody who reads one.

use super::given::*;
use crate::*;

/// A fact's form on the wire, there and back.
fn check(fact: Fact, json: &str) {
    let event = Event { sequence: 7, at_ms: 8, active_ms: 9, fact };
    let written = serde_json::to_string(&event).unwrap();
    assert_eq!(written, format!(r#"{{"sequence":7,"at_ms":8,"active_ms":9,"fact":{json}}}"#));
    assert_eq!(serde_json::from_str::<Event>(&written).unwrap(), event);
}

pub(super) fn check_end(work: EffectKind, result: EffectResult, work_json: &str, json: &str) {
    let key = EffectKey { unit: UnitId(0), iteration: 2, attempt: 1, work };
    let key_json = format!(r#"{{"unit":0,"iteration":2,"attempt":1,"work":{work_json}}}"#);
    check(Fact::Began { key: key.clone() }, &format!(r#"{{"type":"began","key":{key_json}}}"#));
    check(Fact::Ended { key, result }, &format!(r#"{{"type":"ended","key":{key_json},"result":{json}}}"#));
}

#[test]
fn a_sealed_contract() {
    let contract = contract_with(|contract| {
        contract.policy.caps = vec![Cause::NoCheck, Cause::CriteriaNotProven { count: 2 }];
        contract.policy.milestone_every = Some(times(4));
    });
    check(
        Fact::Sealed { contract: Box::new(contract) },
        concat!(
            r#"{"type":"sealed","contract":{"digest":"contract","goal":"goal","#,
            r#""base":{"commit":"commit-base","tree":"base"},"#,
            r#""checks":[{"name":"test","digest":"test","baseline":"refused"}],"#,
            r#""policy":{"limits":{"iterations_max":5,"active_ms_max":null,"#,
            r#""microdollars_max":null,"tokens_max":null,"reserve":"nothing"},"milestone_every":4,"#,
            r#""force_max":"off","research":"off","gates":["checks","integrity"],"judge":"on-claim","#,
            r#""rejections":{"threshold":2,"then":"pause"},"findings":"attest","expectation":"auto","#,
            r#""stuck":{"same_candidate_max":3,"oscillations_max":3,"same_failure_max":3,"idle_max":3},"#,
            r#""retries":{"failures_max":2,"backoff_ms":0,"research_max":1},"#,
            r#""caps":[{"kind":"no-check"},{"kind":"criteria-not-proven","count":2}],"#,
            r#""context":{"kind":"fresh"},"follow_up":"off"}}}"#,
        ),
    );
}

#[test]
fn a_turn_and_its_candidate() {
    let turn = Turn { message: Some(Digest::new("said")), claim: Some(done_without_test()), ..unbriefed() };
    check_end(
        EffectKind::Turn,
        EffectResult::Turn(Turn { outcome: TurnOutcome::Failed { exit: Some(3) }, ..turn }),
        r#"{"kind":"turn"}"#,
        concat!(
            r#"{"kind":"turn","outcome":{"kind":"failed","exit":3},"#,
            r#""claim":{"kind":"done","no_test":"only a comment changed"},"tool_calls":1,"#,
            r#""brief":{"kind":"incomplete","missing":["APPROACH"]},"duration_ms":0,"message":"said","#,
            r#""session":null,"denials":[],"remainder":"unnamed"}"#,
        ),
    );
    let told = Turn {
        claim: Some(Claim::Cannot(Question {
            text: String::from("how?"),
            evidence: Some(String::from("no key")),
            options: vec![String::from("skip it")],
            concern: None,
        })),
        session: session(Some(4200)),
        remainder: Remainder::Named,
        ..denied("network", 2)
    };
    check_end(
        EffectKind::FollowUp,
        EffectResult::Turn(told),
        r#"{"kind":"follow-up"}"#,
        concat!(
            r#"{"kind":"turn","outcome":{"kind":"completed"},"#,
            r#""claim":{"kind":"cannot","text":"how?","evidence":"no key","options":["skip it"]},"#,
            r#""tool_calls":1,"brief":{"kind":"not-asked"},"duration_ms":0,"message":null,"#,
            r#""session":{"id":"session","used_bp":4200},"denials":[{"what":"network","times":2}],"#,
            r#""remainder":"named"}"#,
        ),
    );
    check_end(
        EffectKind::Snapshot,
        EffectResult::Snapshot(Snapshot {
            drifted: vec![String::from("RUBRIC.md")],
            left_out: vec![String::from("core: over 100 MB")],
            ..snapshot("a")
        }),
        r#"{"kind":"snapshot"}"#,
        concat!(
            r#"{"kind":"snapshot","candidate":{"commit":"commit-a","tree":"a"},"#,
            r#""drifted":["RUBRIC.md"],"left_out":["core: over 100 MB"]}"#,
        ),
    );
}

#[test]
fn how_a_turn_ended() {
    for (outcome, json) in [
        (TurnOutcome::Completed, r#"{"kind":"completed"}"#),
        (TurnOutcome::Failed { exit: None }, r#"{"kind":"failed","exit":null}"#),
        (TurnOutcome::TimedOut, r#"{"kind":"timed-out"}"#),
        (TurnOutcome::RateLimited { wait_ms: 7 }, r#"{"kind":"rate-limited","wait_ms":7}"#),
        (TurnOutcome::Declined { why: String::from("no") }, r#"{"kind":"declined","why":"no"}"#),
        (TurnOutcome::ContextFull, r#"{"kind":"context-full"}"#),
        (TurnOutcome::OutOfBudget, r#"{"kind":"out-of-budget"}"#),
        (TurnOutcome::NeedsPerson { why: String::from("x") }, r#"{"kind":"needs-person","why":"x"}"#),
    ] {
        assert_eq!(serde_json::to_string(&outcome).unwrap(), json);
        assert_eq!(serde_json::from_str::<TurnOutcome>(json).unwrap(), outcome);
    }
}

#[test]
fn what_the_gates_said() {
    let name = || check_name("test");
    let run = CheckRun {
        exit: Some(0),
        tests: Some(TestCounts { passed: 3, failed: 0, skipped: 1 }),
        summary: String::from("3 passed"),
        log: Some(Digest::new("log")),
        ..repaired()
    };
    check_end(
        EffectKind::Check { name: name() },
        EffectResult::Check(run),
        r#"{"kind":"check","name":"test"}"#,
        concat!(
            r#"{"kind":"check","verdict":{"kind":"green","repaired":1},"exit":0,"duration_ms":0,"#,
            r#""tests":{"passed":3,"failed":0,"skipped":1},"summary":"3 passed","log":"log"}"#,
        ),
    );
    for (run, verdict) in [
        (red(), r#""red","fingerprint":"boom""#),
        (unrunnable(), r#""unrunnable","fingerprint":"not found""#),
    ] {
        check_end(
            EffectKind::Probe { name: name() },
            EffectResult::Check(run),
            r#"{"kind":"probe","name":"test"}"#,
            &format!(
                r#"{{"kind":"check","verdict":{{"kind":{verdict}}},"exit":null,"duration_ms":0,"tests":null,"summary":"","log":null}}"#
            ),
        );
    }
    check_end(
        EffectKind::Integrity,
        EffectResult::Integrity(tampered()),
        r#"{"kind":"integrity"}"#,
        r#"{"kind":"integrity","findings":[{"path":"tests/a.rs","what":"removed"}]}"#,
    );
    for (overlay, json) in [
        (new_test_red(), r#"{"kind":"overlay","word":"red","by":["new"]}"#),
        (not_shown(), r#"{"kind":"overlay","word":"not-shown","why":"no new test"}"#),
        (noticed(), r#"{"kind":"overlay","word":"noticed","errors":2}"#),
        (unnoticed(), r#"{"kind":"overlay","word":"unnoticed","errors":2,"places":["a.rs:1"]}"#),
    ] {
        check_end(EffectKind::Overlay, EffectResult::Overlay(overlay), r#"{"kind":"overlay"}"#, json);
    }
    for (word, json) in [
        (approved(), r#"{"kind":"judge","word":"approved","evidence_inside":1,"findings":"silent"}"#),
        (rejected(), r#"{"kind":"judge","word":"rejected","fingerprint":"unmet"}"#),
        (
            JudgeWord::Approved { evidence_inside: 0, findings: OnFindings::Follow },
            r#"{"kind":"judge","word":"approved","evidence_inside":0,"findings":"follow"}"#,
        ),
        (JudgeWord::RateLimited { wait_ms: 7 }, r#"{"kind":"judge","word":"rate-limited","wait_ms":7}"#),
        (JudgeWord::NoVerdict, r#"{"kind":"judge","word":"no-verdict"}"#),
        (
            JudgeWord::NeedsPerson { why: String::from("x") },
            r#"{"kind":"judge","word":"needs-person","why":"x"}"#,
        ),
        (unreachable(), r#"{"kind":"judge","word":"unreachable","why":"out of reach"}"#),
    ] {
        check_end(EffectKind::Judge, EffectResult::Judge(word), r#"{"kind":"judge"}"#, json);
    }
}

#[test]
fn what_came_to_nothing() {
    let turn = r#"{"kind":"turn"}"#;
    check_end(EffectKind::Turn, EffectResult::Interrupted, turn, r#"{"kind":"interrupted"}"#);
    check_end(EffectKind::Turn, failed(), turn, r#"{"kind":"failed","reason":"out of order"}"#);
    let lost = r#"{"kind":"needs-person","why":"the repository is gone"}"#;
    check_end(EffectKind::Turn, beyond_the_host(), turn, lost);
}

#[test]
fn what_people_and_drivers_do() {
    let text = || String::from("x");
    let attached = Fact::Attached { driver: text(), environment: Digest::new("here") };
    let decided = Fact::Decided { word: Word::ResetStrategy, reason: text(), engine_version: ENGINE_VERSION };
    for (fact, json) in [
        (attached, r#"{"type":"attached","driver":"x","environment":"here"}"#),
        (Fact::Claimed { claim: done() }, r#"{"type":"claimed","claim":{"kind":"done","no_test":null}}"#),
        (
            Fact::Claimed { claim: Claim::Conflict(question("x")) },
            r#"{"type":"claimed","claim":{"kind":"conflict","text":"x","evidence":null,"options":[]}}"#,
        ),
        (
            Fact::Claimed { claim: need_decision("x") },
            r#"{"type":"claimed","claim":{"kind":"need-decision","text":"x","evidence":null,"options":[]}}"#,
        ),
        (
            Fact::Claimed { claim: concerned(Concern::Destructive, "x") },
            concat!(
                r#"{"type":"claimed","claim":{"kind":"need-decision","text":"x","evidence":null,"options":[],"#,
                r#""concern":"destructive"}}"#,
            ),
        ),
        (
            Fact::Answered { question: 2, answer: text(), by: None },
            r#"{"type":"answered","question":2,"answer":"x"}"#,
        ),
        (
            Fact::Answered { question: 2, answer: text(), by: Some(by()) },
            r#"{"type":"answered","question":2,"answer":"x","by":{"channel":"slack","who":"U1","message":"1.2","said_at_ms":5}}"#,
        ),
        (Fact::Approved { reason: text(), by: None }, r#"{"type":"approved","reason":"x"}"#),
        (Fact::Rejected { reason: text(), by: None }, r#"{"type":"rejected","reason":"x"}"#),
        (Fact::Steered { note: text() }, r#"{"type":"steered","note":"x"}"#),
        (Fact::PauseAsked, r#"{"type":"pause-asked"}"#),
        (Fact::CancelAsked, r#"{"type":"cancel-asked"}"#),
        (Fact::Outrun, r#"{"type":"outrun"}"#),
        (Fact::Resumed, r#"{"type":"resumed"}"#),
        (Fact::StrategyReset, r#"{"type":"strategy-reset"}"#),
        (
            Fact::Divided { parts: vec![Part { id: text(), title: text() }], why: text() },
            r#"{"type":"divided","parts":[{"id":"x","title":"x"}],"why":"x"}"#,
        ),
        (
            Fact::PartTold { id: text(), word: PartWord::Begun },
            r#"{"type":"part-told","id":"x","word":{"word":"begun"}}"#,
        ),
        (
            Fact::PartTold { id: text(), word: PartWord::LeftOut { why: text() } },
            r#"{"type":"part-told","id":"x","word":{"word":"left-out","why":"x"}}"#,
        ),
        (Fact::Woke, r#"{"type":"woke"}"#),
        (decided, r#"{"type":"decided","word":"reset-strategy","reason":"x","engine_version":6}"#),
        (Fact::Taken { request: text() }, r#"{"type":"taken","request":"x"}"#),
        (
            Fact::Refused { request: text(), reason: text() },
            r#"{"type":"refused","request":"x","reason":"x"}"#,
        ),
        (Fact::TailDropped { bytes: 3 }, r#"{"type":"tail-dropped","bytes":3}"#),
        (
            Fact::LandingAsked { by: text(), base: text(), push: None },
            r#"{"type":"landing-asked","by":"x","base":"x","push":null}"#,
        ),
        (
            Fact::LandingTold { word: LandingWord::NotReady { why: text() } },
            r#"{"type":"landing-told","word":{"word":"not-ready","why":"x"}}"#,
        ),
        (Fact::Discarded { by: text() }, r#"{"type":"discarded","by":"x"}"#),
    ] {
        check(fact, json);
    }
}

#[test]
fn what_was_changed_beside_the_work() {
    let paths = || vec![String::from("x")];
    check(Fact::Edited { paths: paths(), more: 0 }, r#"{"type":"edited","paths":["x"]}"#);
    check(Fact::Researched { changed: paths(), more: 0 }, r#"{"type":"researched","changed":["x"]}"#);
}

#[test]
fn how_an_iteration_is_settled_and_a_loop_rests() {
    for (settlement, json) in [
        (Settlement::Research, r#"{"kind":"research"}"#),
        (Settlement::Unclaimed, r#"{"kind":"unclaimed"}"#),
        (Settlement::AgentFailed, r#"{"kind":"agent-failed"}"#),
        (Settlement::Refused { gate: Gate::Judge }, r#"{"kind":"refused","gate":"judge"}"#),
        (Settlement::Refused { gate: Gate::Feedback }, r#"{"kind":"refused","gate":"feedback"}"#),
        (Settlement::Asked, r#"{"kind":"asked"}"#),
        (Settlement::Approved, r#"{"kind":"approved"}"#),
        (Settlement::Questioned, r#"{"kind":"questioned"}"#),
        (Settlement::Rejected, r#"{"kind":"rejected"}"#),
        (Settlement::RateLimited, r#"{"kind":"rate-limited"}"#),
        (Settlement::Declined, r#"{"kind":"declined"}"#),
        (Settlement::NeedsPerson, r#"{"kind":"needs-person"}"#),
        (Settlement::Unjudged, r#"{"kind":"unjudged"}"#),
    ] {
        check(Fact::Settled { settlement }, &format!(r#"{{"type":"settled","settlement":{json}}}"#));
    }
    for (reason, word) in [
        (PauseReason::Asked, "asked"),
        (PauseReason::Milestone, "milestone"),
        (PauseReason::Research, "research"),
        (PauseReason::HumanGate, "human-gate"),
        (PauseReason::NoVerdict, "no-verdict"),
        (PauseReason::Question, "question"),
        (PauseReason::Denied, "denied"),
        (PauseReason::NeedsPerson, "needs-person"),
        (PauseReason::HostLimit, "host-limit"),
        (PauseReason::Idle, "idle"),
        (PauseReason::Step, "step"),
        (PauseReason::Review, "review"),
        (PauseReason::Stuck, "stuck"),
        (PauseReason::Limit, "limit"),
    ] {
        check(Fact::Paused { reason }, &format!(r#"{{"type":"paused","reason":"{word}"}}"#));
    }
}

#[test]
fn every_end_has_a_form_a_word_and_an_exit_code() {
    let name = || check_name("test");
    let proofs = vec![
        Proof::BaseRed { check: name() },
        Proof::Repaired { check: name() },
        Proof::NewTest { tests: vec![String::from("new")] },
        Proof::Mutants { errors: 2 },
        Proof::Criterion,
    ];
    let proofs_json = concat!(
        r#"[{"kind":"base-red","check":"test"},{"kind":"repaired","check":"test"},"#,
        r#"{"kind":"new-test","tests":["new"]},{"kind":"mutants","errors":2},{"kind":"criterion"}]"#,
    );
    let causes = vec![
        Cause::NothingChanged,
        Cause::NothingCouldFail { reason: None },
        Cause::Unnoticed { places: vec![String::from("a.rs:1")] },
        Cause::Findings { count: 1 },
        Cause::Waived,
    ];
    let causes_json = concat!(
        r#"[{"kind":"nothing-changed"},{"kind":"nothing-could-fail","reason":null},{"kind":"unnoticed","places":["a.rs:1"]},"#,
        r#"{"kind":"findings","count":1},{"kind":"waived"}]"#,
    );
    let unavailable = End::Unavailable { party: Party::Agent, reason: String::from("x") };
    for (end, rest, exit_code) in [
        (End::Verified { proofs }, format!(r#"verified","proofs":{proofs_json}"#), 0),
        (End::Attested { causes }, format!(r#"attested","causes":{causes_json}"#), 3),
        (End::Stalled { by: Stall::SameCandidate }, String::from(r#"stalled","by":"same-candidate""#), 11),
        (End::Stalled { by: Stall::Plateau }, String::from(r#"stalled","by":"plateau""#), 11),
        (End::Exhausted { limit: Exhaustion::Time }, String::from(r#"exhausted","limit":"time""#), 12),
        (End::Exhausted { limit: Exhaustion::Money }, String::from(r#"exhausted","limit":"money""#), 12),
        (End::Exhausted { limit: Exhaustion::Tokens }, String::from(r#"exhausted","limit":"tokens""#), 12),
        (unavailable, String::from(r#"unavailable","party":"agent","reason":"x""#), 13),
        (End::Violated, String::from(r#"violated""#), 14),
        (End::Cancelled, String::from(r#"cancelled""#), 15),
    ] {
        assert_eq!(end.exit_code(), exit_code);
        assert!(rest.starts_with(&format!("{}\"", end.word())));
        let json = format!(r#"{{"kind":"{rest}}}"#);
        check(Fact::Finished { end: end.clone() }, &format!(r#"{{"type":"finished","end":{json}}}"#));
        check(Fact::UnitFinished { end }, &format!(r#"{{"type":"unit-finished","end":{json}}}"#));
    }
    assert_eq!(PAUSED_EXIT_CODE, 10);
}

#[test]
fn what_an_effect_cost() {
    let key = EffectKey { unit: UnitId(0), iteration: 2, attempt: 1, work: EffectKind::Judge };
    for (basis, word) in [(Basis::Told, "told"), (Basis::Priced, "priced"), (Basis::Assumed, "assumed")] {
        check(
            Fact::Spent { key: key.clone(), spent: Spent { basis, ..cost(3, 4) } },
            &format!(
                concat!(
                    r#"{{"type":"spent","key":{{"unit":0,"iteration":2,"attempt":1,"work":{{"kind":"judge"}}}},"#,
                    r#""spent":{{"microdollars":3,"tokens":4,"basis":"{}"}}}}"#,
                ),
                word
            ),
        );
    }
}

#[test]
fn a_contract_with_budgets_sessions_and_follow_ups() {
    for (context, json) in [
        (ContextPolicy::Fresh, r#"{"kind":"fresh"}"#),
        (ContextPolicy::Continue, r#"{"kind":"continue"}"#),
        (ContextPolicy::Auto { used_bp_max: 6000 }, r#"{"kind":"auto","used_bp_max":6000}"#),
    ] {
        assert_eq!(serde_json::to_string(&context).unwrap(), json);
        assert_eq!(serde_json::from_str::<ContextPolicy>(json).unwrap(), context);
    }
    let amended = contract_with(|contract| {
        contract.policy.limits.microdollars_max = Some(5_000_000);
        contract.policy.limits.tokens_max = Some(9);
        contract.policy.limits.reserve = Reserve::DearestIteration;
        contract.policy.follow_up = FollowUp::Once;
    });
    let event =
        Event { sequence: 7, at_ms: 8, active_ms: 9, fact: Fact::Amended { contract: Box::new(amended) } };
    let written = serde_json::to_string(&event).unwrap();
    for part in [
        r#"{"type":"amended","contract":{"digest":"contract","#,
        r#""microdollars_max":5000000,"tokens_max":9,"reserve":"dearest-iteration"}"#,
        r#""follow_up":"once""#,
    ] {
        assert!(written.contains(part), "{part} is not in {written}");
    }
    assert_eq!(serde_json::from_str::<Event>(&written).unwrap(), event);
}

#[test]
fn a_journal_from_before_budgets_and_sessions_still_reads() {
    let contract = concat!(
        r#"{"digest":"contract","goal":"goal","base":{"commit":"commit-base","tree":"base"},"#,
        r#""checks":[{"name":"test","digest":"test","baseline":"refused"}],"#,
        r#""policy":{"limits":{"iterations_max":5,"active_ms_max":null},"milestone_every":null,"#,
        r#""force_max":"off","research":"off","gates":["checks","integrity"],"judge":"on-claim","#,
        r#""rejections":{"threshold":2,"then":"pause"},"findings":"attest","expectation":"auto","#,
        r#""stuck":{"same_candidate_max":3,"oscillations_max":3,"same_failure_max":3,"idle_max":3},"#,
        r#""retries":{"failures_max":2,"backoff_ms":0,"research_max":1},"caps":[]}}"#,
    );
    assert_eq!(serde_json::from_str::<Contract>(contract).unwrap(), super::given::contract());
    let old_turn = concat!(
        r#"{"kind":"turn","outcome":{"kind":"completed"},"claim":null,"tool_calls":1,"#,
        r#""brief":{"kind":"not-asked"},"duration_ms":0,"message":null}"#,
    );
    assert_eq!(serde_json::from_str::<EffectResult>(old_turn).unwrap(), EffectResult::Turn(turn()));
    let word = r#"{"kind":"judge","word":"approved","evidence_inside":1}"#;
    assert_eq!(serde_json::from_str::<EffectResult>(word).unwrap(), EffectResult::Judge(approved()));
}

#[test]
fn a_session_works() {
    let session =
        |id: Option<&str>| Worker::Session { host: String::from("claude"), id: id.map(String::from) };
    for (worker, json) in [
        (Worker::Processes, r#"{"kind":"processes"}"#),
        (session(None), r#"{"kind":"session","host":"claude","id":null}"#),
        (session(Some("x")), r#"{"kind":"session","host":"claude","id":"x"}"#),
    ] {
        check(Fact::Bound { worker }, &format!(r#"{{"type":"bound","worker":{json}}}"#));
    }
    let adopted = Fact::Adopted { iteration: 4, rejections: 1 };
    check(adopted, r#"{"type":"adopted","iteration":4,"rejections":1}"#);
    check(
        Fact::Reopened { turn: Turn { blocks_left: Some(7), ..turn() } },
        concat!(
            r#"{"type":"reopened","turn":{"outcome":{"kind":"completed"},"claim":null,"tool_calls":1,"#,
            r#""brief":{"kind":"not-asked"},"duration_ms":0,"message":null,"session":null,"denials":[],"#,
            r#""remainder":"unnamed","blocks_left":7}}"#,
        ),
    );
    assert_eq!(serde_json::to_string(&Research::Brief).unwrap(), r#""brief""#);
}

#[test]
fn an_id_that_git_would_take_for_an_option_is_not_read() {
    assert_eq!(serde_json::from_str::<TreeId>(r#""a""#).unwrap(), tree("a"));
    assert!(serde_json::from_str::<TreeId>(r#""--output=a""#).is_err());
}

#[test]
fn an_unknown_fact_is_no_fact() {
    let json = r#"{"sequence":1,"at_ms":0,"active_ms":0,"fact":{"type":"wished"}}"#;
    assert!(serde_json::from_str::<Event>(json).is_err());
}

// proves: K2
#[test]
fn what_was_counted_in_a_list_of_tasks() {
    check_end(
        EffectKind::Snapshot,
        EffectResult::Snapshot(Snapshot { tasks: tally(2, 1), ..snapshot("a") }),
        r#"{"kind":"snapshot"}"#,
        concat!(
            r#"{"kind":"snapshot","candidate":{"commit":"commit-a","tree":"a"},"drifted":[],"#,
            r#""left_out":[],"tasks":{"open":2,"ticked":1,"missing":1}}"#,
        ),
    );
}
