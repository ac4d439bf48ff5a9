//! The lines of what a turn, a judge and a person can say since agents, judges and budgets are real.

use crate::lines::{check, check_result, gates};
use crate::scene::{Scene, contract, done, judged_contract, question, rejected, spent, turn};
use gulf_engine::*;

/// How the line of a turn that ended like this begins after its duration.
fn check_turn(turn: Turn, expected: &str) {
    let expected = format!("turn over after 12s: {expected}");
    check_result(Scene::sealed(), EffectKind::Turn, EffectResult::Turn(turn), &expected);
}

fn check_outcome(outcome: TurnOutcome, expected: &str) {
    check_turn(Turn { outcome, ..turn(None) }, expected);
}

#[test]
fn a_turn_that_could_not_work_has_not_failed() {
    let limited = TurnOutcome::RateLimited { wait_ms: 60_000 };
    check_outcome(limited, "the agent's provider asks to wait");
    let why = "Invalid API key".into();
    check_outcome(TurnOutcome::NeedsPerson { why }, "COULD NOT WORK: Invalid API key");
    let why = String::from("I can't help with that.");
    check_outcome(TurnOutcome::Declined { why }, "THE MODEL DECLINED: I can't help with that.");
    check_outcome(TurnOutcome::ContextFull, "the agent's context is full · no claim");
    check_outcome(TurnOutcome::OutOfBudget, "the budget is used up · no claim");
    let late = Turn { outcome: TurnOutcome::OutOfBudget, ..turn(Some(done())) };
    check_turn(late, "the budget is used up · claims done");
}

#[test]
fn a_question_is_no_claim_in_the_line_of_its_turn_either() {
    check_turn(turn(Some(Claim::Cannot(question()))), "says that it cannot be done");
    check_turn(turn(Some(Claim::Conflict(question()))), "says that the task contradicts itself");
    check_turn(turn(Some(Claim::NeedDecision(question()))), "needs a decision");
}

#[test]
fn what_was_not_allowed_and_what_it_cost_stand_in_the_line_of_the_turn() {
    let denial = |what: &str, times| Denial { what: what.into(), times };
    let denials = vec![denial("npx", 2), denial("tool WebFetch", 1)];
    let refused = Turn { denials, ..turn(Some(done())) };
    check_turn(
        refused.clone(),
        "claims done · not allowed: npx 2 times, tool WebFetch 1 time ([agent] allow)",
    );
    let (scene, key) = Scene::sealed().begun(EffectKind::Turn);
    let scene = scene.then(Fact::Spent { key: key.clone(), spent: spent(41, 60, Basis::Priced) });
    let told = "turn over after 12s: claims done · not allowed: npx 2 times, tool WebFetch 1 time ([agent] allow) · \
                ~$0.41, 60k tokens";
    check(scene, Fact::Ended { key, result: EffectResult::Turn(refused) }, told);
}

#[test]
fn a_follow_up_is_told_as_one_and_its_answer_too() {
    let begins = "follow-up in the same session: done, or what remains?";
    let session = Some(Session { id: "s1".into(), used_bp: None });
    let mut asking = contract();
    asking.policy.follow_up = FollowUp::Once;
    let first = EffectResult::Turn(Turn { session, ..turn(None) });
    let candidate = EffectResult::Snapshot(crate::scene::snapshot("aaaaaaaaaaaa"));
    let scene = Scene::sealed_as(asking).done(EffectKind::Turn, first).done(EffectKind::Snapshot, candidate);
    let key = EffectKey { unit: UnitId(0), iteration: 1, attempt: 1, work: EffectKind::FollowUp };
    check(scene.clone(), Fact::Began { key }, begins);
    let named = Turn { remainder: Remainder::Named, ..turn(None) };
    let over = "follow-up over after 12s: no claim, and progress.txt says what remains";
    check_result(scene.clone(), EffectKind::FollowUp, EffectResult::Turn(named), over);
    let interrupted = "the follow-up was interrupted; the worktree stays as it is";
    check_result(scene, EffectKind::FollowUp, EffectResult::Interrupted, interrupted);
}

#[test]
fn the_judges_call_and_word_are_told() {
    let scene = || Scene::sealed_as(judged_contract()).turn(Some(done()), "aaaaaaaaaaaa").passed();
    let key = |attempt| EffectKey { unit: UnitId(0), iteration: 1, attempt, work: EffectKind::Judge };
    check(scene(), Fact::Began { key: key(1) }, "asking the judge");
    let silent = scene().done(EffectKind::Judge, EffectResult::Judge(JudgeWord::NoVerdict));
    check(silent, Fact::Began { key: key(2) }, "asking the judge again");
    let word =
        |word, expected: &str| check_result(scene(), EffectKind::Judge, EffectResult::Judge(word), expected);
    let approved = |evidence_inside, findings| JudgeWord::Approved { evidence_inside, findings };
    word(approved(0, OnFindings::Silent), "judge: approved · no criterion with evidence inside the change");
    word(
        approved(2, OnFindings::Follow),
        "judge: approved · 2 criteria with evidence inside the change · the changed tests follow from the \
         goal",
    );
    word(rejected("f3f3"), "judge: REJECTED · see JUDGE_FEEDBACK.md");
    word(JudgeWord::RateLimited { wait_ms: 90_000 }, "judge: rate limited · asked again after 1m 30s");
    word(JudgeWord::RateLimited { wait_ms: 0 }, "judge: rate limited");
    check_result(
        scene(),
        EffectKind::Judge,
        EffectResult::Interrupted,
        "the judge was interrupted; it runs again",
    );
}

#[test]
fn what_a_person_decides_is_told_with_its_reason() {
    let gate = || Scene::resting(PauseReason::HumanGate);
    let reason = "the criterion is about another page".to_owned();
    check(
        gate(),
        Fact::Approved { reason: reason.clone(), by: None },
        &format!("a person overrules the judge: {reason}"),
    );
    let no = Fact::Rejected { reason: "it must work offline".into(), by: None };
    check(gate(), no.clone(), "a person rejects the last candidate: it must work offline");
    let again = gate().then(no).turn(Some(done()), "dddddddddddd");
    let settled = Fact::Settled { settlement: Settlement::Rejected };
    check(again, settled, "refused: rejected by a person");
    let amended = Fact::Amended { contract: Box::new(contract()) };
    let told = "amended by a person: goal 60a160a · base ba5eba5 · checks test, lint · at most 50 iterations";
    check(gate(), amended, told);
}

#[test]
fn what_the_pause_or_the_turn_says_is_not_said_twice() {
    for settlement in [Settlement::Questioned, Settlement::NeedsPerson, Settlement::Unclaimed] {
        check(gates(), Fact::Settled { settlement }, "(no line)");
    }
    let (scene, key) = Scene::sealed().begun(EffectKind::Turn);
    check(scene, Fact::Spent { key, spent: spent(1, 1, Basis::Told) }, "(no line)");
}

fn reading(used_bp: u32, until: OrientationEnd) -> Turn {
    Turn { orientation: Some(Orientation { used_bp, until }), ..turn(None) }
}

// proves: G24/cold-start-bloat
#[test]
fn only_a_turn_that_read_more_than_was_wanted_is_told_so() {
    check_turn(
        reading(3_456, OrientationEnd::Edit),
        "no claim · 34 % of a fresh context read before the first edit",
    );
    check_turn(
        reading(9_000, OrientationEnd::Turn),
        "no claim · 90 % of a fresh context read, and nothing edited by a tool",
    );
    check_turn(reading(2_000, OrientationEnd::Edit), "no claim");
    check_turn(turn(None), "no claim");
}

// proves: G24/cold-start-bloat
#[test]
fn two_such_turns_in_a_row_are_advice_for_the_person() {
    let reads = |scene: Scene, tree: &str| {
        let over = EffectResult::Turn(reading(5_000, OrientationEnd::Edit));
        let candidate = EffectResult::Snapshot(crate::scene::snapshot(tree));
        let scene = scene.done(EffectKind::Turn, over).done(EffectKind::Snapshot, candidate);
        scene
            .check("test", crate::scene::red("1 failed"))
            .then(Fact::Settled { settlement: Settlement::Unclaimed })
    };
    let once = reads(Scene::sealed(), "aaaaaaaaaaaa");
    let advises = |scene: &Scene| scene.summary().advice.iter().any(|one| one.contains("stuck.orientation"));
    assert!(!advises(&once));
    let twice = reads(once, "bbbbbbbbbbbb");
    assert!(advises(&twice), "{:?}", twice.summary().advice);
}
