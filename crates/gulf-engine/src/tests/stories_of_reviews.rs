//! Who looks at the work beside the judge, told as stories.

use super::given::*;
use super::tale::Tale;
use crate::*;

const QA: EffectKind = EffectKind::Review { by: Reviewer::Qa };
const SECURITY: EffectKind = EffectKind::Review { by: Reviewer::Security };

/// Claimed and green, with a judge and two reviewers.
fn reviewed() -> Tale {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.reviewers = vec![Reviewer::Qa, Reviewer::Security];
    }));
    tale.probed(red()).works_out(claiming(), "a").checked(green());
    tale
}

fn says(tale: &mut Tale, work: &EffectKind, word: JudgeWord) {
    tale.ends(work, EffectResult::Judge(word));
}

// proves: A4, A4/parallel-review
#[test]
fn reviewers_are_asked_side_by_side_and_every_yes_is_needed() {
    let mut tale = reviewed();
    assert_eq!(tale.works(), [EffectKind::Judge, QA, SECURITY]);
    tale.begins(&EffectKind::Judge);
    assert_eq!(tale.works(), [EffectKind::Judge, QA, SECURITY]);
    tale.begins(&QA);
    says(&mut tale, &EffectKind::Judge, approved());
    assert_eq!(tale.works(), [QA, SECURITY]);
    says(&mut tale, &SECURITY, approved());
    says(&mut tale, &QA, approved_without_evidence());
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })), "{:?}", tale.wants());
}

#[test]
fn a_reviewer_who_needs_a_person_is_not_forgotten_when_the_machine_works_again() {
    let mut tale = reviewed();
    for work in [&EffectKind::Judge, &QA, &SECURITY] {
        tale.begins(work);
    }
    says(&mut tale, &SECURITY, JudgeWord::NeedsPerson { why: String::from("not signed in") });
    tale.ends(&QA, beyond_the_host());
    says(&mut tale, &EffectKind::Judge, approved());
    assert_eq!(tale.state.needs_person(), Some((Party::Judge, "not signed in")));
    tale.pauses(PauseReason::NeedsPerson);
}

// proves: A4
#[test]
fn one_no_is_a_no_and_whoever_was_begun_is_waited_for() {
    let mut tale = reviewed();
    tale.begins(&EffectKind::Judge);
    tale.begins(&QA);
    says(&mut tale, &QA, rejected());
    assert_eq!(tale.works(), [EffectKind::Judge]);
    says(&mut tale, &EffectKind::Judge, approved());
    tale.settles(Settlement::Refused { gate: Gate::Judge });
    assert_eq!(tale.state.unit.streaks.rejections, 1);
}

#[test]
fn a_word_about_a_tree_is_not_asked_for_again() {
    let mut tale = reviewed();
    says(&mut tale, &EffectKind::Judge, approved());
    says(&mut tale, &QA, JudgeWord::NoVerdict);
    assert_eq!(tale.works(), [QA, SECURITY]);
}

#[test]
fn a_person_overrules_all_of_them() {
    let mut tale = reviewed();
    says(&mut tale, &EffectKind::Judge, approved());
    says(&mut tale, &QA, rejected());
    tale.settles(Settlement::Refused { gate: Gate::Judge }).asks(Act::Pause).pauses(PauseReason::Asked);
    tale.asks(approval());
    let Decision::End(End::Attested { causes }) = tale.wants() else { panic!("{:?}", tale.wants()) };
    assert!(causes.contains(&Cause::Waived), "{causes:?}");
}

#[test]
fn a_session_asks_one_after_the_other() {
    let mut tale = reviewed();
    tale.happens(Fact::Bound { worker: in_host(Some("one")) });
    assert_eq!(tale.works(), [EffectKind::Judge]);
    says(&mut tale, &EffectKind::Judge, approved());
    assert_eq!(tale.works(), [QA]);
}

// proves: A4
#[test]
fn whoever_tries_the_work_out_waits_for_a_check_on_the_base() {
    let lint = |work: fn(CheckName) -> EffectKind| work(check_name("lint"));
    let (check, probe) = (lint(|name| EffectKind::Check { name }), lint(|name| EffectKind::Probe { name }));
    let mut tale = Tale::of(contract_with(|contract| {
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
        contract.policy.reviewers = vec![Reviewer::Qa, Reviewer::Security];
        contract.policy.follow_up = FollowUp::Once;
        contract.checks.push(terms("lint"));
    }));
    tale.probed(red())
        .works_out(in_session(), "a")
        .checked(green())
        .ends(&check, EffectResult::Check(green()));
    tale.ends(&EffectKind::FollowUp, EffectResult::Turn(in_session()));
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("a"))).settles(Settlement::Unclaimed);
    tale.begins(&probe);
    tale.works_out(claiming(), "a");
    assert_eq!(tale.works(), [EffectKind::Judge, SECURITY, probe.clone()]);
    says(&mut tale, &EffectKind::Judge, approved());
    says(&mut tale, &SECURITY, approved());
    assert_eq!(tale.works(), std::slice::from_ref(&probe), "nobody else is missing, and it is no yes yet");
    tale.ends(&probe, EffectResult::Check(green()));
    assert_eq!(tale.works(), [QA]);
}
