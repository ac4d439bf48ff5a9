//! Single stories of what passes between worker and person: questions, a yes, a no, another contract, denials.

use super::given::*;
use super::tale::Tale;
use crate::*;

/// Whose check is red on the base.
pub(super) fn probed(contract: Contract) -> Tale {
    let mut tale = Tale::of(contract);
    tale.probed(red());
    tale
}

fn judged_contract() -> Contract {
    contract_with(|contract| {
        contract.policy.gates.push(Gate::Judge);
        contract.policy.rejections.threshold = times(1);
    })
}

/// At the human gate, with a candidate that passed everything but the judge.
fn rejected_by_judge() -> Tale {
    let mut tale = probed(judged_contract());
    tale.works_out(claiming(), "a").checked(green()).compared(intact()).judged(rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge }).pauses(PauseReason::HumanGate);
    tale
}

fn ends_as(tale: &Tale, end: End) {
    assert_eq!(tale.wants(), Decision::End(end));
}

fn claims(tale: &mut Tale, claim: Claim) {
    let fact = admit(&tale.state, by_worker(tale.state.unit.iteration, Act::Claim { claim })).unwrap();
    tale.happens(fact);
}

fn open_numbers(tale: &Tale) -> Vec<u32> {
    tale.state.open_questions().map(|open| open.number).collect()
}

// proves: B5
#[test]
fn a_question_rests_the_loop_until_it_is_answered_and_the_next_turn_reads_the_answer() {
    let mut tale = probed(contract());
    tale.works_out(asking(), "base").settles(Settlement::Questioned).pauses(PauseReason::Question);
    let open = tale.state.open_questions().next().unwrap();
    assert_eq!((open.number, open.iteration), (1, 1));
    assert_eq!(open.claim.question().unwrap().text, "left or right?");
    tale.asks(answer("left"));
    assert_eq!(tale.state.notes, ["You asked: left or right?\nA person answered: left"]);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (2, 1));
    assert_eq!(tale.state.questions[0].answer.as_deref(), Some("left"));
}

#[test]
fn a_question_is_kept_whatever_the_worker_says_next_and_however_its_turn_ends() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, need_decision("left or right?"));
    claims(&mut tale, Claim::Cannot(question("how?")));
    claims(&mut tale, done());
    tale.ends(&EffectKind::Turn, EffectResult::Interrupted);
    assert_eq!(open_numbers(&tale), [1, 2]);
    tale.pauses(PauseReason::Question).asks(Act::Answer { question: Some(2), answer: String::from("so") });
    assert_eq!(tale.wants(), Decision::Rest, "one of them is still open");
    tale.asks(answer("left"));
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
}

#[test]
fn a_question_that_is_said_twice_is_one_question() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, need_decision("left or right?"));
    tale.works_out(asking(), "base").settles(Settlement::Questioned);
    assert_eq!(open_numbers(&tale), [1]);
}

/// Every kind of question that a worker must put to a person: it rests the loop, whatever is claimed beside it.
#[track_caller]
fn check_concern(concern: Concern) {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, concerned(concern, "drop the table?"));
    claims(&mut tale, concerned(concern, "drop the table?"));
    claims(&mut tale, done());
    claims(&mut tale, concerned(concern, "drop the table?"));
    assert_eq!(open_numbers(&tale), [1], "asked again while it is open, it is one question");
    tale.works_out(turn(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    tale.asks(answer("no"));
    assert_eq!(tale.state.notes, ["You asked: drop the table?\nA person answered: no"]);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (2, 1));
    assert_eq!(tale.state.questions[0].claim.question().unwrap().concern, Some(concern));
}

// proves: A5, A5/destructive, A5/architecture, A5/unclear, A5/security
#[test]
fn what_a_worker_must_not_decide_rests_the_loop_until_a_person_has() {
    check_concern(Concern::Destructive);
    check_concern(Concern::Architecture);
    check_concern(Concern::Security);
    check_concern(Concern::Unclear);
}

#[test]
fn the_same_words_about_another_concern_are_another_question() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, concerned(Concern::Security, "which key?"));
    claims(&mut tale, concerned(Concern::Unclear, "which key?"));
    assert_eq!(open_numbers(&tale), [1, 2]);
}

/// Journals of before there were concerns, read and written again as they were.
#[test]
fn a_question_without_a_concern_keeps_its_form() {
    let before = r#"{"kind":"need-decision","text":"x","evidence":null,"options":[]}"#;
    let claim: Claim = serde_json::from_str(before).unwrap();
    assert_eq!(claim, need_decision("x"));
    assert_eq!(serde_json::to_string(&claim).unwrap(), before);
}

#[test]
fn a_promise_in_the_last_message_does_not_take_a_question_back() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, need_decision("left or right?"));
    tale.works_out(claiming(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
}

#[test]
fn what_a_message_asks_adds_nothing_to_what_was_asked_by_the_tool_and_outweighs_a_claim() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, Claim::Cannot(question("how?")));
    tale.works_out(asking(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    assert_eq!(open_numbers(&tale), [1]);

    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, done());
    tale.works_out(asking(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    assert_eq!(open_numbers(&tale), [1]);
}

#[test]
fn a_question_that_is_answered_during_its_turn_still_settles_it_as_a_question() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, need_decision("left or right?"));
    tale.asks(answer("left")).works_out(idling(), "base").settles(Settlement::Questioned);
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn a_claim_after_the_answer_is_evaluated() {
    let mut tale = probed(contract());
    tale.begins(&EffectKind::Turn);
    claims(&mut tale, need_decision("left or right?"));
    tale.asks(answer("left"));
    claims(&mut tale, done());
    tale.works_out(turn(), "a");
    assert_eq!(tale.works(), [EffectKind::Check { name: check_name("test") }]);
}

// proves: B5
#[test]
fn a_question_is_never_held_against_the_worker() {
    let mut tale = probed(contract_with(|contract| contract.policy.stuck.same_candidate_max = times(2)));
    tale.is_refused("a", "x");
    tale.works_out(asking(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    tale.asks(answer("left"));
    tale.works_out(claiming(), "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    assert_eq!(tale.state.unit.streaks.same_candidate, 1);
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn a_question_outlasts_the_time_and_the_last_iteration() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.limits.active_ms_max = Some(10);
        contract.policy.limits.iterations_max = times(1);
    }));
    tale.active_ms = 11;
    tale.works_out(asking(), "a").settles(Settlement::Questioned).pauses(PauseReason::Question);
    tale.asks(answer("left"));
    ends_as(&tale, End::Exhausted { limit: Exhaustion::Time });
}

#[test]
fn a_question_outlasts_a_candidate_that_cannot_be_built() {
    let mut tale = probed(contract());
    tale.ends(&EffectKind::Turn, EffectResult::Turn(asking()));
    tale.ends(&EffectKind::Snapshot, failed()).ends(&EffectKind::Snapshot, failed());
    tale.pauses(PauseReason::Question).asks(answer("left"));
    assert_eq!(tale.works(), [EffectKind::Snapshot]);
}

#[test]
fn a_question_is_no_way_around_the_brief() {
    let mut tale = probed(contract_with(|contract| contract.policy.research = Research::Gate));
    tale.works_out(asking(), "base").settles(Settlement::Questioned).pauses(PauseReason::Question);
    tale.asks(answer("left"));
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
    let briefed_question = Turn { claim: asking().claim, ..briefed() };
    tale.works_out(briefed_question, "base").settles(Settlement::Questioned).pauses(PauseReason::Question);
    tale.asks(answer("left"));
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (2, 1));
}

#[test]
fn a_person_who_overrules_the_judge_ends_the_loop_attested() {
    let mut tale = rejected_by_judge();
    tale.asks(approval());
    ends_as(&tale, End::Attested { causes: vec![Cause::Waived] });
}

#[test]
fn a_person_who_overrules_a_silent_judge_ends_the_loop_attested() {
    let mut tale = probed(judged_contract());
    tale.works_out(claiming(), "a").checked(green()).compared(intact());
    tale.judged(JudgeWord::NoVerdict).judged(JudgeWord::NoVerdict).judged(JudgeWord::NoVerdict);
    tale.pauses(PauseReason::NoVerdict).asks(approval());
    ends_as(&tale, End::Attested { causes: vec![Cause::Waived] });
}

#[test]
fn an_approval_after_the_last_iteration_still_counts() {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge];
        contract.policy.limits.iterations_max = times(1);
    }));
    tale.works_out(claiming(), "a").judged(rejected()).settles(Settlement::Refused { gate: Gate::Judge });
    tale.asks(Act::Pause).pauses(PauseReason::Asked).asks(approval());
    ends_as(&tale, End::Attested { causes: vec![Cause::Waived] });
}

#[test]
fn an_approval_keeps_the_workers_reason_for_having_no_test() {
    let mut tale = Tale::of(judged_contract());
    tale.probed(green());
    let reasoned = Turn { claim: Some(done_without_test()), ..turn() };
    tale.works_out(reasoned, "a").checked(green()).compared(intact()).judged(rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge }).pauses(PauseReason::HumanGate).asks(approval());
    tale.overlaid(not_shown());
    let reason = Some(String::from("only a comment changed"));
    ends_as(&tale, End::Attested { causes: vec![Cause::Waived, Cause::NothingCouldFail { reason }] });
}

#[test]
fn an_approval_holds_for_its_tree_only() {
    let mut tale = probed(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Judge, Gate::Checks];
        contract.policy.rejections.threshold = times(1);
    }));
    tale.works_out(claiming(), "a").judged(rejected()).settles(Settlement::Refused { gate: Gate::Judge });
    tale.pauses(PauseReason::HumanGate).asks(approval());
    tale.checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.works_out(claiming(), "b");
    assert_eq!(tale.works(), [EffectKind::Judge]);
}

#[test]
fn a_person_says_yes_to_changed_tests_and_the_judge_may_too() {
    let judge_follows = JudgeWord::Approved { evidence_inside: 0, findings: OnFindings::Follow };
    let verified = End::Verified { proofs: vec![Proof::BaseRed { check: check_name("test") }] };
    let mut tale = probed(judged_contract());
    tale.works_out(claiming(), "a").checked(green()).compared(tampered()).judged(judge_follows);
    ends_as(&tale, verified.clone());
    let mut tale = probed(contract());
    tale.works_out(claiming(), "a").checked(green()).compared(tampered()).settles(Settlement::Asked);
    tale.asks(Act::Pause).pauses(PauseReason::Asked).asks(approval());
    ends_as(&tale, verified);
}

#[test]
fn only_a_person_says_yes_to_a_base_test_that_fails() {
    let judge_follows = JudgeWord::Approved { evidence_inside: 0, findings: OnFindings::Follow };
    let mut tale = probed(judged_contract());
    tale.works_out(claiming(), "a").checked(green()).compared(contradicted()).judged(judge_follows);
    tale.settles(Settlement::Asked);
    tale.asks(Act::Pause).pauses(PauseReason::Asked).asks(approval());
    ends_as(&tale, End::Verified { proofs: vec![Proof::BaseRed { check: check_name("test") }] });
}

#[test]
fn a_persons_no_is_told_and_final_until_the_tree_changes() {
    let mut tale = probed(contract_with(|contract| contract.policy.milestone_every = Some(times(1))));
    tale.works_out(claiming(), "a").checked(green()).pauses(PauseReason::Milestone).asks(rejection());
    assert_eq!(tale.state.notes, ["A person looked at the last candidate and said no: not what I meant"]);
    tale.settles(Settlement::Rejected);
    tale.works_out(claiming(), "a").pauses(PauseReason::Milestone).asks(Act::Resume);
    tale.settles(Settlement::Rejected);
    tale.works_out(claiming(), "b").checked(green()).pauses(PauseReason::Milestone).asks(Act::Resume);
    tale.compared(intact());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn a_person_may_change_their_mind() {
    let mut tale = probed(contract_with(|contract| contract.policy.milestone_every = Some(times(1))));
    tale.works_out(claiming(), "a").checked(green()).pauses(PauseReason::Milestone).asks(rejection());
    tale.settles(Settlement::Rejected).asks(Act::Pause).pauses(PauseReason::Asked).asks(approval());
    tale.compared(intact());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })), "no judge was overruled");
}

#[test]
fn claims_on_what_a_person_refused_are_a_standstill() {
    let mut tale = probed(contract_with(|contract| contract.policy.stuck.same_candidate_max = times(2)));
    tale.works_out(claiming(), "a").checked(green());
    tale.asks(Act::Pause).pauses(PauseReason::Asked).asks(rejection()).settles(Settlement::Rejected);
    tale.works_out(claiming(), "a").settles(Settlement::Rejected);
    ends_as(&tale, End::Stalled { by: Stall::SameCandidate });
}

#[test]
fn another_contract_asks_again_what_was_said_under_other_terms() {
    let mut tale = rejected_by_judge();
    let amended = contract_with(|contract| {
        contract.policy = judged_contract().policy;
        contract.checks.push(terms("lint"));
    });
    tale.happens(Fact::Amended { contract: Box::new(amended.clone()) }).asks(Act::Resume);
    assert_eq!(tale.state.contract(), Some(&amended));
    assert_eq!(tale.state.probes.len(), 1, "the old check has the same terms");
    tale.works_out(claiming(), "a");
    let lint = || check_name("lint");
    tale.ends(&EffectKind::Check { name: lint() }, EffectResult::Check(green()));
    tale.ends(&EffectKind::Probe { name: lint() }, EffectResult::Check(red()));
    tale.compared(intact()).judged(rejected()).settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!(tale.state.unit.streaks.rejections, 1, "under other terms it is another no");
}

#[test]
fn a_check_with_other_terms_speaks_again() {
    let mut tale = probed(contract());
    tale.works_out(claiming(), "a").checked(green()).asks(Act::Pause).pauses(PauseReason::Asked);
    let amended = contract_with(|contract| contract.checks[0].digest = Digest::new("amended"));
    tale.happens(Fact::Amended { contract: Box::new(amended) }).asks(Act::Resume);
    assert!(tale.state.probes.is_empty());
    assert_eq!(tale.works(), [EffectKind::Check { name: check_name("test") }]);
}

#[test]
fn a_persons_yes_does_not_outlast_its_terms_and_a_no_does() {
    for (act, works) in [(approval(), true), (rejection(), false)] {
        let mut tale = rejected_by_judge();
        tale.asks(act).asks(Act::Pause);
        tale.happens(Fact::Paused { reason: PauseReason::Asked });
        tale.happens(Fact::Amended { contract: Box::new(judged_contract()) }).asks(Act::Resume);
        if works {
            tale.compared(intact());
            assert_eq!(tale.works(), [EffectKind::Judge]);
        } else {
            tale.works_out(claiming(), "a").settles(Settlement::Rejected);
        }
    }
}

#[test]
fn three_denials_of_a_kind_reach_a_person_and_two_of_each_do_not() {
    let mut tale = probed(contract());
    tale.works_out(denied("network", 2), "base").settles(Settlement::Unclaimed);
    tale.works_out(denied("git push", 2), "base").settles(Settlement::Unclaimed);
    assert_eq!(tale.works(), [EffectKind::Turn]);
    tale.works_out(denied("network", 1), "base").settles(Settlement::Unclaimed);
    tale.pauses(PauseReason::Denied);
    assert_eq!(tale.state.denials["network"], 3);
    tale.asks(Act::Resume);
    assert!(tale.state.denials.is_empty());
    assert_eq!(tale.works(), [EffectKind::Turn]);
}

#[test]
fn an_agent_that_needs_a_person_gets_one_and_no_iteration_is_lost() {
    let mut tale = probed(contract());
    tale.works_out(needing_a_person(), "a").settles(Settlement::NeedsPerson);
    tale.pauses(PauseReason::NeedsPerson).asks(Act::Resume);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
}

#[test]
fn a_candidate_that_waits_for_a_person_rests_the_loop_at_once_and_is_built_when_one_has_looked() {
    let mut tale = probed(contract());
    tale.works(); // The turn.
    tale.ends(&EffectKind::Turn, EffectResult::Turn(claiming()))
        .ends(&EffectKind::Snapshot, beyond_the_host());
    assert_eq!(tale.state.needs_person(), Some((Party::Host, "the repository is gone")));
    tale.pauses(PauseReason::NeedsPerson).asks(Act::Resume);
    assert_eq!((tale.state.needs_person(), tale.works()), (None, vec![EffectKind::Snapshot]));
}

#[test]
fn a_check_on_the_base_that_waits_for_a_person_ends_no_turn_and_is_asked_again_after_it() {
    let mut tale = Tale::of(contract());
    let probe = EffectKind::Probe { name: check_name("test") };
    tale.begins(&EffectKind::Turn);
    tale.ends(&probe, beyond_the_host());
    assert!(tale.works().contains(&EffectKind::Turn));
    tale.works_out(claiming(), "a");
    assert_eq!(tale.state.needs_person(), None);
    assert!(
        tale.works().contains(&EffectKind::Check { name: check_name("test") })
            || tale.works().contains(&probe)
    );
}

#[test]
fn a_turn_that_waits_for_a_person_is_tried_again_and_no_iteration_is_lost() {
    let mut tale = probed(contract());
    tale.ends(&EffectKind::Turn, beyond_the_host()).pauses(PauseReason::NeedsPerson).asks(Act::Resume);
    assert_eq!((tale.key(&EffectKind::Turn).iteration, tale.key(&EffectKind::Turn).attempt), (1, 2));
}

#[test]
fn a_judge_that_needs_a_person_rests_the_loop_and_is_asked_again_when_one_has_looked() {
    let mut tale = probed(judged_contract());
    tale.works_out(claiming(), "a").checked(green()).compared(intact());
    tale.judged(JudgeWord::NeedsPerson { why: String::from("not signed in") });
    assert_eq!(tale.state.needs_person(), Some((Party::Judge, "not signed in")));
    tale.pauses(PauseReason::NeedsPerson).asks(Act::Resume);
    assert_eq!(tale.state.needs_person(), None);
    tale.judged(approved());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })));
}

#[test]
fn a_last_message_adds_to_what_was_claimed_by_the_tool_only_what_is_new() {
    let (done, asked) = (Claim::Done { no_test: None }, Claim::Cannot(question("why?")));
    let excused = Claim::Done { no_test: Some(String::from("only prose")) };
    let blocked = Claim::Blocked { task: String::from("first this") };
    for (said, earlier, is_counted) in [
        (&done, None, true),
        (&done, Some(&asked), false),
        (&excused, Some(&done), true),
        (&asked, Some(&done), true),
        (&asked, Some(&asked), false),
        (&blocked, None, false),
    ] {
        assert_eq!(said.adds_to(earlier), is_counted, "{said:?} beside {earlier:?}");
    }
}
