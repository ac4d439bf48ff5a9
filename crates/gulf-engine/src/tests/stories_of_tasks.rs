//! Single stories of lists: what comes next, what is given up, what was put back.

use super::given::*;
use super::tale::Tale;
use crate::*;

fn tale_of(waits_for: &[&[u32]], change: impl FnOnce(&mut Contract)) -> Tale {
    let mut tale = Tale::of(contract_with(|contract| {
        contract.tasks = listed(waits_for);
        contract.policy.gates = vec![Gate::Checks];
        change(contract);
    }));
    tale.probed(red());
    tale
}

fn verified() -> End {
    End::Verified { proofs: vec![Proof::BaseRed { check: check_name("test") }] }
}

fn in_hand(tale: &Tale) -> (u32, u32) {
    let key = tale.key(&EffectKind::Turn);
    (key.unit.0, key.iteration)
}

/// A new test shows what the first task's base shows by itself.
fn finishes(tale: &mut Tale, tree: &str) {
    tale.works_out(claiming(), tree).checked(green());
    if tale.works().contains(&EffectKind::Overlay) {
        tale.overlaid(new_test_red());
    }
    tale.closed();
    let Decision::FinishUnit(end) = tale.wants() else { return };
    tale.happens(Fact::UnitFinished { end });
}

fn standings(tale: &Tale) -> Vec<(String, TaskFate)> {
    tale.state.plan.iter().map(|one| (one.task.name.clone(), one.standing)).collect()
}

#[test]
fn a_finished_task_is_written_down_before_the_next_one_begins() {
    let mut tale = tale_of(&[&[], &[]], |_| {});
    tale.works_out(claiming(), "a").checked(green());
    assert_eq!(tale.works(), [EffectKind::Close]);
    tale.ends(&EffectKind::Close, EffectResult::Interrupted);
    assert_eq!(tale.works(), [EffectKind::Close], "it is looked up and begun again");
    tale.closed();
    assert_eq!(tale.wants(), Decision::FinishUnit(verified()));
}

#[test]
fn what_waits_for_a_skipped_task_never_begins_and_the_loop_says_so() {
    let mut tale = tale_of(&[&[], &[0], &[]], |contract| {
        contract.policy.limits.iterations_max = times(1);
        contract.policy.task_limit = TaskLimit::Skip;
    });
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    let why = End::Exhausted { limit: Exhaustion::Iterations };
    assert_eq!(tale.wants(), Decision::SkipUnit(why.clone()));
    tale.happens(Fact::UnitSkipped { why, set_aside: None });
    assert_eq!(in_hand(&tale), (2, 2), "the loop counts on");
    assert_eq!(tale.state.base().unwrap().tree, candidate("a").tree, "it begins with what lies there");
    tale.works_out(claiming(), "b").checked(green()).closed();
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Tasks }));
}

#[test]
fn a_person_chooses_at_a_tasks_limit() {
    let limited = |contract: &mut Contract| contract.policy.limits.iterations_max = times(1);
    let mut tale = tale_of(&[&[], &[]], limited);
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    tale.pauses(PauseReason::TaskLimit);
    let mut more = tale.clone();
    let mut terms = more.state.contract().unwrap().clone();
    terms.policy.limits.iterations_max = times(3);
    more.happens(Fact::Amended { contract: Box::new(terms) }).asks(Act::Resume);
    assert_eq!(in_hand(&more), (0, 2));
    let mut again = tale.clone();
    again.asks(Act::Resume).pauses(PauseReason::TaskLimit);
    tale.asks(Act::Skip);
    assert_eq!(in_hand(&tale), (1, 2));
    assert_eq!(tale.state.plan[0].standing, TaskFate::Skipped);
}

#[test]
fn a_task_that_is_stuck_is_given_up_like_one_at_its_limit() {
    let mut tale = tale_of(&[&[], &[]], |contract| {
        contract.policy.task_limit = TaskLimit::Skip;
        contract.policy.stuck.same_failure_max = times(2);
    });
    tale.is_refused("a", "x").is_refused("b", "x");
    assert_eq!(tale.wants(), Decision::SkipUnit(End::Stalled { by: Stall::SameFailure }));
}

#[test]
fn a_blocker_comes_first_and_the_task_goes_on_where_it_was() {
    let mut tale = tale_of(&[&[], &[]], |_| {});
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Unclaimed);
    tale.begins(&EffectKind::Turn);
    let claim = Claim::Blocked { task: String::from("a key for Stripe") };
    tale.happens(Fact::Claimed { claim });
    let key = EffectKey { unit: UnitId(0), iteration: 2, attempt: 1, work: EffectKind::Turn };
    tale.happens(Fact::Ended { key, result: EffectResult::Turn(turn()) });
    tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("b"))).settles(Settlement::Blocked);
    assert_eq!(in_hand(&tale), (2, 3));
    let names = ["T0-B1", "T0", "T1"].map(String::from);
    assert_eq!(standings(&tale).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), names);
    tale.probed(red());
    finishes(&mut tale, "c");
    assert_eq!(in_hand(&tale), (0, 4));
    assert_eq!(tale.state.unit.iterations, 2, "its limit does not start anew");
    finishes(&mut tale, "d");
    finishes(&mut tale, "e");
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })), "{:?}", tale.wants());
}

#[test]
fn a_list_is_not_made_longer_without_end_and_a_goal_alone_not_at_all() {
    let blocked = || Act::Claim { claim: Claim::Blocked { task: String::from("first this") } };
    let mut tale = tale_of(&[&[]], |_| {});
    for _ in 1..=BLOCKERS_MAX {
        let iteration = tale.begins(&EffectKind::Turn).iteration;
        let fact = admit(&tale.state, by_worker(iteration, blocked())).unwrap();
        tale.happens(fact);
        let key = tale.state.running.iter().find(|key| key.work == EffectKind::Turn).unwrap().clone();
        tale.happens(Fact::Ended { key, result: EffectResult::Turn(turn()) });
        tale.ends(&EffectKind::Snapshot, EffectResult::Snapshot(snapshot("base")))
            .settles(Settlement::Blocked);
        finishes(&mut tale, "base");
        if tale.wants() == Decision::Settle(Settlement::Asked) {
            tale.settles(Settlement::Asked);
            finishes(&mut tale, "base");
        }
    }
    let iteration = tale.begins(&EffectKind::Turn).iteration;
    assert_eq!(admit(&tale.state, by_worker(iteration, blocked())), Err(Refusal::TooManyBlockers));
    let mut alone = Tale::of(contract());
    alone.begins(&EffectKind::Turn);
    assert_eq!(admit(&alone.state, by_worker(1, blocked())), Err(Refusal::NoTasks));
    assert_eq!(admit(&alone.state, by_person(Act::Skip)), Err(Refusal::NoTasks));
}

#[test]
fn a_task_is_skipped_while_the_loop_rests_between_turns() {
    let mut tale = tale_of(&[&[], &[]], |_| {});
    assert_eq!(admit(&tale.state, by_person(Act::Skip)), Err(Refusal::NotPaused));
    tale.works_out(claiming(), "a");
    tale.asks(Act::Pause).pauses(PauseReason::Asked);
    assert_eq!(admit(&tale.state, by_person(Act::Skip)), Err(Refusal::NotBetween));
}

#[test]
fn what_keeps_a_finished_task_from_being_committed_waits_for_a_person() {
    let mut tale = tale_of(&[&[], &[]], |_| {});
    tale.works_out(claiming(), "a").checked(green());
    tale.ends(&EffectKind::Close, EffectResult::Closed { closing: not_written_down() });
    tale.pauses(PauseReason::ReadyToClose).asks(Act::Resume);
    assert_eq!(
        tale.works(),
        [EffectKind::Close],
        "what stood in the way may be gone, and nothing is checked again"
    );
    tale.closed();
    assert_eq!(tale.wants(), Decision::FinishUnit(verified()));
}

#[test]
fn the_next_task_begins_with_the_lesson_of_the_one_before_it() {
    let mut tale = tale_of(&[&[], &[]], |_| {});
    tale.works_out(claiming(), "a").checked(green());
    tale.ends(&EffectKind::Close, EffectResult::Closed { closing: written_down_with("a-and-a-lesson") });
    tale.happens(Fact::UnitFinished { end: verified() });
    assert_eq!(tale.state.base().unwrap().tree, tree("a-and-a-lesson"));
    assert!(tale.state.probes.is_empty(), "no check has seen this tree");
}

#[test]
fn the_last_task_came_to_what_it_came_to_by_itself_whatever_the_loop_ends_as() {
    let mut tale = tale_of(&[&[], &[]], |_| {});
    finishes(&mut tale, "a");
    assert_eq!(tale.state.end_of_task(), None);
    finishes(&mut tale, "b");
    let own = End::Verified { proofs: vec![Proof::NewTest { tests: vec![String::from("new")] }] };
    assert_eq!(tale.state.end_of_task(), Some(own.clone()));
    let Decision::End(end) = tale.wants() else { panic!("{:?}", tale.wants()) };
    assert_eq!(end.proofs().len(), 2, "the loop's end is that of all of them");
    tale.happens(Fact::Finished { end });
    assert_eq!(tale.state.end_of_task(), Some(own));
}

#[test]
fn a_task_whose_criteria_nobody_judged_is_attested_whatever_its_tests_prove() {
    let mut tale = tale_of(&[&[], &[]], |contract| contract.tasks[0].criteria = 2);
    let unseen = Cause::TaskNotJudged { task: String::from("T0"), count: 2 };
    tale.works_out(claiming(), "a").checked(green()).closed();
    assert_eq!(tale.wants(), Decision::FinishUnit(End::Attested { causes: vec![unseen.clone()] }));
    let Decision::FinishUnit(end) = tale.wants() else { return };
    tale.happens(Fact::UnitFinished { end });
    finishes(&mut tale, "b");
    assert_eq!(tale.wants(), Decision::End(End::Attested { causes: vec![unseen] }), "the other has none");
}

#[test]
fn a_task_whose_criteria_a_judge_approved_is_verified() {
    let mut tale = tale_of(&[&[]], |contract| {
        contract.tasks[0].criteria = 2;
        contract.policy.gates = vec![Gate::Checks, Gate::Judge];
    });
    tale.works_out(claiming(), "a").checked(green());
    tale.ends(&EffectKind::Judge, EffectResult::Judge(approved()));
    tale.closed();
    assert!(matches!(tale.wants(), Decision::End(End::Verified { .. })), "{:?}", tale.wants());
}

#[test]
fn where_the_work_of_a_task_was_set_aside_the_next_begins_on_the_last_good_state() {
    let mut tale = tale_of(&[&[], &[]], |contract| {
        contract.policy.limits.iterations_max = times(1);
        contract.policy.task_limit = TaskLimit::Skip;
    });
    tale.works_out(turn(), "a").checked(red()).settles(Settlement::Refused { gate: Gate::Checks });
    let Decision::SkipUnit(why) = tale.wants() else { panic!("{:?}", tale.wants()) };
    let kept = candidate("a").commit;
    let aside = SetAside { commit: Some(kept), paths: vec![String::from("a.txt")], left: Vec::new() };
    tale.happens(Fact::UnitSkipped { why, set_aside: Some(aside.clone()) });
    assert_eq!(tale.state.base(), Some(&contract().base), "and what the checks said of it still counts");
    assert_eq!(tale.state.plan[0].set_aside, Some(aside));
    tale.works_out(claiming(), "b").checked(green()).closed();
    assert_eq!(tale.wants(), Decision::End(End::Exhausted { limit: Exhaustion::Tasks }));
}
