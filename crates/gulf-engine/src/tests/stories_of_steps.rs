//! What is thought about before a turn, told as stories.

use super::given::*;
use super::tale::Tale;
use crate::*;

impl Tale {
    fn thinks(&mut self, step: Step, end: StepEnd) -> &mut Self {
        self.ends(&EffectKind::Step { step }, EffectResult::Step(end))
    }

    fn says(&mut self, step: Step) -> &mut Self {
        self.thinks(step, thought(StepWord::Said))
    }
}

fn stepping(list: &[(Step, StepWhen)]) -> Tale {
    Tale::of(contract_with(|contract| {
        contract.policy.steps = steps(list);
        contract.policy.gates = vec![Gate::Checks];
    }))
}

fn planning() -> Tale {
    stepping(&[
        (Step::Analyze, StepWhen::First),
        (Step::Plan, StepWhen::First),
        (Step::Criticize, StepWhen::First),
        (Step::Cause, StepWhen::AfterRefusal),
    ])
}

fn next(tale: &Tale) -> EffectKind {
    tale.works().into_iter().find(|work| !matches!(work, EffectKind::Probe { .. })).unwrap()
}

// proves: A3
#[test]
fn the_first_turn_follows_analysis_plan_and_critic() {
    let mut tale = planning();
    let key = tale.key(&EffectKind::Step { step: Step::Analyze });
    assert_eq!((key.iteration, key.attempt), (1, 1));
    tale.says(Step::Analyze).says(Step::Plan).says(Step::Criticize);
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: A3
#[test]
fn what_the_critic_objects_to_is_planned_again() {
    let mut tale = planning();
    tale.says(Step::Analyze).says(Step::Plan).thinks(Step::Criticize, objected());
    let again = tale.key(&EffectKind::Step { step: Step::Plan });
    assert_eq!((again.iteration, again.attempt), (1, 2));
    tale.says(Step::Plan).says(Step::Criticize);
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: A3
#[test]
fn a_plan_that_never_pleases_its_critic_reaches_a_person_whose_go_on_ends_the_dispute() {
    let mut tale = planning();
    tale.says(Step::Analyze);
    for _ in 0..2 {
        tale.says(Step::Plan).thinks(Step::Criticize, objected());
    }
    tale.pauses(PauseReason::Step).asks(Act::Resume);
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: A7
#[test]
fn a_cause_comes_before_the_turn_after_a_refusal_and_before_no_other() {
    let mut tale = stepping(&[(Step::Cause, StepWhen::AfterRefusal)]);
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Unclaimed);
    assert_eq!(next(&tale), EffectKind::Turn);
    tale.is_refused("b", "x");
    assert_eq!(next(&tale), EffectKind::Step { step: Step::Cause });
    let vague = StepWord::Incomplete { missing: vec![String::from("ROOT CAUSE")] };
    tale.thinks(Step::Cause, thought(vague));
    assert_eq!(next(&tale), EffectKind::Step { step: Step::Cause });
    tale.says(Step::Cause);
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: L2
#[test]
fn every_iteration_is_analyzed_where_the_contract_says_so() {
    let mut tale = stepping(&[(Step::Analyze, StepWhen::Every)]);
    for tree in ["a", "b"] {
        assert_eq!(next(&tale), EffectKind::Step { step: Step::Analyze });
        tale.says(Step::Analyze).works_out(turn(), tree).checked(red()).settles(Settlement::Unclaimed);
    }
}

#[test]
fn a_turn_that_is_tried_again_is_not_thought_about_again() {
    let mut tale = stepping(&[(Step::Analyze, StepWhen::Every)]);
    tale.says(Step::Analyze).works_out(failing(), "base").settles(Settlement::AgentFailed);
    assert_eq!(next(&tale), EffectKind::Turn);
}

#[test]
fn a_step_that_was_cut_off_is_its_next_attempt() {
    let mut tale = planning();
    tale.begins(&EffectKind::Step { step: Step::Analyze });
    tale.happens(attached("here"));
    let Decision::Recover(key) = tale.wants() else { panic!("{:?}", tale.wants()) };
    tale.happens(Fact::Ended { key, result: EffectResult::Interrupted });
    assert_eq!(tale.key(&EffectKind::Step { step: Step::Analyze }).attempt, 2);
}

// proves: A5
#[test]
fn who_thinks_may_ask_and_the_answer_comes_before_the_turn() {
    let mut tale = stepping(&[(Step::Analyze, StepWhen::First)]);
    tale.begins(&EffectKind::Step { step: Step::Analyze });
    let asked =
        admit(&tale.state, by_worker(1, Act::Claim { claim: need_decision("left or right?") })).unwrap();
    assert_eq!(admit(&tale.state, by_worker(1, Act::Claim { claim: done() })), Err(Refusal::NoTurn));
    tale.happens(asked).says(Step::Analyze).pauses(PauseReason::Question).asks(answer("left"));
    assert_eq!(next(&tale), EffectKind::Turn);
    assert!(tale.state.notes[0].contains("left"));
}

#[test]
fn what_a_step_costs_belongs_to_the_iteration_that_it_precedes() {
    let mut tale = stepping(&[(Step::Analyze, StepWhen::Every)]);
    let key = tale.begins(&EffectKind::Step { step: Step::Analyze });
    tale.happens(Fact::Spent { key, spent: cost(7, 0) }).says(Step::Analyze);
    let key = tale.begins(&EffectKind::Turn);
    tale.happens(Fact::Spent { key, spent: cost(5, 0) });
    assert_eq!(tale.state.spending.iteration.microdollars, 12);
}

#[test]
fn a_session_thinks_within_its_own_turn() {
    let mut tale = planning();
    tale.happens(Fact::Bound { worker: in_host(Some("one")) });
    assert_eq!(next(&tale), EffectKind::Turn);
}

// proves: A1/parallel
#[test]
fn how_a_turns_work_is_divided_is_told_and_changes_nothing() {
    let mut tale = planning();
    tale.says(Step::Analyze).says(Step::Plan).says(Step::Criticize);
    tale.begins(&EffectKind::Turn);
    let (before, wanted) = (tale.state.clone(), tale.works());
    let part = || Part { id: "S1".into(), title: "the parser".into() };
    tale.happens(Fact::Divided { parts: vec![part()], why: String::new() });
    for word in [PartWord::Begun, PartWord::Joined, PartWord::LeftOut { why: "it conflicts".into() }] {
        tale.happens(Fact::PartTold { id: "S1".into(), word });
    }
    assert_eq!(tale.works(), wanted);
    assert_eq!(&tale.state.stage, &before.stage);
    assert_eq!(tale.state.anomaly(), None);
}

// proves: L9
#[test]
fn what_befalls_an_agent_that_thinks_is_what_befalls_one_that_works() {
    let beginning = || {
        let mut tale = stepping(&[(Step::Analyze, StepWhen::Every)]);
        tale.probed(red());
        tale
    };
    let why = String::from("not logged in");
    let mut without_person = beginning();
    without_person.thinks(Step::Analyze, thoughtless(TurnOutcome::NeedsPerson { why: why.clone() }));
    without_person.pauses(PauseReason::NeedsPerson);
    assert_eq!(without_person.state.needs_person(), Some((Party::Agent, why.as_str())));
    let mut without_money = beginning();
    without_money.thinks(Step::Analyze, thoughtless(TurnOutcome::OutOfBudget));
    assert_eq!(without_money.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Money }));
    let mut without_room = beginning();
    without_room.thinks(Step::Analyze, thoughtless(TurnOutcome::ContextFull));
    assert_eq!(without_room.works(), [EffectKind::Step { step: Step::Analyze }], "it is tried again");
    let mut refused = beginning();
    let end = StepEnd { denials: vec![Denial { what: "Bash(curl:*)".into(), times: 3 }], ..objected() };
    refused.thinks(Step::Analyze, end).pauses(PauseReason::Denied);
}

#[test]
fn a_step_a_phase_and_a_claim_have_names_for_people() {
    let steps = [Step::Analyze, Step::Plan, Step::Criticize, Step::Cause].map(Step::word);
    assert_eq!(steps, ["analyze", "plan", "criticize", "cause"]);
    let phases = [Phase::Analyze, Phase::Implement, Phase::Test, Phase::Review].map(Phase::word);
    assert_eq!(phases, ["analyze", "implement", "test", "review"]);
    let reviewers = [Reviewer::Qa, Reviewer::Security, Reviewer::Documents].map(Reviewer::word);
    assert_eq!(reviewers, ["qa", "security", "documents"]);
    assert_eq!(done().word(), "done");
}
